"""CPU-seconds from nothing to a certified motion in a new process: with an empty home, and once more with what that left there.

`python benchmarks/first_motion.py [--quick] [NAME ...]`. Time of the processor (of the child and its threads), since the clock measures
neighbors too. Which Vinculum is measured is decided by the Python that runs this: one of a clone, or one with a wheel.
"""

import compileall
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _cases import report, sized

import vinculum as vc

SCENES = Path(__file__).resolve().parents[1] / "packaging" / "first_runs.py"
CLONE = {"double pendulum": 3, "four-bar": 8, "rolling disc": 8, "bouncing ball": 12, "27 spheres": 20,
         "two-link tree with Contact": 35, "mixed shapes": None}  # fmt: skip
WHEEL = dict(zip(CLONE, (3, 3, 3, 5, 6, 6, 12), strict=True))
WARM = dict(zip(CLONE, (2, 2, 2, 2.5, 2.5, 2.5, None), strict=True))
"""CPU-seconds to reach: cold in a clone, cold with a wheel, and warm."""
REPEATS = 2
"""How often a motion is made with an empty home, and each time with what is there then. The least time counts: neighbors share caches."""
LEFT_OUT = ("VINCULUM_CACHE", "XDG_CACHE_HOME", "PYTHONDONTWRITEBYTECODE")
"""Variables that a new user has not set."""


def cpu_seconds(name: str, home: str | None) -> float:
    """Time of the processor for a new process that simulates and audits; its ``home`` also holds its caches, None: the user's own."""
    environment = {key: value for key, value in os.environ.items() if key not in LEFT_OUT}
    child = subprocess.Popen(
        [sys.executable, SCENES, name],
        env=os.environ if home is None else environment | {"HOME": home},
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{name} failed")
    return used.ru_utime + used.ru_stime


def has_wheel() -> bool:
    """Whether the Vinculum of this Python brings compiled kernels."""
    from vinculum.compile.disk import shipped

    return shipped.FOLDER.is_dir()


def main() -> None:
    if sized(False, True):
        report("first_motion", [{"motion": "double pendulum", "warm s": cpu_seconds("double pendulum", None)}])
        return
    rows = []
    wheel = has_wheel()
    compileall.compile_dir(str(Path(vc.__file__).parent), quiet=2)  # as pip does; Python itself would in the first row
    for name in [word for word in sys.argv[1:] if word in CLONE] or CLONE:
        cold, warm = [], []
        for _ in range(REPEATS):
            with tempfile.TemporaryDirectory() as home:
                cold.append(cpu_seconds(name, home))
                warm += [cpu_seconds(name, home) for _ in range(REPEATS)]
        target = (WHEEL if wheel else CLONE)[name]
        rows.append(
            {"motion": name, "cold s": min(cold), "at most": target, "warm s": min(warm), "warm at most": WARM[name]}
        )
        print(rows[-1], flush=True)
    report("first_motion_wheel" if wheel else "first_motion", rows)


if __name__ == "__main__":
    main()
