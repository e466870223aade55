"""What percussions, and the corrections of time stepping, do to balanced quantities at single instants."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.quantities import samples
from vinculum.audits.shocks import TIME_STEPPING, Geometry, Shocks, geometry
from vinculum.kernels.evaluate import evaluate_groups
from vinculum.motion import Motion
from vinculum.motion.chart_changes import stretch_at
from vinculum.motion.pieces import horner
from vinculum.motion.states import tape_rows

ROUNDED = 1e-12
Quantities = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Values (B, m) at instants (B,), states (B, n) and numbers of chart changes (B,)."""


@final
@dataclass(frozen=True, eq=False)
class Corrections:
    """Moves of the coordinates that time stepping makes at the ends of steps, out of penetration.

    ``edges`` (E,): their numbers; ``left``, ``right``: states (E, n) on both sides; ``excess`` (E,): by how much each is more than
    the place of an atom in its step can explain.
    """

    edges: np.ndarray
    times: np.ndarray
    left: np.ndarray
    right: np.ndarray
    excess: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Leaps:
    """Changes (E, m) of balanced quantities at ``edges`` (E,) in order, and the error (m,) that the method may have made in them.

    ``largest``, ``gross`` (m,): the largest and the sum over all shocks of what single boundaries do, which may balance.
    """

    edges: np.ndarray
    changes: np.ndarray
    method: np.ndarray
    largest: np.ndarray
    gross: np.ndarray

    def until(self, first: int, count: int) -> np.ndarray:
        """Sums (count, m) of all changes up to the beginnings of the pieces from the number ``first`` on."""
        sums = np.concatenate([np.zeros((1, self.changes.shape[1])), np.cumsum(self.changes, axis=0)])
        return sums[np.searchsorted(self.edges, np.arange(first, first + count), side="right")]


def corrections(motion: Motion, found: Shocks) -> Corrections:
    """The moves at the ends of steps with percussions; none for methods that make none.

    An atom stands in the middle of its step and the hit is anywhere in it, so positions are off by at most h |v⁺ − v⁻|; or the move is
    the least, in the kinetic metric, that opens the gaps that are closed too far, up to a factor of two.
    """
    n, nq = motion.pieces.size, motion.model.nq
    nothing = np.zeros((0, n))
    if motion.method.claims.name not in TIME_STEPPING or not len(found):
        return Corrections(np.zeros(0, dtype=int), np.zeros(0), nothing, nothing, np.zeros(0))
    edges = np.asarray(motion.pieces.times)
    places = np.searchsorted(edges, found.times)
    inner = places + 1 < len(edges) - 1
    ends, h = places[inner] + 1, np.diff(edges)
    before = np.array([np.asarray(motion.pieces.coefficients[i - 1]) for i in ends]).reshape(len(ends), n, -1)
    left = horner(before, h[ends - 1]) if len(ends) else nothing
    right = np.array([np.asarray(motion.pieces.coefficients[i])[:, 0] for i in ends]).reshape(len(ends), n)
    ways = [found.step[inner, None] * found.jumps[inner], 2.0 * _opening(geometry(motion, edges[ends], left))]
    allowed = np.zeros(len(ends))
    for way in ways:
        moving = tape_rows(motion, edges[ends], np.concatenate([left[:, :nq], way], axis=1))
        path = evaluate_groups(motion.model.tape("rates"), moving)["q_dot"]
        allowed = np.maximum(allowed, np.abs(path).max(axis=1, initial=0.0))
    size = np.abs(right[:, :nq] - left[:, :nq]).max(axis=1, initial=0.0)
    rounded = ROUNDED * (1.0 + np.abs(left[:, :nq]).max(axis=1, initial=0.0))
    return Corrections(ends, edges[ends], left, right, np.maximum(size - allowed - rounded, 0.0))


def _opening(at: Geometry) -> np.ndarray:
    """The least displacement (K, nv) in the kinetic metric that brings negative gaps to zero."""
    J = at.slopes[:, ::3] * (at.gaps < 0.0)[:, :, None]
    W = J @ at.mobility @ np.swapaxes(J, 1, 2)
    pressed = np.einsum("kab,kb->ka", np.linalg.pinv(W, rcond=1e-9, hermitian=True), np.maximum(-at.gaps, 0.0))
    return np.einsum("kij,kaj,ka->ki", at.mobility, J, pressed)


def leaps(motion: Motion, found: Shocks | None, quantities: Quantities | None = None) -> Leaps | None:
    """Changes of all balanced quantities, or of other ones, that percussions and admitted corrections make; None without any."""
    if found is None or not len(found):
        return None
    measured = _balanced(motion) if quantities is None else quantities
    nq, edges = motion.model.nq, np.asarray(motion.pieces.times)
    stretch = stretch_at(motion.changes, found.times, "left")

    def at(velocities: np.ndarray) -> np.ndarray:
        return measured(found.times, np.concatenate([found.left[:, :nq], velocities], axis=1), stretch)

    v = found.left[:, nq:]
    start, end = at(v), at(v + found.made(found.here))
    changes, where, method = [end - start], [np.searchsorted(edges, found.times)], np.zeros(start.shape[1])
    if np.any(found.step):
        method += np.abs(at(v + found.made(found.nearby)) - end).sum(axis=0)
        method += np.abs(at(v + _unseen(motion, found)) - start).sum(axis=0)
        moved = corrections(motion, found)
        kept = moved.excess == 0.0
        if kept.any():
            at_ends = stretch_at(motion.changes, moved.times[kept])
            before, after = (measured(moved.times[kept], x[kept], at_ends) for x in (moved.left, moved.right))
            changes.append(after - before)
            where.append(moved.edges[kept])
    order = np.argsort(np.concatenate(where), kind="stable")
    single = sum(np.abs(at(v + found.made(found.here, c)) - start) for c in range(found.percussions.shape[1] // 3))
    sizes = single.max(axis=0), single.sum(axis=0)
    return Leaps(np.concatenate(where)[order], np.concatenate(changes)[order], method, *sizes)


def _balanced(motion: Motion) -> Quantities:
    return lambda time, states, stretch: samples(motion, time, states, stretch).L


def _unseen(motion: Motion, found: Shocks) -> np.ndarray:
    """Changes of velocities (K, nv) by forces that depend on them, which time stepping does not see in the half step after an impulse."""
    a = [
        evaluate_groups(motion.model.tape("motion"), tape_rows(motion, found.times, x))["v_dot"]
        for x in (found.left, found.right)
    ]
    return 0.5 * found.step[:, None] * (a[1] - a[0])


def correction_line(motion: Motion, found: Shocks) -> list[Line]:
    """Moves of time stepping out of penetration, beyond what the place of the atom in its step explains; no line for other methods."""
    if not np.any(found.step):
        return []
    moved = corrections(motion, found)
    nq = motion.model.nq
    size = np.abs(moved.right[:, :nq] - moved.left[:, :nq]).max(initial=0.0)
    scale = max(float(np.abs(moved.right[:, :nq]).max(initial=0.0)), np.finfo(float).tiny)
    worst = float(moved.excess.max(initial=0.0)) / scale
    detail = f"at t = {moved.times[int(np.argmax(moved.excess))]:.9g} s" if worst > 0.0 else ""
    return [
        Line(
            "positions moved out of penetration",
            worst,
            ROUNDED,
            f"by {size:.1e} at most, within h |v⁺ − v⁻| or the least that opens gaps",
            detail,
        )
    ]
