"""Geodesics between two points."""

from collections.abc import Callable, Mapping

from vinculum.geometry.boundary_values.curve import StationaryCurve
from vinculum.geometry.boundary_values.problem import LEAST, BoundaryValueProblem
from vinculum.geometry.chart import parameter_values, vector_of
from vinculum.geometry.geodesics import geodesic_system
from vinculum.geometry.metric import Metric
from vinculum.tolerances.boundary_values import CURVES


def geodesic_between(metric: Metric, first, last, guess: Callable | None = None, *, kind: str = LEAST, tolerance: float = CURVES,
                     parameters: Mapping[str, float] | None = None) -> StationaryCurve:  # fmt: skip
    r"""A geodesic from coordinates ``first`` to ``last``, (n,) each, in unit time: a curve of stationary :math:`\tfrac12\int g(v, v)\,dt`.

    Its length is √(2 · action). ``guess``: a function of t from 0 to 1 that says which of several geodesics is meant. ``kind``: "least",
    shorter than all near curves; or "stationary", beyond conjugate points too. A curve that leaves the chart raises `StartError`.
    """
    chart = metric.chart
    ends = [vector_of(chart, what, x) for what, x in (("first", first), ("last", last))]
    values = parameter_values(chart.where, chart.parameters, parameters)
    for end in ends:
        chart.check_definite(end[None], values)
    system = geodesic_system(chart)
    start, end = (dict(zip(chart.coordinates, x.tolist(), strict=True)) for x in ends)
    known = {name: x for name, x in values.items() if name in system.parameters}
    curve = BoundaryValueProblem(system, start, end, 1.0).solve(guess, kind=kind, tolerance=tolerance, parameters=known)
    chart.check_definite(curve.q, values)
    return curve
