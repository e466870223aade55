"""The kinetic measure of bodies in a motion: their mass and momentum on time-space."""

from collections.abc import Callable
from typing import Any

import numpy as np

from vinculum.bodies import second_moment
from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import StartError
from vinculum.measures.kinetic import KineticMeasure
from vinculum.motion.pieces import horner
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.scalars import value


def kinetic_measure(motion: Any, bodies) -> KineticMeasure:
    """The measure on time-space (t, x, y, z) of bodies, all by default.

    A rigid body is six points of a sixth of its mass on its principal axes, which have its mass, mass center and inertia, so the
    momentum and energy of the measure are those of the body.
    """
    names = [body if isinstance(body, str) else getattr(body, "name", body) for body in bodies] or list(
        motion.model.layout.bodies
    )
    if motion.carried is not None:
        return kinetic_measure(motion.carried.relative(motion), bodies).push_forward(motion.carried.frame)
    measures = []
    for name in names:
        for point, mass in _material_points(motion, name):
            paths = [_path(motion, name, point, k) for k in range(len(motion.pieces))]
            measures.append(KineticMeasure.trajectory(paths, np.asarray(motion.pieces.times), mass))
    if not measures:
        raise StartError(f"the bodies {names} have no mass, so there is nothing to measure; name others")
    return KineticMeasure(tuple(part for one in measures for part in one.parts))


def _material_points(motion: Any, name: str) -> list[tuple[np.ndarray, float]]:
    """Points of a body's own frame with masses that move like it."""
    index, tree = motion.model.index("bodies", name).index, motion.model.tree
    if tree is None:
        raise StartError(
            f"'{motion.model.name}' is a loaded run, which knows no inertia of '{name}'; simulate the System it came from"
        )
    link, values = tree.links[index], dict(zip(motion.model.parameter_names, motion.values.tolist(), strict=True))
    if link.extra_inertia is not None:
        raise StartError(
            f"the momentum of '{name}' is not that of a mass measure, so it has no kinetic measure; name other bodies"
        )
    if link.mass_place is not None:
        raise StartError(
            f"the mass of '{name}' varies, and its kinetic measure would need points that come and go; name other bodies, or use "
            f"motion.body({name!r}).momentum"
        )
    mass, center, S = (
        np.asarray(value(x, values), dtype=float) for x in (link.mass, link.center, second_moment(link.body))
    )
    R_BL, p_BL = _link_in_body(link, values)
    center = R_BL @ center + p_BL
    if not mass > 0.0:
        return []
    second, axes = np.linalg.eigh(S)
    if not link.body.turns or not np.any(S):
        return [(center, float(mass))]
    arms = axes * np.sqrt(3.0 * np.maximum(second, 0.0) / mass)
    return [(center + sign * arms[:, i], float(mass) / 6.0) for i in range(3) for sign in (1.0, -1.0)]


def _link_in_body(link, values) -> tuple[np.ndarray, np.ndarray]:
    R_LB, p_LB = (np.asarray(value(x, values), dtype=float) for x in (link.X_LB.R, link.X_LB.p))
    return R_LB.T, -R_LB.T @ p_LB


def _path(motion: Any, name: str, point: np.ndarray, k: int) -> Callable:
    """Position and velocity of a material point on one piece of the motion, as functions of time."""

    def path(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        t = np.asarray(t, dtype=float)
        begin = float(motion.pieces.times[k])
        coefficients = np.broadcast_to(
            np.asarray(motion.pieces.coefficients[k]), (len(t), *motion.pieces.coefficients.shape[1:])
        )
        states = motion.model.on_charts(recorded_states(motion, t, horner(coefficients, t - begin)))
        found = evaluate_groups(motion.model.tape("bodies"), tape_rows(motion, t, states))
        if f"{name}/deformation" in found:
            F, F_dot = (found[f"{name}/{what}"].reshape(-1, 3, 3) for what in ("deformation", "deformation_rate"))
            return found[f"{name}/position"] + F @ point, found[f"{name}/velocity"] + F_dot @ point
        arm = found[f"{name}/rotation"].reshape(-1, 3, 3) @ point
        turning = np.cross(found[f"{name}/angular_velocity"], arm)
        return found[f"{name}/position"] + arm, found[f"{name}/velocity"] + turning

    return path
