"""Constraints of the literature that do not roll: Rosenberg's point, geodesics of Heisenberg and Martinet, the roller racer, gears."""

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.special import ellipj

import vinculum as vc


def by_series(rate, start, times) -> np.ndarray:
    return solve_ivp(rate, (times[0], times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12).y.T


def test_rosenbergs_point_follows_its_two_principles():
    """ż = y ẋ: Rosenberg, Analytical Dynamics of Discrete Systems (1977); d'Alembert's motion by hyperbolic functions."""
    m, y0, vx, vy, mu = 1.3, 0.3, 1.1, 0.8, 0.9
    system = vc.System("Rosenberg's point")
    system.add(vc.MassPoint("p", m))
    system.add(vc.Constraint("c", ["p"], velocity=lambda p: p.velocity[2] - p.position[1] * p.velocity[0],
                             realization=vc.DAlembert()))  # fmt: skip
    start = {"p": vc.At((0, y0, 0), rate=(vx, vy, y0 * vx))}
    motion = vc.simulate(system, 4.0, start, grid=41)
    y, c = y0 + vy * motion.time, vx * np.sqrt(1 + y0**2) / vy
    known = [c * (np.arcsinh(y) - np.arcsinh(y0)), y, c * (np.sqrt(1 + y**2) - np.sqrt(1 + y0**2))]
    np.testing.assert_allclose(motion.q, np.stack(known, axis=1), rtol=0, atol=1e-12)

    px, pz = m * vx - mu * y0, m * y0 * vx + mu

    def rate(t, state):
        _, y, _, vy = state
        vx = (px + pz * y) / (m * (1 + y**2))
        return [vx, vy, y * vx, -(pz - m * y * vx) * vx / m]

    motion = vc.simulate(system.with_realization("c", vc.Vakonomic(multipliers=mu)), 4.0, start, grid=41)
    states = by_series(rate, [0, y0, 0, vy], motion.time)
    np.testing.assert_allclose(motion.body("p").position, states[:, :3], rtol=0, atol=1e-10)


def geodesic(slope, multiplier) -> vc.LagrangianSystem:
    return vc.LagrangianSystem(
        "geodesic",
        coordinates=["x", "y", "z"],
        lagrangian=lambda v: (v[0] ** 2 + v[1] ** 2) / 2,
        constraints={"c": (lambda q, v: v[2] - slope(q, v), vc.Vakonomic(multipliers=multiplier))},
    )


def test_geodesics_of_heisenbergs_group_are_circles():
    k = 0.7
    system = geodesic(lambda q, v: (q[0] * v[1] - q[1] * v[0]) / 2, k)
    motion = vc.simulate(system, 6.0, ([0, 0, 0], [1.0, 0, 0]))
    turned = k * motion.time
    known = [np.sin(turned) / k, (1 - np.cos(turned)) / k, (turned - np.sin(turned)) / (2 * k**2)]
    np.testing.assert_allclose(motion.q, np.stack(known, axis=1), rtol=0, atol=1e-13)


def test_geodesics_of_martinets_plane_swing_by_elliptic_functions():
    """ż = y² ẋ / 2: ẏ² = μ²/4 (a − y²)(b + y²). Agrachev, Bonnard, Chyba and Kupka, ESAIM: COCV 2 (1997) 377."""
    mu, heading = 1.3, 0.6
    motion = vc.simulate(
        geodesic(lambda q, v: q[1] ** 2 * v[0] / 2, mu), 9.0, ([0, 0, 0], [np.cos(heading), np.sin(heading), 0])
    )
    a, b = 2 * (1 - np.cos(heading)) / mu, 2 * (1 + np.cos(heading)) / mu
    sn, _, dn, _ = ellipj(mu / 2 * np.sqrt(a + b) * motion.time, a / (a + b))
    np.testing.assert_allclose(motion["y"], np.sqrt(a * b / (a + b)) * sn / dn, rtol=0, atol=1e-12)


def test_a_roller_racer_is_propelled_by_the_motor_of_its_handle():
    """Krishnaprasad and Tsakiris, Dyn. Syst. 16 (2001) 347, rebuilt in SymPy: x, y, heading, and the handle by its program."""
    m1, I1, m2, I2, d1, d2 = 1.2, 0.5, 0.3, 0.05, 0.4, 0.15
    system = vc.System("roller racer")
    seat = system.add(vc.RigidBody("seat", m1, inertia=(1, 1, I1)))
    handle = system.add(vc.RigidBody("handle", m2, com=(-d2, 0, 0), inertia=(1, 1, I2)))
    system.add(vc.Planar("floor", "ground", seat))
    system.add(vc.Revolute("pivot", seat, handle, axis=(0, 0, 1), at=(d1, 0, 0)))
    system.add(vc.constraints.knife_edge("rear", seat, realization=vc.DAlembert()))
    system.add(vc.constraints.knife_edge("front", handle, at=(-d2, 0, 0), realization=vc.DAlembert()))
    program = lambda pivot, t: pivot.q - np.pi - 0.5 * vc.math.sin(2 * t)
    system.add(vc.Constraint("program", ["pivot"], position=program, realization=vc.Servo("pivot")))
    motion = vc.simulate(system, 4.0, {"pivot": vc.At(np.pi, rate=1.0)}, repair=True, grid=81)

    t, q, v = sp.Symbol("t"), sp.symbols("x y theta"), sp.symbols("u w omega")
    along = lambda f: sum(sp.diff(f, a) * b for a, b in zip(q, v, strict=True)) + sp.diff(f, t)
    swing = sp.sin(2 * t) / 2
    phi = q[2] + sp.pi + swing
    front = sp.Matrix([q[0] + d1 * sp.cos(q[2]) - d2 * sp.cos(phi), q[1] + d1 * sp.sin(q[2]) - d2 * sp.sin(phi)])
    moving = front.applyfunc(along)
    T = (m1 * (v[0] ** 2 + v[1] ** 2) + I1 * v[2] ** 2 + m2 * moving.dot(moving) + I2 * (v[2] + sp.diff(swing, t)) ** 2)/ 2  # fmt: skip
    F = sp.Matrix([v[1] * sp.cos(q[2]) - v[0] * sp.sin(q[2]), moving[1] * sp.cos(phi) - moving[0] * sp.sin(phi)])
    h = sp.Matrix([along(sp.diff(T, b)) - sp.diff(T, a) for a, b in zip(q, v, strict=True)])
    numbers = sp.lambdify([*q, *v, t], [sp.hessian(T, v), h, F.jacobian(v), F.applyfunc(along)])

    def rate(t, state):
        M, h, J, bias = (np.array(x, dtype=float) for x in numbers(*state, t))
        K = np.block([[M, -J.T], [J, np.zeros((2, 2))]])
        return np.concatenate([state[3:], np.linalg.solve(K, -np.concatenate([h, bias]))[:3, 0]])

    states = by_series(rate, np.concatenate([motion.q[0, :3], motion.v[0, :3]]), motion.time)
    np.testing.assert_allclose(motion.q[:, :3], states[:, :3], rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.bond("program").work, motion.energy - motion.energy[0], rtol=0, atol=1e-12)
    assert abs(motion.q[-1, 0]) > 0.3
    assert motion.audit().passed


@pytest.mark.parametrize("mass", [1e-9, 1e6])
@pytest.mark.parametrize("size", [1e-6, 1e5])
def test_a_bead_slides_down_a_helix_of_any_size_and_mass(mass, size):
    r, h, g = 0.4 * size, 0.15 * size, 9.81
    system = vc.System("helix", gravity=(0, 0, -g))
    system.add(vc.MassPoint("bead", mass))
    helix = lambda x: (x[0] - r * vc.math.cos(x[2] / h), x[1] - r * vc.math.sin(x[2] / h))
    system.add(vc.constraints.point_on_curve("wire", "bead", helix, realization=vc.DAlembert()))
    motion = vc.simulate(system, np.sqrt(24 * size / g), {"bead": (r, 0, 0)}, grid=21)
    turned = -g * h / (r**2 + h**2) * motion.time**2 / 2
    known = np.stack([r * np.cos(turned), r * np.sin(turned), h * turned], axis=1)
    np.testing.assert_allclose(motion.body("bead").position, known, rtol=0, atol=1e-12 * size)
    inward = -np.sum(motion.bond("wire").effort("bead")[:, :2] * known[:, :2], axis=1) / r
    spin = g * h / (r**2 + h**2) * motion.time
    np.testing.assert_allclose(inward, mass * r * spin**2, rtol=0, atol=1e-11 * mass * g)
    assert motion.audit().passed


def test_two_points_whose_velocities_stay_parallel_move_as_gauss_says():
    """Benenti, SIGMA 3 (2007) 036: ẋ₁ẏ₂ − ẋ₂ẏ₁ = 0, which is not linear in the velocities."""
    m, k, g = np.array([1.0, 1.0, 2.5, 2.5]), 2.0, 3.0
    system = vc.System("parallel", gravity=(0, -g, 0))
    for name, mass in (("a", m[0]), ("b", m[2])):
        system.add(vc.MassPoint(name, mass))
    system.add(vc.Spring("spring", "a", "b", k, rest_length=1.0))
    across = lambda a, b: a.velocity[0] * b.velocity[1] - a.velocity[1] * b.velocity[0]
    system.add(vc.Constraint("parallel", ["a", "b"], velocity=across, realization=vc.Chetaev()))
    start = {"a": vc.At((0, 0, 0), rate=(1, 0.5, 0)), "b": vc.At((1, 1, 0), rate=(2, 1, 0))}
    motion = vc.simulate(system, 2.0, start, grid=21)

    def rate(t, state):
        x, v = state[:4], state[4:]
        d = x[2:] - x[:2]
        pull = k * (1 - 1 / np.linalg.norm(d)) * d
        free = np.concatenate([pull, -pull]) / m - g * np.array([0, 1, 0, 1])
        J = np.array([v[3], -v[2], -v[1], v[0]])
        return np.concatenate([v, free - J / m * (J @ free) / (J @ (J / m))])

    states = by_series(rate, [0, 0, 1, 1, 1, 0.5, 2, 1], motion.time)
    np.testing.assert_allclose(motion.body("a").position[:, :2], states[:, :2], rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.body("b").position[:, :2], states[:, 2:4], rtol=0, atol=1e-10)
    assert motion.audit().passed


def test_a_body_on_a_pivot_turns_at_a_programmed_speed_about_whatever_axis():
    """I ω̇ + ω × I ω = M + λ ω with |ω| = 1 + 0.3 t, in the body's axes at the pivot."""
    m, com, pin, g = 1.2, np.array([0.1, 0.2, -0.3]), np.array([0.2, 0, 0.1]), 9.81
    inertia = np.diag([1.0, 2.0, 2.8]) + 0.1 * np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    system = vc.System("speed", gravity=(0, 0, -g))
    system.add(vc.RigidBody("b", m, com=com, inertia=inertia))
    system.add(vc.Spherical("pin", "ground", "b", to=pin))
    fast = lambda b, t: vc.math.dot(b.angular_velocity, b.angular_velocity) - (1 + 0.3 * t) ** 2
    system.add(vc.Constraint("speed", ["b"], velocity=fast, realization=vc.Chetaev()))
    start = np.array([0.6, 0, 0.8])
    motion = vc.simulate(system, 2.0, {"pin": vc.At((1, 0, 0, 0), rate=start)}, grid=21)
    c = com - pin
    I = inertia + m * (c @ c * np.eye(3) - np.outer(c, c))

    def rate(t, state):
        R, w = state[:9].reshape(3, 3), state[9:]
        free = np.linalg.solve(I, np.cross(c, R.T @ [0, 0, -m * g]) - np.cross(w, I @ w))
        by = np.linalg.solve(I, w)
        turned = np.cross(w, R)  # rows of R, seen from the body, turn by −w
        return np.concatenate([-turned.ravel(), free + by * (0.3 * (1 + 0.3 * t) - w @ free) / (w @ by)])

    states = by_series(rate, np.concatenate([np.eye(3).ravel(), start]), motion.time)
    np.testing.assert_allclose(motion.body("b").rotation.reshape(-1, 9), states[:, :9], rtol=0, atol=1e-10)
    assert motion.audit().passed


def test_a_planetary_gear_carries_the_inertia_of_all_its_wheels():
    """Willis's equation: with the ring at rest the sun turns 1 + z_ring/z_sun times as fast as the carrier."""
    sun, planet, ring, I_s, I_c, I_p, m, arm = 24, 18, 60, 0.01, 0.02, 0.003, 0.4, 0.21
    system = vc.System("planetary gear")
    for name, mass, own in (("sun", 1.0, I_s), ("carrier", 1.0, I_c), ("planet", m, I_p)):
        system.add(vc.RigidBody(name, mass, inertia=(1, 1, own)))
    system.add(vc.Revolute("s", "ground", "sun", axis=(0, 0, 1)))
    system.add(vc.Revolute("c", "ground", "carrier", axis=(0, 0, 1)))
    system.add(vc.Revolute("p", "carrier", "planet", axis=(0, 0, 1), at=(arm, 0, 0)))
    inner, outer = lambda s, c, p: sun * (s.q - c.q) + planet * p.q, lambda p, c: planet * p.q + ring * c.q
    system.add(vc.Constraint("inner", ["s", "c", "p"], position=inner, realization=vc.DAlembert()))
    system.add(vc.Constraint("outer", ["p", "c"], position=outer, realization=vc.DAlembert()))
    system.add(vc.Force("drive", "sun", lambda b: vc.Wrench(moment=(0, 0, 0.5), at=b.position)))
    motion = vc.simulate(system, 1.0)
    ratio = 1 + ring / sun
    whole = I_s * ratio**2 + I_c + I_p * (1 - ring / planet) ** 2 + m * arm**2
    np.testing.assert_allclose(motion["c"], 0.5 * ratio / whole * motion.time**2 / 2, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(motion["s"], ratio * motion["c"], rtol=1e-14, atol=1e-15)
    assert motion.audit().passed
