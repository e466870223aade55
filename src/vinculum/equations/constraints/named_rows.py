"""Unit efforts of servos in chosen directions, as efforts on bodies and as rows of generalized forces."""

import numpy as np

from vinculum.bonds import Effort
from vinculum.equations.actions import action_views, on_links, project_wrenches
from vinculum.equations.constraints.closing_wrenches import sum_wrenches
from vinculum.systems import Acting, AlongJoint, Constrained, Placement, Tree, placements


def named_rows(tree: Tree, constrained: Constrained, q, v) -> np.ndarray:
    """B (k, nv): the generalized forces of each unit effort of a servo."""
    placed = placements(tree, q, v)
    return np.stack([_row(tree, one, placed, q) for one in constrained.directions])


def unit_efforts(tree: Tree, acting: Acting, placed: list[Placement]) -> list[Effort]:
    """Force and moment of a unit wrench on each of its bodies, at their origins in world axes."""
    efforts = acting.action.law.efforts_at(action_views(tree, acting, placed), tree.instant)
    assert efforts is not None
    return efforts


def _row(tree: Tree, one: AlongJoint | Acting, placed: list[Placement], q) -> np.ndarray:
    if isinstance(one, AlongJoint):
        return np.eye(tree.nv)[tree.links[one.link].v.start + one.velocity]
    return project_wrenches(tree, q, sum_wrenches(tree, on_links(tree, one, placed, unit_efforts(tree, one, placed))))
