"""Tables of what a system consists of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from vinculum.bonds import end_name
from vinculum.models.layout import Layout
from vinculum.scalars import value
from vinculum.show.markup import Markup, element, table
from vinculum.tolerances.sizes import BODIES_NAMED, ROWS_SHOWN

LEVELS = ("positions", "velocities", "accelerations")


class Contents(NamedTuple):
    """A table: what it lists, its head, and a function that makes the row of each thing."""

    title: str
    head: tuple[str, ...]
    things: Mapping[str, Any]
    row: Callable[[str, Any], tuple]


def tables(contents: Iterable[Contents]) -> Markup:
    """The tables that are not empty; of long ones the first rows."""
    found = Markup("")
    for one in contents:
        if not one.things:
            continue
        shown = [one.row(name, thing) for name, thing in list(one.things.items())[:ROWS_SHOWN]]
        found += element("h4", f"{one.title} ({len(one.things)})") + table(one.head, shown)
        if len(one.things) > len(shown):
            found += element("p", f"… and {len(one.things) - len(shown)} more", class_="quiet")
    return found


def system_contents(system: Any) -> list[Contents]:
    """Bodies, joints and bonds of a `System`."""
    return [
        Contents("bodies", ("name", "kind", "mass [kg]"), system.bodies, lambda name, x: (name, _kind(x), f"{float(value(x.mass)):.6g}")),
        Contents("joints", ("name", "kind", "parent", "child"), system.joints,
                 lambda name, x: (name, _kind(x), end_name(x.parent), end_name(x.child))),
        Contents("bonds", ("name", "kind", "on"), _bonds(system), lambda name, x: (name, x[0], _names(x[1]))),
    ]  # fmt: skip


def layout_contents(layout: Layout, masses: Mapping[str, float]) -> list[Contents]:
    """The same of the layout of a model, with ``masses`` [kg] of the bodies and the coordinates of the joints."""

    def coordinates(entry: Any) -> str:
        return ", ".join(f"{layout.q_names[i]} [{layout.q_units[i]}]" for i in range(*entry.q)) or "none"

    return [
        Contents("bodies", ("name", "kind", "mass [kg]"), layout.bodies, lambda name, x: (name, x.kind, f"{masses[name]:.6g}")),
        Contents("joints", ("name", "kind", "parent", "child", "coordinates"), layout.joints,
                 lambda name, x: (name, x.kind, x.parent, x.child, coordinates(x))),
        Contents("joints that close loops", ("name", "kind", "parent", "child"), layout.closing,
                 lambda name, x: (name, x.kind, x.parent, x.child)),
        Contents("potentials and forces", ("name", "kind", "on"), layout.actions, lambda name, x: (name, x.kind, _names(x.bodies))),
        Contents("constraints", ("name", "of", "rows", "realization", "on"), layout.constraints,
                 lambda name, x: (name, LEVELS[x.level], x.rows, x.realization, _names(x.bodies))),
        Contents("unilateral constraints", ("name", "impact", "restitution", "friction", "on"), layout.unilaterals,
                 lambda name, x: (name, x.impact, f"{x.restitution:g}", " × ".join(f"{mu:g}" for mu in dict.fromkeys(x.friction)) or "none",
                                  _names(x.bodies))),
        Contents("contacts", ("name", "friction", "on"), layout.contacts,
                 lambda name, x: (name, "yes" if x.friction else "none", _names(x.bodies))),
        Contents("impulses", ("name", "on", "at [s]"), layout.impulses,
                 lambda name, x: (name, x.on, _names([f"{t:g}" for t in x.at]))),
    ]  # fmt: skip


def _kind(thing: Any) -> str:
    return type(thing).__name__


def _bonds(system: Any) -> dict[str, tuple[str, list[str]]]:
    """Kinds of all bonds but joints, and the names of what they act on."""
    ends = {name: bond.ends for name, bond in system.actions.items()}
    ends |= {name: bond.bodies for name, bond in (system.constraints | system.unilaterals | system.contacts).items()}
    ends |= {name: (bond.on,) for name, bond in system.impulses.items()}
    bonds = system.actions | system.constraints | system.unilaterals | system.contacts | system.impulses
    return {name: (_kind(bond), [end_name(one) for one in ends[name]]) for name, bond in bonds.items()}


def _names(names: Sequence[str]) -> str:
    if len(names) <= BODIES_NAMED:
        return ", ".join(names)
    return ", ".join([*names[: BODIES_NAMED - 1], f"{len(names) - BODIES_NAMED + 1} more"])
