"""Whether located hits of free bodies are where gaps close."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.energy import has_halved_steps
from vinculum.audits.free_bodies.gaps import lengths_in_a_step
from vinculum.audits.impacts.located import Locating, holds_impact, locating
from vinculum.integrators.free_bodies.steps import free_bodies_work, penetrations
from vinculum.integrators.located_impacts import is_short
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import LATE_HITS
from vinculum.tolerances.round_off import HUNDRED_ROUND_OFFS
from vinculum.tolerances.samples import STEPS_TAKEN_AGAIN
from vinculum.tolerances.time_stepping import HALF_WIDTH, LEAST_WIDTH


def located_hit_lines(motion: Record) -> list[Line]:
    """The largest time by which a hit is later than its gap closes, in steps; none without located hits.

    It is the penetration of a fast approach in the middle of a short step, over its speed, up to the curvature of a step. A hit that is
    early has an impulse over an open gap, which the law of contact does not allow. A corner that swings in during a step is not predicted:
    its gap is closed when the next step begins, and it is hit there, by less than a step too late. Such hits are counted apart.
    """
    if not has_halved_steps(motion):
        return []
    free_bodies, times = free_bodies_of(motion.model), np.asarray(motion.pieces.times)
    how = locating(motion.method, float(np.linalg.norm(free_bodies.gravity)), 1.0)
    short = np.flatnonzero(holds_impact(motion.method, np.diff(times[::2])))
    if how is None or not len(short):
        return []
    worst, at, swung, latest = 0.0, 0.0, 0, 0.0
    chosen = short[np.unique(np.linspace(0, len(short) - 1, STEPS_TAKEN_AGAIN).astype(int))]
    states = motion.pieces.state(times[2 * chosen + 1], side="left")
    # what hits leave of velocities that vanish is round-off, and no approach
    fastest = float(np.abs(states[:, motion.model.nq :].reshape(len(states), -1, 6)[:, :, :3]).max(initial=0.0))
    for k, state in zip(chosen, states, strict=True):
        t, work = float(times[2 * k + 1]), free_bodies_work(free_bodies, state)
        gaps, speeds = work.closing(work.record(), float(times[2 * k + 2] - times[2 * k]))
        inside = (speeds < -max(how.swift, HUNDRED_ROUND_OFFS * fastest)) & (gaps < 0.0)
        if not inside.any():
            continue
        pairs = penetrations(motion.model, state)
        bent = max((lengths_in_a_step(motion, state, pair)[0] for pair in pairs), default=0.0)
        late = float((np.maximum(-gaps[inside] - bent, 0.0) / -speeds[inside]).max()) / how.h
        if late <= 1.0 and _begins_closed(how, times, k):
            swung, latest = swung + (late > LATE_HITS), max(latest, late)
            continue
        worst, at = max((worst, at), (late, t))
    reason = f"penetration of fast approaches over their speeds, in steps; {len(chosen)} located hits"
    if swung:
        reason += f", {swung} of corners that swung in during the step before, by up to {latest:.1e} too late"
    return [Line("hits where gaps close", worst, LATE_HITS, reason, f"at t = {at:.9g} s" if worst > LATE_HITS else "")]


def _begins_closed(how: Locating, times: np.ndarray, k: int) -> bool:
    """Whether the hit of the k-th step was found where a step of the run begins: its step is the shortest possible, after one that is not
    short."""
    before, own = (float(times[2 * i + 2] - times[2 * i]) for i in (k - 1, k))
    return k > 0 and own <= 2.5 * LEAST_WIDTH * HALF_WIDTH * how.h and not is_short(before, how.h)
