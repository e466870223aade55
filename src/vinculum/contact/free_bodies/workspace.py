"""The arrays on which the time steps of a pile work, made as large as they have to be."""

import os
import threading
import time
from typing import final

import numpy as np

from vinculum.collision.beneath import beneath, rays_of
from vinculum.collision.broad_phase import SURFACE
from vinculum.collision.narrow_phase.choice import phase_of
from vinculum.collision.narrow_phase.entry import table_of
from vinculum.contact.free_bodies import steps
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.observables import matrices
from vinculum.contact.sparse.finisher import Finisher
from vinculum.contact.sparse.packed_spheres import aligned, room
from vinculum.contact.sparse.thread_pair import dismiss, new_board
from vinculum.tolerances.contact import BODIES_WORTH_SHARING, CONTACTS_TIMED, PARTINGS, SLACK, TIMED_ANEW, TOUCH, UNEVEN
from vinculum.tolerances.sizes import PILE_RECORD


@final
class PileWork:
    """A pile on its way: ``state`` is x (n, 3) of mass centers, attitudes (n, 4), v (n, 3) and angular momenta (n, 3)."""

    def __init__(self, pile: FreeBodies, x, Q, v, L):
        n, total = pile.count, len(pile.kinds)
        self.free_bodies, self._round = pile, pile.is_round
        still = total - n
        upright = np.tile([1.0, 0.0, 0.0, 0.0], (still, 1))
        self.state = (np.concatenate([x, pile.places]), np.concatenate([Q, upright]), np.array(v), np.array(L))
        rest = np.zeros(still)
        self._shape = (pile.kinds, pile.sizes, pile.reaches, pile.offsets, pile.tilts)
        self._address = phase_of(pile.kinds)
        surfaces = pile.pool.surfaces
        self._pool = (*pile.pool.solids, *surfaces)
        self._rays = rays_of(pile.pool, surfaces)
        spins = 1.0 / pile.inertias[:, 0, 0] if self._round else np.zeros(n)
        own = np.zeros((n, 3, 3)) if self._round else np.linalg.inv(pile.inertias)
        self._inertia = (np.concatenate([1.0 / pile.masses, rest]), np.concatenate([spins, rest]), pile.inertias, own)
        center = np.concatenate([x, pile.places])
        turn = np.concatenate([np.tile(np.eye(3), (n, 1, 1)), pile.turns])
        self._scratch = (center, turn, np.zeros((total, 3, 3)), aligned((total, 8)), aligned((total, 8)), np.empty((3, 3)),
                         np.empty((3, 3)), np.zeros((n, 3)), center.copy(), self.state[1].copy())  # fmt: skip
        small = float(pile.reaches[:n].min())
        self.touch, self.slack = TOUCH * small, SLACK * small
        self._numbers = np.array([0.0, -1.0, 0.0])
        self._pairs = self._lists(8 * total + 64)
        self._contacts, self._memory = self._rows(8 * n + 64)
        uneven = float(np.sqrt(pile.masses.max() / pile.masses.min()))
        self._pushes = np.int64(steps.PUSHES * min(uneven, UNEVEN))
        self._pressed = np.empty((8 * n + 64, PILE_RECORD))
        self._pace: dict[int, float] = {}
        self._looks = 0
        self._last = Finisher()
        self._thread_pool = (1, new_board(), np.zeros((3, 3, 8)), np.zeros(5), np.zeros(n, dtype=np.int64), np.zeros(4, dtype=np.int64),
                      aligned((3, total, 8)), np.zeros(n, dtype=np.int64), self._last.entry)  # fmt: skip
        self._lengths = np.zeros(2)

    def steps(self, durations: np.ndarray, tolerance: float, most: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Status, records (taken, n, 13) and reports of the steps taken; a step that fails has a report and no record."""
        records, report = np.empty((len(durations), self.free_bodies.count, 13)), np.zeros((len(durations), 8))
        law = (self.free_bodies.mu, self.free_bodies.e, self.touch, self.slack, tolerance, most, self._pushes)
        done, begun, self._numbers[2] = 0, 0, 0.0
        while True:
            status, taken = self._taken(durations[done:], law, records[done:], report[done:])
            self._pressed[begun : int(self._numbers[2]), 0] += done
            done, begun = done + taken, int(self._numbers[2])
            if status == steps.PAIRS:
                self._grow_pairs()
            elif status == steps.CONTACTS:
                self._grow_contacts()
            elif status == steps.PRESSES:
                self._pressed = np.concatenate([self._pressed, np.empty_like(self._pressed)])
            else:
                return status, records[:done], report[: done + (status == steps.MISSED)]

    def _taken(self, durations, law, records, report) -> tuple[int, int]:
        """Status and number of steps taken with the arrays as they are, by two threads if it pays."""
        thread_pool, other = (self._threads(), *self._thread_pool[1:]), None
        who, frame, _place, _gap, arms, wide, W, weight, target, P, copies, *_ = self._contacts
        lists = (who, frame, arms, wide, W, weight, target)
        self._last.at(self._round, lists, self._inertia[:2], self.state[2], P, self._scratch[3], copies[2])
        if thread_pool[0] > 1:
            thread_pool[1][:] = 0
            job = (self._round, self._inertia, self.state[2], self._scratch, self._contacts, thread_pool)
            other = threading.Thread(target=steps.serve, args=job, daemon=True)
            other.start()
        memory, begun = (*self._memory, self._pressed), time.perf_counter()
        try:
            status, taken = steps.time_steps(durations, self.free_bodies.gravity, law, self.free_bodies.count, self._round, self._entered(),
                                             self._inertia, self.state, self._scratch, self._pairs, self._contacts, memory,
                                             self._numbers, thread_pool, records, report)  # fmt: skip
        finally:
            if other is not None:
                dismiss(thread_pool[1])
                other.join()
        self._last.check()
        work = float((report[:taken, steps.COUNT] * report[:taken, steps.SWEEPS]).sum())
        if work > CONTACTS_TIMED:
            self._pace[thread_pool[0]] = work / (time.perf_counter() - begun)
            self._looks += 1
            if self._looks % TIMED_ANEW == 0:
                self._pace.clear()
        return status, taken

    def _threads(self) -> int:
        """Two where there are many bodies, others leave a core free, and two were quicker so far; what comes out is the same."""
        cores = os.cpu_count() or 1
        busy = os.getloadavg()[0] if os.name == "posix" else 0.0
        if self.free_bodies.count < BODIES_WORTH_SHARING or cores < 2 or busy > cores + 0.5:
            return 1
        untried = [threads for threads in (2, 1) if threads not in self._pace]
        return untried[0] if untried else max(self._pace, key=self._pace.__getitem__)

    def pressed(self) -> np.ndarray:
        """Contacts that pressed in the last `steps`, (C, 12): step, both bodies, place, normal and impulse in world axes."""
        return self._pressed[: int(self._numbers[2])].copy()

    def record(self) -> np.ndarray:
        """Mass centers, attitudes, velocities and angular velocities now, (n, 13)."""
        n = self.free_bodies.count
        x, Q, v, L = self.state
        R = matrices(Q[:n])
        own = np.einsum("nji,nj->ni", R, L)
        w = np.einsum("nij,nj->ni", R, np.linalg.solve(self.free_bodies.inertias, own[:, :, None])[:, :, 0])
        return np.concatenate([x[:n], Q[:n], v, w], axis=1)

    def met(self, count: int) -> tuple[np.ndarray, ...]:
        """Bodies (count, 2), frames (count, 3, 3), places (count, 3), gaps (count,) and impulses (count, 3) of the last step's contacts."""
        who, frame, place, gap, *_, P, _copies, _order, _packed, _seats = self._contacts
        return tuple(x[:count].copy() for x in (who, frame, place, gap, P))

    def deepest(self) -> tuple[float, tuple[int, int]]:
        """The deepest penetration now [m], zero if there is none, and its two bodies."""
        m = self._look()
        if self._rays is not None:
            depth, which = np.zeros(self.free_bodies.count), np.zeros(self.free_bodies.count, dtype=np.int64)
            ways, kinds, surfaces = self._rays
            beneath(self._scratch[0], self.free_bodies.count, ways, kinds, surfaces, depth, which)
            if depth.any():
                i = int(np.argmax(depth))
                walls = np.flatnonzero((self.free_bodies.kinds == SURFACE) & (self.free_bodies.sizes[:, 0] == which[i]))
                return float(depth[i]), (i, int(walls[0]))
        gaps, who = self._contacts[3][:m], self._contacts[0]
        worst = int(np.argmin(gaps)) if m else 0
        return (max(0.0, -float(gaps[worst])), (int(who[worst, 0]), int(who[worst, 1]))) if m else (0.0, (0, 0))

    def penetrations(self) -> dict[tuple[int, int], float]:
        """Pairs that are inside each other now and how deep [m]."""
        deepest, pair = self.deepest()
        found = {pair: deepest} if deepest > 0.0 else {}
        gaps, who = self._contacts[3], self._contacts[0]
        for c in np.flatnonzero(gaps[: self._look()] < 0.0):
            pair = int(who[c, 0]), int(who[c, 1])
            found[pair] = max(found.get(pair, 0.0), -float(gaps[c]))
        return found

    def parted(self) -> tuple[float, float]:
        """Move bodies apart until none is inside another: by how much the farthest [m], and what penetration is left [m]."""
        begun, n = self.state[0].copy(), self.free_bodies.count
        for _ in range(PARTINGS):
            m = self._look()
            if not m or self._contacts[3][:m].min() >= -0.1 * self.slack:
                break
            steps.pushed_out(m, n, self._round, self._entered(), self._inertia, self.state, self._scratch, self._contacts,
                             self._thread_pool)  # fmt: skip
        self._numbers[:2] = 0.0, -1.0
        return float(np.linalg.norm(self.state[0] - begun, axis=1).max()), self.deepest()[0]

    def _entered(self) -> tuple:
        """The shapes, with the narrow phase on the arrays as they are now."""
        kinds, sizes, reaches, *_ = self._shape
        center, turn, _inverse, V = self._scratch[:4]
        arrays = (*self._pairs[:4], center, turn, kinds, sizes, V, reaches, self._lengths, *self._pool, *self._contacts[:4])  # fmt: skip
        return (*self._shape, (self._address, table_of(arrays), self._lengths))

    def _look(self) -> int:
        """How many contacts there are now."""
        while True:
            status, m = steps.look(self.free_bodies.count, self._round, self._entered(), self._inertia, self.state, self._scratch,
                                   self._pairs, self._contacts, self._numbers)  # fmt: skip
            if status == steps.PAIRS:
                self._grow_pairs()
            elif status == steps.CONTACTS:
                self._grow_contacts()
            else:
                return m

    def _lists(self, size: int) -> tuple[np.ndarray, ...]:
        n, total = self.free_bodies.count, len(self.free_bodies.kinds)
        whole = [np.zeros(size, dtype=np.int64) for _ in range(8)]
        buckets = 1 << int(np.ceil(np.log2(2 * total + 2)))
        table = np.empty(1 << int(np.ceil(np.log2(2 * size + 2))), dtype=np.int64)
        return (*whole, np.empty(buckets, dtype=np.int64), np.empty(total, dtype=np.int64), np.empty((total, 4), dtype=np.int64), table,
                np.full((n, 3), np.inf))  # fmt: skip

    def _rows(self, size: int) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        wide = 1 if self._round else size
        rows = (np.empty((size, 2), dtype=np.int64), np.empty((size, 3, 3)), np.empty((size, 3)), np.empty(size), np.empty((size, 2)),
                np.empty((wide, 4, 3, 3)), np.empty((wide, 3, 3)), np.empty((size, 2)), np.empty(size), np.empty((size, 3)),
                np.empty((3, size, 3)), np.empty(size, dtype=np.int64), *room(size if self._round else 1))  # fmt: skip
        return rows, (np.empty((size, 3)), np.empty((size, 3)))

    def _grow_pairs(self) -> None:
        old = self._pairs
        self._pairs = self._lists(2 * len(old[0]))
        for new, known in zip(self._pairs[:8], old[:8], strict=True):
            new[: len(known)] = known
        self._pairs[-1][:] = old[-1]

    def _grow_contacts(self) -> None:
        old = self._memory
        self._contacts, self._memory = self._rows(2 * len(self._contacts[0]))
        for new, known in zip(self._memory, old, strict=True):
            new[: len(known)] = known
