"""`vinculum info`: what a model file or a stored run describes."""

from pathlib import Path
from typing import Annotated, Any

import typer

from vinculum.cli.answers import AsJson, answering, print_facts, print_json, print_table
from vinculum.tolerances.sizes import BODIES_NAMED


@answering
def info(
    source: Annotated[Path, typer.Argument(metavar="MODEL|RUN", help="A model file, or a stored run.")],
    as_json: AsJson = False,
) -> None:
    """Show bodies, joints, potentials, forces, constraints, unilateral constraints, coordinates, parameters and degrees of freedom."""
    facts = _run_facts(source) if source.is_dir() else _model_facts(source)
    if as_json:
        print_json(facts)
        return
    if "coordinates" in facts:
        print_facts([(key, _value_text(value)) for key, value in facts.items() if value not in ({}, [], None)])
        return
    rows: list[tuple[str, Any]] = [("system", facts["system"]), ("degrees of freedom", facts["degrees_of_freedom"])]
    rows += [("mobility", line) for line in facts.get("loops", ())]
    if "gravity" in facts:
        rows.append(("gravity", f"({', '.join(f'{g:g}' for g in facts['gravity'])}) m/s²"))
        rows += [("event", f"{e['name']}: {e['function']} of '{e['of']}'") for e in facts["events"]]
        rows += [("run", ", ".join(f"{key} = {value}" for key, value in facts["run"].items()))] * bool(facts["run"])
    else:
        from vinculum.cli.run import motion_rows

        rows = [("run", facts["run"]), *motion_rows(facts)]
    rows += [("parameter", f"{name} = {value:g}") for name, value in facts["parameters"].items() if "gravity" in facts]
    print_facts(rows)
    if "gravity" in facts:
        print_table(("body", "kind", "mass [kg]"), [(b["name"], b["kind"], f"{b['mass']:g}") for b in facts["bodies"]])
    else:
        print_table(("body", "kind"), [(b["name"], b["kind"]) for b in facts["bodies"]])
    joints = [(j["name"], j["kind"], j["parent"], j["child"],
               "closes a loop" if j.get("closes_a_loop") else _names_with_units(j["coordinates"])) for j in facts["joints"]]  # fmt: skip
    print_table(("joint", "kind", "parent", "child", "coordinates"), joints)
    if facts["actions"]:
        acting = [(a["name"], a["kind"], _name_list(a["bodies"])) for a in facts["actions"]]
        print_table(("potential or force", "kind", "bodies"), acting)
    if facts["constraints"]:
        held = [
            (c["name"], c["on"], c["rows"], c["realization"], _name_list(c["bodies"])) for c in facts["constraints"]
        ]
        print_table(("constraint", "on", "rows", "realization", "bodies or joints"), held)
    if facts["unilaterals"]:
        hit = [
            (b["name"], b["impact"], _friction(b["friction"]), _name_list(b["bodies"])) for b in facts["unilaterals"]
        ]
        print_table(("unilateral", "impact", "friction", "bodies or joints"), hit)
    if facts["contacts"]:
        print_table(("contact", "friction", "bodies"), [(c["name"], "yes" if c["friction"] else "none", _name_list(c["bodies"]))
                                                        for c in facts["contacts"]])  # fmt: skip
    if facts.get("impulses"):
        struck = [(i["name"], i["on"], ", ".join(f"{t:g}" for t in i["at"])) for i in facts["impulses"]]
        print_table(("impulse", "on", "at [s]"), struck)


def _friction(coefficients: list[float]) -> str:
    return " × ".join(f"{mu:g}" for mu in dict.fromkeys(coefficients)) or "none"


def _name_list(bodies: list[str]) -> str:
    shown = (
        bodies
        if len(bodies) <= BODIES_NAMED
        else [*bodies[: BODIES_NAMED - 1], f"{len(bodies) - BODIES_NAMED + 1} more"]
    )
    return ", ".join(shown)


def _names_with_units(coordinates: list[dict]) -> str:
    return ", ".join(f"{c['name']} [{c['unit']}]" for c in coordinates)


def _model_facts(path: Path) -> dict[str, Any]:
    from vinculum.cli.descriptions import description_of
    from vinculum.systems.files import read_model

    file = read_model(path)
    return description_of(file.system).facts(path, file)


def _value_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} = {x}" for key, x in value.items())
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "; ".join(_value_text(one) for one in value)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _run_facts(path: Path) -> dict[str, Any]:
    from vinculum.cli.descriptions import STORED
    from vinculum.cli.run import run_facts
    from vinculum.motion.storage.store import load

    motion = load(path)
    model = motion.record.model
    return STORED.of(model).stored_facts(model) | run_facts(motion) | {"run": str(path)}
