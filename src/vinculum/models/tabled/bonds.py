"""`BondTable`: potentials, forces and interactions that are alike, traced once for the kinds of their ends and applied over rows."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.mechanics import BodyMechanics
from vinculum.bonds import Action, BodyView, PairAction, PairsWithin, end_name
from vinculum.bonds.actions import PairLaw
from vinculum.bonds.alike import structure, with_numbers
from vinculum.bonds.body_view import change_view, make_view
from vinculum.bonds.efforts import moment_of, moment_size
from vinculum.bonds.many import name_of_row
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.equations.actions import effort_power
from vinculum.errors import ModelError, VinculumError
from vinculum.models.tabled.kinds import DEFORMATION, FRAME
from vinculum.models.tabled.near import Near, near_pairs
from vinculum.models.tabled.pair_loop.checks import SHOWN_OF_NAMES, AnyName
from vinculum.models.tabled.row_numbers import numbers_of_rows
from vinculum.scalars import gradient, symbol, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.screws import Pose
from vinculum.screws.rotation_derivatives import rotation_gradient
from vinculum.systems import Acting, ActingRows, Tree
from vinculum.systems.actions_in_tree import ENERGY_OF_PLACES
from vinculum.upward import without_collection

BALANCES = ("energy", "energy_size", "time_slope", "work", "given_power", "work_size")
"""What a bond does besides its efforts: energy [J] and its size, ∂U/∂t, power of the forces of the energy and of the others [W]."""


@final
@dataclass(frozen=True, eq=False)
class BondTable:
    """Bonds of one kind: their ``names``, rows of ``ends`` (m, e) (bodies; the ground is left out) and of ``numbers`` (m, c).

    ``forces``: the tape of the efforts (6 e) on the ends; ``balance``: of efforts, sizes of the moments, and `BALANCES`. Both over
    (frames of the ends, numbers, t, parameters). ``grounded``: for every end of the bond, whether it is the ground. ``members``: the
    ends of a pair action in order, −1 for the ground, if the rows are its pairs. ``distances``: the tape of squared distances (d) between
    ends and of the squares (d) that they may not fall below at a start; None in a loaded run, which does not start. ``near``: which ones,
    if the rows are the pairs within a cutoff; ``numbers`` then has a row for every body of the system, and there are no ``ends``.
    ``ends_at``: the cutoff [m] of rows that were found so. ``rooms``: the tape of what is left of each row to where its law ends (k), for
    limits that no motion passes; None without such limits, and in a loaded run.
    """

    names: tuple[str, ...]
    ends: np.ndarray
    grounded: tuple[bool, ...]
    numbers: np.ndarray
    forces: Tape
    balance: Tape
    members: tuple[int, ...] = ()
    distances: Tape | None = None
    near: Near | None = None
    ends_at: float = np.inf
    rooms: Tape | None = None

    def __len__(self) -> int:
        return len(self.ends)


class ReadsBodyError(LookupError):
    """A law looks at more of a body than its numbers, so it is not the same for all rows."""


@final
class _UnknownBody:
    """Whichever body stands there; how it carries its points is the same for all rows."""

    def __init__(self, mechanics: BodyMechanics):
        self.mechanics = mechanics

    def __getattr__(self, what: str):
        raise ReadsBodyError(what)


def _look_at_name(*_):
    raise ReadsBodyError("name")


_UnknownName: Any = type("_UnknownName", (str,), dict.fromkeys(SHOWN_OF_NAMES, _look_at_name))
"""The name of whichever body stands there: it can be shown, and nothing else."""


@final
@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of one structure: the first ``acting`` of them, its ``names``, links of the ends (m, e) and all numbers (m, c).

    ``members``: the links of a pair action, whose rows are its pairs."""

    acting: Acting
    names: tuple[str, ...]
    links: np.ndarray
    numbers: np.ndarray
    members: tuple[int, ...] = ()


@without_collection
def bond_tables(tree: Tree, actions: Sequence[Acting | ActingRows]) -> list[BondTable]:
    """All actions as tables; one whose law looks at more than numbers of its bodies has a table of its own."""
    alike: dict[Hashable, list[tuple[Acting, list[float]]]] = {}
    found: list[BondTable] = []
    for acting in actions:
        if isinstance(acting, ActingRows):
            found += _row_tables(tree, acting)
            continue
        if isinstance(acting.action, PairAction):
            within = isinstance(acting.action, PairsWithin)
            found += _near_tables(tree, acting) if within else _pair_tables(tree, acting)
            continue
        numbers: list[float] = []
        alike.setdefault(_key(tree, acting, numbers), []).append((acting, numbers))
    for members in alike.values():
        names = tuple(acting.action.name for acting, _ in members)
        links = np.array([acting.links for acting, _ in members], dtype=np.int64)
        numbers_of = np.array([numbers for _, numbers in members], dtype=float).reshape(len(members), -1)
        rows = _Rows(members[0][0], names, links, numbers_of)
        found += _tables(tree, rows, [acting for acting, _ in members].__getitem__)
    return found


def _tables(tree: Tree, rows: _Rows, acting_of: Callable[[int], Acting]) -> list[BondTable]:
    """The table of rows, or one for each if their law looks at its bodies. ``acting_of``: the action of a row."""
    try:
        return [_table(tree, rows)]
    except (ReadsBodyError, VinculumError) as error:
        if not reads_body(error):
            raise
        return [
            _table(tree, _Rows(acting_of(i), (name,), rows.links[i : i + 1], rows.numbers[i : i + 1]), known=True)
            for i, name in enumerate(rows.names)
        ]


def _row_tables(tree: Tree, acting: ActingRows) -> list[BondTable]:
    """The rows of bonds, one table for every combination of structures of bodies at their ends."""
    first = np.array([link.index if link.like < 0 else link.like for link in tree.links], dtype=np.int64)
    classes, of_ends = [], []
    for column in acting.links.T:
        bodies, which = np.unique(np.where(column >= 0, first[column], -1), return_inverse=True)
        own: list[list[float]] = [[] for _ in bodies]
        kinds = [end_structure(tree, int(i), numbers) for i, numbers in zip(bodies, own, strict=True)]
        known = {kind: i for i, kind in enumerate(dict.fromkeys(kinds))}
        classes.append(np.array([known[kind] for kind in kinds])[which])
        of_ends.append((own, which))
    numbers = numbers_of_rows(acting.bonds)
    found: list[BondTable] = []
    _, groups = np.unique(np.stack(classes, axis=1), axis=0, return_inverse=True)
    for group in range(groups.max() + 1):
        chosen = np.flatnonzero(groups == group)
        ends = [_numbers_of_end(own, which[chosen]) for own, which in of_ends]
        rows = _Rows(acting.row(int(chosen[0])), tuple(name_of_row(acting.bonds, k) for k in chosen.tolist()), acting.links[chosen],
                     np.concatenate([numbers[chosen], *ends], axis=1))  # fmt: skip
        found += _tables(tree, rows, lambda i, chosen=chosen: acting.row(int(chosen[i])))
    return found


def _numbers_of_end(own: list[list[float]], which: np.ndarray) -> np.ndarray:
    """The numbers (m, c) of the bodies at one end of rows of one class; ``own``: of the bodies that ``which`` counts."""
    used, again = np.unique(which, return_inverse=True)
    return np.array([own[i] for i in used], dtype=float).reshape(len(used), -1)[again]


def reads_body(error: Exception) -> bool:
    """Whether a law, or a user's function in it, has looked at a body."""
    return isinstance(error, ReadsBodyError) or isinstance(error.__cause__, ReadsBodyError)


def _pair_tables(tree: Tree, acting: Acting) -> list[BondTable]:
    """The pairs of a pair action as rows: one table for every two structures of bodies among its ends."""
    number, own = _classes_of_ends(tree, acting)
    one, other = np.triu_indices(len(acting.links), 1)
    found = []
    for first in range(number.max() + 1):
        for second in range(number.max() + 1):
            chosen = (number[one] == first) & (number[other] == second)
            if chosen.any():
                found += _tables_of_pairs(tree, acting, one[chosen], other[chosen], own)
    return found


def _classes_of_ends(tree: Tree, acting: Acting) -> tuple[np.ndarray, list[list[float]]]:
    """For every end of a pair action the number of its structure, and its numbers; bodies that are alike are looked at once."""
    known: dict[int, tuple[int, list[float]]] = {}
    classes: dict[Hashable, int] = {}
    for i in acting.links:
        first = i if i < 0 or tree.links[i].like < 0 else tree.links[i].like
        if first not in known:
            numbers: list[float] = []
            known[first] = classes.setdefault(end_structure(tree, i, numbers), len(classes)), numbers
        if first != i:
            known[i] = known[first]
    return np.array([known[i][0] for i in acting.links]), [known[i][1] for i in acting.links]


def _near_tables(tree: Tree, acting: Acting) -> list[BondTable]:
    """Pairs within a cutoff: one table for every two structures of bodies, whose rows depend on the state."""
    number, own = _classes_of_ends(tree, acting)
    classes = [np.flatnonzero(number == k) for k in range(number.max() + 1)]
    return [
        _near_table(tree, acting, firsts, seconds, own)
        for firsts in classes
        for seconds in classes
        if firsts[0] < seconds[-1]
    ]


def _near_table(
    tree: Tree, acting: Acting, firsts: np.ndarray, seconds: np.ndarray, own: list[list[float]]
) -> BondTable:
    """Pairs within a cutoff of ends ``firsts`` and ``seconds``, each of one structure."""
    action, links = acting.action, np.array(acting.links)
    assert isinstance(action, PairsWithin)
    pair = np.array([firsts[0]]), np.array([seconds[-1]])
    entries = _numbers_of_pairs(acting, *pair, own)[0]
    by_body = [(side, np.asarray(x, dtype=float)[:, None]) for x in action.numbers.values() for side in (0, 1)]
    for side, ends in enumerate((firsts, seconds)):
        values = np.zeros((len(links), len(own[ends[0]])))
        values[ends] = np.array([own[k] for k in ends], dtype=float).reshape(len(ends), -1)
        by_body.append((side, values))
    sides = np.concatenate([np.full(values.shape[1], side) for side, values in by_body])
    columns = np.concatenate([values for _, values in by_body], axis=1)
    varies = [
        (columns[ends][:, k] != columns[ends[0], k]).any()
        for k, side in enumerate(sides)
        for ends in ((firsts, seconds)[side],)
    ]
    chosen = np.flatnonzero(varies)
    numbers = np.zeros((len(tree.links), len(chosen)))
    numbers[links] = columns[:, chosen]
    try:
        tapes = _tapes(
            tree,
            two_of(acting, *map(int, np.concatenate(pair))),
            entries,
            len(entries) - len(sides) + chosen,
            paired=True,
        )
    except ReadsBodyError as error:
        raise ModelError(
            f"{action.called}: its energy looks at the {error} of its bodies, but it must be the same function for every pair; give what "
            "differs from body to body with numbers={…}"
        ) from error
    near = Near(action.cutoff, number_mask(len(links), firsts), number_mask(len(links), seconds), sides[chosen])
    return BondTable((action.name,), np.zeros((0, 2), dtype=np.int64), (False, False), numbers, tapes.forces, tapes.balance,
                     acting.links, tapes.distances, near)  # fmt: skip


def number_mask(count: int, chosen: np.ndarray) -> np.ndarray:
    """Truth values (count,) that hold at the chosen places."""
    found = np.zeros(count, dtype=bool)
    found[chosen] = True
    return found


def _tables_of_pairs(
    tree: Tree, acting: Acting, one: np.ndarray, other: np.ndarray, own: list[list[float]]
) -> list[BondTable]:
    """Rows of pairs (one, other) of ends that are alike; ``own``: the numbers of every end."""
    links = np.array(acting.links)
    pairs = _Rows(two_of(acting, one[0], other[0]), (acting.action.name,) * len(one), np.stack([links[one], links[other]], axis=1),
                  _numbers_of_pairs(acting, one, other, own), acting.links)  # fmt: skip
    try:
        return [_table(tree, pairs)]
    except ReadsBodyError:
        return [
            _table(tree, replace(pairs, acting=two_of(acting, i, j), names=pairs.names[:1], links=pairs.links[k : k + 1],
                                 numbers=pairs.numbers[k : k + 1]), known=True)
            for k, (i, j) in enumerate(zip(one, other, strict=True))
        ]  # fmt: skip


def _numbers_of_pairs(acting: Acting, one: np.ndarray, other: np.ndarray, own: list[list[float]]) -> np.ndarray:
    """The numbers of all pairs (m, c), in the order of `structure`: those that the action has for all, for both ends, and of the ends."""
    first: list[float] = []
    pair = two_of(acting, one[0], other[0])
    structure(pair.action, first, frozenset(end_name(end) for end in pair.action.ends))
    law = acting.action.law
    assert isinstance(law, PairLaw)
    by_body = [np.asarray(x) for x in law.numbers.values()]
    if any(x.dtype == object for x in by_body):
        rows = []
        for i, j in zip(one, other, strict=True):
            numbers: list[float] = []
            same = two_of(acting, i, j)
            structure(same.action, numbers, frozenset(end_name(end) for end in same.action.ends))
            rows.append(numbers)
        of_action = np.array(rows, dtype=float).reshape(len(one), -1)
    else:
        shared = np.tile(first[: len(first) - 2 * len(by_body)], (len(one), 1))
        of_action = np.concatenate(
            [shared, *(x[:, None] for column in by_body for x in (column[one], column[other]))], axis=1
        )
    bodies = [np.array([own[k] for k in ends], dtype=float).reshape(len(one), -1) for ends in (one, other)]
    return np.concatenate([of_action, *bodies], axis=1)


def two_of(acting: Acting, i, j) -> Acting:
    """A pair action between two of its bodies alone."""
    action = copy(acting.action)
    assert isinstance(action, PairAction)
    law = acting.action.law
    assert isinstance(law, PairLaw)
    object.__setattr__(action, "bodies", (acting.action.ends[i], acting.action.ends[j]))
    for field in fields(action):  # type: ignore[arg-type]
        given = getattr(action, field.name)
        if given is law.numbers or (isinstance(given, Mapping) and given):
            object.__setattr__(action, field.name, {name: x[[i, j]] for name, x in given.items()})
    return Acting(action, (acting.links[i], acting.links[j]))


def _key(tree: Tree, acting: Acting, numbers: list[float]) -> Hashable:
    """The structure of an action and of its ends; their numbers are appended."""
    ends = frozenset(end_name(end) for end in acting.action.ends)
    own = structure(acting.action, numbers, ends)
    return own, tuple(end_structure(tree, i, numbers) for i in acting.links)


def end_structure(tree: Tree, link: int, numbers: list[float]) -> Hashable:
    """The structure of a body at an end, None for the ground; its numbers are appended."""
    if link < 0:
        return None
    body = tree.links[link].body
    kinematics = body.mechanics.kinematics
    return type(body), body.turns, structure([body.mass, body.center], numbers), kinematics.deforms and kinematics


@final
@dataclass(frozen=True, eq=False)
class _Tapes:
    """The tapes of a table, and which ends of its bonds move."""

    forces: Tape
    balance: Tape
    distances: Tape
    rooms: Tape | None
    moving: np.ndarray


def _table(tree: Tree, rows: _Rows, known: bool = False) -> BondTable:
    """The table of actions with one structure. ``known``: its only action may look at its bodies as they are."""
    table = rows.numbers
    differing = np.flatnonzero((table != table[0]).any(axis=0))
    tapes = _tapes(tree, rows.acting, table[0], differing, known, bool(rows.members))
    return BondTable(rows.names, np.ascontiguousarray(rows.links[:, tapes.moving]), tuple((~tapes.moving).tolist()), table[:, differing],
                     tapes.forces, tapes.balance, rows.members, tapes.distances, rooms=tapes.rooms)  # fmt: skip


def _tapes(
    tree: Tree, first: Acting, table: np.ndarray, differing: np.ndarray, known: bool = False, paired: bool = False
) -> _Tapes:
    """The tapes of actions like ``first``, whose numbers are ``table`` (c,), of which those at ``differing`` differ from row to row."""
    columns, entries = symbols("number", len(differing)), table.tolist()
    for k, column in enumerate(differing):
        entries[column] = columns[k]
    numbers = iter(entries)
    action = with_numbers(first.action, numbers, frozenset(end_name(end) for end in first.action.ends))
    frames, t = symbols("frame", FRAME * sum(i >= 0 for i in first.links)), symbol("t")
    deforming = sum(i >= 0 and tree.links[i].body.mechanics.kinematics.deforms for i in first.links)
    shapes = symbols("deformation", DEFORMATION * deforming)
    views = views_of_ends(tree, first.links, numbers, frames, known, paired, deformations=shapes)
    forces, inner, does = _efforts(action, views, t, [i >= 0 for i in first.links])
    inputs = {"frames": frames, "numbers": columns, "t": np.array([t])} | (
        {"deformations": shapes} if deforming else {}
    )
    between = action.law.distances(views)
    near = {"squares": [one.square for one in between], "least": [one.least for one in between]}
    rooms = [limit.room for limit in action.law.limits(views) if not limit.passable]
    exerted = {"efforts": forces} | ({"inner": inner} if deforming else {})
    return _Tapes(trace(inputs, exerted), trace(inputs, {"efforts": forces, **does}), trace(inputs, near),
                  trace(inputs, {"rooms": rooms}) if rooms else None, np.array(first.links) >= 0)  # fmt: skip


def views_of_ends(
    tree: Tree,
    links: Sequence[int],
    numbers,
    frames,
    known: bool,
    paired: bool,
    turning: bool = False,
    deformations: Any = (),
) -> list[BodyView]:
    """The bodies of a bond at symbolic frames, with symbols in place of the numbers that differ from row to row.

    ``known``: it may look at its bodies as they are; ``paired``: it is the same function for every pair; ``turning``: the frames of mass
    points turn with their joints, as those of other bodies; ``deformations``: φ and φ̇ (18 d,) of the ends that deform."""
    views, place, shape = [], 0, 0
    for i in links:
        if i < 0:
            still = np.zeros(3)
            views.append(make_view("ground", 0.0, Pose.of(np.eye(3), still), still, (still, still)))
            continue
        body, own = tree.links[i].body, frames[FRAME * place : FRAME * (place + 1)]
        mass, center = with_numbers([body.mass, body.center], numbers)
        turns, kinematics = body.turns or turning, body.mechanics.kinematics
        R, w = own[3:12].reshape(3, 3) if turns else np.eye(3), own[15:18]
        if kinematics.deforms:
            phi, rate = deformations[DEFORMATION * shape : DEFORMATION * (shape + 1)].reshape(2, 3, 3)
            R, w = kinematics.whole(kinematics.free_entries(phi)), np.array(kinematics.free_entries(rate), dtype=object)
            shape += 1
        name: Any = body.name if known else (AnyName if paired else _UnknownName)(body.name)
        seen: Body | Any = body if known else _UnknownBody(body.mechanics)
        views.append(make_view(name, mass, Pose.of(R, own[:3]), center, (own[12:15], w), turns, body=seen))
        place += 1
    return views


def _efforts(
    action: Action, views: list[BodyView], t, moves: Sequence[bool]
) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Efforts (6 e,) on the ends that move, what those that deform have power with φ̇ by (9 d,), the sizes of moments, and `BALANCES`, as
    in `equations.actions.exerted_efforts`."""
    still = [change_view(view, motion=ENERGY_OF_PLACES) for view in views]
    energy = action.law.energy_at(still, t)
    leaves = list(
        chain.from_iterable(
            [*view._state.X_WB.p, *_entries(view)] for view, moving in zip(views, moves, strict=True) if moving
        )
    )
    wanted = np.array([x for x in leaves if not isinstance(x, float)] + [t], dtype=object)
    slopes = {id(leaf): slope for leaf, slope in zip(wanted, gradient(energy, wanted), strict=True)}
    zeros = [(np.zeros(3), np.zeros(view._state.kinematics.count)) for view in views]
    others = action.law.efforts_at(views, t) or zeros
    total, inner, sizes, work, given, work_size = [], [np.zeros(0)], [], 0.0, 0.0, 0.0
    for view, other, moving in zip(views, others, moves, strict=True):
        if not moving:
            continue
        R = view._state.X_WB.R
        P = np.array([[slopes.get(id(r), 0.0) for r in row] for row in R], dtype=object)
        kind = view._state.kinematics
        moment = (
            -kind.gradient(P, R) if kind.deforms else -rotation_gradient(P, R) if view._state.turns else np.zeros(3)
        )
        force = np.array([-slopes[id(x)] for x in view._state.X_WB.p], dtype=object)
        power = effort_power(view, (force, moment))
        work, given, work_size = work + power, given + effort_power(view, other), work_size + absolute(power)
        effort = force + other[0], moment + other[1]
        total += [effort[0], moment_of(view, effort) if kind.deforms else effort[1]]
        inner += [kind.matrix_rate(R, effort[1]).ravel()] if kind.deforms else []
        sizes.append(
            sum((absolute(x) for x in (*moment, *other[1], *P.ravel())), 0.0) + moment_size(view, (force, moment))
        )
    slope = slopes[id(t)]
    does = {"energy": [energy], "energy_size": [absolute(energy)], "time_slope": [slope], "work": [work], "given_power": [given],
            "work_size": [work_size + absolute(slope)], "moment_sizes": sizes}  # fmt: skip
    return np.concatenate(total), np.concatenate(inner), does


def _entries(view: BodyView) -> list:
    """The numbers of the matrix of a body that an energy is differentiated by."""
    return (
        view._state.kinematics.free_entries(view._state.X_WB.R)
        if view._state.kinematics.deforms
        else np.ravel(view._state.X_WB.R).tolist()
    )


def near_rows(table: BondTable, positions: np.ndarray) -> BondTable:
    """A table of pairs within a cutoff with the rows that are listed in any of the states, ``positions`` (B, n, 3) of all bodies."""
    near = table.near
    assert near is not None
    ends = near_pairs(near, np.array(table.members), positions)
    numbers = table.numbers[ends[:, near.sides], np.arange(len(near.sides))]
    return replace(table, names=table.names[:1] * len(ends), ends=ends, numbers=numbers, near=None, ends_at=near.cutoff)
