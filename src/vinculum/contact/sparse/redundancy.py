"""Redundancy of contact impulses: their number in excess of the degrees of freedom."""

from vinculum.compile.kernels import njit
from vinculum.tolerances.contact import INSIDE_THE_CONE


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def surplus(m, who, moving, is_round, cones, P, head, rows):
    """Lower bound on the dimension of the set of impulses that give the same velocities, by counting in each cluster.

    A sticking contact has three unknown impulses; a sliding or frictionless one has one. A body has six degrees of freedom, a sphere
    without friction three. ``head``, ``rows`` (moving,) are overwritten. Zero does not mean that impulses are unique.
    """
    if m == 0:
        return 0
    rough = False
    for c in range(m):
        rough = rough or cones[c] > 0.0
    own = 3 if is_round and not rough else 6
    for i in range(moving):
        head[i], rows[i] = i, -own
    for c in range(m):
        if P[c, 0] > 0.0 and who[c, 0] < moving and who[c, 1] < moving:
            a, b = _first(who[c, 0], head), _first(who[c, 1], head)
            if a != b:
                head[b] = a
                rows[a] += rows[b]
    for c in range(m):
        if P[c, 0] > 0.0:
            limit = cones[c] * P[c, 0] * (1.0 - INSIDE_THE_CONE)
            sticks = P[c, 1] ** 2 + P[c, 2] ** 2 < limit * limit
            body = who[c, 0] if who[c, 0] < moving else who[c, 1]
            rows[_first(body, head)] += 3 if sticks else 1
    count = 0
    for i in range(moving):
        if head[i] == i and rows[i] > 0:
            count += rows[i]
    return count


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _first(i, head):
    while head[i] != i:
        head[i] = head[head[i]]
        i = head[i]
    return i
