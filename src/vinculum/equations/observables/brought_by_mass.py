"""What mass that comes and goes brings to energies and momenta of bodies at rest in their places: ∂L/∂m ν."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds import exchange_effort, transit_momentum
from vinculum.bonds.body_view import change_view
from vinculum.equations.applied import action_wrenches
from vinculum.equations.energies import central_momentum
from vinculum.equations.recursions.coordinate_rates import mass_rates
from vinculum.scalars import directional
from vinculum.systems import Placement, Tree, body_view


@final
@dataclass(frozen=True, eq=False)
class Brought:
    """``rates`` ν [kg/s] of the masses of all bodies; ``kinetic``, ``potential`` [W]: rates of the energies at fixed positions and
    velocities; ``momenta``: of every body the rate (6,) of its momentum and angular momentum at its mass center; ``shifts``:
    m times the velocity (3,) of the mass center within the body; ``in_transit`` (3 n,) [N s]: momentum of mass on its way through
    the bodies; ``increment``, ``applied`` (3 n,) [N]: the forces 𝓕_i of mass that comes and goes, and those of weight and actions.
    All in world axes. Cheremensky (15), (17), (22): Q V."""

    rates: np.ndarray
    kinetic: Any
    potential: Any
    momenta: list[np.ndarray]
    shifts: list[np.ndarray]
    in_transit: np.ndarray
    increment: np.ndarray
    applied: np.ndarray


def brought_by_mass(tree: Tree, q, v, placed: list[Placement], kinetic, potential) -> Brought:
    """The terms ∂L/∂m ν of the balances; the masses in ``q`` must be symbols."""
    count = len(tree.links)
    if not tree.varying:
        return Brought(np.zeros(count), 0.0, 0.0, [], [], *np.zeros((3, 3 * count)))
    nu = mass_rates(tree, q, v)
    rates, in_transit = np.zeros(count, dtype=object), np.zeros((count, 3), dtype=object)
    exchanged = np.zeros((count, 3), dtype=object)
    for link, rate in zip(tree.varying, nu, strict=True):
        rates[link.index] = rate
        view = change_view(body_view(link, placed[link.index]), turns=link.body.turns)
        in_transit[link.index] = transit_momentum(link.body, view, tree.instant)
        exchanged[link.index] = exchange_effort(link.body, view, tree.instant)[0]
    momenta = [central_momentum(link, at) for link, at in zip(tree.links, placed, strict=True)]
    centers = [at.X_WL.R @ link.center for link, at in zip(tree.links, placed, strict=True)]
    outputs = np.concatenate([np.array([kinetic, potential], dtype=object), *momenta, *centers])
    found = directional(outputs, [q[link.mass_place] for link in tree.varying], list(nu))
    each, shifts = found[2 : 2 + 6 * count].reshape(count, 6), found[2 + 6 * count :].reshape(count, 3)
    moved = [link.mass * shift for link, shift in zip(tree.links, shifts, strict=True)]
    acting = action_wrenches(tree, placed, tree.instant)
    applied = [
        link.mass * tree.gravity + (0.0 if F is None else at.X_WL.R @ F[:3]) - exchanged[link.index]
        for link, at, F in zip(tree.links, placed, acting, strict=True)
    ]
    return Brought(
        rates,
        found[0],
        found[1],
        list(each),
        moved,
        in_transit.ravel(),
        (exchanged + each[:, :3]).ravel(),
        np.concatenate(applied),
    )
