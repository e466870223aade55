"""Parallel transport along curves and geodesics."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.trace import trace
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import StartError
from vinculum.geometry.chart import Chart, names_apart, parameter_values, vector_of, with_parameters
from vinculum.geometry.geodesics import check_along, run_inside
from vinculum.geometry.metric import Metric
from vinculum.motion.arguments import grid_instants, whole_span
from vinculum.motion.lagrangian.motion import LagrangianMotion
from vinculum.scalars import depends_on, directional, substitute, symbol, symbols
from vinculum.simulation import simulate
from vinculum.systems.jets import JetFunction, jet_function
from vinculum.tolerances.samples import DEFAULT_GRID


@final
@dataclass(frozen=True, eq=False)
class Transport:
    """A vector ``w`` (T, n) carried parallel along a curve ``q`` (T, n) over the instants ``time`` (T,); ``motion``: the run."""

    time: np.ndarray
    q: np.ndarray
    w: np.ndarray
    motion: LagrangianMotion

    def __repr__(self):
        return f"Transport({len(self.time)} instants from {self.time[0]:.6g} to {self.time[-1]:.6g})"


def parallel_transport(metric: Metric, curve: Callable | tuple, w, until: float, *, begin: float = 0.0,
                       parameters: Mapping[str, float] | None = None, method: str = "auto", tolerance: float | None = None,
                       grid: Any = None) -> Transport:  # fmt: skip
    r"""The vector ``w`` (n,) carried along a curve so that its covariant derivative vanishes.

    .. math:: \dot w^k + \Gamma^k_{ij}\,\dot q^i\,w^j = 0

    ``curve``: a function of ``t`` that returns coordinates (n,), written with `vc.math`; or a pair ``(q, v)``, for the geodesic with
    that start. The differentiated equation is integrated with the engines of `simulate`.
    """
    chart = metric.chart
    w = vector_of(chart, "w", w)
    begin, until = whole_span(begin, until)
    values = parameter_values(chart.where, chart.parameters, parameters)
    options = {"begin": begin, "method": method, "tolerance": tolerance, "grid": grid, "progress": False}
    if callable(curve):
        return _along_curve(chart, curve, w, until, values, options)
    if not isinstance(curve, (tuple, list)) or len(curve) != 2:
        raise StartError(
            f"{chart.where}: the curve must be a function of t, or a pair (q, v) at which a geodesic starts"
        )
    q, v = vector_of(chart, "q", curve[0]), vector_of(chart, "v", curve[1])
    chart.check_definite(q[None], values)
    n, names = chart.n, names_apart(chart.coordinates, "w")
    x, w_dot = symbols("x", 3 * n), symbols("w_dot", n)
    own_q, own_v, own_w = x[:n], x[n : 2 * n], x[2 * n :]
    gamma = substitute(chart.christoffel, chart.q, own_q)
    rate = -1.0 * np.einsum("kij,i,j->k", gamma, own_v, own_w)
    turning = -1.0 * np.einsum("kij,i,j->k", gamma, own_v, own_v)
    second = directional(rate, x, np.concatenate([own_v, turning, w_dot]))

    def forces(levels, t):
        here = [*levels[0][:n], *levels[1][:n], *levels[0][n:], *levels[1][n:]]
        return np.concatenate([np.zeros(n), substitute(second, [*x, *w_dot], here)])

    def lagrangian(levels, t):
        g = substitute(chart.g, chart.q, levels[0][:n])
        return 0.5 * (levels[1][:n] @ g @ levels[1][:n] + levels[1][n:] @ levels[1][n:])

    first = _numbers(chart, rate, {"x": (x, np.concatenate([q, v, w]))}, values)
    system = _system(f"transport along geodesics of {chart.name}", (*chart.coordinates, *names), lagrangian, forces)
    motion = run_inside(chart, system, until, (np.concatenate([q, w]), np.concatenate([v, first])), values, **options)
    check_along(chart, motion, motion.q[:, :n], values)
    return Transport(motion.time, motion.q[:, :n], motion.q[:, n:], motion)


def _along_curve(
    chart: Chart, curve: Callable, w: np.ndarray, until: float, values: Mapping[str, float], options: dict
) -> Transport:
    t, n = symbol("t"), chart.n
    function = jet_function(f"{chart.where}: curve", curve, ("curve_",))
    if function.order > 0:
        raise StartError(f"{chart.where}: the curve must be a function of t")
    path = np.asarray(function.row((np.array([t]),), t, n), dtype=object)
    if not depends_on(path, [t]):
        raise StartError(f"{chart.where}: the curve does not move; give a function of t that changes")
    names, own, own_dot = names_apart(chart.coordinates, "w"), symbols("w", n), symbols("w_dot", n)
    speed = directional(path, [t], [1.0])
    gamma = substitute(chart.christoffel, chart.q, path)
    rate = -1.0 * np.einsum("kij,i,j->k", gamma, np.asarray(speed, dtype=object), own)
    second = directional(rate, [*own, t], [*own_dot, 1.0])

    def forces(levels, now):
        return substitute(second, [*own, *own_dot, t], [*levels[0], *levels[1], now])

    tape = trace({"t": np.array([t])}, {"q": path}, chart.parameters)

    def places(instants: np.ndarray) -> np.ndarray:
        return evaluate(tape, with_parameters(instants[:, None], dict(tape.parameters) | dict(values)))

    chart.check_definite(places(grid_instants(DEFAULT_GRID, options["begin"], until)), values)
    system = _system(f"transport on {chart.name}", names, lambda levels, now: 0.5 * (levels[1] @ levels[1]), forces)
    first = _numbers(chart, rate, {"w": (own, w), "t": (np.array([t]), np.array([options["begin"]]))}, values)
    given = {name: x for name, x in values.items() if name in system.parameters}
    motion = simulate(system, until, (w, first), parameters=given, **options)
    return Transport(motion.time, places(motion.time), motion.q, motion)


def _system(name: str, coordinates, lagrangian: Callable, forces: Callable) -> LagrangianSystem:
    where = f"Lagrangian system '{name}'"
    return LagrangianSystem(name, coordinates, JetFunction(f"{where}: lagrangian", 1, lagrangian),
                            JetFunction(f"{where}: dissipation", 1, forces))  # fmt: skip


def _numbers(chart: Chart, graphs, given: Mapping[str, tuple], values: Mapping[str, float]) -> np.ndarray:
    """The value of graphs where symbols have the given numbers."""
    tape = trace({name: pair[0] for name, pair in given.items()}, {"x": graphs}, chart.parameters)
    row = np.concatenate([pair[1] for pair in given.values()])
    found = evaluate(tape, with_parameters(row[None], dict(tape.parameters) | dict(values)))[0]
    if not np.all(np.isfinite(found)):
        raise StartError(f"{chart.where}: the Christoffel symbols are not finite at the start; start elsewhere")
    return found
