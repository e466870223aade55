"""The action on varied curves: a test of the Euler–Lagrange equations that uses only values of the action."""

from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np

from vinculum.audits.quadrature import W_KRONROD, X
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.lagrangian.type import lagrangian_of
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.tolerances.certificates import ACTION_SCALE, ACTION_SWITCHED
from vinculum.tolerances.functions import VARIATION, VARIATION_LEAST
from vinculum.tolerances.round_off import NEAR_ROUND_OFF
from vinculum.tolerances.samples import ACTION_WINDOWS, FEWEST_WINDOWS, PANELS_OF_ACTION_WINDOW, STEPS_OF_ACTION_WINDOW

STENCILS = {6: {1: 45.0 / 60.0, 2: -9.0 / 60.0, 3: 1.0 / 60.0}, 4: {1: 8.0 / 12.0, 2: -1.0 / 12.0}}
"""Central differences of order 6 and 4. Their difference estimates the error of the first."""


@final
@dataclass(frozen=True)
class Stationarity:
    """The largest relative variation of the action, its uncertainty by round-off and differencing, and where it was found."""

    residual: float
    doubt: float
    detail: str


def stationarity(motion: LagrangianRecord) -> Stationarity:
    r"""How far the motion is from making the action stationary, over bumps η in each coordinate on windows of time.

    .. math:: \frac{d}{d\epsilon}\int (L + \lambda F)[q + \epsilon\eta]\,dt + \int (D + R)\cdot\eta\,dt = 0

    with the reactions R of ideal constraints as differences of F along η.
    Only values of L, F and D are used. Gołubowska (20), (32), (69), (91).
    """
    switching = motion.model.tape("curves").is_piecewise()
    found = Stationarity(0.0, ACTION_SWITCHED if switching else 0.0, "")
    for begin, end in _windows(motion):
        nodes, weights = _nodes(motion, begin, end)
        window = _Window(motion, begin, end, nodes, weights)
        for i, name in enumerate(motion.coordinates):
            residual, doubt = window.variation(i)
            if residual > found.residual or found.detail == "":
                found = Stationarity(
                    residual, max(doubt, found.doubt), f"worst in {name}, t = {begin:.4g} to {end:.4g}"
                )
            else:
                found = Stationarity(found.residual, max(doubt, found.doubt), found.detail)
    return found


def _windows(motion: LagrangianRecord) -> list[tuple[float, float]]:
    edges = np.asarray(motion.pieces.times)
    count = len(edges) - 1
    if count <= ACTION_WINDOWS:
        cuts = np.linspace(edges[0], edges[-1], FEWEST_WINDOWS + 1).tolist()
        return list(pairwise(cuts))
    width = min(STEPS_OF_ACTION_WINDOW, max(count // ACTION_WINDOWS, 1))
    starts = np.linspace(0, count - width, ACTION_WINDOWS).astype(int)
    return [(float(edges[k]), float(edges[k + width])) for k in starts]


def _nodes(motion: LagrangianRecord, begin: float, end: float) -> tuple[np.ndarray, np.ndarray]:
    edges = np.asarray(motion.pieces.times)
    cuts = np.unique(
        np.concatenate([np.linspace(begin, end, PANELS_OF_ACTION_WINDOW + 1), edges[(edges > begin) & (edges < end)]])
    )
    h = np.diff(cuts)
    return (cuts[:-1, None] + np.outer(h, X)).ravel(), np.outer(h, W_KRONROD).ravel()


@final
class _Window:
    """The curve on a window of time, and the bump that varies it."""

    def __init__(self, motion: LagrangianRecord, begin: float, end: float, nodes: np.ndarray, weights: np.ndarray):
        self.order, self.n = motion.order, len(motion.coordinates)
        self.constrained = [entry for entry in motion.constrained if entry.multipliers == "ideal"]
        self.tape, self.nodes, self.weights = motion.model.tape("curves"), nodes, weights
        rows = motion.rows(nodes)
        self.levels = rows[:, : (self.order + 1) * self.n].reshape(len(nodes), self.order + 1, self.n)
        self.values = np.broadcast_to(motion.values, (len(nodes), len(motion.values)))
        m, state = lagrangian_of(motion.model).multipliers, motion.pieces.size
        self.free = rows[:, state - m : state]
        self.ideal = evaluate_groups(motion.model.tape("report"), rows)["reactions"]
        bump = (np.poly1d([1.0, 0.0]) * np.poly1d([-1.0, 1.0]) * 4.0) ** (self.order + 2)
        s = (nodes - begin) / (end - begin)
        self.bumps = [bump.deriv(k)(s) / (end - begin) ** k if k else bump(s) for k in range(self.order + 1)]

    def at(self, levels: np.ndarray) -> dict[str, np.ndarray]:
        row = np.concatenate([levels.reshape(len(levels), -1), self.nodes[:, None], self.values], axis=1)
        return evaluate_groups(self.tape, row)

    def variation(self, i: int) -> tuple[float, float]:
        """The relative variation of the action along the bump in one coordinate, and its uncertainty."""
        epsilon = self._small(i)
        whole = {
            c: self._whole(self._vary_levels(i, c * epsilon, range(self.order + 1))) for c in (-3, -2, -1, 1, 2, 3)
        }
        parts = {
            k: sum(w * (whole[c] - whole[-c]) for c, w in stencil.items()) / epsilon for k, stencil in STENCILS.items()
        }
        others = self.at(self.levels)["D"][:, i] * self.bumps[0]
        first, free = 0, self.free.shape[1]
        for entry in self.constrained:
            last = first + entry.rows
            slope = self._derivative(i, entry.level, slice(free + first, free + last), epsilon)
            others = others + (self.ideal[:, first:last] * slope).sum(axis=1)
            first = last
        total = {k: float(self.weights @ (part + others)) for k, part in parts.items()}
        scale = float(self.weights @ (np.abs(parts[6]) + np.abs(others)))
        noise = NEAR_ROUND_OFF * float(self.weights @ np.abs(whole[1])) / epsilon
        scale = max(scale, noise / NEAR_ROUND_OFF * ACTION_SCALE, np.finfo(float).tiny)
        return abs(total[6]) / scale, (abs(total[6] - total[4]) + noise) / scale

    def _whole(self, levels: np.ndarray) -> np.ndarray:
        """L + λF at the nodes."""
        at = self.at(levels)
        return at["L"][:, 0] + (self.free * at["F"][:, : self.free.shape[1]]).sum(axis=1)

    def _vary_levels(self, i: int, epsilon: float, which) -> np.ndarray:
        levels = self.levels.copy()
        for k in which:
            levels[:, k, i] += epsilon * self.bumps[k]
        return levels

    def _derivative(self, i: int, level: int, place: slice, epsilon: float) -> np.ndarray:
        """The change of constraints if only one level moves, along the bump itself, (nodes, rows)."""
        total = 0.0
        for c, w in STENCILS[6].items():
            ahead, behind = self.levels.copy(), self.levels.copy()
            ahead[:, level, i] += c * epsilon * self.bumps[0]
            behind[:, level, i] -= c * epsilon * self.bumps[0]
            total = total + w * (self.at(ahead)["F"][:, place] - self.at(behind)["F"][:, place])
        return np.asarray(total) / epsilon

    def _small(self, i: int) -> float:
        """A variation that is small relative to every derivative of the curve."""
        ratios = []
        for k, bump in enumerate(self.bumps):
            size = np.abs(self.levels[:, k, i]).max() or np.abs(self.levels[:, k]).max()
            ratios += [size / np.abs(bump).max()] if size > 0.0 else []
        return VARIATION * max(min(ratios, default=0.05), VARIATION_LEAST * max(ratios, default=0.05))
