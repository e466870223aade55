"""Motions of blocks in contact."""

from collections.abc import Sequence
from typing import final

import numpy as np

from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.motion.free_bodies.recorded_contacts import SteppedContactMotion
from vinculum.motion.impulses.contact_impulses import ContactImpulses, contact_impulses_at
from vinculum.motion.record import Record


@final
class BlocksInContactMotion(SteppedContactMotion):
    """A contact has the pairs whose laws are its own."""

    def shape_names(self, model: Model) -> Sequence[str]:
        return model.layout.shapes

    def impulses_of_unilateral(self, motion: Record, name: str) -> ContactImpulses:
        solver, names = motion.contact_solver, list(motion.model.layout.unilaterals)
        if solver is None or solver.pressing is None:
            return contact_impulses_at(motion.model, motion.atoms, name)
        rows, none = solver.pressing, np.zeros((0, 3))
        own = np.flatnonzero(rows.bodies[:, 0] == len(motion.model.layout.shapes) + names.index(name))
        times, P = [solver.times[rows.contact_solver[own]]], [rows.impulses[own], none]
        if motion.atoms is not None and len(motion.atoms):
            answered = contact_impulses_at(motion.model, motion.atoms, name)
            times.append(answered.times)
            P.append(np.column_stack([answered.normal, answered.tangential]))
        order = np.argsort(np.concatenate(times), kind="stable")
        found = np.concatenate(P)[order]
        unnamed = np.zeros((len(order), 0), dtype=str)
        return ContactImpulses(
            name, np.concatenate(times)[order], found[:, 0], found[:, 1:], np.zeros_like(found), unnamed
        )

    def pairs_of_contact(self, model: Model, name: str, pairs: np.ndarray) -> np.ndarray:
        shaped = pairs[:, 0] < len(model.layout.shapes)
        found = np.zeros(len(pairs), dtype=bool)
        found[shaped] = block_shapes_of(model).law_of(*pairs[shaped].T) == list(model.layout.contacts).index(name)
        return found
