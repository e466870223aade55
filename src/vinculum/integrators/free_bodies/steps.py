"""The steps of a run of free bodies in contact, with impulses in the middle of every step."""

import time as clock
from functools import partial

import numpy as np

from vinculum.contact.free_bodies import steps as codes
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.many_runs import Starts
from vinculum.contact.free_bodies.observables import matrices
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.errors import MethodError, StartError
from vinculum.integrators.free_bodies.flights import Flights
from vinculum.integrators.free_bodies.located import ChunksOfSteps
from vinculum.integrators.free_bodies.passages import Passages, axes_of_shapes, centers_of_shapes, told_passage
from vinculum.integrators.watch.crossings import with_crossings
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model import Model
from vinculum.motion.arguments import fixed_step, step_ends
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.method import METHODS, Method
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.screws.entries import is_number, shorten
from vinculum.tolerances.contact import DEEP_START
from vinculum.tolerances.sizes import (
    FREE_BODIES_INSTANTS,
    FREE_BODIES_NUMBERS_PER_CHUNK,
    LARGEST_IN_MEMORY,
    NUMBERS_PER_BODY,
)
from vinculum.tolerances.steps import WHOLE_STEPS
from vinculum.tolerances.time_stepping import (
    FREE_BODIES_RESIDUAL,
    LARGEST_RESIDUAL,
    LEAST_RESIDUAL,
    MOST_PARTS,
)


def free_bodies_method(tolerance, step, span: float, latest: float) -> Method:
    """Moreau's time stepping with checked settings; ``tolerance`` is the residual of the impulses."""
    tolerance = FREE_BODIES_RESIDUAL if tolerance is None else tolerance
    if not (is_number(tolerance) and LEAST_RESIDUAL <= tolerance <= LARGEST_RESIDUAL):
        raise MethodError(
            f"tolerance {shorten(tolerance)} is the residual of the impulses and must lie between "
            f"{LEAST_RESIDUAL:g} and {LARGEST_RESIDUAL:g}"
        )
    return Method(METHODS["moreau"], tolerance=float(tolerance), step=fixed_step("moreau", step, span, latest))


def free_bodies_grid(model: Model, method: Method, begin: float, until: float) -> np.ndarray:
    """Ends of the time steps, evenly thinned out if there are many, and the end of the run."""
    assert method.step is not None
    most = int(np.clip(LARGEST_IN_MEMORY // (8 * NUMBERS_PER_BODY * len(model.layout.bodies)), 2, FREE_BODIES_INSTANTS))
    return step_ends(begin, until, method.step, most)


def started_apart(model: Model, state: np.ndarray, resolve) -> tuple[np.ndarray, list[str]]:
    """A start without penetration, and remarks. A start with penetration is refused unless ``resolve`` is set."""
    if not np.all(np.isfinite(state)):
        raise StartError(f"system '{model.name}': the start contains numbers that are not finite")
    work = free_bodies_work(free_bodies_of(model), state)
    depth, pair = work.deepest()
    if depth <= DEEP_START * float(free_bodies_of(model).reaches[: free_bodies_of(model).count].min()):
        return state, []
    names = [*model.layout.bodies, *(f"wall {k + 1}" for k in range(len(free_bodies_of(model).places)))]
    told = f"'{names[pair[0]]}' and '{names[pair[1]]}' start {depth:.3g} m inside each other"
    if not resolve:
        raise StartError(
            f"system '{model.name}': {told}; start them apart, or let resolve=True move bodies as little as needed"
        )
    moved, left = work.move_apart()
    if left > DEEP_START * float(free_bodies_of(model).reaches[: free_bodies_of(model).count].min()):
        raise StartError(
            f"system '{model.name}': {told}, and moving bodies apart leaves {left:.3g} m; there is not enough room for all of them"
        )
    x, Q = work.state[0][: free_bodies_of(model).count], work.state[1][: free_bodies_of(model).count]
    q = np.concatenate([x - np.einsum("nij,nj->ni", matrices(Q), free_bodies_of(model).centers), Q], axis=1).ravel()
    return np.concatenate([q, state[model.nq :]]), [f"{told}: bodies were moved by up to {moved:.3g} m"]


def deepest_penetration(model: Model, state: np.ndarray) -> float:
    """The deepest penetration of bodies in a state (q, v) [m], zero if there is none."""
    return free_bodies_work(free_bodies_of(model), state).deepest()[0]


def penetrations(model: Model, state: np.ndarray) -> dict[tuple[int, int], float]:
    """Pairs of bodies, or of a body and a wall, that are inside each other in a state (q, v), and how deep [m]."""
    return free_bodies_work(free_bodies_of(model), state).penetrations()


def free_bodies_steps(problem: Problem) -> StepSource:
    """The steps of a run in chunks; each step has two halves, and the last step is shortened to end on time.

    A step whose impulses miss the tolerance is repeated as two steps of half its length, and so on.
    """
    free_bodies, h = free_bodies_of(problem.model), problem.method.step
    assert h is not None and problem.method.tolerance is not None
    work, size = free_bodies_work(free_bodies, problem.state), steps_at_once(free_bodies)
    left, through = np.diff(edges_of_steps(problem.begin, problem.until, h)), Passages(free_bodies)
    here, t, deepest, moved, halved, signs = work.record()[None], problem.begin, 0.0, 0.0, 0, None
    chunks = ChunksOfSteps(work, problem.method, size)
    while len(left):
        begun = clock.perf_counter()
        status, own, left, records, report, pressing = chunks.next(t, left)
        took, taken = clock.perf_counter() - begun, len(records)
        failure = None
        if status == codes.MISSED and left[0] > 1.5 * h / MOST_PARTS:
            left, report, halved = np.concatenate([[0.5 * left[0]] * 2, left[1:]]), report[:taken], halved + 1
        elif status != codes.DONE:
            failure = _failure(status, t + own.sum(), report, problem.method.tolerance)
            own = np.append(own, left[: len(report) - taken])
        if not len(report):
            continue
        records = np.concatenate([here, records])
        gone = None
        if through.needed:
            x, Q = records[..., :3], records[..., 3:7]
            gone = through.first(centers_of_shapes(free_bodies, x, Q), partial(axes_of_shapes, free_bodies, Q))
        if gone is not None:
            names = [*problem.model.layout.bodies, *(f"wall {k + 1}" for k in range(len(free_bodies.places)))]
            failure = told_passage(names, free_bodies.count, gone, t + own[: gone[0]].sum(), own[gone[0]])
            taken = gone[0]
            own, left, report, records = own[:taken], left[:0], report[:taken], records[: taken + 1]
            pressing = pressing[pressing[:, 0] < taken]
            if not taken:
                yield Steps(np.array([t]), np.empty((0, 13 * free_bodies.count, 3)), failure=failure)
                return
        here, edges = records[-1:], t + np.concatenate([[0.0], np.cumsum(own)])
        middles = edges[:-1] + 0.5 * own
        own, edges, t = own[:taken], edges[: taken + 1], edges[taken]
        if not len(left) and failure is None:
            edges[-1] = problem.until
        deepest = max(deepest, float(report[:, codes.DEPTH].max()))
        moved = max(moved, float(report[:, codes.MOVED].max()))
        times = np.append(np.stack([edges[:-1], middles[:taken]], axis=1).ravel(), edges[-1])
        log = [*_remarks(deepest, moved, halved), *chunks.located.remarks()] if failure or not len(left) else []
        solver = _contact_solver(middles, report, took, PressingContacts(pressing))
        steps = Steps(times, Flights(free_bodies, own, records), [], log, failure, contact_solver=solver)
        if problem.event_tape is not None and taken:
            steps, signs = with_crossings(problem, steps, signs)
        yield steps
        if failure or steps.stopped:
            return


def steps_at_once(free_bodies: FreeBodies) -> int:
    """Number of steps between two checks."""
    return int(np.clip(FREE_BODIES_NUMBERS_PER_CHUNK // (13 * free_bodies.count), 1, 256))


def _remarks(deepest: float, moved: float, halved: int) -> list[str]:
    told = [f"penetration was at most {deepest:.1e} m; bodies were moved apart by at most {moved:.1e} m in a step"]
    if halved:
        told.append(f"{halved} time{'s' * (halved != 1)} a step missed the tolerance and was taken again as two halves")
    return told


def edges_of_steps(begin: float, until: float, h: float) -> np.ndarray:
    """Beginning and end of every step."""
    span = until - begin
    whole = int(span / h * (1 + WHOLE_STEPS))
    edges = begin + h * np.arange(whole + 1)
    if span - whole * h > WHOLE_STEPS * span:
        return np.append(edges, until)
    edges[-1] = until
    return edges


def _contact_solver(times: np.ndarray, report: np.ndarray, took: float, pressing: PressingContacts) -> ContactSolver:
    return ContactSolver(
        times,
        report[:, codes.RESIDUAL],
        report[:, codes.SWEEPS],
        report[:, codes.COUNT],
        report[:, codes.DEPTH],
        report[:, codes.MOVED],
        np.full(len(report), took / max(1, len(report))),
        report[:, codes.SURPLUS],
        report[:, codes.SPARE],
        report[:, codes.FINISHER],
        pressing,
    )


def _failure(status: int, t: float, report: np.ndarray, tolerance: float) -> str | None:
    if status == codes.MISSED:
        last = report[-1]
        return (
            f"the impulses of {int(last[codes.COUNT])} contacts at t = {t:.9g} s have residual {last[codes.RESIDUAL]:.1e} after "
            f"{int(last[codes.SWEEPS])} sweeps, which is more than {tolerance:.0e}; try a larger tolerance= or a smaller step"
        )
    return (
        f"the state stopped being finite after t = {t:.9g} s; try a smaller step" if status == codes.INFINITE else None
    )


def free_bodies_work(free_bodies: FreeBodies, state: np.ndarray) -> FreeBodiesWork:
    """The arrays of a run from a state (q, v) of the body frames."""
    return FreeBodiesWork(free_bodies, *(rows[0] for rows in starts_of(free_bodies, state[None])[:4]))


def starts_of(free_bodies: FreeBodies, states: np.ndarray) -> Starts:
    """Mass centers and their motion from states (B, n) of the body frames (q, v)."""
    n, B = free_bodies.count, len(states)
    q, v = states[:, : 7 * n].reshape(B, n, 7), states[:, 7 * n :].reshape(B, n, 6)
    Q = q[..., 3:] / np.linalg.norm(q[..., 3:], axis=-1, keepdims=True)
    R = matrices(Q)
    x = q[..., :3] + np.einsum("bnij,nj->bni", R, free_bodies.centers)
    velocity = np.einsum("bnij,bnj->bni", R, v[..., :3] + np.cross(v[..., 3:], free_bodies.centers))
    momentum = np.einsum("bnij,bnj->bni", R, np.einsum("nij,bnj->bni", free_bodies.inertias, v[..., 3:]))
    return Starts(x, Q, velocity, momentum, np.einsum("bnij,bnj->bni", R, v[..., 3:]))
