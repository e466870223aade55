"""The equations as exact formulas: simplified sums within the time limit, named values otherwise."""

import time
from dataclasses import dataclass
from itertools import chain
from typing import Any, final

import numpy as np

from vinculum.derivations.printing.canonical import Algebra, TooLongError
from vinculum.derivations.printing.latex import Writer, join_terms
from vinculum.derivations.printing.letters import letter
from vinculum.derivations.printing.named import NamedFormulas
from vinculum.derivations.printing.symbolic import Symbolic, expression
from vinculum.scalars import Scalar
from vinculum.tolerances.round_off import TWO_ROUND_OFFS
from vinculum.tolerances.sizes import HARMONICS_OF_A_TERM, TERMS_OF_AN_EQUATION


@final
@dataclass(frozen=True, eq=False)
class Formulas:
    """Exact sums of the entries of M and h, or of H, q̇ and ṗ, with all that is needed to write them."""

    graphs: Any
    algebra: Algebra
    writer: Writer
    M: np.ndarray
    h: np.ndarray
    canonical: dict[str, np.ndarray]

    def lines(self) -> list[str]:
        """LaTeX of every equation."""
        if self.canonical:
            return self._hamilton_lines()
        return [self._row(i) + " = 0" for i in range(len(self.h))]

    def is_short(self) -> bool:
        """Whether every equation has few terms."""
        rows = [[x] for part in self.canonical.values() for x in part]
        return all(map(self._is_short, rows or ([*row, h] for row, h in zip(self.M, self.h, strict=True))))

    def _is_short(self, row: list) -> bool:
        if sum(map(len, row)) > HARMONICS_OF_A_TERM * TERMS_OF_AN_EQUATION:
            return False
        count = 0
        for x in row:
            self.algebra.check()
            count += len(self.writer.terms(x))
        return count <= TERMS_OF_AN_EQUATION

    def sympy(self) -> "Symbolic":
        """The equations in SymPy."""
        leaves = symbol_table(self.graphs, self.algebra)

        def of(x):
            return expression(self.algebra, x, leaves, self.writer)

        return Symbolic.of(self.graphs, np.vectorize(of, otypes=[object])(self.M), [of(x) for x in self.h],
                           {name: [of(x) for x in part] for name, part in self.canonical.items()})  # fmt: skip

    def _row(self, i: int) -> str:
        parts = [self.writer.coefficient(entry, unknown.latex)
                 for entry, unknown in zip(self.M[i], self.graphs.unknowns(), strict=True)]  # fmt: skip
        rest = self.writer.sum(self.h[i])
        middle = [] if rest == "0" else [(rest.startswith("-"), rest.removeprefix("-"))]
        n = len(self.graphs.state.v)
        return join_terms([*chain(*parts[:n]), *middle, *chain(*parts[n:])]) or "0"

    def _hamilton_lines(self) -> list[str]:
        state = self.graphs.state
        lines = [f"H = {self.writer.sum(self.canonical['hamiltonian'][0])}"]
        lines += [f"{one.dotted().latex} = {self.writer.sum(x)}"
                  for one, x in zip(state.q_letters, self.canonical["velocities"], strict=True)]  # fmt: skip
        lines += [f"{one.dotted().latex} = {self.writer.sum(x)}"
                  for one, x in zip(state.p_letters, self.canonical["momenta_rates"], strict=True)]  # fmt: skip
        return lines


def formulas_of(graphs: Any, seconds: float) -> Any:
    """`Formulas`, or `NamedFormulas` past the time limit or where an equation stays long."""
    algebra = Algebra(time.monotonic() + seconds)
    writer = Writer(algebra, *_names_and_ranks(graphs, algebra))
    try:
        canonical = _canonical_sums(graphs, algebra) if graphs.canonical else {}
        M = h = np.zeros(0, dtype=object)
        if not canonical:
            M, h = (without_noise(algebra.sums(part), writer.is_fixed) for part in graphs.bordered_form())
        made = Formulas(graphs, algebra, writer, M, h, canonical)
        if made.is_short():
            return made
    except TooLongError:
        pass
    return NamedFormulas(graphs)


def _canonical_sums(graphs: Any, algebra: Algebra) -> dict[str, np.ndarray]:
    """H, q̇ and ṗ with M⁻¹ as adjugate over determinant, which a book would write."""
    from vinculum.derivations.printing.inverses import explicit_hamilton

    moving = {("leaf", id(leaf)) for leaf, _ in graphs.leaves()[len(graphs.state.q) :]}
    made = {}
    coupled = np.vectorize(bool, otypes=[bool])(algebra.sums(graphs.canonical["momentum_matrix"]))
    for name, part in explicit_hamilton(graphs, coupled).items():
        sums = [algebra.cancel(x, lambda n: algebra.atoms[n] in moving) for x in algebra.sums(part)]
        made[name] = without_noise(np.array([*sums, None], dtype=object)[:-1], lambda n: algebra.atoms[n] not in moving)
    return made


def without_noise(sums: np.ndarray, is_fixed) -> np.ndarray:
    """Sums without terms whose numbers are only round-off of others with the same parameters."""
    largest: dict[tuple, float] = {}
    flat = [[(key, tuple(part for part in key[0] if is_fixed(part[0])), abs(complex(*c))) for key, c in total.items()]
            for total in sums.ravel()]  # fmt: skip
    for _, fixed, size in (entry for entries in flat for entry in entries):
        largest[fixed] = max(largest.get(fixed, 0.0), size)
    result = np.empty(sums.shape, dtype=object)
    result.ravel()[:] = [{key: total[key] for key, fixed, size in entries if size > TWO_ROUND_OFFS * largest[fixed]}
                         for total, entries in zip(sums.ravel(), flat, strict=True)]  # fmt: skip
    return result


def symbol_table(graphs: Any, algebra: Algebra) -> dict[tuple, Any]:
    """SymPy symbols by the keys of an algebra."""
    import sympy

    table = {("leaf", id(leaf)): sympy.Symbol(one.plain, real=True) for leaf, one in graphs.leaves()}
    return table | {("leaf", name): sympy.Symbol(name, real=True) for name in graphs.parameters}


def _names_and_ranks(graphs: Any, algebra: Algebra) -> tuple[dict, dict]:
    """LaTeX and place in a product of every leaf: masses, gravity, other parameters; coordinates; rates and momenta."""
    names, ranks = {}, {}
    moving = len(graphs.state.q)
    for i, (leaf, one) in enumerate(graphs.leaves()):
        algebra.leaf(leaf)
        key = ("leaf", id(leaf))
        names[key], ranks[key] = one.latex, (1 if i < moving or leaf is graphs.state.t else 2, 0, i)
    tree = graphs.model.tree
    masses = {x.args[0] for link in tree.links for x in [link.mass] if isinstance(x, Scalar) and x.op == "parameter"}
    weights = {name for x in np.ravel(tree.gravity) if isinstance(x, Scalar) for name in _parameters(x)}
    for name in graphs.parameters:
        key = ("leaf", name)
        names[key] = letter(name).latex
        ranks[key] = (0, 0 if name in masses else 1 if name in weights else 2, name)
    return names, ranks


def _parameters(x: Scalar) -> list[str]:
    from vinculum.scalars import parameters

    return list(parameters(np.array([x, 0.0], dtype=object)))
