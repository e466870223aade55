"""Replacement of contact impulses, and of the velocities that follow from them."""

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.block_rows import replace_on_sides
from vinculum.contact.sparse.general_rows import replace_any
from vinculum.contact.sparse.sphere_rows import replace_round


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def replace_impulses(problem, iterate, Q):
    """Replace the impulses of an iterate by Q, in place, and update the velocities."""
    _replace(problem.rows.arms, problem.rows.wide, problem.rows.sides, problem, iterate, Q)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _replace(arms, wide, sides, problem, iterate, Q):
    # Numba does not compile the branch of an argument that is None.
    if arms is not None:
        replace_round(problem, iterate, Q)
    if wide is not None:
        replace_any(problem, iterate, Q)
    if sides is not None:
        replace_on_sides(problem, iterate, Q)
