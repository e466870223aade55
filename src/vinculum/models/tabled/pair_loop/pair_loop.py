"""`PairLoop`: pair energies between all pairs of groups of points, as one small tape for each. Plain data, like a tape."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.compile.tape import PIECEWISE, Tape
from vinculum.compile.targets import arrays

PAIR_OUTPUTS = (("force", 3), ("size", 1), ("energy", 1), ("energy_size", 1), ("time_slope", 1))


@final
@dataclass(frozen=True, eq=False)
class PairGroup:
    """One pair energy over the points ``members`` (m,), bodies in the order of the action.

    ``tape``: inputs a, b (positions), of_a, of_b (mass and further numbers), t, parameters; outputs `PAIR_OUTPUTS`, the force
    being that on a.
    """

    name: str
    members: np.ndarray
    tape: Tape

    def __len__(self) -> int:
        return len(self.members)

    @property
    def columns(self) -> int:
        """Numbers of each point: its position, its mass, and those that the energy gives to it."""
        return 3 + dict(self.tape.inputs)["of_a"]

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return len(self) * (len(self) - 1) // 2

    @property
    def has_timed_energy(self) -> bool:
        """Whether the energy depends on time."""
        place = self.tape.slices(self.tape.inputs)["t"].start
        return place in _values_for(self.tape, self.tape.slices(self.tape.outputs)["energy"])


@final
@dataclass(frozen=True, eq=False)
class PairLoop:
    """Groups of points with all their pairs.

    ``numbers``: a tape of the parameters alone that gives for each group the numbers of its points (m, columns − 3).
    """

    groups: tuple[PairGroup, ...]
    numbers: Tape

    @property
    def pairs(self) -> int:
        """Pairs of all groups together."""
        return sum(g.pairs for g in self.groups)

    @property
    def members(self) -> np.ndarray:
        """The points of all groups, one group after the other (k,)."""
        return np.concatenate([g.members for g in self.groups])

    @property
    def starts(self) -> np.ndarray:
        """Where the points of each group begin among those of all groups, and where the last ones end."""
        return np.cumsum([0, *(len(g) for g in self.groups)])

    @property
    def is_timed(self) -> bool:
        """Whether some force depends on the time."""
        return any(_reads(g.tape, "t") for g in self.groups)

    @property
    def is_piecewise(self) -> bool:
        """Whether some force is not smooth."""
        return any(_values_for(g.tape, slice(0, PAIR_OUTPUTS[0][1])) & _switches(g.tape) for g in self.groups)

    def known_numbers(self, values: np.ndarray) -> list[np.ndarray]:
        """The numbers (m, columns − 3) of the points of every group at parameter values."""
        row, places = arrays.evaluate(self.numbers, values[None])[0], self.numbers.slices(self.numbers.outputs)
        return [row[places[f"group {i}"]].reshape(len(g), -1) for i, g in enumerate(self.groups)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        groups = [{"name": g.name, "members": g.members.tolist(), "tape": g.tape.to_dict()} for g in self.groups]
        return {"groups": groups, "numbers": self.numbers.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PairLoop":
        """The pair loop of `to_dict`."""
        groups = tuple(
            PairGroup(str(g["name"]), np.array(g["members"], dtype=np.int64), Tape.from_dict(g["tape"]))
            for g in data["groups"]
        )
        return cls(groups, Tape.from_dict(data["numbers"]))

    def fits(self, bodies: int, parameters: tuple[tuple[str, float], ...]) -> bool:
        """Whether the points are among so many bodies, and all parts of a stored loop belong together."""
        wanted = tuple((f"group {i}", len(g) * (g.columns - 3)) for i, g in enumerate(self.groups))
        given = (("parameters", len(parameters)),) if parameters else ()
        names = [name for name, _ in parameters]
        tapes = [self.numbers, *(g.tape for g in self.groups)]
        return (
            bool(self.groups)
            and self.numbers.outputs == wanted
            and self.numbers.inputs == given
            and all([name for name, _ in tape.parameters] == names for tape in tapes)
            and all(g.tape.outputs == PAIR_OUTPUTS for g in self.groups)
            and all(g.tape.inputs == _pair_inputs(g.tape) + given for g in self.groups)
            and all(len(g) > 1 and len(set(g.members.tolist())) == len(g) for g in self.groups)
            and bool(((self.members >= 0) & (self.members < bodies)).all())
        )


def _pair_inputs(tape: Tape) -> tuple[tuple[str, int], ...]:
    """The inputs of a pair, with as many numbers of each point as the tape has."""
    own = max(1, dict(tape.inputs).get("of_a", 1))
    return (("a", 3), ("b", 3), ("of_a", own), ("of_b", own), ("t", 1))


def _values_for(tape: Tape, results: slice) -> set[int]:
    """Values that some of the results need."""
    needs = {result: operands for _, result, operands in tape.rows()}
    found: set[int] = set()
    stack = tape.results[results].tolist()
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
