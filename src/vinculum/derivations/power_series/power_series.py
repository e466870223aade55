"""`power_series`: the Taylor coefficients of a motion about its start."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.compile.series.program import SeriesProgram
from vinculum.compile.tape import OPERATIONS
from vinculum.derivations.power_series.projected import projected_program
from vinculum.derivations.power_series.radius import radius_of_convergence
from vinculum.errors import MethodError, ModelError, StartError
from vinculum.models.model_cache import model_for
from vinculum.systems import start_parameters, start_state
from vinculum.systems.state_names import q_names, v_names
from vinculum.tolerances.sizes import LARGEST_ORDER


@final
@dataclass(frozen=True, eq=False)
class PowerSeries:
    r"""Coordinates and velocities of a motion as power series in time.

    .. math:: q(t) = \sum_n q_n (t - t_0)^n,\qquad v(t) = \sum_n v_n (t - t_0)^n

    ``q``: (nq, order + 1), ``v``: (nv, order + 1), ``begin``: t₀ [s]. Telegin 2014, conclusion.
    """

    system: str
    begin: float
    q: np.ndarray
    v: np.ndarray
    q_names: tuple[str, ...]
    v_names: tuple[str, ...]

    @property
    def order(self) -> int:
        return self.q.shape[1] - 1

    @cached_property
    def radius(self) -> float:
        """An estimate of the radius of convergence [s], from the last third of the coefficients of the velocities.

        Infinite for a polynomial, or if the terms fall faster than any geometric series.
        """
        return radius_of_convergence(self.v if len(self.v) else self.q)

    def __call__(self, t) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities at an instant, (nq,) and (nv,), or at instants (T,), (T, nq) and (T, nv)."""
        elapsed = np.asarray(t, dtype=float) - self.begin
        if elapsed.ndim > 1 or not np.all(np.isfinite(elapsed)):
            raise StartError(f"a series takes a finite instant or a row of them, got {t!r}")
        q, v = (np.polynomial.polynomial.polyval(elapsed, part.T) for part in (self.q, self.v))
        return np.moveaxis(q, 0, -1), np.moveaxis(v, 0, -1)

    def __repr__(self):
        return (
            f"PowerSeries of '{self.system}' about t = {self.begin:g} s, order {self.order}, radius {self.radius:.3g} s"
        )


def power_series(
    system,
    start: Mapping[str, object] | None = None,
    order: int = 20,
    *,
    t: float = 0.0,
    parameters: Mapping[str, float] | None = None,
    form: str = "telegin",
) -> PowerSeries:
    r"""Taylor coefficients of all coordinates and velocities of the motion from ``start`` at the instant ``t`` [s].

    .. math:: M(q_0)\,(n+1)\,v_{n+1} = -\rho_n,\qquad (n+1)\,q_{n+1} = (N(q)\,v)_n

    where ρ_n is the coefficient n of the projected equations with v_{n+1} = 0. ``form``: the equations that are expanded,
    "telegin", "newton-euler" or "lagrange"; the coefficients are the same. Piecewise forces are expanded on the side
    of the start. Telegin 2014, conclusion.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> series = vc.power_series(system, {"hinge": 0.2}, order=6)
    """
    model = model_for(system)
    model.check_written_out("power series")
    model.check_unbounded("power series")
    tree = model.tree
    if tree is None:
        raise MethodError(f"'{model.name}' is a loaded run; power series need the System it came from")
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or not 0 <= order <= LARGEST_ORDER:
        raise StartError(f"order {order!r} must be a whole number from 0 to {LARGEST_ORDER}")
    if not (isinstance(t, (int, float, np.number)) and math.isfinite(t)):
        raise StartError(f"t {t!r} must be a finite instant in seconds")
    given = dict(parameters or {})
    own = start_parameters(start if isinstance(start, Mapping) else None) - set(model.parameters)
    values = model.parameter_values({name: x for name, x in given.items() if name not in own})
    named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    q, v = start_state(tree, start, given | named)
    program = projected_program(model, form)
    W = expand_program(program, tree.name, q, v, float(t), values, int(order))
    return PowerSeries(tree.name, float(t), W[: tree.nq].copy(), W[tree.nq : tree.nq + tree.nv].copy(),
                       tuple(q_names(tree)), tuple(v_names(tree)))  # fmt: skip


def expand_program(program: SeriesProgram, name: str, q, v, t: float, values, order: int) -> np.ndarray:
    """The coefficients of every row of a program, (rows, order + 1), from a state at an instant."""
    from vinculum.compile.series.steps import Program, Sizes, expand
    from vinculum.compile.series.values import FINE

    nq, nv = len(q), len(v)
    W = rows_of(program, np.concatenate([q, v]), nv, values, order)
    D, G = np.zeros(len(W)), np.empty((nv, nv))
    code = Program(program.code, program.moving, program.tangent, program.results)
    status, where = expand(code, W, D, G, Sizes(nq, nv, order), t)
    if status != FINE:
        raise failure(program, name, status, where, t)
    if not np.all(np.isfinite(W[: nq + nv])):
        raise MethodError(f"system '{name}': a coefficient of the series overflows; use a lower order than {order}")
    return W


def rows_of(program: SeriesProgram, state, nv: int, values, order: int) -> np.ndarray:
    """Room for all coefficients, with state, parameters and constants in place."""
    W = np.zeros((program.rows, order + 1))
    first = len(state) + 1 + nv
    W[: len(state), 0] = state
    W[first : first + len(values), 0] = values
    W[program.first_constant : program.first_constant + len(program.constants), 0] = program.constants
    return W


def failure(program: SeriesProgram, name: str, status: int, where: int, t: float) -> Exception:
    """Why there is no series here, with the operation at fault."""
    from vinculum.compile.series.steps import MASSLESS
    from vinculum.compile.series.values import AT_SWITCH, NO_SERIES

    if status == MASSLESS:
        return ModelError(
            f"system '{name}': the mass matrix is singular at t = {t:.9g} s, so some acceleration is not determined; "
            "give every velocity some inertia"
        )
    function = int(program.code[where, 5]) if where >= 0 else -1
    operation = OPERATIONS[function] if function >= 0 else "square root or quotient"
    if status == AT_SWITCH:
        return MethodError(
            f"system '{name}': at t = {t:.9g} s the state lies exactly on a switch of a force ('{operation}'), where it has "
            "no power series; start a little before or after it"
        )
    if status == NO_SERIES:
        return MethodError(
            f"system '{name}': at t = {t:.9g} s a force holds the '{operation}' of zero, which has no power series there; "
            "start elsewhere, or write the force without it (a whole power as a product)"
        )
    return MethodError(
        f"system '{name}': at t = {t:.9g} s the equations are not finite ('{operation}'); start elsewhere"
    )
