"""The action of a motion of blocks and bonds over tables."""

from functools import cached_property
from typing import final

import numpy as np

from vinculum.audits.action.loops import ActionOfLoop, Carried, LoopMechanics, tree_of_loop
from vinculum.audits.action.source import CURVE, NO_IMPULSES, ActionSource, CurveImpulses, CurveNodes, NodeRates
from vinculum.audits.tabled.block_action import ActionOfBlocks
from vinculum.audits.tabled.impulses import after_impulses, sides_of_impulses
from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.passes.trim import trim
from vinculum.compile.tape import Tape
from vinculum.errors import MethodError
from vinculum.models.tabled.blocks import kinds_of
from vinculum.models.tabled.board import Board, Call, all_frames, apply, filled_board, write
from vinculum.models.tabled.bonds import BondTable
from vinculum.models.tabled.kinds import FRAME, hidden_parameter
from vinculum.models.tabled.pair_sums import add_forces, pair_sums
from vinculum.models.tabled.tabled import Tabled
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows

OF_BONDS = ("efforts", "energy", "time_slope")


def action_of_tables(motion: Record) -> ActionSource:
    """The action of a motion of blocks and bonds."""
    return ActionOfLoop(motion, MechanicsOfTables(motion))


@final
class MechanicsOfTables(LoopMechanics):
    r"""Blocks have kinetic energies, potentials and forces of their own, by tapes of their kinds; bonds have energies and efforts on the
    frames of bodies.

    The derivative of a bond's energy along a carrier is minus the power of its efforts on the virtual twists of its ends, and the forces
    of a bond that no energy has are what is left of all its efforts.
    """

    def __init__(self, motion: Record, tabled: Tabled | None = None):
        tree = tree_of_loop(motion.model)
        self.motion, self.model, self.tabled = motion, motion.model, tabled or tabled_in(motion.model)
        self._check_bonds()
        values = dict(zip(self.model.parameter_names, motion.values.tolist(), strict=True))
        alike = kinds_of(tree, hidden_parameter)
        self.blocks = [
            ActionOfBlocks(tree, one, kind, values) for one, kind in zip(alike, self.tabled.kinds, strict=True)
        ]
        self.is_constrained = bool(self.tabled.conditions)
        groups = () if self.tabled.pair_loop is None else self.tabled.pair_loop.groups
        self.timed = any(one.timed for one in self.blocks) or any(map(_has_timed_energy, self.tabled.bonds))
        self.timed |= any(group.has_timed_energy for group in groups)
        self.numbers = Board(self.tabled).size

    def _check_bonds(self) -> None:
        """Refuse bonds on bodies that deform, whose work along a carrier is not that of a wrench."""
        for bond in self.tabled.bonds:
            if "deformations" in dict(bond.forces.inputs):
                raise MethodError(
                    f"bond '{bond.names[0]}' acts on a body that deforms: actions of systems that run over tables are not available with "
                    "it; use fewer bodies, which are written out"
                )

    def displacements(
        self, place: np.ndarray, tangent: np.ndarray, w: np.ndarray, w_rate: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        moved, turned = np.zeros((2, len(place), self.tabled.nq))
        for one in self.blocks:
            moved[:, one.q], turned[:, one.q] = one.displacements(place, tangent, w, w_rate)
        return moved, turned

    def values(self, place: np.ndarray, tangent: np.ndarray, carry: str) -> np.ndarray:
        total = sum(one.values(place, tangent, carry) for one in self.blocks)
        U = self._potential_of_bonds(place)
        return total - (tangent[:, 0] * U if carry == CURVE else U)

    def rates(self, curve: CurveNodes, along: Carried, carry: str) -> NodeRates:
        T, nv = len(curve.place), self.tabled.nv
        v, reactions = curve.curve[:, :nv], curve.curve[:, nv:]
        lost = along.w - along.time[:, None] * v if carry == CURVE else along.w
        given = reactions * lost
        lie, power, size = np.zeros(T), given.sum(axis=1), np.abs(given).sum(axis=1)
        exerted, moved = np.zeros((2, T, self.tabled.bodies, 6))
        for one in self.blocks:
            at = one.rates(curve, v, along, carry)
            lie, power, size = lie + at.lie, power + at.power, size + at.size
            exerted[:, one.bodies], moved[:, one.bodies] = one.twists(curve.place, v, lost, along)
        if self.tabled.has_bonds:
            at = self._rates_of_bonds(curve.place, v, along, exerted, moved, carry)
            lie, power, size = lie + at.lie, power + at.power, size + at.size
        return NodeRates(lie, power, size)

    def _rates_of_bonds(self, place, v: np.ndarray, along: Carried, exerted, moved, carry: str) -> NodeRates:
        """``exerted``, ``moved`` (T, n, 6): virtual twists of bodies on which forces do work, and with which positions change."""
        board, Z = self._boards(place, v)
        virtual, carried = _with_twists(board, Z, exerted), _with_twists(board, Z, moved)
        lie, power, size = np.zeros((3, len(place)))
        for b, bond in enumerate(board.tabled.bonds):
            efforts, U, slope = (_outputs(board, b, bond, Z, name) for name in OF_BONDS)
            work = _outputs(board, b, bond, carried, "work")[:, 0]
            ends = exerted[:, bond.ends].transpose(0, 2, 3, 1).reshape(efforts.shape)
            others = (efforts * ends).sum(axis=1) - _outputs(board, b, bond, virtual, "work")[:, 0]
            clock = -slope[:, 0] * along.time[:, None]
            if carry == CURVE:
                clock = clock - U[:, 0] * along.time_rate[:, None]
            lie += (work + clock).sum(axis=1)
            power += others.sum(axis=1)
            size += (np.abs(work) + np.abs(clock) + np.abs(others)).sum(axis=1)
        sums = pair_sums(board, Z)
        for group, force, whole in () if sums is None else sums.by_group():
            work = force * moved[:, group.members, :3]
            clock = -whole[:, 2] * along.time - (whole[:, 0] * along.time_rate if carry == CURVE else 0.0)
            lie += work.sum(axis=(1, 2)) + clock
            size += np.abs(work).sum(axis=(1, 2)) + np.abs(clock)
        return NodeRates(lie, power, size)

    def curve(self, time: np.ndarray, states: np.ndarray) -> CurveNodes:
        place, tangent = self.path(time, states)
        v = states[:, self.tabled.nq :]
        return CurveNodes(place, tangent, np.concatenate([v, self._reactions(time, states, place)], axis=1))

    def path(self, time: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places (t, q) and tangents (1, N v) at states, (T, 1 + nq) each."""
        nq, v = self.tabled.nq, states[:, self.tabled.nq :]
        place = np.concatenate([time[:, None], states[:, :nq]], axis=1)
        u = np.zeros((len(time), nq))
        still = np.concatenate([np.ones((len(time), 1)), u], axis=1)
        for one in self.blocks:
            u[:, one.q] = one.displacements(place, still, v, np.zeros_like(v))[0]
        return place, np.concatenate([still[:, :1], u], axis=1)

    def _reactions(self, time: np.ndarray, states: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Reactions (T, nv) of constraints and closing joints, by the accelerations that they allow."""
        found, v = np.zeros((len(time), self.tabled.nv)), states[:, self.tabled.nq :]
        if not self.is_constrained:
            return found
        a = evaluate_groups(self.model.tape("motion"), tape_rows(self.motion, time, states))["v_dot"]
        return self.forces_needed(place, v, a)

    def forces_needed(
        self, place: np.ndarray, v: np.ndarray, a: np.ndarray, wrenches: np.ndarray | float = 0.0
    ) -> np.ndarray:
        """What accelerations a (T, nv) need beside the forces of blocks and bonds, and wrenches (T, n, 6) on bodies, (T, nv)."""
        found, (board, Z) = np.zeros((len(place), self.tabled.nv)), self._boards(place, v)
        add_forces(board, Z)
        exerted = Z[:, board.wrenches : board.inner].reshape(len(Z), self.tabled.bodies, 6) + wrenches
        for one in self.blocks:
            found[:, one.v] = one.reactions(place, v, a, exerted)
        return found

    def momenta(self, place: np.ndarray, v: np.ndarray) -> np.ndarray:
        """M v (T, nv) of velocities (T, nv) at places."""
        found = np.zeros_like(v)
        for one in self.blocks:
            found[:, one.v] = one.momenta(place, v)
        return found

    def origins(self, place: np.ndarray) -> np.ndarray:
        """Origins (T, n, 3) of all bodies."""
        board, Z = self._boards(place, np.zeros((len(place), self.tabled.nv)))
        return Z[:, board.frames : board.wrenches].reshape(len(Z), -1, FRAME)[:, :, :3]

    @cached_property
    def block_of_velocities(self) -> np.ndarray:
        """The number of the block (nv,) that a velocity belongs to."""
        found, count = np.empty(self.tabled.nv, dtype=np.int64), 0
        for one in self.blocks:
            found[one.v] = count + np.arange(len(one.v))[:, None]
            count += len(one.v)
        return found

    def path_velocities(
        self, place: np.ndarray, tangent: np.ndarray, second: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """v and v̇ (T, nv) on a path with rates and second rates (T, 1 + nq) of time and coordinates."""
        v, a = np.zeros((2, len(place), self.tabled.nv))
        for one in self.blocks:
            v[:, one.v], a[:, one.v] = one.velocities(place, tangent, second)
        return v, a

    def canonical(self, place: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Momenta on virtual velocities (T, nv), and energies (T,)."""
        p, H = np.zeros((len(place), self.tabled.nv)), np.zeros(len(place))
        for one in self.blocks:
            p[:, one.v], own = one.canonical(place, tangent)
            H += own
        return p, H + self._potential_of_bonds(place)

    def _potential_of_bonds(self, place: np.ndarray) -> np.ndarray:
        U = np.zeros(len(place))
        if self.tabled.has_bonds:
            board, Z = self._boards(place, np.zeros((len(place), self.tabled.nv)))
            for b, bond in enumerate(board.tabled.bonds):
                U += _outputs(board, b, bond, Z, "energy")[:, 0].sum(axis=1)
            sums = pair_sums(board, Z)
            if sums is not None:
                U += sums.whole[:, :, 0].sum(axis=1)
        return U

    @cached_property
    def _impulses(self) -> CurveImpulses:
        sides, nq = sides_of_impulses(self.motion), self.tabled.nq
        if sides is None or not len(sides.times):
            return NO_IMPULSES
        place = np.concatenate([sides.times[:, None], sides.left[:, :nq]], axis=1)
        change = after_impulses(self.motion, sides.times, sides.left, sides.given) - sides.left[:, nq:]
        along = self.momenta(place, change)
        return CurveImpulses(sides.times, place, along, 0.5 * (sides.left[:, nq:] + sides.right[:, nq:]))

    def impulses(self) -> CurveImpulses:
        return self._impulses

    def inertias(self, time: np.ndarray, states: np.ndarray) -> np.ndarray:
        place, found = (
            np.concatenate([time[:, None], states[:, : self.tabled.nq]], axis=1),
            np.ones((len(time), self.tabled.nv)),
        )
        for one in self.blocks:
            found[:, one.v] = one.inertias(place)
        return found

    def _boards(self, place: np.ndarray, v: np.ndarray) -> tuple[Board, np.ndarray]:
        """Boards with the frames of all bodies at places, (T, size)."""
        values = np.broadcast_to(self.motion.values, (len(place), len(self.motion.values)))
        board, Z = filled_board(self.tabled, np.concatenate([place[:, 1:], v, place[:, :1], values], axis=1))
        for call in all_frames(board):
            write(call, Z)
        return board, Z


def _with_twists(board: Board, Z: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """The same boards with other twists (T, n, 6) of the bodies."""
    other = Z.copy()
    other[:, board.frames : board.wrenches].reshape(len(Z), -1, FRAME)[:, :, 12:] = twists
    return other


def _outputs(board: Board, b: int, bond: BondTable, Z: np.ndarray, name: str) -> np.ndarray:
    """One of the outputs (T, size, m) of the balance of a table of bonds."""
    tape = bond.balance
    own = tape.slices(tape.outputs)[name]
    only = trim(tape, np.arange(own.start, own.stop))
    gather = board.bond_call(b, tape).gather[only.inputs]
    return apply(Call(only.tape, gather, np.zeros((only.tape.n_out, gather.shape[1]), dtype=np.int64)), Z)


def _has_timed_energy(bond: BondTable) -> bool:
    """Whether the energy of bonds depends on time."""
    tape: Tape = bond.balance
    energy, t = tape.slices(tape.outputs)["energy"], tape.slices(tape.inputs)["t"]
    return t.start in trim(tape, np.arange(energy.start, energy.stop)).inputs
