"""Fixed points of forces that depend strongly on velocities, such as those of stiff dampers."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.steps import DEPENDENT_DIFFERENCE


@njit(nogil=True, cache=True, error_model="numpy")
def next_iterate(kept, last, defect, search, x):
    r"""Write the next point of a fixed-point iteration over the present one, x (n,); returns the number of differences that are kept.

    .. math:: x_{k+1} = x_k + r_k - (\Delta X + \Delta R)\,\gamma,\qquad \gamma = \arg\min |r_k - \Delta R\,\gamma|

    ``defect``: r = g(x) − x. ``last`` (2, n): the point and the defect before, replaced by these; there are none if ``kept`` is negative.
    ``search``: differences ΔR, made orthonormal, and ΔX + ΔR, (k, n) each, of which the first ``kept`` are known. If there is no room for
    more, they are forgotten. A difference that depends on others is left out; an error of γ leaves the fixed point where it is. For a
    linear g it ends after as many points as g has different eigenvalues, however large these are. Anderson, J. ACM 12 (1965) 547; Walker
    and Ni, SIAM J. Numer. Anal. 49 (2011) 1715.
    """
    n, (across, along) = len(x), search
    if kept == len(across):
        kept = 0
    if kept >= 0:
        q, w, size, rest = across[kept], along[kept], 0.0, 0.0
        for i in range(n):
            q[i] = defect[i] - last[1, i]
            w[i] = x[i] - last[0, i] + q[i]
            size += q[i] * q[i]
        for _ in range(2):
            for k in range(kept):
                share = 0.0
                for i in range(n):
                    share += across[k, i] * q[i]
                for i in range(n):
                    q[i] -= share * across[k, i]
                    w[i] -= share * along[k, i]
        for i in range(n):
            rest += q[i] * q[i]
        if rest > DEPENDENT_DIFFERENCE**2 * size:
            scale = 1.0 / np.sqrt(rest)
            for i in range(n):
                q[i] *= scale
                w[i] *= scale
            kept += 1
    kept = max(kept, 0)
    for i in range(n):
        last[0, i], last[1, i] = x[i], defect[i]
        x[i] += defect[i]
    for k in range(kept):
        share = 0.0
        for i in range(n):
            share += across[k, i] * last[1, i]
        for i in range(n):
            x[i] -= share * along[k, i]
    return kept
