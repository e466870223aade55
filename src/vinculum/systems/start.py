"""Start values from a user, as vectors q and v."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, BodyGroup
from vinculum.bonds import Joint, refusal_of_start
from vinculum.errors import ModelError, StartError, SymbolError, shorten
from vinculum.scalars import Scalar, parameters, value, vector
from vinculum.systems.system import nearest
from vinculum.systems.tree import Tree

NUMBERS = frozenset({float, int, np.float64})


@final
@dataclass(frozen=True, eq=False)
class At:
    """A start value with position and rate (the joint's velocities).

    >>> start = {"hinge": vc.At(0.2, rate=-1.0)}
    """

    position: Any = None
    rate: Any = None


def start_state(tree: Tree, start: Mapping[str, object] | None, values: Mapping[str, float] | None = None):
    """Vectors (q, v) of a start; joints and free bodies that are not named start at zero."""
    q, v = tree.identity.copy(), np.zeros(tree.nv)
    joints = tree.joints
    if start is not None and not isinstance(start, Mapping):
        raise StartError(f"start must map names of joints or free bodies to values, got {type(start).__name__}")
    start = spread_groups(start)
    for link in tree.links:
        if link.joint.name not in (start or {}) and link.joint.nq:
            own = link.joint.kind.coordinates
            q[link.q] = own.position(f"joint '{link.joint.name}'", own.identity)
    for link in tree.varying:
        q[link.mass_place] = value(link.body.mass, values)
    for name, given in (start or {}).items():
        if name not in joints:
            if name in tree.closing_joints:
                raise StartError(
                    f"start: joint '{name}' closes a loop and has no coordinates; name other joints of the loop, and "
                    f"'{name}' follows from them"
                )
            hint = (
                f"; '{name}' is carried by joint '{tree.links[tree.bodies[name]].joint.name}', name that"
                if name in tree.bodies
                else nearest(name, joints)
            )
            raise StartError(f"start: there is no joint or free body '{name}' in system '{tree.name}'{hint}")
        link = tree.links[joints[name]]
        if link.joint.kind.path is not None:
            raise StartError(f"start: {refusal_of_start(name)}")
        if isinstance(given, Mapping):
            raise StartError(
                f"start of '{name}': {shorten(given)} is a table; give its position alone, or vc.At(position, rate=...)"
            )
        at = given if isinstance(given, At) else At(given)
        try:
            if at.position is not None:
                q[link.q] = link.joint.kind.coordinates.position(f"joint '{name}'", _value_of(at.position, values))
            if at.rate is not None:
                v[link.v] = link.joint.kind.coordinates.rate(f"start of '{name}'", _value_of(at.rate, values))
        except (ModelError, SymbolError) as error:
            raise StartError(f"start of '{name}': {error}") from error
    return q, v


def spread_groups(start: Mapping[Any, Any] | None) -> Mapping[str, Any] | None:
    """A start by names: a body or joint has its name, and the bodies of a group have their rows of its numbers."""
    if start is None or all(isinstance(key, str) for key in start):
        return start
    found: dict[str, Any] = {}
    for key, given in start.items():
        if not isinstance(key, BodyGroup):
            _put(found, key.name if isinstance(key, (Body, Joint)) else key, given)
            continue
        at = given if isinstance(given, At) else At(given)
        positions, rates = _rows(key, "positions", at.position), _rows(key, "rates", at.rate)
        for body, position, rate in zip(key, positions, rates, strict=True):
            _put(found, body.name, At(position, rate))
    return found


def _put(found: dict[str, Any], name: str, given) -> None:
    if name in found:
        raise StartError(f"start: body '{name}' has two values, as itself or in two groups; name it once")
    found[name] = given


def _rows(group: BodyGroup, what: str, given) -> Any:
    """One value for each body of a group; None for each if nothing is given."""
    if given is None:
        return [None] * len(group)
    if not isinstance(given, (list, tuple, np.ndarray)) or (np.ndim(given) == 0 and len(given) != len(group)):
        raise StartError(
            f"start of group '{group.name}': {what} are {shorten(given)}; give one row for each of its {len(group)} bodies"
        )
    if len(given) != len(group):
        raise StartError(
            f"start of group '{group.name}': there are {len(given)} rows of {what} for {len(group)} bodies; give one row for each"
        )
    return given


def named_in_start(start: Mapping[str, object] | None) -> tuple[list[str], list[str]]:
    """Joints whose position a start gives, and joints whose rate it gives."""
    given = (spread_groups(start) or {}).items()
    placed = [name for name, x in given if not isinstance(x, At) or x.position is not None]
    return placed, [name for name, x in given if isinstance(x, At) and x.rate is not None]


def start_parameters(start: Mapping[str, object] | None) -> set[str]:
    """Names of the parameters in start values."""
    found: set[str] = set()
    for given in (start or {}).values():  # the rows of a group hold what the whole holds
        for part in (given.position, given.rate) if isinstance(given, At) else (given,):
            if isinstance(part, (Scalar, tuple, list, np.ndarray)) and not _is_plain(part):
                found |= set(parameters(np.array([*_scalars(part)], dtype=object)))
    return found


def _scalars(part) -> list[Scalar]:
    """The symbols in a start value, however nested."""
    if isinstance(part, Scalar):
        return [part]
    if isinstance(part, (tuple, list, np.ndarray)):
        return [x for one in part for x in _scalars(one)]
    return []


def _is_plain(given) -> bool:
    """Whether a row of numbers holds nothing but floats and integers."""
    if isinstance(given, np.ndarray):
        return given.dtype != object
    return isinstance(given, (tuple, list)) and NUMBERS.issuperset(map(type, given))


def _value_of(given, values):
    if _is_plain(given):
        return given
    try:
        symbolic = isinstance(given, (Scalar, tuple, list, np.ndarray)) and np.asarray(given).dtype == object
    except ValueError:  # parts of different lengths: each on its own, or refused by whoever reads them
        return tuple(_value_of(part, values) for part in given) if isinstance(given, (tuple, list)) else given
    return value(vector(given), values) if symbolic else given
