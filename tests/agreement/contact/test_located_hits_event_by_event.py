"""Time stepping of free bodies with located hits next to runs from event to event, and its order."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc

G, FLOOR = 9.81, vc.shapes.HalfSpace((0, 0, 1))
SHAPES = (vc.shapes.Sphere(0.08), vc.shapes.Capsule(0.05, 0.12), vc.shapes.Box((0.2, 0.14, 0.1)))


def thrown(seed: int, friction=None) -> tuple[vc.System, dict]:
    """A body of any shape, or two or three balls that also hit each other, thrown with spins onto a floor and against a wall."""
    rng = np.random.default_rng(seed)
    system, start = vc.System(f"thrown {seed}", gravity=(0, 0, -G)), {}
    walls = [FLOOR, vc.shapes.HalfSpace((-0.8, 0, 0.6), -0.6)]
    bodies = []
    count = 1 + seed % 3
    for i in range(count):
        shape = SHAPES[int(rng.integers(3))] if count == 1 else SHAPES[0]
        bodies.append(system.add(vc.RigidBody.solid(f"b{i}", shape, density=700.0)))
        place = (rng.uniform(-0.2, 0.2), 0.3 * i, rng.uniform(0.3, 0.5))
        pose = vc.Pose(place, Rotation.from_rotvec(rng.normal(size=3)).as_matrix())
        start[f"b{i}"] = vc.At(pose, rate=(*rng.uniform(-1, 1, 3) - (0, i, 0), *rng.uniform(-3, 3, 3)))
    system.add(vc.Contact("contact", bodies, walls=walls, impact=float(rng.uniform(0.3, 0.8)), friction=friction))
    return system, start


def ends(system, start, until, **options) -> np.ndarray:
    """Positions of the mass centers and rotations at the end of a run."""
    motion = vc.simulate(system, until, start, progress=False, **options)
    if options["method"] == "moreau":
        assert motion.audit().passed, str(motion.audit())
    own = [motion.body(name) for name in start]
    return np.concatenate([np.concatenate([b.position[-1], b.rotation[-1].ravel()]) for b in own])


@pytest.mark.parametrize("friction", [None, 0.3])
@pytest.mark.parametrize("seed", range(12))
def test_bodies_that_hit_walls_end_where_runs_from_event_to_event_do(seed, friction):
    """To second order, with hits that plain steps miss by a step."""
    system, start = thrown(seed, friction)
    exact = ends(system, start, 0.45, method="dop853")
    coarse, fine = (
        np.abs(ends(system, start, 0.45, method="moreau", step=h, tolerance=1e-10) - exact).max() for h in (2e-3, 1e-3)
    )
    assert fine < 2e-3
    assert fine < 0.5 * coarse or coarse < 1e-6


def test_a_box_that_lands_on_a_corner_is_of_second_order_and_plain_steps_are_not():
    pose = vc.Pose((0, 0, 0.4), Rotation.from_rotvec((0.7, 0.4, 0.2)).as_matrix())
    start = {"box": vc.At(pose, rate=(0.5, 0, 0, 1.0, 2.0, -1.0))}
    system = vc.System("box", gravity=(0, 0, -G))
    box = system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.2, 0.3, 0.1)), density=700.0))
    system.add(vc.Contact("contact", [box], walls=[FLOOR], impact=0.6))
    exact = ends(system, start, 0.3, method="dop853")
    errors = {
        impacts: np.array([
            np.abs(ends(system, start, 0.3, method="moreau", step=h, impacts=impacts, tolerance=1e-11) - exact).max()
            for h in (4e-3, 2e-3, 1e-3)
        ])
        for impacts in ("located", "stepped")
    }  # fmt: skip
    ratios = errors["located"][:-1] / errors["located"][1:]
    assert np.all((ratios > 3.5) & (ratios < 4.5)), errors
    assert np.all(errors["stepped"] > 10 * errors["located"]), errors
