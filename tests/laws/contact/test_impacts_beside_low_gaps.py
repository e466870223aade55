"""A gap that flies a hundredth of a nanometer above its closing takes no part in an impact beside it, and the certificate knows that."""

import numpy as np
import pytest

import vinculum as vc


def rod(low: float | None) -> vc.System:
    """A rod that turns about its left end, which is on the floor, until its right end hits; ``low``: the gap that is then left at a third
    point, whose law is sequential."""
    system = vc.System("rod", gravity=(0, -9.81, 0))
    body = system.add(vc.RigidBody("rod", 1.0, com=(0.15, 0, 0), inertia=(0.001, 0.02, 0.02)))
    system.add(vc.Planar("plane", "ground", body))
    system.add(vc.Unilateral("left", [body], gap=lambda b: b.point((0, 0, 0))[1], impact=vc.Newton(0.0)))
    system.add(vc.Unilateral("right", [body], gap=lambda b: b.point((0.4, 0, 0))[1], impact=vc.Newton(0.5)))
    if low is not None:
        law = vc.Newton(0.3, treatment="sequential")
        system.add(vc.Unilateral("low", [body], gap=lambda b: b.point((0.1, 0, 0))[1] + low, impact=law))
    return system


@pytest.mark.parametrize("method", ["taylor", "dop853"])
def test_a_low_gap_with_a_sequential_law_leaves_the_impact_simultaneous(method):
    start = {"plane": vc.At((0.0, 0.0, 0.2), rate=(0.0, 0.0, -0.5))}
    alone, beside = (vc.simulate(rod(low), 0.3, start, method=method, grid=31, progress=False) for low in (None, 1e-11))
    assert np.abs(alone.q - beside.q).max() < 1e-9
    hits = [motion.bond("right").impulses for motion in (alone, beside)]
    assert hits[0].normal[0] == pytest.approx(hits[1].normal[0], rel=1e-9) and hits[0].normal[0] > 0.0
    assert alone.bond("left").impulses.normal[0] > 0.0
    for motion in (alone, beside):
        assert motion.audit().passed, motion.audit()
