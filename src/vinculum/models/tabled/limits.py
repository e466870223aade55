"""What is left of bonds and bodies over tables to where their laws end, such as half a turn of a torsion spring."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds import Action, Limit, end_name
from vinculum.bonds.actions import own_actions
from vinculum.bonds.many import name_of_row
from vinculum.models.tabled.board import apply, filled_board, framing_calls, write
from vinculum.models.tabled.tabled import Tabled
from vinculum.systems import Acting, ActingRows, Tree, free_views
from vinculum.tolerances.sizes import NUMBERS_OF_BOARDS


def number_of_limits(tabled: Tabled) -> int:
    """How many limits all rows of all tables have."""
    bonds = sum(len(bond) * bond.rooms.n_out for bond in tabled.bonds if bond.rooms is not None)
    return bonds + sum(len(kind) * kind.tapes["rooms"].n_out for kind in tabled.kinds if "rooms" in kind.tapes)


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
        apply(board.kind_call(k, "rooms"), Z) for k, kind in enumerate(board.tabled.kinds) if "rooms" in kind.tapes
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
        for kind in self.tabled.kinds:
            count = len(kind) * kind.tapes["rooms"].n_out if "rooms" in kind.tapes else 0
            if which < count:
                body = self.tree.links[int(kind.bodies[which % len(kind), 0])].body
                return next(limit.why for action in own_actions(body) for limit in _limits(action, [body]))
            which -= count
        raise IndexError(which)

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
