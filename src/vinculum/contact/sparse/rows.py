r"""Sparse rows of contacts: from velocities of bodies to contacts, and from impulses of contacts to bodies, for spheres and other
shapes.

.. math:: u = H\,V - \hat u,\qquad V = V_0 + B\,P,\qquad B = M^{-1} H^T

The contacts may be all contacts or a part of them, with the impulses of the others fixed.
"""

from typing import final

import numpy as np

from vinculum.contact.sparse.arrays import Iterate, Problem
from vinculum.tolerances.contact import HARDEST, OWN
from vinculum.tolerances.round_off import NEXT_TO_ZERO


@final
class Rows:
    """H (3 m, 6 n), B (6 n, 3 m), velocities without impulses ``free`` (6 n,), 1/w (m, 3), target normal velocities (m,) and μ.

    ``chosen``: indices of the contacts.
    """

    def __init__(self, chosen: np.ndarray, problem: Problem, iterate: Iterate):
        _m, _is_round, contacts, (inverse_mass, spin), mu, pace = problem
        who, frame, weight, target = (
            a[chosen] for a in (contacts.who, contacts.frame, contacts.weight, contacts.target)
        )
        P, V = iterate
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
        self.mu, self.target, self.weight = mu, target, weight[:, [0, 1, 1]]
        places = np.where(at[:, :, None] >= 0, 6 * at[:, :, None] + np.arange(6), 6 * n).reshape(m, 12)
        self._left = columns.transpose(0, 1, 3, 2).reshape(m, 12, 3)
        self._right = rows.transpose(0, 2, 1, 3).reshape(m, 3, 12)
        self._left[places == 6 * n] = 0.0
        self._right *= (places < 6 * n)[:, None, :]
        own = np.broadcast_to(np.arange(3 * m).reshape(m, 3, 1), (m, 3, 12))
        there = np.broadcast_to(places[:, None, :], (m, 3, 12))
        self.H = _sparse(self._right, own, there, (3 * m, 6 * n + 1))[:, :-1]
        self.B = _sparse(self._left.transpose(0, 2, 1), there, own, (6 * n + 1, 3 * m))[:-1]
        self._pattern(places, 6 * n)
        self._before, self._least, self._at = pace.before[met], pace.least, at
        self.free = V[met][:, [0, 1, 2, 4, 5, 6]].ravel() - self.B @ P[chosen].ravel()

    def velocities(self, P: np.ndarray) -> np.ndarray:
        """Velocities of the bodies (6 n,) after impulses P (m, 3)."""
        return self.free + self.B @ P.ravel()

    def speeds(self, x: np.ndarray) -> np.ndarray:
        """Velocities at the contacts (m, 3), the normal ones minus their targets, from those of the bodies."""
        u = (self.H @ x).reshape(-1, 3)
        u[:, 0] -= self.target
        return u

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
        change = np.linalg.norm(self.velocities(P).reshape(-1, 6)[:, :3] - self._before, axis=1)
        slower = np.append(change, np.inf)[self._at].min(axis=1)
        worst = missing / (max(self._least, HARDEST * float(change.max())) + slower)
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
        """Positions of the entries of blocks (m, 12, 12) in the matrix by columns; entries of walls are dropped."""
        keys = places[:, None, :] * (n + 1) + places[:, :, None]
        keys[(places[:, None, :] == n) | (places[:, :, None] == n)] = -1
        diagonal = np.arange(n) * (n + 2)
        known, where = np.unique(np.concatenate([[-1], diagonal, keys.ravel()]), return_inverse=True)
        self._count = len(known) - 1
        self._entries = np.where(where == 0, self._count, where - 1)[1 + n :]
        self._diagonal = where[1 : 1 + n] - 1
        self._indices = known[1:] % (n + 1)
        self._starts = np.searchsorted(known[1:] // (n + 1), np.arange(n + 1))


def within(tangential: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """The nearest tangential impulses (m, 2) whose norms are at most ``limit`` (m,)."""
    size = np.hypot(tangential[:, 0], tangential[:, 1])
    return tangential * np.where(size > limit, np.maximum(limit, 0.0) / np.maximum(size, NEXT_TO_ZERO), 1.0)[:, None]


def _sparse(values, rows, columns, shape):
    from scipy import sparse

    return sparse.csr_matrix((values.ravel(), (rows.ravel(), columns.ravel())), shape=shape)
