"""Destination of steps during a run: memory, or a zarr folder."""

from typing import Any, final

import numpy as np

from vinculum.errors import StartError
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Problem, Steps
from vinculum.motion.storage.joined import Joined
from vinculum.tolerances.sizes import LARGEST_IN_MEMORY, NUMBERS_OF_A_STEP, WORTH_LEAVING_APART


@final
class MemorySink:
    """Steps kept in memory, as long as there are not too many."""

    def __init__(self, largest: int):
        self._chunks: list[Steps] = []
        self._bytes, self._largest = 0, largest

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return None

    @property
    def empty(self) -> bool:
        return not self._chunks

    def end(self, begin: float) -> float:
        """The instant reached so far."""
        return float(self._chunks[-1].times[-1]) if self._chunks else begin

    @property
    def full(self) -> str | None:
        """Why no more steps can be kept, or None."""
        if self._bytes <= self._largest:
            return None
        return f"its steps fill {self._bytes / 2**30:.1f} GiB of memory; stream them to a folder with out='run.zarr'"

    def append(self, steps: Steps) -> None:
        if len(steps.coefficients):
            self._chunks.append(steps)
            self._bytes += steps.coefficients.nbytes
            if steps.contact_solver is not None and steps.contact_solver.pressing is not None:
                self._bytes += steps.contact_solver.pressing.rows.nbytes

    def pressing(self) -> None:
        """Impulses of free bodies in contact that are not kept in memory."""
        return None

    def pieces(self, crossings, log) -> Pieces:
        """All steps as dense output."""
        times = np.concatenate([self._chunks[0].times[:1], *(c.times[1:] for c in self._chunks)])
        parts = [c.coefficients for c in self._chunks]
        apart = self._bytes > WORTH_LEAVING_APART and len({part.shape[1:] for part in parts}) == 1
        return Pieces(times, parts[0] if len(parts) == 1 else Joined(parts) if apart else np.concatenate(parts))


def sink_of(out, problem: Problem, named, instants, room: int | None = None) -> Any:
    """Where the steps of a run go: memory, or the folder ``out``."""
    if out is None:
        _check_steps_fit(problem)
        return MemorySink(LARGEST_IN_MEMORY if room is None else room)
    from vinculum.motion.storage.store import StreamSink

    return StreamSink(out, problem, named, instants)


def _check_steps_fit(problem: Problem) -> None:
    """Refuse a run whose steps have a known length and do not fit into memory, unless an event may end it before."""
    if problem.method.step is None or problem.event_tape is not None:
        return
    steps = (problem.until - problem.begin) / problem.method.step
    needed = 8.0 * NUMBERS_OF_A_STEP * steps * len(problem.state)
    if needed > LARGEST_IN_MEMORY:
        raise StartError(
            f"system '{problem.model.name}': {steps:.3g} steps of {len(problem.state)} numbers take at least {needed / 2**30:.3g} GiB of "
            f"memory, and a run keeps at most {LARGEST_IN_MEMORY / 2**30:g} GiB; stream them to a folder with out='run.zarr', or take "
            "longer steps"
        )
