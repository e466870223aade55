"""Workspace for the time steps of free bodies; the arrays grow as needed."""

import os
import threading
import time
from typing import final

import numpy as np

from vinculum.collision.arrays import Contacts, Polyhedra, Shapes
from vinculum.collision.beneath import beneath, rays_of
from vinculum.collision.broad_phase import SURFACE
from vinculum.collision.narrow_phase.choice import phase_of
from vinculum.collision.narrow_phase.entry import Entry, entry_of
from vinculum.contact.free_bodies import steps
from vinculum.contact.free_bodies.arrays import (
    LISTED,
    MARGIN,
    RECORDED,
    Flight,
    Inertia,
    Law,
    Memory,
    Mounting,
    State,
    Threads,
    Work,
)
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.many_runs import Course, Kept, Starts, deepest_starts, runs_through
from vinculum.contact.free_bodies.observables import matrices
from vinculum.contact.free_bodies.pair_lists import empty_pairs, grow_pairs
from vinculum.contact.sparse.arrays import Bodies, ContactProblem, ContactRows, Copies, Iterate, Pace, Partition
from vinculum.contact.sparse.finisher import Finisher
from vinculum.contact.sparse.packed_spheres import aligned_zeros, room
from vinculum.contact.sparse.thread_pair import dismiss, new_board
from vinculum.tolerances.contact import BODIES_WORTH_SHARING, CONTACTS_TIMED, PARTINGS, SLACK, TIMED_ANEW, TOUCH, UNEVEN
from vinculum.tolerances.sizes import FREE_BODIES_RECORD


@final
class FreeBodiesWork:
    """Free bodies during a run: ``state`` is x (n, 3) of mass centers, attitudes (n, 4), v (n, 3) and angular momenta (n, 3)."""

    def __init__(self, free_bodies: FreeBodies, x, Q, v, L):
        n, total = free_bodies.count, len(free_bodies.kinds)
        self.free_bodies, self._round = free_bodies, free_bodies.is_round
        still = total - n
        upright = np.tile([1.0, 0.0, 0.0, 0.0], (still, 1))
        self.state = State(
            np.concatenate([x, free_bodies.places]), np.concatenate([Q, upright]), np.array(v), np.array(L)
        )
        rest = np.zeros(still)
        self._address = phase_of(free_bodies.kinds)
        self._polyhedra = Polyhedra(*free_bodies.pool.solids, free_bodies.pool.surfaces)
        self._rays = rays_of(free_bodies.pool)
        spins = 1.0 / free_bodies.inertias[:, 0, 0] if self._round else np.zeros(n)
        own = np.zeros((n, 3, 3)) if self._round else np.linalg.inv(free_bodies.inertias)
        self._bodies = Bodies(np.concatenate([1.0 / free_bodies.masses, rest]), np.concatenate([spins, rest]))
        self._inertia = Inertia(free_bodies.inertias, own)
        center = np.concatenate([x, free_bodies.places])
        turn = np.concatenate([np.tile(np.eye(3), (n, 1, 1)), free_bodies.turns])
        self._shapes = Shapes(center, turn, free_bodies.kinds, free_bodies.sizes, free_bodies.reaches)
        self._flight = Flight(center.copy(), self.state.Q.copy(), np.zeros((total, 3, 3)), aligned_zeros((total, 8)), np.zeros((n, 3)),
                              np.empty((3, 3)), np.empty((3, 3)))  # fmt: skip
        self._displacements = aligned_zeros((total, 8))
        small = float(free_bodies.reaches[:n].min())
        self.touch, self.slack = TOUCH * small, SLACK * small
        self._counts = np.array([0.0, -1.0, 0.0])
        self._pairs = empty_pairs(n, total, 8 * total + 64)
        self._make_room(8 * n + 64)
        uneven = float(np.sqrt(free_bodies.masses.max() / free_bodies.masses.min()))
        self._pushes = np.int64(steps.PUSHES * min(uneven, UNEVEN))
        self._pressed = np.empty((8 * n + 64, FREE_BODIES_RECORD))
        self._pace: dict[int, float] = {}
        self._looks = 0
        self._finisher = Finisher()
        self._threads = Threads(new_board(), np.zeros((3, 3, 8)), np.zeros(4))
        self._clusters = np.zeros(n, dtype=np.int64)

    def steps(self, durations: np.ndarray, tolerance: float, most: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Status, records (taken, n, 13) and reports of the steps taken; a failed step has a report but no record."""
        records, report = np.empty((len(durations), self.free_bodies.count, 13)), np.zeros((len(durations), 8))
        law = self._law(tolerance, most)
        done, begun, self._counts[RECORDED] = 0, 0, 0.0
        while True:
            status, taken = self._take(durations[done:], law, records[done:], report[done:])
            self._pressed[begun : int(self._counts[RECORDED]), 0] += done
            done, begun = done + taken, int(self._counts[RECORDED])
            if not self._grow(status):
                return status, records[:done], report[: done + (status == steps.MISSED)]

    def take_runs(
        self, first: int, last: int, starts: Starts, course: Course, tolerance: float, most: int, kept: Kept
    ) -> None:
        """Take the runs ``first`` … ``last`` − 1 and keep what is wanted of them; see `runs_through`."""
        records = np.empty((course.chunk + 1, self.free_bodies.count, 13))
        report, law = np.zeros((course.chunk, 8)), self._law(tolerance, most)
        while first < last:
            first, status = runs_through(first, last, starts, course, law, self._ready(), records, report, kept)
            self._finisher.check()
            if not self._grow(status) and first < last:
                first += 1

    def depths_of(self, starts: Starts) -> np.ndarray:
        """The deepest penetration [m] at the beginning of every run; no shape may be below a surface."""
        depths, first = np.zeros(len(starts.x)), 0
        while first < len(depths):
            first, status = deepest_starts(first, len(depths), starts, self._work(), depths)
            self._grow(status)
        return depths

    def _law(self, tolerance: float, most: int) -> Law:
        return Law(self.free_bodies.e, self.touch, self.slack, tolerance, most, self._pushes)

    def _ready(self) -> Work:
        """All present arrays, also for the finisher."""
        work = self._work()
        any_number = ContactProblem(
            0, self._round, work.rows, work.bodies, work.cones, work.targets, Pace(self.state.v, 0.0)
        )
        self._finisher.at(any_number, Iterate(work.P, work.flight.V), work.copies.trial.P)
        return work

    def _grow(self, status: int) -> bool:
        """Make the arrays larger that a status says are too small; returns False if it says nothing like that."""
        if status == steps.PAIRS:
            self._pairs = grow_pairs(self._pairs)
        elif status == steps.CONTACTS:
            self._grow_contacts()
        elif status == steps.PRESSES:
            self._pressed = np.concatenate([self._pressed, np.empty_like(self._pressed)])
        else:
            return False
        return True

    def _take(self, durations: np.ndarray, law: Law, records: np.ndarray, report: np.ndarray) -> tuple[int, int]:
        """Status and number of steps taken with the present arrays, by two threads if that is faster."""
        threads, work, other = self._thread_count(), self._ready(), None
        if threads > 1:
            work.threads.board[:] = 0
            other = threading.Thread(target=steps.serve, args=(work,), daemon=True)
            other.start()
        begun = time.perf_counter()
        try:
            status, taken = steps.time_steps(durations, threads, law, work, records, report)
        finally:
            if other is not None:
                dismiss(work.threads.board)
                other.join()
        self._finisher.check()
        swept = float((report[:taken, steps.COUNT] * report[:taken, steps.SWEEPS]).sum())
        if swept > CONTACTS_TIMED:
            self._pace[threads] = swept / (time.perf_counter() - begun)
            self._looks += 1
            if self._looks % TIMED_ANEW == 0:
                self._pace.clear()
        return status, taken

    def _thread_count(self) -> int:
        """Number of threads; the results do not depend on it.

        Two if there are many bodies, a core is free, and two threads were faster so far.
        """
        cores = os.cpu_count() or 1
        busy = os.getloadavg()[0] if os.name == "posix" else 0.0
        if self.free_bodies.count < BODIES_WORTH_SHARING or cores < 2 or busy > cores + 0.5:
            return 1
        untried = [threads for threads in (2, 1) if threads not in self._pace]
        return untried[0] if untried else max(self._pace, key=self._pace.__getitem__)

    def pressing_contacts(self) -> np.ndarray:
        """Active contacts of the last `steps`, (C, 12): step, both bodies, position, normal and impulse in world axes."""
        return self._pressed[: int(self._counts[RECORDED])].copy()

    def record(self) -> np.ndarray:
        """Present mass centers, attitudes, velocities and angular velocities, (n, 13)."""
        n = self.free_bodies.count
        x, Q, v, L = self.state
        R = matrices(Q[:n])
        own = np.einsum("nji,nj->ni", R, L)
        w = np.einsum("nij,nj->ni", R, np.linalg.solve(self.free_bodies.inertias, own[:, :, None])[:, :, 0])
        return np.concatenate([x[:n], Q[:n], v, w], axis=1)

    def last_contacts(self, count: int) -> tuple[np.ndarray, ...]:
        """Bodies (count, 2), frames (count, 3, 3), positions (count, 3), gaps (count,) and impulses (count, 3) of the last step's
        contacts.
        """
        return tuple(x[:count].copy() for x in (*self._contacts, self._impulses))

    def deepest(self) -> tuple[float, tuple[int, int]]:
        """The deepest present penetration [m], zero if there is none, and its two bodies."""
        m = self._look()
        if self._rays is not None:
            depth, which = np.zeros(self.free_bodies.count), np.zeros(self.free_bodies.count, dtype=np.int64)
            ways, kinds, surfaces = self._rays
            beneath(self._shapes.center, self.free_bodies.count, ways, kinds, surfaces, depth, which)
            if depth.any():
                i = int(np.argmax(depth))
                walls = np.flatnonzero((self.free_bodies.kinds == SURFACE) & (self.free_bodies.sizes[:, 0] == which[i]))
                return float(depth[i]), (i, int(walls[0]))
        gaps, who = self._contacts.gap[:m], self._contacts.who
        worst = int(np.argmin(gaps)) if m else 0
        return (max(0.0, -float(gaps[worst])), (int(who[worst, 0]), int(who[worst, 1]))) if m else (0.0, (0, 0))

    def penetrations(self) -> dict[tuple[int, int], float]:
        """Pairs that penetrate each other at present, and their depths [m]."""
        deepest, pair = self.deepest()
        found = {pair: deepest} if deepest > 0.0 else {}
        gaps, who = self._contacts.gap, self._contacts.who
        for c in np.flatnonzero(gaps[: self._look()] < 0.0):
            pair = int(who[c, 0]), int(who[c, 1])
            found[pair] = max(found.get(pair, 0.0), -float(gaps[c]))
        return found

    def move_apart(self) -> tuple[float, float]:
        """Move bodies apart until none penetrates another; returns the largest displacement [m] and the remaining penetration [m]."""
        begun = self.state.x.copy()
        for _ in range(PARTINGS):
            m = self._look()
            if not m or self._contacts.gap[:m].min() >= -0.1 * self.slack:
                break
            steps.separate(m, self._work())
        self._counts[LISTED], self._counts[MARGIN] = 0.0, -1.0
        return float(np.linalg.norm(self.state.x - begun, axis=1).max()), self.deepest()[0]

    def _entry(self) -> Entry:
        """The narrow phase on the present arrays."""
        return entry_of(self._address, self._pairs.now, self._shapes, self._flight.V, self._contacts, self._polyhedra)

    def _work(self) -> Work:
        """All present arrays."""
        free_bodies = self.free_bodies
        return Work(
            is_round=self._round, gravity=free_bodies.gravity, shapes=self._shapes,
            mounting=Mounting(free_bodies.offsets, free_bodies.tilts), entry=self._entry(), bodies=self._bodies,
            inertia=self._inertia, state=self.state, flight=self._flight, pairs=self._pairs,
            contacts=self._contacts, rows=self._rows, cones=self._cones, targets=self._targets,
            P=self._impulses, D=self._displacements, copies=self._copies, parts=self._parts,
            memory=Memory(*self._memory, self._pressed), counts=self._counts, clusters=self._clusters, threads=self._threads,
            finisher=self._finisher.entry,
        )  # fmt: skip

    def _look(self) -> int:
        """Present number of contacts."""
        while True:
            status, m = steps.look(self._work())
            if not self._grow(status):
                return m

    def _make_room(self, size: int) -> None:
        """Allocate arrays for ``size`` contacts; the stored impulses are empty."""
        n, total = self.free_bodies.count, len(self.free_bodies.kinds)
        who, frame = np.empty((size, 2), dtype=np.int64), np.empty((size, 3, 3))
        self._contacts = Contacts(who, frame, np.empty((size, 3)), np.empty(size))
        arms, packed = (np.empty((size, 2)), room(size)) if self._round else (None, (None, None))
        wide, W = (None, None) if self._round else (np.empty((size, 4, 3, 3)), np.empty((size, 3, 3)))
        self._rows = ContactRows(who, frame, arms, wide, None, W, np.empty((size, 2)))
        self._cones, self._targets = np.full(size, self.free_bodies.mu), np.empty(size)
        self._impulses = np.empty((size, 3))
        self._copies = Copies(*(Iterate(np.empty((size, 3)), aligned_zeros((total, 8))) for _ in Copies._fields))
        order, people, cut = (np.zeros(k, dtype=np.int64) for k in (size, n, 4))
        self._parts = Partition(order, people, cut, *packed)
        self._memory = np.empty((size, 3)), np.empty((size, 3))

    def _grow_contacts(self) -> None:
        old = self._memory
        self._make_room(2 * len(self._contacts.gap))
        for new, known in zip(self._memory, old, strict=True):
            new[: len(known)] = known
