"""What the build of the documentation relies on is there; the build itself is `make docs`."""

import importlib
import re
from pathlib import Path

import pytest

from vinculum.namespaces import HOMES, RESULTS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(autouse=True)
def site(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_site"))


def test_every_page_is_in_the_navigation():
    listed = re.findall(r"^```\{toctree\}\n(.*?)^```$", (DOCS / "index.md").read_text(encoding="utf-8"), re.M | re.S)
    entries = {line for block in listed for line in block.splitlines() if line and not line.startswith(":")}
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")} - {"index"}
    written = {f"reference/{namespace}" for namespace in HOMES}
    written |= {"reference/results", "reference/vinculum.math", "gallery/index"}
    assert entries == pages | written


def test_the_reference_has_every_result_and_namespace():
    reference = importlib.import_module("reference")
    shown = {name: module for module, words in reference.RESULTS.items() for name in words.split()}
    assert set(RESULTS) <= set(shown)
    assert all(isinstance(getattr(importlib.import_module(module), name), type) for name, module in shown.items())
    assert set(reference.SAID) == set(HOMES)


def test_bars_of_a_docstring_are_escaped_outside_formulas_and_code():
    reference = importlib.import_module("reference")
    lines = ["|λ| ≤ b, ``a|b`` and :math:`|x|`", "", ".. math:: |P_T| \\le \\mu P_N", "   |y|", "", "|z|"]
    reference.escape_bars(None, "class", "x", None, None, lines)
    assert lines[0] == "\\|λ\\| ≤ b, ``a|b`` and :math:`|x|`"
    assert lines[2:4] == [".. math:: |P_T| \\le \\mu P_N", "   |y|"]
    assert lines[5] == "\\|z\\|"


def test_pictures_of_the_gallery_are_there():
    gallery = importlib.import_module("gallery")
    assert all((ROOT / "examples" / example).is_file() for example in gallery.PICTURES)
    assert all((DOCS / "pictures" / picture).is_file() for picture in gallery.PICTURES.values())
