"""What a potential 1/r sees of a mass measure from outside."""

from functools import reduce

from vinculum.measures.measure import Measure
from vinculum.scalars import Value, math


def is_points(measure: Measure) -> bool:
    """Whether it sees nothing but points: atoms and homogeneous balls."""
    return all(part.is_points for part in measure.parts)


def reach(measure: Measure, point) -> Value:
    """Distance [m] from ``point`` (3,) to the farthest mass, or a little more; a homogeneous ball counts as its center."""
    return reduce(math.maximum, [part.reach(point) for part in measure.parts])
