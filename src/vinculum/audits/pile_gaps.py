"""No body of a pile is inside another, up to what time stepping admits."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.kernels.pile_tape import matrices
from vinculum.motion import Motion
from vinculum.motion.pile import penetrations
from vinculum.motion.pile_passages import Passages

DEEP = 1e-4
LEGS, BLOCK = 2_000_000, 200
LATER = 3
"""Steps in which a penetration that was not foreseen is gone."""


def penetration_line(motion: Motion, time: np.ndarray, states: np.ndarray) -> Line:
    r"""Gaps found anew at instants, less what steps bend, in radii of the smallest body.

    A step goes on straight from the contacts of its middle, where gaps are put to zero, and no instant is farther from such a middle than a
    step h. Points with arms ρ leave their tangents by ρ (1 − cos ω h) ≤ h²/2 ω² ρ until then, and normals turn away from a way h |u| by
    h²/2 ω |u|: that much is bent, nothing where nothing turns. A corner that swings in between is not foreseen, goes in by less than its way
    in a step and is put out in the next.
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


def passage_lines(motion: Motion) -> list[Line]:
    """No center of a shape goes through a plane with two sides, a mesh or a height field between two ends of pieces; no line without such."""
    pile = motion.model.pile
    assert pile is not None
    through = Passages(pile)
    if not through.needed:
        return []
    times, found = np.asarray(motion.pieces.times), None
    every = max(1, -(-len(times) * pile.count // LEGS))
    times = times[:: 2 * every] if every > 1 else times
    for k in range(0, len(times) - 1, BLOCK):
        instants = times[k : k + BLOCK + 1]
        q = motion.pieces.state(instants)[:, : 7 * pile.count].reshape(len(instants), pile.count, 7)
        R = matrices(q[..., 3:])
        x = q[..., :3] + np.einsum("knij,nj->kni", R, pile.centers)
        gone = through.first(x, R)
        if gone is not None:
            found = float(instants[gone[0]]), *gone[1:]
            break
    names = list(motion.model.layout["bodies"])
    told = f"'{names[found[1]]}' through wall {found[2] - pile.count + 1} after t = {found[0]:.9g} s" if found else ""
    return [Line("nothing goes through surfaces", float(found is not None), DEEP, f"ways of centers in {len(times) - 1} legs", told)]


def lengths_in_a_step(motion: Motion, state: np.ndarray, pair: tuple[int, int]) -> tuple[float, float]:
    """Lengths [m] by which the points of two bodies leave their tangents, and which they go, in a step."""
    pile, h = motion.model.pile, motion.method.step or 0.0
    assert pile is not None
    moving = [b for b in pair if b < pile.count]
    twists = state[motion.model.nq :].reshape(pile.count, 6)[moving]
    speeds, turns = (np.linalg.norm(twists[:, part], axis=1) for part in (slice(3), slice(3, None)))
    arms = pile.reaches[moving]
    bend = float((turns**2 * arms).sum() + turns.sum() * speeds.sum())
    return 0.5 * h * h * bend, h * float((speeds + turns * arms).sum())


def _gone(motion: Motion, t: float, pair: tuple[int, int], left: float) -> bool:
    """Whether two bodies are apart at an end of the next steps."""
    later = t + (motion.method.step or 0.0) * np.arange(1, LATER + 1)
    for state in motion.pieces.state(later[later <= motion.pieces.end]):
        if penetrations(motion.model, state).get(pair, 0.0) <= left + lengths_in_a_step(motion, state, pair)[0]:
            return True
    return False
