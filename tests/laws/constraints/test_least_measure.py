"""Where a measure of singular positions is least."""

import numpy as np
import pytest

from vinculum.integrators.watch.singular_positions import _least
from vinculum.models.conditions import consistency
from vinculum.tolerances.samples import FINEST_ZOOM

MEASURES = {
    "simple zero": lambda s: np.abs(np.sin(3.0 * (s - 0.377))),
    "curved zero": lambda s: np.abs(np.exp(4.0 * (s - 0.377)) - 1.0),
    "near miss": lambda s: np.sqrt(1e-8 + (s - 0.377) ** 2 * (1.0 + s)),
    "no parabola": lambda s: np.abs(s - 0.377) ** 0.1,
    "steep on one side": lambda s: np.where(s < 0.377, 0.377 - s, 1e4 * (s - 0.377)),
}


@pytest.mark.parametrize("name", MEASURES)
def test_the_least_measure_is_found_to_the_last_samples(name):
    measure, s = MEASURES[name], np.linspace(0.0, 1.0, 33)
    c = measure(s)
    at, value = _least(measure, s, c, int(np.argmin(c)), FINEST_ZOOM)
    fine = np.linspace(at - 1e-7, at + 1e-7, 2001)
    flat = 1e-8 if name == "near miss" else 0.0  # the square root of round-off in what does not vanish
    assert abs(at - 0.377) <= 1e-9 + flat
    assert value == measure(np.array([at]))[0] <= measure(fine).min() + 1e4 * FINEST_ZOOM + (name == "no parabola")


def test_pivots_in_plain_numbers_agree_with_cholesky(monkeypatch):
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(300):
        n = int(rng.integers(1, consistency.FEW_ROWS + 1))
        A = rng.normal(size=(n, n))
        G, least = A @ A.T - rng.choice([0.0, 0.05]) * np.eye(n), float(rng.choice([1e-9, 1e-3, 0.1]))
        found = consistency._is_definite(G, least)
        with monkeypatch.context() as patched:
            patched.setattr(consistency, "FEW_ROWS", 0)
            assert consistency._is_definite(G, least) == found
        seen.add(found)
    assert seen == {False, True}
