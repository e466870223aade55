"""Prescribed bodies by several doors: stored and loaded, in batches, swept, as series, as inverse dynamics and from files."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import rod
from vinculum.scalars.math import cos, sin
from vinculum.systems.files import read_model

FILE = """
[system]
gravity = [0, 0, -9.81]
[parameters]
reach = "30 cm"
beat = 2.0
[bodies.pivot]
kind = "prescribed"
position = ["reach*sin(beat*t)", 0, "10 cm"]
rotation = {axis = [0, 1, 0], angle = "0.3*t**2"}
[bodies.bob]
mass = 1.0
com = [0, 0, -0.5]
inertia = [0.1, 0.1, 0.01]
[joints.hinge]
kind = "revolute"
parent = "pivot"
child = "bob"
axis = [0, 1, 0]
damping = 0.05
[start]
hinge = "20 deg"
[run]
until = 2
"""


def described(reach=0.3, beat=2.0) -> vc.System:
    """The system of the file, in Python."""
    system = vc.System("file", gravity=(0, 0, -9.81))
    path = lambda t: (reach * sin(beat * t), 0, 0.1)
    pivot = system.add(vc.PrescribedBody("pivot", path, ((0, 1, 0), lambda t: 0.3 * t * t)))
    bob = system.add(vc.RigidBody("bob", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.01)))
    system.add(vc.Revolute("hinge", pivot, bob, axis=(0, 1, 0), damping=0.05))
    return system


def swept() -> vc.System:
    return described(vc.parameter("reach", 0.3), vc.parameter("beat", 2.0))


START = {"hinge": np.deg2rad(20)}


def test_a_model_file_describes_the_same_system(tmp_path):
    (tmp_path / "file.toml").write_text(FILE)
    file = read_model(tmp_path / "file.toml", {"reach": 0.4})
    read = vc.simulate(file.system, start=file.start, grid=51, progress=False, **file.run)
    made = vc.simulate(described(0.4), 2.0, START, grid=51, progress=False)
    assert np.abs(read.q - made.q).max() < 1e-13
    assert np.abs(read.joint("pivot").reaction - made.joint("pivot").reaction).max() < 1e-11
    assert read.audit().passed


@pytest.mark.parametrize("rotation", ["[1, 0, 0, 0]", '["cos(t)", 0, 0, "sin(t)"]', "[[1, 0, 0], [0, 0, -1], [0, 1, 0]]",
                                      '{axis = [1, 1, 0], angle = "30 deg"}', '{angle = "t"}'])  # fmt: skip
def test_a_model_file_may_give_the_rotation_in_every_way(rotation, tmp_path):
    text = FILE.replace('{axis = [0, 1, 0], angle = "0.3*t**2"}', rotation)
    text = text.replace("[bodies.bob]", 'mass = "200 g"\ncom = [0, 0, 0.1]\ninertia = [0.01, 0.01, 0.01]\n[bodies.bob]')
    (tmp_path / "file.toml").write_text(text)
    file = read_model(tmp_path / "file.toml")
    body = file.system.bodies["pivot"]
    assert body.mass == 0.2 and body.center.tolist() == [0, 0, 0.1]
    assert vc.simulate(file.system, 0.5, file.start, progress=False).audit().passed


def test_parameters_of_a_path_are_swept_without_new_equations():
    system = swept()
    for reach, beat in ((0.3, 2.0), (0.1, 3.0)):
        values = {"reach": reach, "beat": beat}
        one = vc.simulate(system, 2.0, START, parameters=values, grid=51, progress=False)
        other = vc.simulate(described(reach, beat), 2.0, START, grid=51, progress=False)
        assert np.abs(one.q - other.q).max() < 1e-12
        assert np.abs(one.body().drive.power - other.body("pivot").drive.power).max() < 1e-11
        assert one.audit().passed


def test_an_ensemble_runs_as_single_runs_do():
    system = swept()
    reaches = np.linspace(0.05, 0.5, 9)
    runs = vc.ensemble(system, 2.0, START, parameters={"reach": reaches}, grid=5)
    for k in (0, 4, 8):
        one = vc.simulate(system, 2.0, START, parameters={"reach": reaches[k]}, grid=5, progress=False)
        assert np.abs(runs.q[k] - one.q).max() < 1e-9
    steps = vc.ensemble(system, 2.0, START, parameters={"reach": reaches}, method="midpoint", step=1e-3, grid=5)
    assert np.abs(steps.q - runs.q).max() < 1e-4


def test_a_stored_run_still_knows_the_wrench_and_power_of_its_drive(tmp_path):
    motion = vc.simulate(described(), 2.0, START, grid=51, progress=False)
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    assert np.array_equal(loaded.joint("pivot").reaction, motion.joint("pivot").reaction)
    assert np.array_equal(loaded.body("pivot").drive.power, motion.body("pivot").drive.power)
    assert loaded.audit().passed


def test_inverse_dynamics_asks_for_nothing_along_the_motion():
    system = described()
    motion = vc.simulate(system, 2.0, START, grid=41, progress=False)
    a = vc.derive(system, "newton-euler").accelerations(motion.q, motion.v, t=motion.time)
    for form in ("telegin", "newton-euler"):
        needed = vc.inverse_dynamics(system, motion.q, motion.v, a, t=motion.time, form=form)
        assert np.abs(needed.missing).max() < 1e-12
        assert np.abs(needed.wrench("pivot") - motion.joint("pivot").reaction).max() < 1e-11
    one = vc.inverse_dynamics(system, motion.q[7], motion.v[7], a[7], t=float(motion.time[7]))
    assert np.abs(one.wrench("hinge") - motion.joint("hinge").reaction[7]).max() < 1e-11


@pytest.mark.parametrize("form", ["telegin", "newton-euler", "lagrange"])
def test_a_power_series_follows_the_motion(form):
    system = described()
    motion = vc.simulate(system, 0.7, START, begin=0.4, grid=21, progress=False)
    q, v = vc.power_series(system, START, 30, t=0.4, form=form)(motion.time)
    assert np.abs(q - motion.q).max() < 1e-13
    assert np.abs(v - motion.v).max() < 1e-12
    other = vc.simulate(system, 0.7, START, begin=0.4, grid=21, method="series", progress=False)
    assert np.abs(other.q - motion.q).max() < 1e-13


def test_an_event_may_watch_a_prescribed_body():
    crossing = vc.Event("high", ["pivot"], lambda pivot: pivot.velocity[0], direction=-1)
    motion = vc.simulate(described(), 2.0, START, events=crossing, progress=False)
    assert np.abs([c.time for c in motion.record.crossings] - np.array([np.pi / 4])).max() < 1e-12


def test_the_energy_is_a_first_integral_only_where_the_base_stands_still():
    def system(position):
        made = vc.System("pendulum", gravity=(0, 0, -9.81))
        pivot = made.add(vc.PrescribedBody("pivot", position))
        made.add(vc.Revolute("hinge", pivot, made.add(vc.MassPoint("bob", 1.0)), axis=(0, 1, 0), to=(0, 0, 1)))
        return made

    assert "energy" in vc.first_integrals(system((0, 0, 1))).names
    assert not vc.first_integrals(system(lambda t: (sin(t), 0, 0))).names


def test_a_disk_on_a_turntable_keeps_its_spin():
    """A frictionless hinge along the axis of the turntable passes no moment on."""
    system = vc.System("disks")
    table = system.add(vc.PrescribedBody("table", rotation=((0, 0, 1), lambda t: sin(3 * t))))
    system.add(vc.Revolute("pin", table, system.add(vc.RigidBody("disk", 1.0, inertia=(1, 1, 2))), axis=(0, 0, 1)))
    assert any("angular momentum" in name or "p of" in name for name in vc.first_integrals(system).names)
    motion = vc.simulate(system, 2.0, {"pin": vc.At(rate=1.0)}, grid=21, progress=False)
    turned = motion["pin"] + np.sin(3 * motion.time)
    assert np.abs(turned - 4.0 * motion.time).max() < 1e-13
    assert motion.audit().passed


def test_a_spring_to_a_prescribed_point_gains_what_its_drive_supplies():
    """∂W/∂t = −k (x − p)·ṗ: O'Reilly and Srinivasa, (35)–(38)."""
    k, m = 30.0, 0.8
    system = vc.System("towed")
    hook = system.add(vc.PrescribedBody("hook", lambda t: (0.5 * sin(2 * t), 0.2 * t, 0)))
    ball = system.add(vc.MassPoint("ball", m))
    system.add(
        vc.Potential(
            "spring", [hook, ball], lambda a, b: 0.5 * k * vc.math.dot(a.position - b.position, a.position - b.position)
        )
    )
    motion = vc.simulate(system, 3.0, {"ball": (0.1, 0, 0.3)}, grid=301, progress=False)
    t = motion.time
    away = motion.body("ball").position - motion.body("hook").position
    p_dot = np.stack([np.cos(2 * t), np.full_like(t, 0.2), np.zeros_like(t)], axis=1)
    assert np.abs(motion.body("hook").drive.power + k * (away * p_dot).sum(axis=1)).max() < 1e-12 * k
    assert np.abs(motion.joint("hook").reaction[:, :3] + k * away).max() < 1e-12 * k
    assert motion.audit().passed, motion.audit()


def test_mobility_is_counted_where_the_prescribed_body_is_then():
    system = vc.System("driven four-bar")
    system.add(vc.PrescribedBody("crank", rotation=((0, 0, 1), lambda t: 2.0 * t)))
    rod(system, "coupler", 2.5)
    rod(system, "rocker", 2.0)
    system.add(vc.Revolute("B", "crank", "coupler", at=(1, 0, 0)))
    system.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(2.5, 0, 0), to=(2, 0, 0)))
    found = vc.mobility(system, {"D": 1.5}, t=0.7)
    assert (found.freedoms, found.velocities, found.gaps) == (0, 2, 5)
    equations = vc.derive(system, "newton-euler")
    motion = vc.simulate(system, 1.0, {"D": 1.5}, grid=11, progress=False)
    at = equations.closure.at(motion.q, motion.v, t=motion.time)
    assert np.abs(at["gaps"]).max() < 1e-12
    a = equations.accelerations(motion.q, motion.v, t=motion.time)
    h = 1e-4
    inner = motion.time[1:-1]
    slope = (motion.at(inner + h).v - motion.at(inner - h).v) / (2 * h)
    assert np.abs(a[1:-1] - slope).max() < 1e-6 * np.abs(slope).max()


def test_a_given_motion_is_judged_with_its_prescribed_body():
    system = described()
    motion = vc.simulate(system, 2.0, START, grid=801, progress=False)
    given = vc.given_motion(system, motion.time, motion.q, motion.v, tolerance=1e-10)
    assert given.audit().verdict == "passed", given.audit()
    assert given.replace(q=motion.q + 1e-3 * cos(1.0)).audit().verdict == "failed"


@pytest.mark.parametrize("kind", ["cubic", "quintic", "pchip", "akima"])
def test_a_cam_of_a_table_lifts_as_the_table_says(kind):
    x = np.linspace(0, 2 * np.pi, 41)
    lift = vc.Table("lift", x, 0.1 * (1 - np.cos(x)), kind=kind, outside="repeat")
    system = vc.System("cam", gravity=(0, 0, -9.81))
    follower = system.add(vc.PrescribedBody("follower", lambda t: (0, 0, lift(2 * t)), mass=0.5))
    system.add(vc.Revolute("hinge", follower, system.add(vc.MassPoint("bob", 1.0)), axis=(0, 1, 0), to=(0, 0, 1)))
    motion = vc.simulate(system, 5.0, {"hinge": 0.3}, grid=101, progress=False)
    assert np.abs(motion.body("follower").position[:, 2] - lift(2 * motion.time)).max() < 1e-13
    assert motion.audit().passed, motion.audit()
