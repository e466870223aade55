"""Constraints on the command line: comparison of realizations, integrability, repair, and what is refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vinculum.cli.app import app

SKATE = """
[bodies.blade]
mass = 1
inertia = [1, 1, 0.7]
[joints.ice]
kind = "planar"
parent = "ground"
child = "blade"
[constraints.edge]
kind = "knife_edge"
body = "blade"
realization = "dalembert"
[start.ice]
rate = [1.3, 0, 0.9]
[run]
until = 4
grid = 101
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "skate.toml").write_text(SKATE, encoding="utf-8")
    return tmp_path


def call(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_realizations_are_compared_and_drawn(here):
    """Ends of the skate are those published for d'Alembert's circle and for the vakonomic motion."""
    done = call("compare", "skate.toml", "--with", "vakonomic=0,viscous_friction=1e3", "--plot", "edge.png", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [x["realization"] for x in found["realizations"]] == ["d'Alembert", "vakonomic", "viscous friction"]
    assert found["realizations"][0]["end"] == pytest.approx([-0.63919620, 2.73976216, 3.6], abs=1e-8)
    assert found["realizations"][1]["end"][:3] == pytest.approx([2.80999675, 0.32741435, 5.39047925], abs=1e-8)
    assert (here / "edge.png").stat().st_size > 10_000
    said = call("compare", "skate.toml", "--with", "vakonomic=[0.25]", "--until", 1).stdout
    assert "realized in 2 ways, 1 s" in said and "passed" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--with", "glue"], "--with \"glue\": 'glue' is not a realization"),
        (["--with", "viscous_friction"], "viscous_friction needs its coefficient; write viscous_friction=1000"),
        (["--with", "dalembert=3"], "dalembert takes no number"),
        (["--with", "vakonomic=x"], "asks for 'x'"),
        (["--with", "vakonomic=1 2"], "'1 2' is not a number"),
        (["--with", "viscous_friction=-1"], "coefficient -1 is not positive"),
        (["--with", "viscous_friction=[1]"], "coefficient must be a number"),
        (["--with", "penalty=1e4"], "a penalty is an energy of positions"),
        (["--with", "vakonomic=0", "--constraint", "egde"], "did you mean 'edge'"),
        (["--with", "vakonomic=0", "--plot", "edge.txt"], "must end in .png"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_refused(here, words, message):
    done = call("compare", "skate.toml", *words)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_model_without_constraints_has_nothing_to_compare(here):
    text = SKATE.split("[constraints.edge]")[0] + SKATE.split('realization = "dalembert"')[1]
    Path("bare.toml").write_text(text, encoding="utf-8")
    assert "add one in a table [constraints.name]" in call("compare", "bare.toml", "--with", "chetaev").stderr
    assert "has no constraint on velocities" in call("integrability", "bare.toml").stderr


def test_integrability_is_told_in_words_and_as_json(here):
    assert "'edge' of 'skate' are nonholonomic" in call("integrability", "skate.toml").stdout
    found = json.loads(call("integrability", "skate.toml", "edge", "--json").stdout)
    assert (found["verdict"], found["growth"], found["model"]) == ("nonholonomic", [2, 3], "skate.toml")
    assert "did you mean 'edge'" in call("integrability", "skate.toml", "egde").stderr


def test_a_start_that_breaks_a_constraint_is_repaired_when_asked(here):
    Path("skate.toml").write_text(SKATE.replace("[1.3, 0, 0.9]", "[1.3, 0.5, 0.9]"), encoding="utf-8")
    done = call("run", "skate.toml")
    assert done.exit_code == 2
    assert "'edge' is violated by 0.5" in done.stderr and "or --repair" in done.stderr
    done = call("run", "skate.toml", "--repair", "--json")
    assert done.exit_code == 0
    assert "to meet the constraints" in json.loads(done.stdout)["log"][0]
    Path("skate.toml").write_text(SKATE.replace("0, 0.9]", "0.5, 0.9]") + "repair = true\n", encoding="utf-8")
    assert call("run", "skate.toml", "--quiet").exit_code == 0


def test_info_lists_constraints(here):
    assert "knife" not in (said := call("info", "skate.toml").stdout)
    assert "edge" in said and "velocities" in said and "DAlembert" in said
    (edge,) = json.loads(call("info", "skate.toml", "--json").stdout)["constraints"]
    assert edge == {
        "name": "edge",
        "on": "velocities",
        "rows": 1,
        "realization": "DAlembert",
        "bodies": ["blade", "ground"],
    }
