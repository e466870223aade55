"""Changes by the repair of a start: all are logged, and changes of given values cause a warning."""

import sys
import warnings
from typing import NamedTuple

import numpy as np

from vinculum.systems import Tree
from vinculum.tolerances.constraints import LEAST_VALUE, TOLD, WARNED


class Change(NamedTuple):
    """A position or rate of one joint that was changed: ``by`` at most, ``to`` new values; ``large``: beyond `WARNED`."""

    what: str
    by: float
    to: np.ndarray
    given: bool
    large: bool

    def __str__(self):
        told = "" if self.given else ", which was not given,"
        return f"{self.what}{told} by {self.by:.3g}, to {', '.join(f'{x:.6g}' for x in self.to)}"


def sizes(asked: np.ndarray, made: np.ndarray) -> np.ndarray:
    """The largest value of a kind before and after, along the last axis."""
    return np.maximum(np.maximum(*(np.abs(x).max(axis=-1, initial=0.0) for x in (asked, made))), LEAST_VALUE)


def changes(tree: Tree, asked: np.ndarray, made: np.ndarray, fixed: np.ndarray, rated: np.ndarray) -> list[Change]:
    """Changes from one state to another; ``held`` and ``rated`` (nv,): whose positions and rates were given."""
    found, nq = [], tree.nq
    kinds = (
        ("position", slice(0, nq), lambda link: link.q, fixed),
        ("rate", slice(nq, None), lambda link: link.v, rated),
    )
    for kind, part, place, given in kinds:
        before, after = asked[part], made[part]
        size = float(sizes(before, after))
        for link in tree.links:
            own = place(link)
            by = float(np.abs(after[own] - before[own]).max(initial=0.0))
            if by > TOLD * size:
                name = f"the {kind} of '{link.joint.name}'"
                found.append(Change(name, by, after[own], bool(given[link.v].any()), by > WARNED * size))
    return found


def warn_user(message: str) -> None:
    """A warning at the line outside this library from which it was called."""
    level, frame = 1, sys._getframe()
    passed = (
        "vinculum",
        "functools",
    )  # functions that are chosen by the type of their argument are called from functools
    while frame is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] in passed:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)
