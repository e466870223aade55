"""`vinculum derive`: the equations of motion of a model file, as formulas or as C."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import AsJson, answering


@answering
def derive(
    model: Annotated[Path, typer.Argument(help="A model file in TOML.")],
    form: Annotated[str, typer.Option(help="newton-euler, lagrange, telegin or hamilton.")] = "lagrange",
    as_latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX and nothing else.")] = False,
    c: Annotated[Path | None, typer.Option(help="Write a C99 function, such as model.c, and its header.")] = None,
    seconds: Annotated[float, typer.Option(help="Time limit of simplification.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Derive the equations of motion of a model."""
    from vinculum.cli.descriptions import Asked, description_of
    from vinculum.systems.files import read_model

    system = read_model(model).system
    description_of(system).print_equations(system, Asked(model, form, as_latex, c, seconds, as_json))
