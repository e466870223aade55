"""Free bodies in contact that several tests look at."""

import numpy as np

import vinculum as vc

G = 9.81


def free_bodies(shapes, *, walls=(), gravity=(0, 0, -G), impact=None, mu=0.0, density=1000.0) -> vc.System:
    """Bodies "b0", "b1", … of the shapes given."""
    system = vc.System("free bodies", gravity=gravity)
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", shape, density=density)) for i, shape in enumerate(shapes)]
    friction = vc.Coulomb(mu) if mu else None
    system.add(vc.Contact("contact", bodies, walls=list(walls), impact=impact or vc.Inelastic(), friction=friction))
    return system


def tilted(angle: float) -> np.ndarray:
    """The rotation about y that tilts the x axis downwards."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def on_slope(angle: float, mu: float, size=(0.4, 0.4, 0.2)) -> tuple[vc.System, dict]:
    """A block at rest on a slope that falls along x, and its start."""
    R = tilted(angle)
    system = free_bodies([vc.shapes.Box(size)], walls=[vc.shapes.HalfSpace(R[:, 2])], mu=mu)
    return system, {"b0": vc.Pose(R @ np.array([0, 0, 0.5 * size[2]]), R)}


def settled_box(layers=3, seed=0) -> tuple[vc.System, dict]:
    """Spheres on a lattice above an open box, a little out of line, and their start."""
    rng, n, pitch = np.random.default_rng(seed), 3, 0.12
    places = [(i, j, k) for i in range(n) for j in range(n) for k in range(layers)]
    walls = [vc.shapes.HalfSpace((0, 0, 1)), vc.shapes.HalfSpace((1, 0, 0)), vc.shapes.HalfSpace((-1, 0, 0), -pitch * n),
             vc.shapes.HalfSpace((0, 1, 0)), vc.shapes.HalfSpace((0, -1, 0), -pitch * n)]  # fmt: skip
    system = free_bodies([vc.shapes.Sphere(0.05)] * len(places), walls=walls, mu=0.3)
    start = {
        f"b{m}": tuple(pitch * (np.array(p) + (0.5, 0.5, 0.9)) + rng.uniform(-5e-3, 5e-3, 3))
        for m, p in enumerate(places)
    }
    return system, start
