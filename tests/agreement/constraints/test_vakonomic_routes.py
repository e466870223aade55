"""Vakonomic motions by other routes: from the action alone, from Euler–Lagrange equations by computer algebra, on other charts."""

import numpy as np
import pytest
import sympy as sp
from numpy.polynomial import chebyshev
from scipy.integrate import solve_ivp

import vinculum as vc

G = 9.81


def lagrange_of(L, F, q, t) -> tuple:
    """Rates (q̈, μ̇) as a function, from d/dt ∂(L + μF)/∂q̇ = ∂(L + μF)/∂q and dF/dt = 0 written out."""
    v, a = (sp.symbols(f"{name}0:{len(q)}") for name in "va")
    mu, mu_dot = sp.symbols("mu mu_dot")
    whole = L(q, v) + mu * F(q, v, t)

    def along(f):
        return sum(sp.diff(f, x) * y for x, y in zip([*q, *v, mu, t], [*v, *a, mu_dot, 1], strict=True))

    left = [along(sp.diff(whole, y)) - sp.diff(whole, x) for x, y in zip(q, v, strict=True)] + [along(F(q, v, t))]
    unknown = [*a, mu_dot]
    matrix = sp.Matrix(left).jacobian(unknown)
    rest = sp.Matrix(left).subs(dict.fromkeys(unknown, 0))
    made = sp.lambdify([*q, *v, mu, t], [matrix, rest], cse=True)

    def rates(now, y):
        A, b = made(*y, now)
        found = np.linalg.solve(np.asarray(A, dtype=float), -np.asarray(b, dtype=float)[:, 0])
        return np.concatenate([y[len(q) : 2 * len(q)], found])

    return rates, sp.lambdify([*q, *v, t], F(q, v, t))


def test_a_double_pendulum_with_a_tip_of_given_speed_agrees_with_computer_algebra():
    """L and F of two points on rods of 0.8 and 0.6 m, written by hand; the speed of the lower one grows."""
    m, l = (1.1, 0.7), (0.8, 0.6)

    def lagrangian(q, v):
        x1, y1 = l[0] * v[0] * sp.cos(q[0]), l[0] * v[0] * sp.sin(q[0])
        x2, y2 = x1 + l[1] * v[1] * sp.cos(q[1]), y1 + l[1] * v[1] * sp.sin(q[1])
        high = -l[0] * sp.cos(q[0]), -l[0] * sp.cos(q[0]) - l[1] * sp.cos(q[1])
        return (m[0] * (x1**2 + y1**2) + m[1] * (x2**2 + y2**2)) / 2 - G * (m[0] * high[0] + m[1] * high[1])

    def held(q, v, t):
        x = l[0] * v[0] * sp.cos(q[0]) + l[1] * v[1] * sp.cos(q[1])
        y = l[0] * v[0] * sp.sin(q[0]) + l[1] * v[1] * sp.sin(q[1])
        return x**2 + y**2 - (1 + sp.Rational(3, 10) * t) ** 2

    angles, t = sp.symbols("q0:2"), sp.Symbol("t")
    rates, F = lagrange_of(lagrangian, held, angles, t)
    first, rate, mu = (0.4, -0.3), np.array([1.0, 0.2]), 0.15
    for _ in range(50):  # scale the rates until the tip has its speed
        rate = rate / np.sqrt(1 + F(*first, *rate, 0.0))
    reference = solve_ivp(rates, (0, 0.5), [*first, *rate, mu], method="DOP853", rtol=1e-12, atol=1e-12)

    system = vc.System("double pendulum", gravity=(0, 0, -G))
    upper = system.add(vc.RigidBody("upper", m[0], com=(0, 0, -l[0]), inertia=(0, 0, 0)))
    lower = system.add(vc.RigidBody("lower", m[1], com=(0, 0, -l[1]), inertia=(0, 0, 0)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, -1, 0)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, -1, 0), at=(0, 0, -l[0])))
    system.add(vc.Constraint("speed", [lower], realization=vc.Vakonomic(multipliers=mu), velocity=lambda b, t: vc.math.dot(
        b.center_velocity, b.center_velocity) - (1 + 0.3 * t) ** 2))  # fmt: skip
    start = {"shoulder": vc.At(first[0], rate=rate[0]), "elbow": vc.At(first[1] - first[0], rate=rate[1] - rate[0])}
    motion = vc.simulate(system, 0.5, start)
    end = [motion["shoulder"][-1], motion["shoulder"][-1] + motion["elbow"][-1], motion.bond("speed").multiplier[-1]]
    assert np.abs(np.array(end) - reference.y[[0, 1, 4], -1]).max() < 1e-9
    assert motion.audit().passed, str(motion.audit())
    with pytest.raises(
        vc.errors.RunError,
        match=r"singular: the multipliers of 'speed' leave some motion without inertia.*speed.mu = -0.426",
    ):
        vc.simulate(system, 1.5, start)
    with np.errstate(all="ignore"):
        beyond = solve_ivp(rates, (0, 1.5), [*first, *rate, mu], method="DOP853", rtol=1e-10, atol=1e-10)
    assert beyond.status == -1 and beyond.t[-1] == pytest.approx(0.576176394, abs=1e-6)


def test_a_top_whose_spin_is_held_back_agrees_with_euler_angles_by_computer_algebra():
    """A heavy body about a fixed point with ω₃ − ½ ω₁ = 0 in its own axes, z-x-z angles against quaternions."""
    A, B, C, weight, mu = 0.5, 0.7, 0.4, 1.3, 0.2
    angles, t = sp.symbols("q0:3"), sp.Symbol("t")

    def spin(q, v):
        return (v[0] * sp.sin(q[1]) * sp.sin(q[2]) + v[1] * sp.cos(q[2]),
                v[0] * sp.sin(q[1]) * sp.cos(q[2]) - v[1] * sp.sin(q[2]), v[0] * sp.cos(q[1]) + v[2])  # fmt: skip

    def lagrangian(q, v):
        w = spin(q, v)
        return (A * w[0] ** 2 + B * w[1] ** 2 + C * w[2] ** 2) / 2 - weight * sp.cos(q[1])

    def held(q, v, t):
        w = spin(q, v)
        return w[2] - w[0] / 2

    rates, _ = lagrange_of(lagrangian, held, angles, t)
    first, rate = np.array([0.3, 0.9, -0.2]), np.array([0.6, 0.4, 0.0])
    w = sp.lambdify([*angles, *sp.symbols("v0:3")], spin(angles, sp.symbols("v0:3")))
    s = np.sin(first[1]) * np.sin(first[2])
    rate[2] = (rate[0] * s + rate[1] * np.cos(first[2])) / 2 - rate[0] * np.cos(first[1])
    reference = solve_ivp(rates, (0, 2.0), [*first, *rate, mu], method="DOP853", rtol=1e-12, atol=1e-12)

    def turned(q):
        def z(a):
            return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])

        x = np.array([[1, 0, 0], [0, np.cos(q[1]), -np.sin(q[1])], [0, np.sin(q[1]), np.cos(q[1])]])
        return z(q[0]) @ x @ z(q[2])

    system = vc.System("top", gravity=(0, 0, -weight / 0.4))
    body = system.add(vc.RigidBody("top", 1.0, com=(0, 0, 0.4), inertia=(A, B, C), about="origin"))
    system.add(vc.Spherical("pivot", "ground", body))
    system.add(vc.Constraint("spin", [body], realization=vc.Vakonomic(multipliers=mu), velocity=lambda b: vc.math.dot(
        b.angular_velocity, b.rotation[:, 2] - 0.5 * b.rotation[:, 0])))  # fmt: skip
    motion = vc.simulate(system, 2.0, {"pivot": vc.At(vc.Pose(rotation=turned(first)), rate=w(*first, *rate))})
    assert np.abs(motion.body("top").rotation[-1] - turned(reference.y[:3, -1])).max() < 1e-9
    assert abs(motion.bond("spin").multiplier[-1] - reference.y[6, -1]) < 1e-9
    assert motion.audit().passed, str(motion.audit())


def chain(chart: str) -> vc.System:
    """Two bodies in spherical joints, held by one linear and one quadratic row."""
    system = vc.System("chain", gravity=(0.3, 0, -2.0))
    a = system.add(vc.RigidBody("a", 1.3, com=(0.1, 0.05, -0.07), inertia=(0.5, 0.4, 0.3)))
    b = system.add(vc.RigidBody("b", 0.7, com=(0.2, -0.05, 0.1), inertia=(0.2, 0.25, 0.3)))
    system.add(vc.Spherical("j", "ground", a, chart=chart))
    system.add(vc.Spherical("k", a, b, at=(0.5, 0, 0.2), chart=chart))
    system.add(vc.Constraint("c", [a, b], realization=vc.Vakonomic(multipliers=(0.3, -0.2)), velocity=lambda a, b: (
        b.velocity[0] - 0.5 * a.angular_velocity[1] + 0.3 * b.rotation[0, 2] * a.angular_velocity[2] * b.position[1],
        b.velocity[1] + 0.5 * a.angular_velocity[0] * b.angular_velocity[2])))  # fmt: skip
    return system


@pytest.mark.slow
def test_the_chart_of_a_rotation_does_not_change_a_vakonomic_motion():
    start = {"j": vc.At(rate=(0.3, 0.2, 0.5)), "k": vc.At(rate=(0.1, -0.4, 0.3))}
    ends = []
    for chart in ("quaternion", "xyz"):
        motion = vc.simulate(chain(chart), 1.0, start, repair=True)
        ends.append(
            np.concatenate([motion.body("b").point((0.3, 0.2, 0.1)).position[-1], motion.bond("c").multiplier[-1]])
        )
        assert motion.audit().passed, str(motion.audit())
    assert np.abs(ends[0] - ends[1]).max() < 1e-12


def stationarity(motion, count: int = 40) -> float:
    """What is left of the gradient of the action of a falling point of fixed speed 2 along variations that keep its speed.

    The action and the constraint are those of polynomials through Chebyshev points, with both ends fixed; no equations of
    motion enter. Zero where the action is stationary.
    """
    x = np.cos(np.pi * np.arange(count + 1) / count)[::-1]
    half = motion.time[-1] / 2
    values = chebyshev.chebvander(x, count)
    slopes = np.stack([chebyshev.chebval(x, chebyshev.chebder(row)) for row in np.eye(count + 1)], axis=1)
    D = slopes @ np.linalg.inv(values) / half
    moments = np.array([0.0 if k % 2 else 2.0 / (1 - k * k) for k in range(count + 1)])
    weights = np.linalg.solve(values.T, moments) * half
    q = motion.at(np.clip(half * (1 + x), 0.0, motion.time[-1])).q[:, :2]
    v = D @ q
    gradient = D.T @ (weights[:, None] * v) - weights[:, None] * np.array([0.0, G])
    rows = [(2 * weights[k] * v[k])[None, :] * D[k][:, None] for k in range(count + 1)]
    inner = slice(1, count)
    scale = np.sqrt(weights[inner])[:, None]
    right = (gradient[inner] / scale).ravel()
    columns = np.stack([(row[inner] / scale).ravel() for row in rows], axis=1)
    columns = columns / np.sqrt(weights)
    left = right - columns @ np.linalg.lstsq(columns, right, rcond=None)[0]
    return float(np.linalg.norm(left) / np.linalg.norm(right))


@pytest.mark.parametrize(("realization", "is_stationary"), [
    (vc.Vakonomic(multipliers=0.0), True), (vc.Vakonomic(multipliers=0.3), True), (vc.Chetaev(), False)])  # fmt: skip
def test_only_vakonomic_motions_make_the_action_stationary(realization, is_stationary):
    system = vc.System("point", gravity=(0, -G, 0))
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("speed", [p], velocity=lambda p: vc.math.dot(p.velocity, p.velocity) - 4.0,
                             realization=realization))  # fmt: skip
    left = stationarity(vc.simulate(system, 1.0, {"p": vc.At((0, 0, 0), rate=(2, 0, 0))}))
    assert left < 1e-8 if is_stationary else left > 1e-3
