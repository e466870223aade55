"""Contact problems as files: what they hold, how they are read, and how they were recorded.

`python benchmarks/_contact_problems_files.py` records them anew. docs/contact/problems.md describes the format.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

FOLDER = Path(__file__).parent / "contact_problems"
ROUGH = 1e-4
"""Residual of the impulses of the steps up to the recorded one."""


class RecordedProblem(NamedTuple):
    """One time step of n bodies with m contacts; its arrays are those of the file."""

    x: np.ndarray
    """Mass centers (n, 3) [m]."""
    inverse_mass: np.ndarray
    """(n,) [1/kg]."""
    inverse_inertia: np.ndarray
    """About the mass centers, in world axes (n, 3, 3) [1/(kg m²)]."""
    free: np.ndarray
    """Velocities and angular velocities at the end of the step without impulses (n, 6), in world axes."""
    before: np.ndarray
    """Velocities before the step (n, 3) [m/s]."""
    bodies: np.ndarray
    """Both bodies of every contact (m, 2); −1 is fixed."""
    point: np.ndarray
    """(m, 3) [m]."""
    normal: np.ndarray
    """From the second body to the first (m, 3)."""
    tangent: np.ndarray
    """One of both tangents (m, 3); the other is normal × tangent."""
    friction: np.ndarray
    """μ (m,)."""
    target: np.ndarray
    """Least normal velocities after the impulses (m,) [m/s]."""
    pull: np.ndarray
    """|g| h [m/s], a number."""

    def rows(self) -> np.ndarray:
        """Jacobians (m, 2, 3, 6) of both bodies: relative velocities along normal and tangents; zero for fixed bodies."""
        axes = np.stack([self.normal, self.tangent, np.cross(self.normal, self.tangent)], axis=1)
        found = np.zeros((len(self.bodies), 2, 3, 6))
        for side, sign in ((0, 1.0), (1, -1.0)):
            moves = self.bodies[:, side] >= 0
            arm = self.point[moves] - self.x[self.bodies[moves, side]]
            found[moves, side, :, :3] = sign * axes[moves]
            found[moves, side, :, 3:] = sign * np.cross(arm[:, None], axes[moves])
        return found

    def after(self, P: np.ndarray) -> np.ndarray:
        """Velocities (n, 6) after impulses P (m, 3)."""
        return self.free + self.effect(P)

    def effect(self, P: np.ndarray) -> np.ndarray:
        """What impulses P (m, 3) add to the velocities (n, 6)."""
        gained, H = np.zeros((len(self.x) + 1, 6)), self.rows()
        for side in range(2):
            np.add.at(gained, self.bodies[:, side], np.einsum("mkw,mk->mw", H[:, side], P))
        gained = gained[:-1]
        turned = np.einsum("nij,nj->ni", self.inverse_inertia, gained[:, 3:])
        return np.concatenate([self.inverse_mass[:, None] * gained[:, :3], turned], axis=1)


def read(path: Path) -> RecordedProblem:
    """The problem of a file."""
    with np.load(path, allow_pickle=False) as kept:
        return RecordedProblem(**{name: kept[name] for name in RecordedProblem._fields})


def every_problem() -> dict[str, RecordedProblem]:
    """All recorded problems by name."""
    return {path.stem: read(path) for path in sorted(FOLDER.glob("*.npz"))}


def _scenes():
    """Name, system, start, step and the instants that are recorded."""
    import _free_bodies_ours as engine
    import _free_bodies_scenes as scenes

    import vinculum as vc

    yield "spheres-100", *engine.free_bodies(scenes.box(100, 5e-3)), 5e-3, (0.3, 0.5, 0.7, 1.0, 1.5)
    yield "spheres-1000", *engine.free_bodies(scenes.box(1000, 5e-3)), 5e-3, (0.6, 1.2)
    rng = np.random.default_rng(1)

    def pile(shapes, densities, places, mu):
        system = vc.System("pile", gravity=(0, 0, -9.81))
        bodies = [system.add(vc.RigidBody.solid(f"b{i}", shape, density=density))
                  for i, (shape, density) in enumerate(zip(shapes, densities, strict=True))]  # fmt: skip
        side = [((1, 0, 0), 0.0), ((-1, 0, 0), -0.8), ((0, 1, 0), 0.0), ((0, -1, 0), -0.8), ((0, 0, 1), 0.0)]
        walls = [vc.shapes.HalfSpace(n, d) for n, d in side]
        system.add(vc.Contact("contact", bodies, walls=walls, impact="inelastic", friction=mu))
        return system, {f"b{i}": tuple(place) for i, place in enumerate(places)}

    grid = np.stack(np.meshgrid(*(np.arange(k) for k in (8, 6, 6)), indexing="ij"), -1).reshape(-1, 3)[:, ::-1]
    places = (grid + 0.5) * 0.13 + rng.uniform(-4e-3, 4e-3, grid.shape) + (0, 0, 0.05)
    mixed = [vc.shapes.Sphere(r) for r in rng.uniform(0.02, 0.06, len(grid))]
    yield "mixed-spheres", *pile(mixed, [1000.0] * len(grid), places, 0.4), 5e-3, (0.5, 0.8, 1.2)
    few = grid[:72]
    places = (few + 0.5) * 0.13 + rng.uniform(-4e-3, 4e-3, few.shape) + (0, 0, 0.05)
    cubes = [vc.shapes.Box((0.1, 0.1, 0.1))] * len(few)
    yield "cubes", *pile(cubes, [1000.0] * len(few), places, 0.5), 5e-3, (0.3, 0.5, 0.8, 1.2)
    column = np.stack([np.full(10, 0.4), np.full(10, 0.4), 0.05 + 0.1 * np.arange(10)], axis=1)
    yield "stack", *pile(cubes[:10], [1000.0] * 10, column, 0.5), 5e-3, (0.05, 0.5)
    heavy = [1000.0] * 5 + [1e6]
    yield "heavy-above", *pile(cubes[:6], heavy, column[:6], 0.5), 5e-3, (0.05, 0.06)
    bricks = [(0.1 + 0.2 * k + 0.1 * (row % 2), 0.4, 0.05 + 0.1 * row) for row in range(6) for k in range(3)]
    yield "wall", *pile([vc.shapes.Box((0.19, 0.1, 0.1))] * 18, [1000.0] * 18, bricks, 0.5), 5e-3, (0.05, 0.5)


def record(wanted: str = "") -> None:
    """Write all files, or those of the scene that is wanted."""
    from vinculum.contact.free_bodies.steps import COUNT, DONE
    from vinculum.integrators.free_bodies.steps import free_bodies_work
    from vinculum.models.free_bodies.type import free_bodies_of
    from vinculum.motion import model_for
    from vinculum.systems import start_state
    from vinculum.tolerances.time_stepping import FREE_BODIES_SWEEPS

    FOLDER.mkdir(exist_ok=True)
    for name, system, start, h, instants in _scenes():
        if wanted not in ("", name):
            continue
        model = model_for(system)
        free_bodies = free_bodies_of(model)
        n, done = free_bodies.count, 0
        work = free_bodies_work(free_bodies, np.concatenate(start_state(model.tree, start)))
        for number, instant in enumerate(instants):
            upto = round(instant / h)
            work.steps(np.full(upto - done, h), ROUGH, FREE_BODIES_SWEEPS)
            before, done = work.state.v.copy(), upto + 1
            status, _, report = work.steps(np.array([h]), ROUGH, FREE_BODIES_SWEEPS)
            if status != DONE:
                raise RuntimeError(f"{name}: no impulses were found at {instant} s")
            found = _problem(work.arrays(), int(report[0, COUNT]), n, before, h)
            path = FOLDER / f"{name}-{number + 1}.npz"
            np.savez_compressed(path, **found._asdict())
            print(path.name, len(found.x), len(found.bodies), f"{path.stat().st_size / 1e3:.0f} kB", flush=True)


def _problem(work, m: int, n: int, before: np.ndarray, h: float) -> RecordedProblem:
    """What the arrays of the last step hold."""
    contacts, x = work.contacts, work.flight.X
    who, frame = contacts.who[:m].copy(), contacts.frame[:m]
    point, inverse = contacts.place[:m].copy(), work.flight.inverse[:n].copy()
    if work.is_round:
        point = x[who[:, 0]] - work.rows.arms[:m, :1] * frame[:, 0]
        inverse = work.bodies.spin[:n, None, None] * np.eye(3)
    who[who >= n] = -1
    pull = np.array(h * np.linalg.norm(work.gravity))
    V = work.flight.V[:n][:, [0, 1, 2, 4, 5, 6]]
    made = RecordedProblem(x[:n].copy(), work.bodies.inverse_mass[:n].copy(), inverse, V, before, who.astype(np.int32), point,
                           frame[:, 0].copy(), frame[:, 1].copy(), work.cones[:m].copy(), work.targets[:m].copy(), pull)  # fmt: skip
    handed = np.abs(np.cross(frame[:, 0], frame[:, 1]) - frame[:, 2]).max(initial=0.0)
    assert handed < 1e-12, handed
    return made._replace(free=V - made.effect(work.P[:m]))


if __name__ == "__main__":
    record(*sys.argv[1:])
