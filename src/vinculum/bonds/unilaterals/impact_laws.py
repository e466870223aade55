"""Impact laws. A gap does not determine what follows an impact, so the user chooses a law. A law with a coefficient of restitution, of
velocities or of impulses, is a class here."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError, did_you_mean, shorten

SIMULTANEOUS, SEQUENTIAL = "simultaneous", "sequential"
TREATMENTS = (SIMULTANEOUS, SEQUENTIAL)


class ImpactLaw(ABC):
    """An impact law: the separation velocity as a function of the approach velocity.

    ``treatment`` of impacts at several unilateral constraints at once: "simultaneous" projects the velocities on all of them together,
    "sequential" lets them happen one after the other, in pairs, until nothing approaches any more.
    """

    treatment: str

    @property
    @abstractmethod
    def restitution(self) -> float:
        """Coefficient of restitution e: ratio of separation to approach velocities, or of impulses for `Poisson`."""

    @property
    def by_impulses(self) -> bool:
        """Whether e is a ratio of impulses (compression, then expansion)."""
        return False

    def _check(self, name: str) -> None:
        e = self.restitution
        if isinstance(e, bool) or not isinstance(e, (int, float, np.floating, np.integer)) or not 0.0 <= e <= 1.0:
            raise ModelError(f"{name}: restitution {shorten(e)} must be a number from 0 (inelastic) to 1 (elastic)")
        if self.treatment not in TREATMENTS:
            raise ModelError(
                f"{name}: treatment {shorten(self.treatment)} is not known"
                f"{did_you_mean(self.treatment, ('simultaneous', 'sequential'))}; use 'simultaneous' or 'sequential'"
            )


@final
@dataclass(frozen=True)
class Inelastic(ImpactLaw):
    """No separation after an impact: the velocity is tangent to the constraint surface. Moreau, An expression of
    classical dynamics, Remark 6.4.

    >>> vc.Inelastic().treatment
    'simultaneous'
    """

    treatment: str = SIMULTANEOUS

    def __post_init__(self):
        self._check("Inelastic")

    @property
    def restitution(self) -> float:
        return 0.0


@final
@dataclass(frozen=True)
class Elastic(ImpactLaw):
    """The separation velocity equals the approach velocity; a fixed unilateral constraint conserves energy.

    Moreau, An expression of classical dynamics, Remark 6.4.

    >>> vc.Elastic(treatment="sequential").treatment
    'sequential'
    """

    treatment: str = SIMULTANEOUS

    def __post_init__(self):
        self._check("Elastic")

    @property
    def restitution(self) -> float:
        return 1.0


@final
@dataclass(frozen=True)
class Newton(ImpactLaw):
    r"""Separation velocity e times the approach velocity: :math:`0 \le P \perp u_N^+ + e\,u_N^- \ge 0`.

    >>> vc.Newton(0.8).e
    0.8
    """

    e: float
    treatment: str = SIMULTANEOUS

    def __post_init__(self):
        self._check("Newton")

    @property
    def restitution(self) -> float:
        return self.e


@final
@dataclass(frozen=True)
class Poisson(ImpactLaw):
    """Poisson's law: an inelastic impact (compression), then expansion impulses e times the compression impulses.

    >>> vc.Poisson(0.8).e
    0.8
    """

    e: float
    treatment: str = SIMULTANEOUS

    def __post_init__(self):
        self._check("Poisson")
        if self.treatment != SIMULTANEOUS:
            raise ModelError("Poisson: its two phases are those of one impact; leave treatment out, or use vc.Newton")

    @property
    def restitution(self) -> float:
        return self.e

    @property
    def by_impulses(self) -> bool:
        return True


LAWS: dict[str, type[ImpactLaw]] = {"inelastic": Inelastic, "elastic": Elastic, "newton": Newton, "poisson": Poisson}
"""Impact laws by their names in files."""


def read_impact(where: str, given, law: str) -> ImpactLaw:
    """An impact law, given as an object, by a number e (Newton's law) or by name; ``law``: the choices, for
    messages."""
    if isinstance(given, ImpactLaw):
        return given
    if isinstance(given, (int, float, np.floating, np.integer)) and not isinstance(given, bool):
        return Newton(given if isinstance(given, int) else float(given))
    if isinstance(given, str) and given in ("inelastic", "elastic"):
        return Inelastic() if given == "inelastic" else Elastic()
    raise ModelError(f"{where}: impact is {shorten(given)}; choose an impact law, because {law}")
