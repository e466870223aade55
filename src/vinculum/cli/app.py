"""The program and its commands."""

from typing import Annotated

import typer

from vinculum.cli.audit import audit
from vinculum.cli.compare import compare
from vinculum.cli.derive import derive
from vinculum.cli.doctor import doctor
from vinculum.cli.examples import examples
from vinculum.cli.info import info
from vinculum.cli.integrability import integrability
from vinculum.cli.linearize import linearize
from vinculum.cli.new import new
from vinculum.cli.plot import plot
from vinculum.cli.report import report
from vinculum.cli.run import run
from vinculum.cli.view import view

FIRST_STEPS = (
    "Begin with: vinculum new mine.toml; vinculum run mine.toml --out run.zarr; vinculum view run.zarr. "
    "Exit codes: 0, 1 if a certificate does not pass, 2 for bad input."
)
COMMANDS = {
    new: "vinculum new mine.toml --kind contact",
    examples: "vinculum examples four_bar.toml",
    run: 'vinculum run mine.toml --set length="50 cm" --out run.zarr --plot run.png',
    view: "vinculum view run.zarr --trace bob",
    report: "vinculum report run.zarr --out report.html",
    plot: "vinculum plot run.zarr pivot --out pivot.svg",
    audit: "vinculum audit run.zarr",
    derive: "vinculum derive mine.toml --latex",
    linearize: "vinculum linearize mine.toml --settle",
    compare: "vinculum compare mine.toml --constraint edge --with vakonomic=0,viscous_friction=1e3",
    integrability: "vinculum integrability mine.toml edge",
    info: "vinculum info mine.toml",
    doctor: "vinculum doctor --json",
}
"""The commands in the order in which one needs them, each with an example for its help."""

app = typer.Typer(
    name="vinculum",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
for command, example in COMMANDS.items():
    app.command(epilog=f"Example: {example}")(command)


def _version(wanted: bool) -> None:
    if wanted:
        import vinculum

        typer.echo(vinculum.__version__)
        raise typer.Exit


@app.callback(epilog=FIRST_STEPS)
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Classical mechanics: simulate a model and certify that its motion obeys the laws."""
