"""Laws of contact and friction in single steps of free bodies, with the numbers of their description, and the
resulting momenta.
"""

from dataclasses import replace

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.description import describe
from vinculum.audits.free_bodies.energy import has_halved_steps
from vinculum.audits.free_bodies.impulses import explaining
from vinculum.audits.free_bodies.own_scales import body_residual, kept_impulses, own_residual, pressed_in, rest_speed
from vinculum.audits.free_bodies.shapes import Meetings
from vinculum.audits.free_bodies.steps import Step, step_between
from vinculum.audits.impacts.located import Closing, Locating, holds_impact, left_to_later, locating
from vinculum.contact.free_bodies.closings import PLAIN, STRUCK, WITHHELD
from vinculum.integrators.free_bodies.contacts import StepContacts, contacts_of_step
from vinculum.integrators.located_impacts import is_short, least_impact_speed
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import (
    LAW_EXPLAINED,
    LAW_MISSED,
    LAW_ROUND_OFF,
    LAW_ROUND_OFF_MOVED,
    MOMENTA_MISSED,
    SHARP,
    WORK_OF_RESIDUALS,
)
from vinculum.tolerances.contact import OWN
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.samples import CONTACTS_TAKEN_AGAIN, FREE_STEPS_TAKEN_AGAIN, STEPS_TAKEN_AGAIN
from vinculum.tolerances.time import SAME_LENGTH


def law_lines(motion: Record) -> list[Line]:
    """Lines from repeated steps; none if steps are not known."""
    if not has_halved_steps(motion):
        return []
    told, times = describe(motion.model), np.asarray(motion.pieces.times)
    tolerance = motion.method.tolerance or 0.0
    met, push, seen = Meetings(motion.model), (0.0, 0.0), 0
    law = (0.0, 0.0, LAW_MISSED * tolerance + LAW_ROUND_OFF, 0.0)
    solver = motion.contact_solver
    assert solver is not None
    pressing = solver.pressing
    radius = float(free_bodies_of(motion.model).reaches[: len(told.masses)].min())
    how = locating(motion.method, float(np.linalg.norm(told.gravity)), radius)
    rest, owners = rest_speed(motion), np.zeros(0) if pressing is None else pressing.contact_solver
    for k in _steps_to_repeat(motion):
        step, state = step_between(motion, told, float(times[2 * k]), float(times[2 * k + 2]))
        step = replace(step, rest=rest, locating=how)
        contacts = contacts_of_step(motion.model, state, step.duration, tolerance, *_treatment(step))
        if contacts is None:
            continue
        at, residual_work = float(times[2 * k + 1]), float(solver.residual_work[k])
        rounded = LAW_ROUND_OFF if contacts.moved == 0.0 else LAW_ROUND_OFF_MOVED
        seen, bound = seen + 1, LAW_MISSED * max(contacts.residual, tolerance) + rounded
        pressed = None if pressing is None else pressed_in(pressing, owners, k)
        impulses = None if pressed is None else kept_impulses(pressed, contacts, radius)
        if pressed is not None and impulses is not None:
            bound = LAW_MISSED * tolerance + rounded
            missed, left = (
                law_residual(step, replace(contacts, impulses=impulses), step.given),
                body_residual(step, pressed),
            )
        else:
            missed, left = law_residual(step, contacts), push_residual(step, contacts, residual_work)
        if impulses is None and left > MOMENTA_MISSED and missed <= bound and len(contacts):
            better = explaining(step, contacts, targets(step, contacts))
            missed, left = law_residual(step, better, step.given), push_residual(step, better, residual_work)
            bound = max(bound, min(LAW_EXPLAINED * tolerance, SHARP))
        law, push = max(law, (missed / bound, missed, bound, at)), max(push, (left, at))
        met.look(step, contacts, at)
    if not seen:
        return []
    _, missed, bound, at = law
    return [
        Line("contact and friction as described", missed, bound, f"0 ≤ P_N ⟂ u_N ≥ 0, P_T in its disc of maximal dissipation; {seen} steps",
             f"at t = {at:.9g} s" if missed > bound else ""),
        Line("momenta M [v] = Hᵀ P", push[0], MOMENTA_MISSED, f"energy of a body's unexplained impulse, relative to its own; {seen} steps",
             f"at t = {push[1]:.9g} s" if push[0] > MOMENTA_MISSED else ""),
        *met.lines(),
    ]  # fmt: skip


def _treatment(step: Step) -> tuple[int, float]:
    """What a step does with impacts, and the speed above which it does so."""
    if step.locating is None:
        return PLAIN, np.inf
    fastest = float(np.linalg.norm(step.free[:, :3], axis=1).max(initial=0.0))
    swift = max(step.locating.swift, least_impact_speed(0.0, step.locating.h, fastest))
    return (STRUCK if is_short(step.duration, step.locating.h) else WITHHELD), swift


def _steps_to_repeat(motion: Record) -> np.ndarray:
    """Numbers of the steps to repeat: some with contacts and few without, each as long as the next one, and some with located impacts."""
    assert motion.contact_solver is not None
    lengths = np.diff(np.asarray(motion.pieces.times)[::2])
    counts = motion.contact_solver.contacts[: len(lengths)]
    alike = np.append(np.abs(np.diff(lengths)) <= SAME_LENGTH * lengths[1:], True)
    short = holds_impact(motion.method, lengths)
    busy, idle = np.flatnonzero(alike & (counts > 0) & ~short), np.flatnonzero(alike & (counts == 0))
    most = int(np.clip(CONTACTS_TAKEN_AGAIN / max(1.0, counts[busy].max(initial=0.0)), 1, STEPS_TAKEN_AGAIN))
    picked = [
        own[np.unique(np.linspace(0, len(own) - 1, number).astype(int))]
        for own, number in ((busy, most), (idle, FREE_STEPS_TAKEN_AGAIN), (np.flatnonzero(short), most))
        if len(own)
    ]
    return np.sort(np.concatenate(picked)) if picked else np.zeros(0, dtype=int)


def law_residual(step: Step, contacts: StepContacts, pushed: np.ndarray | None = None) -> float:
    r"""Residual of the law of impulses, as in `contact.sparse.residual`, for the velocities u that they, or net impulses ``pushed``, cause.

    .. math:: 0 \le P_N \perp u_N - \hat u_N \ge 0,\qquad P_T = \mathrm{proj}_{|\cdot|\le\mu P_N}(P_T - u_T / w_T)

    so that |P_T| ≤ μ P_N, with equality opposite to the slip if there is one (maximal dissipation).
    """
    if not len(contacts):
        return 0.0
    P, w = contacts.impulses, step.weights(contacts)
    pushed = step.net_impulses(contacts) if pushed is None else pushed
    u = step.relative(contacts, step.free + step.answer(pushed))
    normal = P[:, 0] - np.maximum(P[:, 0] - (u[:, 0] - targets(step, contacts)) / w[:, 0], 0.0)
    wanted, limit = P[:, 1:] - u[:, 1:] / w[:, 1:], step.described.mu * P[:, 0]
    size = np.linalg.norm(wanted, axis=1)
    along = P[:, 1:] - wanted * np.where(size > limit, limit / np.maximum(size, NEXT_TO_ZERO), 1.0)[:, None]
    rounded = np.finfo(float).eps * np.abs(step.free).max() / w.min()
    size = max(float(np.linalg.norm(P)), float(rounded) / LAW_ROUND_OFF, np.finfo(float).tiny)
    missing = np.hypot(normal * w[:, 0], np.linalg.norm(along, axis=1) * w[:, 1])
    return max(
        float(np.sqrt((normal**2).sum() + (along**2).sum())) / size, OWN * own_residual(step, contacts, missing, pushed)
    )


def targets(step: Step, contacts: StepContacts) -> np.ndarray:
    """Least normal velocities (m,) after the impulses: zero, or e times the approach velocity in an impact. For an open gap, the velocity
    that just closes it until the next middle; where impacts are located, `left_to_later`."""
    open_, how = contacts.gap > contacts.touch, step.locating
    least = np.where(open_, -contacts.gap / step.duration, 0.0)
    before, free = (step.relative(contacts, v)[:, 0] for v in (step.before, step.free))
    hit = (before < 0.0) & (~open_ | (contacts.gap + step.duration * free < 0.0))
    back, bounces = free - before - step.described.e * before, hit & (step.described.e > 0.0)
    if how is None:
        return np.where(bounces, np.maximum(least, back), least)
    after, pressed = step.relative(contacts, step.free + step.answer(step.given)), contacts.impulses[:, 0] > 0.0
    slower = _left_to_next(how, step, contacts.gap, after[:, 0])
    is_short_step = is_short(step.duration, how.h)
    if is_short_step:
        least = np.where(open_ & hit & pressed, slower, least)
    least = np.where(bounces, np.maximum(least, back), least)
    least = left_to_later(
        how, step.duration, Closing(contacts.gap, open_, contacts.impulses[:, 0], before, after), least
    )
    if not is_short_step:
        return least
    nearest = np.where((before < 0.0) & (np.abs(after[:, 0] - back) < np.abs(after[:, 0] - slower)), back, slower)
    slow = open_ & ~hit & (before >= -how.swift)
    return np.where(slow, np.where(pressed, nearest, -contacts.gap / step.duration), least)


def _left_to_next(how: Locating, step: Step, gap: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The normal velocities nearest to u (m,) that close gaps (m,) by the middle of the next step, which is at most h away."""
    fastest = -gap / step.duration
    return np.clip(u, fastest, np.maximum(-gap / how.h, fastest))


def push_residual(step: Step, contacts: StepContacts, residual_work: float) -> float:
    """Energy of the net impulses that contacts do not explain, minus the work of the residuals, relative to that of all or of weights."""

    def energy(p: np.ndarray) -> float:
        return float((p * step.answer(p)).sum())

    g = step.described.gravity
    weights = float(step.described.masses.sum()) * step.duration**2 * float(g @ g)
    size = max(energy(step.given), weights, np.finfo(float).tiny)
    moved = float((step.described.masses[:, None] * step.free[:, :3] ** 2).sum())
    room = WORK_OF_RESIDUALS * (residual_work + contacts.residual_work) + np.finfo(float).eps * moved
    return max(energy(step.given - step.net_impulses(contacts)) - room, 0.0) / size
