"""Servos against equations written by hand, prescribed bodies and other realizations."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc

G = 9.81
M, m, l, J = 2.0, 0.5, 0.35, 0.02


def cart_pole(name, things, realization, up=1.0, **level) -> vc.System:
    """A cart on a rail along x with a pole whose mass center is l above the pin (below for up = −1)."""
    system = vc.System("cart and pole", gravity=(0, 0, -G))
    cart = system.add(vc.RigidBody("cart", M, inertia=(1, 1, 1)))
    pole = system.add(vc.RigidBody("pole", m, com=(0, 0, up * l), inertia=(J, J, 0.0)))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0)))
    system.add(vc.Revolute("pin", cart, pole, axis=(0, 1, 0)))
    system.add(vc.Constraint(name, things, realization=realization, **level))
    return system


PUSHES = (vc.Servo("rail"), vc.Servo(vc.Force("push", "cart", lambda c: vc.Wrench(force=c.rotation @ (1, 0, 0)))),
          vc.Servo(vc.Interaction("push", "cart", "ground", vc.Wrench(force=(1, 0, 0), at=(0.1, 0, 0.2)))))  # fmt: skip


@pytest.mark.parametrize("servo", PUSHES)
def test_the_lean_of_a_pole_is_kept_by_the_force_on_its_cart(servo):
    """Underactuated: m l cos θ ẍ + (J + m l²) θ̈ = m g l sin θ gives ẍ for θ = 0.2 sin 2t, and the cart's own equation the force."""
    lean = lambda pin, t: pin.q - 0.2 * vc.math.sin(2 * t)
    motion = vc.simulate(cart_pole("lean", ["pin"], servo, position=lean), 3.0, {"pin": vc.At(0.0, rate=0.4)})

    def program(t):
        return 0.2 * np.sin(2 * t), 0.4 * np.cos(2 * t), -0.8 * np.sin(2 * t)

    def acceleration(t):
        angle, _, faster = program(t)
        return (m * G * l * np.sin(angle) - (J + m * l**2) * faster) / (m * l * np.cos(angle))

    by_hand = solve_ivp(lambda t, y: [y[1], acceleration(t)], (0, 3), [0, 0], method="DOP853", rtol=1e-13, atol=1e-13,
                        t_eval=motion.time).y  # fmt: skip
    angle, rate, faster = program(motion.time)
    force = (M + m) * acceleration(motion.time) + m * l * (np.cos(angle) * faster - np.sin(angle) * rate**2)
    assert np.abs(motion["rail"] - by_hand[0]).max() < 1e-10
    assert np.abs(motion["pin"] - angle).max() < 1e-13
    assert np.abs(motion.bond("lean").multiplier - force).max() < 1e-9
    assert np.abs(motion.bond().power - force * by_hand[1]).max() < 1e-9
    assert np.abs(motion.bond().work - (motion.energy - motion.energy[0])).max() < 1e-11
    assert motion.audit().passed, str(motion.audit())


def test_a_cart_that_follows_a_program_is_a_prescribed_body():
    follow = lambda rail, t: rail.q - 0.3 * (1 - vc.math.cos(2 * t))
    start = {"pin": vc.At(0.4, rate=-0.2)}
    motion = vc.simulate(cart_pole("follow", ["rail"], vc.Servo("rail"), up=-1.0, position=follow), 3.0, start)
    other = vc.System("driven", gravity=(0, 0, -G))
    cart = other.add(
        vc.PrescribedBody("cart", mass=M, inertia=(1, 1, 1), position=lambda t: (0.3 * (1 - vc.math.cos(2 * t)), 0, 0))
    )
    pole = other.add(vc.RigidBody("pole", m, com=(0, 0, -l), inertia=(J, J, 0.0)))
    other.add(vc.Revolute("pin", cart, pole, axis=(0, 1, 0)))
    driven = vc.simulate(other, 3.0, start)
    assert np.abs(motion["pin"] - driven["pin"]).max() < 1e-12
    assert np.abs(motion.bond("follow").multiplier - driven.joint("cart").reaction[:, 0]).max() < 1e-11
    assert np.abs(motion.bond().power - driven.body("cart").drive.power).max() < 1e-11
    assert motion.audit().passed


def test_a_servo_along_the_slopes_is_chetaevs_and_vakonomic_where_that_is_asked():
    speed = lambda c: vc.math.dot(c.velocity, c.velocity) - 0.04
    system = cart_pole("speed", ["cart"], vc.Chetaev(), velocity=speed)
    realizations = [vc.Chetaev(), vc.Servo("rail"), vc.Servo(by="chetaev"), vc.Vakonomic(multipliers=0.3),
                    vc.Servo(by="vakonomic", multipliers=0.3)]  # fmt: skip
    found = vc.constraints.compare_realizations(
        system, "speed", realizations, 1.0, {"rail": vc.At(0, rate=0.2), "pin": vc.At(0.3, rate=0.1)}
    )
    for label in ("servo 1", "servo 2"):
        assert found.distance(label).max() < 1e-12
    assert np.abs(found["servo 3"].q - found["vakonomic"].q).max() < 1e-13
    power, force = found["servo 3"].bond().power, found["vakonomic"].bond("speed").effort("cart")[:, 0]
    assert np.abs(power - force * found["vakonomic"].v[:, 0]).max() < 1e-9 * np.abs(power).max()
    assert (
        np.abs(found["servo 1"].bond("speed").multiplier - 0.4 * found["servo 2"].bond("speed").multiplier).max()
        < 1e-11
    )
    assert "servo 3" in str(found)


@pytest.mark.parametrize("form", ["lagrange", "newton-euler", "telegin"])
def test_derived_equations_have_the_named_effort(form):
    servo, q, v = vc.Servo("rail"), [0.1, 0.3], [0.5, -0.4]
    equations = vc.derive(cart_pole("lean", ["pin"], servo, position=lambda pin: pin.q - 0.3), form)
    faster, force = equations.accelerations(q, v), equations.closure.multipliers(q, v)
    x = (m * G * l * np.sin(0.3)) / (m * l * np.cos(0.3))
    assert np.allclose(faster, [x, 0.0], atol=1e-12)
    assert np.allclose(force, (M + m) * x - m * l * np.sin(0.3) * 0.16, rtol=1e-12)
    lines = equations.lines()
    assert r"\lambda_{1}" in lines[0] and r"\lambda" not in lines[1] and r"\lambda" not in lines[2]
    system = vc.derive(cart_pole("spin", ["pin"], servo, acceleration=lambda pin: pin.a - 2.0), form)
    assert r"\ddot{\phi}" in system.lines()[2] or "dot" in system.lines()[2]
    assert np.allclose(system.accelerations(q, v)[1], 2.0, rtol=1e-12)
    assert np.allclose(
        system.accelerations(q, v)[0],
        (m * G * l * np.sin(0.3) - 2.0 * (J + m * l**2)) / (m * l * np.cos(0.3)),
        rtol=1e-12,
    )


def four_bar(realization) -> vc.System:
    system = vc.System("four bars", gravity=(0, 0, -G))
    lengths = {"crank": 0.5, "coupler": 1.6, "rocker": 1.2}
    bars = {
        name: system.add(vc.RigidBody(name, a, com=(a / 2, 0, 0), inertia=(1e-3, a**3 / 12, a**3 / 12)))
        for name, a in lengths.items()
    }
    system.add(vc.Revolute("A", "ground", bars["crank"], axis=(0, 1, 0)))
    system.add(vc.Revolute("B", bars["crank"], bars["coupler"], axis=(0, 1, 0), at=(0.5, 0, 0)))
    system.add(vc.Revolute("D", "ground", bars["rocker"], axis=(0, 1, 0), at=(1.5, 0, 0)))
    system.add(vc.Revolute("C", bars["coupler"], bars["rocker"], axis=(0, 1, 0), at=(1.6, 0, 0), to=(1.2, 0, 0)))
    system.add(vc.Constraint("rate", ["A"], velocity=lambda a: a.v - 2.0, realization=realization))
    return system


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_the_crank_of_a_closed_loop_is_driven_from_the_other_hinge_until_that_stands_still(method):
    start = {"A": vc.At(-0.254, rate=2.0), "B": -0.47, "D": -1.42}
    own, other = (vc.simulate(four_bar(vc.Servo(joint)), 0.6, start, repair=True, method=method) for joint in "AD")
    assert np.abs(own.q - other.q).max() < 1e-11
    assert np.abs(own.bond().power - other.bond().power).max() < 1e-9
    assert np.abs(own.bond().power - own.bond("rate").multiplier * own.v[:, 0]).max() < 1e-11
    assert np.abs(other.bond().power - other.bond("rate").multiplier * other.v[:, 2]).max() < 1e-9
    assert own.audit().passed and other.audit().passed
    with pytest.raises(vc.errors.RunError, match=r"no longer move what it controls.*D' = "):
        vc.simulate(four_bar(vc.Servo("D")), 3.0, start, repair=True, method=method)


def test_results_of_servos_survive_storage(tmp_path):
    motion = vc.simulate(
        cart_pole("lean", ["pin"], vc.Servo("rail", bounds=1.0), position=lambda pin: pin.q - 0.3), 1.0, {"pin": 0.3}
    )
    motion.save(tmp_path / "run.zarr")
    again = vc.load(tmp_path / "run.zarr")
    assert np.array_equal(again.bond().power, motion.bond().power) and np.array_equal(
        again.bond().work, motion.bond().work
    )
    assert again.bond().excess == motion.bond().excess and again.record.log == motion.log


def test_two_thrusters_keep_speed_and_turning_of_a_boat_that_drifts_sideways():
    """Forces along the boat's own axis at ±0.4 m: their sum keeps the forward speed, their moment the rate; the sway is by hand."""
    mass, J, drag = 3.0, 0.8, np.array([0.5, 4.0])
    system = vc.System("boat")
    boat = system.add(vc.RigidBody("boat", mass, inertia=(1, 1, J)))
    system.add(vc.Planar("lake", "ground", boat))
    system.add(
        vc.Force(
            "water", boat, lambda b: vc.Wrench(force=-(b.rotation[:, :2] * drag) @ (b.rotation[:, :2].T @ b.velocity))
        )
    )
    left, right = (vc.Force(side, boat, lambda b, y=y: vc.Wrench(force=b.rotation[:, 0], at=(-0.5, y, 0)))
                   for side, y in (("left", 0.4), ("right", -0.4)))  # fmt: skip
    system.add(vc.Constraint("course", [boat], realization=vc.Servo(left, right, bounds=5.0), velocity=lambda b, t: [
        vc.math.dot(b.velocity, b.rotation[:, 0]) - 1.2, b.angular_velocity[2] - 0.5 * vc.math.sin(t)]))  # fmt: skip
    motion = vc.simulate(system, 4.0, {"lake": vc.At((0, 0, 0), rate=(1.2, 0, 0))})

    def by_hand(t, y):
        angle, sway, turning = y[2], y[3], 0.5 * np.sin(t)
        x = 1.2 * np.cos(angle) - sway * np.sin(angle), 1.2 * np.sin(angle) + sway * np.cos(angle)
        return [*x, turning, -drag[1] * sway / mass - turning * 1.2]

    y = solve_ivp(by_hand, (0, 4), np.zeros(4), method="DOP853", rtol=1e-13, atol=1e-13, t_eval=motion.time).y
    t, turning = motion.time, 0.5 * np.sin(motion.time)
    total, moment = drag[0] * 1.2 - mass * turning * y[3], J * 0.5 * np.cos(t)
    efforts = 0.5 * np.stack([total - moment / 0.4, total + moment / 0.4], axis=1)
    assert np.abs(motion.q - y[:3].T).max() < 1e-10
    assert np.abs(motion.bond("course").multiplier - efforts).max() < 1e-9
    assert np.abs(motion.bond().power - total * 1.2 - moment * turning).max() < 1e-9
    assert motion.audit().passed and not motion.bond().excess


def test_a_programmed_speed_is_kept_vakonomically_as_by_a_lagrangian_system():
    speed = lambda t: 1.0 + 0.5 * t
    system = vc.System("point", gravity=(0, -G, 0))
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("speed", ["p"], realization=vc.Servo(by="vakonomic", multipliers=0.2),
                             velocity=lambda p, t: vc.math.dot(p.velocity, p.velocity) - speed(t) ** 2))  # fmt: skip
    motion = vc.simulate(system, 1.0, {"p": vc.At((0, 0, 0), rate=(0.6, 0.8, 0))})
    other = vc.LagrangianSystem("point", ["x", "y"], lambda q, v: v @ v / 2 - G * q[1],
                                constraints={"speed": (lambda v, t: v @ v - speed(t) ** 2, vc.Vakonomic(multipliers=0.2))})  # fmt: skip
    again = vc.simulate(other, 1.0, ([0, 0], [0.6, 0.8]))
    assert np.abs(motion.q[:, :2] - again.q).max() < 1e-11
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert np.abs(motion.bond().work - (motion.energy - motion.energy[0])).max() < 1e-10


def test_a_parameter_scales_the_named_effort():
    k = vc.parameter("k", 2.0)
    push = vc.Servo(vc.Force("push", "cart", vc.Wrench(force=(k, 0, 0))))
    system = cart_pole("lean", ["pin"], push, position=lambda pin: pin.q - 0.3)
    for value in (2.0, -5.0):
        motion = vc.simulate(system, 0.5, {"pin": 0.3}, parameters={"k": value})
        assert np.allclose(value * motion.bond("lean").multiplier, (M + m) * G * np.tan(0.3), rtol=1e-12)


def test_a_motion_computed_elsewhere_is_certified_only_if_the_named_effort_makes_it():
    system = cart_pole("lean", ["pin"], vc.Servo("rail"), position=lambda pin: pin.q - 0.3)
    motion = vc.simulate(system, 1.0, {"pin": 0.3})
    assert vc.given_motion(system, motion.time, motion.q, motion.v).audit().passed
    wrong = motion.v * [1.01, 1.0]
    assert vc.given_motion(system, motion.time, motion.q, wrong).audit().verdict == "failed"
    at_the_pin = system.with_realization("lean", vc.DAlembert())
    assert vc.given_motion(at_the_pin, motion.time, motion.q, motion.v).audit().verdict == "failed"


@pytest.mark.parametrize("pair", [True, False])
def test_a_servo_between_a_body_and_a_driven_base_shares_the_work_with_the_drive(pair):
    """The base swings as x = 0.2 sin 3t; the slider is to move as d = 0.1 t² on it: force m (ẍ + d̈), power m (ẍ + d̈) ḋ of the servo."""
    system = vc.System("slide", gravity=(0, 0, -G))
    base = system.add(
        vc.PrescribedBody("base", mass=4.0, inertia=(1, 1, 1), position=lambda t: (0.2 * vc.math.sin(3 * t), 0, 0))
    )
    slider = system.add(vc.RigidBody("slider", 1.5, inertia=(1, 1, 1)))
    system.add(vc.Prismatic("rail", base, slider, axis=(1, 0, 0)))
    push = vc.Interaction("push", slider, base, vc.Wrench(force=(1, 0, 0))) if pair else "rail"
    system.add(
        vc.Constraint("move", ["rail"], realization=vc.Servo(push), position=lambda rail, t: rail.q - 0.1 * t**2)
    )
    motion = vc.simulate(system, 2.0)
    t = motion.time
    base_x, force = -1.8 * np.sin(3 * t), 1.5 * (-1.8 * np.sin(3 * t) + 0.2)
    assert np.abs(motion.bond("move").multiplier - force).max() < 1e-11
    assert np.abs(motion.bond().power - force * 0.2 * t).max() < 1e-11
    assert np.abs(motion.body("base").drive.power - (4.0 * base_x + force) * 0.6 * np.cos(3 * t)).max() < 1e-10
    assert motion.audit().passed, str(motion.audit())
