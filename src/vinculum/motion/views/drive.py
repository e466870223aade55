"""View of the drives of prescribed bodies."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import StartError
from vinculum.motion.states import tape_groups
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class DriveMotion:
    """What moves prescribed bodies as they are prescribed to move, on the grid of a motion."""

    _motion: Any
    _names: tuple[str, ...]

    def __repr__(self):
        return f"drive of {', '.join(map(repr, self._names)) or 'all prescribed bodies'} on {self._motion!r}"

    @property
    def wrench(self) -> np.ndarray:
        """Wrench of the drive on its body, at the body's origin, (T, 6) [N, N m]."""
        if len(self._names) != 1:
            raise StartError(f"{self!r}: a wrench belongs to one body; name it, as motion.body('base').drive.wrench")
        return tape_groups(self._motion, "reactions", self._motion.time, self._motion._states)[self._names[0]]

    @property
    def power(self) -> np.ndarray:
        """Total power of the drives, (T,) [W]."""
        powers, known = self._motion._balance["drive_power"], self._motion.model.layout.prescribed
        return powers[:, [i for i, name in enumerate(known) if not self._names or name in self._names]].sum(axis=1)


def drive_of(motion: Any, name: str) -> DriveMotion:
    """The drive of one body, which must be prescribed."""
    model, known = motion.model, motion.model.layout.prescribed
    if name not in known:
        raise StartError(
            f"body '{name}' of system '{model.name}' is not prescribed and has no drive of its own"
            f"{nearest(name, known)}; the power of joints' drives is part of the energy balance"
        )
    return DriveMotion(motion, (name,))
