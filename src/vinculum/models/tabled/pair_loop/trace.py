"""From pair actions between points to a `PairLoop`: each energy is traced once, over symbols for any two of its bodies."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vinculum.bodies import MassPoint
from vinculum.bonds import PairAction, PairsWithin
from vinculum.bonds.body_view import make_view
from vinculum.compile.trace import trace
from vinculum.models.tabled.pair_loop.checks import AnyName, check_opposed, numbers_of
from vinculum.models.tabled.pair_loop.pair_loop import PAIR_OUTPUTS, PairGroup, PairLoop
from vinculum.scalars import gradient, parameters, symbol, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.screws import Pose
from vinculum.systems import Acting, ActingRows, Tree
from vinculum.systems.actions_in_tree import ENERGY_OF_PLACES
from vinculum.tolerances.sizes import FEWEST_LOOPED_PAIRS


def is_looped(tree: Tree, acting: Acting | ActingRows) -> bool:
    """Whether an action is a pair action with many pairs, all of whose bodies are mass points."""
    if isinstance(acting, ActingRows) or not isinstance(acting.action, PairAction):
        return False
    count = len(acting.links)
    return (
        not isinstance(acting.action, PairsWithin)
        and count * (count - 1) // 2 > FEWEST_LOOPED_PAIRS
        and min(acting.links) >= 0
        and all(isinstance(tree.links[i].body, MassPoint) for i in acting.links)
    )


def pair_energies(looped: Sequence[Acting]) -> list[dict[str, Any]]:
    """Symbols of any two bodies of every action, and the energy of the pair."""
    return [_pair_energy(acting) for acting in looped]


def parameters_of_pairs(
    tree: Tree, looped: Sequence[Acting], energies: Sequence[Mapping[str, Any]]
) -> dict[str, float]:
    """Names and defaults of the parameters that pair energies and the numbers of their points hold."""
    graphs = [made["energy"] for made in energies] + [np.ravel(numbers_of(tree, acting)) for acting in looped]
    return parameters(np.array([0.0, *(x for part in graphs for x in part)], dtype=object))


def pair_loop_of(
    tree: Tree, looped: Sequence[Acting], energies: Sequence[Mapping[str, Any]], found: Mapping[str, float]
) -> PairLoop:
    """The loop over all pairs of the ``looped`` actions; ``found``: names and defaults of all parameters of the model."""
    numbers = {f"group {i}": numbers_of(tree, acting) for i, acting in enumerate(looped)}
    groups = tuple(_group(tree, acting, made, found) for acting, made in zip(looped, energies, strict=True))
    return PairLoop(groups, trace({}, numbers, found))


def _pair_energy(acting: Acting) -> dict[str, Any]:
    action = acting.action
    assert isinstance(action, PairAction)
    names = list(action.law.numbers)
    a, b, of_a, of_b, t = (
        symbols("a", 3),
        symbols("b", 3),
        symbols("of a", 1 + len(names)),
        symbols("of b", 1 + len(names)),
        symbol("t"),
    )
    views = [
        make_view(
            AnyName(name),
            own[0],
            Pose.of(np.eye(3), x),
            np.zeros(3),
            ENERGY_OF_PLACES,
            False,
            dict(zip(names, own[1:], strict=True)),
        )
        for name, x, own in (("a", a, of_a), ("b", b, of_b))
    ]
    return {
        "a": a,
        "b": b,
        "of_a": of_a,
        "of_b": of_b,
        "t": np.array([t]),
        "energy": [action.law.pair_energy(views[0], views[1], t)],
    }


def _group(tree: Tree, acting: Acting, made: Mapping[str, Any], found: Mapping[str, float]) -> PairGroup:
    energy = made["energy"][0]
    inputs = {name: made[name] for name in ("a", "b", "of_a", "of_b", "t")}
    leaves = np.concatenate([made["a"], made["b"], made["t"]])
    jacobians = gradient(energy, leaves)
    force = -jacobians[:3]
    outputs = {"force": force, "size": [sum((absolute(f) for f in force), 0.0)], "energy": [energy],
               "energy_size": [absolute(energy)], "time_slope": [jacobians[6]]}  # fmt: skip
    check_opposed(
        tree, acting, trace(inputs, {"energy": [energy], "on_a": force, "on_b": -jacobians[3:6]}, found), found
    )
    tape = trace(inputs, outputs, found)
    assert tape.outputs == PAIR_OUTPUTS
    return PairGroup(acting.action.name, np.array(acting.links, dtype=np.int64), tape)
