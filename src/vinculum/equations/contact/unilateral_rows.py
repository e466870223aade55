"""Gaps of unilateral constraints, and the normal and sliding velocities there."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bonds.unilaterals import contact_frame, relative_turn, slip_velocity
from vinculum.equations.recursions.coordinate_rates import rates as coordinate_rates
from vinculum.scalars import directional, jacobian, substitute, symbol, symbols
from vinculum.systems import Tree, placements
from vinculum.systems.unilaterals import unilateral_views


@final
@dataclass(frozen=True, eq=False)
class UnilateralRows:
    r"""``gaps`` (m,) and three velocities of each unilateral constraint, u = H v + drift: normal, and along two
    tangents.

    After those of all unilateral constraints come three of each that resists rolling or spinning, in order: turns about the normal and
    both tangents. ``derivatives`` H: (3 b, nv) of b such triples; ``drifts``: (3 b,); ``biases`` with u̇ = H v̇ + bias: (3 b,).
    Without friction the rows of slip are zero, and the speed of parting is the gap's rate;
    with friction it is the rate over \|∂g/∂x\|, so that its reaction is a force.
    """

    gaps: np.ndarray
    jacobians: np.ndarray
    drifts: np.ndarray
    biases: np.ndarray


def unilateral_rows(tree: Tree, q, v) -> UnilateralRows:
    """The rows of every unilateral constraint at the instant of the tree."""
    m = len(tree.unilaterals)
    if not m:
        return UnilateralRows(np.zeros(0), np.zeros((0, tree.nv)), np.zeros(0), np.zeros(0))
    s, w, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there = tree.at(t)
    q_dot, placed = coordinate_rates(there, s, w), placements(there, s, w)
    gaps, speeds, turns = [], [], []
    for one in there.unilaterals:
        views = unilateral_views(there, one, placed, s, w)
        gap = one.unilateral.gap_at(views, t)
        rate = np.asarray(directional([gap], [*s, t], [*q_dot, 1.0]), dtype=object)[0]
        gaps.append(gap)
        if one.unilateral.friction is None:
            speeds += [rate, 0.0, 0.0]
            continue
        size, point, frame = contact_frame(one.unilateral, views, t)
        slip = frame @ slip_velocity(views, point)
        speeds += [rate / size, slip[1], slip[2]]
        if one.unilateral.friction.resists:
            turns += list(frame @ relative_turn(views))
    speed = np.array(speeds + turns, dtype=object)
    H = jacobian(speed, w)
    drift = substitute(speed, w, np.zeros(tree.nv))
    bias = np.asarray(directional(speed, [*s, t], [*q_dot, 1.0]), dtype=object)
    found = substitute(np.concatenate([gaps, drift, bias, H.ravel()]), [*s, *w, t], [*q, *v, tree.instant])
    rows = len(speed)
    a, b, c = m, m + rows, m + 2 * rows
    return UnilateralRows(found[:a], found[c:].reshape(rows, tree.nv), found[a:b], found[b:c])
