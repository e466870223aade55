"""Event-driven motion with boundaries: smooth phases in which some are kept closed, and shocks between them."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from vinculum.bonds.boundaries import GRIP, SLIDES, STICKS, contact_frame, slip_velocity
from vinculum.derivations.assembly import assembled
from vinculum.errors import MethodError, StartError
from vinculum.kernels.bond_loads import bonds
from vinculum.kernels.model import Model
from vinculum.kernels.models import model_for
from vinculum.kernels.tape import Tape
from vinculum.kernels.trace import trace
from vinculum.motion.atoms import Atoms
from vinculum.motion.loops import end_state
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.motion.touching import Touching
from vinculum.scalars import depends_on, symbol, symbols
from vinculum.scalars.math import sqrt
from vinculum.systems import Event, System, placements, with_bases
from vinculum.systems.bounded import boundary_views

MOST_GAPS = 64
ZENO = 1e-9
MOST_AT_ONCE = 200
OWN = "\0"
"""Events of the driver itself begin with this, which no name of a user's can."""


def event_driven_steps(system: System, problem: Problem, made: Callable[[Problem], StepSource]) -> StepSource:
    """The steps of a run: each phase by ``made`` with the model in which closed boundaries are constraints."""
    names = list(problem.model.layout["boundaries"])
    if len(names) > MOST_GAPS:
        raise MethodError(
            f"'{problem.model.name}' has {len(names)} boundaries, which is too many to watch each (at most {MOST_GAPS}); "
            "use time stepping: method='moreau' with a step"
        )
    touching = Touching(problem.model, problem.parameters)
    t, state = problem.begin, problem.state
    _check_start(touching, t, state)
    phases: dict[tuple, tuple[Model, Tape | None, list[Event]]] = {}
    fastest, bounces = 0.0, []
    known: dict[str, str] | None = None
    sized = problem.begin, problem.state
    while True:
        state, atoms, closed, fastest = _settled(touching, t, state, fastest)
        if closed != known or len(atoms):
            yield Steps(np.array([t]), np.empty((0, len(state), 1)), atoms=atoms, closed=tuple(sorted(closed.items())))
            known = closed
        bounces = [*bounces, t] if len(atoms) else bounces
        if problem.is_over(t):
            return
        key = tuple(sorted(closed.items()))
        if key not in phases:
            phases[key] = _phase(system, problem.model, closed)
        model, tape, events = phases[key]
        here = _begun(problem, model, tape, events, t, state, sized)
        stopped = False
        for steps in made(here):
            user = [c for c in steps.crossings if not c.name.startswith(OWN)]
            asked = {event.name for event in problem.events if event.stop}
            stopped = any(c.name in asked for c in user)
            yield replace(steps, crossings=user, stopped=steps.stopped and stopped)
            if len(steps.coefficients):
                t, state = float(steps.times[-1]), end_state(steps)
            if steps.failure or stopped:
                return
        if problem.is_over(t):
            return


def _check_start(touching: Touching, t: float, state: np.ndarray) -> None:
    gaps = touching.at(t, state).gaps
    deep = gaps < -1e-9 * max(1.0, touching.size)
    if np.any(deep):
        worst = int(np.argmin(gaps))
        raise StartError(
            f"system '{touching.model.name}': the gap of boundary '{touching.names[worst]}' is {gaps[worst]:.3g} at the start, which is "
            "on the wrong side; start where no gap is negative"
        )


def _settled(touching: Touching, t: float, state: np.ndarray, fastest: float):
    """The state after the shocks of this instant, their atoms, and which boundaries are closed from here on."""
    times, percussions = [], []
    for _ in range(MOST_AT_ONCE):
        here = touching.at(t, state)
        v = state[touching.model.nq :]
        approach = -here.speeds[::3][touching.touched(here)].min(initial=0.0)
        fastest = max(fastest, approach)
        found = touching.after_shock(here, v, ZENO * fastest)
        if found is None:
            break
        state = np.concatenate([state[: touching.model.nq], found[0]])
        times.append(t)
        percussions.append(found[1])
    here = touching.at(t, state)
    count = 3 * len(touching.names)
    atoms = Atoms(np.array(times), np.array(percussions).reshape(-1, count))
    return state, atoms, touching.pressing(here), fastest


def _phase(system: System, base: Model, closed: dict[str, str]) -> tuple[Model, Tape | None, list[Event]]:
    """The model in which these boundaries are constraints, and what ends its phase, as functions with their events."""
    model = model_for(system.with_contacts(closed))
    assert model.tree is not None and base.tree is not None
    tree, bounded = with_bases(model.tree), with_bases(base.tree)
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there, outside = tree.at(t), bounded.at(t)
    placed = placements(outside, q, v)
    loads = bonds(there, q, v, t) if closed else {}
    functions, events = [], []
    for one in bounded.boundaries:
        name = one.boundary.name
        views = boundary_views(outside, one, placed, q, v)
        if name not in closed:
            functions.append(one.boundary.gap_at(views, t))
            events.append(_own(f"{name} closes"))
            continue
        normal = loads[f"{name}/multipliers"][0]
        functions.append(normal)
        events.append(_own(f"{name} parts"))
        if one.boundary.friction is None:
            continue
        size, point, frame = contact_frame(one.boundary, views, t)
        if closed[name] == STICKS:
            a, b = one.boundary.friction.coefficients
            grip = loads[f"{GRIP.format(name)}/multipliers"]
            functions.append((normal * size) ** 2 - (grip[0] / a) ** 2 - (grip[1] / b) ** 2 if a and b else normal)
            events.append(_own(f"{name} slips"))
        if closed[name] == SLIDES:
            u = frame[1:] @ slip_velocity(views, point)
            functions.append(sqrt(u[0] ** 2 + u[1] ** 2))
            events.append(_own(f"{name} stops"))
    inputs = [*q, *v, t]
    moving = [k for k, f in enumerate(functions) if depends_on(np.array([f, None], dtype=object)[:-1], inputs)]
    if not moving:
        return model, None, []
    outputs = {"events": [functions[k] for k in moving]}
    return model, trace({"q": q, "v": v, "t": np.array([t])}, outputs, model.parameters), [events[k] for k in moving]


def _own(name: str) -> Event:
    event = Event("driver", (), lambda: None, direction=-1, stop=True)
    object.__setattr__(event, "name", OWN + name)
    return event


def _begun(problem: Problem, model: Model, tape: Tape | None, events: Iterable[Event], t: float, state: np.ndarray, sized) -> Problem:
    """The problem of one phase from a state."""
    known = dict(zip(sorted(problem.model.parameters), problem.parameters.tolist(), strict=True))
    values = model.parameter_values({name: x for name, x in known.items() if name in model.parameters})
    assert model.tree is not None
    if model.tree.is_conditioned:
        made = assembled(model, state[: model.nq], state[model.nq :], values, t=t)
        model, values, state = made.model, made.values, np.concatenate([made.q, made.v])
    events = list(events)
    return replace(problem, model=model, begin=t, state=state, parameters=values, events=events, event_tape=tape, sized=sized)
