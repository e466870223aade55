"""Geodesics and the exponential map, integrated as motions of the Lagrangian ½ g(v, v)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import RunError, StartError
from vinculum.geometry.chart import Chart, parameter_values, vector_of
from vinculum.geometry.metric import Metric
from vinculum.motion.lagrangian.motion import LagrangianMotion
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.scalars import parameters as parameters_of
from vinculum.scalars import substitute
from vinculum.simulation import simulate
from vinculum.systems import Event
from vinculum.systems.jets import JetFunction

EDGE = "edge of the chart"


def geodesic(metric: Metric, q, v, until: float, *, parameters: Mapping[str, float] | None = None, method: str = "auto",
             tolerance: float | None = None, grid: Any = None, progress: bool = False) -> LagrangianMotion:  # fmt: skip
    r"""The geodesic from coordinates ``q`` with velocity ``v``, (n,) each, from time 0 to ``until``.

    .. math:: \ddot q^k + \Gamma^k_{ij}\,\dot q^i\,\dot q^j = 0

    It is the free motion of the Lagrangian ½ g(v, v), so that its speed is constant, and is a `LagrangianMotion` with energy,
    audit and dense output. A geodesic that leaves the chart raises `RunError`, whose ``motion`` is the part inside. ``method``,
    ``tolerance`` and ``grid`` are those of `simulate`.
    """
    chart = metric.chart
    start = vector_of(chart, "q", q), vector_of(chart, "v", v)
    values = parameter_values(chart.where, chart.parameters, parameters)
    chart.check_definite(start[0][None], values)
    options = {"method": method, "tolerance": tolerance, "grid": grid, "progress": progress}
    motion = run_inside(chart, geodesic_system(chart), until, start, values, **options)
    check_along(chart, motion, motion.q, values)
    return motion


def exponential(
    metric: Metric, q, v, *, parameters: Mapping[str, float] | None = None, tolerance: float | None = None
) -> np.ndarray:
    """exp_q(v): coordinates (n,) of the point at distance √g(v, v) from ``q`` on the geodesic along ``v``."""
    start = vector_of(metric.chart, "q", q)
    if not np.any(vector_of(metric.chart, "v", v)):
        return start
    return geodesic(metric, q, v, 1.0, parameters=parameters, tolerance=tolerance, grid=2).q[-1]


def geodesic_system(chart: Chart) -> LagrangianSystem:
    """The system with the Lagrangian ½ g(v, v), and nothing else."""

    def lagrangian(levels, t):
        return 0.5 * (levels[1] @ substitute(chart.g, chart.q, levels[0]) @ levels[1])

    name = f"geodesics of {chart.name}"
    return LagrangianSystem(
        name, chart.coordinates, JetFunction(f"Lagrangian system '{name}': lagrangian", 1, lagrangian)
    )


def run_inside(
    chart: Chart, system: LagrangianSystem, until, start, values: Mapping[str, float], **options
) -> LagrangianMotion:
    """A motion whose coordinates begin with those of a chart; it stops with an error where it leaves the chart."""
    events, known = [], set(system.parameters)
    if chart.inside is not None:
        inside = np.array([chart.inside], dtype=object)
        known |= set(parameters_of(inside))
        edge = lambda *views: substitute(inside, chart.q, [view.q for view in views])[0]
        events = [Event(EDGE, list(chart.coordinates), edge, direction=-1, stop=True)]
    given = {name: x for name, x in values.items() if name in known}
    try:
        motion = simulate(system, until, start, events=events, parameters=given, **options)
    except RunError as error:
        raise RunError(
            f"{chart.where}: the motion leaves the chart or g becomes singular: {error}", error.motion
        ) from error
    crossed = [one for one in motion.record.crossings if one.name == EDGE]
    if crossed:
        place = chart.place(np.ravel(motion.at(crossed[0].time).q)[: chart.n])
        raise RunError(
            f"{chart.where}: the motion leaves the chart at t = {crossed[0].time:.6g}, where {place}; take another chart there; the part "
            "inside is in the error's `motion`",
            motion,
        )
    return motion


def check_along(chart: Chart, motion: RecordedMotion, q: np.ndarray, values: Mapping[str, float]) -> None:
    """Refuse a motion along which g is not positive definite."""
    try:
        chart.check_definite(q, values)
    except StartError as error:
        raise RunError(f"{error}; the motion passes this place", motion) from error
