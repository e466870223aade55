"""Whether efforts without energy are opposite, and rotate with the bodies under superposed rigid motions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.bonds import Effort
from vinculum.equations.sampling.superposed_samples import Placed, random_motions, random_places
from vinculum.systems import FreeViews
from vinculum.tolerances.functions import UNCHANGED
from vinculum.tolerances.samples import SAMPLES_OF_A_SCALE

WORDS = {"translation": "translation", "rotation": "rotation", "time": "time",
         "motion": "a superposed velocity of the whole system"}  # fmt: skip


@final
@dataclass(frozen=True, eq=False)
class EffortSymmetries:
    """Efforts under superposed rigid motions, at samples.

    ``changes``: the largest |F⁺ − S F|, relative, by "translation", "rotation", "time" alone, "all" at once, and "motion" with
    velocities, O'Reilly and Srinivasa (8), (9). ``force``, ``moment``: the largest Σ F [N] and Σ (M + x × F) [N m] about 1 m
    apart, ``residual`` the larger of both relative to the efforts, (24), (25).
    """

    changes: dict[str, float]
    force: float
    moment: float
    residual: float

    @property
    def broken(self) -> tuple[str, ...]:
        """What changes the efforts, in words."""
        found = [word for what, word in WORDS.items() if self.changes[what] > UNCHANGED]
        return tuple(found[:-1] if len(found) > 1 and found[-1] == WORDS["motion"] else found)


def effort_symmetries(efforts: Sequence[Effort], free: FreeViews, parameters: Mapping[str, float]) -> EffortSymmetries:
    """The effect of superposed rigid motions on efforts at the origins of the bodies of ``free``, given as graphs."""
    flat = np.array(
        [[*force, *kind.moment(R, moment)] for (force, moment), (_, R), kind in
         zip(efforts, free.places, free.kinematics, strict=True)], dtype=object)  # fmt: skip
    at = random_places(free)
    before = at.of(flat, free, parameters)
    moving = random_motions(at, still=False)
    still = random_motions(at)
    changes = {}
    for what, motion in {**still.parts(), "all": still, "motion": replace(moving, a=0 * moving.a)}.items():
        after = motion.on(at).of(flat, free, parameters)
        turned = np.concatenate([motion.turn(before[..., :3]), motion.turn(before[..., 3:])], axis=2)
        changes[what] = _largest(after - turned, np.maximum(_size(after, at), _size(turned, at)))
    total = before[..., :3].sum(axis=1)
    about = (before[..., 3:] + np.cross(at.x, before[..., :3])).sum(axis=1)
    sound = np.isfinite(total + about).all(axis=1)
    both = np.concatenate([total, about], axis=1)[:, None]
    near = sound[:SAMPLES_OF_A_SCALE]
    return EffortSymmetries(
        changes,
        float(np.linalg.norm(total[:SAMPLES_OF_A_SCALE][near], axis=1).max(initial=0.0)),
        float(np.linalg.norm(about[:SAMPLES_OF_A_SCALE][near], axis=1).max(initial=0.0)),
        _largest(both, _size(before, at)),
    )


def _size(efforts: np.ndarray, at: Placed) -> np.ndarray:
    """How large the efforts of each sample are, (count,); moments with the arms of the forces."""
    force, moment = (np.linalg.norm(part, axis=2).max(axis=1) for part in (efforts[..., :3], efforts[..., 3:]))
    return np.maximum(force * (1.0 + np.abs(at.x).max(axis=(1, 2))), moment)


def _largest(change: np.ndarray, size: np.ndarray) -> float:
    relative = np.abs(change).max(axis=(1, 2)) / np.maximum(size, np.finfo(float).tiny)
    return float(relative[np.isfinite(relative)].max(initial=0.0))
