"""Random systems of many bodies and bonds over rows, and the same systems written one by one."""

from dataclasses import replace

import numpy as np

import vinculum as vc
from trees import random_inertia


def pull(a, b, k=1.0, soft=0.5):
    """Energy of a pair with a number of its own."""
    d = a.center - b.center
    return -k / vc.math.sqrt(soft + vc.math.dot(d, d))


def friction(a, b, c=0.1):
    """A wrench that slows two bodies relative to each other, along the line between them."""
    d = a.position - b.position
    slip = vc.math.dot(d, a.velocity - b.velocity) / (1.0 + vc.math.dot(d, d))
    return vc.Wrench(force=-c * slip * d)


def drag(a, c=0.1):
    return vc.Wrench(force=-c * a.velocity)


def random_pairs(rng, count: int, one: int, other: int, same: bool) -> np.ndarray:
    """Rows (count, 2) of bodies; of the ``same`` group never one twice."""
    first, second = rng.integers(one, size=count), rng.integers(other, size=count)
    return np.stack([first, np.where(first == second, (second + 1) % other, second) if same else second], axis=1)


def random_crowd(rng, points: int = 6, bodies: int = 4, rows: int = 7, isolated: bool = False):
    """Mass points and rigid bodies with springs, dampers, potentials and forces over rows, and a start.

    ``isolated``: nothing acts from outside, and nothing dissipates."""
    gravity = (0, 0, 0) if isolated else tuple(rng.normal(size=3))
    system = vc.System("crowd", gravity=gravity)
    dots = system.add_many(vc.MassPoint("dot", rng.uniform(0.5, 2.0)), points)
    stones = system.add_many(
        vc.RigidBody("stone", rng.uniform(0.5, 2.0), 0.2 * rng.normal(size=3), random_inertia(rng)), bodies
    )
    for bonds in _random_bonds(rng, dots, stones, rows, isolated):
        system.add(bonds)
    turned = rng.normal(size=(bodies, 4))
    placed = np.concatenate(
        [2.0 * rng.normal(size=(bodies, 3)), turned / np.linalg.norm(turned, axis=1, keepdims=True)], 1
    )
    start = {
        dots: vc.At(2.0 * rng.normal(size=(points, 3)), rate=rng.normal(size=(points, 3))),
        stones: vc.At(placed, rate=rng.normal(size=(bodies, 6))),
    }
    return system, start


def _random_bonds(rng, dots, stones, rows: int, isolated: bool) -> list[vc.Bonds]:
    mixed = random_pairs(rng, rows, len(dots), len(stones), same=False)
    found = [
        vc.Bonds(
            vc.Spring("rope", dots, dots, stiffness=3.0, rest_length=0.3),
            over=random_pairs(rng, rows, len(dots), len(dots), same=True),
            numbers={"stiffness": rng.uniform(1.0, 5.0, rows), "rest_length": rng.uniform(0.1, 0.5, rows)},
        ),
        vc.Bonds(
            vc.Spring("strut", stones, dots, stiffness=2.0, at=(0.1, 0, 0)),
            over=mixed[:, ::-1],
            numbers={"at": 0.3 * rng.normal(size=(rows, 3))},
        ),
        vc.Bonds(vc.Potential("pull", [dots, stones], pull), over=mixed, numbers={"k": rng.uniform(0.5, 2.0, rows)}),
    ]
    if isolated:
        return found
    return [
        *found,
        vc.Bonds(
            vc.Damper("dashpot", stones, stones, damping=0.3, at=(0, 0.1, 0)),
            over=random_pairs(rng, rows, len(stones), len(stones), same=True),
            numbers={"damping": rng.uniform(0.0, 0.5, rows)},
        ),
        vc.Bonds(
            vc.Interaction("friction", dots, dots, friction),
            over=random_pairs(rng, rows, len(dots), len(dots), same=True),
            numbers={"c": rng.uniform(0.1, 0.3, rows)},
        ),
        vc.Bonds(vc.Force("drag", dots, drag), over=np.arange(len(dots))),
        vc.Bonds(vc.Spring("hook", stones, "ground", stiffness=4.0, rest_length=0.1, to=(0, 0, 3)), over=[0, 2]),
    ]


def written_one_by_one(system: vc.System) -> vc.System:
    """The same system, every body and bond added by itself."""
    other = vc.System(system.name, system.gravity)
    bodies = {name: other.add(replace(body)) for name, body in system.bodies.items()}
    for action in system.actions.values():
        ends = {
            what: _own(getattr(action, what), bodies) for what in ("a", "b", "body", "bodies") if hasattr(action, what)
        }
        other.add(replace(action, **ends))
    return other


def start_of_bodies(start: dict) -> dict:
    """A start with names of bodies in place of groups."""
    return {
        body.name: vc.At(position, rate=rate)
        for group, at in start.items()
        for body, position, rate in zip(group, at.position, at.rate, strict=True)
    }


def _own(given, bodies: dict):
    if isinstance(given, tuple):
        return tuple(_own(end, bodies) for end in given)
    return given if isinstance(given, str) else bodies[given.name]
