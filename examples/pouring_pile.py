"""Four hundred balls are poured onto the ground, between two blocks, and come to rest as a heap; nothing is softened."""

from pathlib import Path

import numpy as np

import vinculum as vc

RADIUS, COUNT, FRICTION = 0.05, 400, 0.5
UNTIL, STEP = 3.0, 2.5e-3


def pouring_pile() -> vc.System:
    """Balls above the ground z = 0, and two blocks fixed on it."""
    system = vc.System("pouring pile", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(f"ball {i}", vc.Sphere(RADIUS), density=1000)) for i in range(COUNT)]
    blocks = [vc.Wall(vc.Box((0.2, 1.6, 0.3)), at=(side * 0.7, 0, 0.15)) for side in (-1, 1)]
    system.add(vc.Contact("pile", balls, walls=[vc.HalfSpace((0, 0, 1)), *blocks], shock=vc.Soft(), friction=vc.Coulomb(FRICTION)))
    return system


def start() -> dict[str, tuple]:
    """A slender column of balls, a little out of line."""
    rng = np.random.default_rng(7)
    places = [(i % 4 - 1.5, i // 4 % 4 - 1.5, i // 16) for i in range(COUNT)]
    return {f"ball {i}": tuple(0.11 * np.array(p) + rng.uniform(-3e-3, 3e-3, 3) + (0, 0, 0.4)) for i, p in enumerate(places)}


def picture(motion: vc.Motion, path: Path) -> None:
    """The balls from the side at four instants, each as dark as it is slow."""
    import matplotlib.pyplot as plt
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle, Rectangle

    figure, axes = plt.subplots(1, 4, figsize=(12, 5), sharey=True, layout="constrained")
    for axis, t in zip(axes, np.array([0.15, 0.3, 0.5, 1.0]) * UNTIL, strict=True):
        seen = motion.at([t])
        x = seen.q.reshape(COUNT, 7)
        speed = np.linalg.norm(seen.v.reshape(COUNT, 6)[:, :3], axis=1)
        order = np.argsort(-x[:, 1])
        axis.add_patch(Rectangle((-3, -0.1), 6, 0.1, color="0.6"))
        for side in (-0.8, 0.6):
            axis.add_patch(Rectangle((side, 0), 0.2, 0.3, color="0.75"))
        balls = PatchCollection([Circle(x[i, [0, 2]], RADIUS) for i in order], cmap="cividis", ec="k", lw=0.3)
        balls.set(array=speed[order], clim=(0, 4))
        axis.add_collection(balls)
        axis.set(xlim=(-1.5, 1.5), ylim=(-0.1, 3.2), aspect="equal", title=f"{t:.2f} s", xlabel="x [m]")
    axes[0].set_ylabel("z [m]")
    figure.colorbar(balls, ax=axes, label="speed [m/s]", shrink=0.7)
    figure.savefig(path, dpi=120)


def main(folder=".") -> float:
    """The deepest penetration of any two balls, as a part of their radius."""
    motion = vc.simulate(pouring_pile(), until=UNTIL, start=start(), method="moreau", step=STEP, tolerance=1e-4)
    solves = motion.solves
    print(f"{len(solves)} steps with up to {int(solves.contacts.max())} contacts, {solves.sweeps.mean():.0f} sweeps a step, {solves.seconds.sum():.1f} s")
    print(f"residual of the law {solves.residual.max():.1e}, penetration {1e3 * solves.penetration.max():.1e} mm")
    picture(motion, Path(folder) / "pouring_pile.png")
    return float(solves.penetration.max() / RADIUS)


if __name__ == "__main__":
    main()
