"""Telegin's vector form of the equations of dynamics: one pair of vector equations for every subsystem.

A. I. Telegin, A new vector form of the equations of dynamics of systems of bodies (2014), statement 8.
"""

from collections.abc import Sequence

import numpy as np

from vinculum.equations.applied import applied_forces
from vinculum.equations.recursions.augmented_bodies import augmented_forces
from vinculum.equations.recursions.inertias import mirror, regrouped_inertias
from vinculum.equations.subsystems.pole_moments import Subsystems, pole_moment, pole_moment_rate
from vinculum.scalars.math import cross
from vinculum.systems import Tree
from vinculum.systems.tree import at_rest


def base_reactions(tree: Tree, q, v, a, external: Sequence | None = None,
                   poles: Sequence | None = None) -> list[np.ndarray]:  # fmt: skip
    r"""Wrench (6,) of its base on every link, reduced at the link's pole, in world axes, eqs. (22), (23).

    .. math:: m_i(\ddot r_i - g) + \ddot{\bar m}_i = F_i + F_{ri},\qquad
              \bar m_i\times(\ddot r_i - g) + \frac{d}{dt}G_i = M_i + M_{ri}

    It holds reaction, spring, damping and drive of the joint together. ``external``: for each link None or a wrench (6,) on
    it besides gravity, in its axes at its origin. ``poles``: a point (3,) of each link in its link frame; the child's joint
    origins by default.
    """
    of = Subsystems.moving(tree, q, v, a, poles)
    given_force, given_moment = external_resultants(tree, of, external, poles)
    reactions = []
    for i, at in enumerate(of.motions):
        fall = at.acceleration - tree.gravity
        F = of.masses[i] * fall + of.accelerations[i] - given_force[i]
        M = cross(of.moments[i], fall) + pole_moment_rate(of, i) - given_moment[i]
        reactions.append(np.concatenate([F, M]))
    return reactions


def external_resultants(tree: Tree, of: Subsystems, external: Sequence | None = None,
                        poles: Sequence | None = None) -> tuple[list, list]:  # fmt: skip
    """F_ri and M_ri (3,): main vector and main moment about O_i of the given wrenches on all bodies of subsystem i.

    A wrench on link l counts for every subsystem on the path from the root to l. Definitions 9–11.
    """
    force, moment = ([np.zeros(3) for _ in tree.links] for _ in range(2))
    for link in tree.links:
        wrench = None if external is None else external[link.index]
        if wrench is None:
            continue
        at = of.motions[link.index]
        pole = link.joint_origin if poles is None else poles[link.index]
        f, m = at.R_WL @ wrench[:3], at.R_WL @ wrench[3:]
        origin = at.r - at.R_WL @ pole
        for i in tree.path(link.index):
            force[i] = force[i] + f
            moment[i] = moment[i] + m + cross(origin - of.motions[i].r, f)
    return force, moment


def central_moment(of: Subsystems, i: int) -> np.ndarray:
    r"""K_i = G_i − m̄_i × dm̄_i/dt / m_i, (3,): the bracket of the relation after (25), constant where its moment vanishes.

    .. math:: \frac{d}{dt}\Big[G_i - \frac{\bar m_i\times\dot{\bar m}_i}{m_i}\Big]
              = M_i + M_{ri} - \frac{\bar m_i\times(F_i + F_{ri})}{m_i}
    """
    return pole_moment(of, i) - cross(of.moments[i], of.rates[i]) / of.masses[i]


def generalized_forces(tree: Tree, q, v, a, external: Sequence | None = None) -> np.ndarray:
    """Generalized forces (nv,): eqs. (22), (23) projected on the joints' motion subspaces.

    Gravity and the wrenches in ``external`` (as in `base_reactions`) act besides them. Springs, dampers and drives of the
    joints are part of the result.
    """
    return augmented_forces(tree, q, v, a, external, inertias=regrouped_inertias(tree))[0]


def standard_form(tree: Tree, q, v, t) -> tuple[np.ndarray, np.ndarray]:
    """M (nv, nv) and h (nv,) with M v̇ + h = τ: h contains gravity, and minus springs, damping and drives.

    τ are generalized forces besides those. Columns of M: projected equations for unit accelerations at rest, without weight.
    """
    inertias, still, stopped = regrouped_inertias(tree), np.zeros(tree.nv), at_rest(tree)
    columns = [
        augmented_forces(stopped, q, still, unit, gravity=np.zeros(3), inertias=inertias)[0] for unit in np.eye(tree.nv)
    ]
    M = mirror(np.stack(columns, axis=1)) if tree.nv else np.zeros((0, 0))
    return M, projected_residual(tree, t, q, v, still)


def projected_residual(tree: Tree, t, q, v, a) -> np.ndarray:
    """M a + h (nv,) in one piece: it vanishes along every motion of the tree under its own springs, dampers and drives."""
    return generalized_forces(tree, q, v, a) - applied_forces(tree, t, q, v)
