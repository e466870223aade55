"""Applied impulses as generalized impulses."""

import numpy as np

from vinculum.bonds.efforts import moment_of
from vinculum.equations.actions import action_views, on_links, project_wrenches
from vinculum.equations.constraints.closing_wrenches import sum_wrenches
from vinculum.systems import Acting, Placement, Struck, Tree
from vinculum.systems.views import joint_view


def given_impulse(tree: Tree, struck: Struck, placed: list[Placement], q, v, t) -> tuple[np.ndarray, np.ndarray]:
    r"""An impulse along all velocities (nv,), and as it acts: force and moment (6,) at the body's origin in world axes [N s, N m s], or one
    number for each velocity of the joint.

    .. math:: Q = J^T P, \qquad V_{WB} = J v

    ``q``, ``v``: the state right before it. Moreau, An expression of classical dynamics, (4.3).
    """
    link = tree.links[struck.link]
    if struck.kind == "joint":
        along = struck.impulse.law.along(joint_view(link, q, v), link.joint.nv, t)
        total = np.zeros(tree.nv, dtype=object)
        total[link.v] = along
        return total, along
    acting = Acting(struck.impulse, (struck.link,))
    (view,) = action_views(tree, acting, placed)
    efforts = struck.impulse.law.efforts_at([view], t)
    assert efforts is not None
    wrenches = sum_wrenches(tree, on_links(tree, acting, placed, efforts))
    return project_wrenches(tree, q, wrenches), np.concatenate([efforts[0][0], moment_of(view, efforts[0])])
