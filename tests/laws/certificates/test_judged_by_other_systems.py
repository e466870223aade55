"""Motions that are judged by another system stay where they are, and the certificate sees what does not hold there."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from mechanisms import four_bar


def pendulum(length) -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    bob = system.add(vc.MassPoint("bob", 1.0))
    system.add(
        vc.Constraint("rod", [bob], position=lambda b: vc.math.norm(b.position) - length, realization=vc.DAlembert())
    )
    return system


def bead(height: float) -> vc.System:
    """A bead that rests on a floor and slides there."""
    system = vc.System("bead", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("bead", 1.0))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2] - height, impact=vc.Inelastic()))
    return system


@pytest.fixture(scope="module")
def swings():
    return vc.simulate(pendulum(vc.parameter("l", 1.0)), 1.0, {"bob": (1.0, 0, 0)}, progress=False)


@pytest.fixture(scope="module")
def turns():
    return vc.simulate(four_bar(), 1.0, {"A": vc.At(1.0, rate=2.0)}, progress=False)


@pytest.mark.parametrize(
    "change", [{"system": pendulum(1.001)}, {"parameters": {"l": 1.001}}], ids=["system", "parameter"]
)
def test_a_longer_rod_does_not_move_the_bob_and_its_constraint_is_broken(swings, change):
    other = swings.replace(**change)
    np.testing.assert_array_equal(other.q, swings.q)
    lines = {line.law: line for line in other.audit().lines}
    assert lines["constraints"].residual == pytest.approx(1e-3, rel=1e-6)
    assert lines["constraints"].verdict == "broken"


def test_a_loop_of_another_coupler_is_open(turns):
    other = turns.replace(system=four_bar(coupler=2.501))
    np.testing.assert_array_equal(other.q, turns.q)
    assert "closed loops" in broken(other.audit())


def test_the_same_system_again_passes(swings, turns):
    assert turns.replace(system=four_bar()).audit().passed
    assert swings.replace(system=pendulum(1.0)).audit().passed


def test_a_bead_does_not_follow_another_floor():
    motion = vc.simulate(bead(0.0), 0.5, {"bead": vc.At((0, 0, 0), rate=(1, 0, 0))}, progress=False)
    assert motion.replace(system=bead(0.0)).audit().passed
    raised = motion.replace(system=bead(1e-3))
    np.testing.assert_array_equal(raised.q, motion.q)
    assert {"constraints", "gaps g ≥ 0"} <= broken(raised.audit())


def test_a_motion_judged_by_another_system_is_not_stored(swings, tmp_path):
    with pytest.raises(
        vc.errors.StartError, match=r"'pendulum' is judged by another system.*save the motion it was made of"
    ):
        swings.replace(system=pendulum(1.001)).save(tmp_path / "run.zarr")
