"""`action_rate`: how the action of a motion changes when a carrier moves it, in two ways, against the forces on the motion."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.audits.action.by_type import ACTIONS
from vinculum.audits.action.fields import CarrierGraphs, checked_support, written_carrier
from vinculum.audits.action.lengths import lengths_that_count
from vinculum.audits.action.source import CURVE, MEASURE, ActionSource, ActionSpace, CurveNodes
from vinculum.audits.quadrature import W_GAUSS, W_KRONROD, X
from vinculum.errors import MethodError, ModelError, shorten
from vinculum.geometry.carriers.trace_integral import STENCIL
from vinculum.motion.frames.carried import relative_record
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.scalars import depends_on
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.functions import CARRIED, CARRIER_ENDS, SECOND_DIFFERENCE
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
    begin, end = float(source.edges[0]), float(source.edges[-1])
    ends = checked_support(f"{source.space.where}: carrier", support, begin, end)
    field = written_carrier(source.space, velocity, time, ends)
    chosen = chosen_action(source.space, carry, time is not None)
    action = CarriedAction(source, field, chosen)
    low, high = ends or (begin, end)
    _check_charts(source, field, low, high)
    if ends is None:
        action.check_ends()
    return action.rates([(low, high)], np.zeros((1, 0)))[0]


def _check_charts(source: ActionSource, field: CarrierGraphs, low: float, high: float) -> None:
    """Refuse a carrier that is a function of coordinates of a rotation where these are counted from another base."""
    space, graphs = source.space, np.array([field.time, *field.velocity, 0.0], dtype=object)
    for k in np.flatnonzero(~source.named_coordinates(low, high)):
        if depends_on(graphs, [space.q[k]]):
            raise MethodError(
                f"{space.where}: carrier: it is a function of '{space.names[k]}', and before t = {high:.6g} the motion changes its chart, "
                "so that this coordinate is counted from another base; give a support before that, or a carrier without the coordinates of "
                "this rotation: virtual velocities are the same in every chart"
            )


def action_source(motion) -> ActionSource:
    """The action of a motion, by the type of its model."""
    if not isinstance(motion, RecordedMotion):
        raise ModelError(f"an action is that of a motion; got {shorten(motion)}: give what vc.simulate returns")
    return ACTIONS.of(motion.record.model)(relative_record(motion.record))


def chosen_action(space: ActionSpace, carry: str | None, timed: bool) -> str:
    """What is carried. A measure can be carried along time only if T and U do not depend on time."""
    if carry is None:
        return CURVE if not space.is_split or (timed and space.timed) else MEASURE
    if carry not in (MEASURE, CURVE):
        raise MethodError(f"{space.where}: carry is {shorten(carry)}; give 'measure' or 'curve'")
    if carry == MEASURE and not space.is_split:
        raise MethodError(
            f"{space.where}: a Lagrangian is not split into the kinetic energy of a measure and a potential; carry the curve"
        )
    if carry == MEASURE and timed and space.timed:
        raise MethodError(
            f"{space.where}: its energies depend on time, and a carrier along time would need the forces of what drives them; use "
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

    def __init__(self, source: ActionSource, field: Any, carry: str):
        self.source, self.carry = source, carry
        self.terms = source.terms_of(field, carry)

    def check_ends(self) -> None:
        """Refuse a carrier that does not vanish at the ends of the motion."""
        edges = self.source.edges
        time = np.concatenate(
            [[edges[0], edges[-1]], np.linspace(edges[0], edges[-1], 2 * PANELS_OF_ACTION_WINDOW + 1)[1:-1]]
        )
        place = self.source.nodes(pieces_of(edges, time), time).place
        sizes = np.abs(np.concatenate(self.terms.fields(place, np.zeros((len(time), 0))), axis=1))
        if np.any(sizes[:2] > CARRIER_ENDS * sizes.max(axis=0)):
            which = "beginning" if np.any(sizes[0] > CARRIER_ENDS * sizes.max(axis=0)) else "end"
            raise ModelError(
                f"{self.source.space.where}: the carrier does not vanish at the {which} of the motion, t = "
                f"{edges[0 if which == 'beginning' else -1]:.6g}; its support must be compact inside the motion: give support=(t1, t2), or "
                "multiply it with a function of t that vanishes there"
            )

    def rates(self, supports: Sequence[tuple[float, float]], given: np.ndarray) -> list[ActionRate]:
        """The rates for carriers with these supports and values (F, k) of the symbols of their family."""
        parts = self._parts(nodes_of(self.source.edges, supports))
        count = len(supports)
        step = CARRIED * carrying_times(self._extents(parts, given, count), supports)
        found = [self._integrals(nodes, curve(), given, step) for nodes, curve in parts]
        lie, power, quadrature, size, noise, sixth, fourth = np.sum(found, axis=0)
        doubt = np.abs(sixth - fourth) + SAFETY * NEAR_ROUND_OFF * noise
        struck, struck_size = self._impulses(supports, given)
        broken, broken_size = self._breaks(supports, given)
        sizes = np.maximum(size + struck_size + broken_size, TINY)
        errors = np.array([self.source.error(*pair) for pair in supports])
        tolerances = errors + (SAFETY * np.abs(quadrature) + doubt) / sizes + self._clock_errors(supports)
        rates = zip(lie, sixth, -power - struck - broken, -struck, sizes, tolerances, strict=True)
        return [ActionRate(*map(float, one)) for one in rates]

    def _parts(self, nodes: Nodes) -> list[tuple[Nodes, Callable[[], CurveNodes]]]:
        """The nodes in parts that fit into memory, with the motion there: kept if there is one part, else evaluated when it is needed."""
        most, nodes_at = self.source.nodes_at_once, self.source.nodes
        cuts = [slice(k, k + most) for k in range(0, len(nodes.time), most)]
        parts = [Nodes(*(x[cut] for x in nodes)) for cut in cuts]
        if len(parts) > 1:
            return [(part, partial(nodes_at, part.piece, part.time)) for part in parts]
        kept = nodes_at(nodes.piece, nodes.time)
        return [(nodes, lambda: kept)]

    def _integrals(self, nodes: Nodes, curve: CurveNodes, given: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Integrals (7, F) of the rate by the Lie derivative, of the power of other forces, of what two rules of quadrature differ by, of
        sizes of terms and of the action's round-off, and the rate by transport from differences of order six and four."""
        own = given[nodes.carrier]

        def integral(x: np.ndarray, weights: np.ndarray = nodes.weights) -> np.ndarray:
            return np.bincount(nodes.carrier, weights * x, minlength=len(given))

        at = self.terms.rates(curve, own)
        whole = self._on_carried_curves(curve, own, step[nodes.carrier])
        by = [
            integral(np.sum([w * (whole[c] - whole[-c]) for c, w in stencil.items()], axis=0)) / step
            for stencil in (STENCILS[6], STENCILS[4])
        ]
        between = integral(at.lie + at.power) - integral(at.lie + at.power, nodes.coarse)
        return np.array([integral(at.lie), integral(at.power), between, integral(at.size),
                         integral(np.abs(whole[0])) / step, *by])  # fmt: skip

    def _clock_errors(self, supports: Sequence[tuple[float, float]]) -> np.ndarray:
        """Relative errors (F,) of difference quotients by round-off of carried instants, in which a narrow field changes."""
        if not self.terms.moves_time:
            return np.zeros(len(supports))
        latest = max(abs(self.source.edges[0]), abs(self.source.edges[-1]))
        return np.array([SAFETY * ROUND_OFF / CARRIED * latest / (0.5 * (high - low)) for low, high in supports])

    def fields_at(self, place: np.ndarray, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """η⁰ (K, 1) and w (K, nv) of one carrier at places (K, 1 + nq)."""
        return self.terms.fields(place, np.broadcast_to(given, (len(place), len(given))))

    def _impulses(self, supports, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """⟨R, η⟩ of the impulses in the supports, and the sizes of its terms, (F,)."""
        total, size = np.zeros(len(supports)), np.zeros(len(supports))
        for k, (low, high) in enumerate(supports):
            hits = self.source.impulses(low, high)
            if not len(hits.times):
                continue
            time, w = self.fields_at(hits.place, given[k])
            w = w - time * hits.mean if self.carry == CURVE else w
            total[k], size[k] = np.sum(hits.along * w), np.sum(np.abs(hits.along * w))
        return total, size

    def _breaks(self, supports, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the momentum p of a time-stepped path does in its breaks, [p · η] − needed · η, and the sizes of its terms, (F,). Without
        an error in the law, this is the power that distributed forces have besides their impulses in the middles of steps."""
        total, size = np.zeros(len(supports)), np.zeros(len(supports))
        for k, (low, high) in enumerate(supports):
            at = self.source.breaks(low, high)
            if at is None or not len(at.times):
                continue
            (early, before), (late, after) = (self.fields_at(place, given[k]) for place in (at.before, at.after))
            terms = [at.momenta[:, 1] * after - at.momenta[:, 0] * before]
            if self.carry == CURVE:
                terms += [at.energies[:, :1] * early - at.energies[:, 1:] * late]
                after = after - late * at.mean
            terms += [-at.needed * after]
            total[k], size[k] = (sum(float(np.sum(one)) for one in each) for each in (terms, map(np.abs, terms)))
        return total, size

    def second_difference(self, curve: CurveNodes, nodes: Nodes, support: tuple[float, float]) -> float:
        """d²/dτ² of the action at τ = 0 from its values on carried curves, for one carrier; ``nodes`` may come in several parts."""
        own, one = np.zeros((len(nodes.time), 0)), nodes._replace(carrier=np.zeros(len(nodes.time), dtype=int))
        extents = self._extents([(one, lambda: curve)], np.zeros((1, 0)), 1)
        step = float(SECOND_DIFFERENCE * carrying_times(extents, [support])[0])
        whole = self._on_carried_curves(curve, own, np.full(len(nodes.time), step))
        total = SECOND_STENCIL[0] * whole[0] + sum(SECOND_STENCIL[c] * (whole[c] + whole[-c]) for c in (1, 2, 3))
        return float(nodes.weights @ total) / step**2

    def _on_carried_curves(self, curve: CurveNodes, own: np.ndarray, step: np.ndarray) -> dict[int, np.ndarray]:
        """The integrand (T,) at τ = −3, …, 3 steps."""
        n = curve.place.shape[1]

        def rate(y: np.ndarray) -> np.ndarray:
            return self.terms.flow(y[:, :n], y[:, n:], own)

        def value(y: np.ndarray) -> np.ndarray:
            return self.terms.values(y[:, :n], y[:, n:], curve.curve)

        start = np.concatenate([curve.place, curve.tangent], axis=1)
        whole = {0: value(start)}
        for sign in (1, -1):
            y = start
            for c in (1, 2, 3):
                y = runge_kutta(rate, y, sign * step[:, None])
                whole[sign * c] = value(y)
        return whole

    def _extents(
        self, parts: Sequence[tuple[Nodes, Callable[[], CurveNodes]]], given: np.ndarray, count: int
    ) -> np.ndarray:
        """The largest coordinates, rates, displacements and their rates along the carriers, (F, 4, 1 + nq)."""
        found = np.zeros((count, 4, 1 + len(self.source.space.q)))
        for nodes, curve_of in parts:
            curve = curve_of()
            n = curve.place.shape[1]
            at = self.terms.flow(curve.place, curve.tangent, given[nodes.carrier])
            for row, x in enumerate((curve.place, curve.tangent, at[:, :n], at[:, n:])):
                for k in range(count):
                    own = np.abs(x[nodes.carrier == k]).max(axis=0, initial=0.0)
                    found[k, row] = np.maximum(found[k, row], own)
        return found


def carrying_times(extents: np.ndarray, supports: Sequence[tuple[float, float]]) -> np.ndarray:
    """Times in τ, (F,), in which the fastest component of a carrier moves or stretches a curve by its own size. ``extents``: the largest
    values (F, 4, 1 + nq) of coordinates, rates, displacements and their rates."""
    found = np.empty(len(supports))
    for k, (low, high) in enumerate(supports):
        length, speed, moved, stretched = extents[k]
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
