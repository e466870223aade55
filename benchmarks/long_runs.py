"""Ten thousand periods: energy drift at machine precision; and the memory of a streamed run."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _cases import report, sized

import vinculum as vc
from vinculum.models.conditions.gaps import gaps_at

STREAM = """
import resource, sys, tempfile, pathlib
import vinculum as vc
bob = vc.System("pendulum", gravity=(0, 0, -9.81))
bob.add(vc.MassPoint("bob", 0.7))
bob.add(vc.Revolute("hinge", "ground", "bob", axis=(0, 1, 0), to=(0, 0, 1.0)))
with tempfile.TemporaryDirectory() as folder:
    motion = vc.simulate(bob, float(sys.argv[1]), {"hinge": 1.0}, out=pathlib.Path(folder) / "run.zarr")
    print(len(motion.record.pieces), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
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
    motion = vc.simulate(system, sized(1e4, 3.0) * period, start, method="taylor", grid=2001)
    seconds = time.perf_counter() - began
    energy = motion.energy + offset
    return {"what": f"{name}, 10⁴ periods", "steps": len(motion.record.pieces), "seconds": seconds,
            "relative energy drift": float(np.abs(energy / energy[0] - 1).max()), "target": 1e-12}  # fmt: skip


def rod_pendulum() -> vc.System:
    system = vc.System("pendulum on a rod", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", 1.0, realization=vc.DAlembert()))
    return system


def rolling_disc() -> vc.System:
    system = vc.System("rolling disc", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("disc", 1.0, inertia=0.3**2 * np.array([0.25, 0.5, 0.25])))
    system.add(vc.constraints.Rolling.disc("rolling", body, 0.3, axis=(0, 1, 0), realization=vc.DAlembert()))
    return system


def held(name: str, system: vc.System, start, steps: int, **method) -> dict:
    """A run of about so many steps: violation of its constraints at the ends of steps, and drift of its energy."""
    span = steps * method["step"] if "step" in method else 1.0
    if "step" not in method:
        span = (
            steps
            / len(vc.simulate(system, sized(20.0, 0.5), start, progress=False, **method).record.pieces)
            * sized(20.0, 0.5)
        )
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        motion = vc.simulate(system, span, start, grid=2001, progress=False, out=Path(folder) / "run.zarr", **method)
        seconds, worst = time.perf_counter() - began, 0.0
        for edges, coefficients in motion.record.pieces.blocks():
            at = gaps_at(motion.record.model, coefficients[:, :, 0], edges[:-1], motion.record.values)
            worst = max(worst, float(np.abs(at.values).max()), float(np.abs(at.rates).max()))
        drift = float(np.abs(motion.energy / motion.energy[0] - 1).max())
        return {"what": name, "method": str(motion.record.method), "steps": len(motion.record.pieces), "seconds": seconds,
                "largest F": worst,
                "target": 1e-12, "relative energy drift": drift}  # fmt: skip


def constrained(steps: int) -> list[dict]:
    swing = {"bob": vc.At((0.6, 0, -0.8), rate=(0, 0.5, 0))}
    lean, yaw, spin = 0.2, 0.4, 6.0
    c, s = np.cos(lean), np.sin(lean)
    own = np.array([0, yaw * s + spin, yaw * c])
    roll = {"disc": vc.At((0, -0.3 * s, 0.3 * c, np.cos(lean / 2), np.sin(lean / 2), 0, 0),
                          rate=(*np.cross(own, (0, 0, 0.3)), *own))}  # fmt: skip
    cases = (("pendulum on a rod", rod_pendulum(), swing), ("rolling disc", rolling_disc(), roll))
    methods = ({"method": "rk4", "step": 1e-3}, {"method": "taylor"})
    return [
        held(name, system, start, steps if "step" in method else -(-steps // 10), **method)
        for name, system, start in cases
        for method in methods
    ]


def main() -> None:
    report("long_constrained_runs", constrained(sized(1_000_000, 40)))
    tilt = (np.cos(0.45), np.sin(0.45), 0.0, 0.0)
    report("long_runs", [
        drift("pendulum", pendulum(), 2.1391376006, {"hinge": 1.0}, 0.7 * 9.81),
        drift("Lagrange top", lagrange_top(), 2 * np.pi * 0.03 / (0.01 * 40.0), {"foot": vc.At(tilt, rate=(0, 0, 40.0))}, 0.0),
    ])  # fmt: skip
    rows = []
    for until in sized((2e4, 8e4, 3.2e5), (2.0,)):
        steps, peak = subprocess.run([sys.executable, "-c", STREAM, str(until)], check=True, capture_output=True,
                                     text=True).stdout.split()  # fmt: skip
        rows.append({"streamed seconds of motion": until, "steps": int(steps), "peak memory MB": int(peak) / 1024})
    report("streamed_memory", rows)


if __name__ == "__main__":
    main()
