"""Numerical values of graphs at several positions at once."""

from collections.abc import Mapping
from typing import final

import numpy as np

from vinculum.scalars import Scalar
from vinculum.scalars.graph import LEAVES, nodes
from vinculum.scalars.math import NUMERIC


@final
class Samples:
    """Values of graphs over the symbols ``x`` (k,) at ``places`` (S, k); what was computed for some graphs is kept for others.

    ``known``: values of parameters by name.
    """

    def __init__(self, x: np.ndarray, places: np.ndarray, known: Mapping[str, float]):
        self.count, self._known = len(places), known
        self._done: dict[int, np.ndarray] = {id(a): column for a, column in zip(x, np.transpose(places), strict=True)}
        self._kept: list[Scalar] = list(x)

    def of(self, outputs) -> np.ndarray:
        """The outputs in numbers, (S, …)."""
        outputs, done = np.asarray(outputs, dtype=object), self._done
        order = nodes(outputs.ravel(), done)
        self._kept += order
        with np.errstate(all="ignore"):
            for node in order:
                if node.op in LEAVES:
                    name, default = node.args
                    done[id(node)] = np.full(self.count, float(self._known.get(name, default)))
                else:
                    given = [done[id(a)] if type(a) is Scalar else a for a in node.args]
                    done[id(node)] = NUMERIC[node.op](*given)
        found = np.empty((self.count, outputs.size))
        for i, y in enumerate(outputs.ravel()):
            found[:, i] = done[id(y)] if type(y) is Scalar else y
        return found.reshape(self.count, *outputs.shape)
