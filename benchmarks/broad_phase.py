"""How the search for near pairs and the memory of free bodies grow with their number."""

import time

import numpy as np
from _cases import report, sized

import vinculum as vc
from vinculum.collision.arrays import Grid, Pairs, Shapes
from vinculum.collision.broad_phase import SPHERE, near_pairs
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.models.free_bodies.type import free_bodies_of
from vinculum.models.model_cache import model_for

SIDES, RADIUS, REPEATS = sized((10, 16, 25, 40), (3, 4)), 0.05, sized(7, 1)


def lattice(side: int) -> np.ndarray:
    """Places (side³, 3) of spheres that nearly touch."""
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    return 2.05 * RADIUS * grid + np.random.default_rng(1).uniform(-0.02, 0.02, grid.shape) * RADIUS


def searched(x: np.ndarray, reach: np.ndarray) -> tuple[float, int]:
    """Seconds of one search, the least of some, and how many pairs are near."""
    n = len(x)
    pairs = Pairs(*(np.empty(20 * n, dtype=np.int64) for _ in Pairs._fields))
    shapes = Shapes(x, np.tile(np.eye(3), (n, 1, 1)), np.full(n, SPHERE, dtype=np.int64), np.zeros((n, 3)), reach)
    grid = Grid(
        np.empty(1 << int(np.ceil(np.log2(2 * n))), dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty((n, 4), dtype=np.int64),
    )
    spent = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        found = near_pairs(shapes, n, 0.1 * RADIUS, grid, pairs)
        spent.append(time.perf_counter() - begun)
    return min(spent), found


def memory(x: np.ndarray) -> int:
    """Bytes of the arrays on which time steps of so many spheres work."""
    system = vc.System("lattice")
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(RADIUS), density=1000.0)) for i in range(len(x))]
    system.add(vc.Contact("contact", bodies, impact=vc.Inelastic()))
    free_bodies = free_bodies_of(model_for(system))
    work = FreeBodiesWork(free_bodies, x, np.tile([1.0, 0, 0, 0], (len(x), 1)), *np.zeros((2, *x.shape)))
    work.deepest()
    return sum({id(a): a.nbytes for a in _arrays(tuple(vars(work).values()))}.values())


def _arrays(held) -> list[np.ndarray]:
    """Arrays in tuples of tuples."""
    if isinstance(held, tuple):
        return [a for part in held for a in _arrays(part)]
    return [held] if isinstance(held, np.ndarray) else []


def main() -> None:
    rows, before = [], None
    for side in SIDES:
        x = lattice(side)
        n = len(x)
        seconds, pairs = searched(x, np.full(n, RADIUS))
        mixed, _pairs = searched(x, RADIUS * np.random.default_rng(2).uniform(0.1, 1.0, n))
        held = memory(x) if n <= 20_000 else None
        row = {"bodies": n, "near pairs": pairs, "search ms": 1e3 * seconds, "of all sizes ms": 1e3 * mixed,
               "kB a body": held / n / 1e3 if held else None, "exponent": None}  # fmt: skip
        if before is not None:
            row["exponent"] = float(np.log(seconds / before[1]) / np.log(n / before[0]))
        rows.append(row)
        before = n, seconds
    report("broad_phase", rows)


if __name__ == "__main__":
    main()
