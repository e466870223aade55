"""The documents are true: their Python runs and prints what they say, their model files read, their commands work."""

import contextlib
import importlib.util
import io
import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vinculum.cli.app import app
from vinculum.compile.engines import has_heyoka
from vinculum.integrators.table import INTEGRATORS
from vinculum.motion.method import METHODS
from vinculum.systems.files import read_model

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PEERS = "mujoco", "pinocchio"
"""Programs with which pages compare; blocks that import them run where they are installed."""
LONG = "contact.md", "many-bodies/tables.md", "many-bodies/contact.md", "model-files.md", "model-files/contact.md"
WRITTEN = "gallery/", "reference/", "../gallery/", "../reference/"
"""Pages that the build of the site writes."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"-?\d+(\.\d*)?(e[+-]?\d+)?")
SMALL, COUNTS_VARY = 1e-3, 0.1
"""Powers of ten below this are errors and tolerances, and the part by which counts of steps differ between processors."""


def outline(text: str) -> str:
    """A text without its numbers, which end in round-off that differs from machine to machine."""
    return re.sub(r"\s+|-{4,}", " ", NUMBER.sub("#", text)).strip()


def differing_numbers(said: str, shown: str) -> list[tuple[str, str]]:
    """Numbers that a page shows and that its code does not print: more than the last digit apart, or a tenth for counts.

    Powers of ten below `SMALL` are round-off, errors and tolerances, which processors change.
    """
    pairs = zip(NUMBER.finditer(said), NUMBER.finditer(shown), strict=True)
    return [(a[0], b[0]) for a, b in pairs if not _is_same_number(a[0], b)]


def _is_same_number(said: str, shown: re.Match) -> bool:
    a, b, digits = float(said), float(shown[0]), shown[1]
    if shown[2] is not None and max(abs(a), abs(b)) < SMALL:
        return True
    if digits is None and shown[2] is None:
        return abs(a - b) <= max(1.0, COUNTS_VARY * abs(b))
    last = 10.0 ** (float((shown[2] or "e0")[1:]) - max(len(digits or ".") - 1, 0))
    return abs(a - b) <= 1.01 * last


def played(code: str, name: str, space: dict) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, name, "exec"), space)
    return said.getvalue()


def name_of(path: Path) -> str:
    """A document as seen from the root of the project or from docs/."""
    return path.name if path.parent == ROOT else path.relative_to(ROOT / "docs").as_posix()


def lacks_peer(code: str) -> bool:
    return any(re.search(rf"^import {peer}$", code, re.M) and importlib.util.find_spec(peer) is None for peer in PEERS)


@pytest.fixture(autouse=True)
def registered_methods():
    """A page may register a method of its own; the next page does not know it."""
    tables = INTEGRATORS, METHODS
    before = [dict(table) for table in tables]
    yield
    for table, entries in zip(tables, before, strict=True):
        table.clear()
        table.update(entries)


@pytest.mark.parametrize(
    "document",
    [pytest.param(path, marks=pytest.mark.slow) if name_of(path) in LONG else path for path in DOCUMENTS],
    ids=name_of,
)
def test_a_document_says_what_happens(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples", ignore=shutil.ignore_patterns("__pycache__"))
    text, space, said, end = document.read_text(encoding="utf-8"), {"__name__": "document"}, "", 0
    unknown = False
    for found in BLOCK.finditer(text):
        kind, code = found.groups()
        if kind == "python":
            unknown = lacks_peer(code)
            line = text.count("\n", 0, found.start()) + 2
            said = "" if unknown else played(code, f"{document.name}, line {line}", space)
        elif kind == "text" and not text[end : found.start()].strip():
            if has_heyoka() and not unknown:
                assert outline(said) == outline(code)
                assert differing_numbers(said, code) == []
        elif kind == "toml":
            name = re.match(r"# (\S+\.toml)\n", code)
            assert name, f"{document.name}: a model file begins with a comment that names it"
            Path(name[1]).write_text(code, encoding="utf-8")
            read_model(name[1])
        elif kind == "sh":
            for line in filter(lambda line: line.startswith("vinculum "), code.splitlines()):
                done = CliRunner().invoke(app, shlex.split(line, comments=True)[1:])
                assert done.exit_code == 0, f"{line}\n{done.output}"
        end = found.end()


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_a_block_that_prints_shows_its_output(document):
    text = document.read_text(encoding="utf-8")
    blocks = [*BLOCK.finditer(text)]
    shown = {a.start() for a, b in pairwise(blocks) if b[1] == "text" and not text[a.end() : b.start()].strip()}
    printing = [one for one in blocks if one[1] == "python" and re.search(r"^\s*print\(", one[2], re.M)]
    assert [text.count("\n", 0, one.start()) + 1 for one in printing if one.start() not in shown] == []


@pytest.mark.parametrize("document", [*DOCUMENTS, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_a_document_points_to_files_that_exist(document):
    targets = re.findall(r"\]\(([^)#\s]+)\)", document.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target and not target.startswith(WRITTEN)]
    missing = [target for target in local if not (document.parent / target).exists()]
    assert missing == []
