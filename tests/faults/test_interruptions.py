"""A run that is interrupted keeps what it has; a long one says how far it is."""

import importlib
import io
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.engines import has_heyoka

ENGINES = [*(["taylor"] if has_heyoka() else []), "dop853"]


def pendulum() -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("rod", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.01)))
    system.add(vc.Revolute("hinge", "ground", "rod", axis=(0, 1, 0)))
    return system


def interrupted_after(monkeypatch, chunks: int):
    """Let the user press Ctrl-C after some chunks of steps."""
    room = importlib.import_module("vinculum.integrators.sources")
    original = room.steps_of

    def steps(problem):
        for k, chunk in enumerate(original(problem)):
            if k == chunks:
                raise KeyboardInterrupt
            yield chunk

    for engine in ("taylor", "dop853"):
        monkeypatch.setattr(importlib.import_module(f"vinculum.integrators.{engine}.{engine}"), "LARGEST_CHUNK", 64)
    monkeypatch.setattr(room, "steps_of", steps)


@pytest.mark.parametrize("method", ENGINES)
def test_ctrl_c_returns_what_was_computed(method, monkeypatch):
    whole = vc.simulate(pendulum(), 500.0, {"hinge": 1.0}, method=method)
    interrupted_after(monkeypatch, 3)
    motion = vc.simulate(pendulum(), 500.0, {"hinge": 1.0}, method=method)
    assert motion.record.interrupted and not whole.record.interrupted
    assert 0 < motion.record.pieces.end < 500.0
    assert "interrupted by the user" in motion.log[-1]
    assert np.abs(motion.q[:-1] - whole.q[: len(motion.time) - 1]).max() < 1e-9
    assert motion.audit().passed


def test_tests_hear_ctrl_c_also_in_a_background_job(tmp_path):
    """A shell starts such a job with the signal ignored, and children inherit that."""
    test = "import signal\ndef test_it():\n    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
    (tmp_path / "test_it.py").write_text(test)
    (tmp_path / "conftest.py").write_text((Path(__file__).parents[1] / "conftest.py").read_text())
    code = (
        "import signal, sys, pytest; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', sys.argv[1]]))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_ctrl_c_before_the_first_step_is_an_interrupt(monkeypatch):
    interrupted_after(monkeypatch, 0)
    with pytest.raises(KeyboardInterrupt):
        vc.simulate(pendulum(), 500.0, {"hinge": 1.0})


def test_a_long_run_shows_its_progress_to_whoever_watches(monkeypatch):
    progress = importlib.import_module("vinculum.motion.progress")

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    shown = Terminal()
    monkeypatch.setattr(progress.sys, "stderr", shown)
    monkeypatch.setattr(progress, "SECONDS_BEFORE_PROGRESS", 0.0)
    vc.simulate(pendulum(), 200.0, {"hinge": 1.0})
    assert "simulating" in shown.getvalue()
    quiet = Terminal()
    monkeypatch.setattr(progress.sys, "stderr", quiet)
    vc.simulate(pendulum(), 200.0, {"hinge": 1.0}, progress=False)
    assert quiet.getvalue() == ""


def test_a_run_too_long_for_memory_stops_and_names_the_remedy(monkeypatch):
    monkeypatch.setattr(importlib.import_module("vinculum.motion.storage.sinks"), "LARGEST_IN_MEMORY", 2**20)
    for engine in ("taylor", "dop853"):
        monkeypatch.setattr(importlib.import_module(f"vinculum.integrators.{engine}.{engine}"), "LARGEST_CHUNK", 256)
    with pytest.raises(vc.errors.RunError, match=r"memory; stream them to a folder with out='run\.zarr'") as caught:
        vc.simulate(pendulum(), 1e6, {"hinge": 1.0})
    assert 0 < caught.value.motion.record.pieces.end < 1e6


def press_ctrl_c_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.skipif(os.name == "nt", reason="signals to a thread")
@pytest.mark.parametrize("method", [{"method": "dop853"}, {"method": "rk4", "step": 1e-6}], ids=lambda m: m["method"])
def test_ctrl_c_returns_the_runs_of_an_ensemble_that_were_computed(method):
    """The first eight runs are slow springs or a short way to the first instant; the rest would take minutes."""
    system = vc.System("spring")
    system.add(vc.MassPoint("a", 1.0))
    system.add(vc.Prismatic("x", "ground", "a", stiffness=vc.parameter("k", 1.0)))
    k = np.r_[np.ones(8), np.full(40, 1e13)]
    grid = [0.0, 1e-3, 500.0]
    vc.ensemble(system, 1e-3, {"x": 1.0}, **method)
    timer = press_ctrl_c_after(1.0)
    runs = vc.ensemble(system, 500.0, {"x": 1.0}, parameters={"k": k}, grid=grid, threads=2, **method)
    timer.join()
    assert runs.interrupted
    assert runs.failed.any() and np.isnan(runs.q[runs.failed, -1]).all()
    assert np.abs(runs.q[:8, 1, 0] - np.cos(1e-3)).max() < 1e-12
    if method["method"] == "dop853":
        assert not runs.failed[:8].any()
        assert np.abs(runs.q[:8, -1, 0] - np.cos(500.0)).max() < 1e-8


@pytest.mark.skipif(os.name == "nt", reason="signals to a thread")
def test_ctrl_c_before_any_run_of_an_ensemble_is_an_interrupt():
    timer = press_ctrl_c_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        vc.ensemble(pendulum(), 900.0, {"hinge": 1.0}, method="rk4", step=1e-6)
    timer.join()
