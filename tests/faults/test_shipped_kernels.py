"""Compiled kernels of a wheel are used where they fit; damaged, of another version or for another processor they are as none."""

import hashlib
import importlib.util
import json
import os
import pickle
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from vinculum.compile.disk import numba_cache, shipped

PACKAGING = Path(__file__).parents[2] / "packaging"
PLACED = """
import numpy as np
from vinculum.collision.arrays import Shapes
from vinculum.contact.free_bodies.arrays import Flight, Inertia, Mounting
from vinculum.contact.free_bodies.flights import place_shapes
one, turn, unit = np.zeros((1, 3)), np.zeros((1, 3, 3)), np.eye(3)[None]
shapes = Shapes(one.copy(), turn, np.zeros(1, dtype=np.int64), one.copy(), np.ones(1))
flight = Flight(one.copy(), np.zeros((1, 4)), turn.copy(), np.zeros((1, 8)), one.copy(), np.eye(3), np.eye(3))
place_shapes(False, one, np.array([[1.0, 0, 0, 0]]), shapes, Mounting(one, unit), Inertia(unit, unit), flight)
print(turn[0, 0, 0], sum(place_shapes.stats.cache_hits.values()))
"""
STAMP, SIGNATURE, CODE = b"stamp", ("float64",), ("hash", "hash")
HERE = shipped.Target("any", "")
known = pytest.mark.skipif(platform.machine() not in shipped.TARGETS, reason="no wheel is made for this machine")


def sealed(path, thing):
    content = pickle.dumps(thing)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(hashlib.sha256(content).digest() + content)


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    """A folder as a wheel has it, with one function in it, and what is found there for its signature."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr(shipped, "_is_chosen", lambda: False)
    made = shipped.made_here(HERE)
    sealed(tmp_path / "room" / "f.nbi", ("version", STAMP, {(SIGNATURE, (made.triple, "any", ""), CODE): "f.1.nbc"}))
    sealed(tmp_path / "room" / "f.1.nbc", "machine code")
    (tmp_path / shipped.MANIFEST).write_text(json.dumps(made._asdict()))

    def found(stamp=STAMP, signature=SIGNATURE, code=CODE, index="f.nbi"):
        shipped.magic.cache_clear()
        return shipped.fetch(Path("room"), index, stamp, (signature, ("triple", "this cpu", "its features"), code))

    yield found
    shipped.magic.cache_clear()


def test_what_fits_is_found(kernels):
    assert kernels() == "machine code"


def test_other_sources_signatures_and_functions_find_nothing(kernels):
    assert kernels(stamp=b"another") is None
    assert kernels(signature=("int64",)) is None
    assert kernels(code=("changed", "hash")) is None
    assert kernels(index="g.nbi") is None


@pytest.mark.parametrize("field", ["python", "numba", "llvmlite", "triple"])
def test_kernels_of_another_version_or_platform_are_as_none(kernels, tmp_path, field):
    path = tmp_path / shipped.MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: "another"}))
    assert kernels() is None


def test_kernels_for_features_that_the_processor_lacks_are_as_none(kernels, tmp_path):
    made = shipped.made_here(shipped.Target("any", "+no-such-feature"))
    sealed(tmp_path / "room" / "f.nbi", ("version", STAMP, {(SIGNATURE, made[3:], CODE): "f.1.nbc"}))
    (tmp_path / shipped.MANIFEST).write_text(json.dumps(made._asdict()))
    assert kernels() is None


def test_who_chooses_a_processor_gets_no_kernels_of_another(kernels, monkeypatch):
    monkeypatch.setattr(shipped, "_is_chosen", lambda: True)
    assert kernels() is None


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"python": 3}', "\0", '{"more": 1}'])
def test_a_damaged_manifest_is_as_none(kernels, tmp_path, text):
    (tmp_path / shipped.MANIFEST).write_text(text)
    assert kernels() is None


def test_without_a_folder_there_is_nothing(kernels, tmp_path):
    shutil.rmtree(tmp_path / "room")
    assert kernels() is None
    (tmp_path / shipped.MANIFEST).unlink()
    assert kernels() is None


@pytest.mark.parametrize("name", ["f.nbi", "f.1.nbc"])
def test_damaged_files_are_as_none(kernels, tmp_path, name):
    path = tmp_path / "room" / name
    whole = path.read_bytes()
    for content in (b"", whole[:20], whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1])):
        path.write_bytes(content)
        assert kernels() is None
    path.write_bytes(whole)
    assert kernels() == "machine code"


@pytest.mark.parametrize(
    "content", [b"no pickle", b"cnowhere\nnothing\n.", pickle.dumps(3), pickle.dumps((1, STAMP, 3))]
)
def test_an_index_that_says_something_else_is_as_none(kernels, tmp_path, content):
    (tmp_path / "room" / "f.nbi").write_bytes(hashlib.sha256(content).digest() + content)
    assert kernels() is None


@known
@pytest.mark.skipif(not PACKAGING.exists(), reason="the scripts of a wheel are not here")
def test_kernels_compiled_for_the_wheels_processor_run_here_and_damaged_ones_are_compiled_anew(tmp_path):
    """A package with kernels as `make wheel` arranges them, and users with empty caches."""
    package = tmp_path / "site" / "vinculum"
    shutil.copytree(numba_cache.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "shipped"))
    spec = importlib.util.spec_from_file_location("ship_kernels", PACKAGING / "ship_kernels.py")
    ship = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(ship)

    def out(cache, **more):
        environment = os.environ | {"VINCULUM_CACHE": str(tmp_path / cache), "PYTHONPATH": str(package.parent)} | more
        done = subprocess.run([sys.executable, "-c", PLACED], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    target, folder = shipped.TARGETS[platform.machine()], package / "shipped"
    assert out("build", **ship.compiling_for(target)) == ["1.0", "0"]
    ship.arrange(tmp_path / "build", package, folder)
    (folder / shipped.MANIFEST).write_text(json.dumps(shipped.made_here(target)._asdict()))
    if not all(shipped._has([feature]) for feature in target.features.split(",")):
        pytest.skip("this processor is older than those that the wheel is made for")
    assert out("user") == ["1.0", "1"]
    assert not list((tmp_path / "user").rglob("*.nb?"))
    for path in folder.rglob("*.nbi"):
        path.write_bytes(path.read_bytes()[:-1])
    assert out("user") == ["1.0", "0"]
    assert list((tmp_path / "user").rglob("*.nbc"))


@pytest.mark.skipif(not PACKAGING.exists(), reason="the scripts of a wheel are not here")
def test_every_run_whose_kernels_a_wheel_ships_can_be_described(monkeypatch):
    spec = importlib.util.spec_from_file_location("first_runs", PACKAGING / "first_runs.py")
    runs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runs)

    class Begun(Exception):  # noqa: N818 no error: the run would begin
        pass

    def begin(*_, **__):
        raise Begun

    monkeypatch.setattr(runs.vc, "simulate", begin)
    for make in (runs.RUNS | runs.MORE).values():
        with pytest.raises(Begun):
            make()
