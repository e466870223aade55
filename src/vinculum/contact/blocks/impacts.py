"""Least velocities of separation after an impact between blocks, by Newton's law."""

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.block_rows import side_speed


@njit(nogil=True, cache=True, error_model="numpy")
def set_after_impact(problem, ratios, before, free):
    """Write −e min(u⁻, 0) for contacts and zero for moments, for velocities ``before`` an instant; returns the largest change of a normal
    speed from them to ``free`` ones, (n, 8) each."""
    sides, targets, most = problem.rows.sides, problem.targets, 0.0
    begun, ended = before.reshape(-1), free.reshape(-1)
    for c in range(problem.m):
        targets[c] = 0.0
        if sides.resistance.partner[c] < 0:
            u = side_speed(c, 0, sides, begun)
            targets[c] = -ratios[c] * min(u, 0.0)
            most = max(most, abs(side_speed(c, 0, sides, ended) - u))
    return most
