"""Servo: a condition enforced by efforts in chosen directions."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from vinculum.bonds.actions import ContactForce, Force, Interaction
from vinculum.bonds.constraints.realizations.reaching import Reaching
from vinculum.bonds.constraints.realizations.realization import Claims, Direction, Realization, refusal
from vinculum.bonds.constraints.realizations.vakonomic import Vakonomic
from vinculum.bonds.joints import Joint
from vinculum.errors import ModelError
from vinculum.screws.entries import entries, shorten

WAYS = ("chetaev", "vakonomic")
HINT = 'vc.Servo("hinge") for the effort of a joint, vc.Servo(vc.Force(…)) or vc.Servo(vc.Interaction(…)) for a unit wrench'


@final
@dataclass(frozen=True, eq=False, init=False, repr=False)
class Servo(Realization):
    r"""A condition F(q, v, t) = 0 enforced by efforts λ in chosen directions B, which may differ from the Jacobian J
    of F.

    .. math:: M\dot v + h = \tau + B^T\lambda,\qquad J\dot v + \dot J v = 0,\qquad J M^{-1}B^T\lambda = \dots

    The matrix J M⁻¹ Bᵀ is not symmetric. It is singular where the efforts cannot enforce the condition. Each of the
    ``directions`` is a joint or its name (an effort along each of its velocities, or along one of several as
    "plane.angle", between the two bodies it connects), a `Force` (an external unit wrench on one body) or an
    `Interaction` (a unit wrench between two bodies, so that Newton's third law holds). There is one for each row, and
    λ is in units of these. Alternatively the effort is along the constraint's own covectors ``by`` "chetaev", or
    "vakonomic" with its ``multipliers`` μ(0), numbers or a rule. ``bounds`` on the multipliers (one number b > 0 for
    |λ| ≤ b, one for each, or pairs (low, high)) are reported but not enforced. Gołubowska, Some aspects of affine
    motion and nonholonomic constraints, section 3 (servo constraints).

    >>> motor = vc.Servo("rail", bounds=7.0)
    >>> motor.claims.name
    'servo'
    """

    _directions: tuple[Direction, ...]
    by: str | None
    _vakonomic: Vakonomic | None
    bounds: np.ndarray | None
    claims: ClassVar[Claims] = Claims("servo", (0, 1, 2), True, False, False, "Gołubowska, section 3")

    def __init__(self, *directions, by: str | None = None, multipliers=None, bounds=None):
        if not directions and by is None:
            raise ModelError(f'servo: no direction is named; say what exerts the effort: {HINT}; or by="chetaev"')
        if by is not None and by not in WAYS:
            raise ModelError(f'servo: by is {shorten(by)}; use "chetaev" or "vakonomic", or name directions')
        if directions and by is not None:
            raise ModelError(
                f'servo: directions are named and by="{by}", which takes the derivatives of the constraint for directions; give one of them'
            )
        for one in directions:
            if not isinstance(one, (str, Joint, Force, Interaction, ContactForce)):
                raise ModelError(f"servo: {shorten(one)} is not a direction of effort; give {HINT}")
        if by != "vakonomic" and multipliers is not None:
            raise ModelError('servo: multipliers have values at the start only by="vakonomic"; leave them out')
        if by == "vakonomic" and bounds is not None:
            raise ModelError(
                'servo: by="vakonomic" its multipliers are not efforts, so bounds do not apply; see motion.bond(…).effort(body)'
            )
        object.__setattr__(self, "_directions", directions)
        object.__setattr__(self, "by", by)
        object.__setattr__(self, "_vakonomic", Vakonomic(multipliers=multipliers) if by == "vakonomic" else None)
        object.__setattr__(self, "bounds", None if bounds is None else _ranges(bounds))

    def __repr__(self):
        given = [f"by={self.by!r}"] if self.by is not None else [repr(one) for one in self._directions]
        return f"Servo({', '.join([*given, *([] if self.bounds is None else [f'bounds={self.bounds.tolist()}'])])})"

    @property
    def holds(self) -> bool:
        return True

    @property
    def varies(self) -> bool:
        return self.by == "vakonomic"

    @property
    def directions(self) -> tuple[Direction, ...]:
        return self._directions

    @property
    def rule(self) -> str | Reaching | None:
        return None if self._vakonomic is None else self._vakonomic.rule

    def ranges(self, where: str, count: int) -> list[list[float]] | None:
        if self.bounds is None:
            return None
        if len(self.bounds) not in (1, count):
            raise refusal(where, f"it has {count} row{'s' * (count != 1)} and {len(self.bounds)} bounds",
                          "give one bound for each row, or one for all")  # fmt: skip
        return np.broadcast_to(self.bounds, (count, 2)).tolist()

    def start(self, where: str, count: int) -> np.ndarray:
        return np.zeros(0) if self._vakonomic is None else self._vakonomic.start(where, count)

    def lagrangian(self, F, mu) -> Any:
        return None if self._vakonomic is None else self._vakonomic.lagrangian(F, mu)

    def check(self, where: str, level: int, is_linear: bool, count: int) -> None:
        if self._vakonomic is not None:
            self._vakonomic.check(where, level, is_linear, count)
        elif level == 2 and not is_linear:
            raise refusal(where, "accelerations enter it in other ways than linearly, so they may not follow from it uniquely",
                          "solve it for the acceleration that it programs, as lambda body: body.acceleration[0] - 2.0")  # fmt: skip


def _ranges(given) -> np.ndarray:
    """Bounds as pairs (k, 2) of the least and the largest effort."""
    if isinstance(given, str):
        raise ModelError(f"servo: bounds is {shorten(given)}; give a positive number, as bounds=5.0")
    found = np.asarray(entries("servo: bounds", given))
    if found.dtype == object:
        raise ModelError("servo: bounds must be plain numbers; a parameter cannot bound an effort")
    if found.ndim == 2 and found.shape[1] == 2 and len(found):
        wrong = found[found[:, 0] >= found[:, 1]]
        if len(wrong):
            raise ModelError(
                f"servo: bounds {wrong[0].tolist()} leave no effort between them; give (low, high) with low < high"
            )
        return found
    if found.ndim > 1 or not found.size:
        raise ModelError(
            f"servo: bounds has shape {found.shape}; give one positive number, one for each row, or pairs (low, high)"
        )
    if not np.all(found > 0.0):
        raise ModelError(
            f"servo: bounds {found.tolist()} must be positive: |λ| ≤ bound is meant; for a least and a largest effort give [(low, high)]"
        )
    sizes = np.atleast_1d(found)
    return np.stack([-sizes, sizes], axis=1)
