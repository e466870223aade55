"""Starts at which bonds over tables have no finite forces, or forces without a direction."""

import numpy as np

from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.models.tabled.board import apply, filled_board, write
from vinculum.models.tabled.bonds import BondTable
from vinculum.models.tabled.tabled import Tabled


def check_bonds(model: Model, tabled: Tabled, row: np.ndarray) -> None:
    """Refuse a start, a row (1, n) of the model's tapes; the error names the bond and the distance between its ends."""
    board, Z = filled_board(tabled, row)
    for k in range(len(tabled.kinds)):
        write(board.frames_call(k), Z)
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


def _names(bond: BondTable) -> list[str]:
    """A name for every output of the balance of a table."""
    return [f"{name} {k}" for name, size in bond.balance.outputs for k in range(size)]


def _message(model: Model, bond: BondTable, lost: str, row: int, squares: np.ndarray) -> str:
    bodies = sorted(model.layout.bodies, key=lambda name: model.layout.bodies[name].index)
    ends = [f"'{bodies[i]}'" for i in bond.ends[row]] + ["the ground"] * any(bond.grounded)
    apart = f" {np.sqrt(max(squares[:, row].min(), 0.0)):.3g} m apart" if len(squares) else " where they are"
    told = lost.format(f"'{bond.names[row]}'")
    return f"system '{model.name}': {told} at the start: {' and '.join(ends)} are{apart}; start elsewhere"
