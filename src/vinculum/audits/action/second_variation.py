"""`second_variation`: the second variation of the action of a motion between fixed ends."""

from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np

from vinculum.audits.action.fields import CarrierGraphs, checked_support
from vinculum.audits.action.rates import CarriedAction, action_source, nodes_of
from vinculum.audits.action.source import CURVE, ActionSource
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.trace import trace
from vinculum.errors import MethodError, shorten
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.scalars import Scalar, directional, gradient, jacobian, symbols
from vinculum.scalars.math import sin
from vinculum.tolerances.round_off import TINY
from vinculum.tolerances.sizes import MOST_MODES


@final
@dataclass(frozen=True, eq=False)
class SecondVariation:
    """The second variation of an action as a quadratic form on sines between fixed ends.

    ``matrix``, ``norm`` (m, m): δ²S and ∫ L_vv w w dt on the functions e_i sin(kπs), first all of k = 1. ``eigenvalues`` (m,)
    [1/s²]: of the first relative to the second, ascending. ``legendre``: the least eigenvalue of L_vv along the motion, relative to the
    largest: its sign is that of δ²S on variations that oscillate rapidly. ``by_transport``, ``by_hessian``: δ²S on one random
    combination, from values of the action on carried curves and from the matrix.
    """

    matrix: np.ndarray
    norm: np.ndarray
    eigenvalues: np.ndarray
    legendre: float
    by_transport: float
    by_hessian: float

    def __repr__(self):
        return f"SecondVariation({len(self.eigenvalues)} modes, index {self.index}, least eigenvalue {self.eigenvalues[0]:.6g})"

    @property
    def index(self) -> int:
        """How many independent variations make the action smaller: the number of conjugate points between the ends, if modes suffice."""
        return int(np.sum(self.eigenvalues < 0.0))

    @property
    def is_minimum(self) -> bool:
        """Whether the action is larger on all these variations than on the motion."""
        return bool(self.eigenvalues[0] > 0.0)


def second_variation(motion: RecordedMotion, begin: float | None = None, until: float | None = None,
                     modes: int = 8) -> SecondVariation:  # fmt: skip
    r"""The second variation of the action of a motion of a `System` or a `LagrangianSystem` between two instants, with fixed ends.

    .. math:: \delta^2 S = \int \big(L_{vv}\,\dot w\,\dot w + 2 L_{vq}\,\dot w\,w + L_{qq}\,w\,w\big)\,dt

    The motion is carried along virtual velocities w(t), combinations of sines with ``modes`` half waves at most. For a short
    interval δ²S > 0, as L_vv is positive: the kinetic measure C ≥ 0 gives the action its sign, and no other functional of the kind can be
    minimized. Over longer intervals it counts conjugate points. Motions with impacts in the interval, and systems with forces
    that no Lagrangian has, or with constraints, are refused. Moreau, Remark 2.2 and end of section 11.
    """
    source = action_source(motion)
    first, last = float(source.edges[0]), float(source.edges[-1])
    graphs = source.written_out()
    where = f"{graphs.where}: second variation"
    low, high = checked_support(
        where, (first if begin is None else begin, last if until is None else until), first, last
    ) or (first, last)
    if isinstance(modes, bool) or not isinstance(modes, (int, np.integer)) or not 1 <= modes <= MOST_MODES:
        raise MethodError(f"{where}: modes is {shorten(modes)}; give a whole number from 1 to {MOST_MODES}")
    _check(source, where, low, high)
    nodes = nodes_of(source.edges, _panels(low, high, int(modes)))
    curve = source.nodes(nodes.piece, nodes.time)
    H, M = _hessians(source, curve)
    nv = graphs.nv
    phase = np.pi * np.arange(1, modes + 1) / (high - low) * (nodes.time[:, None] - low)
    waves, slopes = np.sin(phase), np.pi * np.arange(1, modes + 1) / (high - low) * np.cos(phase)
    parts = {(0, 0): (waves, waves), (0, 1): (waves, slopes), (1, 0): (slopes, waves), (1, 1): (slopes, slopes)}
    matrix, norm = np.zeros((modes, nv, modes, nv)), np.einsum("t,tk,tl,tij->kilj", nodes.weights, waves, waves, M)
    for (a, b), (left, right) in parts.items():
        block = H[:, a * nv : (a + 1) * nv, b * nv : (b + 1) * nv]
        matrix += np.einsum("t,tk,tl,tij->kilj", nodes.weights, left, right, block, optimize=True)
    m = modes * nv
    matrix, norm = (0.5 * (x.reshape(m, m) + x.reshape(m, m).T) for x in (matrix, norm))
    values = np.linalg.eigvalsh(M)
    legendre = float(values[:, 0].min() / max(float(np.abs(values).max()), TINY))
    eigenvalues = _relative_eigenvalues(where, matrix, norm)
    chosen = np.random.default_rng(0).normal(size=m) / np.sqrt(np.diag(norm)) / np.repeat(np.arange(1, modes + 1), nv)
    carried = _by_transport(source, chosen.reshape(modes, nv), low, high)
    return SecondVariation(matrix, norm, eigenvalues, legendre, carried, float(chosen @ matrix @ chosen))


def _panels(low: float, high: float, modes: int) -> list[tuple[float, float]]:
    """Parts of an interval, so that a few waves fall on each."""
    cuts = np.linspace(low, high, 1 + (modes + 3) // 4)
    return [(float(a), float(b)) for a, b in pairwise(cuts)]


def _check(source: ActionSource, where: str, low: float, high: float) -> None:
    graphs = source.written_out()
    if source.is_constrained:
        raise MethodError(
            f"{where}: it has constraints, and virtual velocities that satisfy them depend on more than the time; use coordinates that "
            "satisfy the constraints"
        )
    if any(isinstance(x, Scalar) or x != 0.0 for x in graphs.others):
        raise MethodError(
            f"{where}: forces act that do not derive from its Lagrangian, as of dampers, so its action is not stationary; leave them out"
        )
    hits = source.hits
    inside = hits[(hits > low) & (hits < high)]
    if len(inside):
        raise MethodError(
            f"{where}: an impact is at t = {inside[0]:.6g}, within {low:g} to {high:g}; take an interval between impacts"
        )


def _hessians(source: ActionSource, curve) -> tuple[np.ndarray, np.ndarray]:
    """Second derivatives (T, 2 nv, 2 nv) of L by (w, ẇ) along the flow of N w, and L_vv (T, nv, nv)."""
    own = source.written_out()
    nv = own.nv
    w, w_dot = symbols("w", nv), symbols("w_dot", nv)
    moved = own.directions @ w
    turned = np.asarray(directional(moved, own.q, own.u), dtype=object) + own.directions @ w_dot
    state, along = np.concatenate([own.q, own.u]), np.concatenate([np.asarray(moved, dtype=object), turned])
    once = directional(np.array([own.lagrangian], dtype=object), state, along)
    twice = directional(once, state, along)[0]
    z = np.concatenate([w, w_dot])
    H = 0.5 * jacobian(gradient(twice, z), z)
    p = np.asarray(gradient(own.lagrangian, own.u), dtype=object)
    M = own.directions.T @ jacobian(p, own.u) @ own.directions
    tape = trace(
        {"place": own.place, "u": own.u, "curve": own.curve}, {"H": H, "M": M}, dict(sorted(own.parameters.items()))
    )
    values = [own.parameters[name] for name, _ in tape.parameters]
    known = np.broadcast_to(values, (len(curve.place), len(values)))
    rows = np.concatenate([curve.place, curve.tangent[:, 1:], curve.curve, known], axis=1)
    found = evaluate_groups(tape, rows)
    return found["H"].reshape(-1, 2 * nv, 2 * nv), found["M"].reshape(-1, nv, nv)


def _relative_eigenvalues(where: str, matrix: np.ndarray, norm: np.ndarray) -> np.ndarray:
    from scipy.linalg import LinAlgError, eigh

    try:
        return eigh(matrix, norm, eigvals_only=True)
    except LinAlgError as error:
        raise MethodError(
            f"{where}: ∂²L/∂v∂v is not positive definite along the motion, so variations have no norm; check the Lagrangian"
        ) from error


def _by_transport(source: ActionSource, chosen: np.ndarray, low: float, high: float) -> float:
    """δ²S on one combination (modes, nv) of sines, by second differences of the action on carried curves."""
    own = source.written_out()
    k = np.arange(1, len(chosen) + 1)
    waves = sin(np.pi * k / (high - low) * (own.t - low))
    field = CarrierGraphs(0.0, np.asarray(waves @ chosen, dtype=object), np.zeros(0, dtype=object))
    action = CarriedAction(source, field, CURVE)
    nodes = nodes_of(source.edges, _panels(low, high, len(chosen)))
    return action.second_difference(source.nodes(nodes.piece, nodes.time), nodes, (low, high))
