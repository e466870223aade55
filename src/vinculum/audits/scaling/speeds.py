"""Speeds that bodies have, or that single forces would give them."""

import numpy as np


def speeds_and_turns(balance: dict[str, np.ndarray], span: float) -> np.ndarray:
    """The largest speed [m/s] and angular velocity [rad/s] of bodies, or those that single forces and moments would produce in a time [s]
    if nothing balanced them, (2,): the scale of round-off in velocities. ``balance``: rows of that tape."""
    wrench = balance["wrench_size"].reshape(*balance["mass"].shape, 6)
    made = []
    for inertia, loads in ((balance["mass"], wrench[..., 0]), (balance["inertia"], wrench[..., 3])):
        rates = np.divide(loads, inertia, out=np.zeros_like(loads), where=inertia > 0.0)
        made.append(span * float(rates.max(initial=0.0)))
    return np.maximum(balance["speeds"].max(axis=0), made)
