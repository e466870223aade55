"""Polytopes, meshes and height fields that cannot be, and starts beyond them."""

import numpy as np
import pytest

import vinculum as vc
from free_bodies import free_bodies

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]


@pytest.mark.parametrize(
    "made, message",
    [
        (lambda: vc.shapes.Polytope(SQUARE), r"4 corners lie in one plane.*no volume"),
        (lambda: vc.shapes.Polytope(SQUARE[:3]), r"3 corners lie in one plane"),
        (lambda: vc.shapes.Polytope([1, 2, 3]), r"shape \(n, 3\)"),
        (lambda: vc.shapes.Polytope([*SQUARE, (0, 0, np.nan)]), "not finite"),
        (lambda: vc.shapes.Mesh(SQUARE, [(0, 1, 4)]), r"triangle 0 is \[0, 1, 4\], but there are corners 0 to 3"),
        (
            lambda: vc.shapes.Mesh([*SQUARE, (0.5, 0, 0)], [(0, 1, 2), (0, 4, 1)]),
            r"triangle 1 has area 0\.0e\+00 m².*leave it out",
        ),
        (lambda: vc.shapes.Mesh([*SQUARE[:3], (0, np.inf, 0)], [(0, 1, 2)]), "not finite"),
        (lambda: vc.shapes.Mesh(SQUARE, []), "t ≥ 1"),
        (lambda: vc.shapes.Mesh(SQUARE, [(0.0, 1.0, 2.0)]), "whole numbers"),
        (
            lambda: vc.shapes.Mesh(SQUARE, [(0, 1, 2), (0, 3, 2), (0, 2, 1)][:2]),
            "opposite outer sides; swap two corners",
        ),
        (lambda: vc.shapes.HeightField([1.0, 2.0], 0.1), "at least 2 × 2"),
        (lambda: vc.shapes.HeightField(np.zeros((3, 3)), -0.1), "lengths > 0"),
        (lambda: vc.shapes.HeightField(np.full((3, 3), np.nan), 0.1), "not finite"),
        (lambda: vc.shapes.TwoSidedPlane((0, 0, 0)), "plane: normal .* not a direction"),
        (lambda: vc.shapes.Cylinder(0.1, -1.0), "not positive"),
    ],
)
def test_shapes_that_cannot_be_are_refused(made, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        made()


def started(shapes, walls, start, **options):
    return vc.simulate(free_bodies(shapes, walls=walls), until=0.01, start=start, method="moreau", step=1e-3, **options)


def test_cylinders_and_polytopes_inside_each_other_are_named_with_their_depth_and_moved_apart():
    shapes = [
        vc.shapes.Cylinder(0.1, 0.2),
        vc.shapes.Polytope(0.1 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])),
    ]
    start = {"b0": (0, 0, 0.5), "b1": (0, 0, 0.32)}
    with pytest.raises(vc.errors.StartError, match=r"'b0' and 'b1' start 0\.02 m inside each other.*resolve=True"):
        started(shapes, [], start)
    motion = started(shapes, [], start, resolve=True)
    assert motion.body("b0").position[0, 2] - motion.body("b1").position[0, 2] >= 0.2 - 1e-6


@pytest.mark.parametrize("shape", [vc.shapes.Sphere(0.1), vc.shapes.Cylinder(0.1, 0.2), vc.shapes.Box((0.2, 0.2, 0.2))])
def test_starts_in_or_beneath_the_ground_are_refused(shape):
    ground = vc.shapes.HeightField(np.zeros((9, 9)), 0.5, at=(-2, -2, 0))
    with pytest.raises(vc.errors.StartError, match=r"'b0' and 'wall 1' start 0\.03 m inside"):
        started([shape], [ground], {"b0": (0.1, 0.2, 0.07)})
    with pytest.raises(vc.errors.StartError, match=r"'b0' and 'wall 1' start 0\.7 m inside"):
        started([shape], [ground], {"b0": (0.1, 0.2, -0.7)})
    assert started([shape], [ground], {"b0": (0.1, 0.2, 0.07)}, resolve=True).body("b0").position[0, 2] > 0.1 - 1e-6


def test_starts_inside_a_closed_mesh_are_refused():
    corners = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
    squares = ((1, 3, 7, 5), (0, 4, 6, 2), (2, 6, 7, 3), (0, 1, 5, 4), (4, 5, 7, 6), (0, 2, 3, 1))
    block = vc.shapes.Mesh(corners, [t for a, b, c, d in squares for t in ((a, b, c), (a, c, d))])
    with pytest.raises(vc.errors.StartError, match="'b0' and 'wall 1' start"):
        started([vc.shapes.Sphere(0.1)], [block], {"b0": (0.1, 0.2, 0.3)})
    started([vc.shapes.Sphere(0.1)], [block], {"b0": (0.1, 0.2, 1.1)})


def test_absurd_walls_and_choices_are_refused_or_scaled():
    assert vc.shapes.HalfSpace((0, 0, 1e300)).normal.tolist() == [0, 0, 1]
    assert vc.shapes.HalfSpace((0, 3e-200, 4e-200)).normal == pytest.approx([0, 0.6, 0.8])
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    with pytest.raises(vc.errors.ModelError, match="triangles 0 and 1 are the same; leave one out"):
        vc.shapes.Mesh(corners, [(0, 1, 2), (1, 2, 0)])
    body = vc.RigidBody.solid("b", vc.shapes.Sphere(0.1), density=1000)
    with pytest.raises(vc.errors.ModelError, match="joined is"):
        vc.Contact("c", [body], impact=vc.Inelastic(), joined=np.array([1, 2]))
    for huge in (lambda: vc.shapes.Box((1e110, 1e110, 1e110)), lambda: vc.shapes.Sphere(1e110)):
        with pytest.raises(vc.errors.ModelError, match="beyond the range of numbers"):
            huge()
