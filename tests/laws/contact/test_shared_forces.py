"""Forces in friction cones that explain reactions: found where there are some, and as near as possible where there are none."""

import numpy as np
import pytest

from vinculum.audits.contact.shared_forces import unexplained_share
from vinculum.audits.impacts.shared_compression import shared_compression
from vinculum.audits.impacts.stages import Stage, _of_two_phases


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


def stage_of_links_on_a_floor(more: float) -> Stage:
    """An impact at the first of three links in line, whose tips are on a floor: all of them slip together with the first gap.

    Poisson's law with e = 0.139 and closed forms: compression stops all gaps by the normal impulse of the second tip alone and by any
    share S = N + τ (T₁ + T₂ + T₃) of the first gap's. ``more``: the part by which the second tip gives back too much.
    """
    e, tau, mu, v = 0.139, 0.938, 0.395, 1.0865
    K = np.array([[0.788573, -0.225306, 0.112653], [-0.225306, 3.678581, -1.8392905], [0.112653, -1.8392905, 7.244509]])
    J = np.zeros((9, 3))
    J[0::3], J[1::3, 0] = np.eye(3), tau
    before = -v * J[:, 0]
    S, second = np.linalg.solve(K[:2, :2], [v, 0.0])
    second *= (1.0 + e) * (1.0 + more)
    S, third = np.linalg.solve(K[np.ix_([0, 2], [0, 2])], [v - K[0, 1] * second, -K[2, 1] * second])
    P, slack = np.zeros(9), np.zeros(9)
    P[[3, 6]] = second, third
    P[[4, 7]] = mu * P[[3, 6]]
    P[0] = 1.12 * S  # more than compression needs at least, since friction takes a part of it away
    P[1] = (S - P[0]) / tau - P[4] - P[7]
    axes, W = np.tile([mu, mu, -1.0], (3, 1)), J @ K @ J.T
    return Stage(W, W, before, before, before + W @ P, P, axes, np.full(3, e), np.ones(3, dtype=bool), slack + 1e-12)


def missed_by_poisson(stage: Stage) -> float:
    return min(float(missed.max()) for missed in _of_two_phases(stage, stage.restitution, 1e-8))


def test_impulses_of_compression_may_be_shared_in_any_way():
    assert missed_by_poisson(stage_of_links_on_a_floor(0.0)) < 1e-10


def test_a_contact_that_gives_back_too_much_breaks_poissons_law_for_every_share():
    assert missed_by_poisson(stage_of_links_on_a_floor(1e-3)) > 1e-5


@pytest.mark.parametrize("seed", range(20))
def test_impulses_of_compression_are_found_below_their_bounds(seed):
    """More contacts than degrees of freedom; the bounds are those of other impulses with the same effect."""
    rng = np.random.default_rng(seed)
    contacts, n = int(rng.integers(3, 6)), int(rng.integers(2, 5))
    J, mu = rng.normal(size=(3 * contacts, n)), rng.uniform(0.2, 1.0, contacts)
    P = np.concatenate(
        [[N, *(N * m * rng.uniform(-0.5, 0.5, 2))] for N, m in zip(rng.uniform(1, 2, contacts), mu, strict=True)]
    )
    W, which = J @ J.T, np.arange(contacts)
    bounds = (
        which,
        np.full(contacts, 1.5),
        1.5 * P[::3] * rng.uniform(1.0, 1.2, contacts),
        np.zeros(contacts, dtype=bool),
    )
    found = shared_compression(W, W @ P, [np.zeros(2)] * contacts, np.stack([mu, mu], axis=1), bounds)
    np.testing.assert_allclose(W @ found, W @ P, atol=1e-7)
    assert np.all(1.5 * found[::3] <= bounds[2] + 1e-7)
    assert np.all(np.hypot(found[1::3], found[2::3]) <= mu * found[::3] + 1e-12)
