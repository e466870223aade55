"""Action and angle variables of Hamiltonians that are separable in their coordinates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import MethodError
from vinculum.geometry.hamiltonian.arguments import name_list, positive_number
from vinculum.geometry.hamiltonian.flow.flow import check_free, check_tolerance
from vinculum.geometry.hamiltonian.functions import PhaseFunction
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace, depends_on_time
from vinculum.geometry.hamiltonian.round_trips import RoundTrip, SingleFreedomMotion
from vinculum.geometry.hamiltonian.separability import OTHER_COORDINATES, check_separable
from vinculum.geometry.hamiltonian.starts import Starts, starts_of
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.geometry.hamiltonian.walls import check_unbounded
from vinculum.scalars import depends_on
from vinculum.screws.sheets import TURN
from vinculum.tolerances.functions import SEPARATED
from vinculum.tolerances.samples import SEPARABILITY_SAMPLES
from vinculum.tolerances.steps import ORBIT_TOLERANCE


@final
@dataclass(frozen=True, eq=False)
class ActionAngles:
    """``actions`` (n,), ``frequencies`` ω = ∂H/∂J (n,) and ``angles`` θ (n,) at a state, in the order of the coordinates.

    The angle of an oscillation is 0 where its coordinate is largest; that of a coordinate that turns is 0 where the coordinate is. Where
    several degrees of freedom move each other, all angles are 0 where each is there.
    """

    actions: np.ndarray
    frequencies: np.ndarray
    angles: np.ndarray

    def __repr__(self):
        return f"ActionAngles(actions {np.array2string(self.actions, precision=9)})"


def action_angles(hamiltonian: Hamiltonian, q, p, *, until: float = 1e4, angles: Sequence[str] = (), tolerance: float = ORBIT_TOLERANCE,
                  parameters: Mapping[str, float] | None = None) -> ActionAngles:  # fmt: skip
    r"""Action and angle variables at a state ``q``, ``p`` (n,), where the Hamilton–Jacobi equation separates in the given coordinates.

    .. math:: J_i = \frac1{2\pi}\oint p_i\,dq^i,\qquad \dot\theta_i = \omega_i = \frac{\partial H}{\partial J_i},\qquad
              \theta_i = \frac{\partial}{\partial J_i}\sum_k\int p_k(q^k; J)\,dq^k

    p_k(q^k) is the level curve of H through the state with all other degrees of freedom held, which is the same wherever they are on the
    torus. Whether H is separable is tested by Levi-Civita's conditions around the state, and on the torus itself. The momenta of cyclic
    coordinates are their actions. ``angles``: coordinates with period 2π, which may turn. ``until``: time within which every oscillation
    must return, while the others are held.
    """
    starts = starts_of(hamiltonian, q, p, 0.0, parameters)
    space = starts.space
    if not starts.one:
        raise MethodError(f"{space.where}: action and angle variables are those of one state; give one")
    check_free(space, "action and angle variables")
    check_unbounded(space, "a round trip of action variables")
    if depends_on_time(space):
        raise MethodError(f"{space.where} depends on time, so that it has no action and angle variables here")
    check_separable(starts)
    angles, until = (
        name_list(space.where, "angles", angles, space.coordinates),
        positive_number(space.where, "until", until),
    )
    tolerance, n = check_tolerance(space.where, tolerance), space.n
    cyclic = _cyclic(space)
    rates = PhaseFunction(space, ("f",), space.rates)
    trips = {
        k: SingleFreedomMotion(starts, k, space.coordinates[k] in angles, until, tolerance).measure(rates)
        for k in range(n)
        if k not in cyclic
    }
    _check_torus(hamiltonian, starts, trips)
    J = starts.states[0, n:].copy()
    for k, trip in trips.items():
        J[k] = trip.action
    omega, theta = _frequencies_and_angles(starts, rates, trips)
    turns = [k for k in range(n) if k in trips or space.coordinates[k] in angles]
    theta[turns] %= TURN
    return ActionAngles(J, omega, theta)


def _cyclic(space: PhaseSpace) -> list[int]:
    """Coordinates that H does not hold."""
    f = np.append(space.explicit(space.rates), 0.0)
    return [i for i in range(space.n) if not depends_on(f, [space.q[i]])]


def _frequencies_and_angles(
    starts: Starts, rates: PhaseFunction, trips: Mapping[int, RoundTrip]
) -> tuple[np.ndarray, np.ndarray]:
    r"""∂H/∂J (n,) and θ (n,).

    The state is varied by y_j ε_j in the plane of each degree of freedom j. Along the round trip of k, with time s,

    .. math:: \delta p_k\,dq^k = \sum_j w_{kj}\,y_j\,ds,\quad w_{kk} = \nu_k,\quad
              w_{kj} = \nu_j - \langle\partial_j H(s), \varepsilon_j\rangle,\quad \nu_j = \langle\partial_j H(0), \varepsilon_j\rangle .

    So ∂J_k/∂y_j = ∮ w_kj ds / 2π and ∂H/∂y_j = ν_j give the frequencies, and the integrals from the references on give ∂S/∂y_j, and with
    that the angles. The momentum of a cyclic coordinate is varied itself.
    """
    n, x = starts.space.n, starts.states[0]
    f = rates.at_rows(np.concatenate([x, [0.0], starts.values])[None])[0]
    directions = np.zeros((n, 2 * n))
    for j in range(n):
        if j in trips:
            reach = np.ptp(trips[j].curve, axis=0)
            slope = np.array([-f[n + j], f[j]])
            step = reach**2 * slope / (reach**2 @ slope**2)
            directions[j, [j, n + j]] = step[1], -step[0]
        else:
            directions[j, j] = 1.0
    nu = directions @ f
    C, u = np.eye(n), np.zeros(n)
    for k in range(n):
        if k not in trips:
            u[k] += x[k]
            continue
        trip = trips[k]
        whole, part = trip.period * trip.means, trip.integral_of_rates(trip.reference)
        loop = nu * trip.period - directions @ whole
        past = nu * trip.reference - directions @ part
        loop[k], past[k] = nu[k] * trip.period, nu[k] * trip.reference
        C[k] = trip.sign * loop / TURN
        u -= past
    return np.linalg.solve(C.T, nu), np.linalg.solve(C.T, u)


def _check_torus(hamiltonian: Hamiltonian, starts: Starts, trips: Mapping[int, RoundTrip]) -> None:
    """Refuse level curves whose product, a torus, leaves the level of H."""
    if len(trips) < 2:
        return
    n, draw = starts.space.n, np.random.default_rng(10)
    states = np.broadcast_to(starts.states[0], (SEPARABILITY_SAMPLES, 2 * n)).copy()
    scale = 0.0
    for k, trip in trips.items():
        states[:, [k, n + k]] = trip.curve[draw.integers(0, len(trip.curve), SEPARABILITY_SAMPLES)]
        scale = max(scale, float(np.abs(np.ptp(trip.curve, axis=0) @ np.abs(trip.rates[:, [n + k, k]]).max(axis=0))))
    H = hamiltonian(states[:, :n], states[:, n:], 0.0, starts.parameters)
    E = hamiltonian(starts.states[0, :n], starts.states[0, n:], 0.0, starts.parameters)
    if np.abs(H - E).max() > SEPARATED * max(scale, abs(E)):
        raise MethodError(
            f"{starts.space.where}: with the other coordinates held, {', '.join(starts.space.coordinates[k] for k in trips)} go around "
            f"curves that are not on one level of H together, so that it does not separate; {OTHER_COORDINATES}"
        )
