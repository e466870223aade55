"""What gravitation leaves out of bodies that are replaced by a few moments: the bound holds, is near, and refuses nothing feasible."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from vinculum.bonds.potentials.attracting import reach
from vinculum.measures.seen_outside import point_masses

PAIRS = {
    "boxes": (vc.shapes.Box((1, 1, 1)), vc.shapes.Box((1, 1, 1))),
    "beam and point": (vc.shapes.Box((4, 1, 1)), None),
    "rod and plate": (vc.shapes.Cylinder(0.1, 2.0), vc.shapes.Box((1.0, 1.0, 0.1))),
    "cone and cylinder": (vc.shapes.Cone(0.5, 1.0), vc.shapes.Cylinder(0.4, 0.4)),
}
FINE = 14


def bodies(kind: str) -> tuple:
    one, other = PAIRS[kind]
    a = vc.RigidBody.solid("a", one, mass=1.0)
    return a, vc.MassPoint("b", 1.0) if other is None else vc.RigidBody.solid("b", other, mass=1.0)


def energy(a, b, degree: int, d: np.ndarray, R: np.ndarray) -> float:
    """−U of points with the moments of the two bodies, for G = 1."""
    (x, m), (y, n) = (point_masses(body.measure, degree) for body in (a, b))
    x, y = (x - a.center) @ R[0].T, (y - b.center) @ R[1].T
    return float((m[:, None] * n[None] / np.linalg.norm(x[:, None] - y[None] - d, axis=2)).sum())


def worst(a, b, degree: int, distance: float) -> float:
    """The largest share left out over attitudes, along axes and corners as well."""
    rng, found = np.random.default_rng(4), 0.0
    for k in range(8):
        n = ((1, 0, 0), (0, 0, 1), (1, 1, 1))[k] if k < 3 else rng.normal(size=3)
        d = distance * np.asarray(n, dtype=float) / np.linalg.norm(n)
        R = np.tile(np.eye(3), (2, 1, 1)) if k < 3 else Rotation.random(2, random_state=k).as_matrix()
        exact = energy(a, b, FINE, d, R)
        rough = 1.0 / distance if degree == 0 else energy(a, b, degree, d, R)
        found = max(found, abs(rough - exact) * distance)
    return found


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("far", [1.3, 2.0, 4.0])
def test_no_more_is_left_out_than_the_bound_says_and_not_much_less(kind, far):
    a, b = bodies(kind)
    distance = far * (reach(a) + reach(b))
    for degree in (0, 3, 5):
        law = vc.potentials.Gravitation("g", ["a", "b"], degree=degree)
        true, bound = worst(a, b, degree, distance), law.truncation(a, b, distance)
        assert true <= bound * (1.0 + 1e-6)
        assert bound <= 20.0 * true, f"degree {degree}: {bound / true:.3g} times too large"


@pytest.mark.parametrize("kind", PAIRS)
def test_an_accuracy_that_a_degree_reaches_is_accepted_with_little_more(kind):
    a, b = bodies(kind)
    nearest = 1.3 * (reach(a) + reach(b))
    for degree in (3, 5):
        wanted = worst(a, b, degree, nearest)
        law = vc.potentials.Gravitation("g", ["a", "b"], accuracy=wanted, nearest=nearest)
        chosen = law.law.degree_for([a, b])
        assert chosen is not None and chosen <= degree + 3
        assert worst(a, b, max(chosen, 3), nearest) <= wanted
        assert law.truncation(a, b, nearest) <= wanted


def test_second_moments_alone_leave_out_what_their_bound_says():
    """MacCullagh's formula of two boxes along an axis against a fine sum; the quadrupoles' own attraction is among what is left out."""
    a, b = (
        vc.RigidBody.solid(name, vc.shapes.Box(size), mass=1.0)
        for name, size in (("a", (2, 1, 0.5)), ("b", (0.4, 1.5, 1)))
    )
    R = np.tile(np.eye(3), (2, 1, 1))
    for distance in (3.0, 5.0, 9.0):
        d = np.array([distance, 0.0, 0.0])
        spread = sum(np.diag(s) for s in (np.array([2, 1, 0.5]) ** 2 / 12, np.array([0.4, 1.5, 1]) ** 2 / 12))
        kept = 1 / distance - 0.5 * (np.trace(spread) / distance**3 - 3 * d @ spread @ d / distance**5)
        left = abs(kept - energy(a, b, FINE, d, R)) * distance
        for degree in (None, 2):
            assert (
                left
                <= vc.potentials.Gravitation("g", ["a", "b"], degree=degree).truncation(a, b, distance)
                <= 20.0 * left
            )


def test_bodies_of_atoms_and_balls_leave_nothing_out():
    dumbbell = vc.RigidBody.of("a", vc.Measure.atoms([(0, 0, 1.0), (0, 0, -1.0)], [1.0, 2.0]))
    point, box = vc.MassPoint("b", 1.0), vc.RigidBody.solid("c", vc.shapes.Box((1, 1, 1)), mass=1.0)
    law = vc.potentials.Gravitation("g", ["a", "b"], degree=5)
    assert law.truncation(dumbbell, point, 2.0) == 0.0
    assert 0.0 < law.truncation(dumbbell, box, 4.0) < 1e-2
    assert law.truncation(box, point, 0.5) == np.inf
