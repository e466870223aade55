"""The parts of a balance as bars: impulses along three axes, moments about them, and works."""

from typing import Any

import numpy as np

from vinculum.audits.exchanges.result import COMPONENTS, Balance, largest_parts, names_of_bodies
from vinculum.show.certificates import MEANINGS
from vinculum.show.markup import Markup, badge, element, table
from vinculum.show.plots.panels import COLORS, checked_path, write_figure

PANELS = (
    ("impulse [N s]", slice(0, 3), ("x", "y", "z")),
    ("moment of impulse [N m s]", slice(3, 6), ("x", "y", "z")),
)


def balance_table(balance: Balance) -> Markup:
    """Every part with its impulse, moment and work, their sums, the changes, and the laws with their verdicts."""
    rows = [
        (part.name + ", inside" * part.inside, *(f"{x:.5g}" for x in part.impulse), f"{part.work:.5g}")
        for part in largest_parts(balance)
    ]
    rows.append(("sum", *(f"{x:.5g}" for x in balance.momentum.impulse), f"{balance.energy.work:.5g}"))
    rows.append(("change", *(f"{x:.5g}" for x in balance.momentum.change), f"{balance.energy.change:.5g}"))
    laws = [
        (
            badge(line.verdict, MEANINGS[line.verdict]),
            line.law,
            f"{line.residual:.1e}",
            f"{line.tolerance:.1e}",
            line.reason,
        )
        for line in balance.lines
    ]
    found = element("p", badge(balance.verdict, MEANINGS[balance.verdict]))
    found += table(("", *COMPONENTS, "work"), rows)
    return found + table(("verdict", "law", "residual", "tolerance", "because"), laws)


def plot_balance(balance: Balance, path=None) -> Any:
    """Impulses and works of every part of a balance, their sums, and the changes that they make."""
    from matplotlib.figure import Figure

    target = None if path is None else checked_path(path)
    parts = largest_parts(balance)
    names = [part.name for part in parts]
    rows = [*names, "sum", "change"]
    impulses = np.array([*(part.impulse for part in parts), balance.momentum.impulse, balance.momentum.change])
    works = np.array([*(part.work for part in parts), balance.energy.work, balance.energy.change])
    figure = Figure(figsize=(9.0, 1.6 + 0.34 * len(rows)), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    places = np.arange(len(rows))
    for panel, (title, part, labels) in zip(axes, PANELS, strict=False):
        for k, label in enumerate(labels):
            panel.barh(places + 0.25 * (k - 1), impulses[:, part][:, k], height=0.23, color=COLORS[k], label=label)
        panel.set_xlabel(title)
    axes[2].barh(places, works, height=0.5, color=COLORS[3])
    axes[2].set_xlabel("work, kinetic energy [J]")
    for panel in axes:
        panel.axvline(0.0, color="black", linewidth=0.6)
        panel.axhline(len(names) - 0.5, color="gray", linewidth=0.6)
    axes[0].set_yticks(places, rows)
    axes[0].invert_yaxis()
    axes[0].legend(fontsize="small")
    figure.suptitle(f"{names_of_bodies(balance)}, {balance.window[0]:g} to {balance.window[1]:g} s: {balance.verdict}")
    if target is not None:
        write_figure(figure, target)
    return figure
