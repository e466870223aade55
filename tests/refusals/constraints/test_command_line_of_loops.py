"""The commands count the freedoms of closed loops, and name the joints that close them."""

import json

import pytest
from typer.testing import CliRunner

from vinculum.cli.app import app

ROD = "\n[bodies.{0}]\nmass = {1}\ncom = [{2}, 0, 0]\ninertia = [0.001, {1}, {1}]\n"
HINGE = '\n[joints.{0}]\nkind = "revolute"\nparent = "{1}"\nchild = "{2}"\nat = [{3}, 0, 0]\n'
MODEL = (
    '[system]\nname = "four-bar"\ngravity = [0, -9.81, 0]\n\n[parameters]\nrocker = "2 m"\n'
    + "".join(ROD.format(*row) for row in (("crank", 1.0, 0.5), ("coupler", 2.5, 1.25), ("rocker", 2.0, 1.0)))
    + "".join(HINGE.format(*row) for row in (("A", "ground", "crank", 0), ("B", "crank", "coupler", 1.0),
                                              ("D", "ground", "rocker", 2.2), ("C", "coupler", "rocker", 2.5)))
    + 'to = ["rocker", 0, 0]\n\n[start]\nA = 1.0\n\n[run]\nuntil = "0.1 s"\n'
)  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.toml").write_text(MODEL)
    return tmp_path


def call(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_four_bar_has_one_degree_of_freedom_and_four_joints(here):
    facts = json.loads(call("info", "loop.toml", "--json").stdout)
    assert facts["degrees_of_freedom"] == 1
    assert [(j["name"], len(j["coordinates"])) for j in facts["joints"]] == [("A", 1), ("B", 1), ("D", 1), ("C", 0)]
    done = call("run", "loop.toml", "--out", "run.zarr", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["degrees_of_freedom"] == 1
    assert json.loads(call("info", "run.zarr", "--json").stdout)["degrees_of_freedom"] == 1
    assert "1 degree of freedom" in call("info", "loop.toml").stdout


def test_a_loop_that_cannot_close_is_still_described(here):
    (here / "loop.toml").write_text(MODEL.replace('"2 m"', '"9 m"'))
    facts = json.loads(call("info", "loop.toml", "--json").stdout)
    assert facts["degrees_of_freedom"] is None
    assert "cannot be closed" in facts["loops"][0]


def test_a_plot_of_a_closing_joint_is_refused_by_what_it_is(here):
    done = call("plot", "loop.toml", "C", "--out", "c.png")
    assert done.exit_code != 0
    assert "closes a loop and has no coordinates" in done.output + str(done.exception)
