"""`vinculum audit`: the certificate of a stored run."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import FAILED, AsJson, answering, print_json


@answering
def audit(
    run: Annotated[Path, typer.Argument(help="A stored run, such as run.zarr.")],
    as_json: AsJson = False,
) -> None:
    """Certify a stored run; the exit code is 1 when a law does not hold."""
    from vinculum.errors import FileError
    from vinculum.motion.storage import load

    if run.is_file():
        raise FileError(f"{run} is a file, not a stored run; `vinculum run {run} --out run.zarr` makes one of a model")
    certificate = load(run).audit()
    if as_json:
        print_json({"run": str(run), "certificate": certificate.to_dict()})
    else:
        typer.echo(str(certificate))
    if not certificate.passed:
        raise typer.Exit(FAILED)
