"""Killed processes, full disks, damaged and foreign folders: nothing is lost silently, nothing is read wrongly."""

import errno
import importlib
import json
import os
import signal
import subprocess
import sys
import time as clock
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import vinculum as vc
from records import altered
from vinculum.errors import FileError
from vinculum.motion.storage import recorder

MODEL = """
import numpy as np
import vinculum as vc

def pendulum():
    arm = vc.System("double pendulum", gravity=(0, 0, -9.81))
    upper = arm.add(vc.RigidBody("upper", mass=1.0, com=(0, 0, -0.5), inertia=np.diag([0.084, 0.084, 0.001])))
    lower = arm.add(vc.RigidBody("lower", mass=0.5, com=(0, 0, -0.4), inertia=np.diag([0.030, 0.030, 0.001])))
    arm.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    arm.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    return arm

START = {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}
"""
scope: dict = {}
exec(MODEL, scope)
pendulum, START = scope["pendulum"], scope["START"]
LONG = 120.0  # seconds of motion that fill several chunks


def process(code: str, *arguments) -> subprocess.Popen:
    command = [sys.executable, "-c", MODEL + code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def committed(folder: Path) -> int:
    try:
        return json.loads((folder / "zarr.json").read_bytes())["attributes"]["steps"]
    except (OSError, ValueError, KeyError):
        return 0


def wait_for(condition, seconds=60.0):
    until = clock.monotonic() + seconds
    while not condition():
        assert clock.monotonic() < until, "waited in vain"
        clock.sleep(0.02)


@pytest.fixture(scope="module")
def motion():
    return vc.simulate(pendulum(), until=LONG, start=START)


@pytest.fixture
def run(motion, tmp_path) -> Path:
    motion.save(tmp_path / "run.zarr")
    return tmp_path / "run.zarr"


def refused(folder: Path, *words: str):
    """Loading says one sentence with these words, and never the error of another library."""
    with pytest.raises(FileError) as caught:
        list(vc.load(folder).record.pieces.blocks())
    message = str(caught.value)
    assert str(folder) in message and "\n" not in message
    for word in words:
        assert word in message


def test_a_killed_run_leaves_its_committed_steps(tmp_path, motion):
    out, partial = tmp_path / "run.zarr", tmp_path / ".run.zarr.partial"
    child = process("import sys; vc.simulate(pendulum(), until=1e7, start=START, out=sys.argv[1])", out)
    try:
        wait_for(lambda: committed(partial) > 100)
        with pytest.raises(FileError, match="another run is being written"):
            vc.simulate(pendulum(), until=1.0, start=START, out=out)
        assert len(vc.load(partial).record.pieces) > 100  # a run can be looked at while it goes on
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert os.listdir(tmp_path) == [".run.zarr.partial"]
    refused(out, "does not exist", str(partial))
    loaded = vc.load(partial)
    steps = len(loaded.record.pieces)
    assert steps == committed(partial) and "unfinished" in loaded.log[-1]
    assert loaded.record.pieces.end < 1e7 and loaded.time[-1] == loaded.record.pieces.end
    both = min(steps, len(motion.record.pieces)) - 1
    np.testing.assert_array_equal(loaded.record.pieces.times[:both], motion.record.pieces.times[:both])
    np.testing.assert_array_equal(loaded.record.pieces.coefficients[:both], motion.record.pieces.coefficients[:both])
    assert np.ptp(loaded.energy) < 1e-9
    vc.simulate(pendulum(), until=1.0, start=START, out=out)
    assert os.listdir(tmp_path) == ["run.zarr"]


def test_rows_beyond_the_committed_steps_do_not_exist(run, motion):
    head = json.loads((run / "zarr.json").read_bytes())
    head["attributes"] |= {"steps": 1000, "finished": False}
    (run / "zarr.json").write_text(json.dumps(head))
    loaded = vc.load(run)
    assert len(loaded.record.pieces) == 1000 and loaded.record.pieces.end == motion.record.pieces.times[1000]
    assert loaded.time[-1] == loaded.record.pieces.end and loaded.time[-2] < loaded.record.pieces.end
    np.testing.assert_array_equal(loaded.q[:-1], motion.q[: len(loaded.time) - 1])


@pytest.mark.parametrize(
    "chunk", [f"coefficients/c.{i}.0.0" for i in range(3)] + ["times/c.0", "grid/c.0", "model/c.0"]
)
def test_a_missing_chunk_is_an_error_that_names_it(run, chunk):
    (run / chunk).unlink()
    refused(run, chunk, "missing")


def test_a_chunk_that_goes_missing_after_loading_is_an_error_too(run):
    loaded = vc.load(run)
    (run / "coefficients" / "c.1.0.0").unlink()
    with pytest.raises(FileError, match=r"coefficients/c\.1\.0\.0' is missing"):
        loaded.at([LONG / 2]).q  # noqa: B018


@pytest.mark.parametrize("chunk", ["coefficients/c.1.0.0", "times/c.0", "grid/c.0"])
def test_a_chunk_cut_short_is_an_error(run, chunk):
    content = (run / chunk).read_bytes()
    (run / chunk).write_bytes(content[: len(content) // 2])
    refused(run, chunk, "bytes instead of")


@pytest.mark.parametrize("chunk", ["coefficients/c.1.0.0", "times/c.0", "grid/c.0", "model/c.0"])
def test_a_flipped_bit_is_an_error(run, chunk):
    content = bytearray((run / chunk).read_bytes())
    content[len(content) // 20] ^= 16
    (run / chunk).write_bytes(content)
    refused(run, chunk.partition("/")[0])


def test_truncated_model_data_is_an_error(run):
    content = (run / "model" / "c.0").read_bytes()
    for size in (0, 10, len(content) // 2, len(content) - 1):
        (run / "model" / "c.0").write_bytes(content[:size])
        refused(run, "model")


def test_another_model_is_not_taken_for_the_stored_one(run, tmp_path):
    free = vc.System("free")
    free.add(vc.RigidBody("box", mass=1.0, inertia=np.eye(3)))
    vc.simulate(free, until=1.0).save(tmp_path / "other.zarr")
    (run / "model").rename(tmp_path / "gone")
    (tmp_path / "other.zarr" / "model").rename(run / "model")
    refused(run, "model", "checksum")


@pytest.mark.parametrize("name", ["zarr.json", *(f"{a}/zarr.json" for a in ("times", "coefficients", "grid", "model"))])
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"null", b"\xff\x00", b"[" * 100_000, None])
def test_damaged_metadata_is_an_error(run, name, content):
    if content is None:
        (run / name).unlink()
    else:
        (run / name).write_bytes(content)
    refused(run)


@pytest.mark.parametrize(
    "changes",
    [{"format_version": 99}, {"format": "other"}, {"steps": -1}, {"steps": "many"}, {"steps": 10**9}, {"method": None},
     {"method": {"name": "magic", "tolerance": None, "step": None}}, {"parameters": {"mass": 1.0}}, {"parameters": []},
     {"model": "0" * 64}, {"crossings": 5}, {"events": 3}, {"steps": 0}],
)  # fmt: skip
def test_a_head_that_says_something_else_is_an_error(run, changes):
    head = json.loads((run / "zarr.json").read_bytes())
    head["attributes"] |= changes
    (run / "zarr.json").write_text(json.dumps(head))
    refused(run)


def test_objects_and_pickles_are_never_read(run):
    description = json.loads((run / "times" / "zarr.json").read_bytes())
    for change in ({"codecs": [{"name": "numcodecs.pickle"}]}, {"data_type": "object"}, {"zarr_format": 2},
                   {"storage_transformers": [{"name": "x"}]}):  # fmt: skip
        (run / "times" / "zarr.json").write_text(json.dumps(description | change))
        refused(run, "times", "not stored as Vinculum stores it")


def test_what_is_no_run_is_refused_with_its_reason(tmp_path):
    import zarr

    refused(tmp_path / "nothing", "does not exist")
    (tmp_path / "file").write_text("hello")
    refused(tmp_path / "file", "is a file")
    refused(tmp_path / "file" / "below", "does not exist")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", "no zarr.json")
    zarr.create_group(tmp_path / "foreign.zarr")
    refused(tmp_path / "foreign.zarr", "not a Vinculum run")
    for path in (None, 3, "a\0b", b"run.zarr"):
        with pytest.raises(FileError, match="not a path"):
            vc.load(path)


def test_what_is_no_place_is_refused(motion):
    for path in (None, 3, "a\0b", b"run.zarr"):
        with pytest.raises(FileError, match="not a path"):
            motion.save(path)
    for path in ("", "/", "."):
        with pytest.raises(FileError, match="not changed"):
            motion.save(path)


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_a_run_stopped_by_the_user_is_finished_and_kept(tmp_path):
    code = (
        "import sys; m = vc.simulate(pendulum(), until=1e7, start=START, out=sys.argv[1]); print(len(m.record.pieces))"
    )
    child = process(code, tmp_path / "run.zarr")
    try:
        wait_for(lambda: committed(tmp_path / ".run.zarr.partial") > 100)
        child.send_signal(signal.SIGINT)
        steps = int(child.communicate(timeout=60)[0])
    finally:
        child.kill()
        child.wait()
    loaded = vc.load(tmp_path / "run.zarr")
    assert len(loaded.record.pieces) == steps and "interrupted by the user" in loaded.log[-1]
    assert os.listdir(tmp_path) == ["run.zarr"]


def tree_of(folder: Path) -> dict:
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


@pytest.mark.parametrize("stream", [False, True], ids=["saved", "streamed"])
@pytest.mark.parametrize("place", ["file", "folder", "empty", "group", "in the way", "no parent", "below a file"])
def test_a_place_that_is_not_ours_is_left_alone(tmp_path, motion, stream, place):
    import zarr

    out = tmp_path / "run.zarr"
    if place == "file":
        out.write_text("precious")
    elif place == "folder":
        out.mkdir()
        (out / "thesis.txt").write_text("precious")
    elif place == "empty":
        out.mkdir()
    elif place == "group":
        zarr.create_group(out, attributes={"format": "other"})
    elif place == "in the way":
        (tmp_path / ".run.zarr.partial").mkdir()
        (tmp_path / ".run.zarr.partial" / "thesis.txt").write_text("precious")
    elif place == "no parent":
        out = tmp_path / "missing" / "run.zarr"
    else:
        (tmp_path / "file").write_text("precious")
        out = tmp_path / "file" / "run.zarr"
    before = tree_of(tmp_path)
    write = (lambda: vc.simulate(pendulum(), until=1.0, start=START, out=out)) if stream else (lambda: motion.save(out))
    with pytest.raises(FileError, match=r"run\.zarr") as caught:
        write()
    assert any(word in str(caught.value) for word in ("choose another path", "move it elsewhere"))
    assert tree_of(tmp_path) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_without_permission_is_refused(tmp_path, motion):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(FileError, match="Permission denied"):
        motion.save(closed / "run.zarr")
    assert os.listdir(closed) == []


class Failing:
    """Calls a function, except in the call ``at``, counted from zero, where the disk is full."""

    def __init__(self, function, at: int):
        self.function, self.at, self.calls = function, at, -1

    def __call__(self, *arguments, **options):
        self.calls += 1
        if self.calls == self.at:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.function(*arguments, **options)


@contextmanager
def suppress_full_disk():
    try:
        yield
    except FileError as error:
        if "No space left on device; free space" not in str(error):
            raise


@pytest.mark.parametrize("name", ["fsync", "rename", "replace"])
def test_wherever_saving_fails_the_earlier_run_stays_and_nothing_else(name, tmp_path, motion, monkeypatch):
    earlier = vc.simulate(pendulum(), until=1.0, start=START)
    earlier.save(tmp_path / "run.zarr")
    before = tree_of(tmp_path)
    whole = getattr(os, name)
    for at in range(500):
        failing = Failing(whole, at)
        monkeypatch.setattr(os, name, failing)
        with suppress_full_disk():
            motion.save(tmp_path / "run.zarr")
        monkeypatch.setattr(os, name, whole)
        if failing.calls < at:
            break
        if tree_of(tmp_path) != before:  # only the last fsync, of the parent folder, comes after the exchange
            assert name == "fsync" and len(vc.load(tmp_path / "run.zarr").record.pieces) == len(motion.record.pieces)
            break
    assert at > (5 if name == "fsync" else 0)


def full_after(monkeypatch, count: int):
    """Let zarr write ``count`` files and then fill the disk."""
    import zarr

    written, store = [], zarr.storage.LocalStore.set

    async def limited(self, key, value, *rest, **options):
        written.append(key)
        if len(written) > count:
            raise OSError(errno.ENOSPC, "No space left on device")
        return await store(self, key, value, *rest, **options)

    monkeypatch.setattr(zarr.storage.LocalStore, "set", limited)


@pytest.mark.parametrize("count", [0, 1, 3, 6, 8])
def test_a_full_disk_while_saving_leaves_nothing(count, tmp_path, motion, monkeypatch):
    full_after(monkeypatch, count)
    with pytest.raises(FileError, match="No space left on device; free space"):
        motion.save(tmp_path / "run.zarr")
    assert os.listdir(tmp_path) == []


def test_a_full_disk_at_the_start_of_a_stream_leaves_nothing(tmp_path, monkeypatch):
    full_after(monkeypatch, 2)
    with pytest.raises(FileError, match="No space left on device; free space"):
        vc.simulate(pendulum(), until=10.0, start=START, out=tmp_path / "run.zarr")
    assert os.listdir(tmp_path) == []


def test_a_full_disk_in_the_middle_of_a_stream_keeps_what_was_committed(tmp_path, motion, monkeypatch):
    monkeypatch.setattr(recorder, "SECONDS_BETWEEN_COMMITS", 0.0)
    for engine in ("taylor", "dop853"):
        monkeypatch.setattr(importlib.import_module(f"vinculum.integrators.{engine}.{engine}"), "LARGEST_CHUNK", 256)
    full_after(monkeypatch, 12)
    with pytest.raises(
        FileError, match=r"No space left on device; what was committed so far, \d+ steps?, stays in .*partial"
    ):
        vc.simulate(pendulum(), until=1e4, start=START, out=tmp_path / "run.zarr")
    assert os.listdir(tmp_path) == [".run.zarr.partial"]
    monkeypatch.undo()
    loaded = vc.load(tmp_path / ".run.zarr.partial")
    both = min(len(loaded.record.pieces), len(motion.record.pieces)) - 1
    np.testing.assert_array_equal(loaded.record.pieces.coefficients[:both], motion.record.pieces.coefficients[:both])


def test_a_run_that_raises_leaves_nothing(tmp_path, monkeypatch):
    def broken(problem):
        raise RuntimeError("the integrator broke")
        yield

    monkeypatch.setattr(importlib.import_module("vinculum.integrators.sources"), "steps_of", broken)
    with pytest.raises(vc.errors.StartError, match="broke"):  # what stands outside of the package counts as the user's
        vc.simulate(pendulum(), until=1.0, start=START, out=tmp_path / "run.zarr")
    assert os.listdir(tmp_path) == []


def test_steps_of_two_runs_are_never_mixed(run, motion):
    loaded = vc.load(run)
    other = vc.simulate(pendulum(), until=LONG, start={"shoulder": 0.1})
    other.save(run)
    with pytest.raises(FileError, match="another run"):
        loaded.q  # noqa: B018


def test_nan_is_not_stored(tmp_path, motion):

    from vinculum.motion import Pieces

    coefficients = motion.record.pieces.coefficients.copy()
    coefficients[7, 1, 2] = np.nan
    with pytest.raises(FileError, match="NaN"):
        altered(motion, pieces=Pieces(motion.record.pieces.times, coefficients)).save(tmp_path / "run.zarr")
    assert os.listdir(tmp_path) == []


GROWTH = """
import resource, sys
for until in (float(sys.argv[2]), float(sys.argv[3])):
    motion = vc.simulate(pendulum(), until=until, start=START, out=sys.argv[1])
    print(len(motion.record.pieces), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def growth(tmp_path, short: float, long: float) -> tuple[float, float]:
    """Memory by which the longer run exceeds the shorter, and the bytes of its additional steps, in MB."""
    child = process(GROWTH, tmp_path / "run.zarr", short, long)
    lines = [line.split() for line in child.communicate()[0].splitlines()]
    (steps, memory), (more_steps, more_memory) = ((int(a), int(b)) for a, b in lines)
    unit = 1 if sys.platform == "darwin" else 1024
    return (more_memory - memory) * unit / 1e6, (more_steps - steps) * 4 * 21 * 8 / 1e6


@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
@pytest.mark.slow
def test_memory_of_a_streamed_run_does_not_grow_with_its_length(tmp_path):
    grown, written = growth(tmp_path, 4e3, 12e3)
    assert written > 180 and grown < 60


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
def test_memory_of_a_very_long_streamed_run_does_not_grow_either(tmp_path):
    grown, written = growth(tmp_path, 1e4, 6e4)
    assert written > 1000 and grown < 60
