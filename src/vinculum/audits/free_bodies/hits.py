"""Whether steps are short relative to the motion: the displacement in the step of an impact, whose instant is not
located.
"""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.energy import has_halved_steps
from vinculum.audits.impacts.located import holds_impact
from vinculum.audits.impacts.seen_impacts import Impacts, coordinate_rates
from vinculum.compile.evaluate import evaluate_groups
from vinculum.integrators.free_bodies.contacts import contacts_of_step
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.motion.method import LOCATED
from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups, tape_rows
from vinculum.tolerances.certificates import (
    HITS_LOST,
    HITS_UNDECIDED,
    LEAST_WAY,
    NO_HIT,
    NO_RESIDUAL,
    RESTING,
    STEP_FOR_HITS,
)
from vinculum.tolerances.samples import HITS_LOOKED_AT
from vinculum.tolerances.sizes import NUMBERS_OF_A_WINDOW, STEPS_OF_A_BLOCK
from vinculum.tolerances.time_stepping import IMPACT


def hit_lines(motion: Record, found: Impacts) -> list[Line]:
    """h |v⁺ − v⁻| of the hardest impact in coordinates, relative to the largest displacement of a coordinate. No line if all impacts are
    located."""
    if not np.any(found.step > 0.0):
        return []
    nq, h, q = motion.model.nq, found.step[:, None], motion.at(np.asarray(motion.pieces.times)).q
    way = np.abs(coordinate_rates(found, found.left[:, :nq], h * found.jumps)).max(axis=1, initial=0.0)
    rest = _at_rest(motion, found)
    way = np.where(rest, 0.0, way)
    k = int(np.argmax(way))
    sizes = float(np.ptp(q, axis=0).max(initial=0.0)), float(np.abs(q).max(initial=0.0))
    return _line(motion, float(way[k]), *sizes, float(found.times[k]), _instant_error_text(found, rest, nq))


def _instant_error_text(found: Impacts, rest: np.ndarray, nq: int) -> str:
    """By how much the instants of hits may be off that steps do not locate, in words; nothing without such hits."""
    jump, forced = (np.abs(x).max(axis=1, initial=0.0) for x in (found.jumps, found.step[:, None] * found.slope))
    fastest = float(np.abs(found.left[:, nq:]).max(initial=0.0))
    hits = ~rest & (found.step > 0.0) & (jump > IMPACT * forced) & (jump > NO_HIT * fastest)
    if not hits.any():
        return ""
    return f"; instants are not located: each of {hits.sum()} hits is off by up to a step of {found.step[hits].max():.1e} s"


def _at_rest(motion: Record, found: Impacts) -> np.ndarray:
    """Which impulses (K,) only keep closed contacts at rest."""
    nq, h, times = motion.model.nq, found.step[:, None], found.times
    begin, end = motion.pieces.begin, motion.pieces.end
    first = motion.pieces.state(np.maximum(times - 0.5 * found.step, begin), side="right")
    last = motion.pieces.state(np.minimum(times + 0.5 * found.step, end), side="left")
    forced = RESTING * np.abs(coordinate_rates(found, found.left[:, :nq], h**2 * found.slope)).max(axis=1, initial=0.0)
    ways = [last[:, :nq] - first[:, :nq], *(coordinate_rates(found, x[:, :nq], h * x[:, nq:]) for x in (first, last))]
    rest = np.all([np.abs(way).max(axis=1, initial=0.0) <= forced for way in ways], axis=0)
    m = len(motion.model.layout.unilaterals)
    if m:
        rows = tape_rows(motion, np.maximum(times - 0.5 * found.step, begin), first)
        gaps = evaluate_groups(motion.model.tape("distances"), rows)["gaps"]
        pulled = np.abs(np.einsum("kcn,kn->kc", found.here.jacobians[:, : 3 * m : 3], h**2 * found.slope))
        rest &= ~np.any(found.impulses[:, :m].any(axis=2) & (gaps > RESTING * pulled), axis=1)
    return rest


def free_bodies_hit_lines(motion: Record) -> list[Line]:
    """The same for the mass centers of free bodies in contact. No line if steps are not known."""
    free_bodies = free_bodies_of(motion.model)
    if free_bodies is None or not has_halved_steps(motion):
        return []
    times, pull = np.asarray(motion.pieces.times)[::2], float(np.linalg.norm(free_bodies.gravity))
    every = max(1, -(-(len(times) - 1) // max(2, NUMBERS_OF_A_WINDOW // (13 * free_bodies.count))))
    impacts, located = np.zeros(free_bodies.count, dtype=int), 0
    hits, holds, low, high = [], [], np.full((free_bodies.count, 3), np.inf), np.full((free_bodies.count, 3), -np.inf)
    for k in range(0, len(times) - 1, STEPS_OF_A_BLOCK * every):
        firsts = np.arange(k, min(k + STEPS_OF_A_BLOCK * every, len(times) - 1), every)
        v, x = [], []
        for side, instants in (("right", times[firsts]), ("left", times[firsts + 1])):
            found = tape_groups(motion, "balance", instants, motion.pieces.state(instants, side=side))
            v.append(found["momentum"].reshape(len(instants), -1, 6)[..., :3] / free_bodies.masses[:, None])
            x.append(found["center"].reshape(len(instants), -1, 3))
            low, high = np.minimum(low, x[-1].min(axis=0)), np.maximum(high, x[-1].max(axis=0))
        d = (times[firsts + 1] - times[firsts])[:, None]
        change, fastest = np.linalg.norm(v[1] - v[0], axis=2), float(np.abs(v).max(initial=0.0))
        struck = (change > IMPACT * d * pull) & (change > NO_HIT * fastest)
        short = holds_impact(motion.method, d)
        impacts, located = impacts + (struck & ~short).sum(axis=0), located + int((struck & short).any(axis=1).sum())
        way = d * np.linalg.norm(v[1] - v[0] - d[..., None] * free_bodies.gravity, axis=2)
        ways = [np.linalg.norm(part, axis=2) for part in (x[1] - x[0], d[..., None] * v[0], d[..., None] * v[1])]
        rest = np.max(ways, axis=0) <= RESTING * d**2 * pull
        for own, chosen in ((hits, ~rest), (holds, rest)):
            largest = np.where(chosen, way, 0.0)
            step, body = np.unravel_index(int(np.argmax(largest)), way.shape)
            own.append((float(largest[step, body]), int(firsts[step]), int(body)))
    size, whole = float(max(np.abs(low).max(), np.abs(high).max())), float((high - low).max())
    hits += [
        one
        for one in sorted(holds)[-HITS_LOOKED_AT:]
        if one[0] > HITS_UNDECIDED * max(whole, LEAST_WAY * size) and _falls(motion, times, one)
    ]
    way, step, _ = max(hits)
    told = f"; impacts at {every * located} instants are located" if located else ""
    return _line(motion, way, whole, size, float(times[step]), told + _instants(motion, every * impacts))


def _instants(motion: Record, impacts: np.ndarray) -> str:
    r"""By how much the instants of impacts may be off, as text, for bodies with ``impacts`` (n,) impacts; empty without any.

    A step applies an impact in its middle, so up to a step h from the true instant. By Newton's law the body then rises from a height v h,
    and its flight is too long by (1/e − 1 − 2 e) h to first order. So the instant of impact number n is off by up to
    h (1 + (n − 1)(1 + 1/e)).
    """
    h, free_bodies = motion.method.step or 0.0, free_bodies_of(motion.model)
    most = int(impacts.max(initial=0))
    if not most:
        return ""
    body = list(motion.model.layout.bodies)[int(np.argmax(impacts))]
    late = h * (1.0 + (most - 1) * (1.0 + (1.0 / free_bodies.e if free_bodies.e > 0.0 else 0.0)))
    whose = "instants of other impacts" if motion.method.impacts == LOCATED else "instants"
    told = f"; {whose} are not located: each impact is off by up to a step of {h:.1e} s"
    return told + (f", the last of {most} of '{body}' by up to {late:.1e} s" if most > 1 else "")


def _falls(motion: Record, times: np.ndarray, held: tuple[float, int, int]) -> bool:
    """Whether a body that seems to be at rest in a step touches nothing in its middle."""
    _, k, body = held
    free_bodies, d = free_bodies_of(motion.model), float(times[k + 1] - times[k])
    state = motion.pieces.state(times[k : k + 1], side="right")[0]
    found = contacts_of_step(motion.model, state, d, motion.method.tolerance or 0.0)
    if found is None:
        return False
    own = (found.who == body).any(axis=1) & found.impulses.any(axis=1)
    return bool(np.any(own) and found.gap[own].max() > RESTING * d * d * float(np.linalg.norm(free_bodies.gravity)))


def _line(motion: Record, way: float, whole: float, size: float, at: float, instants: str = "") -> list[Line]:
    part = way / max(whole, LEAST_WAY * size, np.finfo(float).tiny)
    told = ""
    if part > HITS_UNDECIDED:
        step = STEP_FOR_HITS * (motion.method.step or 0.0) * HITS_UNDECIDED / part
        told = f"impact at t = {at:.9g} s; use a step below {step:.1g} s"
    reason = f"positions at impacts are known to {part:.1e} of the displacement in the motion; {HITS_UNDECIDED:g} is enough{instants}"
    return [
        Line(
            "hits resolved by steps",
            max(part - HITS_UNDECIDED, 0.0),
            NO_RESIDUAL,
            reason,
            told,
            doubt=HITS_LOST - HITS_UNDECIDED,
        )
    ]
