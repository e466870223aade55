"""Boxes of spheres, a block on a slope and a stack of cubes, next to MuJoCo on the same scenes and steps.

BOX: spheres of radius 0.05 m and density 1000 on a lattice of pitch 0.12 m with ±5 mm offsets, the lowest 0.1 m up, in an open box
0.12 n m wide, μ = 0.3, no restitution, 2 s. STICK: a block of 0.4 × 0.4 × 0.2 m on a slope of 20°, μ = 0.5, 1 s. STACK: ten unit cubes,
μ = 0.5, 5 s. MuJoCo's contact is compliant, so its penetration is a choice of material; ours is hard, with the residual named.
"""

import sys
import time

import numpy as np
from _cases import report

import vinculum as vc

RADIUS, PITCH, DENSITY, GRAVITY = 0.05, 0.12, 1000.0, 9.81


def lattice(n: int, layers: int) -> np.ndarray:
    """Centers of the spheres (m, 3)."""
    rng = np.random.default_rng(0)
    grid = np.stack(np.meshgrid(np.arange(n), np.arange(n), np.arange(layers), indexing="ij"), -1).reshape(-1, 3)
    return (grid + (0.5, 0.5, 0)) * PITCH + rng.uniform(-5e-3, 5e-3, grid.shape) + (0, 0, 0.1)


def ours(
    shapes, start: dict, walls, mu: float, step: float, until: float, tolerance: float
) -> tuple[vc.Motion | None, float]:
    """A motion, and the wall time of its steps [s]; None if a step missed the tolerance."""
    system = vc.System("pile", gravity=(0, 0, -GRAVITY))
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", shape, density=DENSITY)) for i, shape in enumerate(shapes)]
    system.add(vc.Contact("contact", bodies, walls=walls, shock=vc.Soft(), friction=vc.Coulomb(mu)))
    try:
        motion = vc.simulate(system, until=until, start=start, method="moreau", step=step, tolerance=tolerance)
    except vc.RunError as error:
        print(error, file=sys.stderr)
        return error.motion, np.nan
    return motion, float(motion.solves.seconds.sum())


def box_walls(n: int) -> list[vc.HalfSpace]:
    """The ground and four sides."""
    side = PITCH * n
    return [vc.HalfSpace((0, 0, 1)), vc.HalfSpace((1, 0, 0)), vc.HalfSpace((-1, 0, 0), -side), vc.HalfSpace((0, 1, 0)),
            vc.HalfSpace((0, -1, 0), -side)]  # fmt: skip


def mujoco_box(n: int, layers: int, step: float, until: float) -> tuple[float, float]:
    """Wall time [s] and deepest penetration [m] of MuJoCo with elliptic cones and conjugate gradients."""
    import mujoco

    side = PITCH * n
    planes = [
        ("0 0 0", "0 0 1"),
        ("0 0 0", "1 0 0"),
        (f"{side} 0 0", "-1 0 0"),
        ("0 0 0", "0 1 0"),
        (f"0 {side} 0", "0 -1 0"),
    ]
    geoms = "".join(f'<geom type="plane" size="9 9 .1" pos="{p}" zaxis="{z}"/>' for p, z in planes)
    balls = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="sphere" size="{RADIUS}" density="{DENSITY}"/></body>'
        for x, y, z in lattice(n, layers)
    )
    text = (
        f'<mujoco><option timestep="{step}" gravity="0 0 -{GRAVITY}" cone="elliptic" solver="CG"/>'
        f'<size memory="500M"/><default><geom friction="0.3 0 0"/></default><worldbody>{geoms}{balls}</worldbody></mujoco>'
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    deepest, spent = 0.0, 0.0
    for _ in range(round(until / step)):
        begun = time.perf_counter()
        mujoco.mj_step(model, data)
        spent += time.perf_counter() - begun
        deepest = max(deepest, -float(data.contact.dist.min(initial=0.0)))
    return spent, deepest


def boxes(rows: list[dict]) -> None:
    """BOX 100 and 1000."""
    for n, layers, step in ((5, 4, 1e-3), (10, 10, 5e-3)):
        x = lattice(n, layers)
        start = {f"b{i}": tuple(p) for i, p in enumerate(x)}
        try:
            peer, depth = mujoco_box(n, layers, step, 2.0)
        except ImportError:
            peer = depth = np.nan
        for tolerance in (1e-4, 1e-6):
            motion, spent = ours([vc.Sphere(RADIUS)] * len(x), start, box_walls(n), 0.3, step, 2.0, tolerance)
            solves = motion.solves
            rows.append({"case": f"BOX {len(x)}, h = {1e3 * step:g} ms, residual {tolerance:.0e}", "s per s": spent / 2,
                         "MuJoCo": peer / 2, "ratio": peer / spent, "penetration mm": 1e3 * solves.penetration.max(),
                         "MuJoCo's mm": 1e3 * depth, "sweeps a step": solves.sweeps.mean()})  # fmt: skip


def blocks(rows: list[dict]) -> None:
    """STICK and STACK."""
    a = np.radians(20)
    R = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    motion, spent = ours(
        [vc.Box((0.4, 0.4, 0.2))], {"b0": vc.Pose(R @ (0, 0, 0.1), R)}, [vc.HalfSpace(R[:, 2])], 0.5, 1e-3, 1.0, 1e-12
    )
    slip = np.linalg.norm(motion.position("b0") - motion.position("b0")[0], axis=1).max()
    rows.append({"case": "STICK, residual 1e-12", "s per s": spent, "speed m/s": np.abs(motion.v[500:]).max(), "drift m": slip,
                 "sweeps a step": motion.solves.sweeps.mean()})  # fmt: skip
    motion, spent = ours(
        [vc.Box((1, 1, 1))] * 10,
        {f"b{i}": (0, 0, 0.5 + i) for i in range(10)},
        [vc.HalfSpace((0, 0, 1))],
        0.5,
        1e-3,
        5.0,
        1e-8,
    )
    drift = np.abs(motion.position("b9")[-1] - motion.position("b9")[0]).max()
    rows.append(
        {
            "case": "STACK, residual 1e-8",
            "s per s": spent / 5,
            "speed m/s": np.abs(motion.v[500:]).max(),
            "drift m": drift,
            "sweeps a step": motion.solves.sweeps.mean(),
        }
    )


def main() -> None:
    """Print the table and write it down."""
    ours([vc.Sphere(RADIUS)], {"b0": (0, 0, 1)}, [vc.HalfSpace((0, 0, 1))], 0.3, 1e-3, 0.1, 1e-4)  # compiles
    moving: list[dict] = []
    resting: list[dict] = []
    boxes(moving)
    blocks(resting)
    report("piles", moving)
    report("blocks_at_rest", resting)


if __name__ == "__main__":
    main()
