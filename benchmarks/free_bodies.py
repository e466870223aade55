"""Boxes of spheres, a block on a slope, a stack of cubes and a bouncing ball, next to MuJoCo, PyBullet and Siconos.

Every case runs in a process of its own, under a time limit, in whichever Python has the engine: this one, those listed between colons in
the variable VINCULUM_PEERS, or the system's. What an engine that is missing would have shown is left out, and that is said. Results
are written after every case; `python benchmarks/free_bodies.py tables` makes the tables of them anew, `short` tries every case briefly.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from _cases import RESULTS, report, sized

HERE = Path(__file__).parent
RAW = RESULTS / "free_bodies_raw.json"
MODULES = {"MuJoCo": "mujoco", "PyBullet": "pybullet", "Siconos": "siconos.mechanics.collision.bullet"}
OURS, GRACE, COMPILING = "Vinculum", 60.0, 240.0
MS, FIVE = 1e-3, 5e-3
CASES = [
    *((engine, "box", {"count": 100, "step": MS} | own, limit)
      for engine, own, limit in ((OURS, {"tolerance": 1e-4}, 60), (OURS, {"tolerance": 1e-6}, 60),
                                 (OURS, {"tolerance": 1e-8, "until": 1.0}, 60), ("MuJoCo", {}, 30),
                                 ("MuJoCo", {"stiff": True}, 20), ("PyBullet", {}, 30), ("Siconos", {}, 20))),
    *((engine, "box", {"count": 1000, "step": FIVE} | own, limit)
      for engine, own, limit in ((OURS, {"tolerance": 1e-3}, 60), (OURS, {"tolerance": 1e-4}, 60),
                                 (OURS, {"tolerance": 1e-6}, 150), ("MuJoCo", {}, 30),
                                 ("MuJoCo", {"stiff": True}, 20), ("PyBullet", {}, 30), ("Siconos", {}, 20))),
    *((engine, "box", {"count": 5000, "step": FIVE, "until": 1.0} | own, 45) for engine, own in
      ((OURS, {"tolerance": 1e-3}), (OURS, {"tolerance": 1e-4}), ("MuJoCo", {}), ("PyBullet", {}))),
    (OURS, "box", {"count": 10000, "step": FIVE, "tolerance": 1e-4, "until": 1.0}, 90),
    *((engine, "stick", own, 30) for engine, own in
      ((OURS, {"tolerance": 1e-8}), (OURS, {"tolerance": 1e-12}), ("MuJoCo", {}), ("MuJoCo", {"stiff": True}),
       ("PyBullet", {}), ("Siconos", {}))),
    *((engine, "stack", own, limit) for engine, own, limit in
      ((OURS, {"tolerance": 1e-8}, 60), (OURS, {"tolerance": 1e-8, "until": 60.0}, 90), ("MuJoCo", {"stiff": True}, 60),
       ("MuJoCo", {"stiff": True, "until": 60.0}, 60), ("PyBullet", {}, 60), ("Siconos", {}, 45))),
    *((engine, "ball", own, 30) for engine, own in
      ((OURS, {"method": "taylor"}), (OURS, {"method": "moreau"}), (OURS, {"method": "moreau", "step": 0.5 * MS}),
       (OURS, {"method": "moreau", "step": 0.25 * MS}), (OURS, {"tolerance": 1e-8}), ("MuJoCo", {}), ("PyBullet", {}), ("Siconos", {}))),
]  # fmt: skip
"""Engine, scene, settings, and seconds after which it is cut."""
FASTER = {100: 1.5, 1000: 4.0, 5000: 5.0}
"""How many times as fast as the fastest peer a box of so many spheres should be."""


def pythons() -> dict[str, str]:
    """The Python of every engine that is there."""
    here = [sys.executable, *filter(None, os.environ.get("VINCULUM_PEERS", "").split(":")), "/usr/bin/python3"]
    found = {OURS: sys.executable}
    for engine, module in MODULES.items():
        for python in here:
            if (
                Path(python).exists()
                and subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0
            ):
                found[engine] = python
                break
        else:
            print(f"{engine} is not installed here, so its rows are left out", flush=True)
    return found


def result(python: str, engine: str, scene: str, settings: dict, limit: float) -> dict:
    """What one case gives, from a process of its own."""
    given = json.dumps(settings | {"limit": limit})
    script = ["_free_bodies_ours.py", scene] if engine == OURS else ["_free_bodies_peers.py", engine, scene]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [python, *script, given], cwd=HERE, env=environment, capture_output=True, text=True, timeout=limit + GRACE
        )
    except subprocess.TimeoutExpired:
        return {"failure": f"did not end in {limit + GRACE:g} s"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {"failure": (done.stderr.strip().splitlines() or ["no answer"])[-1]}


def measured(brief: bool) -> list[dict]:
    """All cases, written down one by one."""
    where, found = pythons(), []
    for scene in ({"count": 100, "step": MS}, {}):  # compiles what every case of ours then finds on disk
        result(sys.executable, OURS, "box" if scene else "stick", scene | {"tolerance": 1e-4, "until": 0.01}, COMPILING)
    for engine, scene, settings, limit in CASES:
        if engine not in where:
            continue
        own = settings | ({"until": 0.05 if scene == "box" else 0.2} if brief and scene != "ball" else {})
        one = {"engine": engine, "scene": scene, "settings": own, "limit": limit}
        one |= result(where[engine], engine, scene, own, 10 if brief else limit)
        found.append(one)
        shown = {key: one.get(key) for key in ("s per s", "cut", "penetration mm", "residual", "failure")}
        print(f"{engine:9} {scene:6} {settings} {shown}", flush=True)
        if not brief:
            RESULTS.mkdir(exist_ok=True)
            RAW.write_text(json.dumps(found, indent=1))
    return found


def called(one: dict) -> str:
    """The scene as the tables name it."""
    settings, scene = one["settings"], one["scene"].upper()
    count = f" {settings['count']}" if "count" in settings else ""
    long = f", {settings['until']:g} s" if settings.get("until") and scene == "STACK" else ""
    return f"{scene}{count}{long}, h = {1e3 * settings.get('step', MS):g} ms"


def setting(one: dict) -> str:
    settings = one["settings"]
    if one["engine"] == OURS:
        return (
            f"residual {settings['tolerance']:.0e}"
            if "tolerance" in settings
            else {"taylor": "event-driven"}.get(settings["method"], "time stepping")
        )
    usual = {"MuJoCo": "ell-CG", "PyBullet": "maximal", "Siconos": "NSGS 1e-4"}[one["engine"]]
    if one["scene"] == "ball":
        usual = {"MuJoCo": "fitted", "PyBullet": "tuned"}.get(one["engine"], usual)
    return "stiff" if settings.get("stiff") else usual


def text(x, at_least: bool = False) -> str:
    return "–" if x is None or not np.isfinite(x) else f"{'≥ ' * at_least}{x:.3g}{', cut' * at_least}"


def tables(found: list[dict]) -> None:
    """The tables of all cases, and what was to be reached."""
    boxes, small = [], []
    for one in found:
        cut, row = bool(one.get("cut")), {"scene": called(one), "engine": one["engine"], "setting": setting(one)}
        row |= {"s per s": text(one.get("s per s"), cut), "CPU s per s": text(one.get("cpu s per s"), cut)}
        if one["scene"] == "box":
            boxes.append(row | {"penetration mm": text(one.get("penetration mm")), "worst residual": text(one.get("residual")),
                                "sweeps a step": text(one.get("sweeps a step")), "said": one.get("failure") or ""})  # fmt: skip
        else:
            small.append(row | {key: text(one.get(key)) for key in
                                ("speed m/s", "slip m", "drift xy m", "drift z m", "worst impact s", "residual")}
                         | {"said": one.get("failure") or ""})  # fmt: skip
    report("free_bodies", boxes)
    report("blocks_at_rest", small)
    report("free_bodies_targets", targets(found))


def targets(found: list[dict]) -> list[dict]:
    """Each thing to reach, what was measured, and whether that is enough."""

    def of(engine, scene, **settings):
        fitting = [one for one in found if one["engine"] == engine and one["scene"] == scene and "s per s" in one
                   and all(one["settings"].get(key) == x for key, x in settings.items())]  # fmt: skip
        return fitting[0] if fitting else None

    rows: list[dict] = []

    def add(what: str, value, wanted: str, met) -> None:
        rows.append({"what": what, "measured": value if isinstance(value, str) else text(value), "target": wanted,
                     "met": "–" if met is None else "yes" if met else "no"})  # fmt: skip

    for count, wanted in FASTER.items():
        loose, ours, tight = (of(OURS, "box", count=count, tolerance=x) for x in (1e-3, 1e-4, 1e-6))
        peers = [one for one in (of("MuJoCo", "box", count=count), of("PyBullet", "box", count=count)) if one]
        for one in filter(None, (loose, ours)) if peers else ():
            best = min(peers, key=lambda peer: peer["s per s"])
            ratio, part = best["s per s"] / one["s per s"], one["penetration mm"] / max(1e-9, best["penetration mm"])
            which = f"BOX {count}, {setting(one)}"
            add(f"{which}: times as fast as {best['engine']}", ratio, f"≥ {wanted:g}", ratio >= wanted)
            add(f"{which}: penetration over that of {best['engine']}", part, "≤ 0.01", part <= 0.01)
        if ours and tight:
            ratio, whole = tight["s per s"] / ours["s per s"], not (tight.get("failure") or tight["cut"])
            add(
                f"BOX {count}: cost of residual 1e-6 over that of 1e-4",
                text(ratio, not whole),
                "≤ 10",
                ratio <= 10 and whole,
            )
        siconos = of("Siconos", "box", count=count)
        if ours and siconos:
            ratio = siconos["s per s"] / ours["s per s"]
            add(
                f"BOX {count}: times as fast as Siconos, residual 1e-4",
                text(ratio, siconos["cut"]),
                "≥ 20",
                ratio >= 20,
            )
    for scene, settings in (("box", {"count": 100}), ("stick", {}), ("stack", {})):
        one = of(OURS, scene, tolerance=1e-8, **settings)
        if one:
            good = not one.get("failure") and not one["cut"] and one["residual"] <= 1e-8
            add(f"{called(one)}: worst residual of any step", one["residual"], "≤ 1e-8", good)
    sizes = [(n, of(OURS, "box", count=n, tolerance=1e-4)) for n in (1000, 5000, 10000)]
    known = [(n, one["s per sweep"]) for n, one in sizes if one]
    if len(known) > 1:
        power = float(np.polyfit(*np.log(np.array(known)).T, 1)[0])
        listed = ", ".join(f"{1e3 * s:.2g} ms for {n}" for n, s in known)
        add(f"growth of the cost of a sweep with n ({listed})", f"n^{power:.2f}", "≤ n^1.1", power <= 1.1)
    one = of(OURS, "stick", tolerance=1e-12)
    if one:
        add("STICK: speed after 0.5 s, m/s", one["speed m/s"], "< 1e-12", one["speed m/s"] < 1e-12)
        add("STICK: slip, m", one["slip m"], "< 1e-9", one["slip m"] < 1e-9)
    long, peer = of(OURS, "stack", until=60.0), of("MuJoCo", "stack", until=60.0)
    if long:
        drift = max(long["drift xy m"], long["drift z m"])
        add(f"STACK: drift in {long['simulated s']:g} s, m", drift, "< 1e-6 in 60 s", drift < 1e-6 and not long["cut"])
    if long and peer:
        ratio = long["s per s"] / peer["s per s"]
        add("STACK: time over that of MuJoCo, stiff", text(ratio, long["cut"]), "≤ 3", ratio <= 3)
    one = of(OURS, "ball", method="taylor")
    if one:
        add(
            "BALL event-driven: worst of ten instants, s",
            one["worst impact s"],
            "≤ 1e-12",
            one["worst impact s"] <= 1e-12,
        )
    for step in (None, 0.5 * MS, 0.25 * MS):
        one = of(OURS, "ball", method="moreau", step=step)
        if one:
            part = one["worst impact s"] / (step or MS)
            add(f"BALL by time stepping, h = {1e3 * (step or MS):g} ms: worst over h", part, "≤ 6", part <= 6)
    return rows or [{"what": "nothing", "measured": "–", "target": "–", "met": "–"}]


QUICK_CASES = [
    (OURS, "stick", {"tolerance": 1e-8, "until": 0.02}, COMPILING),
    (OURS, "ball", {"method": "taylor"}, COMPILING),
]


def main(words: list[str] = ()) -> None:
    if sized(False, True):
        found = [result(sys.executable, *case) for case in QUICK_CASES]
        report("free_bodies", [{"scene": scene, "s per s": one.get("s per s"), "said": one.get("failure")}
                         for (_, scene, *_), one in zip(QUICK_CASES, found, strict=True)])  # fmt: skip
        if any(one.get("failure") for one in found):
            raise SystemExit(1)
        return
    found = json.loads(RAW.read_text()) if "tables" in words else measured("short" in words)
    if "short" in words:
        print(f"{len(found)} cases, of which {sum('failure' in one and bool(one['failure']) for one in found)} failed")
        return
    tables(found)


if __name__ == "__main__":
    main(sys.argv[1:])
