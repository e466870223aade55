"""`System`: bodies and the bonds between them, described once."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.bodies import GROUND, Body, BodyGroup, check_name, copies_of
from vinculum.bonds import (
    Action,
    Bonds,
    Constraint,
    Contact,
    Impulse,
    Joint,
    Realization,
    Rolling,
    Unilateral,
    end_name,
    is_member_name,
)
from vinculum.bonds.actions import own_actions
from vinculum.bonds.alike import ByStructure
from vinculum.bonds.constraints.point_joint import joint_constraint
from vinculum.bonds.many import rows_of
from vinculum.bonds.unilaterals import SLIDES, STICKS, joint_stops, kept_closed
from vinculum.errors import ModelError, did_you_mean, shorten
from vinculum.screws.entries import entries
from vinculum.systems.checks.actions import check_action
from vinculum.systems.checks.constraints import check_constraint
from vinculum.systems.constraint_rows import with_constraints
from vinculum.systems.contacts import with_contacts
from vinculum.systems.event import Event
from vinculum.systems.given_impulses import check_impulse, with_impulses
from vinculum.systems.servo_directions import check_unit_wrench, velocity_names
from vinculum.systems.tree import Tree
from vinculum.systems.tree_building import build_tree
from vinculum.systems.unilaterals import with_unilaterals
from vinculum.tolerances.sizes import BYTES_OF_A_BODY, BYTES_OF_A_ROW
from vinculum.upward import Door, ShownInNotebooks

SYSTEM_VIEW = Door("vinculum.show")
"""A system at given coordinates on a page for a browser."""


class System(ShownInNotebooks):
    """A mechanical system: bodies and bonds, added with `add`.

    ``gravity``: (3,) [m/s²] uniform field in world axes; zero by default. Computations use a frozen copy of the
    system, so later additions do not change earlier results.

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3))).name
    'hinge'
    """

    def __init__(self, name: str, gravity=(0.0, 0.0, 0.0)):
        check_name("system", name)
        self._name = name
        self._gravity = entries(f"system '{name}': gravity", gravity, (3,))
        self._bodies: dict[str, Body] = {}
        self._joints: dict[str, Joint] = {}
        self._actions: dict[str, Action] = {}
        self._constraints: dict[str, Constraint] = {}
        self._unilaterals: dict[str, Unilateral] = {}
        self._contacts: dict[str, Contact] = {}
        self._impulses: dict[str, Impulse] = {}
        self._groups: dict[str, BodyGroup] = {}
        self._bonds: dict[str, Bonds] = {}
        self._alike: dict[str, str] = {}
        self._tree: Tree | None = None
        self._checked: ByStructure[None] = ByStructure()

    @property
    def name(self) -> str:
        return self._name

    @property
    def gravity(self) -> np.ndarray:
        return self._gravity

    @property
    def bodies(self) -> Mapping[str, Body]:
        return dict(self._bodies)

    @property
    def joints(self) -> Mapping[str, Joint]:
        return dict(self._joints)

    @property
    def actions(self) -> Mapping[str, Action]:
        """Potentials, forces and interactions; rows of `Bonds` one by one."""
        return self._actions | {row.name: row for bonds in self._bonds.values() if bonds.acts for row in rows_of(bonds)}

    @property
    def constraints(self) -> Mapping[str, Constraint]:
        """Constraints in addition to the joints; rows of `Bonds` one by one."""
        return self._constraints | {
            row.name: row for bonds in self._bonds.values() if not bonds.acts for row in rows_of(bonds)
        }

    @property
    def unilaterals(self) -> Mapping[str, Unilateral]:
        """Unilateral constraints."""
        return dict(self._unilaterals)

    @property
    def contacts(self) -> Mapping[str, Contact]:
        """Contacts between shapes."""
        return dict(self._contacts)

    @property
    def impulses(self) -> Mapping[str, Impulse]:
        """Applied impulses."""
        return dict(self._impulses)

    def __repr__(self):
        own = [name for name in self._bodies if not self._is_numbered(name)]
        acting = f", actions={list(self._actions)}" if self._actions else ""
        groups = f", groups={list(self._groups.values())}" if self._groups else ""
        bonds = f", bonds={list(self._bonds.values())}" if self._bonds else ""
        return f"System({self._name!r}, bodies={own}, joints={list(self._joints)}{acting}{groups}{bonds})"

    def add_many(self, body: Body, count: int) -> BodyGroup:
        """Add ``count`` bodies like ``body`` and return them as a group, which has its name. They are named ``"star 0"``, ``"star 1"``, …

        ``group[i]`` is a body as `add` returns it. A group may stand for a body in the bond of `Bonds`, and for a name in the start of
        `simulate`, with one row of numbers for each body: ``start={stars: vc.At(positions, rate=velocities)}``.
        """
        if not isinstance(body, Body):
            raise ModelError(
                f"system '{self._name}': {shorten(body)} is not a body; give one, as vc.MassPoint('star', mass=1.0)"
            )
        if isinstance(count, (bool, np.bool_)) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ModelError(
                f"system '{self._name}': the count of '{body.name}' is {shorten(count)}; give a whole number from 1 on"
            )
        from vinculum.compile.memory import check_room  # describing a system does not load Numba

        check_room(f"system '{self._name}': {shorten(count)} bodies like '{body.name}'", int(count) * BYTES_OF_A_BODY)
        self._check_name(body.name)
        self._check_numbered(body.name, count)
        group = BodyGroup(body.name, copies_of(body, int(count)))
        if own_actions(body):
            for one in group:
                self.add(one)
        else:
            self._bodies |= {one.name: one for one in group}
            first: str = group.names[0]
            self._alike |= dict.fromkeys(group.names, first)
        self._groups[group.name] = group
        self._tree = None
        return group

    def add(self, thing):
        """Add a body or a bond and return it. A `Rolling` adds both of its constraints, `Bonds` add a bond for each row."""
        if isinstance(thing, Rolling):
            for constraint in thing.constraints:
                self.add(constraint)
            return thing
        if isinstance(thing, Bonds):
            return self._add_bonds(thing)
        if not isinstance(thing, (Body, Joint, Action, Constraint, Unilateral, Contact)):
            hint = "; events belong to a run: vc.simulate(..., events=[...])" if isinstance(thing, Event) else ""
            raise ModelError(f"system '{self._name}': {shorten(thing)} is neither a body nor a bond{hint}")
        self._check_name(thing.name)
        if isinstance(thing, Joint):
            self._check_ends(thing)
            self._add_joint(thing)
        elif isinstance(thing, Impulse):
            self._check_thing(thing.called, thing.on)
            check_impulse(thing, self._bodies, self._joints)
            self._impulses[thing.name] = thing
        elif isinstance(thing, Action):
            for end in thing.ends:
                self._check_end(thing.called, end)
            self._checked.of(thing, self._bodies, check_action)
            self._actions[thing.name] = thing
        elif isinstance(thing, Constraint):
            for end in thing.bodies:
                self._check_thing(f"constraint '{thing.name}'", end)
            self._check_directions(thing)
            check_constraint(thing, self._bodies, self._joints)
            self._constraints[thing.name] = thing
        elif isinstance(thing, Unilateral):
            for end in thing.bodies:
                self._check_thing(thing.called, end)
            self._unilaterals[thing.name] = thing
        elif isinstance(thing, Contact):
            for end in (*thing.bodies, *thing.against):
                self._check_end(thing.called, end)
            self._contacts[thing.name] = thing
        else:
            self._add_body(thing)
        self._tree = None
        return thing

    @property
    def _taken(self) -> tuple[Mapping[str, Any], ...]:
        return (self._bodies, self._joints, self._actions, self._constraints, self._unilaterals, self._contacts, self._impulses,
                self._groups, self._bonds)  # fmt: skip

    def _check_name(self, name: str) -> None:
        """Refuse a name that something has, or a row of bonds."""
        if any(name in known for known in self._taken) or any(
            is_member_name(name, one.name, len(one)) for one in self._bonds.values()
        ):
            raise ModelError(
                f"system '{self._name}': the name '{name}' is taken; names of bodies and bonds must differ"
            )

    def _check_numbered(self, of: str, count: int) -> None:
        """Refuse numbered members, as 'rope 17' of 'rope', if something has the name of one."""
        if other := next((name for known in self._taken for name in known if is_member_name(name, of, count)), None):
            raise ModelError(
                f"system '{self._name}': '{of}' would have a member '{other}', but this name is taken; give it another name"
            )

    def _is_numbered(self, name: str) -> bool:
        return name in self._alike

    def _add_bonds(self, bonds: Bonds) -> Bonds:
        """Add bonds whose bodies are in the system; rows that stand for all are checked."""
        if bonds.cutoff is not None:
            self.add(bonds.within)
            return bonds
        self._check_name(bonds.name)
        self._check_numbered(bonds.name, len(bonds))
        from vinculum.compile.memory import check_room  # describing a system does not load Numba

        check_room(f"system '{self._name}': {bonds.called}", len(bonds) * BYTES_OF_A_ROW)
        for group in dict.fromkeys(bonds.groups):
            for body in group:
                self._check_end(bonds.called, body)
        for end in bonds.bond.ends:
            if not isinstance(end, BodyGroup):
                self._check_end(bonds.called, end)
        for k in bonds.samples:
            if bonds.acts:
                self._checked.of(bonds.row(k), self._bodies, check_action)
            else:
                self._check_directions(bonds.row(k))
                check_constraint(bonds.row(k), self._bodies, self._joints)
        self._bonds[bonds.name] = bonds
        self._tree = None
        return bonds

    def _add_joint(self, joint: Joint) -> None:
        """Add a joint, or the constraint that stands for it at a body that deforms."""
        kept = joint_constraint(joint, self._bodies.get(end_name(joint.parent)), self._bodies[end_name(joint.child)])
        if kept is None:
            self._joints[joint.name] = joint
            for stop in joint_stops(joint):
                self.add(stop)
        elif any(joint.limits):
            raise ModelError(
                f"joint '{joint.name}': limits: at a body that deforms it is a constraint without coordinates; describe the stop by a "
                "vc.Unilateral with a gap"
            )
        else:
            self._constraints[joint.name] = kept

    def _add_body(self, body: Body) -> None:
        """Add a body with the actions that it brings."""
        self._bodies[body.name] = body
        for action in own_actions(body):
            try:
                self.add(action)
            except ModelError:
                del self._bodies[body.name]
                raise

    def with_realization(self, constraint: Constraint | str, realization: Realization | str) -> "System":
        """A copy of the system with another realization of one constraint."""
        name = str(constraint if isinstance(constraint, str) else getattr(constraint, "name", constraint))
        if name not in self._constraints:
            raise ModelError(f"system '{self._name}' has no constraint '{name}'{nearest(name, self._constraints)}")
        other = self._copy_bodies()
        changed = replace(self._constraints[name], realization=realization)
        self._check_directions(changed)
        other._unilaterals, other._contacts = dict(self._unilaterals), dict(self._contacts)
        other._constraints = {**self._constraints, name: changed}
        other._impulses = dict(self._impulses)
        return other

    def with_contacts(self, closed: Mapping[str, str], *, continued: bool = False) -> "System":
        """A copy without unilateral constraints and impulses, in which the named ones are closed: each "slides" or
        "sticks".

        ``continued``: friction is continued smoothly beyond the end of sliding, for methods that evaluate states
        there."""
        for name, status in closed.items():
            if name not in self._unilaterals:
                raise ModelError(
                    f"system '{self._name}' has no unilateral constraint '{name}'{nearest(name, self._unilaterals)}"
                )
            if status not in (SLIDES, STICKS):
                raise ModelError(
                    f"unilateral constraint '{name}': {status!r} is not known; say '{SLIDES}' or '{STICKS}'"
                )
        other = self._copy_bodies()
        other._constraints = dict(self._constraints)
        for name, status in closed.items():
            for constraint in kept_closed(self._unilaterals[name], status, continued):
                other._constraints[constraint.name] = constraint
        return other

    def _copy_bodies(self) -> "System":
        """A system with the same bodies, joints and actions."""
        other = System(self._name, self._gravity)
        other._bodies, other._joints, other._actions = dict(self._bodies), dict(self._joints), dict(self._actions)
        other._groups, other._bonds, other._alike = dict(self._groups), dict(self._bonds), dict(self._alike)
        return other

    def view(self, q: Mapping[str, object] | None = None, path=None, *, browser: bool | None = None) -> Any:
        """A page with the system in space at the coordinates ``q``, in one HTML file that needs no internet.

        ``q`` maps joints and free bodies to positions, as ``start`` of `simulate`; loops are closed from there. Without ``path`` the
        page is a temporary file and opens in the browser; ``browser`` says otherwise.
        """
        return SYSTEM_VIEW(self, q, path, browser)

    def tree(self) -> Tree:
        """The system as a tree of links, checked and ordered from the ground outwards."""
        if self._tree is None:
            actions = [*self._actions.values(), *(bonds for bonds in self._bonds.values() if bonds.acts)]
            bare = build_tree(self._name, self._gravity, self._bodies, self._joints, actions, self._alike)
            constrained = with_constraints(bare, list(self.constraints.values()))
            bounded = with_unilaterals(constrained, list(self._unilaterals.values()))
            met = with_contacts(bounded, list(self._contacts.values()))
            self._tree = with_impulses(met, list(self._impulses.values()))
        return self._tree

    def _check_thing(self, where: str, thing) -> None:
        name = thing if isinstance(thing, str) else thing.name
        if isinstance(thing, Joint) and self._joints.get(name) is not thing:
            raise ModelError(f"{where}: joint '{name}' is not in system '{self._name}'; add the joint first")
        if isinstance(thing, str) and name not in {*self._bodies, *self._joints, GROUND}:
            known = nearest(name, [*self._bodies, *self._joints, GROUND])
            raise ModelError(f"{where}: there is no body or joint '{name}' in system '{self._name}'{known}")
        if not isinstance(thing, Joint) and name not in self._joints:
            self._check_end(where, thing)

    def _check_directions(self, constraint: Constraint) -> None:
        """Check that the joints and bodies of a servo's efforts are in the system."""
        where = f"constraint '{constraint.name}'"
        assert constraint.realization is not None
        for one in constraint.realization.directions:
            if isinstance(one, Action):
                for end in one.ends:
                    self._check_end(f"{where}: {one.called}", end)
                check_action(one, self._bodies)
                check_unit_wrench(where, one, self._bodies)
                continue
            name = one if isinstance(one, str) else one.name
            known = [*self._joints, *(single for joint in self._joints.values() for single in velocity_names(joint))]
            if name not in known or (isinstance(one, Joint) and self._joints.get(name) is not one):
                raise ModelError(
                    f"{where}: its servo names joint '{name}', which is not in system '{self._name}'{nearest(name, known)}; for "
                    "effort on a body give vc.Force or vc.Interaction"
                )

    def _check_end(self, where: str, end: Body | str) -> None:
        name = end_name(end)
        if isinstance(end, BodyGroup):
            raise ModelError(
                f"{where}: '{name}' is a group of {len(end)} bodies; say which of them the bond acts on with "
                "vc.Bonds(bond, over=rows), or name one, as group[0]"
            )
        if isinstance(end, Body) and self._bodies.get(name) is not end:
            raise ModelError(f"{where}: body '{name}' is not in system '{self._name}'; add the body first")
        if name != GROUND and name not in self._bodies:
            raise ModelError(
                f"{where}: there is no body '{name}' in system '{self._name}'{nearest(name, [*self._bodies, GROUND])}"
            )

    def _check_ends(self, joint: Joint) -> None:
        for side in (joint.parent, joint.child):
            self._check_end(f"joint '{joint.name}'", side)
        parent, child = end_name(joint.parent), end_name(joint.child)
        if child == GROUND:
            raise ModelError(f"joint '{joint.name}': the child is 'ground'; write the ground as parent")
        if parent == child:
            raise ModelError(f"joint '{joint.name}': body '{child}' cannot be joined to itself")


def nearest(name: str, names) -> str:
    """A hint with the nearest known name, and all of them when they are few."""
    names = list(names)
    hint = did_you_mean(str(name), names)
    if hint:
        return hint
    return f"; known: {', '.join(names)}" if 0 < len(names) <= 12 else "; there are none" if not names else ""
