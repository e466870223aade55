"""Balls, blocks, rods, drums and rocks fall into a valley given by its heights and come to rest."""

from pathlib import Path

import numpy as np

import vinculum as vc

COUNT, UNTIL = 60, 1.6


def mixed_shapes() -> tuple[vc.System, dict[str, tuple]]:
    """Sixty bodies of five shapes above a wavy valley, and their start."""
    system, rng = vc.System("mixed shapes", gravity=(0, 0, -9.81)), np.random.default_rng(2)
    shapes = [
        vc.shapes.Sphere(0.06),
        vc.shapes.Box((0.14, 0.1, 0.08)),
        vc.shapes.Capsule(0.035, 0.12),
        vc.shapes.Cylinder(0.06, 0.1),
    ]
    rock = rng.normal(size=(16, 3))
    shapes.append(vc.shapes.Polytope(0.075 * rock / np.linalg.norm(rock, axis=1, keepdims=True)))
    bodies = [system.add(vc.RigidBody.solid(f"body {i}", shapes[i % 5], density=1500)) for i in range(COUNT)]
    x = np.linspace(-1.2, 1.2, 49)
    heights = 0.5 * (x[:, None] ** 2 + x[None] ** 2) + 0.02 * np.sin(9 * x[:, None]) * np.sin(9 * x[None])
    valley = vc.shapes.HeightField(heights, 0.05, at=(-1.2, -1.2, 0))
    system.add(vc.Contact("shapes", bodies, walls=[valley], impact=vc.Inelastic(), friction=vc.Coulomb(0.5)))
    lattice = np.array([(i % 4 - 1.5, i // 4 % 4 - 1.5, i // 16) for i in range(COUNT)])
    places = 0.21 * lattice + rng.uniform(-0.01, 0.01, (COUNT, 3)) + (0, 0, 0.35)
    return system, {body.name: tuple(place) for body, place in zip(bodies, places, strict=True)}


def main(folder=".") -> tuple[float, vc.Motion]:
    """The deepest penetration [m], and the motion."""
    system, start = mixed_shapes()
    motion = vc.simulate(system, until=UNTIL, start=start, method="moreau", step=2e-3, tolerance=1e-4)
    contact_solver = motion.record.contact_solver
    print(
        f"{len(contact_solver)} steps, up to {contact_solver.contacts.max():.0f} contacts, {contact_solver.sweeps.mean():.0f} sweeps a step"
    )
    print(f"residual {contact_solver.residual.max():.1e}, penetration {1e3 * contact_solver.penetration.max():.1e} mm")
    motion.plot.picture(path=Path(folder) / "mixed_shapes.png", elevation=38)
    return float(contact_solver.penetration.max()), motion


if __name__ == "__main__":
    main()
