"""Pages name files, functions and sections that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "vinculum"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)
ROOMS = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
TYPES = sorted(path.parent.name for path in SOURCE.glob("models/*/type.py"))


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    heads = re.findall(r"^#+ (.+)$", prose(page), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_sections_lead_there(page):
    links = re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", prose(page))
    wrong = [
        f"{target}#{anchor}"
        for target, anchor in links
        if "://" not in target and anchor not in anchors(page.parent / target if target else page)
    ]
    assert not wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page):
    named = re.findall(r"`([\w<>]+(?:/[\w<>.]*)+)`", prose(page))
    expected = [one.replace("<type>", kind) for one in named for kind in (TYPES if "<type>" in one else [""])]
    roots = {one: SOURCE if one.split("/")[0] in ROOMS else ROOT for one in expected}
    known = {path.name for path in ROOT.iterdir()} | ROOMS
    wrong = [one for one, root in roots.items() if one.split("/")[0] in known and not (root / one).exists()]
    assert not [one for one in wrong if not one.startswith(("build", "dist", "vinculum"))]


def test_functions_that_the_architecture_names_are_in_their_files():
    rows = re.findall(r"`(\w+/[\w/]+\.py)`, (`\w+(?:\.\w+)?`(?: and `\w+`)?)", prose(ROOT / "docs" / "architecture.md"))
    wrong = []
    for path, named in rows:
        tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
        known = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        named = [one for one in re.findall(r"`([\w.]+)`", named) if not one.endswith(".py")]
        wrong += [f"{path}: {one}" for one in named if not set(one.split(".")) <= known]
    assert rows and not wrong
