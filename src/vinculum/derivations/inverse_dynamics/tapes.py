"""Tapes of inverse dynamics: traced once for each tree, form and set of bodies with external wrenches."""

import weakref
from collections.abc import Callable

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.actions import link_wrench
from vinculum.equations.applied import action_wrenches, joint_forces
from vinculum.equations.forms import telegin
from vinculum.equations.recursions import newton_euler
from vinculum.equations.recursions.augmented_bodies import augmented_forces
from vinculum.equations.recursions.inertias import regrouped_inertias
from vinculum.models.model import Model
from vinculum.scalars import symbol, symbols
from vinculum.scalars.math import cross
from vinculum.systems import Tree, placements, world_poses

NUMBERS_OF_A_WRENCH = 9
"""Force and moment in world axes, and the point of the body's own frame at which they act."""

Bodies = tuple[int, ...]
_tapes: "weakref.WeakKeyDictionary[Tree, dict[tuple, Tape]]" = weakref.WeakKeyDictionary()


def forces_tape(model: Model, form: str, bodies: Bodies) -> Tape:
    """Generalized forces over (q, v, a, t, external, parameters)."""
    return _tape(model, (form, "forces", bodies), lambda tree, *x: {"forces": FORCES[form](tree, *x)})


def wrenches_tape(model: Model, form: str, bodies: Bodies) -> Tape:
    """The wrench of every joint on its child at the child's joint origin in world axes, over the same inputs."""
    return _tape(model, (form, "wrenches", bodies), lambda tree, *x: _in_world(tree, x[0], WRENCHES[form](tree, *x)))


def applied_tape(model: Model) -> Tape:
    """Generalized forces of springs, dampers and drives over (q, v, t, parameters)."""
    tree = _tree(model)
    known = _tapes.setdefault(tree, {})
    if ("applied",) not in known:
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        outputs = {"applied": joint_forces(tree.at(t, q), t, q, v)}
        known[("applied",)] = trace({"q": q, "v": v, "t": np.array([t])}, outputs, model.parameters)
    return known[("applied",)]


FORCES: dict[str, Callable] = {
    "telegin": telegin.generalized_forces,
    "newton-euler": lambda tree, *x: newton_euler.inverse_dynamics(tree, *x, inertias=regrouped_inertias(tree))[0],
}
WRENCHES: dict[str, Callable] = {
    "telegin": lambda tree, *x: augmented_forces(tree, *x)[1],
    "newton-euler": lambda tree, *x: newton_euler.inverse_dynamics(tree, *x)[1],
}


def _tape(model: Model, key: tuple, outputs: Callable) -> Tape:
    tree, bodies = _tree(model), key[2]
    known = _tapes.setdefault(tree, {})
    if key not in known:
        q, v, a = symbols("q", tree.nq), symbols("v", tree.nv), symbols("a", tree.nv)
        given, t = symbols("external", NUMBERS_OF_A_WRENCH * len(bodies)), symbol("t")
        inputs = {"q": q, "v": v, "a": a, "t": np.array([t]), "external": given}
        there = tree.at(t, q)
        made = outputs(there, q, v, a, in_links(there, q, v, t, bodies, given) if bodies or tree.actions else None)
        known[key] = trace(inputs, made, model.parameters)
    return known[key]


def in_links(tree: Tree, q, v, t, bodies: Bodies, given, actions: bool = True) -> list:
    """The external wrenches (6,) and those of the system's actions in link axes at the links' origins; None where nothing acts."""
    placed = placements(tree, q, v)
    wrenches: list = action_wrenches(tree, placed, t) if actions else [None] * len(tree.links)
    poses = world_poses(tree, q)
    for i, numbers in zip(bodies, given.reshape(-1, NUMBERS_OF_A_WRENCH), strict=True):
        inner = placed[i].inner
        if inner is not None:
            push = tree.links[i].body.mechanics.kinematics.lever(inner[0], numbers[6:], numbers[:3])
            wrench = link_wrench(tree, placed, i, (numbers[:3], push))
            wrenches[i] = wrench if wrenches[i] is None else wrenches[i] + wrench
            continue
        R_LW, arm = poses[i].R.T, tree.links[i].X_LB.apply(numbers[6:])
        force = R_LW @ numbers[:3]
        wrench = np.concatenate([force, R_LW @ numbers[3:6] + cross(arm, force)])
        wrenches[i] = wrench if wrenches[i] is None else wrenches[i] + wrench
    return wrenches


def _in_world(tree: Tree, q, wrenches) -> dict:
    groups = {}
    for link, X_WL, F in zip(tree.links, world_poses(tree, q), wrenches, strict=True):
        moment = F[3:] - cross(link.joint_origin, F[:3])
        groups[link.joint.name] = np.concatenate([X_WL.R @ F[:3], X_WL.R @ moment])
    return groups


def _tree(model: Model) -> Tree:
    assert model.tree is not None
    return model.tree
