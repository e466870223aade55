"""Curves over time: coordinates, velocities and energy of a motion, as a Matplotlib figure that needs no display."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vinculum.errors import StartError
from vinculum.models.layout import JointEntry
from vinculum.motion.record import Record
from vinculum.motion.states import states_at, tape_groups
from vinculum.show.files import checked_target, write_whole
from vinculum.show.impacts import Curves, Panel, impact_panels
from vinculum.tolerances.certificates import DRIFT_SHOWN, EXCHANGED_SHOWN, LOST_SHOWN

# Okabe and Ito's colors, which the color-blind tell apart; yellow is left out, as it fades on white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("solid", "dashed", "dotted", "dashdot")
FORMATS = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
MOST_CURVES = len(COLORS)
LEGEND_ROWS = 9.0
BINS = 4000
FEW_STEMS = 300


class BodyPanels(ABC):
    """What a plot shows of the bodies of one type of model."""

    @abstractmethod
    def shows_coordinates(self, asked: list) -> bool:
        """Whether coordinates are shown."""

    @abstractmethod
    def curves(self, motion: Record) -> Curves:
        """Coordinates and velocities to draw."""

    @abstractmethod
    def contact(self, motion: Record) -> list[Panel]:
        """Contacts, residuals and penetrations."""

    @abstractmethod
    def hits(self, motion: Record) -> bool:
        """Whether impacts may take energy."""


def plot_bodies(motion: Record, of: BodyPanels, joints: Iterable = (), path=None) -> Any:
    """Coordinates and velocities of ``joints`` (all by default, as many as can be told apart) and the energy below.

    With unilateral constraints there are gaps and impulses too; free bodies in contact show speeds, contacts and residuals, and
    coordinates of what is asked for. Thin vertical lines are the crossings of events. ``path`` (PNG, SVG or PDF) also writes the figure,
    all or nothing.
    """
    target = None if path is None else checked_path(path)
    asked = [joints] if isinstance(joints, str) else list(joints)
    chosen, notes = _joints_to_show(motion, asked) if of.shows_coordinates(asked) else ([], [])
    shown = of.curves(motion) if chosen else None
    panels = (
        []
        if shown is None
        else [*_panels(motion, shown, chosen, "q", "coordinate"), *_panels(motion, shown, chosen, "v", "velocity")]
    )
    panels += of.contact(motion)
    panels += [*impact_panels(motion), _energy(motion, of.hits(motion))]
    figure = curves(motion, panels, "time [s]", notes)
    if target is not None:
        write_figure(figure, target)
    return figure


def _what(entry: JointEntry) -> str:
    return "prescribed body" if entry.kind == "Prescribed" else f"{entry.kind.lower()} joint"


def _joints_to_show(motion: Record, joints: list) -> tuple[list[dict], list[str]]:
    """Layout entries of the joints to show, and a note where some are left out."""
    if joints:
        entries = [motion.model.index("joints", joint) for joint in joints]
        for joint, entry in zip(joints, entries, strict=True):
            if entry.q[0] == entry.q[1]:
                raise StartError(
                    f"{_what(entry)} '{getattr(joint, 'name', joint)}' has no coordinates; name a joint that moves"
                )
        return entries, []
    moving = [entry for entry in motion.model.layout.joints.values() if entry.q[1] > entry.q[0]]
    shown, curves = [], 0
    for entry in moving:
        curves += entry.q[1] - entry.q[0]
        if shown and curves > MOST_CURVES:
            break
        shown.append(entry)
    note = f"{len(shown)} of {len(moving)} joints shown; plot(…) takes the names of others"
    return shown, [note] if len(shown) < len(moving) else []


def _panels(motion: Record, shown: Curves, entries: list[dict], which: str, what: str) -> list[Panel]:
    """One panel for each unit, in the order of appearance."""
    layout, values = motion.model.layout, {"q": shown.q, "v": shown.v}[which]
    places = [i for entry in entries for i in range(*getattr(entry, which))]
    units = list(dict.fromkeys(getattr(layout, f"{which}_units")[i] for i in places))
    panels = []
    for unit in units:
        own = [i for i in places if getattr(layout, f"{which}_units")[i] == unit]
        height = max(1.0, len(own) / LEGEND_ROWS)
        panels.append(
            Panel(
                f"{what} [{unit}]",
                [getattr(layout, f"{which}_names")[i] for i in own],
                values[:, own],
                height,
                shown.time,
            )
        )
    return panels


def _energy(motion: Record, hits: bool) -> Panel:
    """The drift of the energy where nothing gives or takes any, impacts included, else the energies themselves."""
    groups = tape_groups(motion, "balance", motion.time, states_at(motion, motion.time))
    none = np.zeros((len(motion.time), 1))
    kinetic, potential, power, loss = (
        groups.get(name, none)[:, 0] for name in ("kinetic", "potential", "power", "dissipation")
    )
    total = kinetic + potential
    scale = np.abs(kinetic).max(initial=0.0)
    span = np.ptp(motion.time) if len(motion.time) else 0.0
    exchanged = (np.abs(power).max(initial=0.0) + np.abs(loss).max(initial=0.0)) * span
    lost = np.ptp(total) if hits and len(total) else 0.0
    if scale == 0.0 or exchanged > EXCHANGED_SHOWN * scale or lost > LOST_SHOWN * scale:
        return Panel("energy [J]", ["kinetic", "potential", "total"], np.stack([kinetic, potential, total], axis=1))
    drift = (total - total[0]) / scale
    return Panel("energy drift\n(E − E₀) / max T", [f"at most {np.abs(drift).max():.1e}"], drift[:, None], 0.7)


def _crossing_notes(motion: Any) -> list[str]:
    counted = Counter(crossing.name for crossing in motion.crossings)
    if not counted:
        return []
    times = ", ".join(f"'{name}' (once)" if k == 1 else f"'{name}' ({k} times)" for name, k in counted.items())
    return [f"vertical lines: {times}"]


def curves(motion: Any, panels: list[Panel], time: str, notes: Sequence[str] = ()) -> Any:
    """The panels one above the other over one axis of ``time``, with lines at the crossings of the motion's events."""
    from vinculum.show.figures import new_figure

    heights = [panel.height for panel in panels]
    figure = new_figure(9.0, 0.9 + 2.0 * sum(heights), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.06)  # type: ignore[union-attr]
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for ax, panel in zip(axes, panels, strict=True):
        _draw(ax, motion, panel)
    figure.align_ylabels(axes)
    axes[0].set_title(motion.model.name, loc="left", fontweight="bold", fontsize=13, parse_math=False)
    axes[-1].set_xlabel(time)
    said = [
        f"{len(motion.pieces)} step{'s' * (len(motion.pieces) != 1)}, {motion.method}",
        *notes,
        *_crossing_notes(motion),
    ]
    figure.supxlabel("\n".join(said), x=0.01, ha="left", fontsize=9, color="0.35", parse_math=False)
    return figure


def _draw(ax: Any, motion: Any, panel: Panel) -> None:
    time = motion.time if panel.time is None else panel.time
    for i, name in enumerate(panel.names):
        color = COLORS[i % len(COLORS)]
        if panel.style == "stem":
            # Smaller ones lie on larger ones, so that impulses at one instant are all seen.
            _draw_stems(ax, time, panel.values[:, i], color, f" {name}", 3.0 + 1.5 * (len(panel.names) - 1 - i))
            continue
        ax.plot(
            *_thin(time, panel.values[:, i]),
            color=color,
            linestyle=DASHES[i // len(COLORS) % len(DASHES)],
            linewidth=1.3,
            label=f" {name}",
        )
    if panel.logarithmic and np.any(panel.values > 0.0):
        ax.set_yscale("log")
    elif (level := _level(panel.values)) is not None:
        ax.set_ylim(*level)
    crossed = [c.time for c in motion.crossings if len(motion.time) and motion.time[0] <= c.time <= motion.time[-1]]
    if crossed:
        ax.vlines(crossed, 0.0, 1.0, transform=ax.get_xaxis_transform(), color="0.7", linewidth=0.6, zorder=1)
    ax.set_ylabel(panel.label)
    ax.margins(x=0.0)
    ax.grid(color="0.9", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    if ax.get_yscale() == "linear":
        ax.ticklabel_format(axis="y", style="sci", scilimits=(-3, 4), useMathText=True)
    legend = ax.legend(
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


def checked_path(path) -> Path:
    """The file of a plot."""
    return checked_target("plot", path, FORMATS, "run.png")


def write_figure(figure: Any, target: Path) -> None:
    """Write a figure in the format of its name."""
    kind = target.suffix.lower()
    write_whole("plot", target, lambda file: figure.savefig(file, format=kind[1:], dpi=150, metadata=FORMATS[kind]))
