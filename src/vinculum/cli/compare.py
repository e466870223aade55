"""`vinculum compare`: one model with a constraint realized in several ways."""

from pathlib import Path
from typing import Annotated, Any

import typer

from vinculum.cli.answers import FAILED, AsJson, answering, print_json


@answering
def compare(
    model: Annotated[Path, typer.Argument(help="A model file in TOML.")],
    realizations: Annotated[
        list[str],
        typer.Option(
            "--with", help="dalembert, chetaev, vakonomic=0, viscous_friction=1e3, …; may be repeated or hold commas."
        ),
    ],
    constraint: Annotated[str | None, typer.Option(help="The constraint, if the model has more than one.")] = None,
    until: Annotated[float | None, typer.Option(help="End time in seconds.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter; may be repeated.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Picture of the motions: .png, .pdf or .svg.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare motions that differ only in how a constraint is realized; the first is that of the model file."""
    from vinculum.cli.places import check_plot_place
    from vinculum.cli.runs import changed_parameters
    from vinculum.errors import FileError
    from vinculum.simulation.comparison import compare_realizations
    from vinculum.systems import nearest
    from vinculum.systems.files import read_model
    from vinculum.systems.files.realization_words import realizations_of

    if plot is not None:
        check_plot_place(plot)
    ways = [way for words in realizations for way in realizations_of("--with", words)]
    file = read_model(model, changed_parameters(changes or ()))
    known = file.system.constraints
    if constraint is None and len(known) != 1:
        raise FileError(
            f"{model} has {len(known)} constraints{f': {chr(44).join(known)}' if known else ''}; "
            + ("name one with --constraint" if known else "add one in a table [constraints.name]")
        )
    name = constraint or next(iter(known))
    settings = dict(file.run) | ({} if until is None else {"until": until})
    if "until" not in settings:
        raise FileError(f"{model}: [run] until is missing; add it to the file or give --until SECONDS")
    if name not in known:
        raise FileError(f"{model}: there is no constraint '{name}'{nearest(name, known)}")
    ways = [_own(known[name]), *ways]
    found = compare_realizations(file.system, name, ways, start=file.start, progress=not as_json, **settings)
    if plot is not None:
        found.plot(plot)
    if as_json:
        print_json({"model": str(model), "plot": None if plot is None else str(plot), **found.to_dict()})
    else:
        typer.echo(str(found))
        if plot is not None:
            typer.echo(f"written: {plot}")
    if any(found.failures):
        raise typer.Exit(FAILED)


def _own(constraint: Any) -> Any:
    """The realization in the file; a Lagrangian has pairs of functions and realizations."""
    return constraint[1] if isinstance(constraint, tuple) else constraint.realization
