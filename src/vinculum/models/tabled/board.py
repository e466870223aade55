"""`Board`: one long array that holds a state, numbers, frames, wrenches and rates; tables read from it and write to it by index."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from vinculum.compile.passes.trim import Trimmed, trim, with_zeros
from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.models.tabled.bonds import BondTable, near_rows
from vinculum.models.tabled.conditions import ConditionTable
from vinculum.models.tabled.impulses import StruckBody, StruckJoint
from vinculum.models.tabled.kinds import DEFORMATION, FRAME, Kind
from vinculum.models.tabled.tabled import Tabled
from vinculum.models.tabled.unilaterals import UnilateralTable


@final
@dataclass(frozen=True, eq=False)
class Call:
    """A tape over rows of indices into a board: ``gather`` (n_in, m), and ``scatter`` (n_out, m) where its outputs go.

    ``adds``: whether outputs are added to what is there."""

    tape: Tape
    gather: np.ndarray
    scatter: np.ndarray
    adds: bool = False

    @cached_property
    def trimmed(self) -> Trimmed:
        """The tape without inputs that it does not need, and without outputs that are always zero where these are added."""
        return trim(self.tape, self.written)

    @cached_property
    def written(self) -> np.ndarray:
        """Outputs that are written: where they are added, those that are not always zero."""
        n, constants = self.tape.n_in, self.tape.constants
        zero = {n + k for k, x in enumerate(constants.tolist()) if x == 0.0}
        return np.array(
            [k for k, r in enumerate(self.tape.results.tolist()) if not (self.adds and r in zero)], dtype=np.int64
        )


@final
@dataclass(frozen=True, eq=False)
class NearCall:
    """A tape over pairs of bodies: for each input and output (n, 3) the place of the first body's, the places from one body to the next,
    and the end whose body is meant."""

    tape: Tape
    inputs: np.ndarray
    outputs: np.ndarray

    @property
    def n_in(self) -> int:
        return len(self.inputs)

    @property
    def n_out(self) -> int:
        return len(self.outputs)


@final
@dataclass(frozen=True, eq=False)
class Sections:
    """Where the numbers of conditions and impulses begin on a board: ``accelerations`` of bodies without reactions, ``mobilities`` of the
    blocks of each kind, outputs of each table of ``conditions``, ``multipliers`` of all gaps, impulses along the velocities (``efforts``),
    ``deformations`` of bodies on which bonds act, and where these end. Arrays hold the end of the last one too."""

    accelerations: int
    mobilities: np.ndarray
    conditions: np.ndarray
    multipliers: int
    efforts: int
    deformations: int
    end: int


def _sections_of(tabled: Tabled, begin: int, strained: int) -> Sections:
    """Sections from the place ``begin`` on; without conditions and impulses they are empty."""
    held = bool(tabled.conditions)
    blocks = [len(kind) * (6 * kind.bodies.shape[1]) ** 2 * held for kind in tabled.kinds]
    rows = [len(table) * table.rows.n_out for table in tabled.conditions]
    mobilities = begin + 6 * tabled.bodies * held + np.concatenate([[0], np.cumsum(blocks)]).astype(np.int64)
    conditions = mobilities[-1] + np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)
    efforts = int(conditions[-1]) + tabled.gaps
    shapes = efforts + tabled.nv * tabled.takes_efforts
    return Sections(
        begin, mobilities, conditions, int(conditions[-1]), efforts, shapes, shapes + DEFORMATION * strained
    )


@final
@dataclass(frozen=True, eq=False)
class Board:
    """Sections of the long array of a `Tabled`: the state, the time and parameters, the numbers of all rows, and what tables write."""

    tabled: Tabled

    @property
    def states(self) -> int:
        """Numbers of a state."""
        return self.tabled.nq + self.tabled.nv

    @property
    def given(self) -> int:
        """Numbers of a row of the model's tapes: state, time and parameters."""
        return self.states + 1 + len(self.tabled.parameters)

    @cached_property
    def numbers(self) -> np.ndarray:
        """The numbers of all rows of all tables."""
        return np.concatenate([np.zeros(0), *(part.numbers.ravel() for part in self._parts)])

    @property
    def frames(self) -> int:
        """Where the frames of the bodies begin."""
        return self.given + len(self.numbers)

    @property
    def wrenches(self) -> int:
        """Where the wrenches on the bodies begin."""
        return self.frames + FRAME * self.tabled.bodies

    @cached_property
    def strained(self) -> np.ndarray:
        """For every body its number among those on whose deformation bonds act, −1 for the others (n,)."""
        found, count = np.full(self.tabled.bodies, -1), 0
        for kind in self.tabled.kinds:
            if kind.takes_inner:
                found[kind.bodies[:, 0]] = count + np.arange(len(kind))
                count += len(kind)
        return found

    @property
    def inner(self) -> int:
        """Where what bonds have power with the rates of deformations by begins, (9,) for each of these bodies."""
        return self.wrenches + 6 * self.tabled.bodies

    @property
    def rates(self) -> int:
        """Where the rates of the state begin."""
        return self.inner + 9 * int(self.strained.max(initial=-1) + 1)

    @cached_property
    def sections(self) -> Sections:
        """Where the numbers of conditions and impulses begin, after the rates."""
        return _sections_of(self.tabled, self.rates + self.states, int(self.strained.max(initial=-1) + 1))

    @property
    def size(self) -> int:
        """Length of the array; unused lanes write to its last number."""
        return self.sections.end + 1

    def positions(self, bodies: np.ndarray) -> np.ndarray:
        """Places (k, 3) of the positions of bodies: those of coordinates or numbers that are these, or places in the frames."""
        found = self.frames + FRAME * np.arange(self.tabled.bodies)[:, None] + np.arange(3)
        for k, kind in enumerate(self.tabled.kinds):
            call = self.kind_call(k, "frames")
            for b, own in enumerate(kind.bodies.T):
                copied = call.tape.results[FRAME * b : FRAME * b + 3]
                for c in np.flatnonzero(copied < call.tape.n_in):
                    found[own, c] = call.gather[copied[c]]
        return found[bodies]

    def kind_call(self, k: int, tape: str, scatter: np.ndarray | None = None) -> Call:
        """A tape of the k-th kind over its rows."""
        kind = self.tabled.kinds[k]
        made = kind.tapes[tape]
        names = [name for name, _ in made.parameters]
        rows = [kind.q.T, self.tabled.nq + kind.v.T, np.full((1, len(kind)), self.states)]
        rows += [self._parameter(k, name, kind)[None] for name in names]
        empty = np.zeros((made.n_out, len(kind)), dtype=np.int64)
        return Call(made, np.concatenate(rows), empty if scatter is None else scatter)

    def bond_call(self, b: int, tape: Tape, scatter: np.ndarray | None = None) -> Call:
        """A tape of the b-th table of bonds over its rows; efforts are added to the wrenches."""
        gather = self._gather_of_ends(len(self.tabled.kinds) + b, self.tabled.bonds[b], tape)
        empty = np.zeros((tape.n_out, gather.shape[1]), dtype=np.int64)
        return Call(tape, gather, empty if scatter is None else scatter, adds=True)

    def _gather_of_ends(self, part: int, table: BondTable | ConditionTable, tape: Tape) -> np.ndarray:
        """Places (n_in, m) of the frames of the ends of a table, of its numbers, the time and parameters."""
        m, begin = len(table), self._begin_of_numbers(part)
        ends = [self.frames + FRAME * end[None] + np.arange(FRAME)[:, None] for end in table.ends.T]
        columns = begin + np.arange(table.numbers.size).reshape(table.numbers.shape).T
        uniform = [np.full((1, m), self.states), *self.deformations_of(table, tape)]
        uniform += [np.full((1, m), self._user_parameter(name)) for name, _ in tape.parameters]
        return np.concatenate([*ends, columns.reshape(-1, m), *uniform])

    def deformations_of(self, table: BondTable | ConditionTable, tape: Tape) -> list[np.ndarray]:
        """Places (18, m) of the deformations of the ends of a table that deform, if a tape has them."""
        if "deformations" not in dict(tape.inputs):
            return []
        return [self._deformation_places(end) for end in table.ends.T if self.strained[end[0]] >= 0]

    def _deformation_places(self, bodies: np.ndarray) -> np.ndarray:
        """Where deformations of bodies (m,) stand, (18, m)."""
        return self.sections.deformations + DEFORMATION * self.strained[bodies] + np.arange(DEFORMATION)[:, None]

    def _wrench_places(self, bond: BondTable) -> np.ndarray:
        """Where the efforts on the ends of a table go, (6 e, m), and what those that deform have power with their rates by."""
        wrenches = [self.wrenches + 6 * end[None] + np.arange(6)[:, None] for end in bond.ends.T]
        shapes = self.deformations_of(bond, bond.forces)
        strained = [end for end in bond.ends.T if len(end) and self.strained[end[0]] >= 0] if shapes else []
        return np.concatenate(
            [*wrenches, *(self.inner + 9 * self.strained[end] + np.arange(9)[:, None] for end in strained)]
        )

    def _state_call(self, k: int, tape: str) -> Call:
        """A tape of a kind with one output for each number of the state."""
        kind = self.tabled.kinds[k]
        return self.kind_call(k, tape, self.rates + np.concatenate([kind.q.T, self.tabled.nq + kind.v.T]))

    @property
    def _parts(self) -> tuple[Kind | BondTable | ConditionTable | UnilateralTable, ...]:
        return (*self.tabled.kinds, *self.tabled.bonds, *self.tabled.conditions, *self.tabled.unilaterals)

    def _begin_of_numbers(self, part: int) -> int:
        return self.given + sum(one.numbers.size for one in self._parts[:part])

    def _parameter(self, k: int, name: str, kind: Kind) -> np.ndarray:
        """Where a parameter of a block's equations stands, for every row: its numbers and wrenches are hidden ones."""
        if name.startswith("~number "):
            column = int(name.split()[1])
            return self._begin_of_numbers(k) + column + kind.numbers.shape[1] * np.arange(len(kind))
        if name.startswith("~wrench "):
            body, component = divmod(int(name.split()[1]), 6)
            return self.wrenches + 6 * kind.bodies[:, body] + component
        if name.startswith("~inner "):
            return self.inner + 9 * self.strained[kind.bodies[:, 0]] + int(name.split()[1])
        if name.startswith("~effort "):
            return self.sections.efforts + kind.v[:, int(name.split()[1])]
        return np.full(len(kind), self._user_parameter(name))

    def _user_parameter(self, name: str) -> int:
        return self.states + 1 + [one for one, _ in self.tabled.parameters].index(name)

    def fill(self, X: np.ndarray) -> np.ndarray:
        """Boards (B, size) for rows X (B, given) of states, times and parameters."""
        Z = np.zeros((len(X), self.size))
        Z[:, : self.given] = X
        Z[:, self.given : self.frames] = self.numbers
        return Z


def framing_calls(board: Board) -> list[Call]:
    """The frames of bodies on which bonds act."""
    acted = np.zeros(board.tabled.bodies, dtype=bool)
    for bond in board.tabled.bonds:
        acted[bond.ends if bond.near is None else np.array(bond.members)] = True
    for table in board.tabled.conditions:
        acted[table.ends] = True
    if board.tabled.pair_loop is not None:
        points = board.tabled.pair_loop.members
        acted[points] |= (board.positions(points) >= board.frames).any(axis=1)
    return _calls_of_frames(board, [k for k, kind in enumerate(board.tabled.kinds) if acted[kind.bodies].any()])


def all_frames(board: Board) -> list[Call]:
    """The frames of all bodies, and the deformations of those on which bonds act."""
    return _calls_of_frames(board, range(len(board.tabled.kinds)))


def _calls_of_frames(board: Board, kinds: Iterable[int]) -> list[Call]:
    chosen = list(kinds)
    deforming = [k for k in chosen if board.tabled.kinds[k].takes_inner]
    shapes = [
        board.kind_call(k, "deformations", board._deformation_places(board.tabled.kinds[k].bodies[:, 0]))
        for k in deforming
    ]
    return [frames_call(board, k) for k in chosen] + shapes


def frames_call(board: Board, k: int) -> Call:
    """The frames of all bodies of a kind."""
    bodies = board.tabled.kinds[k].bodies
    places = [board.frames + FRAME * own[None] + np.arange(FRAME)[:, None] for own in bodies.T]
    return board.kind_call(k, "frames", np.concatenate(places))


def force_calls(board: Board) -> list[Call]:
    """The forces of all bonds over given rows, added to the wrenches."""
    listed = [(b, bond) for b, bond in enumerate(board.tabled.bonds) if bond.near is None]
    return [board.bond_call(b, bond.forces, board._wrench_places(bond)) for b, bond in listed]


def without_copies(call: Call) -> tuple[Call, np.ndarray, np.ndarray]:
    """A call without the outputs that are inputs, as rates of coordinates that are velocities; and the places (k,) from which and to which
    these are copied."""
    copied, kept = (np.flatnonzero((call.tape.results < call.tape.n_in) == is_copy) for is_copy in (True, False))
    if call.adds or not len(copied):
        return call, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    trimmed = trim(call.tape, kept)
    rest = Call(trimmed.tape, call.gather[trimmed.inputs], call.scatter[kept])
    return rest, call.gather[call.tape.results[copied]].ravel(), call.scatter[copied].ravel()


def without_wrenches(board: Board, call: Call) -> Call:
    """A call of bodies on which nothing acts: zero in place of the wrenches on them."""
    acting = ((call.gather >= board.wrenches) & (call.gather < board.rates)).all(axis=1)
    return replace(call, tape=with_zeros(call.tape, np.flatnonzero(acting)))


def motion_calls(board: Board) -> list[Call]:
    """The rates of the states of all blocks, under the wrenches on their bodies."""
    return [board._state_call(k, "motion") for k in range(len(board.tabled.kinds))]


def near_call(board: Board, b: int) -> NearCall:
    """The forces of the b-th table, whose rows are pairs within a cutoff."""
    bond = board.tabled.bonds[b]
    assert bond.near is not None
    begin, columns = board._begin_of_numbers(len(board.tabled.kinds) + b), bond.numbers.shape[1]
    frames = [(board.frames + c, FRAME, end) for end in range(2) for c in range(FRAME)]
    numbers = [(begin + c, columns, int(side)) for c, side in enumerate(bond.near.sides)]
    shared = [(board.states, 0, 0), *((board._user_parameter(name), 0, 0) for name, _ in bond.forces.parameters)]
    outputs = np.array([(board.wrenches + c, 6, end) for end in range(2) for c in range(6)])
    whole = Call(bond.forces, np.array([*frames, *numbers, *shared]), outputs, adds=True)
    return NearCall(whole.trimmed.tape, whole.gather[whole.trimmed.inputs], outputs[whole.written])


def condition_call(board: Board, c: int, tape: Tape | None = None) -> Call:
    """The rows of the c-th table of conditions, or another of its tapes, whose outputs are not written."""
    table = board.tabled.conditions[c]
    gather = board._gather_of_ends(len(board.tabled.kinds) + len(board.tabled.bonds) + c, table, tape or table.rows)
    if tape is not None:
        return Call(tape, gather, np.zeros((tape.n_out, len(table)), dtype=np.int64))
    size = table.rows.n_out
    return Call(
        table.rows, gather, board.sections.conditions[c] + size * np.arange(len(table)) + np.arange(size)[:, None]
    )


def unilateral_call(board: Board, u: int, scatter: np.ndarray | None = None) -> Call:
    """The rows of the u-th table of unilateral constraints."""
    table = board.tabled.unilaterals[u]
    m, part = len(table), len(board._parts) - len(board.tabled.unilaterals) + u
    columns = board._begin_of_numbers(part) + np.arange(table.numbers.size).reshape(table.numbers.shape).T
    gather = np.concatenate([
        *(board.frames + FRAME * end[None] + np.arange(FRAME)[:, None] for end in table.ends.T),
        table.q.T, board.tabled.nq + table.v.T, columns.reshape(-1, m), np.full((1, m), board.states),
        *(np.full((1, m), board._user_parameter(name)) for name, _ in table.rows.parameters),
    ])  # fmt: skip
    empty = np.zeros((table.rows.n_out, m), dtype=np.int64)
    return Call(table.rows, gather, empty if scatter is None else scatter)


def reaction_calls(board: Board, accelerations: bool = True) -> list[Call]:
    """What the reactions of conditions need: rows, mobilities of blocks, and the accelerations of their bodies without reactions."""
    conditioned = np.zeros(board.tabled.bodies, dtype=bool)
    for table in board.tabled.conditions:
        conditioned[table.ends] = True
    calls = [condition_call(board, c) for c in range(len(board.tabled.conditions))]
    for k, kind in enumerate(board.tabled.kinds):
        if not conditioned[kind.bodies].any():
            continue
        size = (6 * kind.bodies.shape[1]) ** 2
        places = board.sections.mobilities[k] + size * np.arange(len(kind)) + np.arange(size)[:, None]
        calls.append(board.kind_call(k, "mobility", places))
        if accelerations:
            own = [board.sections.accelerations + 6 * bodies[None] + np.arange(6)[:, None] for bodies in kind.bodies.T]
            calls.append(board.kind_call(k, "accelerations", np.concatenate(own)))
    return calls


def impulse_call(board: Board, struck: StruckBody) -> Call:
    """The wrench of an applied impulse; nothing is written."""
    shape = "deformations" in dict(struck.wrench.inputs)
    places = board._deformation_places(np.array([struck.body]))[:, 0] if shape else np.zeros(0, dtype=np.int64)
    shared = [board._user_parameter(name) for name, _ in struck.wrench.parameters]
    frame = board.frames + FRAME * struck.body + np.arange(FRAME)
    gather = np.concatenate([frame, [board.states], places, np.array(shared, dtype=np.int64)])[:, None]
    return Call(struck.wrench, gather, np.zeros((struck.wrench.n_out, 1), dtype=np.int64))


def joint_impulse_call(board: Board, struck: StruckJoint) -> Call:
    """What an applied impulse is along a joint; nothing is written."""
    shared = [board._user_parameter(name) for name, _ in struck.along.parameters]
    gather = np.concatenate([struck.q, board.tabled.nq + struck.v, [board.states], np.array(shared, dtype=np.int64)])
    return Call(struck.along, gather[:, None], np.zeros((struck.along.n_out, 1), dtype=np.int64))


def response_calls(board: Board) -> list[Call]:
    """The changes of a state by impulsive wrenches, in place of its rates."""
    return [board._state_call(k, "response") for k in range(len(board.tabled.kinds))]


def filled_board(tabled: Tabled, X: np.ndarray) -> tuple[Board, np.ndarray]:
    """A board for rows X (B, given) of states, times and parameters, filled with them; pairs within cutoffs are rows of it."""
    plain = Board(tabled)
    if all(bond.near is None for bond in tabled.bonds):
        return plain, plain.fill(X)
    Z = plain.fill(X)
    for call in all_frames(plain):
        write(call, Z)
    positions = Z[:, plain.frames : plain.wrenches].reshape(len(Z), tabled.bodies, FRAME)[:, :, :3]
    bonds = tuple(bond if bond.near is None else near_rows(bond, positions) for bond in tabled.bonds)
    board = Board(replace(tabled, bonds=bonds))
    return board, board.fill(X)


def apply(call: Call, Z: np.ndarray) -> np.ndarray:
    """The outputs (B, n_out, m) of a call on boards Z (B, size)."""
    B, m = len(Z), call.gather.shape[1]
    if m == 0:
        return np.zeros((B, call.tape.n_out, 0))
    gather = call.gather[call.trimmed.inputs]
    X = np.ascontiguousarray(Z[:, gather.T]).reshape(B * m, len(gather))
    found = compile_tape(call.trimmed.tape)(X).reshape(B, m, call.trimmed.tape.n_out)
    if len(call.written) == call.tape.n_out:
        return found.transpose(0, 2, 1)
    Y = np.zeros((B, call.tape.n_out, m))
    Y[:, call.written] = found.transpose(0, 2, 1)
    return Y


def write(call: Call, Z: np.ndarray) -> None:
    """Apply a call and write or add its outputs."""
    Y = apply(call, Z)
    if not call.adds:
        Z[:, call.scatter] = Y
        return
    places = call.scatter[call.written]
    add_rows(Z, places.ravel(), Y[:, call.written].reshape(len(Z), -1))


def add_rows(Z: np.ndarray, places: np.ndarray, Y: np.ndarray) -> None:
    """Add numbers Y (B, k) to the places (k,) of every row of Z (B, n); a place may occur again."""
    order = np.argsort(places, kind="stable")
    first = np.flatnonzero(np.diff(places[order], prepend=-1))
    if len(first):
        Z[:, places[order][first]] += np.add.reduceat(Y[:, order], first, axis=1)
