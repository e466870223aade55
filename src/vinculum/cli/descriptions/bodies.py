"""Output about bodies and bonds."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, final

import typer

from vinculum.cli.answers import print_facts, print_json
from vinculum.cli.descriptions.base import Asked, Described
from vinculum.models.model import Model

LEVELS = ("positions", "velocities", "accelerations")


@final
class DescribedBodies(Described):
    """A `System`, or the run of one."""

    def facts(self, path: Path, file: Any) -> dict[str, Any]:
        from vinculum.motion import model_for
        from vinculum.scalars import value

        facts = _layout_facts(model_for(file.system).layout)
        for body in facts["bodies"]:
            described = file.system.bodies[body["name"]]
            body |= {"mass": float(value(described.mass)), "center": value(described.center).tolist()}
        facts |= {
            "model": str(path),
            "gravity": value(file.system.gravity).tolist(),
            "parameters": dict(file.parameters),
            "events": [{"name": e.name, "of": e.of[0], "function": e.text, "direction": e.direction, "stop": e.stop}
                       for e in file.events],
            "run": dict(file.run),
        }  # fmt: skip
        return facts | _freedoms(file)

    def stored_facts(self, model: Model) -> dict[str, Any]:
        return _layout_facts(model.layout)

    def curves(self, system: Any) -> tuple[str, list[str], list[str]]:
        tree = system.tree()
        return "joint", list(tree.joints), list(tree.closing_joints)

    def stored_curves(self, model: Model) -> tuple[str, list[str], list[str]]:
        return "joint", list(model.layout.joints), list(model.layout.closing)

    def print_equations(self, system: Any, asked: Asked) -> None:
        from vinculum.derivations import derive as derived

        equations = derived(system, asked.form)
        written = [str(path) for path in equations.code.c99(asked.c)] if asked.c is not None else []
        counts = equations.code.count_operations()
        if asked.as_json:
            lines = equations.lines(asked.seconds)
            print_json({"model": str(asked.model), "system": equations.name, "form": asked.form, "coordinates": list(equations.coordinates),
                        "velocities": list(equations.graphs.state.v_names), "parameters": equations.parameters, "latex": lines,
                        "operations": counts, "written": written})  # fmt: skip
            return
        if asked.as_latex:
            typer.echo(equations.latex(asked.seconds))
            return
        facts = [("system", equations.name), ("form", asked.form), ("coordinates", ", ".join(equations.coordinates)),
                 ("operations", f"{counts['shared']} shared, {counts['written']} written out")]  # fmt: skip
        print_facts(facts + [("written", path) for path in written])
        if asked.c is None:
            typer.echo()
            for line in equations.lines(asked.seconds):
                typer.echo(line)

    def invariance(self, path: Path, system: Any) -> Any:
        from vinculum.audits.invariance.invariance import audit_invariance

        return audit_invariance(system)


def _freedoms(file: Any) -> dict[str, Any]:
    """Degrees of freedom that closed loops leave at the start; nothing where there are no loops."""
    from vinculum.derivations.starts.mobility import mobility
    from vinculum.errors import MethodError, StartError

    if not file.system.tree().is_conditioned:
        return {}
    try:
        found = mobility(file.system, file.start)
    except (MethodError, StartError) as error:
        return {"degrees_of_freedom": None, "loops": [str(error)]}
    return {"degrees_of_freedom": found.freedoms, "loops": str(found).splitlines()}


def _layout_facts(layout: Any) -> dict[str, Any]:
    from vinculum.models.conditions.closed_loops import visible

    def coordinates(entry: Any) -> list[dict]:
        first, last = entry.q
        return [{"name": layout.q_names[i], "unit": layout.q_units[i]} for i in range(first, last)]

    return {
        "system": layout.name,
        "degrees_of_freedom": len(layout.v_names) - layout.rank,
        "bodies": [{"name": name, "kind": entry.kind} for name, entry in layout.bodies.items()],
        "joints": [{"name": name, "kind": entry.kind, "parent": entry.parent, "child": entry.child,
                    "coordinates": coordinates(entry)} for name, entry in layout.joints.items()]
        + [{"name": name, **asdict(entry), "coordinates": [], "closes_a_loop": True} for name, entry in layout.closing.items()],
        "actions": [{"name": name, "kind": entry.kind, "bodies": entry.bodies} for name, entry in layout.actions.items()],
        "constraints": [{"name": name, "on": LEVELS[entry.level], "rows": entry.rows, "realization": entry.realization,
                         "bodies": entry.bodies} for name, entry in layout.constraints.items()],
        "unilaterals": [{"name": name, "impact": f"{entry.impact}({entry.restitution:g})", "treatment": entry.treatment,
                        "friction": entry.friction, "bodies": entry.bodies}
                       for name, entry in layout.unilaterals.items()],
        "contacts": [{"name": name, **asdict(entry)} for name, entry in layout.contacts.items()],
        "impulses": [{"name": name, "on": entry.on, "at": entry.at} for name, entry in layout.impulses.items()],
        "parameters": visible(layout.parameters),
    }  # fmt: skip
