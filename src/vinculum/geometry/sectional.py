"""`sectional_curvature`: the curvature of a plane of directions."""

from collections.abc import Mapping

import numpy as np

from vinculum.errors import StartError
from vinculum.geometry.chart import vector_of
from vinculum.geometry.metric import Metric
from vinculum.tolerances.rank import DEPENDENT_ROWS


def sectional_curvature(metric: Metric, q, u, w, parameters: Mapping[str, float] | None = None) -> float:
    r"""The curvature of the plane of two vectors ``u`` and ``w`` (n,) at coordinates ``q`` (n,).

    .. math:: K = \frac{R_{ijkl}\,u^i w^j u^k w^l}{g(u,u)\,g(w,w) - g(u,w)^2}
    """
    u, w = vector_of(metric.chart, "u", u), vector_of(metric.chart, "w", w)
    q = vector_of(metric.chart, "q", q)
    g, R = metric(q, parameters), metric.riemann(q, parameters)
    a, b = _unit(g, u), _unit(g, w)
    spread = 1.0 - (a @ g @ b) ** 2
    if not (a.any() and b.any() and spread > DEPENDENT_ROWS):
        raise StartError(
            f"{metric.chart.where}: u = {u.tolist()} and w = {w.tolist()} span no plane; give two vectors that are not parallel"
        )
    return float(np.einsum("ijkl,i,j,k,l->", R, a, b, a, b) / spread)


def _unit(g: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The vector of unit length along x, whatever its size; zero of a vector that vanishes."""
    size = np.abs(x).max()
    if size == 0.0:
        return x
    x = x / size
    return x / np.sqrt(x @ g @ x)
