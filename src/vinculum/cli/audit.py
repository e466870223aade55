"""`vinculum audit`: the certificate of a stored run, or the invariance of a model."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import FAILED, AsJson, answering, print_json


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
) -> None:
    """Certify a stored run, or audit the invariance of a model; the exit code is 1 when something does not hold."""
    if invariance:
        passed = _invariance(source, as_json)
    else:
        passed = _certificate(source, as_json)
    if not passed:
        raise typer.Exit(FAILED)


def _certificate(run: Path, as_json: bool) -> bool:
    from vinculum.errors import FileError
    from vinculum.motion.storage.store import load

    if run.is_file():
        raise FileError(f"{run} is a file, not a stored run; `vinculum run {run} --out run.zarr` makes one of a model")
    certificate = load(run).audit()
    if as_json:
        print_json({"run": str(run), "certificate": certificate.to_dict()})
    else:
        typer.echo(str(certificate))
    return certificate.passed


def _invariance(model: Path, as_json: bool) -> bool:
    from vinculum.cli.descriptions import description_of
    from vinculum.errors import FileError
    from vinculum.systems.files import read_model

    if model.is_dir():
        raise FileError(f"{model} is a stored run; --invariance needs energies and joints, so give the model file")
    system = read_model(model).system
    report = description_of(system).invariance(model, system)
    if as_json:
        print_json({"model": str(model), "invariance": report.to_dict()})
    else:
        typer.echo(str(report))
    return report.passed
