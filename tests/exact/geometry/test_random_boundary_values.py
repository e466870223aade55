"""Boundary-value problems with random data that have closed forms."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import vinculum as vc
from vinculum import math as m

Problem = vc.geometry.BoundaryValueProblem
SEEDS = [0, 1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]


def length(y_dot):
    return m.sqrt(1.0 + y_dot**2)


@pytest.mark.parametrize("kind", ["least", "stationary"])
@pytest.mark.parametrize("seed", SEEDS)
def test_gyroscopic_oscillators_between_two_places(seed, kind):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 3
    A, B, W = rng.normal(size=(3, n, n))
    M, K, W, until = A @ A.T + np.eye(n), B @ B.T, 0.5 * (W - W.T), rng.uniform(0.3, 0.8)
    names = ("x", "y", "z")[:n]
    system = vc.LagrangianSystem("oscillators", names, lambda q, v: 0.5 * (v @ M @ v - q @ K @ q) + q @ W @ v)
    F = expm(until * np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), np.linalg.solve(M, 2.0 * W)]]))
    first, last = rng.normal(size=(2, n))
    exact = np.linalg.solve(F[:n, n:], last - F[:n, :n] @ first)
    ends = (dict(zip(names, x.tolist(), strict=True)) for x in (first, last))
    assert Problem(system, *ends, until=until).solve(kind=kind).velocity(0.0) == pytest.approx(exact, rel=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_chain_hangs_in_a_catenary(seed):
    """Ends at different heights, and a given length."""
    rng = np.random.default_rng(seed)
    a, rise = rng.uniform(0.5, 1.5), rng.uniform(-0.3, 0.3)
    long = np.hypot(2.0 * a, rise) * rng.uniform(1.05, 1.4)
    k = brentq(lambda k: 2.0 * k * np.sinh(a / k) - np.sqrt(long**2 - rise**2), a / 20, 1e3, xtol=1e-15)
    low = -k * np.arctanh(rise / long)
    chain = vc.LagrangianSystem("chain", ["y"], lambda y, y_dot: y * length(y_dot))
    given = Problem(chain, {"y": 0.0}, {"y": rise}, begin=-a, until=a, integrals={"chain": (length, long)})
    curve, t = given.solve(lambda t: (rise * (t + a) / (2.0 * a) - 0.3 * (1.0 - (t / a) ** 2),)), np.linspace(-a, a, 9)
    exact = k * (np.cosh((t - low) / k) - np.cosh((-a - low) / k))
    assert [float(np.ravel(curve.at(x))[0]) for x in t] == pytest.approx(exact, abs=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_shortest_way_that_encloses_an_area_is_an_arc(seed):
    """Heisenberg's group: ż = (x ẏ − y ẋ)/2 as a vakonomic constraint, and the square of the velocity as cost."""
    rng = np.random.default_rng(seed)
    area, chord = rng.uniform(0.2, 1.0), rng.uniform(0.3, 1.0)
    angle = brentq(lambda s: (s - np.sin(s)) / (8.0 * np.sin(s / 2) ** 2) - area / chord**2, 1e-4, 2 * np.pi - 1e-6)
    arc = 0.5 * chord / np.sin(angle / 2) * angle
    enclosed = lambda x, y, x_dot, y_dot, z_dot: z_dot - 0.5 * (x * y_dot - y * x_dot)
    system = vc.LagrangianSystem(
        "Heisenberg", ["x", "y", "z"], lambda v: 0.5 * (v[0] ** 2 + v[1] ** 2),
        constraints={"area": (enclosed, vc.Vakonomic(multipliers=0.0))},
    )  # fmt: skip
    end = {"x": chord, "y": 0.0, "z": area}
    curve = Problem(system, dict.fromkeys(end, 0.0), end, until=1.0).solve(
        lambda t: (chord * t, -2.0 * area * np.sin(np.pi * t), area * t)
    )
    assert curve.action == pytest.approx(0.5 * arc**2, rel=1e-9)
