"""The Legendre transform of a Lagrangian and its inverse."""

from collections.abc import Mapping

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.derivations.lagrangian.numbers import LagrangianNumbers
from vinculum.derivations.regularity import check_hessian
from vinculum.errors import MethodError, RunError
from vinculum.tolerances.iterations import LEGENDRE_ENOUGH, LEGENDRE_HALVINGS, LEGENDRE_ROUNDS
from vinculum.tolerances.round_off import TWO_ROUND_OFFS


def legendre(
    numbers: LagrangianNumbers, q, v, t: float, parameters: Mapping[str, float] | None
) -> dict[str, np.ndarray]:
    """Momenta ``p`` = ∂L/∂v, ``hessian`` and energy ``E`` = v · p − L at a state. Gołubowska (13)–(16)."""
    principle = numbers.principle
    if principle.jet.order(principle.L) > 1:
        raise MethodError(
            f"system '{numbers.name}': its Lagrangian is of order {principle.jet.order(principle.L)}, and the Legendre transform from "
            "(q, v) to (q, p) is for the first; its motions have Ostrogradsky's momenta and energy"
        )
    row = np.concatenate([numbers.vector("q", q), numbers.vector("v", v), [float(t)], numbers.values(parameters)])
    return {name: x[0] for name, x in evaluate_groups(numbers.legendre, row[None]).items()}


def velocity(numbers: LagrangianNumbers, q, p, t: float, guess, parameters: Mapping[str, float] | None) -> np.ndarray:
    """v (n,) with ∂L/∂v = p, by Newton's method with steps that are halved until they help."""
    p = numbers.vector("p", p)
    v = numbers.vector("guess", np.zeros(len(p)) if guess is None else guess)
    at = legendre(numbers, q, v, t, parameters)
    for _ in range(LEGENDRE_ROUNDS):
        H, error = at["hessian"].reshape(len(p), len(p)), p - at["p"]
        check_hessian(numbers.name, H, q, v)
        step, size = np.linalg.solve(H, error), np.abs(error).max()
        if np.abs(step).max() <= TWO_ROUND_OFFS * max(1.0, np.abs(v).max()):
            return v
        for half in range(LEGENDRE_HALVINGS):
            trial = v + step * 0.5**half
            found = legendre(numbers, q, trial, t, parameters)
            if np.abs(p - found["p"]).max() < size:
                v, at = trial, found
                break
        else:
            if size <= LEGENDRE_ENOUGH * max(1.0, np.abs(p).max()):
                return v
            break
    raise RunError(
        f"system '{numbers.name}': no velocity with the momenta {p.tolist()} was found, Newton's method ended at "
        f"{np.round(v, 9).tolist()}; give a guess nearer to it"
    )
