"""`Layout`: the names in a model and their positions in the state. Plain data, stored with a run."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar, final, get_args, get_type_hints

from vinculum.errors import shorten
from vinculum.models.plain_data import plain_data
from vinculum.tolerances.sizes import MOST_COUNTED

Range = list[int]
"""First place and the place behind the last."""


@final
@dataclass(frozen=True, slots=True)
class BodyEntry:
    index: int
    kind: str


@final
@dataclass(frozen=True, slots=True)
class JointEntry:
    """A joint that carries a body; ``q``, ``v``: its coordinates and velocities."""

    index: int
    kind: str
    child: str
    parent: str
    q: Range
    v: Range


@final
@dataclass(frozen=True, slots=True)
class ClosingEntry:
    """A joint that closes a loop."""

    kind: str
    child: str
    parent: str


@final
@dataclass(frozen=True, slots=True)
class ActionEntry:
    kind: str
    bodies: list[str]
    external: bool


@final
@dataclass(frozen=True, slots=True)
class ConstraintEntry:
    """``on``: the bodies it acts on; ``mu``: its multipliers in the state; ``bounds``: of the efforts of a servo; ``singular``: what is the
    matter where its rows are singular, in words."""

    bodies: list[str]
    level: int
    rows: int
    realization: str
    holds: bool
    varies: bool
    mu: Range
    on: list[str]
    bounds: Any
    directed: bool
    external: bool
    singular: str


@final
@dataclass(frozen=True, slots=True)
class UnilateralEntry:
    """Things, friction (half axes of its cone, lengths of rolling resistance) and impact law of a unilateral constraint."""

    bodies: list[str]
    friction: list[float]
    lengths: list[float]
    impact: str
    restitution: float
    by_impulses: bool
    treatment: str


@final
@dataclass(frozen=True, slots=True)
class ContactEntry:
    bodies: list[str]
    friction: bool


@final
@dataclass(frozen=True, slots=True)
class ImpulseEntry:
    on: str
    kind: str
    at: list[float]


@final
@dataclass(frozen=True, slots=True)
class ChartEntry:
    """A rotation chart: its joint, the parameters of the attitude it is counted from, its coordinates."""

    joint: str
    chart: Any
    base: list[str]
    q: Range


@final
@dataclass(frozen=True, slots=True)
class ConstrainedEntry:
    """A constraint of a Lagrangian system; ``multipliers``: 'free', 'ideal' or 'loose'."""

    name: str
    level: int
    rows: int
    multipliers: str
    realization: str


@final
@dataclass(frozen=True, slots=True)
class LagrangianEntry:
    order: int
    constrained: list[ConstrainedEntry]
    multipliers: int


@final
@dataclass(frozen=True, slots=True)
class Layout:
    """Names, units and places of everything in a model.

    ``groups``: for every number of the state, which ones share its joint, kind and unit. ``gaps``: names of the conditions that
    multipliers keep, ``levels`` their orders of differentiation, ``kept`` an independent subset, ``rank`` its size. ``flat``: velocities
    are the rates of coordinates. ``weighs``: whether there is gravity. ``virtual``: whether the weak form can be tested.
    ``masses``: of bodies of variable mass the place of the mass among the coordinates.
    """

    name: str
    q_names: list[str]
    v_names: list[str]
    q_units: list[str]
    v_units: list[str]
    groups: list[int]
    rank: int
    bodies: dict[str, BodyEntry] = field(default_factory=dict)
    joints: dict[str, JointEntry] = field(default_factory=dict)
    prescribed: list[str] = field(default_factory=list)
    closing: dict[str, ClosingEntry] = field(default_factory=dict)
    actions: dict[str, ActionEntry] = field(default_factory=dict)
    weighs: bool = False
    constraints: dict[str, ConstraintEntry] = field(default_factory=dict)
    unilaterals: dict[str, UnilateralEntry] = field(default_factory=dict)
    contacts: dict[str, ContactEntry] = field(default_factory=dict)
    impulses: dict[str, ImpulseEntry] = field(default_factory=dict)
    shapes: list[str] = field(default_factory=list)
    virtual: bool = False
    gaps: list[list[str]] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    flat: bool = False
    quaternions: list[Range] = field(default_factory=list)
    charts: list[ChartEntry] = field(default_factory=list)
    parameters: dict[str, float] = field(default_factory=dict)
    lagrangian: LagrangianEntry | None = None
    masses: dict[str, int] = field(default_factory=dict)

    def singular(self, name: str) -> str:
        """What is the matter where the rows of this constraint are singular, as far as it says so; joints do not."""
        return self.constraints[name].singular if name in self.constraints else ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as it is stored."""
        return plain_data(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Layout":
        """From plain data; TypeError where it does not have this form."""
        return read_entry(cls, data)


def deformations(layout: Layout) -> list[tuple[int, int]]:
    """Ranges of the coordinates that are a body's deformation: their rates are velocities in 1/s, which move no frame."""
    joints = [one for one in layout.joints.values() if "1/s" in layout.v_units[slice(*one.v)]]
    return [(one.q[1] - layout.v_units[slice(*one.v)].count("1/s"), one.q[1]) for one in joints]


T = TypeVar("T")


def read_entry(kind: type[T], data: object) -> T:
    """A frozen entry from plain data: keys must be those of its fields, values of their types."""
    hints, known = get_type_hints(kind), {one.name for one in fields(kind)}  # type: ignore[arg-type]
    if not isinstance(data, Mapping) or set(data) != known:
        raise TypeError(f"{kind.__name__} has {sorted(known)}")
    return kind(**{name: _value(hints[name], value) for name, value in data.items()})


def _value(hint: Any, value: Any) -> Any:
    outer, inner = getattr(hint, "__origin__", None), get_args(hint)
    if hint is Any or (value is None and type(None) in inner):
        return value
    if outer is dict:
        return {_check_value(str, name): _value(inner[1], one) for name, one in _check_value(dict, value).items()}
    if outer is list:
        return [_value(inner[0], one) for one in _check_value(list, value)]
    for entry in (hint, *inner):
        if is_dataclass(entry) and isinstance(entry, type):
            return read_entry(entry, value)
    return _check_value(hint, value)


def _check_value(kind: Any, value: Any) -> Any:
    """A value of the type ``kind``; whole numbers count things, and numbers are finite."""
    if kind is int:
        fits = type(value) is int and 0 <= value < MOST_COUNTED
    elif kind is float:
        fits = type(value) in (int, float) and abs(value) <= sys.float_info.max
    else:
        fits = isinstance(value, kind)
    if not fits:
        raise TypeError(f"a {kind.__name__} is needed, got {shorten(value)}")
    return value
