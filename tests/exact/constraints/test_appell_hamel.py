"""The cone of directions ẋ² + ẏ² = α² ż²: a horizontal force separates Chetaev from vakonomic, vertical gravity does not."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc

ALPHA, MASS, G = 0.8, 1.3, 9.81
CONE = np.diag([1.0, 1.0, -(ALPHA**2)])
START = np.array([0.48, 0.64, -1.0])
TIMES = np.linspace(0.0, 1.0, 21)
SIDEWAYS = np.array([2.0, -1.5, -MASS * G])
DOWN = np.array([0.0, 0.0, -MASS * G])


def chetaev(force):
    """m v̇ = Q + λ 2Cv with v·Cv̇ = 0, by NumPy and SciPy alone."""

    def rate(t, y):
        v = y[3:]
        n = 2.0 * CONE @ v
        return np.concatenate([v, (force - n * (n @ force) / (n @ n)) / MASS])

    return solve_ivp(rate, (0, 1), np.append(np.zeros(3), START), "DOP853", TIMES, rtol=1e-13, atol=1e-13).y[:3].T


def vakonomic(force, mu):
    """The momenta (m + 2μC) v grow as Q t, and v is on the cone: v̇ and μ̇ from four linear equations."""

    def rate(t, y):
        v, n = y[3:6], 2.0 * CONE @ y[3:6]
        K = np.block([[MASS * np.eye(3) + 2.0 * y[6] * CONE, n[:, None]], [n[None], np.zeros((1, 1))]])
        return np.concatenate([v, np.linalg.solve(K, np.append(force, 0.0))])

    begin = np.concatenate([np.zeros(3), START, [mu]])
    return solve_ivp(rate, (0, 1), begin, "DOP853", TIMES, rtol=1e-13, atol=1e-13).y[:3].T


def by_bodies(force, realization):
    system = vc.System("Appell–Hamel")
    point = system.add(vc.MassPoint("point", MASS))
    system.add(vc.Force("push", point, lambda body: vc.Wrench(force=force)))
    system.add(
        vc.Constraint("cone", [point], velocity=lambda p: p.velocity @ CONE @ p.velocity, realization=realization)
    )
    return vc.simulate(system, 1.0, {"point": vc.At((0, 0, 0), rate=START)}, grid=TIMES, progress=False)


def by_lagrangian(force, realization):
    system = vc.LagrangianSystem(
        "Appell–Hamel",
        ["x", "y", "z"],
        lambda q, v: MASS * (v @ v) / 2 + force @ q,
        constraints={"cone": (lambda v: v @ CONE @ v, realization)},
    )
    return vc.simulate(system, 1.0, (np.zeros(3), START), grid=TIMES, progress=False)


@pytest.mark.parametrize("run", [by_bodies, by_lagrangian])
@pytest.mark.parametrize("force", [SIDEWAYS, DOWN])
def test_both_realizations_of_the_cone_are_those_of_their_principles(run, force):
    motion = run(force, vc.Chetaev())
    np.testing.assert_allclose(motion.q[:, :3], chetaev(force), rtol=0, atol=1e-11)
    assert motion.audit().passed
    for mu in (0.0, 0.2):
        motion = run(force, vc.Vakonomic(multipliers=mu))
        np.testing.assert_allclose(motion.q[:, :3], vakonomic(force, mu), rtol=0, atol=1e-10)
        assert motion.audit().passed


@pytest.mark.parametrize("run", [by_bodies, by_lagrangian])
def test_a_horizontal_force_separates_them_and_gravity_does_not(run):
    ways = [vc.Chetaev(), vc.Vakonomic(multipliers=0.0), vc.Vakonomic(multipliers=0.2)]
    first, *others = (run(SIDEWAYS, way).q[-1, :3] for way in ways)
    assert min(np.abs(other - first).max() for other in others) > 1e-2
    first, *others = (run(DOWN, way).q[-1, :3] for way in ways)
    assert max(np.abs(other - first).max() for other in others) < 1e-11
