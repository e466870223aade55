"""Twenty recorded contact problems, by every method of the library: iterations, time and residual.

The problems are files in benchmarks/contact_problems; docs/contact/problems.md describes them. Every method starts from zero impulses,
those with factorizations after `BEGUN` sweeps. One iteration is a sweep, a gradient step, or a factorization.
"""

import ctypes
import time

import numpy as np
from _cases import report, sized
from _contact_problems_files import RecordedProblem, every_problem
from _projected_gradient import gradients

from vinculum.contact.sparse.arrays import (
    Bodies,
    ContactProblem,
    ContactRows,
    Copies,
    FinisherEntry,
    Iterate,
    Pace,
    Partition,
    Settings,
    Solver,
    Team,
)
from vinculum.contact.sparse.finish import DRIFTS, finish
from vinculum.contact.sparse.finisher import TOLD
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solve
from vinculum.contact.sparse.general_rows import weigh_any
from vinculum.contact.sparse.interior_point import interior
from vinculum.contact.sparse.newton import solve_impulses
from vinculum.contact.sparse.packed_spheres import aligned_zeros
from vinculum.contact.sparse.rows import Rows
from vinculum.contact.sparse.shared_sweeps import SWEEP, run_pass
from vinculum.contact.sparse.thread_pair import new_board
from vinculum.tolerances.contact import CONTACTS_WORTH_FACTORS, FACTORS_AFTER_SWEEPS

TOLERANCES = sized((1e-4, 1e-6), (1e-3,))
MOST_SWEEPS, MOST_GRADIENTS, BEGUN, LOOK = sized(4000, 50), sized(1000, 20), 30, 10
NAMES = sized(None, ("stack-1", "heavy-above-1"))


class Loaded:
    """A problem in the arrays of the solvers, with impulses zero."""

    def __init__(self, one: RecordedProblem):
        n, m = len(one.x), len(one.bodies)
        who = np.where(one.bodies < 0, n, one.bodies).astype(np.int64)
        frame = np.stack([one.normal, one.tangent, np.cross(one.normal, one.tangent)], axis=1)
        rows = ContactRows(who, frame, None, np.empty((m, 4, 3, 3)), None, np.empty((m, 3, 3)), np.empty((m, 2)))
        inverse_mass = np.append(one.inverse_mass, 0.0)
        inverse = np.concatenate([one.inverse_inertia, np.zeros((1, 3, 3))])
        weigh_any(m, rows, one.point, np.concatenate([one.x, np.zeros((1, 3))]), inverse, inverse_mass)
        pace = Pace(one.before.copy(), float(one.pull))
        self.problem = ContactProblem(m, False, rows, Bodies(inverse_mass, np.zeros(n + 1)), one.friction.copy(),
                                      one.target.copy(), pace)  # fmt: skip
        self.iterate = Iterate(np.zeros((m, 3)), aligned_zeros((n + 1, 8)))
        self.iterate.V[:n, :3], self.iterate.V[:n, 4:7] = one.free[:, :3], one.free[:, 3:]
        order, people, cut = np.arange(m), np.arange(n), np.array([m, m, n, m])
        copies = Copies(*(Iterate(np.empty((m, 3)), aligned_zeros((n + 1, 8))) for _ in Copies._fields))
        self._keep = ctypes.CFUNCTYPE(None, ctypes.c_int64)(
            lambda _: copies.trial.P.__setitem__(slice(None), self.iterate.P)
        )
        nothing = FinisherEntry(ctypes.cast(self._keep, ctypes.c_void_p).value or 0, np.zeros(TOLD))
        self._team, self._copies, self._nothing = (
            Team(FIRST, ALONE, new_board(), np.zeros((3, 3, 8)), Partition(order, people, cut, None, None)),
            copies,
            nothing,
        )

    def rows(self) -> Rows:
        """The sparse rows at the present impulses."""
        return Rows(np.arange(self.problem.m), self.problem, self.iterate)

    def sweep(self) -> None:
        """One plain sweep."""
        run_pass(SWEEP, self._team, 0, self.problem, self.iterate)

    def solve(self, tolerance: float, most: int) -> int:
        """Sweeps with momentum and extrapolation, without a finisher; how many."""
        solver = Solver(self._team, Settings(tolerance, np.int64(most)), self._copies, self._nothing)
        return int(solve(self.problem, self.iterate, solver)[1])


def plain_sweeps(one: Loaded, tolerance: float) -> tuple[int, np.ndarray]:
    rows, k = one.rows(), 0
    while k < MOST_SWEEPS:
        one.sweep()
        k += 1
        if k % LOOK == 0 and rows.residual(one.iterate.P) <= tolerance:
            break
    return k, one.iterate.P


def sweeps_with_momentum(one: Loaded, tolerance: float) -> tuple[int, np.ndarray]:
    return one.solve(tolerance, MOST_SWEEPS), one.iterate.P


def projected_gradient(one: Loaded, tolerance: float) -> tuple[int, np.ndarray]:
    _, found, count = gradients(one.rows(), one.iterate.P.copy(), tolerance, MOST_GRADIENTS)
    return count, found


def _factorized(one: Loaded, work) -> tuple[int, np.ndarray]:
    """Factorizations and impulses of a method that starts after some sweeps; too many contacts are left out."""
    if one.problem.m > CONTACTS_WORTH_FACTORS:
        return 0, one.iterate.P * np.nan
    for _ in range(BEGUN):
        one.sweep()
    counted, factors = [0], Rows.factors

    def counting(rows, D):
        counted[0] += 1
        return factors(rows, D)

    Rows.factors = counting
    try:
        with np.errstate(all="ignore"):
            return_value = work(one.rows(), one.iterate.P.copy())
    finally:
        Rows.factors = factors
    return counted[0], return_value


def interior_point(one: Loaded, tolerance: float) -> tuple[int, np.ndarray]:
    return _factorized(one, lambda rows, P: interior(rows, P, 1.0, tolerance)[1])


def newton(one: Loaded, tolerance: float) -> tuple[int, np.ndarray]:
    return _factorized(one, lambda rows, P: solve_impulses(rows, P, DRIFTS[0], tolerance, FACTORS_AFTER_SWEEPS)[1])


def finisher(one: Loaded, tolerance: float) -> tuple[int, np.ndarray]:
    def work(rows, P):
        out = P.copy()
        finish(one.problem, one.iterate, np.arange(one.problem.m), tolerance, out)
        return out

    return _factorized(one, work)


METHODS = {"plain sweeps": plain_sweeps, "sweeps with momentum": sweeps_with_momentum,
           "projected gradient": projected_gradient, "interior point": interior_point, "Newton": newton,
           "interior point, then Newton": finisher}  # fmt: skip


def measure(name: str, recorded: RecordedProblem) -> dict:
    """One row: for every tolerance and method its iterations and its time, where it reaches the tolerance; else the residual."""
    row: dict = {"problem": name, "bodies": len(recorded.x), "contacts": len(recorded.bodies)}
    for tolerance in TOLERANCES:
        for method, work in METHODS.items():
            one = Loaded(recorded)
            began = time.process_time()
            count, P = work(one, tolerance)
            took = 1e3 * (time.process_time() - began)
            if np.isfinite(P).all():
                residual = Loaded(recorded).rows().residual(P)
                told = f"{count}, {took:.3g} ms" if residual <= tolerance else f"{count}: {residual:.0e}"
            else:
                told = None
            row[f"{method}, {tolerance:g}"] = told
    return row


def main() -> None:
    problems = every_problem()
    rows = []
    for name in NAMES or problems:
        measure(name, problems[name]) if not rows else None  # compiles
        rows.append(measure(name, problems[name]))
        print(rows[-1], flush=True)
    report("contact_problems", rows)


if __name__ == "__main__":
    main()
