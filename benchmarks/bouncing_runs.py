"""Ten thousand runs of five spheres that fall, bounce, roll and slide, next to a loop of `simulate`.

Both take the plain steps of an ensemble (`impacts="stepped"`) and have the same velocities to the last bit; this is checked for the runs
of the loop. The loop takes a part of the runs, in between two ensembles, and the median of the ratios counts.
"""

import statistics
import time

import numpy as np
from _cases import report, sized

import vinculum as vc

RUNS, ALONE, STEP, PAIRS = sized(10_000, 8), sized(100, 2), 5e-3, sized(5, 1)
SPANS = sized((0.5, 1.0), (0.1,))
BALLS = [f"ball{i}" for i in range(5)]


def scene() -> vc.System:
    """Five spheres above a rough floor: e = 0.5, μ = 0.3."""
    system = vc.System("five", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.05), density=1000)) for name in BALLS]
    floor = vc.shapes.HalfSpace((0, 0, 1))
    system.add(vc.Contact("contact", balls, walls=[floor], impact=0.5, friction=0.3))
    return system


def starts(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and velocities of all runs: heights of 0.1 to 0.2 m, up to 1 m/s in every direction."""
    rng = np.random.default_rng(5)
    q, v = np.zeros((count, 5, 7)), np.zeros((count, 5, 6))
    q[..., 0], q[..., 3] = 0.15 * np.arange(5), 1.0
    q[..., :3] += rng.uniform((-0.02, -0.02, 0.1), (0.02, 0.02, 0.2), (count, 5, 3))
    v[..., :3] = rng.uniform(-1.0, 1.0, (count, 5, 3))
    return q.reshape(count, -1), v.reshape(count, -1)


def row(system: vc.System, span: float) -> dict:
    """One row of the table."""
    q, v = starts(RUNS)
    how = {"method": "moreau", "step": STEP}

    def alone(k: int) -> vc.Motion:
        at = {name: vc.At(q[k, 7 * i : 7 * i + 3], rate=v[k, 6 * i : 6 * i + 6]) for i, name in enumerate(BALLS)}
        return vc.simulate(system, span, at, progress=False, impacts="stepped", **how)

    def timed(work) -> tuple[float, object]:
        began = time.perf_counter()
        made = work()
        return time.perf_counter() - began, made

    vc.ensemble(system, span, (q[:2], v[:2]), **how)
    alone(0)
    ratios, off, times, singles = [], 0.0, [], []
    for _ in range(PAIRS):
        single, motions = timed(lambda: [alone(k) for k in range(ALONE)])
        took, runs = timed(lambda: vc.ensemble(system, span, (q, v), **how))
        singles.append(single / ALONE)
        times.append(took / RUNS)
        ratios.append(singles[-1] / times[-1])
        off = max(float(np.abs(one.v[-1] - runs.v[k, -1]).max()) for k, one in enumerate(motions))
        assert not runs.failed.any()
    return {"runs": RUNS, "span s": span, "steps of a run": round(span / STEP), "ensemble ms a run": 1e3 * min(times),
            "simulate ms a run": 1e3 * min(singles), "ratio": statistics.median(ratios), "target": 20,
            "difference": off}  # fmt: skip


def main() -> None:
    system = scene()
    report("bouncing_runs", [row(system, span) for span in SPANS])


if __name__ == "__main__":
    main()
