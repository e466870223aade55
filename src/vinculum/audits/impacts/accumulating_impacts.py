"""Impacts at which infinitely many earlier ones accumulate: their law is inelastic."""

import numpy as np

from vinculum.audits.impacts.seen_impacts import Impacts, size_at_impacts
from vinculum.motion.impulses.accumulation import accumulating, after_shrinking_intervals


def restitution_left(found: Impacts) -> np.ndarray:
    """Coefficients of restitution (K, m): those of the laws, and zero where impacts accumulate."""
    e = found.laws.restitution
    hit, ended = found.impulses[:, :, 0] > 0.0, np.zeros(e.shape, dtype=bool)
    late = np.zeros(hit.shape, dtype=bool)
    for c, own in enumerate(hit.T):
        times, first = np.unique(found.times[own], return_inverse=True)
        late[own, c] = after_shrinking_intervals(times)[first]
    pulls = np.einsum("kcn,kn->kc", found.here.jacobians[:, found.normals], found.free)
    size = size_at_impacts(found) if late.any() else 0.0
    for k in np.flatnonzero(late.sum(axis=1) > 1):
        instants = [found.times[:k][before] for before in hit[:k].T]
        ended[k] = accumulating(found.times[k], instants, hit[k], found.arriving[k, found.normals], pulls[k], size)
    return np.where(ended, 0.0, e)
