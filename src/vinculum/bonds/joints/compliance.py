"""Spring, damper and drive of a joint."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bonds.joints.coordinates import Coordinates
from vinculum.errors import ModelError, SymbolError, VinculumError
from vinculum.scalars import Scalar, symbols, vector

DRIVE_ARGUMENTS = ("t", "q", "v")


@final
@dataclass(frozen=True, eq=False)
class Compliance:
    """Spring, damper and drive of a joint, as functions of its ``coordinates``. All forces are generalized, of shape (nv,)."""

    coordinates: Coordinates
    stiffness: np.ndarray
    damping: np.ndarray
    rest: np.ndarray
    drive: Callable | None

    @property
    def acts(self) -> bool:
        """Whether there is a spring, a damper or a drive at all."""
        passive = (self.damping, self.stiffness)
        return self.drive is not None or any(part.dtype == object or part.any() for part in passive)

    @property
    def shows_turn(self) -> bool:
        """Whether a drive depends on the coordinates, so that a chart cannot change its reference attitude."""
        return self.drive is not None and "q" in argument_names(self.drive)

    def spring_energy(self, q):
        """Energy of the spring [J]."""
        return self.coordinates.spring_energy(self.stiffness, self.rest, q)

    def spring_force(self, q) -> np.ndarray:
        """Force of the spring; its power is minus the rate of the energy."""
        return self.coordinates.spring_force(self.stiffness, self.rest, q)

    def damping_force(self, v) -> np.ndarray:
        """Force of the damper."""
        return -self.damping * v

    def drive_force(self, t, q, v) -> np.ndarray:
        """Force of the drive."""
        if self.drive is None:
            return np.zeros(self.coordinates.nv)
        given = {"t": t, "q": q[0] if self.coordinates.nq == 1 else q, "v": v[0] if self.coordinates.nv == 1 else v}
        return vector(self.drive(**{k: given[k] for k in argument_names(self.drive)})).reshape(-1)

    def try_drive(self, where: str) -> None:
        """Refuse a drive that cannot be evaluated on symbols, or that does not return forces."""
        if self.drive is None:
            return
        if not callable(self.drive):
            raise ModelError(
                f"{where} must be a function of t, q and v, got {self.drive!r}; a constant force is lambda: 3.0"
            )
        unknown = [k for k in argument_names(self.drive) if k not in DRIVE_ARGUMENTS]
        if unknown:
            raise ModelError(f"{where} asks for {unknown}; its arguments may be named t, q and v only")
        nq, nv = self.coordinates.nq, self.coordinates.nv
        try:
            force = self.drive_force(Scalar("symbol", "t"), symbols("q", nq), symbols("v", nv))
        except VinculumError as error:
            raise ModelError(f"{where}: {error}") from error
        except Exception as error:
            raise ModelError(
                f"{where} failed on symbols: {type(error).__name__}: {error}; write it with vc.math, without `if`"
            ) from error
        if force.shape != (nv,):
            raise ModelError(f"{where} must return {nv} number{'s' * (nv != 1)}, got shape {force.shape}")
        if any(isinstance(x, float) and not np.isfinite(x) for x in force.tolist()):
            raise ModelError(f"{where} returned {force.tolist()}, which is not finite")


def argument_names(function: Callable) -> tuple[str, ...]:
    """Names of the arguments of a user's function without a default."""
    try:
        given = inspect.signature(function).parameters.values()
        return tuple(p.name for p in given if p.default is p.empty or p.name in DRIVE_ARGUMENTS)
    except (TypeError, ValueError) as error:
        raise SymbolError(f"{function!r} is not a Python function with named arguments") from error
