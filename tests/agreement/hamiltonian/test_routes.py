"""Hamiltonian form next to Lagrange's equations, other integrators, and other ways of differentiation."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from hamiltonians import double_pendulum_bodies, henon_heiles, henon_heiles_start, pendulum
from vinculum import math as m

h = vc.hamiltonian
START = {"alpha": vc.At(1.0, rate=0.3), "beta": vc.At(0.5, rate=-0.4)}


def spatial_arm() -> vc.System:
    system, parent = vc.System("arm", gravity=(0, 0, -9.81)), "ground"
    for i in range(3):
        link = system.add(vc.RigidBody(f"link{i}", 1.0 + 0.1 * i, (0.1, 0.05, 0.2), (0.1, 0.12, 0.08)))
        parent = system.add(vc.Revolute(f"q{i}", parent, link, axis=np.eye(3)[2 - i], at=(0.1, 0, 0.4))).child
    return system


def four_bar() -> vc.System:
    system = vc.System("four-bar", gravity=(0, -9.81, 0))
    a, b, c = (system.add(vc.RigidBody(name, 1.0, (0.0, 0.0, 0.0), (0.02, 0.02, 0.02))) for name in "abc")
    system.add(vc.Revolute("u", "ground", a))
    system.add(vc.Revolute("v", a, b, at=(1.0, 0, 0)))
    system.add(vc.Revolute("w", "ground", c, at=(2.0, 0, 0)))
    system.add(vc.Revolute("closing", b, c, at=(1.5, 0, 0), to=(-1.2, 0, 0)))
    return system


@pytest.mark.parametrize("build", [double_pendulum_bodies, spatial_arm])
def test_hamiltonians_of_trees_agree_with_derived_equations(build):
    system = build()
    H, derived = h.Hamiltonian.of(system), vc.derive(system, "hamilton").canonical
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(2, 40, H.space.n))
    p = H.momentum(q, v)
    assert p == pytest.approx(derived.momenta(q, v), rel=1e-13, abs=1e-13)
    assert H(q, p) == pytest.approx(derived.hamiltonian(q, p), rel=1e-12)
    rates = np.concatenate([derived.velocities(q, p), derived.momenta_rates(q, p)], axis=1)
    assert H.rates(q, p) == pytest.approx(rates, rel=1e-11, abs=1e-11)
    assert H.rates(q, p)[:, : H.space.n] == pytest.approx(v, rel=1e-11, abs=1e-11)


def test_hamiltonians_of_lagrangians_agree_with_the_legendre_transform():
    system = vc.LagrangianSystem(
        "odd",
        ["x", "y"],
        lambda x, y, x_dot, y_dot: (
            m.cosh(x_dot) * (1 + x**2) + y_dot**2 * m.exp(x * y) + x_dot * y_dot / 3 + y * x_dot - x**4
        ),
    )
    H, rng = h.Hamiltonian.of(system), np.random.default_rng(1)
    for _ in range(10):
        q, v = rng.normal(size=(2, 2))
        p = system.legendre.momentum(q, v)
        assert H.momentum(q, v) == pytest.approx(p, rel=1e-14)
        assert H(q, p) == pytest.approx(system.legendre.hamiltonian(q, p, guess=v), rel=1e-12)
        assert H.rates(q, p)[:2] == pytest.approx(v, rel=1e-9, abs=1e-11)


def test_canonical_equations_give_the_motion_of_bodies():
    system = double_pendulum_bodies()
    H, motion = h.Hamiltonian.of(system), vc.simulate(system, 2.0, START)
    start = motion.q[0], H.momentum(motion.q[0], motion.v[0])
    made = h.integrate(H, 2.0, *start, step=0.005, order=8)
    assert made.q[-1] == pytest.approx(motion.q[-1], abs=1e-11)
    assert made.energy[0] == pytest.approx(motion.energy[0], rel=1e-13)
    heavy = h.integrate(H, 0.5, *start, step=0.005, order=8, parameters={"m": 2.0})
    v = H.rates(*start, 0.0, {"m": 2.0})[:2]
    same = {name: vc.At(x, rate=y) for name, x, y in zip(("alpha", "beta"), start[0], v, strict=True)}
    again = vc.simulate(system, 0.5, same, parameters={"m": 2.0})
    assert heavy.q[-1] == pytest.approx(again.q[-1], abs=1e-11)


def test_coordinates_change_nothing():
    system = double_pendulum_bodies()
    own = h.Hamiltonian.of(system)
    other = h.Hamiltonian.of(system, coordinates=lambda a, b: {"alpha": a, "beta": b - a})
    q, v = np.array([0.4, 0.7]), np.array([0.3, -0.5])
    x, x_dot = np.array([0.4, 1.1]), np.array([0.3, -0.2])
    assert other(x, other.momentum(x, x_dot)) == pytest.approx(own(q, own.momentum(q, v)), rel=1e-13)


def test_a_closed_loop_moves_as_simulated():
    """Dirac's bracket, and RATTLE, next to Lagrange's equations with multipliers."""
    system = four_bar()
    motion = vc.simulate(system, 1.0, {"u": vc.At(1.2, rate=0.0)}, repair=True)
    H = h.Hamiltonian.of(system)
    q, v = motion.q, motion.v
    p = H.momentum(q, v)
    assert np.abs(H.constraint_functions(q, p)).max() < 1e-11
    assert H.rates(q, p)[:, :3] == pytest.approx(v, abs=1e-9)
    errors = []
    for step in (0.01, 0.005):
        made = h.integrate(H, 1.0, q[0], p[0], step=step, method="variational")
        errors.append(np.abs(made.q[-1] - q[-1]).max())
        assert np.abs(made.values(H.constraint_functions)).max() < 1e-11
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


def test_dirac_brackets_give_the_motion_with_multipliers():
    system = vc.LagrangianSystem(
        "ball",
        ["x", "y", "z"],
        lambda q, v: v @ v / 2 - 9.81 * q[2],
        constraints={"length": (lambda q: q @ q - 1.0, vc.DAlembert())},
    )
    motion = vc.simulate(system, 2.0, ([0.6, 0, -0.8], [0, 1.3, 0]))
    H = h.Hamiltonian.of(system)
    rates = H.rates(motion.q, motion.v)
    accelerations = [system.accelerations(q, v) for q, v in zip(motion.q, motion.v, strict=True)]
    assert rates[:, :3] == pytest.approx(motion.v, abs=1e-11) and rates[:, 3:] == pytest.approx(
        np.array(accelerations), abs=1e-9
    )


def test_vakonomic_systems_have_hamiltonians():
    """The same motion as with multipliers in the state."""
    system = vc.LagrangianSystem(
        "sleigh", ["x", "y", "phi"], lambda v, x: v @ v / 2 - 0.3 * x,
        constraints={"blade": (lambda v, phi: v[1] * m.cos(phi) - v[0] * m.sin(phi), vc.Vakonomic(multipliers=0.7))},
    )  # fmt: skip
    motion = vc.simulate(system, 1.5, ([0.0, 0.0, 0.4], [np.cos(0.4), np.sin(0.4), 0.5]))
    H = h.Hamiltonian.of(system)
    p = motion.v[0] + 0.7 * np.array([-np.sin(0.4), np.cos(0.4), 0.0])
    made = h.integrate(H, 1.5, motion.q[0], p, step=0.01, order=8)
    assert made.q[-1] == pytest.approx(motion.q[-1], abs=1e-11)


def test_ostrogradsky_gives_the_motion_of_a_lagrangian_of_second_order():
    system = vc.LagrangianSystem(
        "beam", ["x"], lambda x, x_dot, x_ddot: x_ddot**2 / 2 - x_dot**2 * (1 + x**2) + x**2 / 3
    )
    motion = vc.simulate(system, 2.0, ([0.3], [0.1], [0.2], [-0.1]))
    H = h.Hamiltonian.of(system)
    x, v, a, j = 0.3, 0.1, 0.2, -0.1
    made = h.integrate(H, 2.0, [x, v], [-2 * v * (1 + x**2) - j, a], step=0.01, order=8)
    assert made["x"][-1] == pytest.approx(motion["x"][-1], abs=1e-11) and made["x_dot"][-1] == pytest.approx(
        motion.v[-1, 0], abs=1e-11
    )


def test_lyapunov_exponents_agree_with_deviations_of_scipy():
    H, (q, p) = henon_heiles(), henon_heiles_start(1 / 6, -0.1, 0.2)

    def f(t, s):
        x, y, px, py = s[:4]
        J = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-1 - 2 * y, -2 * x, 0, 0], [-2 * x, -1 + 2 * y, 0, 0]])
        rates = [px, py, -x - 2 * x * y, -y - x * x + y * y]
        return np.concatenate([rates, (J @ s[4:].reshape(4, 4)).ravel()])

    start = np.concatenate([q, p, np.eye(4).ravel()])
    end = solve_ivp(f, (0, 30.0), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    orbit = vc.hamiltonian.lyapunov_spectrum(H, 30.0, q, p)
    from vinculum.geometry.hamiltonian.lyapunov import _with_frames
    from vinculum.geometry.hamiltonian.starts import starts_of

    frame = _with_frames(starts_of(H, q, p, 0.0, None))[0, 4:].reshape(4, 4).T
    R = np.linalg.qr(end[4:].reshape(4, 4) @ frame, mode="r")
    assert orbit.exponents == pytest.approx(np.log(np.abs(np.diag(R))) / 30.0, abs=1e-8)


def test_covariant_vectors_are_carried_by_the_flow():
    """Deviations that start along them, integrated by another method, stay along them."""
    H, (q, p) = henon_heiles(), henon_heiles_start(1 / 6, -0.1, 0.2)
    found = h.covariant_vectors(H, 500.0, q, p, interval=1.0, transient=180.0)
    at, later, span = 10, 14, found.time[14] - found.time[10]
    J = lambda x, y: np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-1 - 2 * y, -2 * x, 0, 0], [-2 * x, -1 + 2 * y, 0, 0]])

    def f(t, s):
        x, y, px, py = s[:4]
        return np.concatenate([[px, py, -x - 2 * x * y, -y - x * x + y * y], (J(x, y) @ s[4:].reshape(4, 4)).ravel()])

    start = np.concatenate([found.q[at], found.p[at], found.vectors[at].ravel()])
    end = solve_ivp(f, (0, span), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1][4:].reshape(4, 4)
    end /= np.linalg.norm(end, axis=0)
    for k in (0, 3):
        assert abs(end[:, k] @ found.vectors[later][:, k]) == pytest.approx(1.0, abs=1e-9)
    assert found.exponents[0] > 0.05 and found.exponents[3] < -0.05


def test_sections_agree_with_events():
    system = vc.LagrangianSystem(
        "Henon-Heiles", ["x", "y"], lambda v, x, y: v @ v / 2 - (x**2 + y**2) / 2 - x**2 * y + y**3 / 3
    )
    q, p = henon_heiles_start(1 / 10, 0.1, 0.05)
    event = vc.Event("section", ["x"], lambda x: x.q, direction=1)
    motion = vc.simulate(system, 40.0, (q, p), events=[event])
    times = [one.time for one in motion.record.crossings if one.time > 1e-9]
    found = h.poincare_section(henon_heiles(), lambda x: x, q, p, 40.0)
    assert found.time == pytest.approx(times, abs=1e-10)
    assert np.abs(found.q[:, 0]).max() < 1e-15 and np.all(found.p[:, 0] > 0)


def test_many_starts_are_the_single_ones():
    H = pendulum()
    q, p = np.linspace(-2, 2, 11)[:, None], np.linspace(0.3, 1.2, 11)[:, None]
    many = h.integrate(H, 5.0, q, p, step=0.05, order=6)
    spectra = h.lyapunov_spectrum(H, 20.0, q, p).exponents
    sections = h.poincare_section(H, lambda p_theta: p_theta, q, p, 20.0, direction=0)
    for k in range(11):
        one = h.integrate(H, 5.0, q[k], p[k], step=0.05, order=6)
        assert np.array_equal(one.q, many.q[k]) and np.array_equal(one.p, many.p[k])
        assert np.array_equal(h.lyapunov_spectrum(H, 20.0, q[k], p[k]).exponents, spectra[k])
        own = h.poincare_section(H, lambda p_theta: p_theta, q[k], p[k], 20.0, direction=0)
        assert np.array_equal(own.time, sections.time[k][np.isfinite(sections.time[k])])


def test_impacts_of_a_billiard_agree_with_geometry():
    """In a circle chords have equal angles, and the exponents tend to zero."""
    H = h.Hamiltonian("billiard", ["x", "y"], lambda p: p @ p / 2)
    wall = h.Wall(lambda x, y: 1.0 - x**2 - y**2)
    q, p = np.array([0.2, -0.1]), np.array([0.6, 0.8])
    section = h.poincare_section(H, lambda q, p: q @ p, q, p, 50.0, walls=[wall])
    L = np.array([a[0] * b[1] - a[1] * b[0] for a, b in zip(section.q, section.p, strict=True)])
    assert pytest.approx(L[0], abs=1e-11) == L and np.diff(section.time) == pytest.approx(
        2 * np.sqrt(1 - L[0] ** 2), abs=1e-11
    )
    found = h.lyapunov_spectrum(H, 2000.0, q, p, walls=[wall])
    assert np.abs(found.exponents).max() < 0.01 and found.exponents + found.exponents[::-1] == pytest.approx(
        0.0, abs=1e-8
    )
