"""Parameters in the equations of a tree."""

import numpy as np

from vinculum.equations.actions import action_energy
from vinculum.equations.applied import action_forces, drive_forces
from vinculum.equations.constraints import closures
from vinculum.equations.constraints.conditions import conditions
from vinculum.equations.constraints.forces import constraint_energy, constraint_forces
from vinculum.equations.constraints.variational import added_lagrangian
from vinculum.equations.contact.unilateral_rows import unilateral_rows
from vinculum.equations.given_impulses import given_impulse
from vinculum.equations.recursions.coordinate_rates import rates_are_velocities
from vinculum.models.written_out.tapes import state
from vinculum.scalars import parameters
from vinculum.systems import Tree, base_parameters, placements
from vinculum.systems.tree_numbers import tree_parameters


def parameters_of(tree: Tree) -> dict[str, float]:
    """Names and default values of all parameters in a tree, its forces, conditions and impulses."""
    q, v, t = state(tree)
    forces = [*drive_forces(tree, t, q, v), *action_forces(tree, t, q, v)]
    energies = [action_energy(tree, acting, placements(tree, q, v), t) for acting in tree.actions]
    rows = conditions(tree.at(t, q), q, v)
    kept = [
        *rows.values,
        *rows.biases,
        *rows.jacobians.ravel(),
        *rows.along.ravel(),
        constraint_energy(tree.at(t, q), q),
        *constraint_forces(tree.at(t, q), q, v),
        added_lagrangian(tree, q, v, t),
        *_bounds(tree.at(t, q), q, v),
        *_given_impulses(tree.at(t, q), q, v, t),
    ]
    found = tree_parameters(tree) | parameters(np.array([*forces, *energies, *kept, 0.0], dtype=object))
    return found | closures.hidden_parameters(tree) | base_parameters(tree)


def velocities_are_rates(tree: Tree) -> bool:
    """Whether velocities are rates of independent coordinates, so that there are canonical momenta."""
    return not tree.is_conditioned and not tree.varied and not tree.varying and rates_are_velocities(tree)


def _bounds(tree: Tree, q, v) -> list:
    rows = unilateral_rows(tree, q, v)
    return [*rows.gaps, *rows.drifts, *rows.jacobians.ravel()]


def _given_impulses(tree: Tree, q, v, t) -> list:
    placed = placements(tree, q, v) if tree.impulses else []
    return [x for one in tree.impulses for x in given_impulse(tree, one, placed, q, v, t)[0]]
