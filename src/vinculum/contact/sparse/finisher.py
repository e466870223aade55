"""Whoever is asked for the last digits of a pile's impulses where sweeps do not find them.

Most runs never ask: what answers is loaded and compiled at the first question. Compiled steps reach it by an address.
"""

import ctypes
from typing import final

import numpy as np

from vinculum.tolerances.contact import CONTACTS_WORTH_FACTORS

CONTACTS, FRICTION, TOLERANCE, RESIDUAL, PACE, TOLD = 0, 1, 2, 3, 4, 5
"""What is told: how many contacts, μ, the residual that is wanted and the one that is there, and |g| h."""


@final
class Finisher:
    """``entry``: address and table of what is told, for `solved`; `at` says on which arrays the impulses stand."""

    def __init__(self):
        self._call = ctypes.CFUNCTYPE(None, ctypes.c_int64)(self._answer)
        address = ctypes.cast(self._call, ctypes.c_void_p).value
        self._told, self._arrays = np.zeros(TOLD), None
        self._stopped: BaseException | None = None
        self.entry = (np.int64(address or 0), self._told)

    def at(
        self, is_round: bool, contacts, bodies, before: np.ndarray, P: np.ndarray, V: np.ndarray, found: np.ndarray
    ) -> None:
        """The arrays of `solved`: ``before`` has velocities before the step, ``found`` is where it looks for better impulses."""
        self._arrays = is_round, contacts, bodies, before, P, V, found

    def check(self) -> None:
        """Raise what stopped an answer, as an interruption by the user."""
        stopped, self._stopped = self._stopped, None
        if stopped is not None:
            raise stopped

    def _answer(self, _address: int) -> None:
        assert self._arrays is not None
        is_round, contacts, bodies, before, P, V, found = self._arrays
        m = int(self._told[CONTACTS])
        try:
            found[:m] = P[:m]
            if m > CONTACTS_WORTH_FACTORS:
                return
            from vinculum.contact.sparse.finish import finish

            mu, tolerance, error, least = self._told[1:].tolist()
            finish(m, is_round, contacts, bodies, mu, (before, least), P, V, error, tolerance, found)
        except BaseException as error:  # no exception passes through compiled code
            found[:m] = P[:m]
            self._stopped = error
