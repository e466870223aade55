"""Closed loops in the equations of motion: M v̇ + h = τ + Jᵀλ with gaps that vanish."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.letters import Letter
from vinculum.equations.closures import all_gaps, gap_accelerations, gap_jacobian, gap_names
from vinculum.equations.coordinate_rates import rates_are_velocities, velocities
from vinculum.equations.gap_sizes import gap_sizes
from vinculum.errors import MethodError
from vinculum.scalars import Scalar, directional, jacobian, substitute, symbols
from vinculum.systems import Tree


@final
@dataclass(frozen=True, eq=False)
class Loops:
    """Gaps (m,) that vanish, their slopes J (m, n), J̇ v (m,), and a symbol λ for each; ``names``: joint and label.

    ``sizes`` (m,): what the gaps are measured against, see `gap_sizes`.
    """

    gaps: np.ndarray
    J: np.ndarray
    bias: np.ndarray
    lam: np.ndarray
    names: tuple[tuple[str, str], ...]
    sizes: np.ndarray

    @property
    def letters(self) -> tuple[Letter, ...]:
        """λ₁, λ₂, …"""
        return tuple(Letter("lambda", (str(i + 1),)) for i in range(len(self.lam)))


def loops_of(tree: Tree, form: str, in_rates: bool, q, v) -> Loops | None:
    """The loops of a tree over coordinates and velocities (their rates, ``in_rates``); gaps that cannot open are left out."""
    if not tree.closures:
        return None
    if form == "hamilton":
        raise MethodError(
            f"system '{tree.name}' has loops closed by {tree.closing_joints}, and Hamilton's form has no place for their "
            'reactions; use form="newton-euler", "lagrange" or "telegin"'
        )
    gaps, J = all_gaps(tree, q), gap_jacobian(tree, q)
    bias = gap_accelerations(tree, q, v)
    if in_rates and not rates_are_velocities(tree):
        speed = velocities(tree, q, v)
        N = jacobian(speed, v)
        bias = substitute(bias, v, speed) + substitute(J, v, speed) @ directional(speed, q, v)
        J = J @ N
    kept = [i for i, gap in enumerate(gaps) if isinstance(gap, Scalar)]
    names = gap_names(tree)
    return Loops(gaps[kept], J[kept], bias[kept], symbols("lam", len(kept)), tuple(names[i] for i in kept),
                 gap_sizes(tree)[kept])  # fmt: skip
