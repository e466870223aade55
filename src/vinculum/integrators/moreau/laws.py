"""Impact and friction laws of unilateral constraints as numbers."""

from typing import final

import numpy as np

from vinculum.bonds.unilaterals.impact_laws import SEQUENTIAL
from vinculum.systems import Tree

NEWTON, POISSON, IN_TURN = 0, 1, 2


@final
class Laws:
    """Impact and friction laws of a tree's unilateral constraints as numbers: kinds (m,), ratios (m,), half axes of friction (m, 2)."""

    def __init__(self, tree: Tree):
        laws = [one.unilateral.impact for one in tree.unilaterals]
        self.kinds = np.array(
            [
                POISSON if law and law.by_impulses else IN_TURN if law and law.treatment == SEQUENTIAL else NEWTON
                for law in laws
            ],
            dtype=np.int64,
        )
        self.ratios = np.array([law.restitution if law else 0.0 for law in laws])
        axes = [
            one.unilateral.friction.coefficients if one.unilateral.friction else (-1.0, -1.0)
            for one in tree.unilaterals
        ]
        self.friction = np.array(axes).reshape(-1, 2)
        frictions = enumerate(one.unilateral.friction for one in tree.unilaterals)
        resisting = [(*friction.lengths, c) for c, friction in frictions if friction and friction.resists]
        self.lengths = np.array(resisting).reshape(-1, 3)

    @property
    def triples(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Kinds, ratios and half axes (b, 3) of all triples of rows: of unilateral constraints, then about axes of those that resist
        rolling.
        """
        r = len(self.lengths)
        plain = np.column_stack([self.friction, np.full(len(self.friction), -1.0)])
        return (
            np.append(self.kinds, np.zeros(r, dtype=np.int64)),
            np.append(self.ratios, np.zeros(r)),
            np.concatenate([plain, self.lengths]),
        )
