"""Gaps of boundaries, and the speeds with which things part and slip there."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bonds.boundaries import contact_frame, relative_turn, slip_velocity
from vinculum.equations.recursions.coordinate_rates import rates as coordinate_rates
from vinculum.scalars import directional, jacobian, substitute, symbol, symbols
from vinculum.systems import Tree, placements
from vinculum.systems.bounded import boundary_views


@final
@dataclass(frozen=True, eq=False)
class BoundaryRows:
    r"""``gaps`` (m,) and three speeds of each boundary, u = H v + drift: of parting, and of slip along two tangents.

    After those of all boundaries come three of each that resists rolling or spinning, in order: turns about the normal and both tangents.
    ``slopes`` H: (3 b, nv) of b such triples; ``drifts``: (3 b,); ``biases`` with u̇ = H v̇ + bias: (3 b,).
    Without friction the rows of slip are zero, and the speed of parting is the gap's rate;
    with friction it is the rate over \|∂g/∂x\|, so that its reaction is a force.
    """

    gaps: np.ndarray
    slopes: np.ndarray
    drifts: np.ndarray
    biases: np.ndarray


def boundary_rows(tree: Tree, q, v) -> BoundaryRows:
    """The rows of every boundary where the tree stands at its instant."""
    m = len(tree.boundaries)
    if not m:
        return BoundaryRows(np.zeros(0), np.zeros((0, tree.nv)), np.zeros(0), np.zeros(0))
    s, w, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there = tree.at(t)
    q_dot, placed = coordinate_rates(there, s, w), placements(there, s, w)
    gaps, speeds, turns = [], [], []
    for one in there.boundaries:
        views = boundary_views(there, one, placed, s, w)
        gap = one.boundary.gap_at(views, t)
        rate = np.asarray(directional([gap], [*s, t], [*q_dot, 1.0]), dtype=object)[0]
        gaps.append(gap)
        if one.boundary.friction is None:
            speeds += [rate, 0.0, 0.0]
            continue
        size, point, frame = contact_frame(one.boundary, views, t)
        slip = frame @ slip_velocity(views, point)
        speeds += [rate / size, slip[1], slip[2]]
        if one.boundary.friction.resists:
            turns += list(frame @ relative_turn(views))
    speed = np.array(speeds + turns, dtype=object)
    H = jacobian(speed, w)
    drift = substitute(speed, w, np.zeros(tree.nv))
    bias = np.asarray(directional(speed, [*s, t], [*q_dot, 1.0]), dtype=object)
    found = substitute(np.concatenate([gaps, drift, bias, H.ravel()]), [*s, *w, t], [*q, *v, tree.instant])
    rows = len(speed)
    a, b, c = m, m + rows, m + 2 * rows
    return BoundaryRows(found[:a], found[c:].reshape(rows, tree.nv), found[a:b], found[b:c])
