"""The house in numbers: folders are tables of contents, fields have names, rooms say what lives in them."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import vinculum as vc

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "vinculum"
FILES = sorted(PACKAGE.rglob("*.py"))
MOST = 26
"""Entries of a folder: what a reader takes in as a table of contents."""


def name(path):
    return str(path.relative_to(PACKAGE.parent))


@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES}), ids=name)
def test_a_folder_is_a_table_of_contents(folder):
    shown = [path for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    assert len(shown) <= MOST
    prefixes = Counter(path.name.split("_")[0] for path in shown if "_" in path.stem and path.stem != "__init__")
    assert len(shown) <= 12 or max(prefixes.values(), default=0) <= 5, (
        f"a folder not yet made: {prefixes.most_common(2)}"
    )


@pytest.mark.parametrize("path", [path for path in FILES if path.name == "__init__.py"], ids=name)
def test_a_room_opens_with_what_lives_there(path):
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_fields_of_a_layout_have_names():
    found = {name(path): len(re.findall(r"layout\[|layout\.get\(", path.read_text("utf-8"))) for path in FILES}
    assert not {path: count for path, count in found.items() if count}


@pytest.mark.parametrize("noun", [vc.Motion, vc.LagrangianMotion])
def test_a_motion_has_few_names(noun):
    """Those that a user sees by tab: methods, properties and fields, inherited ones included."""
    names = {name for name in (*dir(noun), *noun.__dataclass_fields__) if not name.startswith("_")}
    assert len(names) <= 15, sorted(names)
