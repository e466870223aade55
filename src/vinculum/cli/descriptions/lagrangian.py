"""Output about a Lagrangian."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, final

import typer

from vinculum.cli.answers import print_facts, print_json
from vinculum.cli.descriptions.base import Asked, Described
from vinculum.errors import FileError
from vinculum.models.lagrangian.type import lagrangian_of
from vinculum.models.model import Model


@final
class DescribedLagrangian(Described):
    """A `LagrangianSystem`, or the run of one."""

    def facts(self, path: Path, file: Any) -> dict[str, Any]:
        system = file.system
        held = (*system.principle.stationary, *system.principle.ideal, *system.principle.loose)
        return {
            "system": system.name,
            "model": str(path),
            "coordinates": list(system.coordinates),
            "order": system.order,
            "constraints": [{"name": rows.name, "order": rows.level, "rows": len(rows.F), "realization": type(rows.realization).__name__}
                            for rows in held],
            "parameters": dict(file.parameters),
            "events": [{"name": e.name, "function": e.text, "direction": e.direction, "stop": e.stop} for e in file.events],
            "run": dict(file.run),
        }  # fmt: skip

    def stored_facts(self, model: Model) -> dict[str, Any]:
        held = [asdict(one) for one in lagrangian_of(model).constrained]
        return {"coordinates": model.layout.q_names, "constraints": held}

    def curves(self, system: Any) -> tuple[str, list[str], list[str]]:
        return "coordinate", list(system.coordinates), []

    def stored_curves(self, model: Model) -> tuple[str, list[str], list[str]]:
        return "coordinate", list(model.layout.q_names), []

    def print_equations(self, system: Any, asked: Asked) -> None:
        if asked.form not in ("lagrange", "hamilton") or asked.c is not None:
            raise FileError(
                f"{asked.model} describes a Lagrangian, whose equations have the forms lagrange and hamilton and no code in C; "
                "choose one of them and leave --c out"
            )
        lines = (system.canonical() if asked.form == "hamilton" else system.equations()).latex().splitlines()
        facts = {
            "system": system.name,
            "form": asked.form,
            "coordinates": list(system.coordinates),
            "order": system.order,
        }
        if asked.as_json:
            print_json({"model": str(asked.model), **facts, "parameters": system.parameters, "latex": lines})
            return
        if not asked.as_latex:
            print_facts([(key, ", ".join(x) if isinstance(x, list) else x) for key, x in facts.items()])
            typer.echo()
        for line in lines:
            typer.echo(line)

    def invariance(self, path: Path, system: Any) -> Any:
        raise FileError(f"{path} describes a Lagrangian; --invariance looks at energies and joints of bodies")
