"""The equations with names for values that occur more than once."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.derivations.printing.letters import letter
from vinculum.derivations.printing.shared import name_shared
from vinculum.derivations.printing.symbolic import Symbolic
from vinculum.scalars import symbols
from vinculum.tolerances.sizes import LONGEST_DENOMINATOR


@final
@dataclass(frozen=True, eq=False)
class NamedFormulas:
    """Equations too long to be written out."""

    graphs: Any

    def lines(self) -> list[str]:
        """LaTeX of every equation, then of every named value."""
        import sympy

        left, right, values, table = self._parts()

        def text(x):
            return sympy.latex(_with_decimals(x), symbol_names=table, ln_notation=True, order="none", full_prec=False)

        heads = [text(symbol) if symbol is not None else None for symbol in left]
        lines = [
            f"{text(x)} = 0" if head is None else f"{head} = {text(x)}" for head, x in zip(heads, right, strict=True)
        ]
        return lines + [f"{text(z)} = {text(x)}" for z, x in values]

    def sympy(self) -> Symbolic:
        """The equations in SymPy, with the named values in `values`."""
        graphs = self.graphs
        entries, leaves = _entries(graphs), graphs.leaves()
        flat = np.array([*(x for part in entries.values() for x in np.ravel(np.asarray(part, dtype=object))), None],
                        dtype=object)[:-1]  # fmt: skip
        made, values = name_shared(flat, {leaf: one.plain for leaf, one in leaves})
        parts, start = {}, 0
        for name, part in entries.items():
            shape = np.shape(part)
            size = int(np.prod(shape))
            parts[name] = np.array([*made[start : start + size], None], dtype=object)[:-1].reshape(shape)
            start += size
        M, h = parts.pop("mass_matrix", np.zeros((0, 0), dtype=object)), parts.pop("bias", np.zeros(0, dtype=object))
        return Symbolic.of(graphs, M, list(h), {name: list(part) for name, part in parts.items()}, values)

    def _parts(self) -> tuple[list, list, list, dict]:
        import sympy

        graphs = self.graphs
        state, leaves = graphs.state, graphs.leaves()
        if graphs.canonical:
            c = graphs.canonical
            outputs = np.concatenate([c["hamiltonian"], c["velocities"], c["momenta_rates"]])
            heads = [
                letter("H"),
                *(one.dot() for one in state.q_letters),
                *(one.dot() for one in state.p_letters),
            ]
        else:
            a = symbols("a", len(state.v))
            leaves = [*leaves, *zip(a, state.a_letters, strict=True)]
            M, h = graphs.bordered_form()
            unknown = a if graphs.loops is None else np.concatenate([a, graphs.loops.lam])
            outputs, heads = M @ unknown + h, [None] * len(h)
        right, values = name_shared(outputs, {leaf: one.plain for leaf, one in leaves})

        def symbol(name):
            return sympy.Symbol(name, real=True)

        table = {symbol(one.plain): one.latex for _, one in leaves}
        table |= {symbol(name): letter(name).latex for name in graphs.parameters}
        table |= {symbol(one.plain): one.latex for one in heads if one is not None}
        table |= {z: letter(z.name).latex for z, _ in values}
        return [None if one is None else symbol(one.plain) for one in heads], right, values, table


def _with_decimals(x: Any) -> Any:
    """An expression whose long fractions are decimals, each the shortest that names its float."""
    import sympy

    long = [one for one in x.atoms(sympy.Rational) if max(abs(one.p), one.q) > LONGEST_DENOMINATOR and one.q != 1]
    return x.xreplace({one: sympy.Float(repr(float(one))) for one in long})


def _entries(graphs: Any) -> dict[str, Any]:
    if graphs.canonical:
        return {name: graphs.canonical[name] for name in ("hamiltonian", "velocities", "momenta_rates")}
    M, h = graphs.bordered_form()
    return {"mass_matrix": M, "bias": h}
