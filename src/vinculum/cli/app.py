"""The program and its commands."""

from typing import Annotated

import typer

from vinculum.cli.audit import audit
from vinculum.cli.compare import compare
from vinculum.cli.derive import derive
from vinculum.cli.doctor import doctor
from vinculum.cli.info import info
from vinculum.cli.integrability import integrability
from vinculum.cli.linearize import linearize
from vinculum.cli.plot import plot
from vinculum.cli.report import report
from vinculum.cli.run import run
from vinculum.cli.view import view

app = typer.Typer(
    name="vinculum",
    help="Classical mechanics: simulate a model and certify that its motion obeys the laws.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (run, derive, linearize, audit, compare, integrability, plot, view, report, info, doctor):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        import vinculum

        typer.echo(vinculum.__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Classical mechanics: simulate a model and certify that its motion obeys the laws."""
