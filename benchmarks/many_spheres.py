"""A hundred thousand spheres that fall into a box: time of the description, of a step, and peak memory of the process.

The run is written to a folder while it proceeds, as a run of this size is. It is a process of its own, so that nothing else counts.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _cases import report, sized

import vinculum as vc

COUNT, UNTIL, STEP, RADIUS, PITCH = sized(100_000, 200), sized(0.5, 0.01), 5e-3, 0.05, 0.12
MOST_GB, MOST_SECONDS = 1.5, 2.0
"""To reach: memory of the process [GB], and seconds of the description."""


def scene() -> tuple[vc.System, dict]:
    """Spheres on a lattice with offsets above the floor of an open box."""
    side = int(np.ceil(COUNT ** (1 / 3)))
    half = 0.5 * PITCH * side
    system = vc.System("box", gravity=(0, 0, -9.81))
    balls = system.add_many(vc.RigidBody.solid("ball", vc.shapes.Sphere(RADIUS), density=1000), COUNT)
    sides = [vc.shapes.HalfSpace(way, -half - 1.1 * RADIUS) for way in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))]
    walls = [vc.shapes.HalfSpace((0, 0, 1)), *sides]
    system.add(vc.Contact("touch", list(balls), walls=walls, impact="inelastic", friction=0.3))
    i, j, k = np.unravel_index(np.arange(COUNT), (side + 1, side, side))
    places = np.stack([PITCH * k - half, PITCH * j - half, 0.1 + PITCH * i], axis=1)
    places[:, :2] += np.random.default_rng(0).uniform(-0.1, 0.1, (COUNT, 2)) * RADIUS
    return system, {balls: places}


def measure() -> dict:
    """The row, with everything in this process."""
    began = time.process_time()
    system, start = scene()
    described = time.process_time() - began
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        motion = vc.simulate(system, UNTIL, start, method="moreau", step=STEP, tolerance=1e-4, grid=2,
                             out=Path(folder) / "run", progress=False)  # fmt: skip
        run = time.process_time() - began
        solver = motion.record.contact_solver
        return {"spheres": COUNT, "described s": described, "described at most": MOST_SECONDS, "steps": len(solver.residual),
                "run CPU s": run, "steps s": float(solver.seconds.sum()), "contacts at the end": float(solver.contacts[-1]),
                "worst residual": float(solver.residual.max()), "peak memory GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
                "at most GB": MOST_GB}  # fmt: skip


def main() -> None:
    if "--row" in sys.argv:
        print(json.dumps(measure()))
        return
    options = [word for word in sys.argv[1:] if word == "--quick"]
    made = subprocess.run([sys.executable, __file__, "--row", *options], stdout=subprocess.PIPE, check=True)
    report("many_spheres", [json.loads(made.stdout.splitlines()[-1])])


if __name__ == "__main__":
    main()
