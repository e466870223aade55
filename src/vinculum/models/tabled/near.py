"""`Near`: tables whose rows are the pairs of bodies within a cutoff, at any state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.tolerances.steps import NEIGHBOR_SKIN


@final
@dataclass(frozen=True, eq=False)
class Near:
    """The pairs of a table: those of its members nearer than ``cutoff`` [m] of which the first is one of ``first`` (k,), truth values, and
    the other one of ``second``. ``sides`` (c,): the end, 0 or 1, whose body has a number of the table."""

    cutoff: float
    first: np.ndarray
    second: np.ndarray
    sides: np.ndarray

    @property
    def reach(self) -> float:
        """Distance up to which pairs are listed: beyond the cutoff, so that a list stays complete for a while."""
        return (1.0 + NEIGHBOR_SKIN) * self.cutoff

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "cutoff": self.cutoff,
            "first": self.first.tolist(),
            "second": self.second.tolist(),
            "sides": self.sides.tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Near":
        """The pairs of `to_dict`."""
        first, second = (np.array(data[name], dtype=bool) for name in ("first", "second"))
        return cls(float(data["cutoff"]), first, second, np.array(data["sides"], dtype=np.int64))

    def fits(self, members: Sequence[int], numbers: np.ndarray, bodies: int) -> bool:
        """Whether members are among the bodies, and all parts of a stored table belong together."""
        return (
            0.0 < self.cutoff < np.inf
            and len(self.first) == len(self.second) == len(members)
            and all(0 <= i < bodies for i in members)
            and numbers.shape == (bodies, len(self.sides))
            and set(self.sides.tolist()) <= {0, 1}
        )


def near_pairs(near: Near, members: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Pairs (m, 2) of bodies, in the order of the members."""
    from scipy.spatial import KDTree

    found = [np.zeros((0, 2), dtype=np.int64)]
    for x in positions[:, members]:
        good = np.flatnonzero(np.isfinite(x).all(axis=1))
        pairs = KDTree(x[good]).query_pairs(near.reach, output_type="ndarray")
        found.append(np.sort(good[pairs].reshape(-1, 2), axis=1))
    pairs = np.unique(np.concatenate(found), axis=0) if len(found) > 2 else found[-1]
    pairs = pairs[near.first[pairs[:, 0]] & near.second[pairs[:, 1]]]
    return members[pairs[np.lexsort(pairs.T[::-1])]].reshape(-1, 2)
