"""Steady motions: states about which the linear equations have constant coefficients."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_one
from vinculum.derivations.linearization.perturbations import Allowed, Perturbed, perturbation_rates
from vinculum.derivations.linearization.turning_velocities import turning
from vinculum.errors import MethodError, StartError
from vinculum.models.model import Model
from vinculum.tolerances.functions import ALIKE, STEADY
from vinculum.tolerances.methods import INTEGRATED

LATER = (0.31, 0.83)
"""Instants at which a motion must still look alike, in units of its shortest time."""


@final
@dataclass(frozen=True, eq=False)
class Steady:
    r"""A steady motion x(τ) = exp(τZ) x₀ of velocities, seen from which perturbations obey η̇ = (A − Z) η with a constant matrix.

    ``Z`` (n, n) turns the components of bodies that spin about axes of symmetry, and of velocities in axes of the world that go
    round in a circle; ``A`` (n, n) is that of `Perturbed` less Z.
    """

    A: np.ndarray
    Z: np.ndarray
    by_parameters: np.ndarray
    moves: bool


def steady_motion(
    model: Model, state: np.ndarray, t: float, values: np.ndarray, free: Allowed, remedy: str = "begin elsewhere"
) -> Steady:
    """The steady motion from a state at an instant; states whose velocities change are refused with the ``remedy``."""
    here = _smooth(model, state, t, values)
    nq, nv = model.nq, model.nv
    v, n = state[nq:], len(here.rates[0])
    turns = turning(model, v, here.rates[0, n - nv :], values)
    Z = np.zeros((n, n))
    Z[:nv, :nv] = Z[n - nv :, n - nv :] = turns
    _refuse_accelerated(model, here, Z, v, remedy)
    _refuse_changing(model, here, Z, state, t, values, free)
    return Steady(here.A[0] - Z, Z, here.by_parameters[0], bool(np.any(v)))


def _smooth(model: Model, state, t: float, values) -> Perturbed:
    """The rates of perturbations at one state; on a switch of a force both sides must agree."""
    tape = model.tape("motion")
    above = perturbation_rates(model, state[None], np.array([t]), values)
    names = _names(model)
    if tape.is_piecewise():
        below = perturbation_rates(model, state[None], np.array([t]), values, side=-1.0)
        size = max(1.0, float(np.abs(above.A).max(initial=0.0)))
        apart = np.maximum(np.abs(above.A - below.A)[0].max(axis=1, initial=0.0), np.abs(above.rates - below.rates)[0])
        if not apart.max(initial=0.0) <= STEADY * size:
            name = names[int(np.argmax(apart))]
            raise MethodError(
                f"system '{model.name}': the acceleration of '{name}' has no derivative here, since a force switches exactly at this "
                "state; linearize on one side of the switch, or write the force so that it is smooth"
            )
    bad = ~np.isfinite(above.A[0]).all(axis=1) | ~np.isfinite(above.rates[0])
    if bad.any():
        name = names[int(np.argmax(bad))]
        raise StartError(
            f"system '{model.name}': the acceleration of '{name}' or its derivative is not finite here; a force has no derivative at this "
            "state, or a chart is singular there: write the force otherwise, or use a quaternion"
        )
    return above


def _names(model: Model) -> list[str]:
    """Whose perturbations they are: velocities for θ, multipliers of the state, velocities again."""
    count = 0 if model.tree is None else model.tree.multipliers
    return [*model.layout.v_names, *model.layout.q_names[model.nq - count :], *model.layout.v_names]


def _refuse_accelerated(model: Model, here: Perturbed, Z: np.ndarray, v: np.ndarray, remedy: str) -> None:
    n, nv = len(Z), model.nv
    rest = here.rates[0].copy()
    rest[n - nv :] -= Z[n - nv :, n - nv :] @ v
    A = np.abs(here.A[0])
    size = np.maximum(1.0, A[:, : n - nv].sum(axis=1) + A[:, n - nv :] @ np.abs(v))
    over = np.abs(rest) / (STEADY * size)
    if over.max(initial=0.0) <= 1.0:
        return
    names = _names(model)
    worst = np.argsort(-over)[:3]
    told = ", ".join(f"'{names[i]}' by {rest[i]:.3g}" for i in worst if over[i] > 1.0)
    raise StartError(
        f"system '{model.name}': this is neither an equilibrium nor a steady motion: velocities change at the rates {told} (SI); "
        f"{remedy}"
    )


def _refuse_changing(model: Model, here: Perturbed, Z: np.ndarray, state, t: float, values, free: Allowed) -> None:
    """Refuse motions whose linear equations change with time, such as those of a wheel that is not round."""
    from scipy.linalg import expm

    nq, nv, n = model.nq, model.nv, len(Z)
    unit = 1.0 / max(1.0, float(np.abs(state[nq:]).max(initial=0.0)), float(np.abs(Z).max(initial=0.0)))
    T = free.columns(n - 2 * nv)
    size = max(1.0, float(np.abs(here.A).max(initial=0.0)))
    names = _names(model)
    instants = unit * np.array(LATER)
    turns = [expm(later * Z) for later in instants]
    states = np.array([
        np.concatenate([_places_later(model, state, Z[n - nv :, n - nv :], t, later, values), turned[n - nv :, n - nv :] @ state[nq:]])
        for later, turned in zip(instants, turns, strict=True)
    ])  # fmt: skip
    there = perturbation_rates(model, states, t + instants, values)
    for k, turned in enumerate(turns):
        apart = np.abs(there.A[k] @ turned @ T - turned @ here.A[0] @ T).max(axis=1, initial=0.0)
        rest = np.abs(there.rates[k, n - nv :] - Z[n - nv :, n - nv :] @ states[k, nq:])
        apart[n - nv :] = np.maximum(apart[n - nv :], rest)
        if apart.max(initial=0.0) <= ALIKE * size:
            continue
        name = names[int(np.argmax(apart))]
        raise StartError(
            f"system '{model.name}': the motion is not steady: {instants[k]:.3g} s later the equation of '{name}' has changed by "
            f"{apart.max():.3g} of {size:.3g} (SI); linear equations with constant coefficients exist about rest and about motions that "
            "look alike at every instant, where what runs on (the angle of a round wheel, the way along a road) changes nothing"
        )


def _places_later(model: Model, state, Z, t: float, later: float, values) -> np.ndarray:
    """Coordinates after some time of a motion whose velocities are exp(τZ) v, by kinematics alone."""
    from scipy.integrate import solve_ivp
    from scipy.linalg import expm

    nq = model.nq
    if not np.any(state[nq:]):
        return state[:nq]
    tape = model.tape("rates")

    def rate(tau, q):
        return evaluate_one(tape, np.concatenate([q, expm(tau * Z) @ state[nq:], [t + tau], values]))[:nq]

    return solve_ivp(rate, (0.0, later), state[:nq], "DOP853", rtol=INTEGRATED, atol=INTEGRATED).y[:, -1]
