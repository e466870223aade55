"""Constraints on accelerations: reactions along ∂F/∂v̇ (Gauss), or by named effort."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc

G = 9.81


def test_an_acceleration_across_the_velocity_is_constant_speed_restated():
    """a · v = 0 is d/dt of |v|² = c², and Gauss's reaction λ v has the direction of Chetaev's."""
    motions = []
    for level, function in (("acceleration", lambda p: vc.math.dot(p.acceleration, p.velocity)),
                            ("velocity", lambda p: vc.math.dot(p.velocity, p.velocity) - 4.0)):  # fmt: skip
        system = vc.System("speed", gravity=(0, 0, -G))
        system.add(vc.MassPoint("p", 1.3))
        system.add(vc.Constraint("c", ["p"], realization=vc.Chetaev(), **{level: function}))
        motions.append(vc.simulate(system, 1.0, {"p": vc.At((0, 0, 0), rate=(2, 0, 0))}))
    across, speed = motions
    assert np.abs(across.q - speed.q).max() < 1e-12
    assert np.abs(across.bond("c").effort("p") - speed.bond("c").effort("p")).max() < 1e-11
    assert np.abs(np.linalg.norm(across.v, axis=1) - 2.0).max() < 1e-12
    certificate = across.audit()
    assert certificate.passed and any(line.law == "constraints on accelerations" for line in certificate.lines)


def test_a_prescribed_acceleration_along_an_axis_of_the_world():
    system = vc.System("lift", gravity=(0, 0, -G))
    box = system.add(vc.RigidBody("box", 2.0, com=(0.1, 0.2, 0.0), inertia=(0.3, 0.4, 0.5)))
    system.add(
        vc.Constraint(
            "rise", [box], realization=vc.Chetaev(), acceleration=lambda b, t: b.center_acceleration[2] - 3.0 * t
        )
    )
    motion = vc.simulate(system, 2.0, {"box": vc.At((0, 0, 0, 1, 0, 0, 0), rate=(0.5, 0, 1.0, 0.3, 0.2, 0.9))})
    t, height = motion.time, motion.body("box").center[:, 2]
    climb = motion.body("box").twist
    first = (motion.body("box").rotation @ climb[:, :3, None])[0, :, 0] + np.cross(
        (motion.body("box").rotation @ climb[:, 3:, None])[0, :, 0], (0.1, 0.2, 0.0)
    )
    assert np.abs(height - (height[0] + first[2] * t + 0.5 * t**3)).max() < 1e-12
    assert np.abs(motion.bond("rise").multiplier - 2.0 * (3.0 * t + G)).max() < 1e-11
    assert motion.audit().passed


def test_the_acceleration_of_one_joint_programs_a_double_pendulum():
    """Gauss's reaction on the shoulder's acceleration alone is a torque at the shoulder; equations by hand."""
    m1, m2, l1, l2 = 1.1, 0.7, 1.3, 0.8
    system = vc.System("double pendulum", gravity=(0, -G, 0))
    first, second = system.add(vc.MassPoint("first", m1)), system.add(vc.MassPoint("second", m2))
    system.add(vc.Revolute("a", "ground", first, axis=(0, 0, 1), to=(0, l1, 0)))
    system.add(vc.Revolute("b", first, second, axis=(0, 0, 1), to=(0, l2, 0)))
    program = {"acceleration": lambda a, t: a.a + 4.0 * a.q - vc.math.sin(3 * t)}

    def by_hand(t, y):
        x, r, u, w = y  # angle of each rod against the vertical, and rates
        faster = -4.0 * x + np.sin(3 * t)
        return [u, w, faster, (-l1 * np.cos(x - r) * faster + l1 * np.sin(x - r) * u**2 - G * np.sin(r)) / l2]

    start = {"a": vc.At(0.3, rate=0.2), "b": vc.At(0.5, rate=-0.4)}
    for realization in (vc.Chetaev(), vc.Servo("a")):
        made = vc.System("double pendulum", gravity=(0, -G, 0))
        for thing in (*system.bodies.values(), *system.joints.values()):
            made.add(thing)
        made.add(vc.Constraint("program", ["a"], realization=realization, **program))
        motion = vc.simulate(made, 2.0, start)
        exact = solve_ivp(
            by_hand, (0, 2), [0.3, 0.8, 0.2, -0.2], method="DOP853", rtol=1e-13, atol=1e-13, t_eval=motion.time
        ).y
        assert np.abs(motion["a"] - exact[0]).max() < 1e-10
        assert np.abs(motion["a"] + motion["b"] - exact[1]).max() < 1e-10
        assert motion.audit().passed


def test_effort_through_a_joint_that_is_not_the_programmed_one():
    """Pendubot the other way: the elbow's torque keeps the shoulder's acceleration; the matrix is not symmetric."""
    m1, m2, l1, l2 = 1.1, 0.7, 1.3, 0.8
    system = vc.System("acrobot", gravity=(0, -G, 0))
    first, second = system.add(vc.MassPoint("first", m1)), system.add(vc.MassPoint("second", m2))
    system.add(vc.Revolute("a", "ground", first, axis=(0, 0, 1), to=(0, l1, 0)))
    system.add(vc.Revolute("b", first, second, axis=(0, 0, 1), to=(0, l2, 0)))
    system.add(vc.Constraint("program", ["a"], acceleration=lambda a: a.a - 0.5, realization=vc.Servo("b")))
    motion = vc.simulate(system, 0.4, {"a": vc.At(0.3, rate=0.2), "b": vc.At(0.5, rate=-0.4)})
    # angle x and r against the vertical; the torque n acts on the outer rod and back on the inner one
    x, r = motion["a"], motion["a"] + motion["b"]
    u, w = motion.v[:, 0], motion.v.sum(axis=1)
    M11, M12, M22 = (m1 + m2) * l1**2, m2 * l1 * l2 * np.cos(x - r), m2 * l2**2
    h1 = m2 * l1 * l2 * np.sin(x - r) * w**2 + (m1 + m2) * G * l1 * np.sin(x)
    h2 = -m2 * l1 * l2 * np.sin(x - r) * u**2 + m2 * G * l2 * np.sin(r)
    outer = -(M11 * 0.5 + h1 + M22 * 0.0 + M12 * 0.5 + h2) / (M12 + M22)
    assert np.abs(motion.bond("program").multiplier - (M12 * 0.5 + M22 * outer + h2)).max() < 1e-10
    assert np.abs(x - (0.3 + 0.2 * motion.time + 0.25 * motion.time**2)).max() < 1e-12
    assert motion.audit().passed


def test_a_wheel_starts_without_jerk_by_the_torque_of_its_motor():
    """The acceleration grows from zero as sin²: the torque is inertia times it, and velocities follow by quadrature."""
    system = vc.System("wheel")
    wheel = system.add(vc.RigidBody("wheel", 1.0, inertia=(0.13, 0.13, 0.25)))
    system.add(vc.Revolute("axle", "ground", wheel, axis=(0, 0, 1)))
    system.add(vc.Constraint("start", [wheel], realization=vc.Servo("axle", bounds=0.3),
                             acceleration=lambda w, t: w.angular_acceleration[2] - vc.math.sin(t) ** 2))  # fmt: skip
    motion = vc.simulate(system, np.pi)
    t = motion.time
    assert np.abs(motion.v[:, 0] - (t / 2 - np.sin(2 * t) / 4)).max() < 1e-13
    assert np.abs(motion.bond("start").multiplier - 0.25 * np.sin(t) ** 2).max() < 1e-13
    assert motion.audit().passed and not motion.bond().excess


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_other_methods_keep_programs_of_accelerations(method):
    system = vc.System("speed", gravity=(0, 0, -G))
    system.add(vc.MassPoint("p", 1.3))
    system.add(
        vc.Constraint(
            "c", ["p"], realization=vc.Chetaev(), acceleration=lambda p: vc.math.dot(p.acceleration, p.velocity)
        )
    )
    step = {"step": 1e-3} if method == "rk4" else {}
    motion = vc.simulate(system, 1.0, {"p": vc.At((0, 0, 0), rate=(2, 0, 0))}, method=method, **step)
    s = G * motion.time[-1] / 2
    assert np.abs(motion.q[-1] - 4 / G * np.array([np.arctan(np.sinh(s)), 0, -np.log(np.cosh(s))])).max() < 1e-10


def test_a_rigid_bodys_point_and_a_velocity_row_are_kept_together():
    """An acceleration row beside a knife edge: the mobility counts velocities, and both hold."""
    system = vc.System("skate")
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1, 1, 0.7)))
    system.add(vc.Planar("ice", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, side=(0, 1, 0), realization=vc.DAlembert()))
    system.add(vc.Constraint("push", [blade], realization=vc.Chetaev(),
                             acceleration=lambda b: vc.math.dot(b.acceleration, b.rotation[:, 0]) - 0.4))  # fmt: skip
    motion = vc.simulate(system, 2.0, {"ice": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))})
    ahead = np.einsum("ti,ti->t", motion.v[:, :2], np.stack([np.cos(motion.q[:, 2]), np.sin(motion.q[:, 2])], axis=1))
    assert np.abs(ahead - 1.3 - 0.4 * motion.time).max() < 1e-12
    assert np.abs(motion.bond("push").multiplier - 0.4).max() < 1e-12
    assert vc.mobility(system, {"ice": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}).freedoms == 2
    assert motion.record.model.freedoms == 2
    assert vc.given_motion(system, motion.time, motion.q, motion.v).audit().passed
    assert vc.given_motion(system, motion.time, motion.q, 1.01 * motion.v).audit().verdict == "failed"
    slower = motion.time * 0.9  # the same path, driven by less
    assert (
        vc.given_motion(system, motion.time, motion.at(slower).q, 0.9 * motion.at(slower).v).audit().verdict == "failed"
    )
    assert motion.audit().passed
