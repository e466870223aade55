"""The metric of a Lagrangian: its Hessian in the velocities."""

from collections.abc import Callable

import numpy as np

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError
from vinculum.geometry.sources.kinetic import KineticGraph
from vinculum.scalars import depends_on, gradient, jacobian


def metric_of_lagrangian(system: LagrangianSystem, coordinates: Callable | None) -> KineticGraph:
    r"""g_ij = ∂²L/∂v^i∂v^j of a Lagrangian that is quadratic in the velocities. Gołubowska (16)."""
    principle, where = system.principle, f"Lagrangian system '{system.name}'"
    if coordinates is not None:
        raise MethodError(f"{where}: coordinates= is for systems of bodies; use its restrict(places, coordinates)")
    if principle.order > 1:
        raise MethodError(f"{where} is of order {principle.order}; a metric is that of a Lagrangian of q and v")
    constrained = [rows.name for rows in (*principle.stationary, *principle.ideal)]
    if constrained:
        raise MethodError(
            f"{where}: its constraints {', '.join(constrained)} bind the coordinates; put it on the surface where they hold with "
            "restrict(places, coordinates)"
        )
    q, v = principle.jet.levels[:2]
    g = np.asarray(jacobian(gradient(principle.L, v), v), dtype=object)
    if depends_on(g.ravel(), v):
        raise MethodError(
            f"{where}: ∂²L/∂v∂v holds velocities, so that it is no metric; a kinetic energy is quadratic in them"
        )
    if depends_on(g.ravel(), [principle.jet.t]):
        raise MethodError(f"{where}: ∂²L/∂v∂v holds the time; a metric is a function of coordinates alone")
    return KineticGraph(system.name, tuple(system.coordinates), q, g)
