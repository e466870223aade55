"""Many runs of the same free bodies, one after the other in compiled code. Runs are islands: no contact joins two of them."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.arrays import LISTED, MARGIN, RECORDED
from vinculum.contact.free_bodies.steps import DONE, look, time_steps
from vinculum.contact.sparse.gauss_seidel import ALONE

FAST = np.int64(-1)
"""How a run ended in which a body moved so far in a step that it may have passed through another."""


class Starts(NamedTuple):
    """Mass centers x (B, n, 3), attitudes Q (B, n, 4), velocities v (B, n, 3), angular momenta L (B, n, 3) and angular velocities w
    (B, n, 3) in world axes, at the beginning of B runs."""

    x: np.ndarray
    Q: np.ndarray
    v: np.ndarray
    L: np.ndarray
    w: np.ndarray


class Course(NamedTuple):
    """What all runs have in common."""

    durations: np.ndarray
    """Those of all steps [s]."""
    chunk: int
    """Number of steps that are taken at once."""
    wanted: np.ndarray
    """Numbers of the steps whose ends are kept (T,), in ascending order."""
    far: float
    """Distance [m] that a body may move in a step without a check for passages."""
    off: float
    """Largest distance [m] of a shape from the mass center of its body."""


class Kept(NamedTuple):
    """What is kept of every run."""

    ends: np.ndarray
    """Records at both ends of the steps that are wanted (B, T, 2, n, 13), as in `time_steps`."""
    how: np.ndarray
    """Status of its last step (B,), or `FAST`."""
    halt: np.ndarray
    """(1,): not zero once the user has stopped the runs."""


@njit(nogil=True, cache=True, error_model="numpy")
def runs_through(first, last, starts, course, law, work, scratch, kept):
    """Take the runs ``first`` … ``last`` − 1; returns the number of a run for which the arrays are too small, and the status that says
    which of them; ``last`` if there is none. ``scratch``: records (chunk + 1, n, 13) and a report (chunk, 8)."""
    records, report = scratch
    durations, chunk, wanted, far, off = course
    count = len(durations)
    for r in range(first, last):
        if kept.halt[0]:
            return last, DONE
        put_start(r, starts, work)
        _put_record(r, starts, records[chunk])
        done, next_wanted, status = 0, 0, DONE
        while done < count:
            size = min(chunk, count - done)
            records[0] = records[chunk]
            work.counts[RECORDED] = 0.0
            status, _taken = time_steps(
                durations[done : done + size], ALONE, law, work, records[1 : size + 1], report[:size]
            )
            if status == DONE and _is_fast(records[: size + 1], durations[done : done + size], far, off):
                status = FAST
            if status != DONE:
                break
            while next_wanted < len(wanted) and wanted[next_wanted] < done + size:
                here = wanted[next_wanted] - done
                kept.ends[r, next_wanted, 0] = records[here]
                kept.ends[r, next_wanted, 1] = records[here + 1]
                next_wanted += 1
            records[chunk] = records[size]
            done += size
        kept.how[r] = status
        if status > DONE:
            return r, status
    return last, DONE


@njit(nogil=True, cache=True, error_model="numpy")
def deepest_starts(first, last, starts, work, depths):
    """Write the deepest penetration [m] at the beginning of the runs ``first`` … ``last`` − 1; returns as `runs_through` does."""
    for r in range(first, last):
        put_start(r, starts, work)
        status, m = look(work)
        if status != DONE:
            return r, status
        depths[r] = 0.0
        for c in range(m):
            depths[r] = max(depths[r], -work.contacts.gap[c])
    return last, DONE


@njit(nogil=True, cache=True, error_model="numpy")
def put_start(r, starts, work):
    """Write the start of a run to the state, and forget the pairs and impulses of the run before."""
    state = work.state
    for i in range(len(state.v)):
        for k in range(3):
            state.x[i, k], state.v[i, k], state.L[i, k] = starts.x[r, i, k], starts.v[r, i, k], starts.L[r, i, k]
        for k in range(4):
            state.Q[i, k] = starts.Q[r, i, k]
    work.counts[LISTED], work.counts[MARGIN], work.counts[RECORDED] = 0.0, -1.0, 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _put_record(r, starts, record):
    for i in range(len(record)):
        for k in range(3):
            record[i, k], record[i, 7 + k] = starts.x[r, i, k], starts.v[r, i, k]
            record[i, 10 + k] = starts.w[r, i, k]
        for k in range(4):
            record[i, 3 + k] = starts.Q[r, i, k]


@njit(nogil=True, cache=True, error_model="numpy")
def _is_fast(records, durations, far, off):
    """Whether the center of some shape may have moved farther than ``far`` in a step. By a rotation it moves at most by its distance
    from the mass center times the angle, which is less than that of both angular velocities together."""
    for k in range(len(durations)):
        for i in range(records.shape[1]):
            a, b = records[k, i], records[k + 1, i]
            way = np.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2)
            if off > 0.0:
                spins = np.sqrt(a[10] ** 2 + a[11] ** 2 + a[12] ** 2) + np.sqrt(b[10] ** 2 + b[11] ** 2 + b[12] ** 2)
                way += off * durations[k] * spins
            if not way <= far:
                return True
    return False
