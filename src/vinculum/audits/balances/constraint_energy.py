"""Energy of constraints as balanced quantities: E[L] + E[M] of the whole system, and E[M] of every constraint that has
one.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.models.model import Model


@final
@dataclass(frozen=True, eq=False)
class ConstraintEnergySamples:
    """Quantities L, rates R, their sizes and extents, (B, n) each; see `Samples`."""

    L: np.ndarray
    R: np.ndarray
    L_size: np.ndarray
    R_size: np.ndarray
    extent: np.ndarray


def constraint_names(model: Model) -> list[str]:
    """Names of the constraints that have an energy because they are part of the Lagrangian."""
    return [name for name, entry in model.layout.constraints.items() if entry.varies]


def constraint_offsets(model: Model) -> list[bool]:
    """Whether only changes of these quantities are meaningful."""
    return [True] * bool(model.layout.constraints) + [False] * len(constraint_names(model))


def constraint_samples(
    model: Model, balance: dict[str, np.ndarray], power_size: np.ndarray, condition: np.ndarray
) -> ConstraintEnergySamples:
    r"""T + U + E[M] with its rate, which contains no efforts of constraints; then each E[M] with its rate, from the power of its efforts.

    .. math:: \frac{d}{dt}E[L, M] = D\cdot\dot q - \frac{\partial L}{\partial t} - \lambda\frac{\partial F}{\partial t},\qquad
        \frac{d}{dt}E[M] = -R\cdot\dot q - \lambda\frac{\partial F}{\partial t}

    ``condition``: (B, 1) factor by which round-off grows in multipliers. Gołubowska (79), (87)–(89).
    """
    count = len(power_size)
    if not model.layout.constraints:
        nothing = np.zeros((count, 0))
        return ConstraintEnergySamples(nothing, nothing, nothing, nothing, nothing)
    T, U, size_U = (balance[name] for name in ("kinetic", "potential", "potential_size"))
    own, own_size = balance["constraint_energy"], balance["constraint_energy_size"]
    jacobians = balance["constraint_time_slope"].sum(axis=1, keepdims=True)
    rate = balance["power_of_others"] + balance["dissipation"] + balance["power_by_rows"] - jacobians
    total = T + U + own.sum(axis=1, keepdims=True)
    sizes = own_size.sum(axis=1, keepdims=True)
    inertia = balance["inertia_condition"]
    return ConstraintEnergySamples(
        np.concatenate([total, own], axis=1),
        np.concatenate([rate, balance["constraint_rate"]], axis=1),
        np.concatenate([T + size_U + sizes, own_size], axis=1),
        np.concatenate([power_size + np.abs(jacobians) + condition * np.abs(balance["power_by_rows"]),
                        balance["constraint_rate_size"] * np.maximum(condition, inertia)], axis=1),
        np.concatenate([U + own.sum(axis=1, keepdims=True), own_size], axis=1),
    )  # fmt: skip
