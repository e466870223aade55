"""The mass of a body as a part of its state: its sources, and mass center and inertia as functions of the mass."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies.mass_source import MassSource
from vinculum.errors import ModelError, VinculumError
from vinculum.scalars import directional, substitute, symbol
from vinculum.screws import skew
from vinculum.screws.entries import of_shape


@final
@dataclass(frozen=True, eq=False)
class VaryingMass:
    """``sources`` of the mass; ``center`` (3,) [m] and ``inertia`` about it (3, 3) [kg m²] as functions of the mass [kg], in the body's
    frame."""

    sources: tuple[MassSource, ...]
    center: Callable[[Any], np.ndarray]
    inertia: Callable[[Any], np.ndarray]

    def derivatives(self, mass) -> tuple[np.ndarray, np.ndarray]:
        r"""d(m c)/dm (3,) and dJ/dm (3, 3), J about the origin: the place of the mass that comes or goes, and its inertia.

        With sources ν they are the blocks of Q = Θ̇ in Cheremensky's (22).
        """
        m = symbol("mass")
        c, J = self.center(m), self.inertia(m)
        about = J - m * (skew(c) @ skew(c))
        outputs = np.concatenate([m * c, about.ravel()])
        found = directional(np.asarray(outputs, dtype=object), [m], [1.0])
        there = substitute(found, [m], [mass])
        return there[:3], there[3:].reshape(3, 3)


@final
@dataclass(frozen=True, eq=False)
class FunctionOfMass:
    """A user's function of the mass, with checked results of a ``shape``; three numbers for a matrix are its diagonal."""

    what: str
    function: Callable
    shape: tuple[int, ...]

    def __call__(self, mass) -> np.ndarray:
        try:
            given = self.function(mass)
        except VinculumError as error:
            raise type(error)(f"{self.what}: {error}") from error
        except Exception as error:
            raise ModelError(
                f"{self.what}: its function failed: {type(error).__name__}: {error}; it takes the mass [kg] alone, and is written "
                "with vc.math"
            ) from error
        if self.shape == (3, 3) and np.shape(given) == (3,):
            given = np.diag(np.asarray(given, dtype=object))
        return of_shape(self.what, given, self.shape)


def point_center(mass) -> np.ndarray:
    """The mass center of a mass point, its origin."""
    return np.zeros(3)


def point_inertia(mass) -> np.ndarray:
    """The inertia of a mass point."""
    return np.zeros((3, 3))
