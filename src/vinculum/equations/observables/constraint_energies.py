"""Energy and power of constraints by two routes: from the efforts on their bodies, and from their rows."""

import numpy as np

from vinculum.equations.applied import applied_forces
from vinculum.equations.constraints.efforts import Keeping, kept_power
from vinculum.equations.constraints.named_efforts import named_power
from vinculum.equations.constraints.powers import constraint_energy, reaction_power
from vinculum.equations.constraints.rows import rows_of
from vinculum.equations.recursions.inertias import regrouped_inertias
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.scalars.math import abs as absolute
from vinculum.systems import Constrained, Tree, body_view


def powers_by_rows(tree: Tree, q, v, loads) -> list:
    """Power [W] of the reactions of every constraint that adds nothing to the Lagrangian, those kept by multipliers first."""
    a = loads.accelerations
    return [
        named_power(tree, one, loads.placed, q, v, by.multipliers)
        if one.directions
        else reaction_power(tree, one, loads.placed, q, v, by.multipliers, a)
        for one, by in loads.kept + loads.yields
    ]


def constraint_energies(tree: Tree, q, v, loads) -> dict:
    """Of every constraint that adds to the Lagrangian the ``energy`` it holds, and the ``rate`` of that: −(power of its efforts) − ∂Λ/∂t.

    Gołubowska (79), (87)–(89).
    """
    energies = [constraint_energy(tree, one, loads.placed, q, v) for one, _ in loads.varied]
    powers = [kept_power(tree, one, by, loads.placed, v) for one, by in loads.varied]
    sizes = [reaction_size(tree, one, by, loads.placed, v) for one, by in loads.varied]
    return {
        "constraint_energy": [one.energy for one in energies],
        "constraint_energy_size": [one.size for one in energies],
        "constraint_rate": [-power - one.time_slope for power, one in zip(powers, energies, strict=True)],
        "constraint_rate_size": [x + absolute(one.time_slope) for x, one in zip(sizes, energies, strict=True)],
        "constraint_time_slope": [one.time_slope for one in energies],
    }


def multiplier_rate_sizes(tree: Tree, q, v, t) -> list:
    """What the round-off of every μ̇ is measured against: all forces that reactions may have to balance, over the derivatives of the row."""
    rows = rows_of(tree, [one for one in tree.varied if one.holds], q, v)
    if not len(rows.rates):
        return []
    inertias = regrouped_inertias(tree)
    h, _ = inverse_dynamics(tree, q, v, np.zeros(tree.nv), None, inertias)
    forces = _length(applied_forces(tree, t, q, v) - h)
    return [forces / _length(jacobians) for jacobians in rows.jacobians]


def reaction_size(tree: Tree, constrained: Constrained, by: Keeping, placed, v):
    """Size [W] of the terms in the power of a constraint's efforts."""
    total = 0.0
    for (_, i), effort, force in zip(constrained.ends, by.efforts, by.along, strict=True):
        if effort is None:
            total = total + _length(force) * _length(v[tree.links[i].v])
        elif i >= 0:
            motion = body_view(tree.links[i], placed[i])._state.motion
            total = total + _length(effort[0]) * _length(motion[0]) + _length(effort[1]) * _length(motion[1])
    return total


def effort_sizes(tree: Tree, constrained: Constrained, by: Keeping) -> list:
    """Sizes [N, N m] of the forces and of the moments of a constraint, those along joints by the unit of the velocities there."""
    sizes: list = [0.0, 0.0]
    for (_, i), effort, along in zip(constrained.ends, by.efforts, by.along, strict=True):
        if effort is None:
            for unit, x in zip(tree.links[i].joint.kind.coordinates.v_units, along, strict=True):
                kind = int(unit != "m/s")
                sizes[kind] = sizes[kind] + absolute(x)
        elif i >= 0:
            sizes = [size + _length(x) for size, x in zip(sizes, effort, strict=True)]
    return sizes


def _length(x):
    return sum(absolute(np.asarray(x, dtype=object)), 0.0)
