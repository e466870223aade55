"""The inequality of contacts of free bodies for outward fields, independent of their impulses."""

import numpy as np

from vinculum.audits.free_bodies.fields import TwistField
from vinculum.audits.free_bodies.weak import FreeBodiesWeak
from vinculum.audits.free_bodies.windows import FreeBodiesWindow
from vinculum.tolerances.iterations import OUTWARD_TRIES
from vinculum.tolerances.samples import BODIES_PER_OUTWARD_FIELD, STEPS_OF_OUTWARD_FIELD


def outward_residuals(weak: FreeBodiesWeak, fields: int, rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""⟨equ C − E, η⟩ (F,), relative, its tolerances, and the centers of fields η on single bodies around their impulses.

    .. math:: \langle\operatorname{equ} C - E, \eta\rangle \le 0 \quad\text{for}\quad \eta_N + \mu\,|\eta_T| \le 0 \text{ at every contact}

    η_N is along the normal into the body. Such fields have a power ≤ 0 with every impulse in the friction cone, so a positive value shows
    a contact that pulls, or too much friction. Bodies with contacts on all sides have no such field. Moreau, An expression of classical
    dynamics, (8.10).
    """
    rows = []
    owners, pressing = weak.owners, weak.pressing.rows
    for _ in range(BODIES_PER_OUTWARD_FIELD * fields if len(owners) else 0):
        if len(rows) == fields:
            break
        pressed = np.asarray(pressing[int(rng.integers(len(owners)))])
        body = int(pressed[1] if pressed[2] >= weak.free_bodies.count or rng.random() < 0.5 else pressed[2])
        step = min(int(pressed[0]), weak.steps - 1)
        near = np.asarray(
            pressing[
                slice(*np.searchsorted(owners, [step - STEPS_OF_OUTWARD_FIELD, step + STEPS_OF_OUTWARD_FIELD + 1]))
            ]
        )
        normals = _normals(near, body)
        if not _points_out(-normals.mean(axis=0), normals, weak.free_bodies.mu):
            continue  # contacts on all sides
        seen, field = weak.about(rng, step, np.array([body]), rng.uniform(1.0, STEPS_OF_OUTWARD_FIELD))
        made = _outward(weak, seen, field, body, rng)
        if made is not None:
            found = weak.of(seen, made)
            rows.append(((found.explained + found.power) / found.size, found.tolerance / found.size, made.center))
    values, tolerances, centers = np.array(rows).reshape(-1, 3).T
    return values, tolerances, centers


def _normals(pressed: np.ndarray, body: int) -> np.ndarray:
    """Normals into a body at its contacts."""
    mine = (pressed[:, 1] == body) | (pressed[:, 2] == body)
    return np.where(pressed[mine, 1] == body, 1.0, -1.0)[:, None] * pressed[mine, 6:9]


def _points_out(there: np.ndarray, normals: np.ndarray, mu: float) -> bool:
    """Whether virtual velocities at contacts have no positive power with any impulse in their cones."""
    there = np.broadcast_to(there, normals.shape)
    into = np.einsum("ck,ck->c", there, normals)
    slip = np.linalg.norm(there - into[:, None] * normals, axis=1)
    return bool(np.all(into + mu * slip <= 0.0))


def _outward(weak: FreeBodiesWeak, seen: FreeBodiesWindow, field: TwistField, body: int, rng) -> TwistField | None:
    """A field independent of position that is outward at every contact of a body in the steps of a window; None if none is found."""
    mine = (seen.pressed[:, 1] == body) | (seen.pressed[:, 2] == body)
    if not np.any(mine):
        return None
    step, normals = seen.pressed[mine, 0].astype(int), _normals(seen.pressed, body)
    d = (seen.edges[2::2] - seen.edges[:-1:2])[:, None, None]
    X = (seen.begin[..., :3] + 0.5 * d * seen.begin[..., 3:6])[step, 0]
    arms, scale = seen.pressed[mine, 3:6] - X, weak.scales(seen.bodies)[0]
    base = np.concatenate([-normals.mean(axis=0) * scale[0], np.zeros(3)])
    noise = scale * rng.normal(size=6)
    for k in range(OUTWARD_TRIES + 1):
        a = base + (0.5**k * noise if k < OUTWARD_TRIES else 0.0)
        if _points_out(a[:3] + np.cross(a[3:], arms), normals, weak.free_bodies.mu):
            return TwistField(
                field.center, field.width, a[None], np.zeros((1, 6, 3)), field.x0, field.length, field.tilt
            )
    return None
