"""Balances of mass points for the certificate: energies, powers, momenta and wrenches."""

import numpy as np


def balance_of_points(
    x: np.ndarray,
    v: np.ndarray,
    mass: np.ndarray,
    gravity: np.ndarray,
    pairs: tuple[np.ndarray, np.ndarray, np.ndarray],
    others: tuple[np.ndarray, dict[str, np.ndarray], np.ndarray],
) -> dict[str, np.ndarray]:
    """The groups of the tape "balance", (B, …) each, for points at ``x`` with velocities ``v``, (B, 3n).

    ``mass`` (B, n), ``gravity`` (B, 3). ``pairs``: forces of all pairs (B, 3n), sums of their sizes (B, n), and energy, its size and
    time slope (B, 3). ``others``: forces of the other actions (B, 3n), what they do, and the sizes of the forces (B, 3n).
    """
    (force, size, whole), (rest, extra, extra_size) = pairs, others
    B, n = mass.shape
    weight = (mass[:, :, None] * gravity[:, None, :]).reshape(B, -1)
    p = (mass[:, :, None] * v.reshape(B, n, 3)).reshape(B, -1)
    lift = np.einsum("bic,bc->b", p.reshape(B, n, 3), gravity)
    potential = np.einsum("bi,bi->b", force, v) + np.einsum("bi,bi->b", rest, v) - extra["given_power"][:, 0]
    slope = whole[:, 2] + extra["time_slope"][:, 0]
    sizes = np.repeat(size, 3, axis=1) + extra_size
    weight_size = np.abs(weight).reshape(B, n, 3).sum(axis=2)
    speeds = np.abs(v)
    still = np.zeros((B, n, 3))
    height = np.einsum("bi,bi->b", weight, x)
    return {
        "kinetic": 0.5 * np.einsum("bi,bi->b", p, v)[:, None],
        "potential": (whole[:, 0] + extra["energy"][:, 0] - height)[:, None],
        "power": (extra["given_power"][:, 0] + slope)[:, None],
        "multiplier_rates": np.zeros((B, 0)),
        "varied_size": np.zeros((B, 1)),
        "drive_power": np.zeros((B, 0)),
        "drive_power_size": np.zeros((B, 0)),
        "dissipation": np.zeros((B, 1)),
        "work": (lift + potential - slope)[:, None],
        "work_size": (np.einsum("bi,bi->b", sizes + np.abs(weight), speeds) + np.abs(slope))[:, None],
        "potential_size": (whole[:, 1] + extra["energy_size"][:, 0] + np.einsum("bi,bi->b", np.abs(weight), np.abs(x)))[:, None],
        "mass": mass,
        "reach": np.abs(x).reshape(B, n, 3).sum(axis=2),
        "center": x,
        "momentum": np.concatenate([p.reshape(B, n, 3), still], axis=2).reshape(B, -1),
        "wrench": np.concatenate([(force + rest + weight).reshape(B, n, 3), still], axis=2).reshape(B, -1),
        "wrench_size": np.concatenate([sizes.reshape(B, n, 3) + weight_size[:, :, None], still], axis=2).reshape(B, -1),
        "reaction_power": np.zeros((B, 0)),
        "reaction_size": np.zeros((B, 0)),
        "pair_force": force,
        "pair_size": size,
    }  # fmt: skip
