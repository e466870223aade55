"""No body of a pile is inside another, up to what time stepping admits."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.kernels.pile_pairs import CYLINDER, PLANE, SHEET
from vinculum.kernels.pile_tape import matrices
from vinculum.motion import Motion
from vinculum.motion.pile import penetrations

DEEP = 1e-4
LATER = 3
"""Steps in which a penetration that was not foreseen is gone."""


def penetration_line(motion: Motion, time: np.ndarray, states: np.ndarray) -> Line:
    r"""Gaps found anew at instants, less what steps bend, in radii of the smallest body.

    A step goes on straight from the contacts of its middle, where gaps are put to zero; no instant is farther from such a middle than a
    step h. Points with arms ρ leave their tangents by ρ (1 − cos ω h) ≤ h²/2 ω² ρ until then, and normals turn away from a way h |u| by
    h²/2 ω |u|: that much is bent, and nothing where nothing turns. A corner that swings in between is not foreseen, goes in by less than
    its way in a step and is put out in the next.
    """
    assert motion.model.pile is not None
    radius = float(motion.model.pile.reaches[: motion.model.pile.count].min())
    worst = deepest = 0.0
    for t, state in zip(time, states, strict=True):
        for pair, depth in penetrations(motion.model, state).items():
            bent, way = lengths_in_a_step(motion, state, pair)
            deepest = max(deepest, depth)
            excess = depth - bent
            if excess > DEEP * radius and depth <= way and _gone(motion, float(t), pair, DEEP * radius):
                continue
            worst = max(worst, excess / radius)
    reason = f"gaps found anew at instants of the grid, in radii of the smallest body; deepest {deepest / radius:.1e}"
    return Line("no penetration", worst, DEEP, reason)


def lengths_in_a_step(motion: Motion, state: np.ndarray, pair: tuple[int, int]) -> tuple[float, float]:
    """Lengths [m] by which the points of two bodies leave their tangents, and which they go, in a step."""
    pile, h = motion.model.pile, motion.method.step or 0.0
    assert pile is not None
    moving = [b for b in pair if b < pile.count]
    twists = state[motion.model.nq :].reshape(pile.count, 6)[moving]
    speeds, turns = (np.linalg.norm(twists[:, part], axis=1) for part in (slice(3), slice(3, None)))
    arms = pile.reaches[moving]
    bend = float((turns**2 * arms).sum() + turns.sum() * speeds.sum())
    return 0.5 * h * h * bend + _round_the_rim(motion, state, pair), h * float((speeds + turns * arms).sum())


def _round_the_rim(motion: Motion, state: np.ndarray, pair: tuple[int, int]) -> float:
    r"""By how much the lowest point of a cylinder's rim is below the one that was lowest a step before [m].

    With the tilt t of its axis from the normal and its change Δ in a step, ρ (|t + Δ| − (t + Δ) · t/|t|) ≤ ρ min(2 |Δ|, |Δ|²/(2 |t|)):
    next to upright the lowest point runs round the rim faster than the cylinder turns.
    """
    pile, h = motion.model.pile, motion.method.step or 0.0
    assert pile is not None
    body, wall = pair
    if pile.kinds[body] != CYLINDER or wall < pile.count or pile.kinds[wall] not in (PLANE, SHEET):
        return 0.0
    axis = matrices(state[7 * body + 3 : 7 * body + 7]) @ pile.tilts[body][:, 2]
    tilt = float(np.linalg.norm(np.cross(axis, pile.sizes[wall])))
    turn = h * float(np.linalg.norm(state[motion.model.nq + 6 * body + 3 : motion.model.nq + 6 * body + 6]))
    return float(pile.sizes[body, 0]) * min(2.0 * turn, turn**2 / (2.0 * max(tilt, 1e-300)))


def _gone(motion: Motion, t: float, pair: tuple[int, int], left: float) -> bool:
    """Whether two bodies are apart at an end of the next steps, or these are not in the motion any more."""
    later = t + (motion.method.step or 0.0) * np.arange(1, LATER + 1)
    known = later[later <= motion.pieces.end]
    for state in motion.pieces.state(known) if len(known) else ():
        if penetrations(motion.model, state).get(pair, 0.0) <= left + lengths_in_a_step(motion, state, pair)[0]:
            return True
    return len(known) < LATER and later[-1] > t
