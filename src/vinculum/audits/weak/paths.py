"""The kinetic measure and the efforts of a motion at the nodes of a quadrature, and virtual velocities that its bonds allow."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np

from vinculum.audits.phases import reaction_forces
from vinculum.audits.quadrature import W_GAUSS, W_KRONROD, X
from vinculum.audits.weak.fields import VirtualField, split_blocks
from vinculum.audits.weak.rest import accelerations_of_forces, forward
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
from vinculum.tolerances.sizes import NUMBERS_OF_FIELDS
from vinculum.tolerances.time import NO_DURATION

Corner = tuple[float, int, int]
"""An instant, and the numbers of the pieces that give its position and its velocities."""


@final
@dataclass(frozen=True, eq=False)
class Path:
    """A motion at the nodes of one field: instants (T,), the outputs of the tape of virtual powers there, and the field with its rate.

    ``weights``, ``coarse``: of the Kronrod rule and of the Gauss rule in it, zero at instants that are no nodes. ``roots``: Cholesky
    factors of the inertia of joints, and ``lengths`` (T, 4) of A and of the rows of ``driven`` in it.
    ``driven`` (3, T, nv): B with the given efforts, weights, and reactions of closed unilateral constraints, separate because they may
    balance.
    ``far``: distance of the field's body from the origin, in lengths over which the field changes. ``turned`` (2, T): additional rates of
    A · w and φ by the error of a step in the rates of coordinates (see `missed_rates`), from differences over ``aside`` [s].
    ``closing`` (2, T): displacements that close loops within steps, in the same measure as ``far``, and what closing changes velocities by.
    """

    time: np.ndarray
    weights: np.ndarray
    coarse: np.ndarray
    momenta: np.ndarray
    driven: np.ndarray
    roots: dict[str, np.ndarray]
    lengths: dict[str, np.ndarray]
    w: np.ndarray
    w_dot: np.ndarray
    phi: np.ndarray
    phi_dot: np.ndarray
    far: float
    turned: np.ndarray
    aside: float
    closing: np.ndarray

    def defect(self, rows: slice = slice(None)) -> np.ndarray:
        """A · ẇ + (B + Q) · w at nodes (T,)."""
        carried = np.einsum("tn,tn->t", self.momenta[rows], self.w_dot[rows])
        return carried + np.einsum("ktn,tn->t", self.driven[:, rows], self.w[rows])

    def sizes(self, joints) -> tuple[np.ndarray, ...]:
        """|A|* |ẇ| + |B + Q|* |w| at nodes (T,) by Cauchy and Schwarz in the kinetic metric of each joint; and |w|, |ẇ|, |A|* |w|."""
        total, w, w_dot, held = (np.zeros(len(self.time)) for _ in range(4))
        for own, L, (A, *forces) in (
            (slice(*entry.v), self.roots[name], self.lengths[name].T) for name, entry in joints
        ):
            Q = sum(forces)
            fast, slow = (np.linalg.norm(np.einsum("tji,tj->ti", L, x[:, own]), axis=1) for x in (self.w_dot, self.w))
            total, w, w_dot, held = total + A * fast + Q * slow, w + slow, w_dot + fast, held + A * slow
        return total, w, w_dot, held


@final
@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes of a field: instants, the pieces that give positions and velocities, and both weights, each (T,).

    The last ``corners`` of them are no nodes of the quadrature.
    """

    time: np.ndarray
    piece: np.ndarray
    moving: np.ndarray
    weights: np.ndarray
    coarse: np.ndarray
    corners: int


def paths_of(
    motion: Record, fields: Sequence[VirtualField], corners: Sequence[list[Corner]], middles: np.ndarray | None = None
) -> Iterator[Path]:
    """The path of each field: nodes on every piece in its support, then its ``corners``. The tapes are evaluated for many fields at once.

    ``middles`` (S, nq): the positions at which the steps of pieces took the rates of coordinates, if they used one position.
    """
    outputs = sum(motion.model.tape(name).n_out for name in ("virtual", "bodies"))
    most = max(1, NUMBERS_OF_FIELDS // (int(np.prod(motion.pieces.coefficients.shape[1:])) + outputs))
    first, every = 0, [_nodes(motion, field, own) for field, own in zip(fields, corners, strict=True)]
    while first < len(every):
        ends = np.cumsum([len(one.time) for one in every[first:]])
        last = first + max(1, int(np.searchsorted(ends, most, side="right")))
        yield from _paths(motion, fields[first:last], every[first:last], middles)
        first = last


def _paths(
    motion: Record, fields: Sequence[VirtualField], every: Sequence[Nodes], middles: np.ndarray | None
) -> Iterator[Path]:
    """The paths of some fields, evaluated together."""
    nq = motion.model.nq
    time, piece, moving = (np.concatenate([getattr(one, x) for one in every]) for x in ("time", "piece", "moving"))
    ends = np.cumsum([0, *(len(one.time) for one in every)])
    each = [slice(a, b) for a, b in pairwise(ends)]
    edges, stretch = np.asarray(motion.pieces.times), stretch_of(motion.changes, piece)
    chosen, inverse = np.unique([piece, moving], return_inverse=True)
    coefficients = motion.pieces.coefficients_of(chosen)
    own, other = inverse.reshape(2, -1)
    dense = horner(coefficients, time - edges[piece], own)
    apart = np.flatnonzero(piece != moving)
    dense[apart, nq:] = horner(coefficients, (time - edges[moving])[apart], other[apart])[:, nq:]
    states = motion.model.on_charts(recorded_states(motion, time, dense, stretch))

    def observe(places: np.ndarray) -> tuple[dict, dict]:
        rows = tape_rows(motion, time, places, stretch)
        found, bodies = (evaluate_groups(motion.model.tape(name), rows, again=True) for name in ("virtual", "bodies"))
        return found, bodies

    found, bodies = observe(states)
    blocks = split_blocks(motion, found["blocks"])
    roots = {name: np.linalg.cholesky(M) for name, M in blocks.items()}
    accelerations = accelerations_of_forces(motion, roots, found)
    inner = np.concatenate([np.arange(len(one.time)) < len(one.time) - one.corners for one in every])
    pressed = np.zeros_like(found["weights"])
    pressed[inner] = reaction_forces(motion, piece[inner], time[inner], states[inner])
    driven = np.stack([found["carried"] + found["efforts"], found["weights"], pressed])
    covectors, joints = np.stack([found["momenta"], *driven], axis=2), motion.model.layout.joints
    lengths = {
        name: np.linalg.norm(forward(L, covectors[:, slice(*joints[name].v)]), axis=1) for name, L in roots.items()
    }
    project = _projection(motion, found)
    unclosed, missed, beside = bodies, np.zeros(0), (found, bodies, project)
    if middles is not None and motion.model.layout.gaps:
        unclosed = observe(motion.model.on_charts(dense))[1]
    if middles is not None:
        missed = missed_rates(motion, time, states, middles[piece], dense)
    asides = np.array(
        [ASIDE / largest if (largest := np.abs(missed[own]).max(initial=0.0)) else np.inf for own in each]
    )
    if np.any(missed):
        far = np.repeat(np.where(np.isfinite(asides), asides, 0.0), np.diff(ends))
        moved = np.concatenate([states[:, :nq] + far[:, None] * missed, states[:, nq:]], axis=1)
        turned_to = observe(motion.model.on_charts(recorded_states(motion, time, moved, stretch)))
        beside = (*turned_to, _projection(motion, turned_to[0]))

    for field, nodes, own, aside in zip(fields, every, each, asides.tolist(), strict=True):
        x, x_dot = bodies[f"{field.body}/center"][own], bodies[f"{field.body}/center_velocity"][own]
        origin = x[int(np.argmin(np.abs(nodes.time - field.center)))]
        near = NEAR_REST * max(float(np.abs(x).max()), float(accelerations[own].max(initial=0.0)) * field.width**2)
        size = max(float(np.linalg.norm(x - origin, axis=1).max()), near) or 1.0
        w, w_dot = project(own, *field.along(nodes.time, x, x_dot, origin, size))
        phi, phi_dot = field.presence(nodes.time, x, x_dot, origin, size)
        momenta, turned = found["momenta"][own], np.zeros((2, len(nodes.time)))
        dense_x, dense_v = (unclosed[f"{field.body}/{what}"][own] for what in ("center", "center_velocity"))
        closing = np.linalg.norm(np.stack([x - dense_x, x_dot - dense_v]), axis=2) / size
        if np.isfinite(aside):
            there = nodes.time, beside[1][f"{field.body}/center"][own], x_dot, origin, size
            w_there, _ = beside[2](own, *field.along(*there))
            powers = (np.einsum("tn,tn->t", *pair) for pair in ((beside[0]["momenta"][own], w_there), (momenta, w)))
            turned = np.array([(to - at) / aside for to, at in (powers, (field.presence(*there)[0], phi))])
        own_roots, own_lengths = ({name: x[own] for name, x in of_joints.items()} for of_joints in (roots, lengths))
        yield Path(nodes.time, nodes.weights, nodes.coarse, momenta, driven[:, own], own_roots, own_lengths, w, w_dot,
                   phi, phi_dot, float(np.abs(x).max()) / size, turned, aside, closing)  # fmt: skip


def _nodes(motion: Record, field: VirtualField, corners: list[Corner]) -> Nodes:
    """Nodes on the support, cut at the ends of pieces and into some panels, then the corners."""
    edges = np.asarray(motion.pieces.times)
    low, high = max(field.center - field.width, edges[0]), min(field.center + field.width, edges[-1])
    inside = edges[(edges > low) & (edges < high)]
    cuts = np.unique(np.concatenate([[low], inside, np.linspace(low, high, PANELS_OF_A_FIELD + 1), [high]]))
    starts, h = cuts[:-1], np.diff(cuts)
    lasting = h > NO_DURATION * max(abs(low), abs(high))
    starts, h = starts[lasting], h[lasting]
    time = (starts[:, None] + h[:, None] * X).ravel()
    piece = np.clip(np.searchsorted(edges, starts + 0.5 * h, side="right") - 1, 0, len(edges) - 2)
    piece, none = np.repeat(piece, len(X)), np.zeros(len(corners))
    time = np.concatenate([time, [t for t, _, _ in corners]])
    seen_from, moving = (np.concatenate([piece, np.array([c[i] for c in corners], dtype=int)]) for i in (1, 2))
    weights, coarse = (np.concatenate([(h[:, None] * W).ravel(), none]) for W in (W_KRONROD, W_GAUSS))
    return Nodes(time, seen_from, moving, weights, coarse, len(corners))


def _projection(
    motion: Record, found: dict
) -> Callable[[slice, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    r"""A function that returns the part of a field, in some rows, that loops and constraints allow, and its rate.

    .. math:: w \mapsto \Pi w,\quad \Pi = 1 - G^+ G,\qquad \dot\Pi = -S - S^T,\quad S = G^+ \dot G\,\Pi

    Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973) 413.
    """
    kept, nv = len(motion.model.layout.gaps), motion.model.nv
    if not kept:
        return lambda own, w, w_dot: (w, w_dot)
    G, G_dot = (found[name].reshape(-1, kept, nv) for name in ("jacobians", "slope_rates"))
    plus = np.linalg.pinv(G, rcond=DEPENDENT_ROWS)
    Pi = np.eye(nv) - plus @ G
    S = plus @ G_dot @ Pi
    Pi_dot = -S - np.swapaxes(S, 1, 2)

    def project(own: slice, w: np.ndarray, w_dot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        allowed = np.einsum("tij,tj->ti", Pi[own], w)
        return allowed, np.einsum("tij,tj->ti", Pi[own], w_dot) + np.einsum("tij,tj->ti", Pi_dot[own], w)

    return project
