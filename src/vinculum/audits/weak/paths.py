"""The kinetic measure and the efforts of a motion at the nodes of a quadrature, and virtual velocities that its bonds allow."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.phases import reaction_forces
from vinculum.audits.quadrature import W_GAUSS, W_KRONROD, X
from vinculum.audits.weak.fields import VirtualField, split_blocks
from vinculum.audits.weak.rest import way_of_forces
from vinculum.audits.weak.turns import missed_rates
from vinculum.compile.evaluate import evaluate_groups
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.certificates import NEAR_REST
from vinculum.tolerances.functions import ASIDE
from vinculum.tolerances.rank import DEPENDENT_ROWS
from vinculum.tolerances.samples import PANELS_OF_A_FIELD
from vinculum.tolerances.time import NO_DURATION

Corner = tuple[float, int, int]
"""An instant, and the numbers of the pieces from which its place and its velocities are seen."""


@final
@dataclass(frozen=True, eq=False)
class Path:
    """Places of a motion for one field: instants (T,), what the tape of virtual powers gives there, and the field with its rate.

    ``weights``, ``coarse``: of Kronrod's rule and of Gauss's in it, zero at places that are no nodes. ``blocks``: inertia of joints.
    ``driven`` (3, T, nv): B with the given efforts, weights, and reactions of closed unilateral constraints, apart because they may
    balance.
    ``far``: how far the field's body is from the origin, in ways on which the field changes. ``turned`` (2, T): how fast A · w and φ
    would change besides by what a step misses of the rates of coordinates (see `missed_rates`), from values ``aside`` [s] of that.
    ``closing`` (T,): ways on which loops were closed within steps, in the same measure as ``far``.
    """

    time: np.ndarray
    weights: np.ndarray
    coarse: np.ndarray
    momenta: np.ndarray
    driven: np.ndarray
    blocks: dict[str, np.ndarray]
    w: np.ndarray
    w_dot: np.ndarray
    phi: np.ndarray
    phi_dot: np.ndarray
    far: float
    turned: np.ndarray
    aside: float
    closing: np.ndarray

    def defect(self, rows: slice = slice(None)) -> np.ndarray:
        """A · ẇ + (B + Q) · w at places (T,)."""
        carried = np.einsum("tn,tn->t", self.momenta[rows], self.w_dot[rows])
        return carried + np.einsum("ktn,tn->t", self.driven[:, rows], self.w[rows])

    def sizes(self, joints) -> tuple[np.ndarray, ...]:
        """|A|* |ẇ| + |B + Q|* |w| at places (T,) by Cauchy and Schwarz in the kinetic metric of each joint; and |w|, |ẇ|, |A|* |w|."""
        total, w, w_dot, held = (np.zeros(len(self.time)) for _ in range(4))
        for own, M in ((slice(*entry.v), self.blocks[name]) for name, entry in joints):
            L = np.linalg.cholesky(M)
            A, *forces = (
                np.linalg.norm(np.linalg.solve(L, x[:, own, None])[:, :, 0], axis=1)
                for x in (self.momenta, *self.driven)
            )
            Q = sum(forces)
            fast, slow = (np.linalg.norm(np.einsum("tji,tj->ti", L, x[:, own]), axis=1) for x in (self.w_dot, self.w))
            total, w, w_dot, held = total + A * fast + Q * slow, w + slow, w_dot + fast, held + A * slow
        return total, w, w_dot, held


def path_of(motion: Record, field: VirtualField, corners: list[Corner], middles: np.ndarray | None = None) -> Path:
    """Nodes on every piece in the support of a field, then ``corners``.

    ``middles`` (S, nq): the places where the steps of pieces took the rates of coordinates, if they did so at one place.
    """
    time, piece, weights, coarse = _nodes(motion, field)
    time = np.concatenate([time, [t for t, _, _ in corners]])
    moving = np.concatenate([piece, np.array([k for _, _, k in corners], dtype=int)])
    piece = np.concatenate([piece, np.array([k for _, k, _ in corners], dtype=int)])
    weights, coarse = (np.concatenate([x, np.zeros(len(corners))]) for x in (weights, coarse))
    edges, stretch = np.asarray(motion.pieces.times), stretch_of(motion.changes, piece)
    chosen, inverse = np.unique([piece, moving], return_inverse=True)
    coefficients = np.stack([np.asarray(motion.pieces.coefficients[int(k)]) for k in chosen])
    places, speeds = (
        horner(coefficients[own], time - edges[k])
        for own, k in zip(inverse.reshape(2, -1), (piece, moving), strict=True)
    )
    dense = np.concatenate([places[:, : motion.model.nq], speeds[:, motion.model.nq :]], axis=1)
    states = motion.model.on_charts(recorded_states(motion, time, dense, stretch))

    def seen(places: np.ndarray) -> tuple[dict, dict]:
        rows = tape_rows(motion, time, places, stretch)
        found, bodies = (evaluate_groups(motion.model.tape(name), rows, again=True) for name in ("virtual", "bodies"))
        return found, bodies

    found, bodies = seen(states)
    x, x_dot = bodies[f"{field.body}/center"], bodies[f"{field.body}/center_velocity"]
    origin = x[int(np.argmin(np.abs(time - field.center)))]
    near = NEAR_REST * max(float(np.abs(x).max()), way_of_forces(motion, found, field.width))
    size = max(float(np.linalg.norm(x - origin, axis=1).max()), near) or 1.0
    w, w_dot = field.along(time, x, x_dot, origin, size)
    w, w_dot = _allowed(motion, found, w, w_dot)
    inner = slice(len(time) - len(corners))
    pressed = np.zeros_like(found["weights"])
    pressed[inner] = reaction_forces(motion, piece[inner], time[inner], states[inner])
    driven = np.stack([found["carried"] + found["efforts"], found["weights"], pressed])
    phi, phi_dot = field.presence(time, x, x_dot, origin, size)
    far = float(np.abs(x).max()) / size
    turned, aside, closing = np.zeros((2, len(time))), np.inf, np.zeros(len(time))
    if middles is not None and motion.model.layout.gaps:
        unclosed = seen(motion.model.on_charts(dense))[1][f"{field.body}/center"]
        closing = np.linalg.norm(x - unclosed, axis=1) / size
    apart = np.zeros(0) if middles is None else missed_rates(motion, time, states, middles[piece], dense)
    if np.any(apart):
        aside = ASIDE / np.abs(apart).max()
        moved = np.concatenate([states[:, : motion.model.nq] + aside * apart, states[:, motion.model.nq :]], axis=1)
        other, bodies = seen(motion.model.on_charts(recorded_states(motion, time, moved, stretch)))
        near = time, bodies[f"{field.body}/center"], x_dot, origin, size
        w_near, _ = _allowed(motion, other, *field.along(*near))
        powers = (np.einsum("tn,tn->t", *pair) for pair in ((other["momenta"], w_near), (found["momenta"], w)))
        turned = np.array([(there - here) / aside for there, here in (powers, (field.presence(*near)[0], phi))])
    return Path(time, weights, coarse, found["momenta"], driven, split_blocks(motion, found["blocks"]), w, w_dot, phi, phi_dot, far,
                turned, aside, closing)  # fmt: skip


def _nodes(motion: Record, field: VirtualField) -> tuple[np.ndarray, ...]:
    """Instants, numbers of pieces and both weights on the support, cut at the ends of pieces and into some panels."""
    edges = np.asarray(motion.pieces.times)
    low, high = max(field.center - field.width, edges[0]), min(field.center + field.width, edges[-1])
    inside = edges[(edges > low) & (edges < high)]
    cuts = np.unique(np.concatenate([[low], inside, np.linspace(low, high, PANELS_OF_A_FIELD + 1), [high]]))
    starts, h = cuts[:-1], np.diff(cuts)
    lasting = h > NO_DURATION * max(abs(low), abs(high))
    starts, h = starts[lasting], h[lasting]
    time = (starts[:, None] + h[:, None] * X).ravel()
    piece = np.clip(np.searchsorted(edges, starts + 0.5 * h, side="right") - 1, 0, len(edges) - 2)
    weights, coarse = ((h[:, None] * W).ravel() for W in (W_KRONROD, W_GAUSS))
    return time, np.repeat(piece, len(X)), weights, coarse


def _allowed(motion: Record, found: dict, w: np.ndarray, w_dot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""The part of a field that loops and constraints allow, and its rate.

    .. math:: w \mapsto \Pi w,\quad \Pi = 1 - G^+ G,\qquad \dot\Pi = -S - S^T,\quad S = G^+ \dot G\,\Pi

    Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973) 413.
    """
    kept, nv = len(motion.model.layout.gaps), motion.model.nv
    if not kept:
        return w, w_dot
    G, G_dot = (found[name].reshape(-1, kept, nv) for name in ("jacobians", "slope_rates"))
    plus = np.linalg.pinv(G, rcond=DEPENDENT_ROWS)
    Pi = np.eye(nv) - plus @ G
    S = plus @ G_dot @ Pi
    Pi_dot = -S - np.swapaxes(S, 1, 2)
    return np.einsum("tij,tj->ti", Pi, w), np.einsum("tij,tj->ti", Pi, w_dot) + np.einsum("tij,tj->ti", Pi_dot, w)
