"""A body that goes through a thin wall or another body within a step ends the run, and no motion that does so is certified."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import vinculum as vc
from vinculum.collision.broad_phase import BOX, CAPSULE, CYLINDER, POLYTOPE, SPHERE
from vinculum.collision.passages import pass_through
from vinculum.collision.pool import Pool
from vinculum.contact.free_bodies.workspace import FreeBodiesWork

CORNERS, TRIANGLES = [(-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0)], [(0, 1, 2), (0, 2, 3)]
WALLS = {
    "mesh": vc.shapes.Mesh(CORNERS, TRIANGLES),
    "height field": vc.shapes.HeightField(np.zeros((11, 11)), spacing=1.0, at=(-5, -5, 0)),
    "plane": vc.shapes.TwoSidedPlane((0, 0, 1)),
}


def shot(wall, height=1.0, speed=40.0) -> vc.Motion:
    """A small ball that goes down ten times its size in a step."""
    system = vc.System("shot", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.01), density=1000))
    system.add(vc.Contact("contact", [ball], walls=[wall], impact=vc.Inelastic()))
    start = {"ball": vc.At((0.3, 0.2, height), rate=(4.0, 0, -speed, 0, 0, 0))}
    return vc.simulate(system, 0.1, start, method="moreau", step=5e-3, progress=False)


@pytest.mark.parametrize("kind", WALLS)
def test_small_bodies_that_are_fast_are_stopped_by_thin_walls(kind):
    motion = shot(WALLS[kind])
    assert motion.body("ball").position[-1, 2] == pytest.approx(0.01, abs=1e-9)
    (line,) = [line for line in motion.audit().lines if line.law == "nothing goes through others"]
    assert line.verdict == "holds"


@pytest.mark.parametrize("kind", WALLS)
def test_a_run_in_which_contact_is_not_seen_stops_with_the_body_the_wall_and_the_instant(monkeypatch, kind):
    right, down = FreeBodiesWork.__init__, np.array([0.0, 0.0, -9.0])

    def blind(self, free_bodies, *given):
        meshes = tuple((corners + down, triangles) for corners, triangles in free_bodies.pool.meshes)
        moved = replace(free_bodies, places=free_bodies.places + down, pool=Pool(free_bodies.pool.polytopes, meshes))
        right(self, moved, *given)

    monkeypatch.setattr(FreeBodiesWork, "__init__", blind)
    told = r"body 'ball' went through wall 1 within the step of 0\.005 s after t = 0\.02 s; use a smaller step"
    with pytest.raises(vc.errors.RunError, match=told) as stopped:
        shot(WALLS[kind])
    assert stopped.value.motion.body("ball").position[-1, 2] > 0.0


def test_a_motion_through_a_surface_is_not_certified():
    motion = shot(WALLS["mesh"])
    falling = motion.q.copy()
    falling[:, 2] = 1.0 - 41.0 * motion.time
    (line,) = [x for x in motion.replace(q=falling).audit().lines if x.law == "nothing goes through others"]
    assert line.verdict == "broken" and "'ball' through wall 1 after t = 0.02" in line.detail


SOLID = {
    "plate": vc.shapes.FixedSolid(vc.shapes.Box((10, 10, 0.02)), at=(0, 0, -0.01)),
    "drum": vc.shapes.FixedSolid(vc.shapes.Cylinder(5.0, 0.02), at=(0, 0, -0.01)),
    "rock": vc.shapes.FixedSolid(
        vc.shapes.Polytope(0.05 * np.array([(3, 0, 0), (-3, 1, 0), (-3, -2, 0), (0, 0, -1)])), at=(0.4, 0.2, 0)
    ),
}


@pytest.mark.parametrize("kind", [*WALLS, *SOLID])
def test_a_body_of_a_tree_that_goes_through_a_wall_ends_the_run_with_what_there_is(kind):
    """A tree sees contacts in the middles of its steps, where this ball is on the other side already."""
    system = vc.System("shot", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.01), density=1000))
    system.add(vc.Force("drag", ball, lambda b: vc.Wrench(force=-1e-9 * b.velocity)))
    system.add(vc.Contact("contact", [ball], walls=[(WALLS | SOLID)[kind]], impact=vc.Inelastic()))
    start = {"ball": vc.At((0.3, 0.2, 1.04), rate=(4.0, 0, -40.0, 0, 0, 0))}
    told = r"body 'ball' went through wall 1 within the step of 0\.005 s after t = 0\.025 s; use a smaller step"
    with pytest.raises(vc.errors.RunError, match=told) as stopped:
        vc.simulate(system, 0.1, start, method="moreau", step=5e-3, progress=False)
    motion = stopped.value.motion
    assert motion.time[-1] == pytest.approx(0.025) and motion.body("ball").position[-1, 2] > 0.0
    (line,) = [x for x in motion.audit().lines if x.law == "nothing goes through others"]
    assert line.verdict == "holds"


def test_bodies_of_a_tree_that_go_through_each_other_end_the_run():
    system = vc.System("bats", gravity=(0, 0, 0))
    bat = system.add(vc.RigidBody.solid("bat", vc.shapes.Box((0.02, 0.3, 1.0)), density=500, at=(0, 0, 0.5)))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.01), density=1000))
    system.add(vc.Revolute("hinge", "ground", bat, axis=(0, 1, 0)))
    system.add(vc.Contact("contact", [bat, ball], impact=vc.Inelastic()))
    start = {"hinge": vc.At(-0.25, rate=20.0), "ball": (0, 0, 0.9)}
    told = "body 'bat' went through body 'ball' within the step of 0.01 s after t = 0.01 s"
    with pytest.raises(vc.errors.RunError, match=told):
        vc.simulate(system, 0.1, start, method="moreau", step=1e-2, progress=False)
    motion = vc.simulate(system, 0.1, start, method="moreau", step=1e-3, progress=False)
    assert motion.body("ball").position[-1, 0] > 1.0


def test_segments_go_through_shapes_where_points_along_them_say_so():
    rng, count = np.random.default_rng(3), 400
    corners = rng.normal(size=(9, 3))
    hull = ConvexHull(corners)
    rock = vc.shapes.Polytope(corners)
    pool = Pool(((rock.corners, rock.faces),))
    s = np.linspace(0.0, 1.0, 4001)
    for kind, size, inside in (
        (SPHERE, (0.8, 0.8, 0.8), lambda x: np.linalg.norm(x, axis=-1) < 0.8),
        (BOX, (0.9, 0.1, 0.5), lambda x: np.all(np.abs(x) < (0.9, 0.1, 0.5), axis=-1)),
        (CYLINDER, (0.7, 0.2, 0.0), lambda x: (np.hypot(x[..., 0], x[..., 1]) < 0.7) & (np.abs(x[..., 2]) < 0.2)),
        (CAPSULE, (0.3, 0.6, 0.0), lambda x: np.linalg.norm(
            x - np.clip(x[..., 2:], -0.6, 0.6) * [0.0, 0.0, 1.0], axis=-1) < 0.3),
        (POLYTOPE, (2.0, 0.0, 0.0), lambda x: np.all(x @ hull.equations[:, :3].T + hull.equations[:, 3] < 0.0, axis=-1)),
    ):  # fmt: skip
        a, b = rng.normal(size=(2, count, 3))
        there = inside(a[:, None] + s[:, None] * (b - a)[:, None])
        expected = there.any(axis=1) & ~there[:, 0] & ~there[:, -1]
        found = pass_through(np.full(count, kind), np.tile(size, (count, 1)), pool, a, b)
        grazing = (found != expected) & ~expected
        assert expected.sum() > 20 and grazing.sum() <= 2 and not np.any(expected & ~found)
