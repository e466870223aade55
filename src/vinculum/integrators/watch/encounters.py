"""Close encounters: starts at which an action has no finite forces, and the nearest bodies where a run fails."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.bonds import Distance
from vinculum.compile.evaluate import evaluate_again
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.equations.actions import action_energy, action_views, exerted_efforts
from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.scalars import symbol, symbols
from vinculum.systems import Acting, Placement, Tree, placements, with_bases


def check_actions(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> None:
    """Refuse a start at which the energy or forces of an action are not finite or have no direction.

    The error names the action and the two nearest bodies.
    """
    if model.tree is None or not model.tree.actions:
        return
    row = np.concatenate([state, [t], values])[None]
    finite = bool(np.all(np.isfinite(evaluate_again(model.tape("motion"), row))))
    for look in _force_checks(model, finite):
        found = evaluate_again(look.tape, row)[0]
        squares, least = found[1 + look.efforts :].reshape(2, len(look.pairs))
        lost = None
        if not np.all(np.isfinite(found[1 : 1 + look.efforts])):
            lost = "the forces of {} are not finite"
        elif not np.isfinite(found[0]):
            lost = "the energy of {} is not finite"
        elif np.any(squares < least):
            lost = "the forces of {} have no direction"
        if lost is not None:
            meeting = f": {_nearest(look.pairs, squares)}" if look.pairs else ""
            raise StartError(
                f"system '{model.name}': {lost.format(look.called)} at the start{meeting}; start elsewhere"
            )


@final
@dataclass(frozen=True)
class _Look:
    """What is checked of an action before a run: energy, efforts, squared distances and their smallest allowed values."""

    called: str
    pairs: Sequence[Distance]
    efforts: int
    tape: Tape


_known: WeakKeyDictionary[Model, list[_Look]] = WeakKeyDictionary()


def _force_checks(model: Model, finite: bool) -> list[_Look]:
    """One check per action; it includes efforts only if the forces of the whole system are not ``finite``."""
    if finite and model in _known:
        return _known[model]
    assert model.tree is not None
    now = symbol("t")
    q, v = symbols("q", model.tree.nq), symbols("v", model.tree.nv)
    tree = with_bases(model.tree).at(now, q)
    placed = placements(tree, q, v)
    looks = []
    for acting in tree.actions:
        pairs = acting.action.law.distances(action_views(tree, acting, placed))
        efforts = [] if finite else _efforts(tree, acting, placed, now)
        energy = [action_energy(tree, acting, placed, now)]
        distances = {"squares": [p.square for p in pairs], "least": [p.least for p in pairs]}
        outputs = {"energy": energy, "efforts": efforts} | distances
        tape = trace({"q": q, "v": v, "t": np.array([now])}, outputs, model.parameters)
        looks.append(_Look(acting.action.called, pairs, len(efforts), tape))
    if finite:
        _known[model] = looks
    return looks


def _efforts(tree: Tree, acting: Acting, placed: Sequence[Placement], t) -> list:
    does = exerted_efforts(tree, acting, placed, t)
    return [x for force, moment in does.efforts() for x in (*force, *moment)]


def nearest_bodies(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> str:
    """The two nearest bodies of one action at a state, for a message; empty if there are none."""
    if model.tree is None or not model.type.has_graphs or not model.tree.actions or not np.all(np.isfinite(state)):
        return ""
    now = symbols("t", 1)
    q, v = symbols("q", model.tree.nq), symbols("v", model.tree.nv)
    tree = with_bases(model.tree).at(now[0], q)
    placed = placements(tree, q, v)
    pairs = [
        (acting, pair)
        for acting in tree.actions
        for pair in acting.action.law.distances(action_views(tree, acting, placed))
    ]
    if not pairs:
        return ""
    squares = {"squares": [pair.square for _, pair in pairs]}
    tape = trace({"q": q, "v": v, "t": now}, squares, model.parameters)
    found = arrays.evaluate(tape, np.concatenate([state, [t], values])[None])[0]
    acting = pairs[int(np.argmin(found))][0]
    return f"; at t = {t:.9g} s {_nearest([pair for _, pair in pairs], found)}, the nearest bodies of {acting.action.called}"


def _nearest(pairs: Sequence[Distance], squares: np.ndarray) -> str:
    k = int(np.argmin(squares))
    return f"'{pairs[k].a}' and '{pairs[k].b}' are {np.sqrt(max(squares[k], 0.0)):.3g} m apart"
