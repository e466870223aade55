"""Starts of many runs of a Lagrangian system, and the end of runs that the equations stop determining."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.bonds import Reaching, Vakonomic
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.lagrangian.redundancy import without_redundant_rows
from vinculum.derivations.lagrangian.start import lagrangian_state
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.ensembles.prepared import FIXED, Prepared, Request
from vinculum.ensembles.runs import Runs
from vinculum.equations.lagrangian.first_order_form import DECAY
from vinculum.errors import MethodError, StartError, shorten
from vinculum.motion.arguments import floats, named_values
from vinculum.motion.lagrangian.models import lagrangian_model
from vinculum.systems import At, nearest
from vinculum.systems.jets import array_name
from vinculum.tolerances.constraints import DECAYS
from vinculum.tolerances.rank import INDEFINITE


def prepare_lagrangian(system: LagrangianSystem, request: Request) -> Prepared:
    """States (q, v, …, multipliers) and parameters of all runs; errors in constraints decay, as in a single run."""
    if request.method in FIXED and request.method != "rk4":
        raise MethodError(
            f"method '{request.method}' is for systems of bodies, and '{system.name}' is given by a Lagrangian; use dop853 or rk4, or "
            "vc.hamiltonian.integrate(…) for a symplectic method"
        )
    ruled = [
        rows.name
        for rows in system.principle.stationary
        if isinstance(rows.realization, Vakonomic) and isinstance(rows.realization.rule, Reaching)
    ]
    if ruled:
        raise StartError(
            f"'{system.name}': the multipliers of '{ruled[0]}' start by a rule, which is followed run by run in vc.simulate; give an "
            "ensemble their values, as vc.Vakonomic(multipliers=0.0)"
        )
    numbers = system.numbers
    levels, values = _levels(numbers, request.start), _values(numbers, request.parameters)
    sizes = {len(levels), len(values)} - {1}
    if len(sizes) > 1:
        raise StartError(f"the batches of start and parameters differ in length: {sorted(sizes)}")
    count = max(len(levels), len(values))
    levels, values = (np.broadcast_to(x, (count, *x.shape[1:])).copy() for x in (levels, values))
    decay = DECAYS / (request.until - request.begin)
    values[:, sorted(numbers.parameters).index(DECAY)] = decay
    states = _states(numbers, levels, values, request)
    reduced, _ = without_redundant_rows(system, states[0], request.begin, values[0])
    if reduced.numbers is not numbers:
        own = [sorted(numbers.parameters).index(name) for name in sorted(reduced.numbers.parameters)]
        values = values[:, own]
    augmented = _needs_augmenting(reduced.numbers, states, values, request.begin)
    return Prepared(
        lagrangian_model(reduced, augmented, decay), states, values, lambda runs: _stop_undetermined(reduced, runs)
    )


def _levels(numbers: LagrangianNumbers, start: Any) -> np.ndarray:
    """Derivatives (B, k, n) that the starts give, from the coordinates on."""
    names, most = numbers.coordinates, 2 * numbers.principle.order
    n = len(names)
    if isinstance(start, (tuple, list)):
        if not 1 <= len(start) <= most:
            raise StartError(
                f"start of '{numbers.name}' has {len(start)} arrays; give ({', '.join(array_name(k) for k in range(most))}), (B, {n}) each"
            )
        arrays = [np.atleast_2d(floats(f"start: {array_name(k)}", x)) for k, x in enumerate(start)]
        for k, x in enumerate(arrays):
            if x.ndim != 2 or x.shape[1] != n or not len(x):
                raise StartError(f"start: {array_name(k)} has shape {x.shape}; give (B, {n}), a row for each run")
        return _stack(arrays, n)
    start = {} if start is None else start
    if not isinstance(start, Mapping):
        raise StartError(
            f"start is {shorten(start)} and must map coordinates of '{numbers.name}' to values, or be a tuple of arrays (B, {n})"
        )
    found = [np.zeros((1, n)), np.zeros((1, n))]
    for name, given in start.items():
        if name not in names:
            raise StartError(f"start: there is no coordinate '{name}' in system '{numbers.name}'{nearest(name, names)}")
        at = given if isinstance(given, At) else At(given)
        for k, x in enumerate((at.position, at.rate)):
            if x is None:
                continue
            column = np.atleast_1d(floats(f"start of '{name}'", x))
            if column.ndim != 1 or not len(column):
                raise StartError(f"start of '{name}' has shape {np.shape(x)}; give one number, or one for each run")
            count = max(len(column), len(found[k]))
            if len(found[k]) not in (1, count) or len(column) not in (1, count):
                raise StartError(
                    f"the start values carry batches of different lengths, {len(column)} and {len(found[k])}"
                )
            found[k] = np.broadcast_to(found[k], (count, n)).copy()
            found[k][:, names.index(name)] = column
    return _stack(found, n)


def _stack(arrays: list[np.ndarray], n: int) -> np.ndarray:
    count = max(map(len, arrays))
    if any(len(x) not in (1, count) for x in arrays):
        raise StartError(f"the start values carry batches of different lengths, {sorted({len(x) for x in arrays})}")
    return np.stack([np.broadcast_to(x, (count, n)) for x in arrays], axis=1)


def _values(numbers: LagrangianNumbers, parameters: Any) -> np.ndarray:
    """Parameter values (B, p)."""
    given = {name: np.atleast_1d(floats(f"parameter '{name}'", x)) for name, x in named_values(parameters).items()}
    for name, x in given.items():
        if x.ndim != 1 or not len(x):
            raise StartError(f"parameter '{name}' has shape {x.shape}: give one value, or one for each run")
    sizes = {len(x) for x in given.values()} - {1}
    if len(sizes) > 1:
        raise StartError(f"the parameters carry batches of different lengths, {sorted(sizes)}")
    count = sizes.pop() if sizes else 1
    return np.stack(
        [numbers.values({name: float(x[i if len(x) > 1 else 0]) for name, x in given.items()}) for i in range(count)]
    )


def _states(numbers: LagrangianNumbers, levels: np.ndarray, values: np.ndarray, request: Request) -> np.ndarray:
    principle = numbers.principle
    if principle.order == 1 and not principle.stationary and not principle.ideal:
        full = levels if levels.shape[1] == 2 else np.concatenate([levels, np.zeros_like(levels)], axis=1)
        return full.reshape(len(full), -1)
    found = []
    for run, (own, known) in enumerate(zip(levels, values, strict=True)):
        try:
            found.append(lagrangian_state(numbers, tuple(own), request.begin, known, request.repair)[0])
        except StartError as error:
            raise StartError(f"run {run}: {error}") from error
    return np.stack(found)


def _needs_augmenting(numbers: LagrangianNumbers, states: np.ndarray, values: np.ndarray, t: float) -> bool:
    """Whether the Hessian is not positive at some start; a start at which nothing determines the motion is refused."""
    n = len(numbers.coordinates)
    rows = np.concatenate([states, np.full((len(states), 1), t), values], axis=1)
    A = numbers.bordered_matrices(rows)[:, :n, :n]
    with np.errstate(all="ignore"):
        finite = np.isfinite(A).all(axis=(1, 2))
        least = np.full(len(A), -np.inf)
        least[finite] = np.linalg.eigvalsh(0.5 * (A + np.swapaxes(A, 1, 2))[finite])[:, 0]
        doubtful = ~(least > INDEFINITE * np.abs(A).max(axis=(1, 2)))
    found = False
    for run in sorted({0, *np.flatnonzero(doubtful).tolist()}):
        try:
            found = numbers.needs_augmenting(states[run], t, values[run]) or found
        except StartError as error:
            raise StartError(f"run {run}: {error}") from error
    return found


def _stop_undetermined(system: LagrangianSystem, runs: Runs) -> Runs:
    """The runs until their bordered Hessian has changed its sign at an instant of the grid: beyond it a motion is not determined."""
    numbers = system.numbers
    count, instants = runs.q.shape[:2]
    named = {DECAY: np.zeros(count), **runs.parameters}
    values = np.stack([np.broadcast_to(named[name], count) for name in sorted(numbers.parameters)], axis=1)
    states = np.concatenate([runs.q, runs.v], axis=2)
    rows = np.concatenate(
        [states, np.broadcast_to(runs.time[None, :, None], (count, instants, 1)), np.repeat(values[:, None], instants, axis=1)], axis=2
    )  # fmt: skip
    with np.errstate(all="ignore"):
        signs = np.linalg.slogdet(numbers.bordered_matrices(rows.reshape(count * instants, -1)))[0].reshape(
            count, instants
        )
    lost = np.logical_or.accumulate((signs != signs[:, :1]) & np.isfinite(signs), axis=1)
    if not lost.any():
        return runs
    q, v = (np.where(lost[:, :, None], np.nan, x) for x in (runs.q, runs.v))
    return replace(runs, q=q, v=v, failed=runs.failed | lost.any(axis=1))
