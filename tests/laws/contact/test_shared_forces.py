"""Forces in friction cones that explain reactions: found where there are some, and as near as possible where there are none."""

import numpy as np
import pytest

from vinculum.audits.contact.shared_forces import unexplained_share


@pytest.mark.parametrize("seed", range(40))
def test_reactions_by_forces_in_their_cones_are_explained(seed):
    """More contacts than degrees of freedom, forces inside their cones, at their edges, and of what slides."""
    rng = np.random.default_rng(seed)
    contacts, n = int(rng.integers(1, 9)), int(rng.integers(3, 10))
    J, A = rng.normal(size=(3 * contacts, n)), rng.normal(size=(n, n))
    if seed % 4 == 0:
        J[1::3] = 0.0  # in a plane there is one way to slip
    axes, slips, force = [], [], np.zeros(3 * contacts)
    for c in range(contacts):
        D = rng.uniform(0.1, 1.0, 2) if rng.random() < 0.5 else np.full(2, rng.uniform(0.1, 1.0))
        normal, slip = rng.uniform(0.0, 5.0), rng.normal(size=2) if rng.random() < 0.4 else None
        way = rng.normal(size=2)
        tangent = way / np.linalg.norm(way) * (1.0 if rng.random() < 0.5 else rng.uniform())
        if slip is not None:
            tangent = -D * slip / np.linalg.norm(D * slip)
        force[3 * c : 3 * c + 3] = normal, *(normal * D * tangent)
        axes.append(D)
        slips.append(slip)
    assert unexplained_share(J, A @ A.T + 0.1 * np.eye(n), J.T @ force, axes, slips) < 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_what_no_cone_explains_is_its_distance(seed):
    """One contact, three degrees of freedom: the distance of a force from a round cone in closed form."""
    rng = np.random.default_rng(seed)
    R, mu = rng.normal(size=3), rng.uniform(0.2, 1.0)
    N, T = R[0], np.hypot(*R[1:]) / mu
    found = unexplained_share(np.eye(3), np.diag([1.0, mu**-2, mu**-2]), R, [np.full(2, mu)], [None])
    over = T - N
    distance = 0.0 if over <= 0.0 else np.hypot(N, T) if T <= -N else over / np.sqrt(2.0)
    np.testing.assert_allclose(found, distance / np.hypot(N, T), atol=1e-8)


def test_a_pull_is_not_explained():
    assert unexplained_share(np.eye(3), np.eye(3), np.array([-1.0, 0.0, 0.0]), [np.full(2, 0.5)], [None]) == 1.0
