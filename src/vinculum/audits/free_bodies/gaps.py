"""No penetration of free bodies in contact, up to the tolerance of time stepping."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.description import describe
from vinculum.audits.free_bodies.energy import has_halved_steps
from vinculum.audits.free_bodies.steps import step_between
from vinculum.collision.broad_phase import CONE, CYLINDER, PLANE, SHEET
from vinculum.contact.free_bodies.observables import matrices
from vinculum.integrators.free_bodies.flights import turn_quaternions
from vinculum.integrators.free_bodies.steps import penetrations
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import PENETRATION
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.samples import DEEPEST_STEPS, STEPS_TO_LEAVE


def penetration_line(motion: Record, time: np.ndarray, states: np.ndarray) -> Line:
    r"""Gaps recomputed at instants and in the middle of steps with deep penetration, minus the curvature of steps, in
    radii of the smallest body.

    A step continues straight from the contacts of its middle, where gaps are set to zero. No instant is farther from such a middle than a
    step h. Until then, points with arms ρ leave their tangents by ρ (1 − cos ω h) ≤ h²/2 ω² ρ, and normals turn away from a displacement
    h |u| by h²/2 ω |u|. Without rotation there is no such deviation. A corner that swings in during a step is not predicted. It enters by
    less than its displacement in a step and is pushed out in the next.
    """
    radius = float(free_bodies_of(motion.model).reaches[: free_bodies_of(motion.model).count].min())
    worst, at, deepest = 0.0, float(time[0]), 0.0
    for t, state in [*zip(time, states, strict=True), *_penetrating_middles(motion, PENETRATION * radius)]:
        for pair, depth in penetrations(motion.model, state).items():
            bent, way = lengths_in_a_step(motion, state, pair)
            deepest = max(deepest, depth)
            excess = depth - bent
            if (
                excess > PENETRATION * radius
                and depth <= way
                and _separates_soon(motion, float(t), pair, PENETRATION * radius)
            ):
                continue
            worst, at = max((worst, at), (excess / radius, float(t)))
    told = f"at {len(time)} instants of the grid"
    if motion.contact_solver is not None and has_halved_steps(motion):
        deepest = max(deepest, float(motion.contact_solver.penetration.max(initial=0.0)))
        told = f"in the deepest of all {len(motion.contact_solver)} steps and {told}"
    reason = f"gaps recomputed {told}, in radii of the smallest body; deepest {deepest / radius:.1e}"
    return Line("no penetration", worst, PENETRATION, reason, f"at t = {at:.9g} s" if worst > PENETRATION else "")


def _penetrating_middles(motion: Record, depth: float) -> list[tuple[float, np.ndarray]]:
    """Middles of the steps with penetrations above ``depth`` [m], the deepest ones, and the states there before impulses."""
    contact_solver = motion.contact_solver
    if contact_solver is None or not has_halved_steps(motion):
        return []
    told, times, found = describe(motion.model), np.asarray(motion.pieces.times), []
    deep = contact_solver.penetration[: len(times) // 2]
    for k in np.argsort(deep)[: -DEEPEST_STEPS - 1 : -1]:
        if deep[k] <= depth:
            break
        step, begun = step_between(motion, told, float(times[2 * k]), float(times[2 * k + 2]))
        state, n = begun.copy(), len(told.masses)
        q = state[: 7 * n].reshape(n, 7)
        spin = state[7 * n :].reshape(n, 6)[:, 3:]
        turn = 0.5 * step.duration * np.einsum("nij,nj->ni", matrices(q[:, 3:]), spin)
        q[:, 3:] = turn_quaternions(q[:, 3:], turn)
        q[:, :3] = step.X - np.einsum("nij,nj->ni", step.R, told.centers)
        found.append((float(times[2 * k + 1]), state))
    return found


def lengths_in_a_step(motion: Record, state: np.ndarray, pair: tuple[int, int]) -> tuple[float, float]:
    """Two lengths [m] for a step: by how much the points of two bodies leave their tangents, and how far they move."""
    free_bodies, h = free_bodies_of(motion.model), motion.method.step or 0.0
    moving = [b for b in pair if b < free_bodies.count]
    twists = state[motion.model.nq :].reshape(free_bodies.count, 6)[moving]
    speeds, turns = (np.linalg.norm(twists[:, part], axis=1) for part in (slice(3), slice(3, None)))
    arms = free_bodies.reaches[moving]
    bend = float((turns**2 * arms).sum() + turns.sum() * speeds.sum())
    return 0.5 * h * h * bend + _round_the_rim(motion, state, pair), h * float((speeds + turns * arms).sum())


def _round_the_rim(motion: Record, state: np.ndarray, pair: tuple[int, int]) -> float:
    r"""By how much the lowest point of the rim of a cylinder or cone lies below the point that was lowest a step before [m].

    With the tilt t of its axis from the normal and its change Δ in a step, ρ (|t + Δ| − (t + Δ) · t/|t|) ≤ ρ min(2 |Δ|, |Δ|²/(2 |t|)):
    near upright the lowest point moves around the rim faster than the cylinder rotates.
    """
    free_bodies, h = free_bodies_of(motion.model), motion.method.step or 0.0
    body, wall = pair
    if (
        free_bodies.kinds[body] not in (CYLINDER, CONE)
        or wall < free_bodies.count
        or free_bodies.kinds[wall] not in (PLANE, SHEET)
    ):
        return 0.0
    axis = matrices(state[7 * body + 3 : 7 * body + 7]) @ free_bodies.tilts[body][:, 2]
    tilt = float(np.linalg.norm(np.cross(axis, free_bodies.sizes[wall])))
    turn = h * float(np.linalg.norm(state[motion.model.nq + 6 * body + 3 : motion.model.nq + 6 * body + 6]))
    return float(free_bodies.sizes[body, 0]) * min(2.0 * turn, turn**2 / (2.0 * max(tilt, NEXT_TO_ZERO)))


def _separates_soon(motion: Record, t: float, pair: tuple[int, int], left: float) -> bool:
    """Whether two bodies are apart at the end of one of the next steps, or the motion ends before."""
    later = t + (motion.method.step or 0.0) * np.arange(1, STEPS_TO_LEAVE + 1)
    known = later[later <= motion.pieces.end]
    for state in motion.pieces.state(known) if len(known) else ():
        if penetrations(motion.model, state).get(pair, 0.0) <= left + lengths_in_a_step(motion, state, pair)[0]:
            return True
    return len(known) < STEPS_TO_LEAVE and later[-1] > t
