"""A rope bridge of eighty planks sags under a load that is let go on it. What is alike runs over tables: planks, ropes, hangers."""

from itertools import pairwise
from pathlib import Path

import numpy as np

import vinculum as vc

PLANKS, WIDTH, DEPTH, GAP = 80, 1.2, 0.15, 0.05
PITCH = DEPTH + GAP
SPAN = (PLANKS + 1) * PITCH - DEPTH
LOADED = range(50, 58)
GRAVITY = 9.81


def bridge() -> tuple[vc.System, dict]:
    """Planks side by side, ropes along both of their ends, and a load on eight of them; all planks start level."""
    system = vc.System("rope bridge", gravity=(0, 0, -GRAVITY))
    plank = vc.shapes.Box((DEPTH, WIDTH, 0.04))
    planks = [system.add(vc.RigidBody.solid(f"plank {i}", plank, density=600.0)) for i in range(PLANKS)]
    load = system.add(vc.RigidBody.solid("load", vc.shapes.Box((1.5, 0.8, 0.5)), mass=150.0))
    foot = {"stiffness": 1e4, "rest_length": 0.1, "damping": 200.0}
    rope = {"stiffness": 8e4, "rest_length": GAP, "damping": 400.0}
    for side in (-0.5 * WIDTH, 0.5 * WIDTH):
        front, back = (0.5 * DEPTH, side, 0), (-0.5 * DEPTH, side, 0)
        for i, (a, b) in enumerate(pairwise(planks)):
            system.add(vc.Spring(f"rope {i} at {side:g}", a, b, at=front, to=back, **rope))
        system.add(vc.Spring(f"left anchor at {side:g}", planks[0], "ground", at=back, to=(0, side, 0), **rope))
        system.add(vc.Spring(f"right anchor at {side:g}", planks[-1], "ground", at=front, to=(SPAN, side, 0), **rope))
    for i in LOADED:
        along = PITCH * (i - np.mean(LOADED))
        for side in (-0.4, 0.4):
            system.add(
                vc.Spring(f"foot {i} at {side:g}", load, planks[i], at=(along, side, -0.25), to=(0, side, 0), **foot)
            )
    middles = GAP + 0.5 * DEPTH + PITCH * np.arange(PLANKS)
    start = {f"plank {i}": (x, 0, 0) for i, x in enumerate(middles)}
    return system, start | {"load": (middles[list(LOADED)].mean(), 0, 0.35)}


def main(folder: Path) -> vc.Motion:
    """The first swing: what the anchors carry at most, next to the weight of all; the proof; and a picture."""
    system, start = bridge()
    motion = vc.simulate(system, 1.6, start, tolerance=1e-11, grid=33)
    weight = GRAVITY * sum(float(body.mass) for body in system.bodies.values())
    anchors = [name for name in system.actions if "anchor" in name]
    carried = -np.sum([motion.bond(name).effort("ground")[:, 2] for name in anchors], axis=0)
    print(f"the anchors carry up to {carried.max():.0f} N; the bridge and its load weigh {weight:.0f} N")
    print(motion.audit())

    motion.plot.picture(0.8, path=folder / "rope_bridge.png")
    return motion


if __name__ == "__main__":
    main(Path.cwd())
