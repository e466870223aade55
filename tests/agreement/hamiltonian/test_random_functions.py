"""Brackets of random functions, and Legendre transforms of random Lagrangians, next to SymPy's derivatives."""

import numpy as np
import pytest
import sympy as sp

import vinculum as vc
from formulas.random_expressions import Expression

h = vc.hamiltonian
SEEDS = [0, 1, 2, *(pytest.param(k, marks=pytest.mark.slow) for k in (3, 4, 5))]


def poisson(f, g, q, p):
    return sum(f.diff(a) * g.diff(b) - f.diff(b) * g.diff(a) for a, b in zip(q, p, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_brackets_of_random_functions(seed):
    """Poisson's bracket once and twice, and Jacobi's identity."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 3
    names = ("x", "y", "z")[:n]
    q, p = sp.symbols(names), sp.symbols([f"p_{a}" for a in names])
    made = [Expression(rng, 2 * n) for _ in range(3)]
    H = h.Hamiltonian("any", names, lambda p: 0.5 * (p @ p))
    a, b, c = (lambda q, p, one=one: one(vc.math, [*q, *p]) for one in made)
    state = rng.uniform(-1, 1, 2 * n)
    A, B, C = (sp.sympify(one(sp, [*q, *p])) for one in made)
    exact = sp.lambdify([*q, *p], [poisson(A, B, q, p), poisson(poisson(A, B, q, p), C, q, p)])(*state)
    at = state[:n], state[n:]
    twice = [H.bracket(H.bracket(u, v), w)(*at) for u, v, w in ((a, b, c), (b, c, a), (c, a, b))]
    assert [H.bracket(a, b)(*at), twice[0]] == pytest.approx(exact, rel=1e-12, abs=1e-12)
    assert sum(twice) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_diracs_bracket_on_a_random_surface(seed):
    """{f, g} − {f, φ} C⁻¹ {φ, g} with a constraint and its rate; it satisfies Jacobi's identity there."""
    rng, n = np.random.default_rng(20 + seed), 2 + seed % 2
    names = ("x", "y", "z")[:n]
    q, p = sp.symbols(names), sp.symbols([f"p_{a}" for a in names])
    bump, slope, energy, *made = (
        Expression(rng, n, 3, 0.3),
        rng.uniform(0.5, 1.5, n),
        *(Expression(rng, 2 * n) for _ in range(4)),
    )
    surface = lambda q: bump(vc.math, q) + slope @ q
    H = h.Hamiltonian("held", names, lambda q, p: 0.5 * (p @ p) + 0.2 * energy(vc.math, [*q, *p]), {"surface": surface})
    phi = bump(sp, q) + sum(float(s) * x for s, x in zip(slope, q, strict=True))
    whole = sum(x**2 for x in p) / 2 + 0.2 * energy(sp, [*q, *p])
    rows = [phi, poisson(phi, whole, q, p)]
    x = rng.uniform(-0.5, 0.5, 2 * n)
    both = sp.lambdify([*q, *p], [rows, [[row.diff(a) for a in (*q, *p)] for row in rows]])
    for _ in range(40):  # Newton's method, to the nearest state on both
        r, J = (np.array(part, float) for part in both(*x))
        x = x - np.linalg.pinv(J) @ r
    number = lambda f: float(sp.lambdify([*q, *p], f)(*x))
    C = np.array([[number(poisson(a, b, q, p)) for b in rows] for a in rows])
    A, B = (sp.sympify(one(sp, [*q, *p])) for one in made[:2])

    def dirac(f, g):
        left, right = (
            [number(poisson(*pair, q, p)) for pair in pairs]
            for pairs in ([(f, r) for r in rows], [(r, g) for r in rows])
        )
        return number(poisson(f, g, q, p)) - np.array(left) @ np.linalg.solve(C, right)

    at, D = (x[:n], x[n:]), H.dirac_bracket
    a, b, c = (lambda q, p, one=one: one(vc.math, [*q, *p]) for one in made)
    assert D(a, b)(*at) == pytest.approx(dirac(A, B), rel=1e-11, abs=1e-11)
    assert H.rates(*at) == pytest.approx([dirac(one, whole) for one in (*q, *p)], rel=1e-11, abs=1e-11)
    assert D(D(a, b), c)(*at) + D(D(b, c), a)(*at) + D(D(c, a), b)(*at) == pytest.approx(0.0, abs=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("quartic", [False, True])
def test_legendre_transforms_of_random_lagrangians(quartic, seed):
    """With gyroscopic terms, and with momenta that are not linear in velocities."""
    rng, n = np.random.default_rng(40 + seed), 1 + seed % 3
    names = ("x", "y", "z")[:n]
    mass, gyroscopic, potential = (
        Expression(rng, n, 2, 0.4),
        [Expression(rng, n, 2) for _ in range(n)],
        Expression(rng, n),
    )

    def lagrangian(math, q, v):
        square = sum(x * x for x in v)
        found = (1.5 + mass(math, q) ** 2) * square / 2 + sum(v[:-1]) * v[-1] / 3 - potential(math, q)
        found = found + sum(a(math, q) * x for a, x in zip(gyroscopic, v, strict=True))
        return found + square**2 / 4 if quartic else found

    H = h.Hamiltonian.of(vc.LagrangianSystem("any", names, lambda q, v: lagrangian(vc.math, q, v)))
    q, v = sp.symbols(names), sp.symbols([f"{a}_dot" for a in names])
    L, (at, speed) = lagrangian(sp, q, v), rng.uniform(-1, 1, (2, n))
    p, slope, (value,) = (np.array(x, float) for x in sp.lambdify(
        [*q, *v], [[L.diff(x) for x in v], [L.diff(x) for x in q], [L]])(*at, *speed))  # fmt: skip
    assert H.momentum(at, speed) == pytest.approx(p, rel=1e-13, abs=1e-13)
    assert H(at, p) == pytest.approx(p @ speed - value, rel=1e-12, abs=1e-12)
    assert H.rates(at, p) == pytest.approx([*speed, *slope], rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_ostrogradskys_hamiltonian_of_random_lagrangians(seed):
    rng = np.random.default_rng(60 + seed)
    mass, mixed, rest = Expression(rng, 2, 2, 0.4), Expression(rng, 2, 2), Expression(rng, 2)

    def lagrangian(math, x, v, a):
        return (1.0 + mass(math, (x, v)) ** 2) * a**2 / 2 + mixed(math, (x, v)) * a - rest(math, (x, v))

    H = h.Hamiltonian.of(vc.LagrangianSystem(
        "second", ["x"], lambda x, x_dot, x_ddot: lagrangian(vc.math, x, x_dot, x_ddot)))  # fmt: skip
    x, v, a, j = sp.symbols("x v a j")
    L = lagrangian(sp, x, v, a)
    second = L.diff(a)
    first = L.diff(v) - (second.diff(x) * v + second.diff(v) * a + second.diff(a) * j)
    state = rng.uniform(-1, 1, 4)
    energy = first * v + second * a - L
    p0, p1, E, fx, fv = sp.lambdify([x, v, a, j], [first, second, energy, L.diff(x), L.diff(v)])(*state)
    assert H(state[:2], [p0, p1]) == pytest.approx(E, rel=1e-11, abs=1e-11)
    assert H.rates(state[:2], [p0, p1]) == pytest.approx([state[1], state[2], fx, fv - p0], rel=1e-11, abs=1e-11)
