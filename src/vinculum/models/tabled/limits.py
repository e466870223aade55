"""What is left of bonds and bodies over tables to where their laws end, such as half a turn of a torsion spring."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds import Action, Limit, end_name
from vinculum.bonds.actions import own_actions
from vinculum.bonds.many import name_of_row
from vinculum.equations.recursions.joint_inertias import may_vanish, vanishes
from vinculum.models.tabled.board import apply, filled_board, framing_calls, write
from vinculum.models.tabled.tabled import Tabled
from vinculum.scalars import symbols
from vinculum.systems import Acting, ActingRows, Link, Tree, free_views
from vinculum.tolerances.sizes import NUMBERS_OF_BOARDS

ROOMS, INERTIAS = OF_BLOCKS = ("rooms", "inertias")
"""Tapes of kinds of blocks that have limits, in order."""


def number_of_limits(tabled: Tabled) -> int:
    """How many limits all rows of all tables have."""
    bonds = sum(len(bond) * bond.rooms.n_out for bond in tabled.bonds if bond.rooms is not None)
    return bonds + sum(
        len(kind) * kind.tapes[name].n_out for kind in tabled.kinds for name in OF_BLOCKS if name in kind.tapes
    )


def number_of_inertias(tabled: Tabled) -> int:
    """How many of them, the last ones, are inertias that joints move."""
    return sum(len(kind) * kind.tapes["inertias"].n_out for kind in tabled.kinds if "inertias" in kind.tapes)


def rooms_over_tables(tabled: Tabled, X: np.ndarray) -> np.ndarray:
    """Rooms (B, k) of all limits for rows X (B, n) of states, times and parameters; as many rows at once as fit into memory."""
    most = max(1, NUMBERS_OF_BOARDS // filled_board(tabled, X[:1])[0].size)
    return np.concatenate([_rooms(tabled, X[k : k + most]) for k in range(0, max(len(X), 1), most)])


def _rooms(tabled: Tabled, X: np.ndarray) -> np.ndarray:
    board, Z = filled_board(tabled, X)
    for call in framing_calls(board):
        write(call, Z)
    found = [
        apply(board.bond_call(b, bond.rooms), Z) for b, bond in enumerate(board.tabled.bonds) if bond.rooms is not None
    ]
    found += [
        apply(board.kind_call(k, name), Z)
        for name in OF_BLOCKS
        for k, kind in enumerate(board.tabled.kinds)
        if name in kind.tapes
    ]
    return np.concatenate([np.zeros((len(X), 0)), *(rooms.reshape(len(X), -1) for rooms in found)], axis=1)


@final
@dataclass(frozen=True, eq=False)
class ReasonsOverTables(Sequence[str]):
    """What is met at every limit of tables, in words, made when it is asked for."""

    tabled: Tabled
    tree: Tree

    def __len__(self) -> int:
        return number_of_limits(self.tabled)

    def __getitem__(self, which):
        for bond in self.tabled.bonds:
            count = 0 if bond.rooms is None else len(bond) * bond.rooms.n_out
            if which < count:
                return self._reason(bond.names[which % len(bond)], which // len(bond))
            which -= count
        for name, kind in ((name, kind) for name in OF_BLOCKS for kind in self.tabled.kinds):
            count = len(kind) * kind.tapes[name].n_out if name in kind.tapes else 0
            if which < count:
                block = [self.tree.links[int(i)] for i in kind.bodies[which % len(kind)]]
                return self._of_block(name, block, which // len(kind))
            which -= count
        raise IndexError(which)

    def _of_block(self, name: str, block: list[Link], which: int) -> str:
        """The limit of the deformation of a block, or of the inertia of one of its joints."""
        if name == ROOMS:
            return next(
                limit.why for action in own_actions(block[0].body) for limit in _limits(action, [block[0].body])
            )
        return vanishes([link for link in block if may_vanish(link, symbols("q", link.joint.nq))][which])

    def _reason(self, name: str, which: int) -> str:
        """The limit of an action by its number."""
        acting = _acting_named(self.tree, name)
        links = {link.body.name: link.body for link in self.tree.links}
        return _limits(acting.action, [links.get(end_name(end)) for end in acting.action.ends])[which].why


def _limits(action: Action, bodies: Sequence[Body | None]) -> list[Limit]:
    """The limits of an action that no motion passes."""
    return [limit for limit in action.law.limits(free_views(bodies).still) if not limit.passable]


def _acting_named(tree: Tree, name: str) -> Acting:
    """The action with a name, or the row of bonds."""
    for one in tree.acting:
        if isinstance(one, ActingRows):
            rows = [k for k in range(len(one.bonds)) if name_of_row(one.bonds, k) == name]
            if rows:
                return one.row(rows[0])
        elif one.action.name == name:
            return one
    raise KeyError(name)
