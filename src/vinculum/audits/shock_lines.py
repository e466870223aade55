"""Percussions on a motion: what they do to velocities, and the laws of boundaries, shocks and friction at each of them."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.shocks import Geometry, Shocks
from vinculum.bonds.boundaries.shocks import SIMULTANEOUS
from vinculum.motion.touching import HIDDEN

ROUND_OFF = 2.0**-52
SOLVED = 1e-8
"""Relative accuracy of impulses that an iteration is asked for, with a hundred times in hand."""
SAFETY = 10.0
NEGLIGIBLE = 1e-9
"""Percussions below this part of the largest are round-off of a solution that is not unique."""


def shock_lines(found: Shocks) -> list[Line]:
    """The lines that concern single percussions; none where there is no shock."""
    if not len(found) or not np.any(found.percussions):
        return []
    return [_impulse_line(found), _sign_line(found), *_friction_lines(found), _law_line(found), _energy_line(found)]


def _impulse_line(found: Shocks) -> Line:
    r"""M (v⁺ − v⁻) = Hᵀ P at every shock, in the kinetic metric and relative to P: the weak form for fields that shrink to the instant.

    Two-sided bonds answer with atoms of their own, which do no work in velocities that they allow. Moreau, An expression of
    classical dynamics, (8.5).
    """
    law, here, near = "percussions M [v] = Hᵀ P", found.here, found.nearby
    jumps = found.jumps
    left = _norm(here, _impulse(here, jumps, found.percussions))
    size = np.maximum(_norm(here, _pushed(here, found.percussions)), _norm(here, _carried(here, jumps)))
    size = np.maximum(size, np.finfo(float).tiny)
    apart = _norm(here, _impulse(near, jumps, found.percussions) - _impulse(here, jumps, found.percussions))
    nq = found.motion.model.nq
    speed = np.sqrt(np.einsum("ki,kij,kj->k", found.left[:, nq:], here.mass, found.left[:, nq:]))
    admitted = SOLVED + (apart + SAFETY * ROUND_OFF * speed) / size
    residual = left / size
    k = int(np.argmax(np.where(np.isfinite(residual), residual, np.inf) / admitted))
    detail = f"at t = {found.times[k]:.9g} s: {_named(found, k)}" if residual[k] > admitted[k] else ""
    reason = f"{len(found)} shocks, each relative to its own percussions"
    return Line(law, float(residual[k]), float(admitted[k]), reason, detail)


def _sign_line(found: Shocks) -> Line:
    """P_N ≥ 0: boundaries push and never pull. Moreau, An expression of classical dynamics, Prop. 6.2."""
    normal = found.percussions[:, ::3]
    worst = abs(float(np.max(-normal, initial=0.0))) / float(np.abs(normal).max(initial=np.finfo(float).tiny))
    k, c = np.unravel_index(int(np.argmin(normal)), normal.shape)
    detail = f"'{_names(found)[c]}' at t = {found.times[k]:.9g} s" if worst > SOLVED else ""
    return Line("percussions P_N ≥ 0", worst, SOLVED, "boundaries push and never pull", detail)


def _friction_lines(found: Shocks) -> list[Line]:
    """|P_T| ≤ μ P_N in the ellipse of every boundary, and P_T · u_T⁺ ≤ 0."""
    entries = list(found.motion.model.layout["boundaries"].values())
    rough = [c for c, entry in enumerate(entries) if entry["friction"]]
    largest = float(np.abs(found.percussions).max())
    P = found.percussions.reshape(len(found), -1, 3)
    u = found.leaving.reshape(P.shape)
    twisted = _slip_doubt(found).reshape(P.shape)
    speed = _speed(found)
    cone, power, where_cone, where_power, doubt = 0.0, 0.0, "", "", 0.0
    for c, entry in enumerate(entries):
        normal, tangent = P[:, c, 0], P[:, c, 1:]
        axes = np.array(entry["friction"] or (0.0, 0.0))
        used = np.hypot(*(tangent / np.where(axes > 0.0, axes, 1.0)).T) if c in rough else np.zeros(len(P))
        stray = np.abs(np.where(axes > 0.0, 0.0, tangent)).max(axis=1)
        over = np.maximum(np.maximum(used - normal, 0.0) * axes.max(initial=0.0), stray) / largest
        gain = np.einsum("kt,kt->k", tangent, u[:, c, 1:]) / (largest * speed)
        allowed = np.einsum("kt,kt->k", np.abs(tangent), twisted[:, c, 1:]) / (largest * speed)
        k, j = int(np.argmax(over)), int(np.argmax(gain - allowed))
        if over[k] > cone:
            cone, where_cone = float(over[k]), f"'{_names(found)[c]}' at t = {found.times[k]:.9g} s"
        if gain[j] - allowed[j] > power:
            power, where_power = float(gain[j] - allowed[j]), f"'{_names(found)[c]}' at t = {found.times[j]:.9g} s"
        doubt = max(doubt, float(allowed.max()))
    count = f"{len(rough)} of {len(entries)} boundaries have friction"
    lines = [Line("friction |P_T| ≤ μ P_N", cone, SOLVED, count, where_cone if cone > SOLVED else "")]
    if rough:
        lines.append(Line("friction P_T · u_T⁺ ≤ 0", power, SOLVED, count, where_power if power > SOLVED else ""))
    return lines


def _law_line(found: Shocks) -> Line:
    """0 ≤ P ⟂ u_N⁺ + e u_N⁻ ≥ 0 by the natural map, relative to the largest speeds, for laws of Newton's kind; of Poisson's and of shocks
    in turn only u_N⁺ ≥ 0 is asked."""
    entries = list(found.motion.model.layout["boundaries"].values())
    e = np.array([entry["restitution"] for entry in entries])
    plain = np.array([entry["shock"] != "Poisson" and entry["treatment"] == SIMULTANEOUS for entry in entries])
    before, after = found.arriving[:, ::3], found.leaving[:, ::3]
    W = np.einsum("kri,kij,krj->kr", found.here.slopes, found.here.mobility, found.here.slopes)[:, ::3]
    P, hit = found.percussions[:, ::3], found.percussions.reshape(len(found), -1, 3).any(axis=2)
    target = np.where(plain, -e * np.minimum(before, 0.0), 0.0)
    mapped = np.maximum(0.0, P - (after - target) / np.where(W > 0.0, W, 1.0))
    left = np.where(plain, np.abs(P - mapped) * W, np.maximum(-after, 0.0))
    doubt = _slip_doubt(found)[:, ::3] + np.where(found.step[:, None] > 0.0, 0.0, _hidden(found))
    excess = np.where(hit, np.maximum(left - doubt, 0.0), 0.0) / _speed(found)
    k, c = np.unravel_index(int(np.argmax(excess)), excess.shape)
    kinds = ", ".join(dict.fromkeys(f"{entry['shock']}({entry['restitution']:g})" for entry in entries))
    detail = f"'{_names(found)[c]}' at t = {found.times[k]:.9g} s" if excess[k, c] > SOLVED else ""
    return Line("shock law", float(excess[k, c]), SOLVED, f"{kinds}: 0 ≤ P ⟂ u⁺ + e u⁻ ≥ 0", detail)


def _energy_line(found: Shocks) -> Line:
    r"""The energy −½ Σ P · (u⁺ + u⁻) that every shock takes; a gain is wrong where no friction acts, all boundaries have one ratio and
    none that pushes was parting before.

    Speeds are relative to the boundaries, so that what a moving one does is not counted.
    """
    entries = list(found.motion.model.layout["boundaries"].values())
    mean = 0.5 * (found.speeds(found.before) + found.speeds(found.after))
    gain = np.einsum("kr,kr->k", found.percussions, mean)
    nq = found.motion.model.nq
    kinetic = 0.5 * np.einsum("ki,kij,kj->k", found.left[:, nq:], found.here.mass, found.left[:, nq:])
    scale = max(float(kinetic.max()), float(np.abs(gain).max()), np.finfo(float).tiny)
    # an impulse of time stepping answers to the forces of a whole step, of which its middle has seen a half
    pressed = found.step[:, None] * np.abs(np.einsum("krn,kn->kr", found.here.slopes, found.slope))
    doubt = np.einsum("kr,kr->k", np.abs(found.percussions), _slip_doubt(found) + pressed)
    excess = (gain - doubt) / scale
    k = int(np.argmax(excess))
    lost = f"{-gain.sum():.6g} J in {len(found)} shocks"
    rough = any(entry["friction"] for entry in entries)
    common = len({(entry["shock"], entry["restitution"], entry["treatment"]) for entry in entries}) == 1
    worst = max(float(excess[k]), 0.0)
    if worst <= SOLVED:
        return Line("energy lost in shocks", worst, SOLVED, lost)
    told = f"{gain[k]:.3g} J gained at t = {found.times[k]:.9g} s by {_laws(found, k)}"
    before = found.speeds(found.before)[k, ::3]
    parting = np.any((before > _slip_doubt(found)[k, ::3]) & (found.percussions[k, ::3] > 0.0))
    if rough or not common or parting:
        why = "friction" if rough else "a boundary that was parting" if common else "that ratios differ"
        return Line("energy lost in shocks", 0.0, SOLVED, lost, f"{told}, which {why} does not exclude")
    return Line("energy lost in shocks", worst, SOLVED, lost, told)


def _speed(found: Shocks) -> float:
    """What speeds are measured against: the largest of parting and slip, or what single percussions would make of it."""
    W = np.einsum("kri,kij,krj->kr", found.here.slopes, found.here.mobility, found.here.slopes)
    sizes = [found.speeds(found.before), found.speeds(found.after), W * found.percussions]
    return max(*(float(np.abs(x).max()) for x in sizes), np.finfo(float).tiny)


def _slip_doubt(found: Shocks) -> np.ndarray:
    """By how much speeds (K, 3 m) may differ between the place of a shock and the one for which time stepping took it."""
    reach = np.abs(found.before) + np.abs(found.after)
    bent = np.abs(found.nearby.slopes - found.here.slopes)
    drift = np.abs(found.nearby.drifts - found.here.drifts)
    return np.einsum("krn,kn->kr", bent, reach) + drift + _solved(found)


def _hidden(found: Shocks) -> np.ndarray:
    """Speeds (K, m) of leaps that round-off of the coordinates would hide: the last of infinitely many shocks is soft."""
    normal = found.here.slopes[:, ::3]
    pressed = np.abs(np.einsum("kcn,kn->kc", normal, found.slope))
    height = HIDDEN * np.abs(found.left[:, : found.motion.model.nq]).max(axis=1, initial=0.0)[:, None]
    return np.sqrt(2.0 * pressed * height * np.abs(normal).max(axis=2))


def _solved(found: Shocks) -> np.ndarray:
    """Speeds that the tolerance of an iteration leaves, and round-off."""
    nq = found.motion.model.nq
    largest = np.abs(found.left[:, nq:]).max(axis=1, initial=0.0) + np.abs(found.right[:, nq:]).max(axis=1, initial=0.0)
    return SAFETY * ROUND_OFF * np.einsum("krn,k->kr", np.abs(found.here.slopes), largest)


def _impulse(at: Geometry, jumps: np.ndarray, P: np.ndarray) -> np.ndarray:
    return _carried(at, jumps) - _pushed(at, P)


def _carried(at: Geometry, jumps: np.ndarray) -> np.ndarray:
    return np.einsum("kij,kj->ki", at.mass, jumps)


def _pushed(at: Geometry, P: np.ndarray) -> np.ndarray:
    return np.einsum("krj,kr->kj", at.slopes, P)


def _norm(at: Geometry, impulses: np.ndarray) -> np.ndarray:
    """Kinetic norms of the velocities that impulses make: reactions of bonds, which may be large, leave no trace in them."""
    made = np.einsum("kij,kj->ki", at.mobility, impulses)
    return np.sqrt(np.einsum("ki,kij,kj->k", made, at.mass, made))


def _names(found: Shocks) -> list[str]:
    return list(found.motion.model.layout["boundaries"])


def _hit(found: Shocks, k: int) -> list[int]:
    return np.flatnonzero(found.percussions[k].reshape(-1, 3).any(axis=1)).tolist()


def _named(found: Shocks, k: int) -> str:
    hit = _hit(found, k)
    return ", ".join(f"'{_names(found)[c]}'" for c in hit[:3]) + "…" * (len(hit) > 3)


def _laws(found: Shocks, k: int) -> str:
    entries = list(found.motion.model.layout["boundaries"].items())
    told = [f"{entries[c][1]['shock']}({entries[c][1]['restitution']:g}) at '{entries[c][0]}'" for c in _hit(found, k)]
    return ", ".join(told[:3]) + "…" * (len(told) > 3)
