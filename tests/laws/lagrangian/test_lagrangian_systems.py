"""Laws of Lagrangian motions: energy, Gauss, the stationary action, and certificates that notice what is wrong."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from records import altered

cos, sin = vc.math.cos, vc.math.sin


def generic(realization, timed=False):
    """A nonlinear constraint on velocities, homogeneous in nothing."""
    return vc.LagrangianSystem(
        "generic",
        ["x", "y", "z"],
        lambda q, v: (2 + sin(q[0])) * v @ v / 2 + 0.3 * v[0] * v[1] * cos(q[2]) - 4 * q[1] - q[2] ** 2,
        constraints={
            "pace": (
                lambda q, v, t: v @ v + 0.5 * v[0] * q[1] + v[2] - 4 - (0.3 * sin(2 * t) if timed else 0.0),
                realization,
            )
        },
    )


START = ([0.1, -0.2, 0.3], [1.0, 1.5, 0.5])


def start(timed):
    v = np.array(START[1])
    F = v @ v + 0.5 * v[0] * START[0][1] + v[2] - 4
    v[2] = (-1 + np.sqrt(1 - 4 * (v[0] ** 2 + v[1] ** 2 + 0.5 * v[0] * START[0][1] - 4))) / 2
    assert F != 0
    return START[0], v


@pytest.mark.parametrize("timed", [False, True])
def test_the_energy_of_vakonomic_motions_is_kept_by_lagrangian_and_constraint_together(timed):
    motion = vc.simulate(generic(vc.Vakonomic(multipliers=0.25), timed), 1.5, start(timed), progress=False)
    assert np.ptp(motion.energy) > 0.5
    change = np.zeros(len(motion.time))
    if timed:  # d/dt(E[L] + E[M]) = −λ ∂F/∂t
        power = motion.bond("pace").multiplier * 0.6 * np.cos(2 * motion.time)
        steps = np.diff(motion.time)
        change[1:] = np.cumsum(steps * (power[1:] + power[:-1]) / 2)
    assert np.allclose(motion.total_energy - motion.total_energy[0], change, atol=1e-6 if timed else 1e-10)
    assert motion.audit().passed


def test_chetaev_takes_the_nearest_acceleration_in_the_kinetic_metric():
    q, v = start(False)
    held, free = generic(vc.Chetaev()), vc.LagrangianSystem("free", ["x", "y", "z"], generic(vc.Chetaev()).lagrangian)
    M = free.legendre.hessian(q, v)
    slope = 2 * v + [0.5 * q[1], 0, 1]
    along = np.linalg.svd(slope[None])[2][1:]
    difference = held.accelerations(q, v) - free.accelerations(q, v)
    assert np.linalg.norm(difference) > 0.1
    assert np.abs(along @ M @ difference).max() < 1e-12


def test_a_free_system_obeys_the_balance_of_energy_with_time_and_drag():
    system = vc.LagrangianSystem(
        "driven", ["x"], lambda x, x_dot, t: x_dot**2 / 2 - (1 + 0.5 * sin(t)) * x**2 / 2, lambda x_dot: [-0.2 * x_dot]
    )
    motion = vc.simulate(system, 6.0, ([1.0], [0.0]), progress=False)
    certificate = motion.audit()
    assert certificate.passed, certificate
    x, v, t = motion.q[:, 0], motion.v[:, 0], motion.time
    power = 0.25 * np.cos(t) * x**2 - 0.2 * v**2
    work = np.concatenate([[0], np.cumsum(np.diff(t) * (power[1:] + power[:-1]) / 2)])
    assert np.allclose(motion.energy - motion.energy[0], work, atol=2e-5)


def fixed_speed(realization):
    return vc.LagrangianSystem(
        "fixed speed", ["x", "y"], lambda q, v: v @ v / 2 - 9.81 * q[1],
        constraints={"speed": (lambda v: v @ v - 4.0, realization)},
    )  # fmt: skip


NODES, WEIGHTS = (np.polynomial.legendre.leggauss(40)[0] + 1) / 2, np.polynomial.legendre.leggauss(40)[1] / 2


def gradient_of_action(v):
    """Residual of the action of fixed speed on [0, 1] among curves that keep it and its ends, by NumPy alone.

    The derivatives of ∫L dt along a basis of variations must be those of Σ λ_j F(t_j) for some multipliers λ_j at Gauss's nodes.
    """
    bump, basis = NODES * (1 - NODES), [np.polynomial.Legendre.basis(k, domain=[0, 1]) for k in range(30)]
    places = np.array([bump * f(NODES) for f in basis])
    rates = np.array([(1 - 2 * NODES) * f(NODES) + bump * f.deriv()(NODES) for f in basis])
    slopes = np.stack([rates @ (WEIGHTS * v[:, i]) + places @ WEIGHTS * (0.0, -9.81)[i] for i in range(2)])
    rows = np.stack([rates * WEIGHTS * 2 * v[:, i] for i in range(2)])
    A, b = rows.reshape(-1, len(NODES)), slopes.ravel()
    return np.abs(b + A @ np.linalg.lstsq(A, -b, rcond=1e-13)[0]).max()


def test_the_action_is_stationary_on_vakonomic_motions_and_not_on_chetaevs():
    begin = ([0, 0], [2.0, 0])
    kinds = {"vakonomic": vc.Vakonomic(multipliers=0.0), "chetaev": vc.Chetaev()}
    found = {}
    for name, realization in kinds.items():
        motion = vc.simulate(fixed_speed(realization), 1.0, begin, grid=NODES, progress=False)
        found[name] = gradient_of_action(motion.v)
        assert motion.audit().lines[0].residual < 1e-10
    assert found["vakonomic"] < 1e-8 and found["chetaev"] > 1e-3, found


def test_the_printed_equation_of_a_vakonomic_fixed_speed_does_not_make_the_action_stationary():
    # Gołubowska (78) with its printed sign, (m + λ) q'' − λ' q' + ∇V = 0, turns the velocity at the constant rate −g/c
    turn = -9.81 / 2.0 * NODES
    assert gradient_of_action(2.0 * np.stack([np.cos(turn), np.sin(turn)], axis=1)) > 1e-2


def test_a_chetaev_motion_given_out_as_vakonomic_fails_the_test_of_the_action():
    begin = ([0, 0], [2.0, 0])
    chetaev = vc.simulate(fixed_speed(vc.Chetaev()), 1.0, begin, progress=False)
    vakonomic = vc.simulate(fixed_speed(vc.Vakonomic(multipliers=0.0)), 1.0, begin, progress=False)
    states = chetaev.record.pieces.coefficients
    multiplier = np.zeros((len(states), 1, states.shape[2]))
    posing = altered(
        vakonomic,
        pieces=replace(chetaev.record.pieces, coefficients=np.concatenate([np.asarray(states), multiplier], axis=1)),
    )
    line = posing.audit().lines[0]
    assert line.law == "stationary action"
    assert line.verdict == "broken" and line.residual > 1e-3


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_force_that_is_wrong_by_a_thousandth_breaks_the_certificate(method):
    def swing(g):
        return vc.LagrangianSystem("swing", ["theta"], lambda theta, theta_dot: theta_dot**2 / 2 + g * cos(theta))

    motion = vc.simulate(swing(9.81), 3.0, ([1.0], [0.0]), method=method, progress=False)
    assert motion.audit().passed
    other = vc.simulate(swing(9.81 * 1.001), 3.0, ([1.0], [0.0]), method=method, progress=False)
    wrong = altered(motion, model=other.record.model).audit()
    assert wrong.verdict == "failed"
    assert {line.law for line in wrong.lines if line.verdict == "broken"} == {"stationary action", "energy balance"}


def test_parameters_reach_lagrangian_constraints_and_starts():
    l = vc.parameter("l", 1.0)
    system = vc.LagrangianSystem(
        "pendulum", ["x", "y"], lambda q, v: v @ v / 2 - 9.81 * q[1],
        constraints={"length": (lambda q: q @ q - l**2, vc.DAlembert())},
    )  # fmt: skip
    motion = vc.simulate(system, 1.0, ([l, 0.0], [0.0, 0.0]), parameters={"l": 2.0}, progress=False)
    assert np.allclose(np.linalg.norm(motion.q, axis=1), 2.0, atol=1e-12)


def test_constraints_stay_kept_over_a_long_run():
    system = vc.LagrangianSystem(
        "spherical", ["x", "y", "z"], lambda q, v: v @ v / 2 - 9.81 * q[2],
        constraints={"length": (lambda q: q @ q - 1.0, vc.DAlembert())},
    )  # fmt: skip
    motion = vc.simulate(system, 200.0, ([1.0, 0, 0], [0, 1.0, 0.0]), progress=False)
    assert np.abs(motion.bond("length").residual).max() < 1e-10
    assert np.ptp(motion.energy) < 1e-10


def test_rows_that_follow_from_others_are_dropped_and_named():
    """As of systems of bodies: the second row says what the first does."""
    rows = {"ball": (lambda q: q @ q - 1, vc.DAlembert()), "twin": (lambda q: 2 * (q @ q) - 2, vc.DAlembert())}
    energy = lambda q, v: v @ v / 2 - 9.81 * q[2]
    chosen = {"ball": rows["ball"]}, rows
    one, both = (vc.LagrangianSystem("bead", ["x", "y", "z"], energy, constraints=some) for some in chosen)
    start = [1.0, 0, 0], [0, 0.5, 1.0]
    alone, motion = (vc.simulate(system, 0.5, start, progress=False) for system in (one, both))
    assert motion.log == ("constraints: redundant constraints: row 0 of 'twin'",)
    np.testing.assert_allclose(motion.q, alone.q, atol=1e-12)
    assert motion.audit().passed


def test_ideal_and_vakonomic_constraints_work_together():
    system = vc.LagrangianSystem(
        "skate on a ball",
        ["x", "y", "z"],
        lambda q, v: v @ v / 2 - 9.81 * q[2],
        constraints={
            "ball": (lambda q: q @ q - 1, vc.DAlembert()),
            "blade": (lambda q, v: v[0] * sin(q[2]) - v[1] * cos(q[2]), vc.Vakonomic(multipliers=0.3)),
        },
    )
    certificate = vc.simulate(system, 1.0, ([1.0, 0, 0], [0, 0, 1.0]), progress=False).audit()
    assert certificate.passed, certificate
    assert [line.law for line in certificate.lines] == [
        "stationary action", "energy balance", "constraint 'blade'", "constraint 'ball'", "rates", "work of reactions",
    ]  # fmt: skip


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_potential_that_switches_keeps_its_energy(method):
    system = vc.LagrangianSystem(
        "bouncing", ["x"], lambda x, x_dot: x_dot**2 / 2 - 9.81 * x - 500 * vc.math.minimum(x, 0.0) ** 2
    )
    motion = vc.simulate(system, 3.0, ([1.0], [0.0]), method=method, progress=False)
    assert motion["x"].min() < 0.0
    assert np.ptp(motion.energy) < 1e-9


def test_a_motion_can_be_asked_at_any_instant_of_its_span():
    system = vc.LagrangianSystem("spring", ["x"], lambda x, x_dot: x_dot**2 / 2 - x**2 / 2)
    motion = vc.simulate(system, 3.0, {"x": 1.0}, progress=False)
    assert np.allclose(motion.at([0.123, 2.5]).q[:, 0], np.cos([0.123, 2.5]), atol=1e-14)
    with pytest.raises(vc.errors.StartError, match="lie between 0 and 3"):
        motion.at(3.5)


@pytest.mark.parametrize("tolerance", [1e-12, 1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_coarse_run_is_never_called_broken(method, tolerance):
    system = vc.LagrangianSystem(
        "orbit", ["r", "phi"], lambda r, r_dot, phi_dot: r_dot**2 / 2 + r**2 * phi_dot**2 / 2 + 1 / r
    )
    motion = vc.simulate(system, 30.0, ([1.0, 0.0], [0.0, 1.2]), method=method, tolerance=tolerance, progress=False)
    assert motion.audit().verdict == ("passed" if tolerance <= 1e-9 else "undecided")


@pytest.mark.parametrize("theta", [0.0, np.pi, 1.0])
def test_a_motion_at_rest_is_certified(theta):
    """At the unstable rest of a pendulum, and where a hoop holds its bead, the rates are made of round-off alone."""
    g = 9.81
    W = np.sqrt(g / np.cos(1.0)) if theta == 1.0 else 0.0
    system = vc.LagrangianSystem(
        "bead", ["theta"], lambda theta, theta_dot: (theta_dot**2 + W**2 * sin(theta) ** 2) / 2 + g * cos(theta)
    )
    motion = vc.simulate(system, 5.0, ([theta], [0.0]), progress=False)
    assert motion.audit().passed
    assert np.abs(motion["theta"] - theta).max() < 1e-6
