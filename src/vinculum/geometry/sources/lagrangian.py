"""The metric of a Lagrangian: its Hessian in the velocities."""

from collections.abc import Callable
from typing import Any

import numpy as np

from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError, StartError
from vinculum.geometry.sources.kinetic import KineticGraph
from vinculum.geometry.sources.local import on_surface
from vinculum.motion.arguments import floats
from vinculum.scalars import depends_on, gradient, jacobian


def metric_of_lagrangian(system: LagrangianSystem, coordinates: Callable | None, at: Any) -> KineticGraph:
    r"""g_ij = ∂²L/∂v^i∂v^j of a Lagrangian that is quadratic in the velocities, about a place ``at`` that of the surface where holonomic
    constraints hold. Gołubowska (16)."""
    principle, where = system.principle, f"Lagrangian system '{system.name}'"
    if coordinates is not None:
        raise MethodError(f"{where}: coordinates= is for systems of bodies; use its restrict(places, coordinates)")
    if principle.order > 1:
        raise MethodError(f"{where} is of order {principle.order}; a metric is that of a Lagrangian of q and v")
    constrained = [rows.name for rows in (*principle.stationary, *principle.ideal)]
    if constrained and at is None:
        raise MethodError(
            f"{where}: its constraints {', '.join(constrained)} bind the coordinates; put it on the surface where they hold with "
            "restrict(places, coordinates), or about a place on it with at="
        )
    q, v = principle.jet.levels[:2]
    g = np.asarray(jacobian(gradient(principle.L, v), v), dtype=object)
    if depends_on(g.ravel(), v):
        raise MethodError(
            f"{where}: ∂²L/∂v∂v holds velocities, so that it is no metric; a kinetic energy is quadratic in them"
        )
    if depends_on(g.ravel(), [principle.jet.t]):
        raise MethodError(f"{where}: ∂²L/∂v∂v holds the time; a metric is a function of coordinates alone")
    full = KineticGraph(system.name, tuple(system.coordinates), q, g)
    if not constrained:
        return full
    moving = [rows.name for rows in principle.stationary] + [rows.name for rows in principle.ideal if rows.level > 0]
    if moving:
        raise MethodError(
            f"{where}: constraint '{moving[0]}' binds velocities, and a metric is for holonomic constraints"
        )
    gaps = np.concatenate([rows.F for rows in principle.ideal])
    if depends_on(np.append(gaps, 0.0), [principle.jet.t]):
        raise MethodError(f"{where}: its constraints hold the time, so that they leave no surface that stays")
    place = floats(f"{where}: at", at)
    if place.shape != (len(q),):
        raise StartError(
            f"{where}: at has shape {place.shape}; give {len(q)} numbers for {', '.join(system.coordinates)}"
        )
    return on_surface(full, gaps, place, f"{where}: its constraints")
