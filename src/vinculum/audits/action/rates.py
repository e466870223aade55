"""`action_rate`: how the action of a motion changes when a carrier moves it, in two ways, against the forces on the motion."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from vinculum.audits.action.by_type import ACTIONS
from vinculum.audits.action.fields import CarrierGraphs, checked_support, written_carrier
from vinculum.audits.action.source import CURVE, MEASURE, ActionGraphs, ActionSource, CurveNodes
from vinculum.audits.quadrature import W_GAUSS, W_KRONROD, X
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import MethodError, ModelError, shorten
from vinculum.geometry.carriers.trace_integral import STENCIL
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.scalars import Scalar, directional, gradient
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.functions import CARRIED, CARRIER_ENDS, SECOND_DIFFERENCE, STAYS
from vinculum.tolerances.round_off import NEAR_ROUND_OFF, ROUND_OFF, TINY
from vinculum.tolerances.samples import PANELS_OF_ACTION_WINDOW
from vinculum.tolerances.time import NO_DURATION

STENCILS = {6: STENCIL, 4: {1: 8.0 / 12.0, 2: -1.0 / 12.0}}
"""Central differences of order six and four. Their difference estimates the error of the first."""
SECOND_STENCIL = {0: -490.0 / 180.0, 1: 270.0 / 180.0, 2: -27.0 / 180.0, 3: 2.0 / 180.0}
"""The second central difference of order six."""


@final
@dataclass(frozen=True)
class ActionRate:
    """The rate of an action under a carrier: ``by_lie_derivative``, from the derivative of the Lagrangian along the carrier, and
    ``by_transport``, from values of the action on carried curves. Both must equal ``by_forces``: −⟨F, η⟩ of all forces that do not derive
    from the Lagrangian. ``by_impulses``: the part of it that is due to impulses.

    ``size``: the sum of the sizes of all terms. ``tolerance``: the error of method, quadrature and differences, relative to it.
    """

    by_lie_derivative: float
    by_transport: float
    by_forces: float
    by_impulses: float
    size: float
    tolerance: float

    @property
    def residual(self) -> float:
        """The larger difference of both ways from the forces, relative to ``size``."""
        return self._apart / max(self.size, TINY)

    @property
    def _apart(self) -> float:
        return max(abs(one - self.by_forces) for one in (self.by_lie_derivative, self.by_transport))

    @property
    def holds(self) -> bool:
        """Whether both rates are those of the forces, within the tolerance."""
        return self.residual <= self.tolerance


def action_rate(motion: RecordedMotion, velocity: Callable, time: Callable | None = None, support: Sequence | None = None,
                carry: str | None = None) -> ActionRate:  # fmt: skip
    r"""The rate at which the action of a motion changes when a carrier begins to move it, in two ways, and as its forces give it.

    .. math:: \Big(\frac{d}{d\tau}\Big)_{\tau=0}\Big(\tfrac12\int g : dC_\tau - \int U\,d\theta_\tau\Big) = -\langle F, \eta\rangle

    ``velocity``: a function of ``t`` and the coordinates, by their names or as ``q``, that returns virtual velocities (nv,) along the
    velocities of the system, written with `vc.math`; ``time``: one that returns η⁰, zero if left out. ``support``: an interval of time;
    both functions are multiplied with (1 − s²)⁴, s from −1 to 1 over it. Without it they must vanish at the ends of the motion.
    F: all forces besides those of U, reactions and impulses included. ``carry``: "measure", as above, or "curve", in which the action is
    that of the carried curve in its own time, ∫ L dt, and F has the component −F·v along time. Both are the same if η⁰ = 0. By
    default the measure is carried, and the curve where a Lagrangian is given or where η⁰ ≠ 0 and energies depend on time. Moreau,
    (11.3), (11.9).
    """
    source = action_source(motion)
    graphs = source.graphs
    begin, end = float(source.edges[0]), float(source.edges[-1])
    ends = checked_support(f"{graphs.where}: carrier", support, begin, end)
    field = written_carrier(graphs, velocity, time, ends)
    chosen = chosen_action(graphs, carry, time is not None)
    action = CarriedAction(source, field, chosen)
    low, high = ends or (begin, end)
    if ends is None:
        action.check_ends()
    return action.rates([(low, high)], np.zeros((1, 0)))[0]


def action_source(motion) -> ActionSource:
    """The action of a motion, by the type of its model."""
    if not isinstance(motion, RecordedMotion):
        raise ModelError(f"an action is that of a motion; got {shorten(motion)}: give what vc.simulate returns")
    return ACTIONS.of(motion.record.model)(motion.record)


def chosen_action(graphs: ActionGraphs, carry: str | None, timed: bool) -> str:
    """What is carried. A measure can be carried along time only if T and U do not depend on time."""
    if carry is None:
        return CURVE if graphs.kinetic is None or (timed and graphs.timed) else MEASURE
    if carry not in (MEASURE, CURVE):
        raise MethodError(f"{graphs.where}: carry is {shorten(carry)}; give 'measure' or 'curve'")
    if carry == MEASURE and graphs.kinetic is None:
        raise MethodError(
            f"{graphs.where}: a Lagrangian is not split into the kinetic energy of a measure and a potential; carry the curve"
        )
    if carry == MEASURE and timed and graphs.timed:
        raise MethodError(
            f"{graphs.where}: its energies depend on time, and a carrier along time would need the forces of what drives them; use "
            "carry='curve', or leave time out"
        )
    return carry


class Nodes(NamedTuple):
    """Nodes of the supports of some carriers: instants, numbers of steps, weights of two rules, and the number of their carrier, (T,)."""

    time: np.ndarray
    piece: np.ndarray
    weights: np.ndarray
    coarse: np.ndarray
    carrier: np.ndarray


@final
class CarriedAction:
    """The action of one motion under carriers of one family."""

    def __init__(self, source: ActionSource, field: CarrierGraphs, carry: str):
        self.source, self.field, self.carry = source, field, carry
        self.graphs = source.graphs

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

    def check_ends(self) -> None:
        """Refuse a carrier that does not vanish at the ends of the motion."""
        edges = self.source.edges
        time = np.concatenate(
            [[edges[0], edges[-1]], np.linspace(edges[0], edges[-1], 2 * PANELS_OF_ACTION_WINDOW + 1)[1:-1]]
        )
        at = self._at(self._fields, self.source.nodes(pieces_of(edges, time), time).place, np.zeros((len(time), 0)))
        sizes = np.abs(np.concatenate([at["time"], at["w"]], axis=1))
        if np.any(sizes[:2] > CARRIER_ENDS * sizes.max(axis=0)):
            which = "beginning" if np.any(sizes[0] > CARRIER_ENDS * sizes.max(axis=0)) else "end"
            raise ModelError(
                f"{self.graphs.where}: the carrier does not vanish at the {which} of the motion, t = "
                f"{edges[0 if which == 'beginning' else -1]:.6g}; its support must be compact inside the motion: give support=(t1, t2), or "
                "multiply it with a function of t that vanishes there"
            )

    def rates(self, supports: Sequence[tuple[float, float]], given: np.ndarray) -> list[ActionRate]:
        """The rates for carriers with these supports and values (F, k) of the symbols of their family."""
        nodes = nodes_of(self.source.edges, supports)
        curve = self.source.nodes(nodes.piece, nodes.time)
        own = given[nodes.carrier]
        count = len(supports)

        def integral(x: np.ndarray, weights: np.ndarray = nodes.weights) -> np.ndarray:
            return np.bincount(nodes.carrier, weights * x, minlength=count)

        at = self._at(self._rates, curve.place, curve.tangent, curve.curve, own)
        lie, power, size = at["rate"][:, 0], at["power"][:, 0], at["size"].sum(axis=1)
        quadrature = np.abs(integral(lie + power) - integral(lie + power, nodes.coarse))
        transported, doubt = self._by_transport(curve, own, nodes, integral, supports)
        struck, struck_size = self._impulses(supports, given)
        sizes = np.maximum(integral(size) + struck_size, TINY)
        errors = np.array([self.source.error(*pair) for pair in supports])
        tolerances = errors + (SAFETY * quadrature + doubt) / sizes + self._clock_errors(supports)
        found = zip(integral(lie), transported, -integral(power) - struck, -struck, sizes, tolerances, strict=True)
        return [ActionRate(*map(float, one)) for one in found]

    def _clock_errors(self, supports: Sequence[tuple[float, float]]) -> np.ndarray:
        """Relative errors (F,) of difference quotients by round-off of carried instants, in which a narrow field changes."""
        if not isinstance(self.field.time, Scalar):
            return np.zeros(len(supports))
        latest = max(abs(self.source.edges[0]), abs(self.source.edges[-1]))
        return np.array([SAFETY * ROUND_OFF / CARRIED * latest / (0.5 * (high - low)) for low, high in supports])

    def fields_at_impulses(self, given: np.ndarray) -> np.ndarray:
        """w (K, nv) of one carrier at all impulses."""
        place = self.source.impulses().place
        return self._at(self._fields, place, np.broadcast_to(given, (len(place), len(given))))["w"]

    def _impulses(self, supports, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """⟨R, η⟩ of the impulses in the supports, and the sizes of its terms, (F,)."""
        hits = self.source.impulses()
        total, size = np.zeros(len(supports)), np.zeros(len(supports))
        for k, (low, high) in enumerate(supports):
            own = np.flatnonzero((hits.times > low) & (hits.times < high))
            if not len(own):
                continue
            at = self._at(self._fields, hits.place[own], np.broadcast_to(given[k], (len(own), given.shape[1])))
            w = at["w"] - at["time"] * hits.mean[own] if self.carry == CURVE else at["w"]
            total[k], size[k] = np.sum(hits.along[own] * w), np.sum(np.abs(hits.along[own] * w))
        return total, size

    def _by_transport(
        self, curve: CurveNodes, own: np.ndarray, nodes: Nodes, integral: Callable, supports: Sequence
    ) -> tuple[np.ndarray, np.ndarray]:
        """The rate from values of the action on carried curves, (F,), and its error by differences and round-off."""
        step = CARRIED * self._carrying_times(curve, own, nodes, supports)
        whole = self._on_carried_curves(curve, own, step[nodes.carrier])
        by = {
            order: integral(sum(w * (whole[c] - whole[-c]) for c, w in stencil.items())) / step
            for order, stencil in STENCILS.items()
        }
        noise = NEAR_ROUND_OFF * integral(np.abs(whole[0])) / step
        return by[6], np.abs(by[6] - by[4]) + SAFETY * noise

    def second_difference(self, curve: CurveNodes, nodes: Nodes, support: tuple[float, float]) -> float:
        """d²/dτ² of the action at τ = 0 from its values on carried curves, for one carrier; ``nodes`` may come in several parts."""
        own, one = np.zeros((len(nodes.time), 0)), nodes._replace(carrier=np.zeros(len(nodes.time), dtype=int))
        step = float(SECOND_DIFFERENCE * self._carrying_times(curve, own, one, [support])[0])
        whole = self._on_carried_curves(curve, own, np.full(len(nodes.time), step))
        total = SECOND_STENCIL[0] * whole[0] + sum(SECOND_STENCIL[c] * (whole[c] + whole[-c]) for c in (1, 2, 3))
        return float(nodes.weights @ total) / step**2

    def _on_carried_curves(self, curve: CurveNodes, own: np.ndarray, step: np.ndarray) -> dict[int, np.ndarray]:
        """The integrand (T,) at τ = −3, …, 3 steps."""
        n = curve.place.shape[1]

        def rate(y: np.ndarray) -> np.ndarray:
            at = self._at(self._flow, y[:, :n], y[:, n:], own)
            return np.concatenate([at["eta"], at["eta_dot"]], axis=1)

        def value(y: np.ndarray) -> np.ndarray:
            return self._at(self._values, y[:, :n], y[:, n:], curve.curve)["action"][:, 0]

        start = np.concatenate([curve.place, curve.tangent], axis=1)
        whole = {0: value(start)}
        for sign in (1, -1):
            y = start
            for c in (1, 2, 3):
                y = runge_kutta(rate, y, sign * step[:, None])
                whole[sign * c] = value(y)
        return whole

    def _carrying_times(self, curve: CurveNodes, own: np.ndarray, nodes: Nodes, supports) -> np.ndarray:
        """Times in τ, (F,), in which the fastest component of a carrier moves or stretches a curve by its own size."""
        at = self._at(self._flow, curve.place, curve.tangent, own)
        found = np.empty(len(supports))
        for k, (low, high) in enumerate(supports):
            rows = nodes.carrier == k
            length, speed, moved, stretched = (
                np.abs(x[rows]).max(axis=0, initial=0.0) for x in (curve.place, curve.tangent, at["eta"], at["eta_dot"])
            )
            length = np.maximum(length, speed * (high - low))
            length[0] = high - low
            length[1:] = lengths_that_count(length[1:])
            fastest = float(np.maximum(moved / length, stretched * (high - low) / length).max())
            found[k] = 1.0 / fastest if fastest > 0.0 else 1.0
        return found


def runge_kutta(rate: Callable[[np.ndarray], np.ndarray], y: np.ndarray, h: np.ndarray) -> np.ndarray:
    """One step of the classical method of order four; ``h`` (T, 1): a step for each row."""
    a = rate(y)
    b = rate(y + 0.5 * h * a)
    c = rate(y + 0.5 * h * b)
    d = rate(y + h * c)
    return y + h / 6.0 * (a + 2.0 * (b + c) + d)


def lengths_that_count(lengths: np.ndarray) -> np.ndarray:
    """Lengths (n,) of coordinates; those that stay get the longest, or one if all do."""
    longest = float(lengths.max(initial=0.0)) or 1.0
    return np.where(lengths > STAYS * longest, lengths, longest)


def pieces_of(edges: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Numbers of the steps in which instants lie."""
    return np.clip(np.searchsorted(edges, time, side="right") - 1, 0, len(edges) - 2)


def nodes_of(edges: np.ndarray, supports: Sequence[tuple[float, float]]) -> Nodes:
    """Gauss–Kronrod nodes on every step in the supports, which are also cut into some panels."""
    parts = []
    for k, (low, high) in enumerate(supports):
        inside = edges[(edges > low) & (edges < high)]
        cuts = np.unique(np.concatenate([np.linspace(low, high, PANELS_OF_ACTION_WINDOW + 1), inside]))
        h = np.diff(cuts)
        lasting = h > NO_DURATION * max(abs(low), abs(high))
        starts, h = cuts[:-1][lasting], h[lasting]
        piece = np.repeat(pieces_of(edges, starts + 0.5 * h), len(X))
        time = (starts[:, None] + h[:, None] * X).ravel()
        parts.append((time, piece, np.outer(h, W_KRONROD).ravel(), np.outer(h, W_GAUSS).ravel(), np.full(len(time), k)))
    return Nodes(*(np.concatenate(column) for column in zip(*parts, strict=True)))
