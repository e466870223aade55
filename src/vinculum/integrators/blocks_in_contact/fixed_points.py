"""Fixed points of forces that depend strongly on velocities, such as those of stiff dampers."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.steps import DEPENDENT_DIFFERENCE


@njit(nogil=True, cache=True, error_model="numpy")
def next_iterate(count, points, defects, across, along, x):
    r"""Write the next point x (n,) of a fixed-point iteration, from its ``count`` last points, the last one in row count − 1, and their
    defects r = g(x) − x.

    .. math:: x_{k+1} = x_k + r_k - (\Delta X + \Delta R)\,\gamma,\qquad \gamma = \arg\min |r_k - \Delta R\,\gamma|

    The differences ΔR are made orthonormal, the newest first, and what depends on others is left out; an error of γ leaves the fixed point
    where it is. For a linear g it ends after as many points as g has different eigenvalues, however large these are. ``across``,
    ``along`` (count, n): to work in. Anderson, J. ACM 12 (1965) 547; Walker and Ni, SIAM J. Numer. Anal. 49 (2011) 1715.
    """
    n, kept, now = len(x), 0, count - 1
    left = across[count - 1]
    for i in range(n):
        left[i] = defects[now, i]
        x[i] = points[now, i] + defects[now, i]
    for j in range(count - 2, -1, -1):
        q, w, size = across[kept], along[kept], 0.0
        for i in range(n):
            q[i] = defects[j + 1, i] - defects[j, i]
            w[i] = points[j + 1, i] - points[j, i] + q[i]
            size += q[i] * q[i]
        size = np.sqrt(size)
        for _ in range(2):
            for k in range(kept):
                share = 0.0
                for i in range(n):
                    share += across[k, i] * q[i]
                for i in range(n):
                    q[i] -= share * across[k, i]
                    w[i] -= share * along[k, i]
        rest = 0.0
        for i in range(n):
            rest += q[i] * q[i]
        rest = np.sqrt(rest)
        if not rest > DEPENDENT_DIFFERENCE * size:
            continue
        share = 0.0
        for i in range(n):
            q[i] /= rest
            w[i] /= rest
            share += q[i] * left[i]
        for i in range(n):
            left[i] -= share * q[i]
            x[i] -= share * w[i]
        kept += 1
