"""First motions of a new user, each simulated and audited: what `benchmarks/first_motion.py` measures and whose kernels a wheel ships.

`python packaging/first_runs.py NAME ...` runs some of them in this process, and `--all` all, with those that only bring further kernels.
"""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import vinculum as vc

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def _example(name: str):
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _model_file(name: str) -> vc.Motion:
    """The run of a model file, as `vinculum run` does it."""
    file = vc.read_model(EXAMPLES / f"{name}.toml")
    return vc.simulate(file.system, start=file.start, events=file.events, progress=False, **file.run)


def double_pendulum() -> vc.Motion:
    """Ten seconds of two rods on hinges."""
    arm = _example("double_pendulum").double_pendulum()
    return vc.simulate(arm, 10.0, {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}, progress=False)


def four_bar() -> vc.Motion:
    """A driven loop of four bars."""
    return _model_file("four_bar")


def rolling_disc() -> vc.Motion:
    """A disc that wobbles as it rolls."""
    example = _example("rolling_disc")
    return vc.simulate(example.rolling_disc(), 4.0, example.start(0.2, 0.4, 6.0), progress=False)


def bouncing_ball() -> vc.Motion:
    """A ball with spin on a rough floor, event by event."""
    return _model_file("bouncing_ball")


def spheres() -> vc.Motion:
    """Twenty-seven spheres that fall on the ground and on each other."""
    system, rng = vc.System("spheres", gravity=(0, 0, -9.81)), np.random.default_rng(1)
    balls = [system.add(vc.RigidBody.solid(f"ball {i}", vc.shapes.Sphere(0.05), density=1000)) for i in range(27)]
    walls = [vc.shapes.HalfSpace((0, 0, 1))]
    system.add(vc.Contact("free bodies", balls, walls=walls, impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    lattice = np.array([(i % 3 - 1, i // 3 % 3 - 1, i // 9) for i in range(27)])
    places = 0.12 * lattice + rng.uniform(-5e-3, 5e-3, (27, 3)) + (0, 0, 0.1)
    start = {ball.name: tuple(place) for ball, place in zip(balls, places, strict=True)}
    return vc.simulate(system, 0.5, start, method="moreau", step=2e-3, progress=False)


def two_links() -> vc.Motion:
    """Two capsules on hinges that fall on a floor and on a box."""
    system = vc.System("two links", gravity=(0, 0, -9.81))
    upper = system.add(vc.RigidBody.solid("upper", vc.shapes.Capsule(0.03, 0.4), mass=1.0, at=(0, 0, -0.2)))
    lower = system.add(vc.RigidBody.solid("lower", vc.shapes.Capsule(0.03, 0.4), mass=0.5, at=(0, 0, -0.2)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0), at=(0, 0, 0.6)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -0.4)))
    walls = [vc.shapes.HalfSpace((0, 0, 1)), vc.shapes.FixedSolid(vc.shapes.Box((0.2, 0.4, 0.2)), at=(-0.5, 0, 0.1))]
    system.add(vc.Contact("links", [upper, lower], walls=walls, impact=vc.Newton(0.3), friction=vc.Coulomb(0.4)))
    return vc.simulate(system, 1.0, {"shoulder": -1.2, "elbow": -0.4}, method="moreau", step=1e-3, progress=False)


def mixed_shapes() -> vc.Motion:
    """Sixty bodies of five shapes in a valley."""
    example = _example("mixed_shapes")
    system, start = example.mixed_shapes()
    return vc.simulate(system, example.UNTIL, start, method="moreau", step=2e-3, tolerance=1e-4, progress=False)


RUNS: dict[str, Callable[[], vc.Motion]] = {
    "double pendulum": double_pendulum,
    "four-bar": four_bar,
    "rolling disc": rolling_disc,
    "bouncing ball": bouncing_ball,
    "27 spheres": spheres,
    "two-link tree with Contact": two_links,
    "mixed shapes": mixed_shapes,
}


def pendulum_by_other_methods() -> vc.Motion:
    """The double pendulum by the methods that compile kernels of their own."""
    arm, start = _example("double_pendulum").double_pendulum(), {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}
    for method in ("rk4", "verlet", "midpoint"):
        vc.simulate(arm, 1.0, start, method=method, step=1e-3, progress=False)
    vc.ensemble(arm, 0.1, {"shoulder": np.linspace(0.1, 1.0, 16)}, method="rk4", step=1e-2)
    return vc.simulate(arm, 2.0, start, method="dop853", progress=False)


def bouncing_ball_in_steps() -> vc.Motion:
    """The same ball by time stepping."""
    file = vc.read_model(EXAMPLES / "bouncing_ball.toml")
    return vc.simulate(file.system, 0.5, file.start, method="moreau", step=1e-3, progress=False)


def box_on_a_hinge() -> vc.Motion:
    """A box on a hinge that falls on a box."""
    system = vc.System("boxes", gravity=(0, 0, -9.81))
    arm = system.add(vc.RigidBody.solid("arm", vc.shapes.Box((0.1, 0.2, 0.6)), mass=1.0, at=(0, 0, -0.3)))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(0, 0, 0.6)))
    walls = [vc.shapes.FixedSolid(vc.shapes.Box((0.4, 0.4, 0.2)), at=(0, 0, 0.1))]
    system.add(vc.Contact("bodies", [arm], walls=walls, impact=vc.Inelastic(), friction=vc.Coulomb(0.4)))
    return vc.simulate(system, 0.3, {"hinge": -1.2}, method="moreau", step=1e-3, progress=False)


MORE: dict[str, Callable[[], vc.Motion]] = {
    "box on a hinge": box_on_a_hinge,
    "double pendulum by other methods": pendulum_by_other_methods,
    "bouncing ball in steps": bouncing_ball_in_steps,
}
"""Runs whose kernels are shipped, but which are not measured."""


def main(names: list[str]) -> None:
    """Run and audit; one line for each, and an error where a law fails (the loose tolerance of some examples leaves laws undecided)."""
    known = RUNS | MORE
    for name in list(known) if names == ["--all"] else names:
        certificate = known[name]().audit()
        print(f"{name}: {certificate.verdict}", flush=True)
        if certificate.verdict == "failed":
            raise SystemExit(str(certificate))


if __name__ == "__main__":
    main(sys.argv[1:])
