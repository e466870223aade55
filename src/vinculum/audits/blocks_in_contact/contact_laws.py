"""The laws of contact and friction in single steps, with velocities of bodies in place of the rows of contacts."""

from typing import NamedTuple

import numpy as np

from vinculum.audits.blocks_in_contact.steps import BlockStep
from vinculum.audits.blocks_in_contact.unilaterals import worst_unilateral_and_gain
from vinculum.audits.certificate import Line
from vinculum.audits.impacts.located import Closing, left_to_later, locating
from vinculum.integrators.blocks_in_contact.step import Step, StepContacts
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import IMPULSES_WORKED, SHARP
from vinculum.tolerances.contact import DEPENETRATION_RESIDUAL, HARDEST, OWN, TOUCH


def law_lines(motion: Record, steps: list[BlockStep], work: BlocksWork) -> list[Line]:
    r"""The largest velocity by which a contact misses its law, relative to |g| h + |Δv| of its own bodies there, and the work of inelastic
    impulses on velocities after them.

    .. math:: 0 \le P_N \perp u_N - \hat u_N \ge 0,\qquad |P_T| \le \mu P_N,\quad P_T = -\mu P_N\,u_T/|u_T| \text{ if } u_T \ne 0

    Contacts are found again from the state at the beginning of a step, and their velocities from the frames of bodies.
    """
    worst, at, count, gained, when = 0.0, 0.0, 0, 0.0, 0.0
    for step in steps:
        nq = motion.model.nq
        met = work.contacts_of_step(Step(step.begin, step.h, step.span, step.start[:nq], step.start[nq:]))
        count += len(met.targets)
        shapes = block_shapes_of(motion.model)
        for part, judge in zip(
            met.split(len(shapes.kinds)), (worst_contact_and_gain, worst_unilateral_and_gain), strict=True
        ):
            if len(part.targets):
                missed, gain = judge(step, part, step.h * shapes.pull)
                worst, at = max((worst, at), (missed, step.begin))
                gained, when = max((gained, when), (gain, step.begin))
    tolerance = (motion.method.tolerance or 0.0) / OWN
    told = f"in the step after t = {at:.9g} s" if worst > tolerance else ""
    if not told and tolerance > SHARP:
        told = f"use tolerance={SHARP * OWN:.0e} or less"
    reason = (
        f"largest velocity by which one of {count} contacts misses its law, relative to |g| h + |Δv| of its own bodies"
    )
    why = f"in the step after t = {when:.9g} s" if gained > IMPULSES_WORKED else ""
    return [
        Line("contacts by their own scale", worst, tolerance, reason, told),
        Line("impulses P · u⁺ ≤ 0", gained, IMPULSES_WORKED, "inelastic contact and friction dissipate energy", why),
    ]


def worst_contact_and_gain(step: BlockStep, met: StepContacts, pace: float) -> tuple[float, float]:
    """The largest miss of a contact, relative to ``pace`` [m/s] and |Δv|, and the work of all inelastic contacts together, relative to the
    energy of their impulses."""
    shapes = block_shapes_of(step.motion.model)
    solver = step.motion.contact_solver if step.number >= 0 else None
    who, frame, _place, _gap = met.contacts
    impulses = np.einsum("cak,ck->ca", frame, _impulses(step, met))
    after, before = (contact_velocities(step, met, state) for state in (step.end, step.start))
    u = np.einsum("cak,ck->ca", frame, after[:, 0] - after[:, 1])
    weights = met.weights[:, [0, 1, 1]]
    inelastic = (shapes.laws[shapes.law_of(*who.T), 0] == 0.0)[:, None]
    energy, turned = float((impulses**2 / weights).sum()), _moments_of(step, met, shapes)
    spare = 0.0 if solver is None else float(solver.residual_work[step.number])
    gain = float((impulses * u * inelastic).sum()) + turned.work - spare
    gain /= max(energy, np.finfo(float).tiny)
    u[:, 0] -= _targets(step, met, shapes, u, impulses[:, 0], before)
    Z = impulses - u * weights
    Z[:, 0] = np.maximum(Z[:, 0], 0.0)
    size, limit = np.hypot(Z[:, 1], Z[:, 2]), met.cones * impulses[:, 0]
    Z[:, 1:] *= (limit / np.maximum(np.maximum(size, limit), np.finfo(float).tiny))[:, None]
    # what removes penetration leaves a part of it, by the order in which contacts were found
    left = 0.0 if solver is None else 2.0 * DEPENETRATION_RESIDUAL * float(solver.penetration[step.number]) / step.span
    missing = np.maximum(np.linalg.norm((Z - impulses) / weights, axis=1) - left, 0.0)
    moves = np.concatenate([shapes.carried.any(axis=1), np.zeros(len(shapes.kinds) - shapes.moving, dtype=bool)])[who]
    changes = np.linalg.norm(after - before, axis=2)
    slower = np.where(moves, changes, np.inf).min(axis=1)
    least = max(pace, HARDEST * float(np.where(moves, changes, 0.0).max()), np.finfo(float).tiny)
    worst = float((missing / (least + slower)).max())
    limits = met.resistance.limits * impulses[met.resistance.partner, 0][:, None]
    worst = max(worst, float((turned.missing(limits) / (least + turned.slower)).max(initial=0.0)))
    return worst if np.isfinite(worst) else np.inf, gain if np.isfinite(gain) else np.inf


def _targets(step: BlockStep, met: StepContacts, shapes, u: np.ndarray, normal: np.ndarray, before) -> np.ndarray:
    """Least normal velocities (m,) of contacts, which a run with located impacts leaves to later steps; ``u`` (m, 3), ``before``
    (m, 2, 3): velocities after the impulses along the axes, and before them of both sides in the world."""
    radius = float(shapes.reaches[: shapes.moving].min())
    how = locating(step.motion.method, shapes.pull, radius)
    if how is None:
        return met.targets
    begun = np.einsum("ck,ck->c", met.contacts.frame[:, 0], before[:, 0] - before[:, 1])
    open_ = met.contacts.gap > TOUCH * radius
    return left_to_later(how, step.h, Closing(met.contacts.gap, open_, normal, begun, u), met.targets)


class _Moments(NamedTuple):
    """Triples of moments (r, 3) of a step in units of impulses, their angular velocities after it in units of velocities, the change of the
    latter on the side that changes less, and effective masses."""

    P: np.ndarray
    u: np.ndarray
    slower: np.ndarray
    weights: np.ndarray

    @property
    def work(self) -> float:
        """The work of all moments on velocities after the step."""
        return float((self.P * self.u).sum())

    def missing(self, limits: np.ndarray) -> np.ndarray:
        """Velocities (r,) by which moments miss their laws, with the largest about the normal and about tangents (r, 2)."""
        Z = self.P - self.u * self.weights
        Z[:, 0] = np.clip(Z[:, 0], -limits[:, 0], limits[:, 0])
        size = np.hypot(Z[:, 1], Z[:, 2])
        Z[:, 1:] *= np.where(size > limits[:, 1], limits[:, 1] / np.maximum(size, np.finfo(float).tiny), 1.0)[:, None]
        return np.linalg.norm((Z - self.P) / self.weights, axis=1)


def _moments_of(step: BlockStep, met: StepContacts, shapes) -> _Moments:
    """The moments of a step, with angular velocities from the frames of bodies."""
    partner, arm, _limits = met.resistance
    nq, who, frame = step.motion.model.nq, met.contacts.who[partner], met.contacts.frame[partner]
    M = np.einsum("cak,ck->ca", frame, _records_of(step, met, step.moments)[partner]) / arm[:, None]
    own, spins = who < shapes.moving, np.zeros((2, len(partner), 2, 3))
    for k, state in enumerate((step.end, step.start)):
        gradients = step.velocity_fields(np.concatenate([met.middle, state[nq:]]))[2]
        omega = np.stack([gradients[:, 2, 1], gradients[:, 0, 2], gradients[:, 1, 0]], axis=1)
        spins[k][own] = omega[shapes.bodies[who[own]]]
    u = arm[:, None] * np.einsum("cak,ck->ca", frame, spins[0, :, 0] - spins[0, :, 1])
    changes = arm[:, None] * np.linalg.norm(spins[0] - spins[1], axis=2)
    moves = np.concatenate([shapes.carried.any(axis=1), np.zeros(len(shapes.kinds) - shapes.moving, dtype=bool)])[who]
    return _Moments(M, u, np.where(moves, changes, np.inf).min(axis=1), met.turned[:, [0, 1, 1]])


def _impulses(step: BlockStep, met: StepContacts) -> np.ndarray:
    """The recorded impulses (m, 3) of contacts, in world axes."""
    return _records_of(step, met, step.impulses)


def _records_of(step: BlockStep, met: StepContacts, rows: np.ndarray) -> np.ndarray:
    """What ``rows`` (C, 3) record of contacts, (m, 3): those of the same shapes at the nearest place; zero for the others."""
    who, _frame, place, _gap = met.contacts
    found = np.zeros((len(who), 3))
    for pair, x, P in zip(step.shapes, step.places, rows, strict=True):
        same = np.flatnonzero(np.all(who == pair, axis=1))
        if len(same):
            found[same[np.argmin(np.linalg.norm(place[same] - x, axis=1))]] += P
    return found


def contact_velocities(step: BlockStep, met: StepContacts, state: np.ndarray) -> np.ndarray:
    """Velocities (m, 2, 3) of both sides at the contacts, from the velocity fields of their bodies with the velocities of a state."""
    (who, _frame, place, _gap), shapes = met.contacts, block_shapes_of(step.motion.model)
    state = np.concatenate([met.middle, state[step.motion.model.nq :]])
    (x, v, gradients), found = step.velocity_fields(state), np.zeros((len(who), 2, 3))
    for side in range(2):
        own = who[:, side] < shapes.moving
        body = shapes.bodies[who[own, side]]
        found[own, side] = v[body] + np.einsum("cik,ck->ci", gradients[body], place[own] - x[body])
    return found
