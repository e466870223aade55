"""`PairSums`: what the pair loop of a system does at many states."""

from collections.abc import Iterator
from threading import local
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.models.tabled.board import Board, force_calls, write
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.pair_loop.forces import PairWork, write_sums
from vinculum.models.tabled.pair_loop.pair_loop import PairGroup, PairLoop
from vinculum.models.tabled.pair_loop.workspace import PairThreads, make_pair_work
from vinculum.tolerances.sizes import OBSERVED_ROWS


class PairSums(NamedTuple):
    """Of the points of all groups, one after the other, at B states: forces (B, k, 3) and sums of the sizes of their pairs' forces (B, k);
    of every group its energy, the size of that and its time slope (B, G, 3)."""

    loop: PairLoop
    force: np.ndarray
    size: np.ndarray
    whole: np.ndarray

    def by_group(self) -> Iterator[tuple[PairGroup, np.ndarray, np.ndarray]]:
        """Every group with the forces on its points (B, m, 3), and its energy, the size of that and its time slope (B, 3)."""
        starts = self.loop.starts
        for g, group in enumerate(self.loop.groups):
            yield group, self.force[:, starts[g] : starts[g + 1]], self.whole[:, g]

    def add_to(self, board: Board, Z: np.ndarray) -> None:
        """Add the forces to the wrenches on boards (B, size)."""
        for group, force, _ in self.by_group():
            Z[:, board.wrenches + 6 * group.members[:, None] + np.arange(3)] += force

    def by_body(self, bodies: int) -> tuple[np.ndarray, np.ndarray]:
        """Forces of all groups (B, n, 3), and sums of their sizes (B, n)."""
        force, size, starts = (
            np.zeros((len(self.force), bodies, 3)),
            np.zeros((len(self.force), bodies)),
            self.loop.starts,
        )
        for g, group in enumerate(self.loop.groups):
            own = slice(starts[g], starts[g + 1])
            force[:, group.members] += self.force[:, own]
            size[:, group.members] += self.size[:, own]
        return force, size


class _OfThread(local):
    """The work that a thread used last, of every pair loop."""

    def __init__(self):
        self.known: WeakKeyDictionary[PairLoop, tuple[bytes, PairWork, PairThreads]] = WeakKeyDictionary()


_own = _OfThread()


def pair_sums(board: Board, Z: np.ndarray) -> PairSums | None:
    """What the pair loop does on boards Z (B, size) with the frames of bodies; None if there is none."""
    loop = board.tabled.pair_loop
    if loop is None:
        return None
    frames = Z[:, board.frames : board.wrenches].reshape(len(Z), -1, FRAME)
    x, times = np.ascontiguousarray(frames[:, loop.members, :3]).reshape(len(Z), -1), Z[:, board.states].copy()
    k, G = len(loop.members), len(loop.groups)
    found = PairSums(loop, np.zeros((len(Z), k, 3)), np.zeros((len(Z), k)), np.zeros((len(Z), G, 3)))
    for values, rows in _by_values(Z[:, board.states + 1 : board.given]):
        work, threads = _work_at(loop, values)
        for part in np.split(rows, range(OBSERVED_ROWS, len(rows), OBSERVED_ROWS)):
            own = tuple(array[part] for array in found[1:])
            with threads.thread_pool(len(part)):
                write_sums(work, x[part], times[part], *own)
            for array, one in zip(found[1:], own, strict=True):
                array[part] = one
    return found


def add_forces(board: Board, Z: np.ndarray) -> PairSums | None:
    """Add the forces of all bonds to the wrenches on boards Z (B, size) with the frames of bodies; what the pair loop gives."""
    for call in force_calls(board):
        write(call, Z)
    sums = pair_sums(board, Z)
    if sums is not None:
        sums.add_to(board, Z)
    return sums


def _work_at(loop: PairLoop, values: np.ndarray) -> tuple[PairWork, PairThreads]:
    """The work of a loop at parameter values, for this thread alone; the last one is remembered. Its points follow each other."""
    key, known = values.tobytes(), _own.known.get(loop)
    if known is None or known[0] != key:
        k = len(loop.members)
        work, kept = make_pair_work(
            loop, values, np.arange(3 * k).reshape(k, 3), np.zeros(k, dtype=np.int64), balance=True
        )
        known = _own.known[loop] = (key, work, PairThreads(work, kept))
    return known[1], known[2]


def _by_values(values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Parameter values with the rows that have them; one block where all rows agree."""
    if not len(values):
        return
    if values.shape[1] == 0 or np.all(values == values[0]):
        yield np.ascontiguousarray(values[0]), np.arange(len(values))
        return
    for chosen in np.unique(values, axis=0):
        yield chosen, np.flatnonzero(np.all(values == chosen, axis=1))
