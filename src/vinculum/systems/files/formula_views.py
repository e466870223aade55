"""Names of bodies and joints in formulas of a model file: ``NAME.position``, ``NAME.x_axis``, ``NAME.q``, …"""

from collections.abc import Iterable, Mapping
from typing import Any

from vinculum.errors import FileError
from vinculum.systems.files.values import Values
from vinculum.systems.system import System

PLACES = ("position", "center")
AXES = ("x_axis", "y_axis", "z_axis")
MOTIONS = ("velocity", "center_velocity", "angular_velocity")
MOTION_RATES = ("acceleration", "center_acceleration", "angular_acceleration")
OF_JOINTS = ("q", "v", "a")


def check_names(values: Values, place: str, names: Iterable[str], what: str = "") -> None:
    """Refuse names of bodies or joints that cannot stand in a formula."""
    for name in names:
        if not name.isidentifier():
            raise FileError(
                f"{values.file}: {place}: {what}'{name}' cannot stand in a formula; give it a name of letters, digits and underscores"
            )


def rows_of_things(values: Values, place: str, things: list[str], system: System, rates: int = 0) -> dict[str, int]:
    """Sizes of all that a formula sees of bodies and joints; ``rates``: 1 with their velocities, 2 with accelerations too."""
    check_names(values, place, things)
    sizes = {"t": 1}
    for thing in things:
        if thing in system.joints:
            joint = system.joints[thing]
            own = dict(zip(OF_JOINTS, (joint.nq, joint.nv, joint.nv)[: 1 + rates], strict=False))
        else:
            rows = (*PLACES, *AXES, *(MOTIONS if rates else ()), *(MOTION_RATES if rates > 1 else ()))
            body = system.bodies.get(thing)
            own = {row: 3 for row in rows if body is None or body.turns or _of_any(row)}
        sizes |= {f"{thing}.{row}": size for row, size in own.items()}
    return sizes


def values_seen(views: Mapping[str, Any], t, names: Iterable[str]) -> dict[str, Any]:
    """Values of ``names`` such as ``upper.position``, by views of things; a mass point has neither axes nor an angular velocity."""
    known = {"t": t}
    for name in names:
        thing, _, row = name.rpartition(".")
        view = views.get(thing)
        if view is not None and _has(view, row):
            known[name] = view.rotation[:, AXES.index(row)] if row in AXES else getattr(view, row)
    return known


def _has(view, row: str) -> bool:
    return row in OF_JOINTS or (row != "t" and (view._state.turns or _of_any(row)))


def _of_any(row: str) -> bool:
    """Whether a mass point has it too."""
    return row not in AXES and not row.startswith("angular_")
