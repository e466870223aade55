"""`TabledTape`: replaces the tapes of a model for tables; evaluated over all rows of all tables at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.compile.passes.trim import trim
from vinculum.models.tabled.board import (
    Board,
    Call,
    add_rows,
    all_frames,
    apply,
    condition_call,
    filled_board,
    force_calls,
    impulse_call,
    joint_impulse_call,
    motion_calls,
    reaction_calls,
    write,
)
from vinculum.models.tabled.bonds import BondTable
from vinculum.models.tabled.conditions import PARTS, ConditionTable
from vinculum.models.tabled.kinds import BY_BODY, CENTER_MOMENTUM, FRAME, SUMMED
from vinculum.models.tabled.pair_sums import PairSums, add_forces, pair_sums
from vinculum.models.tabled.reactions import RATES, VALUES, Reactions, add_reactions, reactions_of, shift_places
from vinculum.models.tabled.tabled import Tabled
from vinculum.models.tabled.unilateral_motions import motions_of_unilaterals
from vinculum.tolerances.sizes import NUMBERS_OF_BOARDS

NAMES = ("motion", "rates", "bodies", "balance", "reactions", "bonds", "impulses", "distances")


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

    def boards(
        self, X: np.ndarray, wrenches: np.ndarray | float | None = 0.0
    ) -> Iterator[tuple[slice, "TabledTape", np.ndarray]]:
        """Boards (B, size) for rows X, as many at once as fit into memory, with the wrenches of bonds and conditions under further
        ``wrenches`` (n, 6) on bodies, or with frames alone if these are None; their places among the rows, and the tape whose tables
        they are: pairs within cutoffs are rows of it."""
        most = max(1, NUMBERS_OF_BOARDS // self.board.size)
        for k in range(0, len(X), most):
            tape, Z = self._fill(X[k : k + most])
            if wrenches is None:
                tape._put_frames(Z)
            else:
                tape._put_wrenches(Z, wrenches)
            yield slice(k, k + len(Z)), tape, Z

    def _fill(self, X: np.ndarray) -> "tuple[TabledTape, np.ndarray]":
        """Boards for rows X, and the tape whose tables they are."""
        board, Z = filled_board(self.tabled, np.asarray(X, dtype=float))
        if board.tabled is self.tabled:
            return self, Z
        other = TabledTape(self.name, board.tabled, self.bodies, self.joints)
        if self.tabled.conditions:
            vars(other)["_reactions_of_board"] = shift_places(
                self._reactions_of_board, board.frames - self.board.frames
            )
        return other, Z

    def _part(self, X: np.ndarray) -> dict[str, np.ndarray]:
        tape, Z = self._fill(X)
        return tape._groups_of(Z)

    def _groups_of(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        return {"motion": self._motion, "rates": self._rates, "bodies": self._bodies, "balance": self._balance,
                "reactions": self._reactions, "bonds": self._bonds, "impulses": self._impulses,
                "distances": self._distances}[self.name](Z)  # fmt: skip

    def _put_frames(self, Z: np.ndarray) -> None:
        for call in all_frames(self.board):
            write(call, Z)

    def _put_wrenches(self, Z: np.ndarray, wrenches: np.ndarray | float = 0.0) -> PairSums | None:
        """Write the frames of bodies and the wrenches on them, those of conditions included. ``wrenches`` (n, 6): further ones.

        The result is what the pair loop gives, if there is one."""
        self._put_frames(Z)
        sums = add_forces(self.board, Z)
        Z[:, self.board.wrenches : self.board.rates] += np.ravel(wrenches)
        if self.tabled.conditions:
            for call in reaction_calls(self.board):
                write(call, Z)
            for row in Z:
                add_reactions(self._reactions_of_board, row)
        return sums

    @cached_property
    def _reactions_of_board(self) -> Reactions:
        return reactions_of(self.board)

    def _motion(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        self._put_wrenches(Z)
        for call in motion_calls(self.board):
            write(call, Z)
        begin, nq = self.board.rates, self.tabled.nq
        return {"q_dot": Z[:, begin : begin + nq], "v_dot": Z[:, begin + nq : begin + self.board.states]}

    def _rates(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        q_dot, defects = np.zeros((len(Z), self.tabled.nq)), [np.zeros((len(Z), 0))]
        for k, kind in enumerate(self.tabled.kinds):
            found = apply(self.board.kind_call(k, "rates"), Z)
            nq = kind.q.shape[1]
            q_dot[:, kind.q.T] = found[:, :nq]
            defects.append(found[:, nq:].transpose(0, 2, 1).reshape(len(Z), -1))
        found = self._condition_parts(Z) if self.tabled.conditions else np.zeros((PARTS, len(Z), 0))
        return {
            "q_dot": q_dot,
            "defects": np.concatenate(defects, axis=1),
            "gaps": found[VALUES],
            "gap_rates": found[RATES],
        }

    def _condition_parts(self, Z: np.ndarray) -> np.ndarray:
        """Values, rates, drifts and biases (4, B, m) of all gaps."""
        self._put_frames(Z)
        found = np.zeros((PARTS, len(Z), self.tabled.gaps))
        for c, table in enumerate(self.tabled.conditions):
            rows = apply(condition_call(self.board, c), Z)[:, : PARTS * table.count]
            gaps = table.first + np.arange(table.count)[:, None]
            found[:, :, gaps] = rows.reshape(len(Z), PARTS, table.count, len(table)).transpose(1, 0, 2, 3)
        return found

    def _bodies(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        self._put_frames(Z)
        n, B = self.tabled.bodies, len(Z)
        frames = Z[:, self.board.frames : self.board.wrenches].reshape(B, n, FRAME)
        own = self.by_body(Z, "bodies", 7)
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
        found = self.by_body(Z, "reactions", 6)
        groups = {name: found[:, i] for i, name in enumerate(self.joints)}
        for c, table in enumerate(self.tabled.conditions):
            if table.joint is None:
                continue
            wrench = self.condition_efforts(Z, c)[:, -1]
            point = apply(condition_call(self.board, c, table.joint), Z)[:, :3]
            x = Z[:, self.board.frames + FRAME * table.ends[:, -1] + np.arange(3)[:, None]]
            wrench[:, 3:] -= np.cross(point - x, wrench[:, :3], axis=1)
            groups |= {name: wrench[:, :, row] for row, name in enumerate(table.names)}
        return groups

    def _condition_outputs(self, Z: np.ndarray, c: int) -> dict[str, np.ndarray]:
        """What the rows of a table of conditions gave on boards with wrenches, (B, size, m), and the multipliers (B, count, m)."""
        table = self.tabled.conditions[c]
        begin, size = self.board.sections.conditions[c], table.rows.n_out
        own = Z[:, begin : begin + size * len(table)].reshape(len(Z), len(table), size).transpose(0, 2, 1)
        found = {name: own[:, place] for name, place in table.rows.slices(table.rows.outputs).items()}
        return found | {
            "multipliers": Z[:, self.board.sections.multipliers + table.first + np.arange(table.count)[:, None]]
        }

    def condition_efforts(self, Z: np.ndarray, c: int, multipliers: np.ndarray | None = None) -> np.ndarray:
        """Efforts (B, e, 6, m) of a table of conditions on its ends that move, for their reactions or for ``multipliers`` (B, count, m)."""
        found, table = self._condition_outputs(Z, c), self.tabled.conditions[c]
        G = found["jacobians"].reshape(len(Z), table.count, -1, 6, len(table))
        return np.einsum("bkm,bkeim->beim", found["multipliers"] if multipliers is None else multipliers, G)

    def by_body(self, Z: np.ndarray, tape: str, size: int) -> np.ndarray:
        """Outputs (B, n, size) of a tape that gives as many numbers for each body of a block."""
        found = np.zeros((len(Z), self.tabled.bodies, size))
        for k, kind in enumerate(self.tabled.kinds):
            given = apply(self.board.kind_call(k, tape), Z).transpose(0, 2, 1)
            found[:, kind.bodies] = given.reshape(len(Z), len(kind), -1, size)
        return found

    def _balance(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        sums = self._put_wrenches(Z)
        n, B = self.tabled.bodies, len(Z)
        totals = {name: np.zeros((B, 1)) for name in SUMMED} | {"speeds": np.zeros((B, 2))}
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
        if sums is not None:
            totals["power"] = self._power_beside_pairs(Z, sums)
        self._add_bonds(Z, totals, of_bodies)
        pairs = {} if sums is None else self._add_pair_loop(Z, sums, totals, of_bodies)
        none = np.zeros((B, 0))
        return {
            **self._add_conditions(Z, totals["power"], of_bodies),
            **totals,
            **pairs,
            **{name: x.reshape(B, -1) for name, x in of_bodies.items()},
            **self._center_momenta(Z, of_bodies["momentum"]),
            "drive_power": np.stack([power for _, power, _ in drives], axis=1) if drives else none,
            "drive_power_size": np.stack([size for _, _, size in drives], axis=1) if drives else none,
            "multiplier_rates": none,
            "varied_size": np.zeros((B, 1)),
        }

    def _center_momenta(self, Z: np.ndarray, momentum: np.ndarray) -> dict[str, np.ndarray]:
        """Mass times velocity of the mass center of every body, if that is not the momentum of all of them."""
        added = [
            k for k, kind in enumerate(self.tabled.kinds) if CENTER_MOMENTUM in dict(kind.tapes["balance"].outputs)
        ]
        if not added:
            return {}
        found = momentum[:, :, :3].copy()
        for k in added:
            kind = self.tabled.kinds[k]
            tape = kind.tapes["balance"]
            own = apply(self.board.kind_call(k, "balance"), Z)[:, tape.slices(tape.outputs)[CENTER_MOMENTUM]]
            found[:, kind.bodies] = own.transpose(0, 2, 1).reshape(len(Z), len(kind), -1, 3)
        return {CENTER_MOMENTUM: found.reshape(len(Z), -1)}

    def _add_conditions(
        self, Z: np.ndarray, power: np.ndarray, of_bodies: dict[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        """Powers of conditions, which blocks count as given: along the motion of their ends, and −λ d by their rows."""
        B, none = len(Z), np.zeros((len(Z), 0))
        exerted, by_rows, closing, closing_size = np.zeros((B, 1)), np.zeros((B, 1)), [none], [none]
        for c, table in enumerate(self.tabled.conditions):
            found, efforts = self._condition_outputs(Z, c), self.condition_efforts(Z, c)
            V = Z[:, self.board.frames + FRAME * table.ends.T[:, None] + np.arange(12, 18)[None, :, None]]
            each = (efforts * V).sum(axis=(1, 2))
            exerted += each.sum(axis=1, keepdims=True)
            by_rows -= (found["multipliers"] * found["drifts"]).sum(axis=(1, 2))[:, None]
            sizes = np.abs(
                found["multipliers"][:, :, None, None] * found["jacobians"].reshape(B, table.count, -1, 6, len(table))
            )
            for e, end in enumerate(table.ends.T):
                add_rows(of_bodies["wrench_size"][..., 3], end, sizes[:, :, e, 3:].sum(axis=(1, 2)))
            if table.joint is not None:
                closing.append(each)
                closing_size.append((np.abs(efforts) * np.abs(V)).sum(axis=(1, 2)))
        of_bodies["wrench_size"][..., 4:] = of_bodies["wrench_size"][..., 3:4]
        return {
            "power_of_others": power - exerted,
            "power_by_rows": by_rows,
            "inertia_condition": np.ones((B, 1)),
            "reaction_power": np.concatenate(closing, axis=1),
            "reaction_size": np.concatenate(closing_size, axis=1),
            **dict.fromkeys(("constraint_energy", "constraint_energy_size", "constraint_rate", "constraint_rate_size",
                             "constraint_time_slope", "acceleration_rows", "acceleration_sizes"), none),
        }  # fmt: skip

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

    def _power_beside_pairs(self, Z: np.ndarray, sums: PairSums) -> np.ndarray:
        """Power (B, 1) that blocks count as given without that of pairs, which may be larger than all others."""
        beside, given = Z.copy(), slice(self.board.wrenches, self.board.rates)
        beside[:, given] = 0.0
        for call in force_calls(self.board):
            write(call, beside)
        together = beside.copy()
        sums.add_to(self.board, together)
        beside[:, given] += Z[:, given] - together[:, given]  # reactions of conditions
        total = np.zeros((len(Z), 1))
        for k, kind in enumerate(self.tabled.kinds):
            tape, call = kind.tapes["balance"], self.board.kind_call(k, "balance")
            only = trim(tape, np.array([tape.slices(tape.outputs)["power"].start]))
            total += apply(Call(only.tape, call.gather[only.inputs], call.scatter[:1]), beside).sum(axis=2)
        return total

    def _add_pair_loop(
        self, Z: np.ndarray, sums: PairSums, totals: dict[str, np.ndarray], of_bodies: dict[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        """Add what the pair loop does, as bonds do; the forces of all pairs (B, 3 n) and the sums of their sizes (B, n)."""
        force, size = sums.by_body(self.tabled.bodies)
        energy, energy_size, slope = (sums.whole[..., k].sum(axis=1, keepdims=True) for k in range(3))
        v = Z[:, self.board.frames : self.board.wrenches].reshape(len(Z), -1, FRAME)[:, :, 12:15]
        work = (force * v).sum(axis=(1, 2))[:, None]
        totals["potential"] += energy
        totals["potential_size"] += energy_size
        totals["power"] += slope
        totals["work"] += work - slope
        totals["work_size"] += (size * np.abs(v).sum(axis=2)).sum(axis=1, keepdims=True) + np.abs(slope)
        of_bodies["wrench_size"][..., :3] += np.maximum(size[..., None] - np.abs(force), 0.0)
        return {"pair_force": force.reshape(len(Z), -1), "pair_size": size}

    def _bond(self, Z: np.ndarray, b: int, bond: BondTable) -> dict[str, np.ndarray]:
        """Outputs (B, size, m) of the balance of a table."""
        found = apply(self.board.bond_call(b, bond.balance), Z)
        return {name: found[:, place] for name, place in bond.balance.slices(bond.balance.outputs).items()}

    def _bonds(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        """Energy (B, 1) and efforts (B, 6 ends) of every action."""
        self._put_frames(Z)
        groups: dict[str, np.ndarray] = {}
        sums = pair_sums(self.board, Z)
        for group, force, whole in () if sums is None else sums.by_group():
            efforts = np.concatenate([force, np.zeros_like(force)], axis=2).reshape(len(Z), -1)
            groups |= {f"{group.name}/energy": whole[:, :1], f"{group.name}/efforts": efforts}
        for b, bond in enumerate(self.tabled.bonds):
            found = self._bond(Z, b, bond)
            if bond.members:
                self._add_pairs(groups, Z, bond, found)
                continue
            efforts = self._efforts(Z, bond, found)
            for row, name in enumerate(bond.names):
                own = efforts[:, :, :, row].reshape(len(Z), -1)
                groups |= {f"{name}/energy": found["energy"][:, :, row], f"{name}/efforts": own}
        return groups | (self._condition_groups(Z) if self.tabled.conditions else {})

    def _condition_groups(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        """Multipliers, efforts on all ends, their power and its size, and the power by the rows, of every condition."""
        self._put_wrenches(Z)
        groups: dict[str, np.ndarray] = {}
        for c, table in enumerate(self.tabled.conditions):
            found, moving = self._condition_outputs(Z, c), self.condition_efforts(Z, c)
            V = Z[:, self.board.frames + FRAME * table.ends.T[:, None] + np.arange(12, 18)[None, :, None]]
            efforts = self._with_ground(Z, table, moving)
            power, size = (moving * V).sum(axis=(1, 2)), (np.abs(moving) * np.abs(V)).sum(axis=(1, 2))
            by_rows = -(found["multipliers"] * found["drifts"]).sum(axis=1)
            for row, name in enumerate(table.names):
                groups[f"{name}/efforts"] = efforts[..., row].reshape(len(Z), -1)
                groups[f"{name}/multipliers"] = found["multipliers"][..., row]
                for what, x in (("work", power), ("work size", size), ("by rows", by_rows)):
                    groups[f"{name}/{what}"] = x[:, row : row + 1]
        return groups

    def _efforts(self, Z: np.ndarray, bond: BondTable, found: dict[str, np.ndarray]) -> np.ndarray:
        """Efforts (B, ends, 6, m) on all ends."""
        return self._with_ground(Z, bond, found["efforts"].reshape(len(Z), -1, 6, len(bond)))

    def _impulses(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        """Every applied impulse along all velocities (B, nv), and its wrench (B, 6) or what it is along its joint."""
        self._put_frames(Z)
        groups: dict[str, np.ndarray] = {}
        for one in self.tabled.struck:
            wrench, inner = np.split(apply(impulse_call(self.board, one), Z)[:, :, 0], [6], axis=1)
            Z[:, self.board.wrenches : self.board.rates] = 0.0
            Z[:, self.board.wrenches + 6 * one.body + np.arange(6)] = wrench
            if inner.size:
                Z[:, self.board.inner + 9 * self.board.strained[one.body] + np.arange(9)] = inner
            along = np.zeros((len(Z), self.tabled.nv))
            for k, kind in enumerate(self.tabled.kinds):
                along[:, kind.v.T] = apply(self.board.kind_call(k, "along"), Z)
            groups |= {f"{one.name}/along": along, f"{one.name}/wrench": wrench}
        for one in self.tabled.struck_joints:
            own, along = apply(joint_impulse_call(self.board, one), Z)[:, :, 0], np.zeros((len(Z), self.tabled.nv))
            along[:, one.v] = own
            groups |= {f"{one.name}/along": along, f"{one.name}/wrench": own}
        return groups

    def _distances(self, Z: np.ndarray) -> dict[str, np.ndarray]:
        """Gaps (B, u) of unilateral constraints, and three velocities of each (B, 3 u)."""
        self._put_frames(Z)
        gaps, speeds = motions_of_unilaterals(self.board, Z)
        return {"gaps": gaps, "speeds": speeds.reshape(len(Z), -1)}

    def _with_ground(self, Z: np.ndarray, table: BondTable | ConditionTable, given: np.ndarray) -> np.ndarray:
        """Efforts (B, ends, 6, m) on all ends from those on ends that move; that on the ground, at the world's origin, is opposite to all
        others."""
        moving = np.flatnonzero(~np.array(table.grounded))
        efforts = np.zeros((len(Z), len(table.grounded), 6, len(table)))
        efforts[:, moving] = given
        for k, body in zip(moving, table.ends.T, strict=True):
            x = Z[:, self.board.frames + FRAME * body + np.arange(3)[:, None]]
            for ground in np.flatnonzero(table.grounded):
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
