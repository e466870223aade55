"""`PairLoop`: free mass points with pair energies, as one small tape for each pair function. Plain data, like a tape."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.compile.tape import PIECEWISE, Tape
from vinculum.compile.targets import arrays
from vinculum.errors import FileError

PAIR_OUTPUTS = (("force", 3), ("size", 1), ("energy", 1), ("energy_size", 1), ("time_slope", 1))
REST_OUTPUTS = ("energy", "energy_size", "time_slope", "given_power")


@final
@dataclass(frozen=True, eq=False)
class PairGroup:
    """One pair energy over the points ``members`` (m,), in the order of its bodies.

    ``tape``: inputs a, b (positions), of_a, of_b (mass and further numbers), t, parameters; outputs `PAIR_OUTPUTS`, the force
    being that on a.
    """

    name: str
    members: np.ndarray
    tape: Tape

    @property
    def columns(self) -> int:
        """Numbers of each point: its position, its mass, and those that the energy gives to it."""
        return 3 + dict(self.tape.inputs)["of_a"]


@final
@dataclass(frozen=True, eq=False)
class PairLoop:
    """Points with pair energies.

    ``numbers``: a tape of the parameters alone that gives the masses (n,), gravity (3,) and for each group the numbers of its
    points (m, columns − 3). ``touched``: points on which other actions act, with the tape ``rest`` of their forces, the
    tape ``rest_balance`` of what these do, and the tape ``rest_bonds`` of each of them, over (x, v, t, parameters) of the
    touched points.
    """

    count: int
    groups: tuple[PairGroup, ...]
    numbers: Tape
    touched: np.ndarray
    rest: Tape
    rest_balance: Tape
    rest_bonds: Tape

    @property
    def pairs(self) -> int:
        """Pairs of all groups together."""
        return sum(len(g.members) * (len(g.members) - 1) // 2 for g in self.groups)

    @property
    def is_timed(self) -> bool:
        """Whether some force depends on the time."""
        return any(_reads(tape, "t") for tape in (self.rest, *(g.tape for g in self.groups)))

    @property
    def feels_velocity(self) -> bool:
        """Whether some force depends on velocities."""
        return _reads(self.rest, "v")

    @property
    def is_piecewise(self) -> bool:
        """Whether some force is not smooth."""
        return self.rest.is_piecewise() or any((_force_values(g.tape) & _switches(g.tape)) for g in self.groups)

    def known_numbers(self, values: np.ndarray) -> dict[str, np.ndarray]:
        """Masses, gravity and the numbers of every group at parameter values."""
        row = arrays.evaluate(self.numbers, values[None])[0]
        return {name: row[place] for name, place in self.numbers.slices(self.numbers.outputs).items()}

    def alone(self, g: int) -> "PairLoop":
        """The same points with one of the pair energies and nothing else."""
        places = self.numbers.slices(self.numbers.outputs)
        chosen = ("masses", "gravity", f"group {g}")
        results = np.concatenate([self.numbers.results[places[name]] for name in chosen])
        outputs = tuple(
            (name if name != chosen[2] else "group 0", places[name].stop - places[name].start) for name in chosen
        )
        return replace(self, groups=(self.groups[g],), numbers=replace(self.numbers, outputs=outputs, results=results))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        groups = [{"name": g.name, "members": g.members.tolist(), "tape": g.tape.to_dict()} for g in self.groups]
        return {"count": self.count, "groups": groups, "numbers": self.numbers.to_dict(), "touched": self.touched.tolist(),
                "rest": self.rest.to_dict(), "rest_balance": self.rest_balance.to_dict(),
                "rest_bonds": self.rest_bonds.to_dict()}  # fmt: skip

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PairLoop":
        """The pair loop of `to_dict`, checked."""
        groups = tuple(
            PairGroup(str(g["name"]), np.array(g["members"], dtype=np.int64), Tape.from_dict(g["tape"]))
            for g in data["groups"]
        )
        touched = np.array(data["touched"], dtype=np.int64)
        tapes = (Tape.from_dict(data[name]) for name in ("numbers", "rest", "rest_balance", "rest_bonds"))
        numbers, *others = tapes
        pair_loop = cls(int(data["count"]), groups, numbers, touched, *others)
        pair_loop._check()
        return pair_loop

    def _check(self) -> None:
        wanted = [("masses", self.count), ("gravity", 3)]
        wanted += [(f"group {i}", len(g.members) * (g.columns - 3)) for i, g in enumerate(self.groups)]
        places = np.concatenate([self.touched, *(g.members for g in self.groups)])
        size, own = 3 * len(self.touched), self.numbers.parameters
        given = (("parameters", len(own)),) if own else ()
        fitting = (
            self.numbers.outputs == tuple(wanted)
            and all(0 <= k < self.count for k in places)
            and all(len(set(one.tolist())) == len(one) for one in (self.touched, *(g.members for g in self.groups)))
            and self.numbers.inputs == given
            and all(
                g.tape.outputs == PAIR_OUTPUTS and g.tape.inputs == _pair_inputs(g.tape) + given for g in self.groups
            )
            and self.rest.outputs == (("force", size),)
            and self.rest_balance.outputs == (*((name, 1) for name in REST_OUTPUTS), ("size", size))
            and all(
                tape.inputs == (("x", size), ("v", size), ("t", 1), *given)
                for tape in (self.rest, self.rest_balance, self.rest_bonds)
            )
        )
        if not fitting:
            raise FileError("a stored pair loop is damaged: its tapes do not fit its points")


def _pair_inputs(tape: Tape) -> tuple[tuple[str, int], ...]:
    """The inputs of a pair, with as many numbers of each point as the tape has."""
    own = max(1, dict(tape.inputs).get("of_a", 1))
    return (("a", 3), ("b", 3), ("of_a", own), ("of_b", own), ("t", 1))


def _force_values(tape: Tape) -> set[int]:
    """Values that the force of a pair needs."""
    needs = {result: operands for _, result, operands in tape.rows()}
    found: set[int] = set()
    stack = tape.results[: PAIR_OUTPUTS[0][1]].tolist()
    while stack:
        value = stack.pop()
        if value not in found:
            found.add(value)
            stack.extend(needs.get(value, ()))
    return found


def _switches(tape: Tape) -> set[int]:
    return {result for name, result, _ in tape.rows() if name in PIECEWISE}


def _reads(tape: Tape, group: str) -> bool:
    place = tape.slices(tape.inputs)[group]
    used = set(tape.code[:, 1:].ravel().tolist()) | set(tape.results.tolist())
    return any(k in used for k in range(place.start, place.stop))
