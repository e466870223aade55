"""Rows of contacts between shapes of a tree at single instants, appended to those of unilateral constraints."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model import Model
from vinculum.motion.impulses.meetings import Meetings


@final
@dataclass(frozen=True, eq=False)
class ContactRows:
    """Contacts at K instants, padded to the largest number c: ``gaps`` (K, c), infinite where there is no contact; ``jacobians``
    (K, 3 c, nv), ``drifts`` (K, 3 c) of normal and tangential velocities; ``turn_jacobians``, ``turn_drifts``: of rotations about the same
    axes.
    """

    gaps: np.ndarray
    jacobians: np.ndarray
    drifts: np.ndarray
    turn_jacobians: np.ndarray
    turn_drifts: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class ShapeMotions:
    """The moving shapes at B states: ``centers`` (B, s, 3), ``reaches`` (B, s) of bounding spheres [m], ``twists`` (B, s, 6) at the
    world's origin and strain rates ``strains`` (B, s, 3, 3), in world axes."""

    centers: np.ndarray
    reaches: np.ndarray
    twists: np.ndarray
    strains: np.ndarray

    @property
    def speeds(self) -> np.ndarray:
        """Speeds of the centers (B, s)."""
        strained = np.einsum("bsij,bsj->bsi", self.strains, self.centers)
        return np.linalg.norm(self.twists[..., :3] + np.cross(self.twists[..., 3:], self.centers) + strained, axis=2)

    @property
    def turns(self) -> np.ndarray:
        """Upper bounds (B, s) [1/s] of the gradients of the velocity: angular speeds, with the norms of the strain rates."""
        return np.linalg.norm(self.twists[..., 3:], axis=2) + np.linalg.norm(self.strains, axis=(2, 3))


def shape_motions(model: Model, rows: np.ndarray) -> ShapeMotions:
    """Centers and velocity fields of shapes at rows (q, v, t, parameters)."""
    shapes = model.shapes
    assert shapes is not None
    found, B, count = evaluate_groups(model.tape("shapes"), rows), len(rows), shapes.moving
    v, screws = rows[:, model.nq : model.nq + model.nv], found["screws"].reshape(B, model.nv, 6)
    carried, strained = shapes.carried.astype(float), shapes.strained
    twists = np.einsum("sj,bj,bjk->bsk", carried, v, screws, optimize=True)
    rates = found["strains"].reshape(B, len(strained), 9)
    strains = np.einsum("sj,bj,bjk->bsk", carried[:, strained], v[:, strained], rates, optimize=True)
    reaches = np.broadcast_to(shapes.reaches[:count], (B, count))
    if len(strained):
        reaches = reaches * np.linalg.norm(found["axes"].reshape(B, count, 3, 3), ord=2, axis=(2, 3))
    return ShapeMotions(
        found["centers"].reshape(B, count, 3),
        reaches,
        twists + found["drifts"].reshape(B, count, 6),
        strains.reshape(B, count, 3, 3),
    )


def slots(met: Meetings) -> np.ndarray:
    """The index of every contact among those of its instant, (C,)."""
    atoms = met.atoms
    return np.arange(len(atoms)) - np.searchsorted(atoms, atoms)


def most_at_once(met: Meetings | None) -> int:
    """The largest number of contacts at one instant."""
    return 0 if met is None or not len(met) else int(slots(met).max()) + 1


def pad_contacts(met: Meetings, values: np.ndarray, count: int, fill: float = 0.0) -> np.ndarray:
    """Values (C, …) of contacts as (K, c, …), for ``count`` instants K."""
    result = np.full((count, most_at_once(met), *values.shape[1:]), fill)
    result[met.atoms, slots(met)] = values
    return result


def padded_rows(met: Meetings, values: np.ndarray, count: int) -> np.ndarray:
    """Values (C, 3, …) of contacts as rows (K, 3 c, …), for ``count`` instants K."""
    return pad_contacts(met, values, count).reshape(count, 3 * most_at_once(met), *values.shape[2:])


def contact_rows(model: Model, rows: np.ndarray, met: Meetings) -> ContactRows:
    r"""Rows of contacts at states ``rows`` (K, n) of the tapes, from the velocity fields of the velocities.

    .. math:: u_k = t_k\cdot(V_i(x) - V_{i'}(x)),\quad
        V_i(x) = \sum_j c_{ij} v_j\,(\sigma_j + \vartheta_j\times x + E_j x) + d_i + \delta_i\times x
    """
    shapes, K, nv = model.shapes, len(rows), model.nv
    assert shapes is not None
    found, atoms, which = evaluate_groups(model.tape("shapes"), rows), met.atoms, met.shapes
    screws = found["screws"].reshape(K, nv, 6)[atoms]
    still = len(shapes.kinds) - shapes.moving
    drifts = np.concatenate([found["drifts"].reshape(K, shapes.moving, 6), np.zeros((K, still, 6))], axis=1)
    drift = drifts[atoms, which[:, 0]] - drifts[atoms, which[:, 1]]
    carried = np.concatenate([shapes.carried, np.zeros((still, nv))]).astype(float)
    sign = carried[which[:, 0]] - carried[which[:, 1]]
    axes = met.axes
    slips = (shapes.laws[shapes.pairs[which[:, 0], which[:, 1]], 1] >= 0.0)[:, None]
    used = np.concatenate([np.ones_like(slips), slips, slips], axis=1)[:, :, None]
    moving = np.concatenate([axes, np.cross(met.places[:, None], axes)], axis=2) * used
    turning = np.concatenate([np.zeros_like(axes), axes], axis=2)
    made = []
    for arms in (moving, turning):
        jacobians = np.einsum("crs,cjs->crj", arms, screws) * sign[:, None]
        if arms is moving:
            strains = found["strains"].reshape(K, len(shapes.strained), 3, 3)[atoms]
            added = np.einsum("crx,ckxy,cy->crk", axes * used, strains, met.places, optimize=True)
            jacobians[:, :, shapes.strained] += added * sign[:, None, shapes.strained]
        made += [
            padded_rows(met, jacobians, K),
            padded_rows(met, np.einsum("crs,cs->cr", arms, drift), K),
        ]
    return ContactRows(pad_contacts(met, met.gaps, K, np.inf), *made)
