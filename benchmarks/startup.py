"""How long a new process takes: to import, to trace 30 joints, and to the first motion with a warm cache."""

import subprocess
import sys

from _cases import report, sized

IMPORT = "import time; t = time.perf_counter(); import vinculum; print(time.perf_counter() - t)"
IMPORT_WITH_SYSTEM = (
    "import time; t = time.perf_counter(); import vinculum as vc; vc.System; print(time.perf_counter() - t)"
)
FIRST_MOTION = """
import time; t = time.perf_counter()
import vinculum as vc
arm = vc.System("double pendulum", gravity=(0, 0, -9.81))
arm.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
arm.add(vc.RigidBody("lower", 0.5, (0, 0, -0.4), (0.030, 0.030, 0.001)))
arm.add(vc.Revolute("shoulder", "ground", "upper", axis=(0, 1, 0)))
arm.add(vc.Revolute("elbow", "upper", "lower", axis=(0, 1, 0), at=(0, 0, -1.0)))
vc.simulate(arm, 10.0, {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}, METHOD)
print(time.perf_counter() - t)
"""
TRACE = """
import sys, time; sys.path.insert(0, "benchmarks")
from _cases import in_vinculum, random_tree
from vinculum.models.types import model_of
system = in_vinculum(random_tree(30))
t = time.perf_counter()
model_of(system.tree()).tape("motion")
print(time.perf_counter() - t)
"""


def seconds(code: str, runs: int = 5) -> float:
    """Shortest of several new processes, after one that warms the caches."""
    times = [float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()[-1])
             for _ in range(sized(runs + 1, 1))]  # fmt: skip
    return min(times[sized(1, 0) :])


def main() -> None:
    if sized(False, True):
        report(
            "startup",
            [{"what": "first motion, dop853", "seconds": seconds(FIRST_MOTION.replace("METHOD", "method='dop853'"))}],
        )
        return
    rows = [
        {"what": "import vinculum", "seconds": seconds(IMPORT), "target": 0.3},
        {"what": "import vinculum and its System", "seconds": seconds(IMPORT_WITH_SYSTEM), "target": 0.3},
        {
            "what": "first motion, taylor",
            "seconds": seconds(FIRST_MOTION.replace("METHOD", "method='taylor'")),
            "target": 2.0,
        },
        {
            "what": "first motion, dop853",
            "seconds": seconds(FIRST_MOTION.replace("METHOD", "method='dop853'")),
            "target": 2.0,
        },
        {"what": "trace 30 joints", "seconds": seconds(TRACE), "target": 1.0},
    ]
    report("startup", rows)


if __name__ == "__main__":
    main()
