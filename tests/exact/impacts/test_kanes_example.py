"""Kane's double pendulum: Newton's restitution with Coulomb's friction creates energy, which the run says; Poisson's loses some."""

import numpy as np
import pytest

import vinculum as vc

FIRST, SECOND, RATES = np.radians(20.0), np.radians(30.0), np.array([-0.1, -0.3])
RESTITUTION, MU = 0.7, 0.5
"""Kane and Levinson, Dynamics: Theory and Applications (1985): two uniform rods, whose angles and rates are those to the vertical."""


def double_pendulum(law) -> vc.System:
    system = vc.System("double pendulum", gravity=(0, 0, -9.81))
    rods = [system.add(vc.RigidBody(name, mass=1.0, com=(0, 0, -0.5), inertia=(1 / 12, 1 / 12, 0.0)))
            for name in ("upper", "lower")]  # fmt: skip
    system.add(vc.Revolute("shoulder", "ground", rods[0], axis=(0, -1, 0)))
    system.add(vc.Revolute("elbow", *rods, axis=(0, -1, 0), at=(0, 0, -1)))
    tip, floor = (lambda rod: rod.point((0, 0, -1))), -np.cos(FIRST) - np.cos(SECOND)
    system.add(
        vc.Unilateral("floor", rods[1:], gap=lambda rod: tip(rod)[2] - floor, point=tip, friction=MU, impact=law)
    )
    return system


def energy_gained() -> float:
    """½ Δ(ωᵀ M ω) by Newton's law with a foot that sticks after the impact, or slides against its friction if the cone is left."""
    M = np.array([[4 / 3, 0.5 * np.cos(SECOND - FIRST)], [0.5 * np.cos(SECOND - FIRST), 1 / 3]])
    N, T = np.array([np.sin(FIRST), np.sin(SECOND)]), np.array([np.cos(FIRST), np.cos(SECOND)])
    H = np.array([N, T])
    W, before = H @ np.linalg.solve(M, H.T), H @ RATES
    P = np.linalg.solve(W, [-(1 + RESTITUTION) * before[0], -before[1]])
    if abs(P[1]) > MU * P[0]:
        ways = [np.array([1.0, -MU * side]) for side in (1.0, -1.0)]
        found = [way * -(1 + RESTITUTION) * before[0] / (W[0] @ way) for way in ways]
        P = next(P for P in found if P[0] > 0.0 and P[1] * (before + W @ P)[1] < 0.0)
    return float(P @ before + 0.5 * P @ W @ P)


def motion_with_impact(law) -> vc.Motion:
    start = {"shoulder": vc.At(FIRST, rate=RATES[0]), "elbow": vc.At(SECOND - FIRST, rate=RATES[1] - RATES[0])}
    return vc.simulate(double_pendulum(law), 0.01, start, method="dop853", progress=False)


def test_newtons_law_creates_energy_and_the_run_says_so():
    motion = motion_with_impact(vc.Newton(RESTITUTION))
    gained = energy_gained()
    before = motion.energy[0] - gained
    flying = vc.simulate(
        double_pendulum(vc.Newton(1.0)), 0.001, {"shoulder": FIRST + 0.1, "elbow": 0.0}, method="dop853"
    )
    assert gained > 0.05 and flying.log == ()
    rods = 0.5 * RATES @ [[4 / 3, 0.5 * np.cos(SECOND - FIRST)], [0.5 * np.cos(SECOND - FIRST), 1 / 3]] @ RATES
    heights = -9.81 * (1.5 * np.cos(FIRST) + 0.5 * np.cos(SECOND))
    assert before == pytest.approx(rods + heights, abs=1e-12)
    assert f"creates {gained:.3g} J" in motion.log[0] and "Kane" in motion.log[0]


def test_poissons_law_loses_energy_here():
    motion = motion_with_impact(vc.Poisson(RESTITUTION))
    assert motion.log == () and motion.audit().passed
