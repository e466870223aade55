"""A phase space: coordinates, momenta, and a Hamiltonian as the stationary value of a function of further variables."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.geometry.hamiltonian.inverse import newton_inverse
from vinculum.geometry.hamiltonian.skew import skew_solve
from vinculum.scalars import depends_on, gradient, jacobian, ldl_solve, parameters, substitute


@final
@dataclass(frozen=True, eq=False)
class UnilateralGraph:
    """A unilateral constraint ``gap`` ≥ 0, a graph over q and t, with the coefficient e of Newton's impact law; ``called``: in messages."""

    called: str
    gap: Any
    restitution: float


@final
@dataclass(frozen=True, eq=False)
class PhaseSpace:
    r"""A Hamiltonian over the symbols ``q``, ``p`` (n,) and ``t``.

    .. math:: H(q, p, t) = \operatorname*{stat}_w K(q, p, w, t)

    ``w`` (m,): velocities, and multipliers of vakonomic constraints, that momenta determine; none if H is given itself. By
    stationarity ∂H/∂q = ∂K/∂q and ∂H/∂p = ∂K/∂p at fixed w. ``hessian``: −∂²K/∂w∂w (m, m). ``constraints``: graphs (c,) over q, p, w, t
    that vanish, with their ``constraint_names``; ``pairs``: those whose brackets are pivots where their matrix is inverted.
    ``unilaterals``: gaps that stay nonnegative, by impacts.
    """

    name: str
    coordinates: tuple[str, ...]
    momenta: tuple[str, ...]
    q: np.ndarray
    p: np.ndarray
    t: Any
    K: Any
    w: np.ndarray
    hessian: np.ndarray
    constraints: np.ndarray
    constraint_names: tuple[str, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    unilaterals: tuple[UnilateralGraph, ...] = ()

    def __repr__(self):
        return f"phase space of '{self.name}'"

    def __getstate__(self):
        """The fields alone: derivatives are known by the ids of nodes, which other processes and copies do not share."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @property
    def n(self) -> int:
        """Degrees of freedom."""
        return len(self.q)

    @property
    def where(self) -> str:
        return f"Hamiltonian '{self.name}'"

    @cached_property
    def x(self) -> np.ndarray:
        """Coordinates and momenta (2n,)."""
        return np.concatenate([self.q, self.p])

    @cached_property
    def parameters(self) -> dict[str, float]:
        """Names and default values of parameters."""
        gaps = [one.gap for one in self.unilaterals]
        return parameters(np.array([self.K, *self.hessian.ravel(), *self.constraints, *gaps, 0.0], dtype=object))

    @cached_property
    def stationarity(self) -> np.ndarray:
        """∂K/∂w (m,), which vanishes: momenta less those of the velocities."""
        return np.asarray(gradient(self.K, self.w), dtype=object) if len(self.w) else np.zeros(0, dtype=object)

    @cached_property
    def is_linear(self) -> bool:
        """Whether w has a closed form: momenta are linear in the velocities."""
        return not depends_on(self.hessian.ravel(), self.w)

    @cached_property
    def inverse(self) -> np.ndarray:
        """w (m,) over q, p and t: closed where the equations are linear, by Newton's method otherwise."""
        if not len(self.w):
            return self.w
        if self.is_linear:
            at_zero = substitute(self.stationarity, self.w, np.zeros(len(self.w)))
            return np.asarray(ldl_solve(self.hessian, at_zero), dtype=object)
        return newton_inverse(self.stationarity, self.hessian, self.w)

    @cached_property
    def inverse_derivatives(self) -> np.ndarray:
        """∂w/∂(q, p) (m, 2n) over q, p, w and t."""
        across = jacobian(self.stationarity, self.x)
        return np.asarray(ldl_solve(self.hessian, across), dtype=object)

    def explicit(self, graphs) -> np.ndarray:
        """The same graphs without w, over q, p and t."""
        graphs = np.asarray(graphs, dtype=object)
        return graphs if not len(self.w) else substitute(graphs, self.w, self.inverse)

    def derivatives(self, graphs) -> np.ndarray:
        """Derivatives by q and then p, as a last index of size 2n, of graphs over q, p, w, t."""
        graphs = np.asarray(graphs, dtype=object)
        flat = graphs.ravel()
        found = (
            np.asarray(jacobian(flat, self.x), dtype=object) if len(flat) else np.zeros((0, 2 * self.n), dtype=object)
        )
        if len(self.w) and depends_on(np.append(flat, 0.0), self.w):
            found = found + np.asarray(jacobian(flat, self.w), dtype=object) @ self.inverse_derivatives
        return found.reshape(*graphs.shape, 2 * self.n)

    @cached_property
    def field(self) -> np.ndarray:
        """∂H/∂p and −∂H/∂q (2n,) over q, p, w, t, constraints left out."""
        slopes = np.asarray(gradient(self.K, self.x), dtype=object)
        return np.concatenate([slopes[self.n :], -1.0 * slopes[: self.n]])

    @cached_property
    def constraint_jacobian(self) -> np.ndarray:
        """Derivatives of the constraints (c, 2n)."""
        return self.derivatives(self.constraints)

    @cached_property
    def constraint_brackets(self) -> np.ndarray:
        """{χ_a, χ_b} (c, c)."""
        J = self.constraint_jacobian
        return J @ turn(J).T

    @cached_property
    def rates(self) -> np.ndarray:
        r"""q̇ and ṗ (2n,) over q, p, w, t.

        .. math:: \dot x = \{x, H\} - \{x, \chi_a\}\,(C^{-1})_{ab}\,(\{\chi_b, H\} + \partial_t\chi_b),\qquad
                  C_{ab} = \{\chi_a, \chi_b\}
        """
        if not len(self.constraints):
            return self.field
        J = self.constraint_jacobian
        drift = J @ self.field + self.time_derivatives(self.constraints)
        return self.field - turn(J).T @ skew_solve(self.constraint_brackets, drift, self.pairs)

    def time_derivatives(self, graphs) -> np.ndarray:
        """∂/∂t at fixed q and p."""
        graphs = np.asarray(graphs, dtype=object)
        found = np.asarray(jacobian(graphs, [self.t]), dtype=object)[:, 0]
        if len(self.w) and depends_on(np.append(graphs, 0.0), self.w):
            moving = np.asarray(jacobian(self.stationarity, [self.t]), dtype=object)[:, 0]
            if depends_on(np.append(self.stationarity, 0.0), [self.t]):
                found = found + np.asarray(jacobian(graphs, self.w), dtype=object) @ ldl_solve(self.hessian, moving)
        return found


def depends_on_time(space: PhaseSpace) -> bool:
    """Whether the rates, or the gaps of unilateral constraints, depend on time."""
    return depends_on(np.array([*space.rates, *(one.gap for one in space.unilaterals), 0.0], dtype=object), [space.t])


def turn(rows: np.ndarray) -> np.ndarray:
    """Rows (k, 2n) of derivatives (∂_q, ∂_p) as vectors (∂_p, −∂_q), with which a · turn(b) is the bracket."""
    n = rows.shape[1] // 2
    return np.concatenate([rows[:, n:], -1.0 * rows[:, :n]], axis=1)
