"""One scene with Vinculum: `python _free_bodies_ours.py SCENE SETTINGS`, a line of JSON comes out. After `limit` seconds a run is cut."""

import json
import signal
import sys
import time
from dataclasses import replace

import _free_bodies_scenes as scenes
import numpy as np

import vinculum as vc

SETTLED = 0.3


def free_bodies(scene: scenes.Scene) -> tuple[vc.System, dict]:
    """The scene as bodies that meet, and its start."""
    system = vc.System(scene.name, gravity=(0, 0, -scenes.GRAVITY))
    shape = vc.shapes.Sphere(scene.size[0]) if scene.shape == "sphere" else vc.shapes.Box(scene.size)
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", shape, density=scenes.DENSITY)) for i in range(len(scene.places))]
    law = vc.Newton(scene.e) if scene.e else vc.Inelastic()
    walls = [vc.shapes.HalfSpace(n, d) for n, d in scene.planes]
    system.add(
        vc.Contact("contact", bodies, walls=walls, impact=law, friction=vc.Coulomb(scene.mu) if scene.mu else None)
    )
    return system, {f"b{i}": vc.Pose(p, scene.rotation) for i, p in enumerate(scene.places)}


def bounded_ball(scene: scenes.Scene) -> tuple[vc.System, dict]:
    """BALL with its gap written down."""
    system = vc.System("ball", gravity=(0, 0, -scenes.GRAVITY))
    ball = system.add(vc.MassPoint("b0", scene.mass))
    floor = vc.Unilateral("floor", [ball], gap=lambda b: b.position[2] - scenes.RADIUS, impact=vc.Newton(scene.e))
    system.add(floor)
    return system, {"b0": tuple(scene.places[0])}


def compile_for(scene: scenes.Scene, tolerance: float) -> None:
    """A few steps of few such bodies where they touch, so that what follows is compiled."""
    few = replace(
        scene,
        places=scene.places[:2] - scene.places[0] + np.array([0.3, 0.3, 0.0]) + (scene.rotation @ [0, 0, _half(scene)]),
    )
    few = few if scene.shape == "sphere" else replace(scene, places=scene.places[:2])
    system, start = free_bodies(few)
    vc.simulate(
        system,
        until=20 * scene.step,
        start=start,
        method="moreau",
        step=scene.step,
        tolerance=max(tolerance, 1e-6),
        resolve=True,
    )


def _half(scene: scenes.Scene) -> float:
    return scene.size[0] if scene.shape == "sphere" else 0.5 * scene.size[2]


def cut(*_) -> None:
    raise KeyboardInterrupt


def free_bodies_run(scene: scenes.Scene, tolerance: float, limit: float) -> dict:
    """A run of bodies that meet, with what its solves report."""
    compile_for(scene, tolerance)
    system, start = free_bodies(scene)
    steps = round(scene.until / scene.step)
    grid = steps + 1 if len(scene.places) <= 20 and steps <= 10_000 else min(101, steps + 1)
    asked = {"start": start, "method": "moreau", "step": scene.step, "tolerance": tolerance}
    spent, failure = [], None
    for _ in range(2):  # the first call makes the model, the second has what every call costs
        begun, used = time.perf_counter(), time.process_time()
        vc.simulate(system, until=2 * scene.step, grid=2, **asked)
        spent.append((time.perf_counter() - begun, time.process_time() - used))
    signal.signal(signal.SIGALRM, cut)
    signal.setitimer(signal.ITIMER_REAL, limit)
    begun, used = time.perf_counter(), time.process_time()
    try:
        motion = vc.simulate(system, until=scene.until, grid=grid, **asked)
    except vc.errors.RunError as error:
        motion, failure = error.motion, str(error).split("; what was computed")[0]
        if motion is None:
            raise
    wall, cpu = time.perf_counter() - begun, time.process_time() - used
    signal.setitimer(signal.ITIMER_REAL, 0)
    contact_solver, done = motion.record.contact_solver, float(motion.record.pieces.end)
    late = contact_solver.times > SETTLED if np.any(contact_solver.times > SETTLED) else slice(None)
    x = np.stack([motion.body(f"b{i}").position for i in range(len(scene.places))], axis=1)
    found = {"simulated s": done, "s per s": float(contact_solver.seconds.sum()) / done, "whole call s": wall, "setting up s": spent[0][0],
             "cpu s per s": max(0.0, cpu - spent[1][1]) / done,
             "cut": motion.record.interrupted, "failure": failure, "residual": float(contact_solver.residual.max()),
             "sweeps a step": float(contact_solver.sweeps.mean()), "steps": len(contact_solver),
             "contacts": float(contact_solver.contacts[late].mean()),
             "s per sweep": float(contact_solver.seconds[late].sum() / max(1.0, contact_solver.sweeps[late].sum())),
             "note": f"residual {tolerance:g} asked for"}  # fmt: skip
    found["penetration mm"] = None
    if scene.shape == "sphere":
        deepest = max(scenes.penetration(scene, place) for place in x)
        found["penetration mm"] = 1e3 * max(0.0, deepest, float(contact_solver.penetration.max()))
    return found | at_rest(scene, motion, x)


def at_rest(scene: scenes.Scene, motion: vc.Motion, x: np.ndarray) -> dict:
    """Speeds, slips, drifts and impacts of the small scenes."""
    if scene.name == "STICK":
        late = motion.time >= 0.5 * scene.until
        return {
            "speed m/s": float(np.abs(motion.v[late]).max()),
            "slip m": float(np.linalg.norm(x[:, 0] - x[0, 0], axis=1).max()),
        }
    if scene.name == "STACK":
        drift = x[:, -1] - x[0, -1]
        return {"drift xy m": float(np.hypot(*drift[:, :2].T).max()), "drift z m": float(np.abs(drift[:, 2]).max())}
    if scene.name == "BALL":
        return {"worst impact s": scenes.worst_of_impacts(scenes.touchings(motion.time, x[:, 0, 2]))}
    return {}


def ball_run(scene: scenes.Scene, method: str) -> dict:
    """BALL event-driven, or by time stepping, with its gap written down."""
    system, start = bounded_ball(scene)
    settings = {"method": "moreau", "step": scene.step} if method == "moreau" else {}
    times = []
    for _ in range(2):
        begun, used = time.perf_counter(), time.process_time()
        motion = vc.simulate(system, until=scene.until, start=start, **settings)
        times.append((time.perf_counter() - begun, time.process_time() - used))
    hits = motion.bond("floor").impulses.times
    hits = hits[np.append(True, np.diff(hits) > 5 * scene.step)] if method == "moreau" else hits
    return {"simulated s": scene.until, "s per s": times[1][0] / scene.until, "cpu s per s": times[1][1] / scene.until, "cut": False,
            "penetration mm": 1e3 * max(0.0, scenes.RADIUS - float(motion.body("b0").position[:, 2].min())), "residual": None,
            "note": f"a Unilateral constraint, {motion.record.method}", "worst impact s": scenes.worst_of_impacts(hits)}  # fmt: skip


def main(what: str, given: str) -> None:
    settings = json.loads(given)
    limit, tolerance, method = (settings.pop(key, None) for key in ("limit", "tolerance", "method"))
    scene = getattr(scenes, what)(**settings)
    try:
        found = ball_run(scene, method) if method else free_bodies_run(scene, tolerance, limit)
    except KeyboardInterrupt:
        found = {"failure": f"had not begun to step after {limit:g} s"}
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:3])
