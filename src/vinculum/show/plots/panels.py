"""`Panel`: curves that share an axis, and panels one above the other as a Matplotlib figure that needs no display."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from vinculum.show.files import checked_target, write_whole
from vinculum.tolerances.certificates import DRIFT_SHOWN, NOT_DRAWN, ROUND_OFF_DRAWN

# Okabe and Ito's colors, which the color-blind tell apart; yellow is left out, as it fades on white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("solid", "dashed", "dotted", "dashdot")
FORMATS = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
MOST_CURVES = len(COLORS)
BINS = 4000
FEW_STEMS = 300
STATED_HEIGHT = 0.45
"""Of a panel that states in words what its curves would hide."""


@final
@dataclass(frozen=True)
class Panel:
    """Curves that share an axis: its label, the curves' names and their values (T, n).

    ``time`` (T,): instants of the values, by default the motion's grid; ``style``: "line", or "stem" for values at single instants.
    ``scale``: the size beside which round-off is nothing; values that are round-off are then stated and not drawn. ``beside``: panels
    of other motions on the same axis, in other dashes.
    """

    label: str
    names: list[str]
    values: np.ndarray
    height: float = 1.0
    time: np.ndarray | None = None
    style: str = "line"
    logarithmic: bool = False
    scale: float | None = None
    beside: "tuple[Panel, ...]" = ()

    @property
    def statement(self) -> str | None:
        """What there is to say of values that are round-off, or too small for a logarithmic axis; None if there is something to draw."""
        if self.beside or not self.values.size:
            return None
        largest = float(np.nanmax(np.abs(self.values), initial=0.0))
        if self.logarithmic and not np.any(self.values > 0.0):
            return f"nothing above {NOT_DRAWN:.0e}"
        if self.scale is None or not 0.0 < largest <= ROUND_OFF_DRAWN * self.scale:
            return None
        what = "".join(f"{line}: " for line in self.label.split("\n")[1:])
        return f"{what}zero to round-off, at most {largest:.0e}"

    @property
    def drawn_height(self) -> float:
        """The height, less where there is only a statement."""
        return self.height if self.statement is None else STATED_HEIGHT


def _crossing_notes(motion: Any) -> list[str]:
    counted = Counter(crossing.name for crossing in motion.crossings)
    if not counted:
        return []
    times = ", ".join(f"'{name}' (once)" if k == 1 else f"'{name}' ({k} times)" for name, k in counted.items())
    return [f"vertical lines: {times}"]


def curves(motion: Any, panels: list[Panel], time: str, notes: Sequence[str] = ()) -> Any:
    """The panels one above the other over one axis of ``time``, with lines at the crossings of the motion's events."""
    from vinculum.show.figures import new_figure

    heights = [panel.drawn_height for panel in panels]
    figure = new_figure(9.0, 0.9 + 2.0 * sum(heights), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.06)  # type: ignore[union-attr]
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for ax, panel in zip(axes, panels, strict=True):
        _draw(ax, motion, panel)
    figure.align_ylabels(axes)
    axes[0].set_title(motion.model.name, loc="left", fontweight="bold", fontsize=13, parse_math=False)
    axes[-1].set_xlabel(time)
    write_notes(figure, [steps_note(motion), *notes, *_crossing_notes(motion)])
    return figure


def _draw(ax: Any, motion: Any, panel: Panel) -> None:
    if panel.statement is None:
        for number, one in enumerate((panel, *panel.beside)):
            _draw_curves(ax, motion, one, number, bool(panel.beside))
        if panel.logarithmic:
            ax.set_yscale("log")
        elif (level := _level(panel.values)) is not None and not panel.beside:
            ax.set_ylim(*level)
        put_legend(ax)
    else:
        ax.text(0.5, 0.5, panel.statement, transform=ax.transAxes, ha="center", va="center", color="0.35")
        ax.plot(motion.time[[0, -1]] if len(motion.time) else [], [0.5, 0.5] if len(motion.time) else [], alpha=0.0)
        ax.set_yticks([])
    crossed = [c.time for c in motion.crossings if len(motion.time) and motion.time[0] <= c.time <= motion.time[-1]]
    if crossed:
        ax.vlines(crossed, 0.0, 1.0, transform=ax.get_xaxis_transform(), color="0.7", linewidth=0.6, zorder=1)
    ax.set_ylabel(panel.label if panel.statement is None else panel.label.partition("\n")[0])
    ax.margins(x=0.0)
    tidy_axes(ax)
    if ax.get_yscale() == "linear" and panel.statement is None:
        ax.ticklabel_format(axis="y", style="sci", scilimits=(-3, 4), useMathText=True)


def _draw_curves(ax: Any, motion: Any, panel: Panel, number: int, is_one_of_several: bool) -> None:
    """The curves of a motion; of several the first is broad and pale, and the others are dashed, so that all are seen where they agree."""
    time = motion.time if panel.time is None else panel.time
    for i, name in enumerate(panel.names):
        color = COLORS[(i + number * len(panel.names)) % len(COLORS)]
        if panel.style == "stem":
            # Smaller ones lie on larger ones, so that impulses at one instant are all seen.
            _draw_stems(ax, time, panel.values[:, i], color, f" {name}", 3.0 + 1.5 * (len(panel.names) - 1 - i))
            continue
        style = DASHES[(i // len(COLORS) + number) % len(DASHES)]
        ax.plot(
            *_thin(time, panel.values[:, i]),
            color=color,
            linestyle=style,
            label=f" {name}",
            **weight_of(number, is_one_of_several),
        )


def weight_of(number: int, is_one_of_several: bool) -> dict[str, float]:
    """How a curve of a motion is drawn among those of several motions."""
    return {"linewidth": 3.2, "alpha": 0.45} if is_one_of_several and number == 0 else {"linewidth": 1.3}


def tidy_axes(ax: Any) -> None:
    """A light grid behind the curves, and no frame above and to the right."""
    ax.grid(color="0.9", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def put_legend(ax: Any, *handles: Any, title: str | None = None) -> None:
    """A legend to the right of the axes, where it hides nothing."""
    legend = ax.legend(
        **({"handles": handles} if handles else {}),
        title=title,
        alignment="left",
        loc="upper left",
        bbox_to_anchor=(1.01, 1.03),
        frameon=False,
        fontsize=9,
        handlelength=1.4,
        handletextpad=0.4,
        borderaxespad=0.0,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)  # a name may hold a dollar sign


def write_notes(figure: Any, notes: Sequence[str]) -> None:
    """Remarks at the foot of a figure."""
    figure.supxlabel("\n".join(notes), x=0.01, ha="left", fontsize=9, color="0.35", parse_math=False)


def steps_note(motion: Any) -> str:
    """How a motion was computed."""
    return f"{len(motion.pieces)} step{'s' * (len(motion.pieces) != 1)}, {motion.method}"


def _level(values: np.ndarray) -> tuple[float, float] | None:
    """Limits of an axis on which values that are constant to round-off look constant; None for others."""
    known = values[np.isfinite(values)]
    size = np.abs(known).max(initial=0.0)
    if not size or np.ptp(known) > DRIFT_SHOWN * size:
        return None
    middle = 0.5 * (known.min() + known.max())
    return middle - 0.5 * size, middle + 0.5 * size


def _draw_stems(ax: Any, time: np.ndarray, values: np.ndarray, color: str, name: str, size: float) -> None:
    """Dots, on stems where there are few."""
    ax.plot(time, values, color=color, linestyle="none", marker="o", markersize=size, label=name)
    if len(time) <= FEW_STEMS:
        ax.vlines(time, 0.0, values, color=color, linewidth=1.0)


def _thin(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest value in each of `BINS` stretches of a long curve: it looks the same and draws quickly."""
    if len(time) <= 4 * BINS:
        return time, values
    length = -(-len(time) // BINS)
    starts = np.arange(0, len(time), length)
    low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    return np.repeat(time[starts], 2), np.stack([low, high], axis=1).ravel()


def checked_path(path, what: str = "plot") -> Path:
    """The file of a plot or a picture."""
    return checked_target(what, path, FORMATS, "run.png")


def write_figure(figure: Any, target: Path) -> None:
    """Write a figure in the format of its name."""
    kind = target.suffix.lower()
    write_whole("plot", target, lambda file: figure.savefig(file, format=kind[1:], dpi=150, metadata=FORMATS[kind]))
