"""The weak form of the library against one rebuilt from the user's description with NumPy alone."""

from itertools import pairwise

import numpy as np
import pytest

import vinculum as vc
from impacted import LIFTED, stopped_arm
from marks import needs_heyoka

G = 9.81


def kinetics(q, v):
    """Mass matrix, its derivatives and the force of gravity of the double pendulum of `stopped_arm`, written out by hand."""
    a, b = q[0], q[0] + q[1]
    (m, c, i), (n, d, j), length = (1.0, 0.5, 0.084), (0.5, 0.4, 0.030), 1.0

    def along(angle, size):
        return size * np.array([-np.cos(angle), np.sin(angle)])  # the rate of (−sin, −cos) times size by its angle

    J1 = np.stack([along(a, c), np.zeros(2)], axis=1)
    J2 = np.stack([along(a, length) + along(b, d), along(b, d)], axis=1)
    turns = np.array([[1.0, 0.0], [1.0, 1.0]])
    M = m * J1.T @ J1 + n * J2.T @ J2 + i * np.outer(turns[0], turns[0]) + j * np.outer(turns[1], turns[1])
    force = -G * (m * J1[1] + n * J2[1])
    return M, force


def slopes(q, v, h=1e-6):
    return [(kinetics(q + h * e, v)[0] - kinetics(q - h * e, v)[0]) / (2 * h) for e in np.eye(2)]


def wall(q):
    """The row of the wall's gap, x of the lower end + 0.4."""
    a, b = q[0], q[0] + q[1]
    return np.array([-np.cos(a) - 0.8 * np.cos(b), -0.8 * np.cos(b)])


@pytest.fixture(scope="module")
def motion():
    return vc.simulate(stopped_arm(), 1.5, LIFTED, method="moreau", step=5e-4, progress=False)


def test_the_weak_form_by_hand_is_small_and_sees_an_impulse_that_is_wrong_by_a_hundredth(motion):
    hit = motion.bond("wall").impulses
    assert len(hit) == 1
    t0, width, a = hit.times[0], 0.05, np.array([0.8, -1.1])

    def state(t):
        x = motion.record.pieces.state(np.array([t]))[0]
        return x[:2], x[2:]

    def bump(t):
        s = (t - t0) / width
        return (1 - s * s) ** 4, -8 * s * (1 - s * s) ** 3 / width

    def density(t):
        (q, v), (B, B_dot) = state(t), bump(t)
        M, force = kinetics(q, v)
        inner = 0.5 * sum(v @ D @ v * B * a[k] for k, D in enumerate(slopes(q, v)))
        return -(v @ M @ (B_dot * a) + inner + force @ (B * a))

    def size(t):
        (q, v), (_, B_dot) = state(t), bump(t)
        return np.sqrt(v @ kinetics(q, v)[0] @ v) * abs(B_dot) * np.sqrt(a @ kinetics(q, v)[0] @ a)

    halves = ((t0 - width, t0), (t0, t0 + width))
    total, gross = (sum(_integral(f, x, y) for x, y in halves) for f in (density, size))
    q, _ = state(t0)
    right = total - hit.normal[0] * wall(q) @ a
    wrong = total - 1.01 * hit.normal[0] * wall(q) @ a
    assert abs(right) < 2e-3 * gross
    assert abs(wrong) > 4 * abs(right)


def _integral(f, a, b):
    """Gauss's rule on panels of half a millisecond."""
    X, W = np.polynomial.legendre.leggauss(4)
    cuts = np.linspace(a, b, 101)
    return sum(
        0.5 * (y - x) * w * f(0.5 * (x + y) + 0.5 * (y - x) * s)
        for x, y in pairwise(cuts)
        for s, w in zip(X, W, strict=True)
    )


def test_rows_of_virtual_power_are_those_by_hand():
    from vinculum.compile.evaluate import evaluate_groups
    from vinculum.models.model_cache import model_for

    rng = np.random.default_rng(3)
    tape = model_for(stopped_arm()).tape("virtual")
    for _ in range(5):
        q, v = rng.normal(size=2), rng.normal(size=2)
        found = evaluate_groups(tape, np.concatenate([q, v, [0.0]])[None])
        M, force = kinetics(q, v)
        np.testing.assert_allclose(found["momenta"][0], M @ v, rtol=1e-12)
        np.testing.assert_allclose(found["efforts"][0] + found["weights"][0], force, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(found["carried"][0], [0.5 * v @ D @ v for D in slopes(q, v)], atol=1e-8)
        np.testing.assert_allclose(found["blocks"][0], np.diag(M), rtol=1e-12)


@needs_heyoka
@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_an_impact_takes_the_energy_that_its_ratio_and_the_mass_matrix_say(e):
    r"""(1 − e²) (u⁻)²/(2 H M⁻¹ Hᵀ), with M and H by hand. Moreau, An expression of classical dynamics, Remark 6.4."""
    motion = vc.simulate(stopped_arm(e), 1.0, LIFTED, progress=False)
    hit = motion.bond("wall").impulses
    t = hit.times[:1]
    q = motion.at(t).q[0]
    before, after = motion.at(t, side="left").v[0], motion.at(t).v[0]
    M, _ = kinetics(q, before)
    H = wall(q)
    W = H @ np.linalg.solve(M, H)
    lost = 0.5 * (before @ M @ before - after @ M @ after)
    assert lost == pytest.approx((1 - e * e) * (H @ before) ** 2 / (2 * W), abs=1e-11)
    np.testing.assert_allclose(M @ (after - before), H * hit.normal[0], atol=1e-11)
    assert H @ after == pytest.approx(-e * (H @ before), abs=1e-11)
