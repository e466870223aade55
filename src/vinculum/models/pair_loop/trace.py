"""From a tree of free mass points to a `PairLoop`: each pair energy is traced once, over symbols for any two of its bodies."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vinculum.bodies import MassPoint
from vinculum.bonds import PairAction, PairsWithin
from vinculum.bonds.body_view import make_view
from vinculum.compile.trace import trace
from vinculum.equations.actions import action_views, effort_power, exerted_efforts
from vinculum.errors import ModelError
from vinculum.models.pair_loop.checks import AnyName, check_opposed, check_tables, numbers_of
from vinculum.models.pair_loop.pair_loop import PAIR_OUTPUTS, PairGroup, PairLoop
from vinculum.scalars import gradient, parameters, symbol, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.screws import Pose
from vinculum.systems import Acting, Placement, Tree
from vinculum.systems.actions_in_tree import ENERGY_OF_PLACES
from vinculum.systems.tree_numbers import tree_parameters
from vinculum.tolerances.sizes import FEWEST_LOOPED_PAIRS, MOST_TOUCHED, MOST_WRITTEN_PAIRS


def is_pair_loop(tree: Tree) -> bool:
    """Whether a tree consists of free mass points and some pair action has many pairs."""
    free = all(
        isinstance(k.body, MassPoint) and k.joint.kind.coordinates.q_units == ("m",) * 3 and k.joint.name == k.body.name
        for k in tree.links
    )
    looped = [one for one in tree.acting if isinstance(one, Acting) and _is_looped(one)]
    listed = sum(np.size(one.links) for one in tree.acting) - sum(len(one.links) for one in looped)
    return free and not (tree.closures or tree.varying or tree.contacts) and listed <= MOST_TOUCHED and bool(looped)


def check_size(tree: Tree) -> None:
    """Refuse pairs too many for straight-line equations, where they do not run as a loop."""
    looped = is_pair_loop(tree)
    for acting in tree.actions:
        if (
            not isinstance(acting.action, PairAction)
            or _pairs(acting) <= MOST_WRITTEN_PAIRS
            or (looped and _is_looped(acting))
        ):
            continue
        constrained = next(
            (k for k in tree.links if not isinstance(k.body, MassPoint) or k.joint.name != k.body.name), None
        )
        why = (
            f"'{constrained.body.name}' has a joint or an attitude"
            if constrained is not None
            else "'ground' is among its bodies"
        )
        raise ModelError(
            f"{acting.action.called}: its {_pairs(acting)} pairs are too many for equations written out one by one "
            f"({MOST_WRITTEN_PAIRS} at most), and only free mass points run as a loop over pairs: {why}; list fewer bodies"
        )


def pair_loop_and_parameters(tree: Tree) -> tuple[PairLoop, dict[str, float]]:
    """The pair loop of a tree for which `is_pair_loop` holds, and the names and defaults of its parameters."""
    looped = [acting for acting in tree.actions if _is_looped(acting)]
    others = [acting for acting in tree.actions if not _is_looped(acting)]
    energies = [_pair_energy(tree, acting) for acting in looped]
    touched = sorted({i for acting in others for i in acting.links if i >= 0})
    rest = _rest(tree, others, touched)
    numbers = {"masses": [k.mass for k in tree.links], "gravity": list(tree.gravity)}
    numbers |= {f"group {i}": numbers_of(tree, acting) for i, acting in enumerate(looped)}
    graphs = [
        x
        for part in (*energies, *rest, numbers)
        for group in part.values()
        for x in np.ravel(np.asarray(group, dtype=object))
    ]
    found = tree_parameters(tree) | parameters(np.array([*graphs, 0.0], dtype=object))
    groups = tuple(_group(tree, acting, energy, found) for acting, energy in zip(looped, energies, strict=True))
    tapes = [trace(rest[3], outputs, found) for outputs in rest[:3]]
    check_tables(tree, [*tapes, *(group.tape for group in groups)])
    return PairLoop(
        len(tree.links), groups, trace({}, numbers, found), np.array(touched, dtype=np.int64), *tapes
    ), found


def _is_looped(acting: Acting) -> bool:
    paired = isinstance(acting.action, PairAction) and not isinstance(acting.action, PairsWithin)
    return paired and _pairs(acting) > FEWEST_LOOPED_PAIRS and min(acting.links) >= 0


def _pairs(acting: Acting) -> int:
    return len(acting.links) * (len(acting.links) - 1) // 2


def _pair_energy(tree: Tree, acting: Acting) -> dict[str, Any]:
    """Symbols of any two bodies and the energy of the pair."""
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


def _rest(tree: Tree, others: list[Acting], touched: list[int]) -> tuple[dict, dict, dict, dict]:
    """Forces of the other actions on the touched bodies; what they do together and each; and the symbols of these bodies."""
    x, v, t = symbols("x", 3 * len(touched)), symbols("v", 3 * len(touched)), symbol("t")
    place = {i: slice(3 * k, 3 * k + 3) for k, i in enumerate(touched)}
    placed: Any = {i: Placement(Pose.of(np.eye(3), x[own]), v[own], np.zeros(3)) for i, own in place.items()}
    force = np.zeros(3 * len(touched), dtype=object)
    size = np.zeros(3 * len(touched), dtype=object)
    energy = energy_size = slope = given = 0.0
    bonds = {}
    for acting in others:
        does, views = exerted_efforts(tree, acting, placed, t), action_views(tree, acting, placed)
        for i, (f, _) in zip(acting.links, does.efforts(), strict=True):
            if i >= 0:
                force[place[i]] += f
                size[place[i]] += sum(absolute(np.asarray(f, dtype=object)), 0.0)
        name = acting.action.name
        bonds |= {
            f"{name}/energy": [does.energy],
            f"{name}/efforts": np.concatenate([x for pair in does.efforts() for x in pair]),
        }
        energy, energy_size = energy + does.energy, energy_size + absolute(does.energy)
        slope = slope + does.time_slope
        given = given + sum((effort_power(view, effort) for view, effort in zip(views, does.other, strict=True)), 0.0)
    balance = {
        "energy": [energy],
        "energy_size": [energy_size],
        "time_slope": [slope],
        "given_power": [given],
        "size": size,
    }
    return {"force": force}, balance, bonds, {"x": x, "v": v, "t": np.array([t])}
