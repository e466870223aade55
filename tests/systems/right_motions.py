"""Random systems and starts whose computed motions are right: their certificates should say so."""

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

import vinculum as vc
from rolling import RADIUS, disc, disc_start
from trees import random_state, random_system

G = 9.81


@dataclass(frozen=True)
class Case:
    """A system with a start and a length of its run; ``step``: of time stepping; ``steady``: whether it rests or moves steadily."""

    name: str
    system: vc.System
    start: Any
    until: float
    step: float
    steady: bool = False


def _scales(rng) -> tuple[float, float, float]:
    """Length [m], mass [kg] and time [s], ordinary or tiny or huge, with weights of the order of the other forces."""
    L, M = 10.0 ** rng.choice([-6, -3, 0, 0, 0, 3, 6]), 10.0 ** rng.choice([-6, -3, 0, 0, 0, 3, 6])
    return L, M, np.sqrt(L / G)


def _shuffled(rng, system: vc.System, bodies: list, bonds: list) -> vc.System:
    for group in (bodies, bonds):
        for k in rng.permutation(len(group)):
            system.add(group[k])
    return system


def tree(rng) -> Case:
    system = random_system(rng, int(rng.integers(1, 5)))
    tree = system.tree()
    q, v = random_state(tree, rng)
    v = v * rng.choice([0.0, 1.0, 1.0])
    start = {k.joint.name: vc.At(q[k.q], rate=v[k.v]) for k in tree.links if k.joint.nv}
    return Case("tree", system, start, 1.5, 1e-3)


def chain(rng) -> Case:
    """Rods hinged in a row: hanging at rest, swinging a little, released, or whirling without weight."""
    L, M, T = _scales(rng)
    n, kind = int(rng.integers(1, 5)), rng.choice(["rest", "little", "released", "whirling", "steady"])
    weighs = kind not in ("whirling",)
    system = vc.System("chain", gravity=(0, 0, -G * weighs))
    bodies = [vc.RigidBody(f"rod{i}", M, (0, 0, -L / 2), M * L**2 * np.array([1 / 12, 1 / 12, 1e-3])) for i in range(n)]
    hinges = [vc.Revolute(f"hinge{i}", bodies[i - 1] if i else "ground", bodies[i], axis=(0, 1, 0),
                          at=(0, 0, -L) if i else (0, 0, 0)) for i in range(n)]  # fmt: skip
    _shuffled(rng, system, bodies, hinges)
    size = {"rest": 0.0, "little": 1e-4, "released": 2.0, "whirling": 0.0, "steady": 0.0}[kind]
    start: dict = {f"hinge{i}": size * rng.uniform(-1, 1) for i in range(n)}
    if kind == "whirling":
        start = {name: vc.At(x, rate=rng.uniform(-2, 2) / T) for name, x in start.items()}
    return Case(f"chain {kind}", system, start, 3.0 * T, 1e-3 * T, steady=kind in ("rest", "steady"))


def slider_crank(rng) -> Case:
    L, M, T = _scales(rng)
    system = vc.System("slider-crank", gravity=(0, 0, -G * rng.integers(2)))
    bodies = [vc.RigidBody("crank", M, (0.1 * L, 0, 0), M * L**2 * np.array([1e-3, 1e-2, 1e-2])),
              vc.RigidBody("conrod", 0.7 * M, (0.3 * L, 0, 0), M * L**2 * np.array([1e-3, 2e-2, 2e-2])),
              vc.RigidBody("slider", 2 * M, (0, 0, 0), M * L**2 * np.array([1e-2, 1e-2, 1e-2]))]  # fmt: skip
    joints = [vc.Revolute("main", "ground", "crank", axis=(0, 1, 0)),
              vc.Revolute("pin", "crank", "conrod", axis=(0, 1, 0), at=(0.2 * L, 0, 0)),
              vc.Revolute("wrist", "conrod", "slider", axis=(0, 1, 0), at=(0.6 * L, 0, 0)),
              vc.Prismatic("guide", "ground", "slider", axis=(1, 0, 0))]  # fmt: skip
    _shuffled(rng, system, bodies, joints)
    a = rng.uniform(-3, 3)
    b = np.arcsin(-np.sin(a) / 3)
    full = {"main": a, "pin": b - a, "wrist": -b, "guide": L * (0.2 * np.cos(a) + 0.6 * np.cos(b))}
    names = list(system.tree().links)
    start = {k.joint.name: full[k.joint.name] for k in names if k.joint.nv}
    if "main" in start:
        start["main"] = vc.At(a, rate=rng.choice([0.0, 3.0]) / T)
    rests = "main" not in start or not np.any(start["main"].rate)
    return Case("slider-crank", system, start, 3.0 * T, 1e-3 * T, steady=rests and not np.any(system.gravity))


def four_bar(rng) -> Case:
    from mechanisms import four_bar as built

    order = [str(x) for x in rng.permutation(["A", "B", "C", "D"])]
    system = built(order=order)
    return Case("four-bar", system, {"A": vc.At(1.0, rate=rng.choice([0.0, 4.0]))}, 2.0, 1e-3)


def rolling_disc(rng) -> Case:
    """Steady circles, upright rolling straight on, at rest, or wobbling."""
    kind = rng.choice(["steady", "straight", "rest", "wobbling"])
    angles, rates = (0.3, 0.0, 0.0), (0.0, 0.0, 0.0)
    if kind == "steady":
        lean, turn = rng.uniform(0.2, 1.2), rng.uniform(2.0, 6.0)
        s, c = np.sin(lean), np.cos(lean)
        # balance of the moment about the contact: thin disc of moments 1/4, 1/2
        spin = -(5 / 4 * turn**2 * s * c + G / RADIUS * s) / (3 / 2 * turn * c)
        angles, rates = (0.0, lean, 0.0), (turn, 0.0, spin)
    elif kind == "straight":
        rates = (0.0, 0.0, rng.uniform(1, 8))
    elif kind == "wobbling":
        angles, rates = (0.1, 0.3, 0.0), (1.0, 0.4, 6.0)
    return Case(f"disc {kind}", disc(), disc_start(angles, rates), 2.0, 1e-3, steady=kind != "wobbling")


def skate(rng) -> Case:
    """A knife edge on a slope, at rest, straight on or turning."""
    L, M, T = _scales(rng)
    system = vc.System("skate", gravity=(G * rng.choice([0.0, 0.3]), 0, 0))
    body = system.add(vc.RigidBody("skate", M, inertia=M * L**2 * np.array([0.1, 0.1, 0.2])))
    system.add(vc.Planar("ice", "ground", body))
    system.add(vc.Constraint("edge", [body], velocity=lambda b: vc.math.dot(b.velocity, b.rotation[:, 1]),
                             realization=vc.DAlembert()))  # fmt: skip
    v, w = rng.choice([0.0, 1.0]) * L / T, rng.choice([0.0, 1.0, 1.0]) / T
    a = rng.uniform(-3, 3)
    start = {"ice": vc.At((0, 0, a), rate=(v * np.cos(a), v * np.sin(a), w))}
    return Case("skate", system, start, 2.0 * T, 1e-3 * T, steady=not np.any(system.gravity))


def rod_of_points(rng) -> Case:
    """Two points on a massless rod, falling, turning or at rest."""
    L, M, T = _scales(rng)
    system = vc.System("dumbbell", gravity=(0, 0, -G * rng.integers(2)))
    points = [vc.MassPoint("a", M), vc.MassPoint("b", M * rng.uniform(0.1, 3))]
    rod = vc.Constraint("rod", points, position=lambda a, b: vc.math.norm(a.position - b.position) - L,
                        realization=vc.DAlembert())  # fmt: skip
    _shuffled(rng, system, points, [rod])
    u = rng.choice([0.0, 1.0]) * L / T
    start = {"a": (0, 0, 0), "b": vc.At((L, 0, 0), rate=(0, u, 0.3 * u))}
    return Case("dumbbell", system, start, 2.0 * T, 1e-3 * T, steady=not np.any(system.gravity))


def spinning(rng) -> Case:
    """A free body at rest, in steady spin about a principal axis, or tumbling; with and without weight."""
    L, M, T = _scales(rng)
    system = vc.System("body", gravity=(0, 0, -G * rng.integers(2)))
    body = system.add(vc.RigidBody("body", M, inertia=M * L**2 * np.array([0.3, 0.4, 0.5])))
    kind = rng.integers(3)
    w = [np.zeros(3), np.array([0.0, 0.0, 4.0]), rng.normal(size=3)][kind] / T
    Q = rng.normal(size=4)
    start = {body.name: vc.At((0, 0, 0, *(Q / np.linalg.norm(Q))), rate=(0, 0, 0, *w))}
    return Case("free body", system, start, 3.0 * T, 1e-3 * T, steady=kind < 2 and not np.any(system.gravity))


def ball(rng) -> Case:
    L, M, T = _scales(rng)
    system = vc.System("ball", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("ball", M))
    impact = vc.Newton(rng.uniform(0, 1)) if rng.random() < 0.7 else vc.Inelastic()
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=impact))
    height = L * rng.choice([0.0, 1.0, 1.0])
    start = {"ball": vc.At((0, 0, height), rate=(L / T, 0, 0))}
    return Case("ball", system, start, 4.0 * T, 2e-3 * T, steady=height == 0.0)


def block(rng) -> Case:
    """A block on four feet on a slope: it sticks, slides, or rests on the level for a long time."""
    L, M, T = _scales(rng)
    slope, mu = rng.choice([0.0, 0.3, 0.3]), rng.choice([0.0, 0.2, 0.6])
    system = vc.System("block", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    body = vc.RigidBody.solid("block", vc.shapes.Box((0.4 * L, 0.4 * L, 0.2 * L)), mass=M)
    feet = []
    for k, (x, y) in enumerate(((0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2))):
        corner = lambda b, p=(x * L, y * L, -0.1 * L): b.point(p)
        rough = {"friction": vc.Coulomb(mu), "point": corner} if mu else {}
        feet.append(
            vc.Unilateral(f"foot {k}", [body], gap=lambda b, at=corner: at(b)[2], impact=vc.Inelastic(), **rough)
        )
    _shuffled(rng, system, [body], feet)
    u = rng.choice([0.0, 0.5]) * L / T
    start = {"block": vc.At(vc.Pose((0, 0, 0.1 * L)), rate=(u, 0, 0, 0, 0, 0))}
    steady = slope == 0.0 and (u == 0.0 or mu == 0.0)
    return Case(f"block mu {mu} slope {slope}", system, start, rng.choice([2.0, 60.0]) * T, 5e-3 * T, steady)


def standing_pendulum(rng) -> Case:
    """A foot at rest on heel and toe that carries a swinging pendulum."""
    L, M, T = _scales(rng)
    system = vc.System("foot", gravity=(0, 0, -G))
    foot = vc.RigidBody("foot", 3 * M, inertia=M * L**2 * np.array([0.1, 0.1, 0.1]))
    leg = vc.RigidBody("leg", M, (0, 0, -0.2 * L), M * L**2 * np.array([0.01, 0.01, 0.001]))
    heel, toe = (lambda b, x=x: b.point((x * L, 0, -0.5 * L)) for x in (-0.3, 0.4))
    feet = [vc.Unilateral(name, [foot], gap=lambda b, at=at: at(b)[2], impact=vc.Inelastic(), friction=vc.Coulomb(0.8),
                        point=at) for name, at in (("heel", heel), ("toe", toe))]  # fmt: skip
    joints = [vc.Planar("plane", "ground", foot, at=vc.Pose((0, 0, 0), rotation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0)),
                        to=vc.Pose((0, 0, 0), rotation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0))),
              vc.Revolute("hip", foot, leg, axis=(0, 1, 0))]  # fmt: skip
    _shuffled(rng, system, [foot, leg], [*joints, *feet])
    lifted = rng.choice([0.0, 0.3])
    start = {"plane": (0, 0.5 * L, 0), "hip": lifted}
    return Case("standing pendulum", system, start, 3.0 * T, 2e-3 * T, steady=lifted == 0.0)


def steady_cases(family, count: int) -> list[Case]:
    """The first few cases of a family that rest or move steadily."""
    drawn = (family(np.random.default_rng([seed, 15])) for seed in range(1000))
    return list(islice((case for case in drawn if case.steady), count))


SMOOTH = (tree, chain, slider_crank, four_bar, rolling_disc, skate, rod_of_points, spinning)
CONTACT = (ball, block, standing_pendulum)
STEADY = (chain, slider_crank, rolling_disc, skate, rod_of_points, spinning)
