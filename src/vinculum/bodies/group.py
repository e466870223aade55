"""`BodyGroup`: bodies in a row, with a name for all of them."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies.body import Body, check_name
from vinculum.errors import ModelError, shorten

MEMBER = "{} {}"
"""Names of the bodies of a group: the name of the group, and a number from zero."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class BodyGroup(Sequence):
    """Bodies in a row, as `System.add_many` returns them: ``group[3]`` is one of them, ``group[10:20]`` and ``group[indices]`` are groups.

    A group is an end of the bond of `Bonds`, and a key of a start: its value has one row for each body. ``name``: of the group;
    ``bodies``: at least one, each once.
    """

    name: str
    bodies: Any

    def __post_init__(self):
        check_name("group", self.name)
        if isinstance(self.bodies, str) or not isinstance(self.bodies, Sequence):
            raise ModelError(f"group '{self.name}': bodies is {shorten(self.bodies)}; give a list of bodies")
        bodies = tuple(self.bodies)
        if not bodies:
            raise ModelError(f"group '{self.name}': it has no bodies; give at least one")
        for body in bodies:
            if not isinstance(body, Body):
                raise ModelError(
                    f"group '{self.name}': {shorten(body)} is not a body; give bodies that system.add returned"
                )
        names = {body.name for body in bodies}
        if len(names) < len(bodies):
            seen: set[str] = set()
            twice = next(body.name for body in bodies if body.name in seen or seen.add(body.name))
            raise ModelError(f"group '{self.name}': body '{twice}' is listed twice; list every body once")
        object.__setattr__(self, "bodies", bodies)

    def __repr__(self):
        return f"BodyGroup({self.name!r}, {len(self.bodies)} bodies)"

    def __len__(self) -> int:
        return len(self.bodies)

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    def __getitem__(self, which) -> Any:
        """One body, or a group of those that a slice, a mask or an array of whole numbers names."""
        if isinstance(which, slice):
            return self._part(self.bodies[which], which)
        if isinstance(which, (int, np.integer)) and not isinstance(which, (bool, np.bool_)):
            if not -len(self) <= which < len(self):
                raise ModelError(
                    f"group '{self.name}': there is no body number {which}; its {len(self)} bodies are counted from 0"
                )
            return self.bodies[which]
        return self._part([self.bodies[i] for i in self._numbers(which)], which)

    def __add__(self, other: "BodyGroup | Sequence[Body]") -> "BodyGroup":
        """A group of these bodies and those of another, or of a list."""
        if not isinstance(other, (BodyGroup, list, tuple)):
            raise ModelError(
                f"group '{self.name}': {shorten(other)} cannot be added; give another group, or a list of bodies"
            )
        return BodyGroup(
            f"{self.name} and {other.name}" if isinstance(other, BodyGroup) else self.name, [*self, *other]
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies, in order."""
        return tuple(body.name for body in self.bodies)

    def _part(self, bodies: Sequence[Body], which) -> "BodyGroup":
        if not bodies:
            raise ModelError(
                f"group '{self.name}': {shorten(which)} names none of its {len(self)} bodies; name at least one"
            )
        return BodyGroup(self.name, bodies)

    def _numbers(self, which) -> list[int]:
        """The bodies that a mask, or an array of whole numbers, names."""
        try:
            chosen = np.asarray(which)
        except Exception:  # whatever an object says when it is asked for an array
            chosen = np.zeros((0, 0))
        if chosen.dtype == bool and chosen.shape == (len(self),):
            return np.flatnonzero(chosen).tolist()
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise ModelError(
                f"group '{self.name}': {shorten(which)} names no bodies; give a number, a slice, an array of whole numbers, or a mask of "
                f"{len(self)} truth values"
            )
        out = np.flatnonzero((chosen < -len(self)) | (chosen >= len(self)))
        if len(out):
            raise ModelError(
                f"group '{self.name}': entry {out[0]} is body number {chosen[out[0]]}, but its {len(self)} bodies are counted from 0"
            )
        return [int(i) for i in chosen]


def copies_of(body: Body, count: int) -> list[Body]:
    """Bodies like the one given, named after it with numbers from zero; as it was checked, they are not checked again."""
    made = []
    for i in range(count):
        other = copy(body)
        object.__setattr__(other, "name", MEMBER.format(body.name, i))
        made.append(other)
    return made
