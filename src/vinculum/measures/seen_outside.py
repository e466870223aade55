"""What a potential 1/r sees of a mass measure from outside."""

from functools import reduce

import numpy as np

from vinculum.measures.measure import Measure, check_degree
from vinculum.scalars import Value, math


def is_points(measure: Measure) -> bool:
    """Whether it sees nothing but points: atoms and homogeneous balls."""
    return all(part.is_points for part in measure.parts)


def reach(measure: Measure, point) -> Value:
    """Distance [m] from ``point`` (3,) to the farthest mass, or a little more; a homogeneous ball counts as its center."""
    return reduce(math.maximum, [part.reach(point) for part in measure.parts])


def point_masses(measure: Measure, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and masses (n,) with the same moments up to the ``degree``.

    Atoms are kept. A homogeneous ball is replaced by its center, because its 1/r potential outside is that of a
    point.
    """
    check_degree("degree", degree, 0)
    found = [part.point_masses(degree) for part in measure.parts]
    return np.concatenate([points for points, _ in found]), np.concatenate([masses for _, masses in found])
