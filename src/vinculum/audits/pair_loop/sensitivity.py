"""Sensitivity of the balanced quantities of very many mass points, in closed form."""

from collections.abc import Sequence

import numpy as np

from vinculum.motion.record import Record
from vinculum.motion.states import tape_groups
from vinculum.tolerances.samples import SENSITIVITY_INSTANTS


def pair_loop_sensitivities(motion: Record, deviations: Sequence[np.ndarray]) -> list[np.ndarray]:
    r"""The root of Σ (∂L/∂xᵢ δxᵢ)² for every balanced quantity of points, (m,), for each of the deviations δx (6n,).

    .. math:: \partial U/\partial x = -F,\quad \partial T/\partial v = m v,\quad
              \partial S/\partial v = m\,(x - C)\times,\quad \partial S/\partial x = -m\,(v - V)\times

    The result is the largest over some instants of the motion. The order is that of `quantities.Samples`.
    """
    time = np.linspace(motion.pieces.begin, motion.pieces.end, SENSITIVITY_INSTANTS)
    states = motion.pieces.state(time)
    found = tape_groups(motion, "balance", time, states)
    T, n = len(time), len(motion.model.layout.bodies)
    mass = found["mass"][:, :, None]
    force = found["wrench"].reshape(T, n, 6)[..., :3]
    x, v = (states[:, k * 3 * n : (k + 1) * 3 * n].reshape(T, n, 3) for k in (0, 1))
    share = mass / mass.sum(axis=1, keepdims=True)
    arm, relative = (y - (share * y).sum(axis=1, keepdims=True) for y in (x, v))
    return [
        _quantity_changes(mass, force, v, arm, relative, *deviation.reshape(2, n, 3)).max(axis=0)
        for deviation in deviations
    ]


def _quantity_changes(mass, force, v, arm, relative, dx, dv) -> np.ndarray:
    """Changes (T, m) of all quantities for deviations dx, dv (n, 3)."""
    T, n = len(mass), len(dx)
    kinetic = ((mass * v * dv) ** 2).sum(axis=(1, 2))
    energy = ((force * dx) ** 2).sum(axis=(1, 2)) + kinetic
    p, c = mass * dv, mass * dx
    turned = np.zeros((T, 3))
    for a, b in ((1, 2), (2, 0), (0, 1)):
        k = 3 - a - b
        for y, d in ((arm, dv), (relative, dx)):
            turned[:, k] += ((mass[..., 0] * y[..., a] * d[:, b]) ** 2 + (mass[..., 0] * y[..., b] * d[:, a]) ** 2).sum(
                axis=1
            )
    bodies = np.concatenate([p, np.zeros_like(p), c], axis=2).reshape(T, 9 * n)
    system = np.sqrt(np.concatenate([(p**2).sum(axis=1), turned, (c**2).sum(axis=1)], axis=1))
    own = np.broadcast_to(dx.ravel(), (T, 3 * n))
    return np.concatenate([np.sqrt(energy)[:, None], np.sqrt(kinetic)[:, None], bodies, system, own], axis=1)
