"""`vinculum report`: a run in one HTML file, from the system to the certificate."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import FAILED, INTERRUPTED, AsJson, Quiet, answering, print_json
from vinculum.errors import FileError


@answering
def report(
    source: Annotated[Path, typer.Argument(metavar="RUN|MODEL", help="A stored run, or a model file to run first.")],
    out: Annotated[Path, typer.Option(help="Report to write: .html.")] = Path("report.html"),
    model: Annotated[
        Path | None, typer.Option(help="The model file of a stored run, whose formulas the folder does not keep.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a report on a stored run or a model: system, equations, plots, certificate, and how it was computed."""
    from vinculum.cli.places import check_report_place
    from vinculum.cli.runs import Run, run_file
    from vinculum.show.report.report import write_report

    check_report_place(out)
    if model is not None and not source.is_dir():
        raise FileError(f"{source} is not a stored run, so --model has nothing to add to it; leave it out")
    if source.is_dir():
        from vinculum.motion.storage.store import load
        from vinculum.systems.files import read_model

        motion = load(source)
        done = Run(motion if model is None else motion.replace(system=read_model(model).system))
    else:
        from vinculum.systems.files import read_model

        done = run_file(read_model(source), source, {}, None, progress=not (quiet or as_json))
    certificate = done.motion.audit()
    write_report(done.motion.record, out, certificate=certificate)
    if as_json:
        print_json({"report": str(out), "verdict": certificate.verdict, "failure": done.failure})
    elif not quiet:
        typer.echo(f"written: {out}")
    if done.failure:
        typer.echo(f"vinculum: {done.failure}", err=True)
    if done.failure or not certificate.passed:
        raise typer.Exit(FAILED)
    if done.interrupted:
        raise typer.Exit(INTERRUPTED)
