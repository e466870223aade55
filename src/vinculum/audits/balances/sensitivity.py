"""Sensitivity of the balanced quantities to errors of the state."""

from collections.abc import Sequence

import numpy as np

from vinculum.audits.balances.quantities import sample_parts
from vinculum.motion.chart_changes import stretch_at
from vinculum.motion.record import Record
from vinculum.tolerances.functions import SENSITIVITY_STEP
from vinculum.tolerances.samples import SENSITIVITY_INSTANTS
from vinculum.tolerances.sizes import MOST_SENSITIVITY_ROWS


def sensitivities(
    motion: Record, sizes: np.ndarray, deviations: Sequence[np.ndarray]
) -> tuple[list[np.ndarray], np.ndarray]:
    """The root of Σ (∂L/∂xᵢ δxᵢ)² for every balanced quantity, (m,), for each of the deviations δx (n,); and that of the rates R
    for the first of them.

    The result is the largest over some instants of the motion, for rates the mean. Differences are taken over a millionth of ``sizes``
    (n,). A number of the state whose size is zero does not deviate.
    """
    moved = np.flatnonzero(sizes)
    count = max(2, min(SENSITIVITY_INSTANTS, MOST_SENSITIVITY_ROWS // (1 + len(moved))))
    time = np.linspace(motion.pieces.begin, motion.pieces.end, count)
    states = motion.pieces.state(time)
    L, R = _quantities(motion, time, states)
    if not len(moved):
        still = np.zeros(L.shape[1])
        return [still for _ in deviations], still
    shifts = np.zeros((len(moved), len(sizes)))
    shifts[np.arange(len(moved)), moved] = SENSITIVITY_STEP * sizes[moved]
    there = (states[:, None] + shifts).reshape(-1, len(sizes))
    with np.errstate(over="ignore", invalid="ignore"):
        after = _quantities(motion, np.repeat(time, len(moved)), there)
        of_L, of_R = (
            ((x.reshape(count, len(moved), -1) - y[:, None]) / SENSITIVITY_STEP) ** 2
            for x, y in zip(after, (L, R), strict=True)
        )
        shares = [(deviation[moved] / sizes[moved]) ** 2 for deviation in deviations]
        jacobians = [np.sqrt(np.einsum("tim,i->tm", of_L, share)).max(axis=0) for share in shares]
        return jacobians, np.sqrt(np.einsum("tim,i->tm", of_R, shares[0])).mean(axis=0)


def _quantities(motion: Record, time: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The balanced quantities at states (B, n) and their rates, without the sizes of terms."""
    parts = [(part.L, part.R) for _, part in sample_parts(motion, time, states, stretch_at(motion.changes, time))]
    L, R = zip(*parts, strict=True)
    return np.concatenate(L), np.concatenate(R)
