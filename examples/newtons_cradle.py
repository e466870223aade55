"""Newton's cradle: five balls on threads, struck by the first. Two impact laws, both of which keep the energy, two motions."""

from pathlib import Path

import matplotlib
import numpy as np

import vinculum as vc

matplotlib.use("Agg")
import matplotlib.pyplot as plt

RADIUS, LENGTH = 0.02, 0.3


def cradle(law) -> vc.System:
    """Five balls that touch their neighbours when they hang."""
    system = vc.System("Newton's cradle", gravity=(0, 0, -9.81))
    balls = []
    for k in range(5):
        ball = system.add(vc.RigidBody.solid(f"ball {k}", vc.shapes.Sphere(RADIUS), density=7800, at=(0, 0, -LENGTH)))
        system.add(vc.Revolute(f"thread {k}", "ground", ball, axis=(0, -1, 0), at=(2 * RADIUS * k, 0, 0)))
        balls.append(ball)
    for k in range(4):
        system.add(
            vc.Unilateral(
                f"pair {k}",
                balls[k : k + 2],
                impact=law,
                gap=lambda a, b: vc.math.norm(b.center - a.center) - 2 * RADIUS,
            )
        )
    return system


def main(folder: Path = Path()) -> list[vc.Motion]:
    motions = []
    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(8, 5.5), layout="constrained")
    for axis, (name, law) in zip(
        axes,
        {"one pair after the other": vc.Elastic(treatment="sequential"), "all pairs at once": vc.Elastic()}.items(),
        strict=True,
    ):
        motion = vc.simulate(cradle(law), 2.4, {"thread 0": np.deg2rad(-30)}, progress=False)
        motions.append(motion)
        print(
            f"{name}: {len(motion.record.atoms)} impacts, energy changes by {np.ptp(motion.energy) / abs(motion.energy[0]):.1e}"
        )
        for k in range(5):
            axis.plot(motion.time, np.rad2deg(motion[f"thread {k}"]), label=f"ball {k + 1}")
        axis.set(title=name, ylabel="angle [°]")
    figure.legend(*axes[0].get_legend_handles_labels(), ncols=5, loc="outside lower center", fontsize="small")
    axes[1].set_xlabel("time [s]")
    target = folder / "newtons_cradle.png"
    figure.savefig(target, dpi=120)
    plt.close(figure)
    print(f"picture: {target}")
    return motions


if __name__ == "__main__":
    main()
