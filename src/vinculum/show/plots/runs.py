"""Plots of many runs: bands over time, phase points, bifurcation diagrams and maps over two parameters or starts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.ensembles.runs import Runs
from vinculum.errors import StartError, did_you_mean, shorten
from vinculum.motion.arguments import floats
from vinculum.show.plots.panels import COLORS, checked_path, put_legend, tidy_axes, write_figure, write_notes
from vinculum.systems import nearest

PANELS = 4
"""Coordinates with a band of their own."""
MANY_POINTS = 200_000
POINT = 6.0
FAILED = "0.75"


@final
@dataclass(frozen=True, eq=False)
class AskedOfRuns:
    """What a plot of runs is to show: ``names`` of coordinates, what it is drawn ``over``, the instant ``since`` which runs are looked
    at, and ``value`` and ``label`` of a map."""

    names: tuple[str, ...]
    over: tuple[str, ...]
    since: float | None
    value: Any
    label: str | None


def plot_runs(runs: Runs, names=(), kind="time", over=(), since=None, value=None, label=None, path=None) -> Any:
    """Many runs as a figure; see `Runs.plot`."""
    target = None if path is None else checked_path(path)
    if not isinstance(kind, str) or kind not in KINDS:
        raise StartError(
            f"kind {shorten(kind)} is not a plot of runs{did_you_mean(kind, KINDS)}; there are {', '.join(KINDS)}"
        )
    listed = (over,) if isinstance(over, str) else tuple(over) if isinstance(over, (list, tuple)) else (over,)
    asked = AskedOfRuns(tuple(names), listed, _instant(since), value, label)
    figure = KINDS[kind](runs, asked)
    if target is not None:
        write_figure(figure, target)
    return figure


def _instant(since: Any) -> float | None:
    if since is None:
        return None
    found = floats("since", since)
    if found.shape != ():
        raise StartError(f"since {shorten(since)} must be one instant [s]")
    return float(found)


def plot_bands(runs: Runs, asked: AskedOfRuns) -> Any:
    """Coordinates over time: the median, the middle half and all of the runs."""
    from vinculum.show.figures import new_figure

    layout, done = runs.model.layout, runs.q[~runs.failed]
    shown = [_place(runs, name) for name in asked.names] or list(range(min(PANELS, len(layout.q_names))))
    figure = new_figure(7.0, 0.6 + 1.5 * max(len(shown), 1), layout="constrained")
    axes = figure.subplots(max(len(shown), 1), 1, sharex=True, squeeze=False)[:, 0]
    for ax, i in zip(axes, shown, strict=False):
        if len(done):
            low, first, middle, last, high = np.quantile(done[:, :, i], (0.0, 0.25, 0.5, 0.75, 1.0), axis=0)
            ax.fill_between(runs.time, low, high, color=COLORS[0], alpha=0.15, linewidth=0.0)
            ax.fill_between(runs.time, first, last, color=COLORS[0], alpha=0.3, linewidth=0.0)
            ax.plot(runs.time, middle, color=COLORS[0], linewidth=1.3)
        ax.set_ylabel(_with_unit(runs, i), parse_math=False)
        ax.spines[["top", "right"]].set_visible(False)
        ax.margins(x=0.0)
    axes[-1].set_xlabel("time [s]; median, middle half and all of the runs")
    return figure


def plot_phase_points(runs: Runs, asked: AskedOfRuns) -> Any:
    """A coordinate and its rate at all instants of all runs: Poincaré's section if the grid has one instant in each period."""
    i, (figure, ax) = _one_place(runs, asked, "phase"), _axes(runs)
    if not runs.model.layout.flat:
        raise StartError(
            f"velocities of '{runs.model.name}' are not the rates of its coordinates; plot it with kind='time'"
        )
    later = _later(runs, asked)
    for k, color in zip(range(len(runs.q)), _colors(len(runs.q)), strict=True):
        ax.plot(runs.q[k, later, i], runs.v[k, later, i], ".", color=color, markersize=_size(runs.q[:, later, i].size))
    ax.set_xlabel(_with_unit(runs, i), parse_math=False)
    ax.set_ylabel(f"{runs.model.layout.v_names[i]} [{runs.model.layout.v_units[i]}]", parse_math=False)
    write_notes(figure, [_count_note(runs, later), "colors: one for each run"])
    return figure


def plot_bifurcation(runs: Runs, asked: AskedOfRuns) -> Any:
    """A coordinate at the later instants of every run, over a parameter or a start."""
    i, (figure, ax) = _one_place(runs, asked, "bifurcation"), _axes(runs)
    (name, along), *_ = _axes_of_map(runs, asked, 1)
    later = _later(runs, asked)
    x = np.broadcast_to(along[:, None], runs.q[:, later, i].shape)
    ax.plot(x.ravel(), runs.q[:, later, i].ravel(), ".", color=COLORS[0], markersize=_size(x.size), markeredgewidth=0)
    ax.set_xlabel(name, parse_math=False)
    ax.set_ylabel(_with_unit(runs, i), parse_math=False)
    ax.margins(x=0.01)
    write_notes(figure, [_count_note(runs, later)])
    return figure


def plot_map(runs: Runs, asked: AskedOfRuns) -> Any:
    """A value of every run in color over two parameters or starts; two colors where it is true or false."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    (figure, ax), pair = _axes(runs), _axes_of_map(runs, asked, 2)
    values, label = _values(runs, asked)
    (x_name, x), (y_name, y) = pair
    is_yes = values.dtype == bool
    shown = np.where(runs.failed, np.nan, values.astype(float))
    colors: Any = ListedColormap(["#E8E8E8", COLORS[0]]) if is_yes else "viridis"
    limits = {"vmin": 0.0, "vmax": 1.0} if is_yes else {}
    xs, ys = np.unique(x), np.unique(y)
    ax.set_facecolor(FAILED if runs.failed.any() else "white")
    if len(xs) > 1 and len(ys) > 1 and len(xs) * len(ys) == len(x):
        grid = np.full((len(ys), len(xs)), np.nan)
        grid[np.searchsorted(ys, y), np.searchsorted(xs, x)] = shown
        drawn = ax.pcolormesh(xs, ys, grid, cmap=colors, shading="nearest", **limits)
    else:
        drawn = ax.scatter(x, y, c=shown, cmap=colors, s=14.0, linewidth=0.0, **limits)
    handles = []
    if is_yes:
        handles = [Patch(color=COLORS[0], label=f" {label}"), Patch(color="#E8E8E8", label=" not")]
    else:
        figure.colorbar(drawn, ax=ax, label=label)
    if runs.failed.any():
        handles.append(Patch(color=FAILED, label=" failed"))
    if handles:
        put_legend(ax, *handles)
    ax.grid(visible=False)
    ax.set_xlabel(x_name, parse_math=False)
    ax.set_ylabel(y_name, parse_math=False)
    write_notes(figure, [_count_note(runs, _later(runs, asked))])
    return figure


KINDS: Mapping[str, Callable[[Runs, AskedOfRuns], Any]] = {
    "time": plot_bands,
    "phase": plot_phase_points,
    "bifurcation": plot_bifurcation,
    "map": plot_map,
}


def _axes(runs: Runs) -> tuple[Any, Any]:
    from vinculum.show.figures import new_figure

    figure = new_figure(8.0, 5.0, layout="constrained")
    ax = figure.add_subplot()
    tidy_axes(ax)
    ax.set_title(runs.model.name, loc="left", fontweight="bold", fontsize=13, parse_math=False)
    return figure, ax


def _place(runs: Runs, name: Any) -> int:
    """The number of a coordinate, by its name or that of a joint with one."""
    known = runs.model.layout.q_names
    found = name if isinstance(name, str) else getattr(name, "name", name)
    if found not in known:
        raise StartError(f"there is no coordinate '{found}' in system '{runs.model.name}'{nearest(found, known)}")
    return known.index(found)


def _one_place(runs: Runs, asked: AskedOfRuns, kind: str) -> int:
    if len(asked.names) > 1:
        raise StartError(
            f"a plot of runs of kind '{kind}' shows one coordinate; name one of {', '.join(map(str, asked.names))}"
        )
    if not asked.names and len(runs.model.layout.q_names) > 1:
        known = ", ".join(runs.model.layout.q_names)
        raise StartError(f"a plot of runs of kind '{kind}' shows one coordinate; name one of {known}")
    return _place(runs, asked.names[0]) if asked.names else 0


def _axes_of_map(runs: Runs, asked: AskedOfRuns, count: int) -> list[tuple[str, np.ndarray]]:
    """Names and values (B,) of what a plot is drawn over: parameters, and coordinates and velocities at the start."""
    layout = runs.model.layout
    starts = {
        name: (runs.q[:, 0, i], unit) for i, (name, unit) in enumerate(zip(layout.q_names, layout.q_units, strict=True))
    }
    rates = {
        name: (runs.v[:, 0, i], unit) for i, (name, unit) in enumerate(zip(layout.v_names, layout.v_units, strict=True))
    }
    known = {f"rate of {name}": (f"{name} at the start [{unit}]", x) for name, (x, unit) in rates.items()}
    known |= {name: (f"{name} at the start [{unit}]", x) for name, (x, unit) in starts.items()}
    known |= {name: (name, x) for name, x in runs.parameters.items()}
    if len(asked.over) != count:
        words = "one name" if count == 1 else "two names"
        example = "over='m'" if count == 1 else "over=('m', 'length')"
        raise StartError(f"over {shorten(asked.over)} needs {words}, as {example}; there are {', '.join(known)}")
    for name in asked.over:
        if not isinstance(name, str) or name not in known:
            raise StartError(
                f"over: there is no parameter or start {shorten(name)}{did_you_mean(name, known)}; there are {', '.join(known)}"
            )
    return [known[name] for name in asked.over]


def _values(runs: Runs, asked: AskedOfRuns) -> tuple[np.ndarray, str]:
    """The numbers (B,) of a map: given ones, or the largest size of a coordinate."""
    if asked.value is not None:
        values = np.asarray(asked.value)
        if values.shape != (len(runs.q),) or values.dtype.kind not in "bfiu":
            raise StartError(
                f"value {shorten(asked.value)} must be one number, or True or False, for each of the {len(runs.q)} runs"
            )
        return values, asked.label or "value"
    i = _one_place(runs, asked, "map")
    with np.errstate(invalid="ignore"):
        return np.abs(runs.q[:, _later(runs, asked), i]).max(axis=1), asked.label or f"largest |{_with_unit(runs, i)}|"


def _later(runs: Runs, asked: AskedOfRuns) -> np.ndarray:
    """Which instants are looked at."""
    later = np.ones(len(runs.time), dtype=bool) if asked.since is None else runs.time >= asked.since
    if not later.any():
        raise StartError(f"since {asked.since:g} s is after the last instant, {runs.time[-1]:g} s; give an earlier one")
    return later


def _with_unit(runs: Runs, i: int) -> str:
    return f"{runs.model.layout.q_names[i]} [{runs.model.layout.q_units[i]}]"


def _count_note(runs: Runs, later: np.ndarray) -> str:
    count, instants = len(runs.q), runs.time[later]
    return f"{count} run{'s' * (count != 1)}, {len(instants)} instants from {instants[0]:g} s to {instants[-1]:g} s"


def _size(points: int) -> float:
    """The size of a dot, smaller where there are many."""
    return POINT if points < MANY_POINTS / 200 else POINT / 2 if points < MANY_POINTS else POINT / 4


def _colors(count: int) -> list:
    from matplotlib import colormaps

    return (
        [COLORS[k] for k in range(count)]
        if count <= len(COLORS)
        else list(colormaps["viridis"](np.linspace(0.0, 0.95, count)))
    )
