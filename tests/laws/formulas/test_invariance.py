"""Every joint is invariant, random actions are what they were made to be, and the verdict does not depend on names or order."""

import numpy as np
import pytest

import vinculum as vc
from actions import KINDS as KINDS_OF_ACTIONS
from actions import add_random_actions
from trees import KINDS, random_system

VERDICTS = {"springs": "invariant", "attitudes": "invariant", "three bodies": "invariant", "pairs": "invariant",
            "field": "not invariant", "clock": "not invariant", "damper": "not invariant", "drag": "external"}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_joints_of_every_kind_see_relative_poses_alone(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    report = vc.audit_invariance(random_system(rng, 3, kinds=(kind,)))
    joints = [line for line in report if line.kind.endswith("joint")]
    assert len(joints) == 3
    for line in joints:
        assert (line.verdict, line.exact) == ("invariant", "yes")
        assert max(line.change, line.residual) < 1e-11


@pytest.mark.parametrize("seed", range(6))
def test_random_actions_are_told_apart(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 3, kinds=("free",), forces=False)
    system.add(vc.RigidBody("one", 1.0, (0.1, 0.0, 0.2), (0.3, 0.4, 0.5)))
    system.add(vc.RigidBody("two", 2.0, (0.0, 0.2, 0.1), (0.5, 0.4, 0.3)))
    for kind in KINDS_OF_ACTIONS:
        add_random_actions(system, rng, 1, (kind,))
    report = vc.audit_invariance(system)
    for line in report:
        kind = line.bond.rpartition(" ")[0]
        if kind in VERDICTS:
            assert line.verdict == VERDICTS[kind], line
            assert (line.residual < 1e-12) == (kind not in ("field", "drag"))
    assert report["clock 0"].broken == ("time",)
    assert report["damper 0"].broken == ("a superposed velocity of the whole system",)


@pytest.mark.parametrize("seed", range(4))
def test_a_field_that_follows_one_direction_is_broken_along_that_direction(seed):
    rng = np.random.default_rng(seed)
    e = rng.normal(size=3)
    e /= np.linalg.norm(e)
    system = vc.System("field")
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Potential("U", [p], lambda p: vc.math.exp(0.3 * (p.position @ e))))
    line = vc.audit_invariance(system)["U"]
    assert len(line.broken) == 2
    assert line.broken[0].startswith("translation along (")
    named = np.array([float(x) for x in line.broken[0].partition("(")[2].rstrip(")").split(",")])
    assert np.abs(np.cross(named, e)).max() < 1e-3
    axis = np.array([float(x) for x in line.kept[0].partition(")")[0].strip("(").split(",")])
    assert np.abs(np.cross(axis, e)).max() < 1e-3
