"""Conditions for a pair energy to run as a loop: the same function for every pair, symmetric, with opposite forces."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vinculum.bonds import PairAction
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.errors import ModelError
from vinculum.systems import Acting, Tree
from vinculum.tolerances.functions import SYMMETRIC_PAIRS
from vinculum.tolerances.samples import PAIR_SAMPLES

DECADES = (-11.0, 12.0)
"""Distances at which an energy is tried, as powers of ten [m]: from atoms to planets, besides the usual ones."""


def _name_refused(*_):
    raise ModelError(
        "the energy of a pair uses the names of its bodies, but it must be the same function for every pair; give what "
        "differs from body to body with numbers={…}"
    )


_SHOWN = {"__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__getattribute__", "__setattr__",
          "__delattr__", "__dir__", "__doc__", "__format__", "__repr__", "__str__", "__sizeof__", "__reduce__", "__reduce_ex__",
          "__getnewargs__", "__getstate__"}  # fmt: skip
SHOWN_OF_NAMES = tuple(what for what in dir(str) if what not in _SHOWN)
"""What can be asked of a name besides showing it."""
AnyName: Any = type("AnyName", (str,), dict.fromkeys(SHOWN_OF_NAMES, _name_refused))
"""The name of whichever body stands there: it can be shown, and nothing else."""


def check_opposed(tree: Tree, acting: Acting, tape: Tape, found: Mapping[str, float]) -> None:
    """Refuse an energy that changes when the bodies trade places, or whose forces on the two are not opposite."""
    rng = np.random.default_rng(11)
    given = np.array([found[name] for name in sorted(found)])
    data = arrays.evaluate(trace({}, {"numbers": numbers_of(tree, acting)}, found), given[None])[0].reshape(
        len(acting.links), -1
    )
    i, j = rng.integers(len(data), size=(2, PAIR_SAMPLES))
    scale = 10.0 ** np.where(np.arange(PAIR_SAMPLES) % 2, rng.uniform(*DECADES, PAIR_SAMPLES), 0.0)
    x, y = scale[:, None] * rng.normal(size=(2, PAIR_SAMPLES, 3))
    tail = np.concatenate(
        [rng.uniform(0.2, 1.5, (PAIR_SAMPLES, 1)), np.broadcast_to(given, (PAIR_SAMPLES, len(given)))], axis=1
    )
    here, swapped = (
        arrays.evaluate(tape, np.concatenate([p, q, data[k], data[m], tail], axis=1))
        for p, q, k, m in ((x, y, i, j), (y, x, j, i))
    )
    good = np.isfinite(here).all(axis=1) & np.isfinite(swapped).all(axis=1)
    here, swapped, distance = here[good], swapped[good], np.linalg.norm(x - y, axis=1)[good]
    force = np.abs(here[:, 1:]).max(axis=1, initial=0.0)
    if np.any(np.abs(here[:, 0] - swapped[:, 0]) > SYMMETRIC_PAIRS * np.maximum(np.abs(here[:, 0]), force * distance)):
        raise ModelError(
            f"{acting.action.called}: its energy changes when the two bodies are exchanged; write it the same for (a, b) and (b, a), "
            "for example with products of their numbers"
        )
    if np.any(np.abs(here[:, 1:4] + here[:, 4:7]).max(axis=1) > SYMMETRIC_PAIRS * force):
        raise ModelError(
            f"{acting.action.called}: its forces on the two bodies of a pair are not opposite, so the energy depends on more than "
            "a.position − b.position; put terms that depend on a body's own position into a vc.Potential"
        )


def check_tables(tree: Tree, tapes: Sequence[Tape]) -> None:
    """Refuse functions given by points where the equations are not written out."""
    table = next((table for tape in tapes for table in tape.tables), None)
    if table is not None:
        raise ModelError(
            f"system '{tree.name}': an action looks into table '{table.name}', whose ends are not watched where so many bodies are not "
            "written out; write it as a function with vc.math, or use fewer bodies"
        )


def numbers_of(tree: Tree, acting: Acting) -> np.ndarray:
    """Mass and further numbers of every body of a pair action, (m, 1 + k)."""
    assert isinstance(acting.action, PairAction)
    columns = [[tree.links[i].mass for i in acting.links], *acting.action.law.numbers.values()]
    return np.array(columns, dtype=object).T
