"""`Model`: a system ready to run, as names, layout and tapes. Plain data, so it can be stored and sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.contact.free_bodies.observables import NAMES as PILE_TAPES
from vinculum.contact.free_bodies.observables import PileTape
from vinculum.contact.free_bodies.pile import Pile
from vinculum.equations.actions import action_energy
from vinculum.equations.applied import action_forces, drive_forces
from vinculum.equations.constraints import closures
from vinculum.equations.constraints.conditions import conditions
from vinculum.equations.constraints.forces import constraint_energy, constraint_forces
from vinculum.equations.constraints.variational import added_lagrangian
from vinculum.equations.contact.unilateral_rows import unilateral_rows
from vinculum.equations.given_impulses import given_impulse
from vinculum.equations.recursions.coordinate_rates import rates_are_velocities
from vinculum.errors import MethodError, ModelError, StartError, shortened
from vinculum.models.free_bodies import pile_of
from vinculum.models.layout import LagrangianEntry, Layout
from vinculum.models.pair_loop.observables import NAMES as SWARM_TAPES
from vinculum.models.pair_loop.observables import SwarmTape
from vinculum.models.pair_loop.swarm import Swarm
from vinculum.models.pair_loop.trace import check_size, is_swarm, swarm_of
from vinculum.models.shapes.tree_shapes import TreeShapes, tree_shapes
from vinculum.models.tapes import BOUNDED, CANONICAL, TAPES, WORKING, state
from vinculum.models.tree_layout import layout_of
from vinculum.scalars import parameters
from vinculum.systems import (
    Tree,
    base_parameters,
    nearest,
    placements,
    with_bases,
)

LAGRANGIAN_TAPES = ("motion", "report", "curves", "conditions")
OF_THE_USERS_CHARTS = ("integrals",)
"""Tapes that know no bases: a first integral about the axis of a chart would change with it."""


@final
@dataclass(frozen=True, eq=False)
class Model:
    """Layout and tapes of a system. Every tape takes (q, v, t, parameters), `hamel` also the accelerations.

    ``layout``: names, units and places. Tapes are made when first asked for: `motion` (q̇, v̇),
    `rates` (N v and chart defects), `bodies`, `balance`, `reactions`, `drives`, `hamel`, `integrals`, and where velocities are rates of
    coordinates `momenta`, `canonical`, `velocities`. A model of very many mass points has a ``swarm`` in place of graphs, and
    one of free bodies that meet a ``pile``. One whose bodies meet as parts of a tree has their ``shapes``.
    """

    layout: Layout
    tapes: dict[str, Any] = field(default_factory=dict)
    tree: Tree | None = None
    variants: dict[tuple, "Model"] = field(default_factory=dict)
    swarm: Swarm | None = None
    pile: Pile | None = None
    shapes: TreeShapes | None = None

    @property
    def name(self) -> str:
        return self.layout.name

    @cached_property
    def nq(self) -> int:
        return len(self.layout.q_names)

    @cached_property
    def nv(self) -> int:
        return len(self.layout.v_names)

    @property
    def lagrangian(self) -> LagrangianEntry:
        """What a Lagrangian says of its model."""
        assert self.layout.lagrangian is not None
        return self.layout.lagrangian

    @property
    def freedoms(self) -> int:
        """Velocities that closed loops and constraints leave independent; conditions on accelerations leave all."""
        return self.nv - self.layout.rank + self.layout.levels.count(2)

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values."""
        return dict(self.layout.parameters)

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        """Names in the order in which values of parameters are given."""
        return tuple(sorted(self.layout.parameters))

    @cached_property
    def _usual_values(self) -> np.ndarray:
        usual = self.layout.parameters
        return np.array([usual[name] for name in self.parameter_names], dtype=float)

    def tape(self, name: str) -> Any:
        """The `Tape` of one group of equations, or the `SwarmTape`."""
        if name not in self.tapes:
            self.check_written_out(f"'{name}' equations")
            assert self.tree is not None
            try:
                tree = self.tree if name in OF_THE_USERS_CHARTS else with_bases(self.tree)
                self.tapes[name] = TAPES[name](tree, self.parameters)
            except ZeroDivisionError as error:
                raise ModelError(
                    f"system '{self.name}': some velocity moves no mass or inertia at all (a massless leaf); "
                    "give the last body inertia about its joint's axis"
                ) from error
        return self.tapes[name]

    def check_written_out(self, what: str) -> None:
        """Refuse a swarm or a pile, which have no equations written out, where ``what`` needs them."""
        if self.pile is not None:
            raise MethodError(
                f"system '{self.name}': {what} are not to be had, as its {self.pile.count} bodies that meet are not written out "
                "but run as a loop in vc.simulate; leave the contact out, or use vc.Unilateral"
            )
        if self.swarm is not None:
            raise MethodError(
                f"system '{self.name}': {what} are not to be had, as its {self.swarm.pairs} pairs of bodies are not written out but "
                "run as a loop in vc.simulate; use fewer bodies"
            )

    @property
    def is_written_out(self) -> bool:
        """Whether it has equations as graphs."""
        return self.swarm is None and self.pile is None

    @property
    def is_bounded(self) -> bool:
        """Whether it has unilateral constraints, or shapes that meet in a tree."""
        return bool(self.layout.unilaterals or self.layout.shapes)

    def check_unbounded(self, what: str) -> None:
        """Refuse unilateral constraints where ``what`` takes no account of them."""
        if self.layout.shapes:
            raise MethodError(
                f"system '{self.name}': {what} take no account of contact, and it has {list(self.layout.contacts)}; leave it out"
            )
        if self.layout.unilaterals:
            names = list(self.layout.unilaterals)
            raise MethodError(
                f"system '{self.name}': {what} take no account of unilateral constraints, and it has {names}; leave them out, or "
                f"say which are closed "
                f"with system.with_contacts({{{names[0]!r}: 'slides'}})"
            )
        if self.layout.impulses:
            raise MethodError(
                f"system '{self.name}': {what} take no account of given impulses, and it has {list(self.layout.impulses)}; leave them "
                "out, or take what holds between them: system.with_contacts({})"
            )

    def complete(self) -> "Model":
        """The same model with every tape made that it can have."""
        for name in self.tape_names():
            self.tape(name)
        return self

    def tape_names(self) -> list[str]:
        """Names of the tapes that this model can have."""
        if self.swarm is not None:
            return list(SWARM_TAPES)
        if self.pile is not None:
            return list(PILE_TAPES)
        if self.layout.lagrangian is not None:
            constrained = any(entry.multipliers != "loose" for entry in self.layout.lagrangian.constrained)
            return list(LAGRANGIAN_TAPES if constrained else LAGRANGIAN_TAPES[:-1])
        missing = WORKING + (() if self.layout.flat else CANONICAL) + (() if self.layout.gaps else ("closures",))
        missing += () if self.layout.prescribed else ("drives",)
        struck = bool(self.layout.impulses)
        missing += () if self.is_bounded or struck else BOUNDED
        missing += () if struck else ("impulses",)
        missing += () if self.layout.shapes else ("shapes",)
        missing += () if self.layout.virtual else ("virtual",)
        return [name for name in TAPES if name not in missing]

    def on_charts(self, states: np.ndarray) -> np.ndarray:
        """States (B, nq + nv) with their quaternions brought back to length one."""
        states = states.copy()
        for first, last in self.layout.quaternions:
            states[:, first:last] /= np.linalg.norm(states[:, first:last], axis=1, keepdims=True)
        return states

    def parameter_values(self, given: Mapping[str, float] | None) -> np.ndarray:
        """Values of all parameters in order; unknown names and values that no body can have are refused."""
        if given is not None and not isinstance(given, Mapping):
            raise StartError(f"parameters is {given!r} and must map names to values, as parameters={{'m': 1.5}}")
        if not given:
            return self._usual_values.copy()
        values = self.parameters
        for name, value in given.items():
            if name not in values:
                raise StartError(f"there is no parameter '{name}' in system '{self.name}'{nearest(name, values)}")
            try:
                values[name] = float(value)
            except (TypeError, ValueError, OverflowError) as error:
                raise StartError(f"parameter '{name}': {shortened(value)} is not a number") from error
            if not np.isfinite(values[name]):
                raise StartError(f"parameter '{name}': {value!r} is not finite")
        if self.tree is not None:
            self.tree.check(values)
        return np.array([values[name] for name in self.parameter_names], dtype=float)

    def index(self, kind: str, name) -> Any:
        """The layout entry of a body or joint, by object or name."""
        name = name if isinstance(name, str) else getattr(name, "name", name)
        known = getattr(self.layout, kind)
        if not isinstance(name, str) or name not in known:
            one = {"bodies": "body", "joints": "joint"}[kind]
            if isinstance(name, str) and name in self.layout.closing:
                raise StartError(
                    f"joint '{name}' closes a loop of '{self.name}' and has no coordinates of its own; "
                    "look at its bodies, or add it before the other joints of its loop"
                )
            if isinstance(name, str) and name in self.layout.actions:
                raise StartError(
                    f"'{name}' of '{self.name}' is no {one}: ask motion.bond('{name}').effort(body) for what it exerts on one of "
                    "its bodies, and motion.potential for its energy"
                )
            raise StartError(f"there is no {one} '{name}' in system '{self.name}'{nearest(name, known)}")
        return known[name]


def model_of(tree: Tree) -> Model:
    """The model of a checked tree."""
    if tree.contact is not None:
        return pile_model(layout_of(tree, {}, flat=False), pile_of(tree), tree)
    check_size(tree)
    if is_swarm(tree):
        if tree.impulses:
            raise ModelError(
                f"{tree.impulses[0].impulse.called}: the points of system '{tree.name}' run as a loop over pairs, which takes no blows; "
                "run until the blow, and again from there with other velocities"
            )
        swarm, found = swarm_of(tree)
        return swarm_model(layout_of(tree, found, flat=False), swarm, tree)
    q, v, t = state(tree)
    forces = [*drive_forces(tree, t, q, v), *action_forces(tree, t, q, v)]
    energies = [action_energy(tree, acting, placements(tree, q, v), t) for acting in tree.actions]
    rows = conditions(tree.at(t), q, v)
    kept = [
        *rows.values,
        *rows.biases,
        *rows.jacobians.ravel(),
        *rows.along.ravel(),
        constraint_energy(tree.at(t), q),
        *constraint_forces(tree.at(t), q, v),
        added_lagrangian(tree, q, v, t),
        *_bounds(tree.at(t), q, v),
        *_given_impulses(tree.at(t), q, v, t),
    ]
    found = tree.parameters() | parameters(np.array([*forces, *energies, *kept, 0.0], dtype=object))
    found |= closures.hidden_parameters(tree) | base_parameters(tree)
    flat = not tree.is_conditioned and not tree.varied and rates_are_velocities(tree)
    return Model(layout_of(tree, found, flat), {}, tree, shapes=tree_shapes(tree) if tree.contacts else None)


def _bounds(tree: Tree, q, v) -> list:
    rows = unilateral_rows(tree, q, v)
    return [*rows.gaps, *rows.drifts, *rows.jacobians.ravel()]


def _given_impulses(tree: Tree, q, v, t) -> list:
    placed = placements(tree, q, v) if tree.impulses else []
    return [x for one in tree.impulses for x in given_impulse(tree, one, placed, q, v, t)[0]]


def swarm_model(layout: Layout, swarm: Swarm, tree: Tree | None = None) -> Model:
    """The model of a swarm."""
    bodies, given = tuple(layout.bodies), tuple(sorted(layout.parameters.items()))
    tapes = {name: SwarmTape(name, swarm, bodies, given) for name in SWARM_TAPES}
    return Model(layout, tapes, tree, {}, swarm)


def pile_model(layout: Layout, pile: Pile, tree: Tree | None = None) -> Model:
    """The model of a pile."""
    bodies = tuple(layout.bodies)
    return Model(layout, {name: PileTape(name, pile, bodies) for name in PILE_TAPES}, tree, {}, None, pile)
