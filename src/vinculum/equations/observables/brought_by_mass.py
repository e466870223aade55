"""What mass that comes and goes brings to energies and momenta of bodies at rest in their places: ∂L/∂m ν."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bonds import transit_momentum
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
    the bodies. All in world axes. Cheremensky (17), (22): Q V."""

    rates: np.ndarray
    kinetic: Any
    potential: Any
    momenta: list[np.ndarray]
    shifts: list[np.ndarray]
    in_transit: np.ndarray


def brought_by_mass(tree: Tree, q, v, placed: list[Placement], kinetic, potential) -> Brought:
    """The terms ∂L/∂m ν of the balances; the masses in ``q`` must be symbols."""
    count = len(tree.links)
    if not tree.varying:
        return Brought(np.zeros(count), 0.0, 0.0, [], [], np.zeros(3 * count))
    nu = mass_rates(tree, q, v)
    rates, in_transit = np.zeros(count, dtype=object), np.zeros((count, 3), dtype=object)
    for link, rate in zip(tree.varying, nu, strict=True):
        rates[link.index] = rate
        view = replace(body_view(link, placed[link.index]), turns=link.body.turns)
        in_transit[link.index] = transit_momentum(link.body, view, tree.instant)
    momenta = [central_momentum(link, at) for link, at in zip(tree.links, placed, strict=True)]
    centers = [at.X_WL.R @ link.center for link, at in zip(tree.links, placed, strict=True)]
    outputs = np.concatenate([np.array([kinetic, potential], dtype=object), *momenta, *centers])
    found = directional(outputs, list(tree.masses(q)), list(nu))
    each, shifts = found[2 : 2 + 6 * count].reshape(count, 6), found[2 + 6 * count :].reshape(count, 3)
    moved = [link.mass * shift for link, shift in zip(tree.links, shifts, strict=True)]
    return Brought(rates, found[0], found[1], list(each), moved, in_transit.ravel())
