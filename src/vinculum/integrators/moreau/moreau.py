"""Moreau–Jean time stepping: the steps of a run with unilateral constraints, each impulse an atom in the middle of its step or where it
was located."""

import time as clock
from collections.abc import Callable
from dataclasses import replace
from typing import final

import numpy as np

from vinculum.bonds import Poisson
from vinculum.bonds.unilaterals.impact_laws import SEQUENTIAL
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.errors import MethodError
from vinculum.integrators.free_bodies.passages import Passages, told_passage
from vinculum.integrators.moreau.arrays import Inputs, Records, Rules, Span, Tapes
from vinculum.integrators.moreau.contacts import shape_places
from vinculum.integrators.moreau.loop import DONE, FULL, TORN, UNSETTLED, time_steps
from vinculum.integrators.variables import stepping_field
from vinculum.integrators.watch.charts import ChartWatch
from vinculum.integrators.watch.crossings import with_crossings
from vinculum.integrators.watch.loops import LoopWatch
from vinculum.models.shapes.workspace import TreeWork
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.method import LOCATED, MIDDLE
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.systems import Tree
from vinculum.tolerances.sizes import CHUNK_OF_CLOSED_LOOPS, CHUNK_OF_TIME_STEPS, ROOM_FOR_CUT_STEPS
from vinculum.tolerances.steps import WHOLE_STEPS
from vinculum.tolerances.time_stepping import STEP_ACCEPTED, STEP_RESIDUAL, STEP_SWEEPS, STEP_SWEEPS_OF_SHAPES

NEWTON, POISSON, IN_TURN = 0, 1, 2


@final
class Laws:
    """Impact and friction laws of a tree's unilateral constraints as numbers: kinds (m,), ratios (m,), half axes of friction (m, 2)."""

    def __init__(self, tree: Tree):
        laws = [one.unilateral.impact for one in tree.unilaterals]
        self.kinds = np.array(
            [
                POISSON if isinstance(law, Poisson) else IN_TURN if law and law.treatment == SEQUENTIAL else NEWTON
                for law in laws
            ],
            dtype=np.int64,
        )
        self.ratios = np.array([law.restitution if law else 0.0 for law in laws])
        axes = [
            one.unilateral.friction.coefficients if one.unilateral.friction else (-1.0, -1.0)
            for one in tree.unilaterals
        ]
        self.friction = np.array(axes).reshape(-1, 2)
        resisting = [
            c for c, one in enumerate(tree.unilaterals) if one.unilateral.friction and one.unilateral.friction.resists
        ]
        lengths = [tree.unilaterals[c].unilateral.friction.lengths for c in resisting]  # type: ignore[union-attr]
        self.lengths = np.array([(*pair, c) for pair, c in zip(lengths, resisting, strict=True)]).reshape(-1, 3)

    @property
    def triples(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Kinds, ratios and half axes (b, 3) of all triples of rows: of unilateral constraints, then about axes where rolling is
        resisted."""
        r = len(self.lengths)
        plain = np.column_stack([self.friction, np.full(len(self.friction), -1.0)])
        return (
            np.append(self.kinds, np.zeros(r, dtype=np.int64)),
            np.append(self.ratios, np.zeros(r)),
            np.concatenate([plain, self.lengths]),
        )


def moreau_steps(problem: Problem) -> StepSource:
    """The steps of a run in chunks; the last step is shortened to end on time."""
    model, h = problem.model, problem.method.step
    assert h is not None and model.tree is not None
    if ChartWatch(problem).needed:
        joints = [entry.joint for entry in model.layout.charts]
        raise MethodError(
            f"method 'moreau' does not change the charts of {joints}; describe their rotations by quaternions"
        )
    loops = LoopWatch(problem)
    motion, rows = compile_tape(stepping_field("moreau", model)), compile_tape(model.tape("unilaterals"))
    distances = compile_tape(model.tape("distances"))
    projection = compile_tape(model.tape("projection")).lanes if loops.needed else 0
    most_steps = CHUNK_OF_CLOSED_LOOPS if model.layout.rank < len(model.layout.kept) else CHUNK_OF_TIME_STEPS
    work = None
    if model.shapes is not None:
        places = compile_tape(model.tape("shapes"))
        work = TreeWork(model.shapes, places.tape.n_out, places.lanes)
    through = None if model.shapes is None else Passages(model.shapes, model.shapes.pairs >= 0)
    (kinds, ratios, axes), m = Laws(model.tree).triples, len(model.tree.unilaterals)
    n, nq, kept, b = problem.tape.n_out, model.nq, len(model.layout.gaps), len(kinds)
    x = np.zeros((motion.tape.n_in, WIDTH))
    x[n + 1 :] = problem.parameters[:, None]
    quaternions = np.array([first for first, _ in model.layout.quaternions], dtype=np.int64)
    located = problem.method.impacts == LOCATED and m > 0 and work is None
    span = problem.until - problem.begin
    whole = int(span / h * (1 + WHOLE_STEPS))
    rest = span - whole * h
    every = whole + (rest > WHOLE_STEPS * span)
    most_sweeps = STEP_SWEEPS if work is None else STEP_SWEEPS_OF_SHAPES
    accepted = problem.method.tolerance or STEP_ACCEPTED
    sought = min(STEP_RESIDUAL, accepted), accepted, most_sweeps
    rules = Rules(problem.method.theta or MIDDLE, located, motion.tape.is_piecewise(), *sought)
    tapes, law = Tapes(motion.lanes, rows.lanes, distances.lanes, projection), (kinds, ratios, axes)
    inputs = Inputs(x, quaternions, n, nq, m, kept)
    P, state, done, deepest, signs = np.zeros(3 * b), problem.state, 0, 0.0, None
    reached, pressed = problem.begin, np.zeros(m, dtype=np.bool_)
    while done < every:
        steps, length = (min(most_steps, whole - done), h) if done < whole else (1, rest)
        begin, room = problem.begin + done * h, steps + ROOM_FOR_CUT_STEPS
        x[:n] = state[:, None]
        out = Records(np.empty(room), np.empty((room, n)), np.empty((room, n - nq)), np.empty((room, n - nq)), np.empty((room, 3, nq)),
                      np.empty((room, 3 * b)), np.empty(room), np.empty(room, dtype=np.int64), np.empty(room))  # fmt: skip
        begun = clock.perf_counter()
        if work is not None:
            work.begin()
        parts = None if work is None else work.parts
        made, taken, how = time_steps(tapes, inputs, Span(begin, length, steps), rules, law, P, pressed, out, parts)
        failed = how not in (DONE, FULL)
        last = not failed and done + taken == every
        times = np.concatenate([[begin], out.ends[:made]])
        times[times == begin] = reached  # the end of the chunk before, which may differ in the last bit
        if last:
            times[times == times[-1]] = problem.until
        failure = (
            _failure(how, float(times[-1]), float(out.residuals[made]), int(out.sweeps[made]), accepted)
            if failed
            else None
        )
        met = None if work is None else work.records()
        if work is not None and how == FULL:
            work.grow()
        if not taken and not failure:
            continue
        states = np.concatenate([state[None], out.states[:made]])
        gone = None if through is None else through.first(*_places(problem, states, times))
        if gone is not None and model.shapes is not None:
            names, last = list(model.layout.shapes), False
            failure = told_passage(
                names, model.shapes.moving, gone, float(times[gone[0]]), float(np.diff(times)[gone[0]])
            )
            made = gone[0]
            times, states = times[: made + 1], states[: made + 1]
            met = None if met is None else met[met[:, 0] < made]
        edges, coefficients, atoms = _pieces(
            times, states, out.free[:made], out.jumps[:made], out.rates[:made], out.impulses[:made], met, nq
        )
        deepest = max(deepest, float(out.corrections[:made].max(initial=0.0)))
        log = [f"positions were moved by at most {deepest:.1e} to keep gaps from closing further"] if deepest else []
        took, contact_solver = clock.perf_counter() - begun, None
        if m or met is not None:
            normal = out.impulses[:, : 3 * m : 3]
            contact_solver = _contact_solver(times, met, normal, out.residuals, out.sweeps, out.corrections, took)
        chunk = Steps(
            edges, coefficients, [], log if last or failure else [], failure, atoms=atoms, contact_solver=contact_solver
        )
        if problem.event_tape is not None and len(coefficients):
            found, signs = with_crossings(problem, chunk, signs)
            chunk = replace(found, atoms=atoms.until(float(found.times[-1])))
        if loops.needed and len(chunk.coefficients):
            loops.settle(chunk)
            x[n + 1 :] = problem.parameters[:, None]
        yield chunk
        if chunk.failure or chunk.stopped:
            return
        state, done, reached = states[-1], done + taken, float(times[-1])


def _places(problem: Problem, states: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, Callable[[], np.ndarray]]:
    """Centers of the shapes at states (k, n), and a function that gives their axes."""
    centers, axes = shape_places(problem.model, problem.rows(states, times))
    return centers, lambda: axes


def _contact_solver(
    times: np.ndarray, met: np.ndarray | None, normal, residuals, sweeps, corrections, took: float
) -> ContactSolver:
    """How the impulses of the steps between ``times`` were solved, from normal impulses of unilateral constraints and what was recorded
    of contacts."""
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
        return f"the conditions cannot be met any more after t = {t:.9g} s; try a smaller step"
    if why == UNSETTLED:
        return f"forces change too much within the step after t = {t:.9g} s for its iteration to settle; try a smaller step"
    if not np.isfinite(residual):
        return (
            f"gaps, derivatives or impulses stopped being finite after t = {t:.9g} s; write gaps that are numbers on both sides "
            f"of zero (no "
            "roots or logarithms of what vanishes there), or try a smaller step"
        )
    if residual <= accepted:
        return f"the state stopped being finite after t = {t:.9g} s; try a smaller step"
    return (
        f"no impulses of the step after t = {t:.9g} s were found that keep the laws of contact: their residual is {residual:.1e} after "
        f"{sweeps} sweeps, Newton's method and pivots, which is more than {accepted:.0e}. There may be none: friction can jam what slides "
        "(Painlevé), and unilateral constraints can leave no room between them. Another step may pass the place, and a larger "
        "tolerance= accepts these"
    )


def _pieces(
    times, states, free, jumps, rates, contact_impulses, met: np.ndarray | None, nq: int
) -> tuple[np.ndarray, np.ndarray, Atoms]:
    """Edges and quadratic coefficients (pieces, n, 3). A step with impulses is two pieces, with the atom between them; a record of no
    duration is an atom alone."""
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
