"""Checks of an action when it is added to a system."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds import (
    Action,
    BodyView,
    Force,
    Interaction,
    PairAction,
    PairPotential,
    PairsWithin,
    Potential,
    end_name,
)
from vinculum.bonds.body_view import make_view
from vinculum.errors import ModelError, VinculumError
from vinculum.scalars.graph import nodes
from vinculum.screws import Pose, rotation
from vinculum.systems.actions_in_tree import FreeViews, free_views, numbers_at
from vinculum.tolerances.functions import ENDS_AT_CUTOFF, NEXT_TO_CUTOFF, NO_MOMENT, PAIR_DISTANCES, SYMMETRIC_PAIRS
from vinculum.tolerances.samples import ACTION_SAMPLES, CHECKED_OF_PAIRS, CUTOFF_SAMPLES

WRITTEN_BY_USERS = (Force, Interaction, PairPotential, PairsWithin, Potential)


def check_action(action: Action, bodies: Mapping[str, Body]) -> None:
    """Refuse an action whose functions cannot be traced, are not deterministic, are not finite, or exert a moment on a
    mass point."""
    listed = action.ends[:CHECKED_OF_PAIRS] if isinstance(action, PairAction) else action.ends
    ends = [bodies.get(end_name(end)) for end in listed]
    free = free_views(ends)
    flat = _energy_and_efforts(action, free)
    constants = [x for node in nodes(flat) for x in node.args if type(x) is float] + [
        x for x in flat if type(x) is float
    ]
    if np.isnan(constants).any():
        raise ModelError(f"{action.called}: its function contains NaN; check its numbers")
    again = _energy_and_efforts(action, free) if isinstance(action, WRITTEN_BY_USERS) else flat
    rng = np.random.default_rng(7)
    for _ in range(ACTION_SAMPLES):
        numbers = _random(free, rng)
        found = numbers_at(flat, numbers)
        if len(again) != len(flat) or not np.array_equal(found, numbers_at(again, numbers), equal_nan=True):
            raise ModelError(
                f"{action.called}: its function gives something else each time it is called; it may use its arguments and "
                "constants, but no random numbers, counters or other things that change"
            )
        counts = [3 + kind.count for kind in free.kinematics]
        efforts = np.split(found[1:], np.cumsum(counts)[:-1]) if len(found) > 1 else []
        largest = max((np.abs(one[:3]).max() for one in efforts), default=0.0)
        for end, moment in zip(ends, (one[3:] for one in efforts), strict=False):
            size = max(largest, np.abs(moment).max(), np.finfo(float).tiny)
            if end is not None and not end.turns and np.abs(moment).max() > NO_MOMENT * size:
                raise ModelError(
                    f"{action.called}: it turns '{end.name}', which is a mass point and takes no moment; a force between "
                    "mass points must point along the line through them, and a wrench on one must have no moment"
                )
    if isinstance(action, (PairPotential, PairsWithin)):
        _check_order(action, free, rng)
    if isinstance(action, PairsWithin):
        _check_cutoff(action, free, rng)


def _energy_and_efforts(action: Action, free: FreeViews) -> list:
    """Energy and efforts over the symbols of the bodies."""
    try:
        energy = action.law.energy_at(free.still, free.t)
        efforts = action.law.efforts_at(free.moving, free.t) or []
    except VinculumError as error:
        if f"'{action.name}'" in str(error).split(":")[0]:
            raise
        raise type(error)(f"{action.called}: {error}") from error
    return [energy, *(x for pair in efforts for part in pair for x in part)]


def _check_cutoff(action: PairsWithin, free: FreeViews, rng) -> None:
    """Refuse a bond with forces that have no energy, and an energy that jumps at the cutoff."""
    if action.bond.law.efforts_at(free.moving[:2], free.t) is not None:
        raise ModelError(
            f"{action.called}: {action.bond.called} has forces without an energy, and with a cutoff it must have an energy alone; give "
            "over=, the bodies row by row"
        )
    a, b = action.law.with_numbers(free.still[:2])
    energy, first = [action.law.pair_energy(a, b, free.t)], free.places[0][0]
    found = {}
    for part in (*CUTOFF_SAMPLES, 1.0 - NEXT_TO_CUTOFF):
        for _ in range(ACTION_SAMPLES):
            numbers, direction = _random(free, rng), rng.normal(size=3)
            apart = part * action.cutoff * direction / np.linalg.norm(direction)
            for leaf, other, x in zip(first, free.places[1][0], apart, strict=True):
                numbers[id(leaf)] = numbers[id(other)] + x
            found[part] = max(found.get(part, 0.0), float(np.abs(numbers_at(energy, numbers)[0])))
    edge, largest = found.pop(1.0 - NEXT_TO_CUTOFF), max(x for x in found.values() if np.isfinite(x))
    if edge > ENDS_AT_CUTOFF * max(largest, edge):
        raise ModelError(
            f"{action.called}: its energy is {edge:.3g} J at the cutoff, {action.cutoff:g} m, and would jump there; give fade=, the "
            "distance from which on it fades out, or an energy that vanishes at the cutoff"
        )


def _check_order(action: PairPotential | PairsWithin, free: FreeViews, rng) -> None:
    """Refuse a pair energy that is not symmetric."""
    pairs = list(combinations(action.law.with_numbers(free.still), 2))
    ways = [action.law.pair_energy(*pair, free.t) for a, b in pairs for pair in ((a, b), (b, a))]
    for size in PAIR_DISTANCES:
        found = numbers_at(ways, _random(free, rng, size)).reshape(-1, 2)
        off = np.abs(found[:, 0] - found[:, 1]) > SYMMETRIC_PAIRS * np.abs(found).max(axis=1)
        for (a, b), one, other in zip(np.array(pairs)[off], *found[off].T, strict=True):
            raise ModelError(
                f"{action.called}: its energy changes when the two bodies are exchanged: {one:.6g} J for ('{a.name}', '{b.name}'), "
                f"{other:.6g} J for ('{b.name}', '{a.name}'); write it the same for (a, b) and (b, a)"
            )


def _random(free: FreeViews, rng, size: float = 1.0) -> dict[int, float]:
    """Numbers for the symbols of bodies at places of a ``size`` [m], by the identity of the symbols."""
    views: Sequence[BodyView] = [
        make_view(view.name, view.mass, Pose.of(_random_rotation(R, rng), size * rng.normal(size=3)), view._state.com,
                 (rng.normal(size=3), rng.normal(size=kind.count)), view._state.turns, body=view._state.body)
        for (_, R), view, kind in zip(free.places, free.moving, free.kinematics, strict=True)
    ]  # fmt: skip
    return {id(leaf): x for leaf, x in zip(free.leaves(), free.values(views, rng.uniform(0.2, 1.5)), strict=True)}


def _random_rotation(R: np.ndarray, rng) -> np.ndarray:
    axis, angle = rng.normal(size=3), rng.uniform(0.3, 2.8)
    return rotation(axis / np.linalg.norm(axis), angle) if R.dtype == object else R
