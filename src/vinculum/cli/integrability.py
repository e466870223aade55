"""`vinculum integrability`: integrability of constraints on velocities."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import AsJson, answering, print_json


@answering
def integrability(
    model: Annotated[Path, typer.Argument(help="A model file in TOML.")],
    constraints: Annotated[
        list[str] | None, typer.Argument(metavar="[CONSTRAINT]...", help="All on velocities by default.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell whether constraints are holonomic, and how many dimensions can be reached under them."""
    from vinculum.derivations.integrability.integrability import integrability as found_about
    from vinculum.systems.files import read_model

    file = read_model(model)
    found = found_about(file.system, *(constraints or ()), start=file.start)
    if as_json:
        print_json({"model": str(model), **found.to_dict()})
    else:
        typer.echo(str(found))
