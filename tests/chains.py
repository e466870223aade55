"""Chains of capsules hung over a horizontal drum, rebuilt from their dimensions."""

import numpy as np

import vinculum as vc

G, RADIUS, THICK, BENDS = 9.81, 0.29, 0.01, 20
AXIS = RADIUS + THICK
BEND = np.pi / BENDS
HALF = AXIS * np.tan(BEND / 2)
"""Half the length between two hinges: links that touch the drum with their middles are sides of a polygon about it."""
FLAT = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))


def chain(links: int, short: int, mu: float) -> tuple[vc.System, dict, list[int]]:
    """A chain with ``short`` links that hang on the left of the drum, its start at rest, and which links touch.

    The link on top is free in the plane x, z; hinges lead from it to both ends.
    """
    system = vc.System("chain", gravity=(0, 0, -G))
    capsule = vc.Capsule(THICK, 2 * HALF)
    bodies = [system.add(vc.RigidBody.solid(f"link {k}", capsule, density=1000)) for k in range(links)]
    top = short + BENDS // 2
    system.add(vc.Planar("plane", "ground", bodies[top], at=FLAT, to=FLAT))
    angles = np.clip((np.arange(links) - top) * BEND, -np.pi / 2, np.pi / 2) + np.pi / 2
    start = {"plane": (0.0, AXIS, -angles[top])}
    for k in range(top + 1, links):
        system.add(
            vc.Revolute(f"hinge {k}", bodies[k - 1], bodies[k], axis=(0, 1, 0), at=(0, 0, HALF), to=(0, 0, -HALF))
        )
        start[f"hinge {k}"] = angles[k] - angles[k - 1]
    for k in range(top - 1, -1, -1):
        system.add(
            vc.Revolute(f"hinge {k}", bodies[k + 1], bodies[k], axis=(0, 1, 0), at=(0, 0, -HALF), to=(0, 0, HALF))
        )
        start[f"hinge {k}"] = angles[k] - angles[k + 1]
    turned = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
    drum = vc.Wall(vc.Cylinder(RADIUS, 1.0), turned)
    friction = vc.Coulomb(mu) if mu else None
    system.add(vc.Contact("drum", bodies, walls=[drum], shock=vc.Soft(), friction=friction))
    return system, start, list(range(short, short + BENDS + 1))
