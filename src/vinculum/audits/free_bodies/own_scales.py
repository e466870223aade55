r"""Bodies and contacts of a step measured on their own scales, so that errors of light bodies are not hidden by heavy
ones.

.. math:: \frac{w\,|\varepsilon|}{|g|\,h + |\Delta v|}\ \text{of contacts},\qquad
    \frac{(f - H^T P)\cdot M^{-1}(f - H^T P)}{m\,(|g|\,h + |\Delta v|)^2 + f \cdot M^{-1} f}\ \text{of bodies}

Here ε is the impulse by which the law is violated, w ε the velocity of this impulse, and f the net impulses of the motion.
"""

import numpy as np

from vinculum.audits.free_bodies.steps import Step
from vinculum.integrators.free_bodies.contacts import StepContacts
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import NO_SPEED, SAME_PLACE, SWEPT
from vinculum.tolerances.contact import HARDEST
from vinculum.tolerances.samples import INSTANTS_OF_SPEED


def rest_speed(motion: Record) -> float:
    """The speed [m/s] below which free bodies in contact are at rest."""
    edges = np.asarray(motion.pieces.times)[::2]
    chosen = edges[np.unique(np.linspace(0, len(edges) - 1, INSTANTS_OF_SPEED).astype(int))]
    v = motion.pieces.state(chosen)[:, motion.model.nq :].reshape(len(chosen), -1, 6)[..., :3]
    return NO_SPEED * float(np.linalg.norm(v, axis=2).max(initial=0.0))


def paces(step: Step, pushed: np.ndarray) -> np.ndarray:
    """|g| h + |Δv| (n,) of bodies under net impulses (n, 6). If both vanish, a thousandth of the largest |Δv|, or the speed of rest."""
    pull = step.duration * float(np.linalg.norm(step.described.gravity))
    change = np.linalg.norm(
        pushed[:, :3] / step.described.masses[:, None] + step.duration * step.described.gravity, axis=1
    )
    return max(pull, step.rest, HARDEST * float(change.max(initial=0.0))) + change


def own_residual(step: Step, contacts: StepContacts, missing: np.ndarray, pushed: np.ndarray) -> float:
    """The largest of the residual velocities ``missing`` (m,) at contacts, minus round-off, relative to the smaller pace of both bodies."""
    n, w = len(step.X), step.weights(contacts).max(axis=1)
    pace, gross = np.append(paces(step, pushed), np.inf), np.zeros(n + 1)
    size, who = np.linalg.norm(contacts.impulses, axis=1), np.minimum(contacts.who, n)
    for side in (0, 1):
        np.maximum.at(gross, who[:, side], size)
    gross[n] = 0.0
    left = missing - SWEPT * w * gross[who].max(axis=1) - np.finfo(float).eps * np.abs(step.free).max(initial=0.0)
    slowest = pace[who].min(axis=1)
    return float((np.maximum(left, 0.0) / np.maximum(slowest, np.finfo(float).tiny)).max(initial=0.0))


def body_residual(step: Step, pressed: np.ndarray) -> float:
    """The largest energy of a body's net impulse that the impulses of contacts, (c, 12) as in `PressingContacts`, do not explain, relative
    to the body's own."""
    n = len(step.X)
    pushed, gross = np.zeros((n, 6)), np.zeros((n, 6))
    for side, sign in ((1, 1.0), (2, -1.0)):
        mine = pressed[pressed[:, side] < n]
        which = mine[:, side].astype(int)
        one = np.concatenate([mine[:, 9:], np.cross(mine[:, 3:6] - step.X[which], mine[:, 9:])], axis=1)
        np.add.at(pushed, which, sign * one)
        np.add.at(gross, which, np.abs(one))
    off = step.given - pushed
    off = np.sign(off) * np.maximum(np.abs(off) - SWEPT * gross, 0.0)
    own = (step.given * step.answer(step.given)).sum(axis=1) + step.described.masses * paces(step, step.given) ** 2
    return float(((off * step.answer(off)).sum(axis=1) / np.maximum(own, np.finfo(float).tiny)).max(initial=0.0))


def kept_impulses(pressed: np.ndarray, contacts: StepContacts, radius: float) -> np.ndarray | None:
    """The recorded impulses of a step, (c, 12) as in `PressingContacts`, as impulses (m, 3) on contacts that are found again. None if these
    are other contacts."""
    found, taken = np.zeros_like(contacts.impulses), np.zeros(len(contacts), dtype=bool)
    for row in pressed:
        mine = np.flatnonzero(np.all(contacts.who == row[1:3], axis=1) & ~taken)
        away = np.linalg.norm(contacts.place[mine] - row[3:6], axis=1)
        if not len(mine) or away.min() > SAME_PLACE * radius:
            return None
        c = mine[np.argmin(away)]
        if np.abs(contacts.frame[c, 0] - row[6:9]).max() > SAME_PLACE:
            return None
        found[c], taken[c] = contacts.frame[c] @ row[9:], True
    return found


def pressed_in(pressing: PressingContacts, owners: np.ndarray, k: int) -> np.ndarray:
    """The rows (c, 12) of one step; ``owners`` (C,): the steps of all rows."""
    return np.asarray(pressing.rows[slice(*np.searchsorted(owners, [k, k + 1]))])
