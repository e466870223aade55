"""Exchanges of every bond with each of its bodies, evaluated along a motion."""

import weakref
from dataclasses import replace

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.observables.exchanges import STATE, WIDTH, Acts, acting_on, exchanges
from vinculum.errors import MethodError, StartError
from vinculum.models.model import Model
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows
from vinculum.scalars import symbol, symbols
from vinculum.systems import Tree, nearest, with_bases

_tapes: "weakref.WeakKeyDictionary[Tree, Tape]" = weakref.WeakKeyDictionary()


def chosen_bodies(record: Record, names: tuple[str, ...]) -> tuple[int, ...]:
    """Indices of the named bodies, all without names; runs whose bonds are not known are refused."""
    model = record.model
    if not model.type.has_graphs:
        raise MethodError(
            f"system '{model.name}': what its {len(model.layout.bodies)} bodies exchange is not available bond by bond, as they are not "
            "written out but run as a loop; see motion.body(…).momentum and motion.audit()"
        )
    if model.tree is None:
        raise StartError(
            f"'{model.name}' is a loaded run, which does not know what its bonds exert; take the balance before it is stored, or simulate "
            "the System it came from"
        )
    rolling = [name for name, entry in model.layout.unilaterals.items() if entry.lengths]
    if rolling:
        raise MethodError(
            f"unilateral constraint '{rolling[0]}' resists rolling or spinning, and its moments are not available as exchanges; leave "
            "rolling= and spinning= out"
        )
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise StartError(f"body '{twice}' is named twice; its world-tube crosses itself, so name it once")
    known = model.layout.bodies
    for name in names:
        if name not in known:
            raise StartError(f"there is no body '{name}' in system '{model.name}'{nearest(name, known)}")
    return tuple(known[name].index for name in names) if names else tuple(entry.index for entry in known.values())


def acts_of(model: Model) -> list[Acts]:
    """Everything that acts on the bodies of a model; fields and constraints in space have their partner outside."""
    assert model.tree is not None
    entries = {**model.layout.actions, **model.layout.constraints}
    outside = {name for name, entry in entries.items() if entry.external}
    return [replace(one, external=one.external or one.name in outside) for one in acting_on(model.tree)]


def sampled_exchanges(
    record: Record, time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Exchanges (T, ends, 7) of everything that acts, by name, and the motion (T, n, 11) of all bodies as "state"."""
    groups = evaluate_groups(_tape(record.model), tape_rows(record, time, states, stretch))
    widths = dict.fromkeys(groups, WIDTH) | {STATE: WIDTH + 4}
    return {name: x.reshape(len(time), -1, widths[name]) for name, x in groups.items()}


def _tape(model: Model) -> Tape:
    tree = model.tree
    assert tree is not None
    if tree not in _tapes:
        q, v, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
        inputs = {"q": q, "v": v, "t": np.array([t])}
        _tapes[tree] = trace(inputs, exchanges(with_bases(tree).at(t, q), q, v, t), model.parameters)
    return _tapes[tree]
