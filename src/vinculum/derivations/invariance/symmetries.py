"""Rigid motions of a whole system under which a function of its bodies is invariant: exactly, and at samples."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.derivations.invariance.exact import is_shown_invariant
from vinculum.equations.integrals.integral import direction_name, point_name
from vinculum.equations.sampling.null_spaces import null_space, restrict_basis, tidy_basis
from vinculum.equations.sampling.superposed_rates import superposed_rates
from vinculum.equations.sampling.superposed_samples import finite_changes, random_places
from vinculum.scalars import Scalar
from vinculum.systems import FreeViews
from vinculum.tolerances.functions import FLAT_FUNCTION, UNCHANGED
from vinculum.tolerances.rank import NULL_VECTOR
from vinculum.tolerances.samples import SAMPLES_OF_A_SCALE
from vinculum.tolerances.time import SECONDS_FOR_INVARIANCE, SECONDS_WHEN_REFUTED

EVERY = {"translation": "in any direction", "rotation": "about any axis"}


@final
@dataclass(frozen=True, eq=False)
class Symmetries:
    """What superposed rigid motions do to one function of bodies.

    ``exact``: True if its rates along all of them vanish identically, False if one of them does not vanish at a sample, None if
    exact arithmetic did not decide. ``changes``: the largest relative changes by finite motions at samples, for "translation",
    "rotation", "time" and "all" at once. ``translations``, ``axes``: (k, 3) directions along and about which it does change;
    ``timed``: whether time alone changes it. ``kept``: the axes about which it does not, where there are some but not all.
    ``force``, ``moment``: the largest Σ ∂Ψ/∂x and Σ (x × ∂Ψ/∂x + ψ_R) about 1 m apart, ``residual`` the larger of both relative to
    their terms.
    """

    exact: bool | None
    changes: dict[str, float]
    translations: np.ndarray
    axes: np.ndarray
    timed: bool
    kept: tuple[str, ...]
    force: float
    moment: float
    residual: float

    @property
    def unnoticed(self) -> bool:
        """Whether no finite motion changed it at any sample."""
        return self.changes["all"] <= UNCHANGED

    @property
    def verdict(self) -> str:
        """invariant, not invariant, undecided (no change was seen, but no proof found) or contradiction."""
        if self.exact is None:
            return "undecided" if self.unnoticed else "not invariant"
        if self.exact != self.unnoticed:
            return "contradiction"
        return "invariant" if self.exact else "not invariant"

    @property
    def broken(self) -> tuple[str, ...]:
        """What changes it, in words: translation along …, rotation about …, time."""
        found = []
        for what, word, directions in (
            ("translation", "along", self.translations),
            ("rotation", "about", self.axes),
        ):
            if len(directions) == 3:
                found.append(f"{what} {EVERY[what]}")
            elif len(directions):
                found.append(f"{what} {word} {' and '.join(map(direction_name, directions))}")
            elif self.exact is not False and self.changes[what] > UNCHANGED:
                found.append(what)
        return (*found, *(["time"] if self.timed or self.changes["time"] > UNCHANGED else []))


def symmetries(function, free: FreeViews, parameters: Mapping[str, float]) -> Symmetries:
    """What superposed rigid motions do to a ``function`` of the symbols of ``free``; ``parameters``: values for the samples."""
    if not isinstance(function, Scalar):
        none = np.zeros((0, 3))
        unchanged: dict[str, float] = dict.fromkeys(("translation", "rotation", "time", "all"), 0.0)
        return Symmetries(True, unchanged, none, none, False, (), 0.0, 0.0, 0.0)
    at = random_places(free)
    rates = superposed_rates(function, free.places, free.t)
    values, summed, forces, moments = (at.of(x, free, parameters) for x in
                                       ([function], rates.all(), rates.forces, rates.moments))  # fmt: skip
    scale_f, scale_m = (np.linalg.norm(x, axis=2).sum(axis=1) for x in (forces, moments))
    sound = np.isfinite(scale_f + scale_m) & np.isfinite(summed).all(axis=1) & np.isfinite(values[:, 0])
    size = np.maximum(np.maximum(scale_f, scale_m), FLAT_FUNCTION * np.abs(values[:, 0])) + np.finfo(float).tiny
    twists = (summed[:, :6] / size[:, None])[sound]
    kept = null_space(twists) if len(twists) else np.eye(6)
    timed = np.abs(summed[sound, 6]) > UNCHANGED * np.abs(values[sound, 0])
    moved = len(kept) < 6 or bool(timed.any())
    seconds = SECONDS_WHEN_REFUTED if moved else SECONDS_FOR_INVARIANCE
    shown = is_shown_invariant(function, free.places, free.t, seconds, [kind.deforms for kind in free.kinematics])
    near = sound[:SAMPLES_OF_A_SCALE]
    force, moment = (
        float(np.linalg.norm(x, axis=1).max(initial=0.0))
        for x in (summed[:SAMPLES_OF_A_SCALE, :3][near], summed[:SAMPLES_OF_A_SCALE, 3:6][near])
    )
    return Symmetries(
        True if shown else False if moved else None,
        finite_changes(function, free, parameters, at, scale_f * np.abs(at.x).max(axis=(1, 2))),
        _complement(restrict_basis(kept, np.eye(6)[3:])[:, :3]),
        _complement(kept[:, 3:]),
        bool(timed.any()),
        _kept_axes(kept),
        force,
        moment,
        float(np.abs(twists).max(initial=0.0)),
    )


def _complement(directions: np.ndarray) -> np.ndarray:
    """Unit directions (k, 3) that span what is normal to the given ones."""
    across = null_space(directions)
    tidy = tidy_basis(across) if len(across) else across
    return tidy / np.linalg.norm(tidy, axis=1, keepdims=True)


def _kept_axes(kept: np.ndarray) -> tuple[str, ...]:
    """Axes of the turns among twists (k, 6), where these are not all rigid motions."""
    if len(kept) == 6:
        return ()
    sliding = restrict_basis(kept, np.eye(6)[3:])[:, :3]
    turning = tidy_basis(np.concatenate([kept[:, 3:], kept[:, :3]], axis=1))
    found = []
    for row in turning[np.abs(turning[:, :3]).max(axis=1, initial=0.0) > NULL_VECTOR]:
        e, v = row[:3] / np.linalg.norm(row[:3]), row[3:] / np.linalg.norm(row[:3])
        if len(sliding):
            v = v - v @ np.linalg.pinv(sliding) @ sliding
        pitch = float(v @ e)
        through = f" through {point_name(np.cross(e, v))}" if len(sliding) < 3 else ""
        found.append(
            f"{direction_name(e)}{through}" + (f" with pitch {pitch:.4g} m" if abs(pitch) > NULL_VECTOR else "")
        )
    return tuple(found)
