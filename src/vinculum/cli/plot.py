"""`vinculum plot`: coordinates and velocities over time."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import FAILED, INTERRUPTED, AsJson, answering, print_json


@answering
def plot(
    source: Annotated[Path, typer.Argument(metavar="RUN|MODEL", help="A stored run, or a model file to run first.")],
    joints: Annotated[list[str] | None, typer.Argument(metavar="[JOINT]...", help="All of them by default.")] = None,
    out: Annotated[Path, typer.Option(help="Picture to write: .png, .pdf or .svg.")] = Path("plot.png"),
    as_json: AsJson = False,
) -> None:
    """Plot joints of a stored run or of a model."""
    from vinculum.cli.places import check_plot_place
    from vinculum.cli.runs import Run, moved
    from vinculum.errors import FileError
    from vinculum.systems import nearest

    check_plot_place(out)
    file = None
    if source.is_dir():
        from vinculum.motion.storage import load

        done = Run(load(source))
        known, closing = done.motion.model.layout["joints"], done.motion.model.layout["closing"]
    else:
        from vinculum.systems.files import read_model

        done, file = None, read_model(source)
        tree = file.system.tree()
        known, closing = tree.joints, tree.closing_joints
    for joint in joints or ():
        if joint in closing:
            raise FileError(
                f"{source}: joint '{joint}' closes a loop and has no coordinates; choose from {', '.join(known)}"
            )
        if joint not in known:
            raise FileError(f"{source}: there is no joint '{joint}'{nearest(joint, known)}")
    if done is None:
        done = moved(file, source, {}, None, progress=not as_json)

    from vinculum.show import plot_motion

    plot_motion(done.motion, tuple(joints or ()), out)
    if as_json:
        print_json({"plot": str(out), "joints": list(joints or known), "failure": done.failure})
    else:
        typer.echo(f"written: {out}")
    if done.failure:
        typer.echo(f"vinculum: {done.failure}", err=True)
        raise typer.Exit(FAILED)
    if done.interrupted:
        raise typer.Exit(INTERRUPTED)
