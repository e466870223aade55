"""Kinds of plots: what a user asks of one, and what is said where a motion has none of that kind."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from vinculum.errors import StartError, did_you_mean, shorten
from vinculum.motion.recorded_motion import RecordedMotion
from vinculum.show.plots.panels import FORMATS, checked_path, write_figure


@final
@dataclass(frozen=True, eq=False)
class Asked:
    """What a plot is to show: ``names`` of joints, bodies, bonds or coordinates (none: the usual ones), and records of other
    motions ``beside`` it by their labels."""

    names: tuple = ()
    beside: Mapping[str, Any] | None = None

    @property
    def others(self) -> list[tuple[str, Any]]:
        """Labels and records of the motions beside."""
        return list((self.beside or {}).items())


def _always(motion: Any) -> bool:
    return True


@final
@dataclass(frozen=True)
class PlotKind:
    """A kind of plot. ``draw``: a function of a record and of what is asked that returns a Matplotlib figure; ``shows``: whether there is
    something of this kind in a record."""

    draw: Callable[[Any, Asked], Any]
    shows: Callable[[Any], bool] = _always


def draw_kind(motion: Any, known: Mapping[str, PlotKind], names, kind, beside, path) -> Any:
    """The plot of a kind among the ``known`` ones of a motion; ``path`` also writes it."""
    target = None if path is None else checked_path(path)
    if not isinstance(kind, str) or kind not in known:
        had = [name for name, one in known.items() if one.shows(motion)]
        raise StartError(
            f"kind {shorten(kind)} is not a plot of '{motion.model.name}'{did_you_mean(kind, had)}; it has {', '.join(had)}"
        )
    given = _as_names(names)
    try:
        figure = known[kind].draw(motion, Asked(given, _records(beside)))
    except StartError as error:
        files = [name for name in given if isinstance(name, str) and Path(name).suffix.lower() in FORMATS]
        if not files:
            raise
        raise StartError(f"{error}; a file to write is given as path='{files[0]}'") from error
    if target is not None:
        write_figure(figure, target)
    return figure


def refuse_names(asked: Asked, kind: str) -> None:
    """Refuse names where a plot shows all there is."""
    if asked.names:
        raise StartError(
            f"a plot of kind '{kind}' shows everything and takes no names; leave {shorten(asked.names[0])} out"
        )


def refuse_beside(asked: Asked, kind: str) -> None:
    """Refuse other motions where there is one axis for each thing of a motion."""
    if asked.beside:
        raise StartError(f"a plot of kind '{kind}' shows one motion; plot the others by themselves")


def _as_names(names: Any) -> tuple:
    return (names,) if isinstance(names, str) or not isinstance(names, Iterable) else tuple(names)


def _records(beside: Any) -> dict[str, Any] | None:
    if beside is None:
        return None
    if not isinstance(beside, Mapping) or not all(isinstance(one, RecordedMotion) for one in beside.values()):
        raise StartError(f"beside {shorten(beside)} must map labels to motions, as beside={{'e = 0.8': other}}")
    return {str(label): one.record for label, one in beside.items()}
