"""Starts at which bonds over tables have no finite forces, or forces without a direction."""

import numpy as np

from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.models.tabled.board import Board, all_frames, apply, filled_board, write
from vinculum.models.tabled.bonds import BondTable
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.tabled import Tabled
from vinculum.tolerances.sizes import LOOP_ROWS


def check_bonds(model: Model, tabled: Tabled, row: np.ndarray) -> None:
    """Refuse a start, a row (1, n) of the model's tapes; the error names the bond and the distance between its ends."""
    board, Z = filled_board(tabled, row)
    for call in all_frames(board):
        write(call, Z)
    for b, bond in enumerate(board.tabled.bonds):
        assert bond.distances is not None
        found = dict(zip(_names(bond), apply(board.bond_call(b, bond.balance), Z)[0], strict=True))
        squares, least = np.split(apply(board.bond_call(b, bond.distances), Z)[0], 2)
        efforts = np.array([x for name, x in found.items() if name.startswith("efforts")])
        faults = {
            "the forces of {} are not finite": ~np.isfinite(efforts).all(axis=0),
            "the energy of {} is not finite": ~np.isfinite(found["energy 0"]),
            "the forces of {} have no direction": np.any(squares < least, axis=0),
        }
        for lost, where in faults.items():
            if where.any():
                raise StartError(_message(model, bond, lost, int(np.argmax(where)), squares))


def nearest_ends(model: Model, tabled: Tabled, state: np.ndarray, values: np.ndarray) -> str:
    """The two nearest ends of a bond at a state where a run fails, for a message; empty if there are none."""
    if not np.all(np.isfinite(state)):
        return ""
    board, Z = filled_board(tabled, np.concatenate([state, [0.0], values])[None])
    for call in all_frames(board):
        write(call, Z)
    least, told = _nearest_points(model, board, Z)
    for b, bond in enumerate(board.tabled.bonds):
        if bond.distances is None or not len(bond):
            continue
        squares = np.split(apply(board.bond_call(b, bond.distances), Z)[0], 2)[0]
        if squares.size and squares.min() < least:
            least, row = float(squares.min()), int(np.argmin(squares.min(axis=0)))
            told = f"; nearest are {_ends_apart(model, bond, row, squares)}, the ends of '{bond.names[row]}'"
    return told


def _nearest_points(model: Model, board: Board, Z: np.ndarray) -> tuple[float, str]:
    """The square of the least distance between two points of one group of a pair loop on a board Z (1, size), and a message."""
    least, told, loop = np.inf, "", board.tabled.pair_loop
    positions = Z[0, board.frames : board.wrenches].reshape(-1, FRAME)[:, :3]
    for group in () if loop is None else loop.groups:
        x = positions[group.members]
        for first in range(0, len(x), LOOP_ROWS):
            rows = x[first : first + LOOP_ROWS]
            squares = ((rows[:, None] - x[None]) ** 2).sum(axis=2)
            squares[np.arange(len(rows)), first + np.arange(len(rows))] = np.inf
            i, j = np.unravel_index(int(np.argmin(squares)), squares.shape)
            if squares[i, j] < least:
                names = sorted(model.layout.bodies, key=lambda name: model.layout.bodies[name].index)
                one, other = (names[k] for k in sorted(group.members[[first + i, j]].tolist()))
                least = float(squares[i, j])
                told = f"; nearest are '{one}' and '{other}', {np.sqrt(least):.3g} m apart"
    return least, told


def _names(bond: BondTable) -> list[str]:
    """A name for every output of the balance of a table."""
    return [f"{name} {k}" for name, size in bond.balance.outputs for k in range(size)]


def _message(model: Model, bond: BondTable, lost: str, row: int, squares: np.ndarray) -> str:
    apart = "" if len(squares) else " where they are"
    told = lost.format(f"'{bond.names[row]}'")
    return f"system '{model.name}': {told} at the start: {_ends_apart(model, bond, row, squares, ' are')}{apart}; start elsewhere"


def _ends_apart(model: Model, bond: BondTable, row: int, squares: np.ndarray, are: str = ",") -> str:
    """The bodies of a row, and how far apart they are if that is known."""
    bodies = sorted(model.layout.bodies, key=lambda name: model.layout.bodies[name].index)
    ends = [f"'{bodies[i]}'" for i in bond.ends[row]] + ["the ground"] * any(bond.grounded)
    apart = f" {np.sqrt(max(squares[:, row].min(), 0.0)):.3g} m apart" if len(squares) else ""
    return f"{' and '.join(ends)}{are}{apart}"
