"""Hamilton's equations of Lagrangians, as formulas: those of the books, and those that motions obey."""

import numpy as np
import pytest
import sympy

import vinculum as vc

cos, sin = vc.math.cos, vc.math.sin


def symbol(name):
    return sympy.Symbol(name, real=True)


def test_a_spherical_pendulum_has_the_hamiltonian_of_every_book():
    m, l, g = (vc.parameter(name, x) for name, x in (("m", 1.0), ("l", 2.0), ("g", 9.81)))
    system = vc.LagrangianSystem(
        "pendulum",
        ["theta", "phi"],
        lambda theta, theta_dot, phi_dot: (
            m * l**2 * (theta_dot**2 + sin(theta) ** 2 * phi_dot**2) / 2 + m * g * l * cos(theta)
        ),
        dissipation=lambda theta_dot: [-0.1 * theta_dot, 0],
    )
    found = system.canonical()
    M, l_, g_, theta, p, J = map(symbol, ("m", "l", "g", "theta", "p_theta", "p_phi"))
    known = p**2 / (2 * M * l_**2) + J**2 / (2 * M * l_**2 * sympy.sin(theta) ** 2) - M * g_ * l_ * sympy.cos(theta)
    assert sympy.simplify(found.hamiltonian - known) == 0
    known = [
        p / (M * l_**2),
        J / (M * l_**2 * sympy.sin(theta) ** 2),
        -sympy.diff(known, theta) - p / (10 * M * l_**2),
        0,
    ]
    assert [sympy.simplify(a - b) for a, b in zip(found.rates, known, strict=True)] == [0] * 4
    assert found.latex().splitlines()[1] == r"\dot{\theta} = \frac{p_{\theta}}{l^{2} m}"


@pytest.mark.slow
def test_momenta_of_a_motion_follow_the_formulas():
    """With gyroscopic terms, time, drag and a mass matrix that is full; derivatives by differences of the dense output."""
    system = vc.LagrangianSystem(
        "coupled",
        ["x", "y"],
        lambda x, y, x_dot, y_dot, t: (
            x_dot**2 + (1 + 0.5 * cos(x)) * x_dot * y_dot + y_dot**2 + (0.3 * y + t) * x_dot - x**2 * y**2 - cos(t) * x
        ),
        dissipation=lambda v: [-0.2 * v[0], -0.1 * v[1]],
    )
    motion = vc.simulate(system, 3.0, ([0.4, -0.3], [0.5, 0.2]), progress=False)
    found = system.canonical()
    rates = sympy.lambdify((*found.coordinates, *found.momenta, symbol("t")), found.rates)
    t, h = np.linspace(0.1, 2.9, 15), 1e-4
    ahead, behind, here = motion.at(t + h), motion.at(t - h), motion.at(t)
    measured = np.concatenate([ahead.q - behind.q, ahead.record.momenta - behind.record.momenta], axis=1) / (2 * h)
    known = np.array([rates(*q, *p, s) for q, p, s in zip(here.q, here.record.momenta, t, strict=True)])
    np.testing.assert_allclose(measured, known, rtol=0, atol=2e-7)
    H = sympy.lambdify((*found.coordinates, *found.momenta, symbol("t")), found.hamiltonian)
    assert H(0.4, -0.3, 0.7, 0.2, 1.5) == pytest.approx(
        system.legendre.hamiltonian([0.4, -0.3], [0.7, 0.2], t=1.5), abs=1e-13
    )


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (
            lambda: vc.LagrangianSystem("r", ["x"], lambda x_dot: -vc.math.sqrt(1 - x_dot**2)),
            "not linear in the velocities",
        ),
        (lambda: vc.LagrangianSystem("r", ["x", "y"], lambda x, y_dot: x * y_dot), "Hessian .* is singular"),
        (lambda: vc.LagrangianSystem("r", ["x"], lambda x_ddot: x_ddot**2), "is of order 2"),
        (
            lambda: vc.LagrangianSystem(
                "r", ["x", "y"], lambda v: v @ v, constraints={"c": (lambda q: q @ q - 1, vc.DAlembert())}
            ),
            "its constraints c bind the momenta",
        ),
    ],
)
def test_what_has_no_hamiltonian_formula_says_why(system, message):
    with pytest.raises(vc.errors.VinculumError, match=message):
        system().canonical()
