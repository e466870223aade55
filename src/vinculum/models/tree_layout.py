"""The layout of a tree: all names with their positions in the state."""

from collections.abc import Mapping

from vinculum.bodies import GROUND
from vinculum.bonds import Unilateral, end_name
from vinculum.bonds.alike import ByStructure
from vinculum.bonds.many import name_of_row
from vinculum.equations.constraints.conditions import condition_levels, condition_names
from vinculum.equations.observables.virtual_powers import is_testable
from vinculum.equations.sampling.frame_dependence import notices_frame, notices_place
from vinculum.models.layout import (
    ActionEntry,
    BodyEntry,
    ChartEntry,
    ClosingEntry,
    ConstraintEntry,
    ContactEntry,
    ImpulseEntry,
    JointEntry,
    Layout,
    UnilateralEntry,
)
from vinculum.models.shapes.tree_shapes import shape_names
from vinculum.scalars import Scalar, symbols
from vinculum.systems import ActingRows, Constrained, Link, Tree, base_names, turning_links
from vinculum.systems.state_names import q_names, v_names


def layout_of(tree: Tree, found: Mapping[str, float], flat: bool) -> Layout:
    """Names and places of a tree; ``found``: its parameters, ``flat``: whether velocities are rates of coordinates."""
    links = tree.links
    return Layout(
        name=tree.name,
        q_names=q_names(tree),
        v_names=v_names(tree),
        q_units=[
            *(u for k in links for u in k.joint.kind.coordinates.q_units),
            *["kg"] * len(tree.varying),
            *["1"] * tree.multipliers,
        ],
        v_units=[u for k in links for u in k.joint.kind.coordinates.v_units],
        bodies={k.body.name: BodyEntry(k.index, type(k.body).__name__) for k in links},
        joints={
            k.joint.name: JointEntry(
                k.index,
                type(k.joint).__name__,
                k.body.name,
                _name(tree, k.parent),
                [k.q.start, k.q.stop],
                [k.v.start, k.v.stop],
            )
            for k in links
        },
        prescribed=[k.body.name for k in tree.prescribed],
        groups=_groups(tree),
        closing={
            c.joint.name: ClosingEntry(type(c.joint).__name__, _name(tree, c.child), _name(tree, c.parent))
            for c in tree.closures
        },
        actions=_action_entries(tree),
        weighs=bool(any(isinstance(x, Scalar) or x != 0.0 for x in tree.gravity)),
        constraints=_constraint_entries(tree),
        unilaterals={b.unilateral.name: _unilateral_entry(b.unilateral) for b in tree.unilaterals},
        contacts={
            c.name: ContactEntry(list(c.names), c.friction is not None)
            for c in (tree.contacts if tree.contact is None else (tree.contact,))
        },
        impulses={s.impulse.name: ImpulseEntry(s.impulse.struck, s.kind, list(s.impulse.at)) for s in tree.impulses},
        shapes=shape_names(tree) if tree.contacts else [],
        virtual=is_testable(tree),
        gaps=[list(name) for name in condition_names(tree)],
        levels=condition_levels(tree),
        kept=list(tree.kept),
        rank=tree.rank,
        flat=flat,
        quaternions=_quaternions(tree),
        charts=[_chart_entry(k) for k in turning_links(tree)],
        parameters={name: found[name] for name in sorted(found)},
        masses={k.body.name: k.mass_place for k in tree.varying if k.mass_place is not None},
    )


def _quaternions(tree: Tree) -> list[list[int]]:
    """Places of the coordinates that must have length one."""
    has: dict[int, bool] = {}
    for k in tree.links:
        if k.like < 0:
            has[k.index] = (
                bool(k.joint.nq) and k.joint.kind.coordinates.chart_defect(symbols("q", k.joint.nq)) is not None
            )
    return [[k.q.stop - 4, k.q.stop] for k in tree.links if has[k.index if k.like < 0 else k.like]]


def _action_entries(tree: Tree) -> dict[str, ActionEntry]:
    """Entries of single actions and of the rows of bonds; what is alike in all rows is asked once."""
    bodies, noticing, found = {k.body.name: k.body for k in tree.links}, ByStructure[bool](), dict[str, ActionEntry]()
    names = [*bodies, GROUND]
    for one in tree.acting:
        external = any(a.action.law.is_external or noticing.of(a.action, bodies, notices_place) for a in one.samples)
        if isinstance(one, ActingRows):
            kind, bonds = type(one.bonds.bond).__name__, one.bonds
            for k, ends in enumerate(one.links.tolist()):
                found[name_of_row(bonds, k)] = ActionEntry(kind, [names[i] for i in ends], external)
        else:
            action = one.action
            found[action.name] = ActionEntry(type(action).__name__, [end_name(end) for end in action.ends], external)
    return found


def _name(tree: Tree, link: int) -> str:
    return tree.links[link].body.name if link >= 0 else "ground"


def _constraint_entries(tree: Tree) -> dict[str, ConstraintEntry]:
    """Entries of all constraints; whether their efforts come from outside is asked once for those on bodies that are alike."""
    bodies, noticing = {k.body.name: k.body for k in tree.links}, ByStructure[bool]()
    found = dict[str, ConstraintEntry]()
    for one in tree.constraints:
        plain = not one.directions and all(kind == "body" for kind, _ in one.things)
        find = lambda *_, one=one: notices_frame(tree, one)
        external = noticing.of(one.constraint, bodies, find) if plain else find()
        found[one.constraint.name] = _constraint_entry(tree, one, external)
    return found


def _constraint_entry(tree: Tree, constrained: Constrained, external: bool) -> ConstraintEntry:
    constraint = constrained.constraint
    return ConstraintEntry(
        bodies=list(constraint.names),
        level=constraint.level,
        rows=constrained.count,
        realization=type(constraint.realization).__name__,
        holds=constrained.holds,
        varies=constrained.varies,
        mu=[constrained.mu.start, constrained.mu.stop],
        on=[_name(tree, i) for kind, i in constrained.ends if kind == "body"],
        bounds=constrained.ranges,
        directed=bool(constrained.directions),
        external=external,
        singular=constraint.singular,
    )


def _unilateral_entry(unilateral: Unilateral) -> UnilateralEntry:
    law, rough = unilateral.impact, unilateral.friction
    assert law is not None
    return UnilateralEntry(
        bodies=list(unilateral.names),
        friction=list(rough.coefficients) if rough else [],
        lengths=list(rough.lengths) if rough and rough.resists else [],
        impact=type(law).__name__,
        restitution=float(law.restitution),
        by_impulses=law.by_impulses,
        treatment=law.treatment,
    )


def _chart_entry(link: Link) -> ChartEntry:
    assert link.joint.kind.coordinates.turn is not None
    chart, first, last = link.joint.kind.coordinates.turn
    return ChartEntry(link.joint.name, chart, base_names(link), [link.q.start + first, link.q.start + last])


def _groups(tree: Tree) -> list[int]:
    """For every number of the state, coordinates then velocities: which ones share its joint, kind and unit."""
    keys = [(k.index, "q", unit) for k in tree.links for unit in k.joint.kind.coordinates.q_units]
    keys += [(k.index, "mass", "kg") for k in tree.varying]
    keys += [(one.constraint.name, "mu", "1") for one in tree.constraints for _ in range(one.mu.stop - one.mu.start)]
    keys += [(k.index, "v", unit) for k in tree.links for unit in k.joint.kind.coordinates.v_units]
    numbers = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    return [numbers[key] for key in keys]
