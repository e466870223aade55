"""The same machines for Vinculum and its peers, and the reporting that all benchmarks share.

With `--quick` (or VINCULUM_QUICK=1) a benchmark runs Vinculum's own part alone, small and once, and writes nothing: that it still runs is
what the tests look at.
"""

import importlib
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import vinculum as vc

RESULTS = Path(__file__).parent / "results"
QUICK = "--quick" in sys.argv or os.environ.get("VINCULUM_QUICK") == "1"


def sized(full, quick):
    """How much of something: in a full run, and in a quick one."""
    return quick if QUICK else full


def peer(name: str) -> Any:
    """The module of a peer, or None where it is not installed and in a quick run; what it would have shown is then left out."""
    if QUICK:
        return None
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed here, so its columns stay empty", flush=True)
        return None


def over(theirs: float | None, ours: float) -> float | None:
    """How many times as long a peer takes."""
    return None if theirs is None else theirs / ours


def commit() -> str:
    """The commit that is measured, with a plus where sources were changed after it."""

    def said(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=RESULTS.parents[1], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    changed = said("status", "--porcelain", "--", "src", "benchmarks/*.py")
    return (said("rev-parse", "--short=10", "HEAD") or "unknown") + ("+" if changed else "")


def random_tree(joints: int, chain: bool = False, seed: int = 0) -> list[dict]:
    """A random 3-D tree of revolute joints about z with random frames, masses and inertias."""
    rng = np.random.default_rng(seed)
    links = []
    for i in range(joints):
        parent = -1 if i == 0 else i - 1 if chain else int(rng.integers(max(0, i - 3), i))
        quaternion = rng.normal(size=4)
        A = rng.normal(size=(3, 3))
        second = 0.02 * A @ A.T + 0.01 * np.eye(3)
        links.append({"parent": parent, "position": 0.3 * rng.normal(size=3), "quaternion": quaternion / np.linalg.norm(quaternion),
                      "mass": rng.uniform(0.5, 3), "com": 0.1 * rng.normal(size=3),
                      "inertia": np.trace(second) * np.eye(3) - second})  # fmt: skip
    return links


def in_vinculum(links: list[dict]) -> vc.System:
    """The tree as a Vinculum system."""
    system = vc.System("tree", gravity=(0, 0, -9.81))
    for i, link in enumerate(links):
        system.add(vc.RigidBody(f"body{i}", link["mass"], link["com"], link["inertia"]))
        parent = "ground" if link["parent"] < 0 else f"body{link['parent']}"
        system.add(
            vc.Revolute(
                f"joint{i}", parent, f"body{i}", axis=(0, 0, 1), at=vc.Pose(link["position"], link["quaternion"])
            )
        )
    return system


def in_pinocchio(links: list[dict]):
    """The tree as a Pinocchio model, with its fastest joint (RZ)."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array([0, 0, -9.81])
    ids = []
    for i, link in enumerate(links):
        w, x, y, z = link["quaternion"]
        placement = pin.SE3(pin.Quaternion(w, x, y, z).matrix(), link["position"])
        parent = 0 if link["parent"] < 0 else ids[link["parent"]]
        ids.append(model.addJoint(parent, pin.JointModelRZ(), placement, f"joint{i}"))
        model.appendBodyToJoint(ids[-1], pin.Inertia(link["mass"], link["com"], link["inertia"]), pin.SE3.Identity())
    return model


def in_mjcf(links: list[dict], step: float) -> str:
    """The tree as MuJoCo's XML: RK4, no contact, no constraints."""
    children: dict[int, list[int]] = {}
    for i, link in enumerate(links):
        children.setdefault(link["parent"], []).append(i)

    def words(x):
        return " ".join(f"{v:.17g}" for v in np.ravel(x))

    def body(i: int) -> str:
        link = links[i]
        J = link["inertia"]
        full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        inner = "".join(body(k) for k in children.get(i, []))
        return (
            f'<body pos="{words(link["position"])}" quat="{words(link["quaternion"])}"><joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="{words(link["com"])}" mass="{link["mass"]:.17g}" fullinertia="{words(full)}"/>{inner}</body>'
        )

    return (
        f'<mujoco><option integrator="RK4" timestep="{step}" gravity="0 0 -9.81"><flag contact="disable" constraint="disable"/>'
        f"</option><worldbody>{''.join(body(k) for k in children[-1])}</worldbody></mujoco>"
    )


def best(work, repeats: int = 7) -> float:
    """Shortest time of several [s]."""
    times = []
    for _ in range(sized(repeats, 1)):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def report(name: str, rows: list[dict]) -> None:
    """Print a table and, unless the run is a quick one, write it as JSON."""
    machine = {"cores": os.cpu_count(), "cpu": _cpu(), "python": platform.python_version()}
    columns = list(rows[0])
    cells = [[_text(row[c]) for c in columns] for row in rows]
    widths = [max(len(c), *(len(r[i]) for r in cells)) for i, c in enumerate(columns)]
    print(f"\n{name} ({machine['cores']} cores, {machine['cpu']})")
    for row in [columns, ["-" * w for w in widths], *cells]:
        print("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
    if QUICK:
        return
    RESULTS.mkdir(exist_ok=True)
    made = {"commit": commit(), "date": time.strftime("%Y-%m-%d"), "machine": machine, "rows": rows}
    (RESULTS / f"{name}.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")


def _text(x) -> str:
    return "–" if x is None else f"{x:.3g}" if isinstance(x, float) else str(x)


def _cpu() -> str:
    try:
        return next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()
