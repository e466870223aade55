"""Densities to an accuracy, meshes, tetrahedra, surfaces, lines, regions, signs and screws: two routes to the same integrals."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.screws import skew

TWIST = np.array([0.3, -1.0, 2.0, 0.7, 0.2, -0.5])
CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1.0)])
CELLS = np.array([(0, 1, 2, 3), (1, 2, 3, 4)])
EPS = np.finfo(float).eps


def ring():
    return vc.Measure.line(
        lambda s: (vc.math.cos(s), vc.math.sin(s), 0.1 * s), over=(0.0, 5.0), density=lambda x: 1 + x[2]
    )


def shell():
    return vc.Measure.surface(
        lambda u, v: (vc.math.sin(u) * vc.math.cos(v), vc.math.sin(u) * vc.math.sin(v), vc.math.cos(u)),
        over=((0.0, np.pi), (0.0, 2 * np.pi)), mass=3.0,
    )  # fmt: skip


MEASURES = {
    "atoms": lambda: vc.Measure.atoms(CORNERS, [1.0, 2.0, 0.5, 0.7, 1.1]),
    "charges": lambda: vc.Measure.atoms(CORNERS, [1.0, -2.0, 0.5, 0.7, 1.1], signed=True),
    "ball": lambda: vc.Measure.solid(vc.shapes.Sphere(0.7), density=lambda x: 1 + x[0] ** 2, accuracy=1e-9, at=(1, 0, 0)),
    "cylinder": lambda: vc.Measure.solid(vc.shapes.Cylinder(0.4, 1.2), density=2.0, at=vc.Pose((0, 1, 0), (1, 2, 3, 4))),
    "tetrahedra": lambda: vc.Measure.solid(vc.shapes.Tetrahedra(CORNERS, CELLS), density=lambda x: 1 + x[0] * x[1], accuracy=1e-9),
    "surface": shell,
    "line": ring,
    "plate with a hole": lambda: (
        vc.Measure.solid(vc.shapes.Box((2, 1, 0.1)), density=3.0)
        - vc.Measure.solid(vc.shapes.Cylinder(0.3, 0.1), density=3.0, at=(0.4, 0, 0))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MEASURES)
def test_mass_moments_inertia_energy_and_momentum_are_one_integral(name):
    """Cheremensky, (10), (11), lemma 1 and (22): Θ by quadrature is [[m I, −m r×], [m r×, J]], and the others follow from it."""
    body = MEASURES[name]()

    def theta(x):
        r = skew(x)
        return np.block([[np.eye(3), -r], [r, -r @ r]])

    found = vc.measures.integral(body, theta, accuracy=1e-8)
    size = np.abs(body.Theta).max()
    assert np.all(found.error <= 1e-7 * size)
    np.testing.assert_allclose(found.value, body.Theta, rtol=0, atol=2e-8 * size)
    np.testing.assert_allclose(body.momentum(TWIST), body.Theta @ TWIST, rtol=0, atol=1e-7 * size)
    energy = 0.5 * TWIST @ body.Theta @ TWIST
    assert vc.measures.kinetic_energy(body, TWIST) == pytest.approx(energy, abs=1e-7 * size)
    assert vc.measures.kinetic_energy(body, TWIST, accuracy=1e-8) == pytest.approx(energy, abs=1e-6 * size)
    exact, estimated = vc.measures.moments(body), vc.measures.moments(body, accuracy=1e-8)
    assert estimated.mass == pytest.approx(body.mass, rel=1e-8) and exact.mass == body.mass
    np.testing.assert_allclose(estimated.first, exact.first, rtol=0, atol=2e-8 * size)
    np.testing.assert_allclose(estimated.second, exact.second, rtol=0, atol=2e-8 * size)


def test_the_rate_of_Theta_is_that_of_the_sources():
    """Q = ∫ν Θ^x dμ = dΘ/dt for densities ρ + ν t, of a solid and of atoms; sources may be sinks elsewhere. Cheremensky, (22)."""
    shape = vc.shapes.Box((1, 2, 0.5))

    def body(t):
        return vc.Measure.solid(shape, density=lambda x: 3 + x[0] + t * x[1] * x[0]) + vc.Measure.atoms(
            [(1, 2, 3)], [2 - 0.4 * t]
        )

    sources = vc.Measure.solid(shape, density=lambda x: x[1] * x[0], signed=True) + vc.Measure.atoms(
        [(1, 2, 3)], [-0.4], signed=True
    )
    rate = (body(1.0).Theta - body(0.0).Theta) / 1.0
    np.testing.assert_allclose(sources.Theta, rate, rtol=0, atol=64 * EPS * np.abs(body(1.0).Theta).max())


def test_a_density_is_integrated_to_the_accuracy_that_is_asked_for():
    """∫ exp(x) over the unit ball is 4π (cosh 1 − sinh 1) and over the unit cube 2 sinh ½; a jump costs cells but keeps the estimate."""
    ball = vc.Measure.solid(vc.shapes.Sphere(1.0), density=lambda x: np.exp(x[0]), accuracy=1e-11)
    assert ball.mass == pytest.approx(4 * np.pi * (np.cosh(1) - np.sinh(1)), rel=1e-11)
    cube = vc.Measure.solid(vc.shapes.Box((1, 1, 1)), density=lambda x: np.exp(x[0]), accuracy=1e-12)
    assert cube.mass == pytest.approx(2 * np.sinh(0.5), rel=1e-12)
    step = vc.Measure.solid(vc.shapes.Box((1, 1, 1)), density=lambda x: 1.0 if x[0] < 0.25 else 3.0, accuracy=1e-2)
    assert step.mass == pytest.approx(0.75 + 0.75, rel=1e-2)


def test_tetrahedra_have_the_moments_of_the_solid_that_they_fill():
    box = np.array([(x, y, z) for x in (0, 1.0) for y in (0, 2.0) for z in (0, 3.0)])
    cells = [(0, 4, 6, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 3, 1, 7), (0, 1, 5, 7), (0, 5, 4, 7)]
    one = vc.Measure.solid(vc.shapes.Tetrahedra(box, cells), density=2.0)
    other = vc.Measure.solid(vc.shapes.Box((1, 2, 3)), density=2.0, at=(0.5, 1.0, 1.5))
    np.testing.assert_allclose(one.Theta, other.Theta, rtol=0, atol=64 * EPS * np.abs(other.Theta).max())
    surface = vc.shapes.Tetrahedra(box, cells).surface
    np.testing.assert_allclose(
        vc.Measure.mesh(box, surface, density=2.0).Theta, other.Theta, rtol=0, atol=64 * EPS * 100
    )


def test_surfaces_and_lines_have_their_closed_forms():
    """A spherical shell: J = 2/3 m R². A helix: its length. A square of two triangles: m a²/12. A rod: m l²/12."""
    np.testing.assert_allclose(shell().inertia_at_center, 2.0 * np.eye(3), rtol=0, atol=1e-8)
    helix = vc.Measure.line(lambda s: (vc.math.cos(s), vc.math.sin(s), 0.1 * s), over=(0.0, 5.0), density=2.0)
    assert helix.mass == pytest.approx(10.0 * np.sqrt(1.01), rel=1e-12)
    square = vc.Measure.surface([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)], mass=2.0)
    np.testing.assert_allclose(square.inertia_at_center, np.diag([2, 2, 4]) / 12, rtol=0, atol=1e-15)
    rod = vc.Measure.line([(0, 0, 0), (1, 0, 0), (3, 0, 0)], mass=2.0)
    np.testing.assert_allclose(rod.inertia_at_center, np.diag([0, 1.5, 1.5]), rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ["atoms", "ball", "cylinder", "line", "surface"])
def test_a_region_and_the_rest_add_up(name):
    body = MEASURES[name]()
    normal = np.array([1.0, 0.4, 0.2])
    inside, outside = (
        body.restrict(lambda x: x @ normal - 0.7, accuracy=0.01),
        body.restrict(lambda x: 0.7 - x @ normal, accuracy=0.01),
    )
    size = np.abs(body.Theta).max()
    np.testing.assert_allclose(inside.Theta + outside.Theta, body.Theta, rtol=0, atol=0.02 * size)
    assert 0 < inside.mass < body.mass


def test_a_restriction_has_the_mass_of_its_closed_form():
    """A half ball, a ball cut by a cube (less six caps), a cap; and a small ball inside a large box is that ball, wherever it is."""
    ball = vc.Measure.solid(vc.shapes.Sphere(1.0), density=1.0)
    half = ball.restrict(lambda x: x[:, 2])
    assert half.mass == pytest.approx(2 / 3 * np.pi, rel=1e-9)
    np.testing.assert_allclose(half.center, (0, 0, -0.375), rtol=0, atol=1e-9)
    cap = ball.restrict(lambda x: 0.5 - x[:, 0])
    assert cap.mass == pytest.approx(np.pi * 0.25 * 2.5 / 3, rel=1e-3)
    box = vc.Measure.solid(vc.shapes.Box((50, 50, 50)), density=2.0)
    small = box.restrict(vc.shapes.Sphere(0.01), at=(3, -7, 11))
    assert small.mass == pytest.approx(2 * 4 / 3 * np.pi * 1e-6, rel=1e-10)
    np.testing.assert_allclose(small.center, (3, -7, 11), rtol=0, atol=1e-12)


def test_a_plate_less_its_hole_is_the_plate_with_a_hole():
    plate = MEASURES["plate with a hole"]()
    assert plate.mass == pytest.approx(3 * (0.2 - np.pi * 0.009), rel=1e-14)
    body = vc.RigidBody.of("plate", plate)
    assert body.center[0] < 0 and np.linalg.eigvalsh(body.inertia_at_center).min() > 0


def test_a_dipole_has_a_first_moment_and_no_center():
    dipole = vc.Measure.atoms([(0, 0, 0), (1, 0, 0)], [-2.0, 2.0], signed=True)
    np.testing.assert_array_equal(vc.measures.moments(dipole).first, (2, 0, 0))
    with pytest.raises(vc.errors.ModelError, match="total is zero"):
        assert dipole.center is not None


def test_a_screw_measure_is_additive_and_transports_as_a_slider():
    """π(A) + π(A') = π(whole) for regions that share no points, with density and atoms, reduced at any point. Cheremensky, (2)."""
    body = MEASURES["cylinder"]() + MEASURES["atoms"]()

    def p(x):
        return np.array([x[1], -x[0], 1.0 + x[2]])

    def q(x):
        return np.array([0.0, x[0], x[1] * x[2]])

    whole = vc.measures.ScrewMeasure.of(body, p, q)
    pieces = [whole.restrict(lambda x, s=s: s * (x[:, 1] - 0.9), accuracy=0.01) for s in (1, -1)]
    y, z = np.array([0.4, -2.0, 1.0]), np.array([-3.0, 0.1, 0.2])
    total = whole.reduce(y)
    size = np.abs(total.wrench(z)).max()
    np.testing.assert_allclose(
        sum(one.reduce(y).wrench(y) for one in pieces), total.wrench(y), rtol=0, atol=0.03 * size
    )
    np.testing.assert_allclose(whole.reduce(z).wrench(z), total.wrench(z), rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(whole.reduce(y, accuracy=1e-10).wrench(y), total.wrench(y), rtol=0, atol=1e-9 * size)
    nothing = (whole - whole).reduce(y)
    np.testing.assert_allclose(nothing.wrench(y), 0, atol=1e-12 * size)


def test_a_varying_density_on_a_mesh_that_is_not_convex_is_asked_only_where_it_matters():
    """An L of tetrahedra and its surface, with the density x² + y; the mesh is integrated from its center, also outside of it."""
    flat = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    corners = np.array([(*xy, z) for z in (0.0, 0.5) for xy in flat])
    lid = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    sides = [(k, (k + 1) % 6, 6 + k) for k in range(6)] + [((k + 1) % 6, 6 + (k + 1) % 6, 6 + k) for k in range(6)]
    triangles = [*[t[::-1] for t in lid], *[tuple(6 + k for k in t) for t in lid], *sides]
    body = vc.Measure.mesh(corners, triangles, density=lambda x: x[0] ** 2 + x[1])
    boxes = [vc.Measure.solid(vc.shapes.Box(size), density=lambda x, c=c: (x[0] + c[0]) ** 2 + x[1] + c[1], at=c, order=8)
             for size, c in (((2, 1, 0.5), (1, 0.5, 0.25)), ((1, 1, 0.5), (0.5, 1.5, 0.25)))]  # fmt: skip
    both = boxes[0] + boxes[1]
    np.testing.assert_allclose(body.Theta, both.Theta, rtol=0, atol=1e-8 * np.abs(both.Theta).max())
