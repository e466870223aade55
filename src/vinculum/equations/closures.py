"""Closed loops: the gaps that must vanish, their rates, and the wrenches that keep them closed."""

from functools import reduce

import numpy as np

from vinculum.equations.applied import rates
from vinculum.scalars import Scalar, directional, gradient, substitute, symbols
from vinculum.scalars.math import cross
from vinculum.screws import Pose, skew
from vinculum.systems import Closure, Placement, Tree, link_steps

STIFFNESS = "~k"
"""Hidden parameter: rate [1/s] at which round-off in the gaps decays."""


def relative_pose(tree: Tree, closure: Closure, q) -> Pose:
    """Pose of the child's joint frame in the parent's, through the innermost link that carries both."""
    ends = [tree.path(closure.parent), tree.path(closure.child)]
    shared = sum(a == b for a, b in zip(*ends, strict=False))
    frames = []
    for path, X in zip(ends, (closure.X_PJ, closure.X_CJ), strict=True):
        steps = [step for i in path[shared:] for step in link_steps(tree.links[i], q)]
        frames.append(reduce(lambda A, B: A @ B, [*steps, X]))
    return frames[0].inverse() @ frames[1]


def gap_names(tree: Tree) -> list[tuple[str, str]]:
    """Closing joint and label of every gap."""
    return [(closure.joint.name, label) for closure in tree.closures for label, _ in closure.joint.gaps(Pose())]


def all_gaps(tree: Tree, q) -> np.ndarray:
    """Every gap of every closing joint, (m,): lengths [m] and sines of angles. They vanish when the loops are closed."""
    values = [x for closure in tree.closures for _, x in closure.joint.gaps(relative_pose(tree, closure, q))]
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
    if not tree.closures:
        return {}
    entries = [x for x in mixing(tree).ravel() if isinstance(x, Scalar)]
    return {STIFFNESS: 0.0} | dict(x.args for x in entries)


def gap_rates(tree: Tree, gaps, q, v) -> np.ndarray:
    """Ḟ = J v."""
    return directional(gaps, q, rates(tree, q, v))


def gap_jacobian(tree: Tree, gaps, q) -> np.ndarray:
    """J of shape (m, nv) with Ḟ = J v."""
    rows = []
    for gap in gaps:
        slope = gradient(gap, q)
        parts = [_along_rates(link.joint, q[link.q], slope[link.q]) for link in tree.links if link.joint.nv]
        rows.append(np.concatenate(parts))
    return np.array(rows, dtype=object).reshape(len(gaps), tree.nv)


def closing_wrenches(tree: Tree, q, lam) -> list[np.ndarray]:
    r"""Wrench of the parent on the child in every closing joint, (6,), in the parent's joint axes at the child's joint origin.

    .. math:: f\cdot u + m\cdot w = \lambda^T\dot F \quad\text{for every relative twist } (u, w)

    ``lam``: (rank,) multipliers of the combinations P F.
    """
    full = np.zeros(len(gap_names(tree)), dtype=object)
    full[list(tree.kept)] = mixing(tree).T @ lam
    wrenches, first = [], 0
    for closure in tree.closures:
        G = gap_slopes(closure, relative_pose(tree, closure, q))
        wrenches.append(G.T @ full[first : first + len(G)] if len(G) else np.zeros(6))
        first += len(G)
    return wrenches


def gap_slopes(closure: Closure, X: Pose) -> np.ndarray:
    """Matrix G (gaps, 6) with Ḟ = G (u, w), the twist of the child's joint frame against the parent's, in the parent's axes."""
    R, p = symbols("R", 9).reshape(3, 3), symbols("p", 3)
    values = np.array([*(x for _, x in closure.joint.gaps(Pose.of(R, p))), None], dtype=object)[:-1]
    unit, still = np.eye(3), np.zeros(3)
    twists = [*((e, still) for e in unit), *((still, e) for e in unit)]
    inputs = np.concatenate([R.ravel(), p])
    columns = [directional(values, inputs, np.concatenate([(skew(w) @ R).ravel(), u])) for u, w in twists]
    G = np.stack([np.asarray(c, dtype=object) for c in columns], axis=1)
    return substitute(G, inputs, np.concatenate([np.ravel(X.R), X.p]))


def wrenches_on_links(tree: Tree, q, wrenches) -> list[np.ndarray | None]:
    """What the closing joints do to every link: None or a wrench (6,) in the link's axes at its origin."""
    acting: list[np.ndarray | None] = [None] * len(tree.links)
    for closure, F in zip(tree.closures, wrenches, strict=True):
        X = relative_pose(tree, closure, q)
        on_child = _at_origin(closure.X_CJ.R @ X.R.T, closure.X_CJ.p, F)
        acting[closure.child] = _sum(acting[closure.child], on_child)
        if closure.parent >= 0:
            on_parent = _at_origin(closure.X_PJ.R, closure.X_PJ.apply(X.p), -F)
            acting[closure.parent] = _sum(acting[closure.parent], on_parent)
    return acting


def world_wrench(closure: Closure, placed: list[Placement], F) -> tuple[np.ndarray, np.ndarray]:
    """A closing joint's wrench on its child in world axes at the child's joint origin, (6,), and that point, (3,)."""
    R = (placed[closure.parent].X_WL.R if closure.parent >= 0 else np.eye(3)) @ closure.X_PJ.R
    return np.concatenate([R @ F[:3], R @ F[3:]]), placed[closure.child].X_WL.apply(closure.X_CJ.p)


def relative_twist(closure: Closure, placed: list[Placement], point) -> np.ndarray:
    """Velocity of the child against the parent at a point of the world, and their relative angular velocity, in world axes."""
    child = twist_at(placed[closure.child], point)
    return child - twist_at(placed[closure.parent], point) if closure.parent >= 0 else child


def twist_at(at: Placement, point) -> np.ndarray:
    """Velocity of a link at a point of the world, and its angular velocity, in world axes, (6,)."""
    w = at.X_WL.R @ at.w
    return np.concatenate([at.X_WL.R @ at.v + cross(w, point - at.X_WL.p), w])


def _along_rates(joint, q, slope) -> np.ndarray:
    unit = np.eye(joint.nv)
    return np.array([joint.rates(q, unit[j]) @ slope for j in range(joint.nv)], dtype=object)


def _at_origin(R, point, F) -> np.ndarray:
    f = R @ F[:3]
    return np.concatenate([f, R @ F[3:] + cross(point, f)])


def _sum(a, b) -> np.ndarray:
    return b if a is None else a + b
