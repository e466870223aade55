"""Programs kept by effort in named directions: closed forms."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

G = 9.81


def pendulum(realization, program=lambda h, t: h.v - 1.5, level="velocity") -> vc.System:
    """Mass 2, mass center 0.5 below the hinge, moment 0.6 about it."""
    system = vc.System("pendulum", gravity=(0, 0, -G))
    bar = system.add(vc.RigidBody("bar", 2.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01)))
    system.add(vc.Revolute("hinge", "ground", bar, axis=(0, 1, 0)))
    system.add(vc.Constraint("program", ["hinge"], realization=realization, **{level: program}))
    return system


@needs_heyoka
def test_a_pendulum_turns_at_a_constant_rate_by_the_torque_m_g_l_sin():
    motion = vc.simulate(pendulum(vc.Servo("hinge")), 2.0, {"hinge": vc.At(0.1, rate=1.5)})
    angle = 0.1 + 1.5 * motion.time
    torque = 2.0 * G * 0.5 * np.sin(angle)
    assert np.abs(motion["hinge"] - angle).max() < 1e-14
    assert np.abs(motion.bond("program").multiplier - torque).max() < 1e-13
    assert np.abs(motion.bond("program").power - 1.5 * torque).max() < 1e-13
    assert np.abs(motion.bond("program").work - 2.0 * G * 0.5 * (np.cos(0.1) - np.cos(angle))).max() < 1e-13
    assert np.abs(motion.joint("hinge").reaction[:, 4] - torque).max() < 1e-13
    assert motion.audit().passed


def test_a_programmed_angle_needs_inertia_and_weight():
    """θ = 0.5 sin 3t: the torque I θ̈ + m g l sin θ, as an equivalent torque of a body, of a pair and of the joint."""
    program = {"program": lambda h, t: h.q - 0.5 * vc.math.sin(3 * t), "level": "position"}
    turn = vc.Wrench(moment=(0, 1, 0))
    for servo in (
        vc.Servo("hinge"),
        vc.Servo(vc.Force("motor", "bar", turn)),
        vc.Servo(vc.Interaction("motor", "bar", "ground", turn)),
    ):
        motion = vc.simulate(pendulum(servo, **program), 2.0, {"hinge": vc.At(0.0, rate=1.5)})
        angle = 0.5 * np.sin(3 * motion.time)
        torque = 0.6 * (-4.5 * np.sin(3 * motion.time)) + 2.0 * G * 0.5 * np.sin(angle)
        assert np.abs(motion.bond("program").multiplier - torque).max() < 1e-11
        assert motion.audit().passed


def test_a_force_on_an_arm_keeps_the_angle_with_its_own_lever():
    """A horizontal force at the lower end, fixed in direction: λ cos θ · 1 = the torque."""
    push = vc.Force("push", "bar", vc.Wrench(force=(1, 0, 0), at=(0, 0, -1)))
    held = {"program": lambda h: h.q - 0.7, "level": "position"}
    motion = vc.simulate(pendulum(vc.Servo(push), **held), 1.0, {"hinge": 0.7})
    # the bar leans to −x for a positive angle about y
    assert np.allclose(motion.bond("program").multiplier, -2.0 * G * 0.5 * np.tan(0.7), rtol=1e-13)
    assert np.allclose(motion.bond("program").effort("bar")[:, 0], -2.0 * G * 0.5 * np.tan(0.7), rtol=1e-13)
    assert motion.audit().passed


def test_a_reaction_wheel_turns_a_satellite_and_keeps_the_whole_angular_momentum():
    hull_inertia, wheel_inertia = 3.0, 0.2
    system = vc.System("satellite")
    hull = system.add(vc.RigidBody("hull", 10.0, inertia=(2.0, 2.5, hull_inertia)))
    wheel = system.add(vc.RigidBody("wheel", 1.0, inertia=(0.1, 0.1, wheel_inertia)))
    system.add(vc.Revolute("axle", hull, wheel, axis=(0, 0, 1)))
    motor = vc.Interaction("motor", hull, wheel, lambda hull, wheel: vc.Wrench(moment=hull.rotation[:, 2]))
    system.add(vc.Constraint("slew", [hull], realization=vc.Servo(motor, bounds=2.0),
                             velocity=lambda hull, t: hull.angular_velocity[2] - 0.3 * vc.math.sin(t)))  # fmt: skip
    motion = vc.simulate(system, 3.0)
    rate = 0.3 * np.sin(motion.time)
    assert np.abs(motion.bond("slew").multiplier - hull_inertia * 0.3 * np.cos(motion.time)).max() < 1e-12
    assert np.abs(motion.body("wheel").twist[:, 5] + hull_inertia * rate / wheel_inertia).max() < 1e-12
    assert np.abs(motion.body().momentum).max() < 1e-12
    assert np.abs(motion.bond("slew").effort("hull") + motion.bond("slew").effort("wheel")).max() < 1e-13
    assert np.abs(motion.bond().work - motion.energy).max() < 1e-12
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert any(line.law == "bounds of servo 'slew'" for line in certificate.lines)


def test_the_axle_of_a_free_satellite_takes_nothing_of_its_angular_momentum():
    system = vc.System("satellite")
    hull = system.add(vc.RigidBody("hull", 10.0, inertia=(2.0, 2.5, 3.0)))
    wheel = system.add(vc.RigidBody("wheel", 1.0, inertia=(0.13, 0.13, 0.2)))
    system.add(vc.Revolute("axle", hull, wheel, axis=(0, 0, 1), at=(0.5, 0, 0.1)))
    system.add(vc.Constraint("rotor", ["axle"], realization=vc.Servo("axle"), velocity=lambda a, t: a.v - 20.0 - t))
    motion = vc.simulate(
        system, 2.0, {"hull": vc.At((0, 0, 0, 1, 0, 0, 0), rate=(0, 0, 0, 0.1, 0.2, 0.3)), "axle": vc.At(0, rate=20.0)}
    )
    moment = motion.body().momentum
    assert np.abs(moment - moment[0]).max() < 1e-11
    names = [one.name for one in vc.first_integrals(system)]
    assert sum("momentum" in name for name in names) >= 6 and not any("energy" in name for name in names)
    assert np.abs(motion.bond().power - motion.bond("rotor").multiplier * motion.v[:, 6]).max() < 1e-10
    assert motion.audit().passed


def test_three_torques_of_a_ball_joint_keep_a_programmed_turning():
    """Euler's equations in the body's axes, with the weight's moment: efforts along the velocities of the joint, its body's ω."""
    inertia, arm = np.array([0.4, 0.5, 0.3]), np.array([0.1, 0.0, 0.4])
    system = vc.System("wrist", gravity=(0, 0, -G))
    hand = system.add(vc.RigidBody("hand", 2.0, com=arm, inertia=np.diag(inertia)))
    system.add(vc.Spherical("ball", "ground", hand))

    def turning(hand, t):
        given = np.array([0.3 * vc.math.cos(t), 0.2, 0.5 * vc.math.sin(2 * t)])
        return hand.rotation.T @ hand.angular_velocity - given

    system.add(vc.Constraint("wave", [hand], realization=vc.Servo("ball"), velocity=turning))
    motion = vc.simulate(system, 2.0, {"ball": vc.At((1, 0, 0, 0), rate=(0.3, 0.2, 0.0))})
    t = motion.time
    w = np.stack([0.3 * np.cos(t), 0.2 + 0 * t, 0.5 * np.sin(2 * t)], axis=1)
    faster = np.stack([-0.3 * np.sin(t), 0 * t, np.cos(2 * t)], axis=1)
    about = np.diag(inertia) + 2.0 * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    weight = np.swapaxes(motion.body("hand").rotation, 1, 2) @ [0, 0, -2.0 * G]
    torque = faster @ about + np.cross(w, w @ about) - np.cross(arm, weight)
    assert np.abs(motion.bond("wave").multiplier - torque).max() < 1e-11
    assert np.abs(motion.bond().power - (torque * w).sum(axis=1)).max() < 1e-11
    assert motion.audit().passed


@pytest.mark.parametrize("name", ["ice.angle", "ice.x"])
def test_one_velocity_of_a_joint_may_be_named(name):
    system = vc.System("puck")
    puck = system.add(vc.RigidBody("puck", 2.0, inertia=(1, 1, 0.5)))
    ice = system.add(vc.Planar("ice", "ground", puck))
    assert {"x", "y", "angle"} == set(ice.kind.coordinates.v_labels)
    which = ("ice.x", "ice.y", "ice.angle").index(name)
    system.add(
        vc.Constraint(
            "push", ["ice"], realization=vc.Servo(name), velocity=lambda ice, t: ice.v[which] - vc.math.sin(t)
        )
    )
    motion = vc.simulate(system, 1.0)
    assert np.abs(motion.bond("push").multiplier - (0.5 if which == 2 else 2.0) * np.cos(motion.time)).max() < 1e-13
    assert np.abs(np.delete(motion.v, which, axis=1)).max() == 0.0 and motion.audit().passed


def test_fixed_speed_by_thrust_along_the_velocity_is_chetaevs_motion():
    """x = (c²/g) gd(g t/c), y = −(c²/g) ln cosh(g t/c): Gołubowska (77); the thrust is m g sin of the path's slope."""
    along = vc.Force("thrust", "point", lambda p: vc.Wrench(force=p.velocity / vc.math.norm(p.velocity)))
    motions = []
    for realization in (vc.Servo(along), vc.Servo(by="chetaev"), vc.Chetaev()):
        system = vc.System("fixed speed", gravity=(0, -G, 0))
        point = system.add(vc.MassPoint("point", 1.0))
        system.add(vc.constraints.constant_speed("speed", point, 2.0, realization=realization))
        motions.append(vc.simulate(system, 1.0, {"point": vc.At((0, 0, 0), rate=(2, 0, 0))}))
    s = G * motions[0].time / 2
    exact = 4 / G * np.stack([np.arctan(np.sinh(s)), -np.log(np.cosh(s)), 0 * s], axis=1)
    for motion in motions:
        assert np.abs(motion.q - exact).max() < 1e-12
        assert motion.audit().passed
    assert np.abs(motions[0].bond("speed").multiplier - G * motions[0].v[:, 1] / 2.0).max() < 1e-11
    assert np.abs(motions[0].bond().power - motions[1].bond().power).max() < 1e-11


def test_efforts_beyond_their_bounds_are_told_with_first_instant_and_size():
    motion = vc.simulate(pendulum(vc.Servo("hinge", bounds=5.0)), 2.0, {"hinge": vc.At(0.1, rate=1.5)})
    (excess,) = motion.bond("program").excess
    assert abs(excess.first - (np.arcsin(5.0 / G) - 0.1) / 1.5) < 1e-12
    assert abs(excess.largest - G) < 1e-9 and abs(excess.at - (np.pi / 2 - 0.1) / 1.5) < 1e-4
    assert any("leaves its bounds |λ| ≤ 5 first at t = 0.2898783" in line for line in motion.log)
    line = next(line for line in motion.audit().lines if line.law == "bounds of servo 'program'")
    assert line.verdict == "broken" and abs(line.residual - (G / 5.0 - 1.0)) < 1e-9
    wide = vc.simulate(pendulum(vc.Servo("hinge", bounds=[(-1.0, 10.0)])), 2.0, {"hinge": vc.At(0.1, rate=1.5)})
    assert not wide.bond().excess and wide.audit().passed and not wide.record.log
    below = vc.simulate(pendulum(vc.Servo("hinge", bounds=[(2.0, 10.0)])), 2.0, {"hinge": vc.At(0.1, rate=1.5)})
    assert (
        below.bond().excess[0].first == 0.0
        and abs(below.bond().excess[0].largest - below.bond("program").multiplier.min()) < 1e-9
    )


def test_a_heavy_cart_keeps_a_light_pole():
    """Nine orders of mass between what is pushed and what is kept are no loss of grip: ẍ = g tan θ whatever the masses are."""
    system = vc.System("heavy", gravity=(0, 0, -G))
    cart = system.add(vc.RigidBody("cart", 1e6, inertia=(1, 1, 1)))
    pole = system.add(vc.RigidBody("pole", 1e-3, com=(0, 0, 0.35), inertia=(2e-5, 2e-5, 0.0)))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0)))
    system.add(vc.Revolute("pin", cart, pole, axis=(0, 1, 0)))
    system.add(vc.Constraint("lean", ["pin"], realization=vc.Servo("rail"), position=lambda pin: pin.q - 0.3))
    motion = vc.simulate(system, 1.0, {"pin": 0.3})
    assert np.abs(motion["rail"] - 0.5 * G * np.tan(0.3) * motion.time**2).max() < 1e-11
    assert np.allclose(motion.bond("lean").multiplier, (1e6 + 1e-3) * G * np.tan(0.3), rtol=1e-11)


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_run_ends_where_the_named_effort_loses_its_grip(method):
    """A cart cannot turn its pole any further where the pole is horizontal: θ = 0.3 + t/2 gets there at t = π − 0.6."""
    system = vc.System("cart and pole", gravity=(0, 0, -G))
    cart = system.add(vc.RigidBody("cart", 2.0, inertia=(1, 1, 1)))
    pole = system.add(vc.RigidBody("pole", 0.5, com=(0, 0, 0.35), inertia=(0.02, 0.02, 0.0)))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0)))
    system.add(vc.Revolute("pin", cart, pole, axis=(0, 1, 0)))
    system.add(
        vc.Constraint("lean", ["pin"], realization=vc.Servo("rail"), position=lambda pin, t: pin.q - 0.3 - t / 2)
    )
    with pytest.raises(
        vc.errors.RunError, match=r"at t = 2\.54\d+ s the efforts.*of 'lean' names no longer move.*pin = 1\.57"
    ) as told:
        vc.simulate(system, 4.0, {"pin": vc.At(0.3, rate=0.5)}, method=method)
    assert abs(told.value.motion.time[-1] - (np.pi - 0.6)) < 1e-2
