"""The house keeps its order: rows, light imports, public names, file names."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import vinculum

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src" / "vinculum").rglob("*.py"))
HEAVY = ("heyoka", "sympy", "numba", "scipy.integrate", "xarray", "zarr", "matplotlib", "skfem")
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "core", "misc"}


def python(code):
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)


def test_rooms_import_only_from_lower_rows():
    done = python("from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("described", ["", "; vc.System('s').add(vc.RigidBody('b', 1.0, inertia=(1, 1, 1)))"])
def test_importing_vinculum_and_describing_a_system_load_nothing_heavy(described):
    done = python(f"import json, sys, vinculum as vc{described}; print(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout))
    assert "vinculum" in loaded
    assert loaded.isdisjoint(HEAVY), sorted(loaded.intersection(HEAVY))


def test_there_are_public_names_and_none_twice():
    assert vinculum.__all__
    assert len(vinculum.__all__) == len(set(vinculum.__all__))


@pytest.mark.parametrize("name", getattr(vinculum, "__all__", ()))
def test_every_public_name_resolves(name):
    assert getattr(vinculum, name) is not None


def test_an_unknown_public_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        vinculum.no_such_name  # noqa: B018


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_no_file_or_folder_has_a_name_that_says_nothing(path):
    inside = path.relative_to(ROOT / "src").with_suffix("")
    assert EMPTY_NAMES.isdisjoint(inside.parts)


def test_every_dependency_has_a_lower_bound_and_those_whose_inside_is_used_an_upper_one():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [line for extra in told["optional-dependencies"].values() for line in extra]
    assert [line for line in [*told["dependencies"], *extras] if ">=" not in line] == []
    bounded = {line.split(">=")[0] for line in [*told["dependencies"], *extras] if "<" in line}
    assert {"numba", "llvmlite", "heyoka", "zarr"} <= bounded
