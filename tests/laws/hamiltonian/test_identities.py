"""Identities of brackets, symplectic maps and spectra."""

import numpy as np
import pytest

import vinculum as vc
from hamiltonians import double_pendulum_bodies, henon_heiles, henon_heiles_start, random_function
from vinculum import math as m

h = vc.hamiltonian


def constrained() -> h.Hamiltonian:
    return h.Hamiltonian("torus", ["x", "y", "z"], lambda q, p: p @ p / 2 + q[2],
                         {"torus": lambda x, y, z: (m.sqrt(x**2 + y**2) - 2.0) ** 2 + z**2 - 0.5})  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_brackets_are_skew_and_satisfy_jacobi_and_leibniz(seed):
    H = h.Hamiltonian("plain", ["x", "y"], random_function(2, 7))
    f, g, k = (H.function(random_function(2, 10 * seed + i)) for i in range(3))
    q, p = np.random.default_rng(seed).normal(size=(2, 30, 2))
    assert H.bracket(f, g)(q, p) == pytest.approx(-H.bracket(g, f)(q, p), abs=1e-13)
    cyclic = sum(H.bracket(a, H.bracket(b, c))(q, p) for a, b, c in ((f, g, k), (g, k, f), (k, f, g)))
    assert np.abs(cyclic).max() < 1e-11
    product = H.function(lambda q, p: random_function(2, 10 * seed)(q, p) * random_function(2, 10 * seed + 1)(q, p))
    assert H.bracket(product, k)(q, p) == pytest.approx(
        f(q, p) * H.bracket(g, k)(q, p) + g(q, p) * H.bracket(f, k)(q, p), abs=1e-11
    )


def test_dirac_brackets_satisfy_jacobi_and_keep_constraints():
    H = constrained()
    f, g, k = (H.function(random_function(3, i)) for i in range(3))
    q, p = np.random.default_rng(3).normal(size=(2, 30, 3))
    for i in range(2):
        one = type(f)(H.space, ("chi",), np.array(H.constraint_functions.graphs[i], dtype=object))
        assert np.abs(H.dirac_bracket(one, f)(q, p)).max() < 1e-10
    cyclic = sum(H.dirac_bracket(a, H.dirac_bracket(b, c))(q, p) for a, b, c in ((f, g, k), (g, k, f), (k, f, g)))
    assert np.abs(cyclic).max() < 1e-8


def step_jacobian(H, method, order, q, p, step, size=1e-6):
    """The derivative of one step by differences of fourth order."""
    n = len(q)
    x = np.concatenate([q, p])
    shifts = np.concatenate([size * k * np.eye(2 * n) for k in (-2, -1, 1, 2)])
    rows = x + shifts
    made = h.integrate(H, step, rows[:, :n], rows[:, n:], step=step, method=method, order=order)
    ends = np.concatenate([made.q[:, -1], made.p[:, -1]], axis=1).reshape(4, 2 * n, 2 * n)
    return ((ends[0] - ends[3]) + 8 * (ends[2] - ends[1])).T / (12 * size)


@pytest.mark.parametrize(("method", "order"), [("gauss", 2), ("gauss", 8), ("splitting", 4), ("splitting", 8)])
def test_steps_are_symplectic(method, order):
    q, p = henon_heiles_start(1 / 8, 0.1, 0.05)
    S = step_jacobian(henon_heiles(), method, order, np.array(q), np.array(p), 0.4)
    J = np.kron([[0, 1], [-1, 0]], np.eye(2))
    assert pytest.approx(J, abs=1e-8) == S.T @ J @ S


def test_variational_steps_are_symplectic_and_differ_from_the_flow():
    H = h.Hamiltonian.of(double_pendulum_bodies())
    q = np.array([1.0, 0.5])
    p = H.momentum(q, [0.4, -0.8])
    S = step_jacobian(H, "variational", 2, q, p, 0.1)
    J = np.kron([[0, 1], [-1, 0]], np.eye(2))
    assert pytest.approx(J, abs=1e-7) == S.T @ J @ S
    assert np.abs(S - step_jacobian(H, "gauss", 8, q, p, 0.1)).max() > 1e-3


def test_steps_are_reversible():
    H, (q, p) = henon_heiles(), henon_heiles_start(1 / 8, 0.1, 0.05)
    for method, order in (("gauss", 6), ("splitting", 8), ("splitting", 2)):
        there = h.integrate(H, 4.0, q, p, step=0.2, method=method, order=order)
        back = h.integrate(H, 4.0, there.q[-1], -there.p[-1], step=0.2, method=method, order=order)
        assert back.q[-1] == pytest.approx(q, abs=1e-13) and -back.p[-1] == pytest.approx(p, abs=1e-13)


@pytest.mark.parametrize(("method", "order"), [("gauss", 4), ("splitting", 4), ("splitting", 8)])
def test_the_energy_stays_near_for_long(method, order):
    """It oscillates and does not drift: the second half of a long run is as near as the first."""
    H, (q, p) = henon_heiles(), henon_heiles_start(1 / 12, 0.1, 0.0)
    motion = h.integrate(H, 2e4, q, p, step=0.2, method=method, order=order, every=10)
    error = np.abs(motion.energy - motion.energy[0])
    half = len(error) // 2
    assert error[half:].max() < 2 * error[:half].max() + 1e-14 and error.max() < 1e-4


def test_spectra_pair_and_sum_to_zero():
    H = h.Hamiltonian.of(double_pendulum_bodies())
    q = np.array([[2.0, 0.5], [0.2, 0.1], [-1.5, 2.0]])
    found = h.lyapunov_spectrum(H, 20.0, q, H.momentum(q, np.full((3, 2), 0.3)))
    assert found.exponents.sum(axis=1) == pytest.approx(0.0, abs=1e-8)
    assert found.exponents + found.exponents[:, ::-1] == pytest.approx(0.0, abs=1e-8)
    assert found.exponents[0, 0] > 0.5 > found.exponents[1, 0]


def test_pickles_and_copies_are_the_same():
    import copy
    import pickle

    H = h.Hamiltonian.of(double_pendulum_bodies())
    again = pickle.loads(pickle.dumps(H))
    assert copy.deepcopy(H) is H and again([0.1, 0.2], [0.3, 0.4]) == H([0.1, 0.2], [0.3, 0.4])
