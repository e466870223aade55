"""Paths of points of bodies, in a plane or in space."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vinculum.errors import StartError, shorten
from vinculum.motion.record import Record
from vinculum.show.plots.impacts import instants_with_impacts
from vinculum.show.plots.kinds import Asked
from vinculum.show.plots.panels import (
    COLORS,
    DASHES,
    MOST_CURVES,
    put_legend,
    steps_note,
    tidy_axes,
    weight_of,
    write_notes,
)
from vinculum.tolerances.certificates import FLAT_PATH

AXES = ("x", "y", "z")
ZOOM = 0.85
"""Of the box in space, so that the names of its axes find room."""
TICKS = 7
"""Numbers along the longest axis in space; shorter ones have fewer."""


def plot_paths(motion: Record, asked: Asked) -> Any:
    """Paths of bodies, or of places in them given as (body, place); by default of the mass centers of bodies that carry no others."""
    points, notes = _points(motion, asked)
    paths = _paths(motion, points)
    for label, one in asked.others:
        paths |= {f"{name}, {label}": path for name, path in _paths(one, points).items()}
    return draw_paths(motion, paths, [f"{name} [m]" for name in AXES], len(points), notes)


def draw_paths(
    motion: Any, paths: Mapping[str, np.ndarray], labels: Sequence[str], colors: int, notes: Sequence[str] = ()
) -> Any:
    """Paths (T, 2) or (T, 3) by name: in a plane of two axes where they lie in one, else in space. A ring is where each begins, a dot
    where it ends; every ``colors`` paths the dashes change."""
    from vinculum.show.figures import new_figure

    kept = _plane(list(paths.values()))
    extents = np.ptp(np.concatenate(list(paths.values()))[:, kept], axis=0)
    figure = new_figure(8.0, 6.0 if len(kept) == 3 else _height(extents), layout="constrained")
    ax: Any = figure.add_subplot(projection="3d" if len(kept) == 3 else None)
    several = len(paths) > colors
    for k, (name, path) in enumerate(paths.items()):
        color, style, shown = COLORS[k % len(COLORS)], DASHES[k // colors % len(DASHES)], path[:, kept]
        ax.plot(*shown.T, color=color, linestyle=style, label=f" {name}", **weight_of(k // colors, several))
        ax.plot(*shown[:1].T, "o", color=color, markerfacecolor="white", markersize=5)
        ax.plot(*shown[-1:].T, "o", color=color, markersize=5)
    for axis, i in zip(AXES, kept, strict=False):
        getattr(ax, f"set_{axis}label")(labels[i], parse_math=False)
    if len(kept) == 3:
        ax.set_box_aspect([np.ptp(getattr(ax, f"get_{axis}lim")()) for axis in AXES], zoom=ZOOM)
        for axis, extent in zip(AXES, extents, strict=True):
            ax.locator_params(axis=axis, nbins=max(2, round(TICKS * extent / extents.max())))
        ax.tick_params(labelsize=8)
    else:
        ax.set_aspect("equal", adjustable="datalim")
        tidy_axes(ax)
    figure.suptitle(motion.model.name, x=0.01, ha="left", fontweight="bold", fontsize=13, parse_math=False)
    put_legend(ax)
    write_notes(figure, [f"{steps_note(motion)}; a ring is the start, a dot the end", *notes])
    return figure


def _height(extents: np.ndarray) -> float:
    """The height of a figure [inches] in which paths of these extents fill the axes."""
    wide, high = extents
    return float(np.clip(1.2 + 5.6 * high / wide, 2.6, 7.0)) if wide else 7.0


def _plane(paths: list[np.ndarray]) -> list[int]:
    """The axes to draw: all, or those of the plane in which the paths lie."""
    points = np.concatenate(paths)
    extents = np.ptp(points, axis=0) if len(points) else np.zeros(points.shape[1])
    if len(extents) < 3 or extents.min() > FLAT_PATH * extents.max():
        return list(range(len(extents)))
    return sorted(np.argsort(extents)[:0:-1].tolist())


def _points(motion: Record, asked: Asked) -> tuple[Mapping[str, tuple[str, np.ndarray | None]], list[str]]:
    """Names of paths, each with a body and a place in its frame (None: its mass center)."""
    if asked.names:
        points = [_point(motion, one) for one in asked.names]
        repeated = len({body for body, _ in points}) < len(points)
        named = {_label(body, place) if repeated else body: (body, place) for body, place in points}
        return named, []
    carrying = {entry.parent for entry in motion.model.layout.joints.values()}
    last = [name for name in motion.model.layout.bodies if name not in carrying]
    if not last:
        raise StartError(f"system '{motion.model.name}' has no bodies; plot its coordinates with kind='time'")
    notes = [f"{MOST_CURVES} of {len(last)} bodies shown; plot(…, kind='path') takes the names of others"]
    return {name: (name, None) for name in last[:MOST_CURVES]}, notes * (len(last) > MOST_CURVES)


def _point(motion: Record, given: Any) -> tuple[str, np.ndarray]:
    body, place = given if isinstance(given, tuple) and len(given) == 2 else (given, (0.0, 0.0, 0.0))
    motion.model.index("bodies", body)
    name = str(getattr(body, "name", body))
    try:
        found = np.asarray(place, dtype=float).reshape(3)
    except (TypeError, ValueError) as error:
        raise StartError(
            f"path of '{name}': {shorten(place)} is not a place; give three numbers [m] in its frame"
        ) from error
    return name, found


def _label(body: str, place: np.ndarray) -> str:
    return f"{body} ({', '.join(f'{x:g}' for x in place)})"


def _paths(motion: Record, points: Mapping[str, tuple[str, np.ndarray | None]]) -> dict[str, np.ndarray]:
    """Positions (T, 3) [m] of points of bodies, on the grid and at impacts."""
    for body, _ in points.values():
        motion.model.index("bodies", body)
    known = motion.at(instants_with_impacts(motion)[0])._bodies
    return {
        name: known[f"{body}/center"]
        if place is None
        else known[f"{body}/position"] + known[f"{body}/rotation"].reshape(-1, 3, 3) @ place
        for name, (body, place) in points.items()
    }
