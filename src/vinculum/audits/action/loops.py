"""`ActionOfLoop`: the action of a motion of many bodies whose equations run as a loop, summed over bodies and bonds."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.audits.action.fields import CarrierGraphs
from vinculum.audits.action.lengths import lengths_that_count
from vinculum.audits.action.source import (
    ActionGraphs,
    ActionSource,
    ActionSpace,
    CarriedTerms,
    CurveImpulses,
    CurveNodes,
    NodeRates,
    RandomCarrier,
)
from vinculum.audits.quadrature import X
from vinculum.audits.weak.residual import dense_output_errors, method_errors
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import MethodError
from vinculum.geometry.sources.bodies import identifiers
from vinculum.models.model import Model
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.scalars import Scalar, directional, symbol, symbols
from vinculum.systems import Tree
from vinculum.tolerances.samples import AT_IMPACTS, PANELS_OF_ACTION_WINDOW
from vinculum.tolerances.sizes import NUMBERS_OF_A_CARRIER, NUMBERS_OF_BOARDS, RANK_OF_CARRIERS
from vinculum.tolerances.time import NARROWEST_FIELD


class Carried(NamedTuple):
    """Carriers at nodes: η⁰ and its rate along the curve (T,), the virtual velocities w and their rates (T, nv)."""

    time: np.ndarray
    time_rate: np.ndarray
    w: np.ndarray
    w_rate: np.ndarray


class LoopMechanics(ABC):
    """Kinetic and potential energies of many bodies, and the forces beside them, as sums over what a type of model loops over.

    States are places (t, q) and tangents (u⁰, u), (T, 1 + nq) each. A curve has its velocities v and the reactions on them, (T, 2 nv)."""

    is_constrained: bool
    timed: bool
    """Whether energies depend on time."""
    numbers: int
    """Numbers that one state takes."""

    @abstractmethod
    def displacements(
        self, place: np.ndarray, tangent: np.ndarray, w: np.ndarray, w_rate: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """N w and its rate along the tangent, (T, nq) each."""

    @abstractmethod
    def values(self, place: np.ndarray, tangent: np.ndarray, carry: str) -> np.ndarray:
        """The integrand of the action, (T,): see `ActionGraphs.integrand`."""

    @abstractmethod
    def rates(self, curve: CurveNodes, along: Carried, carry: str) -> NodeRates:
        """Its derivative along carriers, and the power of forces beside the energies."""

    @abstractmethod
    def curve(self, time: np.ndarray, states: np.ndarray) -> CurveNodes:
        """The motion at its states (T, nq + nv)."""

    @abstractmethod
    def impulses(self) -> CurveImpulses:
        """All impulses inside the motion."""

    @abstractmethod
    def inertias(self, time: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The kinetic energy of every velocity alone is half of this times its square, (T, nv)."""


class LoopField(ABC):
    """A family of carriers, evaluated at all coordinates of many bodies."""

    moves_time: bool

    @abstractmethod
    def at(self, place: np.ndarray, tangent: np.ndarray, own: np.ndarray) -> Carried:
        """The carriers at nodes."""


@final
class TracedField(LoopField):
    """A carrier of a user's functions."""

    def __init__(self, space: ActionSpace, parameters: dict[str, float], given: CarrierGraphs):
        self.space, self.parameters, self.given = space, parameters, given
        self.moves_time = isinstance(given.time, Scalar)

    @cached_property
    def _tape(self) -> Tape:
        pace, u = symbol("pace"), symbols("u", len(self.space.q))
        place, tangent = np.array([self.space.t, *self.space.q]), np.array([pace, *u])
        fields = np.array([self.given.time, *self.given.velocity], dtype=object)
        outputs = {"fields": fields, "rates": directional(fields, place, tangent)}
        return trace({"place": place, "tangent": tangent}, outputs, dict(sorted(self.parameters.items())))

    def at(self, place: np.ndarray, tangent: np.ndarray, own: np.ndarray) -> Carried:
        values = [(dict(self._tape.parameters) | self.parameters)[name] for name, _ in self._tape.parameters]
        rows = np.concatenate([place, tangent, np.broadcast_to(values, (len(place), len(values)))], axis=1)
        with np.errstate(all="ignore"):
            found = evaluate_groups(self._tape, rows, again=True)
        fields, rates = found["fields"], found["rates"]
        return Carried(fields[:, 0], rates[:, 0], fields[:, 1:], rates[:, 1:])


@final
@dataclass(frozen=True, eq=False)
class RandomFields(LoopField):
    r"""Random carriers, linear in the coordinates and cut off in time, with matrices of low rank.

    .. math:: \eta^0 = B(s)\,(\alpha + \kappa\cdot(q - c)),\qquad w = B(s)\,(a + L R (q - c)),\qquad B(s) = (1 - s^2)^4

    ``ends`` (F, 2): center and half width in time; ``alpha`` (F,), ``kappa`` (F, nq), ``a`` (F, nv), ``left`` (F, nv, r),
    ``right`` (F, r, nq), ``origin`` (F, nq). A node knows the number of its carrier.
    """

    ends: np.ndarray
    alpha: np.ndarray
    kappa: np.ndarray
    a: np.ndarray
    left: np.ndarray
    right: np.ndarray
    origin: np.ndarray
    moves_time: bool = True

    def without_time(self) -> "RandomFields":
        """The same carriers with η⁰ = 0."""
        return replace(self, alpha=0.0 * self.alpha, kappa=0.0 * self.kappa, moves_time=False)

    def at(self, place: np.ndarray, tangent: np.ndarray, own: np.ndarray) -> Carried:
        T, nv = len(place), self.a.shape[1]
        found = Carried(np.zeros(T), np.zeros(T), np.zeros((T, nv)), np.zeros((T, nv)))
        carrier = own[:, 0].astype(int)
        for k in np.unique(carrier):
            rows = np.flatnonzero(carrier == k)
            for whole, part in zip(found, self._one(k, place[rows], tangent[rows]), strict=True):
                whole[rows] = part
        return found

    def _one(self, k: int, place: np.ndarray, tangent: np.ndarray) -> Carried:
        center, half = self.ends[k]
        s, away, u = (place[:, 0] - center) / half, place[:, 1:] - self.origin[k], tangent[:, 1:]
        inside = np.maximum(1.0 - s * s, 0.0)
        bump, slope = inside**4, -8.0 * s * inside**3 / half * tangent[:, 0]
        clock, form = self.alpha[k] + away @ self.kappa[k], self.a[k] + (away @ self.right[k].T) @ self.left[k].T
        clock_rate, form_rate = u @ self.kappa[k], (u @ self.right[k].T) @ self.left[k].T
        return Carried(bump * clock, slope * clock + bump * clock_rate, bump[:, None] * form,
                       slope[:, None] * form + bump[:, None] * form_rate)  # fmt: skip


@final
class CarriedLoop(CarriedTerms):
    """The action of many bodies under a family of carriers."""

    def __init__(self, mechanics: LoopMechanics, field: LoopField, carry: str):
        self.mechanics, self.field, self.carry = mechanics, field, carry
        self.moves_time = field.moves_time

    def flow(self, place: np.ndarray, tangent: np.ndarray, own: np.ndarray) -> np.ndarray:
        at = self.field.at(place, tangent, own)
        moved, turned = self.mechanics.displacements(place, tangent, at.w, at.w_rate)
        return np.concatenate([at.time[:, None], moved, at.time_rate[:, None], turned], axis=1)

    def values(self, place: np.ndarray, tangent: np.ndarray, curve: np.ndarray) -> np.ndarray:
        return self.mechanics.values(place, tangent, self.carry)

    def rates(self, curve: CurveNodes, own: np.ndarray) -> NodeRates:
        return self.mechanics.rates(curve, self.field.at(curve.place, curve.tangent, own), self.carry)

    def fields(self, place: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        at = self.field.at(place, np.zeros_like(place), own)
        return at.time[:, None], at.w


class ActionOfLoop(ActionSource):
    """T − U of many bodies, by the sums of ``mechanics``."""

    def __init__(self, motion: Record, mechanics: LoopMechanics):
        self.motion, self.mechanics = motion, mechanics
        self.edges = np.asarray(motion.pieces.times)
        self.is_constrained = mechanics.is_constrained
        self.nodes_at_once = max(1, NUMBERS_OF_BOARDS // mechanics.numbers)
        self._tails = dense_output_errors(motion)

    @property
    def space(self) -> ActionSpace:
        return self._space

    @cached_property
    def _space(self) -> ActionSpace:
        model = self.motion.model
        names = identifiers(model.layout.q_names)
        return ActionSpace(f"system '{model.name}'", names, symbol("t"), symbols("q", model.nq), model.nv, True,
                           self.mechanics.timed)  # fmt: skip

    def written_out(self) -> ActionGraphs:
        self.motion.model.check_written_out("second variations")
        raise AssertionError("a loop is not written out")

    def charted_coordinates(self, low: float, high: float) -> np.ndarray:
        return np.ones(self.motion.model.nq, dtype=bool)

    def named_coordinates(self, low: float, high: float) -> np.ndarray:
        return self.charted_coordinates(low, high)

    def terms_of(self, field: Any, carry: str) -> CarriedTerms:
        if isinstance(field, CarrierGraphs):
            known = dict(zip(self.motion.model.parameter_names, self.motion.values.tolist(), strict=True))
            field = TracedField(self.space, known, field)
        return CarriedLoop(self.mechanics, field, carry)

    def random_family(self, chosen: Sequence[RandomCarrier], rng: np.random.Generator) -> tuple[Any, np.ndarray]:
        nq, nv, F = self.motion.model.nq, self.motion.model.nv, len(chosen)
        places, tangents = (np.array([getattr(one, name)[1:] for one in chosen]) for name in ("place", "tangent"))
        ends, sizes = np.array([[one.center, one.half] for one in chosen]), np.array([one.size for one in chosen])
        reach = np.array([lengths_that_count(x) for x in np.maximum(np.abs(places), ends[:, 1:] * np.abs(tangents))])
        slopes = rng.normal(size=(F, 1 + RANK_OF_CARRIERS, nq)) / (np.sqrt(nq) * reach[:, None])
        family = RandomFields(
            ends,
            0.3 * ends[:, 1] * rng.normal(size=F),
            0.3 * ends[:, 1:] * slopes[:, 0],
            sizes * rng.normal(size=(F, nv)),
            sizes[:, :, None] * rng.normal(size=(F, nv, RANK_OF_CARRIERS)),
            slopes[:, 1:],
            places,
        )
        return family, np.arange(float(F))[:, None]

    def nodes(self, piece: np.ndarray, time: np.ndarray) -> CurveNodes:
        return self.mechanics.curve(time, self._states(piece, time))

    def constant_family(self, chosen: Sequence[tuple[float, float, np.ndarray]]) -> tuple[Any, np.ndarray]:
        nq, F = self.motion.model.nq, len(chosen)
        a = np.array([one for _, _, one in chosen])
        ends = np.array([[center, half] for center, half, _ in chosen])
        left, right, none = np.zeros((*a.shape, 1)), np.zeros((F, 1, nq)), np.zeros((F, nq))
        return RandomFields(ends, np.zeros(F), none, a, left, right, none, False), np.arange(float(F))[:, None]

    @property
    def hits(self) -> np.ndarray:
        return self.mechanics.impulses().times

    def impulses(self, low: float, high: float) -> CurveImpulses:
        return self.mechanics.impulses().between(low, high)

    def error(self, low: float, high: float) -> float:
        return sum(method_errors(self.motion, self._tails, low, high))

    def samples(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        """Centers are spread evenly over the motion, some of them at impulses."""
        edges, hits = self.edges, self.hits
        begin, end = edges[0], edges[-1]
        strata = begin + (np.arange(count) + rng.random(count)) / count * (end - begin)
        if len(hits):
            strata = np.where(rng.random(count) < AT_IMPACTS, rng.choice(hits, count), strata)
        steps = max(PANELS_OF_ACTION_WINDOW, NUMBERS_OF_A_CARRIER // (len(X) * self.mechanics.numbers))
        centers, widths = np.empty(count), np.empty(count)
        for i, center in enumerate(strata):
            k = int(np.clip(np.searchsorted(edges, center), 1, len(edges) - 1))
            widest = 0.5 * (edges[min(k + steps // 2, len(edges) - 1)] - edges[max(k - steps // 2, 0)])
            least = max(
                edges[k] - edges[k - 1], 0.5 * (end - begin) / count, NARROWEST_FIELD * max(abs(begin), abs(end))
            )
            least = min(least, widest)
            widths[i] = least * (widest / least) ** rng.random()
            centers[i] = np.clip(center, begin, end)
        states = self._states(np.clip(np.searchsorted(edges, centers, side="right") - 1, 0, len(edges) - 2), centers)
        sizes = 1.0 / np.sqrt(self.mechanics.inertias(centers, states))
        return list(zip(centers.tolist(), widths.tolist(), sizes, strict=True))

    def outward(self, count: int, rng: np.random.Generator) -> list[tuple[float, float, np.ndarray]]:
        return []

    def inward_powers(self, low: float, high: float, w: np.ndarray) -> np.ndarray:
        return np.zeros(len(w))

    def _states(self, piece: np.ndarray, time: np.ndarray) -> np.ndarray:
        chosen, inverse = np.unique(piece, return_inverse=True)
        dense = horner(self.motion.pieces.coefficients_of(chosen), time - self.edges[piece], inverse)
        return self.motion.model.on_charts(recorded_states(self.motion, time, dense))


def tree_of_loop(model: Model) -> Tree:
    """The tree of a motion of many bodies; one without energies that can be differentiated is refused."""
    if model.tree is None:
        raise MethodError(
            f"'{model.name}' is a loaded run, which has no energies to differentiate; give it its system: motion.replace(system=system)"
        )
    if not model.nv:
        raise MethodError(f"system '{model.name}' has no velocities, so that no carrier moves it")
    return model.tree
