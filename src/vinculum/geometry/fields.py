"""`TensorField`: components on a chart, as formulas and as numbers from one trace; and the fields that users give."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, final

import numpy as np

from vinculum.derivations.printing.letters import letter
from vinculum.derivations.printing.shared import name_shared
from vinculum.errors import ModelError, VinculumError, shorten
from vinculum.geometry.chart import Chart, TracedNumbers
from vinculum.scalars import Scalar, depends_on, formulas, symbol, vector
from vinculum.systems.jets import JetFunction, jet_function
from vinculum.tolerances.sizes import OPERATIONS_OF_A_FIELD

UPPER, LOWER = "^", "_"
HIGHEST_RANK = 4


@final
@dataclass(frozen=True, eq=False, repr=False)
class TensorField:
    """A tensor field, or the Christoffel symbols, on the chart of a metric.

    ``indices``: one sign for each index, ``^`` for a contravariant and ``_`` for a covariant one. ``components``: graphs of shape
    (n, …, n). ``symbol``: its letter in LaTeX. Called with places it gives numbers.
    """

    chart: Chart
    symbol: str
    indices: str
    components: np.ndarray

    def __repr__(self):
        kind = f"indices {self.indices!r}" if self.indices else "scalar"
        return f"TensorField({self.symbol!r}, {kind}, on '{self.chart.name}')"

    def __call__(self, q, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """Components at coordinates (n,) or (B, n), of shape (n, …, n) or (B, n, …, n)."""
        return self._numbers.at(q, parameters)

    def sympy(self) -> np.ndarray:
        """The components as SymPy expressions, in an object array; simplified if they are short."""
        import sympy

        made = formulas(np.asarray(self.components, dtype=object))
        if not self._is_short:
            return made
        known: dict[Any, Any] = {}
        for x in made.ravel():
            if x not in known:
                known[x] = sympy.simplify(x)
                known[-x] = -known[x]
        flat = np.empty(made.size, dtype=object)
        flat[:] = [known[x] for x in made.ravel()]
        return flat.reshape(made.shape)

    def latex(self) -> str:
        """The components that do not vanish, in LaTeX, one on each line; long ones with names for values that occur more than once."""
        import sympy

        made, values = (self.sympy(), []) if self._is_short else self._named_values()
        every = {one for x in [*made.ravel(), *(x for _, x in values)] for one in x.free_symbols}
        names = {one: letter(one.name).latex for one in every | {z for z, _ in values}}
        lines = [
            f"{self._head(place)} = {sympy.latex(made[place], symbol_names=names)}"
            for place in product(*map(range, made.shape))
            if made[place] != 0
        ]
        lines += [f"{names[z]} = {sympy.latex(x, symbol_names=names)}" for z, x in values]
        return "\n".join(lines) or f"{self.symbol} = 0"

    @property
    def _is_short(self) -> bool:
        """Whether SymPy can simplify it in reasonable time; operations that occur twice count once."""
        return len(self._numbers.tape.code) <= OPERATIONS_OF_A_FIELD

    def _named_values(self) -> tuple[np.ndarray, list[tuple]]:
        right, values = name_shared(self.components.ravel(), {x: x.args[0] for x in self.chart.q})
        made = np.empty(len(right), dtype=object)
        made[:] = right
        return made.reshape(self.components.shape), values

    def _head(self, place: tuple[int, ...]) -> str:
        text, last = self.symbol, ""
        for kind, i in zip(self.indices, place, strict=True):
            name = letter(self.chart.coordinates[i]).latex
            text = f"{text[:-1]} {name}}}" if kind == last else f"{text}{'{}' if last else ''}{kind}{{{name}}}"
            last = kind
        return text

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values of its parameters, and of those of the metric."""
        return dict(self._numbers.parameters)

    @cached_property
    def _numbers(self) -> TracedNumbers:
        return TracedNumbers(self.chart, self.symbol, self.components)


def field_of(chart: Chart, what: str, given: Any, rank: int | None = None, indices: str | None = None) -> TensorField:
    """A field that is given as a function of the coordinates, or as a `TensorField`; ``rank``: how many indices it must have.

    ``indices``: their kinds, all contravariant by default.
    """
    if isinstance(given, TensorField):
        _check_chart(chart, what, given)
        found = given
        if indices is not None and indices != found.indices:
            raise ModelError(
                f"{chart.where}: {what} has indices '{found.indices}' and needs '{indices}'; raise or lower them first"
            )
    else:
        array = component_graphs(chart, what, given)
        kinds = UPPER * array.ndim if indices is None else indices
        found = TensorField(chart, letter(what.split()[-1]).latex, kinds, array)
    if rank is not None and found.components.ndim != rank:
        raise ModelError(
            f"{chart.where}: {what} has shape {found.components.shape}; its function must return {_shape(chart, rank)}"
        )
    if set(found.indices) - {UPPER, LOWER} or len(found.indices) != found.components.ndim:
        raise ModelError(
            f"{chart.where}: {what} has {found.components.ndim} indices, and indices is {shorten(found.indices)}; give one sign for "
            "each, '^' for a contravariant and '_' for a covariant one"
        )
    return found


def component_graphs(chart: Chart, what: str, given: Callable | JetFunction) -> np.ndarray:
    """The components that a function of the coordinates returns, as graphs over the symbols of the chart."""
    where = f"{chart.where}: {what}"
    function = jet_function(where, given, chart.coordinates)
    if function.order > 0:
        raise ModelError(
            f"{where}: it is a function of velocities; give one of the coordinates {', '.join(chart.coordinates)} or q"
        )
    t = symbol("t")
    found = function.at((chart.q,), t)
    try:
        array = np.asarray(vector(found), dtype=object)
    except (VinculumError, TypeError, ValueError) as error:
        raise ModelError(f"{where}: its function returned {shorten(found)}; return numbers") from error
    if array.ndim > HIGHEST_RANK or any(size != len(chart.q) for size in array.shape):
        raise ModelError(f"{where}: its function returned shape {array.shape}; return {_shape(chart, None)}")
    if depends_on(array, [t]):
        raise ModelError(
            f"{where}: it is a function of the time; give one of the coordinates {', '.join(chart.coordinates)} or q"
        )
    if any(not isinstance(x, Scalar) and not np.isfinite(x) for x in array.ravel()):
        raise ModelError(f"{where}: its function returned {shorten(found)}, which is not finite")
    return array


def _shape(chart: Chart, rank: int | None) -> str:
    n = len(chart.q)
    shapes = {0: "one number", 1: f"{n} numbers", 2: f"a matrix ({n}, {n})"}
    return shapes.get(-1 if rank is None else rank, f"an array of size {n} along each index")


def _check_chart(chart: Chart, what: str, given: TensorField) -> None:
    if given.chart is not chart:
        raise ModelError(
            f"{chart.where}: {what} belongs to '{given.chart.name}'; fields are used with the metric they were made with"
        )
