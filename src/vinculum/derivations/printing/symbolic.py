"""Sums as SymPy expressions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from vinculum.derivations.printing.canonical import Algebra
from vinculum.derivations.printing.sums import Monomial
from vinculum.derivations.printing.terms import Term
from vinculum.scalars.formulas import operations


def expression(algebra: Algebra, total, leaves: Mapping[tuple, Any], writer) -> Any:
    """A sum as a SymPy expression, grouped as it is printed. ``leaves``: SymPy symbols by the keys of the algebra."""
    import sympy

    table = operations()
    known: dict[int, Any] = {}

    def atom(n: int):
        if n not in known:
            op, *args = algebra.atoms[n]
            if op == "leaf":
                known[n] = leaves[algebra.atoms[n]]
            else:
                inner = [group(dict(a)) for a in args]
                if op.startswith("table "):
                    known[n] = sympy.Function(op.split()[1])(*inner)
                else:
                    known[n] = 1 / inner[0] if op == "inverse" else table[op](*inner)
        return known[n]

    def product(m: Monomial):
        return sympy.Mul(*(atom(n) ** e for n, e in m))

    def linear(parts):
        return sympy.Add(*(sympy.Rational(x.numerator, x.denominator) * product(m) for m, x in parts))

    def one(term: Term):
        factors = [sympy.Rational(term.number.numerator, term.number.denominator), product(term.monomial)]
        factors += [linear(term.sum)] if term.sum else []
        factors += [getattr(sympy, name)(linear(angle)) ** power for name, angle, power in term.trig]
        return sympy.Mul(*factors, linear(term.moving))

    def group(terms_of):
        if len(terms_of) == 1:
            (((m, h), c),) = terms_of.items()
            if not h and c == (1, 0) and len(m) == 1 and m[0][1] == 1:
                return atom(m[0][0])  # a condition cannot be multiplied
        return sympy.Add(*(one(term) for term in writer.terms(terms_of)))

    return group(total)


@final
@dataclass(frozen=True, eq=False)
class Symbolic:
    """The equations in SymPy. ``equations``: a list of `Eq`; ``mass_matrix``, ``bias``: matrices (None in Hamilton's form);
    ``coordinates``, ``velocities``, ``accelerations``, ``momenta``, ``parameters``: symbols; ``values``: named values
    (symbol, formula) that the formulas use, where they were too long without."""

    equations: list
    mass_matrix: Any
    bias: Any
    coordinates: list
    velocities: list
    accelerations: list
    momenta: list
    parameters: dict[str, Any]
    values: list

    @classmethod
    def of(cls, graphs: Any, M, h, canonical: Mapping[str, list], values: Sequence = ()) -> "Symbolic":
        """All of it from the formulas of M and h, or of H, q̇ and ṗ."""
        import sympy

        state = graphs.state

        def make(letters):
            return [sympy.Symbol(one.plain, real=True) for one in letters]

        q, v, a = make(state.q_letters), make(state.v_letters), make(state.a_letters)
        p = make(state.p_letters) if canonical else []
        if canonical:
            heads = [sympy.Symbol("H", real=True), *make(one.dotted() for one in (*state.q_letters, *state.p_letters))]
            right = [*canonical["hamiltonian"], *canonical["velocities"], *canonical["momenta_rates"]]
            rows = [sympy.Eq(x, y, evaluate=False) for x, y in zip(heads, right, strict=True)]
        else:
            unknown = make(graphs.unknowns())
            rows = [sympy.Eq(sympy.Add(*(m * x for m, x in zip(row, unknown, strict=True)), last), 0, evaluate=False)
                    for row, last in zip(M, h, strict=True)]  # fmt: skip
        parameters = {name: sympy.Symbol(name, real=True) for name in graphs.parameters}
        n = len(v)
        matrices = (None, None) if canonical else (sympy.Matrix(M[:n, :n]), sympy.Matrix(h[:n]))
        return cls(rows, *matrices, q, v, a, p, parameters, list(values))
