"""Reactions of conditions over tables: multipliers λ of G T M⁻¹ Tᵀ Gᵀ λ = −(G a + bias), by a sparse factorization whose order and pattern
are found once.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.compile.memory import check_room
from vinculum.contact.sparse.factors import Factors, factorize, factors_of, solve
from vinculum.models.model import Model
from vinculum.models.tabled.board import Board
from vinculum.models.tabled.conditions import PARTS
from vinculum.tolerances.sizes import BYTES_OF_A_COUPLING

VALUES, RATES, DRIFTS, BIASES = range(PARTS)
"""Parts of the outputs of a condition, each with as many numbers as it has rows."""


class Reactions(NamedTuple):
    """Conditions for compiled loops, one after the other in the order of elimination.

    Two conditions are coupled if both act on bodies of one block: its mobility says what one does to the other."""

    counts: np.ndarray
    """Rows of each condition (C,)."""
    outputs: np.ndarray
    """Where its outputs begin on the board (C,)."""
    ends: np.ndarray
    """Its bodies (C, e), −1 where it has fewer."""
    moving: np.ndarray
    """The number of its bodies (C,)."""
    begins: np.ndarray
    """The number of its first row in the order of elimination (C + 1,)."""
    gaps: np.ndarray
    """For every row in this order, its number among all gaps (m,)."""
    couplings: np.ndarray
    """Couplings (n, 7): the two conditions, which ends of them, where the mobility between these stands on the board, the length of its
    rows, and where the numbers of the two conditions begin in the matrix."""
    factors: Factors
    x: np.ndarray
    """Unknowns (m,)."""
    sections: np.ndarray
    """Where wrenches, accelerations and multipliers begin on the board."""
    trouble: np.ndarray
    """The row that came to depend on others last, −1 if none did (1,)."""


def reactions_of(board: Board) -> Reactions:
    """The conditions of a board."""
    tabled = board.tabled
    counts, outputs, moving, ends, first = ([] for _ in range(5))
    widest = max((table.ends.shape[1] for table in tabled.conditions), default=1)
    for c, table in enumerate(tabled.conditions):
        padded = np.full((len(table), widest), -1, dtype=np.int64)
        padded[:, : table.ends.shape[1]] = table.ends
        ends.append(padded)
        outputs.append(board.sections.conditions[c] + table.rows.n_out * np.arange(len(table)))
        counts.append(np.full(len(table), table.count))
        moving.append(np.full(len(table), table.ends.shape[1]))
        first.append(table.first)
    none = np.zeros(0, dtype=np.int64)
    counts, outputs, moving, first = (np.concatenate([none, *part]) for part in (counts, outputs, moving, first))
    ends = np.concatenate([np.zeros((0, widest), dtype=np.int64), *ends])
    order = _elimination_order(len(counts), _ends_by_block(board, ends))
    counts, outputs, moving, first, ends = (
        np.ascontiguousarray(x[order]) for x in (counts, outputs, moving, first, ends)
    )
    begins = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    gaps = np.concatenate([none, *(np.arange(a, a + k) for a, k in zip(first.tolist(), counts.tolist(), strict=True))])
    couplings, factors = _couplings(board, counts, begins, ends)
    factors.kept[np.isin(gaps, np.array(tabled.left_out, dtype=np.int64))] = False
    sections = np.array([board.wrenches, board.sections.accelerations, board.sections.multipliers])
    return Reactions(counts, outputs, ends, moving, begins, gaps, couplings, factors, np.zeros(len(gaps)), sections,
                     np.full(1, -1))  # fmt: skip


def shift_places(reactions: Reactions, by: int) -> Reactions:
    """The same conditions on a board whose frames, and all that comes after them, begin so many places later."""
    couplings = reactions.couplings.copy()
    couplings[:, 4] += by
    return reactions._replace(outputs=reactions.outputs + by, couplings=couplings, sections=reactions.sections + by)


def _blocks(board: Board) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """For every body the number of its block, its place in the block, where the block's mobility begins, and the length of its rows."""
    block, place, begin, width = (np.zeros(board.tabled.bodies, dtype=np.int64) for _ in range(4))
    count = 0
    for k, kind in enumerate(board.tabled.kinds):
        m, b = kind.bodies.shape
        block[kind.bodies] = count + np.arange(m)[:, None]
        place[kind.bodies] = np.arange(b)
        begin[kind.bodies] = board.sections.mobilities[k] + (6 * b) ** 2 * np.arange(m)[:, None]
        width[kind.bodies] = 6 * b
        count += m
    return block, place, begin, width


def _ends_by_block(board: Board, ends: np.ndarray) -> list[np.ndarray]:
    """For every block with conditions that velocities move the pairs (condition, end) that act on it, (n, 2)."""
    block, moves = _blocks(board)[0], np.zeros(board.tabled.bodies, dtype=bool)
    for kind in board.tabled.kinds:
        moves[kind.bodies] = kind.v.shape[1] > 0
    which, end = np.nonzero((ends >= 0) & moves[ends])
    own = block[ends[which, end]]
    sort = np.argsort(own, kind="stable")
    which, end, own = which[sort], end[sort], own[sort]
    edges = np.flatnonzero(np.diff(own)) + 1
    sizes = np.diff(np.concatenate([[0], edges, [len(own)]]))
    name = f"system of {board.tabled.bodies} bodies: the reactions of {len(ends)} conditions"
    remedy = "use fewer conditions on one body, or divide it"
    check_room(name, int((sizes**2).sum()) * BYTES_OF_A_COUPLING, remedy=remedy)
    return [part for part in np.split(np.stack([which, end], axis=1), edges) if len(part)]


def _elimination_order(count: int, groups: list[np.ndarray]) -> np.ndarray:
    """An order of the conditions in which elimination makes few entries: minimum degree, as SuperLU finds it. Conditions that are joined
    over blocks follow each other."""
    if count < 3 or not groups:
        return np.arange(count)
    from scipy.sparse import csc_array
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import splu

    rows = np.concatenate([np.repeat(group[:, 0], len(group)) for group in groups])
    columns = np.concatenate([np.tile(group[:, 0], len(group)) for group in groups])
    joined = csc_array((np.full(len(rows), -1.0), (rows, columns)), shape=(count, count))
    joined.sum_duplicates()
    _, part = connected_components(joined, directed=False)
    joined.data[:] = -1.0
    joined = joined + csc_array(
        (np.asarray(-joined.sum(axis=0)).ravel() + 2.0, (np.arange(count),) * 2), shape=(count, count)
    )
    found = splu(joined.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    order = np.argsort(found.perm_c, kind="stable")
    return order[np.argsort(part[order], kind="stable")]


def _couplings(board: Board, counts: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, Factors]:
    """The couplings of conditions in their order of elimination, and room for the factors of their matrix."""
    _, place, mobility, width = _blocks(board)
    found, blocks = [], dict[tuple[int, int], int]()
    numbers = 0
    for (g, a), (h, b) in _pairs(_ends_by_block(board, ends)):
        if (g, h) not in blocks:
            blocks[g, h] = numbers
            numbers += int(counts[g] * counts[h])
        one, other = ends[g, a], ends[h, b]
        there = mobility[one] + 6 * place[one] * width[one] + 6 * place[other]
        found.append((g, a, h, b, there, width[one], blocks[g, h]))
    columns: list[list[tuple[int, int]]] = [[] for _ in counts]
    for (g, h), begin in blocks.items():
        columns[h].append((g, begin))
    starts, rows, places = [0], [], []
    for h, column in enumerate(columns):
        for d in range(int(counts[h])):
            for g, begin in column:
                for c in range(int(counts[g]) if g < h else d + 1):
                    rows.append(int(begins[g]) + c)
                    places.append(begin + c * int(counts[h]) + d)
            starts.append(len(rows))
    begin, row, place_of = (np.array(x, dtype=np.int64) for x in (starts, rows, places))
    return np.array(found, dtype=np.int64).reshape(-1, 7), factors_of(begin, row, place_of, numbers)


def _pairs(groups: list[np.ndarray]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """All pairs of (condition, end) on one block, the condition that is eliminated first in front; both ways for one condition."""
    for group in groups:
        members = [(int(c), int(e)) for c, e in group]
        for one in members:
            for other in members:
                if one[0] <= other[0]:
                    yield one, other


def told_dependent_row(model: Model, row: int) -> str:
    """The row of the conditions that came to depend on others, for a message; empty for −1."""
    if row < 0:
        return ""
    name, label = model.layout.gaps[row]
    return f"; row {label} of '{name}' has come to depend on other constraints: the position is singular"


@njit(nogil=True, cache=True)
def fill_matrix(reactions, Z):
    """Compute the matrix G T M⁻¹ Tᵀ Gᵀ from the rows and mobilities on a board."""
    A, counts, moving, sizes = reactions.factors.values, reactions.counts, reactions.moving, reactions.factors.sizes
    A[:], sizes[:] = 0.0, 0.0
    moved, size = np.empty(6), np.empty(6)
    for n in range(len(reactions.couplings)):
        g, a, h, b = (
            reactions.couplings[n, 0],
            reactions.couplings[n, 1],
            reactions.couplings[n, 2],
            reactions.couplings[n, 3],
        )
        mobility, width, begin = reactions.couplings[n, 4], reactions.couplings[n, 5], reactions.couplings[n, 6]
        for c in range(counts[g]):
            row = reactions.outputs[g] + PARTS * counts[g] + c * 6 * moving[g] + 6 * a
            moved[:], size[:] = 0.0, 0.0
            for i in range(6):
                share = Z[row + i]
                if share != 0.0:
                    for j in range(6):
                        term = share * Z[mobility + i * width + j]
                        moved[j] += term
                        size[j] += abs(term)
            if g == h:
                own = reactions.outputs[h] + PARTS * counts[h] + c * 6 * moving[h] + 6 * b
                for j in range(6):
                    sizes[reactions.begins[g] + c] += size[j] * abs(Z[own + j])
            for d in range(counts[h]):
                other = reactions.outputs[h] + PARTS * counts[h] + d * 6 * moving[h] + 6 * b
                total = 0.0
                for j in range(6):
                    total += moved[j] * Z[other + j]
                A[begin + c * counts[h] + d] += total


@njit(nogil=True, cache=True)
def prepare(reactions, Z):
    """Compute and factorize the matrix; returns whether all rows that count are independent."""
    fill_matrix(reactions, Z)
    row = factorize(reactions.factors, False)
    reactions.trouble[0] = reactions.gaps[row] if row >= 0 else -1
    return row < 0


@njit(nogil=True, cache=True)
def put_part(reactions, Z, part):
    """Put one part of the outputs of all conditions into x."""
    for g in range(len(reactions.counts)):
        for c in range(reactions.counts[g]):
            reactions.x[reactions.begins[g] + c] = Z[reactions.outputs[g] + part * reactions.counts[g] + c]


@njit(nogil=True, cache=True)
def add_wrenches(reactions, Z, sign):
    """Add the wrenches of multipliers x, times a sign, to those on the bodies."""
    for g in range(len(reactions.counts)):
        k, e = reactions.counts[g], reactions.moving[g]
        for c in range(k):
            share = sign * reactions.x[reactions.begins[g] + c]
            if share != 0.0:
                for a in range(e):
                    row = reactions.outputs[g] + PARTS * k + c * 6 * e + 6 * a
                    wrench = reactions.sections[0] + 6 * reactions.ends[g, a]
                    for i in range(6):
                        Z[wrench + i] += share * Z[row + i]


@njit(nogil=True, cache=True)
def add_reactions(reactions, Z):
    """Add the wrenches of all conditions on a board with rows, mobilities and accelerations, and write the multipliers there.

    Returns whether the conditions are independent; otherwise the wrenches are not numbers.
    """
    independent = prepare(reactions, Z)
    x = reactions.x
    for g in range(len(reactions.counts)):
        k, e = reactions.counts[g], reactions.moving[g]
        for c in range(k):
            total = Z[reactions.outputs[g] + BIASES * k + c]
            for a in range(e):
                row = reactions.outputs[g] + PARTS * k + c * 6 * e + 6 * a
                body = reactions.sections[1] + 6 * reactions.ends[g, a]
                for i in range(6):
                    total += Z[row + i] * Z[body + i]
            x[reactions.begins[g] + c] = -total
    if independent:
        solve(reactions.factors, x)
    else:
        x[:] = np.nan
    for r in range(len(x)):
        Z[reactions.sections[2] + reactions.gaps[r]] = x[r]
    add_wrenches(reactions, Z, 1.0)
    return independent
