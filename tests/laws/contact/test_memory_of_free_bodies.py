"""What free bodies keep grows with their number, not with that of their pairs."""

import numpy as np

import vinculum as vc
from free_bodies import free_bodies
from vinculum.contact.free_bodies.arrays import LISTED
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model_cache import model_for


def kept(side):
    """Bytes for every body of a lattice of spheres that nearly touch."""
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    n, x = len(grid), 0.1001 * grid.astype(float)
    work = FreeBodiesWork(
        free_bodies_of(model_for(free_bodies([vc.shapes.Sphere(0.05)] * n))),
        x,
        np.tile([1.0, 0, 0, 0], (n, 1)),
        *np.zeros((2, n, 3)),
    )
    work.deepest()
    assert int(work.arrays().counts[LISTED]) >= 3 * side * side * (side - 1)
    return bytes_of(work.arrays()) / n


def bytes_of(kept) -> int:
    """Bytes of an array, or of all arrays of a tuple of tuples."""
    if isinstance(kept, tuple):
        return sum(bytes_of(part) for part in kept)
    return kept.nbytes if isinstance(kept, np.ndarray) else 0


def test_memory_for_a_body_does_not_depend_on_how_many_there_are():
    assert kept(12) < 1.2 * kept(5)
