"""Hamiltonians and brackets whose formulas are known."""

import numpy as np
import pytest
import sympy

import vinculum as vc
from vinculum import math as m

Hamiltonian = vc.hamiltonian.Hamiltonian
x, y, z, px, py, pz = sympy.symbols("x y z p_x p_y p_z", real=True)


@pytest.mark.parametrize("p", [8.0, -8.0, 8e-6, 8e6, 1e-12, 0.0])
def test_a_quartic_kinetic_energy_has_its_transform_where_the_hessian_vanishes_at_rest(p):
    """L = ẋ⁴/4: p = ẋ³ and H = ¾ |p|^(4/3)."""
    one = Hamiltonian.of(vc.LagrangianSystem("quartic", ["x"], lambda x_dot: x_dot**4 / 4))
    assert one([0.0], [p]) == pytest.approx(0.75 * abs(p) ** (4 / 3), rel=1e-12, abs=0.0)


def test_a_sum_of_quartic_energies_has_the_sum_of_their_transforms():
    two = Hamiltonian.of(vc.LagrangianSystem("quartics", ["x", "y"], lambda x_dot, y_dot: (x_dot**4 + y_dot**4) / 4))
    p = np.array([[8.0, 1e-3], [8.0, 0.0], [0.0, -8.0], [1e4, 1e-4], [-3.0, 2.0]])
    assert two(np.zeros((5, 2)), p) == pytest.approx(0.75 * (np.abs(p) ** (4 / 3)).sum(axis=1), rel=1e-11)


def test_a_pendulum_has_its_textbook_formulas():
    length, g = vc.parameter("l", 2.0), vc.parameter("g", 9.81)
    system = vc.LagrangianSystem(
        "pendulum", ["theta"], lambda theta, theta_dot: length**2 * theta_dot**2 / 2 + g * length * m.cos(theta)
    )
    assert Hamiltonian.of(system).latex().splitlines() == [
        r"H = - g l \cos{\left(\theta \right)} + \frac{p_{\theta}^{2}}{2 l^{2}}",
        r"\dot{\theta} = \frac{p_{\theta}}{l^{2}}",
        r"\dot{p_{\theta}} = - g l \sin{\left(\theta \right)}",
    ]


def test_momenta_that_are_not_linear_are_inverted_by_newton():
    """L = −√(1 − v²) − x²/2 has H = √(1 + p²) + x²/2 and v = p/√(1 + p²)."""
    system = vc.LagrangianSystem("relativistic", ["x"], lambda x, x_dot: -m.sqrt(1 - x_dot**2) - x**2 / 2)
    H, p = Hamiltonian.of(system), np.array([[-40.0], [-1.0], [-1e-9], [0.0], [0.3], [8.0], [300.0]])
    q = np.full_like(p, 0.4)
    assert H(q, p) == pytest.approx(np.sqrt(1 + p[:, 0] ** 2) + 0.08, rel=1e-13)
    assert H.rates(q, p) == pytest.approx(np.column_stack([p / np.sqrt(1 + p**2), -q]), rel=1e-12, abs=1e-15)
    assert r"p_{x} = \frac{\dot{x}}{\sqrt{1 - \dot{x}^{2}}}" in H.latex().splitlines()


def test_ostrogradsky_of_pais_and_uhlenbeck():
    system = vc.LagrangianSystem(
        "Pais-Uhlenbeck", ["x"], lambda x, x_dot, x_ddot: x_ddot**2 / 2 - 13 * x_dot**2 / 20 + x**2 / 5
    )
    H = Hamiltonian.of(system)
    assert H.coordinates == ("x", "x_dot") and H.momenta == ("p_x", "p_x_dot")
    v, pi = sympy.symbols("x_dot p_x_dot", real=True)
    assert sympy.simplify(H.energy.sympy() - (px * v + pi**2 / 2 + sympy.Rational(13, 20) * v**2 - x**2 / 5)) == 0


def test_ostrogradsky_with_momenta_that_are_not_linear():
    """L = a⁴/4 + v²/2: H = p v + ¾ π^(4/3) − v²/2."""
    system = vc.LagrangianSystem(
        "quartic", ["x"], lambda x_dot, x_ddot: x_ddot**4 / 4 + x_ddot**2 / 1000 + x_dot**2 / 2
    )
    a = 1.3
    state = ([0.2, 0.7], [0.4, a**3 + a / 500])
    assert Hamiltonian.of(system)(*state) == pytest.approx(
        0.4 * 0.7 + (a**3 + a / 500) * a - a**4 / 4 - a**2 / 1000 - 0.245, rel=1e-13
    )


def test_dirac_brackets_on_a_sphere():
    """{x_i, x_j} = 0, {x_i, p_j} = δ_ij − x_i x_j/r², {p_i, p_j} = (x_j p_i − x_i p_j)/r²."""
    H = Hamiltonian("sphere", ["x", "y", "z"], lambda q, p: p @ p / 2, {"radius": lambda q: q @ q - 1.0})
    square = x**2 + y**2 + z**2
    assert H.dirac_bracket(lambda x: x, lambda y: y).sympy() == 0
    assert sympy.simplify(H.dirac_bracket(lambda x: x, lambda p_x: p_x).sympy() - (1 - x**2 / square)) == 0
    assert sympy.simplify(H.dirac_bracket(lambda x: x, lambda p_y: p_y).sympy() + x * y / square) == 0
    assert sympy.simplify(H.dirac_bracket(lambda p_x: p_x, lambda p_y: p_y).sympy() - (y * px - x * py) / square) == 0
    assert H.bracket(lambda x: x, lambda p_x: p_x).sympy() == 1


def test_second_class_constraints_on_momenta():
    """A charge in a strong field keeps p_x + y/2 = 0 and p_y − x/2 = 0: {x, y}_D = ∓1, and the motion is the drift along levels of V."""
    V = lambda x, y: x**2 + 2 * y**2 + x * y
    H = Hamiltonian("drift", ["x", "y"], V, {"a": lambda p_x, y: p_x + y / 2, "b": lambda p_y, x: p_y - x / 2})
    assert abs(H.dirac_bracket(lambda x: x, lambda y: y).sympy()) == 1
    q = np.array([0.3, -0.8])
    rates = H.rates(q, [-q[1] / 2, q[0] / 2])
    sign = float(H.dirac_bracket(lambda x: x, lambda y: y).sympy())
    slope = np.array([2 * q[0] + q[1], 4 * q[1] + q[0]])
    assert rates[:2] == pytest.approx([sign * slope[1], -sign * slope[0]], rel=1e-14)
    assert rates[:2] @ slope == pytest.approx(0.0, abs=1e-14)


def test_angular_momenta_close():
    H = Hamiltonian("free", ["x", "y", "z"], lambda p: p @ p / 2)
    L = [H.function(lambda q, p, k=k: m.cross(q, p)[k], f"L_{k}") for k in range(3)]
    for i in range(3):
        made = H.bracket(L[i], L[(i + 1) % 3]).sympy() - L[(i + 2) % 3].sympy()
        assert sympy.expand(made) == 0
