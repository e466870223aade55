"""The power of the drives of prescribed bodies, by two routes."""

import numpy as np

from vinculum.equations.actions import exerted_efforts
from vinculum.equations.observables.loads import Loads, drive_powers, length, loads_of
from vinculum.scalars import directional
from vinculum.scalars.math import cross
from vinculum.screws import axial
from vinculum.systems import Link, Tree


def drives(tree: Tree, q, v, t) -> dict:
    r"""Power of every drive by its wrench, F·ṗ + M·ω, and by the work of everything else on its body, with the size of the terms.

    .. math:: P = \frac{dT}{dt} - m\,g\cdot\dot c - \sum(F_c\cdot\dot p + M_c\cdot\omega) - \sum(F_p\cdot\dot p + M_p\cdot\omega)

    with the reactions (c) of joints and constraints and the efforts (p) of the actions on the body: O'Reilly and Srinivasa, (38)
    and after, and the body's own kinetic energy T. Here ṗ, ċ and ω are the body's places differentiated by time.
    """
    loads = loads_of(tree, q, v, t)
    works = [_work(tree, link, loads, t) for link in tree.prescribed]
    return {
        "by_wrench": [power for power, _ in drive_powers(tree, loads)],
        "by_work": [terms[0] - sum(terms[1:], 0.0) for terms, _ in works],
        "size": [length(terms) + speed for terms, speed in works],
    }


def _work(tree: Tree, link: Link, loads: Loads, t) -> tuple[list, float]:
    """dT/dt and the powers of weight, joints and actions on a prescribed body; and forces times speeds, its weight and the
    rates of its momenta among them."""
    X = loads.placed[link.index].X_WL
    origin, center = X.apply(link.X_LB.p), X.apply(link.center)
    moved = directional(np.concatenate([origin, center, np.ravel(X.R)]), [t], [1.0])
    p_dot, c_dot, w = moved[:3], moved[3:6], axial(moved[6:].reshape(3, 3) @ X.R.T)
    own = X.R.T @ w
    kinetic = 0.5 * (link.mass * (c_dot @ c_dot) + own @ (link.inertia @ own))
    terms = [directional(np.array([kinetic], dtype=object), [t], [1.0])[0], link.mass * (tree.gravity @ c_dot)]
    wrenches = [*_of_joints(tree, link.index, loads), *_of_actions(tree, link.index, loads, t, origin),
                *_of_constraints(link.index, loads, origin)]  # fmt: skip
    speed = 2.0 * kinetic * length(w) + link.mass * length(tree.gravity) * length(c_dot)
    for F, point in wrenches:
        v_point = p_dot + cross(w, point - origin)
        terms.append(F[:3] @ v_point + F[3:] @ w)
        speed = speed + length(F[:3]) * (length(p_dot) + length(w) * length(point - origin)) + length(F[3:]) * length(w)
    return terms, speed


def _of_joints(tree: Tree, i: int, loads: Loads) -> list[tuple[np.ndarray, np.ndarray]]:
    """Wrenches of joints on body i, (6,) in world axes, each with the point where it acts."""
    found = []
    for link in tree.links:
        if link.parent == i:
            X, F = loads.placed[link.index].X_WL, loads.joints[link.index]
            found.append((-np.concatenate([X.R @ F[:3], X.R @ F[3:]]), X.p))
    for closure, F, point in zip(tree.closures, loads.closing, loads.points, strict=True):
        found += [(sign * F, point) for end, sign in ((closure.child, 1.0), (closure.parent, -1.0)) if end == i]
    return found


def _of_actions(tree: Tree, i: int, loads: Loads, t, origin) -> list[tuple[np.ndarray, np.ndarray]]:
    """Wrenches of potentials, forces and interactions on body i, at its origin."""
    found = []
    for acting in tree.actions:
        efforts = exerted_efforts(tree, acting, loads.placed, t).efforts()
        found += [
            (np.concatenate(effort), origin) for end, effort in zip(acting.links, efforts, strict=True) if end == i
        ]
    return found


def _of_constraints(i: int, loads: Loads, origin) -> list[tuple[np.ndarray, np.ndarray]]:
    """Wrenches of constraints on body i, at its origin."""
    found = []
    for constrained, by in [*loads.kept, *loads.yields, *loads.varied]:
        found += [
            (np.concatenate(effort), origin)
            for (_, end), effort in zip(constrained.ends, by.efforts, strict=True)
            if end == i and effort is not None
        ]
    return found
