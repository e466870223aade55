"""`vinculum derive`: the equations of motion of a model file, as formulas or as C."""

from pathlib import Path
from typing import Annotated, Any

import typer

from vinculum.cli.answers import AsJson, answering, print_facts, print_json


@answering
def derive(
    model: Annotated[Path, typer.Argument(help="A model file in TOML.")],
    form: Annotated[str, typer.Option(help="newton-euler, lagrange, telegin or hamilton.")] = "lagrange",
    as_latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX and nothing else.")] = False,
    c: Annotated[Path | None, typer.Option(help="Write a C99 function, such as model.c, and its header.")] = None,
    seconds: Annotated[float, typer.Option(help="Time limit of simplification.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Derive the equations of motion of a model."""
    from vinculum.derivations import derive as derived
    from vinculum.systems import System
    from vinculum.systems.files import read_model

    system = read_model(model).system
    if not isinstance(system, System):
        _print_euler_lagrange(model, system, as_latex, as_json, form, c)
        return
    equations = derived(system, form)
    written = [str(path) for path in equations.c_code(c)] if c is not None else []
    counts = equations.count_operations()
    if as_json:
        lines = equations.lines(seconds)
        print_json({"model": str(model), "system": equations.name, "form": form, "coordinates": list(equations.coordinates),
                    "velocities": list(equations.state.v_names), "parameters": equations.parameters, "latex": lines,
                    "operations": counts, "written": written})  # fmt: skip
        return
    if as_latex:
        typer.echo(equations.latex(seconds))
        return
    facts = [("system", equations.name), ("form", form), ("coordinates", ", ".join(equations.coordinates)),
             ("operations", f"{counts['shared']} shared, {counts['written']} written out")]  # fmt: skip
    print_facts(facts + [("written", path) for path in written])
    if c is None:
        typer.echo()
        for line in equations.lines(seconds):
            typer.echo(line)


def _print_euler_lagrange(model: Path, system: Any, as_latex: bool, as_json: bool, form: str, c: Path | None) -> None:
    """The equations of a Lagrangian, which have one form."""
    from vinculum.errors import FileError

    if form not in ("lagrange", "hamilton") or c is not None:
        raise FileError(
            f"{model} describes a Lagrangian, whose equations have the forms lagrange and hamilton and no code in C; "
            "choose one of them and leave --c out"
        )
    lines = (system.canonical() if form == "hamilton" else system.equations()).latex().splitlines()
    facts = {"system": system.name, "form": form, "coordinates": list(system.coordinates), "order": system.order}
    if as_json:
        print_json({"model": str(model), **facts, "parameters": system.parameters, "latex": lines})
        return
    if not as_latex:
        print_facts([(key, ", ".join(x) if isinstance(x, list) else x) for key, x in facts.items()])
        typer.echo()
    for line in lines:
        typer.echo(line)
