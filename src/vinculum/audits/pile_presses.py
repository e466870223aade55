"""The impulses of a pile as they are kept with a motion: whether momenta change by them, and whether they are in their cones."""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.motion import Motion
from vinculum.motion.states import tape_groups

STEPS = 24
CHANGED, ROUNDED = 1e-6, 1e-9


def press_lines(motion: Motion) -> list[Line]:
    r"""Lines for the impulses P on the mass centers of bodies in some steps of length d, and for all of them; none where they are not kept.

    .. math:: p(t + d) - p(t) = d\,m g + \sum P,\qquad P \cdot n \ge 0,\quad |P - (P \cdot n)\,n| \le \mu\,P \cdot n
    """
    pile, solves = motion.model.pile, motion.solves
    if pile is None or solves is None or solves.presses is None or not len(solves.presses):
        return []
    times, presses = np.asarray(motion.pieces.times), solves.presses
    owner, who, P, n = presses.solves, presses.bodies, presses.impulses, presses.normals
    if not np.array_equal(times[1::2], solves.times[: len(times) // 2]):
        return []
    normal = np.einsum("ck,ck->c", P, n)
    excess = np.maximum(np.linalg.norm(P - normal[:, None] * n, axis=1) - pile.mu * normal, -normal)
    cone = Line(
        "impulses in the cone of friction", float(excess.max() / normal.max()), ROUNDED, f"{len(P)} contacts that press"
    )
    chosen = np.unique(np.linspace(0, len(times) // 2 - 1, STEPS).astype(int))
    begin, end = times[2 * chosen], times[2 * chosen + 2]
    before, after = (
        tape_groups(motion, "balance", t, motion.pieces.state(t, side=side))["momentum"].reshape(len(t), -1, 6)[..., :3]
        for t, side in ((begin, "right"), (end, "left"))
    )
    worst, at = 0.0, 0.0
    for k, step in enumerate(chosen):
        pushed = (end[k] - begin[k]) * pile.masses[:, None] * pile.gravity
        size = np.abs(pushed).max()
        mine = slice(*np.searchsorted(owner, [step, step + 1]))
        for side, sign in ((0, 1.0), (1, -1.0)):
            moves = who[mine, side] < pile.count
            np.add.at(pushed, who[mine, side][moves], sign * P[mine][moves])
        off = float(np.abs(after[k] - before[k] - pushed).max() / max(size, np.abs(P[mine]).max(initial=0.0)))
        worst, at = max((worst, at), (off, float(solves.times[step])))
    detail = f"at t = {at:.9g} s" if worst > CHANGED else ""
    return [Line("momenta change by impulses of contacts", worst, CHANGED, f"{len(chosen)} steps", detail), cone]
