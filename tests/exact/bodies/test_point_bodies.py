"""Point-bodies against closed forms and equations written by hand. Cheremensky, section 2.4.2."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import vinculum as vc


def inertias(seed):
    X = np.random.default_rng(seed).normal(size=(6, 6))
    Theta = X @ X.T + 2.0 * np.eye(6)
    return Theta, (Theta[:3, :3], Theta[:3, 3:], Theta[3:, 3:])


def skew(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def test_a_free_point_body_keeps_its_energy_and_its_momentum_screw():
    Theta, parts = inertias(1)
    system = vc.System("free")
    system.add(vc.PointBody("body", *parts, mass=1.0))
    start = np.random.default_rng(2).normal(size=6)
    motion = vc.simulate(system, until=4.0, start={"body": vc.At((1.0, 2.0, 3.0), start)})
    seen = motion.body("body")
    V = seen.twist
    P = V @ Theta
    p, q = P[:, :3], P[:, 3:]
    for kept in (0.5 * np.sum(V * P, axis=1), np.sum(p * p, axis=1), np.sum(p * q, axis=1)):
        assert np.ptp(kept) < 1e-11 * np.abs(kept).max()
    world_p, world_q = ((seen.rotation @ x[:, :, None])[:, :, 0] for x in (p, q))
    screw = np.concatenate([world_p, world_q + np.cross(seen.position, world_p)], axis=1)
    assert np.ptp(screw, axis=0).max() < 1e-11 * np.abs(screw).max()
    assert np.abs(screw - seen.momentum).max() < 1e-12 * np.abs(screw).max()
    assert motion.audit().passed


def test_a_point_body_obeys_newton_and_euler_written_by_hand():
    Theta, parts = inertias(3)
    mass, com, g = 1.7, np.array([0.2, -0.1, 0.3]), np.array([0.3, 0.0, -9.81])
    hook, top, stiffness = np.array([0.1, 0.4, 0.2]), np.array([1.0, 0.0, 2.0]), 30.0

    def rates(t, y):
        x, R, V = y[:3], y[3:12].reshape(3, 3), y[12:]
        v, w = V[:3], V[3:]
        pull = R.T @ (-stiffness * (x + R @ hook - top))
        force = mass * (R.T @ g) + pull
        moment = np.cross(com, mass * (R.T @ g)) + np.cross(hook, pull)
        p, q = np.split(Theta @ V, 2)
        change = np.concatenate([force - np.cross(w, p), moment - np.cross(w, q) - np.cross(v, p)])
        return np.concatenate([R @ v, (R @ skew(w)).ravel(), np.linalg.solve(Theta, change)])

    V0 = np.array([0.3, -0.2, 0.5, 1.0, -0.7, 0.4])
    y = solve_ivp(
        rates, (0, 2), np.concatenate([np.zeros(3), np.eye(3).ravel(), V0]), rtol=1e-12, atol=1e-13, method="DOP853"
    ).y[:, -1]
    system = vc.System("hung", gravity=g)
    body = system.add(vc.PointBody("body", *parts, mass=mass, com=com))
    system.add(vc.Spring("spring", body, "ground", stiffness, at=hook, to=top))
    motion = vc.simulate(system, until=2.0, start={"body": vc.At((0, 0, 0), V0)})
    seen = motion.body("body")
    found = np.concatenate([seen.position[-1], seen.rotation[-1].ravel(), seen.twist[-1]])
    assert np.abs(found - y).max() < 1e-9
    assert motion.audit().passed


def test_a_body_in_an_ideal_fluid_swings_like_a_pendulum():
    # Kirchhoff: with the impulse P along x, 2θ obeys φ̈ = −(a₁ − a₂) P²/(a₁ a₂ C) sin φ
    a, c, P, theta = np.array([3.0, 1.2, 2.0]), 0.8, 2.0, 0.6
    system = vc.System("fluid")
    system.add(vc.PointBody("body", a, 0.0, c, mass=1.0))
    turn = vc.Pose(rotation=[[np.cos(theta), -np.sin(theta), 0], [np.sin(theta), np.cos(theta), 0], [0, 0, 1]])
    velocity = [P * np.cos(theta) / a[0], -P * np.sin(theta) / a[1], 0, 0, 0, 0]
    k = (a[0] - a[1]) * P**2 / (a[0] * a[1] * c)
    period = 4 * ellipk(np.sin(theta) ** 2) / np.sqrt(k)
    motion = vc.simulate(system, until=period, start={"body": vc.At(turn, velocity)}, grid=3)
    angle = np.arctan2(motion.body("body").rotation[:, 1, 0], motion.body("body").rotation[:, 0, 0])
    assert angle[[0, -1]] == pytest.approx([theta, theta], abs=1e-10)
    assert motion.body("body").angular_velocity[-1] == pytest.approx([0, 0, 0], abs=1e-10)


def test_a_rigid_body_is_the_point_body_with_its_inertia():
    mass, com, J = (
        1.3,
        np.array([0.1, -0.2, 0.15]),
        np.array([[0.3, 0.02, 0.01], [0.02, 0.4, -0.03], [0.01, -0.03, 0.25]]),
    )
    at_origin = J - mass * skew(com) @ skew(com)

    def chain(body):
        system = vc.System("chain", gravity=(0, 0, -9.81))
        arm = system.add(vc.RigidBody("arm", 1.0, com=(0, 0, -0.3), inertia=(0.1, 0.1, 0.02)))
        system.add(body)
        tip = system.add(vc.RigidBody("tip", 0.5, com=(0.1, 0, 0), inertia=(0.01, 0.02, 0.02)))
        system.add(vc.Revolute("first", "ground", arm, axis=(0, 1, 0)))
        system.add(vc.Universal("second", arm, body, at=(0, 0, -0.6), to=(0.1, 0, 0.2)))
        system.add(vc.Revolute("third", body, tip, at=(0, 0.1, -0.3), axis=(1, 0, 1)))
        start = {"first": vc.At(0.5, 1.0), "second": vc.At((0.3, -0.2), (1.0, 2.0)), "third": 0.4}
        return vc.simulate(system, until=1.5, start=start)

    rigid = chain(vc.RigidBody("body", mass, com=com, inertia=J))
    point = chain(vc.PointBody("body", mass, -mass * skew(com), at_origin))
    assert np.abs(rigid.q[-1] - point.q[-1]).max() < 1e-11
    assert np.abs(rigid.body("body").momentum - point.body("body").momentum).max() < 1e-10
    assert np.abs(rigid.joint("second").reaction - point.joint("second").reaction).max() < 1e-9
