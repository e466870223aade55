"""Whether an energy or a constraint depends on the absolute positions and velocities of its bodies."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vinculum.bodies import GROUND, Body
from vinculum.bonds import Action, Constraint, PairAction, end_name
from vinculum.bonds.actions import ContactForce
from vinculum.bonds.actions.own import is_deformation
from vinculum.bonds.body_view import change_view
from vinculum.equations.sampling.superposed_samples import Placed, finite_changes, random_motions, random_places
from vinculum.scalars import Scalar, gradient, substitute, symbols
from vinculum.scalars.math import cross
from vinculum.systems import Acting, Constrained, FreeViews, Tree, free_views
from vinculum.tolerances.functions import UNNOTICED
from vinculum.tolerances.samples import CHECKED_OF_PAIRS, NOTICED_SAMPLES


def notices_place(action: Action, bodies: Mapping[str, Body]) -> bool:
    """Whether an energy changes when all bodies (and the ground, where it is one of them) are carried away or turned together, or the
    dissipation of a body's deformation turns the body.

    O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (8); at samples,
    for parameters at their defaults.
    """
    listed = action.ends[:CHECKED_OF_PAIRS] if isinstance(action, PairAction) else action.ends
    free = free_views([bodies.get(end_name(end)) for end in listed])
    energy = action.law.energy_at(free.still, free.t)
    at = random_places(free, scales=(1.0,), each=NOTICED_SAMPLES)
    efforts = action.law.efforts_at(free.moving, free.t) if at.flat or is_deformation(action) else None
    if efforts and is_deformation(action):
        return _leave_something(efforts, free, at)
    if at.flat and _leaves_plane(energy, free, at, [force[2] for force, _ in efforts or []]):
        return True
    if not isinstance(energy, Scalar):
        return False
    changes = finite_changes(energy, free, {}, at, np.zeros(NOTICED_SAMPLES))
    return max(changes["translation"], changes["rotation"]) > UNNOTICED


def notices_frame(tree: Tree, constrained: Constrained) -> bool:
    """Whether a constraint on bodies changes when all of them move rigidly together: then its efforts come from outside.

    Joints see relative places alone. Efforts that a servo names come from outside where one of them is a force on one body; those of a
    contact follow its gap. Efforts of a constraint on accelerations come from outside where they do not come in pairs.
    O'Reilly and Srinivasa, (19); at samples, for parameters at their
    defaults.
    """
    if constrained.directions:
        wrenches = [one.action for one in constrained.directions if isinstance(one, Acting)]
        if any(one.law.is_external or _keeps_from_turning(tree, one) for one in wrenches):
            return True
        if not any(isinstance(one, ContactForce) for one in wrenches):
            return False
    if any(kind == "joint" for kind, _ in constrained.things):
        return False
    free = free_views([tree.links[i].body if i >= 0 else None for _, i in constrained.things])
    at = random_places(free, scales=(1.0,), each=NOTICED_SAMPLES)
    if constrained.constraint.level == 2:
        return _is_unpaired(constrained.constraint, free, at)
    rows = constrained.constraint.rows(free.still if constrained.constraint.level == 0 else free.moving, free.t)
    if at.flat and _leaves_plane(sum(((1.0 + 0.3 * i) * row for i, row in enumerate(rows)), 0.0), free, at, []):
        return True
    moved = replace(random_motions(at, still=False), a=np.zeros(NOTICED_SAMPLES)).on(at)
    before, after = (place.of(rows, free, {}) for place in (at, moved))
    sound = np.isfinite(before) & np.isfinite(after)
    before, after = before[sound], after[sound]
    size = np.maximum(np.maximum(np.abs(before), np.abs(after)), 1.0)
    return bool((np.abs(after - before) / size).max(initial=0.0) > UNNOTICED)


def _leaves_plane(function, free: FreeViews, at: Placed, upward: list) -> bool:
    """Whether a bond of planar bodies may pull them out of the plane, which then holds them from outside: where it has other bodies, or
    forces across the plane. ``upward``: forces along z besides the slopes of the function."""
    planar = [kind.is_planar for kind in free.kinematics]
    if any(not flat and view._state.body is not None for flat, view in zip(planar, free.still, strict=True)):
        return True
    leaves = [x for (place, _), (u, _) in zip(free.places, free.motions, strict=True) for x in (place[2], u[2])]
    slopes = gradient(function, np.array(leaves, dtype=object)) if isinstance(function, Scalar) else []
    found = at.of(np.array([*slopes, *upward, 0.0], dtype=object), free, {})
    return bool(np.abs(np.nan_to_num(found)).max() > UNNOTICED)


def _keeps_from_turning(tree: Tree, action: Action) -> bool:
    """Whether it is a contact between two bodies of which one is a mass point: what takes the moment there is not described."""
    if not isinstance(action, ContactForce):
        return False
    names = [end_name(end) for end in action.ends]
    points = {link.body.name for link in tree.links if not link.body.turns}
    return GROUND not in names and not points.isdisjoint(names)


def _is_unpaired(constraint: Constraint, free: FreeViews, at: Placed) -> bool:
    """Whether forces or moments of a constraint on accelerations, ∂F/∂v̇ and ∂F/∂ω̇, leave something over."""
    return _leave_something(acceleration_efforts(constraint, free), free, at)


def _leave_something(efforts: list[tuple[np.ndarray, np.ndarray]], free: FreeViews, at: Placed) -> bool:
    """Whether efforts on bodies have a force or a moment in sum."""
    force = sum((f for f, _ in efforts), np.zeros(3))
    known = zip(efforts, free.places, free.kinematics, strict=True)
    moment = sum((kind.moment(R, m) + cross(x, f) for (f, m), (x, R), kind in known), np.zeros(3))
    left = at.of(np.concatenate([force, moment]), free, {})
    size = np.abs(at.of(np.concatenate([x for pair in efforts for x in pair]), free, {})).max()
    return bool(np.nanmax(np.abs(left)) > UNNOTICED * max(size, 1.0))


def acceleration_efforts(constraint: Constraint, free: FreeViews) -> list[tuple[np.ndarray, np.ndarray]]:
    """Slopes (3,) of the sum of all rows by the acceleration of every body's origin and by its angular acceleration, or by the second
    derivatives of its deformation."""
    rates = [(symbols("acceleration", 3), symbols("angular acceleration", kind.count)) for kind in free.kinematics]
    views = [change_view(view, motion_rate=rate) for view, rate in zip(free.moving, rates, strict=True)]
    rows = constraint.rows(views, free.t)
    weighted = sum(((1.0 + 0.3 * i) * row for i, row in enumerate(rows)), 0.0)
    slopes = [gradient(weighted, part) for pair in rates for part in pair]
    leaves = np.concatenate([x for pair in rates for x in pair])
    found = [substitute(slope, leaves, np.zeros(len(leaves))) for slope in slopes]
    return list(zip(found[::2], found[1::2], strict=True))
