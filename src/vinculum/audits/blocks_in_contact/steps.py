"""Single steps of blocks in contact, from the states of a motion: what the impulses of contacts do to every block."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.integrators.free_bodies.steps import edges_of_steps
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.tabled.board import (
    Board,
    all_frames,
    apply,
    filled_board,
    motion_calls,
    reaction_calls,
    write,
)
from vinculum.models.tabled.kinds import FRAME
from vinculum.models.tabled.pair_sums import add_forces
from vinculum.models.tabled.projection import project_velocities, tables_at
from vinculum.models.tabled.reactions import add_reactions, shift_places
from vinculum.models.tabled.type import tabled_in
from vinculum.models.tabled.unilateral_motions import changes_by_unilaterals, motions_of_unilaterals, shares_of_ends
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.method import LOCATED
from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups, tape_rows
from vinculum.tolerances.certificates import MIDDLE_OF_A_STEP
from vinculum.tolerances.steps import IMPLICIT_ITERATIONS, WHOLE_STEPS
from vinculum.tolerances.time import SAME_LENGTH


@final
@dataclass(frozen=True, eq=False)
class BlockStep:
    """A step of a motion: its number, beginning, length ``h`` [s] and ``span``, the mean of it and the next [s]; states (n,) at its
    beginning, middle and end; its active contacts: both ``shapes`` (C, 2), ``places`` (C, 3), ``impulses`` (C, 3) and ``moments`` (C, 3)
    on the first one, in world axes; ``bounded`` (u, 3): impulses of all unilateral constraints along their axes."""

    motion: Record
    number: int
    begin: float
    h: float
    span: float
    start: np.ndarray
    middle: np.ndarray
    end: np.ndarray
    shapes: np.ndarray
    places: np.ndarray
    impulses: np.ndarray
    moments: np.ndarray
    bounded: np.ndarray

    @property
    def change(self) -> np.ndarray:
        """Change of velocities (nv,)."""
        return (self.end - self.start)[self.motion.model.nq :]

    @cached_property
    def board(self) -> tuple[Board, np.ndarray]:
        """A board at the middle of the step, with the frames of all bodies."""
        return self._board_at(self.middle)

    def _board_at(self, state: np.ndarray) -> tuple[Board, np.ndarray]:
        time = np.array([self.begin + 0.5 * self.h])
        board, Z = filled_board(tabled_in(self.motion.model), tape_rows(self.motion, time, state[None]))
        for call in all_frames(board):
            write(call, Z)
        return board, Z

    def velocity_fields(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Origins (n, 3), their velocities (n, 3), and the gradients ∂v/∂x (n, 3, 3) of all bodies with shapes, at a state and the instant
        of the middle. The gradient is φ̇φ⁻¹ where a body deforms, and ω× elsewhere."""
        board, Z = self._board_at(state)
        frames = Z[0, board.frames : board.wrenches].reshape(-1, FRAME)
        gradients = np.cross(np.eye(3), frames[:, None, 15:])
        for k in self._deforming_kinds:
            phi, rate = _deformations(board, k, Z)
            gradients[board.tabled.kinds[k].bodies[:, 0]] = rate @ np.linalg.inv(phi)
        return frames[:, :3], frames[:, 12:15], gradients

    def unexplained_change(self) -> np.ndarray:
        """What forces, impulses and reactions leave of the change of velocities (nv,)."""
        model, values = self.motion.model, self.motion.values
        left = self.change - self.h * self.accelerations() - self.changed_by_unilaterals()
        if tabled_in(model).conditions:
            y = self.end.copy()
            y[model.nq :] -= left
            project_velocities(tables_at(model, tabled_in(model), values), y, self.begin + self.h)
            left = (self.end - y)[model.nq :]
        return left

    def changed_by_unilaterals(self) -> np.ndarray:
        """What unilateral constraints change of the velocities (nv,)."""
        if not self.bounded.any():
            return np.zeros(self.motion.model.nv)
        board, Z = self.board
        return changes_by_unilaterals(self.motion.model, board, Z, self.bounded[None])[0]

    def motions_of_unilaterals(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Velocities (u, 3) of unilateral constraints at a state and the instant of the middle, and the parts (u, e, 3) of them that each
        end has, zero for fewer ends."""
        board, Z = self._board_at(state)
        speeds, shares = motions_of_unilaterals(board, Z)[1][0], shares_of_ends(board, Z)
        parts = np.full((len(speeds), max((x.shape[2] for x in shares), default=0), 3), np.nan)
        for table, own in zip(board.tabled.unilaterals, shares, strict=True):
            parts[table.numbered, : own.shape[2]] = own[0]
        return speeds, parts

    def before_closing(self) -> np.ndarray:
        """The state (n,) at the end of the step before conditions move coordinates: q = q_m + h/2 N(q) v'."""
        model, state, last = self.motion.model, self.end.copy(), np.inf
        for _ in range(IMPLICIT_ITERATIONS):
            rate = tape_groups(self.motion, "rates", np.array([self.begin + self.h]), state[None])["q_dot"][0]
            gone = self.end.copy()
            gone[: model.nq] = self.middle[: model.nq] + 0.5 * self.h * rate
            gone = model.on_charts(gone[None])[0]
            left, state = float(np.abs(gone - state).max(initial=0.0)), gone
            if not left < last:
                break
            last = left
        return state

    def accelerations(self) -> np.ndarray:
        """The mean of v̇ (nv,) in the middle for the velocities before and after the step, under the bonds and the impulses of contacts,
        which are distributed over the step as wrenches on the bodies."""
        nq = self.motion.model.nq
        states = (np.concatenate([self.middle[:nq], end[nq:]]) for end in (self.start, self.end))
        return 0.5 * sum((self._accelerations_at(state) for state in states), np.zeros(self.motion.model.nv))

    def _accelerations_at(self, state: np.ndarray) -> np.ndarray:
        board, Z = self._board_at(state)
        add_forces(board, Z)
        Z[0, board.wrenches : board.inner] += self.contact_wrenches().ravel()
        if board.tabled.conditions:
            self._add_reactions(board, Z)
        for call in motion_calls(board):
            write(call, Z)
        nq, n = board.tabled.nq, board.states
        found = Z[0, board.rates + nq : board.rates + n].copy()
        for k in self._deforming_kinds:
            efforts = self._deforming_forces(board, k, Z)
            found[board.tabled.kinds[k].v] += np.linalg.solve(_masses_of_blocks(board, k, Z), efforts[:, :, None])[
                :, :, 0
            ]
        return found

    def contact_wrenches(self) -> np.ndarray:
        """Wrenches (n, 6) of contacts on bodies about their origins, in world axes: impulses distributed over the step."""
        (board, Z), of = self.board, block_shapes_of(self.motion.model)
        x = Z[0, board.frames : board.wrenches].reshape(-1, FRAME)[:, :3]
        found = np.zeros((board.tabled.bodies, 6))
        for side, sign in ((0, 1.0), (1, -1.0)):
            own = self.shapes[:, side] < of.moving
            body, force = of.bodies[self.shapes[own, side]], sign * self.impulses[own] / self.h
            moment = np.cross(self.places[own] - x[body], force) + sign * self.moments[own] / self.h
            np.add.at(found, body, np.concatenate([force, moment], axis=1))
        return found

    def deforming_forces(self) -> np.ndarray:
        """Forces (nv,) of contacts, distributed over the step, on the rates of deformation of bodies; wrenches are beside them."""
        (board, Z), found = self.board, np.zeros(self.motion.model.nv)
        for k in self._deforming_kinds:
            found[board.tabled.kinds[k].v] += self._deforming_forces(board, k, Z)
        return found

    def _add_reactions(self, board: Board, Z: np.ndarray) -> None:
        """Add the wrenches of conditions under all others."""
        model, tabled = self.motion.model, tabled_in(self.motion.model)
        for call in reaction_calls(board):
            write(call, Z)
        known = tables_at(model, tabled, self.motion.values).reactions
        add_reactions(shift_places(known, board.frames - Board(tabled).frames), Z[0])

    @cached_property
    def _deforming_kinds(self) -> list[int]:
        """The numbers of the kinds of blocks that deform and have shapes, which are solid."""
        kinds, shaped = tabled_in(self.motion.model).kinds, block_shapes_of(self.motion.model).bodies
        return [k for k, kind in enumerate(kinds) if kind.deforms and np.isin(kind.bodies, shaped).any()]

    def _deforming_forces(self, board: Board, k: int, Z: np.ndarray) -> np.ndarray:
        """Forces of contacts, distributed over the step, on φ̇ of bodies of the k-th kind, which deforms: f ⊗ a at their points a. In rows
        (m, nv) of the velocities of their blocks."""
        kind, of = board.tabled.kinds[k], block_shapes_of(self.motion.model)
        row, x = np.full(board.tabled.bodies, -1), Z[0, board.frames : board.wrenches].reshape(-1, FRAME)[:, :3]
        row[kind.bodies[:, 0]] = np.arange(len(kind))
        phi, efforts = _deformations(board, k, Z)[0], np.zeros((len(kind), 3, 3))
        for side, sign in ((0, 1.0), (1, -1.0)):
            mine = np.flatnonzero(self.shapes[:, side] < of.moving)
            body = of.bodies[self.shapes[mine, side]]
            mine, body = mine[row[body] >= 0], body[row[body] >= 0]
            point = np.linalg.solve(phi[row[body]], (self.places[mine] - x[body])[:, :, None])[:, :, 0]
            np.add.at(efforts, row[body], np.einsum("ci,ck->cik", sign * self.impulses[mine] / self.h, point))
        return np.concatenate([np.zeros((len(kind), 3)), efforts.reshape(-1, 9)], axis=1)

    def kinetic_norms(self, v: np.ndarray) -> np.ndarray:
        """√(vᵀ M v) of the velocities v (nv,) of every block, kind by kind."""
        board, Z = self.board
        found = [np.zeros(0)]
        for k, kind in enumerate(board.tabled.kinds):
            if not kind.v.shape[1]:
                found.append(np.zeros(len(kind)))
                continue
            M, own = _masses_of_blocks(board, k, Z), v[kind.v]
            found.append(np.sqrt(np.maximum(np.einsum("mi,mij,mj->m", own, M, own), 0.0)))
        return np.concatenate(found)

    def masses(self) -> np.ndarray:
        """Masses [kg] of the blocks, in the same order."""
        board, Z = self.board
        found = [np.zeros(0)]
        for k, kind in enumerate(board.tabled.kinds):
            own = apply(board.kind_call(k, "bodies"), Z)[0].T.reshape(len(kind), -1, 7)
            found.append(own[..., 6].sum(axis=1))
        return np.concatenate(found)


def _masses_of_blocks(board: Board, k: int, Z: np.ndarray) -> np.ndarray:
    """Mass matrices (m, nv, nv) of the blocks of the k-th kind."""
    m, nv = board.tabled.kinds[k].v.shape
    return apply(board.kind_call(k, "mass"), Z)[0].T.reshape(m, nv, nv)


def _deformations(board: Board, k: int, Z: np.ndarray) -> np.ndarray:
    """φ and φ̇ (2, m, 3, 3) of the bodies of the k-th kind, which deforms."""
    return apply(board.kind_call(k, "deformations"), Z)[0].T.reshape(-1, 2, 3, 3).swapaxes(0, 1)


def whole_steps(motion: Record) -> np.ndarray:
    """The numbers of the pieces of a motion that are whole steps with recorded impulses."""
    solver, edges = motion.contact_solver, np.asarray(motion.pieces.times)
    if solver is None or solver.pressing is None:
        return np.zeros(0, dtype=np.int64)
    count = min(len(solver), len(edges) - 1)
    middles = 0.5 * (edges[:count] + edges[1 : count + 1])
    return np.flatnonzero(np.abs(middles - solver.times[:count]) <= MIDDLE_OF_A_STEP * np.diff(edges[: count + 1]))


def _next_length(motion: Record, begin: float, end: float) -> float:
    """The length [s] that the step after one was meant to have, before it was halved itself. Steps begin anew after applied impulses."""
    struck = np.zeros(0) if motion.atoms is None else motion.atoms.times
    cuts, length, h = np.unique([motion.pieces.begin, *struck, motion.pieces.end]), end - begin, motion.method.step
    part = int(np.clip(np.searchsorted(cuts, 0.5 * (begin + end)) - 1, 0, len(cuts) - 2))
    grid = edges_of_steps(float(cuts[part]), float(cuts[part + 1]), length if h is None else h)
    cell = int(np.clip(np.searchsorted(grid, 0.5 * (begin + end)) - 1, 0, len(grid) - 2))
    first, whole = float(grid[cell]), float(grid[cell + 1] - grid[cell])
    if _is_cut(motion, length, whole) and grid[cell + 1] - end > WHOLE_STEPS * whole:
        return float(grid[cell + 1] - end)
    halvings = 0 if _is_cut(motion, length, whole) else max(round(np.log2(whole / length)), 0)
    place = round((begin - first) / (whole / 2**halvings))
    while halvings and place % 2:  # the second of two halves is followed by what follows both
        halvings, place = halvings - 1, place // 2
    if halvings:
        return whole / 2**halvings
    return float(grid[cell + 2] - grid[cell + 1]) if cell + 2 < len(grid) else whole


def _is_cut(motion: Record, length: float, whole: float) -> bool:
    """Whether a step is a part of one of length ``whole`` that was cut at an impact, and not one of its halves."""
    halvings = np.log2(whole / length)
    return motion.method.impacts == LOCATED and abs(halvings - round(halvings)) > SAME_LENGTH


def block_step(motion: Record, number: int) -> BlockStep:
    """One of the `whole_steps` of a motion."""
    edges, solver = np.asarray(motion.pieces.times), motion.contact_solver
    assert solver is not None and isinstance(solver.pressing, PressingContacts)
    begin, end = float(edges[number]), float(edges[number + 1])
    c, h = np.asarray(motion.pieces.coefficients[number]), end - begin
    start, middle, ended = c[:, 0], c @ [1.0, 0.5 * h, 0.25 * h * h], c @ [1.0, h, h * h]
    after = _next_length(motion, begin, end)
    rows, shapes = solver.pressing, len(block_shapes_of(motion.model).kinds)
    mine = np.arange(*np.searchsorted(rows.contact_solver, [number, number + 1]))
    bounded, which = np.zeros((len(motion.model.layout.unilaterals), 3)), rows.bodies[mine][:, 0]
    bounded[which[which >= shapes] - shapes] = rows.impulses[mine[which >= shapes]]
    mine = mine[which < shapes]
    return BlockStep(
        motion,
        number,
        begin,
        h,
        0.5 * (h + after),
        start,
        middle,
        ended,
        rows.bodies[mine],
        rows.places[mine],
        rows.impulses[mine],
        rows.moments[mine],
        bounded,
    )
