"""Exchanges of bodies of blocks and bonds over tables: those of the rows that touch the bodies that are asked for."""

from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from vinculum.audits.exchanges.by_type import Sampled
from vinculum.equations.observables.exchanges import DRIVE, GRAVITY, WIDTH
from vinculum.models.acting import transmitters
from vinculum.models.tabled.board import Call, apply
from vinculum.models.tabled.bonds import BondTable
from vinculum.models.tabled.conditions import ConditionTable
from vinculum.models.tabled.kinds import FRAME, OWN
from vinculum.models.tabled.observables import TabledTape
from vinculum.models.tabled.pair_sums import pair_sums
from vinculum.motion.record import Record
from vinculum.motion.states import tape_rows

MOTION = WIDTH + 4
"""Numbers of a body's motion: momentum screw, kinetic energy, mass and mass center."""


def motions_of_blocks(record: Record, bodies: tuple[int, ...], time: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Motions (T, b, 11) of bodies at states (T, n); nothing of what acts on them is computed."""
    found = np.zeros((len(time), len(bodies), MOTION))
    for some, tape, Z in record.model.tape("bonds").boards(tape_rows(record, time, states), None):
        found[some] = Sampler(record, tape, Z, bodies).motions()
    return found


class Part(NamedTuple):
    """One part on boards: ``on`` the chosen bodies (B, 7), ``sizes`` (B, 7), ``back`` (B, 6), and whether it is ``inside`` them."""

    on: np.ndarray
    sizes: np.ndarray
    back: np.ndarray
    inside: bool

    def plus(self, other: "Part") -> "Part":
        """Both together."""
        return Part(self.on + other.on, self.sizes + other.sizes, self.back + other.back, self.inside and other.inside)


def sample_blocks(
    record: Record, bodies: tuple[int, ...], time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None
) -> Sampled:
    """What bodies exchange at states (T, n)."""
    return sample_rows(record, bodies, tape_rows(record, time, states, stretch))


def sample_rows(record: Record, bodies: tuple[int, ...], rows: np.ndarray) -> Sampled:
    """What bodies exchange at rows (T, ·) of the tapes of a model."""
    tape = record.model.tape("bonds")
    names: dict[str, bool] = {}
    found: list[tuple[slice, dict[str, Part]]] = []
    motions = np.zeros((len(rows), len(bodies), MOTION))
    for some, own, Z in tape.boards(rows):
        sampler = Sampler(record, own, Z, bodies)
        found.append((some, sampler.parts()))
        motions[some] = sampler.motions()
        names |= {name: part.inside for name, part in found[-1][1].items() if name not in names}
    place = {name: k for k, name in enumerate(names)}
    on, sizes = np.zeros((2, len(rows), len(names), WIDTH))
    back = np.zeros((len(rows), len(names), 6))
    for some, parts in found:
        for name, part in parts.items():
            k = place[name]
            on[some, k], sizes[some, k], back[some, k] = part.on, part.sizes, part.back
    return Sampled(tuple(names), tuple(names.values()), on, sizes, back, motions)


@final
class Sampler:
    """The exchanges of some bodies on boards Z (B, size) with all wrenches."""

    def __init__(self, record: Record, tape: TabledTape, Z: np.ndarray, bodies: tuple[int, ...]):
        self.layout, self.tape, self.Z, self.bodies = record.model.layout, tape, Z, np.array(bodies)
        self.chosen = np.zeros(tape.tabled.bodies + 1, dtype=bool)
        self.chosen[self.bodies] = True  # the last one is the ground, −1
        self.frames = Z[:, tape.board.frames : tape.board.wrenches].reshape(len(Z), -1, FRAME)
        self._found: dict[str, Part] = {}

    def motions(self) -> np.ndarray:
        """Motions (B, b, 11) of the bodies."""
        return self._of_bodies("motions", MOTION)[:, self.bodies]

    def mean_fields(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Origins (n, 3) of all bodies, their velocities (n, 3), and the gradients ∂v/∂x (n, 3, 3), as means over the boards: φ̇φ⁻¹ where a
        solid body deforms, and ω× elsewhere. Bodies of lower dimension have no shapes in contact."""
        gradients = np.cross(np.eye(3), self.frames[:, :, None, 15:])
        for k, kind in enumerate(self.tape.tabled.kinds):
            if kind.deforms:
                found = apply(self.tape.board.kind_call(k, "deformations"), self.Z).transpose(0, 2, 1)
                phi, rate = found.reshape(len(self.Z), -1, 2, 3, 3).transpose(2, 0, 1, 3, 4)
                if np.all(np.linalg.det(phi)):
                    gradients[:, kind.bodies[:, 0]] = rate @ np.linalg.inv(phi)
        return self.frames[..., :3].mean(axis=0), self.frames[..., 12:15].mean(axis=0), gradients.mean(axis=0)

    def parts(self) -> dict[str, Part]:
        """Every part that touches the bodies, by name."""
        self._found = {}
        self._add_joints()
        self._add_conditions(closing=True)
        self._add_bonds()
        self._add_own_energies()
        self._add_conditions(closing=False)
        self._add_drives()
        weights = self._of_bodies("weights", WIDTH)[:, self.bodies]
        on = weights.sum(axis=1)
        self._add(GRAVITY, Part(on, np.abs(weights).sum(axis=1), -on[:, :6], False))
        return self._found

    def _add(self, name: str, part: Part) -> None:
        self._found[name] = self._found[name].plus(part) if name in self._found else part

    def _add_ends(self, name: str, exchanged: np.ndarray, ends: np.ndarray, external: bool = False) -> None:
        """Add exchanges (B, e, 7) with bodies (e,), the ground as −1."""
        own = self.chosen[ends]
        if not own.any():
            return
        on = exchanged[:, own].sum(axis=1)
        back = -on[:, :6] if external else exchanged[:, ~own, :6].sum(axis=1)
        self._add(name, Part(on, np.abs(exchanged[:, own]).sum(axis=1), back, bool(own.all()) and not external))

    def _of_bodies(self, what: str, size: int) -> np.ndarray:
        """One of the groups of the tape `exchanges` of all blocks, (B, n, size)."""
        found = np.zeros((len(self.Z), self.tape.tabled.bodies, size))
        for kind, given in zip(self.tape.tabled.kinds, self._given, strict=True):
            own = given[what].transpose(0, 2, 1)
            found[:, kind.bodies] = own.reshape(len(self.Z), len(kind), -1, size)
        return found

    @cached_property
    def _given(self) -> list[dict[str, np.ndarray]]:
        """What the tape `exchanges` of every kind gives, (B, ·, m) for each group."""
        found = []
        for k, kind in enumerate(self.tape.tabled.kinds):
            tape, own = kind.tapes["exchanges"], apply(self.tape.board.kind_call(k, "exchanges"), self.Z)
            found.append({name: own[:, place] for name, place in tape.slices(tape.outputs).items()})
        return found

    def _add_joints(self) -> None:
        """Joints between bodies, those to the ground, and planes that hold bodies; other free bodies have none."""
        place, found = self.layout.bodies, self._of_bodies("joints", 2 * WIDTH)
        for name, joint in transmitters(self.layout).items():
            ends = [place[joint.child].index, place[joint.parent].index if joint.parent in place else -1]
            self._add_ends(name, found[:, ends[0]].reshape(len(self.Z), 2, WIDTH), np.array(ends))

    def _add_drives(self) -> None:
        found = self._of_bodies("drives", WIDTH)
        for name in self.layout.prescribed:
            i = self.layout.bodies[name].index
            self._add_ends(DRIVE.format(name), found[:, i : i + 1], np.array([i]), external=True)

    def _add_own_energies(self) -> None:
        """Energies and dissipations of deformations."""
        names = list(self.layout.bodies)
        for kind, given in zip(self.tape.tabled.kinds, self._given, strict=True):
            for what, name in OWN.items():
                for row in range(len(kind) if given[what].shape[1] else 0):
                    i = kind.bodies[row, 0]
                    self._add_ends(name.format(names[i]), given[what][:, None, :, row], np.array([i]))

    def _add_bonds(self) -> None:
        self._add_pair_loop()
        for b, bond in enumerate(self.tape.tabled.bonds):
            rows = np.flatnonzero(self._touches_bodies(bond))
            if not len(rows) and not bond.members:
                continue
            whole = self.tape.board.bond_call(b, bond.forces)
            call = Call(whole.tape, whole.gather[:, rows], whole.scatter[:, rows], adds=True)
            efforts = apply(call, self.Z).reshape(len(self.Z), bond.ends.shape[1], 6, len(rows))
            external = self.layout.actions[bond.names[0]].external
            exchanged, ends = self._at_origin(bond, rows, efforts)
            if bond.members:
                if self.chosen[list(bond.members)].any():
                    self._add_pairs(bond, exchanged, ends, external)
                continue
            for k, row in enumerate(rows):
                self._add_ends(bond.names[row], exchanged[..., k], ends[:, k], external)

    def _add_pair_loop(self) -> None:
        """Forces of all pairs on every point; those between the chosen ones cancel in their sum."""
        sums = pair_sums(self.tape.board, self.Z)
        for group, force, _ in () if sums is None else sums.by_group():
            x, v = self.frames[:, group.members, :3], self.frames[:, group.members, 12:15]
            exchanged = np.concatenate([force, np.cross(x, force), (force * v).sum(axis=2, keepdims=True)], axis=2)
            self._add_ends(group.name, exchanged, group.members, self.layout.actions[group.name].external)

    def _add_pairs(self, bond: BondTable, exchanged: np.ndarray, ends: np.ndarray, external: bool) -> None:
        """Add the pairs (B, e, 7, r) of one table of an action; those among other bodies alone are left out."""
        own = self.chosen[ends]
        mine, others = (np.where(which, 1.0, 0.0) for which in (own, ~own))
        on = np.einsum("bewr,er->bw", exchanged, mine)
        sizes = np.einsum("bewr,er->bw", np.abs(exchanged), mine)
        back = -on[:, :6] if external else np.einsum("bewr,er->bw", exchanged[:, :, :6], others)
        inside = bool(self.chosen[list(bond.members)].all()) and not external
        self._add(bond.names[0], Part(on, sizes, back, inside))

    def _add_conditions(self, closing: bool) -> None:
        """Closing joints, or constraints."""
        for c, table in enumerate(self.tape.tabled.conditions):
            if (table.joint is not None) is not closing:
                continue
            rows = np.flatnonzero(self._touches_bodies(table))
            if not len(rows):
                continue
            efforts = self.tape.condition_efforts(self.Z, c)[..., rows]
            exchanged, ends = self._at_origin(table, rows, efforts)
            for k, row in enumerate(rows):
                name = table.names[row]
                external = not closing and self.layout.constraints[name].external
                self._add_ends(name, exchanged[..., k], ends[:, k], external)

    def _touches_bodies(self, table: BondTable | ConditionTable) -> np.ndarray:
        """Which rows act on the bodies."""
        return np.asarray(self.chosen[table.ends].any(axis=1))

    def _at_origin(
        self, table: BondTable | ConditionTable, rows: np.ndarray, efforts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Exchanges (B, e, 7, r) of rows at the world's origin with all their ends (e, r), from efforts (B, e, 6, r) on those that move."""
        return exchanges_at_origin(table.grounded, table.ends[rows].T, efforts, self.frames)


def exchanges_at_origin(
    grounded: tuple[bool, ...], moving: np.ndarray, efforts: np.ndarray, frames: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Exchanges (B, e, 7, r) at the world's origin with all ends (e, r) of rows, the ground as −1, from efforts (B, m, 6, r) on those that
    move (m, r), and frames (B, n, 18). The effort on the ground is opposite to all others."""
    ends = np.full((len(grounded), moving.shape[1]), -1)
    ends[~np.array(grounded)] = moving
    found = np.zeros((len(efforts), len(grounded), WIDTH, moving.shape[1]))
    for k, body, effort in zip(np.flatnonzero(~np.array(grounded)), moving, efforts.transpose(1, 0, 2, 3), strict=True):
        at = frames[:, body].transpose(0, 2, 1)
        force, moment = effort[:, :3], effort[:, 3:]
        found[:, k, :3] = force
        found[:, k, 3:6] = moment + np.cross(at[:, :3], force, axis=1)
        found[:, k, 6] = (force * at[:, 12:15] + moment * at[:, 15:]).sum(axis=1)
    found[:, np.array(grounded), :6] -= found[:, :, :6].sum(axis=1, keepdims=True)
    return found, ends
