"""Event-driven motion with unilateral constraints: smooth phases with some gaps closed, and impacts between them."""

from collections import deque
from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from typing import NamedTuple, final

import numpy as np

from vinculum.bonds.unilaterals import AHEAD, SLIDES
from vinculum.compile.tape import Tape
from vinculum.derivations.starts.assembly import assemble
from vinculum.errors import MethodError
from vinculum.integrators.event_driven.balanced_loads import Hold
from vinculum.integrators.event_driven.dead_ends import ambiguous_names, broken_gap, jam, lost_gap, paradox, touches
from vinculum.integrators.event_driven.first_slips import Begin, begin_of_slips, first_step, precede, without_direction
from vinculum.integrators.event_driven.gained_energy import GainedEnergy
from vinculum.integrators.event_driven.given_impulses import GivenImpulses, lasting
from vinculum.integrators.event_driven.handed_over import HandOver, usual_width
from vinculum.integrators.event_driven.jumps import is_levered, unexplained_jump
from vinculum.integrators.event_driven.missed_hits import MissedHits
from vinculum.integrators.event_driven.passing_slips import pass_zero, without_slips
from vinculum.integrators.event_driven.phase_ends import OWN, beyond_grip, slips_among, watched_ends, without_load
from vinculum.integrators.event_driven.slips import chosen_slips, slip_tape, slips_at
from vinculum.integrators.event_driven.slow_slips import SlipWatch, time_to_rest, too_slow
from vinculum.integrators.event_driven.sudden_slips import sudden
from vinculum.integrators.event_driven.touching import Touching, impulses_to_rest, strength
from vinculum.integrators.watch.loops import end_state
from vinculum.models.model import Model
from vinculum.models.model_cache import model_for
from vinculum.motion.chart_changes import base_places
from vinculum.motion.impulses.accumulation import accumulating
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.phases import Phase
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.systems import Event, System
from vinculum.tolerances.event_driven import (
    COARSE_SLIP,
    FARTHER,
    IMPACT_ACCEPTED,
    LONGEST_FIRST_STEP,
    LOOK_OF_STOPPING,
    MOST_AT_ONCE,
    NUDGE,
    OPERATIONS_OF_SETS,
    QUICKEST_DECAY,
    SLOW_SLIP,
    SLOWED_DOWN,
    STEP_OF_STOPPING,
    STEP_OF_TURNING,
    TURNED_AS_FAR,
    ZENO,
)
from vinculum.tolerances.sizes import MOST_GAPS


def event_driven_steps(
    system: System, problem: Problem, given: Mapping[str, float], made: Callable[[Problem], StepSource]
) -> StepSource:
    """The steps of a run. ``made`` integrates each phase with a model in which closed unilateral constraints are bilateral constraints.

    ``given``: values of parameters. Some of these parameters may occur only in the user's events.
    """
    run, given_impulses = _Run(system, problem, given), GivenImpulses(problem)
    t, state = problem.begin, problem.state
    watch, hand = SlipWatch(t, problem.until - t), HandOver(problem, run.touching)
    known, released, width, landing = None, None, usual_width(problem.method), None
    slipped: frozenset[str] = frozenset()
    while True:
        struck, arrived = given_impulses.due(t, state), state
        if given_impulses.failure:
            yield Steps(np.array([t]), np.empty((0, len(state), 1)), failure=given_impulses.failure)
            return
        state, atoms, closed, dead_end = run.settle_impacts(t, state, struck, landing)
        landing = None
        run.touching.steps = 0.0
        contact_solver = run.contact_solver(t)
        trouble = None
        if dead_end is None:
            trouble = (
                _residual_message(t, contact_solver)
                or paradox(run.touching, t, state)
                or run.ambiguous(t, state, closed)
                or ((run.new_set(t, closed) or watch.changes_often(t, run.models_made)) if struck is None else None)
                or run.slow(t, state, closed, None, watch.gets_nowhere(t, phases=1, hits=len(atoms)))
            )
        failure = f"at t = {t:.9g} s: {dead_end}" if dead_end is not None else trouble if struck is not None else None
        if failure is not None:
            yield Steps(
                np.array([t]), np.empty((0, len(state), 1)), atoms=atoms, failure=failure, contact_solver=contact_solver
            )
            return
        opened = None
        if trouble is None:
            run.touching.held = np.array([name in closed for name in run.touching.names])
            opened = run.open_phase(t, state, closed, given_impulses.next, slipped, struck is not None)
            trouble = opened if isinstance(opened, str) else None
            if isinstance(opened, _Opened) and opened.key == released and struck is None:
                opened, trouble = (
                    None,
                    f"contacts that let go of a shared load at t = {t:.9g} s would stick again there",
                )
        released, slipped = None, frozenset()
        if isinstance(opened, _Opened):
            closed, here, first, key = opened
            if (key, run.ahead) != known or len(atoms) or run.is_moved(arrived, state):
                phase = Phase(0, key, here.model, here.parameters.copy(), t)
                yield Steps(
                    np.array([t]), np.empty((0, len(state), 1)), log=run.gains.take(), atoms=atoms, phase=phase,
                    contact_solver=contact_solver,
                )  # fmt: skip
                known = key, run.ahead
            if problem.is_over(t):
                return
            if first is None:
                source = made(run.before_rest(here, closed))
            else:
                going = replace(
                    run.begin_phase(float(first.times[-1]), end_state(first), closed), until=given_impulses.next
                )
                source = precede(first, made(going), width)
            arrived = state
            for whole in map(lasting, source):
                if whole.change is not None:
                    problem.parameters[base_places(problem.model)] = whole.change.base
                    state = arrived = np.concatenate([whole.change.after, state[len(whole.change.after) :]])
                steps, loose = run.hold.lasting(whole)
                steps, hit = run.hits.until_first(steps, closed)
                user = [c for c in steps.crossings if not c.name.startswith(OWN)]
                slipped = slips_among(steps.crossings, closed)
                stopped = steps.stopped and any(c.name in run.stopping for c in user)
                if len(steps.coefficients):
                    t, state, width = float(steps.times[-1]), end_state(steps), steps.coefficients.shape[2]
                    arrived = state
                lost = run.lost_gap(t, state)
                nowhere = watch.gets_nowhere(t, len(steps.coefficients))
                trouble = run.slow(t, state, closed, steps.failure, nowhere) or (
                    run.hits.reason(hit, t, here.begin) if hit else None
                )
                # Without a contact the smooth equations themselves fail, and time stepping would fail as well.
                failure = lost or (
                    None if closed or not steps.failure or touches(run.touching, t, run.plain(state)) else steps.failure
                )
                yield replace(steps, crossings=user, stopped=stopped, failure=failure)
                if failure or stopped:
                    return
                if loose or hit or trouble:
                    released = key if loose else None
                    break
        endless = run.gains.without_end(t) if trouble is not None else None
        if endless is not None:
            yield Steps(np.array([t]), np.empty((0, len(state), 1)), failure=endless)
            return
        if trouble is not None:
            goes_on = run.is_spent or watch.chatters_on
            reached = yield from hand.over(t, run.plain(arrived), trouble, given_impulses.next, width, goes_on)
            if reached is None:
                return
            (t, state, landing), known = reached, None
            run.touching.held[:] = True
            watch = watch.after_time_stepping(t, run.models_made)
        if problem.is_over(t):
            return


def _residual_message(t: float, contact_solver: ContactSolver) -> str | None:
    """Message if the solver did not find the impulses of an impact at t; None if it did."""
    if not np.any(contact_solver.residual > IMPACT_ACCEPTED):
        return None
    k = int(np.argmax(contact_solver.residual))
    return (
        f"the impulses of {int(contact_solver.contacts[k])} unilateral constraints at t = {t:.9g} s have residual "
        f"{contact_solver.residual[k]:.1e} after "
        f"{int(contact_solver.sweeps[k])} sweeps, which is more than {IMPACT_ACCEPTED:.0e}; use time stepping: method='moreau' with a step"
    )


class _Opened(NamedTuple):
    """A phase that begins: which contacts are closed and how, its problem, its first step if slips begin from rest, and its key."""

    closed: dict[str, str]
    here: Problem
    first: Steps | None
    key: tuple[tuple[str, str], ...]


@final
class _Run:
    """A run in phases: the state of its unilateral constraints, and the models of all phases so far."""

    def __init__(self, system: System, problem: Problem, given: Mapping[str, float]):
        names = list(problem.model.layout.unilaterals)
        if len(names) > MOST_GAPS:
            raise MethodError(
                f"'{problem.model.name}' has {len(names)} unilateral constraints, which is too many for event detection "
                f"(at most {MOST_GAPS}); use time stepping: method='moreau' with a step"
            )
        assert problem.model.tree is not None
        for one in problem.model.tree.unilaterals:
            if (
                one.unilateral.friction is not None
                and sum(mu > 0.0 for mu in one.unilateral.friction.coefficients) == 1
            ):
                raise MethodError(
                    f"{one.unilateral.called}: friction along one direction alone neither slides nor sticks as a whole, which "
                    "the event-driven method must distinguish; use method='moreau' with a step, or a little friction across"
                )
        self._system, self._problem = system, problem
        self._by_series = problem.method.claims.name in ("taylor", "series")
        least = 0.0 if self._by_series else COARSE_SLIP * (problem.method.tolerance or 0.0)
        self.touching = Touching(problem.model, problem.parameters, least, problem.until - problem.begin)
        self._models: dict[tuple, Model] = {}
        self._operations = 0
        self._watched: dict[tuple, tuple[Tape | None, list[Event]]] = {}
        self._fastest, self._given = 0.0, given
        self._instants: list[deque[float]] = [deque(maxlen=MOST_AT_ONCE) for _ in names]
        self.ahead: dict[str, tuple[float, ...]] = {}
        self.hold: Hold
        self.gains = GainedEnergy(self.touching)
        self._slips: Tape | None = None
        self._first: float | None = None
        self.hits = MissedHits(self.touching)
        self.stopping = {event.name for event in problem.events if event.stop}

    def settle_impacts(
        self, t: float, state: np.ndarray, given: np.ndarray | None, landing: np.ndarray | None = None
    ) -> tuple[np.ndarray, Atoms, dict[str, str], str | None]:
        """Resolve all impacts at this instant; the first one includes the applied impulses ``given`` (nv,).

        ``landing`` (3 m,): impulses before all of them, where a span of time stepping ends. Returns the state after the impacts, their
        atoms, the unilateral constraints that are closed from here on with their status, and a message if the run cannot go on.
        """
        touching, contact_impulses, pushes = self.touching, [], []
        here = touching.at(t, state)
        wrong = broken_gap(touching, here)
        if wrong is not None:
            return state, self._atoms(t, [], []), {}, wrong
        state = touching.together(t, state)
        here = touching.at(t, state)
        if landing is not None and landing.any():
            state = np.concatenate(
                [state[: touching.model.nq], state[touching.model.nq :] + here.K @ (here.jacobians.T @ landing)]
            )
            contact_impulses.append(landing)
            pushes.append(np.zeros(touching.model.nv))
            here = touching.at(t, state)
        for _ in range(MOST_AT_ONCE):
            approach = -here.speeds[::3][touching.closed_gaps(here)].min(initial=0.0)
            self._fastest = max(self._fastest, approach)
            slow = max(ZENO * self._fastest, touching.unseen_speed(t, here, state))
            v = state[touching.model.nq :]
            hit = np.any(np.array(contact_impulses).reshape(-1, len(here.speeds))[:, ::3] > 0.0, axis=0)
            pulls = (here.jacobians @ here.rates + here.biases)[::3]
            spent = accumulating(t, self._instants, touching.closed_gaps(here), here.speeds[::3], pulls, touching.size)
            found = touching.after_impact(here, v, slow, given, spent=spent) or touching.catch_slow_parting(
                here, v, slow, hit
            )
            if found is None:
                break
            before, state = here, np.concatenate([state[: touching.model.nq], found[0]])
            contact_impulses.append(found[1])
            for c in np.flatnonzero(found[1][::3] > 0.0):
                self._instants[c].append(t)
            pushes.append(np.zeros(touching.model.nv) if given is None else given)
            here = touching.at(t, state)
            if given is None:
                self.gains.look_at(t, found[1], before, here)
            given = None
        closed = touching.pressing(here)
        if contact_impulses and closed:
            last = impulses_to_rest(touching.names, here, closed)
            contact_impulses[-1] = contact_impulses[-1] + last
            v = state[touching.model.nq :] + here.K @ (here.jacobians.T @ last)
            state = np.concatenate([state[: touching.model.nq], v])
        return state, self._atoms(t, contact_impulses, pushes), closed, jam(touching)

    def contact_solver(self, t: float) -> ContactSolver:
        """Statistics of the contact solver for the impacts of the last instant."""
        return self.touching.contact_solver(t)

    def _atoms(self, t: float, contact_impulses: list, pushes: list) -> Atoms:
        nv, width = self.touching.model.nv, 3 * len(self.touching.names)
        given = np.array(pushes).reshape(-1, nv) if self._problem.model.layout.impulses else None
        return Atoms(np.full(len(contact_impulses), t), np.array(contact_impulses).reshape(-1, width), given)

    def is_moved(self, arrived: np.ndarray, state: np.ndarray) -> bool:
        """Whether the positions were corrected to close several gaps exactly. The path jumps there, so a new phase begins."""
        nq = self.touching.model.nq
        return not np.array_equal(arrived[:nq], state[:nq])

    def plain(self, state: np.ndarray) -> np.ndarray:
        """The part of a phase's state that belongs to the model of the run."""
        return state[: self.touching.model.nq + self.touching.model.nv]

    def ambiguous(self, t: float, state: np.ndarray, closed: dict[str, str]) -> str | None:
        """Message if the normal forces of sliding contacts are not unique, so that the motion of the phase is not unique; otherwise
        None.
        """
        names = ambiguous_names(self.touching, self.touching.at(t, state), closed)
        told = ", ".join(f"'{name}'" for name in names)
        return (
            f"the unilateral constraints {told} slide in different directions, and their normal forces are not unique"
            if names
            else None
        )

    def lost_gap(self, t: float, state: np.ndarray) -> str | None:
        """Message that names a gap which is not finite at a state; None if all are finite."""
        return lost_gap(self.touching, t, state[: self.touching.model.nq + self.touching.model.nv])

    def beginning(self, t: float, state: np.ndarray, closed: dict[str, str]) -> tuple[Problem, Begin | None]:
        """The problem of a phase, and where slips begin from rest (None if nowhere).

        Slips that begin from rest start with a tiny velocity in the direction in which they will slide.
        """
        begin = begin_of_slips(self.touching, t, state, closed)
        if begin is None:
            return self.begin_phase(t, state, closed), None
        least = NUDGE * self.touching.speed
        here = self.begin_phase(t, begin.give_slips(t, state, least * begin.directions), closed)
        other = sudden(here, begin)
        if other is None:
            return here, begin
        self.ahead = {}
        return self.begin_phase(t, other.give_slips(t, state, least * other.directions), closed), other

    def open_phase(
        self, t: float, state: np.ndarray, closed: dict[str, str], until: float, slipped: Set[str], struck: bool
    ) -> "_Opened | str":
        """A phase from a state, or why it cannot begin. ``slipped``: contacts whose limit of friction ended the phase before. After a
        user's impulse, ``struck``, it always begins: time stepping would start before that impulse."""
        here, begin = self.beginning(t, state, closed)
        lifting = without_load(here, closed)
        if lifting:
            closed = {name: status for name, status in closed.items() if name not in lifting}
            here, begin = self.beginning(t, state, closed)
        normal = self.touching.forces(self.touching.at(t, self.plain(state)))[0][::3]
        loose = beyond_grip(here, closed, dict(zip(self.touching.names, normal.tolist(), strict=True)), slipped)
        if loose:
            closed = closed | dict.fromkeys(loose, SLIDES)
            here, begin = self.beginning(t, state, closed)
        here, first, trouble = self._without_jump(t, state, closed, here, begin, until)
        if trouble is not None and not struck:
            return trouble
        here = replace(here, until=until)
        first = first or self.first_step(here, begin, closed)
        if first is None and begin is not None and not struck and not self._problem.is_over(t):
            trouble = without_direction(begin, t, state)
            if trouble is not None:
                return trouble
        return _Opened(closed, here, first, tuple(sorted(closed.items())))

    def _without_jump(
        self, t: float, state: np.ndarray, closed: dict[str, str], here: Problem, begin: Begin | None, until: float
    ) -> tuple[Problem, Steps | None, str | None]:
        """A phase that begins ``here`` without a jump of velocities: its problem, the step in which its slips pass through zero if they
        need one, and a message if there is no such step."""
        before = self.plain(state)
        v = slice(self._problem.model.nq, len(before))
        far = unexplained_jump(self.touching, t, before[v], here.state[v])
        if begin is None or self._problem.is_over(t):
            return here, None, far
        far = far or without_slips(begin, t, self.plain(here.state))
        levered = is_levered(self.touching, before[v], here.state[v]) and not begin.may_turn(t, before)
        if far is None and not levered:
            return here, None, None
        first = pass_zero(begin, t, before)
        if first is None or not first.times[-1] < until:
            return here, None, far
        self.ahead = {}
        return self.begin_phase(t, end_state(first), closed), first, None

    @property
    def models_made(self) -> int:
        """Number of sets of closed contacts whose equations have been derived."""
        return len(self._models)

    @property
    def is_spent(self) -> bool:
        """Whether the equations of no further set of closed contacts are derived."""
        return self._operations > OPERATIONS_OF_SETS

    def new_set(self, t: float, closed: dict[str, str]) -> str | None:
        """Message if a phase needs equations that are not derived any more; None if it does not."""
        if not self.is_spent or tuple(sorted(closed.items())) in self._models:
            return None
        return (
            f"the contacts that are closed at t = {t:.9g} s need equations of their own, and those of {self.models_made} sets of contacts, "
            f"{self._operations} operations, have been derived: time stepping needs none"
        )

    def first_step(self, here: Problem, begin: Begin | None, closed: dict[str, str]) -> Steps | None:
        """The step in which slips begin from rest; the problem ``here`` starts with tiny slips. None if there is no such step."""
        if here.is_over(here.begin) or begin is None or self._slips is None:
            return None
        sliding = {name for name, status in closed.items() if status == SLIDES}
        slips = chosen_slips(self._slips, self._problem.parameters, sliding)
        longest = LONGEST_FIRST_STEP * (self._problem.until - self._problem.begin)
        found = first_step(here, begin, slips, self._first or longest)
        self._first = None if found is None else min(FARTHER * float(np.diff(found.times)[0]), longest)
        return found

    def before_rest(self, here: Problem, closed: dict[str, str]) -> Problem:
        """The problem with a limit on its steps before a slip comes to rest.

        Methods without series do not notice on their way that a slip stops. Their steps are short compared to the stopping time, and the
        problem ends soon after that time, so that the slips are checked again.
        """
        if self._by_series:
            return here
        sliding = [name for name, status in closed.items() if status == SLIDES]
        found = time_to_rest(self.touching, here.begin, here.state, sliding)
        if found is None:
            return here
        stop, turn = found
        longest = min(STEP_OF_STOPPING * stop, STEP_OF_TURNING * SLOWED_DOWN * turn)
        method = replace(here.method, max_step=min(longest, here.method.max_step or np.inf))
        return replace(here, until=min(here.until, here.begin + LOOK_OF_STOPPING * stop), method=method)

    def slow(
        self, t: float, state: np.ndarray, closed: dict[str, str], failure: str | None, nowhere: bool
    ) -> str | None:
        """Message if the phase has to end because of a ``failure`` or because steps get ``nowhere``; it names the slowest slip if that
        is the cause.
        """
        if failure is None and not nowhere:
            return None
        found = slips_at(self._slips, t, state, self._problem.parameters) if self._slips is not None else {}
        sizes = {name: float(np.linalg.norm(u)) for name, u in found.items() if closed.get(name) == SLIDES}
        name = min(sizes, key=sizes.__getitem__, default="")
        if not name or not sizes[name] < SLOW_SLIP * self.touching.speed:
            return failure or f"steps make no progress near t = {t:.9g} s"
        return too_slow(name, sizes[name], t, failure)

    def begin_phase(self, t: float, state: np.ndarray, closed: dict[str, str]) -> Problem:
        """The problem of one phase that begins at t with a state."""
        problem, key = self._problem, tuple(sorted(closed.items()))
        cancelled = strength(self.touching, t, state) if closed else 0.0
        if key not in self._models:
            self._models[key] = model_for(self._system.with_contacts(closed, continued=True))
        model = self._models[key]
        known = self._directions(t, state, closed, model) | dict(
            zip(problem.model.parameter_names, problem.parameters.tolist(), strict=True)
        )
        values = model.parameter_values({name: x for name, x in known.items() if name in model.parameters})
        assert model.tree is not None
        if model.tree.is_conditioned:
            made = assemble(model, state[: model.nq], state[model.nq :], values, t=t)
            model, values, state = made.model, made.values, np.concatenate([made.q, made.v])
        size = problem.model.nq + problem.model.nv
        self.hold = Hold(self.touching, t, state[:size], closed, problem.until - problem.begin)
        branch = (key, id(model), self.hold.shared)
        if branch not in self._watched:
            self._watched[branch] = watched_ends(
                problem, model, closed, self._given, 0.5 * self.touching.still, self._by_series, self.hold.shared
            )
            self._operations += sum(
                len(one.code) for one in (model.tape("motion"), self._watched[branch][0]) if one is not None
            )
        tape, events = self._watched[branch]
        quickest = QUICKEST_DECAY * self.touching.speed / self.touching.size
        return replace(problem, model=model, begin=t, state=state, parameters=values, events=events, event_tape=tape,
                       sized=problem.sizes, quickest=quickest, strength=cancelled, is_phase=True)  # fmt: skip

    def _directions(self, t: float, state: np.ndarray, closed: dict[str, str], model: Model) -> dict[str, float]:
        """Parameters of a phase for the directions of its slips.

        A direction is kept until the slip has turned away from it by 60°. Methods without series get it divided by the current sliding
        speed along it.
        """
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
                r = r if 2.0 * (r @ u) > TURNED_AS_FAR * size else u / size
                self.ahead[name] = tuple(r.tolist())
                unit = 1.0 if self._by_series else float(r @ u)
                found |= {one: x / unit for one, x in zip(told, r.tolist(), strict=True) if one in model.parameters}
        return found
