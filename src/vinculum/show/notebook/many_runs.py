"""Many runs at a glance: ranges of coordinates, and bands over time."""

from typing import Any

import numpy as np

from vinculum.ensembles.runs import Runs
from vinculum.show.markup import Markup, table
from vinculum.show.plots import COLORS
from vinculum.tolerances.sizes import ROWS_SHOWN

PANELS = 4
"""Coordinates with a band of their own."""


def run_table(runs: Runs) -> Markup:
    """Least, median and greatest value of every coordinate at the start and at the end, over the runs that were finished."""
    layout, done = runs.model.layout, runs.q[~runs.failed]
    rows = []
    for i, (name, unit) in enumerate(zip(layout.q_names[:ROWS_SHOWN], layout.q_units, strict=False)):
        rows.append((f"{name} [{unit}]", *_range(done[:, 0, i]), *_range(done[:, -1, i])))
    steps = f"{int(runs.steps.min())} to {int(runs.steps.max())} steps" if len(runs.steps) else "no runs"
    head = (f"coordinate ({steps})", "start: least", "median", "greatest", "end: least", "median", "greatest")
    return table(head, rows)


def _range(values: np.ndarray) -> tuple[str, ...]:
    if not len(values):
        return ("–",) * 3
    return tuple(f"{x:.4g}" for x in (values.min(), np.median(values), values.max()))


def plot_runs(runs: Runs) -> Any:
    """The first coordinates over time: the median, the middle half and all of the runs."""
    from vinculum.show.figures import new_figure

    layout, done = runs.model.layout, runs.q[~runs.failed]
    count = min(PANELS, len(layout.q_names))
    figure = new_figure(7.0, 0.6 + 1.5 * max(count, 1), layout="constrained")
    axes = figure.subplots(max(count, 1), 1, sharex=True, squeeze=False)[:, 0]
    for i in range(count):
        if len(done):
            low, first, middle, last, high = np.quantile(done[:, :, i], (0.0, 0.25, 0.5, 0.75, 1.0), axis=0)
            axes[i].fill_between(runs.time, low, high, color=COLORS[0], alpha=0.15, linewidth=0.0)
            axes[i].fill_between(runs.time, first, last, color=COLORS[0], alpha=0.3, linewidth=0.0)
            axes[i].plot(runs.time, middle, color=COLORS[0], linewidth=1.3)
        axes[i].set_ylabel(f"{layout.q_names[i]} [{layout.q_units[i]}]", parse_math=False)
        axes[i].spines[["top", "right"]].set_visible(False)
        axes[i].margins(x=0.0)
    axes[-1].set_xlabel("time [s]; median, middle half and all of the runs")
    return figure
