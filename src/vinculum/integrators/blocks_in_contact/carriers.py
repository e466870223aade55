"""Blocks that carry shapes or have conditions: their places in the long array, and the groups that conditions join."""

from typing import final

import numpy as np

from vinculum.contact.blocks.arrays import Blocks, Conditions, Groups
from vinculum.models.tabled.conditions import PARTS
from vinculum.models.tabled.kinds import DEFORMATION
from vinculum.models.tabled.reactions import Reactions

ROW = 8
"""Velocities in a row of a contact problem."""


@final
class CarryingBlocks:
    """Blocks, gathered kind by kind: for every body the number of its ``block`` and where its ``drift`` is, the ``matrix`` that carries
    its points, the ``rate`` of that matrix if it deforms, and where its ``twists`` are; for every velocity its ``owner``, a block, and its
    place ``within`` this. ``frames``: where the frames of bodies begin; ``velocities``: the number of all."""

    def __init__(self, frames: np.ndarray, velocities: int):
        bodies = len(frames)
        self.block, self.drift = np.full(bodies, -1), np.zeros(bodies, dtype=np.int64)
        self.matrix, self.rate = frames + 3, np.full(bodies, -1)
        self.twists = np.zeros(bodies, dtype=np.int64)
        self.owner, self.within = np.full(velocities, -1), np.zeros(velocities, dtype=np.int64)
        self._strains: list[np.ndarray] = []
        self._counts: list[np.ndarray] = []
        self._screws: list[np.ndarray] = []
        self._masses: list[np.ndarray] = []
        self._velocities: list[np.ndarray] = []
        self._number = 0

    def add(self, bodies: np.ndarray, v: np.ndarray, screws: np.ndarray, mass: np.ndarray) -> None:
        """Add the blocks of a kind."""
        m, nv = v.shape
        self.block[bodies] = self._number + np.arange(m)[:, None]
        self.drift[bodies] = screws[:, None] + 6 * nv + 6 * np.arange(bodies.shape[1])
        self._counts.append(np.full(m, nv))
        self._screws.append(screws)
        self._masses.append(mass)
        self._velocities.append(v.ravel())
        self._strains.append(np.full(m, -1))
        self.owner[v], self.within[v] = self._number + np.arange(m)[:, None], np.arange(nv)
        self._number += m

    def turn(self, bodies: np.ndarray, nv: int, twists: np.ndarray) -> None:
        """Say where the twists (6 b, nv) of the bodies of blocks are."""
        self.twists[bodies] = twists[:, None] + 6 * nv * np.arange(bodies.shape[1])

    def deform(self, bodies: np.ndarray, strains: np.ndarray, deformations: np.ndarray) -> None:
        """Say where the strains of the blocks that were added last are, and the deformations of their bodies."""
        self._strains[-1] = strains
        self.matrix[bodies], self.rate[bodies] = deformations, deformations + DEFORMATION // 2

    @property
    def last_inverses(self) -> int:
        """Where the inverse masses of the blocks that were added last begin among all."""
        return sum(int((count * count).sum()) for count in self._counts[:-1])

    def strains(self) -> np.ndarray:
        """Where the strains of every block begin (k,), −1 for those that do not deform."""
        return np.concatenate(self._strains)

    @property
    def count(self) -> np.ndarray:
        """Numbers of velocities of all blocks."""
        return np.concatenate(self._counts)

    def with_groups(self, reactions: Reactions, others: np.ndarray) -> tuple[Blocks, Groups, Conditions]:
        """The blocks, the groups that conditions join, and what conditions do to blocks.

        ``others`` (k, 2): blocks, and numbers of what else joins them."""
        count = self.count
        ends = self._ends(reactions, count)
        group = _groups(len(count), ends, others)
        members = np.argsort(group, kind="stable")
        begins = np.searchsorted(group[members], np.arange(group.max(initial=-1) + 2))
        ahead = np.concatenate([[0], np.cumsum(count[members])])
        total = ahead[begins[1:]] - ahead[begins[:-1]]
        rows = -(-total // ROW)
        starts = ROW * (np.cumsum(rows) - rows)
        first = np.empty_like(count)
        first[members] = starts[group[members]] + ahead[:-1] - ahead[begins[group[members]]]
        state = np.full(ROW * int(rows.sum()), -1)
        own = np.concatenate([[0], np.cumsum(count)])
        state[np.repeat(first - own[:-1], count) + np.arange(own[-1])] = np.concatenate(self._velocities)
        squares = count * count
        blocks = Blocks(
            count,
            first,
            np.concatenate(self._screws),
            np.concatenate(self._masses),
            np.cumsum(squares) - squares,
            np.zeros(int(squares.sum())),
            state.reshape(-1, ROW),
            group,
        )
        return (
            blocks,
            Groups(total, starts, begins, members, _rows(ends, group, reactions)),
            self._entries(ends, count, reactions),
        )

    def _ends(self, reactions: Reactions, count: np.ndarray) -> np.ndarray:
        """Block, condition, end and body (e, 4) of every end of a condition on a block that velocities move, block by block."""
        which, end = np.nonzero(reactions.ends >= 0)
        body = reactions.ends[which, end]
        found = np.stack([self.block[body], which, end, body], axis=1)
        found = found[count[found[:, 0]] > 0]
        return found[np.argsort(found[:, 0], kind="stable")]

    def _entries(self, ends: np.ndarray, count: np.ndarray, reactions: Reactions) -> Conditions:
        block, which, end, body = ends.T
        rows, moving = reactions.counts[which], reactions.moving[which]
        sizes = rows * count[block]
        return Conditions(
            np.searchsorted(block, np.arange(len(count) + 1)),
            reactions.begins[which],
            rows,
            reactions.outputs[which] + PARTS * rows + 6 * end,
            6 * moving,
            self.twists[body],
            np.cumsum(sizes) - sizes,
            np.zeros(int(sizes.sum())),
            np.zeros(len(reactions.x)),
        )


def _groups(blocks: int, ends: np.ndarray, others: np.ndarray) -> np.ndarray:
    """For every block the number of its group: blocks with a common condition, or what else joins them, are in one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    block = np.concatenate([ends[:, 0], others[:, 0]])
    which = np.concatenate([ends[:, 1], others[:, 1] + 1 + int(ends[:, 1].max(initial=-1))])
    nodes = blocks + int(which.max(initial=-1)) + 1
    joined = coo_array((np.ones(len(block)), (block, blocks + which)), shape=(nodes, nodes))
    _, part = connected_components(joined, directed=False)
    return np.unique(part[:blocks], return_inverse=True)[1]


def _rows(ends: np.ndarray, group: np.ndarray, reactions: Reactions) -> np.ndarray:
    """The first and the last row of the conditions of every group, in their order of elimination (g, 2)."""
    found = np.zeros((int(group.max(initial=-1)) + 1, 2), dtype=np.int64)
    own, which = group[ends[:, 0]], ends[:, 1]
    found[:, 0] = len(reactions.x)
    np.minimum.at(found[:, 0], own, reactions.begins[which])
    np.maximum.at(found[:, 1], own, reactions.begins[which + 1])
    found[found[:, 1] == 0] = 0
    return found
