"""Efforts determined by a power balance, and those it leaves open."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import entries, numeric
from vinculum.tolerances.functions import POWER_SOLVED, TIED
from vinculum.tolerances.rank import DEPENDENT_BALANCES

MEANING = {
    "none": "no solution: the velocity z = 0 is allowed and does no work, but the power must be {f:.6g}. A power balance cannot "
    "prescribe these efforts; use virtual work, or describe the body that moves with time and prescribe its motion",
    "free": "solved by every a = Cᵀλ: the {count} multiplier{s} can be anything. The power balance does not determine the "
    "efforts; the equations of motion and the constraints together do",
    "tied": "solved by a = Cᵀλ with λ · g = {f:.6g}: one condition on {count} multiplier{s}, {rest}",
}


@final
@dataclass(frozen=True, eq=False)
class PowerBalance:
    """All efforts a with a · z = f for every velocity z with C z = g.

    ``status``: "none" (there are no such efforts), "free" (a = Cᵀλ with any λ) or "tied" (a = Cᵀλ with λ · g = f). ``rows``:
    which rows of C are independent of those before them; the others say nothing new and are left out of ``C`` (k, d) and ``g``
    (k,). ``particular`` (k,): one λ; ``basis`` (k, n): what may be added to it, column by column; both None without a solution.
    """

    status: str
    rows: tuple[int, ...]
    C: np.ndarray
    g: np.ndarray
    f: float
    particular: np.ndarray | None
    basis: np.ndarray | None

    def multipliers(self, free=None) -> np.ndarray:
        """λ (k,) = particular + basis @ free; ``free`` (n,) may be any numbers, zeros by default."""
        particular, basis = self._solution()
        free = np.zeros(basis.shape[1]) if free is None else numeric("free", free)
        if free.shape != (basis.shape[1],):
            raise ModelError(f"free multipliers: {basis.shape[1]} numbers are needed, got shape {free.shape}")
        return particular + basis @ free

    def efforts(self, lam=None) -> np.ndarray:
        """a = Cᵀλ (d,) for multipliers λ (k,) of the independent rows, the particular ones by default."""
        particular, _ = self._solution()
        lam = particular if lam is None else numeric("multipliers", lam)
        if lam.shape != self.g.shape:
            raise ModelError(
                f"multipliers: one for each of the {len(self.g)} independent rows is needed, got shape {lam.shape}"
            )
        tie = abs(lam @ self.g - self.f)
        if tie > TIED * (np.abs(lam) @ np.abs(self.g) + abs(self.f)):
            raise ModelError(
                f"multipliers {lam.tolist()}: λ · g is {lam @ self.g:.6g} but must be f = {self.f:.6g}; "
                "take them from multipliers(free)"
            )
        return self.C.T @ lam

    @property
    def explanation(self) -> str:
        """The result in words."""
        count = len(self.g)
        rest = "the rest stay free" if count > 1 else "so it is determined"
        return MEANING[self.status].format(f=self.f, count=count, s="s" * (count != 1), rest=rest)

    def __str__(self):
        return f"Power balance a · z = {self.f:.6g} for all z with C z = g: {self.explanation}"

    def _solution(self) -> tuple[np.ndarray, np.ndarray]:
        if self.particular is None or self.basis is None:
            raise ModelError(f"power balance: {self.explanation}")
        return self.particular, self.basis


def solve_power_balance(C, g, f, tolerance: float = POWER_SOLVED) -> PowerBalance:
    r"""All efforts a whose power is f for every velocity that the constraints allow.

    .. math:: a\cdot z = f \quad\text{for all } z \text{ with } C z = g

    ``C``: (K, d) rows of the constraints; ``g``: (K,) their right sides, −c of a row a · v + c = 0; ``f`` [W].
    Dependent rows are dropped if their right-hand sides agree, and refused otherwise. ``tolerance``: numbers below it
    count as zero in g and f. O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid
    Bodies and Particles, appendix, (39)–(42).
    """
    C, g = (
        np.array(entries(f"power balance: {what}", x), dtype=float) for what, x in (("C", C), ("g", np.atleast_1d(g)))
    )
    f = float(entries("power balance: f", f, ()))
    if C.ndim != 2 or g.shape != C.shape[:1]:
        raise ModelError(f"power balance: C has shape {C.shape} and g {g.shape}; give C (K, d) and g (K,)")
    rows = _independent_rows(C, g)
    C, g = C[list(rows)], g[list(rows)]
    if np.abs(g).max(initial=0.0) > tolerance:
        basis = np.linalg.svd(g[None] / np.linalg.norm(g))[2][1:].T
        return PowerBalance("tied", rows, C, g, f, f * g / (g @ g), basis)
    if abs(f) > tolerance:
        return PowerBalance("none", rows, C, g, f, None, None)
    return PowerBalance("free", rows, C, np.zeros(len(g)), 0.0, np.zeros(len(g)), np.eye(len(g)))


def _independent_rows(C: np.ndarray, g: np.ndarray) -> tuple[int, ...]:
    """Indices of independent rows; the right-hand side of a dependent row must be the same combination of g."""
    kept: list[int] = []
    for i, row in enumerate(C):
        size = np.linalg.norm(row)
        if size == 0.0:
            weights, left = np.zeros(len(kept)), row
        else:
            weights = np.linalg.lstsq(C[kept].T, row, rcond=None)[0] if kept else np.zeros(0)
            left = row - weights @ C[kept]
        if size > 0.0 and np.linalg.norm(left) > DEPENDENT_BALANCES * size:
            kept.append(i)
            continue
        slack = DEPENDENT_BALANCES * (np.abs(weights) @ np.abs(g[kept]) + abs(g[i]))
        if abs(g[i] - weights @ g[kept]) > slack:
            of = f"rows {kept}" if len(kept) else "no row"
            raise ModelError(
                f"power balance: row {i} of C follows from {of}, which would make its right side {weights @ g[kept]:.6g}, but g is "
                f"{g[i]:.6g}; no velocity meets such constraints, check C and g"
            )
    return tuple(kept)
