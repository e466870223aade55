"""Time loop of splitting methods whose main part is solved, eight runs at a time."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.geometry.hamiltonian.symplectic.lanes import set_row
from vinculum.tolerances.steps import KEPLER_IMPROVED, KEPLER_ROUNDS

S, CHANGE = 13, 3
"""Row of the anomaly among given and found ones; row of its change among what improves it."""


class Bodies(NamedTuple):
    """Kepler motions in groups of eight, over all of them and all runs: for every lane of a group the body and the run."""

    q: np.ndarray
    """Rows of the coordinates in the state, (bodies, 3); momenta are n rows further."""
    mass: np.ndarray
    mu: np.ndarray
    body: np.ndarray
    """(groups, 8)."""
    run: np.ndarray
    """(groups, 8)."""
    filled: np.ndarray
    """Lanes of each group that are not repeated, (groups,)."""


class Linear(NamedTuple):
    """Rows (k,) of the state that quadratic parts move, and by length of flow exp(τ J S) − 1 (lengths, k, k)."""

    rows: np.ndarray
    change: np.ndarray


class Solver(NamedTuple):
    """Addresses of the tapes of Kepler's motion and of the kicks, and their arrays."""

    begin: int
    improve: int
    finish: int
    kick: int
    u: np.ndarray
    """Given and found rows of a group, (16, 8)."""
    found: np.ndarray
    """(8, 8)."""
    improved: np.ndarray
    """(4, 8)."""
    added: np.ndarray
    """Of position and velocity, and what Kepler's equation is missed by, (7, 8)."""
    frozen: np.ndarray
    """Lanes whose anomaly is found: their bits do not depend on their neighbors, (8,)."""


@njit(nogil=True, cache=True)
def add_one(x, carry, i, j, change):
    """x[i, j] += change, with what rounding lost before (Kahan)."""
    rest = change - carry[i, j]
    total = x[i, j] + rest
    carry[i, j] = (total - x[i, j]) - rest
    x[i, j] = total


@njit(nogil=True, cache=True)
def _kepler(solver, bodies, x, carry, n, span):
    """Move all Kepler motions by a span of time; those that cannot be solved become not a number."""
    u, found, improved, added, frozen = solver.u, solver.found, solver.improved, solver.added, solver.frozen
    for g in range(len(bodies.filled)):
        for j in range(WIDTH):
            b, run = bodies.body[g, j], bodies.run[g, j]
            for i in range(3):
                u[i, j] = x[bodies.q[b, i], run]
                u[3 + i, j] = x[n + bodies.q[b, i], run] / bodies.mass[b]
            u[6, j] = bodies.mu[b]
            u[7, j] = span
        run_lanes(solver.begin, u, found)
        for i in range(8):
            for j in range(WIDTH):
                u[8 + i, j] = found[i, j]
                frozen[j] = False
        for _ in range(KEPLER_ROUNDS):
            run_lanes(solver.improve, u, improved)
            done = True
            for j in range(WIDTH):
                if not frozen[j]:
                    for i in range(3):
                        u[S + i, j] = improved[i, j]
                    frozen[j] = not improved[CHANGE, j] > KEPLER_IMPROVED * abs(improved[0, j])
                    done = done and frozen[j]
            if done:
                break
        run_lanes(solver.finish, u, added)
        for j in range(bodies.filled[g]):
            b, run = bodies.body[g, j], bodies.run[g, j]
            lost = not added[6, j] <= 0.0
            for i in range(3):
                add_one(x, carry, bodies.q[b, i], run, np.nan if lost else added[i, j])
                add_one(x, carry, n + bodies.q[b, i], run, bodies.mass[b] * added[3 + i, j])


@njit(nogil=True, cache=True)
def _turn(linear, change, x, carry, old, live):
    """Move the rows of quadratic parts by a flow."""
    k = len(linear.rows)
    for i in range(k):
        for j in range(live):
            old[i, j] = x[linear.rows[i], j]
    for i in range(k):
        for j in range(live):
            total = 0.0
            for l in range(k):
                total += change[i, l] * old[l, j]
            add_one(x, carry, linear.rows[i], j, total)


@njit(nogil=True, cache=True)
def perturbed_steps(solver, bodies, linear, x, sizes, plan, lengths, states):
    """Flows of the main part and kicks in turn; the last flow of a step and the first of the next are one where nothing is recorded.

    ``sizes``: coordinates, and runs that are not repeated. ``lengths``: of flows (s + 2,) in steps, of which the last is the sum of the
    first and the last of a step, and of kicks (s,); ``linear.change`` has one matrix for each flow.
    ``states``: (records, 2n, 8). Returns the number of records, smaller if no lane is finite any more.
    """
    t, h, count, every = plan
    n, live = sizes
    flows, kicks = lengths
    s = len(kicks)
    k, carry, old = np.empty((n, WIDTH)), np.zeros((2 * n, WIDTH)), np.empty((max(1, len(linear.rows)), WIDTH))
    joined, record = False, 0
    for step in range(count):
        passed = 0.0
        for i in range(s):
            which = s + 1 if joined and i == 0 else i
            _kepler(solver, bodies, x, carry, n, flows[which] * h)
            _turn(linear, linear.change[which], x, carry, old, live)
            passed += flows[i]
            set_row(x, 2 * n, t + (step + passed) * h)
            run_lanes(solver.kick, x, k)
            for row in range(n):
                for j in range(live):
                    add_one(x, carry, n + row, j, kicks[i] * h * k[row, j])
        joined = (step + 1) % every != 0
        if not joined:
            _kepler(solver, bodies, x, carry, n, flows[s] * h)
            _turn(linear, linear.change[s], x, carry, old, live)
            some = False
            for j in range(live):
                good = True
                for i in range(2 * n):
                    states[record, i, j] = x[i, j]
                    good = good and np.isfinite(x[i, j])
                some = some or good
            record += 1
            if not some:
                return record
    return record
