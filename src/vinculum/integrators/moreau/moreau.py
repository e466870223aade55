"""Moreau–Jean time stepping: the steps of a run. Each impulse is an atom in the middle of its step or at its located instant."""

import time as clock
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from vinculum.compile.evaluate import evaluate, evaluate_groups
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.contact.dense.jams import told_jam
from vinculum.errors import MethodError
from vinculum.integrators.free_bodies.passages import Passages, told_passage
from vinculum.integrators.moreau.arrays import Inputs, Memory, Records, Rules, Span, Tapes, Units
from vinculum.integrators.moreau.contacts import shape_places
from vinculum.integrators.moreau.laws import Laws
from vinculum.integrators.moreau.loop import DONE, FULL, TORN, UNSETTLED, time_steps
from vinculum.integrators.moreau.workspace import new_workspace
from vinculum.integrators.variables import stepping_field
from vinculum.integrators.watch.charts import ChartWatch
from vinculum.integrators.watch.crossings import with_crossings
from vinculum.integrators.watch.loops import LoopWatch
from vinculum.models.one_unit import Scales, is_displacement, weights_of
from vinculum.models.shapes.workspace import TreeWork
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.method import LOCATED, MIDDLE
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.event_driven import ACCUMULATES_AFTER
from vinculum.tolerances.sizes import CHUNK_OF_CLOSED_LOOPS, CHUNK_OF_TIME_STEPS, ROOM_FOR_CUT_STEPS
from vinculum.tolerances.steps import WHOLE_STEPS
from vinculum.tolerances.time_stepping import (
    STEP_ACCEPTED,
    STEP_RESIDUAL,
    STEP_SWEEPS,
    STEP_SWEEPS_OF_SHAPES,
    UNBOUNDED,
)


class _Run(NamedTuple):
    """Data shared by all chunks of a run."""

    tapes: Tapes
    inputs: Inputs
    rules: Rules
    law: tuple[np.ndarray, np.ndarray, np.ndarray]
    memory: Memory
    work: TreeWork | None
    through: Passages | None
    """Detects shapes that pass through others, if shapes can collide."""


class _Chunk(NamedTuple):
    """Steps taken: edges (k + 1,), states there (k + 1, n), the number of whole steps, and their results."""

    times: np.ndarray
    states: np.ndarray
    taken: int
    last: bool
    failure: str | None
    pieces: tuple[np.ndarray, np.ndarray, Atoms]
    moved: float
    """Largest displacement that corrected positions in penetration."""
    contact_solver: ContactSolver | None


def moreau_steps(problem: Problem) -> StepSource:
    """The steps of a run in chunks; the last step is shortened to end on time."""
    model, h = problem.model, problem.method.step
    assert h is not None
    if ChartWatch(problem).needed:
        joints = [entry.joint for entry in model.layout.charts]
        raise MethodError(
            f"method 'moreau' does not change the charts of {joints}; describe their rotations by quaternions"
        )
    loops = LoopWatch(problem)
    run = _prepare_run(problem, loops.needed)
    x, n = run.inputs.x, run.inputs.n
    most_steps = CHUNK_OF_CLOSED_LOOPS if model.layout.rank < len(model.layout.kept) else CHUNK_OF_TIME_STEPS
    span = problem.until - problem.begin
    whole = int(span / h * (1 + WHOLE_STEPS))
    rest = span - whole * h
    every = whole + (rest > WHOLE_STEPS * span)
    state, reached, done, deepest, signs = problem.state, problem.begin, 0, 0.0, None
    while done < every:
        steps, length = (min(most_steps, whole - done), h) if done < whole else (1, rest)
        x[:n] = state[:, None]
        found = _chunk(problem, run, Span(problem.begin + done * h, length, steps), state, reached, every - done)
        if found is None:
            continue
        deepest = max(deepest, found.moved)
        log = [f"positions were moved by at most {deepest:.1e} to keep gaps from closing further"] if deepest else []
        edges, coefficients, atoms = found.pieces
        chunk = Steps(edges, coefficients, [], log if found.last or found.failure else [], found.failure, atoms=atoms,
                      contact_solver=found.contact_solver, corrected=found.states[-1])  # fmt: skip
        if problem.event_tape is not None and len(coefficients):
            chunk, signs = with_crossings(problem, chunk, signs)
        if loops.needed and len(chunk.coefficients):
            loops.settle(chunk)
            x[n + 1 :] = problem.parameters[:, None]
        yield chunk
        if chunk.failure or chunk.stopped:
            return
        state, done, reached = found.states[-1], done + found.taken, float(found.times[-1])


def _prepare_run(problem: Problem, projected: bool) -> _Run:
    """Compiled tapes, laws and arrays of a run; ``projected``: whether steps are projected onto bilateral conditions."""
    model, method = problem.model, problem.method
    assert model.tree is not None
    motion, rows = compile_tape(stepping_field("moreau", model)), compile_tape(model.tape("unilaterals"))
    distances = compile_tape(model.tape("distances"))
    projection = compile_tape(model.tape("projection")).lanes if projected else 0
    work = through = None
    if model.shapes is not None:
        places = compile_tape(model.tape("shapes"))
        work = TreeWork(model.shapes, places.tape.n_out, places.lanes)
        through = Passages(model.shapes, model.shapes.pairs >= 0)
    law, m, n = Laws(model.tree).triples, len(model.tree.unilaterals), problem.tape.n_out
    x = np.zeros((motion.tape.n_in, WIDTH))
    x[n + 1 :] = problem.parameters[:, None]
    quaternions = np.array([first for first, _ in model.layout.quaternions], dtype=np.int64)
    located = method.impacts == LOCATED and m > 0 and work is None
    accepted = method.tolerance or STEP_ACCEPTED
    most_sweeps = STEP_SWEEPS if work is None else STEP_SWEEPS_OF_SHAPES
    sought = min(STEP_RESIDUAL, accepted), accepted, most_sweeps
    rules = Rules(method.theta or MIDDLE, located, motion.tape.is_piecewise(), *sought)
    tapes = Tapes(motion.lanes, rows.lanes, distances.lanes, projection)
    inputs = Inputs(x, quaternions, n, model.nq, m, len(model.layout.gaps), model.nq - len(model.layout.masses),
                    _units(problem))  # fmt: skip
    hits = np.full((m, ACCUMULATES_AFTER + 1), -np.inf)
    memory = Memory(np.zeros(3 * len(law[0])), np.zeros(m, dtype=np.bool_), hits)
    return _Run(tapes, inputs, rules, law, memory, work, through)


def _units(problem: Problem) -> Units:
    """The size of the system at the start, also of its shapes, and factors that make lengths of all coordinates and velocities."""
    model, layout = problem.model, problem.model.layout
    size = 0.0 if model.shapes is None else float(model.shapes.reaches[: len(model.shapes.carried)].max(initial=0.0))
    if model.nv:
        row = problem.row(problem.state, problem.begin)[None]
        rates = evaluate(problem.tape, row)[0, model.nq :]
        jacobians = evaluate_groups(model.tape("contacts"), row)["jacobians"].reshape(-1, model.nv)
        size = max(size, Scales(layout, problem.until - problem.begin).include(problem.state, rates, jacobians)[0])
    q, masses = weights_of(layout, size), list(layout.masses.values())
    q[masses] = size / problem.state[masses]
    return Units(size, q, np.where(is_displacement(layout), 1.0, size))


def _chunk(problem: Problem, run: _Run, span: Span, state: np.ndarray, reached: float, left: int) -> _Chunk | None:
    """Steps from a state at the instant ``reached``, with ``left`` steps to the end of the run.

    None if no step was taken because the contacts did not fit; the arrays are larger then.
    """
    begun, model, work, m, nq = clock.perf_counter(), problem.model, run.work, run.inputs.m, run.inputs.nq
    out = _room(span.steps + ROOM_FOR_CUT_STEPS, run)
    if work is not None:
        work.begin()
    parts = None if work is None else work.parts
    scratch = new_workspace(run.tapes, run.inputs, run.law, parts)
    made, taken, how = time_steps(run.tapes.projection, run.inputs, span, run.rules, run.memory, out, parts, scratch)
    failed = how not in (DONE, FULL)
    last, failure = not failed and taken == left, None
    times = np.concatenate([[span.t], out.ends[:made]])
    times[times == span.t] = reached  # the end of the preceding chunk, which may differ in the last bit
    if last:
        times[times == times[-1]] = problem.until
    if failed:
        residual, sweeps = float(out.residuals[made]), int(out.sweeps[made])
        failure = _failure(how, float(times[-1]), residual, sweeps, run.rules.tolerance)
        if m and residual == UNBOUNDED:
            failure = _jam(problem, run, out.impulses[made], float(times[-1]))
    met = None if work is None else work.records()
    if work is not None and how == FULL:
        work.grow()
    if not taken and not failure:
        return None
    states = np.concatenate([state[None], out.states[:made]])
    gone = None if run.through is None else run.through.first(*_places(problem, states, times))
    if gone is not None and model.shapes is not None:
        made, last = gone[0], False
        instant, duration = float(times[made]), float(np.diff(times)[made])
        failure = told_passage(list(model.layout.shapes), model.shapes.moving, gone, instant, duration)
        times, states = times[: made + 1], states[: made + 1]
        met = None if met is None else met[met[:, 0] < made]
    pieces = _pieces(times, states, out.free[:made], out.jumps[:made], out.rates[:made], out.impulses[:made], met, nq)
    moved = float(out.corrections[:made].max(initial=0.0))
    took, solver = clock.perf_counter() - begun, None
    if m or met is not None:
        normal = out.impulses[:, : 3 * m : 3]
        solver = _contact_solver(times, met, normal, out.residuals, out.sweeps, out.corrections, took)
    return _Chunk(times, states, int(taken), last, failure, pieces, moved, solver)


def _room(count: int, run: _Run) -> Records:
    """Records of ``count`` steps, not yet written."""
    n, nq, b = run.inputs.n, run.inputs.nq, len(run.law[0])
    return Records(np.empty(count), np.empty((count, n)), np.empty((count, n - nq)), np.empty((count, n - nq)), np.empty((count, 3, nq)),
                   np.empty((count, 3 * b)), np.empty(count), np.empty(count, dtype=np.int64), np.empty(count))  # fmt: skip


def _places(problem: Problem, states: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, Callable[[], np.ndarray]]:
    """Centers of the shapes at states (k, n), and a function that returns their axes."""
    centers, axes = shape_places(problem.model, problem.rows(states, times))
    return centers, lambda: axes


def _contact_solver(
    times: np.ndarray, met: np.ndarray | None, normal, residuals, sweeps, corrections, took: float
) -> ContactSolver:
    """Statistics of the contact solver for the steps between ``times``, from the normal impulses of unilateral constraints and the
    contact records.
    """
    steps = len(times) - 1
    contacts, depth = np.sum(normal[:steps] > 0.0, axis=1).astype(float), np.zeros(steps)
    if met is not None:
        own = met[met[:, 0] < steps]
        np.add.at(contacts, own[:, 0].astype(np.int64), 1.0)
        np.maximum.at(depth, own[:, 0].astype(np.int64), -own[:, 15])
    middle, unknown = 0.5 * (times[1:] + times[:-1]), np.full(steps, np.nan)
    return ContactSolver(middle, residuals[:steps].copy(), sweeps[:steps].astype(float), contacts, depth, corrections[:steps].copy(),
                  np.full(steps, took / max(1, steps)), unknown, unknown.copy(), np.zeros(steps))  # fmt: skip


def _failure(why: int, t: float, residual: float, sweeps: int, accepted: float) -> str:
    """Why a step could not be taken."""
    if why == TORN:
        return f"the conditions can no longer be met after t = {t:.9g} s; try a smaller step"
    if why == UNSETTLED:
        return f"forces change too much within the step after t = {t:.9g} s for its iteration to converge; try a smaller step"
    if not np.isfinite(residual):
        return (
            f"gaps, derivatives or impulses stopped being finite after t = {t:.9g} s; write gaps that are finite on both sides "
            f"of zero (no "
            "roots or logarithms of terms that vanish there), or try a smaller step"
        )
    if residual <= accepted:
        return f"the state stopped being finite after t = {t:.9g} s; try a smaller step"
    return (
        f"no impulses of the step after t = {t:.9g} s were found that satisfy the contact laws: their residual is {residual:.1e} after "
        f"{sweeps} sweeps, Newton's method and pivots, which is more than {accepted:.0e}. There may be none: friction can jam a "
        "sliding contact (Painlevé), and unilateral constraints can leave no room between them. Another step size may get past this "
        "position, and a larger tolerance= accepts these impulses"
    )


def _jam(problem: Problem, run: _Run, contact_impulses: np.ndarray, t: float) -> str:
    """Message for a step or an impact whose laws have no solution."""
    names = list(problem.model.layout.unilaterals)
    worst = int(np.argmax(contact_impulses[: 3 * len(names) : 3]))
    return f"at t = {t:.9g} s: {told_jam(names[worst], float(run.law[2][worst, :2].max()))}"


def _pieces(
    times, states, free, jumps, rates, contact_impulses, met: np.ndarray | None, nq: int
) -> tuple[np.ndarray, np.ndarray, Atoms]:
    """Edges and quadratic coefficients (pieces, n, 3).

    A step with impulses is two pieces with the atom between them; a record of zero duration is an atom alone.
    """
    h = np.diff(times)[:, None]
    lasting, impulsive = h[:, 0] > 0.0, contact_impulses.any(axis=1)
    meetings = None
    if met is not None:
        met = met[met[:, 0] < len(h)]
        impulsive[met[:, 0].astype(np.int64)] = True
        meetings = Meetings(met).choose(impulsive)
    v = states[:-1, nq:]
    value, length = states[:-1], np.where(lasting[:, None], h, 1.0)
    slope = np.concatenate([rates[:, 0], (free - v) / length], axis=1)
    curve = np.concatenate([(rates[:, 1] - rates[:, 0]) / (2 * length), np.zeros_like(v)], axis=1)
    half, parted = 0.5 * h, impulsive & lasting
    beyond = value + slope * half + curve * half**2
    beyond[:, nq:] += jumps
    onward = slope + 2.0 * curve * half
    onward[:, :nq] += rates[:, 2] - rates[:, 1]
    first = np.stack([value, slope, curve], axis=2)[lasting]
    second = np.stack([beyond, onward, curve], axis=2)[parted]
    order = np.concatenate([np.flatnonzero(lasting), np.flatnonzero(parted) + 0.5])
    sequence = np.argsort(order, kind="stable")
    instants = times[:-1] + half[:, 0]
    edges = np.concatenate([np.concatenate([times[:-1][lasting], instants[parted]])[sequence], times[-1:]])
    atoms = Atoms(instants[impulsive], contact_impulses[impulsive], meetings=meetings, spans=h[impulsive, 0])
    return edges, np.concatenate([first, second])[sequence], atoms
