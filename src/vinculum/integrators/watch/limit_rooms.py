"""Distances of a state to the limits of actions, multipliers and servos: as one tape, or row by row of tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.bonds import Limit
from vinculum.compile.evaluate import evaluate_again
from vinculum.compile.trace import trace
from vinculum.equations.actions import action_views
from vinculum.equations.constraints.constrained import grip, pivot_ratios
from vinculum.equations.recursions.joint_inertias import joint_inertias, vanishes
from vinculum.integrators.by_type import STEPS
from vinculum.integrators.row_limits import RowLimits
from vinculum.models.model import Model
from vinculum.scalars import Scalar, symbols
from vinculum.systems import Tree, placements, with_bases, with_masses
from vinculum.tolerances.watch import LOST_GRIP, SINGULAR_LIMIT


@final
@dataclass(frozen=True, eq=False)
class Rooms:
    """Distances (rooms) to all limits, each followed by its margin: ``values`` (B, 2 k) for rows (B, n) of states, times and
    parameters; None if there are no limits.

    The first ``of_actions`` limits are those of actions. The others are measured relative to their value at the start of a run: to its
    sign where ``signed``, otherwise to its size. ``least`` is the smallest fraction of it that is allowed. All (k,).
    """

    values: Callable[[np.ndarray], np.ndarray] | None
    reasons: Sequence[str]
    passable: np.ndarray
    of_actions: int
    signed: np.ndarray
    least: np.ndarray

    def scales(self, first: np.ndarray) -> np.ndarray:
        """Scales (k,) of the rooms, from their values ``first`` at the start."""
        scales = np.where(self.signed, np.where(first < 0.0, -1.0, 1.0), np.where(first == 0.0, np.nan, first))
        scales[: self.of_actions] = 1.0
        return scales


_known: "WeakKeyDictionary[Model, dict[bool, Rooms]]" = WeakKeyDictionary()


def rooms_of(model: Model, adaptive: bool) -> Rooms:
    """The rooms of a model; limits that a motion can pass count only for ``adaptive`` methods."""
    known = _known.get(model)
    if known is None:
        known = _known[model] = {}
    if adaptive not in known:
        known[adaptive] = _rooms(model, adaptive)
    return known[adaptive]


def _rooms(model: Model, adaptive: bool) -> Rooms:
    assert model.tree is not None
    if not model.type.has_graphs:
        return _rooms_of_rows(STEPS.of(model).row_limits(model))
    t = symbols("t", 1)
    q, v = symbols("q", model.tree.nq), symbols("v", model.tree.nv)
    tree = with_bases(model.tree).at(t[0], q)
    acting = tree.actions
    placed = placements(tree, q, v) if acting else []
    limits = [limit for one in acting for limit in one.action.law.limits(action_views(tree, one, placed))]
    limits = limits if adaptive else [limit for limit in limits if not limit.passable]
    ratios, efforts = _of_multipliers(tree, q, v), _of_efforts(tree, q, v)
    inertias = _of_inertias(tree, q)
    every, free = [*limits, *ratios, *efforts, *inertias], len(limits)
    numbers = [x if isinstance(x, Scalar) else float(x) for limit in every for x in (limit.room, limit.margin)]
    signed = np.zeros(len(every), dtype=bool)
    signed[free : free + len(ratios)] = True
    least = np.repeat(
        [0.0, SINGULAR_LIMIT, LOST_GRIP, SINGULAR_LIMIT], [free, len(ratios), len(efforts), len(inertias)]
    )
    tape = trace({"q": q, "v": v, "t": t}, {"rooms": numbers}, model.parameters) if every else None
    passable = np.array([limit.passable for limit in every], dtype=bool)
    values = None if tape is None else partial(evaluate_again, tape)
    return Rooms(values, tuple(limit.why for limit in every), passable, free, signed, least)


def _rooms_of_rows(limits: RowLimits | None) -> Rooms:
    """The rooms of rows of bonds and bodies, whose limits no motion passes."""
    count = 0 if limits is None else len(limits.reasons)
    no = np.zeros(count, dtype=bool)
    if limits is None:
        return Rooms(None, (), no, 0, no, np.zeros(0))

    def values(X: np.ndarray) -> np.ndarray:
        rooms = limits.rooms(X)
        return np.stack([rooms, np.zeros_like(rooms)], axis=2).reshape(len(X), -1)

    least = np.repeat([0.0, SINGULAR_LIMIT], [count - limits.inertias, limits.inertias])
    return Rooms(values, limits.reasons, no, count - limits.inertias, no, least)


def _of_multipliers(tree: Tree, q, v) -> list[Limit]:
    """Limits at which multipliers in the state leave a motion without inertia: a pivot changes the sign that it has at the start."""
    names = ", ".join(f"'{one.constraint.name}'" for one in tree.varied)
    why = (
        f"the equations are singular: the multipliers of {names} leave some motion without inertia, and its acceleration "
        "is not determined"
    )
    return [Limit(ratio, why) for ratio in pivot_ratios(tree, q, v)]


def _of_inertias(tree: Tree, q) -> list[Limit]:
    """Limits at which a joint moves no inertia, relative to that at the start: the mass matrix is singular there."""
    return [Limit(one.pivot, vanishes(one.link)) for one in joint_inertias(with_masses(tree, q), q)]


def _of_efforts(tree: Tree, q, v) -> list[Limit]:
    """Limits at which the efforts of a servo no longer move the quantity that it controls, relative to their effect at the start."""
    found = grip(tree, q, v)
    names = ", ".join(f"'{one.constraint.name}'" for one in tree.constraints if one.directions)
    why = (
        f"the efforts that the servo of {names} names no longer move what it controls: J M⁻¹ Bᵀ is singular, and its multipliers "
        "grow without bound"
    )
    return [Limit(found, why)] if isinstance(found, Scalar) else []
