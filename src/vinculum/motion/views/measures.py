"""View of the measures of bodies: mass and momentum, what is exerted on them, and how both balance."""

from dataclasses import dataclass
from typing import Any, final

from vinculum.measures.kinetic import KineticMeasure
from vinculum.motion.doors import BALANCE, ENVIRONMENT
from vinculum.motion.views.environment import Environment
from vinculum.motion.views.kinetic import kinetic_measure


@final
@dataclass(frozen=True, eq=False)
class MeasuresMotion:
    """Measures of bodies on the grid of a motion; without names of all bodies of the system."""

    _motion: Any
    _names: tuple[str, ...]

    def __repr__(self):
        return f"measures of {', '.join(map(repr, self._names)) or 'all bodies'} on {self._motion!r}"

    @property
    def kinetic(self) -> KineticMeasure:
        """Mass and momentum as a measure on time-space (t, x, y, z)."""
        return kinetic_measure(self._motion, self._names)

    @property
    def environment(self) -> Environment:
        """What everything outside these bodies exerts on them, as parts and sum."""
        return ENVIRONMENT(self._motion, self._names)

    def balance(self, window=None, sides=("right", "right")) -> Any:
        """The balance of momentum screw and kinetic energy in a ``window`` (t₁, t₂) [s], the whole motion by default.

        ``sides``: the limits at both ends, "left" or "right" of an impact there; by default an impact at t₂ belongs to the window and one
        at t₁ does not, so that windows one after the other add up.
        """
        return BALANCE(self._motion, self._names, window, sides)
