"""`vinculum audit`: the certificate of a stored run, or the invariance of a model."""

from pathlib import Path
from typing import Annotated, Any

import typer

from vinculum.cli.answers import FAILED, AsJson, Quiet, answering, print_json


@answering
def audit(
    source: Annotated[
        Path,
        typer.Argument(metavar="RUN|MODEL", help="A stored run, such as run.zarr; with --invariance a model file."),
    ],
    invariance: Annotated[
        bool,
        typer.Option(
            "--invariance", help="Check which energies and joints of a model are invariant under rigid motions."
        ),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Certify a stored run, or audit the invariance of a model; the exit code is 1 when something does not hold."""
    if invariance:
        report, facts = _invariance(source)
    else:
        report, facts = _certificate(source)
    if as_json:
        print_json(facts)
    elif not quiet or not report.passed:
        typer.echo(str(report), err=quiet)
    if not report.passed:
        raise typer.Exit(FAILED)


def _certificate(run: Path) -> tuple[Any, dict[str, Any]]:
    """The certificate of a stored run, and what there is to say about it."""
    from vinculum.errors import FileError
    from vinculum.motion.storage.store import load

    if run.is_file():
        raise FileError(f"{run} is a file, not a stored run; `vinculum run {run} --out run.zarr` makes one of a model")
    certificate = load(run).audit()
    return certificate, {"run": str(run), "certificate": certificate.to_dict()}


def _invariance(model: Path) -> tuple[Any, dict[str, Any]]:
    """The invariance of a model, and what there is to say about it."""
    from vinculum.cli.descriptions import description_of
    from vinculum.errors import FileError
    from vinculum.systems.files import read_model

    if model.is_dir():
        raise FileError(f"{model} is a stored run; --invariance needs energies and joints, so give the model file")
    system = read_model(model).system
    report = description_of(system).invariance(model, system)
    return report, {"model": str(model), "invariance": report.to_dict()}
