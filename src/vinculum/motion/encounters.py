"""Bodies that meet: starts at which an action has no finite forces, and who is nearest where a run breaks off."""

from collections.abc import Sequence

import numpy as np

from vinculum.bonds import Distance
from vinculum.equations.actions import action_views, exerted
from vinculum.errors import StartError
from vinculum.kernels import arrays
from vinculum.kernels.model import Model
from vinculum.kernels.trace import trace
from vinculum.scalars import symbol, symbols
from vinculum.systems import Acting, placements, with_bases


def check_actions(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> None:
    """Refuse a start at which an action's energy or forces are not finite, naming it and the bodies that meet."""
    if model.tree is None or not model.tree.actions:
        return
    row = np.concatenate([state, [t], values])[None]
    with np.errstate(all="ignore"):
        if np.all(np.isfinite(arrays.evaluate(model.tape("motion"), row))):
            return
    now = symbol("t")
    tree = with_bases(model.tree).at(now)
    for acting in tree.actions:
        q, v = symbols("q", tree.nq), symbols("v", tree.nv)
        placed = placements(tree, q, v)
        does, pairs = exerted(tree, acting, placed, now), acting.action.distances(action_views(tree, acting, placed))
        efforts = [does.energy, *(x for force, moment in does.efforts() for x in (*force, *moment))]
        outputs = {"efforts": efforts, "squares": [pair.square for pair in pairs]}
        tape = trace({"q": q, "v": v, "t": np.array([now])}, outputs, model.parameters)
        with np.errstate(all="ignore"):
            found = arrays.evaluate(tape, row)[0]
        if not np.all(np.isfinite(found[: len(efforts)])):
            meeting = f": {_nearest(pairs, found[len(efforts) :])}" if pairs else ""
            raise StartError(
                f"system '{model.name}': the energy or the forces of {_kind(acting)} are not finite at the start{meeting}; "
                "start elsewhere"
            )


def nearest_bodies(model: Model, state: np.ndarray, t: float, values: np.ndarray) -> str:
    """Which two bodies of one action are nearest to each other at a state, for a message; empty if there are none."""
    if model.tree is None or not model.tree.actions or not np.all(np.isfinite(state)):
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
    return f"; at t = {t:.9g} s {_nearest([pair for _, pair in pairs], found)}, the nearest bodies of {_kind(acting)}"


def _nearest(pairs: Sequence[Distance], squares: np.ndarray) -> str:
    k = int(np.argmin(squares))
    return f"'{pairs[k].a}' and '{pairs[k].b}' are {np.sqrt(max(squares[k], 0.0)):.3g} m apart"


def _kind(acting: Acting) -> str:
    return f"{type(acting.action).__name__} '{acting.action.name}'"
