"""Many runs of one system on the cores of this machine, eight to a vector register."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.ensembles.guards import LOST, LOST_BY_FIXED_STEPS, conditions, guards
from vinculum.ensembles.starts import batch
from vinculum.errors import MethodError, StartError
from vinculum.kernels.llvm import WIDTH, compile_tape
from vinculum.kernels.model import Model
from vinculum.motion import model_for
from vinculum.motion.arguments import fixed_step, grid_instants, is_number, whole_span
from vinculum.motion.variables import field, inward, outward
from vinculum.screws.entries import shortened

FIXED = ("rk4", "verlet", "midpoint")
MAX_STEPS = 10_000_000
LONGEST_CALL = 100_000
SHORT_CALL = 256


@final
@dataclass(frozen=True, eq=False)
class Runs:
    """Many motions of one model on a common grid.

    ``time`` (T,), ``q`` (B, T, nq), ``v`` (B, T, nv); ``failed`` (B,) marks runs that could not be finished, whose later
    states are NaN. ``steps`` (B,) counts the steps of each run. ``interrupted``: the user pressed Ctrl-C; runs that were
    under way or waiting are among the failed.
    """

    model: Model
    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    failed: np.ndarray
    steps: np.ndarray
    interrupted: bool = False


def ensemble(
    system,
    until: float,
    start=None,
    *,
    begin: float = 0.0,
    parameters=None,
    method: str = "dop853",
    tolerance: float = 1e-12,
    step: float | None = None,
    grid=2,
    device: str = "cpu",
    threads: int | None = None,
) -> Runs:
    """Runs from many starts or with many parameter values.

    ``start``: as for `simulate`, but every value may carry a leading batch axis (inside `At` too): positions (B, nq),
    rates (B, nv), rotation matrices (B, 3, 3), a list of B poses; or a pair of arrays q (B, nq) and v (B, nv).
    ``parameters`` maps names to one value or (B,). ``method``: "dop853" (each run its own steps) or "rk4", "verlet",
    "midpoint" with ``step``. ``grid``: a number of instants or the instants themselves; for fixed steps every instant
    must be a whole number of steps away from ``begin``. Ctrl-C returns the runs that were computed. A run whose rotation
    chart comes near a singular place is among the failed: runs of an ensemble do not change chart, chart="quaternion" has none.
    """  # fmt: skip
    if device != "cpu":
        raise MethodError(f"device {shortened(device)} is not available; use device='cpu'")
    model = model_for(system)
    model.check_written_out("ensembles")
    if model.layout["gaps"]:
        raise MethodError(
            f"system '{model.name}' has {model.tree.conditioned_by if model.tree else 'loops or constraints'}, which an ensemble does "
            "not keep; simulate run by run"
        )
    begin, until = whole_span(begin, until)
    if not is_number(tolerance) or not 1e-15 <= tolerance <= 0.1:
        raise MethodError(f"tolerance {shortened(tolerance)} must be a number between 1e-15 and 0.1")
    instants = grid_instants(grid, begin, until)
    if len(instants) < 2:
        raise StartError(f"grid has {len(instants)} instant: give at least two")
    workers = _workers(threads)
    states, values = batch(model, start, parameters)
    if method == "dop853":
        if model.tape("motion").is_piecewise():
            raise MethodError(f"system '{model.name}' has piecewise forces, whose switches an ensemble does not look for; "
                              "use method='rk4' with a step that resolves them, or simulate run by run")  # fmt: skip
        return _adaptive(model, states, values, begin, instants, float(tolerance), workers)
    if method not in FIXED:
        raise MethodError(f"method {shortened(method)} is not known for ensembles; use dop853, rk4, verlet or midpoint")
    length = fixed_step(method, step, until - begin, max(abs(begin), abs(until)))
    return _fixed(model, method, states, values, begin, instants, length, workers)


def _workers(threads) -> int:
    if threads is None:
        return os.cpu_count() or 1
    if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or threads < 1:
        raise MethodError(f"threads {shortened(threads)} must be a whole number from 1 on, or None for one a core")
    return int(threads)


def _work(count: int, threads: int, job) -> bool:
    """``job(first, last, halt)`` over lane-aligned parts of the batch, on all threads; whether the user stopped it.

    A job looks at ``halt``, (1,), and leaves its loop when that is set.
    """
    blocks = -(-count // WIDTH)
    parts = min(blocks, threads)
    edges = [min(count, WIDTH * (blocks * k // parts)) for k in range(parts + 1)]
    halt = np.zeros(1, dtype=np.int64)
    with ThreadPoolExecutor(parts) as pool:
        try:
            list(pool.map(lambda k: job(edges[k], edges[k + 1], halt), range(parts)))
        except BaseException as error:
            halt[0] = 1
            if not isinstance(error, KeyboardInterrupt):
                raise
    return bool(halt[0])


def _adaptive(model: Model, states, values, begin: float, instants, tolerance: float, threads: int) -> Runs:
    from vinculum.kernels.dop853 import error_groups, run_many

    kernel = compile_tape(model.tape("motion"))
    count, n = states.shape
    later = instants[instants > begin]
    result = np.full((count, len(later), n), np.nan)
    failed, steps = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int64)
    first_step = 1e-3 * (later[-1] - begin)
    groups, guarded = error_groups(model.layout), guards(model)

    def job(first: int, last: int, halt: np.ndarray) -> None:
        x = np.zeros((kernel.tape.n_in, WIDTH))
        run_many(kernel.lanes, x, n, np.array(states[first:last], order="C"), np.array(values[first:last], order="C"),
                 begin, later, tolerance, groups, first_step, result[first:last], failed[first:last], steps[first:last], MAX_STEPS,
                 halt, guarded, LOST)  # fmt: skip

    interrupted = _work(count, threads, job)
    return _runs(model, begin, instants, states, result, steps, interrupted)


def _fixed(model: Model, method: str, states, values, begin: float, instants, step: float, threads: int) -> Runs:
    from vinculum.kernels import fixed_step as loops

    kind = {"rk4": loops.RK4, "verlet": loops.VERLET, "midpoint": loops.MIDPOINT}[method]
    later = instants[instants > begin]
    counts = np.rint((later - begin) / step).astype(np.int64)
    if np.abs(begin + counts * step - later).max() > 1e-9 * max(1.0, abs(later[-1])):
        raise StartError(f"every instant of grid must be a whole number of steps of {step:g} s after {begin:g} s")
    strides = np.diff(np.concatenate([[0], counts])).tolist()
    kernel = compile_tape(field(method, model))
    count, n = states.shape
    result, steps = np.full((count, len(later), n), np.nan), np.zeros(count, dtype=np.int64)
    watched = bool(model.layout.get("charts"))
    own = inward(method, model, np.concatenate([states, np.full((count, 1), begin), values], axis=1))

    def job(first: int, last: int, halt: np.ndarray) -> None:
        x = np.zeros((kernel.tape.n_in, WIDTH))
        longest = SHORT_CALL if watched else LONGEST_CALL
        record = np.empty((SHORT_CALL if watched else 1, n, WIDTH))
        for block in range(first, last, WIDTH):
            rows = np.minimum(np.arange(block, block + WIDTH), last - 1)
            live = min(WIDTH, last - block)
            x[:n], x[n + 1 :] = own[rows].T, values[rows].T
            done, lost = 0, np.zeros(WIDTH, dtype=bool)
            for g, stride in enumerate(strides):
                for taken in [longest] * (stride // longest) + [stride % longest]:
                    if halt[0]:
                        return
                    if taken:
                        t = begin + done * step
                        every = 1 if watched else taken
                        made = loops.advance(kind, kernel.lanes, x, n, model.nq, t, step, taken, every, record)
                        done += taken
                        if watched:
                            near = conditions(model, np.moveaxis(record[:made], 1, 2)) < LOST_BY_FIXED_STEPS
                            lost |= near.any(axis=0)
                result[block : block + live, g] = np.where(lost, np.nan, x[:n])[:, :live].T
                steps[block : block + live] = done

    interrupted = _work(count, threads, job)
    for g, instant in enumerate(later):
        result[:, g] = outward(
            method, model, np.concatenate([result[:, g], np.full((count, 1), instant), values], axis=1)
        )
    return _runs(model, begin, instants, states, result, steps, interrupted)


def _runs(model: Model, begin: float, instants, states, result, steps, interrupted: bool) -> Runs:
    if interrupted and np.isnan(result).all():
        raise KeyboardInterrupt
    failed = ~np.isfinite(result).all(axis=(1, 2))
    if instants[0] == begin:
        result = np.concatenate([states[:, None, :], result], axis=1)
    return Runs(model, instants, result[:, :, : model.nq], result[:, :, model.nq :], failed, steps, interrupted)
