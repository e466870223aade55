"""Lyapunov spectra and covariant vectors, from the variational equations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import MethodError
from vinculum.geometry.hamiltonian.arguments import positive_number, whole_number
from vinculum.geometry.hamiltonian.flow.flow import Flow, Keep, check_course, check_free, check_tolerance
from vinculum.geometry.hamiltonian.starts import Starts, starts_of
from vinculum.geometry.hamiltonian.system import Hamiltonian
from vinculum.geometry.hamiltonian.walls import Wall, with_walls
from vinculum.motion.arguments import grid_instants, whole_span
from vinculum.tolerances.sizes import MOST_INSTANTS
from vinculum.tolerances.steps import FLOW_TOLERANCE


@final
@dataclass(frozen=True, eq=False)
class LyapunovSpectrum:
    """``exponents`` (2n,), largest first, up to the end; ``history`` (T, 2n): up to each of the instants ``time`` (T,). With B starts
    (B, 2n) and (B, T, 2n)."""

    time: np.ndarray
    history: np.ndarray

    @property
    def exponents(self) -> np.ndarray:
        return self.history[..., -1, :]

    def __repr__(self):
        return f"LyapunovSpectrum({np.array2string(self.exponents, precision=6, threshold=8)}, up to {self.time[-1]:g})"


@final
@dataclass(frozen=True, eq=False)
class CovariantVectors:
    """Unit vectors ``vectors`` (T, 2n, 2n), the k-th column along the k-th exponent, at states ``q``, ``p`` (T, n) and instants ``time``
    (T,); the flow carries each to itself. ``exponents`` (2n,): their mean rates of growth."""

    time: np.ndarray
    q: np.ndarray
    p: np.ndarray
    vectors: np.ndarray
    exponents: np.ndarray

    def __repr__(self):
        return f"CovariantVectors({len(self.time)} instants from {self.time[0]:g} to {self.time[-1]:g})"


def lyapunov_spectrum(hamiltonian: Hamiltonian, until: float, q, p, *, begin: float = 0.0, grid=2, tolerance: float = FLOW_TOLERANCE,
                      walls: Sequence[Wall] = (), parameters: Mapping[str, float] | None = None) -> LyapunovSpectrum:  # fmt: skip
    r"""All Lyapunov exponents of the motion from ``q`` and ``p``, (n,) each, or (B, n) for B motions at once.

    .. math:: \lambda_k = \frac1t\sum\ln R_{kk},\qquad \dot Y = \partial_x f\,Y,\quad Y = Q\,R

    Deviations Y are integrated with the motion and made orthonormal after every step. They start as a frame (u, J u reversed) with
    unitary u, so that at every instant λ_k + λ_{2n+1−k} = 0 up to errors of the steps. ``grid``: instants of the history, as in
    `simulate`. ``tolerance``: relative, of each step. ``walls``: beside the unilateral constraints of a system; the saltation of impacts
    acts on deviations.
    """
    starts, flow, tolerance, begin, until = _prepare(hamiltonian, until, q, p, begin, tolerance, walls, parameters)
    instants = grid_instants(grid, begin, until)
    instants = instants[instants > begin]
    course = flow.run(_with_frames(starts), starts.parameters, begin, instants, tolerance, Keep(normal=True))
    check_course(starts.space, course)
    history = course.sums / (instants - begin)[:, None]
    return LyapunovSpectrum(instants, history[0] if starts.one else history)


def covariant_vectors(hamiltonian: Hamiltonian, until: float, q, p, *, interval: float, transient: float, begin: float = 0.0,
                      tolerance: float = FLOW_TOLERANCE, parameters: Mapping[str, float] | None = None) -> CovariantVectors:  # fmt: skip
    """Covariant Lyapunov vectors along the motion from ``q`` and ``p`` (n,), at instants ``interval`` apart.

    Orthonormal frames go forward, and triangular coefficients go backward with their factors R; both are first left to settle for a
    time ``transient`` at their end of the run. Ginelli et al., Phys. Rev. Lett. 99 (2007) 130601.
    """
    starts, flow, tolerance, begin, until = _prepare(hamiltonian, until, q, p, begin, tolerance, (), parameters)
    if not starts.one:
        raise MethodError(f"{starts.space.where}: covariant vectors are those of one motion; give one start")
    interval = positive_number(starts.space.where, "interval", interval, until - begin)
    transient = positive_number(starts.space.where, "transient", transient, until - begin)
    count = whole_number(
        starts.space.where,
        "the number of intervals",
        round(min((until - begin) / interval, 2.0 * MOST_INSTANTS)),
        2,
        MOST_INSTANTS,
    )
    if not 2.0 * transient + 2.0 * interval <= until - begin:
        raise MethodError(
            f"{starts.space.where}: a run of {until - begin:g} has no part that is {transient:g} from both of its ends; run longer"
        )
    instants = begin + (until - begin) / count * np.arange(1, count + 1)
    course = flow.run(
        _with_frames(starts), starts.parameters, begin, instants, tolerance, Keep(normal=True, factors=True)
    )
    check_course(starts.space, course)
    n = 2 * starts.space.n
    frames = course.states[0, :, n:].reshape(count, n, n).swapaxes(1, 2)
    C, kept, rates = np.eye(n), {}, np.zeros(n)
    inside = (instants >= begin + transient) & (instants <= until - transient)
    for g in range(count - 1, -1, -1):
        if inside[g]:
            kept[g] = frames[g] @ C
        C = np.linalg.solve(course.R[0, g], C)
        sizes = np.linalg.norm(C, axis=0)
        C = C / sizes
        if inside[g] and g > 0 and inside[g - 1]:
            rates -= np.log(sizes)
    places = np.flatnonzero(inside)
    states = course.states[0, places, :n]
    return CovariantVectors(instants[places], states[:, : n // 2], states[:, n // 2 :], np.array([kept[g] for g in places]),
                            rates / (instants[places[-1]] - instants[places[0]]))  # fmt: skip


def _prepare(hamiltonian, until, q, p, begin, tolerance, walls, parameters) -> tuple[Starts, Flow, float, float, float]:
    begin, until = whole_span(begin, until)
    starts = starts_of(with_walls(hamiltonian, walls), q, p, begin, parameters)
    where = starts.space.where
    check_free(starts.space, "a Lyapunov spectrum")
    flow = Flow(starts.space, 2 * starts.space.n)
    flow.check_starts(starts.states, starts.parameters, begin)
    return starts, flow, check_tolerance(where, tolerance), begin, until


def _with_frames(starts: Starts) -> np.ndarray:
    """States followed by a symplectic and orthonormal frame: u₁ … u_n, J u_n … J u₁, which the same random unitary matrix gives for all."""
    n = starts.space.n
    draw = np.random.default_rng(8)
    U, _ = np.linalg.qr(draw.normal(size=(n, n)) + 1j * draw.normal(size=(n, n)))
    first = np.concatenate([np.real(U), np.imag(U)])
    turned = np.concatenate([-np.imag(U), np.real(U)])
    frame = np.concatenate([first, turned[:, ::-1]], axis=1)
    return np.concatenate([starts.states, np.broadcast_to(frame.T.ravel(), (len(starts.states), 4 * n * n))], axis=1)
