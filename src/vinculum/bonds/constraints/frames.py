"""Arguments of built-in constraints: directions, lengths, and positions relative to a second body."""

from typing import Any

import numpy as np

from vinculum.bonds.body_view import BodyView
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.scalars.math import cross, norm
from vinculum.screws.entries import entries


def direction(where: str, what: str, x) -> np.ndarray:
    """A unit vector (3,) along ``x``."""
    given = entries(f"{where}: {what}", x, (3,))
    if not np.any(value(given)):
        raise ModelError(f"{where}: {what} is zero and has no direction; give a vector that is not zero")
    return given / norm(given)


def positive(where: str, what: str, x, unit: str) -> Any:
    """A positive number, or a parameter whose value is one."""
    given = entries(f"{where}: {what}", x, ()).item()
    if not value(given) > 0.0:
        raise ModelError(f"{where}: {what} {value(given):g} {unit} is not positive; give a positive number")
    return given


def seen_from(other: BodyView, x) -> np.ndarray:
    """Position of a world point x (3,) in the frame of ``other``."""
    return other.rotation.T @ (x - other.position)


def carried_velocity(other: BodyView, x) -> np.ndarray:
    """Velocity (3,) [m/s] of the point of ``other`` at the position x, in world axes."""
    return other.velocity + cross(other.angular_velocity, x - other.position)


def slip(body: BodyView, p_B, other: BodyView) -> np.ndarray:
    """Velocity (3,) [m/s] of the point ``p_B`` of ``body`` relative to ``other``, in world axes."""
    return body.point_velocity(p_B) - carried_velocity(other, body.point(p_B))
