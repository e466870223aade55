"""Room for contacts: arrays that steps write."""

import numpy as np

from vinculum.collision.arrays import Contacts
from vinculum.contact.sparse.arrays import Copies, Iterate
from vinculum.contact.sparse.packed_spheres import aligned_zeros


def empty_contacts(size: int) -> Contacts:
    """Room for so many contacts."""
    return Contacts(np.empty((size, 2), dtype=np.int64), np.empty((size, 3, 3)), np.empty((size, 3)), np.empty(size))


def empty_copies(size: int, rows: int) -> Copies:
    """Room for iterates of so many contacts, with velocities in so many rows of eight."""
    return Copies(*(Iterate(np.empty((size, 3)), aligned_zeros((rows, 8))) for _ in Copies._fields))
