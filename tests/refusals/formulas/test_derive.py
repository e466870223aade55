"""What `derive` and its results refuse, and what they say."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import vinculum as vc
from machines import brick, double_pendulum
from vinculum.cli.app import app

MODEL = """
[system]
name = "pendulum"
gravity = [0, 0, -9.81]
[parameters]
m = 1.0
[bodies.rod]
mass = "m"
com = [0, 0, -0.5]
inertia = [0.084, 0.084, 0.001]
[joints.hinge]
kind = "revolute"
parent = "ground"
child = "rod"
axis = [0, 1, 0]
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.toml").write_text(MODEL)
    return tmp_path


def call(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_an_unknown_form_is_named_with_the_nearest():
    with pytest.raises(
        vc.errors.MethodError, match=r"there is no form 'lagrnage' of the equations; did you mean 'lagrange'\?"
    ):
        vc.derive(double_pendulum(), "lagrnage")


@pytest.mark.parametrize("form", ["lagrange", "hamilton"])
def test_a_form_that_needs_rates_refuses_quaternions_and_names_the_remedies(form):
    with pytest.raises(vc.errors.MethodError, match="joint 'brick' has 7 coordinates for 6 velocities") as caught:
        vc.derive(brick(), form)
    for remedy in ('form="newton-euler"', 'form="telegin"', 'chart="fedorov"', '"xyz"'):
        assert remedy in str(caught.value)


def test_a_system_that_cannot_move_has_no_equations():
    system = vc.System("rock")
    body = system.add(vc.RigidBody("rock", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Weld("glue", "ground", body))
    with pytest.raises(vc.errors.MethodError, match="system 'rock' has no velocities"):
        vc.derive(system)


def test_something_else_than_a_system_is_refused():
    with pytest.raises(vc.errors.StartError, match=r"a vc\.System is needed, got str"):
        vc.derive("pendulum")


@pytest.mark.parametrize(
    ("coordinates", "message"),
    [
        (3, "coordinates must be a function"),
        (lambda a: [a], "must return {joint: coordinate}, got list"),
        (
            lambda a, b: {"theta1": a, "thet2": b},
            "no joint 'thet2' in system 'double pendulum'; did you mean 'theta2'?",
        ),
        (lambda a, b: {"theta1": [a, b]}, "joint 'theta1' has 1 coordinates, got an array of shape"),
        (lambda a, b: {"theta1": a + b, "theta2": a + b}, "only 1 independent ways of 2"),
        (lambda a, b: {"theta1": a if a > 0 else b}, "cannot decide an `if`"),
    ],
)
def test_coordinates_that_cannot_be_are_refused(coordinates, message):
    with pytest.raises(vc.errors.VinculumError) as caught:
        vc.derive(double_pendulum(), coordinates=coordinates)
    assert message in str(caught.value)


def test_states_of_the_wrong_shape_are_refused():
    equations = vc.derive(double_pendulum())
    with pytest.raises(
        vc.errors.StartError, match=r"q of 'double pendulum' must have shape \(2,\) or \(B, 2\), got \(3,\)"
    ):
        equations.mass_matrix([0.1, 0.2, 0.3])
    with pytest.raises(vc.errors.StartError, match=r"batches of different lengths \[3, 4\]"):
        equations.accelerations(np.zeros((3, 2)), np.zeros((4, 2)))
    with pytest.raises(vc.errors.StartError, match="v: 'fast' is not made of numbers"):
        equations.bias([0.1, 0.2], "fast")
    with pytest.raises(
        vc.errors.StartError, match="no parameter 'm3' in system 'double pendulum'; known: g, l1, l2, m1, m2"
    ):
        equations.bias([0.1, 0.2], [0, 0], parameters={"m3": 1.0})
    with pytest.raises(vc.errors.ModelError, match="mass"):
        equations.bias([0.1, 0.2], [0, 0], parameters={"m1": -1.0})


@pytest.mark.parametrize("compiled", [False, True])
def test_numbers_that_are_not_finite_are_never_returned(compiled):
    equations = vc.derive(double_pendulum())
    if compiled:
        equations.code.compile()
        equations.accelerations(np.zeros(2), np.zeros(2))
    for q in ([np.nan, 0.1], [np.inf, 0.1]):
        with pytest.raises(vc.errors.RunError, match="accelerations of 'double pendulum' is not finite at this state"):
            equations.accelerations(np.array(q), np.zeros(2))


def test_a_massless_leaf_has_no_accelerations():
    system = vc.System("dumbbell")
    body = system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.Revolute("spin", "ground", body, axis=(0, 0, 1)))
    with pytest.raises(vc.errors.ModelError, match="some velocity moves no mass or inertia"):
        vc.derive(system).accelerations([0.0], [0.0])


def test_blocks_are_refused_where_there_are_none():
    with pytest.raises(vc.errors.MethodError, match="the form 'hamilton' has no block matrices here"):
        vc.derive(double_pendulum(), "hamilton").blocks([0, 0], [0, 0])


def test_a_file_name_that_is_no_c_name_is_refused(tmp_path):
    with pytest.raises(vc.errors.FileError, match="'2 links' cannot be one"):
        vc.derive(double_pendulum()).code.c99(tmp_path / "2 links.c")
    with pytest.raises(vc.errors.FileError, match="cannot be written"):
        vc.derive(double_pendulum()).code.c99(tmp_path / "nowhere" / "links.c")


def test_the_command_prints_formulas_json_and_code(here):
    assert r"\ddot{\theta}_{\mathrm{hinge}}" in call("derive", "model.toml").stdout
    assert call("derive", "model.toml", "--latex").stdout.startswith("\\begin{aligned}")
    document = json.loads(call("derive", "model.toml", "--form", "hamilton", "--json").stdout)
    assert document["coordinates"] == ["hinge"]
    assert document["latex"][0].startswith("H = ")
    assert document["operations"]["shared"] <= document["operations"]["written"]
    done = call("derive", "model.toml", "--c", "pendulum.c")
    assert done.exit_code == 0
    assert sorted(path.name for path in here.iterdir()) == ["model.toml", "pendulum.c", "pendulum.h"]
    assert "void pendulum(const double *in, double *out);" in (here / "pendulum.h").read_text()


def test_the_command_refuses_an_unknown_form(here):
    done = call("derive", "model.toml", "--form", "newton")
    assert done.exit_code == 2
    assert "there is no form 'newton'" in done.stderr
    document = json.loads(call("derive", "model.toml", "--form", "newton", "--json").stdout)
    assert document["error"]["exit_code"] == 2


@pytest.mark.parametrize("name", ["int", "sin.c", "main.h"])
def test_words_that_c_has_already_are_no_names_of_functions(tmp_path, name):
    system = vc.System("pendulum", gravity=(0, -9.81, 0))
    system.add(vc.RigidBody("bob", 1.0, (1, 0, 0), np.eye(3)))
    system.add(vc.Revolute("pivot", "ground", "bob"))
    with pytest.raises(vc.errors.FileError, match="means something in C already; choose another name"):
        vc.derive(system).code.c99(tmp_path / name)
    assert not list(tmp_path.iterdir())
