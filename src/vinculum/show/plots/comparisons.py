"""A plot of motions with different realizations of a constraint."""

from typing import Any

import numpy as np

from vinculum.show.plots.impacts import shown_on_logarithm
from vinculum.show.plots.panels import COLORS, DASHES, checked_path, put_legend, tidy_axes, write_figure
from vinculum.tolerances.certificates import NOT_DRAWN


def plot_comparison(comparison: Any, path=None) -> Any:
    """Every coordinate of every motion over time, how far each is from the first, and the multipliers."""
    from vinculum.show.figures import new_figure

    target = None if path is None else checked_path(path)
    names = comparison.motions[0].record.model.layout.q_names
    units = comparison.motions[0].record.model.layout.q_units
    shown = list(range(len(names)))[comparison.places][:4]
    figure = new_figure(10.0, 2.0 * (len(shown) + 2), layout="constrained")
    axes = figure.subplots(len(shown) + 2, 1, sharex=True)
    for k, (label, motion) in enumerate(zip(comparison.labels, comparison.motions, strict=True)):
        style = {"color": COLORS[k % len(COLORS)], "linestyle": DASHES[k % len(DASHES)], "linewidth": 1.4 if k else 3.2,
                 "alpha": 1.0 if k else 0.45}  # fmt: skip
        for ax, i in zip(axes, shown, strict=False):
            ax.plot(motion.time, motion.q[:, i], label=label, **style)
        if k:
            axes[-2].plot(comparison.time, shown_on_logarithm(comparison.distance(k)), label=label, **style)
        multipliers = motion.bond(comparison.constraint).multiplier
        rows = multipliers[:, None] if multipliers.ndim == 1 else multipliers
        for row in rows.T:
            axes[-1].plot(motion.time, row, **style)
    for ax in axes:
        ax.margins(x=0.0)
        tidy_axes(ax)
    for ax, i in zip(axes, shown, strict=False):
        ax.set_ylabel(f"{names[i]} [{units[i]}]")
    put_legend(axes[0])
    axes[-2].set_ylabel(f"distance from\n{comparison.labels[0]}")
    if any(np.any(comparison.distance(k) > NOT_DRAWN) for k in range(1, len(comparison))):
        axes[-2].set_yscale("log")
    else:
        axes[-2].text(
            0.5, 0.5, "the motions agree to round-off", transform=axes[-2].transAxes, ha="center", color="0.35"
        )
        axes[-2].set_yticks([])
    figure.align_ylabels(axes)
    axes[-1].set_ylabel("multipliers")
    axes[-1].set_xlabel("time [s]")
    figure.suptitle(f"constraint '{comparison.constraint}'")
    if target is not None:
        write_figure(figure, target)
    return figure
