"""The inequality that contacts of a pile obey against outward fields, without looking at their impulses."""

import numpy as np

from vinculum.audits.pile_fields import TwistField
from vinculum.audits.pile_weak import PileWeak
from vinculum.audits.pile_windows import PileWindow

TRIES = 12
"""How often a random part of a direction is halved until it is outward."""


def outward_residuals(weak: PileWeak, fields: int, rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""⟨equ C − E, η⟩ (F,), relative, what is admitted in it, and the centers of fields η on one body about its impulses.

    .. math:: \langle\operatorname{equ} C - E, \eta\rangle \le 0 \quad\text{for}\quad \eta_N + \mu\,|\eta_T| \le 0 \text{ at every contact}

    η_N is along the normal into the body. Such fields have a power ≤ 0 with every impulse of the cone of friction, so a positive value is a
    contact that pulls, or rubs too much. Bodies held from all sides have none. Moreau, An expression of classical dynamics, (8.10).
    """
    rows = []
    owners, presses = weak.owners, weak.motion.solves.presses.rows  # type: ignore[union-attr]
    for _ in range(fields if len(owners) else 0):
        pressed = np.asarray(presses[int(rng.integers(len(owners)))])
        body = int(pressed[1] if pressed[2] >= weak.pile.count or rng.random() < 0.5 else pressed[2])
        step = min(int(pressed[0]), weak.steps - 1)
        seen, field = weak.about(rng, step, np.array([body]), rng.uniform(1.0, 3.0))
        made = _outward(weak, seen, field, body, rng)
        if made is not None:
            found = weak.of(seen, made)
            rows.append(((found.explained + found.power) / found.size, found.tolerance / found.size, made.center))
    values, tolerances, centers = np.array(rows).reshape(-1, 3).T
    return values, tolerances, centers


def _outward(weak: PileWeak, seen: PileWindow, field: TwistField, body: int, rng) -> TwistField | None:
    """A field that does not depend on the place, outward at every contact of a body in the steps of a window; None if there is none."""
    who = seen.pressed[:, 1:3].astype(int)
    step, mine = seen.pressed[:, 0].astype(int), (who == body).any(axis=1)
    if not np.any(mine):
        return None
    sign = np.where(who[mine, 0] == body, 1.0, -1.0)
    normals = sign[:, None] * seen.pressed[mine, 6:9]
    d = (seen.edges[2::2] - seen.edges[:-1:2])[:, None, None]
    X = (seen.begin[..., :3] + 0.5 * d * seen.begin[..., 3:6])[step[mine], 0]
    arms, scale = seen.pressed[mine, 3:6] - X, weak.scales(seen.bodies)[0]
    base = np.concatenate([-normals.mean(axis=0) * scale[0], np.zeros(3)])
    noise = scale * rng.normal(size=6)
    for k in range(TRIES + 1):
        a = base + (0.5**k * noise if k < TRIES else 0.0)
        there = a[:3] + np.cross(a[3:], arms)
        into = np.einsum("ck,ck->c", there, normals)
        slip = np.linalg.norm(there - into[:, None] * normals, axis=1)
        if np.all(into + weak.pile.mu * slip <= 0.0):
            return TwistField(
                field.center, field.width, a[None], np.zeros((1, 6, 3)), field.x0, field.length, field.tilt
            )
    return None
