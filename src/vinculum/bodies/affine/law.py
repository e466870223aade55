"""What ready-made laws of a deformation have in common: numbers that are read and checked."""

from abc import ABC
from collections.abc import Callable, Mapping
from dataclasses import fields

from vinculum.errors import ModelError, shorten
from vinculum.screws.entries import check_finite, entries


class DeformationLaw(ABC):  # noqa: B024 - an energy is called with one matrix, a dissipation with two
    """A law of a homogeneous deformation, called with its matrices: an energy V(φ) [J] or a dissipation Ψ(φ, φ̇) [W].

    Its numbers may be `vc.parameter`.
    """

    may_be_zero: tuple[str, ...] = ()
    """Names of its numbers that may be zero; the others are positive."""

    def __post_init__(self):
        for one in fields(self):  # type: ignore[arg-type]
            given = getattr(self, one.name)
            if one.type is not Callable:
                number = entries(f"{type(self).__name__}: {one.name}", given, ()).item()
                object.__setattr__(self, one.name, number)
            elif not callable(given):
                raise ModelError(
                    f"{type(self).__name__}: {one.name} is {shorten(given)}; give a function of invariants"
                )
        self.check()

    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse numbers of a wrong sign."""
        for one in fields(self):  # type: ignore[arg-type]
            if one.type is Callable:
                continue
            number = float(check_finite(f"{type(self).__name__}: {one.name}", getattr(self, one.name), values))
            if not (number > 0.0 or (number == 0.0 and one.name in self.may_be_zero)):
                allowed = "zero or positive" if one.name in self.may_be_zero else "positive"
                raise ModelError(f"{type(self).__name__}: {one.name} is {number:g}, but it must be {allowed}")
