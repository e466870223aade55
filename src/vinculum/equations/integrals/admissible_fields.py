r"""Momenta of parts that constraints tie to others, along fields which are admissible velocities of the constraints.

.. math:: \xi = (a + A\,r_c,\ e),\qquad I = \mathbf L\cdot e + \mathbf P\cdot(a + A\,r_c)

moves a part as one rigid body with a translation that is affine in its mass center. Noether's theorem for ideal constraints, holonomic or
not: I is conserved if reactions have no power along ξ, which then is an admissible velocity, and neither have forces and the weight, and
:math:`\dot r_c\cdot A\,\dot r_c = 0`. Rotations about fixed axes and about points that move with the mass center are such fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.equations.constraints.conditions import conditions
from vinculum.equations.energies import mass_center, momentum_screw
from vinculum.equations.integrals.action_loads import ActionLoad
from vinculum.equations.integrals.free_twists import free_twists
from vinculum.equations.integrals.integral import Integral, direction_name, point_name
from vinculum.equations.integrals.momentum import part_name, screw_size
from vinculum.equations.sampling.null_spaces import restrict_basis, tidy_basis
from vinculum.equations.sampling.opaque import OPAQUE
from vinculum.equations.sampling.states import Sampling
from vinculum.scalars.math import abs as absolute
from vinculum.systems import Tree, subsystem
from vinculum.tolerances.rank import DEPENDENT_MOTIONS, DEPENDENT_TWISTS, FAR_CENTERS, NULL_VECTOR

ALL = 15
"""Coefficients of a field: e (3), A (9, rows first), a (3)."""


@final
@dataclass(frozen=True, eq=False)
class Joints:
    """The twists that each joint allows at the samples, (count, 6, nv), and those that are free besides, (count, 6, k)."""

    allowed: Sequence[np.ndarray]
    turns: Sequence[np.ndarray]


class Fields(NamedTuple):
    """Twists (count, 6, 15) of the fields at the samples, v at an origin (3,) and then ω."""

    origin: np.ndarray
    twists: np.ndarray


def field_integrals(
    tree: Tree, roots: Sequence[int], joints: Joints, loads: Sequence[ActionLoad], placed, at: Sampling
) -> list[Integral]:
    """Integrals of what the joints ``roots`` carry together, along admissible fields."""
    links = sorted(i for index in roots for i in subsystem(tree, index))
    fields = fields_of(at.of(mass_center(tree, placed, links)))
    origin = fields.origin
    free = [free_twists(tree.links[i], joints.allowed[i], joints.turns[i], at) for i in roots]
    basis = fields_of_twists(free, fields)
    if not len(basis):
        return []
    for powers in _powers(tree, roots, links, joints, loads, placed, at, fields):
        if not len(basis):
            return []
        basis = restrict_basis(basis, powers)
    screw: Any = sum(momentum_screw(tree.links[i], placed[i]) for i in links)
    size: Any = sum(screw_size(tree, i, placed) for i in links)
    r, of = mass_center(tree, placed, links), part_name(tree, roots, links)
    found = []
    for row in readable_rows(basis):
        row = np.where(np.abs(row) > NULL_VECTOR * np.abs(row).max(), row, 0.0)
        row = row * unit_scale(row)
        e, A, a = row[:3], row[3:12].reshape(3, 3), row[12:]
        shift = a + A @ (r - origin) + np.cross(origin, e)
        arm = np.abs(a) + np.abs(A) @ absolute(r - origin) + np.abs(np.cross(origin, e))
        found.append(
            Integral(field_name(e, A, a, origin) + of, r"\mathbf L\cdot\mathbf e + \mathbf P\cdot(\mathbf a + A\,\mathbf r_c)",
                     "N m s" if e.any() or A.any() else "N s",
                     "its field is an admissible velocity of the constraints, along which neither reactions nor forces have power",
                     screw[3:] @ e + screw[:3] @ shift, size[3:] @ np.abs(e) + size[:3] @ arm)
        )  # fmt: skip
    return found


def readable_rows(basis: np.ndarray) -> np.ndarray:
    """Rows that span some fields (k, 15 or more), first those that do not depend on the mass center, in echelon form; then all."""
    fixed = restrict_basis(basis, np.eye(basis.shape[1])[3:12])
    return np.concatenate([np.zeros((0, basis.shape[1])), *(tidy_basis(rows) for rows in (fixed, basis) if len(rows))])


def fields_of(center: np.ndarray) -> Fields:
    """The fields at samples with mass centers (count, 3); centers far from the world's origin are taken about their middle."""
    middle = center.mean(axis=0)
    far = np.abs(middle).max() > FAR_CENTERS * np.abs(center - middle).max()
    origin = middle if far else np.zeros(3)
    return Fields(origin, twists_of_fields(center - origin))


def twists_of_fields(center: np.ndarray) -> np.ndarray:
    """Twists (count, 6, 15) of the fields at the samples with mass centers there, v at the origin and then ω."""
    found = np.zeros((len(center), 6, ALL))
    found[:, 3:, :3] = np.eye(3)
    for i in range(3):
        found[:, i, 3 + 3 * i : 6 + 3 * i] = center
    found[:, :3, 12:] = np.eye(3)
    return found


def twists_at(origin: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Twists (…, 6, k) of the world with v at an origin."""
    moved = twists.copy()
    moved[..., :3, :] += np.cross(twists[..., 3:, :], origin, axisa=-2, axisc=-2)
    return moved


def fields_of_twists(spaces: Sequence[np.ndarray], fields: Fields) -> np.ndarray:
    """Fields (k, 15) whose twists are, at every sample, in all of some spaces (k, 6), those of joints."""
    basis = np.eye(ALL)
    for twists in spaces:
        if len(twists) == 6:
            continue
        own = twists_at(fields.origin, twists.T)
        across = (np.eye(6) - own @ np.linalg.pinv(own)) @ fields.twists
        basis = restrict_basis(basis, rows_of_order_one(across, np.ones(across.shape[:2])))
    return basis


def _powers(tree: Tree, roots, links, joints: Joints, loads, placed, at: Sampling, fields: Fields):
    """Powers (rows, 15) along the fields, by what has them, each relative to its own size."""
    rows = conditions(tree, at.q, at.v)
    along = rows.along if tree.is_directed else rows.jacobians
    origin, twists = fields
    moved = velocities_of_fields(tree, roots, joints, fields)
    for operations in (None, OPAQUE):
        J = at.of(along, operations)
        yield rows_of_order_one(np.einsum("smv,svf->smf", J, moved), np.abs(J).max(axis=2))
    for load in loads:
        inside = [k for k, i in enumerate(load.links) if i >= 0 and i in links]
        for wrenches, terms in zip(load.wrenches, load.terms, strict=True) if inside else ():
            own = wrenches[:, inside]
            size = np.maximum(np.abs(own).max(axis=(1, 2)), terms)
            total = own.sum(axis=1)
            total[:, 3:] -= np.cross(origin, total[:, :3])
            yield rows_of_order_one(np.einsum("si,sif->sf", total, twists)[:, None], size[:, None])
    r = mass_center(tree, placed, links)
    g, center = at.of(tree.gravity), at.of(r)
    pull = np.concatenate([g, np.cross(center - origin, g)], axis=1)
    yield rows_of_order_one(np.einsum("si,sif->sf", pull, twists)[:, None], np.abs(g).max(axis=1)[:, None])
    screw: Any = sum(momentum_screw(tree.links[i], placed[i]) for i in links)
    yield quadratic_rows(at.of(screw[:3]))


def quadratic_rows(P: np.ndarray) -> np.ndarray:
    """Rows (k, 15) that vanish on the fields with P·A P = 0 for momenta (count, 3).

    Where momenta fill a neighborhood of their mean in a line, plane or space, the condition is one for each product of the mean and of
    directions there: a common velocity, however large, hides none of them.
    """
    mean = P.mean(axis=0)
    _, sizes, directions = np.linalg.svd(P - mean)
    spread = sizes[0] if len(sizes) else 0.0
    along = directions[: np.count_nonzero(sizes > NULL_VECTOR * spread)]
    x = (P - mean) @ along.T / (spread or 1.0)
    first, second = np.triu_indices(len(along))
    terms = np.column_stack([np.ones(len(P)), x, x[:, first] * x[:, second]])
    if np.linalg.matrix_rank(terms, tol=DEPENDENT_MOTIONS) == terms.shape[1]:
        mean = mean[None] / (np.linalg.norm(mean) or 1.0)
        P = np.concatenate([along, mean])
        pairs = [np.outer(a, b) + np.outer(b, a) for i, a in enumerate(P) for b in P[i:]]
    else:
        pairs = [np.outer(p, p) / (p @ p or 1.0) for p in P]
    rows = np.zeros((len(pairs), ALL))
    rows[:, 3:12] = np.reshape(pairs, (-1, 9))
    return rows


def velocities_of_fields(tree: Tree, roots: Sequence[int], joints: Joints, fields: Fields) -> np.ndarray:
    """Velocities (count, nv, 15) of the joints of the roots by which the fields move all that they carry."""
    moved = np.zeros((len(fields.twists), tree.nv, ALL))
    for i in roots:
        every = twists_at(fields.origin, np.concatenate([joints.allowed[i], joints.turns[i]], axis=2))
        length = max(1.0, float(np.abs(every[:, :3]).max(initial=0.0)))
        scale = np.array([length] * 3 + [1.0] * 3)
        inverse = np.linalg.pinv(every / scale[:, None], rcond=DEPENDENT_TWISTS)
        own = inverse[:, : joints.allowed[i].shape[2]] / scale
        moved[:, tree.links[i].v] = np.einsum("svi,sif->svf", own, fields.twists)
    return moved


def rows_of_order_one(powers: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Powers (count, m, 15) in rows of order one or less, by their sizes (count, m); samples at which one is not finite are left out."""
    flat, scale = powers.reshape(-1, ALL), np.ravel(size)
    flat = flat / np.where(scale > 0.0, scale, 1.0)[:, None]
    flat = flat[np.isfinite(flat).all(axis=1)]
    return flat / np.maximum(np.abs(flat).max(axis=1, initial=0.0, keepdims=True), 1.0)


def unit_scale(field: np.ndarray) -> float:
    """The factor by which a field (15,) turns about a unit axis, or moves mass centers about one, or translates by a unit vector."""
    e, A, a = field[:3], field[3:12].reshape(3, 3), field[12:]
    w = e if e.any() else _axis(A) if A.any() else a
    first = w[np.flatnonzero(w)[:1]].sum()
    return float(np.sign(first) / np.linalg.norm(w)) if first else 1.0


def _axis(A: np.ndarray) -> np.ndarray:
    """The w with A r = w × r, and zero where there is none."""
    return np.array([A[2, 1], A[0, 2], A[1, 0]]) if np.abs(A + A.T).max() <= NULL_VECTOR else np.zeros(3)


def field_name(e: np.ndarray, A: np.ndarray, a: np.ndarray, origin: np.ndarray) -> str:
    length = float(np.linalg.norm(e))
    if length:
        turned = np.array([[0.0, e[2], -e[1]], [-e[2], 0.0, e[0]], [e[1], -e[0], 0.0]])
        pitch = float(a @ e) / length**2
        point = np.cross(e, a) / length**2
        screwed = f", with pitch {pitch:.4g} m," if abs(pitch) > NULL_VECTOR else ""
        axis = f"angular momentum about {direction_name(e / length)}"
        if np.abs(A).max() <= NULL_VECTOR:
            return f"{axis} through {point_name(origin + point)}{screwed}"
        if np.abs(A - turned).max() <= NULL_VECTOR:
            at_center = np.abs(point).max() <= NULL_VECTOR
            where = (
                "through the mass center"
                if at_center
                else f"through the point {point_name(point)} from the mass center"
            )
            return f"{axis} {where}{screwed}"
    elif (w := _axis(A)).any():
        square = float(w @ w)
        pitch, point = float(a @ w) / square, np.cross(w, a) / square
        screwed = f", with pitch {pitch:.4g} m," if abs(pitch) > NULL_VECTOR else ""
        axis = direction_name(w / np.sqrt(square))
        return f"moment of the momentum at the mass center about {axis} through {point_name(origin + point)}{screwed}"
    elif np.abs(A).max() <= NULL_VECTOR:
        return f"momentum along {direction_name(a / np.linalg.norm(a))}"
    numbers = "; ".join(point_name(row) for row in A)
    a = a - A @ origin + np.cross(origin, e)
    return f"momentum along the field a + A r, turning about e, with e = {point_name(e)}, A = [{numbers}], a = {point_name(a)}"
