"""Spinning bodies against closed forms."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk, ellipkinc

import vinculum as vc
from vinculum.compile.engines import has_heyoka

CHARTS = ["quaternion", "fedorov", "xyz"]
DENSE = 1.0 if has_heyoka() else 100.0
"""How much less accurate the dense output of order 7 is than a Taylor series."""


def free_body(moments) -> vc.System:
    system = vc.System("free body")
    system.add(vc.RigidBody("body", 1.0, inertia=moments))
    return system


def test_symmetric_free_top_precesses():
    motion = vc.simulate(free_body((2, 2, 3)), 20.0, {"body": vc.At((0, 0, 0), rate=(0, 0, 0, 0.3, 0, 1.2))})
    t = motion.time
    expected = np.stack([0.3 * np.cos(0.6 * t), 0.3 * np.sin(0.6 * t), 1.2 + 0 * t], axis=1)
    assert np.abs(motion.body("body").twist[:, 3:] - expected).max() < 1e-13 * DENSE
    assert motion.audit().passed


def test_dzhanibekov_flip_follows_jacobi():
    """Rotation near the middle axis: its angular velocity is an elliptic sine of time. Landau and Lifshitz, § 37."""
    J = np.array([1.0, 2.0, 3.0])
    start = np.array([0.02, 1.5, 0.04])
    motion = vc.simulate(free_body(tuple(J)), 60.0, {"body": vc.At((0, 0, 0), rate=(0, 0, 0, *start))})
    twice_T, M2 = J @ start**2, (J * start) @ (J * start)
    assert twice_T * J[1] < M2
    rate = np.sqrt((J[2] - J[1]) * (M2 - twice_T * J[0]) / J.prod())
    k2 = (J[1] - J[0]) * (twice_T * J[2] - M2) / ((J[2] - J[1]) * (M2 - twice_T * J[0]))
    size = np.sqrt((twice_T * J[2] - M2) / (J[1] * (J[2] - J[1])))
    assert (J[2] - J[0]) * start[2] * start[0] > 0
    phase = ellipkinc(np.arcsin(start[1] / size), k2)
    middle = motion.body("body").twist[:, 4]
    assert np.abs(middle - size * ellipj(rate * motion.time + phase, k2)[0]).max() < 1e-10
    assert middle.min() < -1.49
    assert motion.audit().passed


def lagrange_top(chart: str = "quaternion") -> vc.System:
    system = vc.System("Lagrange top", gravity=(0, 0, -9.81))
    top = system.add(vc.RigidBody("top", 0.5, com=(0, 0, 0.2), inertia=(0.03, 0.03, 0.01), about="origin"))
    system.add(vc.Spherical("foot", "ground", top, chart=chart))
    return system


def tilted(chart: str, angle: float):
    from vinculum.screws import chart as chart_of

    R = np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
    return chart_of(chart).from_matrix(R)


def cosine_of_nutation(t, spin, angle):
    """cos θ of a top released at rest on its side, spinning: an elliptic function. Whittaker, Analytical Dynamics, § 71."""
    A, C, mgl = 0.03, 0.01, 0.5 * 9.81 * 0.2
    u0 = np.cos(angle)
    a, b, beta = C * spin / A, C * spin * u0 / A, 2 * mgl / A
    # u̇² = (α − βu)(1 − u²) − (b − a u)², α = β u0 since θ̇ = φ̇ = 0 at the start
    cubic = np.poly1d([beta, -(beta * u0 + a**2), -beta + 2 * a * b, beta * u0 - b**2])
    low, high, far = np.sort(cubic.roots.real)
    k2 = (high - low) / (far - low)
    w = np.sqrt(beta * (far - low)) / 2
    return low + (high - low) * ellipj(w * t + ellipk(k2), k2)[0] ** 2


@pytest.mark.parametrize(("chart", "until"), [("quaternion", 3.0), ("xyz", 3.0), ("fedorov", 0.06)])
def test_lagrange_top_nutates_as_an_elliptic_function(chart, until):
    """Fedorov's parameters have no value at half a turn, so their run is short."""
    angle, spin = 0.9, 40.0
    motion = vc.simulate(lagrange_top(chart), until, {"foot": vc.At(tilted(chart, angle), rate=(0, 0, spin))})
    assert np.abs(motion.body("top").rotation[:, 2, 2] - cosine_of_nutation(motion.time, spin, angle)).max() < 1e-11
    assert np.abs(motion.body("top").twist[:, 5] - spin).max() < 1e-11
    assert motion.audit().passed


def test_charts_give_the_same_attitude_as_the_matrix_equation():
    """Ċ = C ω× integrated as it stands, next to the three charts of one motion. Cheremensky (27)."""
    from scipy.integrate import solve_ivp

    motions = [
        vc.simulate(lagrange_top(chart), 0.2, {"foot": vc.At(tilted(chart, 0.9), rate=(0.5, -0.2, 9.0))})
        for chart in CHARTS
    ]
    first = motions[0]
    for other in motions[1:]:
        assert np.abs(first.body("top").rotation - other.body("top").rotation).max() < 1e-9

    def rate(t, c):
        wx, wy, wz = first.at([t]).body("top").twist[0, 3:]
        return (c.reshape(3, 3) @ np.array([[0, -wz, wy], [wz, 0, -wx], [-wy, wx, 0]])).ravel()

    solved = solve_ivp(rate, (0, 0.2), first.body("top").rotation[0].ravel(), method="DOP853", rtol=1e-11, atol=1e-12)
    assert np.abs(solved.y[:, -1].reshape(3, 3) - first.at([0.2]).body("top").rotation[0]).max() < 1e-9


@pytest.mark.skipif(not has_heyoka(), reason="a claim of the Taylor engine")
def test_energy_of_the_top_stays_for_ten_thousand_nutations():
    period = np.pi * 0.03 * 2 / (0.01 * 40.0)
    motion = vc.simulate(
        lagrange_top(), 1e4 * period, {"foot": vc.At(tilted("quaternion", 0.9), rate=(0, 0, 40.0))}, grid=501
    )
    energy = motion.energy
    assert np.abs(energy / energy[0] - 1).max() < 1e-12
    assert np.abs((motion.q**2).sum(axis=1) - 1).max() < 1e-12


def test_quaternions_keep_their_norm_for_ten_thousand_revolutions():
    motion = vc.simulate(
        free_body((2, 2.5, 3)), 1e4, {"body": vc.At((0, 0, 0), rate=(0, 0, 0, 0.3, 0.1, 2 * np.pi))}, grid=401
    )
    assert np.abs((motion.q[:, 3:] ** 2).sum(axis=1) - 1).max() < 1e-12


def test_a_free_floating_tree_keeps_its_momentum_screw_and_energy():
    rng = np.random.default_rng(4)
    from trees import random_inertia

    system = vc.System("tree in space")
    base = system.add(vc.RigidBody("base", 2.0, (0.1, 0, 0.2), random_inertia(rng)))
    for i in range(3):
        arm = system.add(vc.RigidBody(f"arm{i}", 0.7, (0.2, 0.1, 0), random_inertia(rng)))
        system.add(vc.Revolute(f"hinge{i}", base, arm, axis=rng.normal(size=3), at=rng.normal(size=3) * 0.3))
    start = {"base": vc.At((0, 0, 0), rate=rng.normal(size=6))} | {
        f"hinge{i}": vc.At(0.3 * i, rate=1.0 - i) for i in range(3)
    }
    motion = vc.simulate(system, 10.0, start)
    total = motion.body().momentum
    mass = 2.0 + 3 * 0.7
    drift = motion.body().center - motion.body().center[0] - motion.time[:, None] * total[0, :3] / mass
    assert np.abs(drift).max() < 1e-12 * DENSE
    assert np.abs(motion.body("base", "arm0").momentum + motion.body("arm1", "arm2").momentum - total).max() < 1e-13
    assert np.abs(total - total[0]).max() < 1e-12 * DENSE
    assert np.abs(motion.energy - motion.energy[0]).max() < 1e-12 * DENSE
    assert motion.audit().passed


def test_quaternion_mass_matrix_has_rank_six():
    """With the quaternion's four rates the mass matrix is 7 × 7, of rank 6, with kernel (0, Λ)."""
    from vinculum.screws import Quaternion

    rng = np.random.default_rng(1)
    quaternion = rng.normal(size=4)
    quaternion /= np.linalg.norm(quaternion)
    measure = vc.Measure.atoms(rng.normal(size=(6, 3)), rng.uniform(0.5, 2, 6))
    chart = Quaternion()
    M = np.block([[chart.matrix(quaternion).T, np.zeros((3, 4))], [np.zeros((3, 3)), chart.D(quaternion)]])
    mass = M.T @ measure.Theta @ M
    assert np.linalg.matrix_rank(mass, tol=1e-10) == 6
    assert np.abs(mass @ np.concatenate([np.zeros(3), quaternion])).max() < 1e-12
