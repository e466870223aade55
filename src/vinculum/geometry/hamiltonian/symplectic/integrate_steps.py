"""`integrate`: motions of Hamiltonian systems by symplectic methods with a fixed step."""

from collections.abc import Callable, Mapping

import numpy as np

from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.errors import MethodError, RunError
from vinculum.geometry.hamiltonian.arguments import one_choice, whole_number
from vinculum.geometry.hamiltonian.functions import space_tape
from vinculum.geometry.hamiltonian.motion import PhaseMotion
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.starts import Starts, lane_inputs, share_lanes, starts_of
from vinculum.geometry.hamiltonian.symplectic.coefficients import HALVES, composition, gauss_legendre
from vinculum.geometry.hamiltonian.symplectic.discrete import discrete_tape, first_guess
from vinculum.geometry.hamiltonian.symplectic.lanes import Plan, Rule, gauss_steps, split_steps, variational_steps
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.geometry.hamiltonian.walls import check_unbounded
from vinculum.motion.arguments import fixed_step, whole_span
from vinculum.scalars import depends_on
from vinculum.tolerances.sizes import MOST_INSTANTS, MOST_STEPS_OF_A_FLOW
from vinculum.tolerances.steps import WHOLE_STEPS

ORDERS = {"gauss": (2, 4, 6, 8), "splitting": tuple(HALVES), "variational": (2,)}


def integrate(hamiltonian: Hamiltonian, until: float, q, p, *, step: float, method: str = "gauss", order: int | None = None,
              begin: float = 0.0, every: int = 1, parameters: Mapping[str, float] | None = None) -> PhaseMotion:  # fmt: skip
    """The motion from coordinates ``q`` and momenta ``p`` by a symplectic method with a fixed ``step``.

    (n,) each for one motion, or (B, n) for many. ``method``: "gauss" is collocation at Gauss's nodes, of ``order`` 2, 4, 6 or 8, for
    every Hamiltonian without constraints; "splitting" composes leapfrog steps to order 2, 4, 6 or 8 if H = T(p) + V(q, t);
    "variational" makes a discrete action stationary, is of order 2, and is for Hamiltonians of systems, constraints on positions
    included. The span is divided into whole steps of nearly this length; every ``every``-th is recorded. The loops are compiled.
    """
    orders = ORDERS[one_choice("integrate", "method", method, ORDERS)]
    usual = orders[min(1, len(orders) - 1)]
    chosen = usual if order is None else int(one_choice(f"method '{method}'", "order", order, orders))
    plan, until = planned_steps(method, begin, until, step, every)
    starts = starts_of(hamiltonian, q, p, plan.t, parameters)
    check_unbounded(starts.space, "a symplectic method")
    result = _METHODS[method](starts, plan, chosen)
    return motion_of(hamiltonian, starts, plan, until, result, f"{method} of order {chosen}")


def planned_steps(what: str, begin: float, until: float, step: float, every: int) -> tuple[Plan, float]:
    """Whole steps of nearly the given length from ``begin`` on, and the end of the last."""
    begin, until = whole_span(begin, until)
    span = until - begin
    step = fixed_step(what, step, span, max(abs(begin), abs(until)))
    count = max(1, int(np.ceil(span / step * (1.0 - WHOLE_STEPS))))
    every = min(whole_number("integrate", "every", every, 1, MOST_STEPS_OF_A_FLOW), count)
    count = -(-count // every) * every
    if count // every >= MOST_INSTANTS:
        raise MethodError(
            f"{count // every} records; at most {MOST_INSTANTS} are kept: record every n-th step with every=n"
        )
    return Plan(begin, span / count, count, every), until


def motion_of(
    hamiltonian: Hamiltonian, starts: Starts, plan: Plan, until: float, result: np.ndarray, method: str
) -> PhaseMotion:
    """The motion of records (B, T, 2n) after the start; one that is not finite is refused."""
    records = plan.steps // plan.every
    time = plan.t + ((until - plan.t) / records) * np.arange(records + 1)
    time[-1] = until
    states = np.concatenate([starts.states[:, None], result], axis=1)
    _check_finite(starts.space, time, states, plan)
    n, first = starts.space.n, 0 if starts.one else slice(None)
    return PhaseMotion(
        hamiltonian,
        time,
        states[first, :, :n],
        states[first, :, n:],
        f"{method}, {plan.steps} steps",
        starts.parameters,
    )


def _check_finite(space: PhaseSpace, time: np.ndarray, states: np.ndarray, plan: Plan) -> None:
    finite = np.isfinite(states).all(axis=2)
    if not finite.all():
        run, k = np.argwhere(~finite)[0]
        which = f" of run {run}" if len(states) > 1 else ""
        raise RunError(
            f"{space.where}: the state{which} stopped being finite after t = {time[k - 1]:.6g}: a step of {plan.h:.3g} is too long, or "
            "the motion reaches a place where H is not defined; take shorter steps"
        )


def _gauss(starts: Starts, plan: Plan, order: int) -> np.ndarray:
    space = starts.space
    if len(space.constraints):
        raise MethodError(
            f"{space.where} has constraints, on which collocation is not symplectic; use method='variational', or coordinates "
            "that satisfy them"
        )
    code = compile_tape(space_tape(space, {"rates": space.explicit(space.rates)}))
    rule = Rule(*gauss_legendre(order // 2))

    def run(x, states):
        return gauss_steps(code.lanes, x, 2 * space.n, plan, rule, states)

    return _loop(starts, plan, code.tape.n_in, 2 * space.n + 1, run)


def _splitting(starts: Starts, plan: Plan, order: int) -> np.ndarray:
    space, n = starts.space, starts.space.n
    rates = space.explicit(space.rates)
    if len(space.constraints) or depends_on(rates[:n], [*space.q, space.t]) or depends_on(rates[n:], space.p):
        raise MethodError(
            f"{space.where} is no sum T(p) + V(q, t), so that it cannot be split into kicks and drifts; use method='gauss'"
        )
    kick, drift = (compile_tape(space_tape(space, {"rates": part})) for part in (rates[n:], rates[:n]))
    kicks, drifts = composition(order)

    def run(x, states):
        return split_steps(kick.lanes, drift.lanes, x, n, plan, kicks, drifts, states)

    return _loop(starts, plan, kick.tape.n_in, 2 * n + 1, run)


def _variational(starts: Starts, plan: Plan, order: int) -> np.ndarray:
    space = starts.space
    tape, m = discrete_tape(space)
    code, n = compile_tape(tape), space.n
    guesses = first_guess(starts, plan.t, plan.h)

    def run(x, states):
        return variational_steps(code.lanes, x, (n, m), plan, states)

    wide = Starts(space, starts.one, np.concatenate([starts.states, guesses], axis=1), starts.parameters)
    return _loop(wide, plan, tape.n_in, 3 * n + 2 * m + 2, run)


def _loop(starts: Starts, plan: Plan, n_in: int, row: int, run: Callable[[np.ndarray, np.ndarray], int]) -> np.ndarray:
    """States (B, records, 2n) of all runs; not a number after the step at which a group of runs has stopped."""
    n, count = starts.space.n, len(starts.states)
    found = np.full((count, plan.steps // plan.every, 2 * n), np.nan)

    def job(first: int, last: int) -> None:
        x = lane_inputs(n_in, starts.states[first:last], row, starts.values)
        states = np.empty((plan.steps // plan.every, 2 * n, x.shape[1]))
        taken = run(x, states)
        found[first:last, :taken] = np.moveaxis(states[:taken, :, : last - first], 2, 0)

    share_lanes(count, job)
    return found


_METHODS: dict[str, Callable[[Starts, Plan, int], np.ndarray]] = {
    "gauss": _gauss,
    "splitting": _splitting,
    "variational": _variational,
}
