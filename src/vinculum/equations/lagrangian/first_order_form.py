"""The first-order form of a principle of any order: its state, its rates, its energy."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.equations.lagrangian.principle import Principle
from vinculum.scalars import Scalar, directional, gradient, jacobian, ldl_solve, symbols, vector

DECAY = "~decay of constraint errors"


@final
@dataclass(frozen=True, eq=False)
class FirstOrder:
    r"""The state (q, …, q^{(N)}, π₀ … π_{N−2}, λ) of a principle of order N, and what holds between its rates.

    The derivatives are coordinates with the constraints q̇_k = q_{k+1}, whose multipliers are Ostrogradsky's momenta π:

    .. math:: \dot\pi_k = \frac{\partial\tilde L}{\partial q_k} - \pi_{k-1} + \delta_{k0}D,\qquad
        \pi_{N-1} = \frac{\partial\tilde L}{\partial q_N}

    ``matrix`` A (n, n) = ∂²L̃/∂q_N², ``rows`` B (m, n), ``force`` b, ``drift`` c of

    .. math:: \begin{bmatrix}A&B^T\\B&0\end{bmatrix}\begin{bmatrix}\dot q_N\\y\end{bmatrix}=\begin{bmatrix}b\\c\end{bmatrix}

    where y are the rates of vakonomic multipliers and then the negative multipliers of ideal constraints. For N = 1 it is
    the form of Gołubowska's (72); higher orders (91)–(95).
    """

    principle: Principle
    chain: tuple[np.ndarray, ...]
    chain_rates: tuple[np.ndarray, ...]
    matrix: np.ndarray
    rows: np.ndarray
    force: np.ndarray
    drift: np.ndarray

    @property
    def state(self) -> np.ndarray:
        jet, order = self.principle.jet, self.principle.order
        return np.concatenate([*jet.levels[: order + 1], *self.chain, jet.multipliers[0]])

    def solution(self, augmented: bool) -> tuple[np.ndarray, np.ndarray]:
        """Rates of the highest derivatives, and y. ``augmented``: with A + BᵀB in place of A, for A that is not positive."""
        A, B, b, c = self.matrix, self.rows, self.force, self.drift
        n, m = len(b), len(c)
        if augmented:
            A, b = A + B.T @ B, b + B.T @ c
        K = np.zeros((n + m, n + m), dtype=object)
        K[:n, :n], K[n:, :n], K[:n, n:] = A, B, B.T
        x = ldl_solve(K, np.concatenate([b, c]))
        return x[:n], x[n:]

    def rates(self, augmented: bool) -> np.ndarray:
        """The rates of the state."""
        jet, order = self.principle.jet, self.principle.order
        q_N_dot, y = self.solution(augmented)
        return np.concatenate([*jet.levels[1 : order + 1], q_N_dot, *self.chain_rates, y[: len(jet.multipliers[0])]])

    def reactions(self, augmented: bool) -> np.ndarray:
        """Multipliers (k,) of the ideal constraints."""
        return -self.solution(augmented)[1][len(self.principle.jet.multipliers[0]) :]

    def energy(self) -> Any:
        r"""E[L] + E[M] = Σ π_k · q_{k+1} − L with the momenta of L̃. Gołubowska (88), (89)."""
        principle = self.principle
        last = vector(gradient(principle.whole(), principle.highest))
        momenta = [*self.chain, last]
        return sum((p @ principle.jet.levels[k + 1] for k, p in enumerate(momenta)), 0.0) - principle.L

    def power(self, reactions) -> Any:
        """The rate of `energy`: D · v, the power of ideal reactions, and −∂L̃/∂t. Gołubowska (22), (87)."""
        principle = self.principle
        v, t = principle.jet.levels[1], np.array([principle.jet.t])
        forces = principle.D + np.asarray(reactions) @ principle.directions()
        return forces @ v - directional(np.array([principle.whole()], dtype=object), t, np.ones(1))[0]


def first_order_form(principle: Principle) -> FirstOrder:
    """The first-order form of a principle."""
    jet, order, n = principle.jet, principle.order, principle.n
    whole, kappa = principle.whole(), Scalar("parameter", DECAY, 0.0)
    below = np.concatenate([*jet.levels[:order], [jet.t]])
    above = np.concatenate([*jet.levels[1 : order + 1], [1.0]])
    flat = symbols("pi", n * (order - 1))
    chain = tuple(flat[k * n : (k + 1) * n] for k in range(order - 1))
    jacobians = [vector(gradient(whole, jet.levels[k])) for k in range(order + 1)]
    momenta_rates = [jacobians[k] + (principle.D if k == 0 else -chain[k - 1]) for k in range(order)]
    force = momenta_rates[-1] - directional(jacobians[order], below, above)
    rows = principle.stationary_rows()
    B = [jacobian(rows, principle.highest)] if len(rows) else []
    c = [-directional(rows, below, above) - kappa * rows] if len(rows) else []
    for constrained in principle.ideal:
        B.append(jacobian(constrained.F, jet.levels[constrained.level]))
        rate = directional(constrained.F, below, above)
        if constrained.level == 0:
            c.append(-directional(rate, below, above) - 2.0 * kappa * rate - kappa * kappa * constrained.F)
        else:
            c.append(-rate - kappa * constrained.F)
    return FirstOrder(principle, chain, tuple(momenta_rates[:-1]), jacobian(jacobians[order], principle.highest),
                      np.concatenate([np.zeros((0, n)), *B]), force, np.concatenate([np.zeros(0), *c]))  # fmt: skip
