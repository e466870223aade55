"""`UnilateralTable`: unilateral constraints and stops of joints that are alike, traced once for their ends and applied over rows."""

from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds import BodyView, Unilateral
from vinculum.bonds.alike import structure, with_numbers
from vinculum.bonds.unilaterals import contact_frame, slip_velocity
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import VinculumError
from vinculum.models.tabled.bonds import ReadsBodyError, end_structure, reads_body, views_of_ends
from vinculum.models.tabled.kinds import FRAME
from vinculum.scalars import directional, jacobian, substitute, symbol, symbols
from vinculum.screws import skew
from vinculum.systems import Bounded, Tree
from vinculum.systems.views import JointView
from vinculum.upward import without_collection

AXES = 3
"""Velocities of a unilateral constraint: normal, and along two tangents."""


@final
@dataclass(frozen=True, eq=False)
class UnilateralTable:
    r"""Unilateral constraints of one kind: their ``names``, their bodies ``ends`` (m, e) (the ground is left out), places of the
    coordinates ``q`` (m, a) and velocities ``v`` (m, b) of their joints, and ``numbers`` (m, c).

    ``numbered`` (m,): their numbers among all. ``laws`` (m, 3): restitution, μ (−1 without friction), and whether restitution is Poisson's.
    ``rows``: the tape of the gap, of the drifts d (3) and Jacobians G (3, 6 e + b) of the velocities u = G V + d by the twists of the
    bodies and the velocities of the joints, over (frames of the bodies, coordinates and velocities of the joints, numbers, t, parameters).
    """

    names: tuple[str, ...]
    ends: np.ndarray
    q: np.ndarray
    v: np.ndarray
    numbers: np.ndarray
    numbered: np.ndarray
    laws: np.ndarray
    rows: Tape

    def __len__(self) -> int:
        return len(self.names)

    @property
    def width(self) -> int:
        """Numbers of a row of G."""
        return 6 * self.ends.shape[1] + self.v.shape[1]

    def fits(self, bodies: int, nq: int, nv: int) -> bool:
        """Whether rows name bodies and velocities of so many, and the tape is one of them."""
        m, shapes = len(self.names), (self.ends, self.q, self.v, self.numbers, self.numbered, self.laws)
        within = ((self.ends, bodies), (self.q, nq), (self.v, nv))
        return (
            all(len(x) == m for x in shapes)
            and all(x.size == 0 or (x.min() >= 0 and x.max() < most) for x, most in within)
            and self.laws.shape == (m, 3)
            and bool(np.all(np.isfinite(self.laws)))
            and self.rows.n_out == 1 + AXES + AXES * self.width
            and self.rows.inputs[:5]
            == _inputs(self.ends.shape[1], self.q.shape[1], self.v.shape[1], self.numbers.shape[1])
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        arrays = ("ends", "q", "v", "numbers", "numbered", "laws")
        return {"names": list(self.names), "rows": self.rows.to_dict()} | {k: getattr(self, k).tolist() for k in arrays}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "UnilateralTable":
        """The table of `to_dict`."""
        m = len(data["names"])
        whole = {k: np.array(data[k], dtype=np.int64).reshape(m, -1) for k in ("ends", "q", "v")}
        others = {k: np.array(data[k], dtype=float).reshape(m, -1) for k in ("numbers", "laws")}
        numbered = np.array(data["numbered"], dtype=np.int64)
        return cls(
            tuple(map(str, data["names"])), **whole, **others, numbered=numbered, rows=Tape.from_dict(data["rows"])
        )


def _inputs(bodies: int, nq: int, nv: int, numbers: int) -> tuple[tuple[str, int], ...]:
    return (("frames", FRAME * bodies), ("q", nq), ("v", nv), ("numbers", numbers), ("t", 1))


@without_collection
def unilateral_tables(tree: Tree) -> list[UnilateralTable]:
    """All unilateral constraints of a tree as tables; one whose function looks at more than numbers of its bodies has a table of its
    own."""
    alike: dict[Hashable, list[tuple[int, list[float]]]] = {}
    for k, one in enumerate(tree.unilaterals):
        numbers: list[float] = []
        key = structure(_by_names(one.unilateral), numbers, frozenset(one.unilateral.names))
        ends = tuple(_end_structure(tree, kind, i, numbers) for kind, i in one.things)
        alike.setdefault((key, ends), []).append((k, numbers))
    found = []
    for members in alike.values():
        try:
            found.append(_table(tree, members, known=False))
        except (ReadsBodyError, VinculumError) as error:
            if not reads_body(error):
                raise
            found += [_table(tree, [member], known=True) for member in members]
    return found


def _by_names(unilateral: Unilateral) -> Unilateral:
    """The same unilateral constraint with names in place of its bodies and joints."""
    other = copy(unilateral)
    object.__setattr__(other, "bodies", unilateral.names)
    return other


def _end_structure(tree: Tree, kind: str, i: int, numbers: list[float]) -> Hashable:
    """The structure of a body or of the coordinates of a joint; their numbers are appended."""
    if kind == "body":
        return kind, end_structure(tree, i, numbers)
    return kind, structure(tree.links[i].joint.kind.coordinates, numbers)


def _table(tree: Tree, members: list[tuple[int, list[float]]], known: bool) -> UnilateralTable:
    """The table of unilateral constraints with one structure. ``known``: its only one may look at its bodies as they are."""
    numbered, every = [k for k, _ in members], [tree.unilaterals[k] for k, _ in members]
    first, table = every[0], np.array([numbers for _, numbers in members], dtype=float).reshape(len(members), -1)
    differing = np.flatnonzero((table != table[0]).any(axis=0))
    columns, entries = symbols("number", len(differing)), table[0].tolist()
    for k, column in enumerate(differing):
        entries[column] = columns[k]
    moving = [c for c, (kind, i) in enumerate(first.things) if kind == "body" and i >= 0]
    jointed = [c for c, (kind, _) in enumerate(first.things) if kind == "joint"]
    links = np.array([[i for _, i in one.things] for one in every], dtype=np.int64).reshape(len(every), -1)
    return UnilateralTable(
        tuple(one.unilateral.name for one in every),
        links[:, moving],
        _places(tree, links[:, jointed], "q"),
        _places(tree, links[:, jointed], "v"),
        table[:, differing],
        np.array(numbered, dtype=np.int64),
        np.array([_law(one) for one in every], dtype=float).reshape(-1, 3),
        _trace_rows(tree, first, entries, columns, known),
    )


def _places(tree: Tree, links: np.ndarray, of: str) -> np.ndarray:
    """Places (m, n) of the coordinates "q" or velocities "v" of joints (m, j)."""
    rows = [[k for i in row for k in range(*getattr(tree.links[i], of).indices(2**62))] for row in links.tolist()]
    return np.array(rows, dtype=np.int64).reshape(len(links), -1)


def _law(one: Bounded) -> tuple[float, float, float]:
    impact, friction = one.unilateral.impact, one.unilateral.friction
    e, by_impulses = (0.0, False) if impact is None else (impact.restitution, impact.by_impulses)
    return float(e), -1.0 if friction is None else float(friction.coefficients[0]), float(by_impulses)


def _trace_rows(tree: Tree, one: Bounded, entries: list, columns: np.ndarray, known: bool) -> Tape:
    """The tape of a table, for its numbers ``entries``, of which ``columns`` differ from row to row."""
    numbers, ends = iter(entries), one.things
    law = with_numbers(_by_names(one.unilateral), numbers, frozenset(one.unilateral.names))
    joints = [tree.links[i].joint for kind, i in ends if kind == "joint"]
    frames = symbols("frame", FRAME * sum(kind == "body" and i >= 0 for kind, i in ends))
    q, v, t = (symbols("q", sum(j.nq for j in joints)), symbols("v", sum(j.nv for j in joints)), symbol("t"))
    views, rates, frame, at_q, at_v = [], [np.zeros(0)], 0, 0, 0
    for kind, i in ends:
        if kind == "body":
            size = FRAME * (i >= 0)
            views += views_of_ends(tree, [i], numbers, frames[frame : frame + size], known, paired=False)
            frame += size
            continue
        joint = tree.links[i].joint
        coordinates = with_numbers(joint.kind.coordinates, numbers)
        own_q, own_v = q[at_q : at_q + joint.nq], v[at_v : at_v + joint.nv]
        views.append(JointView(joint.name, own_q[0] if joint.nq == 1 else own_q, own_v[0] if joint.nv == 1 else own_v))
        rates.append(coordinates.rates(own_q, own_v))
        at_q, at_v = at_q + joint.nq, at_v + joint.nv
    inputs = {"frames": frames, "q": q, "v": v, "numbers": columns, "t": np.array([t])}
    return trace(inputs, _row_outputs(law, views, frames, q, v, np.concatenate(rates), t))


def _row_outputs(law, views: Sequence[BodyView | JointView], frames: np.ndarray, q, v, rates, t) -> dict[str, Any]:
    """The gap, drifts and Jacobians, as in `equations.contact.unilateral_rows`."""
    gap = law.gap_at(views, t)
    places, steps, motions = [], [], []
    for own in frames.reshape(-1, FRAME):
        R, u, w = own[3:12].reshape(3, 3), own[12:15], own[15:]
        places += [*own[:12]]
        steps += [*u, *(skew(w) @ R).ravel()]
        motions += [*u, *w]
    places, steps, motions = [*places, *q, t], [*steps, *rates, 1.0], [*motions, *v]
    rate = np.asarray(directional([gap], places, steps), dtype=object)[0]
    speeds = [rate, 0.0, 0.0]
    if law.friction is not None:
        size, point, axes = contact_frame(law, views, t)
        slip = axes @ slip_velocity(views, point)  # type: ignore[arg-type]
        speeds = [rate / size, slip[1], slip[2]]
    u = np.array([*speeds, None], dtype=object)[:-1]
    G = jacobian(u, motions).reshape(AXES, len(motions))
    return {"gap": [gap], "drifts": substitute(u, motions, np.zeros(len(motions))), "jacobians": G.ravel()}
