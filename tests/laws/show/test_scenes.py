"""Scenes of every kind of system, and pages that show them."""

import re
from functools import cache

import numpy as np
import pytest

import vinculum as vc
from seen import MOTIONS, ReadPage, crowd
from vinculum.models.tree_geometry import geometry_at
from vinculum.show.by_type import scene_of
from vinculum.show.drawing import meshes
from vinculum.show.drawing.bodies import Wanted
from vinculum.show.page.page import page_text
from vinculum.show.render.camera import camera_of
from vinculum.show.render.still import pixels_of
from vinculum.show.scene import matrices

every_motion = pytest.mark.parametrize("make", MOTIONS, ids=lambda make: make.__name__)


@cache
def motion_of(make):
    return make()


@cache
def scene(make):
    return scene_of(motion_of(make).record, Wanted())


@every_motion
def test_every_body_is_drawn(make):
    found = scene(make)
    drawn = {part.body for part in found.parts} | {body for line in found.lines for body in line.bodies}
    assert drawn >= set(range(len(found.bodies)))
    for part in found.parts:
        assert 0 <= part.mesh < len(found.meshes)
        assert np.all(np.isfinite(part.position)) and np.all(part.scale > 0.0)
        np.testing.assert_allclose(part.axes @ part.axes.T, np.eye(3), atol=1e-9)


@every_motion
def test_poses_are_those_of_the_motion(make):
    found, motion = scene(make), motion_of(make)
    grid = motion.at(found.poses.time)
    for k, name in enumerate(found.bodies):
        np.testing.assert_array_equal(found.poses.positions[:, k], grid.body(name).position)
        np.testing.assert_allclose(matrices(found.poses.quaternions[:, k]), grid.body(name).rotation, atol=1e-12)
        np.testing.assert_array_equal(found.states.velocities[:, k], grid.body(name).velocity)
    total = grid.record._balance["kinetic"][:, 0]
    moving = [k for k, name in enumerate(found.bodies) if name not in grid.record.model.layout.prescribed]
    np.testing.assert_allclose(found.states.kinetic[:, moving].sum(axis=1), total, rtol=1e-9, atol=1e-12 * total.max())


@every_motion
def test_the_page_holds_the_poses(make):
    """Positions to half a step, attitudes to half a step of 1/32767, as another decoder reads them."""
    found = scene(make)
    page = ReadPage(page_text(found))
    ranges = np.ptp(found.poses.positions, axis=0).max(axis=1)
    step = np.maximum(2.0**-22 * ranges, 2.0**-24 * found.framing.size)
    reach = np.abs(found.poses.positions).max(initial=0.0)
    apart = np.abs(page.positions - found.poses.positions).max(axis=(0, 2))
    assert np.all(apart <= 0.51 * step + 1e-8 * reach)  # the header has nine digits
    assert np.abs(page.quaternions - found.poses.quaternions).max(initial=0.0) <= 0.51 / 32767.0
    np.testing.assert_allclose(page.time, found.poses.time, rtol=1e-6)
    assert page.head["bodies"] == list(found.bodies)


@every_motion
def test_joints_hold_their_bodies_together(make):
    """Places of a joint on both of its bodies coincide, or differ along its axis, at every frame."""
    found, record = scene(make), motion_of(make).record
    geometry = geometry_at(record.model, record.parameters)
    number = {name: k for k, name in enumerate(found.bodies)}
    for mark in geometry.marks:
        kind = mark.kind.removeprefix("sprung ")
        if kind not in ("hinge", "ball joint", "universal", "slider", "screw", "cylindrical", "planar"):
            continue
        a, b = (
            found.poses.points(number.get(name, -1), np.array(point))
            for name, point in zip(mark.on, mark.points, strict=True)
        )
        R = found.poses.axes(number.get(mark.on[0], -1), np.reshape(mark.axes[0], (3, 3)))
        apart = np.einsum("fji,fj->fi", R, b - a)
        free = {"slider": [2], "screw": [2], "cylindrical": [2], "planar": [0, 1]}.get(kind, [])
        assert np.abs(np.delete(apart, free, axis=1)).max() < 1e-9, mark.name


@every_motion
def test_a_stored_run_is_drawn_like_the_motion_itself(make, tmp_path):
    motion_of(make).save(tmp_path / "run.zarr")
    loaded = scene_of(vc.load(tmp_path / "run.zarr").record, Wanted())
    assert page_text(loaded) == page_text(scene(make))


@every_motion
def test_the_picture_shows_every_body_all_the_time(make):
    found = scene(make)
    width, height = 160, 120
    for frame in (0, len(found.poses.time) // 2, len(found.poses.time) - 1):
        camera = camera_of(found, frame, width / height)
        seen = camera.project(found.poses.positions[frame], width, height)
        # the origin of a body may lie outside of what is drawn of it, but not far
        assert np.all(seen[:, 2] > 0.0)
        assert np.all(np.abs(seen[:, :2] - (width / 2, height / 2)) < (0.6 * width, 0.6 * height))
        image = pixels_of(found, frame, camera, width, height)
        assert 0.002 < np.mean(np.ptp(image, axis=2) > 40) < 0.9  # colored


def test_parameters_of_a_run_change_what_is_drawn():
    make = MOTIONS[0]
    short = vc.simulate(_pendulum(), 0.1, parameters={"length": 0.35}, progress=False)
    rods = [
        part.scale[2] for part in scene_of(short.record, Wanted()).parts if part.role == "link" and part.name == "upper"
    ]
    own = [part.scale[2] for part in scene(make).parts if part.role == "link" and part.name == "upper"]
    np.testing.assert_allclose(sum(rods), 0.5 * sum(own))


def _pendulum():
    system, length = vc.System("pendulum", gravity=(0, 0, -9.81)), vc.parameter("length", 0.7)
    upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -length / 2), (0.05, 0.05, 0.001)))
    lower = system.add(vc.MassPoint("lower", 0.5))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -length), to=(0, 0, 0.4)))
    return system


def test_a_rolling_disc_leaves_its_path_on_the_plane():
    found = scene(MOTIONS[2])
    (path,) = (trace.path for trace in found.traces if trace.name == "rolling contact")
    assert np.abs(path[:, 2]).max() < 1e-9
    assert np.ptp(path[:, 0]) > 1.0


def test_forces_in_a_scene_balance_the_weight_of_what_hangs():
    system = vc.System("hanging", gravity=(0, 0, -9.81))
    bob = system.add(vc.MassPoint("bob", 2.0))
    system.add(vc.Revolute("pin", "ground", bob, axis=(0, 1, 0), to=(0, 0, 1.0)))
    found = scene_of(vc.simulate(system, 0.5, progress=False).record, Wanted())
    (arrow,) = (one for one in found.arrows if one.kind == "reaction")
    np.testing.assert_allclose(arrow.vectors, np.broadcast_to([0, 0, 2.0 * 9.81], arrow.vectors.shape), atol=1e-9)
    np.testing.assert_allclose(arrow.places, 0.0, atol=1e-12)


def test_impulses_are_the_changes_of_momentum():
    found = scene(MOTIONS[3])
    fall = np.sqrt(2 * 9.81 * 0.9)
    np.testing.assert_allclose(found.impacts.vectors[0], [0, 0, 1.6 * fall], rtol=1e-9, atol=1e-9)
    assert set(found.impacts.times) <= set(found.poses.time)


def test_contacts_carry_the_weight_of_what_rests():
    motion = motion_of(MOTIONS[5])
    later = vc.simulate(_resting(), 0.4, {"b": (0, 0, 0.1)}, method="moreau", step=2e-3, progress=False)
    touching = scene_of(later.record, Wanted()).touching
    last = slice(touching.begins[-2], touching.begins[-1])
    np.testing.assert_allclose(touching.vectors[last].sum(axis=0), [0, 0, 9.81], rtol=1e-3, atol=1e-3)
    assert scene(MOTIONS[5]).touching is not None and motion is not None


def _resting():
    system = vc.System("resting", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody.solid("b", vc.shapes.Box((0.2, 0.2, 0.2)), mass=1.0))
    system.add(vc.Contact("floor", [body], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic(), friction=0.3))
    return system


@pytest.mark.parametrize(
    ("mesh", "volume"),
    [
        (meshes.ball(), 4 / 3 * np.pi),
        (meshes.cylinder(), np.pi),
        (meshes.cone(), np.pi / 3),
        (meshes.box(), 1.0),
        (meshes.capsule(2.0), 10 / 3 * np.pi),
        (meshes.ball(meshes.COARSE), 4 / 3 * np.pi),
    ],
)
def test_meshes_are_closed_and_look_outward(mesh, volume):
    a, b, c = (mesh.corners[mesh.triangles[:, k]] for k in range(3))
    assert 0.85 * volume < np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 <= volume * (1 + 1e-12)
    np.testing.assert_allclose(np.cross(b - a, c - a).sum(axis=0), 0.0, atol=1e-12)
    edges = {}
    for t in mesh.triangles:
        for k in range(3):
            ends = frozenset(map(tuple, np.round(mesh.corners[[t[k], t[(k + 1) % 3]]], 9)))
            edges[ends] = edges.get(ends, 0) + 1
    assert set(edges.values()) == {2}


def test_a_page_fetches_nothing():
    text = page_text(scene(MOTIONS[0]))
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//|@import|url\(\s*["']?http|<link|<img|<iframe""", text)
    assert not re.search(r"""(fetch|import|XMLHttpRequest|WebSocket|EventSource)\(\s*["'`]""", text)


def test_names_cannot_leave_their_place_in_a_page():
    system = vc.System("<!--<script>alert(1)")
    system.add(vc.MassPoint("<b>&\"'", 1.0))
    text = page_text(scene_of(vc.simulate(system, 1.0, progress=False).record, Wanted()))
    assert "<script>alert" not in text and "<!--" not in text.split("<script", 1)[1].split('<script type="module"')[0]
    assert ReadPage(text).head["bodies"] == ["<b>&\"'"]


@pytest.mark.parametrize("frames", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_thousand_bodies_fit_in_twenty_megabytes(frames):
    assert len(page_text(crowd(1000, frames))) < 20e6 * frames / 1000 + 1.5e6


def test_what_rolls_is_held_at_its_contact_point():
    found = scene(MOTIONS[2])
    (path,) = (trace.path for trace in found.traces if trace.name == "rolling contact")
    arrows = [one for one in found.arrows if one.kind == "reaction"]
    assert {one.name for one in arrows} == {"rolling contact on disc", "rolling on disc"}
    for one in arrows:
        np.testing.assert_array_equal(one.places, path)
    assert not [one for one in found.arrows if one.kind == "moment"]


def test_a_picture_shows_the_very_instant():
    motion = motion_of(MOTIONS[0])
    found = scene_of(motion.record, Wanted(plain=True, instant=0.7654321))
    frame = int(np.flatnonzero(found.poses.time == 0.7654321)[0])
    np.testing.assert_array_equal(found.poses.positions[frame, 1], motion.at(0.7654321).body("lower").position[0])
    assert found.arrows == () and found.panels == ()


def test_too_many_contacts_are_left_out_with_a_note(monkeypatch):
    from vinculum.show.drawing import contacts

    monkeypatch.setattr(contacts, "MOST_CONTACTS", 10)
    found = scene_of(motion_of(MOTIONS[5]).record, Wanted())
    assert found.touching is None
    assert "contact forces are not drawn, as the frames have" in found.notes[-1]


@every_motion
def test_nothing_is_left_out_of_small_systems(make):
    assert scene(make).notes == ()


def test_a_rolling_body_of_any_form_is_drawn_by_its_support_function():
    system, r = vc.System("egg", gravity=(0, 0, -9.81)), vc.parameter("r", 0.2)
    body = system.add(vc.RigidBody("egg", 1.0, inertia=(0.02, 0.02, 0.01)))
    support = lambda u: r * (1 + 0.3 * u[2] * u[2])
    system.add(vc.constraints.Rolling("rolling", body, support, realization="dalembert"))
    motion = vc.simulate(system, 0.1, {"egg": (0, 0, 0.26, 1, 0, 0, 0)}, repair=True, progress=False)
    found = scene_of(motion.record, Wanted())
    (part,) = (one for one in found.parts if one.role == "solid")
    corners = found.meshes[part.mesh].corners
    for u in np.eye(3):
        assert np.isclose((corners @ u).max(), 0.2 * (1 + 0.3 * u[2] ** 2), rtol=0.02)


def _slide(joint, until=1.0, start=0.3, gravity=(0, 0, -9.81)):
    system = vc.System("slide", gravity=gravity)
    system.add(vc.RigidBody("cart", 1.0, inertia=(0.1, 0.1, 0.1)))
    system.add(joint)
    motion = vc.simulate(system, until, {joint.name: start}, progress=False)
    return scene_of(motion.record, Wanted(plain=True)), motion


def test_a_rail_is_as_long_as_its_joint_moves():
    found, _ = _slide(vc.Prismatic("rail", "ground", "cart", axis=(1, 0, 0)), start=vc.At(0.5, rate=0.4))
    symbol, rail = (part for part in found.parts if part.name == "rail")
    radius = symbol.scale[2] / 4.0
    middle, half = rail.position[0], 0.5 * rail.scale[2]
    assert middle - half == pytest.approx(0.5 - radius) and middle + half == pytest.approx(0.9 + radius)


@pytest.mark.parametrize("kind", [vc.Prismatic, vc.Cylindrical])
def test_a_joint_with_a_spring_is_drawn_with_a_coil(kind):
    start = 0.3 if kind is vc.Prismatic else (0.3, 0.0)
    found, motion = _slide(kind("hang", "ground", "cart", axis=(0, 0, 1), stiffness=40.0), start=start)
    (coil,) = [line for line in found.lines if line.name == "hang"]
    assert coil.role == "spring" and len([part for part in found.parts if part.name == "hang"]) == 1
    height = motion.at(found.poses.time).body("cart").position[:, 2]
    assert coil.points[0][2] > height.max() and coil.bodies == (-1, 0)  # it hangs from above and never turns over
    away, _ = _slide(kind("hang", "ground", "cart", axis=(0, 0, 1), stiffness=4000.0, rest=0.5 if kind is vc.Prismatic else (0.5, 0.0)),
                     start=0.5 if kind is vc.Prismatic else (0.5, 0.0))  # fmt: skip
    assert away.lines[0].points[0] == pytest.approx(np.zeros(3))
    free, _ = _slide(kind("hang", "ground", "cart", axis=(0, 0, 1)), start=start)
    assert not free.lines


def test_a_seat_on_a_spring_stands_on_the_body_that_carries_it():
    """Its coil does not reach through the body."""
    system = vc.System("seat", gravity=(0, 0, -9.81))
    plank = system.add(vc.RigidBody.solid("plank", vc.shapes.Box((3.0, 0.3, 0.04)), density=600))
    system.add(vc.Weld("post", "ground", plank))
    system.add(vc.MassPoint("child", 22.0))
    system.add(vc.Prismatic("seat", plank, "child", axis=(0, 0, 1), at=(1.4, 0, 0.2), stiffness=4000.0))
    scene = scene_of(vc.simulate(system, 1.0, {"seat": 0.01}, progress=False).record, Wanted(plain=True))
    (coil,) = scene.lines
    np.testing.assert_allclose(coil.points[0], (1.4, 0.0, 0.0), atol=1e-12)


def test_the_turns_of_a_long_spring_are_seen():
    """Also of a body on a rail, whose mass center lies in its joint: its path says how large things are."""
    small = vc.Cylindrical("hang", "ground", "cart", axis=(0, 0, 1), stiffness=[2.8, 7.9e-4])
    found, motion = _slide(small, until=4.0, start=(0.1, 0.0), gravity=(0, 0, 0))
    (coil,) = found.lines
    heights = motion.at(found.poses.time).body("cart").position[:, 2]
    longest = np.abs(coil.points[0][2] - heights).max()
    assert 0.04 * longest <= coil.radius <= 0.2 * longest
    (bob,) = [part for part in found.parts if part.name == "cart" and part.role == "solid"]
    assert bob.scale.max() > 0.1 * np.ptp(heights)
    np.testing.assert_allclose(found.poses.points(0, coil.points[1])[:, 2], heights, atol=1e-12)  # it ends at the body


def test_the_size_of_a_system_is_that_of_the_solids_it_is_made_of():
    """A bar is as wide as it is, and not as wide as it is long; symbols are as large as the size asks."""
    system = vc.System("bar")
    bar = system.add(vc.RigidBody.solid("bar", vc.shapes.Box((5.0, 0.1, 0.1)), density=300, at=(2.5, 0, 0)))
    system.add(vc.RigidBody("crank", 0.1, (0.5, 0, 0), (0.001, 0.01, 0.01)))
    system.add(vc.Revolute("motor", "ground", "crank", axis=(0, 1, 0)))
    system.add(vc.Revolute("pin", "crank", bar, axis=(0, 1, 0), at=(1, 0, 0)))
    motion = vc.simulate(system, 0.1, {}, progress=False)
    found = scene_of(motion.record, Wanted(plain=True))
    assert found.framing.size == pytest.approx(np.hypot(6.0, np.hypot(0.1, 0.1)), rel=1e-6)


SOLIDS = {
    "sphere": (vc.shapes.Sphere(0.3), (0.6, 0.6, 0.6)),
    "box": (vc.shapes.Box((0.2, 0.5, 0.9)), (0.2, 0.5, 0.9)),
    "cylinder": (vc.shapes.Cylinder(0.2, 1.5), (0.4, 0.4, 1.5)),
    "capsule": (vc.shapes.Capsule(0.2, 1.5), (0.4, 0.4, 1.9)),
    "cone": (vc.shapes.Cone(0.2, 1.5), (0.4, 0.4, 1.5)),
    "ellipsoid": (vc.shapes.Ellipsoid((0.1, 0.4, 0.7)), (0.2, 0.8, 1.4)),
}


@pytest.mark.parametrize("kind", SOLIDS)
def test_the_size_of_a_lone_solid_is_the_diagonal_of_its_box(kind):
    shape, widths = SOLIDS[kind]
    system = vc.System(kind)
    system.add(vc.RigidBody.solid("body", shape, density=300))
    scene = scene_of(vc.simulate(system, 0.1, {}, progress=False).record, Wanted(plain=True))
    (part,) = [part for part in scene.parts if part.role == "solid"]
    drawn = np.ptp(scene.meshes[part.mesh].corners * part.scale, axis=0)
    assert scene.framing.size == pytest.approx(np.linalg.norm(widths), rel=1e-9)
    np.testing.assert_allclose(drawn, widths, rtol=0.03)  # the other route: the mesh that is drawn
