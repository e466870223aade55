"""A block that rocks from edge to edge until it stands: infinitely many hits in finite time, each by the law of its energy."""

import numpy as np
import pytest

import vinculum as vc
from marks import TAYLOR

HALF_WIDTH, HALF_HEIGHT, TILT, G = 0.3, 0.5, 0.1, 9.81


def rocking(friction):
    """Started on its right edge, turned by ``TILT``."""
    system = vc.System("rocking block", gravity=(0, -G, 0))
    inertia = (HALF_WIDTH**2 + HALF_HEIGHT**2) * 2.0 / 3.0
    block = system.add(vc.RigidBody("block", mass=2.0, inertia=(inertia,) * 3))
    system.add(vc.Planar("plane", "ground", block))
    for name, x in (("left", -HALF_WIDTH), ("right", HALF_WIDTH)):
        edge = lambda b, x=x: b.point((x, -HALF_HEIGHT, 0))
        system.add(
            vc.Unilateral(
                name, [block], gap=lambda b, edge=edge: edge(b)[1], point=edge, impact=vc.Inelastic(), friction=friction
            )
        )
    c, s = np.cos(TILT), np.sin(TILT)
    x, y = c * HALF_WIDTH - s * HALF_HEIGHT, s * HALF_WIDTH + c * HALF_HEIGHT
    return system, {"plane": (HALF_WIDTH - x, y, -TILT)}


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
def test_a_block_rocks_until_it_stands_on_both_edges(method):
    """Housner, Bull. Seismol. Soc. Am. 53 (1963) 403: each hit leaves ω (1 − 3/2 sin² α), with tan α = width/height."""
    system, start = rocking(vc.Coulomb(2.0))
    motion = vc.simulate(system, 1.2, start, method=method, progress=False)
    kept = 1.0 - 1.5 * np.sin(np.arctan(HALF_WIDTH / HALF_HEIGHT)) ** 2
    hits = np.unique(motion.record.atoms.times)
    for t in hits[:12]:
        before, after = (motion.record.pieces.state([t], side=side)[0, 5] for side in ("left", "right"))
        assert after / before == pytest.approx(kept, abs=1e-6)
    gaps = np.diff(hits)
    assert len(hits) > 20 and gaps[-2] < 1e-5 and hits[-1] < 0.72
    assert dict(motion.record.phases[-1].closed) == {"left": "sticks", "right": "sticks"}
    np.testing.assert_allclose(motion.q[-1], [0.0, HALF_HEIGHT, 0.0], atol=1e-10)
    assert np.abs(motion.v[-1]).max() < 1e-12
    assert motion.audit().passed, str(motion.audit())


def test_a_rod_on_two_feet_next_to_each_other_goes_on_tipping():
    """What parts as slowly as hidden hits do is not caught where that would take more than such hits can do."""
    half, turn, ends = 5e-5, 0.01, {}
    for feet in ((-half, half), (-half,)):
        system = vc.System("rod", gravity=(0, -9.81, 0))
        rod = system.add(vc.RigidBody("rod", 1.0, inertia=(0.1,) * 3))
        system.add(vc.Planar("plane", "ground", rod))
        for x in feet:
            gap = lambda b, x=x: b.point((x, -1.0, 0))[1]
            system.add(vc.Unilateral(f"foot at {x}", [rod], gap=gap, impact=vc.Newton(0.5)))
        start = {"plane": vc.At((0, 1.0, 0), rate=(0, half * turn, turn))}
        motion = vc.simulate(system, 0.3, start, method="dop853", progress=False)
        assert motion.audit().passed
        ends[len(feet)] = motion.q[-1]
    np.testing.assert_allclose(ends[2], ends[1], atol=1e-5)
