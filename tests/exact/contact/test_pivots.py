"""Impulses by pivots on random contact problems, as many of them dependent as there are freedoms or more."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from vinculum.contact.dense.gauss_seidel import project, residual
from vinculum.contact.dense.impacts import strike_in_turn
from vinculum.contact.dense.impulses import finish
from vinculum.contact.dense.pivots import pivot


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
    return H, H @ rng.normal(size=freedoms), target, least, mu


def solvable(H, target, mu):
    """Whether a velocity parts all unilateral constraints faster than it slips and turns, u_N − û > a |u₁| + b |u₂|: then there are
    impulses.

    Acary, Cadoux, Lemaréchal and Malick, Z. Angew. Math. Mech. 91 (2011) 155.
    """
    rows, goal = [], []
    for c in range(len(target)):
        if mu[c, 2] >= 0.0:
            continue
        along = [(mu[c, 0], H[3 * c + 1]), (mu[c, 1], H[3 * c + 2])]
        for k in np.flatnonzero(mu[:, 2] == c):  # turns that it resists
            along += [(mu[k, 0], H[3 * k]), (mu[k, 1], H[3 * k + 1]), (mu[k, 1], H[3 * k + 2])]
        for signs in product((1.0, -1.0), repeat=len(along)):
            rows.append(sum((s * max(a, 0.0) * way for s, (a, way) in zip(signs, along, strict=True)), -H[3 * c]))
            goal.append(-target[c])
    A = np.column_stack([rows, np.ones(len(rows))])
    bounds = [(-1e3, 1e3)] * H.shape[1] + [(None, 1.0)]
    return -linprog(np.append(np.zeros(H.shape[1]), -1.0), A_ub=A, b_ub=goal, bounds=bounds).fun > 1e-3


@pytest.mark.parametrize("rolling", [False, True])
def test_in_the_plane_pivots_find_impulses_to_round_off(rolling):
    found = 0
    for seed in range(150):
        H, free, target, least, mu = problem(seed, True, rolling)
        if not solvable(H, target, mu):
            continue
        W, P = H @ H.T, np.zeros(len(free))
        assert pivot(W, free, target, least, mu, P), seed
        project(P, least, mu)
        assert residual(W, free + W @ P, target, least, mu, P) < 1e-9, seed
        found += 1
    assert found > 50


def test_in_space_they_are_where_the_last_digits_are_found_from():
    found = 0
    for seed in range(150):
        H, free, target, least, mu = problem(seed, False)
        mu[:, 1] = mu[:, 0]
        if not solvable(H, target, mu):
            continue
        W, P = H @ H.T, np.zeros(len(free))
        error, sweeps = finish(W, free, target, least, mu, P, (1e-10, 1e-7, 5000))
        assert error <= 1e-7 and sweeps <= 5000, (seed, error)
        found += 1
    assert found > 50


def test_two_walls_that_leave_no_room_have_no_impulses():
    W, P = np.zeros((6, 6)), np.zeros(6)
    W[np.ix_([0, 3], [0, 3])] = [[1, -1], [-1, 1]]
    free = np.array([-1.0, 0, 0, -1.0, 0, 0])
    mu = np.full((2, 3), -1.0)
    assert not pivot(W, free, np.zeros(2), np.zeros(2), mu, P)


def test_sequential_impacts_end_where_an_approach_is_the_round_off_of_velocities_or_friction_jams():
    """A contact that slides and is closed approaches by round-off. That never vanishes, and no number of impacts removes it."""
    rng, most = np.random.default_rng(0), 500
    for _ in range(200):
        A = rng.normal(size=(3, 2))
        before = np.array([-(10.0 ** rng.uniform(-18, -8)), rng.normal(), 0.0])
        P, u = np.zeros(3), np.zeros(3)
        used = strike_in_turn(A @ A.T, before, before, np.zeros(1), np.array([[0.858, 0.858]]), P, u, (1e-14, most))
        assert used < 6 * most, "a handful of impacts"
        assert used == 0 or before[0] < -8e-16 * abs(before[1])
