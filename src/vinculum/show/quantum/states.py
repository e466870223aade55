"""A state drawn on its curve or surface, or over its coordinates."""

from typing import Any

import numpy as np

from vinculum.geometry.embedding import Embedding

FINE, ALONG = 160, 600
"""Places along each coordinate of a surface, and along a curve."""
DRAWN = 3
"""Dimensions of the space of a picture."""


def picture_of_state(states: Any, number: int) -> Any:
    """Ψ of one state: as color on a surface in space, as a height along a curve in the plane, else over one or two coordinates."""
    from vinculum.show.figures import new_figure

    operator = states.operator
    if operator.chart.n > 2:
        return _section(states, number)
    space = operator.space if isinstance(operator.space, Embedding) else None
    figure = new_figure(6.0, 5.0, layout="constrained")
    if operator.chart.n == 1:
        _draw_curve(figure, states, number, space)
    elif space is not None and space.dimension == DRAWN:
        draw_on_surface(figure.add_subplot(projection="3d", proj_type="ortho"), states, number)
    else:
        _draw_over_coordinates(figure.add_subplot(), states, number)
    figure.suptitle(f"'{operator.chart.name}', state {number}, E = {states.levels[number]:.6g}")
    return figure


def draw_on_surface(ax: Any, states: Any, number: int) -> None:
    """A surface in space, colored by Ψ: blue where it is negative, red where it is positive."""
    from matplotlib import colormaps

    (u, w), places = _grid(states.operator)
    psi = states.values(places)[:, number].reshape(len(u), len(w))
    points = states.operator.space.points(_inside(states.operator, places), _own(states.operator)).reshape(
        len(u), len(w), -1
    )
    middle = 0.25 * (psi[1:, 1:] + psi[:-1, 1:] + psi[1:, :-1] + psi[:-1, :-1])
    colors = colormaps["coolwarm"](0.5 + 0.5 * middle / np.abs(psi).max())
    ax.plot_surface(
        *np.moveaxis(points, 2, 0), facecolors=colors, rcount=FINE, ccount=FINE, shade=False, antialiased=False
    )
    span = np.ptp(points.reshape(-1, points.shape[2]), axis=0)
    ax.set_box_aspect(np.maximum(span, 0.05 * span.max()), zoom=1.3)
    ax.set_axis_off()


def _draw_curve(figure: Any, states: Any, number: int, space: Embedding | None) -> None:
    operator = states.operator
    span = operator.spans[0]
    x = np.linspace(span.low, span.high, ALONG)
    psi = states.values(x[:, None])[:, number]
    if space is None or space.dimension > DRAWN:
        ax = figure.add_subplot(xlabel=operator.chart.coordinates[0], ylabel="Ψ")
        ax.plot(x, psi)
        ax.axhline(0.0, color="0.8", lw=0.8)
        return
    points = np.zeros((ALONG, DRAWN))
    points[:, : space.dimension] = space.points(x[:, None], _own(operator))
    height = 0.3 * np.ptp(points, axis=0).max() / np.abs(psi).max()
    ax = figure.add_subplot(projection="3d", proj_type="ortho")
    ax.plot(*points.T, color="0.6", lw=1.0)
    raised = points + np.outer(psi * height, [0.0, 0.0, 1.0])
    ax.plot(*raised.T, lw=1.6)
    posts = np.stack([points[::6], raised[::6], np.full_like(points[::6], np.nan)], axis=1).reshape(-1, DRAWN)
    ax.plot(*posts.T, color="0.85", lw=0.6)
    ax.set_axis_off()


def _draw_over_coordinates(ax: Any, states: Any, number: int) -> None:
    (u, w), places = _grid(states.operator)
    psi = states.values(places)[:, number].reshape(len(u), len(w))
    most = np.abs(psi).max()
    ax.pcolormesh(u, w, psi.T, cmap="coolwarm", vmin=-most, vmax=most, shading="gouraud")
    ax.set(xlabel=states.operator.chart.coordinates[0], ylabel=states.operator.chart.coordinates[1])


def _section(states: Any, number: int) -> Any:
    """A state of three or more coordinates over the first two, in the middle of the others."""
    operator = states.operator
    (u, w), _ = _grid(operator)
    places = np.empty((len(u) * len(w), operator.chart.n))
    places[:] = [0.5 * (one.low + one.high) for one in operator.spans]
    places[:, :2] = np.stack([x.ravel() for x in np.meshgrid(u, w, indexing="ij")], axis=1)
    psi = states.values(places)[:, number].reshape(len(u), len(w))
    from vinculum.show.figures import new_figure

    figure = new_figure(6.0, 5.0, layout="constrained")
    ax = figure.add_subplot(xlabel=operator.chart.coordinates[0], ylabel=operator.chart.coordinates[1])
    ax.pcolormesh(u, w, psi.T, cmap="coolwarm", shading="gouraud")
    figure.suptitle(f"'{operator.chart.name}', state {number}, E = {states.levels[number]:.6g}, a section")
    return figure


def _grid(operator: Any) -> tuple[list[np.ndarray], np.ndarray]:
    axes = [np.linspace(one.low, one.high, FINE) for one in operator.spans[:2]]
    return axes, np.stack([x.ravel() for x in np.meshgrid(*axes, indexing="ij")], axis=1)


def _inside(operator: Any, places: np.ndarray) -> np.ndarray:
    """Places moved off the poles, where the chart does not serve, by less than a pixel."""
    found = places.copy()
    for k, one in enumerate(operator.spans[:2]):
        margin = one.length / (FINE * FINE)
        found[:, k] = np.clip(found[:, k], one.low + margin, one.high - margin) if one.kind == "poles" else found[:, k]
    return found


def _own(operator: Any) -> dict[str, float]:
    known = operator.space.metric.parameters
    return {name: x for name, x in operator.parameters.items() if name in known}
