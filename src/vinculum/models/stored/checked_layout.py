"""Checks of the layout of a stored model: names and ranges that other code uses without checks."""

from typing import Any

from vinculum.bodies import GROUND
from vinculum.errors import FileError
from vinculum.models.layout import Layout


def checked_layout(data: Any) -> Layout:
    """A stored layout; refused where something is missing, of another type, or names what is not there."""
    try:
        layout = Layout.from_dict(data)
    except TypeError as error:
        raise FileError(f"the layout of the stored model is damaged: {error}") from error
    nq, nv, bodies = len(layout.q_names), len(layout.v_names), layout.bodies
    ends = {*bodies, GROUND}
    joints = layout.joints.values()
    places = [entry.q for entry in (*joints, *layout.charts)] + layout.quaternions
    constrained = layout.constraints.values()
    ranges = [*places, *(entry.v for entry in joints), *(entry.mu for entry in constrained)]
    named = [name for entry in (*joints, *layout.closing.values()) for name in (entry.child, entry.parent)]
    fits = {
        "ranges": all(len(one) == 2 and one[0] <= one[1] for one in ranges),
        "names": len(set(layout.q_names)) == nq and len(set(layout.v_names)) == nv,
        "units": (len(layout.q_units), len(layout.v_units)) == (nq, nv),
        "groups": len(layout.groups) == nq + nv and max(layout.groups, default=0) < max(1, nq + nv),
        "bodies": sorted(entry.index for entry in bodies.values()) == list(range(len(bodies))),
        "joints": all(one[-1] <= nq for one in places) and all(entry.v[-1] <= nv for entry in joints),
        "ends": ends.issuperset(named) and set(bodies).issuperset(layout.prescribed),
        "quaternions": all(one[-1] - one[0] == 4 for one in layout.quaternions),
        "multipliers": all(entry.mu[-1] <= nq + nv for entry in constrained),
        "masses": set(bodies).issuperset(layout.masses) and all(place < nq for place in layout.masses.values()),
        "gaps": len(layout.levels) == len(layout.gaps) and all(level <= 2 for level in layout.levels)
                and all(len(gap) == 2 for gap in layout.gaps),
        "rank": layout.rank <= max(nv, len(layout.gaps)) and all(k < max(1, len(layout.gaps)) for k in layout.kept),
    }  # fmt: skip
    for what, holds in fits.items():
        if not holds:
            raise FileError(f"the {what} in the stored model's layout do not fit each other")
    return layout
