"""States of tables brought onto their conditions: Newton steps for positions and linear steps for velocities, least in the mass metric."""

from threading import local
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.calls import run_indexed
from vinculum.compile.kernels import njit
from vinculum.contact.sparse.factors import factorize, solve
from vinculum.models.model import Model
from vinculum.models.tabled.board import Board, apply
from vinculum.models.tabled.conditions import PARTS
from vinculum.models.tabled.rates import Tables, clear_wrenches, make_tables, put_state
from vinculum.models.tabled.reactions import RATES, VALUES, add_wrenches, fill_matrix, prepare, put_part
from vinculum.models.tabled.tabled import Tabled
from vinculum.tolerances.rank import SINGULAR_PROJECTION
from vinculum.tolerances.steps import (
    CHARTS_LEFT,
    CLOSINGS,
    OPEN_SQUARED,
    PROJECTED_SQUARED,
    PROJECTION_ROUNDS,
    RATES_PROJECTED_SQUARED,
    TORN_SQUARED,
)

CLOSED_STATE, DEPENDENT, OPEN = 0, 1, 2
"""What `project` returns."""


@njit(nogil=True, cache=True)
def put_rows(tables, y, t):
    """Put a state on the board, with the rows of all conditions and the mobilities of blocks."""
    put_state(tables, y, t)
    run_indexed(tables.frames, tables.board, tables.board)
    run_indexed(tables.conditions, tables.board, tables.board)


@njit(nogil=True, cache=True)
def _largest_squared(x, kept):
    """The square of the largest number among the rows that count."""
    largest = 0.0
    for r in range(len(x)):
        if kept[r]:
            size = x[r] * x[r]
            largest = size if not size <= largest else largest
    return largest


@njit(nogil=True, cache=True)
def _move(tables, y, first, last):
    """Subtract what the multipliers in x do to the numbers first … last of a state."""
    Z, rates = tables.board, tables.sections[1]
    solve(tables.reactions.factors, tables.reactions.x)
    clear_wrenches(tables)
    add_wrenches(tables.reactions, Z, 1.0)
    run_indexed(tables.response, Z, Z)
    for i in range(first, last):
        y[i] -= Z[rates + i]


@njit(nogil=True, cache=True)
def project(tables, y, t, torn, rounds):
    r"""Bring a state y (n,) onto all conditions, as little as the mass matrix measures it.

    .. math:: q - N M^{-1}J^T (J M^{-1} J^T)^{-1} F,\qquad v - M^{-1}J^T (J M^{-1} J^T)^{-1} \dot F

    Steps are repeated until a state was closed before the last of them, so that only round-off remains. Gaps whose square, relative to the
    coordinates, exceeds ``torn`` are too far open. Hairer, Lubich and Wanner, Geometric Numerical Integration, IV.4.
    """
    reactions, n, nq = tables.reactions, len(y), tables.sections[2]
    kept, gap, reach = reactions.factors.kept, 0.0, 1.0
    for _ in range(rounds):
        put_rows(tables, y, t)
        if not prepare(reactions, tables.board):
            return DEPENDENT
        reach, speed = 1.0, 1.0
        for i in range(n):
            size = y[i] * y[i]
            if i < nq:
                reach = size if not size <= reach else reach
            else:
                speed = size if not size <= speed else speed
        put_part(reactions, tables.board, VALUES)
        gap = _largest_squared(reactions.x, kept)
        if not gap <= torn * reach:
            return OPEN
        _move(tables, y, 0, nq)
        put_part(reactions, tables.board, RATES)
        rate = _largest_squared(reactions.x, kept)
        _move(tables, y, nq, n)
        if gap <= PROJECTED_SQUARED * reach and rate <= RATES_PROJECTED_SQUARED * speed:
            return CLOSED_STATE
    return CLOSED_STATE if gap <= OPEN_SQUARED * reach else OPEN


@njit(nogil=True, cache=True)
def hold(tables, y, t):
    """`project` a state after a step."""
    return project(tables, y, t, TORN_SQUARED, PROJECTION_ROUNDS)


@njit(nogil=True, cache=True)
def is_constrained(tables):
    """Whether states are on conditions."""
    return len(tables.reactions.x) > 0


@njit(nogil=True, cache=True)
def bring_onto_conditions(tables, y, t):
    """Move a state y (n,) to where all conditions hold; returns whether there is such a place near it."""
    return hold(tables, y, t) == CLOSED_STATE


@njit(nogil=True, cache=True)
def project_velocities(tables, y, t):
    """Change the velocities of a state on its conditions until these hold for them; returns whether the conditions are independent."""
    put_rows(tables, y, t)
    if not prepare(tables.reactions, tables.board):
        return False
    put_part(tables.reactions, tables.board, RATES)
    _move(tables, y, tables.sections[2], len(y))
    return True


@njit(nogil=True, cache=True)
def leave_out_dependent(tables, y, t):
    """Leave out rows that depend on others at a state."""
    put_rows(tables, y, t)
    fill_matrix(tables.reactions, tables.board)
    factorize(tables.reactions.factors, True)


class _OfThread(local):
    """The tables that a thread used last, of every model: their board is written while a state is moved."""

    def __init__(self):
        self.known: WeakKeyDictionary[Model, tuple[bytes, Tables, list]] = WeakKeyDictionary()


_own = _OfThread()


def tables_at(model: Model, tabled: Tabled, values: np.ndarray) -> Tables:
    """The tables of a model at parameter values, for this thread alone; the last ones are remembered."""
    key, known = np.asarray(values, dtype=float).tobytes(), _own.known.get(model)
    if known is None or known[0] != key:
        known = _own.known[model] = (key, *make_tables(tabled, np.asarray(values, dtype=float)))
    return known[1]


def rows_at(tables: Tables, y: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values and rates of all gaps at a state, and the largest entries of their Jacobians by the twists of bodies, (m,) each."""
    reactions, found = tables.reactions, np.zeros((3, len(tables.reactions.x)))
    put_rows(tables, y, t)
    for k, part in enumerate((VALUES, RATES)):
        put_part(reactions, tables.board, part)
        found[k, reactions.gaps] = reactions.x
    for g, (k, e) in enumerate(zip(reactions.counts.tolist(), reactions.moving.tolist(), strict=True)):
        begin = reactions.outputs[g] + PARTS * k
        steep = np.abs(tables.board[begin : begin + 6 * e * k].reshape(k, 6 * e)).max(axis=1, initial=0.0)
        found[2, reactions.gaps[reactions.begins[g] : reactions.begins[g] + k]] = steep
    return found[0], found[1], found[2]


@njit(nogil=True, cache=True, error_model="numpy")
def on_charts(quaternions, q):
    """Bring the quaternions of coordinates q back to length one. ``quaternions``: their places (k, 4)."""
    for k in range(len(quaternions)):
        size = 0.0
        for i in range(4):
            size += q[quaternions[k, i]] ** 2
        size = np.sqrt(size)
        for i in range(4):
            q[quaternions[k, i]] /= size


@njit(nogil=True, cache=True)
def close_on_charts(tables, quaternions, y, t, torn, rounds):
    """`project` a state y (n,) in place with quaternions of length one; returns whether it is closed.

    A quaternion that is brought back to length one leaves the conditions by the square of its change.
    """
    nq = tables.sections[2]
    before = np.empty(nq)
    for _ in range(CLOSINGS):
        for i in range(nq):
            before[i] = y[i]
        if project(tables, y, t, torn, rounds) != CLOSED_STATE:
            return False
        on_charts(quaternions, y)
        change, size = 0.0, 1.0
        for i in range(nq):
            far, reach = abs(y[i] - before[i]), abs(y[i])
            change = change if far <= change else far
            size = size if reach <= size else reach
        if change <= CHARTS_LEFT * size:
            break
    return True


def quaternion_places(model: Model) -> np.ndarray:
    """Places of the quaternions among the coordinates of a model (k, 4)."""
    places = [range(*place) for place in model.layout.quaternions]
    return np.array(places, dtype=np.int64).reshape(-1, 4)


def closed_states(model: Model, tabled: Tabled, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
    """States (B, n) on the conditions of tables. One whose conditions depend on each other stays as it is."""
    states, times = model.on_charts(states), np.broadcast_to(times, len(states))
    quaternions = quaternion_places(model)
    for y, t, own in zip(states, times, np.broadcast_to(values, (len(states), len(model.parameters))), strict=True):
        before = y.copy()
        tables = tables_at(model, tabled, own)
        if not close_on_charts(tables, quaternions, y, float(t), TORN_SQUARED, PROJECTION_ROUNDS):
            y[:] = before
    return states


def velocities_after(
    model: Model, tabled: Tabled, states: np.ndarray, times, values: np.ndarray, given: np.ndarray
) -> np.ndarray:
    """Velocities (B, nv) right after impulses ``given`` (B, nv) along them, and after the reactions of all conditions."""
    times, values = np.broadcast_to(times, len(states)), np.broadcast_to(values, (len(states), len(model.parameters)))
    board = Board(tabled)
    Z, found = board.fill(np.concatenate([states, times[:, None], values], axis=1)), states.copy()
    Z[:, board.sections.efforts : board.sections.deformations] = given
    for k, kind in enumerate(tabled.kinds):
        found[:, tabled.nq + kind.v.T] += apply(board.kind_call(k, "answer"), Z)
    if tabled.conditions:
        for y, t, own in zip(found, times, values, strict=True):
            project_velocities(tables_at(model, tabled, own), y, float(t))
    return found[:, tabled.nq :]


def growth_of_round_off(model: Model, tabled: Tabled, states: np.ndarray, times, values: np.ndarray) -> np.ndarray:
    """By what round-off grows in the reactions, (B, 1): the largest diagonal entry of J M⁻¹ Jᵀ over its least pivot, at some states."""
    grown, times = 1.0, np.broadcast_to(times, len(states))
    values = np.broadcast_to(values, (len(states), len(model.parameters)))
    for k in np.unique([0, len(states) // 2, len(states) - 1]) if len(states) else ():
        tables = tables_at(model, tabled, values[k])
        put_rows(tables, states[k], float(times[k]))
        factors = tables.reactions.factors
        sound = prepare(tables.reactions, tables.board) and factors.kept.any()
        if sound:
            grown = max(grown, float(factors.diagonal[factors.kept].max() / factors.D[factors.kept].min()))
        elif factors.kept.any():
            grown = max(grown, 1.0 / SINGULAR_PROJECTION)
    return np.full((len(states), 1), grown)
