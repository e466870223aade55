"""The formulas are those of the books: as text, and by SymPy's own subtraction."""

import sympy
from sympy import Rational, cos, sin

import vinculum as vc
from machines import cart_pole, double_pendulum, from_the_vertical, spherical_pendulum, top


def left_sides(symbolic):
    return [equation.lhs for equation in symbolic.equations]


def test_the_double_pendulum_in_angles_from_the_vertical_is_that_of_the_books():
    equations = vc.derive(double_pendulum(), coordinates=from_the_vertical)
    found = equations.sympy()
    (a, b), (va, vb), (aa, ab) = found.coordinates, found.velocities, found.accelerations
    m1, m2, l1, l2, g = (found.parameters[name] for name in ("m1", "m2", "l1", "l2", "g"))
    by_hand = [
        (m1 + m2) * l1**2 * aa + m2 * l1 * l2 * ab * cos(a - b) + m2 * l1 * l2 * vb**2 * sin(a - b) + (m1 + m2) * g * l1 * sin(a),
        m2 * l2**2 * ab + m2 * l1 * l2 * aa * cos(a - b) - m2 * l1 * l2 * va**2 * sin(a - b) + m2 * g * l2 * sin(b),
    ]  # fmt: skip
    for ours, book in zip(left_sides(found), by_hand, strict=True):
        assert sympy.expand(ours - book) == 0
    assert equations.lines() == [
        r"\left(m_{1} + m_{2}\right) l_{1}^{2} \ddot{\theta}_{1}"
        r" + m_{2} l_{1} l_{2} \ddot{\theta}_{2} \cos\left(\theta_{1} - \theta_{2}\right)"
        r" + m_{2} l_{1} l_{2} \dot{\theta}_{2}^{2} \sin\left(\theta_{1} - \theta_{2}\right)"
        r" + \left(m_{1} + m_{2}\right) g l_{1} \sin \theta_{1} = 0",
        r"m_{2} l_{1} l_{2} \ddot{\theta}_{1} \cos\left(\theta_{1} - \theta_{2}\right) + m_{2} l_{2}^{2} \ddot{\theta}_{2}"
        r" - m_{2} l_{1} l_{2} \dot{\theta}_{1}^{2} \sin\left(\theta_{1} - \theta_{2}\right) + m_{2} g l_{2} \sin \theta_{2} = 0",
    ]


def test_the_double_pendulum_in_relative_angles_is_that_of_the_books():
    found = vc.derive(double_pendulum()).sympy()
    (a, b), (va, vb), (aa, ab) = found.coordinates, found.velocities, found.accelerations
    m1, m2, l1, l2, g = (found.parameters[name] for name in ("m1", "m2", "l1", "l2", "g"))
    coupled = m2 * l2**2 + m2 * l1 * l2 * cos(b)
    by_hand = [
        ((m1 + m2) * l1**2 + m2 * l2**2 + 2 * m2 * l1 * l2 * cos(b)) * aa + coupled * ab
        - m2 * l1 * l2 * (2 * va * vb + vb**2) * sin(b) + (m1 + m2) * g * l1 * sin(a) + m2 * g * l2 * sin(a + b),
        coupled * aa + m2 * l2**2 * ab + m2 * l1 * l2 * va**2 * sin(b) + m2 * g * l2 * sin(a + b),
    ]  # fmt: skip
    for ours, book in zip(left_sides(found), by_hand, strict=True):
        assert sympy.expand(ours - book) == 0


def test_the_cart_pole_with_spring_damper_and_drive_is_that_of_the_books():
    equations = vc.derive(cart_pole())
    found = equations.sympy()
    (x, f), (_, vf), (ax, af) = found.coordinates, found.velocities, found.accelerations
    M, m, l, g, k, c = (found.parameters[name] for name in ("M", "m", "l", "g", "k", "c"))
    t = sympy.Symbol("t", real=True)
    by_hand = [
        (M + m) * ax + m * l / 2 * af * cos(f) - m * l / 2 * vf**2 * sin(f) + k * x - 2 * sin(3 * t),
        m * l / 2 * ax * cos(f) + m * l**2 / 3 * af + c * vf - m * g * l / 2 * sin(f),
    ]
    for ours, book in zip(left_sides(found), by_hand, strict=True):
        assert sympy.expand(ours - book) == 0
    assert r"\frac{1}{3} m l^{2} \ddot{\phi}" in equations.lines()[1]
    assert r"\left(M + m\right) \ddot{x}_{\mathrm{rail}}" in equations.lines()[0]


def test_the_spherical_pendulum_has_the_squared_sine_in_its_mass_matrix():
    found = vc.derive(spherical_pendulum()).sympy()
    azimuth, polar = found.coordinates
    m, l = found.parameters["m"], found.parameters["l"]
    assert found.mass_matrix == sympy.Matrix([[m * l**2 * sin(polar) ** 2, 0], [0, m * l**2]])
    del azimuth


def test_the_top_keeps_its_two_momenta_and_the_book_s_hamiltonian():
    equations = vc.derive(top(), "hamilton")
    found = equations.sympy()
    phi, theta, psi = found.coordinates
    p_phi, p_theta, p_psi = found.momenta
    m, l, g, A, C = (found.parameters[name] for name in ("m", "l", "g", "A", "C"))
    transverse = A + m * l**2
    book = (p_theta**2 / (2 * transverse) + (p_phi - p_psi * cos(theta)) ** 2 / (2 * transverse * sin(theta) ** 2)
            + p_psi**2 / (2 * C) + m * g * l * cos(theta))  # fmt: skip
    right = {equation.lhs.name: equation.rhs for equation in found.equations}
    values = {
        theta: Rational(7, 10),
        p_phi: 2,
        p_theta: 3,
        p_psi: 5,
        m: 1,
        l: Rational(1, 5),
        g: 10,
        A: Rational(3, 10),
        C: Rational(1, 10),
    }
    assert abs(sympy.N((right["H"] - book).subs(values), 30)) < 1e-25
    assert right[p_phi.name + "_dot"] == 0
    assert right[p_psi.name + "_dot"] == 0
    slope = sympy.diff(book, theta)
    assert abs(sympy.N((right[p_theta.name + "_dot"] + slope).subs(values), 30)) < 1e-25
    del phi, psi


def test_hamilton_s_equations_of_the_double_pendulum_are_those_of_the_books():
    found = vc.derive(double_pendulum(), "hamilton", coordinates=from_the_vertical).sympy()
    a, b = found.coordinates
    p1, p2 = found.momenta
    m1, m2, l1, l2, g = (found.parameters[name] for name in ("m1", "m2", "l1", "l2", "g"))
    below = 2 * m2 * l1**2 * l2**2 * (m1 + m2 * sin(a - b) ** 2)
    book = ((m2 * l2**2 * p1**2 + (m1 + m2) * l1**2 * p2**2 - 2 * m2 * l1 * l2 * p1 * p2 * cos(a - b)) / below
            - (m1 + m2) * g * l1 * cos(a) - m2 * g * l2 * cos(b))  # fmt: skip
    values = dict(zip((a, b, p1, p2, m1, m2, l1, l2, g), map(Rational, ("0.4", "-0.9", "0.3", "1.7", "1.1", "0.7", "1.3", "0.8", "9.81")),
                      strict=True))  # fmt: skip
    expected = [book, *(sympy.diff(book, p) for p in (p1, p2)), *(-sympy.diff(book, x) for x in (a, b))]
    for equation, value in zip(found.equations, expected, strict=True):
        assert abs(sympy.N((equation.rhs - value).subs(values), 30)) < 1e-24


def test_decimals_are_exact_fractions():
    system = vc.System("slider", gravity=(0, 0, -9.81))
    body = system.add(vc.MassPoint("body", 0.1 + 0.2))
    system.add(vc.Prismatic("x", "ground", body, axis=(0, 0, 1), damping=1 / 12))
    assert vc.derive(system).lines() == [r"\frac{3}{10} \ddot{x} + \frac{1}{12} \dot{x} + \frac{2943}{1000} = 0"]
