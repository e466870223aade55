"""Actions of pairs of measures with a closed form: Newton's and Coulomb's laws of balls, rods, discs and points."""

import numpy as np
import pytest

import vinculum as vc

GRAVITATION = vc.measures.SkewBimeasure.central(lambda r: 1.0 / r**2)


def point(x, mass=1.0):
    return vc.Measure.atoms([x], [mass])


def rod(begin, end, mass=1.0):
    return vc.Measure.line([begin, end], mass=mass)


def disc(radius, density):
    return vc.Measure.surface(
        lambda r, a: (r * vc.math.cos(a), r * vc.math.sin(a), 0.0), over=((0, radius), (0, 2 * np.pi)), density=density
    )


PAIRS = {
    "points": (point((0, 0, 0)), point((10, 0, 0)), (0.01, 0, 0), 1e-14),
    "ball and point": (
        vc.Measure.solid(vc.shapes.Sphere(1.0), density=1.0), point((2.5, 0, 0)), (4 * np.pi / 3 / 6.25, 0, 0), 1e-8),
    "rod and point on its line": (rod((0, 0, 0), (2, 0, 0), 3.0), point((3, 0, 0)), (3.0 / 3.0, 0, 0), 1e-8),
    "rod and point beside it": (
        rod((-1, 0, 0), (1, 0, 0), 2.0), point((0, 0.5, 0)), (0, 2.0 / (0.5 * np.sqrt(0.25 + 1.0)), 0), 1e-8),
    "two rods in a line": (
        rod((0, 0, 0), (2, 0, 0), 3.0), rod((3, 0, 0), (5, 0, 0), 3.0), (2.25 * np.log(9 / 5), 0, 0), 1e-8),
    "two rods side by side": (
        rod((-1, 0, 0), (1, 0, 0), 2.0), rod((-1, 1, 0), (1, 1, 0), 2.0), (0, 2 * (np.sqrt(5.0) - 1.0), 0), 1e-8),
    "disc and point on its axis": (
        disc(1.0, 0.7), point((0, 0, 0.8)), (0, 0, 2 * np.pi * 0.7 * (1 - 0.8 / np.hypot(0.8, 1.0))), 1e-8),
    "charges of opposite sign": (
        vc.Measure.atoms([(0, 0, 0)], [-2.0], signed=True), point((0, 4, 0), 3.0), (0, -6.0 / 16, 0), 1e-14),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_the_force_is_that_of_the_closed_form(name):
    a, b, force, accuracy = PAIRS[name]
    found = GRAVITATION.between(a, b)
    size = np.linalg.norm(force)
    assert np.linalg.norm(found.on_first.p - force) <= max(accuracy, found.error) * size
    assert found.error <= 1e-8


@pytest.mark.parametrize("name", PAIRS)
def test_action_and_reaction_are_opposite_screws(name):
    """Cheremensky, (12): Φ(A, B) + Φ(B, A) = 0 as a 6-vector, at any point, and with the measures in either order."""
    a, b, _, _ = PAIRS[name]
    y, found, back = np.array([0.3, -2.0, 1.0]), GRAVITATION.between(a, b), GRAVITATION.between(b, a)
    wrench = found.on_first.wrench(y)
    size = np.abs(wrench).max()
    np.testing.assert_allclose(found.on_second.wrench(y), -wrench, rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(back.on_first.wrench(y), -wrench, rtol=0, atol=1e-12 * size)
    assert found.skewness < 1e-12


def test_two_balls_attract_as_their_centers():
    a = vc.Measure.solid(vc.shapes.Sphere(0.5), mass=2.0)
    b = vc.Measure.solid(vc.shapes.Sphere(0.3), mass=3.0, at=(0, 3, 0))
    found = GRAVITATION.between(a, b, accuracy=1e-5)
    np.testing.assert_allclose(found.on_first.p, (0, 6 / 9, 0), rtol=0, atol=1e-5 * 6 / 9)
    np.testing.assert_allclose(found.on_first.at(np.zeros(3)).q, 0, atol=1e-5)


def test_the_attraction_of_a_mesh_is_that_of_its_solid():
    """A box of twelve triangles and the box itself, at a point near one of its corners."""
    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-1, 1) for z in (-0.25, 0.25)])
    hull = vc.shapes.Polytope(corners)
    triangles = [(f[0], f[k], f[k + 1]) for f in hull.faces for k in range(1, len(f) - 1)]
    mesh = vc.Measure.mesh(hull.corners, triangles, density=2.0)
    box = vc.Measure.solid(vc.shapes.Box((1, 2, 0.5)), density=2.0)
    there = point((0.9, 1.3, 0.5))
    one, other = (GRAVITATION.between(body, there, accuracy=1e-9).on_first.wrench(np.zeros(3)) for body in (mesh, box))
    np.testing.assert_allclose(one, other, rtol=0, atol=4e-9 * np.abs(other).max())


def test_a_law_with_couples_is_skew_if_they_balance_its_forces():
    """Forces across the line between two points turn the pair; half of the opposite couple on each keeps the screws opposite."""

    def across(x, y):
        return np.cross((0, 0, 1.0), y - x)

    def couple(x, y):
        return 0.5 * np.cross(y - x, across(x, y))

    law = vc.measures.SkewBimeasure(across, couple)
    a, b = vc.Measure.atoms([(0, 0, 0), (1, 0, 0)], [1.0, 2.0]), rod((0, 2, 0), (3, 2, 1))
    found = law.between(a, b)
    y = np.array([5.0, -1.0, 2.0])
    np.testing.assert_allclose(found.on_first.wrench(y), -found.on_second.wrench(y), rtol=0, atol=1e-12 * 20)
    assert np.abs(found.on_first.p).max() > 1.0


def test_the_action_is_additive_in_both_measures():
    a, b, c = point((0, 0, 0)), rod((2, 0, 0), (2, 1, 0)), point((0, 3, 1), 2.0)
    whole = GRAVITATION.between(a, b + c).on_first.wrench(np.zeros(3))
    parts = [GRAVITATION.between(a, one).on_first.wrench(np.zeros(3)) for one in (b, c)]
    np.testing.assert_allclose(whole, sum(parts), rtol=0, atol=1e-12)


@pytest.mark.slow
def test_two_cubes_in_contact_attract_with_the_published_force():
    """0.9259812605…, the ten-digit problem of two unit cubes with a common face (Trefethen). The law is singular on that face."""
    cube = vc.Measure.solid(vc.shapes.Box((1, 1, 1)), mass=1.0)
    found = GRAVITATION.between(cube, cube.transform(vc.Pose((1, 0, 0))), accuracy=0.1)
    assert abs(found.on_first.p[0] - 0.9259812605) < found.error * 0.9259812605
    assert found.error <= 0.1
