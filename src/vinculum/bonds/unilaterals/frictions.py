"""Dry friction: sets of admissible reactions, without regularization."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import entries, shorten


@final
@dataclass(frozen=True, eq=False)
class Coulomb:
    r"""Coulomb's friction: the tangential reaction lies in a disc of radius μ times the normal reaction, and opposes
    sliding.

    .. math:: |P_T| \le \mu P_N,\qquad P_T = -\mu P_N\,u_T/|u_T| \text{ if } u_T \ne 0

    ``along`` and ``mu_across``: an ellipse instead of the disc, with μ along the direction ``along`` (3,) (projected
    on the tangent plane, world axes) and ``mu_across`` across it. The reaction then maximizes the dissipation.
    ``rolling``, ``spinning`` [m]: lengths δ and σ of the moments that resist rolling, about axes in the tangent plane, and spinning about
    the normal. They are set-valued too, so a body at rest may stay at rest:

    .. math:: |M_T| \le \delta P_N,\quad M_T = -\delta P_N\,\omega_T/|\omega_T| \text{ if } \omega_T \ne 0,\qquad
        |M_N| \le \sigma P_N,\quad M_N = -\sigma P_N\,\omega_N/|\omega_N| \text{ if } \omega_N \ne 0

    >>> vc.Coulomb(0.3).mu
    0.3
    """

    mu: float
    along: Any = None
    mu_across: float | None = None
    rolling: float = 0.0
    spinning: float = 0.0

    def __post_init__(self):
        lengths = ("rolling", self.rolling), ("spinning", self.spinning)
        for name, given in (("mu", self.mu), ("mu_across", self.mu_across), *lengths):
            if given is None and name == "mu_across":
                continue
            number = isinstance(given, (int, float, np.floating, np.integer)) and not isinstance(given, bool)
            if not number or given is None or not 0.0 <= given < np.inf:
                raise ModelError(f"Coulomb: {name} = {shorten(given)} must be a number that is zero or more")
        if (self.along is None) != (self.mu_across is None):
            raise ModelError("Coulomb: give both along= and mu_across= for friction that depends on direction, or none")
        if self.along is not None:
            axis = entries("Coulomb: along", self.along, (3,))
            if not np.linalg.norm(np.asarray(axis, dtype=float)) > 0.0:
                raise ModelError(
                    "Coulomb: along = (0, 0, 0) is not a direction; give three numbers that are not all zero"
                )
            object.__setattr__(self, "along", axis)

    @property
    def coefficients(self) -> tuple[float, float]:
        """μ along the first and the second tangent."""
        return float(self.mu), float(self.mu if self.mu_across is None else self.mu_across)

    @property
    def lengths(self) -> tuple[float, float]:
        """Lengths [m] of the moments about the normal and about axes in the tangent plane: spinning, then rolling."""
        return float(self.spinning), float(self.rolling)

    @property
    def resists(self) -> bool:
        """Whether it includes rolling or spinning resistance."""
        return any(self.lengths)


def read_friction(where: str, given) -> Coulomb | None:
    """A friction law, given as an object or by its coefficient μ, or None."""
    if given is None or isinstance(given, Coulomb):
        return given
    if isinstance(given, (int, float, np.floating, np.integer)) and not isinstance(given, bool):
        return Coulomb(given if isinstance(given, int) else float(given))
    raise ModelError(f"{where}: friction is {shorten(given)}; give the coefficient mu, vc.Coulomb(mu), or leave it out")
