"""Contacts of blocks that answer applied impulses: what their wrenches change, and their law."""

import numpy as np

from vinculum.audits.blocks_in_contact.contact_laws import contact_velocities, worst_contact_and_gain
from vinculum.audits.blocks_in_contact.steps import BlockStep
from vinculum.audits.blocks_in_contact.unilaterals import worst_unilateral_and_gain
from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.law_at_instants import answer_line, at_atom
from vinculum.audits.tabled.impulses import sides_of_impulses
from vinculum.integrators.answered_contacts import closed_within
from vinculum.integrators.blocks_in_contact.step import StepContacts
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.record import Record
from vinculum.tolerances.contact import HARDEST


def changes_by_contacts(motion: Record) -> np.ndarray:
    """Changes of velocities (K, nv) by the impulses of contacts at the instants of applied impulses, as wrenches on bodies, under the
    reactions of conditions."""
    atoms, nv = motion.atoms, motion.model.nv
    found = np.zeros((0 if atoms is None else len(atoms), nv))
    if atoms is None:
        return found
    for k in () if atoms.meetings is None else np.unique(atoms.meetings.atoms):
        state = motion.pieces.state(atoms.times[k : k + 1], side="right")[0]
        step = _at_instant(motion, int(k), state, state, atoms.meetings)
        found[k] = step.accelerations() - _at_instant(motion, int(k), state, state, None).accelerations()
    for k in np.flatnonzero(atoms.contact_impulses.any(axis=1)):
        state = motion.pieces.state(atoms.times[k : k + 1], side="right")[0]
        found[k] += _at_instant(motion, int(k), state, state, None).changed_by_unilaterals()
    return found


def _at_instant(motion: Record, k: int, left: np.ndarray, right: np.ndarray, met: Meetings | None) -> BlockStep:
    """The k-th instant as a step of a second in which nothing moves, so that accelerations by impulses are changes of velocities."""
    assert motion.atoms is not None
    begin, none = float(motion.atoms.times[k]) - 0.5, np.zeros((0, 3))
    own = None if met is None or not len(met) else at_atom(met, k)
    bounded = motion.atoms.contact_impulses[k].reshape(-1, 3)
    if own is None:
        return BlockStep(
            motion, -1, begin, 1.0, 1.0, left, left, right, np.zeros((0, 2), dtype=int), none, none, none, bounded
        )
    P, M = (np.einsum("cak,ca->ck", own.axes, x) for x in (own.impulses, own.moments))
    return BlockStep(motion, -1, begin, 1.0, 1.0, left, left, right, own.shapes, own.places, P, M, bounded)


def contacts_at_instant(motion: Record, k: int, state: np.ndarray) -> BlockStep:
    """The contacts that answer the k-th applied impulse, as a step of a second at a state in which nothing moves."""
    assert motion.atoms is not None
    return _at_instant(motion, k, state, state, motion.atoms.meetings)


def _speeds_off(step: BlockStep, met: StepContacts, free: np.ndarray, left: np.ndarray) -> float:
    """The largest miss of contacts and unilateral constraints at an instant; ``free``, ``left``: states without their impulses, and
    before."""
    shaped, bounded = met.split(len(block_shapes_of(step.motion.model).kinds))
    worst = 0.0
    if len(shaped.targets):
        pushed = np.abs(contact_velocities(step, shaped, free) - contact_velocities(step, shaped, left)).max()
        worst = worst_contact_and_gain(step, shaped, HARDEST * float(pushed))[0]
    if len(bounded.targets):
        (u, _), (before, _) = (step.motions_of_unilaterals(state) for state in (free, left))
        worst = max(worst, worst_unilateral_and_gain(step, bounded, HARDEST * float(np.abs(u - before).max()))[0])
    return worst


def answer_lines(motion: Record, work: BlocksWork, changes: np.ndarray) -> list[Line]:
    """The law of contacts at the instants of applied impulses, with contacts that are found again; ``changes`` (K, nv): what they change.
    No line without contacts."""
    atoms, sides, nq = motion.atoms, sides_of_impulses(motion, changes), motion.model.nq
    if atoms is None or sides is None or atoms.meetings is None:
        return []
    within, worst, at, count = closed_within(block_shapes_of(motion.model).pull, motion.method.step or 0.0), 0.0, 0.0, 0
    for k, (t, left, right) in enumerate(zip(sides.times, sides.left, sides.right, strict=True)):
        met = work.closed_contacts(float(t), left, within)
        if not len(met.targets):
            continue
        step = _at_instant(motion, k, left, right, atoms.meetings)
        free = right.copy()
        free[nq:] -= changes[k]
        missed = _speeds_off(step, met, free, left)
        count += len(met.targets)
        worst, at = max((worst, at), (missed, float(t)))
    return [answer_line(motion, worst, at, count)] if count else []
