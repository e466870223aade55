"""Four hundred balls are poured into a bin of four blocks and come to rest as a heap; nothing is softened."""

from pathlib import Path

import numpy as np

import vinculum as vc

RADIUS, COUNT, UNTIL = 0.05, 400, 3.0


def pouring_balls() -> tuple[vc.System, dict[str, tuple]]:
    """A slender column of balls, a little out of line, above the ground and the bin; and its start."""
    system, rng = vc.System("pouring balls", gravity=(0, 0, -9.81)), np.random.default_rng(7)
    balls = [system.add(vc.RigidBody.solid(f"ball {i}", vc.shapes.Sphere(RADIUS), density=1000)) for i in range(COUNT)]
    sides = [vc.shapes.FixedSolid(vc.shapes.Box((0.2, 1.0, 0.5)), at=(x, 0, 0.25)) for x in (-0.7, 0.7)]
    ends = [vc.shapes.FixedSolid(vc.shapes.Box((1.6, 0.2, 0.5)), at=(0, y, 0.25)) for y in (-0.5, 0.5)]
    system.add(
        vc.Contact(
            "free bodies",
            balls,
            walls=[vc.shapes.HalfSpace((0, 0, 1)), *sides, *ends],
            impact=vc.Inelastic(),
            friction=vc.Coulomb(0.5),
        )
    )
    lattice = [(i % 4 - 1.5, i // 4 % 4 - 1.5, i // 16) for i in range(COUNT)]
    places = 0.11 * np.array(lattice) + rng.uniform(-3e-3, 3e-3, (COUNT, 3)) + (0, 0, 0.4)
    return system, {ball.name: tuple(place) for ball, place in zip(balls, places, strict=True)}


def picture(motion: vc.Motion, path: Path) -> None:
    """The balls from the side at four instants, colored by their speed."""
    import matplotlib.pyplot as plt
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle, Rectangle

    figure, axes = plt.subplots(1, 4, figsize=(12, 4.6), sharey=True, layout="constrained")
    for axis, t in zip(axes, np.array([0.1, 0.25, 0.4, 1.0]) * UNTIL, strict=True):
        seen = motion.at([t])
        x, speed = seen.q.reshape(COUNT, 7), np.linalg.norm(seen.v.reshape(COUNT, 6)[:, :3], axis=1)
        order = np.argsort(-x[:, 1])
        for corner, width, height in (((-3, -0.1), 6, 0.1), ((-0.8, 0), 0.2, 0.5), ((0.6, 0), 0.2, 0.5)):
            axis.add_patch(Rectangle(corner, width, height, color="0.7"))
        balls = PatchCollection([Circle(x[i, [0, 2]], RADIUS) for i in order], cmap="viridis", ec="k", lw=0.3)
        balls.set(array=speed[order], clim=(0, 4))
        axis.add_collection(balls)
        axis.set(xlim=(-1.5, 1.5), ylim=(-0.1, 3.2), aspect="equal", title=f"{t:.2f} s", xlabel="x [m]")
    axes[0].set_ylabel("z [m]")
    figure.colorbar(axes[-1].collections[0], ax=axes, label="speed [m/s]", shrink=0.8)
    figure.savefig(path, dpi=120)


def main(folder=".") -> tuple[float, vc.Motion]:
    """The deepest penetration of any two bodies, as a part of the balls' radius, and the motion."""
    system, start = pouring_balls()
    motion = vc.simulate(system, until=UNTIL, start=start, method="moreau", step=2.5e-3, tolerance=1e-4)
    contact_solver = motion.record.contact_solver
    print(
        f"{len(contact_solver)} steps, up to {contact_solver.contacts.max():.0f} contacts, {contact_solver.sweeps.mean():.0f} sweeps a step"
    )
    print(f"residual {contact_solver.residual.max():.1e}, penetration {1e3 * contact_solver.penetration.max():.1e} mm")
    picture(motion, Path(folder) / "pouring_balls.png")
    return float(contact_solver.penetration.max() / RADIUS), motion


if __name__ == "__main__":
    main()
