"""Crossings: zeros of the functions of a run's events, and the tape of these functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds import argument_names
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import MethodError, StartError, VinculumError
from vinculum.models.model import Model
from vinculum.scalars import Scalar, depends_on, parameters, replay, substitute, symbol, symbols
from vinculum.systems import Event, Tree, body_view, joint_view, nearest, placements, with_bases


@final
@dataclass(frozen=True)
class Crossing:
    """An event that occurred: its name, the instant [s] and the direction of the crossing."""

    name: str
    time: float
    direction: int


def event_tape(
    model: Model, events: Sequence[Event], values: Mapping[str, float]
) -> tuple[Tape | None, set[str], frozenset[str]]:
    """The functions of all events as one tape over (q, v, t, parameters), the names of parameters they alone have, and the
    joints whose coordinates they look at.

    Those parameters take their value from ``values`` now, or their default.
    """
    if not events:
        return None, set(), frozenset()
    if model.tree is None:
        raise MethodError("events need the system itself, not a loaded run")
    tree = with_bases(model.tree)
    names = [event.name for event in events]
    if len(set(names)) < len(names):
        raise StartError(f"event names must differ, got {names}")
    q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    functions, own, shown = event_functions(tree.at(t, q), q, v, t, events, model.parameters, values)
    return trace({"q": q, "v": v, "t": np.array([t])}, {"events": functions}, model.parameters), own, shown


def event_functions(
    tree: Tree, q, v, t, events: Sequence[Event], known: Mapping[str, float], values: Mapping[str, float]
) -> tuple[np.ndarray, set[str], frozenset[str]]:
    """The functions of events at a state of a tree, the names of parameters they alone have, and the joints they look at.

    ``known``: parameters of the model, which stay symbols.
    """
    placed = placements(tree, q, v)
    own_q = symbols("own q", tree.nq)
    given = [_event_value(event, tree, placed, own_q, v, t) for event in events]
    shown = frozenset(k.joint.name for k in tree.links if k.joint.nq and depends_on(given, own_q[k.q]))
    outputs = substitute(given, own_q, q).tolist() if shown else given
    own = set(parameters(np.array(outputs, dtype=object))) - set(known)
    free = replay(
        np.array([*outputs, None], dtype=object)[:-1],
        lambda leaf: leaf if leaf.op == "symbol" or leaf.args[0] in known else values.get(*leaf.args),
    )
    return free, own, shown


def _event_value(event: Event, tree, placed, q, v, t) -> Any:
    views = []
    things: Sequence[Any] = event.of if isinstance(event.of, (list, tuple)) else [event.of]
    for thing in things:
        name = thing if isinstance(thing, str) else getattr(thing, "name", str(thing))
        if name in tree.bodies:
            link = tree.links[tree.bodies[name]]
            views.append(body_view(link, placed[link.index]))
        elif name in tree.joints:
            views.append(joint_view(tree.links[tree.joints[name]], q, v))
        elif name in tree.closing_joints:
            raise StartError(
                f"event '{event.name}': joint '{name}' closes a loop and has no coordinates; watch its bodies, or another joint"
            )
        else:
            raise StartError(
                f"event '{event.name}': there is no body or joint '{name}'{nearest(name, [*tree.bodies, *tree.joints])}"
            )
    try:
        timed = {"t": t} if "t" in argument_names(event.function) else {}
        value = event.function(*views, **timed)
    except VinculumError:
        raise
    except Exception as error:
        raise StartError(
            f"event '{event.name}': its function failed on symbols: {type(error).__name__}: {error}; "
            "write it with vc.math, without `if`"
        ) from error
    if np.shape(value) != ():
        raise StartError(f"event '{event.name}': its function must return one number, got shape {np.shape(value)}")
    if not isinstance(value, Scalar):
        raise StartError(f"event '{event.name}': its function returned {value!r}, which never changes")
    return value
