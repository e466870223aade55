"""Parts of a measure restricted to a region."""

import numpy as np

from vinculum.measures.charts import Charts
from vinculum.measures.parts import Atoms, Part, Uniform, Varying
from vinculum.measures.regions import Region
from vinculum.measures.solids.base import Solid
from vinculum.measures.spread import Spread
from vinculum.scalars import value
from vinculum.screws import Pose


def restrict_part(part: Part, region: Region, accuracy: float) -> Part | None:
    """What is left of a part in a region; None if nothing is."""
    if isinstance(part, Atoms):
        inside = np.all(region.levels(np.asarray(value(part.points), dtype=float)) <= 0.0, axis=0)
        return Atoms(part.points[inside], part.masses[inside]) if inside.any() else None
    if isinstance(part, Spread):
        found = Spread(part.own, part.ball, max(part.accuracy, accuracy), part.X, (*part.regions, region))
    else:
        assert isinstance(part, Uniform | Varying)
        found = _restrict_solid(part, region, accuracy)
    return None if found.is_empty else found


def _restrict_solid(part: Uniform | Varying, region: Region, accuracy: float) -> Spread:
    """Charts of the smaller of both, cut by the boundary of the other."""
    smaller = isinstance(region.shape, Solid) and value(region.shape.volume) < value(part.shape.volume)
    base, X = (region.shape, region.X) if smaller else (part.shape, part.X)
    center = np.asarray(value(base.center), dtype=float)
    ball = (center, float(value(base.reach(center))))
    other = Region(part.shape, part.X) if smaller else region
    return Spread(_weigh(part, base.charts, X), ball, accuracy, X, (other,))


def _weigh(part: Uniform | Varying, charts: Charts, X: Pose) -> Charts:
    """Charts at a pose X with the density of a part, which is a function in the part's own frame."""
    if isinstance(part, Uniform):
        number = float(value(part.mass)) / float(value(part.shape.volume))
        return charts.weigh(lambda points: np.full(len(points), number))
    between = part.X.inverse() @ X
    R, p = (np.asarray(value(x), dtype=float) for x in (between.R, between.p))
    return charts.weigh(lambda points: _densities(part, points @ R.T + p))


def _densities(part: Varying, points: np.ndarray) -> np.ndarray:
    """Densities of a part at points (n, 3) of its own frame; zero outside its solid, where its function is not asked for."""
    found = np.zeros(len(points))
    inside = np.all(part.shape.levels(points) <= 0.0, axis=0)
    if inside.any():
        found[inside] = float(value(part.factor)) * np.asarray(value(part.density.at(points[inside])), dtype=float)
    return found
