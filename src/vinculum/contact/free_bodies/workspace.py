"""Workspace for the time steps of free bodies; the arrays grow as needed."""

import os
import threading
import time
from typing import final

import numpy as np

from vinculum.collision.arrays import Shapes
from vinculum.contact.free_bodies import steps
from vinculum.contact.free_bodies.arrays import Flight, Inertia, Law, Memory, Mounting, State, Threads, Work
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.closings import PLAIN, find_ahead, separation_speeds
from vinculum.contact.free_bodies.many_runs import Course, Kept, Starts, deepest_starts, runs_through
from vinculum.contact.free_bodies.near_shapes import NearShapes
from vinculum.contact.free_bodies.observables import matrices
from vinculum.contact.free_bodies.room import empty_contacts, empty_copies
from vinculum.contact.free_bodies.warm_start import restore_pairs
from vinculum.contact.sparse.arrays import (
    Bodies,
    ContactProblem,
    ContactRows,
    Iterate,
    Pace,
    Partition,
)
from vinculum.contact.sparse.finisher import Finisher
from vinculum.contact.sparse.packed_spheres import aligned_zeros, room
from vinculum.contact.sparse.thread_pair import dismiss, new_board
from vinculum.tolerances.contact import BODIES_WORTH_SHARING, CONTACTS_TIMED, PARTINGS, TIMED_ANEW, UNEVEN
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
        spins = 1.0 / free_bodies.inertias[:, 0, 0] if self._round else np.zeros(n)
        own = np.zeros((n, 3, 3)) if self._round else np.linalg.inv(free_bodies.inertias)
        self._bodies = Bodies(np.concatenate([1.0 / free_bodies.masses, rest]), np.concatenate([spins, rest]))
        self._inertia = Inertia(free_bodies.inertias, own)
        center = np.concatenate([x, free_bodies.places])
        turn = np.concatenate([np.tile(np.eye(3), (n, 1, 1)), free_bodies.turns])
        shapes = Shapes(center, turn, free_bodies.kinds, free_bodies.sizes, free_bodies.reaches)
        self._flight = Flight(center.copy(), self.state.Q.copy(), np.zeros((total, 3, 3)), aligned_zeros((total, 8)), np.zeros((n, 3)),
                              np.empty((3, 3)), np.empty((3, 3)))  # fmt: skip
        self._displacements = aligned_zeros((total, 8))
        self._near = NearShapes(shapes, n, free_bodies.pool, self._flight.V, 8 * total + 64, FREE_BODIES_RECORD)
        self.touch, self.slack = self._near.touch, self._near.slack
        self._make_room(8 * n + 64)
        uneven = float(np.sqrt(free_bodies.masses.max() / free_bodies.masses.min()))
        self._pushes = np.int64(steps.PUSHES * min(uneven, UNEVEN))
        self._pace: dict[int, float] = {}
        self._force_checks = 0
        self._finisher = Finisher()
        self._threads = Threads(new_board(), np.zeros((3, 3, 8)), np.zeros(4))
        self._clusters = np.zeros(n, dtype=np.int64)

    def steps(
        self, durations: np.ndarray, tolerance: float, most: int, impacts=PLAIN, swift: float = np.inf, after=0.0
    ) -> tuple[int, np.ndarray, np.ndarray]:
        """Status, records (taken, n, 13) and reports of the steps taken; a failed step has a report but no record. ``impacts``, ``swift``,
        ``after``: as in `Law`."""
        records, report = np.empty((len(durations), self.free_bodies.count, 13)), np.zeros((len(durations), 8))
        law = self._law(tolerance, most)._replace(impacts=np.int64(impacts), swift=swift, after=float(after))
        near, done, begun = self._near, 0, 0
        near.forget_records()
        while True:
            status, taken = self._take(durations[done:], law, records[done:], report[done:])
            near.pressed[begun : near.recorded, 0] += done
            done, begun = done + taken, near.recorded
            if not self._grow(status):
                return status, records[:done], report[: done + (status == steps.MISSED)]

    def take_runs(
        self, first: int, last: int, starts: Starts, course: Course, tolerance: float, most: int, kept: Kept
    ) -> None:
        """Take the runs ``first`` … ``last`` − 1 and keep what is wanted of them; see `runs_through`."""
        scratch = np.empty((course.chunk + 1, self.free_bodies.count, 13)), np.zeros((course.chunk, 8))
        law = self._law(tolerance, most)
        while first < last:
            first, status = runs_through(first, last, starts, course, law, self._ready(), scratch, kept)
            self.check_finisher()
            if not self._grow(status) and first < last:
                first += 1

    def depths_of(self, starts: Starts) -> np.ndarray:
        """The deepest penetration [m] at the beginning of every run; no shape may be below a surface."""
        depths, first = np.zeros(len(starts.x)), 0
        while first < len(depths):
            first, status = deepest_starts(first, len(depths), starts, self.arrays(), depths)
            self._grow(status)
        return depths

    def _law(self, tolerance: float, most: int) -> Law:
        e, now = self.free_bodies.e, np.int64(PLAIN)
        return Law(e, self.touch, self.slack, tolerance, most, self._pushes, now, np.inf, 0.0)

    def _ready(self) -> Work:
        """All present arrays, also for the finisher."""
        work = self.arrays()
        any_number = ContactProblem(
            0, self._round, work.rows, work.bodies, work.cones, work.targets, Pace(self.state.v, 0.0)
        )
        self.aim_finisher(any_number, Iterate(work.P, work.flight.V), work.parts)
        return work

    def _grow(self, status: int) -> bool:
        """Make the arrays larger that a status says are too small; returns False if it says nothing like that."""
        if status == steps.PAIRS:
            self._near.grow_pairs()
        elif status == steps.CONTACTS:
            self._grow_contacts()
        elif status == steps.PRESSES:
            self._near.grow_records(0)
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
        self.check_finisher()
        swept = float((report[:taken, steps.COUNT] * report[:taken, steps.SWEEPS]).sum())
        if swept > CONTACTS_TIMED:
            self._pace[threads] = swept / (time.perf_counter() - begun)
            self._force_checks += 1
            if self._force_checks % TIMED_ANEW == 0:
                self._pace.clear()
        return status, taken

    def aim_finisher(self, problem: ContactProblem, iterate: Iterate, parts: Partition) -> None:
        """Let the solvers for the last digits work on these arrays."""
        self._finisher.at(problem, iterate, parts, self._copies.trial.P)

    def check_finisher(self) -> None:
        """Raise the exception that stopped the solvers for the last digits."""
        self._finisher.check()

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
        return self._near.records()

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
        return tuple(x[:count].copy() for x in (*self._near.contacts, self._impulses))

    def forget_impulses(self) -> None:
        """Begin the next step without the impulses of the last one."""
        self._memory[0][:] = 0.0

    def closing(self, states: np.ndarray, d: float) -> tuple[np.ndarray, np.ndarray]:
        """Gaps and separation velocities (m,) of contacts that may close within d [s], for bodies with states (n, 13) as in `record`.

        The state of the run is as before.
        """
        n, V, near = self.free_bodies.count, self._flight.V, self._near
        x, Q = self.state.x[:n].copy(), self.state.Q[:n].copy()
        self.state.x[:n], self.state.Q[:n], V[:n, :3], V[:n, 4:7] = np.split(states, [3, 7, 10], axis=1)
        while True:
            count, m = find_ahead(d, self.arrays())
            status = steps.PAIRS if count > len(near.pairs.now.first) else steps.DONE
            if not self._grow(steps.CONTACTS if m > len(near.contacts.gap) else status):
                break
        found = near.contacts.gap[:m].copy(), separation_speeds(near.contacts, int(m), self.state.x, V)
        restore_pairs(near.pairs, near.counts)
        self.state.x[:n], self.state.Q[:n] = x, Q
        return found

    def deepest(self) -> tuple[float, tuple[int, int]]:
        """The deepest present penetration [m], zero if there is none, and its two bodies."""
        found = self.penetrations()
        pair = max(found, key=found.__getitem__, default=(0, 0))
        return found.get(pair, 0.0), pair

    def penetrations(self) -> dict[tuple[int, int], float]:
        """Pairs that penetrate each other at present, and their depths [m]."""
        found = self._near.penetrations(self._look())
        return found | self._near.beneath()

    def move_apart(self) -> tuple[float, float]:
        """Move bodies apart until none penetrates another; returns the largest displacement [m] and the remaining penetration [m]."""
        begun = self.state.x.copy()
        for _ in range(PARTINGS):
            m = self._look()
            if not m or self._near.contacts.gap[:m].min() >= -0.1 * self.slack:
                break
            steps.separate(m, self.arrays())
        self._near.list_anew()
        return float(np.linalg.norm(self.state.x - begun, axis=1).max()), self.deepest()[0]

    def closed_contacts(self, within: float) -> int:
        """The number of contacts at present whose gaps are below ``within`` [m], or at which bodies touch; only these are kept."""
        return self._near.keep_closed(self._look(), within)

    def arrays(self) -> Work:
        """All present arrays."""
        free_bodies, near = self.free_bodies, self._near
        return Work(
            is_round=self._round, gravity=free_bodies.gravity, shapes=near.placed,
            mounting=Mounting(free_bodies.offsets, free_bodies.tilts), entry=near.entry(), bodies=self._bodies,
            inertia=self._inertia, state=self.state, flight=self._flight, pairs=near.pairs,
            contacts=near.contacts, rows=self._rows, cones=self._cones, targets=self._targets,
            P=self._impulses, D=self._displacements, copies=self._copies, parts=self._parts,
            memory=Memory(*self._memory, near.pressed), counts=near.counts, clusters=self._clusters, threads=self._threads,
            finisher=self._finisher.entry,
        )  # fmt: skip

    def _look(self) -> int:
        """Present number of contacts."""
        while True:
            status, m = steps.look(self.arrays())
            if not self._grow(status):
                return m

    def _make_room(self, size: int) -> None:
        """Allocate arrays for ``size`` contacts; the stored impulses are empty."""
        n, total = self.free_bodies.count, len(self.free_bodies.kinds)
        self._near.contacts = contacts = empty_contacts(size)
        arms, packed = (np.empty((size, 2)), room(size)) if self._round else (None, (None, None))
        wide, W = (None, None) if self._round else (np.empty((size, 4, 3, 3)), np.empty((size, 3, 3)))
        self._rows = ContactRows(contacts.who, contacts.frame, arms, wide, None, W, np.empty((size, 2)))
        self._cones, self._targets = np.full(size, self.free_bodies.mu), np.empty(size)
        self._impulses = np.empty((size, 3))
        self._copies = empty_copies(size, total)
        order, people, cut = (np.zeros(k, dtype=np.int64) for k in (size, n, 4))
        self._parts = Partition(order, people, cut, *packed, np.zeros(3, dtype=np.int64) if self._round else None)
        self._memory = np.empty((size, 3)), np.empty((size, 3))

    def _grow_contacts(self) -> None:
        old = self._memory
        self._make_room(2 * len(self._near.contacts.gap))
        for new, known in zip(self._memory, old, strict=True):
            new[: len(known)] = known
