"""Small perturbations of a motion: their rates, and those that satisfy the conditions."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.passes.derivatives import values_and_jacobians
from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.tolerances.rank import DEPENDENT_COLUMNS


@final
@dataclass(frozen=True, eq=False)
class Perturbed:
    r"""How perturbations (δθ, δμ, δv) of states change, one row for each state.

    .. math:: \delta q = N\,\delta\theta,\qquad \delta\dot\theta = \delta v + S\,\delta\theta,\qquad
              \delta\dot v = \frac{\partial\dot v}{\partial q} N\,\delta\theta + \frac{\partial\dot v}{\partial v}\,\delta v

    ``A`` (B, n, n) holds these rates, n = nv + multipliers in the state + nv; ``rates`` (B, n) are μ̇ and v̇ of the motion itself,
    zero for θ; ``by_parameters`` (B, n, p). The columns of S are brackets of the columns of N, so that frames which turn with
    their bodies bring no terms that change with the attitude.
    """

    A: np.ndarray
    rates: np.ndarray
    by_parameters: np.ndarray


def perturbation_rates(
    model: Model, states: np.ndarray, times: np.ndarray, values: np.ndarray, side: float = 1.0
) -> Perturbed:
    """The rates of perturbations at states (B, nq + nv) and instants (B,); ``side`` as of `values_and_jacobians`."""
    nq, nv = model.nq, model.nv
    count, X = _multipliers(model), _inputs(states, times, values)
    Y, D = values_and_jacobians(model.tape("motion"), X, side)
    N = _frames(model, X)
    n, held = nv + count, slice(nv, nv + count)
    own = slice(nq - count, nq)
    A = np.zeros((len(X), n + nv, n + nv))
    A[:, :nv, :nv], A[:, :nv, n:] = _brackets(model, X, N), np.eye(nv)
    A[:, held, :n], A[:, held, n:] = D[:, own, :nq] @ N, D[:, own, nq : nq + nv]
    A[:, n:, :n], A[:, n:, n:] = D[:, nq:, :nq] @ N, D[:, nq:, nq : nq + nv]
    rates = np.concatenate([np.zeros((len(X), nv)), Y[:, own], Y[:, nq:]], axis=1)
    by_values = np.concatenate([np.zeros((len(X), nv, len(values))), D[:, own, nq + nv + 1 :], D[:, nq:, nq + nv + 1 :]],
                               axis=1)  # fmt: skip
    return Perturbed(A, rates, by_values)


@final
@dataclass(frozen=True, eq=False)
class Allowed:
    r"""Perturbations that keep every condition: δθ = P y, δv = L y + D w, for any y and w.

    ``P`` (nv, places) and ``D`` (nv, freedoms) are orthonormal, ``L`` (nv, places): where conditions on velocities change with the
    place, a perturbed place asks for perturbed velocities.
    """

    P: np.ndarray
    L: np.ndarray
    D: np.ndarray

    def of(self, places: list[int], speeds: list[int]) -> "Allowed":
        """The same over the perturbations of chosen coordinates and chosen velocities."""
        P = self.P @ np.linalg.inv(self.P[places])
        L = self.L @ np.linalg.inv(self.P[places])
        D = self.D @ np.linalg.inv(self.D[speeds])
        return Allowed(P, L - D @ L[speeds], D)

    def columns(self, multipliers: int) -> np.ndarray:
        """All of them as columns over (y, μ, w), with multipliers of the state in between, which are free."""
        nv, places = self.P.shape
        T = np.zeros((2 * nv + multipliers, places + multipliers + self.D.shape[1]))
        T[:nv, :places] = self.P
        T[nv : nv + multipliers, places : places + multipliers] = np.eye(multipliers)
        T[nv + multipliers :, :places], T[nv + multipliers :, places + multipliers :] = self.L, self.D
        return T


def allowed_perturbations(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> Allowed:
    """The perturbations that keep closed loops and constraints at a state which meets them."""
    nq, nv, kept = model.nq, model.nv, model.layout.kept
    X = _inputs(state[None], np.array([t]), values)
    if not kept:
        return Allowed(np.eye(nv), np.zeros((nv, nv)), np.eye(nv))
    tape = model.tape("rates")
    _, D = values_and_jacobians(tape, X)
    groups = tape.slices(tape.outputs)
    N = _frames(model, X)[0, :, :nv]
    gaps, rates = D[0, groups["gaps"]][kept], D[0, groups["gap_rates"]][kept]
    on_places = [i for i, row in enumerate(kept) if model.layout.levels[row] == 0]
    P = kernel(gaps[on_places][:, :nq] @ N)
    J, turned = rates[:, nq : nq + nv], rates[:, :nq] @ N @ P
    if not np.all(np.isfinite(J)) or not np.all(np.isfinite(turned)):
        raise StartError(
            f"system '{model.name}': a condition has no derivative at this state; choose a state where its function is smooth"
        )
    asked = -np.linalg.pinv(J, rcond=DEPENDENT_COLUMNS) @ turned
    return Allowed(P, asked, kernel(J))


def kernel(J: np.ndarray) -> np.ndarray:
    """Orthonormal columns (nv, d) with J columns = 0."""
    if not len(J):
        return np.eye(J.shape[1])
    _, s, Vt = np.linalg.svd(J)
    return Vt[int(np.sum(s > DEPENDENT_COLUMNS * max(s.max(initial=0.0), np.finfo(float).tiny))) :].T


def _frames(model: Model, X: np.ndarray) -> np.ndarray:
    """N with ones for the multipliers of the state, (B, nq, nv + multipliers)."""
    nq, nv, count = model.nq, model.nv, _multipliers(model)
    _, D = values_and_jacobians(model.tape("rates"), X)
    N = np.zeros((len(X), nq, nv + count))
    N[:, :, :nv] = D[:, :nq, nq : nq + nv]
    N[:, nq - count :, nv:] = np.eye(count)
    return N


def _brackets(model: Model, X: np.ndarray, N: np.ndarray) -> np.ndarray:
    """S (B, nv, nv): N S e_j = ∂(N v)/∂q N e_j − ∂(N e_j)/∂q N v."""
    nq, nv, B = model.nq, model.nv, len(X)
    if not model.layout.quaternions and not model.layout.charts:
        return np.zeros((B, nv, nv))
    tape = model.tape("rates")
    rows = np.repeat(X, nv + 1, axis=0).reshape(B, nv + 1, -1)
    rows[:, 1:, nq : nq + nv] = np.eye(nv)
    Y, D = values_and_jacobians(tape, rows.reshape(B * (nv + 1), -1))
    jacobians = D.reshape(B, nv + 1, *D.shape[1:])[:, :, :nq, :nq]
    q_dot = Y.reshape(B, nv + 1, -1)[:, 0, :nq]
    turning = jacobians[:, 0] @ N[:, :, :nv] - np.einsum("bjkl,bl->bkj", jacobians[:, 1:], q_dot)
    return np.linalg.pinv(N[:, :, :nv]) @ turning


def _inputs(states: np.ndarray, times: np.ndarray, values: np.ndarray) -> np.ndarray:
    given = np.broadcast_to(values, (len(states), len(values)))
    return np.concatenate([states, np.reshape(times, (-1, 1)), given], axis=1)


def _multipliers(model: Model) -> int:
    return 0 if model.tree is None else model.tree.multipliers
