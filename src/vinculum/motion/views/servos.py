"""View of all servos of a motion together."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.motion.reactions.servos import Excess, find_excess, servo_names, servo_power, servo_work


@final
@dataclass(frozen=True, eq=False)
class ServosMotion:
    """The servos of all constraints on the grid of a motion; `motion.bond(name)` is the view of one."""

    motion: Any

    @property
    def power(self) -> np.ndarray:
        """Total power, (T,) [W]."""
        return servo_power(self.motion, servo_names(self.motion, None), self.motion.time)

    @property
    def work(self) -> np.ndarray:
        """Total work since the start, (T,) [J]."""
        return servo_work(self.motion, servo_names(self.motion, None))

    @property
    def excess(self) -> tuple[Excess, ...]:
        """Efforts that leave their bounds: first instants and largest sizes."""
        return find_excess(self.motion, servo_names(self.motion, None))
