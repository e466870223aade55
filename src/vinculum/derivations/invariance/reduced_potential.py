"""`ReducedPotential`: an invariant energy as a function of invariant arguments."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from vinculum.derivations.printing.letters import letter
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, formulas, parameters, replay
from vinculum.scalars.math import NUMERIC
from vinculum.screws import is_rotation
from vinculum.screws.entries import entries, shorten
from vinculum.tolerances.functions import NEARLY_A_ROTATION


class ReducedPotential(ABC):
    """An invariant energy as a function of arguments relative to a pivot body, O'Reilly and Srinivasa (11), (12).

    ``name``: the potential's; ``bodies``: names of all its bodies in order; ``pivot``: the reference body;
    ``arguments``: the meaning of the symbols of the formula; ``proven``: whether exact arithmetic showed the
    invariance.
    """

    name: str
    bodies: tuple[str, ...]
    pivot: str
    proven: bool
    graph: Any

    @property
    @abstractmethod
    def letters(self) -> dict[str, tuple[Scalar, str, str]]:
        """Symbol, LaTeX and meaning of every argument, by its plain name."""

    @abstractmethod
    def invariants(self, x, Q=None) -> tuple[np.ndarray, np.ndarray]:
        """The arguments at positions ``x`` (…, n, 3) [m] and rotations ``Q`` (…, n, 3, 3) of all bodies."""

    @abstractmethod
    def energy(self, first, second=None, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """Energy [J] at given arguments, as `invariants` returns them; one or a batch."""

    @abstractmethod
    def efforts(self, x, Q=None, parameters: Mapping[str, float] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Forces [N] and moments about the bodies' origins [N m], (…, n, 3) each, on all bodies, including the
        pivot."""

    @property
    def arguments(self) -> dict[str, str]:
        """The meaning of each symbol of the formula."""
        return {plain: meaning for plain, (_, _, meaning) in self.letters.items()}

    @cached_property
    def formula(self) -> Any:
        """The energy in SymPy, over the arguments and the parameters."""
        names = {symbol: plain for plain, (symbol, _, _) in self.letters.items()}
        return formulas(np.array([self.graph, 0.0], dtype=object), names)[0]

    def latex(self) -> str:
        """The formula in LaTeX."""
        import sympy

        names = {sympy.Symbol(plain, real=True): text for plain, (_, text, _) in self.letters.items()}
        for parameter in parameters(np.array([self.graph, 0.0], dtype=object)):
            names[sympy.Symbol(parameter, real=True)] = letter(parameter).latex
        return sympy.latex(self.formula, symbol_names=names)

    def __str__(self):
        used = {str(s) for s in self.formula.free_symbols}
        where = [f"  {plain} = {meaning}" for plain, meaning in self.arguments.items() if plain in used]
        return "\n".join([f"Potential '{self.name}' seen from '{self.pivot}': U = {self.formula}", *where])


def values_at(
    outputs, columns: Mapping[int, np.ndarray], values: Mapping[str, float] | None, batch: tuple
) -> np.ndarray:
    """Graphs at arrays for their symbols, (*batch, *shape)."""
    outputs = np.asarray(outputs, dtype=object)

    def leaf(node: Scalar):
        return (values or {}).get(*node.args) if node.op == "parameter" else columns[id(node)]

    with np.errstate(all="ignore"):
        flat = replay(outputs.ravel(), leaf, NUMERIC)
    full = [np.broadcast_to(np.asarray(x, dtype=float), batch) for x in flat]
    return np.stack([*full, np.zeros(batch)], axis=-1)[..., :-1].reshape(*batch, *outputs.shape)


def numbers_of_shape(what: str, given, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers whose shape ends as wanted; others are refused."""
    array = np.array(entries(what, given), dtype=float)
    if array.shape[array.ndim - len(shape) :] != shape or array.ndim < len(shape):
        raise ModelError(f"{what} has shape {array.shape}; it must end in {shape}")
    for R in array.reshape(-1, 3, 3) if len(shape) == 3 else ():
        if not is_rotation(R, NEARLY_A_ROTATION):
            raise ModelError(
                f"{what} holds {shorten(R.tolist())}, which is not a rotation; give matrices with RᵀR = I and det R = 1"
            )
    return array


def plain_name(name: str) -> str:
    """A body's name as programs write it."""
    return "".join(c if c.isalnum() else "_" for c in name)


def text_of(name: str) -> str:
    """A body's name in LaTeX."""
    return name if len(name) == 1 else rf"\mathrm{{{name.replace('_', ' ').replace(' ', chr(92) + ' ')}}}"
