"""Systems with constraints and closed loops: random ones, nets of rods, chains of rigid links, rows of four-bar linkages."""

import numpy as np

import vinculum as vc
from trees import random_inertia
from vinculum.screws import Quaternion


def pinned(a, b, p=(0.0, 0.0, 0.0), r=(0.0, 0.0, 0.0)):
    """Gap between a point of one body and a point of another."""
    return a.point(p) - b.point(r)


def held_speed(a, n=(0.0, 0.0, 1.0), c=0.0):
    """A velocity along a direction that is given."""
    return vc.math.dot(a.velocity, np.asarray(n)) - c


def lifted(a, t, h=0.1, c=0.7):
    """A height that follows the time."""
    return a.position[2] - h * vc.math.sin(c * t)


def random_linkage(rng, points: int = 5, bodies: int = 4, isolated: bool = False) -> vc.System:
    """Mass points and rigid bodies with springs, rods, ball joints and conditions on velocities and time."""
    system = vc.System("linkage", gravity=(0, 0, 0) if isolated else tuple(rng.normal(size=3)))
    dots = system.add_many(vc.MassPoint("dot", rng.uniform(0.5, 2.0)), points)
    stones = system.add_many(
        vc.RigidBody("stone", rng.uniform(0.5, 2.0), 0.2 * rng.normal(size=3), random_inertia(rng)), bodies
    )
    hung = system.add(vc.RigidBody("hung", 0.7, 0.1 * rng.normal(size=3), random_inertia(rng)))
    system.add(vc.Revolute("hinge", stones[0], hung, axis=rng.normal(size=3), at=0.2 * rng.normal(size=3)))
    pairs = np.stack([np.arange(points - 1), np.arange(1, points)], axis=1)
    system.add(
        vc.Bonds(
            vc.Spring("rope", dots, dots, stiffness=3.0, rest_length=0.3),
            over=pairs,
            numbers={"stiffness": rng.uniform(1, 5, points - 1)},
        )
    )
    system.add(
        vc.Bonds(
            vc.constraints.distance("rod", dots, dots, 1.0, realization="dalembert"),
            over=pairs[:-1],
            numbers={"length": rng.uniform(0.5, 2.0, points - 2)},
        )
    )
    system.add(
        vc.Bonds(
            vc.Constraint("ball", [stones, stones], position=pinned, realization="dalembert"),
            over=[(i, i + 1) for i in range(bodies - 2)],
            numbers={"p": 0.4 * rng.normal(size=(bodies - 2, 3)), "r": 0.4 * rng.normal(size=(bodies - 2, 3))},
        )
    )
    system.add(vc.constraints.distance("stay", dots[points - 1], hung, 0.8, to=(0, 0.1, 0), realization="dalembert"))
    if not isolated:
        system.add(vc.Constraint("guide", [dots[0]], velocity=held_speed, realization="chetaev"))
        system.add(vc.Constraint("lift", [stones[bodies - 1]], position=lifted, realization="dalembert"))
        system.add(
            vc.constraints.distance(
                "post", stones[1], "ground", 1.5, at=(0.1, 0, 0), to=(1, 1, 0), realization="dalembert"
            )
        )
    return system


def isolated_linkage(rng, points: int = 5, bodies: int = 4) -> tuple[vc.System, dict]:
    """Mass points and rigid bodies with springs, rods and ball joints that hold at a random start; its velocities do not fit them yet."""
    system = vc.System("isolated")
    dots = system.add_many(vc.MassPoint("dot", rng.uniform(0.5, 2.0)), points)
    stones = system.add_many(
        vc.RigidBody("stone", rng.uniform(0.5, 2.0), 0.2 * rng.normal(size=3), random_inertia(rng)), bodies
    )
    x, y, turns = rng.normal(size=(points, 3)), rng.normal(size=(bodies, 3)), rng.normal(size=(bodies, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    R = [np.asarray(Quaternion().matrix(turn), dtype=float) for turn in turns]
    pairs = np.array([(i, i + 1) for i in range(points - 1)])
    system.add(vc.Bonds(vc.Spring("rope", dots, stones, stiffness=4.0, rest_length=0.3), over=[(0, 1), (2, 0), (4, 3)]))
    rod = vc.constraints.distance("rod", dots, dots, 1.0, realization="dalembert")
    lengths = np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)
    system.add(vc.Bonds(rod, over=pairs, numbers={"length": lengths}))
    p = 0.3 * rng.normal(size=(bodies - 1, 3))
    r = np.array([R[i + 1].T @ (y[i] + R[i] @ p[i] - y[i + 1]) for i in range(bodies - 1)])
    ball = vc.Constraint("ball", [stones, stones], position=pinned, realization="dalembert")
    over = [(i, i + 1) for i in range(bodies - 1)]
    system.add(vc.Bonds(ball, over=over, numbers={"p": p, "r": r}))
    at = np.array((0.1, 0.2, 0.0))
    stay = float(np.linalg.norm(x[0] - y[0] - R[0] @ at))
    system.add(vc.constraints.distance("stay", dots[0], stones[0], stay, to=at, realization="dalembert"))
    start = {
        dots: vc.At(x, rate=rng.normal(size=(points, 3))),
        stones: vc.At(np.concatenate([y, turns], axis=1), rate=rng.normal(size=(bodies, 6))),
    }
    return system, start


def net_of_rods(count: int, pitch: float = 0.1, mass: float = 0.02) -> tuple[vc.System, dict]:
    """A net of mass points and rods, held at two opposite corners, level at the start."""
    system = vc.System("net", gravity=(0, 0, -9.81))
    knots = system.add_many(vc.MassPoint("knot", mass=mass), count**2)
    number = np.arange(count**2).reshape(count, count)
    parts = ((number[:-1], number[1:]), (number[:, :-1], number[:, 1:]))
    over = np.concatenate([np.stack(pair, axis=-1).reshape(-1, 2) for pair in parts])
    place = pitch * np.stack([*np.divmod(np.arange(count**2), count), np.zeros(count**2)], axis=1)
    system.add(vc.Bonds(vc.constraints.distance("rod", knots, knots, pitch, realization="dalembert"), over=over))
    corners = number[[0, -1], [0, -1]]
    system.add(
        vc.Bonds(
            vc.Constraint("peg", [knots, "ground"], position=pinned, realization="dalembert"),
            over=corners,
            numbers={"r": place[corners]},
        )
    )
    return system, {knots: place}


def chain_of_links(count: int, length: float = 0.2) -> tuple[vc.System, dict]:
    """Free rigid links, joined by balls at their ends, that hang down from the ground and move to the side."""
    system = vc.System("chain", gravity=(0, 0, -9.81))
    links = system.add_many(vc.RigidBody("link", 0.1, inertia=(4e-4, 4e-4, 1e-5)), count)
    above, below = (0.0, 0.0, 0.5 * length), (0.0, 0.0, -0.5 * length)
    ball = vc.Constraint("ball", [links, links], position=pinned, realization="dalembert")
    over = np.stack([np.arange(1, count), np.arange(count - 1)], axis=1)
    numbers = {"p": np.tile(above, (count - 1, 1)), "r": np.tile(below, (count - 1, 1))}
    system.add(vc.Bonds(ball, over=over, numbers=numbers))
    system.add(
        vc.Constraint("hook", [links[0], "ground"], position=lambda a, g: a.point(above), realization="dalembert")
    )
    turn = np.zeros((count, 7))
    turn[:, 2], turn[:, 3] = -length * (0.5 + np.arange(count)), 1.0
    rate = np.zeros((count, 6))
    rate[:, 1], rate[:, 3] = length * (0.5 + np.arange(count)), 1.0
    return system, {links: vc.At(turn, rate=rate)}


def row_of_linkages(count: int, rng=None) -> tuple[vc.System, dict]:
    """Four-bar linkages side by side, each with a joint that closes its loop; planar, so that three of its five gaps follow from others."""
    system, start = vc.System("linkages", gravity=(0, 0, -9.81)), {}
    for k in range(count):
        stretch = 1.0 if rng is None else rng.uniform(0.9, 1.1)
        lengths = stretch * np.array([0.3, 0.5, 0.4])
        crank, rod, lever = (
            system.add(vc.RigidBody(f"{name} {k}", 0.5 * size, (0.5 * size, 0, 0), (1e-3, 2e-3, 2e-3)))
            for name, size in zip(("crank", "rod", "lever"), lengths, strict=True)
        )
        width, angles, rates = four_bar(lengths, 1.0, 0.2, 1.0 + 0.1 * k)
        system.add(vc.Revolute(f"first {k}", "ground", crank, axis=(0, 1, 0), at=(0, 0.1 * k, 0)))
        system.add(vc.Revolute(f"second {k}", crank, rod, axis=(0, 1, 0), at=(lengths[0], 0, 0)))
        system.add(vc.Revolute(f"third {k}", rod, lever, axis=(0, 1, 0), at=(lengths[1], 0, 0)))
        end = (lengths[2], 0, 0)
        system.add(vc.Revolute(f"last {k}", "ground", lever, axis=(0, 1, 0), at=(width, 0.1 * k, 0), to=end))
        for name, angle, rate in zip(("first", "second", "third"), angles, rates, strict=True):
            start[f"{name} {k}"] = vc.At(angle, rate=rate)
    return system, start


def four_bar(lengths: np.ndarray, first: float, second: float, speed: float) -> tuple[float, np.ndarray, np.ndarray]:
    """The width of a linkage whose crank and rod have given elevations, its joint angles, and their rates at a speed of the crank."""
    a, b, c = lengths
    third = -np.arcsin((a * np.sin(first) + b * np.sin(second)) / c)
    along = np.array([a * np.cos(first), b * np.cos(second), c * np.cos(third)])
    across = np.array([a * np.sin(first), b * np.sin(second), c * np.sin(third)])
    J = np.stack([-across, along])
    others = np.linalg.solve(J[:, 1:], -speed * J[:, 0])
    elevations, speeds = np.array([first, second, third]), np.array([speed, *others])
    return float(along.sum()), -np.diff(elevations, prepend=0.0), -np.diff(speeds, prepend=0.0)
