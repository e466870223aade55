"""Test fields along a motion: a bump in time, times smooth functions of a body's position, on the velocities of few
joints.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.impacts.seen_impacts import TIME_STEPPING, Impacts
from vinculum.compile.evaluate import evaluate_groups
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_rows
from vinculum.tolerances.certificates import JUMP_SEEN
from vinculum.tolerances.samples import AT_IMPACTS, JOINTS_OF_A_FIELD, WIDEST_FIELD
from vinculum.tolerances.time import NARROWEST_FIELD


@final
@dataclass(frozen=True, eq=False)
class VirtualField:
    r"""A virtual velocity w(t, x) = B(s) (a + K (x − x₀)/ℓ), s = (t − c)/d, with x the mass center of a body.

    .. math:: B(s) = (1 - s^2)^4 \text{ for } |s| < 1

    It is three times differentiable, which is more than the weak form needs, and a polynomial, so that the Gauss rule integrates it.
    ``a``: (nv,), ``K``: (nv, 3), both zero but for few joints; ``tilt`` κ: (3,). Moreau, An expression of classical dynamics, section 8.
    """

    center: float
    width: float
    joints: tuple[str, ...]
    body: str
    a: np.ndarray
    K: np.ndarray
    tilt: np.ndarray

    def bump(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """B and its rate at instants."""
        s = (t - self.center) / self.width
        inside = np.maximum(1.0 - s * s, 0.0)
        return inside**4, -8.0 * s * inside**3 / self.width

    def presence(
        self, t, x: np.ndarray, x_dot: np.ndarray, origin: np.ndarray, size: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """A test function φ = B (1 + κ · (x − x₀)/ℓ) and its rate (T,), for the mass input."""
        B, B_dot = self.bump(t)
        form = 1.0 + (x - origin) / size @ self.tilt
        return B * form, B_dot * form + B * (x_dot / size @ self.tilt)

    def along(
        self, t, x: np.ndarray, x_dot: np.ndarray, origin: np.ndarray, size: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """w and its rate (T, nv) where the mass center is at x (T, 3) and moves with ẋ."""
        B, B_dot = (part[:, None] for part in self.bump(t))
        form = self.a + (x - origin) / size @ self.K.T
        return B * form, B_dot * form + B * (x_dot / size @ self.K.T)


def random_fields(motion: Record, found: Impacts | None, count: int, rng) -> list[VirtualField]:
    """Random fields on one to three joints, three quarters of them around impacts. Widths: half a step (two in time stepping) to many.

    Amplitudes are one in the kinetic metric of each joint.
    """
    edges = np.asarray(motion.pieces.times)
    begin, end = edges[0], edges[-1]
    joints = [(name, entry) for name, entry in motion.model.layout.joints.items() if entry.v[1] > entry.v[0]]
    instants, sizes = _impact_instants(motion, found)
    centers, widths = np.empty(count), np.empty(count)
    for i in range(count):
        instant = rng.uniform(begin, end)
        if rng.random() < AT_IMPACTS and len(instants):
            by_size = rng.random() < 0.5
            instant = rng.choice(instants, p=sizes / sizes.sum()) if by_size else rng.choice(instants)
        k = int(np.clip(np.searchsorted(edges, instant), 1, len(edges) - 2)) if len(edges) > 2 else 0
        shortest = 0.5 * min(edges[k + 1] - edges[k], edges[k] - edges[k - 1] if k else np.inf)
        if motion.method.claims.name in TIME_STEPPING:
            shortest = 2.0 * (motion.method.step or shortest)  # such a method resolves nothing shorter than a step
        shortest = max(shortest, NARROWEST_FIELD * max(abs(begin), abs(end)))
        low, high = max(0, k - WIDEST_FIELD), min(len(edges) - 1, k + WIDEST_FIELD)
        widest = max(shortest, 0.5 * (edges[high] - edges[low]))
        widths[i] = shortest * (widest / shortest) ** rng.random() if shortest > 0.0 else widest
        centers[i] = instant + rng.uniform(-0.5, 0.5) * widths[i]
    centers = np.clip(centers, begin, end)
    blocks = inertia_blocks(motion, centers)
    fields = []
    for i in range(count):
        chosen = rng.choice(
            len(joints), size=min(len(joints), int(rng.integers(1, JOINTS_OF_A_FIELD + 1))), replace=False
        )
        a, K = np.zeros(motion.model.nv), np.zeros((motion.model.nv, 3))
        for j in chosen:
            name, entry = joints[j]
            own, M = slice(*entry.v), blocks[name][i]
            a[own] = np.linalg.solve(np.linalg.cholesky(M).T, rng.normal(size=len(M)))
            K[own] = np.linalg.solve(np.linalg.cholesky(M).T, rng.normal(size=(len(M), 3)))
        names = tuple(joints[j][0] for j in chosen)
        fields.append(
            VirtualField(
                float(centers[i]),
                float(widths[i]),
                names,
                joints[chosen[0]][1].child,
                a,
                K,
                0.5 * rng.normal(size=3),
            )
        )
    return fields


def _impact_instants(motion: Record, found: Impacts | None) -> tuple[np.ndarray, np.ndarray]:
    """Instants of impulses and of all jumps of the state, whether or not these are known as impacts, and sizes of the velocity jumps."""
    edges, nq = np.asarray(motion.pieces.times), motion.model.nq
    ends, starts = [], []
    for times, coefficients in motion.pieces.blocks():
        starts.append(coefficients[:, :, 0])
        ends.append(horner(coefficients, np.diff(times)))
    states, before = np.concatenate(starts), np.concatenate(ends)
    changes, sizes = np.abs(states[1:] - before[:-1]), np.abs(states).max(axis=0)
    jumps = changes[:, nq:].max(axis=1, initial=0.0)
    chosen = (jumps > JUMP_SEEN * sizes[nq:].max(initial=0.0)) | np.any(
        changes[:, :nq] > JUMP_SEEN * sizes[:nq].max(initial=0.0), axis=1
    )
    if found is not None and len(found):
        chosen |= np.isin(edges[1:-1], found.times)
    return edges[1:-1][chosen], jumps[chosen] + np.finfo(float).tiny


def inertia_blocks(motion: Record, times: np.ndarray) -> dict[str, np.ndarray]:
    """The mass matrix (T, k, k) of every joint's own k velocities at instants."""
    rows = tape_rows(motion, times, states_at(motion, times))
    return split_blocks(motion, evaluate_groups(motion.model.tape("virtual"), rows)["blocks"])


def split_blocks(motion: Record, flat: np.ndarray) -> dict[str, np.ndarray]:
    """The blocks by the names of joints, from rows of the tape."""
    found, first = {}, 0
    for name, entry in motion.model.layout.joints.items():
        k = entry.v[1] - entry.v[0]
        if k:
            found[name] = flat[:, first : first + k * k].reshape(-1, k, k)
            first += k * k
    return found
