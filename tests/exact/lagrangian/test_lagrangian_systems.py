"""Lagrangian systems against closed forms and published digits."""

import numpy as np
import pytest
import sympy
from scipy.special import ellipj

import vinculum as vc
from marks import weak_without_heyoka
from vinculum.compile.engines import has_heyoka

cos, sin = vc.math.cos, vc.math.sin
METHODS = ["dop853", *(["taylor"] if has_heyoka() else [])]


def knife_edge(realization, slope=0.0):
    return vc.LagrangianSystem(
        "knife edge",
        ["x", "y", "theta"],
        lambda q, v: (v[0] ** 2 + v[1] ** 2) / 2 + 0.35 * v[2] ** 2 + slope * q[0],
        constraints={"blade": (lambda theta, x_dot, y_dot: x_dot * sin(theta) - y_dot * cos(theta), realization)},
    )


def fixed_speed(realization, c=2.0, g=9.81):
    return vc.LagrangianSystem(
        "fixed speed",
        ["x", "y"],
        lambda q, v: v @ v / 2 - g * q[1],
        constraints={"speed": (lambda v: v @ v - c**2, realization)},
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_knife_edge_goes_round_by_dalembert_and_along_a_sine_amplitude_vakonomically(method):
    start = ([0, 0, 0], [1.3, 0, 0.9])
    circle = vc.simulate(knife_edge(vc.DAlembert()), 4.0, start, method=method, progress=False)
    assert np.allclose(circle.q[-1], [-0.63919620, 2.73976216, 3.6], atol=1e-8)
    free = vc.simulate(knife_edge(vc.Vakonomic(multipliers=0.0)), 4.0, start, method=method, progress=False)
    assert np.allclose(free.q[-1], [2.80999675, 0.32741435, 5.39047925], atol=1e-8)
    # am(ωt | −k) by the transformation of negative parameters, with its derivative dn in place of the branch
    k = 1.3**2 / (0.7 * 0.81)
    sd = ellipj(np.sqrt(1 + k) * 0.9 * free.time, k / (1 + k))
    assert np.allclose(np.sin(free["theta"]), sd[0] / sd[2] / np.sqrt(1 + k), atol=1e-9)
    assert np.allclose(free.energy, circle.energy, atol=1e-9)


def test_a_knife_edge_on_an_incline_rises_again_by_dalembert_and_descends_vakonomically():
    start = ([0, 0, 0], [0, 0, 0.9])
    cycloid = vc.simulate(knife_edge(vc.DAlembert(), 3.0), 5.0, start, progress=False)
    assert np.allclose(cycloid["x"], 3.0 / (2 * 0.81) * np.sin(0.9 * cycloid.time) ** 2, atol=1e-10)
    down = vc.simulate(knife_edge(vc.Vakonomic(multipliers=[0.0]), 3.0), 12.0, start, progress=False)
    assert down.q[-1, 0] == pytest.approx(10.418, abs=5e-4)
    assert np.allclose(down.bond("blade").multiplier, 3.0 * down.time * np.sin(down["theta"]), atol=1e-7)


def test_a_fixed_speed_in_gravity_follows_gudermann_by_chetaev_and_the_catenary_vakonomically():
    start, c, g = ([0, 0], [2.0, 0]), 2.0, 9.81
    chetaev = vc.simulate(fixed_speed(vc.Chetaev()), 1.0, start, progress=False)
    t = chetaev.time
    assert np.allclose(chetaev["y"], -(c**2) / g * np.log(np.cosh(g * t / c)), atol=1e-12)
    assert np.allclose(chetaev["x"], c**2 / g * 2 * np.arctan(np.tanh(g * t / c / 2)), atol=1e-12)
    assert np.allclose(2 * chetaev.bond("speed").multiplier, g * chetaev.v[:, 1] / c**2, atol=1e-12)  # λ' = V̇/c²
    catenary = vc.simulate(fixed_speed(vc.Vakonomic(multipliers=0.0)), 1.0, start, progress=False)
    assert np.allclose(catenary["x"], c**2 / g * np.arcsinh(g * t / c), atol=1e-12)
    assert np.allclose(catenary["y"], -(c**2) / g * (np.hypot(1, g * t / c) - 1), atol=1e-12)
    conserved = (1 + 2 * catenary.bond("speed").multiplier) * c**2 + g * catenary["y"]
    assert np.ptp(conserved) < 1e-10


@pytest.mark.parametrize("multiplier", [-0.2, 0.7, 3.0])
def test_a_vakonomic_fixed_speed_points_along_its_momentum(multiplier):
    motion = vc.simulate(fixed_speed(vc.Vakonomic(multipliers=multiplier)), 1.0, ([0, 0], [2.0, 0]), progress=False)
    P = (1 + 2 * multiplier) * np.array([2.0, 0]) - 9.81 * motion.time[:, None] * np.array([0, 1.0])
    assert np.allclose(motion.v, 2.0 * P / np.linalg.norm(P, axis=1, keepdims=True), atol=1e-11)
    assert np.allclose(motion.record.momenta, P, atol=1e-10)


@pytest.mark.parametrize(
    "realization", [vc.Chetaev(), vc.Vakonomic(multipliers=0.0), vc.Vakonomic(multipliers=0.4)], ids=str
)
def test_a_cone_of_directions_falls_at_one_rate_however_it_is_realized(realization):
    alpha, g = 1.5, 9.81
    cone = vc.LagrangianSystem(
        "cone",
        ["x", "y", "z"],
        lambda v, z: v @ v / 2 - g * z,
        constraints={"cone": (lambda v: v[0] ** 2 + v[1] ** 2 - alpha**2 * v[2] ** 2, realization)},
    )
    v0 = np.array([1.2 * alpha, 0.9 * alpha, -1.5])
    motion = vc.simulate(cone, 1.0, ([0, 0, 0], v0), progress=False)
    t = motion.time
    assert np.allclose(motion["z"], -1.5 * t - g / (1 + alpha**2) * t**2 / 2, atol=1e-11)
    assert np.ptp(motion.energy) < 1e-10


def test_a_lagrangian_of_second_order_moves_as_its_equation_of_fourth_order():
    beam = vc.LagrangianSystem("beam", ["y"], lambda y, y_ddot: y_ddot**2 / 2 - y**2 / 2)
    assert beam.order == 2
    motion = vc.simulate(beam, 3.0, {"y": (1.0, 0.5, -0.25, 2.0)}, progress=False)
    t = motion.time
    whole = [np.cosh(t), np.sinh(t), np.cos(t), np.sin(t)]
    a, b, c, d = np.linalg.solve([[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, -1, 0], [0, 1, 0, -1]], [1.0, 0.5, -0.25, 2.0])
    assert np.allclose(motion["y"], np.array([a, b, c, d]) @ whole, atol=1e-11)
    assert np.allclose(motion.derivative(3)[:, 0], np.array([b, a, -d, c]) @ whole, atol=1e-11)
    assert np.ptp(motion.total_energy) < 1e-11
    assert motion.audit().passed


def test_the_equations_of_a_pendulum_are_those_of_every_book():
    m, l, g = vc.parameter("m", 1.0), vc.parameter("l", 2.0), vc.parameter("g", 9.81)
    pendulum = vc.LagrangianSystem(
        "pendulum", ["theta"], lambda theta, theta_dot: m * l**2 * theta_dot**2 / 2 + m * g * l * cos(theta)
    )
    (equation,) = pendulum.equations().sympy()
    named = {name: sympy.Symbol(name, real=True) for name in ("m", "l", "g", "theta", "theta_ddot")}
    wanted = sympy.sympify("m*l**2*theta_ddot + m*g*l*sin(theta)", locals=named)
    assert sympy.simplify(equation - wanted) == 0
    assert pendulum.equations().latex() == r"g l m \sin{\left(\theta \right)} + l^{2} m \ddot{\theta} = 0"


def test_the_hamiltonian_of_a_relativistic_particle_is_its_energy_in_momenta():
    m, c = 1.3, 2.0
    particle = vc.LagrangianSystem("relativistic", ["x", "y"], lambda v: -m * c**2 * vc.math.sqrt(1 - v @ v / c**2))
    p = np.array([3.0, -1.5])
    H = particle.legendre.hamiltonian([0, 0], p)
    assert pytest.approx(np.sqrt(m**2 * c**4 + c**2 * (p @ p)), rel=1e-12) == H
    assert np.allclose(particle.legendre.velocity([0, 0], p), c**2 * p / H, rtol=1e-12)
    assert np.allclose(particle.legendre.momentum([0, 0], particle.legendre.velocity([0, 0], p)), p, rtol=1e-12)


def test_velocities_are_the_slopes_of_the_hamiltonian():
    system = vc.LagrangianSystem(
        "moving frame", ["r", "phi"], lambda r, r_dot, phi_dot, t: r_dot**2 / 2 + r**2 * (phi_dot + t) ** 2 / 2 - r**4
    )
    q, p, t, step = np.array([1.2, 0.3]), np.array([0.7, -0.4]), 0.6, 1e-5
    slopes = [
        (system.legendre.hamiltonian(q, p + step * e, t) - system.legendre.hamiltonian(q, p - step * e, t)) / (2 * step)
        for e in np.eye(2)
    ]
    assert np.allclose(system.legendre.velocity(q, p, t), slopes, atol=1e-9)


def test_a_lagrangian_of_third_order_moves_along_a_polynomial():
    system = vc.LagrangianSystem("third", ["x"], lambda j: j @ j / 2)
    motion = vc.simulate(system, 2.0, ([1.0], [1.0], [2.0], [3.0], [4.0], [5.0]), progress=False)
    t = motion.time
    assert np.allclose(motion.q[:, 0], 1 + t + t**2 + t**3 / 2 + t**4 / 6 + t**5 / 24, atol=1e-12)
    assert system.equations().latex() == "{x}^{(6)} = 0"


def test_an_oscillator_prescribed_by_a_linear_constraint_on_accelerations_drives_its_multiplier():
    system = vc.LagrangianSystem(
        "prescribed", ["x"], lambda v: v @ v / 2,
        constraints={"swing": (lambda q, a: a + q, vc.Vakonomic(multipliers=[0.5, 0.2]))},
    )  # fmt: skip
    motion = vc.simulate(system, 3.0, ([1.0], [0.0]), progress=False)  # the acceleration follows from the constraint
    t = motion.time
    assert np.allclose(motion["x"], np.cos(t), atol=1e-13)
    driven = 0.5 * np.cos(t) + 0.2 * np.sin(t) - t * np.sin(t) / 2  # λ'' + λ = x''
    assert np.allclose(motion.bond("swing").multiplier, driven, atol=1e-13)


def test_a_bead_on_a_turning_wire_flies_outwards():
    plane = vc.LagrangianSystem("plane", ["x", "y"], lambda v: v @ v / 2)
    wire = plane.restrict(lambda r, t: [r * cos(2 * t), r * sin(2 * t)], ["r"])
    motion = vc.simulate(wire, 1.5, ([1.0], [0.0]), progress=False)
    assert np.allclose(motion["r"], np.cosh(2 * motion.time), rtol=1e-13)


def test_a_rolling_disk_goes_round_also_vakonomically_with_one_value_of_its_multipliers():
    R, I, J, spin, roll = 0.5, 0.4, 0.2, 1.4, 0.8

    def disk(realization):
        return vc.LagrangianSystem(
            "disk",
            ["x", "y", "theta", "phi"],
            lambda v: (v[0] ** 2 + v[1] ** 2 + J * v[2] ** 2 + I * v[3] ** 2) / 2,
            constraints={
                "rolling": (lambda theta, v: [v[0] - R * cos(theta) * v[3], v[1] - R * sin(theta) * v[3]], realization)
            },
        )

    start = ([0, 0, 0, 0], [R * roll, 0, spin, roll])
    circle = vc.simulate(disk(vc.DAlembert()), 3.0, start, progress=False)
    radius = R * roll / spin
    assert np.allclose(circle["x"], radius * np.sin(spin * circle.time), atol=1e-12)
    same = vc.simulate(disk(vc.Vakonomic(multipliers=[-R * roll, 0.0])), 3.0, start, progress=False)
    assert np.allclose(same.q, circle.q, atol=1e-11)
    other = vc.simulate(disk(vc.Vakonomic(multipliers=0.0)), 3.0, start, progress=False)
    assert np.linalg.norm(other.q[-1] - circle.q[-1]) > 1.0


@weak_without_heyoka("dop853 stops at the pole of the chart, where the row of the blade vanishes")
def test_a_surface_keeps_the_constraints_that_do_not_hold_on_all_of_it_whatever_their_units():
    def ball(unit):
        return vc.LagrangianSystem(
            "ball", ["x", "y", "z"], lambda q, v: v @ v / 2 - 9.81 * q[2],
            constraints={"radius": (lambda q: unit * (q @ q - 1), vc.DAlembert()), "blade": (lambda v: unit * v[1], vc.DAlembert())},
        )  # fmt: skip

    for unit in (1e-12, 1.0, 1e12):
        turned = ball(unit).restrict(
            lambda theta, phi: [sin(theta) * cos(phi), sin(theta) * sin(phi), -cos(theta)], ["theta", "phi"]
        )
        assert list(turned.constraints) == ["blade"]
    motion = vc.simulate(turned, 1.0, ([0.8, 0.0], [0.0, 0.0]), progress=False)
    plane = vc.LagrangianSystem("plane", ["theta"], lambda theta, theta_dot: theta_dot**2 / 2 + 9.81 * cos(theta))
    assert np.allclose(motion.q[:, 0], vc.simulate(plane, 1.0, ([0.8], [0.0]), progress=False).q[:, 0], atol=1e-11)
