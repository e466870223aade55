"""A hundred thousand discs that roll without slipping: steps of an ensemble next to the plain forward dynamics of the same graph.

A step of RK4 evaluates the graph four times, and a projection keeps the conditions; `plain` is what the bare evaluations would allow. The
same discs flying freely show what the conditions themselves cost.
"""

import time

import numpy as np
from _cases import report, sized

import vinculum as vc
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.models.conditions.gaps import gaps_at

MASS, RADIUS = 1.0, 0.3
STEP, STEPS, RUNS, ROUNDS = 1e-3, sized(500, 2), sized(100_000, 80), sized(5, 1)
EVALUATIONS = sized(100, 1)


def disc(rolls: bool) -> vc.System:
    system = vc.System("rolling disc" if rolls else "free disc", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("disc", MASS, inertia=MASS * RADIUS**2 * np.array([0.25, 0.5, 0.25])))
    if rolls:
        system.add(vc.constraints.Rolling.disc("rolling", body, RADIUS, axis=(0, 1, 0), realization=vc.DAlembert()))
    return system


def starts(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Discs that lean about x, turn about the vertical and roll along x."""
    rng = np.random.default_rng(5)
    lean, yaw_rate, spin_rate = 0.2 * rng.normal(size=count), 0.5 * rng.normal(size=count), rng.uniform(3, 7, count)
    c, s, zero = np.cos(lean), np.sin(lean), np.zeros(count)
    q = np.stack([zero, -RADIUS * s, RADIUS * c, np.cos(lean / 2), np.sin(lean / 2), zero, zero], axis=1)
    spin = np.stack([zero, yaw_rate * s + spin_rate, yaw_rate * c], axis=1)
    velocity = np.cross(spin, np.array([0, 0, RADIUS]))
    return q, np.concatenate([velocity, spin], axis=1)


def seconds(work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    q, v = starts(RUNS)
    rows = []
    discs = {rolls: disc(rolls) for rolls in (False, True)}
    for threads in (2, 1):
        runs = RUNS if threads > 1 else RUNS // 10

        def run(rolls, runs=runs, threads=threads):
            start = q[:runs], v[:runs]
            return vc.ensemble(discs[rolls], STEP * STEPS, start, method="rk4", step=STEP, threads=threads)

        found = run(True)
        run(False)
        graph = compile_tape(found.model.tape("plain"))
        values = np.tile(found.model.parameter_values(None), (runs, 1))
        inputs = np.concatenate([q[:runs], v[:runs], np.zeros((runs, 1)), values], axis=1)
        outputs = np.empty((runs, graph.tape.n_out))

        def evaluated(graph=graph, inputs=inputs, outputs=outputs, threads=threads):
            for _ in range(EVALUATIONS):
                graph(inputs, threads=threads, out=outputs)

        work = (lambda: run(False), lambda: run(True), evaluated)
        times = np.array([[seconds(one) for one in work] for _ in range(ROUNDS)])
        free, rolling = runs * STEPS / times[:, :2].min(axis=0)
        plain = runs * EVALUATIONS / 4 / times[:, 2].min()
        end = np.concatenate([found.q[:, -1], found.v[:, -1]], axis=1)
        at = gaps_at(found.model, end, STEP * STEPS, np.tile(found.model.parameter_values(None), (runs, 1)))
        rows.append({
            "threads": threads, "discs": runs, "rolling steps/s": rolling, "plain evaluations/4 s": plain,
            "ratio": float(np.median(times[:, 2] * 4 * STEPS / EVALUATIONS / times[:, 1])), "target": 0.5, "free steps/s": free,
            "rolling / free": float(np.median(times[:, 0] / times[:, 1])), "failed": int(found.failed.sum()),
            "largest F": float(max(np.abs(at.values).max(), np.abs(at.rates).max())),
        })  # fmt: skip
    report("rolling_discs", rows)


if __name__ == "__main__":
    main()
