"""`LagrangianSystem`: a mechanical system given by its Lagrangian."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.bonds import Realization
from vinculum.bonds.constraints.realizations import read_realization
from vinculum.derivations.lagrangian.canonical import Canonical, canonical
from vinculum.derivations.lagrangian.euler_lagrange import EulerLagrange, euler_lagrange
from vinculum.derivations.lagrangian.legendre import Legendre
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.lagrangian.restriction import restricted_parts
from vinculum.equations.lagrangian.principle import Principle, principle_of
from vinculum.errors import ModelError, shorten
from vinculum.systems import nearest
from vinculum.systems.jets import JetFunction, array_name, derivative_name, jet_function
from vinculum.systems.pickling import check_picklable
from vinculum.tolerances.sizes import HIGHEST_DERIVATIVE
from vinculum.upward import ShownInNotebooks

CONSTRAINT = "name: (function, realization), as {'blade': (lambda q, v: …, vc.DAlembert())}"


@final
@dataclass(frozen=True, eq=False)
class LagrangianSystem(ShownInNotebooks):
    r"""A system given by coordinates, a Lagrangian L, other generalized forces D, and constraints with their
    realizations.

    .. math:: \frac{d}{dt}\frac{\partial L}{\partial\dot q^i} - \frac{\partial L}{\partial q^i} = D_i + R_i

    ``lagrangian``: a function whose argument names say what it depends on: ``q``, ``v``, ``a``, ``j`` are arrays of
    the coordinates and their derivatives, ``x``, ``x_dot``, ``x_ddot`` those of a coordinate called x, ``t`` the time;
    L may be of any order. ``dissipation``: a function that returns the covector D. ``constraints``: functions that
    vanish, by name, each with its realization. Write all of them with `vc.math`, in any consistent units. Gołubowska,
    Some aspects of affine motion and nonholonomic constraints, (13)–(36), (91)–(95).

    >>> swing = vc.LagrangianSystem("swing", ["phi"], lambda q, v: 0.5 * v[0] ** 2 + 9.81 * vc.math.cos(q[0]))
    >>> print(swing.equations().latex())
    \ddot{\phi} + \frac{981 \sin{\left(\phi \right)}}{100} = 0
    """

    name: str
    coordinates: Sequence[str]
    lagrangian: Callable | JetFunction
    dissipation: Callable | JetFunction | None = None
    constraints: Mapping[str, tuple[Callable | JetFunction, Realization | str]] | None = None

    def __post_init__(self):
        if not isinstance(self.name, str) or not self.name:
            raise ModelError(f"a Lagrangian system is named {shorten(self.name)}; give it a name, such as 'pendulum'")
        object.__setattr__(self, "coordinates", coordinate_names(self._where, self.coordinates))
        object.__setattr__(self, "constraints", self._functions_of_constraints())
        assert self.principle is not None

    def __repr__(self):
        return f"LagrangianSystem({self.name!r}, coordinates={list(self.coordinates)}, constraints={list(self.constraints or ())})"

    def __reduce__(self):
        given = (self.name, self.coordinates, self.lagrangian, self.dissipation, self.constraints)
        check_picklable(self._where, dict(zip(("lagrangian", "dissipation", "constraints"), given[2:], strict=True)))
        return LagrangianSystem, given

    def __copy__(self):
        return self

    def __deepcopy__(self, known):
        return self

    @property
    def _where(self) -> str:
        return f"Lagrangian system '{self.name}'"

    @property
    def order(self) -> int:
        """The highest derivative in the Lagrangian and in vakonomic constraints."""
        return self.principle.order

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values of its parameters."""
        return self.principle.parameters()

    def with_realization(self, constraint: str, realization: Realization | str) -> "LagrangianSystem":
        """The same system with one of its constraints realized in another way."""
        known = dict(self.constraints or {})
        if constraint not in known:
            raise ModelError(f"{self._where} has no constraint '{constraint}'{nearest(constraint, known)}")
        return replace(self, constraints={**known, constraint: (known[constraint][0], realization)})

    @cached_property
    def principle(self) -> Principle:
        """L, D and the constraints as graphs."""
        lagrangian = jet_function(f"{self._where}: lagrangian", self.lagrangian, self.coordinates)
        constraints = self._functions_of_constraints()
        return principle_of(self._where, self.coordinates, lagrangian, self._dissipation(), constraints)

    @cached_property
    def numbers(self) -> LagrangianNumbers:
        """The same as tapes, for arrays of numbers."""
        return LagrangianNumbers(self.name, tuple(self.coordinates), self.principle)

    def equations(self) -> EulerLagrange:
        """The equations of Euler and Lagrange as graphs, SymPy formulas and LaTeX."""
        return euler_lagrange(self.name, self.coordinates, self.principle)

    def canonical(self) -> Canonical:
        """The Hamiltonian and Hamilton's equations as SymPy formulas and LaTeX; the momenta must be linear in the
        velocities."""
        return canonical(self.name, self.coordinates, self.principle)

    @property
    def legendre(self) -> Legendre:
        """The Legendre transform: momenta, energy and Hamiltonian at a state."""
        return Legendre(self.numbers)

    def accelerations(
        self, q, v, t: float = 0.0, multipliers=(), parameters: Mapping[str, float] | None = None
    ) -> np.ndarray:
        """v̇ (n,) of a first-order system at a state, with ``multipliers`` of its vakonomic constraints."""
        return self.numbers.accelerations(q, v, t, multipliers, parameters)

    def restrict(self, places: Callable, coordinates: Sequence[str], name: str | None = None) -> "LagrangianSystem":
        r"""The system restricted to the surface q = f(x), with coordinates x.

        .. math:: L^W(x, \dot x, t) = L(f, \dot f, t),\qquad D^W_\mu = D_i\,\frac{\partial f^i}{\partial x^\mu}

        ``places``: the function f, of an array ``q``, of the named ``coordinates`` and of ``t``, that returns the old coordinates.
        Constraints that hold everywhere on the surface are dropped. Gołubowska (27)–(31).
        """
        coordinates = coordinate_names(f"{self._where}, restricted", coordinates)
        where = f"{self._where}: the surface"
        parts = restricted_parts(self.principle, jet_function(where, places, coordinates), coordinates)
        return LagrangianSystem(name or f"{self.name} on a surface", coordinates, *parts)

    def _dissipation(self) -> JetFunction | None:
        if self.dissipation is None:
            return None
        return jet_function(f"{self._where}: dissipation", self.dissipation, self.coordinates)

    def _functions_of_constraints(self) -> dict[str, tuple[JetFunction, Realization]]:
        given: Any = {} if self.constraints is None else self.constraints
        if not isinstance(given, Mapping):
            raise ModelError(f"{self._where}: constraints is {shorten(given)}; give a mapping {CONSTRAINT}")
        found = {}
        for name, entry in given.items():
            if not isinstance(name, str) or not name.isidentifier():
                raise ModelError(
                    f"{self._where}: a constraint is named {shorten(name)}; use letters, digits and underscores"
                )
            where = f"{self._where}: constraint '{name}'"
            if not (isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[1], (Realization, str))):
                raise ModelError(
                    f"{where} is {shorten(entry)}; give a function that vanishes and a realization, "
                    f"which determines the motion: {CONSTRAINT}"
                )
            found[name] = (jet_function(where, entry[0], self.coordinates), read_realization(where, entry[1]))
        return found


def coordinate_names(where: str, given) -> tuple[str, ...]:
    """Names of coordinates, each of which can stand in a function with its derivatives."""
    if isinstance(given, str) or not isinstance(given, Sequence) or not given:
        raise ModelError(f"{where}: coordinates is {shorten(given)}; give a list of names, such as ['x', 'y']")
    names = tuple(given)
    taken = {"t", *(array_name(k) for k in range(HIGHEST_DERIVATIVE + 1))}
    for i, name in enumerate(names):
        if not isinstance(name, str) or not name.isidentifier():
            raise ModelError(f"{where}: coordinate {shorten(name)} is not a name; use letters, digits and underscores")
        if name in taken:
            raise ModelError(
                f"{where}: the name '{name}' of a coordinate is taken: q, v, a, j, d4, … stand for all of them, "
                "t for the time; use another one"
            )
        taken |= {derivative_name(names[i], k) for k in range(HIGHEST_DERIVATIVE + 1)}
    return names
