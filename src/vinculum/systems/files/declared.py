"""The names that a model file gives to bodies and joints, also where their tables are wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

from vinculum.bodies import GROUND
from vinculum.errors import FileError
from vinculum.systems.system import nearest


@final
@dataclass(frozen=True)
class Declared:
    """Names of ``bodies`` and ``joints`` in the order of the file; ``copied``: the bodies of which there are numbered copies;
    ``carried``: the children of joints."""

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    copied: tuple[str, ...]
    carried: frozenset[str]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Declared":
        """The names in the tables of a file, whatever else is in them."""
        joints, many = _table(given, "joints"), given.get("many")
        copied = [one.get("body") for one in many if isinstance(one, dict)] if isinstance(many, list) else []
        children = [one.get("child") for one in joints.values() if isinstance(one, dict)]
        return cls(
            tuple(_table(given, "bodies")),
            tuple(joints),
            tuple(name for name in copied if isinstance(name, str)),
            frozenset(name for name in children if isinstance(name, str)),
        )

    @property
    def startable(self) -> tuple[str, ...]:
        """Joints and bodies that no joint carries."""
        return (*self.joints, *(name for name in self.bodies if name not in self.carried))

    def mentions(self, name: str) -> bool:
        """Whether a name is that of a body, of a copy of one, or of a joint."""
        return name in (*self.bodies, *self.joints) or any(name.startswith(f"{body} ") for body in self.copied)

    def check_ends(self, file: str, place: str, ends: Iterable[str]) -> None:
        """Refuse a bond of a body that the file does not mention."""
        for name in ends:
            if name != GROUND and not self.mentions(name):
                known = nearest(name, [*self.bodies, GROUND])
                raise FileError(f"{file}: {place}: there is no body '{name}'{known}")


def _table(given: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = given.get(key)
    return found if isinstance(found, dict) else {}
