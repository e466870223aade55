"""Bodies that touch and move alike: accelerations between them cancel, and only their terms tell what round-off is."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

G, SIZE = 9.81, 0.1


def cradle(masses) -> vc.System:
    """Pendulums of length one in a row that touch where they hang, with inelastic impacts."""
    system, before = vc.System("cradle", gravity=(0, 0, -G)), None
    for k, mass in enumerate(masses):
        ball = system.add(vc.RigidBody(f"ball {k}", mass, inertia=(1e-3 * mass,) * 3, com=(0, 0, -1)))
        system.add(vc.Revolute(f"joint {k}", "ground", ball, axis=(0, -1, 0), at=(k * SIZE, 0, 0)))
        if before is not None:
            gap = lambda a, b: b.point((0, 0, -1))[0] - a.point((0, 0, -1))[0] - SIZE
            system.add(vc.Unilateral(f"gap {k}", [before, ball], gap=gap, impact=vc.Inelastic()))
        before = ball
    return system


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
@pytest.mark.parametrize("seed", range(6))
def test_pendulums_that_stay_together_swing_as_one(method, seed):
    """The first falls on the others, and all go on with the common speed of its momentum, up to the height of their energy."""
    rng = np.random.default_rng(seed)
    count, angle = int(rng.integers(2, 6)), float(rng.uniform(0.1, 0.3))
    masses = np.ones(count) if seed % 2 else rng.uniform(0.3, 2.0, count)
    start = {"joint 0": vc.At(-angle, rate=0.5)}
    motion = vc.simulate(cradle(masses), 0.5, start, method=method, progress=False)
    assert not motion.log
    np.testing.assert_allclose(motion.q[-1], motion.q[-1][0], atol=1e-12)
    per_mass = 1.0 + 1e-3  # moment of inertia about the axis, for a mass of one
    fall = np.sqrt(0.25 + 2.0 * G * (1.0 - np.cos(angle)) / per_mass)
    common = fall * masses[0] / masses.sum()
    height = 0.5 * per_mass * motion.v[-1][0] ** 2 + G * (1.0 - np.cos(motion.q[-1][0]))
    np.testing.assert_allclose(height, 0.5 * per_mass * common**2, rtol=1e-11)
    assert motion.audit().verdict == "passed", str(motion.audit())
