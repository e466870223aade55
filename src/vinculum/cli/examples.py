"""`vinculum examples`: models and scripts that run, to look at and to copy."""

import ast
import difflib
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import AsJson, Quiet, answering, print_facts, print_json

PLACES = (Path(__file__).parents[1] / "examples", Path(__file__).parents[3] / "examples")
"""Where examples are in an installed wheel, and in a clone."""
MOST_NEAR = 3
"""Names that are listed where none is right."""


@answering
def examples(
    name: Annotated[
        str | None,
        typer.Argument(
            help="An example to copy; without it all are listed.",
            autocompletion=lambda: [path.name for path in _files()],
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File to write; by default the name of the example.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """List the examples, or copy one to the current folder, with the meshes that it names."""
    from vinculum.errors import FileError

    known = {path.name: path for path in _files()}
    if not known:
        raise FileError("this installation has no examples; they are in the folder examples of the sources")
    if name is None:
        said = {file: first_sentence(path) for file, path in known.items()}
        if as_json:
            print_json({"examples": said})
        else:
            print_facts(said.items())
        return
    if name not in known:
        near = _near_names(name, known)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "vinculum examples lists them all"
        raise FileError(f"there is no example '{name}'; {hint}")
    written = _copy(known[name], out or Path(name))
    if as_json:
        print_json({"example": name, "written": str(written)})
    elif not quiet:
        command = f"vinculum run {written}" if name.endswith(".toml") else f"python {written}"
        typer.echo(f"written: {written}\nnext:    {command}")


def first_sentence(path: Path) -> str:
    """What an example says of itself: the docstring of a script, the first comment of a model file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    return text.partition("\n")[0].lstrip("# ").partition("  vinculum ")[0]


def _near_names(name: str, known: Iterable[str]) -> list[str]:
    """Examples whose names have a part that begins as the given one does, or that are spelled nearly so."""
    begun = Path(name).stem.lower()
    parts = [one for one in known if begun and any(part.startswith(begun) for part in Path(one).stem.split("_"))]
    return parts[:MOST_NEAR] or difflib.get_close_matches(name, known, n=MOST_NEAR)


def _files() -> list[Path]:
    place = next((place for place in PLACES if place.is_dir()), None)
    if place is None:
        return []
    return sorted([*place.glob("*.toml"), *place.glob("*.py")])


def _copy(source: Path, target: Path) -> Path:
    from vinculum.cli.places import check_new_place

    copies = {source: target} | {mesh: target.parent / mesh.name for mesh in _meshes(source)}
    for one, other in copies.items():
        check_new_place(other, one.suffix)
    for one, other in copies.items():
        other.write_text(one.read_text(encoding="utf-8"), encoding="utf-8")
    return target


def _meshes(source: Path) -> list[Path]:
    """The files of meshes that a model file names."""
    if source.suffix != ".toml":
        return []
    bodies = tomllib.loads(source.read_text(encoding="utf-8")).get("bodies", {}).values()
    return [source.parent / body["mesh"]["file"] for body in bodies if "mesh" in body]
