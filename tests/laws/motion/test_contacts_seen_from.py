"""Contacts between shapes and loaded runs seen from another inertial frame: a base carries the walls, and all that hangs on the ground."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from kinds import BOOST, COLLIDING, TURNED, colliding_points, every_kind, hanging_tree

FRAMES = pytest.mark.parametrize("frame", [BOOST, TURNED], ids=["boost", "turned"])


@pytest.fixture(scope="module", params=COLLIDING)
def motion(request):
    return COLLIDING[request.param]()


@FRAMES
def test_a_certificate_with_contacts_is_the_same_in_every_inertial_frame(motion, frame):
    own, moved = motion.audit(), motion.at(frame=frame).audit()
    assert own.passed
    assert moved.passed
    added = {line.law for line in moved.lines} - {line.law for line in own.lines}
    assert added == {"momentum in the frame", "kinetic energy in the frame"}


@FRAMES
def test_kinetic_energy_gains_p_u_and_half_m_u_squared(motion, frame):
    moved, u = motion.at(frame=frame), frame.velocity
    kinetic, mass = (motion.record._balance[name] for name in ("kinetic", "mass"))
    p = motion.body().momentum[:, :3] @ frame.rotation.T
    expected = kinetic[:, 0] + p @ u + 0.5 * mass.sum(axis=1) * (u @ u)
    assert moved.record._balance["kinetic"][:, 0] == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert moved.energy - motion.energy == pytest.approx(expected - kinetic[:, 0], abs=1e-10)


def test_places_velocities_and_momenta_are_those_of_the_frame(motion):
    moved, R, u, a = motion.at(frame=TURNED), TURNED.rotation, TURNED.velocity, TURNED.place
    assert moved.time == pytest.approx(motion.time + TURNED.later)
    for name in motion.record.model.layout.bodies:
        own, there, point = motion.body(name), moved.body(name), (0.1, -0.2, 0.3)
        places = lambda x: x @ R.T + motion.time[:, None] * u + a
        assert there.position == pytest.approx(places(own.position), abs=1e-12)
        assert there.point(point).position == pytest.approx(places(own.point(point).position), abs=1e-12)
        assert there.point(point).velocity == pytest.approx(own.point(point).velocity @ R.T + u, abs=1e-12)
        assert there.affine.deformation == pytest.approx(R @ own.affine.deformation, abs=1e-12)
        p = own.momentum[:, :3] @ R.T + own.mass[:, None] * u
        assert there.momentum[:, :3] == pytest.approx(p, abs=1e-11)


def test_impulses_are_the_same_at_shifted_instants(motion):
    own, moved = motion.bond("touch").impulses, motion.at(frame=TURNED).bond("touch").impulses
    assert len(own) > 5
    assert moved.times == pytest.approx(own.times + TURNED.later)
    assert (moved.normal == own.normal).all()
    assert (moved.tangential == own.tangential).all()


def test_what_acts_turns_with_the_frame_and_its_moment_is_about_the_new_origin(motion):
    name = list(motion.record.model.layout.bodies)[1]
    R, x = TURNED.rotation, motion.time[:, None] * TURNED.velocity + TURNED.place
    own = motion.body(name).measures.environment.wrench
    moved = motion.at(frame=TURNED).body(name).measures.environment.wrench
    assert moved[:, :3] == pytest.approx(own[:, :3] @ R.T, abs=1e-9)
    assert moved[:, 3:] == pytest.approx(own[:, 3:] @ R.T + np.cross(x, own[:, :3] @ R.T), abs=1e-8)


def test_a_false_motion_with_contacts_is_false_in_every_frame(motion):
    false = motion.replace(v=1.001 * motion.v)
    assert false.audit().verdict == "failed"
    assert false.at(frame=TURNED).audit().verdict == "failed"
    moved = motion.at(frame=TURNED)
    assert moved.replace(v=1.001 * moved.v).audit().verdict == "failed"


def test_momentum_and_energy_that_change_without_a_cause_break_the_laws_in_the_frame():
    moved = COLLIDING["written out"]().at(frame=TURNED)
    found = broken(moved.replace(v=1.001 * moved.v).audit())
    assert {"momentum in the frame", "kinetic energy in the frame"} <= found


def test_two_changes_of_frame_are_one(motion):
    R, u, shift = TURNED.rotation, TURNED.velocity, TURNED.shift
    back = vc.measures.change_of_frame(-R.T @ u, R.T, np.append(-shift[0], R.T @ (u * shift[0] - shift[1:])))
    again = motion.at(frame=TURNED).at(frame=back)
    for name in motion.record.model.layout.bodies:
        assert again.body(name).position == pytest.approx(motion.body(name).position, abs=1e-12)
        assert again.body(name).velocity == pytest.approx(motion.body(name).velocity, abs=1e-12)
    assert again.time == pytest.approx(motion.time, abs=1e-15)


def test_another_grid_is_in_the_clock_of_the_frame(motion):
    moved, middle = motion.at(frame=TURNED), 0.5 * motion.record.pieces.end
    there = moved.at(middle + TURNED.later)
    own = motion.at(middle)
    for name in motion.record.model.layout.bodies:
        x = own.body(name).position @ TURNED.rotation.T + middle * TURNED.velocity + TURNED.place
        assert there.body(name).position == pytest.approx(x, abs=1e-12)


def test_the_work_of_a_kick_gains_its_impulse_along_the_velocity():
    motion = COLLIDING["blocks"]()
    own, moved = motion.bond("kick").impulses, motion.at(frame=TURNED).bond("kick").impulses
    turned = own.wrench[:, :3] @ TURNED.rotation.T
    assert moved.wrench[:, :3] == pytest.approx(turned)
    assert moved.work == pytest.approx(own.work + turned @ TURNED.velocity)


@pytest.mark.parametrize("run", [hanging_tree, colliding_points, every_kind, *COLLIDING.values()])
def test_a_loaded_run_is_seen_from_another_frame(run, tmp_path):
    motion = run()
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    moved = loaded.at(frame=TURNED)
    assert moved.audit().verdict == loaded.audit().verdict
    assert moved.replace(v=1.001 * moved.v).audit().verdict == "failed"
    u = TURNED.velocity
    p = motion.body().momentum[:, :3] @ TURNED.rotation.T
    kinetic, mass = (motion.record._balance[name] for name in ("kinetic", "mass"))
    expected = kinetic[:, 0] + p @ u + 0.5 * mass.sum(axis=1) * (u @ u)
    assert moved.record._balance["kinetic"][:, 0] == pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_a_loaded_run_has_the_reactions_and_drives_that_its_system_has_in_the_frame(tmp_path):
    motion = every_kind()
    motion.save(tmp_path / "run.zarr")
    moved, seen = vc.load(tmp_path / "run.zarr").at(frame=TURNED), motion.at(frame=TURNED)
    assert moved.joint("hinge").reaction == pytest.approx(seen.joint("hinge").reaction, abs=1e-9)
    assert moved.body("arm").drive.wrench == pytest.approx(seen.body("arm").drive.wrench, abs=1e-9)
    assert moved.body("arm").drive.power == pytest.approx(seen.body("arm").drive.power, abs=1e-9)
    assert moved.bond("k2").force == pytest.approx(seen.bond("k2").force, abs=1e-9)
    for name in motion.record.model.layout.bodies:
        assert moved.body(name).momentum == pytest.approx(seen.body(name).momentum, abs=1e-9)


def test_the_kinetic_measure_of_the_frame_is_the_old_one_pushed_forward():
    motion = COLLIDING["written out"]()
    own, moved = motion.body("ball").measures.kinetic, motion.at(frame=TURNED).body("ball").measures.kinetic
    Lambda = TURNED.matrix
    assert moved.total() == pytest.approx(Lambda @ own.total() @ Lambda.T, abs=1e-9)
