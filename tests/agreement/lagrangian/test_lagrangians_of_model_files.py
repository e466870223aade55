"""Lagrangians in model files are those of Python, in library and command line."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import vinculum as vc
from vinculum.cli.app import app

cos = vc.math.cos

SWING = """
[system]
name = "swinging spring"
[parameters]
m = 1.5
k = 40.0
g = 9.81
c = "0.1*m"
[tables.pull]
x = [-1, 0, 1, 9]
y = [0.2, 0.1, 0, 0]
kind = "pchip"
outside = "flat"
[lagrangian]
coordinates = ["r", "theta"]
function = "m*(r_dot**2 + r**2*theta_dot**2)/2 + m*g*r*cos(theta) - k*(r - 1)**2/2"
dissipation = ["-c*r_dot", "pull(t)"]
[start]
r = {position = 1.2, rate = "c"}
theta = ["30 deg", 0.5]
[events.plumb]
function = "theta"
direction = 1
[run]
until = 5
grid = 101
"""
SPEED = """
[lagrangian]
coordinates = ["x", "y"]
function = "(x_dot**2 + y_dot**2)/2 - 9.81*y"
[constraints.speed]
function = "x_dot**2 + y_dot**2 - 4"
realization = "chetaev"
[start]
x = [0, 2]
[run]
until = 1
grid = 101
"""
JERK = """
[lagrangian]
coordinates = ["x", "y"]
function = "(x_dot**2 + y_dot**2)/2"
[constraints.size]
function = ["(x_ddot**2 + y_ddot**2 - 1)/2"]
realization = {kind = "vakonomic", multipliers = [0.5, 0.1]}
[start]
x = [0, 1, 0, 0.4]
y = [0, 0, 1, 0]
[run]
until = 3
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("swing", SWING), ("speed", SPEED), ("jerk", JERK)):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def moved(name, **more):
    file = vc.read_model(f"{name}.toml")
    return vc.simulate(file.system, start=file.start, events=file.events, progress=False, **{**file.run, **more})


def call(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_a_swinging_spring_of_a_file_is_that_of_python(here):
    pull = vc.Table("pull", [-1, 0, 1, 9], [0.2, 0.1, 0, 0], kind="pchip", outside="flat")
    system = vc.LagrangianSystem(
        "swinging spring",
        ["r", "theta"],
        lambda r, theta, r_dot, theta_dot: (
            0.75 * (r_dot**2 + r**2 * theta_dot**2) + 14.715 * r * cos(theta) - 20 * (r - 1) ** 2
        ),
        dissipation=lambda r_dot, t: [-0.15 * r_dot, pull(t)],
    )
    start = {"r": vc.At(1.2, rate=0.15), "theta": [np.pi / 6, 0.5]}
    same = vc.simulate(system, 5.0, start, grid=101, progress=False)
    motion = moved("swing")
    np.testing.assert_allclose(motion.q, same.q, rtol=0, atol=1e-10)
    assert motion.audit().passed
    assert [c.name for c in motion.record.crossings] == ["plumb"] * len(motion.record.crossings) and len(
        motion.record.crossings
    ) == 2
    np.testing.assert_allclose(motion.at([c.time for c in motion.record.crossings])["theta"], 0.0, rtol=0, atol=1e-12)


def test_parameters_of_a_lagrangian_file_can_be_changed(here):
    file = vc.read_model("swing.toml", {"m": 3.0})
    one = vc.simulate(file.system, 1.0, file.start, progress=False)
    file = vc.read_model("swing.toml")
    other = vc.simulate(file.system, 1.0, file.start, parameters={"m": 3.0}, progress=False)
    np.testing.assert_allclose(one.q, other.q, rtol=0, atol=1e-13)
    assert one.record.parameters["m"] == other.record.parameters["m"] == 3.0


def test_fixed_speed_of_a_file_ends_where_it_is_published(here):
    """Gołubowska (77), with the end of the closed form."""
    assert moved("speed").q[-1] == pytest.approx([0.634446, -1.717394], abs=1e-6)


def test_a_constraint_on_accelerations_of_a_file_is_kept(here):
    motion = moved("jerk")
    assert np.abs(np.linalg.norm(motion.derivative(2), axis=1) - 1).max() < 1e-12
    assert motion.audit().passed


def test_every_command_takes_a_lagrangian(here):
    done = call("run", "speed.toml", "--json", "--out", "speed.zarr", "--plot", "speed.png")
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert facts["certificate"]["passed"] and facts["degrees_of_freedom"] == 1
    assert "PASSED" in call("audit", "speed.zarr").stdout
    assert call("plot", "speed.zarr", "x", "--out", "x.png").exit_code == 0
    assert "there is no coordinate 'z'" in call("plot", "speed.toml", "z", "--out", "z.png").stderr
    assert r"\ddot{x}" in call("derive", "speed.toml", "--latex").stdout
    assert json.loads(call("derive", "swing.toml", "--json").stdout)["parameters"] == {"g": 9.81, "k": 40.0, "m": 1.5}
    assert json.loads(call("info", "speed.toml", "--json").stdout)["constraints"][0]["realization"] == "Chetaev"
    assert json.loads(call("info", "speed.zarr", "--json").stdout)["coordinates"] == ["x", "y"]
    assert "theta" in call("info", "swing.toml").stdout and "speed" in call("info", "speed.zarr").stdout
    found = json.loads(call("compare", "speed.toml", "--with", "vakonomic=0", "--plot", "both.png", "--json").stdout)
    assert found["realizations"][1]["end"] == pytest.approx([0.935223, -1.633394], abs=1e-6)


def test_commands_that_look_at_bodies_refuse_a_lagrangian(here):
    for words in (
        ["audit", "--invariance", "speed.toml"],
        ["derive", "speed.toml", "--form", "telegin"],
    ):
        done = call(*words)
        assert done.exit_code == 2 and "speed.toml describes a Lagrangian" in done.stderr
