"""`Door`: how a lower room calls a function of an upper one; `extension`: what other packages bring; `ShownInNotebooks`: what the uppermost
room shows in a notebook; `without_collection`: work during which no garbage is looked for, as the import of a room.

A door belongs to one room. That room registers its function when it is loaded (`Door.opens_to` in the room's
``__init__``). A door without a function imports its room first.
"""

import functools
import gc
import importlib
import sys
from abc import ABC
from collections.abc import Callable
from types import ModuleType
from typing import Any, ParamSpec, TypeVar, final

from vinculum.errors import ModelError

P = ParamSpec("P")
T = TypeVar("T")

MOST_ADDED = 2_000_000
"""Objects that may be set aside before garbage is looked for among all of them: what two compilations of a run in contact leave, of some
150 MB."""

_after_collection = 0
"""Old objects when garbage was last looked for among all."""


def without_collection(function: Callable[P, T]) -> Callable[P, T]:
    """A function during which nothing is collected, if anything was before.

    Graphs are built so. They make no cycles that end with the work, and looking for them takes a quarter of its time.
    """
    return _pausing(function, _go_on)


def setting_aside(function: Callable[P, T]) -> Callable[P, T]:
    """The same for a function that makes so many objects that looking through them right afterwards takes long too: an import, whose
    objects stay, and a compiler. They are put among the old objects, without the two searches that would bring them there. If these become
    many, garbage is looked for among all of them."""
    return _pausing(function, _set_aside)


def _pausing(function: Callable[P, T], afterwards: Callable[[], None]) -> Callable[P, T]:
    @functools.wraps(function)
    def pause(*args: P.args, **options: P.kwargs) -> T:
        if not gc.isenabled():
            return function(*args, **options)
        gc.disable()
        try:
            return function(*args, **options)
        finally:
            afterwards()
            gc.enable()

    return pause


def _go_on() -> None:
    """Leave objects where they are."""


def _set_aside() -> None:
    global _after_collection
    if gc.get_freeze_count():
        return
    count = _put_among_old()
    if not _after_collection:
        _after_collection = count
    if count > _after_collection + MOST_ADDED:
        gc.collect()
        _after_collection = _put_among_old()


def _put_among_old() -> int:
    """Put all objects among the old ones; returns how many there are."""
    gc.freeze()
    count = gc.get_freeze_count()
    gc.unfreeze()
    return count


_import_at_once = setting_aside(importlib.import_module)


def import_module(name: str) -> ModuleType:
    """A module with all that it needs."""
    return importlib.import_module(name) if name in sys.modules else _import_at_once(name)


@final
class Door:
    """A function of an upper ``room``."""

    def __init__(self, room: str):
        self._room: str = room
        self._function: Callable[..., Any] | None = None

    def opens_to(self, function: Callable[..., Any]) -> None:
        """Register the function."""
        self._function = function

    def __call__(self, *given) -> Any:
        if self._function is None:
            import_module(self._room)
        assert self._function is not None, f"{self._room} did not open its door"
        return self._function(*given)


IN_NOTEBOOK = Door("vinculum.show")
"""What a notebook shows of a thing, as HTML."""
FORMULA_IN_NOTEBOOK = Door("vinculum.show")
"""What a notebook shows of a thing, as LaTeX; None if it has no formulas."""


METHOD_REFUSAL = Door("vinculum.integrators")
"""Why a name is none of a method, or None if it is one."""
LAGRANGIAN_METHOD_REFUSAL = Door("vinculum.simulation")
"""Why a name is none of a method of Lagrangian systems, or None if it is one."""


class ShownInNotebooks(ABC):  # noqa: B024
    """Something that Jupyter and its kin show as a table, a picture or a formula instead of its plain text."""

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        """The thing as plain text, HTML and, where it has formulas, LaTeX."""
        wanted = {"text/plain": lambda: str(self), "text/html": self._repr_html_, "text/latex": self._repr_latex_}
        asked = {
            kind: make() for kind, make in wanted.items() if kind in (include or wanted) and kind not in (exclude or ())
        }
        return {kind: text for kind, text in asked.items() if text is not None}

    def _repr_html_(self) -> str:
        return IN_NOTEBOOK(self)

    def _repr_latex_(self) -> str | None:
        return FORMULA_IN_NOTEBOOK(self)


OTHER_JOINTS = "vinculum.joints"
OTHER_BODIES = "vinculum.bodies"
OTHER_IMPACT_LAWS = "vinculum.impact_laws"
OTHER_FORCES = "vinculum.forces"
OTHER_INTEGRATORS = "vinculum.integrators"
OTHER_READERS = "vinculum.readers"
"""Groups of entry points: what other installed packages bring. A package that has, in its own ``pyproject.toml``,

.. code-block:: toml

    [project.entry-points."vinculum.joints"]
    parabola = "beads:Parabola"

brings a joint that model files call ``kind = "parabola"``. Entry points are looked up only for names that Vinculum does not have itself. A
package is imported when one of its names is used."""


def extension_names(group: str) -> list[str]:
    """Names that installed packages bring to a group; nothing is imported."""
    return sorted({entry.name for entry in _entries(group)})


def is_extension(group: str, name: Any) -> bool:
    """Whether an installed package brings this name."""
    return isinstance(name, str) and any(entry.name == name for entry in _entries(group))


def extension(group: str, name: str) -> Any:
    """What an installed package brings under a name; it is imported now."""
    found = [entry for entry in _entries(group) if entry.name == name]
    if not found:
        raise ModelError(f"{group} '{name}': no installed package brings it; install the one that does")
    if len(found) > 1:
        packages = " and ".join(sorted(_package(one) for one in found))
        raise ModelError(f"{group} '{name}' comes from {packages}; uninstall one of them")
    try:
        return found[0].load()
    except Exception as error:
        raise ModelError(
            f"{group} '{name}' of {_package(found[0])} cannot be loaded ({type(error).__name__}: {error}); mend or uninstall that package"
        ) from error


def _entries(group: str) -> list[Any]:
    """Entry points of a group; a package that is found twice counts once."""
    from importlib.metadata import entry_points

    return list(dict.fromkeys(entry_points(group=group)))


def _package(entry: Any) -> str:
    return f"package {entry.dist.name}" if entry.dist is not None else f"'{entry.value}'"
