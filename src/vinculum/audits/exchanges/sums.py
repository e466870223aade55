"""Exchanges of bodies summed over a window of time: integrals over steps, and impulses."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from vinculum.audits.balances.jumps import changes_by_method
from vinculum.audits.exchanges.samples import acts_of, sampled_exchanges
from vinculum.audits.impacts.joint_impulses import impulse_parts
from vinculum.audits.impacts.seen_impacts import Impacts, impacts
from vinculum.audits.phases import phases
from vinculum.audits.quadrature import W_GAUSS, W_KRONROD, X
from vinculum.audits.stretches import stretches
from vinculum.equations.observables.exchanges import STATE, WIDTH
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.tolerances.certificates import SAFETY
from vinculum.tolerances.round_off import ROUND_OFF
from vinculum.tolerances.sizes import STEPS_LOOKED_AT
from vinculum.tolerances.time import NO_DURATION

BY_METHOD = "corrections of the method"


@final
@dataclass(frozen=True)
class Window:
    """From the instant ``begin`` to ``end`` [s]; an impact at an end belongs to it if the limit there is ``sides``: "left" at the
    beginning, "right" at the end."""

    begin: float
    end: float
    sides: tuple[str, str] = ("right", "right")

    def holds(self, instants: np.ndarray) -> np.ndarray:
        """Which instants (K,) of impulses belong to it."""
        since = instants >= self.begin if self.sides[0] == "left" else instants > self.begin
        until = instants <= self.end if self.sides[1] == "right" else instants < self.end
        return since & until


@final
@dataclass(eq=False)
class Sums:
    """``parts``: by name the sum (7,) of momentum screw and work that the bodies got, ``inside`` the names of those within them.

    ``quadrature`` (7,): estimated error of the integrals; ``gross`` (7,): the sum of the sizes of all parts; ``largest`` (7,): of the
    momenta and energies of the bodies. ``masses`` (n,) [kg]: their least masses; ``reach`` [m]: how far their mass centers were.
    """

    parts: dict[str, np.ndarray] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    quadrature: np.ndarray = field(default_factory=lambda: np.zeros(WIDTH))
    gross: np.ndarray = field(default_factory=lambda: np.zeros(WIDTH))
    largest: np.ndarray = field(default_factory=lambda: np.zeros(WIDTH))
    masses: np.ndarray = field(default_factory=lambda: np.zeros(0))
    reach: float = 0.0

    def add(self, name: str, amount: np.ndarray) -> None:
        """Add to the part of this name."""
        self.parts[name] = self.parts.get(name, np.zeros(WIDTH)) + amount


def summed_exchanges(motion: Record, bodies: tuple[int, ...], window: Window) -> Sums:
    """Everything that bodies exchange with others in a window."""
    found = Sums()
    begin = np.array([window.begin])
    states = recorded_states(motion, begin, motion.pieces.state(begin))
    _note_sizes(found, sampled_exchanges(motion, begin, states)[STATE][:, list(bodies)])
    for part in stretches(motion):
        for first, phase in phases(part):
            _add_phase(found, part, phase, first, bodies, window)
        hits = impacts(part)
        if hits is not None:
            _add_impulses(found, part, hits, bodies, window)
    moved = np.abs(found.parts.get(BY_METHOD, np.zeros(WIDTH)))
    if np.all(moved <= SAFETY * ROUND_OFF * (found.gross + found.largest)):
        found.parts.pop(BY_METHOD, None)
    return found


def _add_phase(found: Sums, whole: Record, phase: Record, first: int, bodies, window: Window) -> None:
    """Integrals over the steps of a phase, or of the parts of them that are in the window."""
    acts = acts_of(phase.model)
    masks = {one.name: [k for k, i in enumerate(one.ends) if i in bodies] for one in acts}
    found.inside |= {one.name for one in acts if not one.external and set(one.ends) <= set(bodies)}
    edges = np.asarray(phase.pieces.times)
    low, high = np.maximum(edges[:-1], window.begin), np.minimum(edges[1:], window.end)
    lasting = np.flatnonzero(high - low > NO_DURATION * max(abs(edges[0]), abs(edges[-1])))
    for some in np.array_split(lasting, max(1, -(-len(lasting) // STEPS_LOOKED_AT))):
        if not len(some):
            continue
        coefficients = phase.pieces.coefficients_of(some)
        h = high[some] - low[some]
        time = (low[some, None] + h[:, None] * X).ravel()
        local = time - np.repeat(edges[some], len(X))
        stretch = stretch_of(whole.changes, np.repeat(first + some, len(X)))
        dense = horner(coefficients, local, np.repeat(np.arange(len(some)), len(X)))
        states = recorded_states(phase, time, dense, stretch)
        groups = sampled_exchanges(phase, time, states, stretch)
        for name, own in masks.items():
            if not own:
                continue
            rates = groups[name][:, own].sum(axis=1).reshape(len(some), len(X), WIDTH)
            sizes = np.abs(groups[name][:, own]).sum(axis=1).reshape(len(some), len(X), WIDTH)
            integrals = np.einsum("n,snw,s->sw", W_KRONROD, rates, h)
            found.add(name, integrals.sum(axis=0))
            found.quadrature += np.abs(integrals - np.einsum("n,snw,s->sw", W_GAUSS, rates, h)).sum(axis=0)
            found.gross += np.einsum("n,snw,s->w", W_KRONROD, sizes, h)
        _note_sizes(found, groups[STATE][:, list(bodies)])


def _note_sizes(found: Sums, motions: np.ndarray) -> None:
    """Largest momenta and energy (7,), and distances, of motions (T, bodies, 11)."""
    found.largest = np.maximum(found.largest, np.abs(motions[..., :WIDTH]).sum(axis=1).max(axis=0))
    least = motions[..., WIDTH].min(axis=0)
    found.masses = np.minimum(found.masses, least) if len(found.masses) else least
    found.reach = max(found.reach, float(np.abs(motions[..., WIDTH + 1 :]).sum(axis=2).max()))


def _add_impulses(found: Sums, part: Record, hits: Impacts, bodies, window: Window) -> None:
    """Impulses at instants of the window, and what the method changed there for reasons of its own."""
    inside = window.holds(hits.times)
    for name, rows in impulse_parts(part, hits).items():
        own = rows[inside][:, list(bodies)]
        if np.any(own):
            found.add(name, own.sum(axis=(0, 1)))
            found.gross += np.abs(own).sum(axis=(0, 1))

    def motion_sum(time, states, stretch):
        motions = sampled_exchanges(part, time, states, stretch)[STATE][:, list(bodies), :WIDTH]
        return motions.sum(axis=1)

    edges, changes = changes_by_method(part, hits, motion_sum)
    if len(edges):
        own = window.holds(np.asarray(part.pieces.times)[edges]) & (edges > 0)
        if np.any(changes[own]):
            found.add(BY_METHOD, changes[own].sum(axis=0))
            found.gross += np.abs(changes[own]).sum(axis=0)
