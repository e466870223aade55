"""A body that goes through a thin wall within a step ends the run, and no motion that does so is certified."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from vinculum.kernels.pile_pool import Pool
from vinculum.kernels.pile_work import PileWork

CORNERS, TRIANGLES = [(-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0)], [(0, 1, 2), (0, 2, 3)]
WALLS = {
    "mesh": vc.Mesh(CORNERS, TRIANGLES),
    "height field": vc.HeightField(np.zeros((11, 11)), spacing=1.0, at=(-5, -5, 0)),
    "plane": vc.Plane((0, 0, 1)),
}


def shot(wall, height=1.0, speed=40.0) -> vc.Motion:
    """A small ball that goes down ten times its size in a step."""
    system = vc.System("shot", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody.solid("ball", vc.Sphere(0.01), density=1000))
    system.add(vc.Contact("contact", [ball], walls=[wall], shock=vc.Soft()))
    start = {"ball": vc.At((0.3, 0.2, height), rate=(4.0, 0, -speed, 0, 0, 0))}
    return vc.simulate(system, 0.1, start, method="moreau", step=5e-3, progress=False)


@pytest.mark.parametrize("kind", WALLS)
def test_small_bodies_that_are_fast_are_stopped_by_thin_walls(kind):
    motion = shot(WALLS[kind])
    assert motion.position("ball")[-1, 2] == pytest.approx(0.01, abs=1e-9)
    (line,) = [line for line in motion.audit().lines if line.law == "nothing goes through surfaces"]
    assert line.verdict == "holds"


@pytest.mark.parametrize("kind", WALLS)
def test_a_run_in_which_contact_is_not_seen_stops_with_the_body_the_wall_and_the_instant(monkeypatch, kind):
    right, down = PileWork.__init__, np.array([0.0, 0.0, -9.0])

    def blind(self, pile, *given):
        meshes = tuple((corners + down, triangles) for corners, triangles in pile.pool.meshes)
        moved = replace(pile, places=pile.places + down, pool=Pool(pile.pool.polytopes, meshes))
        right(self, moved, *given)

    monkeypatch.setattr(PileWork, "__init__", blind)
    told = r"body 'ball' went through wall 1 within the step of 0\.005 s after t = 0\.02 s; use a smaller step"
    with pytest.raises(vc.RunError, match=told) as stopped:
        shot(WALLS[kind])
    assert stopped.value.motion.position("ball")[-1, 2] > 0.0


def test_a_motion_through_a_surface_is_not_certified():
    motion = shot(WALLS["mesh"])
    falling = motion.q.copy()
    falling[:, 2] = 1.0 - 41.0 * motion.time
    (line,) = [x for x in motion.replace(q=falling).audit().lines if x.law == "nothing goes through surfaces"]
    assert line.verdict == "broken" and "'ball' through wall 1 after t = 0.02" in line.detail
