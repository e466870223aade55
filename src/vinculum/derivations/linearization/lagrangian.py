"""Linear equations of a Lagrangian system about an equilibrium or a steady motion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.passes.derivatives import values_and_jacobians
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.lagrangian.random_states import keep_constraints
from vinculum.derivations.lagrangian.redundancy import without_redundant_rows
from vinculum.derivations.lagrangian.start import lagrangian_state
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.derivations.linearization.arguments import SETTLED, UNSETTLED, check_arguments, tidy_rows
from vinculum.derivations.linearization.independent_coordinates import chosen_rows
from vinculum.derivations.linearization.linearization import Linearization, LinearizedState, StateNames
from vinculum.derivations.linearization.perturbations import kernel
from vinculum.derivations.linearization.steady_motions import LATER
from vinculum.errors import MethodError, StartError
from vinculum.models.conditions.closed_loops import visible
from vinculum.systems import nearest
from vinculum.systems.jets import derivative_name
from vinculum.tolerances.functions import ALIKE, STEADY
from vinculum.tolerances.iterations import NEWTON_DONE, SETTLING_LONGEST, SETTLING_STEPS
from vinculum.tolerances.rank import DEPENDENT_COLUMNS, LEFT_OUT_OF_STEPS


@final
@dataclass(frozen=True, eq=False)
class Places:
    """Places in the state of a principle of order N: ``low`` q … q^{(N−1)}, ``middle`` momenta π and multipliers λ, ``high`` q^{(N)}."""

    low: np.ndarray
    middle: np.ndarray
    high: np.ndarray
    names: tuple[str, ...]

    @property
    def order(self) -> np.ndarray:
        """All of them, as perturbations are ordered."""
        return np.concatenate([self.low, self.middle, self.high])


def linear_lagrangian(
    system: LagrangianSystem,
    at: Mapping[str, object] | None,
    coordinates: Sequence[str],
    inputs: Sequence[str],
    parameters: Mapping[str, float] | None,
    t: float,
    settle: bool,
) -> Linearization:
    """The linear equations of perturbations that keep all constraints. Of order N the coordinates are q, …, q^{(N−1)}; Ostrogradsky's
    momenta are among the multipliers."""
    check_arguments(t, settle, inputs)
    numbers = system.numbers
    values = numbers.values(parameters)
    given = {} if at is None else at
    state, log = lagrangian_state(numbers, given, float(t), values, repair=settle)
    system, remarks = without_redundant_rows(system, state, float(t), values)
    if system.numbers is not numbers:
        named = dict(zip(sorted(numbers.parameters), values.tolist(), strict=True))
        numbers = system.numbers
        values = np.array([named[name] for name in sorted(numbers.parameters)])
    augmented = numbers.needs_augmenting(state, float(t), values)
    equations = _Rates(numbers, augmented, values)
    if settle:
        state = _settle_state(equations, state, float(t))
    places = _places(system)
    P, follow, D = _allowed_perturbations(equations, state, float(t), places)
    rates, A, by_values = equations.at(state, float(t))
    _refuse_accelerated(system, places, rates, A, state, SETTLED if settle else UNSETTLED)
    n, low, mid = len(places.high), len(places.low), len(places.middle)
    T = _perturbation_columns(P, follow, D, mid)
    _refuse_changing(system, equations, places, state, float(t), A, T)
    below = [places.names[i] for i in places.low]
    last = below[len(below) - n :]
    first = chosen_rows(system.name, below, P, coordinates, "coordinates")
    speeds = chosen_rows(system.name, last, D, [x for x in coordinates if x in last], "velocities", strict=False)
    rows = [*first, *range(low, low + mid), *(low + mid + i for i in speeds)]
    within = T @ np.linalg.inv(T[rows])
    order = places.order
    bordered = numbers.bordered_matrices(equations.row(state, float(t))[None])[0]
    inverse = _inverse_mass(system, bordered, within[low + mid :, len(first) + mid :])
    return Linearization(
        system=system.name,
        states=StateNames(
            tuple(below[i] for i in first),
            tuple(places.names[i] for i in places.middle),
            tuple(last[i] for i in speeds),
        ),
        A=tidy_rows((A[np.ix_(order, order)] @ within)[rows]),
        inputs=tuple(inputs),
        B=_input_rates(system, places, bordered, by_values, rows, inputs),
        inverse_mass=inverse,
        about=LinearizedState(state[:n], state[n:], float(t), bool(np.any(state[n : 2 * n]))),
        log=(*log, *remarks),
    )


@final
class _Rates:
    """Rates of the state with their derivatives, and the residuals of constraints with theirs."""

    def __init__(self, numbers: LagrangianNumbers, augmented: bool, values: np.ndarray):
        self.numbers, self.values, self.tape = numbers, values, numbers.motion(augmented)

    def row(self, state: np.ndarray, t: float) -> np.ndarray:
        return np.concatenate([state, [t], self.values])

    def at(self, state: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rates (n,), their derivatives by the state (n, n) and by parameters (n, p)."""
        size, row = len(state), self.row(state, t)[None]
        Y, D = values_and_jacobians(self.tape, row)
        if self.tape.is_piecewise():
            _, other = values_and_jacobians(self.tape, row, -1.0)
            if np.abs(D - other).max(initial=0.0) > STEADY * max(1.0, float(np.abs(D).max())):
                raise MethodError(
                    f"system '{self.numbers.name}': its equations have no derivative here, since a function switches exactly at this "
                    "state; linearize on one side of the switch, or write it so that it is smooth"
                )
        if not (np.all(np.isfinite(Y)) and np.all(np.isfinite(D))):
            raise StartError(
                f"system '{self.numbers.name}': its equations or their derivatives are not finite here; choose a state where the "
                "Lagrangian is smooth"
            )
        return Y[0], D[0, :, :size], D[0, :, size + 1 :]

    def conditions(self, state: np.ndarray, t: float) -> np.ndarray:
        """Derivatives (m, (N + 1) n) of what vanishes on the constraints, by q … q^{(N)}."""
        principle = self.numbers.principle
        moving = (principle.order + 1) * principle.n
        if not principle.ideal and not principle.stationary:
            return np.zeros((0, moving))
        tape = self.numbers.conditions
        Y, _ = values_and_jacobians(tape, self.row(state, t)[None])
        return Y[0, tape.slices(tape.outputs)["gradients"]].reshape(-1, moving)


def _places(system: LagrangianSystem) -> Places:
    order, names = system.order, system.coordinates
    n, m = len(names), len(system.principle.jet.multipliers[0])
    every = [derivative_name(name, k) for k in range(order + 1) for name in names]
    every += [f"pi{k}_{name}" for k in range(order - 1) for name in names]
    every += [name for rows in system.principle.stationary for name in rows.multiplier_names()]
    low, high = np.arange(order * n), np.arange(order * n, (order + 1) * n)
    return Places(low, (order + 1) * n + np.arange((order - 1) * n + m), high, tuple(every))


def _allowed_perturbations(
    equations: _Rates, state: np.ndarray, t: float, places: Places
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Perturbations of q … q^{(N−1)} as columns, those of q^{(N)} that they ask for, and those that are free."""
    J, low = equations.conditions(state, t), len(places.low)
    on_places = ~np.any(J[:, low:] != 0.0, axis=1)
    P = kernel(J[on_places][:, :low])
    rest = J[~on_places]
    follow = -np.linalg.pinv(rest[:, low:], rcond=DEPENDENT_COLUMNS) @ rest[:, :low] @ P
    return P, follow, kernel(rest[:, low:])


def _perturbation_columns(P: np.ndarray, follow: np.ndarray, D: np.ndarray, middle: int) -> np.ndarray:
    """Independent perturbations of the state as columns, in the order of `Places`; momenta and multipliers are all free."""
    T = np.zeros((len(P) + middle + len(D), P.shape[1] + middle + D.shape[1]))
    T[: len(P), : P.shape[1]] = P
    T[len(P) : len(P) + middle, P.shape[1] : P.shape[1] + middle] = np.eye(middle)
    T[len(P) + middle :, : P.shape[1]], T[len(P) + middle :, P.shape[1] + middle :] = follow, D
    return T


def _settle_state(equations: _Rates, state: np.ndarray, t: float) -> np.ndarray:
    """The state with its coordinates moved to a place nearby where nothing accelerates, if there is one; velocities stay."""
    numbers = equations.numbers
    n, order = numbers.principle.n, numbers.principle.order
    places = np.arange(n)
    for _ in range(SETTLING_STEPS):
        rates, A, _ = equations.at(state, t)
        J = equations.conditions(state, t)
        still = ~np.any(J[:, n:] != 0.0, axis=1)
        P = kernel(J[still][:, :n])
        step = P @ np.linalg.lstsq(A[n:][:, places] @ P, -rates[n:], rcond=LEFT_OUT_OF_STEPS)[0]
        longest = np.abs(step).max(initial=0.0)
        if not np.isfinite(longest) or longest <= NEWTON_DONE:
            break
        state = state.copy()
        state[:n] += step * min(1.0, SETTLING_LONGEST / longest)
        closed = keep_constraints(numbers, equations.row(state, t)[None])
        if not len(closed):
            break
        state[: (order + 1) * n] = closed[0, : (order + 1) * n]
    return state


def _refuse_accelerated(system, places: Places, rates, A, state, remedy: str) -> None:
    """Refuse states at which anything but q changes; of higher order also states whose derivatives are not zero."""
    n = len(places.high)
    size = np.maximum(1.0, np.abs(A[n:]) @ np.maximum(1.0, np.abs(state)))
    over = np.abs(rates[n:]) / (STEADY * size)
    if over.max(initial=0.0) <= 1.0:
        return
    worst = np.argsort(-over)[:3]
    told = ", ".join(f"'{places.names[n + i]}' by {rates[n + i]:.3g}" for i in worst if over[i] > 1.0)
    raise StartError(
        f"system '{system.name}': this is neither an equilibrium nor a steady motion: velocities change at the rates {told}; {remedy}"
    )


def _refuse_changing(system, equations: _Rates, places: Places, state, t: float, A, T) -> None:
    """Refuse motions whose linear equations change while the coordinates run on."""
    n, order = len(places.high), places.order
    speed = float(np.abs(state[n : 2 * n]).max(initial=0.0))
    size = max(1.0, float(np.abs(A).max()))
    for later in np.array(LATER) / max(1.0, speed):
        there = state.copy()
        there[:n] += later * state[n : 2 * n]
        rates, other, _ = equations.at(there, t + later)
        changed = np.abs((other - A)[np.ix_(order, order)] @ T).max(axis=1, initial=0.0)
        changed = np.maximum(changed, np.where(order >= n, np.abs(rates[order]), 0.0))
        if changed.max(initial=0.0) > ALIKE * size:
            name = places.names[order[int(np.argmax(changed))]]
            raise StartError(
                f"system '{system.name}': the motion is not steady: {later:.3g} later the equation of '{name}' has changed by "
                f"{changed.max():.3g} of {size:.3g}; linear equations with constant coefficients exist about rest and about motions whose "
                "coordinates that run on do not enter the equations"
            )


def _inverse_mass(system: LagrangianSystem, K: np.ndarray, D: np.ndarray) -> np.ndarray | None:
    """The inverse of the mass matrix of the speeds, of a principle of first order without vakonomic constraints."""
    if system.order > 1 or system.principle.stationary or not D.shape[1]:
        return None
    n = system.principle.n
    return np.linalg.inv(D.T @ K[:n, :n] @ D)


def _input_rates(system: LagrangianSystem, places: Places, K: np.ndarray, by_values, rows, inputs) -> np.ndarray:
    """Rates of all states by the inputs: forces along velocities, by the bordered Hessian K, and parameters."""
    n, order, known = system.principle.n, system.order, sorted(system.numbers.parameters)
    B = np.zeros((len(places.names), len(inputs)))
    shown = visible(dict.fromkeys(known, 0.0))
    for k, name in enumerate(inputs):
        if name in system.coordinates:
            i = list(system.coordinates).index(name)
            if order > 1:
                B[(order + 1) * n + i, k] = 1.0
                continue
            found = np.linalg.solve(K, np.eye(len(K))[i])
            B[places.high, k] = found[:n]
            B[places.middle, k] = found[n : n + len(places.middle)]
        elif name in shown:
            B[:, k] = by_values[:, known.index(name)]
        else:
            raise StartError(
                f"inputs: there is no velocity or parameter '{name}' in system '{system.name}'"
                f"{nearest(name, [*system.coordinates, *shown])}"
            )
    return B[places.order][rows]
