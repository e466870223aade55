"""The metric of a Lagrangian: its Hessian in the velocities."""

from collections.abc import Callable
from typing import Any

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.trace import trace
from vinculum.derivations.lagrangian.system import LagrangianSystem
from vinculum.errors import MethodError, StartError
from vinculum.geometry.sources.kinetic import KineticGraph
from vinculum.geometry.sources.local import on_surface
from vinculum.motion.arguments import floats
from vinculum.scalars import depends_on, gradient, jacobian, parameters
from vinculum.tolerances.constraints import CONSTRAINT_MET
from vinculum.tolerances.rank import DEPENDENT_ROWS
from vinculum.tolerances.samples import BESIDE_A_PLACE, RANK_SAMPLES


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
    place = None if at is None else _checked_place(system, where, at)
    if place is None or not constrained:
        return full
    moving = [rows.name for rows in principle.stationary] + [rows.name for rows in principle.ideal if rows.level > 0]
    if moving:
        raise MethodError(
            f"{where}: constraint '{moving[0]}' binds velocities, and a metric is for holonomic constraints"
        )
    gaps = np.concatenate([rows.F for rows in principle.ideal])
    if depends_on(np.append(gaps, 0.0), [principle.jet.t]):
        raise MethodError(f"{where}: its constraints hold the time, so that they leave no surface that stays")
    _check_on_surface(where, constrained, full, gaps, place)
    return on_surface(full, gaps, place, f"{where}: its constraints")


def _checked_place(system: LagrangianSystem, where: str, at: Any) -> np.ndarray:
    place = floats(f"{where}: at", at)
    if place.shape != (len(system.coordinates),):
        count, names = len(system.coordinates), ", ".join(system.coordinates)
        raise StartError(f"{where}: at has shape {place.shape}; give {count} numbers for {names}")
    return place


def _check_on_surface(where: str, names: list[str], full: KineticGraph, gaps: np.ndarray, place: np.ndarray) -> None:
    """Refuse a place at which constraints do not vanish, and one at which their derivatives have a lower rank than beside it."""
    C, known = np.asarray(jacobian(gaps, full.q), dtype=object), parameters(np.append(gaps, 0.0))
    size = max(1.0, float(np.abs(place).max()))
    beside = place + BESIDE_A_PLACE * size * np.random.default_rng(11).normal(size=(RANK_SAMPLES, len(place)))
    places = np.concatenate([place[None], beside])
    values = np.broadcast_to([known[name] for name in sorted(known)], (len(places), len(known)))
    found = evaluate(trace({"q": full.q}, {"c": gaps, "C": C}, known), np.concatenate([places, values], axis=1))
    c, J = found[0, : len(gaps)], found[:, len(gaps) :].reshape(-1, *C.shape)
    if not np.all(np.abs(c) <= CONSTRAINT_MET * size):
        raise StartError(
            f"{where}: its constraints {', '.join(names)} do not hold at {place.tolist()}, where they are up to {np.abs(c).max():.3g}; "
            "give a place on their surface"
        )
    ranks = [np.linalg.matrix_rank(one, tol=DEPENDENT_ROWS * max(1.0, float(np.abs(J).max()))) for one in J]
    if max(ranks) > ranks[0]:
        raise StartError(
            f"{where}: at {place.tolist()} the derivatives of its constraints have rank {ranks[0]}, and {max(ranks)} beside it, so that "
            "they leave no surface there; choose a place beside it"
        )
