"""The interface of solids: a region with volume, center and second moment."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.charts import Charts
from vinculum.scalars import Value, value
from vinculum.screws.entries import entries
from vinculum.tolerances.sizes import LARGEST_LENGTH, SMALLEST_LENGTH


class Solid(ABC):
    """A bounded region in its own frame. Dimensions are numbers or parameters, all positive [m]."""

    shapes: tuple[tuple[int, ...], ...] = ()
    """Shape of each dimension, in the order of the fields."""

    def __post_init__(self):
        for field, shape in zip(fields(self), self.shapes, strict=True):  # type: ignore[arg-type]
            array = entries(f"{self._kind}: {field.name}", getattr(self, field.name), shape)
            object.__setattr__(self, field.name, array if shape else array.item())
        self.check()

    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse dimensions that are not positive; ``values`` replace the defaults of parameters."""
        for field in fields(self):  # type: ignore[arg-type]
            number = np.asarray(value(getattr(self, field.name), values))
            if not np.all(np.isfinite(number) & (number > 0.0)):
                raise ModelError(
                    f"{self._kind}: {field.name} {number.tolist()} is not positive: every dimension must "
                    "be a length > 0 in meters; check its sign and units"
                )
            if not np.all((number > SMALLEST_LENGTH) & (number < LARGEST_LENGTH)):
                raise ModelError(
                    f"{self._kind}: {field.name} {number.tolist()} m is beyond {SMALLEST_LENGTH:g} to {LARGEST_LENGTH:g} m, "
                    "so its moments are beyond the range of numbers; check its units"
                )

    @property
    def _kind(self) -> str:
        return type(self).__name__.lower()

    @property
    def is_ball(self) -> bool:
        """Whether it is round in every direction about its center."""
        return False

    @property
    @abstractmethod
    def volume(self) -> Value:
        """Volume ∫ dV [m³]."""

    @property
    @abstractmethod
    def center(self) -> np.ndarray:
        """Centre ∫ r dV / ∫ dV, (3,) [m]."""

    @property
    @abstractmethod
    def mean_square(self) -> np.ndarray:
        """Mean of r rᵀ over the solid, ∫ r rᵀ dV / ∫ dV, (3, 3) [m²]."""

    @property
    def second_moment(self) -> np.ndarray:
        """Second moment ∫ r rᵀ dV about the origin of the frame, (3, 3) [m⁵]."""
        return self.volume * self.mean_square

    @abstractmethod
    def reach(self, point) -> Any:
        """Distance [m] from ``point`` (3,) to the farthest point of the solid, or a little more."""

    @abstractmethod
    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) and weights (n,) with ∫ f dV = Σ wᵢ f(rᵢ), exact for polynomials up to the degree ``order``."""

    @property
    @abstractmethod
    def charts(self) -> Charts:
        """Maps of the unit cube that cover it, at the values of its parameters."""

    @abstractmethod
    def levels(self, points: np.ndarray) -> np.ndarray:
        """Functions of points (n, 3), (f, n), that are all negative inside and of which one is positive outside."""
