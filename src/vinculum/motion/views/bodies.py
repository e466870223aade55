"""View of several bodies of a motion together."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import StartError
from vinculum.measures.continua.world_tubes import WorldTube
from vinculum.motion.views.drive import DriveMotion
from vinculum.motion.views.measures import MeasuresMotion
from vinculum.tolerances.sizes import BODIES_NAMED


@final
@dataclass(frozen=True, eq=False)
class BodiesMotion:
    """Bodies together on the grid of a motion; without names all bodies of the system."""

    motion: Any
    names: tuple[str, ...]

    def __repr__(self):
        shown = ", ".join(self.names) if len(self.names) <= BODIES_NAMED else f"{len(self.names)} bodies"
        return f"{shown or 'all bodies'} on {self.motion!r}"

    @property
    def positions(self) -> np.ndarray:
        """Positions of their origins, (T, n, 3) [m]."""
        chosen = self.names or tuple(self.motion.model.layout.bodies)
        return np.stack([self.motion._bodies[f"{name}/position"] for name in chosen], axis=1)

    @property
    def center(self) -> np.ndarray:
        """Position of their mass center, (T, 3) [m]."""
        known, chosen = self.motion._bodies, self.names or tuple(self.motion.model.layout.bodies)
        masses = [known[f"{name}/mass"] for name in chosen]
        total = sum(masses)
        if not np.all(total):
            raise StartError(f"the bodies {list(chosen)} have no mass, so there is no mass center; name others")
        moment: Any = sum(m * known[f"{name}/center"] for m, name in zip(masses, chosen, strict=True))
        return moment / total

    @property
    def momentum(self) -> np.ndarray:
        """Their momentum screw at the world's origin, (T, 6) [N s, N m s]."""
        model, balance = self.motion.model, self.motion._balance
        shape = len(self.motion.time), len(model.layout.bodies)
        centers, each = (balance[k].reshape(*shape, n) for k, n in (("center", 3), ("momentum", 6)))
        each = np.concatenate([each[..., :3], each[..., 3:] + np.cross(centers, each[..., :3])], axis=2)
        chosen = [model.index("bodies", name).index for name in self.names] if self.names else slice(None)
        return each[:, chosen].sum(axis=1)

    @property
    def measures(self) -> MeasuresMotion:
        """Their kinetic measure, what the environment exerts on them, and the balance of both."""
        return MeasuresMotion(self.motion, self.names)

    @property
    def tube(self) -> WorldTube:
        """The world-tube of their mass centers on the grid; one that crosses itself is refused."""
        chosen = self.names or tuple(self.motion.model.layout.bodies)
        places = np.stack([self.motion._bodies[f"{name}/center"] for name in chosen])
        return WorldTube(self.motion.time, places, list(chosen))

    @property
    def drive(self) -> DriveMotion:
        """The drives of those among them that are prescribed."""
        return DriveMotion(self.motion, self.names)
