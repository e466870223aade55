"""Geometry of random metrics and surfaces next to the textbook's formulas, on derivatives of g that SymPy takes."""

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp

import vinculum as vc
from formulas.random_expressions import Expression, field

g = vc.geometry
SEEDS = [0, 1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]


class Textbook:
    """g, Γ and R_ijkl of a matrix of SymPy expressions, without any code of the library."""

    def __init__(self, matrix, symbols):
        n, G = len(symbols), sp.Matrix(matrix)
        first = [x.diff(a) for x in G for a in symbols]
        second = [x.diff(a, b) for x in G for a in symbols for b in symbols]
        self.n, self.numbers = n, sp.lambdify(symbols, [list(G), first, second], cse=True)

    def at(self, q):
        n = self.n
        return [np.array(x, float).reshape((n,) * k) for x, k in zip(self.numbers(*q), (2, 3, 4), strict=True)]

    def gamma(self, q):
        G, d, _ = self.at(q)
        lowered = 0.5 * (d + np.einsum("mji->mij", d) - np.einsum("ijm->mij", d))
        return np.linalg.solve(G, lowered.reshape(self.n, -1)).reshape((self.n,) * 3)

    def riemann(self, q):
        G, _, d = self.at(q)
        gamma = self.gamma(q)
        R = (
            np.einsum("iljk->ijkl", d)
            + np.einsum("jkil->ijkl", d)
            - np.einsum("ikjl->ijkl", d)
            - np.einsum("jlik->ijkl", d)
        )
        products = np.einsum("np,njk,pil->ijkl", G, gamma, gamma)
        return 0.5 * R + products - np.swapaxes(products, 2, 3)


def given(rng, n, names):
    """A metric A Aᵀ + 0.3 with random A."""
    frame = [[Expression(rng, n, 2, 0.5) for _ in range(n)] for _ in range(n)]

    def components(math, q):
        A = [[frame[i][j](math, q) + 1.0 * (i == j) for j in range(n)] for i in range(n)]
        return [[sum(A[k][i] * A[k][j] for k in range(n)) + 0.3 * (i == j) for j in range(n)] for i in range(n)]

    symbols = sp.symbols(names)
    return g.Metric("given", names, lambda q: components(vc.math, q)), Textbook(components(sp, symbols), symbols)


def embedded(rng, n, names):
    """A random surface in a space of one dimension more."""
    bumps, slopes = [Expression(rng, n, 2, 0.6) for _ in range(n + 1)], rng.uniform(-1, 1, (n + 1, n)).round(2)
    slopes[:n] += np.eye(n)

    def places(math, q):
        return [
            bump(math, q) + sum(float(c) * x for c, x in zip(row, q, strict=True))
            for bump, row in zip(bumps, slopes, strict=True)
        ]

    symbols = sp.symbols(names)
    J = sp.Matrix(places(sp, symbols)).jacobian(list(symbols))
    return g.Embedding("surface", names, lambda q: places(vc.math, q)).metric, Textbook(J.T * J, symbols)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("made", "n"), [(given, 2), (embedded, 2), pytest.param(given, 3, marks=pytest.mark.slow),
                                         pytest.param(embedded, 3, marks=pytest.mark.slow)])  # fmt: skip
def test_curvature_and_derivatives_are_those_of_the_textbook(made, n, seed):
    rng, names = np.random.default_rng(seed), ("u", "beta", "x1")[:n]
    metric, book = made(rng, n, names)
    q, u, w = rng.uniform(-0.6, 0.6, (3, n))
    (G, d, _), gamma, R = book.at(q), book.gamma(q), book.riemann(q)
    inverse, close = np.linalg.inv(G), {"rtol": 1e-10, "atol": 1e-10}
    ricci = np.einsum("ik,ijkl->jl", inverse, R)
    np.testing.assert_allclose(metric(q), G, **close)
    np.testing.assert_allclose(metric.christoffel(q), gamma, **close)
    np.testing.assert_allclose(metric.riemann(q), R, **close)
    np.testing.assert_allclose(metric.scalar_curvature(q), np.sum(inverse * ricci), **close)
    np.testing.assert_allclose(metric.volume_density(q), np.sqrt(np.linalg.det(G)), **close)
    K = np.einsum("ijkl,i,j,k,l", R, u, w, u, w) / ((u @ G @ u) * (w @ G @ w) - (u @ G @ w) ** 2)
    np.testing.assert_allclose(g.sectional_curvature(metric, q, u, w), K, **close)

    symbols = sp.symbols(names)
    f, vectors, stresses = Expression(rng, n), field(rng, n, 1), field(rng, n, 2)
    value = f(sp, symbols)
    slope = np.array(sp.lambdify(symbols, [value.diff(a) for a in symbols])(*q), float)
    hessian = np.array(sp.lambdify(symbols, [[value.diff(a, b) for a in symbols] for b in symbols])(*q), float)
    laplacian = np.sum(inverse * (hessian - np.einsum("kij,k->ij", gamma, slope)))
    np.testing.assert_allclose(g.laplace_beltrami(metric, lambda q: f(vc.math, q))(q), laplacian, **close)
    v, dv = vectors.numbers(symbols, q)
    found = g.deformation(metric, lambda q: vectors(vc.math, q))(q)
    np.testing.assert_allclose(found, 0.5 * (d @ v + dv.T @ G + G @ dv), **close)
    T, dT = stresses.numbers(symbols, q)
    mixed = dT + np.einsum("iak,aj->ijk", gamma, T) - np.einsum("ajk,ia->ijk", gamma, T)
    np.testing.assert_allclose(g.covariant_derivative(metric, lambda q: stresses(vc.math, q), "^_")(q), mixed, **close)
    S, dS = T + T.T, dT + np.swapaxes(dT, 0, 1)
    spread = np.einsum("iji->j", dS + np.einsum("iak,aj->ijk", gamma, S) + np.einsum("jak,ia->ijk", gamma, S))
    symmetric = lambda q: stresses(vc.math, q) + stresses(vc.math, q).T
    np.testing.assert_allclose(g.equilibrium(metric, symmetric)(q), G @ spread, **close)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("made", [given, embedded])
def test_geodesics_and_transport_agree_with_scipy(made, seed):
    rng, n = np.random.default_rng(10 + seed), 2
    metric, book = made(rng, n, ("u", "w"))
    q, v, w = rng.uniform(-0.4, 0.4, (3, n))

    def rates(t, s):
        gamma, v = book.gamma(s[:n]), s[n : 2 * n]
        return np.concatenate([v, *(-np.einsum("kij,i,j->k", gamma, v, x) for x in (v, s[2 * n :]))])

    end = solve_ivp(rates, (0.0, 1.0), np.concatenate([q, v, w]), method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(g.exponential(metric, q, v), end[:n], atol=1e-10)
    np.testing.assert_allclose(g.parallel_transport(metric, (q, v), w, 1.0).w[-1], end[2 * n :], atol=1e-10)
    between = g.geodesic_between(metric, q, end[:n])
    assert np.sqrt(2.0 * between.action) == pytest.approx(np.sqrt(v @ metric(q) @ v), rel=1e-8)
