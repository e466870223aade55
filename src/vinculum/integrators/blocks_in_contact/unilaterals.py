"""Unilateral constraints of tables as rows of the contact problem: what bodies and joints they move, and where their numbers are."""

from typing import NamedTuple

import numpy as np

from vinculum.contact.blocks.arrays import Blocks, Unilaterals
from vinculum.integrators.blocks_in_contact.carriers import CarryingBlocks
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.tabled import Tabled
from vinculum.models.tabled.unilaterals import AXES

JACOBIAN = 1 + AXES
"""Where the Jacobian begins in the outputs of a row, after the gap and the drifts."""


class Ends(NamedTuple):
    """Bodies and velocities of joints that unilateral constraints move, constraint by constraint (e,): the constraint, the block, places of
    the Jacobian and from one row of it to the next, its width, places of the body's twists, drift and position (−1 for joints), and the
    velocity of a joint in its block."""

    constraint: np.ndarray
    block: np.ndarray
    jacobian: np.ndarray
    stride: np.ndarray
    width: np.ndarray
    twists: np.ndarray
    drift: np.ndarray
    place: np.ndarray
    offset: np.ndarray


def ends_of_unilaterals(tabled: Tabled, places: list[np.ndarray], carriers: CarryingBlocks, frames: int) -> Ends:
    """The ends of all unilateral constraints. ``places``: where the outputs of the rows of each table begin, ``frames``: the frames of
    bodies."""
    found = [np.zeros((0, len(Ends._fields)), dtype=np.int64)]
    for table, begin in zip(tabled.unilaterals, places, strict=True):
        one, e = np.ones(len(table), dtype=np.int64), table.ends.shape[1]
        shared = table.numbered, table.width * one
        for k, body in enumerate(table.ends.T):
            at = begin + JACOBIAN + 6 * k
            rows = (
                shared[0],
                carriers.block[body],
                at,
                shared[1],
                6 * one,
                carriers.twists[body],
                carriers.drift[body],
            )
            found.append(np.stack([*rows, frames + FRAME * body, 0 * one], axis=1))
        for k, v in enumerate(table.v.T):
            at = begin + JACOBIAN + 6 * e + k
            rows = (shared[0], carriers.owner[v], at, shared[1], one, -one, -one, -one, carriers.within[v])
            found.append(np.stack(rows, axis=1))
    rows = np.concatenate(found)
    return Ends(*rows[np.argsort(rows[:, 0], kind="stable")].T)


def blocks_joined(ends: Ends, count: np.ndarray) -> np.ndarray:
    """Blocks of ``count`` velocities and the constraints (k, 2) that move more than two of them, which make them one group."""
    moved = np.unique(np.stack([ends.block, ends.constraint], axis=1)[count[ends.block] > 0], axis=0)
    _, which, several = np.unique(moved[:, 1], return_inverse=True, return_counts=True)
    return moved[several[which] > 2]


def unilaterals_of(tabled: Tabled, places: list[np.ndarray], ends: Ends, blocks: Blocks) -> Unilaterals:
    """All unilateral constraints of tables, for compiled loops."""
    total = sum(map(len, tabled.unilaterals))
    begin, laws = np.zeros(total, dtype=np.int64), np.zeros((total, 3))
    for table, place in zip(tabled.unilaterals, places, strict=True):
        begin[table.numbered], laws[table.numbered] = place, table.laws
    is_first, group = np.ones(len(ends.block), dtype=bool), np.full((total, 2), -1)
    begins = np.searchsorted(ends.constraint, np.arange(total + 1))
    for k in range(total):
        own = ends.block[begins[k] : begins[k + 1]]
        is_first[begins[k] : begins[k + 1]][np.setdiff1d(np.arange(len(own)), np.unique(own, return_index=True)[1])] = (
            False
        )
        groups = np.unique(blocks.group[own[blocks.count[own] > 0]])
        group[k, : len(groups)] = groups
    return Unilaterals(
        begin, begin + 1, begins, group, ends.block, is_first, ends.jacobian, ends.stride, ends.width, ends.twists, ends.drift, ends.place,
        ends.offset, laws, np.zeros((total, 3)),
    )  # fmt: skip
