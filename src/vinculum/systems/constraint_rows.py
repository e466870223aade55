"""Constraints in a tree: their bodies and joints, and their number of rows."""

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds import Constraint
from vinculum.bonds.alike import structure
from vinculum.bonds.body_view import change_view
from vinculum.bonds.constraints.constraint import LEVELS
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, depends_on, jacobian, symbol, symbols
from vinculum.systems.accelerations import body_acceleration, twist_rates
from vinculum.systems.actions_in_tree import Constrained
from vinculum.systems.kinematics import placements
from vinculum.systems.servo_directions import directions_in
from vinculum.systems.tree import Tree
from vinculum.systems.views import body_view, ground_view, joint_view

NO_VELOCITY = (
    "a constraint on positions holds places alone; for a condition on velocities give velocity= instead of position="
)
NO_SLOPE = (
    "does not depend on any free coordinate, so it constrains nothing; write it as a smooth function of "
    "coordinates that are not prescribed",
    "depends on no velocity; give it as position=",
    "depends on no acceleration; give it as velocity= or position=",
)


def with_constraints(tree: Tree, constraints: list[Constraint]) -> Tree:
    """The tree with its constraints, each tested on symbols; constraints to which their realization does not apply are
    refused."""
    if not constraints:
        return tree
    constrained, nq, known = [], tree.nq, dict[Hashable, tuple[int, bool]]()
    for constraint in constraints:
        one = Constrained(constraint, tuple(_thing(tree, constraint, name) for name in constraint.names), 0)
        key = _key(tree, one)
        count, linear = known[key] if key is not None and key in known else _examine(tree, one)
        if key is not None:
            known[key] = count, linear
        where = constraint.called
        realization = constraint.realization
        assert realization is not None
        realization.check(where, constraint.level, linear, count)
        first, nq = nq, nq + len(realization.start(where, count))
        constrained.append(replace(one, count=count, is_linear=linear, mu=slice(first, nq), ranges=realization.ranges(where, count),
                            directions=directions_in(tree, where, realization, count)))  # fmt: skip
    _check_mixture(constrained)
    changing = [one.constraint.name for one in constrained if one.varies]
    if changing and tree.varying:
        raise ModelError(
            f"constraint '{changing[0]}': it adds to the Lagrangian, but the mass of '{tree.varying[0].body.name}' varies, and such a "
            "system has none; realize it with vc.DAlembert() or vc.Chetaev()"
        )
    rows = len(tree.kept) + sum(one.count for one in constrained if one.holds)
    rank = tree.rank + rows - len(tree.kept)
    return replace(tree, constraints=tuple(constrained), nq=nq, kept=tuple(range(rows)), rank=rank)


def _examine(tree: Tree, one: Constrained) -> tuple[int, bool]:
    """How many rows a constraint has, and whether they are linear; rows that constrain nothing are refused."""
    constraint, (near, there) = one.constraint, _carrying_links(tree, one)
    q, v, t, a = symbols("q", near.nq), symbols("v", near.nv), symbol("t"), symbols("a", near.nv)
    F = constraint_values(near.at(t), there, q, v, t, a)
    _check_dependence(constraint, F, (q, v, a)[constraint.level])
    check_masses(tree, constraint.called, F)
    return len(F), _is_linear(constraint, F, v, a)


def _key(tree: Tree, one: Constrained) -> Hashable | None:
    """What constraints on free bodies have in common that are alike up to numbers; None for others."""
    links = [None if i < 0 else tree.links[i] for _, i in one.things]
    if any(kind == "joint" for kind, _ in one.things) or any(
        link is not None and (link.parent >= 0 or link.body.name != link.joint.name) for link in links
    ):
        return None
    numbers: list[float] = []
    own = structure(one.constraint, numbers, frozenset(one.constraint.names))
    kinds = tuple(None if link is None else (type(link.body), type(link.joint)) for link in links)
    same = tuple(i for _, i in one.things) if len({i for _, i in one.things}) < len(links) else ()
    return own, kinds, tuple(x == 0.0 for x in numbers), same


def _carrying_links(tree: Tree, one: Constrained) -> tuple[Tree, Constrained]:
    """The links that carry the bodies of a constraint as a tree of their own, and the constraint there; of a system whose masses vary
    all links."""
    if tree.varying:
        return tree, one
    chosen = sorted({k for _, i in one.things if i >= 0 for k in tree.path(i)})
    place, links, q, v = {k: n for n, k in enumerate(chosen)}, [], 0, 0
    for k in chosen:
        link, nq, nv = tree.links[k], tree.links[k].joint.nq, tree.links[k].joint.nv
        links.append(
            replace(
                link, index=place[k], parent=place.get(link.parent, -1), q=slice(q, q + nq), v=slice(v, v + nv), like=-1
            )
        )
        q, v = q + nq, v + nv
    things = tuple((kind, place.get(i, -1)) for kind, i in one.things)
    return Tree(tree.name, tree.gravity, tuple(links), q, v, placed=q), replace(one, things=things)


def check_masses(tree: Tree, where: str, F) -> None:
    """Refuse what depends on masses that vary: it would change without any velocity, and no reaction could tell of it."""
    for link in tree.varying:
        if depends_on(F, [link.mass]):
            raise ModelError(
                f"{where}: it depends on the mass or the mass center of '{link.body.name}', whose mass varies; use its position, or a "
                "point fixed in it, as body.point((0, 0, 1))"
            )


def constraint_views(tree: Tree, constrained: Constrained, placed, q, v, a=None) -> list:
    """Views of the bodies and joints of a constraint; ``a``: rates of the velocities, for one on accelerations."""
    views, level = [], constrained.constraint.level
    rates = twist_rates(tree, placed, q, v, a) if level == 2 else []
    for kind, i in constrained.things:
        if kind == "joint":
            views.append(joint_view(tree.links[i], q, v, a if level == 2 else None))
            continue
        view = body_view(tree.links[i], placed[i]) if i >= 0 else ground_view()
        turns = i < 0 or tree.links[i].body.turns
        view = change_view(view, turns=turns, motion=NO_VELOCITY if level == 0 else view._state.motion)
        if level == 2:
            faster = body_acceleration(tree.links[i], placed[i], rates[i]) if i >= 0 else (np.zeros(3), np.zeros(3))
            view = change_view(view, motion_rate=faster)
        views.append(view)
    return views


def constraint_values(tree: Tree, constrained: Constrained, q, v, t, a=None) -> np.ndarray:
    """F (k,) of a constraint at a state; ``a``: rates of the velocities, for one on accelerations."""
    return constrained.constraint.rows(constraint_views(tree, constrained, placements(tree, q, v), q, v, a), t)


def _is_linear(constraint: Constraint, F, v, a) -> bool:
    """Whether rows on velocities are linear in them, and rows on accelerations in those."""
    if constraint.level == 0:
        return True
    unknown = v if constraint.level == 1 else a
    return not depends_on(jacobian(F, unknown), unknown)


def _check_dependence(constraint: Constraint, F, unknown) -> None:
    """Refuse rows that do not depend on the coordinates, velocities or accelerations (``unknown``) that they
    constrain."""
    for i, jacobians in enumerate(jacobian(F, unknown)):
        if isinstance(F[i], Scalar) and not any(isinstance(x, Scalar) or x != 0.0 for x in jacobians):
            raise ModelError(
                f"constraint '{constraint.name}': row {i} is given as {LEVELS[constraint.level]}= and {NO_SLOPE[constraint.level]}"
            )


def _check_mixture(constrained: list[Constrained]) -> None:
    """Refuse servos together with multipliers that may reduce inertia: the limits of such equations are not known."""
    directed = [one.constraint.name for one in constrained if one.directions]
    added = [one.constraint.name for one in constrained if one.varies and one.holds and not one.is_linear]
    if directed and added:
        raise ModelError(
            f"constraint '{directed[0]}': its effort is named, beside '{added[0]}', which is vakonomic and not linear in the velocities; "
            f"the two are not made for each other: use vc.Servo(by='chetaev') for '{directed[0]}', or vc.Chetaev() for '{added[0]}'"
        )


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
