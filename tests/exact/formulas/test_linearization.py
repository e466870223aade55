"""Linear equations against closed forms, published digits, and equations written down by hand."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import vinculum as vc
from bicycle import BENCHMARK, bicycle, upright
from machines import cart_pole, double_pendulum, top
from mechanisms import four_bar
from rolling import MASS, RADIUS, G, disc, disc_start

LEAN_AND_STEER = ("frame.wx", "steer")


@pytest.fixture(scope="module")
def whipple():
    return bicycle()


def part_at(system, speed):
    return vc.linearize(system, upright(speed), coordinates=LEAN_AND_STEER).part(*LEAN_AND_STEER)


def test_the_bicycle_has_its_published_matrices(whipple):
    """Meijaard, Papadopoulos, Ruina and Schwab (2007), eqs. (A 1)–(A 4): M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = f."""
    still, moving = part_at(whipple, 0.0).second_order, part_at(whipple, 5.0).second_order
    for found, known in (
        (still.M, BENCHMARK["M"]),
        (moving.M, BENCHMARK["M"]),
        (still.C, np.zeros((2, 2))),
        (moving.C / 5.0, BENCHMARK["C1"]),
        (still.K / 9.81, BENCHMARK["K0"]),
        ((moving.K - still.K) / 25.0, BENCHMARK["K2"]),
    ):
        np.testing.assert_allclose(found, known, rtol=0, atol=1e-11)


def test_the_bicycle_has_its_published_eigenvalues_at_five_metres_a_second(whipple):
    found = part_at(whipple, 5.0).eigenvalues
    known = [-0.322866429004087, -0.775341882195845 + 4.464867713788345j, -0.775341882195845 - 4.464867713788345j,
             -14.0783896927982]  # fmt: skip
    np.testing.assert_allclose(found, known, rtol=0, atol=1e-11)


def test_the_bicycle_is_stable_between_its_weave_and_capsize_speeds(whipple):
    """Published: 4.29238253634111 and 6.02426201538837 m/s."""
    weave, capsize = 4.29238253634111, 6.02426201538837
    growth = [part_at(whipple, speed).growth for speed in (weave - 1e-6, weave + 1e-6, capsize - 1e-6, capsize + 1e-6)]
    assert growth[0] > 0 > growth[1] and growth[2] < 0 < growth[3]


def test_a_torque_on_the_handlebar_enters_by_the_inverse_mass_matrix(whipple):
    linear = vc.linearize(whipple, upright(5.0), coordinates=LEAN_AND_STEER, inputs=LEAN_AND_STEER).part(
        *LEAN_AND_STEER
    )
    np.testing.assert_allclose(linear.B[2:], np.linalg.inv(BENCHMARK["M"]), rtol=0, atol=1e-11)
    assert not linear.B[:2].any()


def test_a_double_pendulum_swings_as_the_textbook_says():
    linear = vc.linearize(double_pendulum(), {"theta1": np.pi, "theta2": 0.0})
    M, C, K = linear.second_order
    m1, m2, l1, l2, g = 1.1, 0.7, 1.3, 0.8, 9.81
    a, b, c = (m1 + m2) * l1**2, m2 * l1 * l2, m2 * l2**2
    np.testing.assert_allclose(M, [[a + 2 * b + c, b + c], [b + c, c]], rtol=1e-13)
    np.testing.assert_allclose(C, 0.0, rtol=0, atol=1e-14)
    heavy = (m1 + m2) * g * l1
    np.testing.assert_allclose(
        K, -np.array([[heavy + m2 * g * l2, m2 * g * l2], [m2 * g * l2, m2 * g * l2]]), rtol=1e-12
    )
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)))
    hanging = vc.linearize(double_pendulum())
    np.testing.assert_allclose(np.sort(-(hanging.eigenvalues**2).real)[::2], np.sort(-squares), rtol=1e-10)
    assert linear.growth > 1.0 and abs(hanging.growth) < 1e-7


def test_an_upright_pole_on_a_cart_falls_as_the_textbook_says():
    M, m, l, g, k, c = 2.0, 0.5, 0.7, 9.81, 3.0, 0.1
    system = undriven_cart_pole()
    linear = vc.linearize(system, inputs=("rail",))
    mass = np.array([[M + m, m * l / 2], [m * l / 2, m * l * l / 3]])
    found = linear.second_order
    np.testing.assert_allclose(found.M, mass, rtol=1e-14)
    np.testing.assert_allclose(found.C, np.diag([0.0, c]), rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.K, np.diag([k, -m * g * l / 2]), rtol=0, atol=1e-13)
    np.testing.assert_allclose(linear.B[2:, 0], np.linalg.solve(mass, [1.0, 0.0]), rtol=1e-13)


def undriven_cart_pole(stiffness=3.0, damping=0.1) -> vc.System:
    driven, system = cart_pole(), vc.System("cart pole", gravity=(0, 0, -9.81))
    for body in driven.bodies.values():
        system.add(body)
    system.add(vc.Prismatic("rail", "ground", "cart", axis=(1, 0, 0), stiffness=stiffness))
    system.add(vc.Revolute("phi", "cart", "rod", axis=(0, 1, 0), damping=damping))
    return system


def test_an_upright_disc_is_stable_beyond_its_critical_speed():
    """λ² = 4g/5r − 12 (v/r)²/5 for a thin disc that rolls straight on: stable for v² > g r/3."""
    for speed in np.sqrt(G * RADIUS / 3) * np.array([0.3, 0.999, 1.001, 2.0]):
        linear = vc.linearize(disc(), disc_start((0.5, 0.0, 0.9), (0.0, 0.0, speed / RADIUS)))
        square = 4 * G / (5 * RADIUS) - 12 / 5 * (speed / RADIUS) ** 2
        found = linear.without_ignorable().eigenvalues
        nearest = found[np.argmin(np.abs(found - np.sqrt(complex(square))))]
        np.testing.assert_allclose(nearest**2, square, rtol=1e-9)
        assert (linear.growth > 1e-3) == (square > 0)


def test_a_coin_on_its_circle_wobbles_as_its_published_equations_say():
    """The Jacobian of the published equations of lean and rates (Rand; SymPy's rolling disc), by central differences."""
    lean, yaw = 0.3, -1.1
    spin = -(4 * G * np.sin(lean) / (5 * RADIUS) + np.sin(2 * lean) * yaw**2 / 2) / (6 / 5 * np.cos(lean) * yaw)

    def rate(y):
        q2, u1, u2, u3 = y
        return np.array([
            u2,
            -2 * u2 * u3 / np.cos(q2),
            4 * G * np.sin(q2) / (5 * RADIUS) + np.sin(2 * q2) * u1**2 / 2 + 6 / 5 * np.cos(q2) * u1 * u3,
            -(10 * np.cos(q2) * u1 - 12 * np.tan(q2) * u3) * u2 / 6,
        ])  # fmt: skip

    y = np.array([lean, yaw, 0.0, spin])
    known = np.linalg.eigvals(np.array([(rate(y + e) - rate(y - e)) / 2e-5 for e in 1e-5 * np.eye(4)]).T)
    wobble = known[np.argmax(known.imag)]
    linear = vc.linearize(disc(), disc_start((0.4, lean, 0.7), (yaw, 0.0, spin)))
    found = linear.eigenvalues
    assert np.abs(found - wobble).min() < 1e-7
    assert np.abs(found - 1j * abs(yaw)).min() < 1e-9  # the circle's centre, seen from the turning disc


@pytest.mark.parametrize("speed", [1.3, -1.3])
def test_a_sleigh_runs_straight_on_with_its_mass_ahead_and_turns_round_otherwise(speed):
    """Chaplygin's sleigh, mass center ahead of the blade by a: u̇ = a ω², (I + m a²) ω̇ = −m a u ω."""
    m, a, I = 2.0, 0.3, 0.5
    system = vc.System("sleigh")
    body = system.add(vc.RigidBody("body", m, com=(a, 0, 0), inertia=(1, 1, I)))
    system.add(vc.Planar("ice", "ground", body))
    system.add(vc.constraints.knife_edge("blade", body, side=(0, 1, 0), realization=vc.DAlembert()))
    linear = vc.linearize(system, {"ice": vc.At((0.2, 0.1, 0.6), rate=(speed * np.cos(0.6), speed * np.sin(0.6), 0))})
    known = -m * a * speed / (I + m * a * a)
    assert len(linear.states.coordinates) == 3 and len(linear.states.speeds) == 2
    np.testing.assert_allclose(np.sort(linear.eigenvalues.real), np.sort([known, 0, 0, 0, 0]), rtol=0, atol=1e-7)


def test_a_four_bar_swings_about_its_lowest_position_with_the_frequency_of_its_energies():
    """Energies of the closed loop over the crank's angle, by plane geometry and central differences."""
    a, b, c, d = 1.0, 2.5, 2.0, 2.2
    system = four_bar()
    linear = vc.linearize(system, {"A": -0.9, "B": 0.6, "D": -1.3}, coordinates=["A"], settle=True)
    crank = linear.about.q[0]

    def places(angle):
        pin = a * np.exp(1j * angle)
        line = d - pin
        bend = np.arccos((b**2 + abs(line) ** 2 - c**2) / (2 * b * abs(line)))
        coupler = np.angle(line) + side * bend
        rocker = np.angle(pin + b * np.exp(1j * coupler) - d)
        return pin, coupler, rocker

    side = min((1, -1), key=lambda s: _apart(s, crank, linear.about.q[1], a, b, c, d))

    def energy(angle):
        pin, coupler, rocker = places(angle)
        return 9.81 * (
            a * a / 2 * np.sin(angle) + b * (pin.imag + b / 2 * np.sin(coupler)) + c * c / 2 * np.sin(rocker)
        )

    def inertia(angle):
        h = 1e-6
        (p1, k1, r1), (p0, k0, r0) = places(angle + h), places(angle - h)
        middle = ((p1 + b / 2 * np.exp(1j * k1)) - (p0 + b / 2 * np.exp(1j * k0))) / (2 * h)
        about = [(a, 1.0), (b, (k1 - k0) / (2 * h)), (c, (r1 - r0) / (2 * h))]
        own = sum((n * n**2 / 12 + 1e-4) * w**2 for n, w in about)
        return own + a * (a / 2) ** 2 + c * (c / 2 * about[2][1]) ** 2 + b * abs(middle) ** 2

    h = 1e-4
    slope = brentq(lambda x: energy(x + h) - energy(x - h), crank - 0.05, crank + 0.05, xtol=1e-14)
    assert slope == pytest.approx(crank, abs=1e-7)
    M, C, K = linear.second_order
    assert M[0, 0] == pytest.approx(inertia(crank), rel=1e-7)
    assert K[0, 0] == pytest.approx((energy(crank + h) - 2 * energy(crank) + energy(crank - h)) / h**2, rel=1e-5)
    assert K[0, 0] > 0 and C[0, 0] == pytest.approx(0.0, abs=1e-12)


def _apart(side, crank, between, a, b, c, d):
    line = d - a * np.exp(1j * crank)
    bend = np.arccos((b**2 + abs(line) ** 2 - c**2) / (2 * b * abs(line)))
    return abs(np.exp(1j * (np.angle(line) + side * bend)) - np.exp(1j * (crank + between)))


def test_a_conical_pendulum_nods_with_its_known_frequency():
    """Ω √(1 + 3 cos²θ) about the circle on which a bob goes round at the angle θ with Ω² = g / l cos θ; a free point on a string."""
    angle = 0.5
    rate = np.sqrt(9.81 / np.cos(angle))
    system = vc.System("cone", gravity=(0, 0, -9.81))
    bob = system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("string", bob, "ground", length=1.0, realization=vc.DAlembert()))
    around = np.array([np.cos(0.4), np.sin(0.4)])
    at = vc.At((*(np.sin(angle) * around), -np.cos(angle)), rate=(*(rate * np.sin(angle) * around[::-1] * (-1, 1)), 0))
    found = vc.linearize(system, {"bob": at}).eigenvalues
    np.testing.assert_allclose(found.imag.max(), rate * np.sqrt(1 + 3 * np.cos(angle) ** 2), rtol=1e-10)


@pytest.mark.parametrize("chart", ["quaternion", "zxz"])
def test_a_top_nods_about_its_slow_precession_with_the_frequency_of_its_energy(chart):
    """A θ̈ = ∂/∂θ of −V_eff at constant p_φ, p_ψ: nutation of Lagrange's top."""
    own, C, m, l, g, angle, precession = 0.3, 0.1, 1.0, 0.2, 9.81, 0.7, 0.8
    A = own + m * l**2
    spin = (m * g * l + (A * precession**2) * np.cos(angle)) / (C * precession)  # ω along the axis
    p_phi = A * np.sin(angle) ** 2 * precession + C * spin * np.cos(angle)

    def push(x):
        turn = (p_phi - C * spin * np.cos(x)) / (A * np.sin(x) ** 2)
        return A * turn**2 * np.sin(x) * np.cos(x) - C * spin * turn * np.sin(x) + m * g * l * np.sin(x)

    assert push(angle) == pytest.approx(0.0, abs=1e-12)
    nutation = np.sqrt(-(push(angle + 1e-6) - push(angle - 1e-6)) / 2e-6 / A)
    tilt = (np.cos(angle / 2), np.sin(angle / 2), 0, 0) if chart == "quaternion" else (0.0, angle, 0.0)
    system = top()
    if chart == "quaternion":
        system = vc.System("top", gravity=(0, 0, -g))
        body = system.add(vc.RigidBody("top", m, com=(0, 0, l), inertia=(own, own, C)))
        system.add(vc.Spherical("pin", "ground", body))
    rates = (0.0, precession * np.sin(angle), spin)
    linear = vc.linearize(system, {"pin": vc.At(tilt, rate=rates)})
    assert np.abs(linear.eigenvalues - 1j * nutation).min() < 1e-6


def test_perturbed_runs_follow_the_linear_equations(whipple):
    """A bicycle pushed a little, integrated in full, next to exp(A t) of the whole linear system: errors of second order."""
    linear = part_at(whipple, 4.6)
    apart = []
    for small in (1e-3, 5e-4):
        pushed = upright(4.6, lean_rate=small)
        motion = vc.simulate(whipple, 0.8, pushed, grid=9, repair=True)
        first = np.array([0.0, 0.0, small, motion.v[0, 6]])
        known = np.array([expm(linear.A * t) @ first for t in motion.time])
        lean = 2 * motion.q[:, 4]
        apart.append(np.abs(np.stack([lean, motion.q[:, 7]], axis=1) - known[:, :2]).max() / small)
    assert apart[0] < 1e-4 and apart[1] < 0.35 * apart[0]


def test_a_force_named_by_its_parameter_enters_the_linear_equations():
    system = vc.System("cart", gravity=(0, 0, -9.81))
    push = vc.parameter("push", 0.0)
    cart = system.add(vc.RigidBody("cart", 2.0, inertia=(1, 1, 1)))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0), stiffness=3.0))
    system.add(vc.Force("motor", cart, lambda cart: vc.Wrench(force=(push, 0, 0))))
    linear = vc.linearize(system, inputs=("push", "rail"))
    np.testing.assert_allclose(linear.B, [[0, 0], [0.5, 0.5]], rtol=0, atol=1e-15)
    shifted = vc.linearize(system, {"rail": 2.0}, parameters={"push": 6.0})
    np.testing.assert_allclose(shifted.A, [[0, 1], [-1.5, 0]], rtol=0, atol=1e-15)


def test_a_drag_that_grows_with_the_square_of_the_speed_has_no_linear_part_at_rest():
    system = vc.System("drag", gravity=(0, 0, 0))
    cart = system.add(vc.RigidBody("cart", 2.0, inertia=(1, 1, 1)))
    system.add(
        vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0), stiffness=3.0, drive=lambda t, q, v: -0.4 * v * abs(v))
    )
    np.testing.assert_allclose(vc.linearize(system).A, [[0, 1], [-1.5, 0]], rtol=0, atol=1e-15)


def test_a_disc_at_rest_has_the_masses_of_rolling_turning_and_falling():
    """About the ground m r² (1.5, 1.25), about the vertical diameter m r²/4; it falls with m g r."""
    names = ("disc.wx", "disc.wy", "disc.wz")
    linear = vc.linearize(disc(), disc_start((0, 0, 0), (0, 0, 0)), coordinates=names)
    M, C, K = linear.part(*names).second_order
    np.testing.assert_allclose(M, np.diag([1.25, 1.5, 0.25]) * MASS * RADIUS**2, rtol=0, atol=1e-14)
    np.testing.assert_allclose(K, np.diag([-MASS * G * RADIUS, 0, 0]), rtol=0, atol=1e-13)
    np.testing.assert_allclose(C, 0.0, rtol=0, atol=1e-14)


def test_a_bead_on_a_turning_hoop_swings_about_its_height():
    """cos θ = g/(l Ω²) and the frequency Ω sin θ, on a prescribed body that turns."""
    rate, length = 6.0, 0.5
    system = vc.System("hoop", gravity=(0, 0, -9.81))
    hoop = system.add(vc.PrescribedBody("hoop", position=lambda t: (0, 0, 0), rotation=lambda t: ((0, 0, 1), rate * t)))
    bead = system.add(vc.MassPoint("bead", 0.3))
    system.add(vc.Revolute("arm", hoop, bead, axis=(0, 1, 0), to=(0, 0, length)))
    linear = vc.linearize(system, {"arm": 0.9}, settle=True)
    height = np.arccos(9.81 / (length * rate**2))
    np.testing.assert_allclose(linear.about.q, [height], rtol=1e-12)
    np.testing.assert_allclose(
        linear.eigenvalues, [1j * rate * np.sin(height), -1j * rate * np.sin(height)], rtol=0, atol=1e-9
    )


def test_a_racket_turns_over_about_its_middle_axis_at_the_rate_that_euler_gives():
    """Ω √((B − A)(C − B)/AC), while the racket flies along the axis."""
    system = vc.System("racket")
    system.add(vc.RigidBody("racket", 1.0, inertia=(1.0, 2.0, 2.5)))
    linear = vc.linearize(system, {"racket": vc.At((0, 0, 0, 1, 0, 0, 0), rate=(0, 0.7, 0, 0, 3.0, 0))})
    assert linear.growth == pytest.approx(3 * np.sqrt((2 - 1) * (2.5 - 2) / 2.5), rel=1e-9)


@pytest.mark.parametrize("masses", [(1.0, 0.03, 0.005), (1.0, 0.05, 0.03), (1.0, 1.0, 1.0)])
def test_three_bodies_in_a_triangle_are_stable_as_routh_says(masses):
    """λ⁴ + Ω²λ² + (27/4)(m₁m₂ + m₂m₃ + m₃m₁)/M² Ω⁴ = 0 for Lagrange's triangle, Ω² = G M/a³; stable below 1/27."""
    M = sum(masses)
    system = vc.System("triangle")
    bodies = [system.add(vc.MassPoint(f"m{i}", m)) for i, m in enumerate(masses)]
    system.add(vc.potentials.Gravitation("pull", bodies, G=1.0))
    corners = np.array([[np.cos(a), np.sin(a), 0] for a in 2 * np.pi / 3 * np.arange(3)]) / np.sqrt(3)
    places = corners - np.array(masses) @ corners / M
    at = {f"m{i}": vc.At(x, rate=np.cross([0, 0, np.sqrt(M)], x)) for i, x in enumerate(places)}
    linear = vc.linearize(system, at)
    share = (masses[0] * masses[1] + masses[1] * masses[2] + masses[2] * masses[0]) / M**2
    squares = np.roots([1.0, M, 27 / 4 * share * M**2])
    for square in squares:
        for root in (np.sqrt(complex(square)), -np.sqrt(complex(square))):
            assert np.abs(linear.eigenvalues - root).min() < 1e-9
    assert (linear.growth > 1e-3) == (share > 1 / 27)


def test_a_servo_leaves_the_linear_equations_of_what_it_does_not_keep():
    """A pole on a cart, φ = −k x kept by the force on the rail: what is left is the pole's own equation."""
    m, l, g, k = 0.5, 0.7, 9.81, 0.4
    system = undriven_cart_pole(stiffness=0.0, damping=0.0)
    program = vc.Constraint(
        "tilt", ["phi", "rail"], position=lambda phi, rail: phi.q + k * rail.q, realization=vc.Servo("rail")
    )
    system.add(program)
    linear = vc.linearize(system, coordinates=["rail"])
    square = -(m * g * l / 2 * k) / (m * l / 2 - k * m * l * l / 3)
    np.testing.assert_allclose(linear.A, [[0, 1], [square, 0]], rtol=0, atol=1e-11)
    with pytest.raises(vc.errors.MethodError, match="no mass matrix of their own"):
        linear.second_order  # noqa: B018


@pytest.mark.parametrize("com", [(0.0, 0.0, 0.0), (0.3, -0.2, 0.5)])
def test_a_satellite_nutates_in_its_own_axes_by_its_moments_of_inertia(com):
    """(C/A − 1) n; the spin itself is the frequency of places and attitudes that stand still in space."""
    A, C, n = 2.0, 3.1, 4.0
    system = vc.System("satellite")
    system.add(vc.RigidBody("body", 1.5, com=com, inertia=(A, A, C)))
    spin = np.array([0, 0, n])
    start = {"body": vc.At((*(-np.array(com)), 1, 0, 0, 0), rate=(*(-np.cross(spin, com)), *spin))}
    found = np.sort(np.abs(vc.linearize(system, start).eigenvalues.imag))
    np.testing.assert_allclose(found, [0] * 4 + [(C / A - 1) * n] * 2 + [n] * 6, rtol=1e-6, atol=1e-6)
