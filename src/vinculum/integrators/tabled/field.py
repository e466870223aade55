"""The field of tables, and the methods that can follow it."""

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import final

import numpy as np

from vinculum.compile.threads.pace import Pace
from vinculum.compile.threads.pool import cores
from vinculum.contact.sparse.thread_pair import dismiss
from vinculum.errors import MethodError
from vinculum.models.model import Model
from vinculum.models.tabled.near_lists import OVERFULL, serve
from vinculum.models.tabled.pair_loop.workspace import PairThreads
from vinculum.models.tabled.rates import make_tables
from vinculum.models.tabled.reactions import told_dependent_row
from vinculum.models.tabled.starts import nearest_ends
from vinculum.models.tabled.type import tabled_in
from vinculum.tolerances.sizes import PAIRS_WORTH_SHARING

METHODS = ("dop853", "rk4", "verlet")


@final
class TableRates:
    """Rates of blocks by ``tables``, in compiled code; very many pairs are shared by threads if that is faster."""

    def __init__(self, model: Model, values: np.ndarray):
        self.tables, self._kept = make_tables(tabled_in(model), values)
        self.is_piecewise = tabled_in(model).is_piecewise
        self._model, self._values, self._pace = model, values, Pace()
        self._pair_threads = PairThreads(self.tables.pairs, self._kept)

    def thread_pool(self, units: int, of_pairs: int | None = None) -> AbstractContextManager:
        """Threads that share the work of so many ``units`` as long as the context is open. ``of_pairs``: how many for the pair loop."""
        if len(self.tables.pairs.padded):
            return self._pair_threads.thread_pool(units, of_pairs)
        return self._near_threads(units)

    @contextmanager
    def _near_threads(self, units: int) -> Iterator[None]:
        """A second thread for pairs within cutoffs."""
        lists = self.tables.near
        room = len(lists.counts) and int(lists.rooms.sum()) >= PAIRS_WORTH_SHARING
        if not room or cores() < 2:
            yield
            return
        shared, began, other = self._pace.shares(), time.perf_counter(), None
        if shared:
            lists.shared[:], lists.threads[0] = 0, 2
            other = threading.Thread(target=serve, args=(lists,), daemon=True)
            other.start()
        try:
            yield
        finally:
            self._pace.took(shared, time.perf_counter() - began, units)
            if other is not None:
                dismiss(lists.shared)
                other.join()
                lists.threads[0] = 1

    def nearest(self, state: np.ndarray) -> str:
        """What may be the matter where rates are not finite, in words: "; nearest are …", or nothing."""
        lists = self.tables.near
        full = np.flatnonzero(lists.counts == OVERFULL)
        if not len(full):
            row = int(self.tables.reactions.trouble[0])
            return told_dependent_row(self._model, row) or nearest_ends(
                self._model, tabled_in(self._model), state, self._values
            )
        cutoff, room = lists.reaches[full[0], 0], lists.rooms[full[0]]
        return f"; more than {room} pairs lie within the cutoff, {cutoff:g} m, or next to it, too many for a run: take a smaller one"


def check_method(model: Model, name: str) -> None:
    """Refuse methods that need the equations as graphs, and methods that need accelerations which depend on positions alone."""
    tabled = tabled_in(model)
    if name not in METHODS:
        raise MethodError(
            f"method '{name}' needs the equations written out, but the {tabled.bodies} bodies of '{model.name}' run over tables; "
            "use 'dop853', 'rk4' or 'verlet', or fewer bodies and actions"
        )
    if name == "verlet" and not tabled.is_separable:
        if tabled.conditions:
            raise MethodError(
                f"method 'verlet' needs accelerations that depend only on positions, but '{model.name}' has constraints or closed loops; "
                "use 'dop853' or 'rk4'"
            )
        raise MethodError(
            f"method 'verlet' needs coordinates whose rates are the velocities, and accelerations that depend only on positions, but "
            f"'{model.name}' has attitudes or forces that depend on velocities; use 'dop853' or 'rk4'"
        )
