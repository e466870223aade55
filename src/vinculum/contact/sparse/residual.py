r"""The residual of impulses: relative to all impulses, and for every contact relative to the velocity change of its own bodies.

.. math:: \varepsilon = P - \mathrm{proj}(P - u/w),\qquad
    r = \max\Bigl(\frac{\|\varepsilon\|}{\|P\|},\; \frac1{200} \max_c \frac{w_c\,|\varepsilon_c|}{|g|\,h + |\Delta v|}\Bigr)

w ε is the velocity by which a contact misses its law; 1/w is the effective mass of its bodies there, at most the mass of the lighter
one. |Δv| is the velocity change in the step of the body that changes less. A light body among heavy ones has impulses as large as
theirs; this measure judges it by its own motion.
"""

import numpy as np

from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True, error_model="numpy")
def hardest(V, before):
    """The largest velocity change of any body from ``before`` (n, 3) to V (n, 8)."""
    most = 0.0
    for i in range(len(before)):
        most = max(most, (V[i, 0] - before[i, 0]) ** 2 + (V[i, 1] - before[i, 1]) ** 2 + (V[i, 2] - before[i, 2]) ** 2)
    return np.sqrt(most)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def relative(change, size):
    """The defect relative to all impulses, from the squares of both."""
    return np.sqrt(change / size) if size > 0.0 else (1.0 if change > 0.0 else 0.0)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def own_part(i, j, missing, V, inverse_mass, pace):
    """w |ε| / (|g| h + |Δv|) of a contact of bodies i and j; ``missing`` is the square of the velocity w |ε| by which it misses its law."""
    if missing == 0.0:
        return 0.0
    before, least = pace.before, pace.least
    change = np.inf
    for b in (i, j):
        if inverse_mass[b] > 0.0:
            x, y, z = V[b, 0] - before[b, 0], V[b, 1] - before[b, 1], V[b, 2] - before[b, 2]
            change = min(change, x * x + y * y + z * z)
    return np.sqrt(missing) / (least + np.sqrt(change))
