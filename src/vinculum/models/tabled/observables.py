"""`TabledTape`: replaces the tapes of a model for tables; evaluated over all rows of all tables at once."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.models.tabled.board import Board, add_rows, apply, filled_board, write
from vinculum.models.tabled.bonds import BondTable
from vinculum.models.tabled.kinds import BY_BODY, FRAME, SUMMED
from vinculum.models.tabled.tabled import Tabled
from vinculum.tolerances.sizes import NUMBERS_OF_BOARDS

NAMES = ("motion", "rates", "bodies", "balance", "reactions", "bonds")


@final
@dataclass(frozen=True, eq=False)
class TabledTape:
    """Outputs by name over rows (q, v, t, parameters); ``bodies`` and ``joints`` are named in order."""

    name: str
    tabled: Tabled
    bodies: tuple[str, ...]
    joints: tuple[str, ...]

    def __reduce__(self):
        """Everything but boards, which are made anew."""
        return TabledTape, (self.name, self.tabled, self.bodies, self.joints)

    @cached_property
    def board(self) -> Board:
        """Where tables read and write."""
        return Board(self.tabled)

    @property
    def parameters(self) -> tuple[tuple[str, float], ...]:
        return self.tabled.parameters

    @property
    def inputs(self) -> tuple[tuple[str, int], ...]:
        """The groups of a row."""
        given = (("parameters", len(self.parameters)),) if self.parameters else ()
        return (("q", self.tabled.nq), ("v", self.tabled.nv), ("t", 1), *given)

    @property
    def n_in(self) -> int:
        return sum(size for _, size in self.inputs)

    @property
    def n_out(self) -> int:
        return sum(size for _, size in self.outputs)

    @property
    def outputs(self) -> tuple[tuple[str, int], ...]:
        """Names and sizes of what `groups` gives."""
        apart = max((bond.near.cutoff for bond in self.tabled.bonds if bond.near is not None), default=1.0)
        row = apart * np.arange(1.0, self.n_in + 1.0)[None]
        return tuple((name, x.shape[1]) for name, x in self.groups(row).items())

    @property
    def tables(self) -> tuple[()]:
        """Functions given by points are not among the forces of tables."""
        return ()

    def is_piecewise(self) -> bool:
        """Whether some force is not smooth."""
        return self.tabled.is_piecewise

    def groups(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs by name for rows X (B, n_in), (B, …) each; as many rows at once as fit into memory."""
        most = max(1, NUMBERS_OF_BOARDS // self.board.size)
        parts = [self._part(X[k : k + most]) for k in range(0, max(len(X), 1), most)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _part(self, X: np.ndarray) -> dict[str, np.ndarray]:
        board, Z = filled_board(self.tabled, np.asarray(X, dtype=float))
        if board.tabled is not self.tabled:
            return TabledTape(self.name, board.tabled, self.bodies, self.joints)._part(X)
        return {"motion": self._motion, "rates": self._rates, "bodies": self._bodies, "balance": self._balance,
                "reactions": self._reactions, "bonds": self._bonds}[self.name](Z)  # fmt: skip

    def _put_frames(self, Z: np.ndarray) -> None:
        for k in range(len(self.tabled.kinds)):
            write(self.board.frames_call(k), Z)

    def _put_wrenches(self, Z: np.ndarray) -> None:
        self._put_frames(Z)
        for call in self.board.force_calls():
            write(call, Z)

    def _motion(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        for call in (*self.board.framing_calls(), *self.board.moving_calls()):
            write(call, Z)
        begin, nq = self.board.rates, self.tabled.nq
        return {"q_dot": Z[:, begin : begin + nq], "v_dot": Z[:, begin + nq : begin + self.board.states]}

    def _rates(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        q_dot, defects, none = np.zeros((len(Z), self.tabled.nq)), [np.zeros((len(Z), 0))], np.zeros((len(Z), 0))
        for k, kind in enumerate(self.tabled.kinds):
            found = apply(self.board.kind_call(k, "rates"), Z)
            nq = kind.q.shape[1]
            q_dot[:, kind.q.T] = found[:, :nq]
            defects.append(found[:, nq:].transpose(0, 2, 1).reshape(len(Z), -1))
        return {"q_dot": q_dot, "defects": np.concatenate(defects, axis=1), "gaps": none, "gap_rates": none}

    def _bodies(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        self._put_frames(Z)
        n, B = self.tabled.bodies, len(Z)
        frames = Z[:, self.board.frames : self.board.wrenches].reshape(B, n, FRAME)
        own = self._by_body(Z, "bodies", 7)
        groups = {}
        for i, name in enumerate(self.bodies):
            each = {"position": frames[:, i, :3], "rotation": frames[:, i, 3:12], "velocity": frames[:, i, 12:15],
                    "angular_velocity": frames[:, i, 15:], "center": own[:, i, :3], "center_velocity": own[:, i, 3:6],
                    "mass": own[:, i, 6:]}  # fmt: skip
            groups |= {f"{name}/{what}": array for what, array in each.items()}
        for k, kind in enumerate(self.tabled.kinds):
            if kind.deforms:
                found = apply(self.board.kind_call(k, "deformations"), Z)
                for row, i in enumerate(kind.bodies[:, 0].tolist()):
                    groups[f"{self.bodies[i]}/deformation"] = found[:, :9, row]
                    groups[f"{self.bodies[i]}/deformation_rate"] = found[:, 9:, row]
        return groups

    def _reactions(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        self._put_wrenches(Z)
        found = self._by_body(Z, "reactions", 6)
        return {name: found[:, i] for i, name in enumerate(self.joints)}

    def _by_body(self, Z: np.ndarray, tape: str, size: int) -> np.ndarray:
        """Outputs (B, n, size) of a tape that gives as many numbers for each body of a block."""
        found = np.zeros((len(Z), self.tabled.bodies, size))
        for k, kind in enumerate(self.tabled.kinds):
            given = apply(self.board.kind_call(k, tape), Z).transpose(0, 2, 1)
            found[:, kind.bodies] = given.reshape(len(Z), len(kind), -1, size)
        return found

    def _balance(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        self._put_wrenches(Z)
        n, B = self.tabled.bodies, len(Z)
        totals = {name: np.zeros((B, 1)) for name in SUMMED}
        of_bodies = {name: np.zeros((B, n, size)) for name, size in BY_BODY}
        drives: list[tuple[int, np.ndarray, np.ndarray]] = []
        for k, kind in enumerate(self.tabled.kinds):
            tape, found = kind.tapes["balance"], apply(self.board.kind_call(k, "balance"), Z)
            for name, place in tape.slices(tape.outputs).items():
                own = found[:, place]
                if name in totals:
                    totals[name] += own.sum(axis=2)
                elif name in of_bodies:
                    of_bodies[name][:, kind.bodies] = own.transpose(0, 2, 1).reshape(
                        B, len(kind), kind.bodies.shape[1], -1
                    )
            place = tape.slices(tape.outputs)
            for row in range(len(kind)):
                for one in range(place["drive_power"].stop - place["drive_power"].start):
                    power, size = (
                        found[:, place[name].start + one, row] for name in ("drive_power", "drive_power_size")
                    )
                    drives.append((int(kind.bodies[row].min()), power, size))
        drives.sort(key=lambda one: one[0])
        self._add_bonds(Z, totals, of_bodies)
        none = np.zeros((B, 0))
        return {
            **totals,
            **{name: x.reshape(B, -1) for name, x in of_bodies.items()},
            "drive_power": np.stack([power for _, power, _ in drives], axis=1) if drives else none,
            "drive_power_size": np.stack([size for _, _, size in drives], axis=1) if drives else none,
            "multiplier_rates": none,
            "varied_size": np.zeros((B, 1)),
            "reaction_power": none,
            "reaction_size": none,
        }

    def _add_bonds(self, Z: np.ndarray, totals: dict[str, np.ndarray], of_bodies: dict[str, np.ndarray]) -> None:
        """What bonds do: blocks count their wrenches as given power, of which the power of energies is work."""
        for b, bond in enumerate(self.tabled.bonds):
            found = self._bond(Z, b, bond)
            energy, size, slope, work, work_size = (
                found[name].sum(axis=2) for name in ("energy", "energy_size", "time_slope", "work", "work_size")
            )
            totals["potential"] += energy
            totals["potential_size"] += size
            totals["power"] += slope - work
            totals["work"] += work - slope
            totals["work_size"] += work_size
            for end, sizes in zip(bond.ends.T, found["moment_sizes"].transpose(1, 0, 2), strict=True):
                add_rows(of_bodies["wrench_size"][..., 3], end, sizes)
            of_bodies["wrench_size"][..., 4:] = of_bodies["wrench_size"][..., 3:4]

    def _bond(self, Z: np.ndarray, b: int, bond: BondTable) -> dict[str, np.ndarray]:
        """Outputs (B, size, m) of the balance of a table."""
        found = apply(self.board.bond_call(b, bond.balance), Z)
        return {name: found[:, place] for name, place in bond.balance.slices(bond.balance.outputs).items()}

    def _bonds(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        """Energy (B, 1) and efforts (B, 6 ends) of every action."""
        self._put_frames(Z)
        groups: dict[str, np.ndarray] = {}
        for b, bond in enumerate(self.tabled.bonds):
            found = self._bond(Z, b, bond)
            if bond.members:
                self._add_pairs(groups, Z, bond, found)
                continue
            efforts = self._efforts(Z, bond, found)
            for row, name in enumerate(bond.names):
                own = efforts[:, :, :, row].reshape(len(Z), -1)
                groups |= {f"{name}/energy": found["energy"][:, :, row], f"{name}/efforts": own}
        return groups

    def _efforts(self, Z: np.ndarray, bond: BondTable, found: dict[str, np.ndarray]) -> np.ndarray:
        """Efforts (B, ends, 6, m) on all ends; that on the ground, at the world's origin, is opposite to all others."""
        moving = np.flatnonzero(~np.array(bond.grounded))
        efforts = np.zeros((len(Z), len(bond.grounded), 6, len(bond)))
        efforts[:, moving] = found["efforts"].reshape(len(Z), len(moving), 6, -1)
        for k, body in zip(moving, bond.ends.T, strict=True):
            x = Z[:, self.board.frames + FRAME * body + np.arange(3)[:, None]]
            for ground in np.flatnonzero(bond.grounded):
                efforts[:, ground, :3] -= efforts[:, k, :3]
                efforts[:, ground, 3:] -= efforts[:, k, 3:] + np.cross(x, efforts[:, k, :3], axis=1)
        return efforts

    def _add_pairs(
        self, groups: dict[str, np.ndarray], Z: np.ndarray, bond: BondTable, found: dict[str, np.ndarray]
    ) -> None:
        """Add the pairs of one table to the energy and efforts of their action."""
        name, n = bond.names[0], len(bond.members)
        energy = groups.setdefault(f"{name}/energy", np.zeros((len(Z), 1)))
        total = groups.setdefault(f"{name}/efforts", np.zeros((len(Z), 6 * n))).reshape(len(Z), n, 6)
        energy += found["energy"].sum(axis=2)
        place = {body: i for i, body in enumerate(bond.members)}
        efforts = self._efforts(Z, bond, found)
        ends = iter(bond.ends.T)
        for k, ground in enumerate(bond.grounded):
            where = np.full(len(bond), place[-1]) if ground else np.array([place[int(i)] for i in next(ends)])
            for c in range(6):
                add_rows(total[:, :, c], where, efforts[:, k, c])
