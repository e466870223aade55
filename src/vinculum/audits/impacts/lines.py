"""Impulses on a motion: jumps of velocities, and the laws of unilateral constraints, impacts and friction."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.impacts.accumulating_impacts import restitution_left
from vinculum.audits.impacts.least_slips import least_slips
from vinculum.audits.impacts.pressed_lately import gaps_left_open, pressed_lately
from vinculum.audits.impacts.row_laws import law_between_shapes
from vinculum.audits.impacts.seen_impacts import Geometry, Impacts, may_be_in_turn, size_at_impacts, solver_accuracy
from vinculum.audits.impacts.stages import Doubts, staged_excess
from vinculum.audits.scaling.scales import instant_limit
from vinculum.motion.impulses.redundancy import surplus
from vinculum.tolerances.certificates import IMPACT_METHOD_SAFETY, IMPACTS_LUMPED, IMPULSES_SOLVED, SAFETY
from vinculum.tolerances.event_driven import EXACTLY_TOUCHING, HIDDEN, UNRESOLVED_STEPS
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.samples import IMPACTS_LOOKED_AT


def impact_lines(found: Impacts) -> list[Line]:
    """Lines for single impulses; none without impacts."""
    if not len(found) or not (np.any(found.contact_impulses) or np.any(found.given)):
        return []
    if not np.any(found.contact_impulses):
        return [_impulse_line(found)]
    lines = [_impulse_line(found), _sign_line(found), *_friction_lines(found), *turning_lines(found)]
    return [*lines, _law_line(found), _energy_line(found)]


def _impulse_line(found: Impacts) -> Line:
    r"""M (v⁺ − v⁻) = Hᵀ P + Q at every impact, with the impulses Q that the user gives, in the kinetic metric and relative to P: the weak
    form for fields that shrink to the instant.

    Bilateral bonds react with atoms of their own, which do no work on velocities that they allow. Moreau, An expression of
    classical dynamics, (8.5).
    """
    law, here, jumps = "impulses M [v] = Hᵀ P", found.here, found.jumps
    residual, plain, size = _misfit(found)
    other = _impulse(found.nearby, jumps, found.contact_impulses) - _impulse(here, jumps, found.contact_impulses)
    admitted = np.where(residual <= plain, plain, plain + IMPACT_METHOD_SAFETY * kinetic_norms(here, other) / size)
    k = int(np.argmax(np.where(np.isfinite(residual), residual, np.inf) / admitted))
    detail = f"at t = {found.times[k]:.9g} s: {_impact_description(found, k)}" if residual[k] > admitted[k] else ""
    given_impulses = int(found.given.any(axis=1).sum())
    reason = f"{len(found)} impacts, each relative to its own impulses" + f"; {given_impulses} of them given" * bool(
        given_impulses
    )
    reason += _uniqueness(found)
    return Line(law, float(residual[k]), float(admitted[k]), reason, detail)


def _misfit(found: Impacts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M (v⁺ − v⁻) − Hᵀ P − Q at the positions of impacts, relative, its tolerance by round-off, and the scales (K,) of both."""
    here, jumps, nq = found.here, found.jumps, found.motion.model.nq
    missed = [
        kinetic_norms(here, _impulse(here, jump, found.contact_impulses) - found.given)
        for jump in (jumps, jumps - least_slips(found))
    ]
    left = np.minimum(*missed)
    size = np.maximum(
        kinetic_norms(here, _generalized_impulses(here, found.contact_impulses)),
        kinetic_norms(here, _momentum_jumps(here, jumps)),
    )
    size = np.maximum(size, kinetic_norms(here, found.given))
    # every velocity is rounded, also if those of joints cancel in the bodies, and a body at rest was rounded while it moved
    largest = np.abs(found.left[:, nq:]).max(axis=0, initial=0.0)
    # (roundings of joints may add up: the norm of their sum is at most the sum of their norms)
    inertia = np.einsum("kii->ki", here.mass)
    speed = np.sqrt(inertia) @ largest
    free = np.sqrt((found.given**2 / np.maximum(inertia, np.finfo(float).tiny)).sum(axis=1))
    rounded = SAFETY * ROUND_OFF * (speed + free)
    # impulses that the round-off of velocities would hide are measured against it
    size = np.maximum(np.maximum(size, rounded / IMPULSES_SOLVED), np.finfo(float).tiny)
    return left / size, instant_limit(found.motion, IMPULSES_SOLVED) + rounded / size, size


def in_place(found: Impacts) -> np.ndarray:
    """Whether impulses fit the jumps at their recorded positions, (K,). Only if they do not, their position in a step is in doubt."""
    residual, plain, _ = _misfit(found)
    return residual <= plain


def _uniqueness(found: Impacts) -> str:
    """Whether impulses are unique, from the ranks of the active rows in some impacts."""
    chosen = np.unique(np.linspace(0, len(found) - 1, IMPACTS_LOOKED_AT).astype(int))
    m, P, axes = 3 * len(found.laws.turns), found.impulses, found.laws.axes
    more = [surplus(found.here.jacobians[k, :m], found.here.mobility[k], P[k], axes[k]) for k in chosen]
    many = int(np.count_nonzero(more))
    return (
        f"; impulses are not unique in {many} of {len(more)}: up to {max(more)} more than degrees of freedom"
        if many
        else ""
    )


def _sign_line(found: Impacts) -> Line:
    """P_N ≥ 0: normal impulses are not negative. Moreau, An expression of classical dynamics, Prop. 6.2."""
    normal = found.contact_impulses[:, found.normals]
    short = normal + _lumped_impulses(found)
    worst = max(0.0, -float(short.min(initial=0.0))) / float(np.abs(normal).max(initial=np.finfo(float).tiny))
    k, c = map(int, np.unravel_index(int(np.argmin(short)), normal.shape))
    allowed = instant_limit(found.motion, IMPULSES_SOLVED)
    detail = f"{found.laws.name(k, c)} at t = {found.times[k]:.9g} s" if worst > allowed else ""
    return Line("impulses P_N ≥ 0", worst, allowed, "normal impulses are not negative", detail)


def _friction_lines(found: Impacts) -> list[Line]:
    """|P_T| ≤ μ P_N in the ellipse of every unilateral constraint and contact, and P_T · u_T⁺ ≤ 0. If the impact law relates speeds before
    and after, friction dissipates the most of all impulses in that ellipse, so sliding contacts have |P_T| = μ P_N. In sequential impacts
    the slip after one of them is not the slip after all, and powers are not checked."""
    laws, P = found.laws, found.impulses
    largest, speed = float(np.abs(P).max(initial=np.finfo(float).tiny)), speed_scale(found)
    u, twisted = (x[:, : 3 * P.shape[1]].reshape(P.shape)[:, :, 1:] for x in (found.leaving, slip_doubt(found)))
    tangent, axes = P[:, :, 1:], laws.axes
    used = np.where(laws.rough, np.hypot(*np.moveaxis(tangent / np.where(axes > 0.0, axes, 1.0), 2, 0)), 0.0)
    stray = np.abs(np.where(axes > 0.0, 0.0, tangent)).max(axis=2)
    lumped, widest = _lumped_impulses(found), axes.max(axis=2)
    beyond = (used - P[:, :, 0]) * widest - lumped * (1.0 + widest)
    over = np.maximum(np.maximum(beyond, 0.0), stray - lumped) / largest
    gain = np.einsum("kct,kct->kc", tangent, u) / (largest * speed)
    excess = gain - np.einsum("kct,kct->kc", np.abs(tangent), twisted) / (largest * speed)
    count = _count_text(found, laws.rough, "friction")
    lines = [worst_line("friction |P_T| ≤ μ P_N", found, over, count)]
    if np.any(laws.rough):
        # speeds after the impact are those after each of its impulses, unless several impacts are sequential
        last = ~may_be_in_turn(found) | (np.count_nonzero(found.impulses.any(axis=2), axis=1, keepdims=True) < 2)
        told = np.where(last, np.maximum(excess, 0.0), 0.0)
        lines.append(worst_line("friction P_T · u_T⁺ ≤ 0", found, told, count))
        most = P[:, :, 0] * np.hypot(*np.moveaxis(axes * u, 2, 0)) + np.einsum("kct,kct->kc", tangent, u)
        unsure = np.einsum("kct,kct->kc", axes * np.abs(P[:, :, :1]) + np.abs(tangent), twisted)
        unsure += lumped * (1.0 + widest) * np.hypot(*np.moveaxis(u, 2, 0))
        short = np.where(laws.rough & laws.plain & ~may_be_in_turn(found), np.maximum(most - unsure, 0.0), 0.0) / (
            largest * speed
        )
        lines.append(worst_line("friction of what slides |P_T| = μ P_N", found, short, count))
    return lines


def _count_text(found: Impacts, which: np.ndarray, what: str) -> str:
    b = len(found.laws.unilaterals)
    told = [f"{int(which[:, :b].any(axis=0).sum())} of {b} unilateral constraints have {what}"] * bool(b)
    return ", ".join(told + ["contacts of shapes"] * bool(np.any(which[:, b:]))) or f"no contact has {what}"


def worst_line(law: str, found: Impacts, excess: np.ndarray, reason: str) -> Line:
    """The line of the largest of (K, m) numbers that should be zero, with the contact and the instant."""
    k, c = map(int, np.unravel_index(int(np.argmax(excess)), excess.shape))
    worst, allowed = float(excess[k, c]), solver_accuracy(found.motion)
    return Line(
        law, worst, allowed, reason, f"{found.laws.name(k, c)} at t = {found.times[k]:.9g} s" if worst > allowed else ""
    )


def turning_lines(found: Impacts) -> list[Line]:
    """|M_T| ≤ δ P_N and |M_N| ≤ σ P_N, and M · ω⁺ ≤ 0 of both, if contacts resist rolling or spinning."""
    laws, chosen = found.laws, np.flatnonzero(found.laws.turns >= 0)
    if not len(chosen):
        return []
    rows = 3 * laws.turns[chosen, None] + np.arange(3)
    M, w, twisted = (x[:, rows] for x in (found.contact_impulses, found.leaving, slip_doubt(found)))
    N, lengths = found.impulses[:, chosen, 0], laws.lengths[:, chosen]
    scale = float(np.abs(found.impulses).max(initial=np.finfo(float).tiny)) * float(lengths.max())
    spun = np.maximum(np.abs(M[:, :, 0]) - lengths[:, :, 0] * N, 0.0) / scale
    rolled = np.maximum(np.hypot(M[:, :, 1], M[:, :, 2]) - lengths[:, :, 1] * N, 0.0) / scale
    fastest = max(float(np.abs(w).max()), np.finfo(float).tiny)
    # rolling and spinning have separate sets, and each dissipates
    powers = [np.einsum("kcr,kcr->kc", M[:, :, part], w[:, :, part]) for part in (slice(1), slice(1, 3))]
    doubts = [np.einsum("kcr,kcr->kc", np.abs(M[:, :, part]), twisted[:, :, part]) for part in (slice(1), slice(1, 3))]
    gain = np.max([np.maximum(p - d, 0.0) for p, d in zip(powers, doubts, strict=True)], axis=0) / (scale * fastest)
    whole = np.zeros((3, len(found), len(laws.turns)))
    whole[:, :, chosen] = rolled, spun, gain
    reason = "moments about the axes of contacts, with δ and σ the lengths of rolling and spinning"
    return [worst_line("rolling |M_T| ≤ δ P_N", found, whole[0], reason), worst_line("spinning |M_N| ≤ σ P_N", found, whole[1], reason),
            worst_line("rolling and spinning M · ω⁺ ≤ 0", found, whole[2], reason)]  # fmt: skip


def _law_line(found: Impacts) -> Line:
    """0 ≤ P ⟂ u_N⁺ + e u_N⁻ ≥ 0 by the natural map, relative to the largest speeds, for laws of Newton's kind. Poisson's law and sequential
    impacts are judged by impulses of their stages, see `staged_excess`. The line covers contacts with an impulse, and those that pressed
    until then, and closed ones."""
    # a sequential constraint that pressed until now may count as closed, although steps have left it a gap
    maybe = np.any(found.laws.in_turn & (found.here.gaps <= gaps_left_open(found)), axis=1)
    maybe = (maybe | may_be_in_turn(found)[:, 0]) & ~found.in_turn[:, 0]
    e, plain, normals = (
        restitution_left(found),
        found.laws.plain & ~found.in_turn & ~maybe[:, None],
        found.normals,
    )
    before, after = (x[:, normals] for x in (found.arriving, found.leaving))
    weights, lumped = _weights(found), _lumped_impulses(found)
    W, hidden = weights[:, normals], np.where(found.step[:, None] > 0.0, 0.0, _hidden_speeds(found))
    # a closed gap takes part also if it ends without an impulse: it may have one in the first stage of the impact
    closed = (found.step[:, None] <= 0.0) & (found.here.gaps <= EXACTLY_TOUCHING * size_at_impacts(found))
    closed &= ~_hits_right_afterwards(found)
    P, involved = found.contact_impulses[:, normals], found.impulses.any(axis=2) | pressed_lately(found) | closed
    target = np.where(plain, -e * np.minimum(before, 0.0), 0.0)
    mapped = np.maximum(0.0, P - (after - target) / np.where(W > 0.0, W, 1.0))
    left = np.where(plain, np.abs(P - mapped) * W, np.maximum(-after, 0.0))
    doubt, scale = slip_doubt(found), speed_scale(found)
    doubt[:, normals] += hidden + W * lumped
    for tangents in (slice(1, normals.stop, 3), slice(2, normals.stop, 3)):
        doubt[:, tangents] += weights[:, tangents] * lumped * (1.0 + found.laws.axes.max(axis=2))
    excess = np.where(involved, np.maximum(left - doubt[:, normals], 0.0), 0.0) / scale
    slow = np.all(~involved | (-before <= IMPACTS_LUMPED * hidden.max(axis=1, keepdims=True, initial=0.0)), axis=1)
    excess = np.maximum(excess, staged_excess(found, e, Doubts(involved, doubt, slow, maybe), scale))
    kinds = ", ".join(dict.fromkeys([*found.laws.kinds, *_contact_kinds(found)]))
    return worst_line("impact law", found, excess, f"{kinds}: {_formulas(found)}")


def _hits_right_afterwards(found: Impacts) -> np.ndarray:
    """Contacts (K, m) that approach after an impact without an impulse of their own, and have one within twice the time in which the
    largest gap that counts as closed closes: they were open. Where impacts accumulate, gaps become as small as their round-off."""
    hit, approach = found.impulses[:, :, 0] > 0.0, -found.leaving[:, found.normals]
    near = 2.0 * EXACTLY_TOUCHING * size_at_impacts(found) / np.maximum(approach, np.finfo(float).tiny)
    result = ~hit & (approach > 0.0)
    for c, own in enumerate(hit.T):
        later = np.append(found.times[own], np.inf)
        until = later[np.searchsorted(found.times[own], found.times, side="right")] - found.times
        result[:, c] &= until <= near[:, c]
    return result


def _formulas(found: Impacts) -> str:
    """The laws of which a motion's constraints and contacts have some."""
    newton = np.any(found.laws.plain) or not found.laws.by_impulses.size
    told = ["0 ≤ P ⟂ u⁺ + e u⁻ ≥ 0"] * bool(newton) + ["0 ≤ P − (1 + e) P_c ⟂ u⁺ ≥ 0"] * bool(
        np.any(found.laws.by_impulses)
    )
    return ", ".join(told + ["one after the other, the fastest first"] * bool(np.any(found.laws.in_turn)))


def _contact_kinds(found: Impacts) -> list[str]:
    shapes = found.motion.model.shapes
    if shapes is None:
        return []
    return [law_between_shapes(e, two) for e, two in zip(shapes.laws[:, 0], shapes.by_impulses, strict=True)]


def _energy_line(found: Impacts) -> Line:
    r"""The energy −½ Σ P · (u⁺ + u⁻) that every impact dissipates. A gain is an error if there is no friction, if all unilateral
    constraints have one coefficient of restitution, and if none with an impulse was separating before.

    Speeds are relative to the unilateral constraints, so that the work of a moving one is not counted.
    """
    entries = list(found.motion.model.layout.unilaterals.values())
    kinds = {(entry.impact, entry.restitution, entry.treatment) for entry in entries} | set(_contact_kinds(found))
    mean = 0.5 * (found.speeds(found.before) + found.speeds(found.after))
    gain = np.einsum("kr,kr->k", found.contact_impulses, mean)
    nq = found.motion.model.nq
    kinetic = 0.5 * np.einsum("ki,kij,kj->k", found.left[:, nq:], found.here.mass, found.left[:, nq:])
    scale = max(float(kinetic.max()), float(np.abs(gain).max()), np.finfo(float).tiny)
    # an impulse of time stepping reacts to the forces of a whole step, half of which act before its middle, and to speeds at its ends
    pressed = found.step[:, None] * np.abs(np.einsum("krn,kn->kr", found.here.jacobians, found.slope))
    pressed += np.abs(found.arriving - found.speeds(found.before)) + np.abs(found.leaving - found.speeds(found.after))
    doubt = np.einsum("kr,kr->k", np.abs(found.contact_impulses), slip_doubt(found) + pressed)
    # a given impulse may press a body onto a unilateral constraint, which returns a part of it
    excess = np.where(found.given.any(axis=1), 0.0, (gain - doubt) / scale)
    k = int(np.argmax(excess))
    lost = f"{-gain.sum():.6g} J in {len(found)} impacts"
    rough, common = bool(np.any(found.laws.rough)), len(kinds) == 1
    worst = max(float(excess[k]), 0.0)
    if worst <= solver_accuracy(found.motion):
        return Line("energy lost in impacts", worst, solver_accuracy(found.motion), lost)
    told = f"{gain[k]:.3g} J gained at t = {found.times[k]:.9g} s by {_laws(found, k)}"
    before = found.speeds(found.before)[k, found.normals]
    parting = np.any((before > slip_doubt(found)[k, found.normals]) & (found.contact_impulses[k, found.normals] > 0.0))
    if rough or not common or parting:
        why = "friction" if rough else "a separating unilateral constraint" if common else "unequal restitution"
        return Line("energy lost in impacts", 0.0, IMPULSES_SOLVED, lost, f"{told}, which {why} does not exclude")
    return Line("energy lost in impacts", worst, IMPULSES_SOLVED, lost, told)


def speed_scale(found: Impacts) -> float:
    """The scale of speeds: the largest normal or tangential one, or the largest that single impulses would produce, in the whole motion
    if ``found`` has those of a stretch."""
    sizes = [found.speeds(found.before), found.speeds(found.after), _weights(found) * found.contact_impulses]
    own = 3 * len(found.laws.turns)
    return max(*(float(np.abs(x[:, :own]).max()) for x in sizes), found.fastest, np.finfo(float).tiny)


def _weights(found: Impacts) -> np.ndarray:
    """The diagonal of H M⁻¹ Hᵀ, (K, 3 b)."""
    return np.einsum("kri,kri->kr", found.here.jacobians @ found.here.mobility, found.here.jacobians)


def slip_doubt(found: Impacts) -> np.ndarray:
    """By how much speeds (K, 3 m) may differ between the position of an impact and the one for which time stepping computed it."""
    reach = np.abs(found.before) + np.abs(found.after)
    bent = np.abs(found.nearby.jacobians - found.here.jacobians)
    drift = np.abs(found.nearby.drifts - found.here.drifts)
    doubt = np.einsum("krn,kn->kr", bent, reach) + drift + _speed_round_off(found)
    doubt[:, : 3 * len(found.laws.turns)] += np.repeat(found.shifts, 3, axis=1)
    return doubt


def _hidden_speeds(found: Impacts) -> np.ndarray:
    """Speeds (K, m) of bounces that round-off of the coordinates would hide: the last of infinitely many impacts is inelastic. At the end
    of a span of time steps, the speeds that these do not resolve are added."""
    normal = found.here.jacobians[:, found.normals]
    # a gap that is closed before an impact does not accelerate; its bounce afterwards follows from forces without contacts
    pressed = np.abs(np.einsum("kcn,xkn->xkc", normal, np.array([found.slope, found.free]))).max(axis=0)
    height = HIDDEN * np.abs(found.left[:, : found.motion.model.nq]).max(axis=1, initial=0.0)[:, None]
    return np.sqrt(2.0 * pressed * height * np.abs(normal).max(axis=2)) + _unresolved_speeds(found)


def _unresolved_speeds(found: Impacts) -> np.ndarray:
    """Speeds (K, m) that time steps cannot distinguish from rest, if a span of them ends with an impact; zero at other impacts."""
    motion, result = found.motion, np.zeros((len(found), len(found.laws.turns)))
    if not motion.phases or not motion.phases[0].after:
        return result
    last = found.times <= motion.phases[0].begin
    normal = found.here.jacobians[last][:, found.normals]
    result[last] = (
        UNRESOLVED_STEPS * motion.phases[0].after * np.einsum("kcn,kn->kc", np.abs(normal), np.abs(found.free[last]))
    )
    return result


def _lumped_impulses(found: Impacts) -> np.ndarray:
    """Impulses (K, m) that stand for infinitely many hidden impacts and for the forces between them, if no approach is faster."""
    hidden, W = _hidden_speeds(found).max(axis=1, keepdims=True), _weights(found)[:, found.normals]
    before = np.where(found.impulses.any(axis=2), np.abs(found.arriving[:, found.normals]), 0.0)
    last = (found.step <= 0.0) & np.all(before <= IMPACTS_LUMPED * hidden, axis=1)
    return np.where(last[:, None], IMPACTS_LUMPED * hidden / np.where(W > 0.0, W, 1.0), 0.0)


def _speed_round_off(found: Impacts) -> np.ndarray:
    """Round-off of speeds, (K, 3 m)."""
    nq = found.motion.model.nq
    largest = np.abs(found.left[:, nq:]).max(axis=1, initial=0.0) + np.abs(found.right[:, nq:]).max(axis=1, initial=0.0)
    return SAFETY * ROUND_OFF * np.einsum("krn,k->kr", np.abs(found.here.jacobians), largest)


def _impulse(at: Geometry, jumps: np.ndarray, P: np.ndarray) -> np.ndarray:
    return _momentum_jumps(at, jumps) - _generalized_impulses(at, P)


def _momentum_jumps(at: Geometry, jumps: np.ndarray) -> np.ndarray:
    return np.einsum("kij,kj->ki", at.mass, jumps)


def _generalized_impulses(at: Geometry, P: np.ndarray) -> np.ndarray:
    return np.einsum("krj,kr->kj", at.jacobians, P)


def kinetic_norms(at: Geometry, impulses: np.ndarray) -> np.ndarray:
    """Norms √(wᵀ M w) (K,) of impulses (K, nv) by the velocities w that they produce: without reactions of bonds and their round-off."""
    w = np.einsum("kij,kj->ki", at.mobility, impulses)
    return np.sqrt(np.maximum(np.einsum("ki,kij,kj->k", w, at.mass, w), 0.0))


def _hit(found: Impacts, k: int) -> list[int]:
    return np.flatnonzero(found.impulses[k].any(axis=1)).tolist()


def _impact_description(found: Impacts, k: int) -> str:
    hit = _hit(found, k)
    told = ["a given impulse"] * bool(found.given[k].any()) + [found.laws.name(k, c) for c in hit[:3]]
    return ", ".join(told) + "…" * (len(hit) > 3)


def _laws(found: Impacts, k: int) -> str:
    told = [f"{found.laws.kind(k, c)} at {found.laws.name(k, c)}" for c in _hit(found, k)]
    return ", ".join(told[:3]) + "…" * (len(told) > 3)
