"""`PairLoopTape`: replaces the tapes of a model for a pair loop; evaluated by loops over arrays."""

import threading
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays
from vinculum.compile.targets.llvm import machine
from vinculum.models.pair_loop.balance import balance_of_points
from vinculum.models.pair_loop.pair_loop import PairLoop
from vinculum.tolerances.sizes import OBSERVED_ROWS

NAMES = ("motion", "rates", "bodies", "balance", "reactions", "bonds")


@final
@dataclass(frozen=True, eq=False)
class PairLoopTape:
    """Outputs by name over rows (q, v, t, parameters) of mass points, named in order by ``bodies``."""

    name: str
    pair_loop: PairLoop
    bodies: tuple[str, ...]
    parameters: tuple[tuple[str, float], ...]
    _fields: dict[bytes, Any] = field(default_factory=dict)
    _lock: Any = field(default_factory=threading.Lock)

    def __reduce__(self):
        """Everything but workspaces, which are good in this process only."""
        return PairLoopTape, (self.name, self.pair_loop, self.bodies, self.parameters)

    @property
    def inputs(self) -> tuple[tuple[str, int], ...]:
        """The groups of a row."""
        given = (("parameters", len(self.parameters)),) if self.parameters else ()
        return (("q", 3 * self.pair_loop.count), ("v", 3 * self.pair_loop.count), ("t", 1), *given)

    @property
    def n_in(self) -> int:
        return sum(size for _, size in self.inputs)

    @property
    def n_out(self) -> int:
        return sum(size for _, size in self.outputs)

    @property
    def outputs(self) -> tuple[tuple[str, int], ...]:
        """Names and sizes of what `groups` gives."""
        found = (
            self.groups(np.ones((1, self.n_in)))
            if self.name != "motion"
            else {"q_dot": _wide(self), "v_dot": _wide(self)}
        )
        return tuple((name, x.shape[1]) for name, x in found.items())

    @property
    def tables(self) -> tuple[()]:
        """A pair loop has no tables."""
        return ()

    def is_piecewise(self) -> bool:
        """Whether some force is not smooth."""
        return self.pair_loop.is_piecewise

    def groups(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs by name for rows X (B, n_in), (B, …) each."""
        return {"motion": self._motion, "rates": self._rates, "bodies": self._bodies, "balance": self._balance,
                "reactions": self._reactions, "bonds": self._bonds}[self.name](np.ascontiguousarray(X, dtype=float))  # fmt: skip

    def _motion(self, X: np.ndarray) -> dict[str, np.ndarray]:
        from vinculum.models.pair_loop.rates import many_rates

        n = 6 * self.pair_loop.count
        out = np.empty((len(X), n))
        for rows, at in self._by_parameters(X, balance=False):
            own, given = np.empty((len(X[rows]), n)), X[rows]
            for part in _parts(len(given)):
                with self._lock, at.thread_pool(len(given[part])):
                    states, t = np.ascontiguousarray(given[part, :n]), np.ascontiguousarray(given[part, n])
                    many_rates(at.points, at.work, at.rest, states, t, own[part])
            out[rows] = own
        return {"q_dot": out[:, : n // 2], "v_dot": out[:, n // 2 :]}

    def _rates(self, X: np.ndarray) -> dict[str, np.ndarray]:
        n = 3 * self.pair_loop.count
        none = np.zeros((len(X), 0))
        return {"q_dot": X[:, n : 2 * n], "defects": none, "gaps": none, "gap_rates": none}

    def _bodies(self, X: np.ndarray) -> dict[str, np.ndarray]:
        n, B, groups = 3 * self.pair_loop.count, len(X), {}
        masses = self.numbers_by_row(X, "masses")
        for i, name in enumerate(self.bodies):
            x, v = X[:, 3 * i : 3 * i + 3], X[:, n + 3 * i : n + 3 * i + 3]
            own = {"position": x, "rotation": np.broadcast_to(np.eye(3).ravel(), (B, 9)), "velocity": v,
                   "angular_velocity": np.zeros((B, 3)), "center": x, "center_velocity": v, "mass": masses[:, i : i + 1]}  # fmt: skip
            groups |= {f"{name}/{what}": array for what, array in own.items()}
        return groups

    def _reactions(self, X: np.ndarray) -> dict[str, np.ndarray]:
        return {name: np.zeros((len(X), 6)) for name in self.bodies}

    def numbers_by_row(self, X: np.ndarray, what: str) -> np.ndarray:
        """Masses (B, n) or gravity (B, 3) at the parameters of every row."""
        found = [
            (rows, self.pair_loop.known_numbers(values)[what])
            for values, rows in _blocks(X[:, 6 * self.pair_loop.count + 1 :])
        ]
        out = np.empty((len(X), len(found[0][1]) if found else 0))
        for rows, numbers in found:
            out[rows] = numbers
        return out

    def pairs(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Forces of all pairs (B, 3n), the sums of their sizes (B, n), and energy, its size and time slope (B, 3)."""
        from vinculum.models.pair_loop.rates import many_balances

        n = self.pair_loop.count
        result = np.zeros((len(X), 3 * n)), np.zeros((len(X), n)), np.zeros((len(X), 3))
        for rows, at in self._by_parameters(X, balance=True):
            own = tuple(x[rows] for x in result)
            states, instants = np.ascontiguousarray(X[rows, : 6 * n]), np.ascontiguousarray(X[rows, 6 * n])
            for k in _parts(len(states)):
                with self._lock, at.thread_pool(len(states[k])):
                    many_balances(at.points, at.work, at.totals, states[k], instants[k], *(x[k] for x in own))
            for x, part in zip(result, own, strict=True):
                x[rows] = part
        return result

    def _balance(self, X: np.ndarray) -> dict[str, np.ndarray]:
        n = 3 * self.pair_loop.count
        mass, gravity = self.numbers_by_row(X, "masses"), self.numbers_by_row(X, "gravity")
        return balance_of_points(X[:, :n], X[:, n : 2 * n], mass, gravity, self.pairs(X), self._rest(X))

    def _bonds(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """Energy (B, 1) and efforts (B, 6 m) of every action."""
        groups, B = {}, len(X)
        for g, group in enumerate(self.pair_loop.groups):
            found = PairLoopTape("balance", self.pair_loop.alone(g), self.bodies, self.parameters).pairs(X)
            force = found[0].reshape(B, -1, 3)[:, group.members]
            efforts = np.concatenate([force, np.zeros_like(force)], axis=2).reshape(B, -1)
            groups |= {f"{group.name}/energy": found[2][:, :1], f"{group.name}/efforts": efforts}
        return groups | _by_name(self.pair_loop.rest_bonds, self._touched_rows(X))

    def _rest(self, X: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray]:
        """Forces of the other actions (B, 3n), what they do, and the sizes of the forces (B, 3n)."""
        n, rows = self.pair_loop.count, self._touched_rows(X)
        places = (3 * self.pair_loop.touched[:, None] + np.arange(3)).ravel()
        force, size = np.zeros((2, len(X), 3 * n))
        does = _by_name(self.pair_loop.rest_balance, rows)
        force[:, places] = _by_name(self.pair_loop.rest, rows)["force"]
        size[:, places] = does["size"]
        return force, does, size

    def _touched_rows(self, X: np.ndarray) -> np.ndarray:
        """Rows (x, v, t, parameters) of the touched points."""
        n, places = self.pair_loop.count, (3 * self.pair_loop.touched[:, None] + np.arange(3)).ravel()
        return np.concatenate([X[:, places], X[:, 3 * n + places], X[:, 6 * n :]], axis=1)

    def _by_parameters(self, X: np.ndarray, balance: bool):
        """Rows that share parameter values, with the field at these values."""
        for values, rows in _blocks(X[:, 6 * self.pair_loop.count + 1 :]):
            yield rows, self.field(values, balance)

    def field(self, values: np.ndarray, balance: bool = False) -> Any:
        """The compiled loops at parameter values; the last one made is kept."""
        from vinculum.models.pair_loop.workspace import PairLoopField

        key = values.tobytes() + bytes([balance])
        if key not in self._fields:
            self._fields.clear()
            self._fields[key] = PairLoopField(self.pair_loop, np.ascontiguousarray(values), balance)
        return self._fields[key]


def _by_name(tape: Tape, X: np.ndarray) -> dict[str, np.ndarray]:
    Y = machine.compile_tape(tape)(X) if len(tape.code) else arrays.evaluate(tape, X)
    return {name: Y[:, place] for name, place in tape.slices(tape.outputs).items()}


def _parts(count: int) -> list[slice]:
    return [slice(first, min(first + OBSERVED_ROWS, count)) for first in range(0, count, OBSERVED_ROWS)]


def _blocks(values: np.ndarray):
    """Parameter values with the rows that have them; one block where all rows agree."""
    if not len(values):
        return
    if values.shape[1] == 0 or np.all(values == values[0]):
        yield values[0], slice(None)
        return
    for chosen in np.unique(values, axis=0):
        yield chosen, np.flatnonzero(np.all(values == chosen, axis=1))


def _wide(tape: PairLoopTape) -> np.ndarray:
    return np.empty((0, 3 * tape.pair_loop.count))
