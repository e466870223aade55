"""Random states for the test whether a graph vanishes identically."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.scalars import Scalar, replay, value
from vinculum.scalars.math import EXTENDED
from vinculum.systems import Tree, placements
from vinculum.tolerances.functions import FARTHEST_SAMPLE, NEAREST_SAMPLE

SEED = 20140214


@final
@dataclass(frozen=True, eq=False)
class Sampling:
    """Symbols of a state with random numbers for them: ``q`` (nq,), ``v`` (nv,), ``t`` and columns of ``count`` values.

    ``parameters``: columns of values by name.
    """

    q: np.ndarray
    v: np.ndarray
    t: Scalar
    columns: Mapping[int, np.ndarray]
    parameters: Mapping[str, np.ndarray]
    count: int

    def of(self, outputs, operations: Mapping[str, Callable] | None = None) -> np.ndarray:
        """The outputs at every sample, (count, *shape)."""
        outputs = np.asarray(outputs, dtype=object)

        def leaf(node: Scalar):
            if node.op == "parameter":
                return self.parameters.get(node.args[0], node.args[1])
            return self.columns[id(node)]

        with np.errstate(all="ignore"):
            flat = replay(outputs.ravel(), leaf, operations or EXTENDED)
        full = [np.broadcast_to(np.asarray(x, dtype=float), self.count) for x in flat]
        return np.stack([*full, np.zeros(self.count)], axis=1)[:, :-1].reshape(self.count, *outputs.shape)

    def only(self, which: np.ndarray) -> "Sampling":
        """Some of the samples, by a mask (count,)."""
        columns, parameters = ({key: x[which] for key, x in part.items()} for part in (self.columns, self.parameters))
        return replace(self, columns=columns, parameters=parameters, count=int(which.sum()))

    def rows(self) -> np.ndarray:
        """Rows (q, v, t, parameters) for a model's tapes, (count, …)."""
        state = [self.columns[id(x)] for x in (*self.q, *self.v, self.t)]
        return np.stack([*state, *(self.parameters[name] for name in sorted(self.parameters))], axis=1)


def sampling(tree: Tree, q, v, t, values: Mapping[str, float], vary: bool, fewest: int = 24) -> Sampling:
    """Random states on their charts. ``vary``: parameters too, so that what holds, holds for every value of them. ``fewest``: how many
    there are at least.

    Free bodies are near prescribed ones, in turn: far from a turntable all speeds are so large that the work of its drive would be
    lost in their round-off.
    """
    rng = np.random.default_rng(SEED)
    count = max(fewest, 2 * tree.nv + 8)

    def apart(shape):
        return rng.uniform(NEAREST_SAMPLE, FARTHEST_SAMPLE, shape) * rng.choice([-1.0, 1.0], shape)

    Q, V = on_charts(tree, q, apart((count, tree.nq))), apart((count, tree.nv))
    for link in tree.links:
        Q[:, link.q] = link.joint.kind.coordinates.sample(Q[:, link.q])
    for link in tree.varying:
        Q[:, link.mass_place] = value(link.body.mass, values) * rng.uniform(0.8, 1.25, count)
    columns = {id(x): Q[:, i] for i, x in enumerate(q)} | {id(x): V[:, i] for i, x in enumerate(v)}
    columns[id(t)] = apart(count)
    parameters = {name: np.full(count, float(x)) for name, x in values.items()}
    if vary:
        parameters = {
            name: x * rng.uniform(0.8, 1.25, count) + (x == 0.0) * rng.uniform(0.1, 0.3, count)
            for name, x in parameters.items()
        }
    at = Sampling(q, v, t, columns, parameters, count)
    return _near_prescribed(tree, at) if tree.prescribed else at


def on_charts(tree: Tree, q: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Coordinates (count, nq) with quaternions of length one."""
    found = Q.copy()
    for link in tree.links:
        if link.joint.nq and link.joint.kind.coordinates.chart_defect(q[link.q]) is not None:
            turn = slice(link.q.stop - 4, link.q.stop)
            found[:, turn] /= np.linalg.norm(Q[:, turn], axis=1, keepdims=True)
    return found


def _near_prescribed(tree: Tree, at: Sampling) -> Sampling:
    placed = placements(tree, at.q, at.v)
    places = np.stack([at.of(placed[link.index].X_WL.p) for link in tree.prescribed])
    there = places[np.arange(at.count) % len(places), np.arange(at.count)]
    columns = dict(at.columns)
    for link in tree.links:
        if link.parent < 0 and link.joint.kind.coordinates.q_units[:3] == ("m", "m", "m"):
            columns |= {id(x): columns[id(x)] + there[:, k] for k, x in enumerate(at.q[link.q][:3])}
    return replace(at, columns=columns)
