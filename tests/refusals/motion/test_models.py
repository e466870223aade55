"""Bad models are refused at the door, by name, with value, condition and remedy."""

import math

import numpy as np
import pytest

import vinculum as vc

NAN = math.nan
GOOD = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}


def body(**changes):
    return vc.RigidBody("flywheel", **(GOOD | changes))


@pytest.mark.parametrize(("changes", "words"), [
    ({"mass": 0.0}, "body 'flywheel': mass 0 kg is not positive"),
    ({"mass": -2.0}, "mass -2 kg is not positive"),
    ({"mass": NAN}, "mass is nan, which is not finite"),
    ({"mass": "heavy"}, "mass is 'heavy', which is not numeric: give one number"),
    ({"mass": (1.0, 2.0)}, r"mass has shape \(2,\): give one number"),
    ({"inertia": (1, 1, 3)}, r"principal moments \(1, 1, 3\) break the triangle inequality 3 <= 1 \+ 1; check the products"),
    ({"inertia": (-1, 1, 1)}, "not all positive"),
    ({"inertia": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}, r"not symmetric: entry \(0, 1\) is 0.5"),
    ({"inertia": (1, 1)}, "3×3"),
    ({"inertia": None}, "inertia is missing"),
    ({"inertia": (1, NAN, 1)}, "finite"),
    ({"com": (0, 0)}, r"com has shape \(2,\): give three numbers"),
    ({"com": (0, NAN, 0)}, "com is .* not finite"),
    ({"about": "corner"}, "'center' or 'origin'"),
    ({"about": "origin", "com": (5, 0, 0)}, "inertia was given about the origin"),
])  # fmt: skip
def test_a_body_that_cannot_be_is_refused(changes, words):
    with pytest.raises(vc.errors.ModelError, match=words):
        body(**changes)


@pytest.mark.parametrize("mass", [0, -1, NAN, math.inf, None, [1]])
def test_a_mass_point_needs_a_mass(mass):
    with pytest.raises(vc.errors.ModelError, match="mass"):
        vc.MassPoint("point", mass)


@pytest.mark.parametrize("name", ["", None, "a/b", "ground", 7])
def test_names_must_be_words(name):
    with pytest.raises(vc.errors.ModelError):
        vc.MassPoint(name, 1.0)


def system(*bodies):
    made = vc.System("machine")
    for name in bodies:
        made.add(vc.RigidBody(name, **GOOD))
    return made


@pytest.mark.parametrize(("joint", "words"), [
    (lambda: vc.Revolute("j", "ground", "a", axis=(0, 0, 0)), "joint 'j': axis .* length zero; give a direction"),
    (lambda: vc.Revolute("j", "ground", "a", axis=(0, NAN, 0)), "finite"),
    (lambda: vc.Universal("j", "ground", "a", axes=((1, 0, 0), (2, 0, 0))), "parallel"),
    (lambda: vc.Helical("j", "ground", "a"), "pitch is missing"),
    (lambda: vc.Revolute("j", "ground", "a", damping=-1), "damping .* negative"),
    (lambda: vc.Revolute("j", "ground", "a", stiffness=NAN), "finite"),
    (lambda: vc.Revolute("j", "ground", "a", at=(0, 0)), "at"),
    (lambda: vc.Revolute("j", "ground", "a", rest=(0, 1)), "1 coordinate"),
    (lambda: vc.Revolute("j", "ground", 5), "not a body"),
    (lambda: vc.Spherical("j", "ground", "a", chart="roll"), "quaternion"),
    (lambda: vc.Spherical("j", "ground", "a", stiffness=(1, 2, 3)), "ball spring"),
    (lambda: vc.Revolute("j", "ground", "a", drive=lambda q, w: q), r"asks for \['w'\].*t, q and v"),
    (lambda: vc.Revolute("j", "ground", "a", drive=lambda q: 1 if q > 0 else 2), r"where"),
    (lambda: vc.Revolute("j", "ground", "a", drive=lambda q: (q, q)), "must return 1 number"),
    (lambda: vc.Revolute("j", "ground", "a", drive=lambda q: math.sin(q)), r"vc\.math"),
    (lambda: vc.Revolute("j", "ground", "a", drive=lambda q: NAN), "not finite"),
    (lambda: vc.Revolute("j", "ground", "a", drive=lambda q: 1 / 0), "ZeroDivisionError"),
])  # fmt: skip
def test_a_joint_that_cannot_be_is_refused(joint, words):
    with pytest.raises(
        vc.errors.ModelError if "chart" not in words and "quaternion" not in words else vc.errors.VinculumError,
        match=words,
    ):
        joint()


def test_an_unknown_body_is_refused_with_the_nearest_name():
    with pytest.raises(vc.errors.ModelError, match=r"no body 'uper' in system 'machine'; did you mean 'upper'\?"):
        system("upper", "lower").add(vc.Revolute("j", "ground", "uper"))


def test_a_body_of_another_system_is_refused():
    other = vc.RigidBody("stranger", **GOOD)
    with pytest.raises(vc.errors.ModelError, match="add the body first"):
        system("a").add(vc.Revolute("j", "ground", other))


def test_a_duplicate_name_is_refused():
    made = system("a")
    with pytest.raises(vc.errors.ModelError, match="'a' is taken"):
        made.add(vc.MassPoint("a", 1.0))


def test_a_loop_of_joints_that_all_need_coordinates_is_refused():
    made = system("a", "b")
    made.add(vc.Revolute("one", "ground", "a", damping=1.0))
    made.add(vc.Revolute("two", "a", "b", stiffness=1.0))
    made.add(vc.Revolute("three", "ground", "b", drive=lambda t: 1.0))
    with pytest.raises(
        vc.errors.ModelError, match=r"'three' closes a loop of \['one', 'two', 'three'\]|must do without"
    ):
        vc.simulate(made, 1.0)


def test_a_body_joined_to_itself_or_to_the_ground_as_child_is_refused():
    with pytest.raises(vc.errors.ModelError, match="itself"):
        system("a").add(vc.Revolute("j", "a", "a"))
    with pytest.raises(vc.errors.ModelError, match="ground"):
        system("a").add(vc.Revolute("j", "a", "ground"))


def test_a_massless_leaf_is_refused():
    made = vc.System("machine")
    point = made.add(vc.MassPoint("tip", 1.0))
    made.add(vc.Revolute("hinge", "ground", point))
    with pytest.raises(vc.errors.ModelError, match=r"\['hinge'\] move no mass or inertia.*massless leaf"):
        vc.simulate(made, 1.0)


def test_two_joints_that_turn_the_same_point_are_refused():
    made = vc.System("machine")
    a, b = made.add(vc.RigidBody("a", 1.0, inertia=(0, 0, 0))), made.add(vc.MassPoint("b", 1.0))
    made.add(vc.Revolute("one", "ground", a))
    made.add(vc.Revolute("two", a, b, to=(1, 0, 0)))
    with pytest.raises(vc.errors.ModelError, match="move no mass"):
        vc.simulate(made, 1.0)


def test_an_empty_system_is_refused():
    with pytest.raises(vc.errors.ModelError, match="no bodies"):
        vc.simulate(vc.System("nothing"), 1.0)


def test_only_bodies_and_bonds_can_be_added():
    with pytest.raises(vc.errors.ModelError, match="neither a body nor a bond"):
        system("a").add(3)


def pendulum(**joint):
    made = system("a")
    made.add(vc.Revolute("hinge", "ground", "a", **joint))
    return made


@pytest.mark.parametrize(("arguments", "words"), [
    ({"until": 0.0}, "end time 0 s is not after the start time 0 s"),
    ({"until": -1.0}, "not after"),
    ({"until": NAN}, "finite"),
    ({"until": "soon"}, "numbers"),
    ({"until": 1.0, "start": {"hing": 1.0}}, "did you mean 'hinge'"),
    ({"until": 1.0, "start": {"a": 1.0}}, "'a' is carried by joint 'hinge'"),
    ({"until": 1.0, "start": {"hinge": (1.0, 2.0)}}, "1 coordinate"),
    ({"until": 1.0, "start": {"hinge": NAN}}, "finite"),
    ({"until": 1.0, "start": {"hinge": vc.At(0.0, rate=(1, 2))}}, "rate has 1 number"),
    ({"until": 1.0, "start": {"hinge": "up"}}, "numeric"),
    ({"until": 1.0, "start": [1.0]}, "must map names"),
    ({"until": 1.0, "parameters": {"m": 1.0}}, "no parameter 'm'"),
    ({"until": 1.0, "grid": [0.0, 2.0]}, "between 0 and 1 s"),
    ({"until": 1.0, "grid": 1}, "at least two"),
    ({"until": 1.0, "method": "magic"}, "not known"),
    ({"until": 1.0, "method": "rk4"}, "needs step="),
    ({"until": 1.0, "method": "rk4", "step": -1.0}, "positive"),
    ({"until": 1.0, "method": "rk4", "step": 0.1, "tolerance": 1e-3}, "no tolerance"),
    ({"until": 1.0, "step": 0.1}, "leave step out"),
    ({"until": 1.0, "tolerance": 1e-40}, "must lie between"),
])  # fmt: skip
def test_a_run_that_cannot_be_is_refused(arguments, words):
    with pytest.raises(vc.errors.VinculumError, match=words):
        vc.simulate(pendulum(), **arguments)


def test_a_quaternion_of_norm_zero_is_refused():
    made = system("a")
    made.add(vc.Spherical("ball", "ground", "a"))
    with pytest.raises(vc.errors.StartError, match=r"quaternion .* has norm 0"):
        vc.simulate(made, 1.0, {"ball": (0, 0, 0, 0)})
    with pytest.raises(vc.errors.StartError, match="4 numbers"):
        vc.simulate(made, 1.0, {"ball": (1, 0, 0)})


def test_a_chart_at_its_singularity_is_refused_as_start():
    made = system("a")
    made.add(vc.Spherical("ball", "ground", "a", chart="xyz"))
    with pytest.raises(vc.errors.StartError, match=r"singularity of the chart 'xyz'.*use chart='quaternion'"):
        vc.simulate(made, 1.0, {"ball": (0.1, np.pi / 2, 0.2)})


def test_parameter_values_are_checked_at_every_run():
    m = vc.parameter("m", 1.0)
    made = vc.System("machine")
    made.add(vc.MassPoint("a", m))
    vc.simulate(made, 0.1, parameters={"m": 2.0})
    with pytest.raises(vc.errors.ModelError, match="body 'a': mass -1 kg is not positive"):
        vc.simulate(made, 0.1, parameters={"m": -1.0})
    with pytest.raises(vc.errors.StartError, match="not finite"):
        vc.simulate(made, 0.1, parameters={"m": NAN})


def test_two_parameters_of_one_name_must_have_one_value():
    made = vc.System("machine")
    made.add(vc.MassPoint("a", vc.parameter("m", 1.0)))
    made.add(vc.MassPoint("b", vc.parameter("m", 2.0)))
    with pytest.raises(vc.errors.StartError, match="'m' has two default values"):
        vc.simulate(made, 0.1)


def test_events_are_checked_before_the_run():
    made = pendulum()
    for event, words in (
        (lambda: vc.Event("e", ["hing"], lambda h: h.q), "did you mean 'hinge'"),
        (lambda: vc.Event("e", ["hinge"], lambda h: 3.0), "never changes"),
        (lambda: vc.Event("e", ["hinge"], lambda h: (h.q, h.v)), "one number"),
        (lambda: vc.Event("e", ["hinge"], lambda h: h.colour), "failed on symbols"),
        (lambda: vc.Event("e", ["hinge"], lambda h: h.q, direction=2), "direction"),
    ):
        with pytest.raises(vc.errors.VinculumError, match=words):
            vc.simulate(made, 1.0, events=[event()])


def test_a_run_that_meets_a_singularity_keeps_what_it_has():
    made = vc.System("collapse")
    made.add(vc.MassPoint("a", 1.0))
    made.add(vc.Prismatic("x", "ground", "a", drive=lambda q: -1.0 / (q * q)))
    for method in ("auto", "dop853"):
        with pytest.raises(vc.errors.RunError, match="collapse") as caught:
            vc.simulate(made, 5.0, {"x": 1.0}, method=method)
        assert caught.value.motion.record.pieces.end == pytest.approx(np.pi / 2 / np.sqrt(2), abs=1e-3)
        assert np.isfinite(caught.value.motion.q).all()


def test_dimensions_of_a_solid_are_checked_with_their_parameters():
    r = vc.parameter("r", 0.1)
    made = vc.System("machine")
    made.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(r), mass=1.0))
    with pytest.raises(vc.errors.ModelError, match=r"-0\.1"):
        vc.simulate(made, 0.1, parameters={"r": -0.1})


def test_a_proper_euler_chart_needs_a_start():
    made = system("a")
    made.add(vc.Spherical("ball", "ground", "a", chart="zxz"))
    with pytest.raises(vc.errors.StartError, match=r"singularity of the chart 'zxz'.*not named"):
        vc.simulate(made, 1.0)


def test_a_drive_may_keep_constants_in_its_defaults():
    motion = vc.simulate(pendulum(drive=lambda q, k=3.0: -k * q), 0.1, {"hinge": 1.0})
    assert motion.v[-1, 0] < 0


def test_what_is_no_function_event_point_or_tolerance_is_refused():
    with pytest.raises(vc.errors.ModelError, match="joint 'hinge': drive must be a function"):
        pendulum(drive=3.0)
    made = pendulum()
    assert (
        len(
            vc.simulate(
                made, 1.0, {"hinge": vc.At(-0.5, rate=1.0)}, events=vc.Event("e", ["hinge"], lambda h: h.q)
            ).record.crossings
        )
        == 1
    )
    with pytest.raises(vc.errors.StartError, match=r"vc\.Event"):
        vc.simulate(made, 1.0, events=[3])
    motion = vc.simulate(made, 1.0)
    with pytest.raises(vc.errors.StartError, match="three finite numbers"):
        motion.body("a").point((0, 0)).position
    for tolerance in (-1, None, 2.0, "fine"):
        with pytest.raises(vc.errors.StartError, match="tolerance"):
            vc.given_motion(made, motion.time, motion.q, motion.v, tolerance=tolerance)
    for wrong in (
        {"max_step": -1.0},
        {"max_step": "small"},
        {"tolerance": "fine"},
        {"method": "rk4", "step": 0.1, "max_step": 0.1},
    ):
        with pytest.raises(vc.errors.MethodError):
            vc.simulate(made, 1.0, **wrong)


def test_odd_ensembles_are_refused():
    made = pendulum()
    for wrong in ({"tolerance": -1}, {"tolerance": "a"}, {"grid": "a"}, {"until": "a"}, {"start": {"hinge": "up"}}):
        with pytest.raises(vc.errors.VinculumError):
            vc.ensemble(made, **({"until": 1.0} | wrong))
