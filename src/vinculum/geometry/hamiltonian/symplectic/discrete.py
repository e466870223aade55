"""The discrete Lagrangian of the trapezoidal rule, and the equations of a step that follow from it."""

from typing import Any

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import MethodError
from vinculum.geometry.hamiltonian.functions import PhaseFunction
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.starts import Starts
from vinculum.scalars import depends_on, gradient, jacobian, substitute, symbol, symbols


def discrete_tape(space: PhaseSpace) -> tuple[Tape, int]:
    r"""The tape of one step for `variational_steps`, and the number of constraints on positions.

    .. math:: L_d(q, q') = \tfrac h2 L(q, v) + \tfrac h2 L(q', v),\quad v = (q' - q)/h

    .. math:: p + \partial_q L_d + \lambda\,\partial_q\varphi(q) = 0,\quad \varphi(q') = 0,\quad
              p' = \partial_{q'} L_d + \mu\,\partial_q\varphi(q'),\quad \dot\varphi(q', p') = 0

    Marsden and West, Acta Numerica 10 (2001) 357; with constraints it is RATTLE.
    """
    n, m = space.n, len(space.constraints) // 2
    if len(space.w) != n:
        raise MethodError(
            f"{space.where} has no Lagrangian of q and v, which a variational method needs: make it from a system of first order with "
            "Hamiltonian.of, or use method='gauss'"
        )
    bound = space.constraints[:m]
    if len(bound) and depends_on(bound, [*space.p, *space.w]):
        raise MethodError(
            f"{space.where}: its constraints hold momenta; a variational method is for constraints on positions"
        )
    new, lam, mu, h = symbols("new", n), symbols("lambda", m), symbols("mu", m), symbol("h")
    v, later = (new - space.q) * (1.0 / h), space.t + h
    L = -1.0 * substitute(np.array([space.K], dtype=object), space.p, np.zeros(n))[0]
    L_q, L_v = gradient(L, space.q), gradient(L, space.w)
    every = [*space.q, *space.w, space.t]
    both = np.concatenate([L_q, L_v])
    here, there = (substitute(both, every, [*q, *v, t]) for q, t in ((space.q, space.t), (new, later)))
    middle = 0.5 * (here[n:] + there[n:])
    p_new: Any = 0.5 * h * there[:n] + middle
    residuals: Any = space.p + 0.5 * h * here[:n] - middle
    if m:
        slopes = jacobian(bound, space.q)
        at_new = substitute(np.concatenate([bound, slopes.ravel()]), [*space.q, space.t], [*new, later])
        residuals = residuals + lam @ slopes
        p_new = p_new + mu @ at_new[m:].reshape(m, n)
        rates = substitute(space.explicit(space.constraints[m:]), [*space.q, *space.p, space.t], [*new, *p_new, later])
        residuals = np.concatenate([residuals, at_new[:m], rates])
    unknowns = np.concatenate([new, lam, mu])
    inputs = {"state": space.x, "unknowns": unknowns, "clock": np.array([space.t, h])}
    outputs = {"residuals": residuals, "jacobian": jacobian(residuals, unknowns), "momenta": p_new}
    return trace(inputs, outputs, space.parameters), m


def first_guess(starts: Starts, t: float, h: float) -> np.ndarray:
    """q + h q̇ (B, n)."""
    space, n = starts.space, starts.space.n
    velocities = PhaseFunction(space, space.coordinates, space.field[:n])
    q, p = starts.states[:, :n], starts.states[:, n:]
    return q + h * velocities(q, p, t, starts.parameters)
