"""Tables of blocks in contact in compiled code: rates, and what contacts need of blocks with shapes."""

from typing import final

import numpy as np

from vinculum.collision.meeting import Meeting
from vinculum.compile.targets.llvm.indexed import indexed_job
from vinculum.contact.blocks.arrays import Blocks, Carriers, Mounting
from vinculum.integrators.blocks_in_contact.damping import DampedKind, Damping
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes
from vinculum.models.tabled.board import Board, Call
from vinculum.models.tabled.kinds import DEFORMATION, FRAME
from vinculum.models.tabled.rates import compile_call, make_tables, run_job, table_rates
from vinculum.models.tabled.tabled import Tabled

ROW = 8
"""Velocities in a row of a contact problem."""


@final
class BlockTables:
    """Rates of a state, and frames, screws and masses of ``blocks`` with shapes, in one long array ``Z``; the ``damping`` of those that
    deform."""

    def __init__(self, tabled: Tabled, shapes: BlockShapes, values: np.ndarray):
        self.tabled, board = tabled, Board(tabled)
        made, kept = make_tables(tabled, values)
        self._size, self._nq = board.states, tabled.nq
        carriers, place, calls = _Carriers(board.frames + FRAME * np.arange(tabled.bodies)), board.size, []
        damped: list[DampedKind] = []
        dampings: list[Call] = []
        shaped = np.zeros(tabled.bodies, dtype=bool)
        shaped[shapes.bodies] = True
        for k, kind in enumerate(tabled.kinds):
            if not shaped[kind.bodies].any():
                continue
            (m, nv), b = kind.v.shape, kind.bodies.shape[1]
            screws = place + 6 * (nv + b) * np.arange(m)
            mass = screws[-1] + 6 * (nv + b) + nv * nv * np.arange(m)
            place = int(mass[-1]) + nv * nv
            calls += [board.frames_call(k), _scatter_call(board, k, "screws", screws)]
            calls += [_scatter_call(board, k, "mass", mass)] if nv else []
            carriers.add(kind.bodies, kind.v, screws, mass)
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
        self._tables = made._replace(board=self.Z)
        self.blocks, spare = carriers.blocks(), board.size - 1
        self.mounting = Mounting(
            carriers.block[shapes.bodies],
            board.frames + FRAME * shapes.bodies,
            carriers.drift[shapes.bodies],
            shapes.offsets,
            shapes.tilts,
            shapes.carried,
        )
        self.carriers = Carriers(carriers.matrix[shapes.bodies], carriers.rate[shapes.bodies], carriers.strains())
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

    def accelerations(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        """v̇ (nv,) without contacts."""
        table_rates(self._tables, np.concatenate([q, v]), t, self._out)
        return self._out[self._nq :].copy()

    def coordinate_rates(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        """q̇ = N v (nq,)."""
        run_job(self._rates_job, self.Z, np.concatenate([q, v]), t)
        return self.Z[self._rates].copy()

    def write_blocks(self, q: np.ndarray, v: np.ndarray, t: float) -> None:
        """Write frames, screws, drifts and masses of blocks with shapes to the long array."""
        run_job(self._contact_job, self.Z, np.concatenate([q, v]), t)

    def write_damping(self, q: np.ndarray, v: np.ndarray, t: float, h: float) -> None:
        """Set the damping of a step of h [s], at a state."""
        if self.damping.kinds:
            run_job(self._damping_job, self.Z, np.concatenate([q, v]), t)
            self.damping.begin_step(self.Z, h)


def meeting_of(shapes: BlockShapes) -> Meeting:
    """Which shapes meet, for compiled loops."""
    still = len(shapes.kinds) - shapes.moving
    return Meeting(
        shapes.groups,
        shapes.laws_of,
        shapes.laws,
        np.concatenate([shapes.parents, np.full(still, -2)]),
        shapes.joined,
        np.concatenate([shapes.carried.any(axis=1), np.zeros(still, dtype=bool)]),
    )


@final
class _Carriers:
    """Blocks that carry shapes, gathered kind by kind: for every body the number of its ``block`` and where its ``drift`` is, the
    ``matrix`` that carries its points, and the ``rate`` of that matrix if it deforms. ``frames``: where the frames of bodies begin."""

    def __init__(self, frames: np.ndarray):
        bodies = len(frames)
        self.block, self.drift = np.full(bodies, -1), np.zeros(bodies, dtype=np.int64)
        self.matrix, self.rate = frames + 3, np.full(bodies, -1)
        self._strains: list[np.ndarray] = []
        self._counts: list[np.ndarray] = []
        self._screws: list[np.ndarray] = []
        self._masses: list[np.ndarray] = []
        self._velocities: list[np.ndarray] = []
        self._number = 0

    def add(self, bodies: np.ndarray, v: np.ndarray, screws: np.ndarray, mass: np.ndarray) -> None:
        m, nv = v.shape
        self.block[bodies] = self._number + np.arange(m)[:, None]
        self.drift[bodies] = screws[:, None] + 6 * nv + 6 * np.arange(bodies.shape[1])
        self._counts.append(np.full(m, nv))
        self._screws.append(screws)
        self._masses.append(mass)
        rows = -(-nv // ROW)
        padded = np.full((m, ROW * rows), -1)
        padded[:, :nv] = v
        self._velocities.append(padded.reshape(-1, ROW))
        self._strains.append(np.full(m, -1))
        self._number += m

    def deform(self, bodies: np.ndarray, strains: np.ndarray, deformations: np.ndarray) -> None:
        """Say where the strains of the blocks that were added last are, and the deformations of their bodies."""
        self._strains[-1] = strains
        self.matrix[bodies], self.rate[bodies] = deformations, deformations + DEFORMATION // 2

    @property
    def last_inverses(self) -> slice:
        """Where the inverse masses of the blocks that were added last are among all."""
        sizes = [int((count * count).sum()) for count in self._counts]
        return slice(sum(sizes[:-1]), sum(sizes))

    def strains(self) -> np.ndarray:
        """Where the strains of every block begin (k,), −1 for those that do not deform."""
        return np.concatenate(self._strains)

    def blocks(self) -> Blocks:
        count = np.concatenate(self._counts)
        rows, squares = -(-count // ROW), count * count
        return Blocks(
            count,
            ROW * (np.cumsum(rows) - rows),
            np.concatenate(self._screws),
            np.concatenate(self._masses),
            np.cumsum(squares) - squares,
            np.zeros(int(squares.sum())),
            np.concatenate(self._velocities),
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
