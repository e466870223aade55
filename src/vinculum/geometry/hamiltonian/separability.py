"""Levi-Civita's conditions: whether the Hamilton–Jacobi equation separates in the coordinates of a phase space."""

import numpy as np

from vinculum.errors import MethodError
from vinculum.geometry.hamiltonian.functions import PhaseFunction
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.starts import Starts
from vinculum.tolerances.functions import SEPARATED
from vinculum.tolerances.samples import SEPARABILITY_REACH, SEPARABILITY_SAMPLES

OTHER_COORDINATES = "find coordinates in which it does, or use frequencies() on a motion"


def check_separable(starts: Starts) -> None:
    r"""Refuse a Hamiltonian whose Hamilton–Jacobi equation has no solution S = Σ S_k(q_k) with n constants.

    .. math:: H_i H_j H^{ij} + H^i H^j H_{ij} - H_i H^j H^i{}_j - H^i H_j H_i{}^j = 0,\qquad i \ne j,\quad
              H_i = \frac{\partial H}{\partial q^i},\ H^i = \frac{\partial H}{\partial p_i}

    It is tested at states around the start. T. Levi-Civita, Math. Ann. 59 (1904) 383.
    """
    space, n = starts.space, starts.space.n
    if n == 1:
        return
    x = starts.states[0]
    size = np.where(x == 0.0, np.repeat([np.abs(x[:n]).max(), np.abs(x[n:]).max()], n), np.abs(x))
    size = np.where(size == 0.0, 1.0, size)
    draw = np.random.default_rng(9).uniform(-SEPARABILITY_REACH, SEPARABILITY_REACH, (SEPARABILITY_SAMPLES, 2 * n))
    first, second = derivatives_at(starts, x + draw * size)
    usable = np.isfinite(first).all(axis=1) & np.isfinite(second).all(axis=(1, 2))
    share = np.zeros((n, n))
    for slope, hessian in zip(first[usable], second[usable], strict=True):
        share = np.maximum(share, _mixed_share(slope, hessian))
    if share.max() > SEPARATED:
        i, j = np.unravel_index(int(np.argmax(share)), share.shape)
        raise inseparable(space, *sorted((int(i), int(j))))


def derivatives_at(starts: Starts, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivatives of H by q and then p, (B, 2n) and (B, 2n, 2n), at states (B, 2n)."""
    space, n, count = starts.space, starts.space.n, len(states)
    both = PhaseFunction(space, ("f",), np.concatenate([space.rates, space.derivatives(space.rates).ravel()]))
    values = np.broadcast_to(starts.values, (count, len(starts.values)))
    found = both.at_rows(np.concatenate([states, np.zeros((count, 1)), values], axis=1))
    f, J = found[:, : 2 * n], found[:, 2 * n :].reshape(count, 2 * n, 2 * n)
    return np.concatenate([-f[:, n:], f[:, :n]], axis=1), np.concatenate([-J[:, n:], J[:, :n]], axis=1)


def inseparable(space: PhaseSpace, i: int, j: int) -> MethodError:
    """What is said of two degrees of freedom that do not separate."""
    return MethodError(
        f"{space.where}: {space.coordinates[i]} and {space.coordinates[j]} move each other, and the Hamilton–Jacobi equation does not "
        f"separate in these coordinates, by Levi-Civita's condition; {OTHER_COORDINATES}"
    )


def _mixed_share(slope: np.ndarray, hessian: np.ndarray) -> np.ndarray:
    """Levi-Civita's expressions (n, n) as fractions of the sizes of their terms; zero on the diagonal."""
    n = len(slope) // 2
    total, sizes = np.zeros((n, n)), np.zeros((n, n))
    curve = np.sqrt(np.abs(np.diag(hessian)))
    for a, b, sign in ((n, n, 1.0), (0, 0, 1.0), (n, 0, -1.0), (0, n, -1.0)):
        # where a second derivative is by p the factor is the slope by q, and the other way round
        product = np.outer(slope[n - a : 2 * n - a], slope[n - b : 2 * n - b])
        term = product * hessian[a : a + n, b : b + n]
        total += sign * term
        sizes += np.abs(term) + np.abs(product) * np.outer(curve[a : a + n], curve[b : b + n])
    share = np.abs(total) / np.where(sizes > 0.0, sizes, 1.0)
    np.fill_diagonal(share, 0.0)
    return share
