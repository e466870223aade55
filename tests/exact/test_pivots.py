"""Impulses by pivots on random contact problems, as many of them dependent as there are freedoms or more."""

import numpy as np
import pytest
from scipy.optimize import linprog

from vinculum.kernels.finished_shocks import finished
from vinculum.kernels.shock_laws import project, residual
from vinculum.kernels.shock_pivots import pivoted


def problem(seed, flat, rolling=False):
    """W = H Hᵀ of low rank and speeds in its range, as those of bodies are; friction in ellipses, some triples without."""
    rng = np.random.default_rng(seed)
    m, freedoms = int(rng.integers(1, 9)), int(rng.integers(2, 13))
    H = rng.normal(size=(3 * m, freedoms)) * np.repeat(10.0 ** rng.uniform(-1, 1, m), 3)[:, None]
    if flat:
        H[2::3] = 0.0
    target, least = np.where(rng.random(m) < 0.3, rng.uniform(0, 0.5, m), 0.0), np.where(rng.random(m) < 0.3, 0.2, 0.0)
    mu = np.column_stack([rng.uniform(0.0, 1.0, (m, 2)), np.full(m, -1.0)])
    mu[rng.random(m) < 0.2, :2] = -1.0
    if rolling and m > 1:
        mu[-1] = 0.05, 0.02, 0
        target[-1] = least[-1] = 0.0
    return H @ H.T, H @ rng.normal(size=freedoms), target, least, mu


def solvable(W, free, target, mu):
    """Whether normal impulses alone can part all boundaries: then friction has an answer too."""
    normals = [3 * c for c in range(len(target)) if mu[c, 2] < 0.0]
    A = W[np.ix_(normals, normals)]
    goal = target[[k // 3 for k in normals]] - free[normals]
    return linprog(np.ones(len(normals)), A_ub=-A, b_ub=-goal, bounds=(0, None)).status == 0


@pytest.mark.parametrize("rolling", [False, True])
def test_in_the_plane_pivots_find_impulses_to_round_off(rolling):
    found = 0
    for seed in range(150):
        W, free, target, least, mu = problem(seed, True, rolling)
        if not solvable(W, free, target, mu):
            continue
        P = np.zeros(len(free))
        assert pivoted(W, free, target, least, mu, P), seed
        project(P, least, mu)
        # the two tangents of rolling span a disc, of which pivots know a polygon
        limit = 0.2 if rolling else 1e-9
        assert residual(W, free + W @ P, target, least, mu, P) < limit, seed
        found += 1
    assert found > 50


def test_in_space_they_are_where_the_last_digits_are_found_from():
    found = 0
    for seed in range(150):
        W, free, target, least, mu = problem(seed, False)
        if not solvable(W, free, target, mu):
            continue
        mu[:, 1] = mu[:, 0]
        P = np.zeros(len(free))
        error, sweeps = finished(W, free, target, least, mu, P, (1e-10, 1e-7, 5000))
        assert error <= 1e-7 and sweeps <= 5000, (seed, error)
        found += 1
    assert found > 50


def test_two_walls_that_leave_no_room_have_no_impulses():
    W, P = np.zeros((6, 6)), np.zeros(6)
    W[np.ix_([0, 3], [0, 3])] = [[1, -1], [-1, 1]]
    free = np.array([-1.0, 0, 0, -1.0, 0, 0])
    mu = np.full((2, 3), -1.0)
    assert not pivoted(W, free, np.zeros(2), np.zeros(2), mu, P)
    error, _ = finished(W, free, np.zeros(2), np.zeros(2), mu, P, (1e-10, 1e-7, 2000))
    assert error > 1e-3
