"""Impulses of the conditions of tables while applied impulses act."""

import numpy as np

from vinculum.models.model import Model
from vinculum.models.tabled.projection import tables_at, velocities_after
from vinculum.models.tabled.tabled import Tabled


def impulses_of_conditions(
    model: Model, tabled: Tabled, states: np.ndarray, times: np.ndarray, values: np.ndarray, given: np.ndarray
) -> np.ndarray:
    r"""Multipliers Λ (B, m) of all gaps in impulses Q = ``given`` (B, nv) along the velocities, at ``states`` (B, n) before them.

    .. math:: M (v^+ - v^-) = Q + J^T \Lambda

    Rows that are left out have zeros."""
    found = np.zeros((len(states), len(model.layout.gaps)))
    for k, own in enumerate(np.broadcast_to(values, (len(states), len(model.parameters)))):
        one = slice(k, k + 1)
        velocities_after(model, tabled, states[one], times[one], own, given[one])
        reactions = tables_at(model, tabled, own).reactions
        found[k, reactions.gaps] = -reactions.x  # the projection of velocities subtracts M⁻¹ Jᵀ x
    return found
