"""Written-out time stepping of random small systems with closed loops and constraints that hit a floor: nothing is broken."""

import numpy as np
import pytest

import vinculum as vc
from held_blocks import FLOOR, HELD, add_ring, sideways
from linkages import lifted
from vinculum.models.model_cache import model_for
from vinculum.models.written_out.type import WrittenOutType

G = 9.81


def impact_law(rng):
    return vc.Inelastic() if rng.integers(2) else vc.Newton(float(rng.uniform(0.2, 0.8)))


def tied_points(rng) -> tuple[vc.System, dict]:
    """Mass points on two rods over a rough floor."""
    system, x = vc.System("tied", gravity=(0, 0, -G)), rng.normal(size=3) * (0.1, 0.1, 0.02) + (0, 0, 0.08)
    points = [system.add(vc.MassPoint(f"dot {k}", float(rng.uniform(0.5, 2.0)))) for k in range(3)]
    start, law = {}, impact_law(rng)
    for k, point in enumerate(points):
        start[point.name] = vc.At(tuple(x), rate=(0.3, 0.1, -0.5))
        step = rng.normal(size=3) * (1, 1, 0.3)
        step *= 0.2 / np.linalg.norm(step)
        if k:
            system.add(vc.constraints.distance(f"rod {k}", points[k - 1], point, 0.2, **HELD))
        x = np.array([*(x + step)[:2], abs((x + step)[2])])
        if k + 1 < len(points):  # the rod has its length after the point was kept above the floor
            here = np.array(start[point.name].position)
            x = here + 0.2 * (x - here) / np.linalg.norm(x - here)
        floor = vc.Unilateral(
            f"floor {k}",
            [point],
            gap=lambda b: b.position[2],
            point=lambda b: b.position,
            impact=law,
            friction=vc.Coulomb(float(rng.uniform(0.1, 0.5))),
        )
        system.add(floor)
    return system, start


def falling_ring(rng) -> tuple[vc.System, dict]:
    """A closed ring of four or five rods that falls and slides."""
    system = vc.System("ring", gravity=(0, 0, -G))
    rods, start = add_ring(system, "ring", int(rng.integers(4, 6)))
    friction = vc.Coulomb(float(rng.uniform(0.1, 0.5)))
    system.add(vc.Contact("floor", rods, walls=[FLOOR], impact=impact_law(rng), friction=friction))
    place = (0.0, 0.0, float(rng.uniform(0.24, 0.3)))
    start["ring 0"] = vc.At(place, rate=(*rng.normal(size=2), -1.0, 0, *(0.5 * rng.normal(size=2))))
    return system, start


def sled_and_lift(rng) -> tuple[vc.System, dict]:
    """A sled on runners that is turned and slides, and a block that a motion lifts from the floor below a ball."""
    system = vc.System("sled", gravity=(0, 0, -G))
    sled = system.add(vc.RigidBody.solid("sled", vc.shapes.Box((0.2, 0.1, 0.05)), density=600))
    system.add(vc.Constraint("runners", [sled], velocity=sideways, **HELD))
    lift = system.add(vc.RigidBody.solid("lift", vc.shapes.Box((0.1, 0.1, 0.1)), density=600))
    system.add(vc.Constraint("lifting", [lift], position=lambda a, t: lifted(a, t) - 0.051, **HELD))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.05), density=1000))
    friction = vc.Coulomb(float(rng.uniform(0.1, 0.5)))
    system.add(vc.Contact("floor", [sled, lift, ball], walls=[FLOOR], impact=impact_law(rng), friction=friction))
    start = {
        "sled": vc.At((-0.8, 0.02, 0.03), rate=(float(rng.uniform(0.5, 1.5)), 0, 0, 0, 0, float(rng.normal()))),
        "lift": vc.At((0.5, 1, 0.051), rate=(0, 0, 0.07, 0, 0, 0)),
        "ball": vc.At((0.51, 1.01, 0.18), rate=(0, 0, -0.3, 0, 0, 0)),
    }
    return system, start


SCENES = [
    *((tied_points, {}, seed) for seed in range(4)),
    *((falling_ring, {"impacts": "stepped"}, seed) for seed in range(3)),
    *((falling_ring, {}, seed) for seed in range(2)),
    *((sled_and_lift, {}, seed) for seed in range(2)),
]


@pytest.mark.parametrize("scene, options, seed", SCENES)
def test_a_fall_of_what_is_tied_together_breaks_no_law(scene, options, seed):
    system, start = scene(np.random.default_rng(seed))
    assert isinstance(model_for(system).type, WrittenOutType)
    motion = vc.simulate(system, 0.15, start, method="moreau", step=1e-3, progress=False, **options)
    assert len(motion.record.atoms) > 0
    broken = [line for line in motion.audit().lines if line.verdict == "broken"]
    assert not broken, "\n".join(
        f"{line.law}: {line.residual:.1e} of {line.tolerance:.1e}, {line.detail}" for line in broken
    )
