"""Active contacts of a scene."""

from collections.abc import Sequence
from typing import final

import numpy as np

from vinculum.show.scene import Touching

MOST_CONTACTS = 250_000
"""Contacts of all frames together; more are not drawn."""


@final
class TooManyError(Exception):
    """There are more contacts than a page can hold."""


def check_count(count: int) -> None:
    """Refuse more contacts than are drawn."""
    if count > MOST_CONTACTS:
        raise TooManyError(
            f"contact forces are not drawn, as the frames have {count} contacts together; ask for fewer frames"
        )


def numbers_between(begins: np.ndarray, k: int) -> np.ndarray:
    """The numbers of the contacts of the step k, which begin at ``begins[k]``."""
    return np.arange(int(begins[k]), int(begins[k + 1]))


def touching_of(chosen: Sequence[np.ndarray], places: np.ndarray, vectors: np.ndarray) -> Touching | None:
    """The contacts whose numbers are ``chosen`` for each frame; None if there are none at all."""
    begins = np.concatenate([[0], np.cumsum([len(own) for own in chosen])]).astype(np.int64)
    if not begins[-1]:
        return None
    every = np.concatenate(chosen)
    return Touching(begins, places[every], vectors[every])
