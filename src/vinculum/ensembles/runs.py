"""`Runs`: the result of an ensemble, and the distribution of its work over threads."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.compile.width import WIDTH
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model import Model
from vinculum.upward import Door, ShownInNotebooks

RUNS_PLOT = Door("vinculum.show")
"""A plot of many runs, written to a path."""


@final
@dataclass(frozen=True, eq=False)
class Runs(ShownInNotebooks):
    """Many motions of one model on a common grid.

    ``time`` (T,), ``q`` (B, T, nq), ``v`` (B, T, nv); ``failed`` (B,) marks runs that could not be finished, whose later
    states are NaN. ``steps`` (B,) counts the steps of each run. ``interrupted``: the user pressed Ctrl-C; unfinished
    runs are marked as failed. ``parameters``: by name their values (B,).
    """

    model: Model
    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    failed: np.ndarray
    steps: np.ndarray
    interrupted: bool = False
    parameters: Mapping[str, np.ndarray] = field(default_factory=dict)

    def plot(
        self, *asked, kind: str = "time", over=(), since: float | None = None, value=None, label=None, path=None
    ) -> Any:
        """The runs as a Matplotlib figure: by default bands of the named coordinates (the first by default) over time.

        ``kind``: "time"; "phase", a coordinate and its rate as dots; "bifurcation", a coordinate as dots over a parameter or start;
        "map", in color over two of them. ``over``: their names, as "m" or ("m", "length"); "rate of j" is the velocity of j at the
        start. ``since`` [s]: earlier instants are left out. ``value`` (B,): what a map shows, numbers or True and False, and its
        ``label``; by default the largest size of the coordinate. ``path`` (PNG, SVG or PDF) also writes the figure.
        """
        return RUNS_PLOT(self, asked, kind, over, since, value, label, path)

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


def runs_of(model: Model, begin: float, instants, states, values, result, steps, interrupted: bool) -> Runs:
    """The runs with states (B, T, n) after the start and parameter values (B, p); none at all means that the user stopped before
    anything was computed."""
    if interrupted and np.isnan(result).all():
        raise KeyboardInterrupt
    failed = ~np.isfinite(result).all(axis=(1, 2))
    if instants[0] == begin:
        result = np.concatenate([states[:, None, :], result], axis=1)
    named = visible(dict(zip(model.parameter_names, values.T, strict=True)))
    q, v = result[:, :, : model.nq], result[:, :, model.nq :]
    return Runs(model, instants, q, v, failed, steps, interrupted, named)
