"""What views of a motion do not have, they refuse with a reason that fits."""

import pytest

import vinculum as vc
from free_bodies import free_bodies

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def fallen():
    system = free_bodies([vc.shapes.Sphere(0.05)] * 2, walls=[FLOOR])
    return vc.simulate(system, 0.01, {"b0": (0, 0, 0.05), "b1": (1, 0, 0.05)}, method="moreau", step=1e-3)


def test_a_joint_of_a_motion_without_impacts_is_there_and_has_no_impulses():
    system = vc.System("swing", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.Revolute("hinge", "ground", "bob", axis=(0, 1, 0), to=(0, 0, 1.0)))
    motion = vc.simulate(system, 0.1, {"hinge": 1.0})
    for ask in (motion.joint("hinge"), motion.bond("hinge")):
        with pytest.raises(
            vc.errors.StartError, match="'hinge' of system 'swing': this motion has no impulses in joints"
        ):
            _ = ask.impulses


def test_a_contact_of_free_bodies_has_no_gap():
    motion = fallen()
    name = next(iter(motion.record.model.layout.contacts))
    for what in ("gap", "slip"):
        with pytest.raises(vc.errors.StartError, match=f"'{name}' .* is not a unilateral constraint and has no gap"):
            getattr(motion.bond(name), what)


def test_joints_of_free_bodies_have_no_impulses():
    with pytest.raises(vc.errors.StartError, match=r"'b0' .* this motion has no impulses in joints"):
        _ = fallen().joint("b0").impulses
