"""How far the balanced quantities move when the state does."""

import numpy as np

from vinculum.audits.quantities import samples
from vinculum.motion import Motion

INSTANTS = 12
STEP = 1e-6
MOST_ROWS = 20_000


def sensitivity(motion: Motion, deviation: np.ndarray) -> np.ndarray:
    """The root of Σ (∂L/∂xᵢ δxᵢ)² for every balanced quantity, the largest of some instants along the motion, (m,).

    ``deviation``: δx (n,), which may be large: differences are taken over a millionth of it.
    """
    n = len(deviation)
    moved = np.flatnonzero(deviation)
    count = max(2, min(INSTANTS, MOST_ROWS // (1 + len(moved))))
    time = np.linspace(motion.pieces.begin, motion.pieces.end, count)
    states = motion.pieces.state(time)
    here = samples(motion, time, states).L
    if not len(moved):
        return np.zeros(here.shape[1])
    shifts = np.zeros((len(moved), n))
    shifts[np.arange(len(moved)), moved] = STEP * deviation[moved]
    there = (states[:, None] + shifts).reshape(-1, n)
    with np.errstate(over="ignore", invalid="ignore"):
        change = samples(motion, np.repeat(time, len(moved)), there).L.reshape(count, len(moved), -1) - here[:, None]
        return np.sqrt(np.sum((change / STEP) ** 2, axis=1)).max(axis=0)
