"""The broad phase against a look at every pair."""

import numpy as np
import pytest

from vinculum.collision.arrays import Grid, Pairs, Shapes
from vinculum.collision.broad_phase import SPHERE, near_pairs


@pytest.mark.parametrize("largest", [1.0, 60.0])
def test_near_pairs_of_bodies_of_all_sizes_are_those_of_every_pair(largest):
    rng, n, moving, margin = np.random.default_rng(8), 400, 300, 0.03
    reach = 0.02 * largest ** rng.uniform(0, 1, n)
    center = rng.uniform(-0.7, 0.7, (n, 3))
    first, second = np.zeros(60_000, dtype=np.int64), np.zeros(60_000, dtype=np.int64)
    shapes = Shapes(center, np.tile(np.eye(3), (n, 1, 1)), np.full(n, SPHERE, dtype=np.int64), np.zeros((n, 3)), reach)
    grid = Grid(np.empty(1024, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty((n, 4), dtype=np.int64))
    found = near_pairs(shapes, moving, margin, grid, Pairs(first, second, np.zeros_like(first), np.zeros_like(first)))
    away = np.linalg.norm(center[:, None] - center[None], axis=-1)
    near = np.triu(away < reach[:, None] + reach[None] + margin, 1)
    near[moving:, moving:] = False
    expected = {(int(i), int(j)) for i, j in np.argwhere(near)}
    assert found == len(expected)
    assert set(zip(first[:found].tolist(), second[:found].tolist(), strict=True)) == expected
