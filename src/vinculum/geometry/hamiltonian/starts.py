"""Starts of runs on a phase space: one state or many, with the values of parameters."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.compile.width import WIDTH
from vinculum.errors import ModelError, StartError, shorten
from vinculum.geometry.chart import parameter_values
from vinculum.geometry.hamiltonian.functions import place, state_rows
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.tolerances.constraints import CONSTRAINT_MET


@final
@dataclass(frozen=True, eq=False)
class Starts:
    """States (B, 2n) and the values of parameters in the order of their names; ``one``: whether a single state was given."""

    space: PhaseSpace
    one: bool
    states: np.ndarray
    parameters: dict[str, float]

    @property
    def values(self) -> np.ndarray:
        """Values of the parameters (k,) as tapes take them."""
        return np.array([self.parameters[name] for name in sorted(self.parameters)])


def starts_of(hamiltonian: Any, q, p, t: float, parameters: Mapping[str, float] | None) -> Starts:
    """The starts of runs; states that violate constraints, and those where the rates are not finite, are refused."""
    if not isinstance(hamiltonian, Hamiltonian):
        raise ModelError(
            f"the Hamiltonian is {shorten(hamiltonian)}; give a vc.hamiltonian.Hamiltonian, as Hamiltonian.of(system)"
        )
    space = hamiltonian.space
    one, rows = state_rows(space, q, p, t)
    values = parameter_values(space.where, space.parameters, parameters)
    hamiltonian.rates(rows[:, : space.n], rows[:, space.n : 2 * space.n], t, values)
    if len(space.constraints):
        found = hamiltonian.constraint_functions(rows[:, : space.n], rows[:, space.n : 2 * space.n], t, values)
        bad = np.argwhere(
            ~(np.abs(found) <= CONSTRAINT_MET * np.maximum(1.0, np.abs(rows[:, :-1]).max(axis=1, keepdims=True)))
        )
        if len(bad):
            b, k = bad[0]
            what = "the rate of constraint" if k >= len(space.pairs) else "constraint"
            raise StartError(
                f"{space.where}: {what} '{space.constraint_names[k]}' is {found[b, k]:.3g} at {place(space, rows[b])}; give a start at "
                "which it vanishes"
            )
    return Starts(space, one, rows[:, : 2 * space.n].copy(), values)


def share_lanes(count: int, job: Callable[[int, int], None]) -> None:
    """``job(first, last)`` for every group of at most eight runs, on all cores."""
    groups = [(first, min(first + WIDTH, count)) for first in range(0, count, WIDTH)]
    if len(groups) == 1:
        job(*groups[0])
        return
    with ThreadPoolExecutor(min(len(groups), len(os.sched_getaffinity(0)))) as pool:
        list(pool.map(lambda group: job(*group), groups))


def lane_inputs(n_in: int, states: np.ndarray, row: int, values: np.ndarray) -> np.ndarray:
    """Inputs (n_in, 8) of a tape: states of up to eight runs, of which the last fills the lanes left over, and parameters from ``row``."""
    x = np.zeros((n_in, WIDTH))
    lanes = np.minimum(np.arange(WIDTH), len(states) - 1)
    x[: states.shape[1]] = states[lanes].T
    x[row:] = values[:, None]
    return x
