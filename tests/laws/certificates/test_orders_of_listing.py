"""The order in which bodies and bonds are listed is no mechanics: it changes no verdict."""

from itertools import permutations

import numpy as np
import pytest

import vinculum as vc

G = (0, 0, -9.81)
Y = (0, 1, 0)


def slider_crank():
    """The wrist carries 100 N and no moment at all."""
    bodies = [vc.RigidBody("crank", 1.0, (0.1, 0, 0), (1e-3, 1e-2, 1e-2)), vc.RigidBody("conrod", 0.7, (0.3, 0, 0), (1e-3, 2e-2, 2e-2)),
              vc.RigidBody("slider", 2.0, (0, 0, 0), (1e-2, 1e-2, 1e-2))]  # fmt: skip
    joints = [vc.Revolute("main", "ground", "crank", axis=Y), vc.Revolute("pin", "crank", "conrod", axis=Y, at=(0.2, 0, 0)),
              vc.Revolute("wrist", "conrod", "slider", axis=Y, at=(0.6, 0, 0)),
              vc.Prismatic("guide", "ground", "slider", axis=(1, 0, 0))]  # fmt: skip
    b = np.arcsin(-np.sin(1.0) / 3)
    places = {"pin": b - 1.0, "wrist": -b, "guide": 0.2 * np.cos(1.0) + 0.6 * np.cos(b)}
    return bodies, joints, {"main": vc.At(1.0, rate=20.0)} | places


def linked_wheels():
    """Two wheels about their own mass centers, coupled by a rod at rest between their pins."""
    bodies = [vc.RigidBody(f"wheel {k}", 1.0 + k, inertia=(0.1, 0.2, 0.1)) for k in range(2)]
    joints = [vc.Revolute(f"axle {k}", "ground", bodies[k], axis=Y, at=(k, 0, 0)) for k in range(2)]
    rod = vc.Constraint("rod", bodies, position=lambda a, b: vc.math.norm(a.point((0, 0, 0.2)) - b.point((0, 0, 0.2))) - 1,
                        realization=vc.DAlembert())  # fmt: skip
    return bodies, [*joints, rod], {"axle 0": vc.At(0.3, rate=2.0), "axle 1": vc.At(0.3, rate=2.0)}


def standing_pendulum():
    """A foot that stands on heel and toe, and carries a swinging leg."""
    foot, leg = (
        vc.RigidBody("foot", 3.0, (0, 0, 0.05), (0.1, 0.1, 0.1)),
        vc.RigidBody("leg", 1.0, (0, 0, -0.4), (0.03, 0.03, 0.001)),
    )
    upright = vc.Pose((0, 0, 0), rotation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0))
    bonds = [
        vc.Planar("plane", "ground", foot, at=upright, to=upright),
        vc.Revolute("hip", foot, leg, axis=Y, at=(0, 0, 0.6)),
    ]
    for name, x in (("heel", -0.1), ("toe", 0.2)):
        at = lambda b, x=x: b.point((x, 0, 0))
        bonds.append(vc.Unilateral(name, [foot], gap=lambda b, at=at: at(b)[2], impact=vc.Inelastic(), friction=vc.Coulomb(0.9),
                                 point=at))  # fmt: skip
    return [foot, leg], bonds, {"hip": 0.1}


def verdicts(built, order) -> dict[str, str]:
    bodies, bonds, start = built()
    system = vc.System(built.__name__, gravity=G)
    for k in order[0]:
        system.add(bodies[k])
    for k in order[1]:
        system.add(bonds[k])
    moving = {link.joint.name for link in system.tree().links if link.joint.nv}
    start = {name: x for name, x in start.items() if name in moving}
    motion = vc.simulate(system, 0.5, start, progress=False)
    return {line.law: line.verdict for line in motion.audit().lines}


def orders(built, count: int) -> list:
    """Some orders of bodies and bonds, the first and its reverse among them."""
    bodies, bonds, _ = built()
    rng = np.random.default_rng(15)
    every = [(tuple(range(len(bodies))), p) for p in permutations(range(len(bonds)))]
    chosen = [every[0], (tuple(range(len(bodies)))[::-1], every[-1][1])]
    picked = rng.permutation(np.arange(1, len(every) - 1))[: count - 2]
    return chosen + [(tuple(int(i) for i in rng.permutation(len(bodies))), every[k][1]) for k in picked]


@pytest.mark.parametrize("built", [slider_crank, linked_wheels, standing_pendulum], ids=lambda built: built.__name__)
def test_the_order_of_bodies_and_bonds_changes_no_verdict(built):
    first, *others = [verdicts(built, order) for order in orders(built, 4)]
    assert set(first.values()) == {"holds"}
    for other in others:
        assert set(other.values()) == {"holds"}


@pytest.mark.slow
@pytest.mark.parametrize("built", [slider_crank, standing_pendulum], ids=lambda built: built.__name__)
def test_no_order_at_all_changes_a_verdict(built):
    for order in orders(built, 24):
        assert set(verdicts(built, order).values()) == {"holds"}, order
