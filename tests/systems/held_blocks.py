"""Blocks in contact that closed loops and constraints join, and their starts."""

import numpy as np

import vinculum as vc
from linkages import four_bar, lifted, pinned

FLOOR = vc.shapes.HalfSpace((0, 0, 1))
HELD = {"realization": "dalembert"}


def add_ring(system: vc.System, name: str, count: int = 5, length: float = 0.2, axis=(0, 1, 0)) -> tuple[list, dict]:
    """A ring of rods with hinges, the last of which closes it; its bodies, and the angles of a regular polygon."""
    shape, half = vc.shapes.Capsule(0.12 * length, 0.7 * length), 0.5 * length
    rods = [system.add(vc.RigidBody.solid(f"{name} {k}", shape, density=800)) for k in range(count)]
    ends = {"axis": axis, "at": (0, 0, half), "to": (0, 0, -half)}
    for k in range(1, count):
        system.add(vc.Revolute(f"{name} hinge {k}", rods[k - 1], rods[k], **ends))
    system.add(vc.Revolute(f"{name} closing", rods[-1], rods[0], **ends))
    return rods, {f"{name} hinge {k}": 2 * np.pi / count for k in range(1, count)}


def add_linkage(system: vc.System, name: str, at=(0.0, 0.0, 0.0), stretch: float = 1.0) -> tuple[list, dict]:
    """A four-bar linkage on the ground, and its start with a turning crank."""
    lengths = stretch * np.array([0.3, 0.5, 0.4])
    rods, x = [], np.asarray(at, dtype=float)
    for what, size in zip(("crank", "rod", "lever"), lengths, strict=True):
        shape = vc.shapes.Box((0.8 * size, 0.04, 0.04))
        rods.append(system.add(vc.RigidBody.solid(f"{name} {what}", shape, density=900, at=(0.5 * size, 0, 0))))
    width, angles, rates = four_bar(lengths, 1.0, 0.2, 2.0)
    system.add(vc.Revolute(f"{name} first", "ground", rods[0], axis=(0, 1, 0), at=tuple(x)))
    system.add(vc.Revolute(f"{name} second", rods[0], rods[1], axis=(0, 1, 0), at=(lengths[0], 0, 0)))
    system.add(vc.Revolute(f"{name} third", rods[1], rods[2], axis=(0, 1, 0), at=(lengths[1], 0, 0)))
    end = {"at": tuple(x + (width, 0, 0)), "to": (lengths[2], 0, 0)}
    system.add(vc.Revolute(f"{name} last", "ground", rods[2], axis=(0, 1, 0), **end))
    named = zip(("first", "second", "third"), angles, rates, strict=True)
    return rods, {f"{name} {what}": vc.At(angle, rate=rate) for what, angle, rate in named}


def sideways(a):
    """The velocity of a sled across its runners."""
    return vc.math.dot(a.velocity, a.rotation[:, 1])


def mixed_and_held(**lengths: float) -> tuple[vc.System, dict]:
    """A ring, a linkage, two balls on a rod, beads on a string from a peg, a sled and a lifted block, with two laws; and their start.

    ``lengths``: rolling and spinning resistance."""
    system = vc.System("held", gravity=(0, 0, -9.81))
    ring, start = add_ring(system, "ring")
    linkage, turning = add_linkage(system, "bars", (0.8, 0, 0.25))
    balls = [system.add(vc.RigidBody.solid(f"ball {k}", vc.shapes.Sphere(0.05), density=1000)) for k in range(2)]
    system.add(vc.constraints.distance("rod", *balls, 0.2, **HELD))
    beads = [system.add(vc.MassPoint(f"bead {k}", 0.05, shape=vc.shapes.Sphere(0.03))) for k in range(3)]
    for k in range(2):
        system.add(vc.constraints.distance(f"string {k}", beads[k], beads[k + 1], 0.1, **HELD))
    peg = vc.Constraint("peg", [beads[0], "ground"], position=lambda a, g: pinned(a, g, r=(-0.5, 0, 0.25)), **HELD)
    system.add(peg)
    sled = system.add(vc.RigidBody.solid("sled", vc.shapes.Box((0.2, 0.1, 0.05)), density=600))
    system.add(vc.Constraint("runners", [sled], velocity=sideways, **HELD))
    lift = system.add(vc.RigidBody.solid("lift", vc.shapes.Box((0.1, 0.1, 0.1)), density=600))
    lifted_by = vc.Constraint("lifting", [lift], position=lambda a, t: lifted(a, t) - 0.051, **HELD)
    system.add(lifted_by)
    rough, smooth = vc.Coulomb(0.4, **lengths), vc.Coulomb(0.1, **lengths)
    system.add(vc.Contact("rough", [*ring, *linkage, *beads], walls=[FLOOR], impact=vc.Inelastic(), friction=rough))
    system.add(vc.Contact("smooth", [*balls, sled, lift], walls=[FLOOR], impact=vc.Newton(0.4), friction=smooth))
    system.add(vc.Contact("hit", [sled], against=beads, impact=vc.Inelastic(), friction=smooth))
    start |= turning | {
        "ring 0": vc.At((-1.2, 0.1, 0.3), rate=(0.3, 0, -0.5, 0, 0, 0)),
        "ball 0": vc.At((0.2, -0.6, 0.1), rate=(0, 0, -0.3, 0, 0, 0)),
        "ball 1": vc.At((0.32, -0.6, 0.26), rate=(0, 0, -0.3, 0, 0, 0)),
        "bead 0": (-0.5, 0, 0.25),
        "bead 1": (-0.5, 0, 0.15),
        "bead 2": (-0.5, 0, 0.05),
        "sled": vc.At((-0.8, 0.02, 0.0255), rate=(1.2, 0, 0, 0, 0, 0.6)),
        "lift": vc.At((0.5, 1, 0.051), rate=(0, 0, 0.07, 0, 0, 0)),
    }
    return system, start


def struck_and_held(pressed: bool = True) -> tuple[vc.System, dict]:
    """The same, with impulses at the start, within a step, by a function of velocities, and, if ``pressed``, on what lies on the floor."""
    system, start = mixed_and_held()
    kick = vc.Wrench(force=(0.3, 0, 0.2), at=(0, 0, 0.05))
    system.add(vc.Impulse("kick", "ring 2", kick, at=[0.0, 0.0503, 0.12]))
    system.add(vc.Impulse("press", "sled", vc.Wrench(force=(0.1, 0.2, -0.5 if pressed else 0.1)), at=0.06))
    system.add(vc.Impulse("brake", "ball 0", lambda b: vc.Wrench(force=-0.1 * b.velocity), at=0.1))
    return system, start


def many_rings(count: int, links: int = 4) -> tuple[vc.System, dict]:
    """Rings in layers above a floor, a little out of line."""
    system, bodies, start = vc.System("rings", gravity=(0, 0, -9.81)), [], {}
    rng, side = np.random.default_rng(1), int(np.ceil(count ** (1 / 3)))
    for k in range(count):
        rods, angles = add_ring(system, f"ring {k}", links)
        bodies += rods
        i, j, layer = np.unravel_index(k, (side, side, side))[::-1]
        place = 0.45 * np.array([i, 0.35 * j, layer]) + (0, 0, 0.3) + 0.02 * rng.uniform(-1, 1, 3)
        start |= angles | {f"ring {k} 0": tuple(place)}
    system.add(vc.Contact("contact", bodies, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    return system, start


def random_and_held(rng, free: bool = False, count: int = 6, **lengths: float) -> tuple[vc.System, dict]:
    """Balls, boxes and mass points with springs, rods, pins and a hinged arm, in rigid motion at the start, above a floor; ``free``: in
    space, without mass points."""
    system = vc.System("random", gravity=(0, 0, 0) if free else (0, 0, -9.81))
    places = 0.24 * np.array([(i % 3, i // 3, 0.4 * rng.uniform()) for i in range(count)]) + (0, 0, 0.4)
    places += 0.02 * rng.uniform(-1, 1, (count, 3))
    solids = [vc.shapes.Sphere(0.06), vc.shapes.Box((0.1, 0.09, 0.08)), vc.shapes.Capsule(0.04, 0.06)]
    bodies: list = []
    for k in range(count):
        shape = solids[int(rng.integers(3))]
        solid = vc.RigidBody.solid(f"body {k}", shape, density=rng.uniform(300, 1500))
        turns = rng.uniform() < 0.7 or free  # friction on a ball that does not turn changes its angular momentum
        bodies.append(system.add(solid if turns else vc.MassPoint(f"body {k}", 0.3, shape=solids[0])))
    arm = system.add(vc.RigidBody.solid("arm", vc.shapes.Capsule(0.02, 0.1), density=900, at=(0, 0, 0.2)))
    system.add(vc.Revolute("elbow", bodies[0], arm, axis=rng.normal(size=3), damping=1e-3))
    for k in range(count - 1):
        one, other = (bodies[k], places[k]), (bodies[k + 1], places[k + 1])
        what = rng.choice(["rod", "pin", "spring", "nothing"])
        turns = all(isinstance(body, vc.RigidBody) for body, _ in (one, other))
        if what == "rod":
            length = float(np.linalg.norm(one[1] - other[1]))
            system.add(vc.constraints.distance(f"rod {k}", one[0], other[0], length, **HELD))
        elif what == "pin" and turns:
            middle = 0.5 * (one[1] + other[1])
            ends = {"p": middle - one[1], "r": middle - other[1]}
            pin = vc.Constraint(f"pin {k}", [one[0], other[0]], position=lambda a, b, e=ends: pinned(a, b, **e), **HELD)
            system.add(pin)
        elif what == "spring":
            system.add(vc.Spring(f"spring {k}", one[0], other[0], stiffness=50.0, rest_length=0.2, damping=0.2))
    far = float(np.linalg.norm(places[0] - places[-1]))
    system.add(vc.constraints.distance("stay", bodies[0], bodies[-1], far, **HELD))
    law = {"impact": vc.Inelastic(), "friction": vc.Coulomb(rng.uniform(0.1, 0.7), **lengths)}
    system.add(vc.Contact("contact", [*bodies, arm], walls=[] if free else [FLOOR], **law))
    v, w = rng.normal(size=3) * 0.5, rng.normal(size=3) * (1.0 if free else 0.0)
    start: dict = {}
    for body, x in zip(bodies, places, strict=True):
        rate = (*(v + np.cross(w, x)), *w) if isinstance(body, vc.RigidBody) else v + np.cross(w, x)
        start[body.name] = vc.At(tuple(x), rate=rate)
    return system, start
