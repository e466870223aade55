"""Layout and tapes of a Lagrangian system for integrators, motions and stored runs."""

from collections.abc import Mapping, Sequence

import numpy as np

from vinculum.bonds import argument_names
from vinculum.compile.tape import Tape
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.equations.lagrangian.first_order_form import DECAY
from vinculum.equations.lagrangian.principle import Rows
from vinculum.errors import StartError, VinculumError
from vinculum.models.lagrangian.type import TAPES, LagrangianType
from vinculum.models.layout import ConstrainedEntry, LagrangianEntry, Layout
from vinculum.models.model import Model
from vinculum.scalars import Scalar, parameters, replay
from vinculum.systems import Event, JointView, nearest
from vinculum.systems.jets import derivative_name

KNOWN = "an event of a Lagrangian system knows coordinates and their rates: look at q and v"


def lagrangian_model(system: LagrangianSystem, augmented: bool, decay: float) -> Model:
    """Coordinates, and then the rest of the state; ``decay``: of errors in the constraints, 1/time."""
    numbers, names, principle = system.numbers, system.coordinates, system.principle
    order, n = system.order, len(names)
    m = len(principle.jet.multipliers[0])
    rest = [derivative_name(name, k) for k in range(1, order + 1) for name in names]
    rest += [f"pi{k}_{name}" for k in range(order - 1) for name in names] + [f"lambda{i}" for i in range(m)]
    groups = [k for k in range(2 * order) for _ in names] + [2 * order] * m
    constrained = [*(_entry_of(rows, "free") for rows in principle.stationary), *(_entry_of(rows, "ideal") for rows in principle.ideal),
            *(_entry_of(rows, "loose") for rows in principle.loose)]  # fmt: skip
    lost = sum(entry.rows for entry in constrained if entry.multipliers != "loose")
    layout = Layout(
        name=system.name,
        q_names=list(names),
        v_names=rest,
        q_units=["1"] * n,
        v_units=["1"] * len(rest),
        groups=groups,
        rank=len(rest) - n + lost,
        parameters={name: numbers.parameters[name] for name in sorted(numbers.parameters)} | {DECAY: decay},
        lagrangian=LagrangianEntry(order, constrained, m),
    )
    made = [numbers.motion(augmented), numbers.report(augmented), numbers.values_on_curves]
    made += [numbers.conditions] if principle.stationary or principle.ideal else []
    return Model(layout, LagrangianType(), dict(zip(TAPES, made, strict=False)))


def _entry_of(rows: Rows, multipliers: str) -> ConstrainedEntry:
    return ConstrainedEntry(rows.name, rows.level, len(rows.F), multipliers, type(rows.realization).__name__)


def lagrangian_events(system: LagrangianSystem, events: Sequence[Event], values: Mapping[str, float]) -> Tape | None:
    """The functions of all events over the state; each sees the coordinates that it names as their ``q`` and ``v``."""
    if not events:
        return None
    if len({event.name for event in events}) < len(events):
        raise StartError(f"event names must differ, got {[event.name for event in events]}")
    known, given = system.numbers.parameters, [_event_value(event, system) for event in events]
    free = replay(
        np.array([*given, None], dtype=object)[:-1],
        lambda leaf: leaf if leaf.op == "symbol" or leaf.args[0] in known else values.get(*leaf.args),
    )
    return system.numbers.tape({"events": free})


def event_parameters(system: LagrangianSystem, events: Sequence[Event]) -> set[str]:
    """Parameters that only events have."""
    found = parameters(np.array([*(_event_value(event, system) for event in events), 0.0], dtype=object))
    return set(found) - set(system.numbers.parameters)


def _event_value(event: Event, system: LagrangianSystem) -> Scalar:
    jet, names = system.principle.jet, list(system.coordinates)
    views = []
    for name in event.of if isinstance(event.of, (list, tuple)) else [event.of]:
        if not isinstance(name, str) or name not in names:
            raise StartError(
                f"event '{event.name}': there is no coordinate '{name}' in system '{system.name}'{nearest(str(name), names)}"
            )
        i = names.index(name)
        views.append(JointView(name, jet.levels[0][i], jet.levels[1][i], KNOWN))
    try:
        timed = {"t": jet.t} if "t" in argument_names(event.function) else {}
        value = event.function(*views, **timed)
    except VinculumError:
        raise
    except Exception as error:
        raise StartError(
            f"event '{event.name}': its function failed on symbols: {type(error).__name__}: {error}; "
            "it gets every coordinate named as its q and v; write it with vc.math, without `if`"
        ) from error
    if np.shape(value) != () or not isinstance(value, Scalar):
        raise StartError(f"event '{event.name}': its function returned {value!r}; return one number that changes")
    return value
