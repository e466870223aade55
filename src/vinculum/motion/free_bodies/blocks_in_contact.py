"""Motions of blocks in contact."""

from collections.abc import Sequence
from typing import final

import numpy as np

from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.motion.free_bodies.recorded_contacts import SteppedContactMotion


@final
class BlocksInContactMotion(SteppedContactMotion):
    """A contact has the pairs whose laws are its own."""

    def shape_names(self, model: Model) -> Sequence[str]:
        return model.layout.shapes

    def pairs_of_contact(self, model: Model, name: str, pairs: np.ndarray) -> np.ndarray:
        return block_shapes_of(model).law_of(*pairs.T) == list(model.layout.contacts).index(name)
