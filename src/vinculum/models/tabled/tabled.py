"""`Tabled`: kinds of blocks and tables of bonds, in place of graphs. Plain data, like a tape."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.bonds.actions.own import is_deformation
from vinculum.compile.tape import Tape
from vinculum.equations.recursions.joint_inertias import has_thin_body
from vinculum.errors import FileError
from vinculum.models.tabled.blocks import kinds_of
from vinculum.models.tabled.bonds import BondTable, bond_tables
from vinculum.models.tabled.conditions import PARTS, ConditionTable, condition_tables
from vinculum.models.tabled.impulses import StruckBody, StruckJoint, struck_bodies, struck_joints
from vinculum.models.tabled.kinds import (
    DEFORMATION,
    OWN,
    Kind,
    hidden_parameter,
    inertias,
    is_hidden,
    kind_of,
    outputs_of_kinds,
    rooms,
)
from vinculum.models.tabled.near import Near
from vinculum.models.tabled.pair_loop.checks import check_tables
from vinculum.models.tabled.pair_loop.pair_loop import PairLoop
from vinculum.models.tabled.pair_loop.trace import is_looped, pair_energies, pair_loop_of, parameters_of_pairs
from vinculum.models.tabled.unilaterals import UnilateralTable, unilateral_tables
from vinculum.systems import Acting, ActingRows, Tree


@final
@dataclass(frozen=True, eq=False)
class Tabled:
    """``bodies`` of a system in number, ``nq`` coordinates and ``nv`` velocities, as ``kinds`` of blocks and tables of ``bonds``.

    ``parameters``: names and defaults of those that a user gives. ``conditions``: tables of constraints and closing joints, with ``gaps``
    rows in all; ``left_out``: numbers of those that follow from others wherever these hold. ``struck``: bodies with applied impulses;
    ``struck_joints``: impulses along joints. ``unilaterals``: tables of unilateral constraints. ``pair_loop``: pair actions between very
    many points, which are no rows of a table."""

    bodies: int
    nq: int
    nv: int
    kinds: tuple[Kind, ...]
    bonds: tuple[BondTable, ...]
    parameters: tuple[tuple[str, float], ...]
    conditions: tuple[ConditionTable, ...] = ()
    left_out: tuple[int, ...] = ()
    struck: tuple[StruckBody, ...] = ()
    pair_loop: PairLoop | None = None
    unilaterals: tuple[UnilateralTable, ...] = ()
    struck_joints: tuple[StruckJoint, ...] = ()

    @cached_property
    def gaps(self) -> int:
        """Rows of all conditions."""
        return sum(len(table) * table.count for table in self.conditions)

    @property
    def strained(self) -> np.ndarray:
        """Whether bonds act on the deformations of bodies (n,)."""
        found = np.zeros(self.bodies, dtype=bool)
        for kind in self.kinds:
            found[kind.bodies] = kind.takes_inner
        return found

    @property
    def tapes(self) -> list[Tape]:
        """Every tape that the rates of a state need."""
        rows = (table.rows for table in (*self.conditions, *self.unilaterals))
        return [*(kind.tapes["motion"] for kind in self.kinds), *(bond.forces for bond in self.bonds), *rows]

    @property
    def takes_efforts(self) -> bool:
        """Whether impulses along the velocities of blocks are asked for."""
        return bool(self.struck or self.struck_joints or self.unilaterals)

    @property
    def has_bonds(self) -> bool:
        """Whether actions act on bodies besides those that belong to blocks."""
        return bool(self.bonds) or self.pair_loop is not None

    @property
    def is_piecewise(self) -> bool:
        """Whether some force is not smooth."""
        return any(tape.is_piecewise() for tape in self.tapes) or (
            self.pair_loop is not None and self.pair_loop.is_piecewise
        )

    @property
    def is_timed(self) -> bool:
        """Whether some force or pose depends on the time."""
        return any(reads(tape, "t") for tape in self.tapes) or (self.pair_loop is not None and self.pair_loop.is_timed)

    @property
    def is_separable(self) -> bool:
        """Whether the rates of coordinates are the velocities, and accelerations depend on positions and time alone."""
        flat = all(kind.q.shape == kind.v.shape and np.array_equal(kind.q, kind.v) for kind in self.kinds)
        return (
            flat
            and not self.conditions
            and all(_is_free_of_velocities(kind.tapes["motion"]) for kind in self.kinds)
            and not any(_feels_velocity(bond.forces) for bond in self.bonds)
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        kinds = [
            {"bodies": k.bodies.tolist(), "q": k.q.tolist(), "v": k.v.tolist(), "numbers": k.numbers.tolist(),
             "tapes": {name: tape.to_dict() for name, tape in k.tapes.items()}}
            for k in self.kinds
        ]  # fmt: skip
        bonds = [
            {"names": list(b.names), "ends": b.ends.tolist(), "grounded": list(b.grounded), "numbers": b.numbers.tolist(),
             "forces": b.forces.to_dict(), "balance": b.balance.to_dict(), "members": list(b.members),
             "near": None if b.near is None else b.near.to_dict()}
            for b in self.bonds
        ]  # fmt: skip
        conditions = [
            {"names": list(c.names), "ends": c.ends.tolist(), "grounded": list(c.grounded), "numbers": c.numbers.tolist(),
             "first": c.first.tolist(), "count": c.count, "level": c.level, "rows": c.rows.to_dict(),
             "joint": None if c.joint is None else c.joint.to_dict()}
            for c in self.conditions
        ]  # fmt: skip
        return {"bodies": self.bodies, "nq": self.nq, "nv": self.nv, "kinds": kinds, "bonds": bonds,
                "parameters": [list(one) for one in self.parameters], "conditions": conditions,
                "left_out": list(self.left_out), "struck": [one.to_dict() for one in self.struck],
                "pair_loop": None if self.pair_loop is None else self.pair_loop.to_dict(),
                "unilaterals": [one.to_dict() for one in self.unilaterals],
                "struck_joints": [one.to_dict() for one in self.struck_joints]}  # fmt: skip

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Tabled":
        """The tables of `to_dict`, checked."""
        kinds = tuple(
            Kind(_indices(k["bodies"]), _indices(k["q"]), _indices(k["v"]), _rows(k["numbers"], len(k["bodies"])),
                 {name: Tape.from_dict(tape) for name, tape in k["tapes"].items()})
            for k in data["kinds"]
        )  # fmt: skip
        bonds = tuple(_bond_from(b) for b in data["bonds"])
        given = tuple((str(name), float(value)) for name, value in data["parameters"])
        conditions = tuple(_conditions_from(c) for c in data.get("conditions", ()))
        pairs = None if data.get("pair_loop") is None else PairLoop.from_dict(data["pair_loop"])
        made = cls(int(data["bodies"]), int(data["nq"]), int(data["nv"]), kinds, bonds, given, conditions,
                   tuple(map(int, data.get("left_out", ()))), tuple(map(StruckBody.from_dict, data.get("struck", ()))), pairs,
                   tuple(map(UnilateralTable.from_dict, data.get("unilaterals", ()))),
                   tuple(map(StruckJoint.from_dict, data.get("struck_joints", ()))))  # fmt: skip
        made._check()
        return made

    def _check(self) -> None:
        """Refuse rows and indices that leave the state or the bodies."""
        fitting = (
            all(
                outputs_of_kinds(bool(self.conditions), self.takes_efforts).keys() <= k.tapes.keys() for k in self.kinds
            )
            and _is_partition([k.bodies for k in self.kinds], self.bodies)
            and _is_partition([k.q for k in self.kinds], self.nq)
            and _is_partition([k.v for k in self.kinds], self.nv)
            and all(len({len(k.bodies), len(k.q), len(k.v), len(k.numbers)}) == 1 for k in self.kinds)
            and all(_fits_kind(k) for k in self.kinds)
            and all(b.ends.size == 0 or (b.ends.min() >= 0 and b.ends.max() < self.bodies) for b in self.bonds)
            and all(len(b.names) == len(b.ends) == len(b.numbers) for b in self.bonds if b.near is None)
            and all(b.near.fits(b.members, b.numbers, self.bodies) for b in self.bonds if b.near is not None)
            and all(_fits_bond(b, self.strained) for b in self.bonds)
            and all({*b.ends.ravel().tolist()} <= {*b.members} for b in self.bonds if b.members)
            and all(_fits_condition(c, self.bodies) for c in self.conditions)
            and _is_partition([c.first[:, None] + np.arange(c.count) for c in self.conditions], self.gaps)
            and all(0 <= k < self.gaps for k in self.left_out)
            and all(one.fits(self.bodies) for one in self.struck)
            and all(one.fits(self.nq, self.nv) for one in self.struck_joints)
            and all(one.fits(self.bodies, self.nq, self.nv) for one in self.unilaterals)
            and _is_partition([one.numbered for one in self.unilaterals], sum(map(len, self.unilaterals)))
            and (self.pair_loop is None or self.pair_loop.fits(self.bodies, self.parameters))
        )
        if not fitting:
            raise FileError("the tables of the stored model do not fit each other; the folder is damaged")


def _bond_from(data: Mapping[str, Any]) -> BondTable:
    return BondTable(
        tuple(map(str, data["names"])),
        _indices(data["ends"]) if data.get("near") is None else np.zeros((0, 2), dtype=np.int64),
        tuple(map(bool, data["grounded"])),
        _rows(data["numbers"], len(data["numbers"])),
        Tape.from_dict(data["forces"]),
        Tape.from_dict(data["balance"]),
        tuple(map(int, data["members"])),
        near=None if data.get("near") is None else Near.from_dict(data["near"]),
    )


def _conditions_from(data: Mapping[str, Any]) -> ConditionTable:
    return ConditionTable(
        tuple(map(str, data["names"])),
        _indices(data["ends"]),
        tuple(map(bool, data["grounded"])),
        _rows(data["numbers"], len(data["ends"])),
        _indices(data["first"])[:, 0],
        int(data["count"]),
        int(data["level"]),
        Tape.from_dict(data["rows"]),
        None if data["joint"] is None else Tape.from_dict(data["joint"]),
    )


def bonds_of(tree: Tree) -> list[Acting | ActingRows]:
    """The actions of a tree without those of deformations, which belong to blocks."""
    return [one for one in tree.acting if isinstance(one, ActingRows) or not is_deformation(one.action)]


def looped_actions(tree: Tree) -> list[Acting]:
    """The pair actions of a tree whose pairs are not rows of a table but evaluated by a loop."""
    return [one for one in tree.acting if isinstance(one, Acting) and is_looped(tree, one)]


def bonded_deforming(tree: Tree) -> frozenset[int]:
    """Links of bodies that deform on which actions or applied impulses act, besides the actions of their own deformations."""
    acted = {int(i) for one in bonds_of(tree) for i in np.ravel(one.links)} | {one.link for one in tree.impulses}
    return frozenset(i for i in acted if i >= 0 and tree.links[i].body.mechanics.kinematics.deforms)


def tabled_of(tree: Tree, more: Mapping[str, Any] | None = None) -> Tabled:
    """The tables of a tree whose blocks have no bonds but actions, constraints and closing joints; ``more``: what the kinds of blocks are
    asked for besides the usual."""
    conditioned = bool(tree.closures or tree.constraints)
    outputs = outputs_of_kinds(conditioned, bool(tree.impulses or tree.unilaterals)) | dict(more or {})
    if any(link.body.mechanics.deforms_unnoticed for link in tree.links):
        outputs["rooms"] = rooms
    if any(has_thin_body(link) for link in tree.links):
        outputs["inertias"] = inertias
    bonded = bonded_deforming(tree)
    kinds = tuple(kind_of(tree, one, outputs, conditioned, bonded) for one in kinds_of(tree, hidden_parameter))
    looped = looped_actions(tree)
    listed = [one for one in bonds_of(tree) if not is_looped(tree, one)]
    bonds, conditions = tuple(bond_tables(tree, listed)), tuple(condition_tables(tree))
    tapes = [*(tape for kind in kinds for tape in kind.tapes.values()), *(bond.balance for bond in bonds)]
    struck, unilaterals = tuple(struck_bodies(tree)), tuple(unilateral_tables(tree))
    tapes += [*(table.rows for table in (*conditions, *unilaterals)), *(one.wrench for one in struck)]
    joints = tuple(struck_joints(tree))
    tapes += [one.along for one in joints]
    check_tables(tree, tapes)
    found = {name: value for tape in tapes for name, value in tape.parameters if not is_hidden(name)}
    pairs = None
    if looped:
        energies = pair_energies(looped)
        found |= parameters_of_pairs(tree, looped, energies)
        pairs = pair_loop_of(tree, looped, energies, found)
        check_tables(tree, [pairs.numbers, *(group.tape for group in pairs.groups)])
    given = tuple(sorted(found.items()))
    state = len(tree.links), tree.nq, tree.nv
    return Tabled(*state, kinds, bonds, given, conditions, (), struck, pairs, unilaterals, joints)


def reads(tape: Tape, group: str) -> bool:
    """Whether a tape needs any of the inputs of a group."""
    place = tape.slices(tape.inputs).get(group, slice(0, 0))
    used = {*tape.code[:, 1:].ravel().tolist(), *tape.results.tolist()}
    return any(k in used for k in range(place.start, place.stop))


def _is_free_of_velocities(tape: Tape) -> bool:
    """Whether q̇ is v, and v̇ does not hold v."""
    place, nq = tape.slices(tape.inputs)["v"], dict(tape.outputs)["q_dot"]
    if tape.results[:nq].tolist() != list(range(place.start, place.stop)):
        return False
    needs = {result: operands for _, result, operands in tape.rows()}
    stack, seen = tape.results[nq:].tolist(), set()
    while stack:
        value = stack.pop()
        if value not in seen:
            seen.add(value)
            stack.extend(needs.get(value, ()))
    return not any(place.start <= value < place.stop for value in seen)


def _feels_velocity(tape: Tape) -> bool:
    used = {*tape.code[:, 1:].ravel().tolist(), *tape.results.tolist()}
    frames, places = dict(tape.inputs)["frames"], tape.slices(tape.inputs)
    shapes = places.get("deformations", slice(0, 0))
    strained = any(
        (k - shapes.start) % DEFORMATION >= DEFORMATION // 2 for k in used if shapes.start <= k < shapes.stop
    )
    return strained or any(k % 18 >= 12 for k in used if 0 <= k < frames)


def _indices(rows) -> np.ndarray:
    found = np.array(rows)
    if found.size and found.dtype.kind not in "iu":
        raise FileError("the tables of the stored model hold indices that are no whole numbers; the folder is damaged")
    return found.astype(np.int64).reshape(len(rows), -1)


def _rows(numbers, count: int) -> np.ndarray:
    return np.array(numbers, dtype=float).reshape(count, -1)


def _is_partition(parts: list[np.ndarray], count: int) -> bool:
    flat = np.concatenate([np.zeros(0, dtype=np.int64), *(part.ravel() for part in parts)])
    return len(flat) == count and np.array_equal(np.sort(flat), np.arange(count))


def _fits_kind(kind: Kind) -> bool:
    nq, nv, b = kind.q.shape[1], kind.v.shape[1], kind.bodies.shape[1]
    wanted = {"motion": nq + nv, "frames": 18 * b, "bodies": 7 * b, "reactions": 6 * b, "accelerations": 6 * b,
              "mobility": 36 * b * b, "response": nq + nv, "along": nv, "answer": nv, "screws": 6 * (nv + b), "mass": nv * nv,
              "twists": 6 * b * nv * (not kind.deforms)}  # fmt: skip
    if kind.tapes["deformations"].n_out not in (0, DEFORMATION) or (kind.deforms and b != 1):
        return False
    given = dict(kind.tapes["exchanges"].outputs)
    exchanged = {"joints": 14 * b, "drives": 7 * b, "weights": 7 * b, "motions": 11 * b}
    if {name: given.get(name) for name in exchanged} != exchanged or not all(given.get(name) in (0, 7) for name in OWN):
        return False
    return all(
        tape.inputs[:3] == (("q", nq), ("v", nv), ("t", 1)) and wanted.get(name, tape.n_out) == tape.n_out
        for name, tape in kind.tapes.items()
    )


def _fits_condition(table: ConditionTable, bodies: int) -> bool:
    e, k = table.ends.shape[1], table.count
    inputs = (("frames", 18 * e), ("numbers", table.numbers.shape[1]), ("t", 1))
    tapes = [table.rows] if table.joint is None else [table.rows, table.joint]
    return (
        all(tape.inputs[:3] == inputs for tape in tapes)
        and table.rows.n_out == PARTS * k + 6 * e * k
        and table.level in (0, 1)
        and len({len(table.names), len(table.ends), len(table.numbers), len(table.first)}) == 1
        and len(table.grounded) - sum(table.grounded) == e
        and bool(((table.ends >= 0) & (table.ends < bodies)).all())
    )


def _fits_bond(bond: BondTable, strained: np.ndarray) -> bool:
    inputs = (("frames", 18 * bond.ends.shape[1]), ("numbers", bond.numbers.shape[1]), ("t", 1))
    deforming = dict(bond.forces.inputs).get("deformations", 0)
    shapes = strained[bond.ends].sum(axis=1) * DEFORMATION if deforming else np.zeros(1)
    return (
        all(tape.inputs[:3] == inputs for tape in (bond.forces, bond.balance))
        and dict(bond.balance.inputs).get("deformations", 0) == deforming
        and bool((shapes == deforming).all())
        and bond.forces.n_out == 6 * bond.ends.shape[1] + deforming // 2
        and len(bond.grounded) - sum(bond.grounded) == bond.ends.shape[1]
    )
