"""Taylor coefficients of motions against digits, closed forms and polynomials made with NumPy alone."""

import numpy as np
import pytest
import scipy.special
from scipy.special import ellipk, ellipkinc

import vinculum as vc

FORMS = ["telegin", "newton-euler", "lagrange"]
GRAVITY = 9.81


def pendulum() -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -GRAVITY))
    bob = system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 1)))
    return system


def slider(drive) -> vc.System:
    system = vc.System("slider")
    system.add(vc.MassPoint("mass", 2.0))
    system.add(vc.Prismatic("rail", "ground", "mass", axis=(1, 0, 0), drive=drive))
    return system


def reference_tree() -> tuple[vc.System, dict]:
    """Four bodies of Telegin 2014's form: bases 0, 1, 2, 1; joints R, P, R, R."""
    rows = [
        (vc.Revolute, (0, 0, 1), (0, 0, 0), 3.0, (0.5, 0, 0.1), (0.13, 0.10, 0.05), 0.3, 1.0),
        (vc.Prismatic, (0.8, 0, 0.6), (1, 0.1, 0), 1.5, (0.2, 0.1, 0), (0.01, 0.025, 0.025), 0.2, -0.4),
        (vc.Revolute, (0, 0.8, 0.6), (0.3, 0, 0.2), 0.6, (0.1, 0, -0.4), (0.034, 0.034, 0.004), -0.5, 0.8),
        (vc.Revolute, (0.6, 0, 0.8), (0, 0.5, 0.2), 0.9, (0, 0.3, 0.1), (0.03, 0.006, 0.03), 0.7, -0.6),
    ]
    system, start = vc.System("reference tree", gravity=(0, 0, -GRAVITY)), {}
    for i, (joint, axis, at, mass, com, inertia, q, rate) in enumerate(rows):
        base = ("ground", "body0", "body1", "body0")[i]
        system.add(vc.RigidBody(f"body{i}", mass, com, inertia))
        system.add(joint(f"joint{i}", base, f"body{i}", axis=axis, at=at))
        start[f"joint{i}"] = vc.At(q, rate=rate)
    return system, start


@pytest.mark.parametrize("form", FORMS)
def test_a_pendulum_has_the_published_coefficients(form):
    series = vc.power_series(pendulum(), {"hinge": vc.At(0.4, rate=0.2)}, order=4, form=form)
    assert series.q[0] == pytest.approx([0.4, 0.2, -1.910096969, -0.301186945, 1.444607667], abs=5e-10)
    assert series.v[0, :4] == pytest.approx(series.q[0, 1:] * np.arange(1, 5), rel=1e-14)


@pytest.mark.parametrize("form", FORMS)
def test_the_reference_tree_has_the_published_coefficients(form):
    system, start = reference_tree()
    series = vc.power_series(system, start, form=form)
    assert 2 * series.q[:, 2] == pytest.approx([0.4431240539, -4.5439150915, 0.6125262582, -10.5948402716], abs=1e-9)
    assert series.q[:, 3] == pytest.approx([0.7870744857, -0.0059716832, -2.6775602460, -2.2862755792], abs=1e-9)
    assert series.q[:, 4] == pytest.approx([0.6037185401, 0.1991963401, -1.4140666813, -6.0530082892], abs=1e-9)
    assert series(0.1)[0] == pytest.approx([0.4030708889, 0.1373015932, -0.4197253585, 0.5841189473], abs=1e-9)


def test_a_series_about_another_instant_is_the_same_motion():
    series = vc.power_series(slider(lambda t, q: vc.math.cos(3 * t) - q), {"rail": 0.3}, order=25, t=1.7)
    q, v = series(np.array([1.7, 1.8]))
    motion = vc.simulate(slider(lambda t, q: vc.math.cos(3 * t) - q), 1.8, {"rail": 0.3}, begin=1.7, max_step=1e-2)
    assert q.shape == v.shape == (2, 1)
    assert q[1] == pytest.approx(motion.q[-1], abs=1e-13)
    assert v[1] == pytest.approx(motion.v[-1], abs=1e-12)


SMOOTH = {
    "sin": (vc.math.sin, np.sin), "cos": (vc.math.cos, np.cos), "tan": (vc.math.tan, np.tan),
    "asin": (vc.math.asin, np.arcsin), "acos": (vc.math.acos, np.arccos), "atan": (vc.math.atan, np.arctan),
    "sinh": (vc.math.sinh, np.sinh), "cosh": (vc.math.cosh, np.cosh), "tanh": (vc.math.tanh, np.tanh),
    "asinh": (vc.math.asinh, np.arcsinh), "atanh": (vc.math.atanh, np.arctanh),
    "acosh": (lambda x: vc.math.acosh(1.5 + x), lambda x: np.arccosh(1.5 + x)),
    "exp": (vc.math.exp, np.exp), "expm1": (vc.math.expm1, np.expm1), "log": (vc.math.log, np.log),
    "log1p": (vc.math.log1p, np.log1p), "sqrt": (vc.math.sqrt, np.sqrt), "erf": (vc.math.erf, scipy.special.erf),
    "quotient": (lambda x: 1.0 / (2.0 + x * x), lambda x: 1.0 / (2.0 + x * x)),
    "power": (lambda x: x**2.5, lambda x: x**2.5),
    "power of powers": (lambda x: (1.0 + x) ** x, lambda x: (1.0 + x) ** x),
    "exponential of a constant": (lambda x: vc.math.pow(2.0, x), lambda x: 2.0**x),
    "atan2": (lambda x: vc.math.atan2(x, 1.0 + x), lambda x: np.arctan(x / (1.0 + x))),
    "hypot": (lambda x: vc.math.hypot(x, 1.0 - x), lambda x: np.sqrt(x * x + (1.0 - x) ** 2)),
    "abs": (lambda x: vc.math.abs(x - 1.0), lambda x: 1.0 - x),
    "min": (lambda x: vc.math.minimum(x, x * x), lambda x: x * x),
    "max": (lambda x: vc.math.maximum(x, x * x), lambda x: x),
    "where": (lambda x: vc.math.where(x < 1.0, vc.math.sin(x), 0.0), np.sin),
    "sign": (lambda x: vc.math.sign(x) * x, lambda x: x), "floor": (lambda x: vc.math.floor(x) + x, lambda x: x),
    "ceil": (lambda x: vc.math.ceil(x) * x, lambda x: x), "copysign": (lambda x: vc.math.copysign(x, -x), lambda x: -x),
    "fmod": (lambda x: vc.math.fmod(x + 3.0, 1.0), lambda x: x),
    "logic": (lambda x: vc.math.where(vc.math.logical_and(x > 0.0, vc.math.logical_not(x >= 1.0)), x, 7.0), lambda x: x),
}  # fmt: skip


@pytest.mark.parametrize("name", SMOOTH)
def test_every_function_has_the_series_that_cauchys_integral_gives(name):
    """2 ẍ = f(x): coefficients of f(x(t)) by a Fourier transform around a small circle in the complex plane."""
    ours, theirs = SMOOTH[name]
    order, points, radius = 14, 128, 0.12
    series = vc.power_series(slider(lambda q: ours(q)), {"rail": vc.At(0.45, rate=0.3)}, order=order)
    x = series.q[0]
    circle = radius * np.exp(2j * np.pi * np.arange(points) / points)
    force = np.fft.fft(theirs(np.polynomial.polynomial.polyval(circle, x))).real / points / radius ** np.arange(points)
    n = np.arange(order - 1)
    expected = force[: order - 1] / (2.0 * (n + 1) * (n + 2))
    weight = radius ** (n + 2)
    assert np.abs((x[2:] - expected) * weight).max() < 1e-15


def test_a_double_pole_limits_the_radius():
    """ẍ = 6 x², x(0) = 1, ẋ(0) = 2 is x = 1/(1 − t)²: coefficients n + 1, radius one."""
    series = vc.power_series(slider(lambda q: 12.0 * q * q), {"rail": vc.At(1.0, rate=2.0)}, order=30)
    assert series.q[0] == pytest.approx(np.arange(1, 32), rel=1e-12)
    assert series.radius == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize(("q0", "v0"), [(2.0, 0.0), (0.0, 3.0), (0.4, 0.2), (1.0, 2.0), (0.0, 6.2), (0.0, 8.0)])
def test_the_radius_of_a_pendulum_is_the_distance_to_the_nearest_pole(q0, v0):
    """sin(q/2) = k sn(ωt + u₀) when it swings, q/2 = am(ωkt + u₀) when it turns over; poles at 2mK + iK'. Whittaker, § 44."""
    rate = np.sqrt(GRAVITY)
    k = np.sqrt((0.5 * v0**2 + GRAVITY * (1 - np.cos(q0))) / (2 * GRAVITY))
    if k < 1.0:
        m, speed, phase = k * k, rate, np.arcsin(min(1.0, np.sin(q0 / 2) / k))
    else:
        m, speed, phase = 1 / k**2, rate * k, q0 / 2
    u0, K = ellipkinc(phase, m), ellipk(m)
    exact = np.hypot(u0 - 2 * K * np.round(u0 / (2 * K)), ellipk(1 - m)) / speed
    series = vc.power_series(pendulum(), {"hinge": vc.At(q0, rate=v0)}, order=30)
    assert series.radius == pytest.approx(exact, rel=2e-3)


def test_a_fall_is_a_polynomial_and_reaches_everywhere():
    system = vc.System("fall", gravity=(0, 0, -GRAVITY))
    system.add(vc.MassPoint("stone", 1.0))
    series = vc.power_series(system, {"stone": vc.At((1, 2, 3), rate=(4, 5, 6))}, order=8)
    expected = np.zeros((3, 9))
    expected[:, 0], expected[:, 1], expected[2, 2] = (1, 2, 3), (4, 5, 6), -GRAVITY / 2
    assert np.array_equal(series.q, expected)
    assert series.radius == np.inf


def times(a, b):
    """Product of two series, or of a matrix of series with a vector of them, (…, order + 1)."""
    n = a.shape[-1]
    if a.ndim == 1:
        return np.convolve(a, b)[:n]
    return np.array([sum(times(a[i, j], b[j]) for j in range(3)) for i in range(3)])


def slope(a):
    n = np.arange(a.shape[-1])
    return np.concatenate([a[..., 1:] * n[1:], np.zeros((*a.shape[:-1], 1))], axis=-1)


def crossed(a, b):
    return np.array([times(a[i - 2], b[i - 1]) - times(a[i - 1], b[i - 2]) for i in range(3)])


def matrix(q):
    w, x, y, z = q
    one = np.zeros_like(w)
    one[0] = 1.0
    R = [[one - 2 * (times(y, y) + times(z, z)), 2 * (times(x, y) - times(w, z)), 2 * (times(x, z) + times(w, y))],
         [2 * (times(x, y) + times(w, z)), one - 2 * (times(x, x) + times(z, z)), 2 * (times(y, z) - times(w, x))],
         [2 * (times(x, z) - times(w, y)), 2 * (times(y, z) + times(w, x)), one - 2 * (times(x, x) + times(y, y))]]  # fmt: skip
    return np.array(R)


def test_a_floating_pair_keeps_its_moment_and_falls_as_a_stone():
    """Polynomials rebuilt from the description: K_c has no term beyond the first, the mass center only g/2 at t²."""
    order, g = 16, np.array([0.5, -1.0, -9.81])
    J0, J1, m0, m1 = np.diag([0.3, 0.4, 0.5]), np.diag([0.1, 0.25, 0.2]), 2.0, 0.7
    c0, c1, hinge = np.array([0.1, 0.0, 0.2]), np.array([0.3, 0.1, 0.0]), np.array([0.4, 0.5, 0.0])
    system = vc.System("pair", gravity=tuple(g))
    system.add(vc.RigidBody("hub", m0, tuple(c0), J0))
    system.add(vc.RigidBody("arm", m1, tuple(c1), J1))
    system.add(vc.Spherical("ball", "hub", "arm", at=tuple(hinge), stiffness=2.0))
    start = {"hub": vc.At((1, 2, 3, 0.5, 0.5, 0.5, 0.5), rate=(1, 0, -1, 0.6, -0.4, 0.9)),
             "ball": vc.At((0.6, 0.0, 0.8, 0.0), rate=(1.0, 0.5, -0.7))}  # fmt: skip
    series = vc.power_series(system, start, order=order)
    q = dict(zip(series.q_names, series.q, strict=True))
    v = dict(zip(series.v_names, series.v, strict=True))
    hub_turn = [q[n] for n in series.q_names if n.startswith("hub.q")]
    ball_turn = [q[n] for n in series.q_names if n.startswith("ball")]

    def constant(p):
        return np.concatenate([np.reshape(p, (3, 1)), np.zeros((3, order))], axis=1)

    R0 = matrix(hub_turn)
    R01 = matrix(ball_turn)
    R1 = np.array([[sum(times(R0[i, k], R01[k, j]) for k in range(3)) for j in range(3)] for i in range(3)])
    x = np.array([q["hub.x"], q["hub.y"], q["hub.z"]])
    r0 = x + times(R0, constant(c0))
    r1 = x + times(R0, constant(hinge)) + times(R1, constant(c1))
    spin0 = np.array([v["hub.wx"], v["hub.wy"], v["hub.wz"]])
    turned = np.array([sum(times(R01[k, i], spin0[k]) for k in range(3)) for i in range(3)])
    spin1 = turned + np.array([v["ball.wx"], v["ball.wy"], v["ball.wz"]])
    center = (m0 * r0 + m1 * r1) / (m0 + m1)
    K = times(R0, J0 @ spin0) + times(R1, J1 @ spin1)
    for m, r in ((m0, r0), (m1, r1)):
        K = K + m * crossed(r - center, slope(r - center))
    assert np.abs(center[:, 2] - g / 2).max() < 1e-13
    scale = 0.3 ** np.arange(order)
    assert np.abs(center[:, 3:order] * scale[3:]).max() < 1e-13
    assert np.abs(K[:, 1:order] * scale[1:]).max() < 1e-13
    assert np.abs(K[:, 0]).max() > 0.1
