"""Riemann's tensor over the coordinates of a chart."""

import numpy as np

from vinculum.geometry.chart import Chart


def lowered_riemann(chart: Chart) -> np.ndarray:
    r"""R_ijkl (n, n, n, n), each of its independent components made once.

    .. math:: R_{ijkl} = \tfrac12 (g_{il,jk} + g_{jk,il} - g_{ik,jl} - g_{jl,ik})
              + g^{mp} (\Gamma_{m,jk}\Gamma_{p,il} - \Gamma_{m,jl}\Gamma_{p,ik})
    """
    n, second, lowered, mixed = chart.n, chart.second_metric_derivatives, chart.lowered_christoffel, chart.christoffel
    R = np.zeros((n,) * 4, dtype=object)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    for a, (i, j) in enumerate(pairs):
        for k, l in pairs[a:]:
            linear = second[i, l, j, k] + second[j, k, i, l] - second[i, k, j, l] - second[j, l, i, k]
            found = 0.5 * linear + mixed[:, j, k] @ lowered[:, i, l] - mixed[:, j, l] @ lowered[:, i, k]
            for x, y, z, w in ((i, j, k, l), (k, l, i, j)):
                R[x, y, z, w] = R[y, x, w, z] = found
                R[y, x, z, w] = R[x, y, w, z] = -1.0 * found
    return R
