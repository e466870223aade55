"""Whether an energy or a constraint notices where in the world its bodies are, and how these move together."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds import Action, PairAction, end_name
from vinculum.equations.superposed_samples import finite_changes, random_motions, random_places
from vinculum.scalars import Scalar
from vinculum.systems import Held, Tree, free_views
from vinculum.systems.action_checks import CHECKED_OF_PAIRS

SAMPLES = 6
UNNOTICED = 1e-9


def notices_place(action: Action, bodies: Mapping[str, Body]) -> bool:
    """Whether an energy changes when all bodies (and the ground, where it is one of them) are carried away or turned together.

    O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (8); at samples,
    for parameters at their defaults.
    """
    listed = action.ends[:CHECKED_OF_PAIRS] if isinstance(action, PairAction) else action.ends
    free = free_views([bodies.get(end_name(end)) for end in listed])
    energy = action.energy_at(free.still, free.t)
    if not isinstance(energy, Scalar):
        return False
    at = random_places(len(free.places), scales=(1.0,), each=SAMPLES)
    changes = finite_changes(energy, free, {}, at, np.zeros(SAMPLES))
    return max(changes["translation"], changes["rotation"]) > UNNOTICED


def notices_frame(tree: Tree, held: Held) -> bool:
    """Whether a constraint on bodies changes when all of them move rigidly together: then its efforts come from outside.

    Joints see relative places alone. O'Reilly and Srinivasa, (19); at samples, for parameters at their defaults.
    """
    if any(kind == "joint" for kind, _ in held.things):
        return False
    free = free_views([tree.links[i].body if i >= 0 else None for _, i in held.things])
    rows = held.constraint.rows(free.still if held.constraint.level == 0 else free.moving, free.t)
    at = random_places(len(free.places), scales=(1.0,), each=SAMPLES)
    moved = replace(random_motions(at, still=False), a=np.zeros(SAMPLES)).on(at)
    before, after = (place.of(rows, free, {}) for place in (at, moved))
    sound = np.isfinite(before) & np.isfinite(after)
    size = np.maximum(np.maximum(np.abs(before), np.abs(after)), 1.0)
    return bool((np.abs(after - before) / size)[sound].max(initial=0.0) > UNNOTICED)
