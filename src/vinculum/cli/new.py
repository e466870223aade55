"""`vinculum new`: a model file with comments, to begin with."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import AsJson, Quiet, answering, print_json

STARTERS = Path(__file__).parent / "starters"


@answering
def new(
    model: Annotated[Path, typer.Argument(help="The file to write, such as mine.toml.")] = Path("model.toml"),
    kind: Annotated[
        str,
        typer.Option(
            help="mechanism, contact or lagrangian.",
            autocompletion=lambda: sorted(path.stem for path in STARTERS.glob("*.toml")),
        ),
    ] = "mechanism",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a model file with comments: bodies and joints, shapes in contact, or a Lagrangian."""
    from vinculum.cli.places import check_new_place
    from vinculum.errors import FileError
    from vinculum.systems import nearest

    kinds = sorted(path.stem for path in STARTERS.glob("*.toml"))
    if kind not in kinds:
        raise FileError(f"--kind {kind}: there is no such kind of model{nearest(kind, kinds)}")
    check_new_place(model)
    text = (STARTERS / f"{kind}.toml").read_text(encoding="utf-8")
    model.write_text(text.replace("FILE", str(model)), encoding="utf-8")
    if as_json:
        print_json({"model": str(model), "kind": kind})
    elif not quiet:
        typer.echo(f"written: {model}\nnext:    vinculum run {model} --out run.zarr")
