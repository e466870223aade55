"""Interface of the solvers for the last digits of contact impulses.

Most runs do not need them, so they are loaded and compiled on first use. Compiled steps call them by an address.
"""

import ctypes
from typing import final

import numpy as np

from vinculum.contact.sparse.arrays import Bodies, ContactRows, FinisherEntry, Iterate, Pace, Problem
from vinculum.tolerances.contact import CONTACTS_WORTH_FACTORS

CONTACTS, FRICTION, TOLERANCE, RESIDUAL, PACE, TOLD = 0, 1, 2, 3, 4, 5
"""Arguments: number of contacts, μ, the required and the present residual, and |g| h."""


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

    def at(
        self, is_round: bool, rows: ContactRows, bodies: Bodies, before: np.ndarray, iterate: Iterate, found: np.ndarray
    ) -> None:
        """Set the arrays of `solve`: ``before`` holds velocities before the step, ``found`` receives better impulses."""
        self._arrays = is_round, rows, bodies, before, iterate, found

    def check(self) -> None:
        """Raise the exception that stopped a call, such as an interruption by the user."""
        stopped, self._stopped = self._stopped, None
        if stopped is not None:
            raise stopped

    def _answer(self, _address: int) -> None:
        assert self._arrays is not None
        is_round, rows, bodies, before, iterate, found = self._arrays
        m, P = int(self._told[CONTACTS]), iterate.P
        try:
            found[:m] = P[:m]
            if m > CONTACTS_WORTH_FACTORS:
                return
            from vinculum.contact.sparse.finish import finish

            mu, tolerance, error, least = self._told[1:].tolist()
            problem = Problem(m, is_round, rows, bodies, mu, Pace(before, least))
            finish(problem, iterate, error, tolerance, found)
        except BaseException as error:  # no exception passes through compiled code
            found[:m] = P[:m]
            self._stopped = error
