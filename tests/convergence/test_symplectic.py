"""Orders of symplectic methods, measured."""

import numpy as np
import pytest

import vinculum as vc
from hamiltonians import double_pendulum_bodies, henon_heiles, henon_heiles_start
from vinculum.geometry.hamiltonian.symplectic.coefficients import composition, gauss_legendre

h = vc.hamiltonian


def measure(H, q, p, until, method, order, steps, exact):
    errors = []
    for step in steps:
        made = h.integrate(H, until, q, p, step=step, method=method, order=order)
        errors.append(np.abs(np.concatenate([made.q[-1], made.p[-1]]) - exact).max())
    return np.log2(np.array(errors[:-1]) / errors[1:])


@pytest.mark.parametrize("method", ["gauss", "splitting"])
@pytest.mark.parametrize("order", [2, 4, 6, 8])
def test_methods_have_their_orders(method, order):
    H, (q, p) = henon_heiles(), henon_heiles_start(1 / 12, 0.1, 0.2)
    reference = h.integrate(H, 10.0, q, p, step=0.01, order=8)
    exact = np.concatenate([reference.q[-1], reference.p[-1]])
    found = measure(H, q, p, 10.0, method, order, (0.5, 0.25, 0.125), exact)
    assert found == pytest.approx(order, abs=0.15)


def test_gauss_methods_have_their_orders_on_a_tree():
    H = h.Hamiltonian.of(double_pendulum_bodies())
    q, p = [1.0, 0.5], H.momentum([1.0, 0.5], [0.2, 0.1])
    reference = h.integrate(H, 1.0, q, p, step=0.001, order=8)
    exact = np.concatenate([reference.q[-1], reference.p[-1]])
    for method, order, steps in (("gauss", 4, (0.02, 0.01, 0.005)), ("variational", 2, (0.02, 0.01, 0.005))):
        assert measure(H, q, p, 1.0, method, order, steps, exact) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("order", [2, 4, 6, 8])
def test_forces_that_depend_on_time_keep_the_order(order):
    H = h.Hamiltonian("driven", ["x"], lambda x, p_x, t: p_x**2 / 2 + x**4 / 4 - 0.3 * x * vc.math.cos(1.3 * t))
    reference = h.integrate(H, 8.0, [0.4], [0.1], step=0.01, order=8)
    exact = np.concatenate([reference.q[-1], reference.p[-1]])
    for method in ("gauss", "splitting"):
        found = measure(H, [0.4], [0.1], 8.0, method, order, (0.4, 0.2, 0.1), exact)
        assert found[-1] == pytest.approx(order, abs=0.5)


def test_coefficients_satisfy_their_conditions():
    for order in (4, 6, 8):
        kicks, drifts = composition(order)
        assert kicks.sum() == pytest.approx(1.0, abs=1e-15)
        assert [np.sum(drifts**k) for k in range(1, order, 2)] == pytest.approx(
            [1.0] + [0.0] * (order // 2 - 1), abs=1e-14
        )
    for stages in (1, 2, 3, 4):
        A, b, c, E = gauss_legendre(stages)
        for k in range(1, 2 * stages + 1):
            assert b @ c ** (k - 1) == pytest.approx(1 / k, abs=1e-14)
        for k in range(1, stages + 1):
            assert A @ c ** (k - 1) == pytest.approx(c**k / k, abs=1e-14)
            assert E @ c ** (k - 1) == pytest.approx((1 + c) ** (k - 1), abs=1e-12)
        assert b[:, None] * A + (b[:, None] * A).T == pytest.approx(np.outer(b, b), abs=1e-15)
