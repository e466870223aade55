"""The Hamiltonian of a Lagrangian of any order."""

from collections.abc import Callable
from typing import Any

import numpy as np

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError
from vinculum.geometry.hamiltonian.functions import momentum_names
from vinculum.geometry.hamiltonian.phase_space import PhaseSpace
from vinculum.geometry.hamiltonian.sources.legendre import check_regular, name_symbols
from vinculum.scalars import gradient, jacobian
from vinculum.systems.jets import derivative_name


def transform_lagrangian(
    system: LagrangianSystem, coordinates: Callable | None
) -> tuple[PhaseSpace, tuple[tuple[str, Any], ...]]:
    r"""Legendre's transform, and Ostrogradsky's for orders N above one.

    .. math:: H = \sum_{k=0}^{N-2}\pi_k\cdot q^{(k+1)} + \pi_{N-1}\cdot q^{(N)} - L,\qquad
              \pi_{N-1} = \frac{\partial\tilde L}{\partial q^{(N)}},\quad \tilde L = L + \lambda F

    The coordinates are q, …, q^{(N−1)}. Of a vakonomic constraint F the multipliers follow from momenta like velocities do, with F = 0 in
    the place of an equation for momenta. Gołubowska (13)–(18), (91)–(94).
    """
    principle, where = system.principle, f"Lagrangian system '{system.name}'"
    if coordinates is not None:
        raise MethodError(f"{where}: coordinates= is for systems of bodies; use its restrict(places, coordinates)")
    if any(not (isinstance(x, float) and x == 0.0) for x in principle.D):
        raise MethodError(
            f"{where}: forces D act, which no Hamiltonian gives; leave out its dissipation, or call its canonical(), which adds D to ṗ"
        )
    moving = [rows.name for rows in principle.ideal if rows.level > 0]
    if moving:
        raise MethodError(
            f"{where}: the constraint '{moving[0]}' binds velocities by reactions, which has no Hamiltonian; vc.Vakonomic has one"
        )
    jet, order = principle.jet, principle.order
    names = tuple(derivative_name(name, k) for k in range(order) for name in system.coordinates)
    q, p = np.concatenate(jet.levels[:order]), name_symbols(momentum_names(names))
    w = np.concatenate([principle.highest, jet.multipliers[0]])
    K = p @ np.concatenate(jet.levels[1 : order + 1]) - principle.whole()
    hessian = -1.0 * np.asarray(jacobian(gradient(K, w), w), dtype=object)
    label = [derivative_name(name, order) for name in system.coordinates]
    label += [name for rows in principle.stationary for name in rows.multiplier_names()]
    check_regular(where, hessian, np.concatenate([q, w, [jet.t]]), label)
    space = PhaseSpace(system.name, names, momentum_names(names), q, p, jet.t, K, w, hessian, np.zeros(0, dtype=object))
    return space, tuple((rows.name, x) for rows in principle.ideal for x in rows.F)
