"""The numbers of bonds over rows, in the order of their structure."""

from copy import copy

import numpy as np

from vinculum.bonds import Action, Bonds, end_name
from vinculum.bonds.alike import structure


def numbers_of_rows(bonds: Bonds) -> np.ndarray:
    """The numbers (n, c) of all rows, as `structure` lists them.

    A column is written where its number stands in the description of a row. Rows that stand for all are compared with their own
    descriptions; if a bond changes what it is given, every row is described.
    """
    first = bonds.row(0)
    table = np.tile(_numbers(first), (len(bonds), 1))
    for what, column in bonds.numbers.items():
        places = _places(bonds, first, what)
        flat = column.reshape(len(bonds), -1)
        if len(places) != flat.shape[1]:
            return _every_row(bonds)
        table[:, places] = flat
    if all(np.array_equal(table[k], _numbers(bonds.row(k))) for k in bonds.samples):
        return table
    return _every_row(bonds)


def _numbers(action: Action) -> np.ndarray:
    found: list[float] = []
    structure(action, found, frozenset(end_name(end) for end in action.ends))
    return np.array(found)


def _places(bonds: Bonds, first: Action, what: str) -> np.ndarray:
    """Where a number stands in the description of a row: the one with nothing in its place is compared."""
    marked = copy(first)
    numbers = {name: column[0] for name, column in bonds.numbers.items()} | {what: bonds.numbers[what][0] + np.nan}
    for name, x in bonds.with_numbers(numbers).items():
        object.__setattr__(marked, name, x)
    return np.flatnonzero(np.isnan(_numbers(marked)))


def _every_row(bonds: Bonds) -> np.ndarray:
    return np.array([_numbers(bonds.row(k)) for k in range(len(bonds))])
