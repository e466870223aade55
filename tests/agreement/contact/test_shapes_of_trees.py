"""Cylinders, polytopes, planes, height fields and meshes that bodies of trees meet, against boxes, half-spaces and NumPy alone."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import brentq

import vinculum as vc

G, LONG, R, SLOPE, LOW = 9.81, 0.8, 0.1, 0.3, 0.2
LAWS = {"impact": vc.Newton(0.4), "friction": vc.Coulomb(0.3)}


def swung(shape, at, wall, until=0.8, **laws):
    system = vc.System("pendulum", gravity=(0, 0, -G))
    arm = system.add(vc.RigidBody.solid("arm", shape, density=1000, at=at))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(0, 0, 1)))
    system.add(vc.Contact("floor", [arm], walls=[wall], **(laws or LAWS)))
    return vc.simulate(system, until=until, start={"hinge": -1.3}, method="moreau", step=5e-4)


def holds(motion):
    """Whether no law is broken; steps are too coarse to decide all of them."""
    return all(line.verdict != "broken" for line in motion.audit().lines)


def test_a_polytope_on_a_hinge_moves_as_the_box_with_its_corners():
    size, shift = np.array([0.1, 0.2, 0.6]), np.array([0.3, -0.1, 0.2])
    corners = [shift + 0.5 * size * signs for signs in product((-1, 1), repeat=3)]
    floor = vc.shapes.HalfSpace((0, 0, 1), 0.2)
    turn = np.array([[np.cos(0.4), -np.sin(0.4), 0], [np.sin(0.4), np.cos(0.4), 0], [0, 0, 1]])
    one = swung(vc.shapes.Box(size), vc.Pose((0, 0, -0.6), turn), floor)
    other = swung(vc.shapes.Polytope(corners), vc.Pose((0, 0, -0.6) - turn @ shift, turn), floor)
    assert len(one.bond("floor").impulses) >= 2
    np.testing.assert_allclose(other.q, one.q, rtol=0, atol=1e-9)
    assert holds(other)


def ground(kind):
    """The plane z = LOW − SLOPE x in different words."""
    x = np.linspace(-1.5, 1.5, 9)
    corners = np.array([(a, b, LOW - SLOPE * a) for a, b in ((-2, -2), (2, -2), (2, 2), (-2, 2))])
    return {
        "plane": lambda: vc.shapes.TwoSidedPlane((SLOPE, 0, 1), LOW / np.hypot(SLOPE, 1)),
        "height field": lambda: vc.shapes.HeightField(
            LOW - SLOPE * (x[:, None] + 0 * x), x[1] - x[0], at=(-1.5, -1.5, 0)
        ),
        "mesh": lambda: vc.shapes.Mesh(corners, [(0, 1, 2), (0, 2, 3)]),
        "polytope": lambda: vc.shapes.FixedSolid(vc.shapes.Polytope([*corners, *(corners - (0, 0, 1))])),
    }[kind]()


@pytest.mark.parametrize("kind", ["plane", "height field", "mesh", "polytope"])
def test_a_pendulum_stops_at_a_slope_where_and_by_what_numpy_says(kind, tmp_path):
    motion = swung(vc.shapes.Sphere(R), (0, 0, -LONG), ground(kind), impact=vc.Inelastic())

    def center(angle):
        return np.array([-LONG * np.sin(angle), 0.0, 1.0 - LONG * np.cos(angle)])

    normal = np.array([SLOPE, 0, 1]) / np.hypot(SLOPE, 1)
    angle = brentq(lambda a: normal @ center(a) - LOW * normal[2] - R, -1.3, 0.3)
    mass = 1000 * 4 / 3 * np.pi * R**3
    inertia = mass * (LONG**2 + 0.4 * R**2)
    rate = np.sqrt(2 * mass * G * LONG * (np.cos(angle) - np.cos(1.3)) / inertia)
    lever = abs(normal @ (-LONG * np.cos(angle), 0, LONG * np.sin(angle)))
    hit = motion.bond("floor").impulses
    assert motion.q[-1, 0] == pytest.approx(angle, abs=2e-3)
    assert abs(motion.v[-1, 0]) < 1e-9
    assert hit.normal[0] == pytest.approx(inertia * rate / lever, rel=5e-3)
    np.testing.assert_allclose(motion.record.atoms.meetings.axes[0, 0], normal, atol=1e-9)
    motion.save(tmp_path / "run.zarr")
    np.testing.assert_array_equal(vc.load(tmp_path / "run.zarr").bond("floor").impulses.normal, hit.normal)


def test_a_capsule_on_a_hinge_crosses_flat_triangles_as_a_half_space():
    flat = vc.shapes.HeightField(np.full((12, 12), 0.3), 0.3, at=(-1.6, -1.7, 0))
    one, other = (
        swung(vc.shapes.Capsule(0.05, 0.6), (0, 0, -0.4), wall) for wall in (vc.shapes.HalfSpace((0, 0, 1), 0.3), flat)
    )
    np.testing.assert_allclose(other.q, one.q, rtol=0, atol=1e-9)


def test_a_cylinder_next_to_a_joint_rolls_down_a_mesh_at_two_thirds_of_a_slide():
    """A full cylinder rolls at g sin α/(1 + I/(m r²)), with I = m r²/2; the pendulum makes a tree of it."""
    on_side = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    system = vc.System("yard", gravity=(G * np.sin(0.2), 0, -G * np.cos(0.2)))
    wheel = system.add(
        vc.RigidBody.solid("wheel", vc.shapes.Cylinder(0.1, 0.3), density=500, at=vc.Pose(rotation=on_side))
    )
    bob = system.add(vc.RigidBody.solid("bob", vc.shapes.Sphere(0.1), density=500, at=(0, 0, -0.5)))
    system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), at=(0, 3, 2)))
    road = vc.shapes.Mesh([(-1, -1, 0), (2, -1, 0), (2, 1, 0), (-1, 1, 0)], [(0, 1, 2), (0, 2, 3)])
    system.add(vc.Contact("road", [wheel, bob], walls=[road], impact=vc.Inelastic(), friction=vc.Coulomb(0.5)))
    motion = vc.simulate(system, until=0.5, start={"wheel": (0, 0, 0.1)}, method="moreau", step=5e-4)
    assert motion.body("wheel").position[-1, 0] == pytest.approx(0.5 * G * np.sin(0.2) / 1.5 * 0.5**2, rel=4e-3)
    assert motion.body("wheel").position[-1, 2] == pytest.approx(0.1, abs=2e-6)
    assert holds(motion)


@pytest.mark.parametrize("shape", [vc.shapes.Box((0.1, 0.2, 0.6)), vc.shapes.Capsule(0.1, 0.5)], ids=["box", "capsule"])
def test_boxes_that_nothing_meets_change_no_bit(shape):
    """Two boxes are met by more code than one, which is left out where there is one alone."""
    runs = []
    for far in (0, 1, 2):
        system = vc.System("pendulum", gravity=(0, 0, -G))
        arm = system.add(vc.RigidBody.solid("arm", shape, density=1000, at=(0, 0, -0.6)))
        system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(0, 0, 1)))
        walls = [vc.shapes.HalfSpace((0, 0, 1), 0.2)]
        walls += [vc.shapes.FixedSolid(vc.shapes.Box((0.1, 0.1, 0.1)), at=(9.0 + k, 0, 0)) for k in range(far)]
        system.add(vc.Contact("floor", [arm], walls=walls, **LAWS))
        runs.append(vc.simulate(system, until=0.6, start={"hinge": -1.3}, method="moreau", step=1e-3))
    assert len(runs[0].bond("floor").impulses)
    assert runs[0].q.tobytes() == runs[1].q.tobytes() == runs[2].q.tobytes()
