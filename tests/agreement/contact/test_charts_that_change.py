"""A motion with impacts is the same in every chart of rotations, also where a run changes its chart before them."""

import numpy as np
import pytest

import vinculum as vc
from impacted import tumbling
from marks import needs_heyoka

TAYLOR = pytest.param("taylor", marks=[needs_heyoka, pytest.mark.slow])


@pytest.mark.parametrize("friction", [None, 0.3], ids=["smooth", "rough"])
@pytest.mark.parametrize("method", ["dop853", TAYLOR])
def test_a_body_that_bounces_after_a_change_of_chart_moves_as_with_quaternions(method, friction):
    charted = tumbling("zyx", method=method, friction=friction)
    start = {"free": vc.At(vc.Pose((0, 0, 0.6), charted.body("body").rotation[0]), rate=charted.v[0])}
    other = tumbling("quaternion", start, method=method, friction=friction)
    assert charted.record.changes and charted.record.changes[0].time < 0.2
    hits = [
        np.concatenate([motion.bond(name).impulses.times for name in ("left", "right")]) for motion in (charted, other)
    ]
    assert len(hits[0]) and hits[0] == pytest.approx(hits[1], abs=1e-11)
    assert charted.body("body").rotation == pytest.approx(other.body("body").rotation, abs=1e-10)
    assert charted.body("body").position == pytest.approx(other.body("body").position, abs=1e-10)


def test_a_motion_with_impacts_and_a_change_of_chart_is_certified():
    """The parts between impacts know the base that they begin with."""
    motion = tumbling("zyx")
    assert motion.audit().passed
    bases = [phase.values for phase in motion.record.phases]
    assert np.array_equal(bases[0], [1, 0, 0, 0]) and np.array_equal(bases[-1], motion.record.changes[-1].base)
