"""Chains of 10 to 500 links: CPU-seconds of the first run and audit in a new process, and of the next ones.

The axes of the hinges alternate. Every process draws other masses, so no cache has its equations; compiled kernels are in the caches.
A warm audit is that of a new motion after another one was audited. Time of the processor, since the clock measures neighbors too.
"""

import json
import subprocess
import sys
import time

import numpy as np
from _cases import report, sized

import vinculum as vc

CHAINS = ((10, 1.0, None), (20, 1.0, None), (40, 1.0, None), (80, 1.0, None), (200, 0.1, 1e-8), (500, 0.1, 1e-8))
"""Links, length of the motion [s], tolerance (None: the default)."""
COLD_RUNS = {200: 8.0, 500: 10.0}
MORE_THAN_ITS_RUN = 1.0
"""CPU-seconds to reach: the first run by links; a warm audit, beyond a warm run."""
AUDITED = 200
"""Most links whose motion is audited here."""


def chain(links: int) -> vc.System:
    masses = np.random.default_rng().uniform(0.9, 1.1, links)
    system = vc.System("chain", gravity=(0, 0, -9.81))
    for i, mass in enumerate(masses.tolist()):
        system.add(vc.RigidBody(f"link{i}", mass, (0.05, 0, 0), (1e-4, 8e-4, 8e-4)))
        axis, at = ((0, 1, 0), (0, 0, 1))[i % 2], (0.1 if i else 0.0, 0, 0)
        system.add(vc.Revolute(f"hinge{i}", f"link{i - 1}" if i else "ground", f"link{i}", axis=axis, at=at))
    return system


def measure(links: int, until: float, tolerance: float | None) -> dict:
    """One row, with every part measured in this process."""

    def timed(work):
        began = time.process_time()
        made = work()
        return made, time.process_time() - began

    def run() -> vc.Motion:
        return vc.simulate(system, until, {"hinge0": 0.3}, tolerance=tolerance, progress=False)

    system = chain(links)
    first, cold_run = timed(run)
    audited = links <= AUDITED
    cold_audit = timed(first.audit)[1] if audited else None
    motion, warm_run = timed(run)
    certificate, warm_audit = timed(motion.audit) if audited else (None, None)
    return {"links": links, "until s": until, "method": str(motion.record.method), "steps": len(motion.record.pieces),
            "cold run s": cold_run, "cold run at most": COLD_RUNS.get(links), "warm run s": warm_run,
            "cold audit s": cold_audit, "warm audit s": warm_audit, "warm audit at most": warm_run + MORE_THAN_ITS_RUN if audited else None,
            "verdict": certificate.verdict if certificate else None}  # fmt: skip


def main() -> None:
    if "--row" in sys.argv:
        print(json.dumps(measure(*json.loads(sys.argv[-1]))))
        return
    rows = []
    for case in sized(CHAINS, ((3, 0.1, None),)):
        made = subprocess.run([sys.executable, __file__, "--row", json.dumps(case)], stdout=subprocess.PIPE, check=True)
        rows.append(json.loads(made.stdout.splitlines()[-1]))
        print(rows[-1], flush=True)
    report("long_trees", rows)


if __name__ == "__main__":
    main()
