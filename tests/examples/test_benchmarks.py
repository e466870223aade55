"""Every benchmark still runs: Vinculum's own part of it, small and once, without its peers."""

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py") if not path.name.startswith("_"))


@pytest.fixture
def quick(monkeypatch):
    """The benchmarks as modules of a quick run, which leaves nothing behind."""
    monkeypatch.setenv("VINCULUM_QUICK", "1")
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setattr(sys, "argv", ["benchmark"])
    before = set(sys.modules)
    written = {path: path.read_bytes() for path in (FOLDER / "results").glob("*.json")}
    yield lambda name: _module(FOLDER / f"{name}.py")
    assert written == {path: path.read_bytes() for path in (FOLDER / "results").glob("*.json")}
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "").parent == FOLDER:
            del sys.modules[name]


def _module(path):
    """A script as a module of its own, whatever else has its name."""
    spec = importlib.util.spec_from_file_location(f"benchmark_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not FOLDER.exists(), reason="the benchmarks are not part of a source distribution")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_benchmark_runs_without_its_peers(name, quick, capsys):
    quick(name).main()
    said = capsys.readouterr().out
    assert "(" in said and "---" in said


def test_the_page_names_the_commit_of_every_table(quick, tmp_path, monkeypatch):
    """A table from another commit than the newest says so; empty cells are dashes."""
    page = quick("_page")
    (tmp_path / "benchmarks" / "results").mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    machine = '"machine": {"cores": 2, "cpu": "X", "python": "3"}'
    tables = {"forward_dynamics": '"commit": "abc", "date": "2026-02-02",', "startup": "",
              "rk4_ensembles": '"commit": "old", "date": "2026-01-01",'}  # fmt: skip
    for name, made in tables.items():
        text = f'{{{made} {machine}, "rows": [{{"a": 1.25, "b": null}}]}}'
        (tmp_path / "benchmarks" / "results" / f"{name}.json").write_text(text)
    monkeypatch.setattr(page, "HERE", tmp_path / "benchmarks")
    page.main()
    text = (tmp_path / "docs" / "benchmarks.md").read_text()
    assert "Made from commit `abc` on 2026-02-02" in text and "| 1.25 | – |" in text
    assert text.count("These rows were made from commit `old` on 2026-01-01") == 1
    assert text.count("These rows were made from an earlier commit, which was not noted") == 1


def test_one_benchmark_that_fails_does_not_stop_the_others(quick, tmp_path, monkeypatch, capsys):
    every = quick("_all")
    for name, text in (("a", "raise SystemExit(3)"), ("b", "print('b ran')"), ("_page", "print('page')")):
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setattr(every, "HERE", tmp_path)
    assert every.main([]) == 1
    said = capsys.readouterr().out
    assert "== b" in said and "FAILED: a: exit code 3" in said
    assert every.main(["b"]) == 0
