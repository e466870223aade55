"""A chain of a hundred capsules laid over a drum, longer on one side: with little friction it runs off, with more it stays."""

from pathlib import Path

import matplotlib
import numpy as np

import vinculum as vc

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Circle

LINKS, LEFT, BENDS, RADIUS, THICK = 100, 30, 20, 0.29, 0.01
AXIS, BEND = RADIUS + THICK, np.pi / BENDS
HALF = AXIS * np.tan(BEND / 2)  # links touch the drum with their middles
LYING = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))


def chain(mu: float) -> tuple[vc.System, dict]:
    """The system and its start: the link on top is free in the plane x, z, and hinges lead from it to both ends."""
    system = vc.System("draped chain", gravity=(0, 0, -9.81))
    capsule, top = vc.shapes.Capsule(THICK, 2 * HALF), LEFT + BENDS // 2
    links = [system.add(vc.RigidBody.solid(f"link {k}", capsule, density=1000)) for k in range(LINKS)]
    angles = np.clip((np.arange(LINKS) - top) * BEND, -np.pi / 2, np.pi / 2) + np.pi / 2
    system.add(vc.Planar("plane", "ground", links[top], at=LYING, to=LYING))
    start = {"plane": (0.0, AXIS, -angles[top])}
    for k in [*range(top + 1, LINKS), *range(top - 1, -1, -1)]:
        side = 1 if k > top else -1
        system.add(vc.Revolute(f"hinge {k}", links[k - side], links[k], axis=(0, 1, 0), at=(0, 0, side * HALF),
                               to=(0, 0, -side * HALF), damping=1e-4))  # fmt: skip
        start[f"hinge {k}"] = angles[k] - angles[k - side]
    drum = vc.shapes.FixedSolid(vc.shapes.Cylinder(RADIUS, 1.0), LYING)
    system.add(vc.Contact("drum", links, walls=[drum], impact=vc.Inelastic(), friction=vc.Coulomb(mu)))
    return system, start


def main(folder: Path = Path(), until: float = 0.9) -> vc.Motion:
    figure, both = plt.subplots(1, 2, figsize=(5, 7), layout="constrained", sharey=True)
    motions = []
    for mu, axes in zip((0.4, 0.05), both, strict=True):
        system, start = chain(mu)
        motion = vc.simulate(system, until, start, method="moreau", step=1e-3, grid=10, progress=False)
        places = np.stack([motion.body(f"link {k}").position for k in range(LINKS)], axis=1)
        for k, x in enumerate(places):
            axes.plot(x[:, 0], x[:, 2], color=plt.get_cmap("viridis")(k / len(places)))
        axes.add_patch(Circle((0, 0), RADIUS, color="0.85"))
        axes.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title=f"μ = {mu:g}, every {until / 9:.2g} s")
        print(f"mu = {mu:g}: the left end rises by {places[-1, 0, 2] - places[0, 0, 2]:.3f} m")
        motions.append(motion)
    target = folder / "draped_chain.png"
    figure.savefig(target, dpi=120)
    plt.close(figure)
    print(f"picture: {target}")
    return motions[1]


if __name__ == "__main__":
    main()
