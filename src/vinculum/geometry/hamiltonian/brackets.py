"""Poisson's and Dirac's brackets of graphs."""

from typing import Any

from vinculum.geometry.hamiltonian.phase_space import PhaseSpace, turn
from vinculum.geometry.hamiltonian.skew import skew_solve


def poisson_bracket(space: PhaseSpace, f, g) -> Any:
    r"""Poisson's bracket, :math:`\{f, g\} = \partial_q f\cdot\partial_p g - \partial_p f\cdot\partial_q g`."""
    df, dg = space.derivatives([f, g])
    return df @ turn(dg[None])[0]


def dirac_bracket(space: PhaseSpace, f, g) -> Any:
    r"""Dirac's bracket, :math:`\{f, g\} - \{f, \chi_a\}\,(C^{-1})_{ab}\,\{\chi_b, g\}`, with the constraints χ and C = {χ, χ}."""
    df, dg = space.derivatives([f, g])
    toward = turn(dg[None])[0]
    J = space.constraint_jacobian
    return df @ toward - (turn(J) @ df) @ skew_solve(space.constraint_brackets, J @ toward, space.pairs)
