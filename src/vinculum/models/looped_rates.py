"""Rates of a long state that is not written out: by a loop over pairs, or by tables."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.models.pair_loop.rates import rates as pair_rates
from vinculum.models.tabled.projection import CLOSED_STATE, hold
from vinculum.models.tabled.rates import Tables, no_tables, table_rates


class LoopedField(NamedTuple):
    """What compiled loops over time need: the points, work and rest of a pair loop, or tables."""

    points: tuple
    work: tuple
    rest: tuple
    tables: Tables


def field_of_pairs(points: tuple, work: tuple, rest: tuple) -> LoopedField:
    """The field of a pair loop."""
    return LoopedField(points, work, rest, no_tables())


def field_of_tables(tables: Tables) -> LoopedField:
    """The field of tables, without pairs."""
    none, empty = np.zeros(0, dtype=np.int64), np.zeros(0)
    work = (0, none, none, none, none, np.zeros((0, 2), dtype=np.int64), none, 0, empty, empty, empty, empty)
    rest = (0, none, np.ones((1, WIDTH)), np.zeros((1, WIDTH)))
    return LoopedField((empty, np.zeros(3)), work, rest, tables)


@njit(nogil=True, cache=True)
def rates(field, y, t, out):
    """Write the rates (n,) of the state y (n,) at t."""
    if field.tables.job.address != 0:
        table_rates(field.tables, y, t, out)
    else:
        pair_rates(field.points, field.work, field.rest, y, t, out)


@njit(nogil=True, cache=True)
def is_constrained(field):
    """Whether states are on conditions."""
    return len(field.tables.reactions.x) > 0


@njit(nogil=True, cache=True)
def bring_onto_conditions(field, y, t):
    """Move a state y (n,) to where all conditions hold; returns whether there is such a place near it."""
    return hold(field.tables, y, t) == CLOSED_STATE
