r"""Contact impulses that explain a step of free bodies, if they are not unique.

The load distribution among sliding contacts is not unique, and friction depends on it. So a repeated step may slide differently, and both
results are correct. Impulses that obey the laws and produce the velocities u⁺ of the motion are the zeros of

.. math:: \min_{P \in K_\mu} \tfrac12 \|H^T P - p\|^2_{M^{-1}} + P\cdot\tilde u,\qquad \tilde u = u^+ - \hat u + \mu\,|u_T|\,n

because P · ũ ≥ 0 in the cone, with equality exactly for impulses that obey the laws. The problem is convex.
de Saxcé and Feng, Math. Comput. Modelling 28 (1998) 225; Nesterov, Soviet Math. Doklady 27 (1983) 372.
"""

from dataclasses import replace

import numpy as np

from vinculum.audits.free_bodies.steps import Step
from vinculum.integrators.free_bodies.contacts import StepContacts
from vinculum.tolerances.certificates import EXPLAINED_WELL
from vinculum.tolerances.iterations import EXPLAINING_ITERATIONS, POWER_ITERATIONS
from vinculum.tolerances.round_off import NEXT_TO_ZERO


def explaining(step: Step, contacts: StepContacts, least: np.ndarray) -> StepContacts:
    """The contacts with the impulses that best explain the net impulses of a step. ``least`` (m,): normal velocities after an impact."""
    mu, w = step.described.mu, step.weights(contacts).max(axis=1)[:, None]
    u = step.relative(contacts, step.free + step.answer(step.given))
    u[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1) - least

    def gradient(P: np.ndarray) -> np.ndarray:
        missing = step.net_impulses(replace(contacts, impulses=P)) - step.given
        return step.relative(contacts, step.answer(missing)) + u

    direction = np.random.default_rng(0).normal(size=contacts.impulses.shape)
    stiffest = 1.0
    for _ in range(POWER_ITERATIONS):
        direction = step.relative(contacts, step.answer(step.net_impulses(replace(contacts, impulses=direction)))) / w
        stiffest = float(np.linalg.norm(direction))
        direction = direction / stiffest
    P, Y, t = contacts.impulses, contacts.impulses, 1.0
    for _ in range(EXPLAINING_ITERATIONS):
        new = _in_cone(Y - gradient(Y) / (1.05 * stiffest * w), mu)
        change = new - P
        again = ((Y - new) * change).sum() > 0.0  # drop momentum that points uphill
        t, before = 0.5 + np.sqrt(0.25 + t * t), 1.0 if again else t
        Y = new + ((before - 1.0) / t) * change
        P = new
        if np.linalg.norm(change) <= EXPLAINED_WELL * np.linalg.norm(P):
            break
    return replace(contacts, impulses=P)


def _in_cone(P: np.ndarray, mu: float) -> np.ndarray:
    """The projection of impulses onto the cone |P_T| ≤ μ P_N."""
    size = np.linalg.norm(P[:, 1:], axis=1)
    inside, gone = size <= mu * P[:, 0], mu * size <= -P[:, 0]
    normal = (P[:, 0] + mu * size) / (1.0 + mu * mu)
    along = P[:, 1:] * (mu * normal / np.maximum(size, NEXT_TO_ZERO))[:, None]
    found = np.where(inside[:, None], P, np.concatenate([normal[:, None], along], axis=1))
    return np.where(gone[:, None] & ~inside[:, None], 0.0, found)
