"""Random forests: several trees of a few structures with different numbers, and actions between all of them."""

import numpy as np

import vinculum as vc
from trees import random_inertia, random_joint, random_prescribed

KINDS = (
    "revolute",
    "prismatic",
    "helical",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "free",
    "weld",
    "translation",
)


def random_forest(rng, structures: int = 3, copies: int = 3, driven: bool = False) -> vc.System:
    """``copies`` of each of some trees with joints of the same kinds and other numbers, and as many free bodies and mass points."""
    system = vc.System("forest", gravity=5.0 * rng.normal(size=3))
    if driven:
        system.add(random_prescribed(rng))
    for s in range(structures):
        shape, count = int(rng.integers(1 << 30)), int(rng.integers(1, 4))
        for c in range(copies):
            _add_tree(system, np.random.default_rng(shape), rng, f"{s}{c}", count)
    for c in range(copies):
        system.add(vc.RigidBody(f"free {c}", rng.uniform(0.3, 3.0), 0.2 * rng.normal(size=3), random_inertia(rng)))
        system.add(vc.MassPoint(f"point {c}", rng.uniform(0.3, 3.0)))
    return system


def _add_tree(system: vc.System, shape, rng, name: str, count: int) -> None:
    """A chain of joints whose kinds are drawn by ``shape``; all numbers by ``rng``."""
    parent = "ground"
    for i in range(count):
        kind = KINDS[shape.integers(len(KINDS))]
        body = system.add(
            vc.RigidBody(f"body {name} {i}", rng.uniform(0.3, 3.0), 0.2 * rng.normal(size=3), random_inertia(rng))
        )
        system.add(random_joint(rng, kind, f"joint {name} {i}", parent, body, True))
        parent = body
