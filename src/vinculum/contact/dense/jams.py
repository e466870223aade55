"""Impacts and steps without a solution: impulses that grow without bound and still do not satisfy the contact laws."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.dense.algebra import product
from vinculum.tolerances.contact import JAM_LEAVES, JAMMED


@njit(nogil=True, cache=True)
def jammed_contact(W, u_free, mu, P, speed, energy):
    """The contact whose impulses are no solution; −1 if there is none. ``speed`` [m/s], ``energy`` [J]: scales of the motion.

    A residual relative to the impulses tells nothing where these grow without bound. Impulses that have bounds exchange energies of the
    motion, also those between a light body and a heavy one. In a solution, moreover, no gap approaches afterwards, and nothing slips
    inside its friction cone.
    """
    u = np.empty(len(P))
    product(W, P, u)
    worst, which = JAM_LEAVES * speed, -1
    for c in range(len(P) // 3):
        i = 3 * c
        normal, inside = P[i], 1.0
        for k in range(3):
            u[i + k] += u_free[i + k]
        if not normal * speed > JAMMED * energy or (mu.shape[1] > 2 and mu[c, 2] >= 0.0):
            continue
        left = -u[i]
        if mu[c, 0] > 0.0 and mu[c, 1] > 0.0:
            inside -= np.hypot(P[i + 1] / mu[c, 0], P[i + 2] / mu[c, 1]) / normal
            if inside > JAM_LEAVES:
                left = max(left, np.hypot(u[i + 1], u[i + 2]))
        if left > worst:
            worst, which = left, c
    return which


def told_jam(name: str, friction: float) -> str:
    """Message for an impact or a step whose law asks a contact to separate while friction holds it, or others leave no room.

    The point can move in one direction only, oblique to the normal, and friction is larger than the slope: a wedge. Newton's law with
    Coulomb's has no solution there for e > 0.
    """
    if not friction > 0.0:
        return (
            f"the impact at unilateral constraint '{name}' has no solution: other unilateral constraints and bonds leave it no room to "
            "stay closed or to separate; check that their gaps can all be positive at once"
        )
    return (
        f"the impact at unilateral constraint '{name}' has no solution: its law asks it to separate, and its friction mu = {friction:g} "
        "jams it, since other bonds let it move in one direction only; use less friction, or vc.Inelastic() there"
    )
