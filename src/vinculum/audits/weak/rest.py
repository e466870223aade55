"""Motions at rest: scales of quantities that vanish with the velocities or displacements."""

import numpy as np

from vinculum.audits.weak.fields import split_blocks
from vinculum.compile.evaluate import evaluate, evaluate_groups
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import AT_REST
from vinculum.tolerances.samples import INSTANTS_OF_REST


def sizing_states(motion: Record, states: np.ndarray) -> np.ndarray:
    """States (B, n) that give terms a scale: the same states, or with unit velocities if all velocities are round-off."""
    nq = motion.model.nq
    if np.abs(states[:, nq:]).max(initial=0.0) > AT_REST or not np.any(states[:, nq:]):
        return states
    return np.concatenate([states[:, :nq], np.ones_like(states[:, nq:])], axis=1)


def forward(L: np.ndarray, B: np.ndarray) -> np.ndarray:
    """L⁻¹ B for lower triangular L (T, k, k) and B (T, k, r)."""
    # rows of many states are faster than many small matrices
    L, B = (np.ascontiguousarray(np.moveaxis(x, 0, 2)) for x in (L, B))
    X = np.empty_like(B)
    for i in range(len(L)):
        X[i] = (B[i] - np.einsum("jt,jrt->rt", L[i, :i], X[:i])) / L[i, i]
    return np.moveaxis(X, 2, 0)


def accelerations_of_forces(motion: Record, roots: dict[str, np.ndarray], virtual: dict[str, np.ndarray]) -> np.ndarray:
    """The largest acceleration by weights or efforts at states, (T,). ``virtual``: rows of that tape, ``roots``: Cholesky factors of its
    blocks, by the names of joints."""
    joints, forces = motion.model.layout.joints, np.stack([virtual["weights"], virtual["efforts"]], axis=2)
    largest = np.zeros(len(forces))
    for name, L in roots.items():
        upper = np.swapaxes(L, 1, 2)[:, ::-1, ::-1]
        a = forward(upper, forward(L, forces[:, slice(*joints[name].v)])[:, ::-1])
        largest = np.maximum(largest, np.abs(a).max(axis=(1, 2), initial=0.0))
    return largest


def displacement_in_a_step(motion: Record) -> float:
    """Displacement [m] that single forces would produce in the longest step; zero if they are not known."""
    if not motion.model.layout.virtual or motion.model.nv == 0:
        return 0.0
    edges = np.asarray(motion.pieces.times)
    lengths = np.diff(edges)
    instant = edges[[int(np.argmax(lengths))]]
    rows = tape_rows(motion, instant, states_at(motion, instant))
    virtual = evaluate_groups(motion.model.tape("virtual"), rows)
    roots = {name: np.linalg.cholesky(M) for name, M in split_blocks(motion, virtual["blocks"]).items()}
    return float(accelerations_of_forces(motion, roots, virtual).max(initial=0.0)) * float(lengths.max()) ** 2


def resting_speed(motion: Record) -> float:
    """The velocity that weights and forces would produce in a step if unilateral constraints did not balance them. The round-off of this
    balance acts in all directions alike."""
    if not any(phase.closed for phase in motion.phases):
        return 0.0
    edges = np.asarray(motion.pieces.times)
    instants = edges[np.unique(np.linspace(0, len(edges) - 1, INSTANTS_OF_REST).astype(int))]
    rates = evaluate(motion.model.tape("motion"), tape_rows(motion, instants, motion.pieces.state(instants)))
    largest = float(np.abs(rates[:, motion.model.nq :]).max(initial=0.0))
    return largest * (edges[-1] - edges[0]) / max(len(motion.pieces), 1)
