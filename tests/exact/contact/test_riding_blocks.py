"""A block that rides on a sliding one of the same roughness needs all its friction, and stays. Oracle: both decelerate by μ g."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

ENGINES = [pytest.param("taylor", marks=needs_heyoka), "dop853"]
MU, G, FAST, SLOW, LOWER, UPPER = 0.3, 9.81, 1.6, 0.2, 2.0, 0.7
MEET = (FAST - SLOW) * LOWER / (2 * MU * G * (LOWER + UPPER))
TOGETHER = SLOW + MU * G * MEET
"""When the upper block has been dragged to the speed of the lower one, and that speed."""
REST = MEET + TOGETHER / (MU * G)


def stacked_blocks(roughness: float = MU) -> vc.System:
    """Two mass points, the upper one on the lower one, and that on a floor of friction μ; ``roughness``: that between them."""
    system = vc.System("stacked blocks", gravity=(0, 0, -G))
    lower, upper = system.add(vc.MassPoint("lower", LOWER)), system.add(vc.MassPoint("upper", UPPER))
    laws = lambda mu: {"impact": vc.Inelastic(), "friction": vc.Coulomb(mu), "point": lambda p, *_: p.position}
    system.add(vc.Unilateral("floor", [lower], gap=lambda p: p.position[2], **laws(MU)))
    gap = lambda above, below: above.position[2] - below.position[2]
    system.add(vc.Unilateral("joint", [upper, lower], gap=gap, **laws(roughness)))
    return system


def run(method: str, roughness: float = MU) -> vc.Motion:
    start = {"lower": vc.At((0, 0, 0), rate=(FAST, 0, 0)), "upper": vc.At((0, 0, 0), rate=(SLOW, 0, 0))}
    return vc.simulate(stacked_blocks(roughness), 0.5, start, method=method, progress=False, grid=101)


@pytest.mark.parametrize("method", ENGINES)
def test_a_block_rides_on_one_of_the_same_roughness(method):
    motion = run(method)
    x = motion.time
    expected = np.where(x < MEET, SLOW + MU * G * x, np.maximum(0.0, TOGETHER - MU * G * (x - MEET)))
    np.testing.assert_allclose(motion.body("upper").velocity[:, 0], expected, atol=1e-11)
    after = x >= MEET
    np.testing.assert_allclose(motion.body("lower").velocity[after, 0], expected[after], atol=1e-11)
    assert [phase.begin for phase in motion.record.phases] == pytest.approx([0.0, MEET, REST], abs=1e-11)
    assert motion.audit().verdict == "passed", str(motion.audit())


@pytest.mark.parametrize("method", ENGINES)
@pytest.mark.parametrize("less", [1e-6, 1e-9])
def test_a_block_that_is_a_little_smoother_slides(method, less):
    motion = run(method, MU * (1.0 - less))
    slips = motion.body("upper").velocity[:, 0] - motion.body("lower").velocity[:, 0]
    late = (motion.time > MEET + 0.1) & (motion.time < REST - 0.01)
    gain = less * MU * G * (1.0 + UPPER / LOWER)
    np.testing.assert_allclose(np.diff(slips[late]), gain * np.diff(motion.time[late]), rtol=1e-4)
