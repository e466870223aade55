"""`Path`: a pose that is a given function of time, with its twist and the rate of its twist."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies.smoothness import corners
from vinculum.errors import ModelError, StartError, VinculumError
from vinculum.scalars import Scalar, directional, replay, substitute, symbol, vector
from vinculum.scalars.graph import nodes
from vinculum.scalars.math import NUMERIC, norm
from vinculum.screws import Quaternion, axial, is_rotation, rotation
from vinculum.screws.entries import entries, shorten
from vinculum.tolerances.functions import TYPED

INSTANTS = (0.0, 0.013, 0.17, 0.61, 1.0, 2.3, 10.0)


@final
@dataclass(frozen=True, eq=False)
class Path:
    """A pose over the symbol (or number) ``t``: ``p`` (3,), ``R`` (3, 3), both in the world.

    ``twist`` (6,) = (v, ω): velocity of the origin and angular velocity in the moving axes; ``twist_rate`` (6,): the time
    derivatives of these components. O'Reilly and Srinivasa, (3) and section 7.3.
    """

    t: Any
    p: np.ndarray
    R: np.ndarray
    twist: np.ndarray
    twist_rate: np.ndarray

    def at(self, t) -> "Path":
        """The same path at another symbol or at an instant [s]."""
        old, new = np.array([self.t], dtype=object), np.array([t], dtype=object)
        p, R, twist, rate = (_narrow(substitute(x, old, new)) for x in (self.p, self.R, self.twist, self.twist_rate))
        return Path(t, p, R, twist, rate)

    def check(self, where: str, values: Mapping[str, float] | None = None) -> None:
        """Refuse a path without any finite pose or acceleration, and matrices that are not rotations.

        Some instants from 0 to 10 s are looked at; a function may be undefined at some of them, but not at all.
        """
        p, R, rest = (
            self._samples(x, INSTANTS, values) for x in (self.p, self.R, np.stack([self.twist, self.twist_rate]))
        )
        _check_finite(f"{where}: position", p)
        _check_finite(f"{where}: rotation", R)
        for t, matrix in zip(INSTANTS, R, strict=True):
            if np.all(np.isfinite(matrix)) and not is_rotation(matrix, TYPED):
                off = np.abs(matrix.T @ matrix - np.eye(3)).max()
                raise ModelError(
                    f"{where}: rotation at t = {t:g} s is {shorten(matrix.tolist())}, which is not a rotation: RᵀR differs from I "
                    f"by {off:.2g} and det R is {np.linalg.det(matrix):.6g}; return (axis, angle), a quaternion or a rotation matrix"
                )
        _check_finite(f"{where}: the velocity or acceleration of its motion", rest)

    def check_at(self, where: str, t: float, values: Mapping[str, float] | None = None) -> None:
        """Refuse an instant [s] at which the pose or its first two derivatives are not finite."""
        parts = {"position": self.p, "rotation": self.R, "velocity": self.twist, "acceleration": self.twist_rate}
        for what, x in parts.items():
            if not np.all(np.isfinite(self._samples(x, (t,), values))):
                raise StartError(
                    f"{where} is prescribed, and its {what} at t = {t:g} s is not finite; begin at another instant, or change its functions"
                )

    def _samples(self, x: np.ndarray, instants: Sequence[float], values: Mapping[str, float] | None) -> np.ndarray:
        """Numbers (instants, *shape) with the values of parameters put in."""
        times = np.array(instants)

        def leaf(node: Scalar):
            return times if node.op == "symbol" else (values or {}).get(*node.args)

        with np.errstate(all="ignore"):
            flat = replay(np.asarray(x, dtype=object).ravel(), leaf, NUMERIC)
        full = [np.broadcast_to(np.asarray(y, dtype=float), len(times)) for y in flat]
        return np.stack(full, axis=1).reshape(len(times), *np.shape(x))


def path_of(where: str, position, turned) -> Path:
    """The path that a user's functions of time describe, differentiated twice."""
    t = symbol("t")
    p = _position(f"{where}: position", position, t)
    R, w = _rotation(f"{where}: rotation", turned, t)
    twist = np.concatenate([R.T @ _rate(p, t), w])
    return Path(t, p, R, twist, _rate(twist, t))


def _position(where: str, given, t: Scalar) -> np.ndarray:
    p = _numbers(where, _value_at(where, given, t), t)
    if p.shape != (3,):
        raise ModelError(
            f"{where} has {_count_text(p)}: give three (x, y, z) [m], or a function of t that returns three"
        )
    return p


def _rotation(where: str, given, t: Scalar) -> tuple[np.ndarray, np.ndarray]:
    """R (3, 3) and the angular velocity (3,) in the turned axes."""
    if given is None:
        return np.eye(3), np.zeros(3)
    found = _value_at(where, given, t)
    if isinstance(found, (tuple, list)) and len(found) == 2:
        axis, angle = (_numbers(where, _value_at(where, part, t), t) for part in found)
        if axis.shape != (3,) or angle.shape != ():
            raise ModelError(f"{where} has an axis of shape {axis.shape} and an angle of shape {angle.shape}: give (axis, angle)"
                             " with three numbers and one [rad]")  # fmt: skip
        if axis.dtype != object and not np.any(axis):
            raise ModelError(f"{where}: axis {axis.tolist()} has length zero; give a direction such as (0, 0, 1)")
        n = axis / norm(axis)
        R = rotation(n, angle.item())
        still = axis.dtype != object or not any(node.op == "symbol" for node in nodes(axis))
        return R, n * _rate(np.array([angle.item()], dtype=object), t)[0] if still else axial(R.T @ _rate(R, t))
    R = _numbers(where, found, t)
    if R.shape == (4,) and R.dtype != object and not np.any(R):
        raise ModelError(f"{where}: the quaternion {R.tolist()} has no direction; the identity is (1, 0, 0, 0)")
    if R.shape == (4,):
        R = Quaternion().matrix(R) / (R @ R)
    if R.shape != (3, 3):
        raise ModelError(
            f"{where} has {_count_text(R)}: give (axis, angle), a quaternion of four numbers (scalar first), a 3×3 rotation matrix, "
            "or a function of t that returns one of them"
        )
    return R, axial(R.T @ _rate(R, t))


def _value_at(where: str, given, t: Scalar):
    """The value of a function of t, or a constant."""
    if not callable(given):
        if isinstance(given, (str, bytes)) or given is None:
            raise ModelError(
                f"{where} is {given!r}: give numbers or a function of t, such as lambda t: (vc.math.sin(t), 0, 0)"
            )
        return given
    function: Callable = given
    try:
        return function(t)
    except VinculumError as error:
        raise ModelError(f"{where}: {error}") from error
    except Exception as error:
        raise ModelError(
            f"{where} failed on a symbol: {type(error).__name__}: {error}; it is a function of t alone, written with vc.math and "
            "without `if`"
        ) from error


def _numbers(where: str, found, t: Scalar) -> np.ndarray:
    try:
        array = vector(found)
    except (VinculumError, TypeError, ValueError) as error:
        raise ModelError(
            f"{where} gave {shorten(found)}, which is not numeric; return numbers made with vc.math"
        ) from error
    if array.dtype != object:
        return np.array(entries(where, array))
    held = nodes(array.ravel())
    stray = [node.args[0] for node in held if node.op == "symbol" and node is not t]
    if stray:
        raise ModelError(
            f"{where} contains the free symbol '{stray[0]}'; it may contain t and vc.parameter(name, value)"
        )
    rough = corners(array)
    if rough:
        raise ModelError(
            f"{where} holds {', '.join(rough)}, which has corners or steps; the motion of a prescribed body must be twice "
            "differentiable, or its drive would have to strike: use a cubic table, or join smooth pieces with vc.math.where"
        )
    return array


def _check_finite(what: str, sampled: np.ndarray) -> None:
    rows = sampled.reshape(len(sampled), -1)
    if not np.any(np.all(np.isfinite(rows), axis=1)):
        raise ModelError(f"{what} at t = {INSTANTS[-3]:g} s is {shorten(sampled[-3].tolist())}, and nowhere from 0 to 10 s is it finite; "
                         "give functions that are finite and twice differentiable")  # fmt: skip


def _rate(x: np.ndarray, t: Scalar) -> np.ndarray:
    return directional(x, np.array([t], dtype=object), np.ones(1))


def _count_text(array: np.ndarray) -> str:
    count = array.size
    return f"{count} number{'s' * (count != 1)}" if array.ndim < 2 else f"shape {array.shape}"


def _narrow(x: np.ndarray) -> np.ndarray:
    return x if any(isinstance(y, Scalar) for y in np.ravel(x)) else x.astype(float)
