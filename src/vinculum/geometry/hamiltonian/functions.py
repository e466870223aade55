"""`PhaseFunction`: a function on a phase space, as formulas and as numbers from one trace; and the functions that users give."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.compile.evaluate import evaluate_again
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.derivations.lagrangian.euler_lagrange import latex_name
from vinculum.derivations.printing.letters import letter
from vinculum.derivations.printing.shared import name_shared
from vinculum.errors import ModelError, StartError, VinculumError, shorten
from vinculum.geometry.chart import parameter_values
from vinculum.geometry.hamiltonian.branches import degenerate_velocities, momentum_tape, velocities_with
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.motion.arguments import floats
from vinculum.scalars import Scalar, depends_on, formulas, parameters, vector
from vinculum.tolerances.iterations import LEGENDRE_STATES
from vinculum.tolerances.sizes import OPERATIONS_OF_A_FIELD


@final
@dataclass(frozen=True, eq=False, repr=False)
class PhaseFunction:
    """A function of coordinates, momenta and time, one number or an array of them. Called with states it gives numbers.

    ``heads``: the left side of each formula in LaTeX. ``graphs``: over q, p, t of the phase space, and over the velocities w that
    momenta determine.
    """

    space: PhaseSpace
    heads: tuple[str, ...]
    graphs: np.ndarray

    def __repr__(self):
        return (
            f"PhaseFunction({', '.join(self.heads[:3])}{', …' if len(self.heads) > 3 else ''}, of '{self.space.name}')"
        )

    def __call__(self, q, p, t: Any = 0.0, parameters: Mapping[str, float] | None = None) -> Any:
        """Its values at coordinates and momenta, (n,) each, or at rows (B, n) of them."""
        one, rows = state_rows(self.space, q, p, t)
        values = parameter_values(self.space.where, self.parameters, parameters)
        found = self.at_rows(np.concatenate([rows, _repeat(values, len(rows))], axis=1))
        bad = np.flatnonzero(~np.isfinite(found).all(axis=1))
        if len(bad):
            raise self._not_finite(rows[bad[0]], values)
        if not self.space.is_linear:
            self._check_branches(rows, values)
        found = found.reshape(len(rows), *np.shape(self.graphs))
        return found[0][()] if one else found

    def _not_finite(self, row: np.ndarray, values: Mapping[str, float]) -> StartError:
        """What is said of a state at which it has no value."""
        space = self.space
        what = f"{space.where}: {self.heads[0]} is not finite at {place(space, row)}"
        loose = degenerate_velocities(space, self._momenta, row, _repeat(values, 1)[0]) if len(space.w) else []
        if loose:
            return StartError(
                f"{what}, where ∂²L/∂v∂v is singular, so that momenta do not determine {', '.join(loose)}; choose a state where it "
                "is regular"
            )
        remedy = "" if space.is_linear else ", and momenta that some velocities have"
        return StartError(f"{what}; choose a state where it is defined{remedy}")

    def _check_branches(self, rows: np.ndarray, values: Mapping[str, float]) -> None:
        """Refuse momenta to which several velocities belong, at some of the states if they are many."""
        space, every = self.space, _repeat(values, 1)[0]
        for row in rows[np.unique(np.linspace(0, len(rows) - 1, LEGENDRE_STATES).astype(int))]:
            found = velocities_with(self._momenta, row, every, len(space.w))
            if len(found) > 1:
                names = ", ".join(one.args[0] for one in space.w)
                given = "; ".join(", ".join(f"{x:.6g}" for x in one) for one in found)
                raise StartError(
                    f"{space.where}: at {place(space, row)} Legendre's transform is not single-valued, since several velocities have these "
                    f"momenta: {names} = {given}; choose momenta that one velocity has, or simulate the Lagrangian system itself"
                )

    @cached_property
    def _momenta(self) -> Tape:
        return momentum_tape(self.space, self.parameters)

    def at_rows(self, rows: np.ndarray) -> np.ndarray:
        """Values (B, k) at rows (q, p, t, parameters), without checks."""
        with np.errstate(all="ignore"):
            return evaluate_again(self.tape, rows)

    @cached_property
    def parameters(self) -> dict[str, float]:
        """Names and default values of its parameters, and of those of the Hamiltonian."""
        return {**self.space.parameters, **parameters(np.append(self.graphs, 0.0))}

    @cached_property
    def tape(self) -> Tape:
        """The graphs over q, p, t and then parameters."""
        return space_tape(self.space, {"value": self.space.explicit(self.graphs)}, self.parameters)

    def sympy(self) -> Any:
        """The function as a SymPy expression, or an object array of them; simplified if it is short.

        Where momenta are not linear in the velocities it holds the velocities, which `latex` defines.
        """
        import sympy

        made = formulas(self._shown)
        made = np.asarray(made, dtype=object)
        if self._is_short:
            flat = np.empty(made.size, dtype=object)
            flat[:] = [sympy.simplify(x) for x in made.ravel()]
            made = flat.reshape(made.shape)
        return made[()] if made.ndim == 0 else made

    def latex(self) -> str:
        """The formulas in LaTeX, one on each line; long ones with names for values that occur more than once."""
        import sympy

        made, values = self._formulas()
        every = {one for x in [*made, *(x for _, x in values)] for one in x.free_symbols} | {z for z, _ in values}
        names = {one: name_latex(self.space, one.name) for one in every}
        lines = [f"{head} = {sympy.latex(x, symbol_names=names)}" for head, x in zip(self.heads, made, strict=True)]
        return "\n".join([*lines, *(f"{names[z]} = {sympy.latex(x, symbol_names=names)}" for z, x in values)])

    def _formulas(self) -> tuple[list, list[tuple]]:
        """Right sides, and named values with their formulas."""
        import sympy

        if not self._is_short:
            leaves = {x: x.args[0] for x in (*self.space.x, self.space.t, *self.space.w)}
            right, values = name_shared(np.ravel(self._shown), leaves)
        else:
            right, values = [sympy.expand(x) for x in np.ravel(np.asarray(self.sympy(), dtype=object))], []
        if not self.space.is_linear:
            rows = [one for one in self.space.stationarity if depends_on([one], self.space.p)]
            p = self.space.p[-len(rows) :]
            sides = formulas(np.array([*p, *(x - one for x, one in zip(p, rows, strict=True))], dtype=object))
            values = [*values, *((sides[k], sympy.simplify(sides[len(p) + k])) for k in range(len(p)))]
        return right, values

    @cached_property
    def _shown(self) -> np.ndarray:
        return self.space.explicit(self.graphs) if self.space.is_linear else np.asarray(self.graphs, dtype=object)

    @property
    def _is_short(self) -> bool:
        """Whether SymPy can simplify it in reasonable time; operations that occur twice count once."""
        inputs = {"x": self.space.x, "t": np.array([self.space.t]), "w": self.space.w}
        return len(trace(inputs, {"y": self._shown}).code) <= OPERATIONS_OF_A_FIELD


def space_tape(space: PhaseSpace, outputs: Mapping[str, object], given: Mapping[str, float] | None = None) -> Tape:
    """Named outputs over (q, p, t, parameters)."""
    return trace({"x": space.x, "t": np.array([space.t])}, outputs, space.parameters if given is None else given)


def function_of(space: PhaseSpace, what: str, given: Any) -> PhaseFunction:
    """A function on a phase space that is given as one, or as a function of coordinates, momenta and time."""
    if isinstance(given, PhaseFunction):
        if given.space is not space:
            raise ModelError(
                f"{space.where}: {what} belongs to '{given.space.name}'; functions are used with the Hamiltonian they were made with"
            )
        return given
    graphs = np.asarray(
        bind(f"{space.where}: {what}", given, space.coordinates)(space.q, space.p, space.t), dtype=object
    )
    heads = (what,) if graphs.ndim == 0 else tuple(f"{what}_{{{k + 1}}}" for k in range(graphs.size))
    return PhaseFunction(space, heads, graphs)


def one_of(space: PhaseSpace, what: str, given: Any) -> PhaseFunction:
    """The same, which must be one number."""
    found = function_of(space, what, given)
    if found.graphs.size != 1:
        raise ModelError(
            f"{space.where}: {what} has shape {found.graphs.shape}; give a function that returns one number"
        )
    return PhaseFunction(space, found.heads, found.graphs.reshape(()))


def momentum_names(coordinates: Sequence[str]) -> tuple[str, ...]:
    """p_x for a coordinate x."""
    return tuple(f"p_{name}" for name in coordinates)


def bind(where: str, function: Any, coordinates: Sequence[str]) -> Callable[..., np.ndarray]:
    """A user's function, whose arguments say what it looks at, as a function of arrays q and p and of t.

    ``q`` and ``p`` are the arrays, ``x`` and ``p_x`` belong to a coordinate called x, and ``t`` is the time.
    """
    try:
        given = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise ModelError(f"{where} is {shorten(function)}; give a function, such as lambda q, p: …") from error
    own, other = list(coordinates), list(momentum_names(coordinates))
    names = [one.name for one in given if one.default is one.empty]
    strange = [name for name in names if name not in ("q", "p", "t", *own, *other)]
    if strange or any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in given):
        raise ModelError(
            f"{where}: its function has the argument '{(strange or ['*'])[0]}'; name arguments q, p (arrays), "
            f"{', '.join((*own[:2], *other[:2]))}, …, or t"
        )

    def call(q, p, t) -> np.ndarray:
        known = {"q": q, "p": p, "t": t, **dict(zip(own, q, strict=True)), **dict(zip(other, p, strict=True))}
        try:
            found = function(**{name: known[name] for name in names})
        except VinculumError as error:
            raise type(error)(f"{where}: {error}") from error
        except Exception as error:
            raise ModelError(
                f"{where}: its function failed on symbols: {type(error).__name__}: {error}; write it with vc.math, and "
                "vc.math.where instead of `if`"
            ) from error
        try:
            array = np.asarray(vector(found), dtype=object)
        except (VinculumError, TypeError, ValueError) as error:
            raise ModelError(f"{where}: its function returned {shorten(found)}; return numbers") from error
        if any(not isinstance(x, Scalar) and not np.isfinite(x) for x in array.ravel()):
            raise ModelError(f"{where}: its function returned {shorten(found)}, which is not finite")
        return array

    return call


def state_rows(space: PhaseSpace, q, p, t) -> tuple[bool, np.ndarray]:
    """Rows (B, 2n + 1) of coordinates, momenta and instants; whether one state was given."""
    parts = [floats(f"{space.where}: {what}", x) for what, x in (("q", q), ("p", p))]
    one = all(x.ndim <= 1 for x in parts)
    for what, x, names in zip(("q", "p"), parts, (space.coordinates, space.momenta), strict=True):
        if x.ndim not in (1, 2) or x.shape[-1] != space.n or not len(x):
            raise StartError(
                f"{space.where}: {what} has shape {x.shape}; give {space.n} numbers for {', '.join(names)}, or rows of them"
            )
    q, p = (np.atleast_2d(x) for x in parts)
    if len(q) != len(p) and 1 not in (len(q), len(p)):
        raise StartError(f"{space.where}: {len(q)} rows of q and {len(p)} of p; give as many of both")
    count = max(len(q), len(p))
    times = floats(f"{space.where}: t", t)
    if times.shape not in ((), (1,), (count,)):
        raise StartError(
            f"{space.where}: t has shape {times.shape}; give one instant, or one for each of {count} states"
        )
    return one, np.concatenate(
        [np.broadcast_to(q, (count, space.n)), np.broadcast_to(p, (count, space.n)), np.broadcast_to(times, count)[:, None]],
        axis=1,
    )  # fmt: skip


def place(space: PhaseSpace, row: np.ndarray) -> str:
    """A state in words."""
    names = (*space.coordinates, *space.momenta)
    return ", ".join(f"{name} = {x:.6g}" for name, x in zip(names, row[: 2 * space.n], strict=True))


def _repeat(values: Mapping[str, float], count: int) -> np.ndarray:
    ordered = [values[name] for name in sorted(values)]
    return np.broadcast_to(ordered, (count, len(ordered)))


def name_latex(space: PhaseSpace, name: str) -> str:
    """A coordinate, momentum, velocity or parameter in LaTeX."""
    if name in space.momenta:
        own = space.coordinates[space.momenta.index(name)]
        return letter(name).latex if latex_name(own) == letter(own).latex else f"p_{{{latex_name(own)}}}"
    return (
        latex_name(name)
        if name in space.coordinates or name in {one.args[0] for one in space.w}
        else letter(name).latex
    )


def rate_latex(space: PhaseSpace, name: str) -> str:
    """The rate of a coordinate or momentum in LaTeX."""
    if name in space.momenta or name.endswith("_dddot"):
        return rf"\dot{{{name_latex(space, name)}}}"
    return latex_name(f"{name[:-3]}ddot" if name.endswith("dot") else f"{name}_dot")
