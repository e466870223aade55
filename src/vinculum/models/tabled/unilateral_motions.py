"""Gaps and velocities of unilateral constraints on boards, and what their impulses do along the velocities of blocks."""

import numpy as np

from vinculum.models.model import Model
from vinculum.models.tabled.board import Board, add_rows, apply, unilateral_call
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.projection import velocities_after
from vinculum.models.tabled.tabled import Tabled
from vinculum.models.tabled.unilaterals import AXES, UnilateralTable


def count_unilaterals(tabled: Tabled) -> int:
    """The number of all unilateral constraints."""
    return sum(map(len, tabled.unilaterals))


def motions_of_unilaterals(board: Board, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gaps (B, u) and velocities (B, u, 3), normal and along tangents, on boards with frames."""
    count = count_unilaterals(board.tabled)
    gaps, speeds = np.zeros((len(Z), count)), np.zeros((len(Z), count, AXES))
    for u, table in enumerate(board.tabled.unilaterals):
        found, G = _rows(board, Z, u)
        gaps[:, table.numbered] = found[:, 0]
        by_ends = np.einsum("brwm,bwm->bmr", G, _motions_of_ends(board, Z, table))
        speeds[:, table.numbered] = by_ends + found[:, 1 : 1 + AXES].transpose(0, 2, 1)
    return gaps, speeds


def shares_of_ends(board: Board, Z: np.ndarray) -> list[np.ndarray]:
    """For every table the parts (B, m, e, 3) of the velocities that each of its bodies and each velocity of its joints makes."""
    found = []
    for u, table in enumerate(board.tabled.unilaterals):
        V, G = _motions_of_ends(board, Z, table), _rows(board, Z, u)[1]
        e = table.ends.shape[1]
        parts = [slice(6 * k, 6 * k + 6) for k in range(e)] + [slice(k, k + 1) for k in range(6 * e, table.width)]
        found.append(np.stack([np.einsum("brwm,bwm->bmr", G[:, :, x], V[:, x]) for x in parts], axis=2))
    return found


def efforts_of_unilaterals(board: Board, Z: np.ndarray, P: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Wrenches (B, n, 6) on bodies at their origins and efforts (B, nv) on joints, by impulses P (B, u, 3), on boards with frames."""
    wrenches, efforts = np.zeros((len(Z), board.tabled.bodies, 6)), np.zeros((len(Z), board.tabled.nv))
    for u, table in enumerate(board.tabled.unilaterals):
        each = np.einsum("brwm,bmr->bwm", _rows(board, Z, u)[1], P[:, table.numbered])
        e = table.ends.shape[1]
        for k, body in enumerate(table.ends.T):
            own = each[:, 6 * k : 6 * k + 6].transpose(0, 2, 1).reshape(len(Z), -1)
            add_rows(wrenches.reshape(len(Z), -1), (6 * body[:, None] + np.arange(6)).ravel(), own)
        for k, v in enumerate(table.v.T):
            add_rows(efforts, v, each[:, 6 * e + k])
    return wrenches, efforts


def changes_by_unilaterals(model: Model, board: Board, Z: np.ndarray, P: np.ndarray) -> np.ndarray:
    """Changes of velocities (B, nv) by impulses P (B, u, 3), under the reactions of conditions, on boards with frames."""
    tabled = board.tabled
    wrenches, given = efforts_of_unilaterals(board, Z, P)
    Z = Z.copy()
    Z[:, board.wrenches : board.rates] = 0.0
    Z[:, board.wrenches : board.inner] = wrenches.reshape(len(Z), -1)
    for k, kind in enumerate(tabled.kinds):
        given[:, kind.v.T] += apply(board.kind_call(k, "along"), Z)
    states, times, values = np.split(Z[:, : board.given], [board.states, board.states + 1], axis=1)
    with_them, without = (
        velocities_after(model, tabled, states, times[:, 0], values, x) for x in (given, np.zeros_like(given))
    )
    return with_them - without


def _rows(board: Board, Z: np.ndarray, u: int) -> tuple[np.ndarray, np.ndarray]:
    """Outputs (B, n, m) of the rows of a table, and their Jacobians (B, 3, w, m)."""
    table = board.tabled.unilaterals[u]
    found = apply(unilateral_call(board, u), Z)
    return found, found[:, 1 + AXES :].reshape(len(Z), AXES, table.width, len(table))


def _motions_of_ends(board: Board, Z: np.ndarray, table: UnilateralTable) -> np.ndarray:
    """Twists of bodies and velocities of joints (B, w, m)."""
    twists = [Z[:, board.frames + FRAME * body[None] + np.arange(12, 18)[:, None]] for body in table.ends.T]
    return np.concatenate([*twists, Z[:, board.tabled.nq + table.v.T]], axis=1)
