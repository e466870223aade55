"""Contact over time: when each unilateral constraint or pair of shapes is open, sticks or slides, and when it is hit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.unilaterals.phases import SLIDES, STICKS
from vinculum.errors import StartError
from vinculum.motion.by_type import MOTIONS
from vinculum.motion.record import Record
from vinculum.show.plots.kinds import Asked, refuse_beside
from vinculum.show.plots.panels import COLORS, put_legend, steps_note, tidy_axes, write_notes
from vinculum.systems import nearest
from vinculum.tolerances.contact import INSIDE_THE_CONE

CLOSED = "in contact"
STATES = {STICKS: COLORS[0], SLIDES: COLORS[1], CLOSED: COLORS[2]}
MOST_ROWS = 30
"""Pairs that get a row each; of more the busiest are shown."""
HITS_DRAWN = 2000


@final
@dataclass(frozen=True, eq=False)
class Row:
    """A constraint or pair: spans (n, 2) [s] by state, and instants of impacts."""

    name: str
    spans: dict[str, np.ndarray]
    hits: np.ndarray

    @property
    def length(self) -> float:
        """How long it is closed [s]."""
        return float(sum(np.diff(one, axis=1).sum() for one in self.spans.values()))


def plot_contact_states(motion: Record, asked: Asked) -> Any:
    """A row for every unilateral constraint and every pair of shapes that met: open, sticking or sliding, and the impacts."""
    from matplotlib.patches import Patch

    from vinculum.show.figures import new_figure

    refuse_beside(asked, "contact")
    found, notes = _rows(motion, _names_among(motion, asked.names))
    figure = new_figure(9.0, 1.6 + 0.32 * max(len(found), 2), layout="constrained")
    ax = figure.add_subplot()
    for k, row in enumerate(found):
        for state, spans in row.spans.items():
            ax.broken_barh([(a, b - a) for a, b in spans], (k - 0.32, 0.64), color=STATES[state], linewidth=0)
        if 0 < len(row.hits) <= HITS_DRAWN:
            ax.vlines(row.hits, k - 0.4, k + 0.4, color="black", linewidth=0.8)
    ax.set_xlim(motion.pieces.begin, motion.pieces.end)
    ax.set_ylim(len(found) - 0.4, -0.6)
    ax.set_yticks(range(len(found)), [row.name for row in found], parse_math=False)
    ax.set_xlabel("time [s]")
    ax.set_title(motion.model.name, loc="left", fontweight="bold", fontsize=13, parse_math=False)
    tidy_axes(ax)
    ax.grid(axis="y", visible=False)
    met = [state for state in STATES if any(state in row.spans for row in found)]
    handles: list[Any] = [Patch(color=STATES[state], label=f" {state}") for state in met]
    hits = ax.vlines([], 0.0, 1.0, color="black", linewidth=0.8, label=" impact")
    if any(len(row.hits) for row in found):
        handles.append(hits)
    if handles:
        put_legend(ax, *handles)
    write_notes(figure, [steps_note(motion), *notes])
    return figure


def has_contacts(motion: Record) -> bool:
    """Whether a motion has unilateral constraints or contacts."""
    return bool(motion.model.layout.unilaterals or motion.model.layout.contacts)


def _names_among(motion: Record, names: Iterable) -> list[str]:
    layout = motion.model.layout
    known = [*layout.unilaterals, *layout.contacts]
    if not has_contacts(motion):
        raise StartError(
            f"system '{motion.model.name}' has neither unilateral constraints nor contacts; plot it with kind='time'"
        )
    wanted = [one if isinstance(one, str) else getattr(one, "name", one) for one in names]
    for name in wanted:
        if name not in known:
            raise StartError(
                f"there is not a unilateral constraint or contact '{name}' in system '{motion.model.name}'{nearest(name, known)}"
            )
    return wanted or known


def _rows(motion: Record, names: list[str]) -> tuple[list[Row], list[str]]:
    layout = motion.model.layout
    row_of = _of_phases if motion.phases else _of_steps
    single = [row_of(motion, name) for name in names if name in layout.unilaterals]
    pairs = [row for name in names if name in layout.contacts for row in _of_pairs(motion, name)]
    every = [*single, *pairs]
    kept = sorted(range(len(every)), key=lambda k: -every[k].length)[:MOST_ROWS]
    note = [f"{MOST_ROWS} of {len(every)} shown, those longest in contact"] * (len(every) > MOST_ROWS)
    note += ["nothing met"] * (not every)
    return [every[k] for k in sorted(kept)], note


def _of_phases(motion: Record, name: str) -> Row:
    """From the phases of an event-driven run, which know what sticks and what slides."""
    ends = [*(phase.begin for phase in motion.phases[1:]), motion.pieces.end]
    spans: dict[str, list] = {}
    for phase, end in zip(motion.phases, ends, strict=True):
        state = dict(phase.closed).get(name)
        if state is not None:
            spans.setdefault(state, []).append((phase.begin, end))
    stepped = [(phase.begin, end) for phase, end in zip(motion.phases, ends, strict=True) if phase.stepped]
    row = _of_steps(motion, name, stepped)
    for state, more in row.spans.items():
        spans.setdefault(state, []).extend(more.tolist())
    return Row(name, {state: np.array(each) for state, each in spans.items()}, row.hits)


def _of_steps(motion: Record, name: str, within: Sequence[tuple[float, float]] = ((-np.inf, np.inf),)) -> Row:
    """From the impulses of time steps ``within`` spans: those that follow each other step by step are contact, others are impacts."""
    hits, entry = MOTIONS.of(motion.model).contact_impulses(motion, name), motion.model.layout.unilaterals[name]
    span = _step_length(motion, hits.times)
    inside = np.zeros(len(hits), dtype=bool)
    for begin, end in within:
        inside |= (hits.times >= begin) & (hits.times <= end)
    lasting = _lasting(hits.times, span) & inside
    slides = np.ones(len(hits), dtype=bool)
    if any(entry.friction):
        mu = np.resize(np.asarray(entry.friction, dtype=float), 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            used = np.hypot(*(hits.tangential / mu).T) / hits.normal
        slides = ~(used < 1.0 - INSIDE_THE_CONE)
    states = {STICKS: lasting & ~slides, SLIDES: lasting & slides}
    spans = {state: _time_spans(hits.times[where], span) for state, where in states.items() if where.any()}
    return Row(name, spans, hits.times[~lasting])


def _of_pairs(motion: Record, name: str) -> list[Row]:
    """Every pair of shapes that met."""
    hits = MOTIONS.of(motion.model).contact_impulses(motion, name)
    pairs = [" – ".join(pair) for pair in hits.shapes.tolist()]
    rows = []
    for pair in dict.fromkeys(pairs):
        times = np.unique(hits.times[[one == pair for one in pairs]])
        span = _step_length(motion, times)
        lasting = _lasting(times, span)
        spans = {CLOSED: _time_spans(times[lasting], span)} if lasting.any() else {}
        rows.append(Row(pair, spans, times[~lasting]))
    return rows


def _step_length(motion: Record, times: np.ndarray) -> float:
    """The time step of a run, or of the finest span of it."""
    steps = [motion.method.step or 0.0, *(phase.stepped for phase in motion.phases)]
    known = max(steps)
    return float(known or (np.median(np.diff(times)) if len(times) > 1 else 0.0))


def _lasting(times: np.ndarray, span: float) -> np.ndarray:
    """Which instants have a neighbor at most one and a half steps away."""
    near = np.diff(times) <= 1.5 * span
    return np.concatenate([near, [False]])[: len(times)] | np.concatenate([[False], near])[: len(times)]


def _time_spans(times: np.ndarray, span: float) -> np.ndarray:
    """Spans (n, 2) of instants that follow each other; an impulse belongs to the step that ends at its instant."""
    if not len(times):
        return np.zeros((0, 2))
    cuts = np.flatnonzero(np.diff(times) > 1.5 * span)
    first, last = times[np.concatenate([[0], cuts + 1])], times[np.concatenate([cuts, [len(times) - 1]])]
    return np.stack([first - span, last], axis=1)
