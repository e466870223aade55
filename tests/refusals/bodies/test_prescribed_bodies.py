"""What no prescribed body can be, and how it is said."""

import math
import re

import numpy as np
import pytest

import vinculum as vc
from mechanisms import rod
from vinculum.scalars import symbol
from vinculum.scalars.math import exp, floor, log, sin, sqrt, where
from vinculum.systems.files import read_model


def pendulum(position=lambda t: (sin(t), 0, 0), **own) -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    cam = system.add(vc.PrescribedBody("cam", position, **own))
    system.add(vc.Revolute("hinge", cam, system.add(vc.MassPoint("bob", 1.0)), axis=(0, 1, 0), to=(0, 0, 1)))
    return system


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (lambda t: (t, 0), "position has 2 numbers: give three"),
        ((1, 2), "position has 2 numbers: give three"),
        (lambda t: t, "position has 1 number: give three"),
        ("x", "position is 'x': give numbers or a function of t"),
        (None, "position is None: give numbers or a function of t"),
        (lambda t: (float("nan"), 0, 0), "position is [nan, 0.0, 0.0], which is not finite"),
        (lambda t: (sqrt(-1 - t * t), 0, 0), "nowhere from 0 to 10 s is it finite"),
        (lambda t: (exp(1000 + t), 0, 0), "position at t = 1 s is [inf, 0.0, 0.0]"),
        (lambda t: (1.0 if t > 1 else 0.0, 0, 0), "cannot decide an `if`"),
        (lambda t: (math.sin(t), 0, 0), "use the functions of vc.math"),
        (lambda t: (np.sin(t), 0, 0), "written with vc.math and without `if`"),
        (lambda t: (abs(t - 1), 0, 0), "position holds abs, which has corners or steps"),
        (lambda t: (floor(t), 0, 0), "must be twice differentiable"),
        (lambda t: ("a", 0, 0), "which is not numeric"),
        (lambda t, x: (t, 0, 0), "it is a function of t alone"),
        (lambda: (1, 0, 0), "it is a function of t alone"),
        (lambda t: (symbol("z") * t, 0, 0), "contains the free symbol 'z'"),
    ],
)  # fmt: skip
def test_positions_that_no_body_can_have(position, said):
    with pytest.raises(vc.errors.ModelError, match=re.escape(said)) as refused:
        vc.PrescribedBody("cam", position)
    assert "body 'cam'" in str(refused.value)


@pytest.mark.parametrize(
    ("rotation", "said"),
    [
        (lambda t: np.diag([1.0, 1.0, -1.0]), "RᵀR differs from I by 0 and det R is -1"),
        (lambda t: np.array([[1, 0, 0], [0, 1 + t, 0], [0, 0, 1]], dtype=object), "at t = 0.013 s is [[1.0, 0.0, 0.0], [0.0, 1.013"),
        (lambda t: (0, 0, 0, 0), "the quaternion [0.0, 0.0, 0.0, 0.0] has no direction"),
        (((0, 0, 0), lambda t: t), "axis [0.0, 0.0, 0.0] has length zero"),
        (((0, 0), lambda t: t), "an axis of shape (2,)"),
        (lambda t: t, "rotation has 1 number: give (axis, angle)"),
        (lambda t: None, "rotation gave None"),
        (((0, 0, 1), lambda t: abs(sin(t))), "rotation holds abs"),
    ],
)  # fmt: skip
def test_rotations_that_are_none(rotation, said):
    with pytest.raises(vc.errors.ModelError, match=re.escape(said)) as refused:
        vc.PrescribedBody("cam", rotation=rotation)
    assert "body 'cam'" in str(refused.value)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"mass": -1}, "mass -1 kg is negative; a prescribed body has mass 0 or more"),
        ({"inertia": (1, 1, 1)}, "mass is 0 but the inertia is not"),
        ({"mass": 1, "inertia": (1, 1, 3)}, "break the triangle inequality"),
        ({"mass": "x"}, "mass is 'x', which is not numeric"),
    ],
)
def test_masses_that_no_body_can_have(own, said):
    with pytest.raises(vc.errors.ModelError, match=re.escape(said)):
        vc.PrescribedBody("cam", **own)


def test_a_start_does_not_name_a_prescribed_body():
    for given in (0.3, vc.At(rate=1.0)):
        with pytest.raises(
            vc.errors.StartError, match="body 'cam' is prescribed: its position and velocity are given functions"
        ):
            vc.simulate(pendulum(), 1.0, {"cam": given}, progress=False)


def test_a_run_begins_where_the_path_is_defined():
    with pytest.raises(
        vc.errors.StartError, match=r"body 'cam' is prescribed, and its position at t = 0 s is not finite"
    ):
        vc.simulate(pendulum(lambda t: (1 / t, 0, 0)), 1.0, progress=False)
    with pytest.raises(vc.errors.StartError, match=r"its velocity at t = 0 s is not finite"):
        vc.simulate(pendulum(lambda t: (sqrt(t), 0, 0)), 1.0, progress=False)
    motion = vc.simulate(pendulum(lambda t: (1 / t, 0, 0)), 2.0, begin=1.0, progress=False)
    assert motion.audit().passed


def test_a_run_that_leaves_its_path_says_where():
    with pytest.raises(vc.errors.RunError, match="t = 1 s") as stopped:
        vc.simulate(pendulum(lambda t: (sqrt(1 - t), 0, 0)), 2.0, progress=False)
    assert 0.999 < stopped.value.motion.record.pieces.end <= 1.0


def test_parameters_that_leave_no_path_are_refused():
    w = vc.parameter("w", 1.0)
    system = pendulum(lambda t: (log(w + 0 * t), 0, 0))
    with pytest.raises(vc.errors.ModelError, match="body 'cam': position at t = 1 s is"):
        vc.simulate(system, 1.0, parameters={"w": -3.0}, progress=False)


def test_a_jump_in_a_path_breaks_the_certificate():
    """vc.math.where may join smooth pieces; where they do not meet, the law of momentum shows it."""
    smooth = pendulum(lambda t: (where(t < 0.5, 0.0, (t - 0.5) ** 3), 0, 0))
    assert vc.simulate(smooth, 1.0, {"hinge": 0.3}, progress=False).audit().passed
    kinked = pendulum(lambda t: (where(t < 0.5, 0.0, t - 0.5), 0, 0))
    assert vc.simulate(kinked, 1.0, {"hinge": 0.3}, progress=False).audit().verdict == "failed"


@pytest.mark.parametrize(("kind", "outside"), [("linear", "refuse"), ("cubic", "flat")])
def test_tables_with_corners_are_no_paths(kind, outside):
    rise = vc.Table("rise", [0, 1, 2, 3], [0, 0.1, 0.15, 0.4], kind=kind, outside=outside)
    with pytest.raises(
        vc.errors.ModelError, match="body 'cam': position holds table 'rise', which has corners or steps"
    ):
        vc.PrescribedBody("cam", lambda t: (0, 0, rise(t)))


def test_springs_to_a_prescribed_child_are_turned_round_by_the_user():
    system = pendulum()
    system.add(vc.RigidBody("arm", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Revolute("spring", "arm", "cam", stiffness=2.0))
    with pytest.raises(
        vc.errors.ModelError, match=r"its child 'cam' is prescribed.*write the prescribed body as the parent"
    ):
        system.tree()


def test_prescribed_bodies_that_tear_a_loop_are_refused():
    system = vc.System("two")
    one, other = system.add(vc.PrescribedBody("a")), system.add(vc.PrescribedBody("b", lambda t: (t, 0, 0)))
    system.add(vc.Spherical("pin", one, other))
    with pytest.raises(
        vc.errors.StartError, match=r"open the loop \['a', 'b', 'pin'\] at t = 0 s: the gap 'x' of joint 'pin'"
    ):
        vc.simulate(system, 1.0, progress=False)
    system = vc.System("two")
    one, other = system.add(vc.PrescribedBody("a")), system.add(vc.PrescribedBody("b", lambda t: (t**3, 0, 0)))
    system.add(vc.Spherical("pin", one, other))
    with pytest.raises(vc.errors.RunError, match="the prescribed bodies pull the loops apart"):
        vc.simulate(system, 1.0, progress=False)


def test_a_crank_that_drives_a_mechanism_into_its_lock_stops_there():
    system = vc.System("locked")
    system.add(vc.PrescribedBody("crank", rotation=((0, 0, 1), lambda t: 1.0 + t)))
    rod(system, "coupler", 1.0)
    rod(system, "rocker", 1.0)
    system.add(vc.Revolute("B", "crank", "coupler", at=(1, 0, 0)))
    system.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(1, 0, 0), to=(1, 0, 0)))
    reached = math.acos((1 + 2.2**2 - 4) / 4.4) - 1.0
    with pytest.raises(vc.errors.RunError, match="singular position") as stopped:
        vc.simulate(system, 3.0, {"D": 1.5}, progress=False)
    assert abs(stopped.value.motion.record.pieces.end - reached) < 1e-3


def test_results_of_drives_are_asked_of_prescribed_bodies():
    motion = vc.simulate(pendulum(), 1.0, grid=11, progress=False)
    with pytest.raises(vc.errors.StartError, match="body 'bob' of system 'pendulum' is not prescribed"):
        motion.body("bob").drive.power
    with pytest.raises(vc.errors.StartError, match="there is no body 'camm'"):
        motion.body("camm").drive.power
    with pytest.raises(vc.errors.StartError, match=r"the bodies \['cam'\] have no mass"):
        motion.body("cam").center
    with pytest.raises(vc.errors.StartError, match="body 'cam' is prescribed and has no coordinates"):
        motion["cam"]


def test_block_matrices_have_no_place_for_given_motions():
    with pytest.raises(vc.errors.MethodError, match="without prescribed bodies"):
        vc.derive(pendulum(), "newton-euler").blocks([0.1], [0.1])


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('kind = "prescribed"\nposition = ["t", 0]', "[bodies.cam] position = ['t', 0] must be a list of 3 numbers"),
        ('kind = "prescribed"\nposition = ["x*t", 0, 0]', 'the formula "x*t"'),
        ('kind = "prescribed"\nposition = ["3 kg", 0, 0]', "kg is not a unit of it"),
        ('kind = "prescribed"\nrotation = {axes = [0, 0, 1]}', "the key 'axes' is not known; did you mean 'axis'?"),
        ('kind = "prescribed"\nrotation = [1, 0]', "must be a quaternion of 4 numbers (scalar first) or a 3×3 matrix"),
        ('kind = "prescribed"\nangle = "t"', "the key 'angle' is not known"),
        ('kind = "prescribed"\nposition = ["abs(t)", 0, 0]', "[bodies.cam] body 'cam': position holds abs"),
        ('kind = "prescrbed"', "did you mean 'prescribed'?"),
    ],
)
def test_tables_that_describe_no_prescribed_body(table, said, tmp_path):
    (tmp_path / "model.toml").write_text(f"[bodies.cam]\n{table}\n")
    with pytest.raises(vc.errors.FileError, match=re.escape(said)):
        read_model(tmp_path / "model.toml")


def test_a_file_does_not_start_a_prescribed_body(tmp_path):
    (tmp_path / "model.toml").write_text('[bodies.cam]\nkind = "prescribed"\n[start]\ncam = 0.3\n')
    with pytest.raises(vc.errors.FileError, match="body 'cam' is prescribed"):
        read_model(tmp_path / "model.toml")
