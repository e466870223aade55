"""Seconds of what `make fuzz` does for minutes: no traceback, no crash, nothing lost."""

import os

import pytest

import fuzz

SEED = 20


def test_mutated_model_files_are_read_or_refused():
    assert list(fuzz.fuzz_files(SEED, 250)) == []


def test_wrong_calls_are_answered_or_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert list(fuzz.fuzz_calls(SEED, 250)) == []


def test_damaged_stores_are_refused_or_whole():
    assert list(fuzz.fuzz_stores(SEED, 40)) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
def test_a_kill_leaves_the_earlier_run_or_the_new_one():
    done = fuzz.subprocess.run(
        [fuzz.sys.executable, fuzz.__file__, "--share", "kills", "--kills", "8", "--seed", str(SEED)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
