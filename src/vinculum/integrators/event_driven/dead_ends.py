"""Messages for states where an event-driven run cannot go on: gaps that are not finite, friction without a solution, non-unique normal
forces.
"""

from collections.abc import Mapping

import numpy as np

from vinculum.bonds.unilaterals import SLIDES
from vinculum.contact.dense.jams import told_jam
from vinculum.integrators.event_driven.contacts import Contacts
from vinculum.integrators.event_driven.touching import Touching, drags, steepness
from vinculum.tolerances.event_driven import AMBIGUOUS, FLAT_GAP, INCONSISTENT, PASSED_THROUGH, STILL
from vinculum.tolerances.rank import DEPENDENT_ROWS


def lost_gap(touching: Touching, t: float, state: np.ndarray) -> str | None:
    """Message that names the first gap which is not finite at a state; None if all are finite."""
    gaps = touching.gaps(np.array([t]), state[None])[0]
    for c in np.flatnonzero(~np.isfinite(gaps)):
        return (
            f"the gap of unilateral constraint '{touching.names[c]}' is {gaps[c]} at t = {t:.9g} s; write a gap that is finite on "
            f"both sides of "
            "zero (no roots or logarithms of terms that vanish there)"
        )
    return None


def broken_gap(touching: Touching, here: Contacts) -> str | None:
    """Message for a gap that jumps below zero, or that is zero where its gradient in the kinetic metric vanishes.

    In the second case no reaction can keep the gap from closing.
    """
    steep = steepness(here)
    touching.steepest = np.fmax(touching.steepest, steep)
    for c in np.flatnonzero(here.gaps < -PASSED_THROUGH * touching.size):
        return (
            f"the gap of unilateral constraint '{touching.names[c]}' jumps to {here.gaps[c]:.6g}: it is discontinuous, or it closes "
            f"and opens within "
            "one step; write it as a smooth function, or give a smaller max_step"
        )
    for c in np.flatnonzero(touching.closed_gaps(here) & ~(steep > FLAT_GAP * touching.steepest)):
        return (
            f"the gap of unilateral constraint '{touching.names[c]}' closes where its gradient vanishes, so it has no normal there "
            f"and no reaction "
            "keeps it open; write it as a distance, whose gradient is nowhere zero"
        )
    return None


def paradox(touching: Touching, t: float, state: np.ndarray) -> str | None:
    """Message for Painlevé's paradox, where no contact force keeps a gap from closing; None if such forces exist. An impact without
    collision, which time steps find, stops the slip.

    Painlevé, C. R. Acad. Sci. Paris 121 (1895) 112; Génot and Brogliato, Eur. J. Mech. A 18 (1999) 653.
    """
    here = touching.at(t, state)
    force = touching.forces(here)[0]
    coming = here.jacobians @ (here.rates + here.K @ (here.jacobians.T @ force)) + here.biases
    # Accelerations of bodies that move together cancel: their terms set the scale of round-off.
    size = (np.abs(here.jacobians) @ np.abs(here.rates) + np.abs(here.biases)).max(initial=0.0)
    u = here.speeds.reshape(-1, 3)
    for c in np.flatnonzero(touching.closed_gaps(here) & (np.abs(u[:, 0]) <= STILL * touching.speed)):
        if coming[3 * c] < -INCONSISTENT * size:
            mu = float(touching.laws.friction[c].max())
            return (
                f"Painlevé's paradox at unilateral constraint '{touching.names[c]}': with the friction mu = {mu:g} of its slip at "
                f"{np.hypot(*u[c, 1:]):.3g} m/s no force keeps the gap from closing, and an impact without collision stops it"
            )
    return None


def jam(touching: Touching) -> str | None:
    """Message for an impact whose law has no solution; None if impulses were found."""
    if not touching.jammed:
        return None
    return told_jam(
        touching.jammed, float(touching.laws.friction[touching.names.index(touching.jammed)].max(initial=-1.0))
    )


def touches(touching: Touching, t: float, state: np.ndarray) -> bool:
    """Whether a gap is closed at a state, with or without a force."""
    return bool(np.any(touching.closed_gaps(touching.at(t, state))))


def ambiguous_names(touching: Touching, here: Contacts, closed: Mapping[str, str]) -> list[str]:
    """Names of sliding unilateral constraints whose normal forces are not unique and lead to different motions.

    The motions differ because friction follows the normal force and the contacts slide in different directions.
    """
    names = [name for name in touching.names if name in closed]
    sliding = np.array(
        [closed.get(name) == SLIDES and touching.laws.friction[c, 0] > 0.0 for c, name in enumerate(touching.names)]
    )
    if np.count_nonzero(sliding) < 2:
        return []
    numbers = np.array([touching.names.index(name) for name in names])
    per_pressure = drags(touching.laws.friction, here, sliding)
    rough = (touching.laws.friction[numbers, 0] > 0.0) & ~sliding[numbers]
    held = [3 * c + k for c, sticks in zip(numbers, rough, strict=True) for k in range(3 if sticks else 1)]
    push = np.zeros((len(held), len(here.speeds)))
    push[np.arange(len(held)), held] = 1.0
    for row, place in enumerate(held):
        if place % 3 == 0 and sliding[place // 3]:
            push[row, place + 1 : place + 3] = -per_pressure[place // 3]
    made = here.K @ (here.jacobians.T @ push.T)
    rows = here.jacobians[held] @ made
    _, sizes, ways = np.linalg.svd(rows)
    idle = ways[np.append(sizes, np.zeros(len(ways) - len(sizes))) <= DEPENDENT_ROWS * sizes.max(initial=0.0)]
    done = np.abs(made @ idle.T).max(axis=0, initial=0.0) > AMBIGUOUS * np.abs(made).max(initial=0.0)
    shared = np.abs(idle[done]).max(axis=0, initial=0.0) > DEPENDENT_ROWS
    return sorted({touching.names[held[k] // 3] for k in np.flatnonzero(shared)})
