"""`linearize`, `adiabaticity` and `ensemble` of Lagrangian systems, next to bodies, closed forms, and single runs."""

import numpy as np
import pytest

import vinculum as vc
from hamiltonians import double_pendulum_bodies
from vinculum import math as m

BLADE = lambda theta, x_dot, y_dot: m.sin(theta) * x_dot - m.cos(theta) * y_dot


def double_pendulum() -> vc.LagrangianSystem:
    """That of `double_pendulum_bodies`: rods 1 and 0.8, masses 1 and m."""
    mass = vc.parameter("m", 0.7)

    def lagrangian(alpha, beta, alpha_dot, beta_dot):
        gamma = alpha + beta
        vx = alpha_dot * m.cos(alpha) + 0.8 * (alpha_dot + beta_dot) * m.cos(gamma)
        vy = alpha_dot * m.sin(alpha) + 0.8 * (alpha_dot + beta_dot) * m.sin(gamma)
        height = -m.cos(alpha) - 0.8 * m.cos(gamma)
        return (alpha_dot**2 + mass * (vx**2 + vy**2)) / 2 + 9.81 * (m.cos(alpha) - mass * height)

    return vc.LagrangianSystem("double pendulum", ["alpha", "beta"], lagrangian)


@pytest.mark.parametrize("parameters", [None, {"m": 1.9}])
def test_linear_equations_are_those_of_bodies(parameters):
    at = {"alpha": 0.0, "beta": np.pi}
    ours = vc.linearize(double_pendulum(), at, inputs=["alpha", "m"], parameters=parameters)
    bodies = vc.linearize(double_pendulum_bodies(), at, inputs=["alpha", "m"], parameters=parameters)
    assert ours.states == bodies.states
    np.testing.assert_allclose(ours.A, bodies.A, rtol=0, atol=1e-10)
    np.testing.assert_allclose(ours.B, bodies.B, rtol=0, atol=1e-10)
    for one, other in zip(ours.second_order, bodies.second_order, strict=True):
        assert one == pytest.approx(other, abs=1e-10)


def test_settling_finds_the_equilibrium_nearby():
    linear = vc.linearize(double_pendulum(), {"alpha": 0.2, "beta": -0.3}, settle=True)
    assert linear.about.q == pytest.approx([0, 0], abs=1e-10)
    with pytest.raises(
        vc.errors.StartError,
        match=r"nor a steady motion: velocities change at the rates 'beta_dot' by 9\.43",
    ):
        vc.linearize(double_pendulum(), {"alpha": 0.2, "beta": -0.3})


def spherical_pendulum(height=9.81) -> vc.LagrangianSystem:
    return vc.LagrangianSystem(
        "pendulum", ["x", "y", "z"], lambda v, z: v @ v / 2 - height * z,
        constraints={"rod": (lambda q: q @ q - 4.0, vc.DAlembert())},
    )  # fmt: skip


def test_a_constraint_leaves_independent_coordinates():
    """A pendulum of length 2 about its lowest place: twice ω = √(g/l)."""
    linear = vc.linearize(spherical_pendulum(), {"z": -2.0}, coordinates=["y"])
    assert linear.states.coordinates == ("y", "x") and linear.states.speeds == ("y", "x")
    assert np.abs(linear.eigenvalues) == pytest.approx(np.full(4, np.sqrt(9.81 / 2)), rel=1e-12)
    assert linear.eigenvalues.real == pytest.approx(np.zeros(4), abs=1e-12)
    np.testing.assert_allclose(linear.second_order.K, np.eye(2) * 9.81 / 2, rtol=0, atol=1e-11)
    above = vc.linearize(spherical_pendulum(), {"z": 2.0})
    assert above.growth == pytest.approx(np.sqrt(9.81 / 2), rel=1e-12)


def test_a_steady_precession_has_its_known_frequency():
    """A conical pendulum at the angle θ: perturbations of θ oscillate with Ω² (1 + 3 cos² θ)."""
    theta = 0.8
    Omega = np.sqrt(9.81 / np.cos(theta))
    system = vc.LagrangianSystem(
        "conical", ["theta", "phi"],
        lambda theta, theta_dot, phi_dot: (theta_dot**2 + m.sin(theta) ** 2 * phi_dot**2) / 2 + 9.81 * m.cos(theta),
    )  # fmt: skip
    linear = vc.linearize(system, {"theta": theta, "phi": vc.At(0.3, rate=Omega)})
    assert linear.about.moves
    found = np.sort(np.abs(linear.eigenvalues.imag))[-1]
    assert found == pytest.approx(Omega * np.sqrt(1 + 3 * np.cos(theta) ** 2), rel=1e-10)
    bent = vc.LagrangianSystem("bent", ["theta", "phi"], lambda v, phi: v @ v / 2 - 1e-3 * phi**2)
    with pytest.raises(vc.errors.StartError, match="the motion is not steady"):
        vc.linearize(bent, {"phi": vc.At(0.0, rate=1.0)})


def test_a_sleigh_has_fewer_speeds_than_coordinates_and_runs_straight_one_way():
    """Chaplygin's sleigh, mass center ahead of the blade by a: (1 + a²) ω̇ = −a u ω about u > 0."""
    a = 0.3

    def lagrangian(theta, x_dot, y_dot, theta_dot):
        vx, vy = x_dot - a * m.sin(theta) * theta_dot, y_dot + a * m.cos(theta) * theta_dot
        return (vx**2 + vy**2 + theta_dot**2) / 2

    for u in (1.5, -1.5):
        sleigh = vc.LagrangianSystem(
            "sleigh", ["x", "y", "theta"], lagrangian, constraints={"blade": (BLADE, vc.DAlembert())}
        )
        linear = vc.linearize(sleigh, {"x": vc.At(0.0, rate=u)})
        assert len(linear.states.coordinates) == 3 and len(linear.states.speeds) == 2
        rates = linear.eigenvalues.real
        assert rates[np.argmax(np.abs(rates))] == pytest.approx(-a * u / (1 + a * a), rel=1e-9)


def test_vakonomic_multipliers_are_states():
    system = vc.LagrangianSystem(
        "skate",
        ["x", "y", "theta"],
        lambda v, theta: v @ v / 2 - theta**2,
        constraints={"blade": (BLADE, vc.Vakonomic(multipliers=0.0))},
    )
    linear = vc.linearize(system, {"x": vc.At(0.0, rate=0.0)})
    assert linear.states.multipliers == ("lambda_blade",) and linear.inverse_mass is None
    assert np.sort(np.abs(linear.eigenvalues.imag))[-2:] == pytest.approx([np.sqrt(2), np.sqrt(2)], rel=1e-10)


def test_a_beam_of_second_order_has_the_roots_of_its_equation():
    """x'''' + x'' + 0.3 x = 0."""
    beam = vc.LagrangianSystem("beam", ["x"], lambda x, x_dot, x_ddot: x_ddot**2 / 2 - x_dot**2 / 2 + 0.15 * x**2)
    linear = vc.linearize(beam, {"x": 0.0}, inputs=["x"])
    assert linear.states.names == ("x", "x_dot", "pi0_x", "rate of x_dot")
    found, known = np.sort_complex(linear.eigenvalues), np.sort_complex(np.roots([1, 0, 1, 0, 0.3]))
    assert np.sort(found.imag) == pytest.approx(np.sort(known.imag), rel=1e-10)
    gain = -np.linalg.solve(linear.A, linear.B)[0, 0]
    assert gain == pytest.approx(
        -1 / 0.3, rel=1e-12
    )  # a static force f: 0.3 x = −f in δL = x'''' + x'' + 0.3 x = D sign


def test_perturbations_follow_the_linear_equations():
    """A run from a small perturbation, next to exp(A t)."""
    from scipy.linalg import expm

    system = spherical_pendulum()
    linear, small = vc.linearize(system, {"z": -2.0}, coordinates=["x", "y"]), 1e-6
    motion = vc.simulate(system, 1.0, ([small, 0, -np.sqrt(4 - small**2)], [0, small, 0]), grid=[0.0, 1.0])
    end = expm(linear.A) @ [small, 0, 0, small]
    assert np.concatenate([motion.q[-1, :2], motion.v[-1, :2]]) == pytest.approx(end, abs=1e-12)


ROWS = {
    "linear": (lambda x, x_dot, z_dot, y: x_dot - y * z_dot, "direction", 1.0),
    "cone": (lambda v: v[0] ** 2 + v[1] ** 2 - 0.49 * v[2] ** 2, "direction", 2.0),
    "speed": (lambda v: v @ v - 4.0, "magnitude", None),
    "drift": (lambda x_dot: x_dot - 1.0, "drift", None),
}


@pytest.mark.parametrize("name", ROWS)
def test_reactions_that_can_work_are_told_from_their_rows_and_found_on_motions(name):
    row, kind, degree = ROWS[name]
    system = vc.LagrangianSystem(
        "point", ["x", "y", "z"], lambda v, x, z: v @ v / 2 + 0.3 * x - z, constraints={"held": (row, vc.Chetaev())}
    )
    start = {"x": vc.At(0.2, rate=1.0), "y": vc.At(0.1, rate=0.9), "z": vc.At(0.3, rate=1.2)}
    found = vc.constraints.adiabaticity(system, "held", start=start)
    assert (found.rows[0].kind, found.rows[0].degree, found.adiabatic) == (kind, degree, kind == "direction")
    motion = vc.simulate(system, 0.2, start, repair=True)
    works = np.abs(motion.bond("held").power).max() > 1e-6
    assert works == (not found.adiabatic)
    body = vc.System("point", gravity=(0.3, 0, -1.0))
    p = body.add(vc.MassPoint("p", 1.0))
    if name == "cone":
        body.add(vc.Constraint("held", [p], velocity=lambda b: row(b.velocity), realization=vc.Chetaev()))
        assert str(vc.constraints.adiabaticity(body)).splitlines()[1:] == str(found).splitlines()[1:]


def test_a_clock_on_positions_and_vakonomic_rows_works():
    def system(row, realization):
        return vc.LagrangianSystem("point", ["x", "y"], lambda v: v @ v / 2, constraints={"held": (row, realization)})

    moved = vc.constraints.adiabaticity(system(lambda q, t: q @ q - (1 + t) ** 2, vc.DAlembert()), start={"x": 1.0})
    still = vc.constraints.adiabaticity(system(lambda q: q @ q - 1.0, vc.DAlembert()), start={"x": 1.0})
    assert not moved.adiabatic and still.adiabatic
    row = lambda x_dot, y_dot, t: x_dot - m.sin(t) * y_dot
    ideal, vakonomic = (
        vc.constraints.adiabaticity(system(row, one)) for one in (vc.Chetaev(), vc.Vakonomic(multipliers=0.2))
    )
    assert ideal.adiabatic and not vakonomic.adiabatic
    with pytest.raises(vc.errors.StartError, match=r"no constraint 'heldd'.*held"):
        vc.constraints.adiabaticity(system(row, vc.Chetaev()), "heldd")
    with pytest.raises(vc.errors.StartError, match="has no constraint"):
        vc.constraints.adiabaticity(double_pendulum())


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_runs_of_an_ensemble_are_those_of_single_runs(method):
    system, alpha, masses = double_pendulum(), np.linspace(0.1, 1.0, 9), np.linspace(0.5, 1.5, 9)
    how = {"step": 0.001} if method == "rk4" else {"tolerance": 1e-11}
    runs = vc.ensemble(
        system,
        1.0,
        {"alpha": alpha, "beta": vc.At(0.2, rate=-0.1)},
        parameters={"m": masses},
        grid=3,
        method=method,
        **how,
    )
    assert runs.q.shape == (9, 3, 2) and not runs.failed.any()
    for k in (0, 8):
        motion = vc.simulate(system, 1.0, ([alpha[k], 0.2], [0, -0.1]), parameters={"m": masses[k]}, grid=3)
        assert runs.q[k] == pytest.approx(motion.q, abs=1e-9)
        assert runs.v[k] == pytest.approx(motion.v, abs=1e-8)


@pytest.mark.parametrize("realization", [vc.DAlembert(), vc.Vakonomic(multipliers=0.4)])
def test_ensembles_keep_constraints(realization):
    system = vc.LagrangianSystem(
        "skate", ["x", "y", "theta"], lambda v, x: v @ v / 2 + x, constraints={"blade": (BLADE, realization)}
    )
    spins = np.linspace(0.5, 1.5, 5)
    runs = vc.ensemble(system, 2.0, {"x": vc.At(0.0, rate=1.0), "theta": vc.At(0.0, rate=spins)}, tolerance=1e-11)
    slip = np.sin(runs.q[:, :, 2]) * runs.v[:, :, 0] - np.cos(runs.q[:, :, 2]) * runs.v[:, :, 1]
    assert np.abs(slip).max() < 1e-9
    motion = vc.simulate(system, 2.0, {"x": vc.At(0.0, rate=1.0), "theta": vc.At(0.0, rate=spins[3])})
    assert runs.q[3, -1] == pytest.approx(motion.q[-1], abs=1e-8)


def test_ensembles_of_lagrangians_refuse_what_they_cannot_do():
    system = spherical_pendulum()
    with pytest.raises(vc.errors.MethodError, match=r"method 'verlet' is for systems of bodies.*use dop853 or rk4"):
        vc.ensemble(system, 1.0, {"z": -2.0}, method="verlet", step=0.1)
    with pytest.raises(vc.errors.StartError, match=r"run 1: the start of 'pendulum' breaks the constraint 'rod'"):
        vc.ensemble(system, 1.0, {"z": [-2.0, -1.9]})
    with pytest.raises(vc.errors.StartError, match="no coordinate 'w'"):
        vc.ensemble(system, 1.0, {"w": 1.0})
    with pytest.raises(vc.errors.StartError, match="differ in length"):
        vc.ensemble(double_pendulum(), 1.0, {"alpha": [0.1, 0.2]}, parameters={"m": [1.0, 2.0, 3.0]})
    repaired = vc.ensemble(system, 0.1, ([[0, 0, -1.9], [0, 0.1, -2.0]], [[0.1, 0, 0.0]] * 2), repair=True)
    assert np.linalg.norm(repaired.q, axis=2) == pytest.approx(np.full((2, 2), 2.0), abs=1e-9)
