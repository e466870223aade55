"""`Runs`: the result of an ensemble, and the distribution of its work over threads."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.width import WIDTH
from vinculum.models.model import Model
from vinculum.upward import ShownInNotebooks


@final
@dataclass(frozen=True, eq=False)
class Runs(ShownInNotebooks):
    """Many motions of one model on a common grid.

    ``time`` (T,), ``q`` (B, T, nq), ``v`` (B, T, nv); ``failed`` (B,) marks runs that could not be finished, whose later
    states are NaN. ``steps`` (B,) counts the steps of each run. ``interrupted``: the user pressed Ctrl-C; unfinished
    runs are marked as failed.
    """

    model: Model
    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    failed: np.ndarray
    steps: np.ndarray
    interrupted: bool = False

    def __repr__(self):
        count = len(self.q)
        failed = f", {int(self.failed.sum())} failed" if self.failed.any() else ""
        return f"{count} run{'s' * (count != 1)} of '{self.model.name}' at {len(self.time)} instants up to {self.time[-1]:g} s{failed}"


def shared_work(count: int, threads: int, job) -> bool:
    """``job(first, last, halt)`` over lane-aligned parts of the batch, on all threads; whether the user stopped it.

    A job looks at ``halt``, (1,), and leaves its loop when that is set.
    """
    blocks = -(-count // WIDTH)
    parts = min(blocks, threads)
    edges = [min(count, WIDTH * (blocks * k // parts)) for k in range(parts + 1)]
    halt = np.zeros(1, dtype=np.int64)
    with ThreadPoolExecutor(parts) as pool:
        try:
            list(pool.map(lambda k: job(edges[k], edges[k + 1], halt), range(parts)))
        except BaseException as error:
            halt[0] = 1
            if not isinstance(error, KeyboardInterrupt):
                raise
    return bool(halt[0])


def runs_of(model: Model, begin: float, instants, states, result, steps, interrupted: bool) -> Runs:
    """The runs with states (B, T, n) after the start; none at all means that the user stopped before anything was computed."""
    if interrupted and np.isnan(result).all():
        raise KeyboardInterrupt
    failed = ~np.isfinite(result).all(axis=(1, 2))
    if instants[0] == begin:
        result = np.concatenate([states[:, None, :], result], axis=1)
    return Runs(model, instants, result[:, :, : model.nq], result[:, :, model.nq :], failed, steps, interrupted)
