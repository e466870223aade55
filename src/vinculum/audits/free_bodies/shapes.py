r"""Whether the recorded contacts of free bodies are where their shapes touch, from support functions alone.

.. math:: f(n) = \min_{a \in A} n \cdot a - \max_{b \in B} n \cdot b

is at most the distance of convex A and B, and the gap along their normal n is the largest f. So f(n) ≥ 0 in any direction proves that two
bodies are apart. A normal is correct if f equals its gap and no direction near it gives a larger f.
"""

import numpy as np

from vinculum.audits.certificate import Line
from vinculum.audits.free_bodies.steps import Step
from vinculum.collision.broad_phase import (
    BOX,
    CAPSULE,
    CONE,
    CYLINDER,
    ELLIPSOID,
    PLANE,
    POLYTOPE,
    SHEET,
    SPHERE,
    SURFACE,
)
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.integrators.free_bodies.contacts import StepContacts
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model import Model
from vinculum.tolerances.certificates import FACE_FAVORED, GAPS_AGREE, MOVED_OUT, PENETRATION
from vinculum.tolerances.iterations import SUPPORT_ASCENTS
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.samples import LARGE_BODY, NORMAL_TILT, SUPPORT_DIRECTIONS, SUPPORT_STARTS


def extents(
    free_bodies: FreeBodies, which: np.ndarray, center: np.ndarray, turn: np.ndarray, n: np.ndarray
) -> np.ndarray:
    """max n · a (m,) over the points a of shapes ``which`` (m,) for directions n (m, 3); infinite for half-spaces, except along their
    normals."""
    kind, size = free_bodies.kinds[which], free_bodies.sizes[which]
    own = np.einsum("mij,mi->mj", turn, n)
    reach = np.full(len(which), np.inf)
    across = np.hypot(own[:, 0], own[:, 1])
    for k, value in (
        (SPHERE, size[:, 0]),
        (ELLIPSOID, size[:, 0] * np.hypot(across, own[:, 2])),
        (BOX, (np.abs(own) * size).sum(axis=1)),
        (CAPSULE, size[:, 0] + size[:, 1] * np.abs(own[:, 2])),
        (CYLINDER, size[:, 0] * across + size[:, 1] * np.abs(own[:, 2])),
        (CONE, np.maximum(0.75 * size[:, 1] * own[:, 2], size[:, 0] * across - 0.25 * size[:, 1] * own[:, 2])),
        (PLANE, np.where(np.abs(n - size).max(axis=1, initial=0.0) <= GAPS_AGREE, 0.0, np.inf)),
        (SHEET, np.where(np.abs(np.abs((n * size).sum(axis=1)) - 1.0) <= GAPS_AGREE, 0.0, np.inf)),
    ):
        reach = np.where(kind == k, value, reach)
    for k in np.flatnonzero(kind == POLYTOPE):
        reach[k] = (free_bodies.pool.polytopes[int(size[k, 0]) - 2][0] @ own[k]).max()
    return (n * center).sum(axis=1) + reach


class Meetings:
    """Compares the contacts of steps with the shapes, and keeps the worst errors."""

    def __init__(self, model: Model):
        self._free_bodies = free_bodies_of(model)
        self._names = [*model.layout.bodies, *(f"wall {k + 1}" for k in range(len(free_bodies_of(model).places)))]
        self._radius = float(free_bodies_of(model).reaches[: free_bodies_of(model).count].min())
        self._meet = self._apart = (0.0, "")
        self._pairs = 0

    def look(self, step: Step, contacts: StepContacts, t: float) -> None:
        """Compare the contacts found in the middle of a step with the shapes there, and search for pairs that touch without a contact."""
        free_bodies, n = self._free_bodies, self._free_bodies.count
        center = np.concatenate([step.X + np.einsum("nij,nj->ni", step.R, free_bodies.offsets), free_bodies.places])
        turn = np.concatenate([np.einsum("nij,njk->nik", step.R, free_bodies.tilts), free_bodies.turns])
        self._look_at(contacts, center, turn, t)
        known = {(int(i), int(j)) for i, j in np.sort(contacts.who, axis=1)}
        pairs = np.array([p for p in _near(free_bodies, center[:n], n) if p not in known], dtype=int).reshape(-1, 2)
        self._pairs += len(pairs)
        if len(pairs):
            gap = separations(free_bodies, pairs, center, turn)
            k = int(np.argmin(gap))
            self._apart = max(self._apart, (max(-float(gap[k]), 0.0) / self._radius, self._description(pairs[k], t)))

    def _look_at(self, contacts: StepContacts, center, turn, t: float) -> None:
        rows = np.flatnonzero(self._free_bodies.kinds[contacts.who[:, 1]] != SURFACE)
        if not len(rows):
            return
        who, normal, gap = contacts.who[rows], contacts.frame[rows, 0], contacts.gap[rows]
        f = _gaps(self._free_bodies, who, center, turn, normal)
        _, pair = np.unique(who[:, 0] * len(center) + who[:, 1], return_inverse=True)
        least = np.full(pair.max() + 1, np.inf)
        np.minimum.at(least, pair, gap)
        cornered = np.isin(self._free_bodies.kinds[who], (BOX, POLYTOPE, CYLINDER, CONE)).any(axis=1)
        reach = np.where(np.isfinite(self._free_bodies.reaches), self._free_bodies.reaches, 0.0)
        allowed = np.where(cornered, FACE_FAVORED * reach[who].sum(axis=1) / self._radius, GAPS_AGREE)
        moved = MOVED_OUT * contacts.moved + (
            max(0.0, -float(f[np.isfinite(f)].min(initial=0.0))) if contacts.moved > 0.0 else 0.0
        )
        # further contacts of a pair may have normals of their own, along which the gap is not below f
        nearest = gap <= least[pair] + GAPS_AGREE * self._radius
        off = np.where(nearest, np.abs(gap - f), f - gap)
        off = np.where(np.isfinite(f), np.maximum(off - moved, 0.0) / self._radius, 1.0)
        off = np.where(off > allowed, off, 0.0)
        turning = nearest & ~np.isin(self._free_bodies.kinds[who[:, 1]], (PLANE, SHEET)) & np.isfinite(f)
        for tilted in _tilt_normals(contacts.frame[rows]):
            better = (_gaps(self._free_bodies, who, center, turn, tilted) - np.where(turning, f, np.inf)) / self._radius
            off = np.maximum(off, np.where(better > allowed, better, 0.0))
        k = int(np.argmax(off))
        self._meet = max(self._meet, (float(off[k]), self._description(who[k], t)))

    def _description(self, pair, t: float) -> str:
        return f"'{self._names[pair[0]]}' and '{self._names[pair[1]]}' at t = {t:.9g} s"

    def lines(self) -> list[Line]:
        """Gaps and normals of contacts, and pairs without any."""
        (meet, where), (apart, there) = self._meet, self._apart
        return [
            Line("contacts where shapes meet", meet, GAPS_AGREE,
                 "gaps and normals against support functions, in radii of the smallest body",
                 where if meet > GAPS_AGREE else ""),
            Line("no contact is missing", apart, PENETRATION, f"support functions separate {self._pairs} near pairs without contact",
                 there if apart > PENETRATION else ""),
        ]  # fmt: skip


def separations(free_bodies: FreeBodies, pairs: np.ndarray, center: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """The largest f (m,) found for pairs (m, 2): along axes of the shapes, along the line of centers, and by ascent from the best."""
    first, second = pairs.T
    line = center[first] - center[second]
    ways = [line, *(sign * turn[body, :, k] for body in (first, second) for k in range(3) for sign in (1.0, -1.0))]
    ways += [
        np.cross(turn[first, :, a], turn[second, :, b]) * s for a in range(3) for b in range(3) for s in (1.0, -1.0)
    ]
    flat = np.isin(free_bodies.kinds[second], (PLANE, SHEET))[:, None]
    upright = free_bodies.sizes[second] * np.where(
        (line * free_bodies.sizes[second]).sum(axis=1, keepdims=True) < 0.0,
        np.where(free_bodies.kinds[second] == SHEET, -1.0, 1.0)[:, None],
        1.0,
    )
    best, normal = np.full(len(pairs), -np.inf), line
    for way in ways:
        way = np.where(flat, upright, way)
        size = np.linalg.norm(way, axis=1, keepdims=True)
        way = np.where(size > GAPS_AGREE, way / np.maximum(size, NEXT_TO_ZERO), [0.0, 0.0, 1.0])
        f = _gaps(free_bodies, pairs, center, turn, way)
        normal = np.where((f > best)[:, None], way, normal)
        best = np.maximum(best, f)
    for k in np.flatnonzero((best < 0.0) & ~flat[:, 0]):
        best[k] = _largest_gap(free_bodies, pairs[k], center, turn, normal[k])
    return best


def _largest_gap(
    free_bodies: FreeBodies, pair: np.ndarray, center: np.ndarray, turn: np.ndarray, normal: np.ndarray
) -> float:
    """The largest f of one pair by ascent from a direction and from many others. The search ends at the first f that is not negative."""
    ways = np.random.default_rng(0).normal(size=(SUPPORT_DIRECTIONS, 3))
    ways = np.concatenate([normal[None], ways / np.linalg.norm(ways, axis=1, keepdims=True)])
    f = _gaps(free_bodies, np.tile(pair, (len(ways), 1)), center, turn, ways)
    chosen = np.argsort(f)[-SUPPORT_STARTS:]
    ways, best, width = ways[chosen], f[chosen], 0.1
    pairs = np.tile(pair, (SUPPORT_STARTS, 1))
    for _ in range(SUPPORT_ASCENTS):
        before = best.max()
        frame = np.linalg.svd(ways[:, None, :])[2]
        for tilted in _tilt_normals(np.concatenate([ways[:, None], frame[:, 1:]], axis=1), width):
            f = _gaps(free_bodies, pairs, center, turn, tilted)
            ways, best = np.where((f > best)[:, None], tilted, ways), np.maximum(best, f)
        if best.max() >= 0.0:
            break
        width *= 1.0 if best.max() > before else 0.5
    return float(best.max())


def _gaps(free_bodies: FreeBodies, pairs, center, turn, n) -> np.ndarray:
    """f(n) (m,) of pairs along directions (m, 3). For a two-sided plane it is that of the side with the first body's center."""
    first, second = pairs.T
    return -extents(free_bodies, first, center[first], turn[first], -n) - extents(
        free_bodies, second, center[second], turn[second], n
    )


def _tilt_normals(frame: np.ndarray, width: float = NORMAL_TILT):
    """Normals (m, 3) tilted slightly to four sides."""
    for axis, sign in ((1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)):
        yield np.cos(width) * frame[:, 0] + sign * np.sin(width) * frame[:, axis]


def _near(free_bodies: FreeBodies, x: np.ndarray, n: int) -> set[tuple[int, int]]:
    """Pairs whose bounding spheres overlap, without walls that are surfaces."""
    reach = free_bodies.reaches[:n]
    small = np.flatnonzero(reach <= LARGE_BODY * np.median(reach))
    from scipy.spatial import KDTree

    pairs = [small[KDTree(x[small]).query_pairs(2.0 * float(reach[small].max()), output_type="ndarray")]]
    pairs += [np.stack([np.full(n, i), np.arange(n)], axis=1) for i in np.setdiff1d(np.arange(n), small)]
    every = np.concatenate(pairs).reshape(-1, 2)
    close = np.linalg.norm(x[every[:, 0]] - x[every[:, 1]], axis=1) < reach[every].sum(axis=1)
    every = np.sort(every[close & (every[:, 0] != every[:, 1])], axis=1)
    found = {(int(i), int(j)) for i, j in every}
    for wall in np.flatnonzero(free_bodies.kinds[n:] != SURFACE) + n:
        away = x - free_bodies.places[wall - n]
        if free_bodies.kinds[wall] in (PLANE, SHEET):
            height = away @ free_bodies.sizes[wall]
            apart = np.abs(height) if free_bodies.kinds[wall] == SHEET else height
        else:
            apart = np.linalg.norm(away, axis=1) - free_bodies.reaches[wall]
        found |= {(int(i), int(wall)) for i in np.flatnonzero(apart < reach)}
    return found
