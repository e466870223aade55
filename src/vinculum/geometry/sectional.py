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
    uu, ww, uw = u @ g @ u, w @ g @ w, u @ g @ w
    area = uu * ww - uw * uw
    if not area > DEPENDENT_ROWS * uu * ww:
        raise StartError(
            f"{metric.chart.where}: u = {u.tolist()} and w = {w.tolist()} span no plane; give two vectors that are not parallel"
        )
    return float(np.einsum("ijkl,i,j,k,l->", R, u, w, u, w) / area)
