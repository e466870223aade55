"""The inequality of ideal unilateral constraints for outward fields, independent of the impulses."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.audits.impacts.seen_impacts import Impacts
from vinculum.audits.weak.fields import VirtualField
from vinculum.audits.weak.residual import Weak
from vinculum.motion.record import Record
from vinculum.tolerances.certificates import OUTWARD
from vinculum.tolerances.rank import DEPENDENT_ROWS
from vinculum.tolerances.time import NARROWEST_FIELD


@final
@dataclass(frozen=True, eq=False)
class OutwardResidual:
    r"""⟨equ C − E, η⟩ for fields η that point out of the permitted region at every touched unilateral constraint, (F,), relative.

    .. math:: \langle \operatorname{equ} C - E, \eta\rangle \le 0 \quad\text{for}\quad \nabla g\cdot\eta \le 0 \text{ where } g = 0

    E are all efforts except the reactions of unilateral constraints. So a positive value beyond its tolerance shows a unilateral constraint
    that pulls. Fields do not slip where there is friction. Moreau, An expression of classical dynamics, (8.10).
    """

    values: np.ndarray
    tolerances: np.ndarray
    centers: np.ndarray


def outward_residual(known: Weak, found: Impacts, fields: int, seed: int = 0) -> OutwardResidual:
    """The inequality for ``fields`` random outward fields around impacts; fewer if a direction is outward only for an instant."""
    rng, rows = np.random.default_rng(seed), []
    drawn = [field for field in (outward_field(known.motion, found, rng) for _ in range(fields)) if field is not None]
    for field, one in zip(drawn, known.of(drawn), strict=True):
        normal, slip = one.powers[:, found.normals], np.delete(one.powers, found.normals, axis=1)
        wrong = np.maximum(normal, 0.0).sum() + np.abs(slip).sum()
        value, admitted = one.explained + one.powers.sum(), one.tolerance + wrong
        rows.append((value / one.size, admitted / one.size, field.center))
    values, tolerances, centers = np.array(rows).reshape(-1, 3).T
    return OutwardResidual(values, tolerances, centers)


def outward_field(motion: Record, found: Impacts, rng) -> VirtualField | None:
    r"""−M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ β around an impact, J the rows of all unilateral constraints touched in it: outward by β ≥ 0, without slip."""
    j = int(rng.integers(len(found)))
    edges = np.asarray(motion.pieces.times)
    k = int(np.clip(np.searchsorted(edges, found.times[j]), 1, len(edges) - 2))
    width = float(rng.uniform(1.0, 3.0)) * max(
        found.step[j],
        0.5 * min(edges[k + 1] - edges[k], edges[k] - edges[k - 1]),
        NARROWEST_FIELD * max(abs(edges[0]), abs(edges[-1])),
    )
    center = float(np.clip(found.times[j] + rng.uniform(-0.5, 0.5) * width, edges[0], edges[-1]))
    near = np.flatnonzero(np.abs(found.times - center) < width)
    if not len(near):
        return None  # beside a step of zero length
    touched = found.contact_impulses[near].reshape(len(near), -1, 3).any(axis=2)
    bounds = np.arange(found.contact_impulses.shape[1] // 3) < len(found.laws.unilaterals)
    own = np.atleast_2d(touched.any(axis=0)) & bounds
    # contacts of shapes differ from instant to instant
    theirs = touched & ~bounds
    rows = np.flatnonzero(np.repeat(own[0], 3))
    J = np.concatenate(
        [
            found.here.jacobians[j][rows],
            *(found.here.jacobians[k][np.repeat(t, 3)] for k, t in zip(near, theirs, strict=True)),
        ]
    )
    chosen = np.concatenate([rows, *(np.flatnonzero(np.repeat(t, 3)) for t in theirs)])
    normal = (chosen % 3 == 0) & (chosen < found.normals.stop)
    away = np.append(rng.uniform(0.2, 1.0, len(rows)), np.ones(len(chosen) - len(rows)))
    beta = np.where(normal, away, 0.0)
    squares, axes = np.linalg.eigh(found.here.mobility[j])
    root = axes * np.sqrt(np.maximum(squares, 0.0))  # M⁻¹ = R Rᵀ, and there are more rows J than velocities
    a = -root @ np.linalg.lstsq(J @ root, beta, rcond=np.sqrt(DEPENDENT_ROWS))[0]
    pushed = np.einsum("krn,n->kr", found.here.jacobians[near], a)
    parting = pushed[:, found.normals][found.contact_impulses[near][:, found.normals] > 0.0]
    if not np.any(a) or parting.max(initial=-np.inf) > OUTWARD * np.abs(pushed).max():
        return None
    joints = motion.model.layout.joints
    moved = tuple(name for name, entry in joints.items() if np.any(a[slice(*entry.v)]))
    return VirtualField(center, width, moved, joints[moved[0]].child, a, np.zeros((len(a), 3)), np.zeros(3))
