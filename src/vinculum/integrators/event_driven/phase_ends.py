"""Event functions that end a phase: a gap closes, a contact separates, sliding begins or ends. The roots of gaps are impact times."""

from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np

from vinculum.bonds import Unilateral
from vinculum.bonds.unilaterals import GRIP, STICKS, contact_frame, directions_ahead, slip_velocity
from vinculum.compile.evaluate import evaluate_rows
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.observables.loads import multipliers_by_name
from vinculum.models.model import Model
from vinculum.motion.events import Crossing, event_functions
from vinculum.motion.problem import Problem
from vinculum.scalars import Scalar, depends_on, replay, symbol, symbols
from vinculum.scalars.math import dot, sqrt
from vinculum.systems import Event, placements, with_bases
from vinculum.systems.unilaterals import unilateral_views
from vinculum.tolerances.event_driven import CAME_TO_SLIP, GRIPS_UP_TO, PRESSING, SLOWED_DOWN

OWN = "\0"
"""Names of the driver's own events begin with this character, which no user-given name contains."""
PARTS = OWN + "{} parts"
"""Name of the event at which a unilateral constraint loses its load."""
SLIPS = OWN + "{} slips"
"""Name of the event at which a unilateral constraint reaches its friction limit."""


def watched_ends(
    problem: Problem,
    model: Model,
    closed: Mapping[str, str],
    given: Mapping[str, float],
    still: float,
    far: bool,
    shared: Set[str],
) -> tuple[Tape | None, list[Event]]:
    """Event functions that end a phase, traced for its model, and the user's events. Slips slower than ``still`` [m/s] have stopped.

    ``far``: steps may end right before sliding ends, however long they are. Otherwise they end where the slip has slowed down.
    ``shared``: unilateral constraints whose forces are not unique; the forces of the model are not used for them.
    """
    base = problem.model
    assert model.tree is not None and base.tree is not None
    bounded = with_bases(base.tree)
    q, v, t = symbols("q", bounded.nq), symbols("v", bounded.nv), symbol("t")
    outside = bounded.at(t, q)
    placed = placements(outside, q, v)
    multipliers = multipliers_by_name(with_bases(model.tree).at(t, q), q, v, t) if closed else {}
    functions = (
        list(event_functions(outside, q, v, t, problem.events, model.parameters, given)[0]) if problem.events else []
    )
    events = list(problem.events)
    for one in bounded.unilaterals:
        if one.unilateral.name in shared:
            continue
        views = unilateral_views(outside, one, placed, q, v)
        for ends, function in _ends(
            one.unilateral, closed.get(one.unilateral.name), views, multipliers, t, still, far, model
        ):
            if depends_on(np.array([function, None], dtype=object)[:-1], [*q, *v, t]):
                functions.append(function)
                events.append(_own(f"{one.unilateral.name} {ends}"))
    if not functions:
        return None, []
    # The phase's model lacks parameters that occur only in unilateral constraints: they take the values of the run.
    fixed = dict(zip(base.parameter_names, problem.parameters.tolist(), strict=True))
    known = replay(
        np.array([*functions, None], dtype=object)[:-1],
        lambda leaf: leaf if leaf.op == "symbol" or leaf.args[0] in model.parameters else fixed.get(*leaf.args),
    )
    return trace({"q": q, "v": v, "t": np.array([t])}, {"events": known}, model.parameters), events


def _ends(
    unilateral: Unilateral, status: str | None, views, multipliers, t, still: float, far: bool, model: Model
) -> list[tuple[str, Any]]:
    """Functions that cross zero downwards where a contact closes, separates, begins to slip, stops slipping or changes its direction of
    slip.
    """
    if status is None:
        return [("closes", unilateral.gap_at(views, t))]
    normal = multipliers[unilateral.name][0]
    if unilateral.friction is None:
        return [("parts", normal)]
    size, point, frame = contact_frame(unilateral, views, t)
    if status == STICKS:
        a, b = unilateral.friction.coefficients
        grip = multipliers[GRIP.format(unilateral.name)]
        inside = (
            (1.0 + GRIPS_UP_TO) * (normal * size) ** 2 - (grip[0] / a) ** 2 - (grip[1] / b) ** 2 if a and b else -1.0
        )
        return [("parts", normal), ("slips", inside)]
    known = [x if one in model.parameters else 0.0 for one, x in directions_ahead(unilateral).items()]
    if not any(isinstance(x, Scalar) for x in known):
        return [("parts", normal)]
    u, r = frame[1:] @ slip_velocity(views, point), frame[1:] @ np.array(known, dtype=object)
    ahead = dot(r, u)
    ends = [
        ("parts", normal),
        ("stops", ahead - still * sqrt(dot(r, r))),
        ("turns", 4.0 * dot(r, r) - dot(u / ahead, u / ahead)),
    ]
    return ends if far else [*ends, ("slows", ahead - SLOWED_DOWN)]


def without_load(phase: Problem, closed: Mapping[str, str]) -> list[str]:
    """Unilateral constraints that do not press where their phase begins.

    Forces that are found by iteration do not tell a load that has just vanished. The event at which it vanishes would never be seen.
    """
    pressing = {PARTS.format(name): name for name in closed}
    if phase.event_tape is None or not pressing:
        return []
    values = evaluate_rows(phase.event_tape, phase.rows(phase.state[None], np.array([phase.begin])))[0]
    loads = {event.name: float(x) for event, x in zip(phase.events, values, strict=True) if event.name in pressing}
    least = PRESSING * max((abs(x) for x in loads.values()), default=0.0)
    return [pressing[name] for name, load in loads.items() if load <= least]


def slips_among(crossings: Iterable[Crossing], closed: Mapping[str, str]) -> frozenset[str]:
    """Unilateral constraints whose limit of friction is among the crossings."""
    crossed = {crossing.name for crossing in crossings}
    return frozenset(name for name in closed if SLIPS.format(name) in crossed)


def beyond_grip(phase: Problem, closed: Mapping[str, str], normal: Mapping[str, float], slipped: Set[str]) -> list[str]:
    """Unilateral constraints that stick although their phase begins beyond the limit of friction; ``normal``: their normal forces [N].

    Their forces were found with slips that count as none. The event that ends sticking would never be seen. It is at the slack
    `GRIPS_UP_TO` beyond the limit, so that half of it tells forces that have come there from those that stay at the limit. Those in
    ``slipped`` have come there: where their forces change fast, the instant of the event has more round-off than this.
    """
    sticking = {SLIPS.format(name): name for name, status in closed.items() if status == STICKS}
    if phase.event_tape is None or not sticking:
        return []
    values = evaluate_rows(phase.event_tape, phase.rows(phase.state[None], np.array([phase.begin])))[0]
    return [
        sticking[event.name]
        for event, value in zip(phase.events, values, strict=True)
        if event.name in sticking
        and value
        <= (CAME_TO_SLIP if sticking[event.name] in slipped else 0.5 * GRIPS_UP_TO) * normal[sticking[event.name]] ** 2
    ]


def _own(name: str) -> Event:
    event = Event("driver", (), lambda: None, direction=-1, stop=True)
    object.__setattr__(event, "name", OWN + name)
    return event
