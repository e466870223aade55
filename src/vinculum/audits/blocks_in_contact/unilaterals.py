"""Unilateral constraints and stops of joints among blocks in contact: gaps, cones, work, and their laws in single steps."""

import numpy as np

from vinculum.audits.blocks_in_contact.steps import BlockStep
from vinculum.audits.certificate import Line
from vinculum.audits.impacts.located import Closing, left_to_later, locating
from vinculum.integrators.blocks_in_contact.step import StepContacts
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.tabled.board import all_frames, filled_board, write
from vinculum.models.tabled.type import tabled_in
from vinculum.models.tabled.unilateral_motions import motions_of_unilaterals
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_groups, tape_rows
from vinculum.tolerances.certificates import CONE_EXCEEDED, PENETRATION
from vinculum.tolerances.contact import DEPENETRATION_RESIDUAL, HARDEST, TOUCH
from vinculum.tolerances.samples import INSTANTS_OF_FREE_BODIES


def laws_of_unilaterals(motion: Record) -> np.ndarray:
    """e, μ (−1 without friction), and whether e is Poisson's (u, 3)."""
    found = np.zeros((len(motion.model.layout.unilaterals), 3))
    for table in tabled_in(motion.model).unilaterals:
        found[table.numbered] = table.laws
    return found


def gap_line(motion: Record) -> list[Line]:
    """Gaps recomputed at instants, in radii of the smallest shape, up to the way of two steps; no line without unilateral constraints."""
    count = len(motion.model.layout.unilaterals)
    if not count:
        return []
    shapes, h = block_shapes_of(motion.model), motion.method.step or 0.0
    radius = float(shapes.reaches[: shapes.moving].min())
    time = motion.time[np.unique(np.linspace(0, len(motion.time) - 1, INSTANTS_OF_FREE_BODIES).astype(int))]
    found = tape_groups(motion, "distances", time, states_at(motion, time))
    over = (-found["gaps"] - 2.0 * h * np.abs(found["speeds"][:, ::3])) / radius
    over = np.where(np.isfinite(over), over, np.inf)
    k, worst = np.unravel_index(int(np.argmax(over)), over.shape)
    reason = f"gaps of {count} unilateral constraints at {len(time)} instants, in radii of the smallest shape"
    name = list(motion.model.layout.unilaterals)[worst]
    largest = max(float(over[k, worst]), 0.0)
    return [
        Line(
            "gaps g ≥ 0",
            largest,
            PENETRATION,
            reason,
            f"'{name}' at t = {time[k]:.9g} s" if largest > PENETRATION else "",
        )
    ]


def cone_line_of_unilaterals(motion: Record, rows: PressingContacts) -> list[Line]:
    """Every recorded impulse of a unilateral constraint pushes, and lies in the cone of its friction."""
    if not len(rows):
        return []
    P, which = rows.impulses, rows.bodies[:, 0] - len(block_shapes_of(motion.model).kinds)
    mu = np.maximum(laws_of_unilaterals(motion)[which, 1], 0.0)
    excess = np.maximum(np.hypot(P[:, 1], P[:, 2]) - mu * P[:, 0], -P[:, 0])
    size = np.maximum(np.linalg.norm(P, axis=1), np.finfo(float).tiny)
    reason = f"{len(P)} unilateral constraints that press"
    return [
        Line("impulses of unilateral constraints in their cones", float((excess / size).max()), CONE_EXCEEDED, reason)
    ]


def work_of_unilaterals(
    motion: Record, numbers: np.ndarray, time: np.ndarray, states: np.ndarray, rows: PressingContacts
) -> np.ndarray:
    """P · ū (k,) [J] of the recorded impulses in steps with these ``numbers``, for states (k, n) with mean velocities at instants (k,).

    What they do on given motions is no work on the blocks."""
    work, nq, shapes = np.zeros(len(numbers)), motion.model.nq, len(block_shapes_of(motion.model).kinds)
    own = np.flatnonzero(np.isin(rows.contact_solver, numbers))
    if not len(own):
        return work
    step, which = np.searchsorted(numbers, rows.contact_solver[own]), rows.bodies[own, 0] - shapes
    speeds = []
    for x in (states, np.concatenate([states[:, :nq], np.zeros_like(states[:, nq:])], axis=1)):
        board, Z = filled_board(tabled_in(motion.model), tape_rows(motion, time, x))
        for call in all_frames(board):
            write(call, Z)
        speeds.append(motions_of_unilaterals(board, Z)[1])
    np.add.at(work, step, np.einsum("ck,ck->c", rows.impulses[own], (speeds[0] - speeds[1])[step, which]))
    return work


def worst_unilateral_and_gain(step: BlockStep, met: StepContacts, pace: float) -> tuple[float, float]:
    """The largest miss of a unilateral constraint, relative to ``pace`` [m/s] and |Δv| of the end that changes less, and the work of all
    inelastic ones together on velocities after them, relative to the energy of their impulses."""
    shapes, nq = block_shapes_of(step.motion.model), step.motion.model.nq
    which, laws = met.contacts.who[:, 0] - len(shapes.kinds), laws_of_unilaterals(step.motion)
    (u, after), (_, before) = (
        step.motions_of_unilaterals(np.concatenate([met.middle, state[nq:]])) for state in (step.end, step.start)
    )
    begun = step.motions_of_unilaterals(np.concatenate([met.middle, step.start[nq:]]))[0][which, 0]
    u, changes, P = u[which].copy(), np.linalg.norm(after - before, axis=2)[which], step.bounded[which]
    weights = met.weights[:, [0, 1, 1]]
    gain = float((P * u * (laws[which, 0] == 0.0)[:, None]).sum())
    solver = step.motion.contact_solver if step.number >= 0 else None
    gain -= 0.0 if solver is None else float(solver.residual_work[step.number])
    gain /= max(float((P**2 / weights).sum()), np.finfo(float).tiny)
    radius = float(shapes.reaches[: shapes.moving].min())
    how, targets = locating(step.motion.method, shapes.pull, radius), met.targets
    if how is not None:
        closing = Closing(met.contacts.gap, met.contacts.gap > TOUCH * radius, P[:, 0], begun, u)
        targets = left_to_later(how, step.h, closing, targets)
    u[:, 0] -= targets
    missing = np.linalg.norm((_within_cones(P - u * weights, laws[which, 1], P[:, 0]) - P) / weights, axis=1)
    left = 0.0 if solver is None else 2.0 * DEPENETRATION_RESIDUAL * float(solver.penetration[step.number]) / step.span
    slower = np.where(changes > 0.0, changes, np.inf).min(axis=1)
    slower[np.isinf(slower)] = 0.0
    least = max(pace, HARDEST * float(np.nanmax(changes)), np.finfo(float).tiny)
    worst = float((np.maximum(missing - left, 0.0) / (least + slower)).max())
    return worst if np.isfinite(worst) else np.inf, gain if np.isfinite(gain) else np.inf


def _within_cones(Z: np.ndarray, mu: np.ndarray, pressing: np.ndarray) -> np.ndarray:
    """Impulses (m, 3) with normal parts that push and tangential ones up to μ times those that press."""
    Z = Z.copy()
    Z[:, 0] = np.maximum(Z[:, 0], 0.0)
    size, limit = np.hypot(Z[:, 1], Z[:, 2]), np.maximum(mu, 0.0) * pressing
    Z[:, 1:] *= (limit / np.maximum(np.maximum(size, limit), np.finfo(float).tiny))[:, None]
    return Z
