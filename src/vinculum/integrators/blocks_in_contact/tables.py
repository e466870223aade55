"""Tables of blocks in contact in compiled code: rates, and what contacts need of blocks with shapes."""

from typing import final

import numpy as np

from vinculum.collision.meeting import Meeting
from vinculum.compile.calls import run_indexed
from vinculum.compile.kernels import bind
from vinculum.compile.targets.llvm.indexed import indexed_job
from vinculum.contact.blocks.arrays import Carriers, HeldBlocks, Mounting
from vinculum.contact.blocks.rows import write_answers
from vinculum.integrators.blocks_in_contact.carriers import CarryingBlocks
from vinculum.integrators.blocks_in_contact.damping import DampedKind, Damping
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes
from vinculum.models.model import Model
from vinculum.models.tabled.board import Board, Call
from vinculum.models.tabled.kinds import DEFORMATION, FRAME
from vinculum.models.tabled.projection import close_on_charts, project_velocities
from vinculum.models.tabled.rates import compile_call, make_tables, run_job, table_rates
from vinculum.models.tabled.reactions import prepare
from vinculum.models.tabled.tabled import Tabled
from vinculum.tolerances.steps import PROJECTION_ROUNDS, TORN_SQUARED


@final
class BlockTables:
    """Rates of a state, and frames, screws and masses of ``blocks`` that have shapes or conditions, in one long array ``Z``; the
    ``damping`` of those that deform; ``held``: blocks with their conditions."""

    def __init__(self, tabled: Tabled, shapes: BlockShapes, values: np.ndarray):
        self.tabled, board = tabled, Board(tabled)
        made, kept = make_tables(tabled, values)
        self._size, self._nq = board.states, tabled.nq
        self.is_conditioned = bool(tabled.conditions)
        carriers, place, calls = CarryingBlocks(board.frames + FRAME * np.arange(tabled.bodies)), board.size, []
        damped: list[DampedKind] = []
        dampings: list[Call] = []
        needed = np.zeros(tabled.bodies, dtype=bool)
        needed[shapes.bodies] = True
        for table in tabled.conditions:
            needed[table.ends] = True
        for k, kind in enumerate(tabled.kinds):
            if not needed[kind.bodies].any():
                continue
            (m, nv), b = kind.v.shape, kind.bodies.shape[1]
            screws = place + 6 * (nv + b) * np.arange(m)
            mass = screws[-1] + 6 * (nv + b) + nv * nv * np.arange(m)
            place = int(mass[-1]) + nv * nv
            calls += [board.frames_call(k), _scatter_call(board, k, "screws", screws)]
            calls += [_scatter_call(board, k, "mass", mass)] if nv else []
            carriers.add(kind.bodies, kind.v, screws, mass)
            if self.is_conditioned and nv:
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
                damped.append(DampedKind(kind.v, slice(place, place + m * nv * nv), carriers.last_inverses))
                dampings += [_scatter_call(board, k, "damping", rates)]
                place += m * nv * nv
        self.Z = np.zeros(place)
        self.Z[: board.size] = made.board
        self._tables, spare = made._replace(board=self.Z), board.size - 1
        self.blocks, groups, conditions = carriers.with_groups(made.reactions)
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
        self.held = HeldBlocks(
            self.Z, self.blocks, groups, self.mounting, carriers.strains(), conditions, made.reactions.factors
        )
        self._contact_job, kept_calls = indexed_job([compile_call(one) for one in calls], spare)
        rates = [_rates_call(board, k, spare) for k, kind in enumerate(tabled.kinds) if kind.q.shape[1]]
        self._rates_job, kept_rates = indexed_job([compile_call(one) for one in rates], spare)
        self.damping = Damping(damped)
        self._damping_job, kept_dampings = indexed_job([compile_call(one) for one in dampings], spare)
        self._kept, self._rates = (
            [kept, kept_calls, kept_rates, kept_dampings],
            slice(board.rates, board.rates + tabled.nq),
        )
        self._out = np.empty(self._size)
        self._table_rates = bind(table_rates, self._tables)

    @property
    def dependent_row(self) -> int:
        """The row of the conditions that came to depend on others last, −1 if none did."""
        return int(self._tables.reactions.trouble[0])

    def accelerations(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        """v̇ (nv,) without contacts."""
        self._table_rates(np.concatenate([q, v]), float(t), self._out)
        return self._out[self._nq :].copy()

    def coordinate_rates(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        """q̇ = N v (nq,)."""
        run_job(self._rates_job, self.Z, np.concatenate([q, v]), t)
        return self.Z[self._rates].copy()

    def write_blocks(self, q: np.ndarray, v: np.ndarray, t: float) -> None:
        """Write frames, screws, drifts and masses of blocks that have shapes or conditions to the long array."""
        run_job(self._contact_job, self.Z, np.concatenate([q, v]), t)

    def write_conditions(self) -> bool:
        """Write what the conditions do to blocks whose inverse masses are written; returns whether they are independent."""
        if not self.is_conditioned:
            return True
        run_indexed(self._tables.conditions, self.Z, self.Z)
        independent = bool(prepare(self._tables.reactions, self.Z))
        write_answers(self.held)
        return independent

    def put_on_conditions(self, model: Model, q: np.ndarray, t: float) -> tuple[np.ndarray, bool]:
        """Coordinates on all conditions, as near as the mass matrix measures it, and whether there are some."""
        y = np.concatenate([q, np.zeros(self.tabled.nv)])
        closed = close_on_charts(model, self._tables, y, t, TORN_SQUARED, PROJECTION_ROUNDS)
        return y[: self._nq], closed

    def closing_change(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        """The smallest change (nv,) of velocities, in the metric of masses, after which conditions hold for them."""
        y = np.concatenate([q, v])
        project_velocities(self._tables, y, t)
        return y[self._nq :] - v

    def write_damping(self, q: np.ndarray, v: np.ndarray, t: float, h: float) -> None:
        """Set the damping of a step of h [s], at a state."""
        if self.damping.kinds:
            run_job(self._damping_job, self.Z, np.concatenate([q, v]), t)
            self.damping.begin_step(self.Z, h)


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
