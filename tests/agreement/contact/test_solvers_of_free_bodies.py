"""Sweeps, gradients and the finisher on the same random problems, next to NumPy alone, and in other units."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import vinculum as vc
from free_bodies import settled_box
from vinculum.collision.arrays import Contacts
from vinculum.contact.free_bodies import steps as codes
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.contact.sparse.arrays import (
    Bodies,
    ContactProblem,
    ContactRows,
    Copies,
    Iterate,
    Pace,
    Partition,
    Settings,
    Sides,
    Solver,
    Team,
    no_resistance,
)
from vinculum.contact.sparse.block_rows import weigh_sides
from vinculum.contact.sparse.finish import finish
from vinculum.contact.sparse.finisher import Finisher
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solve
from vinculum.contact.sparse.general_rows import weigh_any
from vinculum.contact.sparse.partition import divide
from vinculum.contact.sparse.rows import Rows
from vinculum.contact.sparse.thread_pair import new_board

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
gradients = importlib.import_module("_projected_gradient").gradients

BODIES, CONTACTS = 6, 14
TIGHT = 1e-10


class Knot:
    """Bodies that touch a wall and each other wherever it may be, in units of length, time and mass."""

    def __init__(self, seed, mu, length=1.0, time=1.0, mass=1.0):
        rng = np.random.default_rng(seed)
        self.mu, n, m = mu, BODIES, CONTACTS
        self.x = rng.uniform(-1, 1, (n + 1, 3)) * length
        self.masses = rng.uniform(0.5, 2.0, n) * mass
        roots = rng.normal(size=(n, 3, 3)) * 0.3 + np.eye(3)
        self.inertias = roots @ roots.transpose(0, 2, 1) * 0.1 * mass * length**2
        self.V = rng.normal(size=(n, 6)) * ([length / time] * 3 + [1.0 / time] * 3)
        self.who = np.array([(c % n, n if c < 4 else (c + 1 + c // n) % n) for c in range(m)])
        normals = rng.normal(size=(m, 3))
        aside = np.cross(normals, rng.normal(size=(m, 3)))
        normals, aside = (a / np.linalg.norm(a, axis=1, keepdims=True) for a in (normals, aside))
        self.frame = np.stack([normals, aside, np.cross(normals, aside)], axis=1)
        self.place = self.x[self.who[:, 0]] + rng.normal(size=(m, 3)) * 0.3 * length
        self.target = np.where(rng.uniform(size=m) < 0.3, -0.5, 0.0) * length / time

    def entered(self):
        """The problem as kernels take it, and no impulses with the velocities."""
        n, m = BODIES, CONTACTS
        inverse, inverse_mass = np.zeros((n + 1, 3, 3)), np.append(1 / self.masses, 0.0)
        inverse[:n] = np.linalg.inv(self.inertias)
        wide, W, weight = np.empty((m, 4, 3, 3)), np.empty((m, 3, 3)), np.empty((m, 2))
        rows = ContactRows(self.who, self.frame, None, wide, None, W, weight)
        weigh_any(m, rows, self.place, self.x, inverse, inverse_mass)
        V = np.zeros((n + 1, 8))
        V[:n, :3], V[:n, 4:7] = self.V[:, :3], self.V[:, 3:]
        bodies, pace = Bodies(inverse_mass, np.zeros(n + 1)), Pace(self.V[:, :3], 0.0)
        problem = ContactProblem(m, False, rows, bodies, np.broadcast_to(self.mu, m).astype(float), self.target, pace)
        return problem, Iterate(np.zeros((m, 3)), V)

    def entered_as_blocks(self):
        """The same problem, in which a body is a block of six velocities."""
        m, (H, inverse) = CONTACTS, self.rows()
        first, count = 8 * np.where(self.who < BODIES, self.who, 0), np.where(self.who < BODIES, 6, 0)
        at = 18 * np.arange(2 * m).reshape(m, 2)
        flat, effect = np.zeros((m, 2, 3, 6)), np.zeros((m, 2, 3, 6))
        for c, pair in enumerate(self.who):
            for side, body in enumerate(pair):
                if body < BODIES:
                    own = slice(6 * body, 6 * body + 6)
                    flat[c, side] = H[3 * c : 3 * c + 3, own]
                    effect[c, side] = flat[c, side] @ inverse[own, own]
        sides = Sides(first, count, at, flat.ravel(), effect.ravel(), np.zeros((m, 3)), no_resistance(m))
        rows = ContactRows(self.who, self.frame, None, None, sides, np.empty((m, 3, 3)), np.empty((m, 2)))
        weigh_sides(m, rows)
        V = np.zeros((BODIES, 8))
        V[:, :6] = self.V
        cones = np.broadcast_to(self.mu, m).astype(float)
        nothing = Bodies(np.zeros(0), np.zeros(0))
        problem = ContactProblem(m, False, rows, nothing, cones, self.target, Pace(V.copy(), 0.0))
        return problem, Iterate(np.zeros((m, 3)), V)

    def by_sweeps_over_blocks(self, tolerance=TIGHT):
        problem, iterate = self.entered_as_blocks()
        every = np.arange(CONTACTS)
        parts = Partition(every, np.arange(BODIES), np.array([CONTACTS, CONTACTS, BODIES, CONTACTS]), None, None)
        return self.swept(problem, iterate, parts, tolerance)

    def by_finish_over_blocks(self, tolerance=TIGHT):
        _error, start = self.by_sweeps(1e-2)
        problem, (P, V) = self.entered_as_blocks()
        V[:, :6] = self.moved(start)
        out = P.copy()
        return finish(problem, Iterate(start, V), np.arange(CONTACTS), tolerance, out), out

    def by_sweeps(self, tolerance=TIGHT):
        problem, iterate = self.entered()
        parts = Partition(*(np.zeros(k, dtype=np.int64) for k in (CONTACTS, BODIES, 4)), None, None)
        divide(Contacts(self.who, self.frame, self.place, np.zeros(CONTACTS)), CONTACTS, self.x, parts)
        return self.swept(problem, iterate, parts, tolerance)

    def swept(self, problem, iterate, parts, tolerance):
        copies = Copies(*(Iterate(*(np.zeros_like(a) for a in iterate)) for _ in range(3)))
        last = Finisher()
        last.at(problem, iterate, parts, copies.trial.P)
        team = Team(FIRST, ALONE, new_board(), np.zeros((3, 3, 8)), parts)
        error, *_ = solve(problem, iterate, Solver(team, Settings(tolerance, 20_000), copies, last.entry))
        last.check()
        return error, iterate.P

    def by_gradients(self, tolerance=TIGHT):
        problem, iterate = self.entered()
        return gradients(Rows(np.arange(CONTACTS), problem, iterate), iterate.P, tolerance, 100_000)[:2]

    def by_finish(self, tolerance=TIGHT):
        _error, start = self.by_sweeps(1e-2)
        problem, (P, V) = self.entered()
        V[:BODIES, [0, 1, 2, 4, 5, 6]] = self.moved(start)
        out = P.copy()
        return finish(problem, Iterate(start, V), np.arange(CONTACTS), tolerance, out), out

    def rows(self):
        """H (3 m, 6 n) and M⁻¹ (6 n, 6 n) from places, normals, masses and inertias."""
        H, inverse = np.zeros((CONTACTS, 3, BODIES, 6)), np.zeros((BODIES, 6, BODIES, 6))
        for c, (i, j) in enumerate(self.who):
            for body, sign in ((i, 1.0), (j, -1.0)):
                if body < BODIES:
                    H[c, :, body, :3] = sign * self.frame[c]
                    H[c, :, body, 3:] = sign * np.cross(self.place[c] - self.x[body], self.frame[c])
        for b in range(BODIES):
            inverse[b, :3, b, :3] = np.eye(3) / self.masses[b]
            inverse[b, 3:, b, 3:] = np.linalg.inv(self.inertias[b])
        return H.reshape(3 * CONTACTS, -1), inverse.reshape(6 * BODIES, -1)

    def moved(self, P):
        """Velocities (n, 6) after impulses P."""
        H, inverse = self.rows()
        return self.V + (inverse @ H.T @ P.ravel()).reshape(-1, 6)

    def by_numpy(self):
        """Impulses as the fixed point of the projection on cones with De Saxcé's velocities, dense."""
        H, inverse = self.rows()
        W, u0 = H @ inverse @ H.T, (H @ self.V.ravel()).reshape(-1, 3) - self.target[:, None] * (1, 0, 0)
        P, step, mu = np.zeros((CONTACTS, 3)), 1 / np.linalg.eigvalsh(W).max(), self.mu
        for _ in range(100_000):
            u = u0 + (W @ P.ravel()).reshape(-1, 3)
            u[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
            Z = P - step * u
            slip = np.linalg.norm(Z[:, 1:], axis=1)
            pressed = np.maximum(0, np.where(slip <= mu * Z[:, 0], Z[:, 0], (Z[:, 0] + mu * slip) / (1 + mu**2)))
            new = np.column_stack([pressed, Z[:, 1:] * np.minimum(1, mu * pressed / np.maximum(slip, 1e-300))[:, None]])
            change, P = np.abs(new - P).max(), new
            if change <= 1e-14 * np.abs(P).max():
                break
        return P


@pytest.mark.parametrize("mu", [0.2, 0.8])
@pytest.mark.parametrize("seed", range(4))
def test_three_solvers_and_numpy_find_the_same_velocities(seed, mu):
    knot = Knot(seed, mu)
    expected = knot.moved(knot.by_numpy())
    assert np.abs(expected - knot.V).max() > 0.1
    for solver in (
        knot.by_sweeps,
        knot.by_gradients,
        knot.by_finish,
        knot.by_sweeps_over_blocks,
        knot.by_finish_over_blocks,
    ):
        error, P = solver()
        assert error <= TIGHT, solver.__name__
        np.testing.assert_allclose(knot.moved(P), expected, atol=1e-7, err_msg=solver.__name__)


@pytest.mark.parametrize("seed", range(3))
def test_every_contact_has_its_own_friction(seed):
    knot = Knot(seed, np.random.default_rng(seed).choice([0.0, 0.2, 0.8], CONTACTS))
    expected = knot.moved(knot.by_numpy())
    for solver in (knot.by_sweeps, knot.by_finish, knot.by_sweeps_over_blocks, knot.by_finish_over_blocks):
        error, P = solver()
        assert error <= TIGHT, solver.__name__
        np.testing.assert_allclose(knot.moved(P), expected, atol=1e-7, err_msg=solver.__name__)


@pytest.mark.parametrize("solver", ["by_sweeps", "by_gradients", "by_finish", "by_sweeps_over_blocks"])
def test_solvers_do_not_depend_on_units(solver):
    length, time, mass = 2.0**-10, 2.0**7, 2.0**-20
    one, other = Knot(5, 0.4), Knot(5, 0.4, length, time, mass)
    (error, P), (same, Q) = getattr(one, solver)(), getattr(other, solver)()
    assert max(error, same) <= TIGHT
    np.testing.assert_allclose(error, same, rtol=1e-3)
    np.testing.assert_allclose(Q / (mass * length / time), P, atol=1e-9 * np.abs(P).max())


def test_a_step_that_misses_its_tolerance_is_taken_as_two_halves(monkeypatch):
    """The first three attempts of this run fail, so its first step is taken in parts of an eighth, a quarter and a half."""
    system, start = settled_box()
    asked = {"until": 0.16, "start": start, "method": "moreau", "step": 5e-3, "tolerance": 1e-9}
    patient, real, missed = vc.simulate(system, **asked), FreeBodiesWork.steps, []

    def steps(self, durations, tolerance, most, *located):
        if len(missed) < 3:
            missed.append(durations[0])
            return codes.MISSED, np.empty((0, self.free_bodies.count, 13)), np.zeros((1, 8))
        return real(self, durations, tolerance, most, *located)

    monkeypatch.setattr(FreeBodiesWork, "steps", steps)
    hasty = vc.simulate(system, **asked)
    np.testing.assert_allclose(missed, 5e-3 * np.array([1, 0.5, 0.25]))
    ends = 5e-3 * np.array([1 / 8, 1 / 4, 1 / 2, 1, 2])
    np.testing.assert_allclose(hasty.record.contact_solver.times[:5], 0.5 * (ends + np.concatenate([[0.0], ends[:-1]])))
    assert "3 times a step missed the tolerance and was taken again as two halves" in hasty.record.log
    assert (
        not any("two halves" in line for line in patient.record.log)
        and hasty.record.contact_solver.residual.max() <= 1e-9
    )
    np.testing.assert_allclose(*(motion.q[-1].reshape(-1, 7)[:, 2] for motion in (patient, hasty)), atol=1e-3)
