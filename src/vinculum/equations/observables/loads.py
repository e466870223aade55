"""Loads in joints and on bodies: reactions, balances of energy and momentum, and the equations from energies alone."""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.bonds.joints.joint import compliance_of
from vinculum.equations.actions import action_views, effort_power, exerted_efforts, link_wrench
from vinculum.equations.applied import (
    action_wrenches,
    applied_forces,
    dissipative_forces,
    drive_forces,
    spring_forces,
)
from vinculum.equations.constraints import constrained
from vinculum.equations.constraints.closing_wrenches import (
    closing_pairs,
    closing_wrenches,
    relative_twist,
    sum_wrenches,
    twist_at,
    world_wrench,
    wrenches_on_links,
)
from vinculum.equations.constraints.efforts import (
    Keeping,
    all_multipliers,
    constraint_multipliers,
    keeping,
    kept_power,
    multiplier_rates,
)
from vinculum.equations.constraints.forces import yielding, yielding_multipliers
from vinculum.equations.constraints.named_efforts import named_efforts
from vinculum.equations.constraints.rows import rows_of
from vinculum.equations.constraints.variational_efforts import variational_efforts
from vinculum.equations.energies import center_velocity, central_momentum, kinetic_energy, potential_energy
from vinculum.equations.forms import boltzmann_hamel
from vinculum.equations.observables.accelerations import shortest_accelerations
from vinculum.equations.observables.brought_by_mass import Brought, brought_by_mass
from vinculum.equations.observables.constraint_energies import (
    constraint_energies,
    multiplier_rate_sizes,
    powers_by_rows,
    reaction_size,
)
from vinculum.equations.recursions.newton_euler import at_parent, inverse_dynamics
from vinculum.scalars import gradient, symbols
from vinculum.scalars.math import abs as absolute
from vinculum.scalars.math import cross, dot
from vinculum.systems import Constrained, Link, Placement, Tree, link_steps, placements


@final
@dataclass(frozen=True, eq=False)
class Loads:
    """Everything that acts in joints. ``joints``: wrenches of the tree's joints on their links, in link axes at the link origins;
    ``closing``: those of closing joints on their children, in world axes at ``points``; ``on_links``: what the closing joints and
    the actions do to links, as (link, wrench in link axes at its origin). ``pairs``: the wrench
    of each closing joint on its child, and force and moment on its parent, in link axes at the link origins. ``kept``: the constraints
    that multipliers keep, with what these do; ``yields``: the same of those that yield; ``varied``: of those that add to the
    Lagrangian; ``multiplier_rates``: of the multipliers that are part of the state; ``accelerations``: v̇ (nv,) where multipliers keep
    something."""

    placed: list
    joints: list
    closing: list
    points: list
    on_links: list
    pairs: list = field(default_factory=list)
    kept: list = field(default_factory=list)
    yields: list = field(default_factory=list)
    varied: list = field(default_factory=list)
    multiplier_rates: Any = ()
    accelerations: Any = ()


def loads_of(tree: Tree, q, v, t) -> Loads:
    """All loads in the joints of a tree along its motion."""
    placed = placements(tree, q, v)
    yields = [(one, keeping(tree, one, placed, q, v, yielding_multipliers(tree, one, q, v))) for one in yielding(tree)]
    on_links = [(i, F) for i, F in enumerate(action_wrenches(tree, placed, t)) if F is not None] if tree.actions else []
    for one, by in yields:
        on_links += pushed_links(tree, one, placed, by)
    if not tree.is_conditioned:
        a = shortest_accelerations(tree, q, v, t)
        varied = _efforts_of_varied(tree, q, v, a, np.zeros(0))
        for one, by in varied:
            on_links += pushed_links(tree, one, placed, by)
        acting = sum_wrenches(tree, on_links) if on_links else None
        return Loads(placed, inverse_dynamics(tree, q, v, a, acting)[1], [], [], on_links, [], [], yields, varied)
    a, lam = constrained.accelerations(tree, q, v, applied_forces(tree, t, q, v))
    full = all_multipliers(tree, lam)
    closing = closing_wrenches(tree, q, full)
    mu_dot = multiplier_rates(tree, lam)
    kept, varied = _constraint_efforts(tree, placed, q, v, full, a), _efforts_of_varied(tree, q, v, a, mu_dot)
    on_links = wrenches_on_links(tree, q, closing) + on_links
    for one, by in kept + varied:
        on_links += pushed_links(tree, one, placed, by)
    ends = [world_wrench(c, placed, F) for c, F in zip(tree.closures, closing, strict=True)]
    wrenches = inverse_dynamics(tree, q, v, a, sum_wrenches(tree, on_links))[1]
    pairs = closing_pairs(tree, q, closing)
    closed = [F for F, _ in ends], [point for _, point in ends]
    return Loads(placed, wrenches, *closed, on_links, pairs, kept, yields, varied, mu_dot, a)


def multipliers_by_name(tree: Tree, q, v, t) -> dict[str, np.ndarray]:
    """The multipliers of every constraint that they keep, by its name; nothing else of the loads is computed."""
    if not tree.is_conditioned:
        return {}
    _, lam = constrained.accelerations(tree, q, v, applied_forces(tree, t, q, v))
    held = [one for one in tree.constraints if one.holds]
    each = constraint_multipliers(tree, all_multipliers(tree, lam))
    return {one.constraint.name: own for one, own in zip(held, each, strict=True)}


def _constraint_efforts(tree: Tree, placed, q, v, full, a) -> list[tuple[Constrained, Keeping]]:
    held = [one for one in tree.constraints if one.holds]
    return [
        (one, named_efforts(tree, one, placed, v, lam) if one.directions else keeping(tree, one, placed, q, v, lam, a))
        for one, lam in zip(held, constraint_multipliers(tree, full), strict=True)
        if not one.varies
    ]


def _efforts_of_varied(tree: Tree, q, v, a, mu_dot) -> list[tuple[Constrained, Keeping]]:
    return [(one, variational_efforts(tree, one, q, v, a, mu_dot)) for one in tree.varied]


def pushed_links(tree: Tree, held: Constrained, placed, by: Keeping) -> list[tuple[int, np.ndarray]]:
    """Efforts of a constraint as (link, wrench (6,) in link axes at its origin)."""
    found = []
    for (_, i), effort in zip(held.ends, by.efforts, strict=True):
        if effort is not None and i >= 0:
            found.append((i, link_wrench(tree, placed, i, effort)))
    return found


def reactions(tree: Tree, q, v, t) -> dict:
    """For every joint the wrench (6,) of its parent on its child at the child's joint origin, in world axes."""
    loads = loads_of(tree, q, v, t)
    groups = {}
    for link, at, F in zip(tree.links, loads.placed, loads.joints, strict=True):
        R = at.X_WL.R
        groups[link.joint.name] = np.concatenate([R @ F[:3], R @ (F[3:] - cross(link.joint_origin, F[:3]))])
    return groups | {c.joint.name: F for c, F in zip(tree.closures, loads.closing, strict=True)}


def balance(tree: Tree, q, v, t) -> dict:
    """Energies, powers, and of every body its mass center, its momentum screw and the wrench on it, both reduced there.

    Nothing here grows with the distance from the world's origin but the centres and the potential energy; what their
    round-off is measured against is ``reach``, the way to the body along its joints, and ``potential_size``.
    """
    loads = loads_of(tree, q, v, t)
    placed = loads.placed
    on_bodies = [[(F[:3], F[3:], length(F[3:]))] for F in loads.joints]
    for i, F in loads.on_links:
        on_bodies[i].append((F[:3], F[3:6], length(F[3:6])))
    for link, F in zip(tree.links, loads.joints, strict=True):
        if link.parent >= 0:
            f, m = at_parent(link, q, F[:3], F[3:])
            arm = sum(length(X.p) for X in link_steps(link, q))
            on_bodies[link.parent].append((-f, -m, length(F[3:]) + arm * length(f)))
    acts = _actions(tree, placed, t)
    centers, momenta, total, sizes, reach = [], [], [], [], []
    for link, at, acting in zip(tree.links, placed, on_bodies, strict=True):
        R, weight = at.X_WL.R, link.mass * tree.gravity
        f, m = (sum(F[k] for F in acting) for k in (0, 1))
        total.append(np.concatenate([R @ f + weight, R @ (m - cross(link.center, f))]))
        size = sum(length(F[0]) for F in acting)
        moment = sum(F[2] for F in acting) + length(link.center) * size + acts.moment_sizes[link.index]
        sizes.append(np.array([size + length(weight)] * 3 + [moment] * 3))
        centers.append(at.X_WL.apply(link.center))
        momenta.append(central_momentum(link, at))
        if link.extra_inertia is not None:
            # the momentum is not along the velocity of the mass center, where moments are reduced
            turned = cross(center_velocity(link, at), momenta[-1][:3])
            total[-1] = np.concatenate([total[-1][:3], total[-1][3:] - turned])
            sizes[-1] = sizes[-1] + np.array(
                [0.0] * 3 + [length(center_velocity(link, at)) * length(momenta[-1][:3])] * 3
            )
        way = sum(length(X.p) for X in link_steps(link, q))
        reach.append(way + (reach[link.parent] if link.parent >= 0 else 0.0))
    reach = [way + length(link.center) for way, link in zip(reach, tree.links, strict=True)]
    spring = spring_forces(tree, q) * v
    lifts = [tree.gravity @ p for p in _carried_momenta(tree, placed, momenta)]
    ends = list(zip(tree.closures, loads.closing, loads.points, strict=True))
    drives = drive_powers(tree, loads)
    given = (drive_forces(tree, t, q, v) @ v if tree.nv else 0.0) + acts.given + sum((p for p, _ in drives), 0.0)
    potential = potential_energy(tree, t, q, placed)
    kinetic = kinetic_energy(tree, placed)
    brought = brought_by_mass(tree, q, v, placed, kinetic, potential)
    if tree.varying:
        total = [F + rate for F, rate in zip(total, brought.momenta, strict=True)]
        sizes = [
            size + np.repeat([length(rate[:3]), length(rate[3:])], 3)
            for size, rate in zip(sizes, brought.momenta, strict=True)
        ]
    given = given + brought.kinetic + brought.potential
    condition = constrained.inertia_condition(tree, q, v) if loads.varied else 1.0
    speed, spin = _speeds(tree, placed, loads.points), sum(length(at.w) for at in placed) + _inner_rates(placed)
    return {
        "kinetic": [kinetic],
        "potential": [potential],
        "power": [given + _holding_power(tree, q, v, loads)],
        "power_of_others": [given],
        "drive_power": [power for power, _ in drives],
        "drive_power_size": [size for _, size in drives],
        "dissipation": [dissipative_forces(tree, v) @ v if tree.nv else 0.0],
        "work": [sum(spring, 0.0) + sum(lifts, 0.0) + acts.work + _penalty_work(tree, q, v, loads) - brought.potential],
        "work_size": [acts.size + length(spring) + length(tree.gravity) * sum((length(p[:3]) for p in momenta), 0.0)],
        "potential_size": [length([k.mass * way for k, way in zip(tree.links, reach, strict=True)]) * length(tree.gravity)
                           + length([compliance_of(k.joint).spring_energy(q[k.q]) for k in tree.links if k.joint.nv]) + acts.energy_size],
        "mass": [link.mass for link in tree.links],
        "inertia": [_trace_of_inertia(link, at) for link, at in zip(tree.links, placed, strict=True)],
        "speeds": [speed, spin],
        "reach": reach,
        "center": np.concatenate(centers),
        "momentum": np.concatenate(momenta),
        "wrench": np.concatenate(total),
        "wrench_size": np.concatenate(sizes),
        **_center_momenta(tree, placed, brought),
        "multiplier_rates": loads.multiplier_rates,
        "multiplier_rate_size": multiplier_rate_sizes(tree, q, v, t),
        **_acceleration_rows(tree, q, v, loads),
        "varied_size": [_varied_size(tree, loads, v) * condition],
        "inertia_condition": [condition],
        "power_by_rows": [_power_by_rows(tree, q, v, loads)],
        **constraint_energies(tree, q, v, loads),
        "reaction_power": [F @ relative_twist(c, placed, point) for c, F, point in ends],
        "reaction_sizes": [sum((length(F[part]) for _, F, _ in ends), 0.0) for part in (slice(3), slice(3, 6))],
        "reaction_size": [length(F[:3]) * speed + length(F[3:]) * spin for _, F, _ in ends],
    }  # fmt: skip


def _carried_momenta(tree: Tree, placed, momenta) -> list[np.ndarray]:
    """Mass times velocity of the mass center (3,) of every body: its momentum, unless it has an added inertia."""
    return [
        p[:3] if link.extra_inertia is None else link.mass * center_velocity(link, at)
        for link, at, p in zip(tree.links, placed, momenta, strict=True)
    ]


def _center_momenta(tree: Tree, placed, brought: Brought) -> dict:
    """Mass times velocity of the mass center of every body, where that is not its momentum for some of them; and the rate of every mass,
    its momentum in transit, its force and that of all actions, where a mass varies."""
    if all(link.extra_inertia is None for link in tree.links) and not tree.varying:
        return {}
    each = [link.mass * center_velocity(link, at) for link, at in zip(tree.links, placed, strict=True)]
    if not tree.varying:
        return {"center_momentum": np.concatenate(each)}
    moved = [p + shift for p, shift in zip(each, brought.shifts, strict=True)]
    return {
        "center_momentum": np.concatenate(moved),
        "mass_rate": brought.rates,
        "transit_momentum": brought.in_transit,
        "increment": brought.increment,
        "applied": brought.applied,
    }


def _trace_of_inertia(link: Link, at: Placement):
    """Σ of the moments of inertia about the mass center [kg m²], of a body that deforms as it is now."""
    total = link.inertia[0, 0] + link.inertia[1, 1] + link.inertia[2, 2]
    if link.extra_inertia is not None:
        total = total + np.trace(link.extra_inertia[3:, 3:])
    if at.inner is not None and link.inner_inertia is not None:
        entries = np.array(link.body.mechanics.kinematics.free_entries(at.inner[0]), dtype=object)
        total = total + 2.0 * (entries @ (link.inner_inertia @ entries))
    return total


def _holding_power(tree: Tree, q, v, loads: Loads):
    """Power [W] of the constraints' reactions, and what time alone does to the energies of those that yield."""
    total = sum((by.power for _, by in loads.kept + loads.varied), 0.0)
    for one, by in loads.yields:
        lam = yielding_multipliers(tree, one, q, v)
        # dU/dt = −λ Ḟ, of which −(power of the reactions) is the part that the bodies make
        total = total + (
            by.power - dot(lam, rows_of(tree, [one], q, v).rates) if one.constraint.level == 0 else by.power
        )
    return total


def _power_by_rows(tree: Tree, q, v, loads: Loads):
    """What the rows of constraints give to T + U + E[M] [W], in place of the power of their efforts: Gołubowska (87) with ∂F/∂t."""
    expected = iter(powers_by_rows(tree, q, v, loads))
    total = sum((next(expected) for _ in loads.kept), 0.0)
    for one, _ in loads.yields:
        lam, power = yielding_multipliers(tree, one, q, v), next(expected)
        total = total + (power - dot(lam, rows_of(tree, [one], q, v).rates) if one.constraint.level == 0 else power)
    return total


def _acceleration_rows(tree: Tree, q, v, loads: Loads) -> dict:
    """Residuals of the constraints on accelerations at v̇, and the size of their terms."""
    rows = rows_of(tree, [one for one in tree.constraints if one.holds and one.constraint.level == 2], q, v)
    if not len(rows.values):
        return {"acceleration_rows": [], "acceleration_sizes": []}
    a = loads.accelerations
    return {
        "acceleration_rows": rows.jacobians @ a + rows.biases,
        "acceleration_sizes": [
            length(J) * length(a) + absolute(b) for J, b in zip(rows.jacobians, rows.biases, strict=True)
        ],
    }


def _varied_size(tree: Tree, loads: Loads, v):
    """Size [W] of the terms in the power of constraints that add to the Lagrangian."""
    return sum((reaction_size(tree, one, by, loads.placed, v) for one, by in loads.varied), 0.0)


def _penalty_work(tree: Tree, q, v, loads: Loads):
    """λ Ḟ = −dU/dt [W] of the penalties."""
    on_places = [one for one, _ in loads.yields if one.constraint.level == 0]
    rates = [dot(yielding_multipliers(tree, one, q, v), rows_of(tree, [one], q, v).rates) for one in on_places]
    return sum(rates, 0.0)


def drive_powers(tree: Tree, loads: Loads) -> list[tuple]:
    """Power of the drive of every prescribed body and the size of its terms. O'Reilly and Srinivasa, after (38)."""
    powers = []
    for link in tree.prescribed:
        F, at = loads.joints[link.index], loads.placed[link.index]
        size = length(F[:3]) * length(at.v) + length(F[3:]) * length(at.w)
        powers.append((F[:3] @ at.v + F[3:] @ at.w, size))
    return powers


@final
@dataclass(frozen=True, eq=False)
class _Powers:
    """Powers of all actions [W]: ``work`` of those with an energy without what time alone changes, ``given`` of the others and
    of time; ``size`` of the terms, and ``energy_size`` [J] of the energies. ``moment_sizes`` [N m]: for every link those of the
    moments of single actions, which may cancel each other."""

    work: Any
    given: Any
    size: Any
    energy_size: Any
    moment_sizes: list


def _actions(tree: Tree, placed, t) -> _Powers:
    work = given = size = energy = 0.0
    moments: list = [0.0] * len(tree.links)
    for acting in tree.actions:
        does, views = exerted_efforts(tree, acting, placed, t), action_views(tree, acting, placed)
        powers = [effort_power(view, effort) for view, effort in zip(views, does.potential, strict=True)]
        others = [effort_power(view, effort) for view, effort in zip(views, does.other, strict=True)]
        work, given = work + sum(powers, 0.0) - does.time_slope, given + sum(others, 0.0) + does.time_slope
        size, energy = size + length(powers) + absolute(does.time_slope), energy + absolute(does.energy)
        for i, (_, moment) in zip(acting.links, does.efforts(), strict=True):
            if i >= 0:
                moments[i] = moments[i] + length(moment)
    return _Powers(work, given, size, energy, moments)


def _inner_rates(placed):
    """The sum of the rates of deformations [1/s]."""
    return sum((length(at.inner[1]) for at in placed if at.inner is not None), 0.0)


def _speeds(tree: Tree, placed, points):
    """The sum of the speeds of all links at their origins and mass centers, and of the closing joints."""
    own = sum(length(at.v) + length(at.v + cross(at.w, k.center)) for k, at in zip(tree.links, placed, strict=True))
    ends = zip(tree.closures, points, strict=True)
    return own + sum(length(twist_at(placed[c.child], point)[:3]) for c, point in ends)


def hamel(tree: Tree, q, v, t, a) -> dict:
    """Residual of the Boltzmann–Hamel equations at the accelerations a, with the reactions of closing joints, and its
    size."""
    if not tree.is_conditioned:
        residual, size = boltzmann_hamel.residual(tree, t, q, v, a)
    else:
        loads, w = loads_of(tree, q, v, t), symbols("w", tree.nv)
        residual, size = boltzmann_hamel.residual(tree, t, q, v, a, loads.multiplier_rates)
        moving = placements(tree, q, w)
        ends = zip(tree.closures, loads.closing, loads.points, strict=True)
        power = sum((F @ relative_twist(c, moving, point) for c, F, point in ends), 0.0)
        for one, by in loads.kept:
            power = power + kept_power(tree, one, by, moving, w)
        force = gradient(power, w)
        residual, size = residual - force, size + absolute(force)
    return {"residual": residual, "size": size}


def length(x):
    """Σ |x|, the size of a vector that its round-off is measured against."""
    return sum(absolute(np.asarray(x, dtype=object)), 0.0)
