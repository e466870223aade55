"""Impulses of one impact by its law: at once, in compression and expansion, or one contact after the other."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.dense.gauss_seidel import impulses
from vinculum.contact.dense.impulses import finish
from vinculum.tolerances.contact import APPROACH_LEFT
from vinculum.tolerances.round_off import FEW_ROUND_OFFS


def impact(W, u_free, u_before, law, e, mu, P, sought):
    """Solve for the impulses of one impact in place; returns residual and sweeps.

    ``law``: 0 Newton's ratio, 1 Poisson's, 2 Newton's one at a time. The velocities before the impact and those without contact differ
    by applied impulses; Poisson's ratio also gives back a part of these. ``sought``: the residual and the largest number of sweeps.
    Python calls the compiled solver here, since most runs need only a part of it.
    """
    tolerance, most = sought
    nothing = np.zeros(len(e))
    if np.any(law == 2):
        held, u = np.zeros(len(P)), np.empty(len(P))
        sweeps = strike_in_turn(W, u_free, u_before, e, mu, P, u, sought)
        error, more = finish(W, u, nothing, nothing, mu, held, (tolerance, tolerance, most))
        P += held
        return error, sweeps + more
    target = np.where(law != 1, -e * np.minimum(u_before[::3], 0.0), 0.0)
    error, sweeps = impulses(W, u_free, target, nothing, mu, P, tolerance, most)
    least = given_back(law, e, P)
    if np.any(least > 0.0):
        error, more = impulses(W, u_free, target, least, mu, P, tolerance, most)
        sweeps += more
    return error, sweeps


@njit(nogil=True, cache=True)
def targets(u_before, law, e):
    """Separation velocities (m,) after an impact by Newton's ratio; zero by Poisson's."""
    target = np.empty(len(e))
    for c in range(len(e)):
        target[c] = -e[c] * min(u_before[3 * c], 0.0) if law[c] != 1 else 0.0
    return target


@njit(nogil=True, cache=True)
def gives_back(law, e, u_before):
    """Whether some gap approaches and Poisson's ratio gives back a part of the compression."""
    ratios, approach = False, False
    for c in range(len(e)):
        ratios, approach = ratios or (law[c] == 1 and e[c] > 0.0), approach or u_before[3 * c] < 0.0
    return ratios and approach


@njit(nogil=True, cache=True)
def given_back(law, e, P):
    """Smallest normal impulses (m,) by Poisson's ratio, after the impulses P of compression."""
    least = np.zeros(len(e))
    for c in range(len(e)):
        if law[c] == 1 and e[c] > 0.0:
            least[c] = (1.0 + e[c]) * P[3 * c]
    return least


@njit(nogil=True, cache=True)
def is_in_turn(law):
    """Whether a unilateral constraint has sequential impacts."""
    found = False
    for c in range(len(law)):
        found = found or law[c] == 2
    return found


@njit(nogil=True, cache=True)
def strike_in_turn(W, u_free, u_before, e, mu, P, u, sought):
    """Find the impulses of sequential impacts in place, until no gap approaches; returns the number of sweeps.

    The fastest approach comes first, each with its own restitution. ``u`` (3 m,) receives the velocities from which the active contacts
    are then to be kept closed. ``sought``: the residual, and the largest number of impacts and of sweeps in each.
    """
    m, (tolerance, most), sweeps = len(e), sought, 0
    for k in range(len(P)):
        P[k], u[k] = 0.0, u_before[k]
    slowest = 0.0
    for c in range(m):
        slowest = max(slowest, -APPROACH_LEFT * u[3 * c])
    for k in range(len(u)):  # slower approaches are the round-off of velocities, which no impact removes
        slowest = max(slowest, FEW_ROUND_OFFS * abs(u[k]))
    own, part, block, goal, zero = np.empty(3), np.empty(3), np.empty((3, 3)), np.empty(1), np.zeros(1)
    axes = np.full((1, 3), -1.0)
    for _ in range(most):
        worst, which = -slowest, -1
        for c in range(m):
            if u[3 * c] < worst:
                worst, which = u[3 * c], c
        if which < 0:
            break
        i = 3 * which
        for j in range(3):
            own[j] = 0.0
            part[j] = u[i + j]
            for k in range(3):
                block[j, k] = W[i + j, i + k]
        axes[0, 0], axes[0, 1] = mu[which, 0], mu[which, 1]
        goal[0] = -e[which] * u[i]
        sweeps += 1 + finish(block, part, goal, zero, axes, own, (tolerance, tolerance, most))[1]
        for k in range(3):
            P[i + k] += own[k]
            for j in range(len(u)):
                u[j] += W[j, i + k] * own[k]
        if not u[i] > 0.5 * worst:  # friction jams it, and the next impact would be the same
            break
    for k in range(len(u)):
        u[k] += u_free[k] - u_before[k]
    return sweeps


@njit(nogil=True, cache=True)
def finish_impact(W, u_free, u_before, law, e, mu, P, sought):
    """Solve for the impulses of an `impact` in place; returns residual and sweeps.

    ``sought``: the residual at which to stop, the acceptable residual, and the largest number of sweeps. Poisson's ratio gives back a
    part of the impulses that remove approach velocities. It does not apply to impulses that support forces during a step, since
    otherwise a body at rest would be thrown up by its own weight.
    """
    in_turn, target, least = is_in_turn(law), targets(u_before, law, e), np.zeros(len(e))
    compressed = gives_back(law, e, u_before) and not in_turn
    free, found = np.empty(len(P)), np.empty(len(P))
    for k in range(len(P)):
        free[k], found[k] = u_before[k] if compressed else u_free[k], P[k]
    error, sweeps, again = 0.0, 0, True
    if in_turn:
        sweeps += strike_in_turn(W, u_free, u_before, e, mu, P, free, (sought[0], sought[2]))
        target, found = least, np.zeros(len(P))
    while again:  # a loop, because LLVM would inline a second call of the solver
        error, more = finish(W, free, target, least, mu, found, sought)
        sweeps += more
        again = compressed
        if compressed:
            least, compressed = given_back(law, e, found), False
            for k in range(len(P)):
                free[k] = u_free[k]
    for k in range(len(P)):
        P[k] = P[k] + found[k] if in_turn else found[k]
    return error, sweeps
