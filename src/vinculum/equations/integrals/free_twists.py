"""Rigid motions of the world that a joint allows in every position, and against which it exerts no force."""

from collections.abc import Sequence

import numpy as np

from vinculum.bonds.joints.joint import compliance_of
from vinculum.equations.sampling.null_spaces import null_space, restrict_basis
from vinculum.equations.sampling.states import Sampling
from vinculum.scalars import Scalar, replay
from vinculum.scalars.math import cross
from vinculum.systems import Link, Tree, world_poses
from vinculum.tolerances.rank import DEPENDENT_TWISTS


def world_subspaces(tree: Tree, at: Sampling) -> list[np.ndarray]:
    """For every joint the twists it allows, (count, 6, nv) each: in world axes, reduced at the world's origin."""
    found = []
    for link, X in zip(tree.links, world_poses(tree, at.q), strict=True):
        S = link.joint.kind.subspace(at.q[link.q]) if link.joint.nv else np.zeros((6, 0))
        for k in range(link.joint.nv):
            w = X.R @ S[3:, k]
            found.append(np.concatenate([X.R @ S[:3, k] + cross(X.p, w), w]))
    columns = at.of(np.stack(found)).transpose(0, 2, 1) if found else np.zeros((at.count, 6, 0))
    ends = np.cumsum([link.joint.nv for link in tree.links])
    parts = np.split(columns, ends[:-1], axis=2)
    return [np.ascontiguousarray(part) for part in parts]


def is_driven(link: Link, at: Sampling) -> np.ndarray:
    """For each velocity of a joint, (nv,): whether a damper or a drive may act along it."""
    force = compliance_of(link.joint).drive_force(at.t, at.q[link.q], at.v[link.v])
    fixed = {name for name, x in at.parameters.items() if np.ptp(x) == 0.0}

    def leaf(node: Scalar):
        known = node.op == "parameter" and node.args[0] in fixed
        return float(at.parameters[node.args[0]][0]) if known else node

    driven = [not (isinstance(f, float) and f == 0.0) for f in replay(np.asarray(force, dtype=object), leaf)]
    damped = np.any(at.of(link.joint.damping) != 0.0, axis=0)
    return np.array(driven, dtype=bool) | damped


def point_turns(tree: Tree, at: Sampling) -> list[np.ndarray]:
    """For every link the turns about its place that need no moment, (count, 6, 3) or (count, 6, 0): those of a mass point that
    carries nothing, and those of a body that deforms, which are no motions of its frame."""
    light = [
        (not link.body.turns or link.joint.kind.inner > 0) and not tree.children(link.index) for link in tree.links
    ]
    places = [
        X.apply(link.center) for link, X, one in zip(tree.links, world_poses(tree, at.q), light, strict=True) if one
    ]
    turns = [np.stack([np.concatenate([cross(place, e), e]) for e in np.eye(3)], axis=1) for place in places]
    found = iter(np.moveaxis(at.of(np.stack(turns)), 1, 0) if turns else ())
    return [np.ascontiguousarray(next(found)) if one else np.zeros((at.count, 6, 0)) for one in light]


def free_twists(link: Link, allowed: np.ndarray, turns: np.ndarray, at: Sampling) -> np.ndarray:
    """Twists ξ = (v, ω) of the world, (k, 6), that the joint allows everywhere and does no work on.

    ξ lies in the joint's subspace at every sample; the velocities η with S η = ξ meet no damper, drive or spring. ``turns``: those
    that are free besides, from `point_turns`.
    """
    inside = _space_of_joint(link, allowed, turns)
    if inside is None:
        return np.zeros((0, 6))
    basis, pseudo, scale = inside
    extra = turns.shape[2]
    own = pseudo[:, : pseudo.shape[1] - extra]
    basis = restrict_basis(basis, own[:, is_driven(link, at)].reshape(-1, 6))
    spring = at.of(compliance_of(link.joint).spring_force(at.q[link.q]))
    if np.abs(spring).max() > 0.0:
        basis = restrict_basis(basis, np.einsum("sj,sjk->sk", spring / np.abs(spring).max(), own))
    return basis * scale


def allowed_twists(link: Link, allowed: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Twists of the world (k, 6) that the joint allows everywhere, whatever forces act along it."""
    inside = _space_of_joint(link, allowed, turns)
    return np.zeros((0, 6)) if inside is None else inside[0] * inside[2]


def _space_of_joint(
    link: Link, allowed: np.ndarray, turns: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """A basis (k, 6) of twists that a joint allows everywhere, in units ``scale`` (6,), and the inverse (count, nv + turns, 6) there."""
    if not link.joint.nv or not np.all(np.isfinite(allowed)):
        return None
    allowed = np.concatenate([allowed, turns], axis=2)
    length = max(1.0, float(np.abs(allowed[:, :3]).max()))
    scale = np.array([length] * 3 + [1.0] * 3)
    A = allowed / scale[:, None]
    pseudo = np.linalg.pinv(A, rcond=DEPENDENT_TWISTS)
    return null_space(np.eye(6) - A @ pseudo), pseudo, scale


def common_twists(spaces: Sequence[np.ndarray]) -> np.ndarray:
    """The twists (k, 6) that all of some spaces of twists have in common."""
    common = spaces[0]
    for other in spaces[1:]:
        across = null_space(other) if len(other) else np.eye(6)
        common = restrict_basis(common, across)
    return common
