"""Motions of Lagrangian systems that were computed elsewhere."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc


def pendulum() -> vc.LagrangianSystem:
    return vc.LagrangianSystem("pendulum", ["phi"], lambda phi, phi_dot: phi_dot**2 / 2 + 9.81 * vc.math.cos(phi))


def by_scipy(gravity=9.81):
    time = np.linspace(0, 2, 401)
    run = solve_ivp(
        lambda t, y: [y[1], -gravity * np.sin(y[0])], (0, 2), [1.0, 0.3], "DOP853", time, rtol=1e-12, atol=1e-13
    )
    return time, run.y[:1].T, run.y[1:].T


def test_a_motion_of_another_program_is_certified():
    motion = vc.given_motion(pendulum(), *by_scipy())
    certificate = motion.audit()
    assert certificate.passed, certificate
    own = vc.simulate(pendulum(), 2.0, ([1.0], [0.3]), progress=False, grid=401)
    np.testing.assert_allclose(motion.energy, own.energy, rtol=1e-10)


def test_a_motion_under_other_gravity_fails():
    assert not vc.given_motion(pendulum(), *by_scipy(9.83)).audit().passed


@pytest.mark.parametrize("change, told", [
    (lambda t, q, v: (t, q[:-1], v), "q must have shape"), (lambda t, q, v: (t[::-1], q, v), "increasing numbers"),
])  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(change, told):
    with pytest.raises(vc.errors.StartError, match=f"a motion of 'pendulum': .*{told}"):
        vc.given_motion(pendulum(), *change(*by_scipy()))


def test_multipliers_that_are_part_of_the_state_must_be_given():
    constraints = {"c": (lambda v: v[0] - v[1], vc.Vakonomic(multipliers=0.0))}
    system = vc.LagrangianSystem("two", ["x", "y"], lambda q, v: v @ v / 2, constraints=constraints)
    time = np.linspace(0, 1, 11)
    line = np.stack([time, time], axis=1)
    with pytest.raises(vc.errors.StartError, match="1 multipliers are part of the state"):
        vc.given_motion(system, time, line, np.ones((11, 2)))
    motion = vc.given_motion(system, time, line, np.ones((11, 2)), multipliers=np.zeros((11, 1)))
    assert motion.audit().passed
