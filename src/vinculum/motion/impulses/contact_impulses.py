"""The impulses of one unilateral constraint, as a result."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.motion.arguments import floats
from vinculum.motion.impulses.atoms import Atoms
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class ContactImpulses:
    """Atoms of the reaction of a unilateral constraint: instants ``times`` (K,) [s] at which it is not zero, and the impulses [N s] there.

    ``normal``: (K,), never negative; ``tangential``: (K, 2), along the two tangents of friction (zero without); ``moments``: (K, 3)
    [N m s] against spinning about the normal and rolling about both tangents (zero without). A contact has one row for
    every active contact point of two shapes, with their ``shapes`` by name, (K, 2). Moreau, An expression of classical
    dynamics, (4.3).
    """

    unilateral: str
    times: np.ndarray
    normal: np.ndarray
    tangential: np.ndarray
    moments: np.ndarray
    shapes: np.ndarray

    def __len__(self) -> int:
        return len(self.times)


@final
@dataclass(frozen=True, eq=False)
class GivenImpulse:
    """An applied impulse: ``times`` (K,) [s] at which it acted, ``wrench`` (K, 6) force and moment at the body's
    origin in world axes [N s, N m s] (or one number for each velocity of a joint), and the ``work`` P · (v⁺ + v⁻)/2
    (K,) [J] that it did."""

    name: str
    times: np.ndarray
    wrench: np.ndarray
    work: np.ndarray

    def __len__(self) -> int:
        return len(self.times)


@final
@dataclass(frozen=True, eq=False)
class JointImpulses:
    """Atoms of the reaction of a joint: ``times`` (K,) [s], and ``wrench`` (K, 6), the impulse (force, moment) of the parent on the child
    at the child's joint origin, world axes [N s, N m s]; of a constraint its multipliers (K, rows)."""

    name: str
    times: np.ndarray
    wrench: np.ndarray

    def __len__(self) -> int:
        return len(self.times)


def contact_impulses_at(model: Model, atoms: Atoms | None, unilateral) -> ContactImpulses:
    """The impulses of a unilateral constraint, by object or name."""
    name = unilateral if isinstance(unilateral, str) else getattr(unilateral, "name", unilateral)
    entries = model.layout.unilaterals
    known = list(entries)
    if isinstance(name, str) and model.shapes is not None and name in model.layout.contacts:
        return _of_contact(model, atoms, name)
    if not isinstance(name, str) or name not in known:
        raise StartError(
            f"there is not a unilateral constraint or joint '{name}' in system '{model.name}'{nearest(name, known)}"
        )
    if atoms is None:
        raise StartError(
            f"unilateral constraint '{name}': this motion was given without reactions, so its impulses are not known; "
            "use a motion of vc.simulate"
        )
    own = atoms.contact_impulses[:, 3 * known.index(name) : 3 * known.index(name) + 3]
    resisting = [one for one, entry in entries.items() if entry.lengths]
    moments = np.zeros((len(atoms), 3))
    if name in resisting:
        first = 3 * (len(known) + resisting.index(name))
        moments = atoms.contact_impulses[:, first : first + 3]
    hit = own.any(axis=1)
    return ContactImpulses(
        name, atoms.times[hit], own[hit, 0], own[hit, 1:], moments[hit], np.zeros((int(hit.sum()), 0), dtype=str)
    )


def _of_contact(model: Model, atoms: Atoms | None, name: str) -> ContactImpulses:
    """The impulses of all pairs whose laws are those of a contact."""
    if atoms is None or atoms.meetings is None:
        raise StartError(
            f"contact '{name}': this motion was given without reactions, so its impulses are not known; use a motion of vc.simulate"
        )
    assert model.shapes is not None
    met, number = atoms.meetings, list(model.layout.contacts).index(name)
    own = model.shapes.pairs[met.shapes[:, 0], met.shapes[:, 1]] == number
    names = np.array(model.layout.shapes, dtype=str)
    return ContactImpulses(
        name,
        atoms.times[met.atoms[own]],
        met.impulses[own, 0],
        met.impulses[own, 1:],
        met.moments[own],
        names[met.shapes[own]],
    )


def given_atoms(model: Model, atoms: Atoms | None, contact_impulses, door: str = "replace") -> Atoms:
    """The same atoms with other impulses, (K, 3 m), given to the ``door``."""
    own = None if atoms is None else atoms.contact_impulses
    fitting = _fit(model, own, f"{door}(contact_impulses=…)", "contact_impulses", contact_impulses)
    return Atoms(np.zeros(0), fitting) if atoms is None else replace(atoms, contact_impulses=fitting)


def other_impulses(model: Model, atoms: Atoms | None, impulses) -> Atoms:
    """The same atoms with other given impulses, (K, nv)."""
    given = _fit(model, None if atoms is None else atoms.given, "replace(impulses=…)", "given", impulses)
    assert atoms is not None
    return replace(atoms, given=given)


def _fit(model: Model, own: np.ndarray | None, what: str, kept: str, numbers) -> np.ndarray:
    """Numbers in place of a motion's ``own``; ``what``: the argument they were given as, ``kept``: where the own are."""
    where = f"{what} of a motion of '{model.name}'"
    given, wanted = floats(where, numbers), None if own is None else own.shape
    if own is None:
        raise StartError(f"{where}: numbers of shape {given.shape} do not fit its impacts, of which it has none")
    if given.shape != wanted:
        raise StartError(
            f"{where}: numbers of shape {given.shape} do not fit its impacts, which have {wanted}; change those of "
            f"motion.record.atoms.{kept}"
        )
    return given
