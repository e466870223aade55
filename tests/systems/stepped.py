"""Systems with contact for time stepping: feet, chains, stops, and hits of several gaps at one instant."""

import numpy as np

import vinculum as vc

G = 9.81
UPRIGHT = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
"""A planar joint between such frames moves in the plane of x and z."""


def on_floor(system, name, body, p, e=0.0, mu=None):
    """A unilateral constraint between a point of a body and the floor z = 0."""
    where = lambda b: b.point(p)
    rough = {} if mu is None else {"point": where, "friction": vc.Coulomb(mu)}
    system.add(vc.Unilateral(name, [body], gap=lambda b: where(b)[2], impact=vc.Newton(e), **rough))


def foot(e=0.0, mu=0.6):
    """A foot with heel and toe that carries a pendulum and lands toe first."""
    system = vc.System("foot", gravity=(0, 0, -G))
    sole = system.add(vc.RigidBody("sole", mass=1.0, inertia=(0.01,) * 3))
    leg = system.add(vc.RigidBody("leg", mass=2.0, com=(0, 0, 0.4), inertia=(0.05,) * 3))
    system.add(vc.Planar("plane", "ground", sole, at=UPRIGHT, to=UPRIGHT))
    system.add(vc.Revolute("ankle", sole, leg, axis=(0, 1, 0), at=(0, 0, 0.05)))
    for name, x in (("heel", -0.1), ("toe", 0.15)):
        on_floor(system, name, sole, (x, 0, -0.05), e, mu)
    return system, {"plane": vc.At((0, 0.12, -0.2), rate=(0.3, 0, 0)), "ankle": vc.At(0.2, rate=-0.5)}


def slider_crank(e=0.3, play=1e-3):
    """A crank and a rod whose end has a clearance in the slider's pin."""
    system = vc.System("slider-crank", gravity=(0, 0, -G))
    crank = system.add(vc.RigidBody("crank", mass=0.5, com=(0.05, 0, 0), inertia=(1e-3,) * 3))
    rod = system.add(vc.RigidBody("rod", mass=0.4, com=(0.15, 0, 0), inertia=(4e-3,) * 3))
    slider = system.add(vc.MassPoint("slider", mass=0.8))
    system.add(vc.Revolute("main", "ground", crank, axis=(0, -1, 0)))
    system.add(vc.Revolute("pin", crank, rod, axis=(0, -1, 0), at=(0.1, 0, 0)))
    system.add(vc.Prismatic("guide", "ground", slider, axis=(1, 0, 0)))
    away = lambda r, s: (r.point((0.3, 0, 0))[0] - s.position[0], r.point((0.3, 0, 0))[2] - s.position[2])
    gap = lambda r, s: play - vc.math.sqrt(away(r, s)[0] ** 2 + away(r, s)[1] ** 2 + 1e-18)
    system.add(vc.Unilateral("clearance", [rod, slider], gap=gap, impact=vc.Newton(e)))
    return system, {"main": vc.At(0.0, rate=20.0), "pin": vc.At(0.0, rate=-80.0 / 3), "guide": 0.4}


def stopped_pendulum(e=0.5):
    """A double pendulum with stops in both joints."""
    system, before = vc.System("stops", gravity=(0, 0, -G)), "ground"
    for k in range(2):
        link = system.add(vc.RigidBody(f"link {k}", 1.0, (0, 0, -0.25), (0.02,) * 3))
        system.add(vc.Revolute(f"joint {k}", before, link, axis=(0, 1, 0), at=(0, 0, -0.5 if k else 0.0)))
        for side in (1, -1):
            gap = lambda j, side=side: 0.4 - side * j.q
            system.add(vc.Unilateral(f"stop {side} {k}", [f"joint {k}"], gap=gap, impact=vc.Newton(e)))
        before = link
    return system, {"joint 0": vc.At(0.1, rate=3.0), "joint 1": vc.At(-0.2, rate=-2.0)}


def rod(ratio=0.5):
    """A rod that falls on its ends, and chatters on them as it comes to rest."""
    system = vc.System("rod", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("rod", mass=1.6, inertia=(1e-3, 0.033, 0.033)))
    system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
    for k, x in enumerate((0.25, -0.25)):
        gap = lambda b, x=x: b.point((x, 0, 0))[2]
        system.add(vc.Unilateral(f"end {k}", [body], gap=gap, impact=vc.Poisson(ratio)))
    return system, {"plane": vc.At((0, 0.23, 0.87), rate=(-1.4, -0.43, -0.89))}


def chain(seed, links=None):
    """A chain of links with friction at all joints and ends, thrown on the floor in its plane."""
    rng = np.random.default_rng(seed)
    n, mu, e = links or int(rng.integers(2, 11)), rng.uniform(0.2, 1.0), rng.choice([0.0, rng.uniform(0.0, 0.8)])
    system = vc.System(f"chain {seed}", gravity=(0, 0, -G))
    lengths, masses = rng.uniform(0.1, 0.4, n), rng.uniform(0.2, 2.0, n)
    bodies = []
    for k, (length, m) in enumerate(zip(lengths, masses, strict=True)):
        J = m * length**2 / 12
        bodies.append(system.add(vc.RigidBody(f"link {k}", m, (0, 0, 0), (J, J, 0.01 * J))))
    system.add(vc.Planar("plane", "ground", bodies[0], at=UPRIGHT, to=UPRIGHT))
    angles = np.cumsum(rng.uniform(-0.7, 0.7, n)) + rng.uniform(0, 2 * np.pi)
    rises = lengths * np.cos(angles)
    height = 0.5 * rises[0] - min(0.0, np.cumsum(rises).min()) + rng.uniform(0.005, 0.1)
    start = {"plane": vc.At((0, height, -angles[0]), rate=tuple(rng.uniform(-1, 1, 3)))}
    on_floor(system, "end", bodies[0], (0, 0, -lengths[0] / 2), e, mu)
    for k in range(n):
        on_floor(system, f"joint {k + 1}", bodies[k], (0, 0, lengths[k] / 2), e, mu)
        if k:
            places = {"at": (0, 0, lengths[k - 1] / 2), "to": (0, 0, -lengths[k] / 2)}
            system.add(vc.Revolute(f"hinge {k}", bodies[k - 1], bodies[k], axis=(0, 1, 0), **places))
            start[f"hinge {k}"] = vc.At(angles[k] - angles[k - 1], rate=rng.uniform(-1, 1))
    return system, start


def drops(rng):
    """Balls of many sizes that fall from the same height."""
    system, start = vc.System("drops", gravity=(0, 0, -G)), {}
    for k in range(4):
        ball, r = system.add(vc.MassPoint(f"ball {k}", rng.uniform(0.5, 2))), rng.uniform(0.01, 0.3)
        system.add(vc.Unilateral(f"floor {k}", [ball], gap=lambda b, r=r: b.position[2] - r, impact=vc.Newton(0.5)))
        start[ball.name] = (*rng.normal(size=2), 0.3 + r)
    return system, start


def table(rng):
    """A table that falls flat on its legs, turned about the vertical."""
    system, yaw = vc.System("table", gravity=(0, 0, -G)), rng.uniform(0, 6)
    body = system.add(vc.RigidBody("table", mass=1.3, inertia=(0.1,) * 3))
    for k in range(4):
        on_floor(system, f"leg {k}", body, (0.3 * np.cos(np.pi * k / 2), 0.3 * np.sin(np.pi * k / 2), -0.1), 0.5, 0.4)
    c, s = np.cos(yaw), np.sin(yaw)
    pose = vc.Pose(
        (*rng.normal(size=2), 0.1 + rng.uniform(0.1, 0.4)), rotation=np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    )
    return system, {"table": vc.At(pose, rate=(rng.normal(), 0, 0, 0, 0, 0))}


def collision(rng):
    """Three balls in a line; the middle one is hit from both sides at once."""
    system = vc.System("collision")
    balls = [system.add(vc.MassPoint(f"ball {k}", rng.uniform(0.5, 2))) for k in range(3)]
    for k in range(2):
        gap = lambda a, b: b.position[0] - a.position[0] - 0.1
        system.add(vc.Unilateral(f"gap {k}", balls[k : k + 2], gap=gap, impact=vc.Newton(0.7)))
    d, v, x = rng.uniform(0.05, 0.2), rng.uniform(0.5, 2), rng.normal()
    places = (x, x + 0.1 + d, x + 0.2 + 2 * d)
    return system, {
        b.name: vc.At((p, 0, 0), rate=(k * v, 0, 0)) for b, p, k in zip(balls, places, (1, 0, -1), strict=True)
    }
