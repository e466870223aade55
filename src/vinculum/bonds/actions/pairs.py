"""Energies that are sums over all pairs of a list of bodies."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, BodyGroup, check_name
from vinculum.bonds.actions.action import Action, call_with_views, checked_energy, end_name, read_ends
from vinculum.bonds.actions.law import ActionLaw, Effort
from vinculum.bonds.body_view import BodyView, change_view
from vinculum.errors import ModelError
from vinculum.screws.entries import check_finite, entries

SEEN = {*BodyView.__dataclass_fields__, *(name for name in dir(BodyView) if not name.startswith("_"))}
"""What a view shows by itself."""


class PairLaw(ActionLaw):
    """One energy function of two bodies, summed over every pair."""

    @property
    @abstractmethod
    def numbers(self) -> Mapping[str, Any]:
        """What belongs to each body besides its mass, such as a charge, (n,) each."""

    @abstractmethod
    def pair_energy(self, a: BodyView, b: BodyView, t) -> Any:
        """Energy [J] of one pair; the same function for every pair."""

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return sum((self.pair_energy(a, b, t) for a, b in combinations(self.with_numbers(views), 2)), 0.0)

    def with_numbers(self, views: Sequence[BodyView], first: int = 0) -> list[BodyView]:
        """Views of the bodies from number ``first`` on, with the numbers that belong to them as attributes."""
        return [
            change_view(view, numbers={k: x[i] for k, x in self.numbers.items()}) for i, view in enumerate(views, first)
        ]

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        return None


class PairAction(Action):
    """One energy function of two bodies, summed over every pair of ``bodies``."""

    bodies: Any

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return self.bodies

    @property
    @abstractmethod
    def law(self) -> PairLaw:
        """What it does: its energy of a pair, and what belongs to each body."""


@final
@dataclass(frozen=True, eq=False)
class PairPotentialLaw(PairLaw):
    """What a `PairPotential` does."""

    potential: "PairPotential"

    @property
    def numbers(self) -> Mapping[str, Any]:
        return self.potential.numbers

    def pair_energy(self, a: BodyView, b: BodyView, t) -> Any:
        where = self.potential.called
        return checked_energy(where, call_with_views(where, self.potential.energy, (a, b), t))

    def check(self, values: Mapping[str, float] | None = None) -> None:
        for what, numbers in self.numbers.items():
            check_finite(f"{self.potential.called}: {what}", numbers, values)


@final
@dataclass(frozen=True, eq=False)
class PairPotential(PairAction):
    """Energy [J] of every pair of ``bodies``: a function of two views, and of ``t`` if it has that argument.

    ``numbers`` maps names to one number for each body; the views have them as attributes: with ``numbers={"charge":
    [1.0, -1.0]}`` the function may use ``a.charge``. The function must be symmetric in (a, b).

    >>> springs = vc.potentials.PairPotential("springs", ["a", "b"], lambda a, b: vc.math.norm(a.position - b.position) ** 2)
    """

    name: str
    bodies: Any
    energy: Callable
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        check_name("pair potential", self.name)
        where = self.called
        object.__setattr__(self, "bodies", read_pair_ends(where, self.bodies))
        object.__setattr__(self, "numbers", read_numbers(where, self.numbers, self.bodies))
        if not callable(self.energy):
            raise ModelError(f"{where}: energy is {self.energy!r}; give a function of two bodies, as lambda a, b: …")

    @property
    def law(self) -> PairLaw:
        return PairPotentialLaw(self)


def read_pair_ends(where: str, bodies) -> tuple[Body | str, ...]:
    """At least two bodies."""
    ends = read_ends(where, list(bodies) if isinstance(bodies, BodyGroup) else bodies)
    if len(ends) < 2:
        names = [end_name(end) for end in ends]
        raise ModelError(f"{where}: it acts between pairs of bodies, but only {names} is listed; name two or more")
    return ends


def read_numbers(where: str, given, bodies: Sequence) -> dict[str, np.ndarray]:
    """One number for each body, by name."""
    if not isinstance(given, Mapping):
        raise ModelError(
            f"{where}: numbers is {given!r}; give names with one number for each body, as {{'charge': [1, -1]}}"
        )
    taken = next((what for what in given if what in SEEN), None)
    if taken is not None:
        raise ModelError(
            f"{where}: numbers are named '{taken}', but a body has a {taken} of its own; give them another name"
        )
    return {str(what): entries(f"{where}: {what}", x, (len(bodies),)) for what, x in given.items()}
