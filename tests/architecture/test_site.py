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
    sources = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in sources} - {"index"}
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


def test_every_example_has_a_picture_in_the_gallery():
    gallery = importlib.import_module("gallery")
    examples = {path.name for path in (ROOT / "examples").iterdir() if path.suffix in (".py", ".toml")}
    assert set(gallery.PICTURES) == examples and len(examples) >= 40
    assert all((DOCS / "pictures" / picture).is_file() for picture in gallery.PICTURES.values())


def test_every_example_has_its_motion_in_space_and_its_picture_on_its_page_and_in_the_index():
    gallery = importlib.import_module("gallery")
    files = [ROOT / "examples" / name for name in gallery.PICTURES]
    index = "\n".join(gallery._index_page(files))
    for file in files:
        own, page = gallery.name_of(file), "\n".join(gallery._example_page(file, True))
        assert f'src="views/{own}.html"' in page and f"examples/{file.name}" in page
        assert f"/pictures/{gallery.PICTURES[file.name]}" in index
        assert f"/pictures/{gallery.PICTURES[file.name]}" in "\n".join(gallery._example_page(file, False))


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", sorted(path.name for path in (ROOT / "examples").iterdir() if path.suffix in (".py", ".toml"))
)
def test_every_example_has_a_motion_that_is_shown_in_space(example, tmp_path):
    gallery = importlib.import_module("gallery")
    motion, draw = gallery.motion_of(ROOT / "examples" / example)
    motion.plot.view(tmp_path / "page.html", frames=20, draw=draw, browser=False)
    assert (tmp_path / "page.html").stat().st_size > 100_000


@pytest.mark.parametrize("example", ["trammel.toml", "knife_edge_two_ways.py", "bead_on_hoop.py"])
def test_an_example_of_either_kind_has_a_motion_for_its_page(example):
    motion, draw = importlib.import_module("gallery").motion_of(ROOT / "examples" / example)
    assert len(motion.time) > 1 and draw is None


def test_a_motion_without_bodies_is_drawn_by_its_example():
    motion, draw = importlib.import_module("gallery").motion_of(ROOT / "examples" / "ellipsoid_geodesics.py")
    assert draw is not None and len(draw(motion.q[0])[0]) == 3


def test_every_screenshot_is_made_by_the_script_from_an_example_and_is_on_a_page(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tests"))
    made = importlib.import_module("screenshots")
    shots, pictures = made.SHOTS, importlib.import_module("gallery").PICTURES.items()
    assert {path.stem for path in (DOCS / "pictures" / "view").iterdir()} == set(shots) and len(shots) >= 10
    assert all((ROOT / "examples" / shot.example).is_file() for shot in shots.values())
    stills = {
        Path(name).stem for name, picture in pictures if name.endswith(".toml") and picture.startswith("gallery/")
    }
    assert set(made.STILLS) == stills
    told = "".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    assert [name for name in shots if f"pictures/view/{name}.png" not in told] == []


def test_the_program_of_the_page_was_built_from_its_source():
    """Methods and attributes keep their names in the bundle."""
    page = ROOT / "src" / "vinculum" / "show" / "page"
    built, names = (page / "viewer.js").read_text(encoding="utf-8"), set[str]()
    for file in (page / "source").glob("*.js"):
        text = file.read_text(encoding="utf-8")
        names |= {*re.findall(r"^  (\w+)\([^()]*\) \{$", text, re.M), *re.findall(r"\bthis\.(\w+)", text)}
    assert len(names) > 50 and [name for name in names if not re.search(rf"\b{name}\b", built)] == []


MOST_WORDS = 3300
"""Of a page: a quarter of an hour of reading."""
RECORDS = {"benchmarks.md", "reliability/random-scenes.md"}
"""Pages that nobody reads through: tables of a program, and a record of campaigns."""


def test_a_page_is_read_in_one_sitting():
    pages = {path.relative_to(DOCS).as_posix(): path for path in DOCS.rglob("*.md")}
    words = {name: len(path.read_text(encoding="utf-8").split()) for name, path in pages.items() if name not in RECORDS}
    assert {name: count for name, count in words.items() if count > MOST_WORDS} == {}


def test_the_questions_of_the_search_are_on_the_page_of_releases(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tests"))
    questions = importlib.import_module("check_site").QUESTIONS
    lines = (DOCS / "release.md").read_text(encoding="utf-8").splitlines()
    listed = {
        line.split("|")[1].strip(): set(re.findall(r"\((\S+)\.md\)", line)) for line in lines if line.startswith("| ")
    }
    listed.pop("question")
    assert listed == {question: set(pages) for question, pages in questions.items()}


def test_sizes_of_the_page_are_those_of_the_benchmarks():
    """Megabytes, milliseconds and frames a second of a thousand bodies, as the benchmark has written them."""
    table = (DOCS / "benchmarks.md").read_text(encoding="utf-8").partition("## Frames of a page")[2]
    row = next(line for line in table.splitlines() if line.startswith("| 1000 "))
    _, _, megabytes, milliseconds, rate, *_ = (cell.strip() for cell in row.strip("|").split("|"))
    told = " ".join((DOCS / "viewing.md").read_text(encoding="utf-8").split())
    assert f"take {megabytes} MB" in told and f"take {milliseconds} ms" in told
    assert f"play with {float(rate):.0f} frames a second" in told
