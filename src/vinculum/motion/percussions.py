"""The percussions of one boundary, as a result."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.errors import StartError
from vinculum.kernels.model import Model
from vinculum.motion.arguments import floats
from vinculum.motion.atoms import Atoms
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class Percussions:
    """Atoms of the reaction of a boundary: instants ``times`` (K,) [s] at which it is not zero, and the impulses [N s] there.

    ``normal``: (K,), never negative; ``tangential``: (K, 2), along the two tangents of friction (zero without). Moreau, An expression
    of classical dynamics, (4.3).
    """

    boundary: str
    times: np.ndarray
    normal: np.ndarray
    tangential: np.ndarray

    def __len__(self) -> int:
        return len(self.times)


def percussions_at(model: Model, atoms: Atoms | None, boundary) -> Percussions:
    """The percussions of a boundary, by object or name."""
    name = boundary if isinstance(boundary, str) else getattr(boundary, "name", boundary)
    known = list(model.layout.get("boundaries", ()))
    if not isinstance(name, str) or name not in known:
        raise StartError(f"there is no boundary '{name}' in system '{model.name}'{nearest(name, known)}")
    if atoms is None:
        raise StartError(
            f"boundary '{name}': this motion was given without reactions, so its percussions are not known; "
            "use a motion of vc.simulate"
        )
    own = atoms.percussions[:, 3 * known.index(name) : 3 * known.index(name) + 3]
    hit = own.any(axis=1)
    return Percussions(name, atoms.times[hit], own[hit, 0], own[hit, 1:])


def given_atoms(model: Model, atoms: Atoms | None, percussions) -> Atoms:
    """The same atoms with other percussions, (K, 3 m)."""
    wanted = None if atoms is None else atoms.percussions.shape
    given = floats(f"a motion of '{model.name}': percussions", percussions)
    if atoms is None or given.shape != wanted:
        raise StartError(
            f"a motion of '{model.name}': percussions of shape {given.shape} do not fit its shocks, which have {wanted}; "
            "change those of motion.atoms.percussions"
        )
    return replace(atoms, percussions=given)
