"""One scene with one other engine, in the Python that has it: `python _free_bodies_peers.py ENGINE SCENE SETTINGS`, a line of JSON
comes out.

Settings are JSON: those of the scene, `limit` (seconds of stepping after which a run is cut) and the engine's own.
"""

import json
import sys
import time

import _free_bodies_scenes as scenes
import numpy as np
from _free_bodies_engines import ENGINES, Engine, MuJoCo

SAMPLED = 100


def run(engine: Engine, scene: scenes.Scene, limit: float) -> dict:
    """Steps of a scene under the clock; a run over the limit is cut."""
    steps, wall, cpu, depth, residual = round(scene.until / scene.step), 0.0, 0.0, 0.0, float("nan")
    few, places = len(scene.places) <= 20, [engine.places()]
    every = 1 if few else max(1, steps // SAMPLED)
    for k in range(steps):
        begun, used = time.perf_counter(), time.process_time()
        engine.step()
        wall, cpu = wall + time.perf_counter() - begun, cpu + time.process_time() - used
        residual = np.fmax(residual, engine.residual() if np.isfinite(engine.residual()) else np.nan)
        if (k + 1) % every == 0 or k + 1 == steps:
            x = engine.places()
            places.append(x)
            if scene.shape == "sphere":
                depth = max(depth, scenes.penetration(scene, x))
        if wall > limit:
            break
    done = (k + 1) * scene.step
    x = np.array(places) if few else np.array([places[0], places[-1]])
    found = {"simulated s": done, "s per s": wall / done, "cpu s per s": cpu / done, "cut": k + 1 < steps, "note": engine.note,
             "penetration mm": 1e3 * depth if scene.shape == "sphere" else None,
             "residual": None if np.isnan(residual) else float(residual)}  # fmt: skip
    if scene.name == "STICK" and len(x) > 2:
        half = len(x) // 2
        found |= {"speed m/s": float(np.linalg.norm(x[-1, 0] - x[half, 0]) / ((len(x) - 1 - half) * scene.step)),
                  "slip m": float(np.linalg.norm(x[:, 0] - x[0, 0], axis=1).max())}  # fmt: skip
    if scene.name == "STACK":
        drift = x[-1, -1] - x[0, -1]
        found |= {"drift xy m": float(np.hypot(*drift[:2])), "drift z m": float(drift[2])}
    if scene.name == "BALL":
        instants = scenes.touchings(scene.step * np.arange(len(x)), x[:, 0, 2])
        found |= {"worst impact s": scenes.worst_of_impacts(instants)}
    return found


def fitted_rebound(scene: scenes.Scene, stiffness: float = 1e5) -> tuple[float, float]:
    """Stiffness and damping with which MuJoCo's ball leaves with the ratio e of speeds after its first impact."""
    low, high = 1.0, 400.0
    brief = scenes.ball(scene.step, 0.9)
    for _ in range(20):
        middle = 0.5 * (low + high)
        engine = MuJoCo(brief, rebound=(stiffness, middle))
        heights = []
        for _ in range(round(brief.until / brief.step)):
            engine.step()
            heights.append(engine.places()[0, 2])
        lowest = int(np.argmin(heights))
        top = max(heights[lowest:]) - scenes.RADIUS
        low, high = (middle, high) if top > scenes.RATIO**2 * scenes.DROP else (low, middle)
    return stiffness, 0.5 * (low + high)


def main(name: str, what: str, given: str) -> None:
    settings = json.loads(given)
    limit = settings.pop("limit")
    own = {key: settings.pop(key) for key in ("stiff", "iterations", "tolerance") if key in settings}
    scene = getattr(scenes, what)(**settings)
    if name == "MuJoCo" and scene.e:
        own["rebound"] = fitted_rebound(scene)
    print(json.dumps(run(ENGINES[name](scene, **own), scene, limit)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:4])
