"""`WorldTube`: world-lines that do not cross."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import is_number, numeric, shorten
from vinculum.tolerances.shapes import WORLD_LINES_MEET
from vinculum.tolerances.sizes import MOST_LINES_OF_A_TUBE


@final
@dataclass(frozen=True, eq=False)
class WorldTube:
    """World-lines of points that are never at one place together: ``places`` (n, T, 3) [m] at the instants ``time`` (T,) [s], straight
    in between. ``names``: one for each, numbers by default.

    Its slice at an instant is the shape of a body, and what remains of a tube without some of its lines is their environment. Lines that
    cross are refused. Cheremensky, On Concept of Mechanical System, section 1.2.
    """

    time: Any
    places: Any
    names: Any = None

    def __post_init__(self):
        time, places = numeric("world-tube: time", self.time), numeric("world-tube: places", self.places)
        if time.ndim != 1 or len(time) < 2 or not np.all(np.isfinite(time)) or not np.all(np.diff(time) > 0.0):
            raise ModelError(f"world-tube: time of shape {time.shape} must be two or more increasing instants [s]")
        if places.ndim != 3 or places.shape[1:] != (len(time), 3) or not np.all(np.isfinite(places)) or not len(places):
            raise ModelError(f"world-tube: places of shape {places.shape} must be finite numbers (n, {len(time)}, 3)")
        if len(places) > MOST_LINES_OF_A_TUBE:
            raise ModelError(
                f"world-tube: {len(places)} lines are more than the {MOST_LINES_OF_A_TUBE} that are compared in pairs; take fewer"
            )
        names = [str(i) for i in range(len(places))] if self.names is None else self.names
        if (
            not isinstance(names, (list, tuple))
            or len(names) != len(places)
            or not all(isinstance(x, str) for x in names)
        ):
            raise ModelError(f"world-tube: names {shorten(self.names)} must be {len(places)} texts, one for each line")
        if len(set(names)) < len(names):
            raise ModelError(f"world-tube: names {shorten(names)} are not all different; name every line once")
        for name, value in (("time", time), ("places", places), ("names", tuple(names))):
            object.__setattr__(self, name, value)
        self._check_crossings()

    def _check_crossings(self) -> None:
        """Refuse lines that cross: in straight pieces the difference of two lines passes through zero."""
        near = WORLD_LINES_MEET * max(float(np.abs(self.places).max()), np.finfo(float).tiny)
        for i, line in enumerate(self.places[:-1]):
            d = self.places[i + 1 :] - line
            step = np.diff(d, axis=1)
            length = np.einsum("ntx,ntx->nt", step, step)
            along = -np.einsum("ntx,ntx->nt", d[:, :-1], step)
            s = np.clip(np.divide(along, length, out=np.zeros_like(along), where=length > 0.0), 0.0, 1.0)
            least = np.linalg.norm(d[:, :-1] + s[:, :, None] * step, axis=2)
            if np.any(least <= near):
                j, k = np.unravel_index(int(np.argmin(least)), least.shape)
                t = self.time[k] + s[j, k] * (self.time[k + 1] - self.time[k])
                raise ModelError(
                    f"world-tube: the lines of '{self.names[i]}' and '{self.names[i + 1 + j]}' cross at t = {t:.6g} s; points of a body "
                    "are never at one place together, so leave one of them out or end before"
                )

    def at(self, t: float) -> np.ndarray:
        """The shape at an instant: places (n, 3) [m]."""
        if not is_number(t) or not self.time[0] <= t <= self.time[-1]:
            raise ModelError(
                f"world-tube: instant {shorten(t)} must be a number from {self.time[0]:g} to {self.time[-1]:g} s"
            )
        return np.array([[np.interp(t, self.time, x) for x in line.T] for line in self.places])

    def part(self, names: Sequence[str]) -> "WorldTube":
        """The tube of the named lines."""
        return self._choose(names, inside=True)

    def environment(self, names: Sequence[str]) -> "WorldTube":
        """The tube of all other lines: Λᵉ."""
        return self._choose(names, inside=False)

    def _choose(self, names: Sequence[str], inside: bool) -> "WorldTube":
        asked = [names] if isinstance(names, str) else names
        if not isinstance(asked, (list, tuple)) or not asked or any(one not in self.names for one in asked):
            raise ModelError(f"world-tube: {shorten(names)} are not lines of it; it has {shorten(list(self.names))}")
        chosen = [i for i, name in enumerate(self.names) if (name in asked) is inside]
        if not chosen:
            raise ModelError(
                "world-tube: all of its lines are named, so nothing is left as their environment; name fewer"
            )
        return WorldTube(self.time, self.places[chosen], [self.names[i] for i in chosen])
