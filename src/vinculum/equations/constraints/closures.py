"""Closed loops: gaps, their first and their second derivatives."""

from collections.abc import Callable
from functools import reduce

import numpy as np

from vinculum.equations.recursions.newton_euler import free_motions, spin_matrix
from vinculum.scalars import Scalar, directional, substitute, symbols
from vinculum.scalars.math import cross
from vinculum.screws import Pose, skew
from vinculum.systems import Closure, Link, Tree, link_steps

STIFFNESS = "~k"
"""Hidden parameter: rate [1/s] at which round-off in the gaps decays."""


def relative_pose(tree: Tree, closure: Closure, q) -> Pose:
    """Pose of the child's joint frame in the parent's, through the innermost link that carries both."""
    parent, child = (side[-1][1] for side in _sides(tree, closure, q))
    return parent.inverse() @ child


def _sides(tree: Tree, closure: Closure, q) -> list[list[tuple[int, Pose]]]:
    """Links on the way to the parent and to the child with their poses in the innermost link that carries both; last the
    joint's own frame, with the number −1."""
    paths = [tree.path(closure.parent), tree.path(closure.child)]
    shared = sum(a == b for a, b in zip(*paths, strict=False))
    sides = []
    for path, X_LJ in zip(paths, (closure.X_PJ, closure.X_CJ), strict=True):
        X, side = None, []
        for i in path[shared:]:
            X = reduce(lambda A, B: A @ B, ([] if X is None else [X]) + list(link_steps(tree.links[i], q)))
            side.append((i, X))
        sides.append([*side, (-1, X_LJ if X is None else X @ X_LJ)])
    return sides


def gap_names(tree: Tree) -> list[tuple[str, str]]:
    """Closing joint and label of every gap."""
    return [(closure.joint.name, label) for closure in tree.closures for label, _ in closure.joint.kind.gaps(Pose())]


def all_gaps(tree: Tree, q) -> np.ndarray:
    """Every gap of every closing joint, (m,): lengths [m] and sines of angles. They vanish when the loops are closed."""
    values = [x for closure in tree.closures for _, x in closure.joint.kind.gaps(relative_pose(tree, closure, q))]
    return np.array([*values, None], dtype=object)[:-1]


def mixing(tree: Tree) -> np.ndarray:
    """Matrix P (rank, kept): the independent combinations of the gaps that are kept.

    Where gaps depend on each other along every motion (an over-constrained mechanism), the entries are hidden parameters: which
    combinations are independent changes with the position.
    """
    count = len(tree.kept)
    if tree.rank == count:
        return np.eye(count)
    unit = np.eye(tree.rank, count)
    entries = [[Scalar("parameter", mixing_name(i, j), unit[i, j]) for j in range(count)] for i in range(tree.rank)]
    return np.array(entries, dtype=object).reshape(tree.rank, count)


def mixing_name(i: int, j: int) -> str:
    """Name of the hidden parameter that holds an entry of P."""
    return f"~P{i:03d},{j:03d}"


def hidden_parameters(tree: Tree) -> dict[str, float]:
    """Names and defaults of the parameters that integrators set, not users."""
    if not tree.is_conditioned:
        return {}
    entries = [x for x in mixing(tree).ravel() if isinstance(x, Scalar)]
    return {STIFFNESS: 0.0} | dict(x.args for x in entries)


def gap_jacobian(tree: Tree, q) -> np.ndarray:
    """J of shape (m, nv) with Ḟ = J v (+ ∂F/∂t, `gap_drifts`), for every gap: derivatives of the gaps times twists of the joints on the
    way."""
    rows = [gap_jacobians(c, relative_pose(tree, c, q)) @ relative_twists(tree, c, q) for c in tree.closures]
    return np.concatenate([np.zeros((0, tree.nv)), *rows])


def gap_drifts(tree: Tree, q) -> np.ndarray:
    """∂F/∂t of every gap, (m,): what the prescribed bodies alone do to it, Ḟ = J v + ∂F/∂t. O'Reilly and Srinivasa (34)."""
    if not tree.prescribed:
        return np.zeros(len(gap_names(tree)))
    rows = [gap_jacobians(c, relative_pose(tree, c, q)) @ relative_drift(tree, c, q) for c in tree.closures]
    return np.concatenate([np.zeros(0), *rows])


def gap_rates(tree: Tree, q, v) -> np.ndarray:
    """Ḟ of every gap, (m,)."""
    return gap_jacobian(tree, q) @ v + gap_drifts(tree, q)


def relative_twists(tree: Tree, closure: Closure, q) -> np.ndarray:
    """Twists (6, nv) of the child's joint frame against the parent's that the velocities make, in the parent's joint axes at the
    child's joint origin."""
    twists = np.zeros((6, tree.nv), dtype=object)
    for link, carried in _twist_maps(tree, closure, q):
        if link.joint.nv:
            twists[:, link.v] = carried(link.joint.kind.subspace(q[link.q]))
    return twists


def relative_drift(tree: Tree, closure: Closure, q) -> np.ndarray:
    """The twist (6,) of the child's joint frame against the parent's that time alone makes, in the same axes at the same point."""
    drifts = [
        carried(link.joint.kind.drift)
        for link, carried in _twist_maps(tree, closure, q)
        if link.joint.kind.path is not None
    ]
    return sum(drifts, np.zeros(6))


def _twist_maps(tree: Tree, closure: Closure, q) -> list[tuple[Link, Callable]]:
    """Links of the loop, each with what takes its joint's twists (6, …) to the parent's joint axes at the child's joint origin;
    those on the parent's side count with a minus."""
    sides = _sides(tree, closure, q)
    parent, child = (side[-1][1] for side in sides)

    def take(X: Pose, sign: float) -> Callable:
        def carry(S) -> np.ndarray:
            turns = X.R @ S[3:]
            moves = X.R @ S[:3] + skew(X.p - child.p) @ turns
            return sign * np.concatenate([parent.R.T @ moves, parent.R.T @ turns])

        return carry

    return [(tree.links[i], take(X, sign)) for side, sign in zip(sides, (-1.0, 1.0), strict=True) for i, X in side[:-1]]


def gap_accelerations(tree: Tree, q, v) -> np.ndarray:
    r"""J̇ v (+ d/dt ∂F/∂t) of every gap: their second derivatives when v̇ = 0, from the accelerations of the links.

    .. math:: \ddot F = G\,(a_C - a_P - 2\omega_P\times u,\ \alpha_C - \alpha_P - \omega_P\times w) + \dot G\,(u, w)
    """
    moving = free_motions(tree, q, v)
    rows = []
    for closure in tree.closures:
        X = relative_pose(tree, closure, q)
        V = relative_twists(tree, closure, q) @ v + relative_drift(tree, closure, q)
        u, w = V[:3], V[3:]
        w_C, alpha_C, a_C = moving[closure.child]
        back = X.R @ closure.X_CJ.R.T
        a = back @ (a_C + spin_matrix(w_C, alpha_C) @ closure.X_CJ.p)
        alpha = back @ alpha_C
        if closure.parent >= 0:
            w_P, alpha_P, a_P = moving[closure.parent]
            R = closure.X_PJ.R.T
            turning = R @ w_P
            a = a - R @ (a_P + spin_matrix(w_P, alpha_P) @ closure.X_PJ.apply(X.p)) - 2.0 * cross(turning, u)
            alpha = alpha - R @ alpha_P - cross(turning, w)
        else:
            a = a + closure.X_PJ.R.T @ tree.gravity
        rows.append(gap_jacobians(closure, X) @ np.concatenate([a, alpha]) + _jacobian_rates(closure, X, V))
    return np.concatenate([np.zeros(0), *rows])


def gap_jacobians(closure: Closure, X: Pose) -> np.ndarray:
    """Matrix G (gaps, 6) with Ḟ = G (u, w), the twist of the child's joint frame against the parent's, in the parent's axes."""
    place, values = _open_gaps(closure)
    unit, still = np.eye(3), np.zeros(3)
    columns = [_along(values, place, u, w) for u, w in (*((e, still) for e in unit), *((still, e) for e in unit))]
    return _at(np.stack(columns, axis=1), place, X)


def _jacobian_rates(closure: Closure, X: Pose, V) -> np.ndarray:
    """Ġ V: how the rates of the gaps change at a constant twist."""
    place, values = _open_gaps(closure)
    twist = symbols("V", 6)
    once = _along(values, place, twist[:3], twist[3:])
    twice = _along(once, place, twist[:3], twist[3:])
    return _at(substitute(twice, twist, V), place, X)


def _open_gaps(closure: Closure) -> tuple[Pose, np.ndarray]:
    """A relative pose of symbols, and the gaps there."""
    place = Pose.of(symbols("R", 9).reshape(3, 3), symbols("p", 3))
    return place, np.array([*(x for _, x in closure.joint.kind.gaps(place)), None], dtype=object)[:-1]


def _along(values, place: Pose, u, w) -> np.ndarray:
    """The rates of functions of a pose that moves with the twist (u, w)."""
    inputs = np.concatenate([place.R.ravel(), place.p])
    moves = np.concatenate([(skew(w) @ place.R).ravel(), np.asarray(u, dtype=object)])
    return np.asarray(directional(values, inputs, moves), dtype=object)


def _at(values, place: Pose, X: Pose) -> np.ndarray:
    return substitute(values, np.concatenate([place.R.ravel(), place.p]), np.concatenate([np.ravel(X.R), X.p]))
