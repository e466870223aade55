"""`PairsWithin`: one bond between all pairs of bodies that are nearer than a cutoff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import BodyGroup
from vinculum.bodies.shape_pose import reach_of_shape
from vinculum.bonds.actions import Action, PairAction, PairLaw, read_numbers
from vinculum.bonds.body_view import BodyView
from vinculum.errors import ModelError, shorten
from vinculum.scalars import value
from vinculum.scalars.math import dot, sqrt, where
from vinculum.tolerances.sizes import LARGEST_LENGTH


@final
@dataclass(frozen=True, eq=False)
class PairsWithinLaw(PairLaw):
    """What `PairsWithin` does."""

    pairs: "PairsWithin"

    @property
    def numbers(self) -> Mapping[str, Any]:
        return self.pairs.numbers

    def pair_energy(self, a: BodyView, b: BodyView, t) -> Any:
        r"""U S inside the cutoff, zero outside. From ``fade`` :math:`r_1` to the cutoff :math:`r_c`

        .. math:: S = y^6 (462 - 1980 y + 3465 y^2 - 3080 y^3 + 1386 y^4 - 252 y^5),\qquad y = \frac{r_c - r}{r_c - r_1}

        whose first five derivatives vanish at both ends, so that methods of high order pass them without small steps. Above one half S is
        computed as 1 − S(1 − y), which it equals: the terms of the polynomial are thousands of times larger than its value there.
        """
        d = a.position - b.position
        square, cutoff, fade = dot(d, d), self.pairs.cutoff, self.pairs.fade
        energy = self.pairs.bond.law.energy_at([a, b], t)
        if fade is not None:
            y = where(square > fade * fade, (cutoff - sqrt(square)) / (cutoff - fade), 1.0)
            z = where(y < 0.5, y, 1.0 - y)
            S = z**6 * (462.0 - z * (1980.0 - z * (3465.0 - z * (3080.0 - z * (1386.0 - 252.0 * z)))))
            energy = energy * where(y < 0.5, S, 1.0 - S)
        return where(square < cutoff * cutoff, energy, 0.0)

    def check(self, values: Mapping[str, float] | None = None) -> None:
        self.pairs.bond.law.check(values)


@final
@dataclass(frozen=True, eq=False)
class PairsWithin(PairAction):
    """The energy of ``bond``, a bond between two bodies, for all pairs of ``bodies`` whose origins are nearer than ``cutoff`` [m].

    ``fade`` [m]: from this distance on the energy is multiplied by a factor that falls smoothly from 1 to 0 at the cutoff. ``numbers``: one
    for each body, by name, which its view has as attributes.
    """

    name: str
    bodies: Any
    bond: Action
    cutoff: float
    fade: float | None
    numbers: Mapping[str, Any]

    @property
    def called(self) -> str:
        """As the bonds that it was made of are called."""
        return f"bonds '{self.name}'"

    @property
    def law(self) -> PairLaw:
        return PairsWithinLaw(self)


def pairs_within(where: str, bond: Action, group: BodyGroup, limits: tuple[Any, Any], numbers) -> PairsWithin:
    """The pairs of a group within a cutoff. ``bond``: between its first two bodies; ``limits``: cutoff and fade."""
    cutoff, fade = limits
    reach = _length(where, "cutoff", cutoff)
    start = None if fade is None else _length(where, "fade", fade)
    if start is not None and start >= reach:
        raise ModelError(
            f"{where}: fade {start:g} m must be less than the cutoff, {reach:g} m: the energy fades out from there on"
        )
    _check_sizes(where, group, reach)
    return PairsWithin(bond.name, group.bodies, bond, reach, start, read_numbers(where, numbers, group.bodies))


def _length(where: str, what: str, given) -> float:
    plain = isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, (bool, np.bool_))
    if not plain or not 0.0 < given <= LARGEST_LENGTH:
        raise ModelError(f"{where}: {what} is {shorten(given)}; give a positive length [m]")
    return float(given)


def _check_sizes(where: str, group: Sequence, cutoff: float) -> None:
    """Refuse a cutoff at which bodies with shapes would touch before they feel each other."""
    known: dict[int, float] = {}
    for body in group:
        shape = getattr(body, "shape", None)
        if shape is None:
            continue
        if id(shape) not in known:
            known[id(shape)] = float(value(reach_of_shape(body)))
        if cutoff < 2.0 * known[id(shape)]:
            raise ModelError(
                f"{where}: the cutoff, {cutoff:g} m, is less than the size of body '{body.name}', which reaches {known[id(shape)]:g} m "
                f"from its origin: two of them would touch first; give at least {2.0 * known[id(shape)]:g} m"
            )
