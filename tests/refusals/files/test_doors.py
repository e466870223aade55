"""Whatever is given to a door of the library, the answer is a result or an error of the house, never a raw one."""

import warnings

import numpy as np
import pytest

import vinculum as vc
from mechanisms import four_bar


def hinge(**joint) -> vc.System:
    system = vc.System("machine")
    system.add(vc.RigidBody("a", 1.0, inertia=(1.0, 1.0, 1.0)))
    system.add(vc.Revolute("j", "ground", "a", **joint))
    return system


def ball_joint(chart="quaternion") -> vc.System:
    system = vc.System("machine")
    system.add(vc.RigidBody("a", 1.0, inertia=(1.0, 2.0, 2.5)))
    system.add(vc.Spherical("j", "ground", "a", chart=chart))
    return system


@pytest.mark.parametrize(("arguments", "words"), [
    ({"parameters": [1]}, r"parameters .*\[1\].* map names .* parameters=\{'m': 1\.5\}"),
    ({"parameters": 3}, "parameters .*3"),
    ({"parameters": "a"}, "parameters .*'a'"),
    ({"events": 1}, r"events .*1.*vc\.Event"),
    ({"events": "swing"}, r"vc\.Event"),
    ({"events": [vc.Event("e", [[]], lambda j: j.q)]}, r"event 'e': there is no body or joint '\[\]'"),
    ({"method": "rk4", "step": "x"}, "step 'x' .*positive"),
    ({"method": "rk4", "step": 1j}, "step 1j"),
    ({"method": "rk4", "step": [0.1]}, r"step \[0.1\]"),
    ({"method": "rk4", "step": True}, "step True"),
    ({"method": []}, r"method \[\] is not known"),
    ({"method": None}, "method None is not known"),
    ({"max_step": "x"}, "max_step 'x'"),
    ({"max_step": np.array([0.1, 0.2])}, "max_step"),
    ({"tolerance": [1e-9]}, "tolerance"),
    ({"start": {"j": [[1], [1, 2]]}}, "start of 'j'"),
    ({"start": {"j": 1j}}, "start of 'j'"),
    ({"grid": [[0.0], [0.1, 0.2]]}, "grid"),
])  # fmt: skip
def test_odd_arguments_of_a_run_are_refused(arguments, words):
    with pytest.raises(vc.errors.VinculumError, match=words):
        vc.simulate(hinge(), **({"until": 1.0} | arguments))


def test_no_events_may_be_written_as_none():
    assert vc.simulate(hinge(), 0.1, events=None).record.crossings == ()


def test_an_event_needs_a_function():
    with pytest.raises(
        vc.errors.StartError, match=r"event 'e': 3 is not a function; give one of the things named in `of`"
    ):
        vc.Event("e", ["j"], 3)


@pytest.mark.parametrize(("use", "words"), [
    (lambda m: vc.given_motion(hinge(), "abc", m.q, m.v), "time .*'abc'"),
    (lambda m: vc.given_motion(hinge(), [0.0, 1.0], [[1.0], [1.0, 2.0]], [[0.0], [0.0]]), "q .*numbers"),
    (lambda m: vc.given_motion(hinge(), m.time, m.q, m.v * 1j), "v .*numbers"),
    (lambda m: vc.given_motion(hinge(), m.time, m.q, m.v, parameters=[1]), "parameters"),
    (lambda m: m.replace(parameters=3), "parameters"),
    (lambda m: m.at("x"), "grid .*'x'"),
    (lambda m: m.at([1j]), "grid .*1j"),
    (lambda m: m.at([[1], [1, 2]]), "grid"),
    (lambda m: m[[]], r"there is no joint '\[\]'"),
    (lambda m: m[{}], "there is no joint"),
    (lambda m: m.body([]).position, r"there is no body '\[\]'"),
    (lambda m: m.body("a").point("x").position, "point 'x' must be three finite numbers"),
    (lambda m: m.body("a").point([[1], [1, 2]]).position, "three finite numbers"),
    (lambda m: m.joint([]).reaction, "there is no joint"),
    (lambda m: m.plot([]), "there is no joint"),
    (lambda m: m.body([]).center, "there is no body"),
    (lambda m: m.body([]).momentum, "there is no body"),
])  # fmt: skip
def test_odd_questions_to_a_motion_are_refused(use, words):
    motion = vc.simulate(hinge(), 1.0, {"j": vc.At(0.1, rate=1.0)}, grid=11)
    with pytest.raises(vc.errors.VinculumError, match=words):
        use(motion)


def test_a_body_is_made_of_a_measure_only():
    with pytest.raises(vc.errors.ModelError, match=r"body 'b': 3 is not a mass measure; .*vc\.Measure"):
        vc.RigidBody.of("b", 3)


@pytest.mark.parametrize(("density", "words"), [
    (lambda r: 1 / 0, "density function failed at .* ZeroDivisionError"),
    (lambda: 1.0, "density function failed at .* TypeError"),
    (lambda r: "heavy", "density function gives 'heavy'"),
    (lambda r: 1.0 if r[0] > 0 else (1.0, 2.0), "density function gives"),
])  # fmt: skip
def test_a_density_function_that_fails_is_named(density, words):
    with pytest.raises(vc.errors.ModelError, match=words):
        vc.RigidBody.solid("b", vc.shapes.Sphere(1.0), density=density)


def test_a_path_too_long_for_the_disk_is_refused(tmp_path):
    for path in (tmp_path / ("x" * 300), tmp_path / ("x" * 300) / "y"):
        with pytest.raises(vc.errors.FileError, match="cannot be read: File name too long"):
            vc.load(path)


HUGE, TINY = 1e300, 1e-300


def test_an_axis_too_short_to_tell_a_direction_is_refused():
    with pytest.raises(vc.errors.ModelError, match=r"joint 'j': axis .* has length 1e-300, too short"):
        hinge(axis=(TINY, 0, 0))


@pytest.mark.parametrize("size", [1e-11, 1.0, HUGE])
def test_the_length_of_an_axis_or_a_quaternion_does_not_matter(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = vc.Revolute("j", "ground", "a", axis=(3 * size, 0, 4 * size))
        assert made.axis == pytest.approx((0.6, 0, 0.8), rel=1e-15)
        crossed = vc.Universal("j", "ground", "a", axes=((3 * size, 0, 4 * size), (0, size, 0)))
        assert crossed.axes == pytest.approx(np.array([(0.6, 0, 0.8), (0, 1, 0)]), rel=1e-15)
        turned = vc.Pose((0, 0, 0), (3 * size, 0, 0, 4 * size)).R
        assert turned == pytest.approx(vc.Pose((0, 0, 0), (3, 0, 0, 4)).R, abs=1e-15)
        start = vc.simulate(ball_joint(), 0.01, {"j": (3 * size, 0, 0, 4 * size)}, grid=2).q[0]
        assert start == pytest.approx((0.6, 0, 0, 0.8), rel=1e-15)


def test_an_axis_of_parameters_may_have_any_length():
    length = vc.parameter("length", 1.0)
    system = hinge(axis=(0, 0, length))
    for size in (1e-100, 1e100):
        assert vc.simulate(system, 1.0, {"j": vc.At(0.0, rate=1.0)}, parameters={"length": size}).q[
            -1
        ] == pytest.approx(1)
    for size in (0.0, 1e-200, 1e200):
        with pytest.raises(vc.errors.ModelError, match=r"joint 'j': axis .*length.*between"):
            vc.simulate(system, 1.0, parameters={"length": size})


def test_a_matrix_far_from_a_rotation_is_refused_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(vc.errors.ModelError, match=r"pose: rotation .*1e\+300.* is not a rotation matrix"):
            vc.Pose((0, 0, 0), HUGE * np.eye(3))


def screw(pitch) -> vc.System:
    system = vc.System("machine")
    system.add(vc.RigidBody("a", 1.0, inertia=(1.0, 1.0, 1.0)))
    system.add(vc.Helical("j", "ground", "a", pitch=pitch))
    return system


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
@pytest.mark.parametrize("system", [
    lambda: screw(HUGE), lambda: hinge(to=(HUGE, 0, 0)), lambda: hinge(to=vc.Pose((0, HUGE, 0))),
])  # fmt: skip
def test_lengths_that_overflow_the_inertia_are_named_as_such(system):
    with pytest.raises(vc.errors.ModelError, match=r"velocities \['j'\].* is not finite.*length.*units"):
        vc.simulate(system(), 1.0)


OVERFLOWING = {
    "moments": (lambda: vc.RigidBody("a", 1.0, inertia=(2.5, 1e308, 0.2)), "triangle inequality 1e\\+308 <= 0.2"),
    "products": (lambda: vc.RigidBody("a", 1.0, inertia=[[1, 1e308, 0], [-1e308, 1, 0], [0, 0, 1]]), "not symmetric"),
    "second moment": (lambda: vc.AffineBody("a", 1.0, (2.5, 1e308, 0.2)), "principal values \\(0.2, 2.5, 1e\\+308\\)"),
    "point-body": (lambda: vc.PointBody("a", 1.0, 0.0, (1e308, 1e308, 1.0)), "too far apart in size"),
}  # fmt: skip


@pytest.mark.parametrize("which", OVERFLOWING)
def test_entries_whose_sums_overflow_are_named_without_a_warning(which):
    make, words = OVERFLOWING[which]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(vc.errors.ModelError, match=words):
            make()
        vc.RigidBody("a", 1.0, inertia=(1.7e308, 1.7e308, 1.7e308))


def test_a_field_of_gravity_that_is_not_finite_at_its_parameter_is_refused():
    g = vc.parameter("g", 1.0)
    system = vc.System("machine", gravity=(0, 0, -vc.math.sqrt(g)))
    system.add(vc.MassPoint("a", 1.0))
    with pytest.raises(vc.errors.ModelError, match=r"system 'machine': gravity is .*nan.* not finite"):
        vc.simulate(system, 1.0, parameters={"g": -1.0})


@pytest.mark.parametrize(("asked", "said"), [
    (lambda s, e: vc.mobility(s, parameters=3), "parameters is 3 and must map names"),
    (lambda s, e: vc.first_integrals(s, parameters=[1]), "parameters is .* and must map names"),
    (lambda s, e: e.latex(seconds="x"), "seconds is 'x' and must be a number"),
    (lambda s, e: e.latex(seconds=float("nan")), "seconds is nan and must be a number"),
    (lambda s, e: e.closure.multipliers([1, 0, 1], [0, 0, 0], tau="x"), "tau of system 'four-bar' is not numeric"),
    (lambda s, e: e.accelerations([1, 0, 1], [0, 0, 0], tau=[1, 2]), r"tau of system 'four-bar' must have shape \(3,\)"),
    (lambda s, e: e.accelerations([1, 0, 1], [0, 0, 0], tau=np.zeros((2, 3))), "has 2 rows for 1 states"),
    (lambda s, e: e.closure.multipliers([1, 0, 1], [0, 0, 0], tau=[0, np.nan, 0]), r"is nan at \[1\]"),
])  # fmt: skip
def test_odd_questions_about_loops_and_equations_are_refused(asked, said):
    system = four_bar()
    with pytest.raises(vc.errors.VinculumError, match=said):
        asked(system, vc.derive(system))


def test_parameters_that_only_unilateral_constraints_have_run_in_every_phase():
    r, e = vc.parameter("r", 0.03), 0.5
    system = vc.System("ball", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.03), mass=0.05))
    gap = lambda b: b.position[2] - r
    point = lambda b: b.position - np.array([0, 0, 1.0]) * r
    system.add(vc.Unilateral("floor", ["ball"], gap=gap, point=point, impact=vc.Newton(e), friction=vc.Coulomb(0.3)))
    start = {"ball": vc.At((0, 0, 0.1), rate=(0, 0, 0, 0, 20.0, 0))}
    motion = vc.simulate(system, 0.4, start, parameters={"r": 0.04})
    assert motion.audit().passed and motion.body("ball").position[:, 2].min() > 0.04 - 1e-9


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-308])
def test_starts_too_small_to_be_normal_numbers_run(size):
    system = vc.System("machine", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("a", 1.0, (0, 0, -0.5), inertia=(1.0, 1.0, 1.0)))
    system.add(vc.Revolute("j", "ground", "a", axis=(0, 1, 0)))
    for method in ("auto", "dop853"):
        assert vc.simulate(system, 0.1, {"j": vc.At(size, rate=size)}, method=method).audit().verdict != "failed"


def test_a_motion_without_changes_of_contact_is_one_phase():
    motion = vc.simulate(hinge(), 0.1, grid=3)
    assert motion.record.in_phases() == [motion.record]
    ball = vc.System("ball", gravity=(0, 0, -9.81))
    ball.add(vc.MassPoint("b", 1.0))
    ball.add(vc.Unilateral("floor", ["b"], gap=lambda b: b.position[2], impact=vc.Inelastic()))
    stepped = vc.simulate(ball, 0.1, {"b": (0, 0, 1.0)}, method="moreau", step=0.01)
    with pytest.raises(vc.errors.StartError, match="knows no phases"):
        stepped.record.in_phases()
