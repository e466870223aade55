"""A tree of bodies that falls and bounces: a trunk with two sprung branches, its five tips hitting a rough floor."""

from pathlib import Path

import matplotlib
import numpy as np

import vinculum as vc

matplotlib.use("Agg")
import matplotlib.pyplot as plt

TRUNK, BRANCH = 0.5, 0.35
SIDEWAYS = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))  # the plane of motion is x, z


def tree() -> tuple[vc.System, dict[str, tuple]]:
    """The system, and the tips of its bodies in their own frames."""
    system = vc.System("bouncing tree", gravity=(0, 0, -9.81))
    trunk = system.add(vc.RigidBody.solid("trunk", vc.shapes.Capsule(0.02, TRUNK), mass=1.0))
    system.add(vc.Planar("plane", "ground", trunk, at=SIDEWAYS, to=SIDEWAYS))
    tips = {"foot": (trunk, (0, 0, -TRUNK / 2)), "top": (trunk, (0, 0, TRUNK / 2))}
    for name, side, height in (("left", -1, 0.0), ("right", 1, 0.12)):
        branch = system.add(vc.RigidBody.solid(name, vc.shapes.Capsule(0.015, BRANCH), mass=0.3, at=(0, 0, BRANCH / 2)))
        system.add(vc.Revolute(f"{name} fork", trunk, branch, axis=(0, 1, 0), at=(0, 0, height), stiffness=6.0,
                               damping=0.02, rest=side * 0.9))  # fmt: skip
        tips[f"{name} tip"] = (branch, (0, 0, BRANCH))
    for name, (body, p) in tips.items():
        system.add(vc.Unilateral(name, [body], gap=lambda b, p=p: b.point(p)[2], point=lambda b, p=p: b.point(p),
                               impact=vc.Newton(0.5), friction=vc.Coulomb(0.4)))  # fmt: skip
    return system, {name: (body.name, p) for name, (body, p) in tips.items()}


def main(folder: Path = Path()) -> vc.Motion:
    system, tips = tree()
    start = {"plane": vc.At((0, 1.0, 0.6), rate=(0.6, 0, -1.0)), "left fork": -0.9, "right fork": 0.9}
    motion = vc.simulate(system, 2.0, start, method="moreau", step=2e-4, progress=False)
    print(motion.audit())
    figure, (path, power) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for k in np.linspace(0, len(motion.time) - 1, 12).astype(int):
        color = plt.get_cmap("viridis")(k / len(motion.time))
        ends = {name: motion.body(body).point(p).position[k] for name, (body, p) in tips.items()}
        for a, b in (("foot", "top"), ("left", "left tip"), ("right", "right tip")):
            x = np.array([ends[a] if a in ends else motion.body(a).position[k], ends[b]])
            path.plot(x[:, 0], x[:, 2], color=color)
    path.axhline(0, color="k", lw=0.8)
    path.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="from dark to light")
    power.plot(motion.time, motion.energy)
    power.set(xlabel="time [s]", ylabel="energy [J]", title=f"{len(motion.record.atoms)} impulses")
    target = folder / "bouncing_tree.png"
    figure.savefig(target, dpi=120)
    plt.close(figure)
    print(f"picture: {target}")
    return motion


if __name__ == "__main__":
    main()
