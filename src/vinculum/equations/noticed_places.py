"""Whether an energy notices where in the world its bodies are."""

from collections.abc import Mapping

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds import Action, PairAction, end_name
from vinculum.equations.superposed_samples import finite_changes, random_places
from vinculum.scalars import Scalar
from vinculum.systems import free_views
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
