"""`vinculum plot`: coordinates and velocities over time."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import FAILED, INTERRUPTED, AsJson, Quiet, answering, print_json

PLOTTED = ("time", "phase", "path", "energy", "contact")
"""Kinds of plots that shells complete; which of them a motion has, it says itself."""

OF_JOINTS = ("time", "phase")


@answering
def plot(
    source: Annotated[Path, typer.Argument(metavar="RUN|MODEL", help="A stored run, or a model file to run first.")],
    joints: Annotated[
        list[str] | None,
        typer.Argument(metavar="[JOINT|COORDINATE|BODY]...", help="All of them by default; bodies for paths."),
    ] = None,
    kind: Annotated[
        str,
        typer.Option(help="time, phase, path (of bodies), energy or contact.", autocompletion=lambda: list(PLOTTED)),
    ] = "time",
    out: Annotated[Path, typer.Option(help="Picture to write: .png, .pdf or .svg.")] = Path("plot.png"),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Plot a stored run or a model: joints over time, phase portraits, paths, energies, contact."""
    from vinculum.cli.descriptions import STORED, description_of
    from vinculum.cli.places import check_plot_place
    from vinculum.cli.runs import Run, run_file
    from vinculum.errors import FileError
    from vinculum.systems import nearest

    check_plot_place(out)
    file = None
    if source.is_dir():
        from vinculum.motion.storage.store import load

        done = Run(load(source))
        what, known, closing = STORED.of(done.motion.record.model).stored_curves(done.motion.record.model)
    else:
        from vinculum.systems.files import read_model

        done, file = None, read_model(source)
        what, known, closing = description_of(file.system).curves(file.system)
    for joint in (joints or ()) if kind in OF_JOINTS else ():
        if joint in closing:
            raise FileError(
                f"{source}: joint '{joint}' closes a loop and has no coordinates; choose from {', '.join(known)}"
            )
        if joint not in known:
            raise FileError(f"{source}: there is no {what} '{joint}'{nearest(joint, known)}")
    if done is None:
        done = run_file(file, source, {}, None, progress=not (quiet or as_json))

    done.motion.plot(*(joints or ()), kind=kind, path=out)
    if as_json:
        print_json({"plot": str(out), "kind": kind, "joints": list(joints or known), "failure": done.failure})
    elif not quiet:
        typer.echo(f"written: {out}")
    if done.failure:
        typer.echo(f"vinculum: {done.failure}", err=True)
        raise typer.Exit(FAILED)
    if done.interrupted:
        raise typer.Exit(INTERRUPTED)
