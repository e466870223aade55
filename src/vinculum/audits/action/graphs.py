"""`CarriedGraphs`: the action of a motion whose Lagrangian is one graph, under a family of carriers; `GraphSource` has such an action."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.audits.action.fields import CarrierGraphs, polynomial_carriers
from vinculum.audits.action.lengths import lengths_that_count
from vinculum.audits.action.source import (
    CURVE,
    ActionGraphs,
    ActionSource,
    ActionSpace,
    CarriedTerms,
    CurveNodes,
    NodeRates,
    RandomCarrier,
)
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.scalars import Scalar, directional, gradient
from vinculum.tolerances.sizes import NODES_OF_AN_ACTION


@final
class CarriedGraphs(CarriedTerms):
    """Values, derivatives and carriers as tapes over whole states."""

    def __init__(self, graphs: ActionGraphs, field: CarrierGraphs, carry: str):
        self.graphs, self.field, self.carry = graphs, field, carry
        self.moves_time = isinstance(field.time, Scalar)

    def flow(self, place: np.ndarray, tangent: np.ndarray, own: np.ndarray) -> np.ndarray:
        at = self._at(self._flow, place, tangent, own)
        return np.concatenate([at["eta"], at["eta_dot"]], axis=1)

    def values(self, place: np.ndarray, tangent: np.ndarray, curve: np.ndarray) -> np.ndarray:
        return self._at(self._values, place, tangent, curve)["action"][:, 0]

    def rates(self, curve: CurveNodes, own: np.ndarray) -> NodeRates:
        at = self._at(self._rates, curve.place, curve.tangent, curve.curve, own)
        return NodeRates(at["rate"][:, 0], at["power"][:, 0], at["size"].sum(axis=1))

    def fields(self, place: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        at = self._at(self._fields, place, own)
        return at["time"], at["w"]

    @property
    def _eta(self) -> np.ndarray:
        """η (1 + nq,) as graphs."""
        moved = self.graphs.directions @ self.field.velocity
        return np.array([self.field.time, *moved], dtype=object)

    @cached_property
    def _flow(self) -> Tape:
        """η and η_,α u^α over places and tangents."""
        own, eta = self.graphs, self._eta
        rates = directional(eta, own.place, own.tangent)
        return self._trace({"place": own.place, "tangent": own.tangent, "given": self.field.given},
                           {"eta": eta, "eta_dot": rates})  # fmt: skip

    @cached_property
    def _values(self) -> Tape:
        own = self.graphs
        return self._trace({"place": own.place, "tangent": own.tangent, "curve": own.curve},
                           {"action": [own.integrand(self.carry)]})  # fmt: skip

    @cached_property
    def _rates(self) -> Tape:
        """The derivative of the integrand along the carrier, the power of other forces, the sizes of their terms, w and η⁰."""
        own, eta, w = self.graphs, self._eta, self.field.velocity
        moved = np.concatenate([eta, directional(eta, own.place, own.tangent)])
        slopes = gradient(own.integrand(self.carry), np.concatenate([own.place, own.tangent]))
        terms = slopes * moved
        powers = np.concatenate([own.others * eta[1:], own.reactions * w])
        if self.carry == CURVE:
            lost = np.concatenate([own.others * own.u, own.reactions * own.velocities])
            powers = np.concatenate([powers, -1.0 * eta[0] * lost])
        inputs = {"place": own.place, "tangent": own.tangent, "curve": own.curve, "given": self.field.given}
        outputs = {"rate": [terms.sum()], "power": [powers.sum()], "size": [abs(x) for x in (*terms, *powers)]}
        return self._trace(inputs, outputs)

    @cached_property
    def _fields(self) -> Tape:
        own = self.graphs
        return self._trace(
            {"place": own.place, "given": self.field.given}, {"time": [self.field.time], "w": self.field.velocity}
        )

    def _trace(self, inputs: dict, outputs: dict) -> Tape:
        return trace(inputs, outputs, dict(sorted(self.graphs.parameters.items())))

    def _at(self, tape: Tape, *columns: np.ndarray) -> dict[str, np.ndarray]:
        known = dict(tape.parameters) | self.graphs.parameters
        values = [known[name] for name, _ in tape.parameters]
        rows = np.concatenate([*columns, np.broadcast_to(values, (len(columns[0]), len(values)))], axis=1)
        with np.errstate(all="ignore"):
            return evaluate_groups(tape, rows, again=True)


class GraphSource(ActionSource):
    """An action whose Lagrangian is one graph: ``graphs``."""

    graphs: ActionGraphs
    nodes_at_once = NODES_OF_AN_ACTION

    @property
    def space(self) -> ActionSpace:
        return self.graphs.space

    def written_out(self) -> ActionGraphs:
        return self.graphs

    def terms_of(self, field: Any, carry: str) -> CarriedTerms:
        return CarriedGraphs(self.graphs, field, carry)

    def random_family(self, chosen: Sequence[RandomCarrier], rng: np.random.Generator) -> tuple[Any, np.ndarray]:
        nq, nv, rows = len(self.graphs.q), self.graphs.nv, []
        for center, half, size, place, tangent in chosen:
            reach = lengths_that_count(np.maximum(np.abs(place[1:]), half * np.abs(tangent[1:])))
            alpha, kappa = 0.3 * half * rng.normal(), 0.3 * half * rng.normal(size=nq) / reach
            a, K = size * rng.normal(size=nv), size[:, None] * rng.normal(size=(nv, nq)) / reach
            once = self.charted_coordinates(center - half, center + half)
            kappa, K = kappa * once, K * once
            rows.append(np.concatenate([[center, half, alpha], kappa, a, K.ravel(), place[1:]]))
        return polynomial_carriers(self.graphs), np.array(rows)

    def constant_family(self, chosen: Sequence[tuple[float, float, np.ndarray]]) -> tuple[Any, np.ndarray]:
        nq, nv = len(self.graphs.q), self.graphs.nv
        rows = [np.concatenate([[c, half, 0.0], np.zeros(nq), a, np.zeros(nv * nq + nq)]) for c, half, a in chosen]
        return polynomial_carriers(self.graphs).without_time(), np.array(rows)
