"""`vinculum run`: the motion of a model file and its certificate."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from vinculum.cli.answers import FAILED, INTERRUPTED, AsJson, Quiet, answering, count_of, print_facts, print_json


@answering
def run(
    model: Annotated[Path, typer.Argument(help="A model file in TOML.")],
    until: Annotated[float | None, typer.Option(help="End time in seconds.")] = None,
    method: Annotated[
        str | None,
        typer.Option(help="auto, taylor, series, dop853, idas, rk4, verlet, midpoint or moreau.", show_default=False),
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(help="Relative tolerance of an adaptive method, or of impulses between shapes.")
    ] = None,
    step: Annotated[float | None, typer.Option(help="Time step in seconds of a fixed-step method.")] = None,
    grid: Annotated[int | None, typer.Option(help="Number of instants in results and plots.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter; may be repeated.")
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Change a start that violates constraints as little as possible.")
    ] = False,
    resolve: Annotated[
        bool, typer.Option("--resolve", help="Separate bodies that penetrate each other at the start.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder to store the run in, such as run.zarr.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Picture of the motion: .png, .pdf or .svg.")] = None,
    report: Annotated[Path | None, typer.Option(help="Report on the motion: .html.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run a model and certify its motion."""
    from vinculum.cli.places import check_plot_place, check_report_place, check_run_place
    from vinculum.cli.runs import changed_parameters, run_file
    from vinculum.systems.files import read_model

    if out is not None:
        check_run_place(out)
    if plot is not None:
        check_plot_place(plot, out)
    if report is not None:
        check_report_place(report, out)
    began = time.perf_counter()
    file = read_model(model, changed_parameters(changes or ()))
    read = time.perf_counter()
    settings = {
        "until": until,
        "method": method,
        "tolerance": tolerance,
        "step": step,
        "grid": grid,
        "repair": repair or None,
        "resolve": resolve or None,
    }
    done = run_file(file, model, settings, out, progress=not (quiet or as_json))
    simulated = time.perf_counter()
    certificate = None if done.interrupted else done.motion.audit()
    audited = time.perf_counter()
    if plot is not None:
        done.motion.plot(path=plot)
    if report is not None:
        from vinculum.show.report.report import write_report

        write_report(done.motion.record, report, certificate=certificate)
    seconds = {"read": read - began, "simulate": simulated - read, "audit": audited - simulated}
    facts = run_facts(done.motion) | {
        "model": str(model), "seconds": seconds, "out": None if out is None else str(out),
        "plot": None if plot is None else str(plot), "report": None if report is None else str(report),
        "failure": done.failure, "interrupted": done.interrupted,
    }  # fmt: skip
    if as_json:
        print_json(facts | {"certificate": None if certificate is None else certificate.to_dict()})
    elif not quiet:
        _print_run(facts)
        if certificate is not None:
            typer.echo(str(certificate))
    elif certificate is not None and not certificate.passed:
        typer.echo(str(certificate), err=True)
    if done.failure:
        typer.echo(f"vinculum: {done.failure}", err=True)
    if done.interrupted:
        kept = f"; what was computed is in {out}" if out is not None else ""
        typer.echo(f"vinculum: interrupted at t = {facts['end']:g} s{kept}", err=True)
        raise typer.Exit(INTERRUPTED)
    if done.failure or certificate is None or not certificate.passed:
        raise typer.Exit(FAILED)


def run_facts(motion: Any) -> dict[str, Any]:
    """What there is to say about a motion."""
    record = motion.record
    return {
        "system": record.model.name,
        "degrees_of_freedom": record.model.freedoms,
        "method": str(record.method),
        "begin": float(record.pieces.begin),
        "end": float(record.pieces.end),
        "steps": len(record.pieces),
        "parameters": dict(record.parameters),
        "crossings": [{"event": c.name, "time": c.time, "direction": c.direction} for c in record.crossings],
        **_impact_facts(motion),
        "log": list(record.log),
    }


def _impact_facts(motion: Any) -> dict[str, Any]:
    """Impacts of unilateral constraints and impulses between shapes; nothing for a motion without any."""
    facts: dict[str, Any] = {}
    record = motion.record
    atoms, contact_solver = record.atoms, record.contact_solver
    if atoms is not None:
        known = record.model.type.bonds_with_atoms(record.model)
        hits = {name: motion.bond(name).impulses for name in known}
        facts["impacts"] = {name: {"count": len(hit), "first": float(hit.times[0]) if len(hit) else None,
                                  "largest_contact_impulse": float(hit.normal.max(initial=0.0))} for name, hit in hits.items()}  # fmt: skip
    if contact_solver is not None and len(contact_solver):
        facts["contact_solver"] = {"steps": len(contact_solver), "most_contacts": int(contact_solver.contacts.max()),
                             "sweeps": int(contact_solver.sweeps.sum()), "largest_residual": float(contact_solver.residual.max()),
                             "deepest_penetration": float(contact_solver.penetration.max())}  # fmt: skip
    return facts


def motion_rows(facts: dict[str, Any]) -> list[tuple[str, Any]]:
    """The facts of a motion, to be printed in two columns."""
    rows: list[tuple[str, Any]] = [
        ("system", facts["system"]),
        ("degrees of freedom", facts["degrees_of_freedom"]),
        ("method", facts["method"]),
        ("time", f"{facts['begin']:g} to {facts['end']:g} s in {count_of(facts['steps'], 'step')}"),
    ]
    if facts["parameters"]:
        rows.append(("parameters", ", ".join(f"{name} = {value:g}" for name, value in facts["parameters"].items())))
    names = [crossing["event"] for crossing in facts["crossings"]]
    rows += [("event", f"{name}, {count_of(names.count(name), 'time')}") for name in dict.fromkeys(names)]
    rows += [("impacts", f"{name}, {count_of(hit['count'], 'time')}, at most {hit['largest_contact_impulse']:.3g} N s")
             for name, hit in facts.get("impacts", {}).items() if hit["count"]]  # fmt: skip
    if "contact_solver" in facts:
        told = facts["contact_solver"]
        rows.append(("impulses", f"of up to {count_of(told['most_contacts'], 'contact')} to a residual of {told['largest_residual']:.1e} "
                                 f"in {count_of(told['sweeps'], 'sweep')}"))  # fmt: skip
    rows += [("remark", line) for line in facts["log"]]
    return rows


def _print_run(facts: dict[str, Any]) -> None:
    seconds = facts["seconds"]
    taken = (f"read {seconds['read']:.2f} s, compile and simulate {seconds['simulate']:.2f} s, "
             f"audit {seconds['audit']:.2f} s")  # fmt: skip
    written = [("written", facts[key]) for key in ("out", "plot", "report") if facts[key]]
    print_facts([*motion_rows(facts), ("wall time", taken), *written])
    typer.echo()
