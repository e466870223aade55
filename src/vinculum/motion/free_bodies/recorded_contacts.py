"""Motions by time stepping of many bodies: impulses belong to steps, and every active contact is recorded."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from vinculum.errors import FileError, StartError
from vinculum.models.model import Model
from vinculum.motion.by_type import MotionOfType
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_impulses import ContactImpulses
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.pressing import PressingContacts, tangents
from vinculum.motion.motion import Motion
from vinculum.motion.record import Record
from vinculum.motion.storage.datasets import dataset


class SteppedContactMotion(MotionOfType):
    """Motions whose active contacts are recorded step by step."""

    keeps_pressing: ClassVar[bool] = True

    @abstractmethod
    def shape_names(self, model: Model) -> Sequence[str]:
        """Names of the moving shapes, and of the fixed ones after them."""

    @abstractmethod
    def pairs_of_contact(self, model: Model, name: str, pairs: np.ndarray) -> np.ndarray:
        """Which of the pairs (C, 2) of shapes belong to a contact, (C,)."""

    def make_stored(self, *parts, **kept) -> Motion:
        return Motion(Record(*parts, **kept))

    def dataset(self, record: Any) -> Any:
        return dataset(record)

    def contact_impulses(self, motion: Any, name: str) -> ContactImpulses:
        if name in motion.model.layout.contacts:
            return self._recorded_impulses(motion.model, motion.contact_solver, motion.atoms, name)
        return self.impulses_of_unilateral(motion, name)

    @abstractmethod
    def impulses_of_unilateral(self, motion: Record, name: str) -> ContactImpulses:
        """The impulses of a unilateral constraint in steps and at the instants of applied impulses."""

    def _recorded_impulses(
        self, model: Model, contact_solver: ContactSolver | None, atoms: Atoms | None, name: str
    ) -> ContactImpulses:
        """The impulses of a contact, one row for every active contact of two shapes, in steps and at the instants of applied impulses."""
        if contact_solver is None or contact_solver.pressing is None:
            raise StartError(
                f"contact '{name}': this motion was given without reactions, so its impulses are not known; use a motion of vc.simulate"
            )
        rows = contact_solver.pressing
        parts = [(contact_solver.times[rows.contact_solver], rows.bodies, rows.normals, rows.impulses, rows.moments)]
        if atoms is not None and atoms.meetings is not None and len(atoms.meetings):
            met = atoms.meetings
            P, M = (np.einsum("cak,ca->ck", met.axes, x) for x in (met.impulses, met.moments))
            parts.append((atoms.times[met.atoms], met.shapes, met.axes[:, 0], P, M))
        times, bodies, normals, P, M = (np.concatenate(x) for x in zip(*parts, strict=True))
        own = np.flatnonzero(self.pairs_of_contact(model, name, bodies))
        own = own[np.argsort(times[own], kind="stable")]
        axes = np.concatenate([normals[own, None], tangents(normals[own])], axis=1)
        return ContactImpulses(
            name,
            times[own],
            np.einsum("ck,ck->c", normals[own], P[own]),
            np.einsum("cak,ck->ca", axes[:, 1:], P[own]),
            np.einsum("cak,ck->ca", axes, M[own]),
            np.array(self.shape_names(model), dtype=str)[bodies[own]],
        )

    def shape_count(self, model: Model) -> int:
        return len(self.shape_names(model)) + len(model.layout.unilaterals)

    def check_pressing(self, model: Model, pressing: PressingContacts, steps: int) -> None:
        if not pressing.fits(steps, self.shape_count(model)):
            raise FileError("the stored impulses do not fit the stored model; the folder is damaged")
