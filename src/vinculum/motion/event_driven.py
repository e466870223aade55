"""Event-driven motion with boundaries: smooth phases in which some are kept closed, and shocks between them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, final

import numpy as np

from vinculum.bonds import Boundary
from vinculum.bonds.boundaries import AHEAD, GRIP, SLIDES, STICKS, contact_frame, directions_ahead, slip_velocity
from vinculum.derivations.assembly import assembled
from vinculum.errors import MethodError
from vinculum.kernels.bond_loads import bonds
from vinculum.kernels.model import Model
from vinculum.kernels.models import model_for
from vinculum.kernels.tape import Tape
from vinculum.kernels.trace import trace
from vinculum.motion.atoms import Atoms
from vinculum.motion.blows import Blows, lasting
from vinculum.motion.events import event_functions
from vinculum.motion.loops import end_state
from vinculum.motion.phases import Phase
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.motion.slips import slip_tape, slips_at
from vinculum.motion.solves import Solves
from vinculum.motion.touching import ACCEPTED, Touching
from vinculum.scalars import Scalar, depends_on, symbol, symbols
from vinculum.scalars.math import dot, sqrt
from vinculum.systems import Event, System, placements, with_bases
from vinculum.systems.bounded import boundary_views

MOST_GAPS = 64
ZENO = 1e-9
MOST_AT_ONCE = 200
COARSE = 100.0
"""Slips below this many tolerances of a method without series are none."""
SLOWER = 1.0 / 32.0
"""Where a slip has slowed down to this part, a Runge–Kutta step ends: its stages near the rest have a direction u/|u| full of round-off."""
OWN = "\0"
"""Events of the driver itself begin with this, which no name of a user's can."""


def event_driven_steps(
    system: System, problem: Problem, given: Mapping[str, float], made: Callable[[Problem], StepSource]
) -> StepSource:
    """The steps of a run: each phase by ``made`` with the model in which closed boundaries are constraints.

    ``given``: values of parameters, some of which only the user's events may have.
    """
    run, blows = _Run(system, problem, given), Blows(problem)
    t, state = problem.begin, problem.state
    known: tuple | None = None
    while True:
        struck = blows.due(t, state)
        if blows.failure:
            yield Steps(np.array([t]), np.empty((0, len(state), 1)), failure=blows.failure)
            return
        state, atoms, closed, paradox = run.settled(t, state, struck)
        solves = run.solves(t)
        failure = f"at t = {t:.9g} s: {paradox}" if paradox is not None else _missed(t, solves)
        if failure is not None:
            yield Steps(np.array([t]), np.empty((0, len(state), 1)), atoms=atoms, failure=failure, solves=solves)
            return
        key = tuple(sorted(closed.items()))
        here = replace(run.begun(t, run.nudged(t, state, closed), closed), until=blows.next)
        if (key, run.ahead) != known or len(atoms):
            phase = Phase(0, key, here.model, here.parameters.copy(), t)
            yield Steps(np.array([t]), np.empty((0, len(state), 1)), atoms=atoms, phase=phase, solves=solves)
            known = key, run.ahead
        if problem.is_over(t):
            return
        for steps in map(lasting, made(here)):
            user = [c for c in steps.crossings if not c.name.startswith(OWN)]
            stopped = steps.stopped and any(c.name in run.stopping for c in user)
            if len(steps.coefficients):
                t, state = float(steps.times[-1]), end_state(steps)
                steps = replace(steps, failure=steps.failure or run.lost(t, state))
            yield replace(steps, crossings=user, stopped=stopped)
            if steps.failure or stopped:
                return
        if problem.is_over(t):
            return


def _missed(t: float, solves: Solves) -> str | None:
    """Why a run ends where the impulses of a shock were not found; None if they were."""
    if not np.any(solves.residual > ACCEPTED):
        return None
    k = int(np.argmax(solves.residual))
    return (
        f"the impulses of {int(solves.contacts[k])} boundaries at t = {t:.9g} s have residual {solves.residual[k]:.1e} after "
        f"{int(solves.sweeps[k])} sweeps, which is more than {ACCEPTED:.0e}; use time stepping: method='moreau' with a step"
    )


@final
class _Run:
    """A run in phases: what is known of its boundaries, and the models of the phases it has been in."""

    def __init__(self, system: System, problem: Problem, given: Mapping[str, float]):
        names = list(problem.model.layout["boundaries"])
        if len(names) > MOST_GAPS:
            raise MethodError(
                f"'{problem.model.name}' has {len(names)} boundaries, which is too many to watch each (at most {MOST_GAPS}); "
                "use time stepping: method='moreau' with a step"
            )
        assert problem.model.tree is not None
        for one in problem.model.tree.boundaries:
            if one.boundary.friction is not None and sum(mu > 0.0 for mu in one.boundary.friction.coefficients) == 1:
                raise MethodError(
                    f"{one.boundary.called}: friction along one direction alone neither slides nor sticks as a whole, which shock by shock "
                    "must be told apart; use method='moreau' with a step, or a little friction across"
                )
        self._system, self._problem = system, problem
        self._by_series = problem.method.claims.name in ("taylor", "series")
        least = 0.0 if self._by_series else COARSE * (problem.method.tolerance or 0.0)
        self._touching = Touching(problem.model, problem.parameters, least)
        self._models: dict[tuple, Model] = {}
        self._watched: dict[tuple, tuple[Tape | None, list[Event]]] = {}
        self._fastest, self._given = 0.0, given
        self.ahead: dict[str, tuple[float, ...]] = {}
        self._slips: Tape | None = None
        self.stopping = {event.name for event in problem.events if event.stop}

    def settled(
        self, t: float, state: np.ndarray, given: np.ndarray | None
    ) -> tuple[np.ndarray, Atoms, dict[str, str], str | None]:
        """The state after the shocks of this instant, the first of them with the impulses ``given`` (nv,) then; their atoms, which
        boundaries are closed from here on, and why that cannot be told."""
        touching, percussions, pushes = self._touching, [], []
        here = touching.at(t, state)
        wrong = touching.wrong(here)
        if wrong is not None:
            return state, self._atoms(t, [], []), {}, wrong
        for _ in range(MOST_AT_ONCE):
            approach = -here.speeds[::3][touching.touched(here)].min(initial=0.0)
            self._fastest = max(self._fastest, approach)
            slow = max(ZENO * self._fastest, touching.unseen(t, here, state))
            found = touching.after_shock(here, state[touching.model.nq :], slow, given)
            if found is None:
                break
            state = np.concatenate([state[: touching.model.nq], found[0]])
            percussions.append(found[1])
            pushes.append(np.zeros(touching.model.nv) if given is None else given)
            given = None
            here = touching.at(t, state)
        return state, self._atoms(t, percussions, pushes), touching.pressing(here), touching.paradox(here)

    def solves(self, t: float) -> Solves:
        """How the impulses of the last instant were solved."""
        return self._touching.solves(t)

    def _atoms(self, t: float, percussions: list, pushes: list) -> Atoms:
        nv, width = self._touching.model.nv, 3 * len(self._touching.names)
        given = np.array(pushes).reshape(-1, nv) if self._problem.model.layout["impulses"] else None
        return Atoms(np.full(len(percussions), t), np.array(percussions).reshape(-1, width), given)

    def lost(self, t: float, state: np.ndarray) -> str | None:
        """Which gap is no number at a state."""
        return self._touching.lost(t, state[: self._touching.model.nq + self._touching.model.nv])

    def nudged(self, t: float, state: np.ndarray, closed: dict[str, str]) -> np.ndarray:
        """The state with a least slip where one begins to slide from rest: its direction is that of the slip to come."""
        return self._touching.nudged(t, state, [name for name, status in closed.items() if status == SLIDES])

    def begun(self, t: float, state: np.ndarray, closed: dict[str, str]) -> Problem:
        """The problem of one phase from a state."""
        problem, key = self._problem, tuple(sorted(closed.items()))
        if key not in self._models:
            self._models[key] = model_for(self._system.with_contacts(closed, continued=True))
        model = self._models[key]
        known = self._directions(t, state, closed, model) | dict(
            zip(problem.model.parameter_names, problem.parameters.tolist(), strict=True)
        )
        values = model.parameter_values({name: x for name, x in known.items() if name in model.parameters})
        assert model.tree is not None
        if model.tree.is_conditioned:
            made = assembled(model, state[: model.nq], state[model.nq :], values, t=t)
            model, values, state = made.model, made.values, np.concatenate([made.q, made.v])
        branch = (key, id(model))
        if branch not in self._watched:
            self._watched[branch] = _watched(
                problem, model, closed, self._given, 0.5 * self._touching.still, self._by_series
            )
        tape, events = self._watched[branch]
        sized = problem.begin, problem.state
        return replace(
            problem, model=model, begin=t, state=state, parameters=values, events=events, event_tape=tape, sized=sized
        )

    def _directions(self, t: float, state: np.ndarray, closed: dict[str, str], model: Model) -> dict[str, float]:
        """Parameters of a phase for its slips: directions, kept until a slip turns from its own by a third of a half-turn; without
        series in units of the inverse of its speed now."""
        if self._slips is None:
            self._slips = slip_tape(self._problem.model)
        slips, before, found = slips_at(self._slips, t, state, self._problem.parameters), self.ahead, {}
        self.ahead = {}
        for name, status in closed.items():
            told = [AHEAD.format(name, axis) for axis in "xyz"]
            if status == SLIDES and any(one in model.parameters for one in told):
                u, size = slips[name], float(np.linalg.norm(slips[name]))
                if size == 0.0:
                    continue
                r = np.array(before.get(name, u / size))
                r = r if 2.0 * (r @ u) > size else u / size
                self.ahead[name] = tuple(r.tolist())
                unit = 1.0 if self._by_series else float(r @ u)
                found |= {one: x / unit for one, x in zip(told, r.tolist(), strict=True) if one in model.parameters}
        return found


def _watched(
    problem: Problem, model: Model, closed: Mapping[str, str], given: Mapping[str, float], still: float, far: bool
) -> tuple[Tape | None, list[Event]]:
    """What ends a phase, and the user's events, as functions of the phase's model; slips slower than ``still`` [m/s] have stopped.

    ``far``: steps may end right before a slip does, however long; otherwise they end where it has slowed down."""
    base = problem.model
    assert model.tree is not None and base.tree is not None
    bounded = with_bases(base.tree)
    q, v, t = symbols("q", bounded.nq), symbols("v", bounded.nv), symbol("t")
    outside = bounded.at(t)
    placed = placements(outside, q, v)
    loads = bonds(with_bases(model.tree).at(t), q, v, t) if closed else {}
    functions = (
        list(event_functions(outside, q, v, t, problem.events, model.parameters, given)[0]) if problem.events else []
    )
    events = list(problem.events)
    for one in bounded.boundaries:
        views = boundary_views(outside, one, placed, q, v)
        for ends, function in _ends(one.boundary, closed.get(one.boundary.name), views, loads, t, still, far, model):
            if depends_on(np.array([function, None], dtype=object)[:-1], [*q, *v, t]):
                functions.append(function)
                events.append(_own(f"{one.boundary.name} {ends}"))
    if not functions:
        return None, []
    return trace({"q": q, "v": v, "t": np.array([t])}, {"events": functions}, model.parameters), events


def _ends(
    boundary: Boundary, status: str | None, views, loads, t, still: float, far: bool, model: Model
) -> list[tuple[str, Any]]:
    """Functions that cross zero downwards where a boundary closes, parts, slips, stops slipping or slips elsewhere."""
    if status is None:
        return [("closes", boundary.gap_at(views, t))]
    normal = loads[f"{boundary.name}/multipliers"][0]
    if boundary.friction is None:
        return [("parts", normal)]
    size, point, frame = contact_frame(boundary, views, t)
    if status == STICKS:
        a, b = boundary.friction.coefficients
        grip = loads[f"{GRIP.format(boundary.name)}/multipliers"]
        inside = (normal * size) ** 2 - (grip[0] / a) ** 2 - (grip[1] / b) ** 2 if a and b else -1.0
        return [("parts", normal), ("slips", inside)]
    known = [x if one in model.parameters else 0.0 for one, x in directions_ahead(boundary).items()]
    if not any(isinstance(x, Scalar) for x in known):
        return [("parts", normal)]
    u, r = frame[1:] @ slip_velocity(views, point), frame[1:] @ np.array(known, dtype=object)
    ahead = dot(r, u)
    ends = [
        ("parts", normal),
        ("stops", ahead - still * sqrt(dot(r, r))),
        ("turns", 4.0 * dot(r, r) - dot(u / ahead, u / ahead)),
    ]
    return ends if far else [*ends, ("slows", ahead - SLOWER)]


def _own(name: str) -> Event:
    event = Event("driver", (), lambda: None, direction=-1, stop=True)
    object.__setattr__(event, "name", OWN + name)
    return event
