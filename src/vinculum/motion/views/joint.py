"""View of one joint of a motion."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.motion.impulses.contact_impulses import JointImpulses
from vinculum.motion.states import tape_groups
from vinculum.motion.views.bond import BondMotion


@final
@dataclass(frozen=True, eq=False)
class JointMotion:
    """A joint on the grid of a motion."""

    motion: Any
    name: str

    def __repr__(self):
        return f"joint '{self.name}' on {self.motion!r}"

    @property
    def q(self) -> np.ndarray:
        """Its coordinates: (T,) if there is one, else (T, nq)."""
        return self.motion[self.name]

    @property
    def v(self) -> np.ndarray:
        """Its velocities, limits from the right: (T,) if there is one, else (T, nv)."""
        first, last = self.motion.model.index("joints", self.name).v
        return self.motion.v[:, first] if last - first == 1 else self.motion.v[:, first:last]

    @property
    def reaction(self) -> np.ndarray:
        """Wrench (force, moment) of the parent on the child at the child's joint origin, world axes, (T, 6) [N, N m]."""
        return tape_groups(self.motion, "reactions", self.motion.time, self.motion._states)[self.name]

    @property
    def force(self) -> np.ndarray:
        """Force of the parent on the child, world axes, (T, 3) [N]."""
        return self.reaction[:, :3]

    @property
    def moment(self) -> np.ndarray:
        """Moment of the parent on the child about the child's joint origin, world axes, (T, 3) [N m]."""
        return self.reaction[:, 3:]

    @property
    def impulses(self) -> JointImpulses:
        """Impulses of the parent on the child at every impact."""
        found = BondMotion(self.motion, self.name).impulses
        assert isinstance(found, JointImpulses)
        return found
