r"""Energy of a pile: what impulses do, and what time stepping does besides.

A step with net impulses F, C on a body, at its mass center, changes its energy by

.. math:: F \cdot v^+ + C \cdot \omega^+ - \tfrac12 F \cdot (v^+ - v^-) - \tfrac12 C \cdot I^{-1} C + \text{lift} + \text{turn}

The first two, summed over bodies, are the work P · u⁺ on velocities after the impulses. Soft contact with friction takes energy by it, up to
what the residual of the impulses leaves room for. The next two are known from the motion; lift is the work of moves out of penetration
against gravity, turn what a step misses of the free rotation with inertias of its middle.
Moreau, An expression of classical dynamics, (8.10).
"""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.pile_blows import work_until
from vinculum.kernels.pile import Pile
from vinculum.kernels.pile_tape import matrices
from vinculum.motion import Motion
from vinculum.motion.flights import turned
from vinculum.motion.states import tape_groups

GAINED = 1e-6
ROUNDED = 1e-12


def energy_line(motion: Motion, time: np.ndarray, states: np.ndarray) -> Line:
    """The largest gain of energy between two instants that nothing accounts for."""
    balance = tape_groups(motion, "balance", time, states)
    energy = (balance["kinetic"] + balance["potential"])[:, 0] - work_until(motion, time)
    size = max(float(balance["kinetic"].max()), float(np.ptp(energy)), np.finfo(float).tiny)
    worst, admitted = 0.0, 0.0
    for k, gain in enumerate(np.diff(energy)):
        if gain > GAINED * size:
            known = accounted(motion, time[k], time[k + 1])
            gain, admitted = gain - known, max(admitted, known / size)
        worst = max(worst, float(gain) / size)
    told = f"; up to {admitted:.1e} in known errors of steps" if admitted > 0.0 else ""
    return Line("no gain of energy", worst, GAINED, f"contact takes energy or keeps it{told}")


def accounted(motion: Motion, begin: float, end: float) -> float:
    """The most [J] that right impulses of the steps between two instants add to the energy; zero where the steps are not known."""
    solves, times = motion.solves, np.asarray(motion.pieces.times)
    if solves is None or not np.array_equal(times[1::2], solves.times[: len(times) // 2]):
        return 0.0
    total = 0.0
    for k in np.flatnonzero((times[:-1:2] >= begin) & (times[2::2] <= end)):
        known = _step(motion, times[2 * k], times[2 * k + 2], float(solves.moved[k]))
        total += float(solves.spare[k]) + known
    return max(total, 0.0)


def _step(motion: Motion, begin: float, end: float, moved: float) -> float:
    """What a step adds to the energy besides the work on velocities after impulses; moves beyond those reported count for nothing."""
    pile, d = motion.model.pile, end - begin
    assert pile is not None
    n, instants = pile.count, np.array([begin, end])
    states = np.concatenate(
        [motion.pieces.state(instants[:1], side="right"), motion.pieces.state(instants[1:], side="left")]
    )
    found = tape_groups(motion, "balance", instants, states)
    momentum, center = found["momentum"].reshape(2, n, 6), found["center"].reshape(2, n, 3)
    Q = states[:, : 7 * n].reshape(2, n, 7)[..., 3:]
    v, L = momentum[..., :3] / pile.masses[:, None], momentum[..., 3:]
    A = _mobilities(pile, Q)
    w = np.einsum("bnij,bnj->bni", A, L)
    middle = _mobilities(pile, turned(Q[0], 0.5 * d * w[0]))
    F, C = pile.masses[:, None] * (v[1] - v[0] - d * pile.gravity), L[1] - L[0]
    half = 0.5 * float((F * (v[1] - v[0])).sum() + np.einsum("ni,nij,nj->", C, middle, C))
    after = 2.0 * np.einsum("nij,nj->ni", middle, L[0]) - w[0] + np.einsum("nij,nj->ni", middle, C)
    missed = 0.5 * (L[1] * w[1] - L[0] * w[0]) - C * (after - 0.5 * np.einsum("nij,nj->ni", middle, C))
    push = center[1] - center[0] - 0.5 * d * (v[0] + v[1])
    real = np.linalg.norm(push, axis=1) <= moved + ROUNDED * np.abs(center[1]).max()
    lift = -float((pile.masses[:, None] * push * pile.gravity)[real].sum())
    return lift + float(missed.sum()) - (half if pile.e == 0.0 else 0.0)


def _mobilities(pile: Pile, Q: np.ndarray) -> np.ndarray:
    """Inverse inertias in the world of bodies with attitudes Q."""
    R = matrices(Q)
    return np.einsum("...nij,njk,...nlk->...nil", R, np.linalg.inv(pile.inertias), R)
