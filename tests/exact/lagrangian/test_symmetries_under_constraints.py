"""First integrals of Lagrangians with constraints and of higher order: Noether's theorem for ideal and for vakonomic constraints."""

import numpy as np
import pytest

import vinculum as vc
from vinculum import math as m

BLADE = lambda theta, x_dot, y_dot: m.sin(theta) * x_dot - m.cos(theta) * y_dot


def skate(realization) -> vc.LagrangianSystem:
    return vc.LagrangianSystem(
        "skate", ["x", "y", "theta"], lambda v: v @ v / 2, constraints={"blade": (BLADE, realization)}
    )


def drift(one, motion) -> float:
    return float(np.ptp(one.along(motion)))


def test_a_skate_keeps_its_spin_by_reactions_and_momenta_with_multipliers_vakonomically():
    """Translations are no admissible velocities: d'Alembert's reactions change P, by ω (−y, x), and the circle has a middle.
    Vakonomic momenta hold the multiplier, and the spin is not kept."""
    start = {"x": vc.At(0.3, rate=np.cos(0.4)), "y": vc.At(-0.1, rate=np.sin(0.4)), "theta": vc.At(0.4, rate=0.7)}
    ideal = vc.first_integrals(skate(vc.DAlembert()))
    assert ideal.names == (
        "energy",
        "momentum p_x + y p_theta",
        "momentum p_y − x p_theta",
        "momentum p_theta",
        "momentum t p_theta − theta",
    )
    assert "admissible velocity, along which reactions have no power" in ideal["momentum p_theta"].reason
    assert "its field is no admissible velocity" in ideal["momentum p_x + y p_theta"].reason
    assert "do no work" in ideal["energy"].reason
    motion = vc.simulate(skate(vc.DAlembert()), 3.0, start)
    assert all(drift(one, motion) < 1e-11 for one in ideal)
    assert np.ptp(motion.v[:, 0]) > 0.1
    other = vc.first_integrals(skate(vc.Vakonomic(multipliers=0.6)))
    assert other.names == ("energy", "momentum p_x", "momentum p_y", "momentum p_theta − y p_x + x p_y")
    assert "L + λF changes by a total derivative" in other[1].reason
    motion = vc.simulate(skate(vc.Vakonomic(multipliers=0.6)), 3.0, start)
    assert all(drift(one, motion) < 1e-10 for one in other)
    assert np.ptp(motion.v[:, 2]) > 0.1
    values = other["momentum p_x"].along(motion)
    assert values[0] == pytest.approx(np.cos(0.4) + 0.6 * np.sin(0.4), rel=1e-13)


def torus(height=0.0, bend=1.0) -> vc.LagrangianSystem:
    surface = lambda x, y, z: (m.sqrt(x**2 + bend * y**2) - 2.0) ** 2 + z**2 - 0.25
    return vc.LagrangianSystem(
        "torus",
        ["x", "y", "z"],
        lambda v, z: v @ v / 2 - height * z,
        constraints={"surface": (surface, vc.DAlembert())},
    )


def test_a_geodesic_of_a_torus_keeps_its_moment_by_constraint_and_by_chart():
    system, start = torus(), ([2.5, 0, 0], [0, 0.8, 0.6])
    found = vc.first_integrals(system)
    assert found.names == ("energy", "momentum y p_x − x p_y")
    motion = vc.simulate(system, 4.0, start)
    assert drift(found[1], motion) < 1e-10 and found[1].along(motion)[0] == pytest.approx(-2.0, rel=1e-13)
    chart = vc.LagrangianSystem("free", ["x", "y", "z"], lambda v: v @ v / 2).restrict(
        lambda q: ((2 + 0.5 * m.cos(q[1])) * m.cos(q[0]), (2 + 0.5 * m.cos(q[1])) * m.sin(q[0]), 0.5 * m.sin(q[1])),
        ["phi", "psi"],
    )
    other = vc.first_integrals(chart)
    assert other.names == ("energy", "momentum p_phi")
    again = vc.simulate(chart, 4.0, ([0, 0], [0.8 / 2.5, 0.6 / 0.5]))
    assert other[1].along(again)[0] == pytest.approx(2.0, rel=1e-13) and drift(other[1], again) < 1e-10
    assert again.energy[0] == pytest.approx(motion.energy[0], rel=1e-13)


@pytest.mark.parametrize("system", [torus(bend=1.1), torus(height=1.0, bend=1.1)])
def test_a_bent_torus_keeps_its_energy_alone(system):
    assert vc.first_integrals(system).names == ("energy",)


def test_a_point_on_a_sphere_keeps_all_moments_and_under_weight_one():
    def ball(height):
        return vc.LagrangianSystem(
            "ball",
            ["x", "y", "z"],
            lambda v, z: v @ v / 2 - height * z,
            constraints={"rod": (lambda q: q @ q - 1.0, vc.DAlembert())},
        )

    assert len(vc.first_integrals(ball(0.0))) == 4
    assert vc.first_integrals(ball(1.0)).names == ("energy", "momentum y p_x − x p_y")


def test_a_moving_constraint_costs_the_energy():
    system = vc.LagrangianSystem(
        "hoop",
        ["x", "y"],
        lambda v: v @ v / 2,
        constraints={"hoop": (lambda q, t: q @ q - (1.0 + 0.1 * t) ** 2, vc.DAlembert())},
    )
    found = vc.first_integrals(system)
    assert found.names == ("momentum y p_x − x p_y",)
    motion = vc.simulate(system, 2.0, ([1.0, 0.0], [0.1, 0.7]))
    assert drift(found[0], motion) < 1e-10


def test_a_ball_that_rolls_keeps_moments_about_its_contact_along_given_fields():
    """Chaplygin's ball in Euler's angles: rotations about axes through the contact are no affine fields of them."""
    A, B, C, mass, radius = 0.05, 0.07, 0.1, 1.7, 0.3

    def omega(phi, theta, psi, rates):
        """Angular velocity in space, of angles z-x-z."""
        a, b, c = rates
        across = c * m.sin(theta)
        return np.array(
            [b * m.cos(phi) + across * m.sin(phi), b * m.sin(phi) - across * m.cos(phi), a + c * m.cos(theta)]
        )

    def own(theta, psi, rates):
        a, b, c = rates
        return (
            a * m.sin(theta) * m.sin(psi) + b * m.cos(psi),
            a * m.sin(theta) * m.cos(psi) - b * m.sin(psi),
            c + a * m.cos(theta),
        )

    def lagrangian(q, v):
        w = own(q[3], q[4], v[2:])
        return mass * (v[0] ** 2 + v[1] ** 2) / 2 + (A * w[0] ** 2 + B * w[1] ** 2 + C * w[2] ** 2) / 2

    def rolls(q, v):
        w = omega(q[2], q[3], q[4], v[2:])
        return v[0] - radius * w[1], v[1] + radius * w[0]

    def about(e):
        """Turning about the axis e through the contact: rates of the angles that give ω = e, and the velocity e × R z."""

        def field(phi, theta):
            across = e[0] * m.sin(phi) - e[1] * m.cos(phi)
            c = across / m.sin(theta)
            return [radius * e[1], -radius * e[0], e[2] - c * m.cos(theta), e[0] * m.cos(phi) + e[1] * m.sin(phi), c]

        return field

    system = vc.LagrangianSystem(
        "Chaplygin's ball",
        ["x", "y", "phi", "theta", "psi"],
        lagrangian,
        constraints={"rolling": (rolls, vc.DAlembert())},
    )
    found = vc.first_integrals(system, fields=[about(e) for e in np.eye(3)])
    assert {"energy", "momentum p·ξ0", "momentum p·ξ1", "momentum p·ξ2"} <= set(found.names)
    q, rates = np.array([0.1, 0.2, 0.3, 1.1, -0.4]), np.array([0.5, 0.8, -0.6])
    w = omega(*q[2:], rates)
    motion = vc.simulate(system, 1.5, (q, [radius * w[1], -radius * w[0], *rates]))
    for k in range(3):
        assert drift(found[f"momentum p·ξ{k}"], motion) < 1e-10
    slipping = vc.LagrangianSystem("slipping", system.coordinates, lagrangian)
    free = vc.first_integrals(slipping, fields=[about(e) for e in np.eye(3)])
    assert "momentum p_x" in free.names and "momentum p_x" not in found.names


def test_a_beam_of_second_order_keeps_momenta_of_ostrogradsky():
    beam = vc.LagrangianSystem("beam", ["x", "y"], lambda v, a: a @ a / 2 - v @ v / 2)
    found = vc.first_integrals(beam)
    assert {"energy", "momentum p_x", "momentum p_y", "momentum y p_x − x p_y"} <= set(found.names)
    motion = vc.simulate(beam, 2.0, ([0.1, 0.2], [0.3, -0.1], [0.2, 0.4], [0.1, -0.3]))
    for one in found:
        assert drift(one, motion) < 1e-10, one.name


def test_fields_are_checked():
    system = torus()
    wrong = {
        "give a list of functions": lambda q: q,
        "depends on velocities": [lambda v: v],
        "return 3 numbers": [lambda q: q[:2]],
    }
    for told, fields in wrong.items():
        with pytest.raises(vc.errors.ModelError, match=told):
            vc.first_integrals(system, fields=fields)  # pyright: ignore[reportArgumentType]
