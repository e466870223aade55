"""`ConditionTable`: constraints and closing joints that are alike, traced once for the kinds of their ends and applied over rows."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds import BodyView, Constraint, Joint
from vinculum.bonds.alike import structure, with_numbers
from vinculum.bonds.body_view import change_view
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import VinculumError
from vinculum.models.tabled.bonds import ReadsBodyError, end_structure, reads_body, views_of_ends
from vinculum.models.tabled.kinds import FRAME
from vinculum.scalars import directional, jacobian, substitute, symbol, symbols
from vinculum.screws import Pose, skew
from vinculum.systems import Closure, Tree
from vinculum.systems.constraint_rows import NO_VELOCITY
from vinculum.upward import without_collection

PARTS = 4
"""Outputs of a condition before its Jacobian: values, rates, drifts and biases, one for each of its rows."""


@final
@dataclass(frozen=True, eq=False)
class ConditionTable:
    r"""Conditions of one kind: their ``names``, ``ends`` (m, e) (bodies; the ground is left out) and ``numbers`` (m, c).

    Each has ``count`` rows F = 0, of which ``first`` (m,) are the numbers among all gaps. ``level``: 0 for rows on positions, 1 for rows on
    velocities. ``rows``: the tape of values F, rates :math:`\dot F = G V + d`, drifts d, biases :math:`\ddot F - G\dot V` and Jacobians G
    (count, 6 e) by the twists V of the ends, over (frames of the ends, numbers, t, parameters); a row on velocities has no value, and its
    rate is F. ``joint``: of closing joints the tape of the child's joint origin (3) and of numbers that are positive where the joint is not
    upside down; None for constraints. ``grounded``: for every end, whether it is the ground.
    """

    names: tuple[str, ...]
    ends: np.ndarray
    grounded: tuple[bool, ...]
    numbers: np.ndarray
    first: np.ndarray
    count: int
    level: int
    rows: Tape
    joint: Tape | None = None

    def __len__(self) -> int:
        return len(self.ends)


@final
@dataclass(frozen=True, eq=False)
class _Closing:
    """A closing joint as a condition on the frames of its parent and child. ``X_PJ``, ``X_CJ``: its working frames in those."""

    joint: Joint
    X_PJ: Pose
    X_CJ: Pose

    @property
    def level(self) -> int:
        """It is a condition on positions."""
        return 0

    def rows(self, views: Sequence[BodyView], t) -> np.ndarray:
        """All gaps."""
        return np.array([*(x for _, x in self.joint.kind.gaps(self._relative(views))), None], dtype=object)[:-1]

    def outputs(self, views: Sequence[BodyView]) -> dict[str, Any]:
        """The child's joint origin, and the sides of the joint."""
        point = views[1]._state.X_WB.apply(self.X_CJ.p)
        return {"point": point, "sides": list(self.joint.kind.sides(self._relative(views)))}

    def _relative(self, views: Sequence[BodyView]) -> Pose:
        parent, child = (view._state.X_WB @ X for view, X in zip(views, (self.X_PJ, self.X_CJ), strict=True))
        return parent.inverse() @ child


@final
@dataclass(frozen=True, eq=False)
class _Condition:
    """A constraint or closing joint in a tree: its name, its law, the links of its ends (−1 for the ground), the number of its first gap,
    and the names of its ends."""

    name: str
    law: Constraint | _Closing
    links: tuple[int, ...]
    first: int
    ends: frozenset[str]


@without_collection
def condition_tables(tree: Tree) -> list[ConditionTable]:
    """All constraints and closing joints of a tree as tables; one whose function looks at more than numbers of its bodies has a table of
    its own."""
    alike: dict[Hashable, list[tuple[_Condition, list[float]]]] = {}
    for one in _conditions(tree):
        numbers: list[float] = []
        key = structure(one.law, numbers, one.ends)
        ends = tuple(end_structure(tree, i, numbers) for i in one.links)
        alike.setdefault((key, ends), []).append((one, numbers))
    found = []
    for members in alike.values():
        try:
            found.append(_table(tree, members, known=False))
        except (ReadsBodyError, VinculumError) as error:
            if not reads_body(error):
                raise
            found += [_table(tree, [member], known=True) for member in members]
    return found


def _conditions(tree: Tree) -> list[_Condition]:
    """Closing joints, then constraints, in the order of their gaps."""
    found, first = [], 0
    for closure in tree.closures:
        found.append(
            _Condition(closure.joint.name, _closing(tree, closure), (closure.parent, closure.child), first, frozenset())
        )
        first += len(closure.joint.kind.gaps(Pose()))
    for one in tree.constraints:
        links = tuple(i for _, i in one.things)
        found.append(_Condition(one.constraint.name, one.constraint, links, first, frozenset(one.constraint.names)))
        first += one.count
    return found


def _closing(tree: Tree, closure: Closure) -> _Closing:
    """A closing joint with its frames in those of the bodies."""
    X_LB = tree.links[closure.parent].X_LB if closure.parent >= 0 else Pose()
    return _Closing(
        closure.joint, X_LB.inverse() @ closure.X_PJ, tree.links[closure.child].X_LB.inverse() @ closure.X_CJ
    )


def _table(tree: Tree, members: list[tuple[_Condition, list[float]]], known: bool) -> ConditionTable:
    """The table of conditions with one structure. ``known``: its only one may look at its bodies as they are."""
    first, table = members[0][0], np.array([numbers for _, numbers in members], dtype=float).reshape(len(members), -1)
    differing = np.flatnonzero((table != table[0]).any(axis=0))
    columns, entries = symbols("number", len(differing)), table[0].tolist()
    for k, column in enumerate(differing):
        entries[column] = columns[k]
    numbers = iter(entries)
    law = with_numbers(first.law, numbers, first.ends)
    moving = np.array(first.links) >= 0
    frames, t = symbols("frame", FRAME * int(moving.sum())), symbol("t")
    closing = isinstance(law, _Closing)
    views = views_of_ends(tree, first.links, numbers, frames, known, paired=False, turning=closing)
    inputs = {"frames": frames, "numbers": columns, "t": np.array([t])}
    rows = trace(inputs, _row_outputs(law, views, frames, t))
    return ConditionTable(
        tuple(one.name for one, _ in members),
        np.array([one.links for one, _ in members], dtype=np.int64)[:, moving],
        tuple((~moving).tolist()),
        table[:, differing],
        np.array([one.first for one, _ in members], dtype=np.int64),
        dict(rows.outputs)["values"],
        law.level,
        rows,
        trace(inputs, law.outputs(views)) if closing else None,
    )


def _row_outputs(law: Constraint | _Closing, views: list[BodyView], frames: np.ndarray, t) -> dict[str, Any]:
    """Values, rates, drifts, biases and Jacobians of the rows of a condition, as in `equations.constraints.rows`."""
    seen = [change_view(view, motion=NO_VELOCITY) for view in views] if law.level == 0 else views
    F = law.rows(seen, t)
    places, steps, motions = [], [], []
    for own in frames.reshape(-1, FRAME):
        x, R, u, w = own[:3], own[3:12].reshape(3, 3), own[12:15], own[15:]
        places += [*x, *R.ravel()]
        steps += [*u, *(skew(w) @ R).ravel()]
        motions += [*u, *w]
    places, steps = [*places, t], [*steps, 1.0]
    rate = F if law.level else np.asarray(directional(F, places, steps), dtype=object)
    G = jacobian(rate, motions).reshape(len(F), len(motions))
    return {
        "values": np.zeros(len(F)) if law.level else F,
        "rates": rate,
        "drifts": substitute(rate, motions, np.zeros(len(motions))),
        "biases": np.asarray(directional(rate, places, steps), dtype=object),
        "jacobians": G.ravel(),
    }
