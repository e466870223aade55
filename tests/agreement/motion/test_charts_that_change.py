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


@pytest.mark.parametrize("speed", [5.5, 6.0], ids=["several changes", "a contact that lasts"])
def test_a_motion_with_changes_of_chart_between_its_impacts_is_certified(speed):
    """Balances know how many changes came before each step of a phase, and a contact that lasts begins in the chart of its instant."""
    start = {"free": vc.At((0, 0, 0.45, 0.1, 1.4, 0.3), rate=(0.3, 0, 0, 0.3, speed, 0.3))}
    charted = tumbling("zyx", start)
    same = {"free": vc.At(vc.Pose((0, 0, 0.45), charted.body("body").rotation[0]), rate=charted.v[0])}
    other = tumbling("quaternion", same)
    assert len(charted.record.changes) == 2
    assert charted.body("body").rotation == pytest.approx(other.body("body").rotation, abs=1e-9)
    assert charted.audit().passed


def test_an_impact_at_the_instant_of_a_change_of_chart_is_certified():
    system = vc.System("stone", gravity=(0, 0, -9.81))
    stone = system.add(vc.RigidBody("stone", 1.0, com=(0.1, 0, -0.2), inertia=(0.1, 0.2, 0.3)))
    system.add(vc.Spherical("ball", "ground", stone, chart="zyx"))
    near_the_singularity = np.sin(1.472)
    gap = lambda b: b.point((1, 0, 0))[2] + near_the_singularity
    system.add(vc.Unilateral("floor", [stone], gap=gap, impact=vc.Newton(0.8)))
    start = {"ball": vc.At((0, 0.5, 0), rate=(0.2, 4.0, 0.1))}
    motion = vc.simulate(system, 0.5, start, method="dop853", grid=11, progress=False)
    assert motion.record.changes[0].time == motion.record.atoms.times[0]
    assert motion.audit().passed and vc.geometry.audit_action(motion).passed
