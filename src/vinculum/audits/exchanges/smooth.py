"""Exchanges of bodies whose motion is smooth between impulses: integrals over steps, and impulses."""

from typing import final

import numpy as np

from vinculum.audits.balances.admitted import admitted_errors
from vinculum.audits.balances.quantities import KINETIC, PARTS, first_of_body
from vinculum.audits.balances.tally import tally
from vinculum.audits.exchanges.by_type import Admitted, ExchangesOfType, SamplesOfType, Wrenches
from vinculum.audits.exchanges.window import BY_METHOD, Sums, Window
from vinculum.audits.phases import phases
from vinculum.audits.quadrature import W_GAUSS, W_KRONROD, X
from vinculum.audits.stretches import stretches
from vinculum.equations.observables.exchanges import WIDTH
from vinculum.motion.chart_changes import stretch_at, stretch_of
from vinculum.motion.pieces import horner
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states
from vinculum.tolerances.sizes import NUMBERS_OF_FIELDS, STEPS_LOOKED_AT
from vinculum.tolerances.time import NO_DURATION


@final
class SmoothExchanges(ExchangesOfType):
    """What follows from ``samples`` of the exchanges along a motion."""

    def __init__(self, samples: SamplesOfType):
        self._samples = samples

    def check(self, record: Record) -> None:
        self._samples.check(record)

    def window_of(self, record: Record, window: Window) -> Window:
        return window

    def wrenches(self, record: Record, bodies: tuple[int, ...]) -> Wrenches:
        count = len(record.time)
        found = Wrenches({}, {})
        for _, part in phases(record):
            rows = np.flatnonzero((record.time >= part.pieces.begin) & (record.time <= part.pieces.end))
            if not len(rows):
                continue
            time = record.time[rows]
            states = recorded_states(part, time, part.pieces.state(time, side=record.side))
            for wrenches in (*found.on.values(), *found.back.values()):
                wrenches[rows] = 0.0
            samples = self._samples.sample(part, bodies, time, states, None)
            for k, name in enumerate(samples.names):
                on, back = samples.on[:, k, :6], samples.back[:, k]
                if samples.inside[k] or not (np.any(on) or np.any(back)):
                    continue
                for known, wrench in ((found.on, on), (found.back, back)):
                    known.setdefault(name, np.zeros((count, 6)))[rows] = wrench
        return found

    def motion_at(self, record: Record, bodies: tuple[int, ...], t: float, side: str) -> np.ndarray:
        time = np.array([t])
        stretch = stretch_at(record.changes, time, side)
        states = recorded_states(record, time, record.pieces.state(time, side=side), stretch)
        return self._samples.sample(record, bodies, time, states, stretch).motions[0, :, :WIDTH].sum(axis=0)

    def sums(self, record: Record, bodies: tuple[int, ...], window: Window) -> Sums:
        found = Sums()
        begin = np.array([window.begin])
        states = recorded_states(record, begin, record.pieces.state(begin))
        samples = self._samples.sample(record, bodies, begin, states, None)
        found.note_sizes(samples.motions)
        most = max(1, NUMBERS_OF_FIELDS // (len(X) * (samples.on[0].size + samples.motions[0].size)))
        for part in stretches(record):
            for first, phase in phases(part):
                self._add_phase(found, part, phase, first, bodies, window, min(most, STEPS_LOOKED_AT))
            self._add_impulses(found, part, bodies, window)
        found.drop_rounded_corrections()
        return found

    def _add_phase(
        self,
        found: Sums,
        whole: Record,
        phase: Record,
        first: int,
        bodies: tuple[int, ...],
        window: Window,
        most: int,
    ) -> None:
        """Integrals over the steps of a phase, or of the parts of them that are in the window; ``most`` steps at once."""
        edges = np.asarray(phase.pieces.times)
        low, high = np.maximum(edges[:-1], window.begin), np.minimum(edges[1:], window.end)
        lasting = np.flatnonzero(high - low > NO_DURATION * max(abs(edges[0]), abs(edges[-1])))
        for some in np.array_split(lasting, max(1, -(-len(lasting) // most))):
            if not len(some):
                continue
            coefficients = phase.pieces.coefficients_of(some)
            h = high[some] - low[some]
            time = (low[some, None] + h[:, None] * X).ravel()
            local = time - np.repeat(edges[some], len(X))
            stretch = stretch_of(whole.changes, np.repeat(first + some, len(X)))
            dense = horner(coefficients, local, np.repeat(np.arange(len(some)), len(X)))
            states = recorded_states(phase, time, dense, stretch)
            samples = self._samples.sample(phase, bodies, time, states, stretch)
            rates, sizes = (x.reshape(len(some), len(X), -1, WIDTH) for x in (samples.on, samples.sizes))
            integrals = np.einsum("n,snpw,s->spw", W_KRONROD, rates, h)
            uneven = np.abs(integrals - np.einsum("n,snpw,s->spw", W_GAUSS, rates, h))
            for name, amount in zip(samples.names, integrals.sum(axis=0), strict=True):
                found.add(name, amount)
            found.quadrature += uneven.sum(axis=(0, 1))
            found.gross += np.einsum("n,snpw,s->w", W_KRONROD, sizes, h)
            found.inside |= {name for name, inner in zip(samples.names, samples.inside, strict=True) if inner}
            found.note_sizes(samples.motions)

    def _add_impulses(self, found: Sums, part: Record, bodies: tuple[int, ...], window: Window) -> None:
        """Impulses at instants of the window, and what the method changed there for reasons of its own."""
        struck = self._samples.impulses_on(part, bodies)
        inside = window.holds(struck.times)
        for name, rows in struck.parts.items():
            own, sizes = rows[inside].sum(axis=0)
            if np.any(sizes):
                found.add(name, own)
                found.gross += sizes
        edges = np.asarray(part.pieces.times)
        within = window.holds(edges[struck.edges]) & (struck.edges > 0)
        begin, end = edges[struck.within], edges[struck.within + 1]
        lasting = np.maximum(np.minimum(end, window.end) - np.maximum(begin, window.begin), 0.0) / (end - begin)
        for changes in (struck.moved[within], lasting[:, None] * struck.drifted):
            if np.any(changes):
                found.add(BY_METHOD, changes.sum(axis=0))
                found.gross += np.abs(changes).sum(axis=0)

    def errors(self, record: Record, bodies: tuple[int, ...], sums: Sums) -> Admitted:
        """What the audit of these bodies admits. A moment at the world's origin has the errors of the moment at the mass center, of the
        momentum at its distance, and of the path of the mass center."""
        total, reason = np.zeros((2, WIDTH)), ""
        for part in stretches(record):
            found = tally(part, jumped=self._samples.jumps(part))
            allowed = admitted_errors(part, found)
            reason = allowed.reason
            for row, errors in enumerate((allowed.tolerance, allowed.doubt)):
                total[row, 6] += errors[KINETIC]
                for i, mass in zip(bodies, sums.masses, strict=True):
                    p, s, c = (slice(first_of_body(i) + k.start, first_of_body(i) + k.stop) for k in PARTS)
                    strayed = float(errors[c].max()) / mass if mass > 0.0 else 0.0
                    total[row, :3] += errors[p].max()
                    total[row, 3:6] += errors[s].max() + sums.reach * errors[p].max() + found.scale[p].max() * strayed
        return Admitted(total[0], total[1], reason)
