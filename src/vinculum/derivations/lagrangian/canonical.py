"""Hamilton's equations of a Lagrangian as formulas."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from vinculum.derivations.lagrangian.euler_lagrange import latex_name
from vinculum.equations.lagrangian.ostrogradsky import ostrogradsky_momenta
from vinculum.equations.lagrangian.principle import Principle
from vinculum.errors import MethodError, StartError
from vinculum.scalars import formulas
from vinculum.upward import ShownInNotebooks


@final
@dataclass(frozen=True, eq=False)
class Canonical(ShownInNotebooks):
    """``hamiltonian`` H(q, p, t) as a SymPy expression; ``momenta``: their symbols; ``rates``: expressions of q̇ and then ṗ."""

    name: str
    hamiltonian: Any
    coordinates: tuple[Any, ...]
    momenta: tuple[Any, ...]
    rates: tuple[Any, ...]

    def __repr__(self):
        return f"Hamilton's equations of '{self.name}'"

    def latex(self) -> str:
        """The Hamiltonian and its equations in LaTeX, one on each line."""
        import sympy

        every = {symbol for x in (self.hamiltonian, *self.rates) for symbol in x.free_symbols}
        names = {symbol: latex_name(symbol.name) for symbol in (*every, *self.coordinates, *self.momenta)}

        def text(x) -> str:
            return sympy.latex(sympy.expand(x), symbol_names=names)

        left = [f"\\dot{{{names[symbol]}}}" for symbol in (*self.coordinates, *self.momenta)]
        return "\n".join(
            [f"H = {text(self.hamiltonian)}", *(f"{a} = {text(x)}" for a, x in zip(left, self.rates, strict=True))]
        )


def canonical(name: str, coordinates: Sequence[str], principle: Principle) -> Canonical:
    r"""Hamilton's equations of a Lagrangian of first order whose momenta are linear in the velocities.

    .. math:: H = p_i v^i - L,\qquad \dot q^i = \frac{\partial H}{\partial p_i},\qquad \dot p_i = -\frac{\partial H}{\partial q^i} + D_i

    Gołubowska (13)–(18).
    """
    import sympy

    _check(name, principle)
    jet = principle.jet
    letters = [sympy.Symbol(f"p_{one}", real=True) for one in coordinates]
    made = formulas(
        [principle.L, *ostrogradsky_momenta(jet, principle.L, 1)[0], *principle.D, *jet.levels[0], *jet.levels[1]]
    )
    n = len(coordinates)
    L, p, D = made[0], sympy.Matrix(made[1 : n + 1]), made[n + 1 : 2 * n + 1]
    q, v = list(made[2 * n + 1 : 3 * n + 1]), list(made[3 * n + 1 :])
    A = p.jacobian(v).applyfunc(sympy.simplify)
    if any(A.has(one) for one in v):
        raise MethodError(
            f"system '{name}': its momenta are not linear in the velocities, so that H has no formula here; "
            "hamiltonian(q, p) gives its values"
        )
    if sympy.simplify(A.det()) == 0:
        raise StartError(
            f"system '{name}': the Hessian ∂²L/∂v∂v = {A.tolist()} is singular, so momenta do not determine velocities; "
            "every coordinate needs a kinetic energy of its own; leave out those that have none"
        )
    at_rest = p.subs(dict.fromkeys(v, 0))
    speeds = A.LUsolve(sympy.Matrix(letters) - at_rest).applyfunc(sympy.simplify)
    known = dict(zip(v, speeds, strict=True))
    H = sympy.simplify(sum(a * b for a, b in zip(letters, speeds, strict=True)) - L.subs(known))
    forces = [-sympy.diff(H, one) + sympy.sympify(force).subs(known) for one, force in zip(q, D, strict=True)]
    rates = [sympy.simplify(x) for x in (*(sympy.diff(H, one) for one in letters), *forces)]
    return Canonical(name, H, tuple(q), tuple(letters), tuple(rates))


def _check(name: str, principle: Principle) -> None:
    if principle.order > 1:
        raise MethodError(
            f"system '{name}' is of order {principle.order}, and H(q, p) is for the first; its motions have Ostrogradsky's momenta"
        )
    constrained = [rows.name for rows in (*principle.stationary, *principle.ideal)]
    if constrained:
        raise MethodError(
            f"system '{name}': its constraints {', '.join(constrained)} bind the momenta; put it on a surface with restricted(…), "
            "or leave them out"
        )
