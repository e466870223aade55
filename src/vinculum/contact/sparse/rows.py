r"""Sparse rows of contacts: from velocities of blocks to contacts, and from impulses of contacts to blocks, for free bodies and others.

.. math:: u = H\,V - \hat u,\qquad V = V_0 + B\,P,\qquad B = M^{-1} H^T

The contacts may be all contacts or a part of them, with the impulses of the others fixed.
"""

from typing import NamedTuple, final

import numpy as np

from vinculum.contact.sparse.arrays import ContactProblem, Iterate
from vinculum.tolerances.contact import HARDEST, OWN
from vinculum.tolerances.round_off import NEXT_TO_ZERO


class _Padded(NamedTuple):
    """Rows of m contacts, padded to the largest number w of velocities on which one acts: ``right`` H (m, 3, w), ``left`` B (m, w, 3), and
    ``places`` (m, w) of these velocities among N; N where there is none. ``V`` (N,): the velocities; ``before`` (N,): before the step.
    ``drift`` (m, 3): what H V lacks."""

    right: np.ndarray
    left: np.ndarray
    places: np.ndarray
    V: np.ndarray
    before: np.ndarray
    drift: np.ndarray


@final
class Rows:
    """H (3 m, N), B (N, 3 m), velocities without impulses ``free`` (N,), 1/w (m, 3) and μ (m,); N velocities of the blocks that meet.

    ``chosen``: indices of the contacts.
    """

    def __init__(self, chosen: np.ndarray, problem: ContactProblem, iterate: Iterate):
        sides = problem.rows.sides
        padded = _of_free_bodies(chosen, problem, iterate) if sides is None else _of_blocks(chosen, problem, iterate)
        m, w = padded.places.shape
        N = len(padded.V)
        self.mu, self.weight = problem.cones[chosen], problem.rows.weight[chosen][:, [0, 1, 1]]
        self._left, self._right, self._at_rest = padded.left, padded.right, padded.drift.copy()
        self._at_rest[:, 0] -= problem.targets[chosen]
        own = np.broadcast_to(np.arange(3 * m).reshape(m, 3, 1), (m, 3, w))
        there = np.broadcast_to(padded.places[:, None, :], (m, 3, w))
        self.H = _sparse(self._right, own, there, (3 * m, N + 1))[:, :-1]
        self.B = _sparse(self._left.transpose(0, 2, 1), there, own, (N + 1, 3 * m))[:-1]
        self._pattern(padded.places, N)
        self._before, self._least = padded.before, problem.pace.least
        self._halves = _halves(chosen, problem, padded)
        self.free = padded.V - self.B @ iterate.P[chosen].ravel()

    def velocities(self, P: np.ndarray) -> np.ndarray:
        """Velocities of the blocks (N,) after impulses P (m, 3)."""
        return self.free + self.B @ P.ravel()

    def speeds(self, x: np.ndarray) -> np.ndarray:
        """Velocities at the contacts (m, 3), the normal ones minus their targets, from those of the blocks."""
        return (self.H @ x).reshape(-1, 3) + self._at_rest

    def defect(self, P: np.ndarray) -> np.ndarray:
        """proj(P − u/w) − P (m, 3)."""
        Z = P - self.weight * self.speeds(self.velocities(P))
        Z[:, 0] = np.maximum(Z[:, 0], 0.0)
        Z[:, 1:] = within(Z[:, 1:], self.mu * P[:, 0])
        return Z - P

    def residual(self, P: np.ndarray) -> float:
        """The residual (see `residual`); infinite if impulses are not finite, or if they are all zero but violate the law."""
        defect, size = self.defect(P), float(np.linalg.norm(P))
        missing = np.linalg.norm(defect / self.weight, axis=1)
        if not (np.all(np.isfinite(missing)) and size > 0.0):
            return 0.0 if not missing.any() else np.inf
        change = np.append(self.velocities(P) - self._before, 0.0)
        changes = np.stack(
            [np.linalg.norm(np.einsum("mkw,mw->mk", half, change[at]), axis=1) for half, at in self._halves]
        )
        moves = np.stack([np.any(at < len(self.free), axis=1) for _, at in self._halves])
        slower = np.where(moves, changes, np.inf).min(axis=0)
        worst = missing / (max(self._least, HARDEST * float(changes.max())) + slower)
        return max(float(np.linalg.norm(defect)) / size, OWN * float(np.where(missing > 0.0, worst, 0.0).max()))

    def factors(self, D: np.ndarray):
        """A function that solves (1 + B D H) x = y, with D (m, 3, 3) of every contact; None if the matrix is singular."""
        blocks = np.matmul(self._left, np.matmul(D, self._right))
        values = np.bincount(self._entries, blocks.ravel(), minlength=self._count + 1)[: self._count]
        values[self._diagonal] += 1.0
        n = len(self.free)
        from scipy import sparse
        from scipy.sparse import linalg

        matrix = sparse.csc_matrix((values, self._indices, self._starts), shape=(n, n))
        try:
            return linalg.splu(
                matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
            ).solve
        except RuntimeError:
            return None

    def _pattern(self, places: np.ndarray, n: int) -> None:
        """Positions of the entries of blocks (m, w, w) in the matrix by columns; entries beyond the velocities are dropped."""
        keys = places[:, None, :] * (n + 1) + places[:, :, None]
        keys[(places[:, None, :] == n) | (places[:, :, None] == n)] = -1
        diagonal = np.arange(n) * (n + 2)
        known, where = np.unique(np.concatenate([[-1], diagonal, keys.ravel()]), return_inverse=True)
        self._count = len(known) - 1
        self._entries = np.where(where == 0, self._count, where - 1)[1 + n :]
        self._diagonal = where[1 : 1 + n] - 1
        self._indices = known[1:] % (n + 1)
        self._starts = np.searchsorted(known[1:] // (n + 1), np.arange(n + 1))


def _of_free_bodies(chosen: np.ndarray, problem: ContactProblem, iterate: Iterate) -> _Padded:
    """Rows over the velocities and angular velocities of the free bodies that meet."""
    contacts, (inverse_mass, spin) = problem.rows, problem.blocks
    who, frame = contacts.who[chosen], contacts.frame[chosen]
    moves = inverse_mass[who] > 0.0
    met, number = np.unique(who[moves], return_inverse=True)
    at = np.full(who.shape, -1)
    at[moves] = number
    m, n = len(who), len(met)
    rows, columns = np.zeros((m, 2, 3, 6)), np.zeros((m, 2, 3, 6))
    for side, sign in ((0, 1.0), (1, -1.0)):
        rows[:, side, :, :3] = sign * frame
        columns[:, side, :, :3] = sign * inverse_mass[who[:, side], None, None] * frame
        if contacts.arms is not None:
            arms = contacts.arms[chosen, side, None]
            rows[:, side, 1, 3:] = -arms * frame[:, 2]
            rows[:, side, 2, 3:] = arms * frame[:, 1]
            columns[:, side, :, 3:] = spin[who[:, side], None, None] * rows[:, side, :, 3:]
        elif contacts.wide is not None:
            rows[:, side, :, 3:] = sign * contacts.wide[chosen, side]
            columns[:, side, :, 3:] = sign * contacts.wide[chosen, 2 + side]
    places = np.where(at[:, :, None] >= 0, 6 * at[:, :, None] + np.arange(6), 6 * n).reshape(m, 12)
    left = columns.transpose(0, 1, 3, 2).reshape(m, 12, 3)
    left[places == 6 * n] = 0.0
    right = rows.transpose(0, 2, 1, 3).reshape(m, 3, 12) * (places < 6 * n)[:, None, :]
    before = np.zeros((n, 6))
    before[:, :3] = problem.pace.before[met]
    return _Padded(right, left, places, iterate.V[met][:, [0, 1, 2, 4, 5, 6]].ravel(), before.ravel(), np.zeros((m, 3)))


def _of_blocks(chosen: np.ndarray, problem: ContactProblem, iterate: Iterate) -> _Padded:
    """Rows over the velocities of the blocks that meet."""
    sides = problem.rows.sides
    assert sides is not None
    first, count, at = sides.first[chosen], sides.count[chosen], sides.at[chosen]
    m, half = len(chosen), max(int(count.max(initial=1)), 1)
    column = np.arange(half)
    there = column < count[:, :, None]
    used = np.where(there, first[:, :, None] + column, -1)
    met, number = np.unique(used[there], return_inverse=True)
    places = np.full(used.shape, len(met))
    places[there] = number
    entry = np.where(
        there[:, :, None], at[:, :, None, None] + count[:, :, None, None] * np.arange(3)[:, None] + column, 0
    )
    right, left = (np.where(there[:, :, None], x[entry], 0.0) for x in (sides.H, sides.B))
    return _Padded(
        right.transpose(0, 2, 1, 3).reshape(m, 3, 2 * half),
        left.transpose(0, 1, 3, 2).reshape(m, 2 * half, 3),
        places.reshape(m, 2 * half),
        iterate.V.reshape(-1)[met],
        problem.pace.before.reshape(-1)[met],
        sides.drift[chosen],
    )


def _halves(chosen: np.ndarray, problem: ContactProblem, padded: _Padded) -> list[tuple[np.ndarray, np.ndarray]]:
    """For both sides of the contacts the rows (m, 3, k) of the velocity by which a body judges its contact, and the places (m, k) of its
    velocities: that of a free body's mass center, or that of a block at the contact."""
    half = padded.places.shape[1] // 2
    parts = [slice(0, half), slice(half, None)]
    if problem.rows.sides is not None:
        return [(padded.right[:, :, part], padded.places[:, part]) for part in parts]
    center = np.broadcast_to(np.eye(3), (len(chosen), 3, 3))
    return [(center, padded.places[:, part.start or 0 : (part.start or 0) + 3]) for part in parts]


def within(tangential: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """The nearest tangential impulses (m, 2) whose norms are at most ``limit`` (m,)."""
    size = np.hypot(tangential[:, 0], tangential[:, 1])
    return tangential * np.where(size > limit, np.maximum(limit, 0.0) / np.maximum(size, NEXT_TO_ZERO), 1.0)[:, None]


def _sparse(values, rows, columns, shape):
    from scipy import sparse

    return sparse.csr_matrix((values.ravel(), (rows.ravel(), columns.ravel())), shape=shape)
