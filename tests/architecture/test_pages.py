"""Pages name files, functions and sections that exist."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "vinculum"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").rglob("*.md")
)
FOREIGN = {"KanesMethod", "lambdify", "linux_x86_64", "hatch_build", "n_link_pendulum_on_cart", "theta_ddot"}
"""Names of other programs, and of a user's own coordinate."""
NOTATION = re.compile(r"[A-Za-z]+_[A-Z]{1,2}(_[A-Z])?")
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


def files_of_a_row(row: str) -> list[Path]:
    """The files that a row names; one without a folder is in the folder of the file before it."""
    found, folder = [], SOURCE
    for name in re.findall(r"`([\w/]+(?:\.py|/))`", row):
        if name.endswith("/"):
            found, folder = [*found, *sorted((SOURCE / name).glob("*.py"))], SOURCE / name
            continue
        path = (SOURCE if "/" in name else folder) / name
        found, folder = [*found, path], path.parent
    return found


def functions_of_a_row(row: str) -> list[str]:
    """The functions and methods that a row names."""
    return [
        one
        for one in re.findall(r"`(\w+(?:\.\w+)?)`", row.split("|")[2])
        if not one.endswith(".py") and one != "by_type.py"
    ]


def test_every_file_and_function_of_the_table_of_places_is_there():
    """Each row names files, and functions in these files."""
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("## Where is")[1].split("\n## ")[0]
    rows, wrong = [line for line in table.splitlines() if line.startswith("| ")][1:], []
    for row in rows:
        files = files_of_a_row(row)
        wrong += [str(path) for path in files if not path.is_file()]
        known = {
            word
            for path in files
            if path.is_file()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for word in (
                [node.name]
                if isinstance(node, (ast.FunctionDef, ast.ClassDef))
                else [a.asname or a.name for a in node.names]
                if isinstance(node, ast.ImportFrom)
                else []
            )
        }
        wrong += [f"{row.split('|')[1]}: {one}" for one in functions_of_a_row(row) if not set(one.split(".")) <= known]
    assert len(rows) > 50 and not wrong


def test_the_picture_of_the_rooms_shows_the_folders_that_are_there(monkeypatch):
    """After a change of the folders: python docs/rooms.py."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    rooms = importlib.import_module("rooms")
    shown = (ROOT / "docs" / "pictures" / "rooms.png").read_bytes()
    assert f"Description\0{rooms.description(rooms.drawn_rooms())}".encode("latin-1") in shown


@cache
def identifiers() -> set[str]:
    """Every name that the sources define or use: functions, classes, arguments, attributes, keys, and files."""
    found = {path.stem for folder in (SOURCE, ROOT / "examples", ROOT / "benchmarks") for path in folder.rglob("*.py")}
    for path in [*SOURCE.rglob("*.py"), *(ROOT / "examples").glob("*.py"), *(ROOT / "benchmarks").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name) | ast.keyword(arg=name):
                    found.add(name)
                case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Constant(value=str(name)):
                    found.add(name)
    return found | set(re.findall(r"\w+", " ".join(one for one in found if one and len(one) < 400)))


TRANSLATIONS = ROOT / "docs" / "from"
"""Pages full of names of other programs; `test_texts` checks what they ask of Vinculum."""


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent != TRANSLATIONS], ids=lambda page: page.name)
def test_names_in_prose_are_there(page):
    text = page.read_text(encoding="utf-8")
    shown = set(re.findall(r"\w+", " ".join(re.findall(r"^```.*?^```$", text, flags=re.M | re.S))))
    names = {
        name
        for paragraph in prose(page).split("\n\n")
        for code in re.findall(r"`([^`]+)`", paragraph)
        for name in re.findall(r"(?<![\w/\"-])([a-z]+_\w+|[A-Z]\w*[a-z]\w*|\w+(?=\())", code)
    }
    wrong = names - identifiers() - shown - FOREIGN
    assert not [name for name in wrong if not (NOTATION.fullmatch(name) or name.startswith("test_"))]
