"""`vinculum view`: a run in space, as a page for a browser, a film or a picture."""

from pathlib import Path
from typing import Annotated

import typer

from vinculum.cli.answers import FAILED, INTERRUPTED, AsJson, Quiet, answering, print_json
from vinculum.errors import FileError


@answering
def view(
    source: Annotated[Path, typer.Argument(metavar="RUN|MODEL", help="A stored run, or a model file to run first.")],
    out: Annotated[
        Path, typer.Option(help="Page (.html), film (.gif, .webp, .mp4) or picture (.png, .svg, .pdf) to write.")
    ] = Path("view.html"),
    frames: Annotated[int | None, typer.Option(help="Frames of the page; enough by default.")] = None,
    trace: Annotated[list[str] | None, typer.Option(help="A body whose path the page shows; may be repeated.")] = None,
    at: Annotated[float | None, typer.Option(help="Instant of a picture in seconds; the last by default.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show a stored run or a model in space."""
    from vinculum.cli.places import PAGES, PLOTS, check_view_place
    from vinculum.cli.runs import Run, run_file

    kind = check_view_place(out)
    suffixes = {"picture": PLOTS, "page": PAGES}
    for option, given, only in (
        ("--at", at is not None, "picture"),
        ("--frames", frames is not None, "page"),
        ("--trace", bool(trace), "page"),
    ):
        if given and kind != only:
            other = f"write a {only} ({', '.join(suffixes[only])})"
            raise FileError(f"{option} is for a {only}, and {out} is a {kind}; leave it out, or {other}")
    if source.is_dir():
        from vinculum.motion.storage.store import load

        done = Run(load(source))
    else:
        from vinculum.systems.files import read_model

        done = run_file(read_model(source), source, {}, None, progress=not (quiet or as_json))
    if kind == "page":
        done.motion.plot.view(out, frames=frames, trace=trace or (), browser=browser and not as_json)
    elif kind == "film":
        done.motion.plot.animate(out)
    else:
        done.motion.plot.picture(at, out)
    if as_json:
        print_json({kind: str(out), "failure": done.failure})
    elif not quiet:
        typer.echo(f"written: {out}")
    if done.failure:
        typer.echo(f"vinculum: {done.failure}", err=True)
        raise typer.Exit(FAILED)
    if done.interrupted:
        raise typer.Exit(INTERRUPTED)
