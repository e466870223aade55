"""From a tree of free mass points to a `Swarm`: each pair energy is traced once, over symbols for any two of its bodies."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vinculum.bodies import MassPoint
from vinculum.bonds import BodyView, PairAction, Translation
from vinculum.equations.actions import action_views, effort_power, exerted
from vinculum.errors import ModelError
from vinculum.kernels import arrays
from vinculum.kernels.swarm import PAIR_OUTPUTS, PairGroup, Swarm
from vinculum.kernels.tape import Tape
from vinculum.kernels.trace import trace
from vinculum.scalars import gradient, parameters, symbol, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.screws import Pose
from vinculum.systems import Acting, Placement, Tree
from vinculum.systems.acting import NO_VELOCITY

FEWEST_PAIRS = 780
"""A pair action with more pairs runs as a loop: compiling forty points as one straight line takes seconds."""
MOST_PAIRS = 5000
"""Pairs of a system that is no swarm; beyond that, its equations would be traced for minutes."""
MOST_TOUCHED = 2000
SAMPLES = 32
SYMMETRIC = 1e-9


def is_swarm(tree: Tree) -> bool:
    """Whether a tree consists of free mass points and some pair action has many pairs."""
    free = all(
        isinstance(k.body, MassPoint) and isinstance(k.joint, Translation) and k.joint.name == k.body.name
        for k in tree.links
    )
    return free and not tree.closures and any(_is_looped(acting) for acting in tree.actions)


def check_size(tree: Tree) -> None:
    """Refuse pairs too many for straight-line equations, where they do not run as a loop."""
    swarm = is_swarm(tree)
    for acting in tree.actions:
        if not isinstance(acting.action, PairAction) or _pairs(acting) <= MOST_PAIRS or (swarm and _is_looped(acting)):
            continue
        held = next((k for k in tree.links if not isinstance(k.body, MassPoint) or k.joint.name != k.body.name), None)
        why = f"'{held.body.name}' has a joint or an attitude" if held is not None else "'ground' is among its bodies"
        raise ModelError(
            f"{_kind(acting)}: its {_pairs(acting)} pairs are too many for equations written out one by one ({MOST_PAIRS} at most), and "
            f"only free mass points run as a loop over pairs: {why}; list fewer bodies"
        )


def swarm_of(tree: Tree) -> tuple[Swarm, dict[str, float]]:
    """The swarm of a tree for which `is_swarm` holds, and the names and defaults of its parameters."""
    looped = [acting for acting in tree.actions if _is_looped(acting)]
    others = [acting for acting in tree.actions if not _is_looped(acting)]
    energies = [_pair_energy(tree, acting) for acting in looped]
    touched = sorted({i for acting in others for i in acting.links if i >= 0})
    listed = sum(len(acting.links) for acting in others)
    if listed > MOST_TOUCHED:
        worst = max(others, key=lambda acting: len(acting.links))
        raise ModelError(
            f"system '{tree.name}': its {len(others)} actions besides the pair potentials act on {listed} bodies in all, "
            f"the largest of them {_kind(worst)} on {len(worst.links)}; that many ({MOST_TOUCHED} at most) cannot be traced one by "
            "one: write what acts on all bodies as a pair potential or as gravity of the system, or use fewer bodies"
        )
    rest = _rest(tree, others, touched)
    numbers = {"masses": [k.mass for k in tree.links], "gravity": list(tree.gravity)}
    numbers |= {f"group {i}": _numbers(tree, acting) for i, acting in enumerate(looped)}
    graphs = [
        x
        for part in (*energies, *rest, numbers)
        for group in part.values()
        for x in np.ravel(np.asarray(group, dtype=object))
    ]
    found = tree.parameters() | parameters(np.array([*graphs, 0.0], dtype=object))
    groups = tuple(_group(tree, acting, energy, found) for acting, energy in zip(looped, energies, strict=True))
    tapes = [trace(rest[3], outputs, found) for outputs in rest[:3]]
    _check_tables(tree, [*tapes, *(group.tape for group in groups)])
    return Swarm(len(tree.links), groups, trace({}, numbers, found), np.array(touched, dtype=np.int64), *tapes), found


def _check_tables(tree: Tree, tapes: Sequence[Tape]) -> None:
    table = next((table for tape in tapes for table in tape.tables), None)
    if table is not None:
        raise ModelError(
            f"system '{tree.name}': an action looks into table '{table.name}', whose ends are not watched where so many pairs run as a "
            "loop; write it as a function with vc.math, or use fewer bodies"
        )


def _is_looped(acting: Acting) -> bool:
    return isinstance(acting.action, PairAction) and _pairs(acting) > FEWEST_PAIRS and min(acting.links) >= 0


def _pairs(acting: Acting) -> int:
    return len(acting.links) * (len(acting.links) - 1) // 2


def _kind(acting: Acting) -> str:
    return f"{type(acting.action).__name__} '{acting.action.name}'"


def _name_refused(*_):
    raise ModelError(
        "the energy of a pair looks at the names of its bodies, but it must be the same function for every pair; give what "
        "differs from body to body with numbers={…}"
    )


_SHOWN = {"__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__getattribute__", "__setattr__",
          "__delattr__", "__dir__", "__doc__", "__format__", "__repr__", "__str__", "__sizeof__", "__reduce__", "__reduce_ex__",
          "__getnewargs__", "__getstate__"}  # fmt: skip
_AnyName: Any = type("_AnyName", (str,), {what: _name_refused for what in dir(str) if what not in _SHOWN})
"""The name of whichever body stands there: it can be shown, and nothing else."""


def _pair_energy(tree: Tree, acting: Acting) -> dict[str, Any]:
    """Symbols of any two bodies and the energy of the pair."""
    action = acting.action
    assert isinstance(action, PairAction)
    names = list(action.numbers)
    a, b, of_a, of_b, t = (
        symbols("a", 3),
        symbols("b", 3),
        symbols("of a", 1 + len(names)),
        symbols("of b", 1 + len(names)),
        symbol("t"),
    )
    views = [
        BodyView(
            _AnyName(name),
            own[0],
            Pose.of(np.eye(3), x),
            np.zeros(3),
            NO_VELOCITY,
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
        "energy": [action.pair_energy(views[0], views[1], t)],
    }


def _numbers(tree: Tree, acting: Acting) -> np.ndarray:
    """Mass and further numbers of every body of a pair action, (m, 1 + k)."""
    assert isinstance(acting.action, PairAction)
    columns = [[tree.links[i].mass for i in acting.links], *acting.action.numbers.values()]
    return np.array(columns, dtype=object).T


def _group(tree: Tree, acting: Acting, made: Mapping[str, Any], found: Mapping[str, float]) -> PairGroup:
    energy = made["energy"][0]
    inputs = {name: made[name] for name in ("a", "b", "of_a", "of_b", "t")}
    leaves = np.concatenate([made["a"], made["b"], made["t"]])
    slopes = gradient(energy, leaves)
    force = -slopes[:3]
    outputs = {"force": force, "size": [sum((absolute(f) for f in force), 0.0)], "energy": [energy],
               "energy_size": [absolute(energy)], "time_slope": [slopes[6]]}  # fmt: skip
    _check_opposed(tree, acting, trace(inputs, {"energy": [energy], "on_a": force, "on_b": -slopes[3:6]}, found), found)
    tape = trace(inputs, outputs, found)
    assert tape.outputs == PAIR_OUTPUTS
    return PairGroup(acting.action.name, np.array(acting.links, dtype=np.int64), tape)


def _check_opposed(tree: Tree, acting: Acting, tape: Tape, found: Mapping[str, float]) -> None:
    """Refuse an energy that changes when the bodies trade places, or whose forces on the two are not opposite."""
    rng = np.random.default_rng(11)
    given = np.array([found[name] for name in sorted(found)])
    data = arrays.evaluate(trace({}, {"numbers": _numbers(tree, acting)}, found), given[None])[0].reshape(
        len(acting.links), -1
    )
    i, j = rng.integers(len(data), size=(2, SAMPLES))
    x, y = rng.normal(size=(2, SAMPLES, 3))
    tail = np.concatenate([rng.uniform(0.2, 1.5, (SAMPLES, 1)), np.broadcast_to(given, (SAMPLES, len(given)))], axis=1)
    here, swapped = (
        arrays.evaluate(tape, np.concatenate([p, q, data[k], data[m], tail], axis=1))
        for p, q, k, m in ((x, y, i, j), (y, x, j, i))
    )
    good = np.isfinite(here).all(axis=1) & np.isfinite(swapped).all(axis=1)
    here, swapped = here[good], swapped[good]
    size = np.abs(here).max(axis=1, initial=0.0) + np.finfo(float).tiny
    if np.any(np.abs(here[:, 0] - swapped[:, 0]) > SYMMETRIC * size):
        raise ModelError(
            f"{_kind(acting)}: its energy changes when the two bodies trade places; write it the same for (a, b) and (b, a), "
            "for example with products of their numbers"
        )
    if np.any(np.abs(here[:, 1:4] + here[:, 4:7]).max(axis=1) > SYMMETRIC * size):
        raise ModelError(
            f"{_kind(acting)}: its forces on the two bodies of a pair are not opposite, so the energy depends on more than "
            "a.position − b.position; put what depends on a body's own place into a vc.Potential"
        )


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
        does, views = exerted(tree, acting, placed, t), action_views(tree, acting, placed)
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
