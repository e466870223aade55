"""Solids of triangles: exact moments, any order of corners, soups, cavities, files, pictures."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import vinculum as vc

EPS = np.finfo(float).eps


def box(size=(1.0, 2.0, 3.0), at=(0.0, 0.0, 0.0)):
    """Corners and triangles of a box."""
    polytope = vc.shapes.Polytope([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    triangles = [(f[0], f[k], f[k + 1]) for f in polytope.faces for k in range(1, len(f) - 1)]
    return polytope.corners * size + at, np.array(triangles)


def rock(count=60, seed=0):
    points = np.random.default_rng(seed).normal(size=(count, 3)) * (1.0, 0.6, 1.7) + (3.0, -2.0, 5.0)
    hull = ConvexHull(points)
    a, b, c = (points[hull.simplices[:, k]] for k in range(3))
    inward = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(1) < 0
    return points, np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)


def test_moments_of_a_mesh_are_exact():
    corners, triangles = rock()
    one, other = (
        vc.Measure.mesh(corners, triangles, density=2.0),
        vc.Measure.solid(vc.shapes.Polytope(corners), density=2.0),
    )
    np.testing.assert_allclose(one.Theta, other.Theta, rtol=0, atol=128 * EPS * np.abs(other.Theta).max())
    np.testing.assert_allclose(one.inertia_at_center, other.inertia_at_center, rtol=1e-12, atol=1e-12)
    brick = vc.Measure.mesh(*box(at=(1e3, 0, 0)), mass=6.0)
    np.testing.assert_allclose(brick.inertia_at_center, np.diag([13, 10, 5]) / 2, rtol=0, atol=1e-9)


def test_a_mesh_inside_out_or_with_turned_triangles_is_mended():
    corners, triangles = rock()
    right = vc.shapes.Polyhedron(corners, triangles)
    turned = triangles.copy()
    turned[::3] = turned[::3, ::-1]
    for wrong in (triangles[:, ::-1], turned):
        mended = vc.shapes.Polyhedron(corners, wrong)
        assert mended.volume == pytest.approx(right.volume, rel=1e-14)
        np.testing.assert_array_equal(np.sort(mended.triangles, axis=1), np.sort(triangles, axis=1))


def test_a_soup_of_triangles_is_joined():
    corners, triangles = rock()
    soup = vc.shapes.Polyhedron(corners[triangles].reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
    assert soup.volume == pytest.approx(vc.shapes.Polyhedron(corners, triangles).volume, rel=1e-14)


def test_a_cavity_is_no_mass():
    (outer, t), (inner, s) = box((4, 4, 4)), box((1, 1, 1))
    hollow = vc.Measure.mesh(np.concatenate([outer, inner]), np.concatenate([t, s[:, ::-1] + len(outer)]), density=1.0)
    assert hollow.mass == pytest.approx(63.0, rel=1e-14)
    inside_out = vc.Measure.mesh(
        np.concatenate([outer, inner]), np.concatenate([t[:, ::-1], s + len(outer)]), density=1.0
    )
    assert inside_out.mass == pytest.approx(63.0, rel=1e-14)


def test_moments_of_low_order_take_few_points():
    solid = vc.shapes.Polyhedron(*rock())
    x, w = solid.quadrature(2)
    assert len(w) == 6 and w.sum() == pytest.approx(solid.volume)
    np.testing.assert_allclose((x.T * w) @ x, solid.second_moment, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(w @ x, solid.volume * solid.center, rtol=1e-12, atol=1e-12)
    x, w = solid.quadrature(4)
    np.testing.assert_allclose((x.T * w) @ x, solid.second_moment, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("suffix", ["stl", "obj", "ply"])
def test_a_file_has_the_solid_that_was_written(tmp_path, suffix):
    import trimesh

    corners, triangles = rock()
    trimesh.Trimesh(corners, triangles, process=False).export(tmp_path / f"rock.{suffix}")
    body = vc.Measure.mesh(tmp_path / f"rock.{suffix}", density=1000.0, scale=0.001)
    exact = vc.Measure.mesh(0.001 * corners, triangles, density=1000.0)
    np.testing.assert_allclose(body.Theta, exact.Theta, rtol=0, atol=1e-5 * np.abs(exact.Theta).max())


def test_a_body_of_a_mesh_is_drawn_as_the_mesh():
    corners, triangles = rock()
    measure = vc.Measure.mesh(corners, triangles, density=1.0)
    system = vc.System("rock")
    system.add(vc.RigidBody.of("rock", measure))
    motion = vc.simulate(system, until=1.0, grid=3)
    geometry = motion.record.model.geometry_at({}) if hasattr(motion.record.model, "geometry_at") else None
    from vinculum.models.tree_geometry import geometry_at

    geometry = geometry or geometry_at(motion.record.model, {})
    (mark,) = [one for one in geometry.marks if one.kind == "mesh"]
    facets = geometry.surfaces[mark.facets[0]]
    assert len(facets.triangles) == len(triangles)
    assert motion.audit().passed


def test_a_large_mesh_is_drawn_coarser_and_stays_in_its_box():
    from vinculum.measures.meshes.coarsening import coarsen
    from vinculum.tolerances.sizes import MOST_DRAWN_TRIANGLES

    n = 200
    u, v = np.meshgrid(np.linspace(0, np.pi, n), np.linspace(0, 2 * np.pi, n), indexing="ij")
    corners = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], -1).reshape(-1, 3)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij"))
    a = i * n + j
    triangles = np.concatenate([np.stack([a, a + n, a + n + 1], 1), np.stack([a, a + n + 1, a + 1], 1)])
    few, drawn = coarsen(corners, triangles)
    assert 1000 < len(drawn) <= MOST_DRAWN_TRIANGLES and drawn.max() == len(few) - 1
    assert np.linalg.norm(few, axis=1).min() > 0.9 and np.linalg.norm(few, axis=1).max() < 1.0 + 1e-12
