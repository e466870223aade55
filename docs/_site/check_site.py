"""Checks of a site that was built: ``PYTHONPATH=tests python docs/_site/check_site.py site``, with ``--quick`` after a quick build.

The search answers questions of readers in a real browser, every example has its picture and its motion in space, notebooks have outputs.
"""

import re
import sys
from pathlib import Path

from gallery import PICTURES, name_of

import browser

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = {
    "rolling without slipping": ("constraints", "choose"),
    "friction coefficient": ("contact", "choose"),
    "write a film mp4": ("viewing",),
    "import urdf": ("from/pinocchio",),
    "quaternion convention": ("notation", "from/conventions"),
    "own joint": ("extending",),
    "units in a model file": ("model-files",),
}
"""What a reader asks, and the pages of which one must be among the first answers."""
FIRST = 3
RESULTS = "document.querySelectorAll('#search-results ul.search li a')"


def unanswered(site: Path) -> list[str]:
    """Questions that the search does not answer."""
    found = []
    with browser.Browser() as opened:
        opened.open(site / "search.html", ready="typeof Search !== 'undefined' && Search._index !== null")
        for question, pages in QUESTIONS.items():
            opened.run("document.getElementById('search-results').replaceChildren()")
            opened.run(f"Search.performSearch({question!r})")
            opened.run(
                "new Promise((done) => { let n = 0; const look = () => Search._pulse_status < 0 || ++n > 200 ? done(true) : "
                "setTimeout(look, 50); look(); })"
            )
            links = opened.run(f"Array.from({RESULTS}).slice(0, {FIRST}).map((a) => a.getAttribute('href'))")
            answers = [re.sub(r"\.html.*", "", link).removeprefix("./") for link in links]
            if not set(answers) & set(pages):
                found.append(f"search: '{question}' is answered by {', '.join(answers) or 'nothing'}")
    return found


def incomplete_examples(site: Path, quick: bool) -> list[str]:
    """Examples without a picture on the page of the gallery, or without their motion in space."""
    index = (site / "gallery" / "index.html").read_text(encoding="utf-8")
    found = []
    for name, picture in PICTURES.items():
        own = name_of(Path(name))
        if f"{own}.html" not in index or Path(picture).stem not in index:
            found.append(f"gallery: {name} has no picture")
        page = (site / "gallery" / f"{own}.html").read_text(encoding="utf-8")
        view = site / "gallery" / "views" / f"{own}.html"
        if not quick and (f"views/{own}.html" not in page or not view.is_file()):
            found.append(f"gallery: {name} has no motion in space")
    return found


def empty_notebooks(site: Path) -> list[str]:
    """Notebooks whose pages lack outputs."""
    pages = {path.stem: (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
             for path in (ROOT / "docs" / "notebooks").glob("*.ipynb")}  # fmt: skip
    return [f"notebooks: {name} was not executed" for name, text in pages.items()
            if "cell_output" not in text or "laws hold" not in text or "<iframe" not in text]  # fmt: skip


def main(site: Path, quick: bool) -> int:
    wrong = incomplete_examples(site, quick)
    if not quick:
        wrong += empty_notebooks(site)
    if browser.FOUND is None:
        print("no browser: the search of the site is not tried")
    else:
        wrong += unanswered(site)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), "--quick" in sys.argv[2:]))
