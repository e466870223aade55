"""When garbage is looked for: not during work that makes many objects, nor right after it."""

import functools
import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

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
