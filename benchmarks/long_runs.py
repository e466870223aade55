"""Ten thousand periods: energy drift at machine precision; and the memory of a streamed run."""

import subprocess
import sys
import time

import numpy as np
from _cases import report

import vinculum as vc

STREAM = """
import resource, sys, tempfile, pathlib
import vinculum as vc
bob = vc.System("pendulum", gravity=(0, 0, -9.81))
bob.add(vc.MassPoint("bob", 0.7))
bob.add(vc.Revolute("hinge", "ground", "bob", axis=(0, 1, 0), to=(0, 0, 1.0)))
with tempfile.TemporaryDirectory() as folder:
    motion = vc.simulate(bob, float(sys.argv[1]), {"hinge": 1.0}, out=pathlib.Path(folder) / "run.zarr")
    print(len(motion.pieces), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def pendulum() -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    bob = system.add(vc.MassPoint("bob", 0.7))
    system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 1.0)))
    return system


def lagrange_top() -> vc.System:
    system = vc.System("Lagrange top", gravity=(0, 0, -9.81))
    top = system.add(vc.RigidBody("top", 0.5, com=(0, 0, 0.2), inertia=(0.03, 0.03, 0.01), about="origin"))
    system.add(vc.Spherical("foot", "ground", top))
    return system


def drift(name: str, system: vc.System, period: float, start, offset: float) -> dict:
    began = time.perf_counter()
    motion = vc.simulate(system, 1e4 * period, start, method="taylor", grid=2001)
    seconds = time.perf_counter() - began
    energy = motion.energy + offset
    return {"what": f"{name}, 10⁴ periods", "steps": len(motion.pieces), "seconds": seconds,
            "relative energy drift": float(np.abs(energy / energy[0] - 1).max()), "target": 1e-12}  # fmt: skip


def main() -> None:
    tilt = (np.cos(0.45), np.sin(0.45), 0.0, 0.0)
    report("long_runs", [
        drift("pendulum", pendulum(), 2.1391376006, {"hinge": 1.0}, 0.7 * 9.81),
        drift("Lagrange top", lagrange_top(), 2 * np.pi * 0.03 / (0.01 * 40.0), {"foot": vc.At(tilt, rate=(0, 0, 40.0))}, 0.0),
    ])  # fmt: skip
    rows = []
    for until in (2e4, 8e4, 3.2e5):
        steps, peak = subprocess.run([sys.executable, "-c", STREAM, str(until)], check=True, capture_output=True,
                                     text=True).stdout.split()  # fmt: skip
        rows.append({"streamed seconds of motion": until, "steps": int(steps), "peak memory MB": int(peak) / 1024})
    report("streamed_memory", rows)


if __name__ == "__main__":
    main()
