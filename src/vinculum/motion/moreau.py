"""Moreau–Jean time stepping: the steps of a run with boundaries, each impulse an atom in the middle of its step or where it was located."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.bonds import Poisson
from vinculum.bonds.boundaries.shocks import SEQUENTIAL
from vinculum.errors import MethodError
from vinculum.kernels.llvm import WIDTH, compile_tape
from vinculum.kernels.moreau import DONE, TORN, time_steps
from vinculum.motion.atoms import Atoms
from vinculum.motion.charts import ChartWatch
from vinculum.motion.crossings import with_crossings
from vinculum.motion.loops import LoopWatch
from vinculum.motion.method import LOCATED
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.motion.variables import stepping_field
from vinculum.systems import Tree

CHUNK, CHUNK_OF_LOOPS, ROOM = 1024, 64, 256
SWEEPS = 20_000
RESIDUAL = 1e-10
NEWTON, POISSON, IN_TURN = 0, 1, 2


@final
class Laws:
    """Shock and friction laws of a tree's boundaries as numbers: kinds (m,), ratios (m,), half axes of friction (m, 2)."""

    def __init__(self, tree: Tree):
        laws = [one.boundary.shock for one in tree.boundaries]
        self.kinds = np.array(
            [
                POISSON if isinstance(law, Poisson) else IN_TURN if law and law.treatment == SEQUENTIAL else NEWTON
                for law in laws
            ],
            dtype=np.int64,
        )
        self.ratios = np.array([law.restitution if law else 0.0 for law in laws])
        axes = [
            one.boundary.friction.coefficients if one.boundary.friction else (-1.0, -1.0) for one in tree.boundaries
        ]
        self.friction = np.array(axes).reshape(-1, 2)


def moreau_steps(problem: Problem) -> StepSource:
    """The steps of a run in chunks; the last step is shortened to end on time."""
    model, h = problem.model, problem.method.step
    assert h is not None and model.tree is not None
    if ChartWatch(problem).needed:
        joints = [entry["joint"] for entry in model.layout["charts"]]
        raise MethodError(
            f"method 'moreau' does not change the charts of {joints}; describe their rotations by quaternions"
        )
    loops = LoopWatch(problem)
    motion, rows = compile_tape(stepping_field("moreau", model)), compile_tape(model.tape("boundaries"))
    distances = compile_tape(model.tape("distances"))
    held = compile_tape(model.tape("held")).lanes if loops.needed else 0
    most_steps = CHUNK_OF_LOOPS if model.layout["rank"] < len(model.layout["kept"]) else CHUNK
    laws, m = Laws(model.tree), len(model.tree.boundaries)
    n, nq, kept = problem.tape.n_out, model.nq, len(model.layout["gaps"])
    x = np.zeros((motion.tape.n_in, WIDTH))
    x[:n], x[n + 1 :] = problem.state[:, None], problem.parameters[:, None]
    quaternions = np.array([first for first, _ in model.layout["quaternions"]], dtype=np.int64)
    located = problem.method.impacts == LOCATED and m > 0
    span = problem.until - problem.begin
    whole = int(span / h * (1 + 1e-12))
    rest = span - whole * h
    every = whole + (rest > 1e-12 * span)
    P, state, done, deepest, signs = np.zeros(3 * m), problem.state, 0, 0.0, None
    while done < every:
        steps, length = (min(most_steps, whole - done), h) if done < whole else (1, rest)
        begin, room = problem.begin + done * h, steps + ROOM
        out = (np.empty(room), np.empty((room, n)), np.empty((room, n - nq)), np.empty((room, n - nq)), np.empty((room, 3, nq)),
               np.empty((room, 3 * m)), np.empty(room), np.empty(room, dtype=np.int64), np.empty(room))  # fmt: skip
        made, taken, state_of_run = time_steps(motion.lanes, rows.lanes, distances.lanes, held, x, n, nq, m, kept, quaternions,
                                               begin, length, steps, located, laws.kinds, laws.ratios, laws.friction, RESIDUAL,
                                               SWEEPS, P, *out)  # fmt: skip
        failed = state_of_run != DONE
        last = not failed and done + taken == every
        times = np.concatenate([[begin], out[0][:made]])
        if last:
            times[times == times[-1]] = problem.until
        failure = _failure(state_of_run, float(times[-1]), float(out[6][made]), int(out[7][made])) if failed else None
        states = np.concatenate([state[None], out[1][:made]])
        edges, coefficients, atoms = _pieces(times, states, *(part[:made] for part in out[2:6]), nq)
        deepest = max(deepest, float(out[8][:made].max(initial=0.0)))
        log = [f"positions were moved by at most {deepest:.1e} to keep gaps from closing further"] if deepest else []
        chunk = Steps(edges, coefficients, [], log if last or failed else [], failure, atoms=atoms)
        if problem.event_tape is not None and len(coefficients):
            found, signs = with_crossings(problem, chunk, signs)
            chunk = replace(found, atoms=atoms.until(float(found.times[-1])))
        if loops.needed and len(chunk.coefficients):
            loops.settle(chunk)
            x[n + 1 :] = problem.parameters[:, None]
        yield chunk
        if chunk.failure or chunk.stopped:
            return
        state, done = states[-1], done + taken


def _failure(why: int, t: float, residual: float, sweeps: int) -> str:
    """Why a step could not be taken."""
    if why == TORN:
        return f"the conditions cannot be met any more after t = {t:.9g} s; try a smaller step"
    if residual <= RESIDUAL:
        return f"the state stopped being finite after t = {t:.9g} s; try a smaller step"
    return (
        f"the impulses after t = {t:.9g} s have residual {residual:.1e} after {sweeps} sweeps, which is more than {RESIDUAL:.0e}; "
        "try a smaller step"
    )


def _pieces(times, states, free, jumps, rates, percussions, nq: int) -> tuple[np.ndarray, np.ndarray, Atoms]:
    """Edges and quadratic coefficients (pieces, n, 3). A step with impulses is two pieces, with the atom between them; a record of no
    duration is an atom alone."""
    h = np.diff(times)[:, None]
    lasting, impulsive = h[:, 0] > 0.0, percussions.any(axis=1)
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
    atoms = Atoms(instants[impulsive], percussions[impulsive], h[impulsive, 0])
    return edges, np.concatenate([first, second])[sequence], atoms
