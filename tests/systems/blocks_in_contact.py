"""Blocks of several kinds in contact that several tests look at."""

import numpy as np

import vinculum as vc
from vinculum.models.blocks_in_contact import type as blocks_type
from vinculum.models.tabled import type as tabled_type

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def mixed(springs: bool = True) -> tuple[vc.System, dict]:
    """A hammer on a hinge, a chain of two links, a block on a spring, a ball and a pusher that is prescribed, on a floor, with two
    laws; and their start."""
    system = vc.System("mixed", gravity=(0, 0, -9.81))
    hammer = system.add(vc.RigidBody.solid("hammer", vc.shapes.Capsule(0.04, 0.3), density=900, at=(0, 0, -0.2)))
    system.add(vc.Revolute("hinge", "ground", hammer, axis=(0, 1, 0), at=(-0.5, 0, 0.42)))
    upper = system.add(vc.RigidBody.solid("upper", vc.shapes.Sphere(0.06), density=800, at=(0, 0, -0.15)))
    lower = system.add(vc.RigidBody.solid("lower", vc.shapes.Sphere(0.05), density=1200, at=(0, 0, -0.15)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0), at=(0.9, 0, 0.4)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(1, 0, 0), at=(0, 0, -0.15)))
    block = system.add(vc.RigidBody.solid("block", vc.shapes.Box((0.1, 0.1, 0.1)), density=700))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.05), density=1000))
    pusher = system.add(
        vc.PrescribedBody(
            "pusher", position=lambda t: (-0.2 + 0.3 * t, 0.5, 0.06), shape=vc.shapes.Box((0.1, 0.1, 0.1))
        )
    )
    pushed = system.add(vc.RigidBody.solid("pushed", vc.shapes.Box((0.08, 0.08, 0.08)), density=500))
    if springs:
        system.add(vc.Spring("spring", block, "ground", stiffness=40.0, damping=0.5, to=(0.1, 0, 0.05)))
        system.add(vc.Force("wind", ball, lambda b: vc.Wrench(force=-0.02 * b.velocity)))
    rough, smooth = vc.Coulomb(0.5), vc.Coulomb(0.1)
    system.add(vc.Contact("rough", [hammer, block, pushed], walls=[FLOOR], impact=vc.Inelastic(), friction=rough))
    system.add(vc.Contact("smooth", [ball, lower, upper], walls=[FLOOR], impact=vc.Newton(0.4), friction=smooth))
    system.add(vc.Contact("push", [pusher], against=[pushed, block], impact=vc.Inelastic(), friction=vc.Coulomb(0.2)))
    system.add(vc.Contact("hit", [hammer], against=[ball, lower], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    start = {
        "hinge": vc.At(-1.2, rate=0.0),
        "shoulder": 0.6,
        "elbow": 0.2,
        "block": (0.3, 0, 0.0505),
        "ball": vc.At((0.5, 0, 0.12), rate=(0.4, 0, 0, 0, 3.0, 0)),
        "pushed": (-0.09, 0.5, 0.0405),
    }
    return system, start


def heap(count: int, radius: float = 0.05, seed: int = 0) -> tuple[list, dict]:
    """Names and places of balls on a lattice, a little out of line."""
    rng, side = np.random.default_rng(seed), int(np.ceil(count ** (1 / 3)))
    lattice = np.stack(np.unravel_index(np.arange(count), (side, side, side)), axis=1)[:, ::-1]
    places = 2.3 * radius * (lattice + (0.6, 0.6, 0.6)) + rng.uniform(-0.05, 0.05, (count, 3)) * radius
    return [f"ball {k}" for k in range(count)], {f"ball {k}": tuple(x) for k, x in enumerate(places)}


KNOWN = blocks_type.can_meet_over_tables


def over_tables(monkeypatch, over: bool = True) -> None:
    """Let systems of any size run over tables, or be written out, also where time steps would be those of tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0 if over else 10**9)
    monkeypatch.setattr(blocks_type, "FEWEST_VELOCITIES_OVER_TABLES", 0 if over else 10**9)
    monkeypatch.setattr(blocks_type, "can_meet_over_tables", KNOWN if over else lambda tree: False)
