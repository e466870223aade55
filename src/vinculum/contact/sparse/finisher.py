"""Interface of the solvers for the last digits of contact impulses.

Most runs do not need them, so they are loaded and compiled on first use. Compiled steps call them by an address.
"""

import ctypes
from typing import final

import numpy as np

from vinculum.contact.sparse.arrays import ContactProblem, FinisherEntry, Iterate, Pace, Partition
from vinculum.contact.sparse.islands import separate_islands
from vinculum.tolerances.contact import CONTACTS_WORTH_FACTORS

CONTACTS, FRICTION, TOLERANCE, PACE, TOLD = 0, 1, 2, 3, 4
"""Arguments: number of contacts, the largest μ, the required residual, and |g| h."""


@final
class Finisher:
    """Calls the solvers for the last digits. ``entry``: address and table of arguments for `solve`; `at` sets the arrays of the
    impulses.
    """

    def __init__(self):
        self._call = ctypes.CFUNCTYPE(None, ctypes.c_int64)(self._answer)
        address = ctypes.cast(self._call, ctypes.c_void_p).value
        self._told, self._arrays = np.zeros(TOLD), None
        self._stopped: BaseException | None = None
        self.entry = FinisherEntry(address or 0, self._told)

    def at(self, problem: ContactProblem, iterate: Iterate, parts: Partition, found: np.ndarray) -> None:
        """Set the arrays of `solve`, for any number of contacts; ``found`` receives better impulses of those that are swept."""
        self._arrays = problem, iterate, parts, found

    def check(self) -> None:
        """Raise the exception that stopped a call, such as an interruption by the user."""
        stopped, self._stopped = self._stopped, None
        if stopped is not None:
            raise stopped

    def _answer(self, _address: int) -> None:
        assert self._arrays is not None
        problem, iterate, parts, found = self._arrays
        m, P = int(self._told[CONTACTS]), iterate.P
        try:
            found[:m] = P[:m]
            # Without friction there is no cone, and sweeps converge well; for moments there is no finisher.
            if not self._told[FRICTION] > 0.0 or _has_moments(problem, m):
                return
            from vinculum.contact.sparse.finish import finish

            tolerance, least = self._told[TOLERANCE:].tolist()
            problem = problem._replace(m=m, pace=Pace(problem.pace.before, least))
            for island in separate_islands(problem, iterate, parts.order[: parts.cut[3]]):
                if len(island) <= CONTACTS_WORTH_FACTORS:
                    finish(problem, iterate, island, tolerance, found)
        except BaseException as error:  # no exception passes through compiled code
            found[:m] = P[:m]
            self._stopped = error


def _has_moments(problem: ContactProblem, m: int) -> bool:
    """Whether some of the first m rows are moments against rolling and spinning."""
    sides = problem.rows.sides
    return sides is not None and bool(np.any(sides.resistance.partner[:m] >= 0))
