"""Many runs of one system on the cores of this machine, eight to a vector register."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import MethodError, StartError
from vinculum.kernels.llvm import WIDTH, compile_tape
from vinculum.kernels.model import Model
from vinculum.motion import model_for
from vinculum.motion.variables import field, inward, outward
from vinculum.scalars import value
from vinculum.screws import Pose
from vinculum.systems import At, nearest, start_state

FIXED = ("rk4", "verlet", "midpoint")
MAX_STEPS = 10_000_000


@final
@dataclass(frozen=True, eq=False)
class Runs:
    """Many motions of one model on a common grid.

    ``time`` (T,), ``q`` (B, T, nq), ``v`` (B, T, nv); ``failed`` (B,) marks runs that could not be finished, whose later
    states are NaN. ``steps`` (B,) counts the steps of each run.
    """

    model: Model
    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    failed: np.ndarray
    steps: np.ndarray


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

    ``start``: as for `simulate`, but every value may carry a leading batch axis (inside `At` too); or a pair of arrays
    q (B, nq) and v (B, nv). ``parameters`` maps names to one value or (B,). ``method``: "dop853" (each run its own
    steps) or "rk4", "verlet", "midpoint" with ``step``. ``grid``: a number of instants or the instants themselves; for
    fixed steps every instant must be a whole number of steps away from ``begin``.
    """  # fmt: skip
    if device != "cpu":
        raise MethodError(f"device {device!r} is not available; use device='cpu'")
    model = model_for(system)
    try:
        begin, until, tolerance = float(begin), float(until), float(tolerance)
    except (TypeError, ValueError) as error:
        raise StartError(f"begin, until and tolerance must be numbers: {error}") from error
    if not 1e-15 <= tolerance <= 0.1:
        raise MethodError(f"tolerance {tolerance:g} must lie between 1e-15 and 0.1")
    if not (np.isfinite(begin) and np.isfinite(until) and until > begin):
        raise StartError(f"the end time {until} s must be finite and after the start time {begin} s")
    try:
        instants = np.linspace(begin, until, int(grid)) if np.ndim(grid) == 0 else np.asarray(grid, dtype=float)
    except (TypeError, ValueError) as error:
        raise StartError(f"grid must be a number of instants or the instants themselves, got {grid!r}") from error
    if len(instants) < 2 or np.any(np.diff(instants) <= 0) or instants[0] < begin or instants[-1] > until:
        raise StartError("grid needs at least two instants that grow, between begin and until")
    states, values = _batch(model, start, parameters or {})
    threads = threads or os.cpu_count() or 1
    if method == "dop853":
        if model.tape("motion").is_piecewise():
            raise MethodError(f"system '{model.name}' has piecewise forces, whose switches an ensemble does not look for; "
                              "use method='rk4' with a step that resolves them, or simulate run by run")  # fmt: skip
        return _adaptive(model, states, values, float(begin), instants, tolerance, threads)
    if method not in FIXED:
        raise MethodError(f"method {method!r} is not known for ensembles; use dop853, rk4, verlet or midpoint")
    if step is None or not (np.isfinite(step) and step > 0):
        raise MethodError(f"method '{method}' needs step=, a positive length of a time step in seconds; got {step!r}")
    return _fixed(model, method, states, values, float(begin), instants, float(step), threads)


def _batch(model: Model, start, parameters) -> tuple[np.ndarray, np.ndarray]:
    """States (B, n) and parameter values (B, p)."""
    values = {name: np.atleast_1d(np.asarray(x, dtype=float)) for name, x in parameters.items()}
    for name in values:
        if name not in model.parameters:
            raise StartError(
                f"there is no parameter '{name}' in system '{model.name}'{nearest(name, model.parameters)}"
            )
    pair = isinstance(start, (tuple, list)) and len(start) == 2
    sizes = {len(x) for x in values.values()} - {1}
    if pair:
        q, v = (np.atleast_2d(np.asarray(x, dtype=float)) for x in start)
        if q.shape[1:] != (model.nq,) or v.shape[1:] != (model.nv,) or len(q) != len(v):
            raise StartError(f"start must be q (B, {model.nq}) and v (B, {model.nv}), got {q.shape} and {v.shape}")
        states = np.concatenate([q, v], axis=1)
    else:
        states = _named_states(model, start or {}, parameters)
    sizes |= {len(states)} - {1}
    if len(sizes) > 1:
        raise StartError(f"the batches of start and parameters differ in length: {sorted(sizes)}")
    count = sizes.pop() if sizes else 1
    if not np.all(np.isfinite(states)):
        raise StartError("start values must be finite")
    rows = (
        [model.parameter_values({n: x[i if len(x) > 1 else 0] for n, x in values.items()}) for i in range(count)]
        if values
        else [model.parameter_values(None)]
    )
    return np.broadcast_to(states, (count, states.shape[1])), np.broadcast_to(np.stack(rows), (count, len(rows[0])))


def _named_states(model: Model, start, parameters) -> np.ndarray:
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run; an ensemble needs the System it came from")
    base_q, base_v = start_state(tree, {})
    columns: list[tuple[slice, np.ndarray]] = []
    nq = tree.nq
    for name, given in start.items():
        if name not in tree.joints:
            raise StartError(f"start: there is no joint or free body '{name}'{nearest(name, tree.joints)}")
        link = tree.links[tree.joints[name]]
        at = given if isinstance(given, At) else At(given)
        if isinstance(at.position, Pose):
            columns.append((link.q, link.joint.position(at.position)[None]))
        elif at.position is not None:
            positions = _numeric(name, at.position)
            single = positions.ndim == (0 if link.joint.nq == 1 else 1)
            rows = [positions] if single else list(positions)
            columns.append((link.q, np.stack([link.joint.position(row) for row in rows])))
        if at.rate is not None:
            rates = _numeric(name, at.rate)
            rates = rates.reshape(-1, link.joint.nv) if rates.size % max(link.joint.nv, 1) == 0 else rates
            if rates.ndim != 2:
                raise StartError(
                    f"start of '{name}': rates must have {link.joint.nv} numbers a run, got {np.shape(at.rate)}"
                )
            columns.append((slice(nq + link.v.start, nq + link.v.stop), rates))
    count = max((len(x) for _, x in columns), default=1)
    states = np.tile(np.concatenate([base_q, base_v]), (count, 1))
    for place, x in columns:
        if len(x) not in (1, count):
            raise StartError(f"the start values carry batches of different lengths, {len(x)} and {count}")
        states[:, place] = x
    return states


def _numeric(name: str, given) -> np.ndarray:
    try:
        return np.asarray(value(given), dtype=float)
    except (TypeError, ValueError) as error:
        raise StartError(f"start of '{name}': {given!r} is not an array of numbers") from error


def _work(count: int, threads: int, job) -> None:
    """``job(first, last)`` over lane-aligned parts of the batch, on all threads."""
    blocks = -(-count // WIDTH)
    parts = min(blocks, threads)
    edges = [min(count, WIDTH * (blocks * k // parts)) for k in range(parts + 1)]
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(lambda k: job(edges[k], edges[k + 1]), range(parts)))


def _adaptive(model: Model, states, values, begin: float, instants, tolerance: float, threads: int) -> Runs:
    from vinculum.kernels.dop853 import run_many

    kernel = compile_tape(model.tape("motion"))
    count, n = states.shape
    later = instants[instants > begin]
    result = np.empty((count, len(later), n))
    failed, steps = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int64)
    first_step = 1e-3 * (later[-1] - begin)
    groups = np.array(model.layout["groups"], dtype=np.int64)

    def job(first: int, last: int) -> None:
        x = np.zeros((kernel.tape.n_in, WIDTH))
        run_many(kernel.lanes, x, n, np.ascontiguousarray(states[first:last]), np.ascontiguousarray(values[first:last]), begin,
                 later, tolerance, groups, first_step, result[first:last], failed[first:last], steps[first:last], MAX_STEPS)  # fmt: skip

    _work(count, threads, job)
    return _runs(model, begin, instants, states, result, failed, steps)


def _fixed(model: Model, method: str, states, values, begin: float, instants, step: float, threads: int) -> Runs:
    from vinculum.kernels import fixed_step as loops

    kind = {"rk4": loops.RK4, "verlet": loops.VERLET, "midpoint": loops.MIDPOINT}[method]
    later = instants[instants > begin]
    counts = np.rint((later - begin) / step).astype(np.int64)
    if np.abs(begin + counts * step - later).max() > 1e-9 * max(1.0, abs(later[-1])):
        raise StartError(f"every instant of grid must be a whole number of steps of {step:g} s after {begin:g} s")
    strides = np.diff(np.concatenate([[0], counts]))
    kernel = compile_tape(field(method, model))
    count, n = states.shape
    result = np.empty((count, len(later), n))
    own = inward(method, model, np.concatenate([states, np.full((count, 1), begin), values], axis=1))

    def job(first: int, last: int) -> None:
        x = np.zeros((kernel.tape.n_in, WIDTH))
        record = np.empty((1, n, WIDTH))
        for block in range(first, last, WIDTH):
            rows = np.minimum(np.arange(block, block + WIDTH), last - 1)
            live = min(WIDTH, last - block)
            x[:n], x[n + 1 :] = own[rows].T, values[rows].T
            done = 0
            for g, stride in enumerate(strides.tolist()):
                loops.advance(kind, kernel.lanes, x, n, model.nq, begin + done * step, step, stride, stride, record)
                result[block : block + live, g] = record[0, :, :live].T
                done += stride

    _work(count, threads, job)
    for g, instant in enumerate(later):
        result[:, g] = outward(
            method, model, np.concatenate([result[:, g], np.full((count, 1), instant), values], axis=1)
        )
    failed = ~np.isfinite(result).all(axis=(1, 2))
    return _runs(model, begin, instants, states, result, failed, np.full(count, counts[-1]))


def _runs(model: Model, begin: float, instants, states, result, failed, steps) -> Runs:
    if instants[0] == begin:
        result = np.concatenate([states[:, None, :], result], axis=1)
    return Runs(model, instants, result[:, :, : model.nq], result[:, :, model.nq :], failed, steps)
