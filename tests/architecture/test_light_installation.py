"""A light installation describes, runs, certifies, stores and shows motions, and says which extra the rest needs."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest

from vinculum.errors import EXTRAS, absence

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIGHT = f"""
import sys
for name in {sorted(EXTRAS)}:
    sys.modules[name] = None  # importing it fails, as where it is not installed

import numpy as np
import vinculum as vc

def refused(call):
    try:
        call()
    except vc.errors.MethodError as error:
        return str(error)
    raise AssertionError("a call that needs an absent package was answered")

def double_pendulum():
    system = vc.System("double pendulum", gravity=(0, 0, -9.81))
    upper = system.add(vc.RigidBody("upper", mass=1.0, com=(0, 0, -0.5), inertia=(0.084, 0.084, 0.001)))
    lower = system.add(vc.MassPoint("lower", mass=0.5))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1), to=(0, 0, 0.6)))
    return system
"""


def run_light(code, folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", LIGHT + dedent(code)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        env=environment,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_a_light_installation_describes_runs_certifies_stores_and_shows(tmp_path):
    said = run_light(
        """
        system = double_pendulum()
        motion = vc.simulate(system, 2.0, {"shoulder": 1.0}, progress=False)
        assert motion.audit().passed
        motion.save("run.zarr")
        assert vc.load("run.zarr").audit().passed
        motion.plot.view("run.html", browser=False)
        assert "Not drawn: this needs Matplotlib" in motion._repr_html_()
        print(motion.record.method)
        """,
        tmp_path,
    )
    assert "dop853" in said
    assert (tmp_path / "run.html").stat().st_size > 100_000


@pytest.mark.slow
def test_loops_and_contacts_run_in_a_light_installation(tmp_path):
    run_light(
        """
        ball = vc.System("ball", gravity=(0, 0, -9.81))
        point = ball.add(vc.MassPoint("ball", 1.0))
        ball.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Newton(0.5), friction=vc.Coulomb(0.3),
                               point=lambda b: b.position))
        start = {"ball": vc.At((0, 0, 1.0), rate=(1, 0, 0))}
        for method in ({"method": "dop853"}, {"method": "moreau", "step": 1e-3}):
            assert vc.simulate(ball, 0.8, start, progress=False, **method).audit().passed
        loop = vc.System("four bar", gravity=(0, 0, -9.81))
        a, b, c = (loop.add(vc.RigidBody(n, mass=1.0, com=(0.5, 0, 0), inertia=(0.01, 0.08, 0.08))) for n in "abc")
        y = (0, 1, 0)
        loop.add(vc.Revolute("1", "ground", a, axis=y))
        loop.add(vc.Revolute("2", a, b, axis=y, at=(1, 0, 0)))
        loop.add(vc.Revolute("3", b, c, axis=y, at=(1, 0, 0)))
        loop.add(vc.Revolute("4", "ground", c, axis=y, at=(1.2, 0, 0), to=(1, 0, 0)))
        start = {"1": -1.2, "2": 1.2, "3": 1.0}
        closed = vc.simulate(loop, 1.0, start, repair=True, progress=False)
        assert closed.audit().passed
        pair = vc.System("pair", gravity=(0, 0, -9.81))
        for name in "ab":
            pair.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.1), density=1000.0))
        pair.add(vc.Contact("touch", ["a", "b"], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Newton(0.3)))
        motion = vc.simulate(pair, 0.3, {"a": (0, 0, 0.15), "b": (0.01, 0, 0.4)}, progress=False)
        assert np.isfinite(motion.q).all()
        """,
        tmp_path,
    )


def test_every_door_to_an_absent_package_names_the_extra(tmp_path):
    said = run_light(
        """
        system = double_pendulum()
        motion = vc.simulate(system, 0.5, {"shoulder": 1.0}, progress=False)
        rolling = vc.LagrangianSystem("swing", ["phi"], lambda q, v: 0.5 * v[0] ** 2 + 9.81 * vc.math.cos(q[0]))
        print(refused(lambda: vc.simulate(system, 1.0, {"shoulder": 1.0}, method="taylor")))
        print(refused(lambda: vc.simulate(system, 1.0, {"shoulder": 1.0}, method="idas", progress=False)))
        print(refused(lambda: vc.derive(system).sympy()))
        print(refused(lambda: rolling.equations().latex()))
        assert "Not drawn: this needs SymPy" in rolling.equations()._repr_html_()
        print(refused(lambda: motion.plot("shoulder", path="plot.png")))
        print(refused(lambda: motion.plot.picture(0.1)))
        print(refused(lambda: motion.plot.report("run.html")))
        print(refused(lambda: motion.plot.animate("run.gif")))
        print(refused(lambda: motion.to_xarray()))
        print(refused(lambda: motion.replace(v=1.001 * motion.v)))
        print(refused(lambda: vc.linearize(system)))
        print(refused(lambda: vc.shapes.Polytope([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]).volume))
        """,
        tmp_path,
    )
    lines = said.splitlines()
    extras = ["taylor", "solvers", "formulas", "formulas", *["plots"] * 4, "datasets", *["numerics"] * 3]
    assert [line.split("vinculum[")[1].split("]")[0] for line in lines] == extras, said
    assert lines[2] == (
        "Equations.sympy: this needs SymPy, which is not installed; install it with `pip install 'vinculum[formulas]'`"
    )
    assert not [path.name for path in tmp_path.iterdir()], "a refused call leaves no file"


def test_the_command_line_names_the_extra_and_writes_nothing(tmp_path):
    (tmp_path / "model.toml").write_text(
        (ROOT / "examples" / "double_pendulum.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    said = run_light(
        """
        from typer.testing import CliRunner
        from vinculum.cli.app import app
        done = CliRunner().invoke(app, ["run", "model.toml", "--out", "run.zarr", "--quiet"])
        assert done.exit_code == 0, done.output
        for words in (["plot", "run.zarr", "--out", "run.png"], ["report", "run.zarr", "--out", "run.html"],
                      ["run", "model.toml", "--out", "other.zarr", "--plot", "run.png"], ["view", "run.zarr", "--out", "run.gif"]):
            done = CliRunner().invoke(app, words)
            print(done.exit_code, done.output.strip())
        done = CliRunner().invoke(app, ["view", "run.zarr", "--out", "page.html", "--no-browser", "--quiet"])
        assert done.exit_code == 0, done.output
        done = CliRunner().invoke(app, ["doctor"])
        assert "Traceback" not in done.output
        """,
        tmp_path,
    )
    lines = said.splitlines()
    assert len(lines) == 4 and all(
        line.startswith("2 vinculum: run.") and "vinculum[plots]" in line for line in lines
    ), said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.toml", "page.html", "run.zarr"]


def test_the_extras_of_the_table_are_those_of_the_project():
    told = PROJECT["optional-dependencies"]
    assert {extra for _, extra in EXTRAS.values()} <= set(told)
    single = {
        line for name in ("taylor", "formulas", "plots", "numerics", "solvers", "datasets") for line in told[name]
    }
    assert set(told["full"]) == single
    names = {line.split(">")[0].split("<")[0] for line in PROJECT["dependencies"]}
    assert names.isdisjoint({"heyoka", "sympy", "matplotlib", "scipy", "casadi", "xarray", "trimesh"})


@pytest.mark.parametrize("package", sorted(EXTRAS))
def test_an_error_that_was_caused_by_an_absence_is_told_too(package):
    inner = ModuleNotFoundError(f"No module named '{package}'", name=f"{package}.inside")
    outer = RuntimeError("compiling failed")
    outer.__cause__ = inner
    assert f"vinculum[{EXTRAS[package][1]}]" in str(absence(outer))
    assert absence(ModuleNotFoundError("No module named 'beads'", name="beads")) is None
