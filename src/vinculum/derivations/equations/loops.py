"""Closed loops in the equations of motion: M v̇ + h = τ + Jᵀλ with gaps that vanish."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.printing.letters import Letter, mu_letters
from vinculum.equations.constraints.conditions import condition_levels, condition_names, condition_sizes, conditions
from vinculum.equations.recursions.coordinate_rates import rates_are_velocities, velocities
from vinculum.errors import MethodError
from vinculum.scalars import Scalar, directional, jacobian, substitute, symbols
from vinculum.systems import Tree


@final
@dataclass(frozen=True, eq=False)
class Loops:
    """Gaps (m,) that vanish, their derivatives J (m, n), J̇ v (m,), and a symbol λ for each; ``names``: joint and label.

    ``sizes`` (m,): what the gaps are measured against, see `gap_sizes`. ``B`` (m, n): the forces of unit multipliers, J unless a servo
    names others. ``levels`` (m,): of a condition on accelerations, level 2, J v̇ + bias vanishes, and its gap is the bias. ``mu``: for
    rows of vakonomic constraints the letter of their multiplier, whose rate stands in place of −λ; None for others.
    """

    gaps: np.ndarray
    J: np.ndarray
    bias: np.ndarray
    lam: np.ndarray
    names: tuple[tuple[str, str], ...]
    sizes: np.ndarray
    B: np.ndarray
    levels: np.ndarray
    mu: tuple[Letter | None, ...]

    @property
    def letters(self) -> tuple[Letter, ...]:
        """λ₁, λ₂, …, and μ̇ of vakonomic rows."""
        count = iter(range(1, 1 + len(self.mu)))
        return tuple(Letter("lambda", (str(next(count)),)) if one is None else one.dot() for one in self.mu)

    @property
    def signs(self) -> np.ndarray:
        """What λ is of the unknowns, (m,): one, and −1 where the unknown is μ̇."""
        return np.array([1.0 if one is None else -1.0 for one in self.mu])

    @property
    def columns(self) -> np.ndarray:
        """What stands before the unknowns in the equations, (n, m)."""
        return -(self.B.T * self.signs)


def loops_of(tree: Tree, form: str, in_rates: bool, q, v) -> Loops | None:
    """The loops of a tree over coordinates and velocities (their rates, ``in_rates``); gaps that cannot open are left out."""
    if not tree.is_conditioned:
        return None
    if form == "hamilton":
        raise MethodError(
            f"system '{tree.name}' has {tree.conditioned_by}, and Hamilton's form has no place for their "
            'reactions; use form="newton-euler", "lagrange" or "telegin"'
        )
    rows = conditions(tree, q, v)
    levels = np.array(condition_levels(tree))
    gaps, J, bias, B = np.where(levels == 0, rows.values, rows.rates), rows.jacobians, rows.biases, rows.along
    if in_rates and not rates_are_velocities(tree):
        speed = velocities(tree, q, v)
        N = jacobian(speed, v)
        bias = substitute(bias, v, speed) + substitute(J, v, speed) @ directional(speed, q[: len(v)], v)
        J, gaps, B = substitute(J, v, speed) @ N, substitute(gaps, v, speed), substitute(B, v, speed) @ N
    gaps = np.where(levels == 2, bias, gaps)
    kept = [i for i, gap in enumerate(gaps) if isinstance(gap, Scalar) or levels[i] == 2]
    names = condition_names(tree)
    letters = dict(zip(_vakonomic_rows(tree), mu_letters(tree), strict=True))
    return Loops(gaps[kept], J[kept], bias[kept], symbols("lam", len(kept)), tuple(names[i] for i in kept),
                 condition_sizes(tree)[kept], B[kept], levels[kept], tuple(letters.get(names[i]) for i in kept))  # fmt: skip


def _vakonomic_rows(tree: Tree) -> list[tuple[str, str]]:
    return [(one.constraint.name, str(i)) for one in tree.constraints for i in range(one.mu.stop - one.mu.start)]
