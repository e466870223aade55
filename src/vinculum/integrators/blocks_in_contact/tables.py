"""Tables of blocks in contact in compiled code: rates, and what contacts need of blocks with shapes."""

from typing import final

import numpy as np

from vinculum.collision.meeting import Meeting
from vinculum.compile.targets.llvm.indexed import indexed_job
from vinculum.contact.blocks.arrays import Carriers, ConstrainedBlocks, Mounting
from vinculum.integrators.blocks_in_contact import flights
from vinculum.integrators.blocks_in_contact.arrays import Flight, Room, Search
from vinculum.integrators.blocks_in_contact.carriers import CarryingBlocks
from vinculum.integrators.blocks_in_contact.damping import DampedKind, damped_blocks
from vinculum.integrators.blocks_in_contact.step import Step
from vinculum.integrators.blocks_in_contact.unilaterals import blocks_joined, ends_of_unilaterals, unilaterals_of
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes
from vinculum.models.model import Model
from vinculum.models.tabled.board import Board, Call, frames_call, unilateral_call
from vinculum.models.tabled.kinds import DEFORMATION, FRAME
from vinculum.models.tabled.projection import on_charts, quaternion_places
from vinculum.models.tabled.rates import compile_call, make_tables
from vinculum.models.tabled.tabled import Tabled
from vinculum.tolerances.steps import POINTS_KEPT


@final
class BlockTables:
    """Rates of a state, and frames, screws and masses of ``blocks`` that have shapes or conditions, in one long array ``Z``; the
    ``damping`` of those that deform; ``held``: blocks with their conditions."""

    def __init__(self, model: Model, tabled: Tabled, shapes: BlockShapes, values: np.ndarray):
        self.tabled, board = tabled, Board(tabled)
        made, kept = make_tables(tabled, values)
        self.is_conditioned = bool(tabled.conditions)
        carriers, place, calls = (
            CarryingBlocks(board.frames + FRAME * np.arange(tabled.bodies), tabled.nv),
            board.size,
            [],
        )
        damped: list[DampedKind] = []
        dampings: list[Call] = []
        needed = np.zeros(tabled.bodies, dtype=bool)
        needed[shapes.bodies] = True
        for table in tabled.conditions:
            needed[table.ends] = True
        for table in tabled.unilaterals:
            needed[table.ends] = True
            for kind in tabled.kinds:
                needed[kind.bodies[np.isin(kind.v, table.v).any(axis=1)]] = True
        for k, kind in enumerate(tabled.kinds):
            if not needed[kind.bodies].any():
                continue
            (m, nv), b = kind.v.shape, kind.bodies.shape[1]
            screws = place + 6 * (nv + b) * np.arange(m)
            mass = screws[-1] + 6 * (nv + b) + nv * nv * np.arange(m)
            place = int(mass[-1]) + nv * nv
            calls += [frames_call(board, k), _scatter_call(board, k, "screws", screws)]
            calls += [_scatter_call(board, k, "mass", mass)] if nv else []
            carriers.add(kind.bodies, kind.v, screws, mass)
            if (self.is_conditioned or tabled.unilaterals) and nv and not kind.deforms:
                twists = place + 6 * b * nv * np.arange(m)
                place = int(twists[-1]) + 6 * b * nv
                calls += [_scatter_call(board, k, "twists", twists)]
                carriers.turn(kind.bodies, nv, twists)
            if kind.deforms:
                strains = place + 9 * nv * np.arange(m)
                deformations = strains[-1] + 9 * nv + DEFORMATION * np.arange(m)
                place = int(deformations[-1]) + DEFORMATION
                calls += [_scatter_call(board, k, "strains", strains)]
                calls += [_scatter_call(board, k, "deformations", deformations)]
                carriers.deform(kind.bodies[:, 0], strains, deformations)
            if kind.tapes["damping"].n_out:
                rates = place + nv * nv * np.arange(m)
                damped.append(DampedKind(kind.v, place, carriers.last_inverses))
                dampings += [_scatter_call(board, k, "damping", rates)]
                place += m * nv * nv
        rows: list[np.ndarray] = []
        for u, table in enumerate(tabled.unilaterals):
            outputs = table.rows.n_out
            rows.append(place + outputs * np.arange(len(table)))
            place += outputs * len(table)
            calls.append(unilateral_call(board, u, rows[-1] + np.arange(outputs)[:, None]))
        self.Z = np.zeros(place)
        self.Z[: board.size] = made.board
        self._tables, spare = made._replace(board=self.Z), board.size - 1
        ends = ends_of_unilaterals(tabled, rows, carriers, board.frames)
        others = blocks_joined(ends, carriers.count)
        self.blocks, groups, conditions = carriers.with_groups(made.reactions, others)
        self.block_of_body = carriers.block
        self.mounting = Mounting(
            carriers.block[shapes.bodies],
            board.frames + FRAME * shapes.bodies,
            carriers.drift[shapes.bodies],
            shapes.offsets,
            shapes.tilts,
            shapes.carried,
        )
        self.carriers = Carriers(carriers.matrix[shapes.bodies], carriers.rate[shapes.bodies])
        self.held = ConstrainedBlocks(
            self.Z, self.blocks, groups, self.mounting, carriers.strains(), conditions, made.reactions.factors,
            unilaterals_of(tabled, rows, ends, self.blocks),
        )  # fmt: skip
        self.frames, kept_calls = indexed_job([compile_call(one) for one in calls], spare)
        rates = [_rates_call(board, k, spare) for k, kind in enumerate(tabled.kinds) if kind.q.shape[1]]
        coordinates, kept_rates = indexed_job([compile_call(one) for one in rates], spare)
        damping, kept_dampings = indexed_job([compile_call(one) for one in dampings], spare)
        self._kept = [kept, kept_calls, kept_rates, kept_dampings]
        self.flight = Flight(
            self._tables, coordinates, damping, damped_blocks(damped), board.rates, quaternion_places(model), self.is_conditioned,
            tabled.is_piecewise, np.zeros(tabled.nv), _room(tabled.nq, tabled.nv),
        )  # fmt: skip

    @property
    def dependent_row(self) -> int:
        """The row of the conditions that came to depend on others last, −1 if none did."""
        return int(self._tables.reactions.trouble[0])

    def accelerations(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        """v̇ (nv,) without contacts."""
        a = np.empty(self.tabled.nv)
        flights.write_accelerations(self.flight, q, v, float(t), a)
        return a

    def coordinate_rates(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        """q̇ = N v (nq,)."""
        rates = np.empty(self.tabled.nq)
        flights.write_coordinate_rates(self.flight, q, v, float(t), rates)
        return rates

    def begin_step(self, step: Step) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates in the middle of a step, and accelerations there without impulses."""
        middle, a = np.empty(self.tabled.nq), np.empty(self.tabled.nv)
        flights.begin_step(self.flight, step, middle, a)
        return middle, a

    def write_blocks(self, q: np.ndarray, v: np.ndarray, t: float) -> None:
        """Write frames, screws, drifts and masses of blocks that have shapes or conditions to the long array."""
        flights.write_frames(self.frames, self.flight, q, v, float(t))

    def close(self, q: np.ndarray, t: float) -> bool:
        """Bring coordinates onto all conditions, as near as the mass matrix measures it; whether there are such."""
        return bool(flights.close(self.flight, q, float(t)))

    def on_charts(self, q: np.ndarray) -> np.ndarray:
        """Coordinates (nq,) with their quaternions brought back to length one, in place."""
        on_charts(self.flight.quaternions, q)
        return q


def _room(nq: int, nv: int) -> Room:
    """Vectors to work in."""
    search = Search(np.empty((POINTS_KEPT, nv)), np.empty((POINTS_KEPT, nv)))
    vectors = np.empty((6, nv)), np.zeros((4, nv)), np.zeros((2, nv))
    return Room(np.empty(nq + nv), np.empty(nq + nv), np.empty((3, nq)), *vectors, search)


def meeting_of(shapes: BlockShapes) -> Meeting:
    """Which shapes meet, for compiled loops."""
    still = len(shapes.kinds) - shapes.moving
    both = np.concatenate([shapes.closed, shapes.closed[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    return Meeting(
        shapes.groups,
        shapes.laws_of,
        shapes.laws,
        np.concatenate([shapes.parents, np.full(still, -2)]),
        shapes.joined,
        np.concatenate([shapes.carried.any(axis=1), np.zeros(still, dtype=bool)]),
        np.searchsorted(both[:, 0], np.arange(len(shapes.kinds) + 1)),
        np.ascontiguousarray(both[:, 1]),
    )


def _scatter_call(board: Board, k: int, tape: str, places: np.ndarray) -> Call:
    """A tape of the k-th kind whose outputs stand one after the other from the ``places`` of its rows on."""
    outputs = board.tabled.kinds[k].tapes[tape].n_out
    return board.kind_call(k, tape, places[None] + np.arange(outputs)[:, None])


def _rates_call(board: Board, k: int, spare: int) -> Call:
    """The rates of the coordinates of a kind; what else the tape gives is not looked at."""
    kind = board.tabled.kinds[k]
    scatter = np.full((kind.tapes["rates"].n_out, len(kind)), spare, dtype=np.int64)
    scatter[: kind.q.shape[1]] = board.rates + kind.q.T
    return board.kind_call(k, "rates", scatter)
