"""`Hamiltonian`: a Hamiltonian system, given or made from a system."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.derivations.lagrangian.system import coordinate_names
from vinculum.errors import MethodError, ModelError, shorten
from vinculum.geometry.hamiltonian.brackets import dirac_bracket, poisson_bracket
from vinculum.geometry.hamiltonian.classes import pairs_of
from vinculum.geometry.hamiltonian.functions import PhaseFunction, bind, function_of, momentum_names, one_of, rate_latex
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.sources import legendre_transform
from vinculum.geometry.hamiltonian.sources.legendre import name_symbols
from vinculum.scalars import Scalar, depends_on, substitute, symbol
from vinculum.systems.pickling import check_picklable


@final
@dataclass(frozen=True, eq=False)
class Hamiltonian:
    r"""A Hamiltonian system with coordinates q and momenta p.

    .. math:: \dot q^i = \frac{\partial H}{\partial p_i},\qquad \dot p_i = -\frac{\partial H}{\partial q^i}

    ``hamiltonian``: a function whose argument names say what it depends on: ``q`` and ``p`` are arrays, ``x`` and ``p_x`` belong to a
    coordinate called x, ``t`` is the time; write it with `vc.math`. ``constraints``: functions of the same that vanish, by name. The
    rate of one on positions is added. All of them together must be of the second class; the motion then follows from Dirac's bracket.
    """

    name: str
    coordinates: Sequence[str]
    hamiltonian: Callable | PhaseSpace
    constraints: Mapping[str, Callable] | None = None

    def __post_init__(self):
        if not isinstance(self.name, str) or not self.name or not self.name.isprintable():
            raise ModelError(f"a Hamiltonian is named {shorten(self.name)}; give it a name, such as 'oscillator'")
        where = f"Hamiltonian '{self.name}'"
        if not isinstance(self.hamiltonian, PhaseSpace):
            object.__setattr__(self, "coordinates", coordinate_names(where, self.coordinates))
        taken = set(self.coordinates) & {"p", *momentum_names(self.coordinates)}
        if taken:
            raise ModelError(f"{where}: the name '{min(taken)}' of a coordinate is that of a momentum; use another one")
        if self.constraints is not None and not isinstance(self.constraints, Mapping):
            raise ModelError(
                f"{where}: constraints is {shorten(self.constraints)}; give a mapping name: function, as {{'length': lambda q: …}}"
            )
        assert self.space is not None

    def __reduce__(self):
        given = (self.name, self.coordinates, self.hamiltonian, self.constraints)
        check_picklable(f"Hamiltonian '{self.name}'", dict(zip(("hamiltonian", "constraints"), given[2:], strict=True)))
        return Hamiltonian, given

    def __copy__(self):
        return self

    def __deepcopy__(self, known):
        return self

    def __repr__(self):
        return f"Hamiltonian({self.name!r}, coordinates {', '.join(self.coordinates)})"

    @classmethod
    def of(cls, system: Any, coordinates: Callable | None = None) -> "Hamiltonian":
        r"""The Hamiltonian of a `System` or of a `LagrangianSystem` of any order.

        .. math:: H = p\cdot v - L,\qquad p = \frac{\partial L}{\partial v}

        Velocities follow from momenta in closed form if these are linear in them, and by Newton's method otherwise. Holonomic constraints
        and closed loops become constraints of the second class, unless ``coordinates``, a function as in `derive`, satisfies them.
        Unilateral constraints without friction, stops of joints included, are met with impacts by sections, spectra and periodic orbits.
        """
        space, bound = legendre_transform(system, coordinates)
        return cls(space.name, space.coordinates, _with_positions(space, bound))

    @cached_property
    def space(self) -> PhaseSpace:
        """Everything as graphs."""
        if isinstance(self.hamiltonian, PhaseSpace):
            return self.hamiltonian
        where, names = f"Hamiltonian '{self.name}'", tuple(self.coordinates)
        q, p, t = name_symbols(names), name_symbols(momentum_names(names)), symbol("t")
        made = bind(f"{where}: hamiltonian", self.hamiltonian, names)(q, p, t)
        if made.size != 1:
            raise ModelError(f"{where}: its function returned shape {made.shape}; return one number, such as p @ p / 2")
        none = np.zeros(0, dtype=object)
        space = PhaseSpace(
            self.name,
            names,
            momentum_names(names),
            q,
            p,
            t,
            made.ravel()[0],
            none,
            np.zeros((0, 0), dtype=object),
            none,
        )
        graphs = []
        for name, function in dict(self.constraints or {}).items():
            if not isinstance(name, str) or not name:
                raise ModelError(f"{where}: a constraint is named {shorten(name)}; give it a name, such as 'length'")
            rows = bind(f"{where}: constraint '{name}'", function, names)(q, p, t)
            graphs += [(name, x) for x in rows.ravel()]
        still = [name for name, x in graphs if not isinstance(x, Scalar) or not depends_on([x], space.x)]
        if still:
            raise ModelError(
                f"{where}: constraint '{still[0]}' depends neither on coordinates nor on momenta; leave it out"
            )
        if all(not depends_on([x], p) for _, x in graphs):
            return _with_positions(space, tuple(graphs))
        positions = [(name, x) for name, x in graphs if not depends_on([x], p)]
        rates = [(name, _rate(space, x)) for name, x in positions]
        return _with_constraints(space, (*graphs, *rates), None)

    @property
    def momenta(self) -> tuple[str, ...]:
        """Names of the momenta."""
        return self.space.momenta

    @cached_property
    def energy(self) -> PhaseFunction:
        """H as a function on the phase space."""
        return PhaseFunction(self.space, ("H",), np.array(self.space.K, dtype=object))

    @cached_property
    def rates(self) -> PhaseFunction:
        """The canonical equations: q̇ and then ṗ (2n,), with the reactions of constraints."""
        names = (*self.space.coordinates, *self.space.momenta)
        return PhaseFunction(self.space, tuple(rate_latex(self.space, name) for name in names), self.space.rates)

    def __call__(self, q, p, t: Any = 0.0, parameters: Mapping[str, float] | None = None) -> Any:
        """H at coordinates and momenta (n,), or (B,) values at rows of them."""
        return self.energy(q, p, t, parameters)

    def latex(self) -> str:
        """H and the canonical equations in LaTeX, one on each line."""
        both = PhaseFunction(
            self.space, (*self.energy.heads, *self.rates.heads), np.append(self.space.K, self.space.rates)
        )
        return both.latex()

    def function(self, function: Callable, name: str = "f") -> PhaseFunction:
        """A function of coordinates, momenta and time on this phase space, of one number or an array of them."""
        return function_of(self.space, name, function)

    def bracket(self, left: Callable | PhaseFunction, right: Callable | PhaseFunction) -> PhaseFunction:
        r"""Poisson's bracket of two functions.

        .. math:: \{f, g\} = \frac{\partial f}{\partial q^i}\frac{\partial g}{\partial p_i} -
                  \frac{\partial f}{\partial p_i}\frac{\partial g}{\partial q^i}
        """
        f, g = one_of(self.space, "f", left), one_of(self.space, "g", right)
        made = poisson_bracket(self.space, f.graphs[()], g.graphs[()])
        return PhaseFunction(self.space, (rf"\{{{f.heads[0]}, {g.heads[0]}\}}",), np.array(made, dtype=object))

    def dirac_bracket(self, left: Callable | PhaseFunction, right: Callable | PhaseFunction) -> PhaseFunction:
        r"""Dirac's bracket of two functions, with the constraints χ of the Hamiltonian.

        .. math:: \{f, g\}_D = \{f, g\} - \{f, \chi_a\}\,(C^{-1})_{ab}\,\{\chi_b, g\},\qquad C_{ab} = \{\chi_a, \chi_b\}
        """
        if not len(self.space.constraints):
            raise MethodError(f"{self.space.where} has no constraints; bracket() is the same and needs none")
        f, g = one_of(self.space, "f", left), one_of(self.space, "g", right)
        made = dirac_bracket(self.space, f.graphs[()], g.graphs[()])
        return PhaseFunction(self.space, (rf"\{{{f.heads[0]}, {g.heads[0]}\}}_D",), np.array(made, dtype=object))

    @cached_property
    def constraint_functions(self) -> PhaseFunction:
        """The constraints χ (c,), rates of those on positions included; each vanishes along motions."""
        names = tuple(rf"\chi_{{{k + 1}}}" for k in range(len(self.space.constraints)))
        if not names:
            raise MethodError(f"{self.space.where} has no constraints")
        return PhaseFunction(self.space, names, self.space.constraints)

    def momentum(self, q, v, t: Any = 0.0, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """p = ∂L/∂v (n,) or (B, n) of velocities, for a Hamiltonian made from a system of first order."""
        space = self.space
        if len(space.w) != space.n:
            why = (
                "was given by a formula" if not len(space.w) else "has momenta that do not follow from velocities alone"
            )
            raise MethodError(f"{space.where} {why}; give momenta")
        L, *made = -1.0 * substitute(np.append(space.K, space.stationarity), space.p, np.zeros(space.n))
        rates, none = tuple(f"{name}_dot" for name in space.coordinates), np.zeros(0, dtype=object)
        tangent = PhaseSpace(
            space.name,
            space.coordinates,
            rates,
            space.q,
            space.w,
            space.t,
            L,
            none,
            np.zeros((0, 0), dtype=object),
            none,
        )
        return PhaseFunction(tangent, tuple(space.momenta), np.array(made, dtype=object))(q, v, t, parameters)


def _rate(space: PhaseSpace, x) -> Any:
    """The time derivative of a graph along the free motion."""
    return (space.derivatives([x])[0] @ space.field) + space.time_derivatives([x])[0]


def _with_positions(space: PhaseSpace, bound: tuple[tuple[str, Any], ...]) -> PhaseSpace:
    """The phase space with constraints on positions and their rates: brackets of the i-th with its own rate are positive."""
    if not bound:
        return space
    rates = tuple((name, _rate(space, x)) for name, x in bound)
    return _with_constraints(space, (*bound, *rates), tuple((i, len(bound) + i) for i in range(len(bound))))


def _with_constraints(
    space: PhaseSpace, rows: tuple[tuple[str, Any], ...], pairs: tuple[tuple[int, int], ...] | None
) -> PhaseSpace:
    graphs = np.array([*(x for _, x in rows), None], dtype=object)[:-1]
    names = tuple(name for name, _ in rows)
    made = replace(space, constraints=graphs, constraint_names=names)
    return replace(made, pairs=pairs_of(made) if pairs is None else pairs)
