"""`vinculum linearize`: the linear equations of a model file about its start."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import AsJson, answering, print_json


@answering
def linearize(
    model: Annotated[Path, typer.Argument(help="A model file in TOML; its start is the rest or the steady motion.")],
    coordinates: Annotated[
        list[str] | None, typer.Option("--coordinate", help="An independent coordinate, first of all; may be repeated.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", help="A joint's velocity or a parameter that drives; may be repeated."),
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter; may be repeated.")
    ] = None,
    settle: Annotated[bool, typer.Option("--settle", help="Look for an equilibrium near the start, at rest.")] = False,
    as_json: AsJson = False,
) -> None:
    """Linearize a model about rest or steady motion: eigenvalues, modes, matrices."""
    from vinculum.cli.runs import changed_parameters
    from vinculum.derivations.linearization.linearize import linearize as linearized
    from vinculum.systems import At
    from vinculum.systems.files import read_model

    file = read_model(model, changed_parameters(changes or ()))
    start = {name: x.position if settle and isinstance(x, At) else x for name, x in file.start.items()}
    at = {name: x for name, x in start.items() if x is not None}
    found = linearized(file.system, at, coordinates=coordinates or (), inputs=inputs or (), settle=settle)
    if as_json:
        print_json({"model": str(model)} | found.to_dict())
        return
    for line in (*found.log, str(found)):
        typer.echo(line)
