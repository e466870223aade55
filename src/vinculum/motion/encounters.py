"""Bodies that meet: starts at which an action has no finite forces, and who is nearest where a run breaks off."""

from collections.abc import Sequence

import numpy as np

from vinculum.bonds import Distance
from vinculum.equations.actions import action_views, exerted
from vinculum.errors import StartError
from vinculum.kernels import arrays
from vinculum.kernels.model import Model
from vinculum.kernels.trace import trace
from vinculum.scalars import Scalar, symbol, symbols
from vinculum.systems import Acting, Placement, Tree, placements, with_bases


def check_actions(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> None:
    """Refuse a start at which an action's forces are not finite or have no direction, naming it and the bodies that meet."""
    if model.tree is None or not model.tree.actions:
        return
    row = np.concatenate([state, [t], values])[None]
    with np.errstate(all="ignore"):
        finite = bool(np.all(np.isfinite(arrays.evaluate(model.tape("motion"), row))))
    now = symbol("t")
    tree = with_bases(model.tree).at(now)
    q, v = symbols("q", tree.nq), symbols("v", tree.nv)
    placed = placements(tree, q, v)
    for acting in tree.actions:
        pairs = acting.action.distances(action_views(tree, acting, placed))
        if finite and not any(isinstance(pair.least, Scalar) or pair.least > 0.0 for pair in pairs):
            continue
        efforts = [] if finite else _efforts(tree, acting, placed, now)
        outputs = {"efforts": efforts, "squares": [p.square for p in pairs], "least": [p.least for p in pairs]}
        tape = trace({"q": q, "v": v, "t": np.array([now])}, outputs, model.parameters)
        with np.errstate(all="ignore"):
            found = arrays.evaluate(tape, row)[0]
        squares, least = found[len(efforts) :].reshape(2, len(pairs))
        lost = "have no direction" if np.all(np.isfinite(found[: len(efforts)])) else "are not finite"
        if lost == "are not finite" or np.any(squares < least):
            meeting = f": {_nearest(pairs, squares)}" if pairs else ""
            raise StartError(
                f"system '{model.name}': the forces of {acting.action.called} {lost} at the start{meeting}; start elsewhere"
            )


def _efforts(tree: Tree, acting: Acting, placed: Sequence[Placement], t) -> list:
    does = exerted(tree, acting, placed, t)
    return [does.energy, *(x for force, moment in does.efforts() for x in (*force, *moment))]


def nearest_bodies(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> str:
    """Which two bodies of one action are nearest to each other at a state, for a message; empty if there are none."""
    if model.tree is None or model.swarm is not None or not model.tree.actions or not np.all(np.isfinite(state)):
        return ""
    now = symbols("t", 1)
    tree = with_bases(model.tree).at(now[0])
    q, v = symbols("q", tree.nq), symbols("v", tree.nv)
    placed = placements(tree, q, v)
    pairs = [
        (acting, pair)
        for acting in tree.actions
        for pair in acting.action.distances(action_views(tree, acting, placed))
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
