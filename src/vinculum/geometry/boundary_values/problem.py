"""`BoundaryValueProblem`: curves of stationary action between given ends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import MethodError, ModelError, StartError, shorten
from vinculum.geometry.boundary_values.actions import ActionGraph, Rows, action_graph
from vinculum.geometry.boundary_values.curve import StationaryCurve
from vinculum.geometry.boundary_values.discrete import Conditions, Integral
from vinculum.geometry.boundary_values.refinement import solve_to
from vinculum.geometry.chart import parameter_values
from vinculum.motion.arguments import floats
from vinculum.scalars import parameters as parameters_of
from vinculum.scalars.graph import replay
from vinculum.scalars.math import NUMERIC
from vinculum.systems import nearest
from vinculum.systems.jets import jet_function
from vinculum.tolerances.boundary_values import CURVES, END_ON_CONSTRAINT

LEAST, STATIONARY = "least", "stationary"


@final
@dataclass(frozen=True, eq=False)
class BoundaryValueProblem:
    r"""The curves q(t) between given ends whose action is stationary.

    .. math:: \delta\int\big(L + \lambda\cdot F + \mu\cdot G\big)\,dt = 0,\qquad F = 0,\quad \int G\,dt = c,\quad h \ge 0

    ``system``: a `LagrangianSystem`, whose vakonomic constraints and constraints on positions are the F, or a `System` without dissipation.
    ``start`` and ``end``: values by the names of coordinates; a coordinate that is not named is free there. ``until``: the end time, or a
    pair of limits between which it is free. ``integrals``: {name: (function G, value c)}; ``unilaterals``: {name: function h}, both
    functions as those of a `LagrangianSystem`. A coordinate whose rate occurs nowhere is a control and may jump. Gołubowska (32), (47),
    (69).
    """

    system: Any
    start: Mapping[str, float]
    end: Mapping[str, float]
    until: float | tuple[float, float]
    begin: float = 0.0
    integrals: Mapping[str, tuple[Callable, float]] | None = None
    unilaterals: Mapping[str, Callable] | None = None

    def __post_init__(self):
        assert self.action is not None
        for name in ("start", "end"):
            object.__setattr__(self, name, self._ends(name, getattr(self, name)))
        object.__setattr__(self, "begin", self._number("begin", self.begin))
        limits = self.until if isinstance(self.until, (tuple, list)) else (self.until, self.until)
        if len(limits) != 2:
            raise ModelError(f"{self.where}: until is {shorten(self.until)}; give an end time, or two limits of it")
        low, high = (self._number("until", x) for x in limits)
        if not self.begin < low <= high:
            raise ModelError(
                f"{self.where}: until is {shorten(self.until)}; it must be after {self.begin:g}, the lower limit first"
            )
        object.__setattr__(self, "until", (low, high))
        for name in ("integrals", "unilaterals"):
            given = getattr(self, name)
            if given is not None and not (
                isinstance(given, Mapping) and all(isinstance(one, str) and one for one in given)
            ):
                raise ModelError(f"{self.where}: {name} is {shorten(given)}; give a mapping from names")
        taken = [rows.name for rows in self.action.constraints]
        for name in (*(self.integrals or ()), *(self.unilaterals or ())):
            if name in taken:
                raise ModelError(f"{self.where}: there are two conditions '{name}'; give each a name of its own")
            taken.append(name)
        assert self._graphs is not None

    def __repr__(self):
        return f"BoundaryValueProblem({self.action.name}, start {dict(self.start)}, end {dict(self.end)})"

    @property
    def where(self) -> str:
        """What messages call it."""
        return f"boundary-value problem of {self.action.name}"

    @cached_property
    def action(self) -> ActionGraph:
        return action_graph(self.system)

    def solve(self, guess: Callable | None = None, *, kind: str = LEAST, tolerance: float = CURVES,
              parameters: Mapping[str, float] | None = None) -> StationaryCurve:  # fmt: skip
        """A curve near the ``guess``, a function of t that returns all coordinates; by default the straight line between the ends.

        ``kind``: "least", the action is least among near curves, by IPOPT; or "stationary", whatever its second variation, which excludes
        unilateral constraints. The mesh is refined until coordinates, end time and action change by less than ``tolerance``. An
        infeasible problem raises `RunError`, which names the condition.
        """
        if kind not in (LEAST, STATIONARY):
            raise MethodError(f"{self.where}: kind is {shorten(kind)}; give '{LEAST}' or '{STATIONARY}'")
        if kind == STATIONARY and self.unilaterals:
            raise MethodError(
                f"{self.where}: it has unilateral constraints, with which only a least action is found; use kind='{LEAST}'"
            )
        if guess is not None and not callable(guess):
            raise StartError(
                f"{self.where}: guess is {shorten(guess)}; give a function of t that returns the coordinates"
            )
        allowed = self._number("tolerance", tolerance)
        if not allowed > 0.0:
            raise StartError(f"{self.where}: tolerance is {shorten(tolerance)}; give a positive number")
        conditions = self._conditions(parameters)
        self._check_ends(conditions)
        return solve_to(self.where, conditions, self._guess(conditions, guess), kind == LEAST, allowed)

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values of its parameters."""
        integrals, unilaterals = self._graphs
        every = [self.action.L, *(one.G for one in integrals)]
        every += [x for rows in (*self.action.constraints, *unilaterals) for x in rows.F]
        return parameters_of(np.array([*every, 0.0], dtype=object))

    @cached_property
    def _graphs(self) -> tuple[tuple[Integral, ...], tuple[Rows, ...]]:
        action, integrals, unilaterals = self.action, [], []
        levels = (action.q, action.v)
        for name, given in (self.integrals or {}).items():
            where = f"{self.where}: integral '{name}'"
            if not isinstance(given, (tuple, list)) or len(given) != 2:
                raise ModelError(f"{where} is {shorten(given)}; give a function and the value of its integral")
            function = jet_function(where, given[0], action.coordinates)
            self._check_order(where, function.order)
            integrals.append(
                Integral(name, function.one(levels, action.t), self._number(f"integral '{name}'", given[1]))
            )
        for name, given in (self.unilaterals or {}).items():
            where = f"{self.where}: unilateral constraint '{name}'"
            function = jet_function(where, given, action.coordinates)
            self._check_order(where, function.order)
            unilaterals.append(Rows(name, np.asarray(function.row(levels, action.t), dtype=object), function.order < 1))
        return tuple(integrals), tuple(unilaterals)

    def _check_order(self, where: str, order: int) -> None:
        if order > 1:
            raise ModelError(f"{where} is a function of accelerations; give one of coordinates, velocities and t")

    def _conditions(self, parameters: Mapping[str, float] | None) -> Conditions:
        values = parameter_values(self.where, self.parameters, parameters)
        names, (integrals, unilaterals) = list(self.action.coordinates), self._graphs
        first, last = ({names.index(name): x for name, x in given.items()} for given in (self.start, self.end))
        assert isinstance(self.until, tuple)
        return Conditions(self.action, self.begin, self.until, first, last, integrals, unilaterals, values)

    def _ends(self, which: str, given: Any) -> dict[str, float]:
        names = self.action.coordinates
        if not isinstance(given, Mapping):
            raise ModelError(
                f"{self.where}: {which} is {shorten(given)}; give values by names of coordinates, as {{'{names[0]}': 0.0}}"
            )
        for name in given:
            if name not in names:
                raise ModelError(
                    f"{self.where}: {which} names {shorten(name)}, which is no coordinate{nearest(str(name), names)}"
                )
        return {name: self._number(f"{which} of '{name}'", x) for name, x in given.items()}

    def _number(self, what: str, given: Any) -> float:
        found = floats(f"{self.where}: {what}", given)
        if found.shape != ():
            raise ModelError(f"{self.where}: {what} is {shorten(given)}; give one number")
        return float(found)

    def _check_ends(self, conditions: Conditions) -> None:
        """Refuse ends that are given completely and are not on the constraints on positions."""
        action = self.action
        for which, fixed in (("start", conditions.first), ("end", conditions.last)):
            for rows in action.constraints:
                if not rows.on_positions or len(fixed) < len(action.q):
                    continue
                known = {id(x): fixed[i] for i, x in enumerate(action.q)} | {id(action.t): self.begin}
                leaf = lambda one, known=known: known.get(id(one), conditions.parameters.get(one.args[0], 0.0))
                gaps = np.abs(replay(rows.F, leaf, NUMERIC).astype(float))
                if not gaps.max() <= END_ON_CONSTRAINT:
                    raise StartError(
                        f"{self.where}: its {which} does not satisfy constraint '{rows.name}': the gap is {gaps.max():.3g}; move it onto "
                        "the constraint, or leave a coordinate free"
                    )

    def _guess(self, conditions: Conditions, given: Callable | None) -> Callable[[np.ndarray], np.ndarray]:
        """A function from times from 0 to 1 to coordinates (B, n)."""
        n, span = len(self.action.q), 0.5 * sum(conditions.until) - conditions.begin
        if given is None:
            ends = np.zeros((2, n))
            for i in range(n):
                first, last = conditions.first.get(i), conditions.last.get(i)
                ends[:, i] = (first if first is not None else last or 0.0), (last if last is not None else first or 0.0)
            return lambda x: ends[0] + np.outer(x, ends[1] - ends[0])

        def guess(x):
            rows = [floats(f"{self.where}: guess", given(float(conditions.begin + span * one))) for one in x]
            if any(row.shape != (n,) for row in rows):
                raise StartError(
                    f"{self.where}: guess returned shape {rows[0].shape}; return the {n} coordinates {', '.join(self.action.coordinates)}"
                )
            return np.stack(rows)

        return guess
