"""Efforts of every bond on each of its bodies, for results and for Newton's third law."""

import numpy as np

from vinculum.bonds.efforts import moment_of, moment_size
from vinculum.equations.actions import action_views, effort_power, energy_rate, exerted_efforts, power_size
from vinculum.equations.constraints.efforts import kept_power
from vinculum.equations.observables.constraint_energies import (
    constraint_energies,
    effort_sizes,
    powers_by_rows,
    reaction_size,
)
from vinculum.equations.observables.joint_efforts import joint_efforts
from vinculum.equations.observables.loads import Loads, loads_of
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.recursions.newton_euler import at_parent
from vinculum.scalars.math import abs as absolute
from vinculum.screws import Pose
from vinculum.systems import Tree, body_view, ground_view


def bonds(tree: Tree, q, v, t) -> dict:
    """For every joint the ``efforts`` (6,) on child and parent and the ``points`` (3,) of these, in world axes.

    For every action its ``energy``, the ``efforts`` on each of its bodies at their origins, the ``power`` of the potential ones,
    and the ``rate`` of the energy along the motion less what time alone makes, by another route; ``size`` is what the
    round-off of both is measured against.
    """
    loads = loads_of(tree, q, v, t)
    placed = loads.placed
    q_dot = rates(tree, q, v)
    groups: dict = _joints(tree, q, loads) | joint_efforts(tree, q, v, t, loads)
    for acting in tree.actions:
        does, views = exerted_efforts(tree, acting, placed, t), action_views(tree, acting, placed)
        powers = [effort_power(view, effort) for view, effort in zip(views, does.potential, strict=True)]
        rate = energy_rate(tree, acting, placed, q, q_dot, t)
        name = acting.action.name
        groups[f"{name}/energy"] = [does.energy]
        groups[f"{name}/efforts"] = np.concatenate(
            [x for view, pair in zip(views, does.efforts(), strict=True) for x in (pair[0], moment_of(view, pair))]
        )
        groups[f"{name}/points"] = np.concatenate([view.position for view in views])
        terms = [moment_size(view, pair) for view, pair in zip(views, does.efforts(), strict=True)]
        groups[f"{name}/moment size"] = [does.moment_size + sum(terms, 0.0)]
        groups[f"{name}/power"] = [sum(powers, 0.0)]
        groups[f"{name}/rate"] = [rate - does.time_slope]
        sizes = (power_size(view, effort) for view, effort in zip(views, does.potential, strict=True))
        turning = does.moment_size * sum((absolute(w) for view in views for w in view._state.motion[1]), 0.0)
        groups[f"{name}/size"] = [sum(sizes, absolute(rate) + absolute(does.time_slope) + turning)]
    return groups | _constraints(tree, q, v, loads)


def _constraints(tree: Tree, q, v, loads: Loads) -> dict:
    """Of every constraint its ``multipliers``, the ``work`` of its reactions on all its things [W], ``by rows`` the same without efforts,
    the ``work size`` of its terms, the ``effort sizes`` of its forces and moments, the energy ``own_energy`` of one that adds to the
    Lagrangian, and the efforts on its bodies."""
    groups: dict = {}
    for (one, _), power in zip(loads.kept + loads.yields, powers_by_rows(tree, q, v, loads), strict=True):
        groups[f"{one.constraint.name}/by rows"] = [power]
    for (one, _), energy in zip(loads.varied, constraint_energies(tree, q, v, loads)["constraint_energy"], strict=True):
        groups[f"{one.constraint.name}/own_energy"] = [energy]
    for one, by in [*loads.kept, *loads.yields, *loads.varied]:
        name = one.constraint.name
        bodies = [(i, effort) for (_, i), effort in zip(one.ends, by.efforts, strict=True) if effort is not None]
        groups[f"{name}/multipliers"] = by.multipliers
        groups[f"{name}/work"] = [kept_power(tree, one, by, loads.placed, v)]
        groups[f"{name}/work size"] = [reaction_size(tree, one, by, loads.placed, v)]
        groups[f"{name}/effort sizes"] = effort_sizes(tree, one, by)
        if bodies:
            views = [body_view(tree.links[i], loads.placed[i]) if i >= 0 else ground_view() for i, _ in bodies]
            groups[f"{name}/efforts"] = np.concatenate(
                [x for view, (_, pair) in zip(views, bodies, strict=True) for x in (pair[0], moment_of(view, pair))]
            )
            groups[f"{name}/points"] = np.concatenate([view.position for view in views])
            if any(view._state.kinematics.deforms for view in views):
                terms = [moment_size(view, pair) for view, (_, pair) in zip(views, bodies, strict=True)]
                groups[f"{name}/moment size"] = [sum(terms, 0.0)]
    return groups


def _joints(tree: Tree, q, loads: Loads) -> dict:
    """Efforts on the child and on the parent of every joint, at the origins of their links in world axes."""
    groups: dict = {}
    ends = [(k.joint.name, k.parent, k.index) for k in tree.links] + [
        (c.joint.name, c.parent, c.child) for c in tree.closures
    ]
    pairs = [(F, at_parent(k, q, -F[:3], -F[3:])) for k, F in zip(tree.links, loads.joints, strict=True)]
    pairs += loads.pairs
    for (name, parent, child), (on_child, on_parent) in zip(ends, pairs, strict=True):
        X_C = loads.placed[child].X_WL
        X_P = loads.placed[parent].X_WL if parent >= 0 else Pose.of(np.eye(3), np.zeros(3))
        sides = ((X_C, on_child[:3], on_child[3:]), (X_P, *on_parent))
        groups[f"{name}/efforts"] = np.concatenate([x for X, f, m in sides for x in (X.R @ f, X.R @ m)])
        groups[f"{name}/points"] = np.concatenate([X_C.p, X_P.p])
    return groups


def third_law(
    efforts: np.ndarray, points: np.ndarray, moment_size: np.ndarray | float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    r"""Residuals (T, 6) of Newton's third law and their sizes (T, 6), from efforts (T, n, 6) on bodies at points (T, n, 3).

    ``moment_size`` (T,): sizes of the terms in moments that may cancel.

    .. math:: \sum_\Theta F_\Theta,\qquad \sum_\Theta (M_\Theta + (x_\Theta - x_1)\times F_\Theta)

    Moments are taken about the first body's origin, so that nothing grows with the distance from the world's. O'Reilly and
    Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles, (24), (25).
    """
    arms = points - points[:, :1]
    force, moment = efforts[..., :3], efforts[..., 3:]
    turning = np.cross(arms, force)
    residual = np.concatenate([force.sum(axis=1), (moment + turning).sum(axis=1)], axis=1)
    size_f = np.abs(force).sum(axis=(1, 2))
    size_m = np.abs(moment).sum(axis=(1, 2)) + np.abs(arms).sum(axis=2).max(axis=1) * size_f + moment_size
    return residual, np.repeat(np.stack([size_f, size_m], axis=1), 3, axis=1)
