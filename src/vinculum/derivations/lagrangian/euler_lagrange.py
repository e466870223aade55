"""The equations of Euler and Lagrange, written out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.derivations.printing.letters import letter
from vinculum.equations.lagrangian.ostrogradsky import variational_derivative
from vinculum.equations.lagrangian.principle import Principle
from vinculum.errors import check_present
from vinculum.scalars import formulas
from vinculum.systems.jets import Jet
from vinculum.tolerances.sizes import OPERATIONS_SIMPLIFIED
from vinculum.upward import ShownInNotebooks

MOST_DOTS = 4
DERIVATIVE = re.compile(r"(.+?)(?:_(d{0,2})dot|_d(\d+))?$")


@final
@dataclass(frozen=True, eq=False)
class EulerLagrange(ShownInNotebooks):
    """``left``: graphs (n,) that vanish on motions, in the symbols of ``jet`` and the ``reactions`` of ideal constraints;
    ``constraints``: graphs that vanish as well."""

    name: str
    jet: Jet
    left: np.ndarray
    constraints: np.ndarray
    reactions: np.ndarray

    def __repr__(self):
        return f"Equations of Euler and Lagrange of '{self.name}'"

    def sympy(self) -> list[Any]:
        """The equations and then the constraints as SymPy expressions that vanish."""
        check_present("sympy", repr(self))
        import sympy

        made = formulas(np.concatenate([self.left, self.constraints]))
        return [sympy.simplify(x) if sympy.count_ops(x) <= OPERATIONS_SIMPLIFIED else x for x in made]

    def latex(self) -> str:
        """The equations in LaTeX, one on each line."""
        made = self.sympy()
        import sympy

        names = {s: latex_name(s.name) for x in made for s in x.free_symbols}
        return "\n".join(f"{sympy.latex(sympy.expand(x), symbol_names=names)} = 0" for x in made)


def euler_lagrange(name: str, coordinates: Sequence[str], principle: Principle) -> EulerLagrange:
    r"""The equations of a principle.

    .. math:: \sum_{K=0}^N(-1)^{K+1}\frac{d^K}{dt^K}\frac{\partial L}{\partial q^{(K)i}} = D_i + R_i

    Gołubowska (19)–(21), (34)–(36), (64)–(72), (93), (95).
    """
    jet = principle.jet
    left = -variational_derivative(jet, principle.whole(), principle.order) - principle.D
    if len(principle.reactions):
        left = left - principle.reactions @ principle.directions()
    rows = [x for constrained in (*principle.stationary, *principle.ideal) for x in constrained.F]
    return EulerLagrange(name, jet, np.asarray(left), np.array([*rows, None], dtype=object)[:-1], principle.reactions)


def latex_name(name: str) -> str:
    """A coordinate or multiplier with dots, or with the number of its derivatives where that is more than four."""
    found = DERIVATIVE.match(name)
    assert found is not None
    base, dots, order = found.groups()
    count = len(dots) + 1 if dots is not None else int(order) if order else 0
    one = letter(base)
    return one.dot(count).latex if count <= MOST_DOTS else f"{{{one.latex}}}^{{({count})}}"
