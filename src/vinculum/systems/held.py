"""Constraints in a tree: what they are about, and how many rows they have."""

from dataclasses import replace

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds import Constraint
from vinculum.errors import ModelError
from vinculum.scalars import depends_on, jacobian, symbol, symbols
from vinculum.systems.acting import Held
from vinculum.systems.kinematics import placements
from vinculum.systems.tree import Tree
from vinculum.systems.views import body_view, ground_view, joint_view

NO_VELOCITY = (
    "a constraint on positions holds places alone; for a condition on velocities give velocity= instead of position="
)


def with_constraints(tree: Tree, constraints: list[Constraint]) -> Tree:
    """The tree with its constraints, each tried on symbols; those that their realization does not cover are refused."""
    if not constraints:
        return tree
    held, nq = [], tree.nq
    for constraint in constraints:
        one = Held(constraint, tuple(_thing(tree, constraint, name) for name in constraint.names), 0)
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        F = constraint_values(tree.at(t), one, q, v, t)
        linear = constraint.level == 0 or not depends_on(jacobian(F, v), v)
        where = f"constraint '{constraint.name}'"
        assert constraint.realization is not None
        constraint.realization.check(where, constraint.level, linear)
        first, nq = nq, nq + len(constraint.realization.start(where, len(F)))
        held.append(replace(one, count=len(F), is_linear=linear, mu=slice(first, nq)))
    added = sum(one.count for one in held if one.holds)
    known = len(tree.kept)
    return replace(tree, constraints=tuple(held), nq=nq, kept=tuple(range(known + added)), rank=tree.rank + added)


def constraint_views(tree: Tree, held: Held, placed, q, v) -> list:
    """The things of a constraint as they stand."""
    views = []
    for kind, i in held.things:
        if kind == "joint":
            views.append(joint_view(tree.links[i], q, v))
            continue
        view = body_view(tree.links[i], placed[i]) if i >= 0 else ground_view()
        turns = i < 0 or tree.links[i].body.turns
        views.append(replace(view, turns=turns, motion=NO_VELOCITY if held.constraint.level == 0 else view.motion))
    return views


def constraint_values(tree: Tree, held: Held, q, v, t) -> np.ndarray:
    """F (k,) of a constraint at a state."""
    return held.constraint.rows(constraint_views(tree, held, placements(tree, q, v), q, v), t)


def _thing(tree: Tree, constraint: Constraint, name: str) -> tuple[str, int]:
    if name == GROUND:
        return "body", -1
    if name in tree.bodies:
        return "body", tree.bodies[name]
    if name in tree.joints:
        return "joint", tree.joints[name]
    raise ModelError(
        f"constraint '{constraint.name}': joint '{name}' closes a loop and has no coordinates; name its bodies instead"
    )
