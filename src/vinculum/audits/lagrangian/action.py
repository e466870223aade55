"""The action of a motion of a Lagrangian system."""

from typing import final

import numpy as np

from vinculum.audits.action.graphs import GraphSource
from vinculum.audits.action.source import NO_IMPULSES, ActionGraphs, CurveImpulses, CurveNodes
from vinculum.audits.lagrangian.certificate import allowed_error
from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import MethodError
from vinculum.models.lagrangian.type import lagrangian_of
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.motion.pieces import horner
from vinculum.scalars import depends_on
from vinculum.tolerances.time import NARROWEST_FIELD


@final
class ActionOfLagrangian(GraphSource):
    """L + λF along a curve; the forces D and the reactions of ideal constraints are beside it."""

    def __init__(self, motion: LagrangianRecord):
        self.motion = motion
        self.graphs = _graphs(motion)
        self.edges = np.asarray(motion.pieces.times)
        self.is_constrained = bool(len(self.graphs.curve))

    def charted_coordinates(self, low: float, high: float) -> np.ndarray:
        return np.ones(len(self.motion.coordinates), dtype=bool)

    def named_coordinates(self, low: float, high: float) -> np.ndarray:
        return self.charted_coordinates(low, high)

    def nodes(self, piece: np.ndarray, time: np.ndarray) -> CurveNodes:
        motion, n = self.motion, len(self.motion.coordinates)
        chosen, inverse = np.unique(piece, return_inverse=True)
        coefficients = motion.pieces.coefficients_of(chosen)
        states = horner(coefficients, time - self.edges[piece], inverse)
        m = lagrangian_of(motion.model).multipliers
        given = np.broadcast_to(motion.values, (len(time), len(motion.values)))
        rows = np.concatenate([states, time[:, None], given], axis=1)
        ideal = evaluate_groups(motion.model.tape("report"), rows, again=True)["reactions"]
        return CurveNodes(
            np.concatenate([time[:, None], states[:, :n]], axis=1),
            np.concatenate([np.ones((len(time), 1)), states[:, n : 2 * n]], axis=1),
            np.concatenate([states[:, states.shape[1] - m :], ideal[:, : len(self.graphs.curve) - m]], axis=1),
        )

    @property
    def hits(self) -> np.ndarray:
        return NO_IMPULSES.times

    def impulses(self, low: float, high: float) -> CurveImpulses:
        return NO_IMPULSES

    def error(self, low: float, high: float) -> float:
        return allowed_error(self.motion)

    def samples(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        begin, end, n = self.edges[0], self.edges[-1], len(self.motion.coordinates)
        least = max(float(np.diff(self.edges).min()), NARROWEST_FIELD * max(abs(begin), abs(end)))
        found = []
        for _ in range(count):
            half = 0.5 * (end - begin)
            half = least * (half / least) ** rng.random() if least < half else half
            found.append((float(rng.uniform(begin + half, end - half)), float(half), np.ones(n)))
        return found

    def outward(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        return []

    def inward_powers(self, low: float, high: float, w: np.ndarray) -> np.ndarray:
        return np.zeros(len(w))


def _graphs(motion: LagrangianRecord) -> ActionGraphs:
    where = f"Lagrangian system '{motion.model.name}'"
    if motion.system is None:
        raise MethodError(
            f"'{motion.model.name}' is a loaded run, which has no Lagrangian to differentiate; give it its system: "
            "motion.replace(system=system)"
        )
    principle = motion.system.principle
    if principle.order > 1:
        raise MethodError(
            f"{where} is of order {principle.order}, and a carrier moves q and its rates alone; use motion.audit(), which varies its curves"
        )
    jet, n = principle.jet, principle.n
    q, u = jet.levels[:2]
    free = jet.multipliers[0] if principle.stationary else np.zeros(0, dtype=object)
    force = np.asarray(principle.D, dtype=object)
    if principle.ideal:
        force = force + principle.reactions @ principle.directions()
    curve = np.concatenate([free, principle.reactions if principle.ideal else np.zeros(0, dtype=object)])
    L = principle.whole()
    timed = depends_on(np.array([L, 0.0], dtype=object), [jet.t])
    known = dict(zip(sorted(motion.model.parameters), motion.values.tolist(), strict=True))
    return ActionGraphs(where, tuple(motion.coordinates), jet.t, q, u, np.asarray(curve, dtype=object), L, None, None, force,
                        np.eye(n), np.zeros(n), u, timed, known)  # fmt: skip
