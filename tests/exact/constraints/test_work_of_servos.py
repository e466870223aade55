"""Work of servos and of reactions to constraints on accelerations: against closed forms, in certificates and in what is foretold."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from vinculum.equations.observables import loads

G = 9.81
LEAN = {"pin": vc.At(0.3, rate=0.0)}
THROW = {"p": vc.At((0, 0, 0), rate=(2, 0, 0))}


def cart_and_pole(realization, **program) -> vc.System:
    system = vc.System("cart and pole", gravity=(0, 0, -G))
    cart = system.add(vc.RigidBody("cart", mass=2.0, inertia=(1, 1, 1)))
    pole = system.add(vc.RigidBody("pole", mass=0.5, com=(0, 0, 0.35), inertia=(0.02, 0.02, 0)))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0)))
    system.add(vc.Revolute("pin", cart, pole, axis=(0, 1, 0)))
    system.add(vc.Constraint("lean", ["pin"], realization=realization, **program))
    return system


def point(realization, gravity=(0, 0, -G), **row) -> vc.System:
    system = vc.System("point", gravity=gravity)
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("held", [p], realization=realization, **row))
    return system


def on_a_train(pushes) -> vc.System:
    """A slider on a train that moves by the clock, x = ½ t², kept at its place on it by a wrench between the two."""
    system = vc.System("train")
    train = system.add(vc.PrescribedBody("train", mass=1.0, inertia=(1, 1, 1), position=lambda t: (0.5 * t**2, 0, 0)))
    slider = system.add(vc.RigidBody("slider", mass=3.0, inertia=(1, 1, 1)))
    system.add(vc.Prismatic("rail", train, slider, axis=(1, 0, 0)))
    unit = pushes(slider, train)
    system.add(vc.Constraint("stay", ["rail"], position=lambda rail: rail.q - 1.0, realization=vc.Servo(unit)))
    return system


def line(motion, law: str):
    return next(x for x in motion.audit().lines if x.law == law)


def test_the_work_of_a_servo_is_the_energy_that_its_cart_gains():
    """λ = (M + m) g tan θ pushes a cart that moves with g tan θ t."""
    motion = vc.simulate(cart_and_pole(vc.Servo("rail"), position=lambda pin: pin.q - 0.3), 1.0, LEAN)
    expected = 2.5 * (G * np.tan(0.3)) ** 2 * motion.time
    assert np.abs(motion.bond("lean").power - expected).max() < 1e-11
    assert np.abs(motion.bond("lean").work - expected * motion.time / 2).max() < 1e-11
    assert np.array_equal(motion.bond("lean").work, motion.bond("lean").work)
    said = line(motion, "work of reactions")
    assert said.verdict == "holds" and "work of the named efforts of 'lean'" in said.reason
    assert line(motion, "energy E[L] + E[M]").verdict == "holds"


def test_a_servo_on_a_train_works_on_the_train_too():
    """Between slider and train the power is zero, λ times their relative velocity; from outside it is λ times the train's speed."""
    within = on_a_train(lambda a, b: vc.Interaction("push", a, b, lambda a, b: vc.Wrench(force=(1.0, 0, 0))))
    outside = on_a_train(lambda a, b: vc.Force("push", a, lambda a: vc.Wrench(force=(1.0, 0, 0))))
    for system, power in ((within, 0.0), (outside, 3.0)):
        motion = vc.simulate(system, 1.0, {"rail": 1.0})
        assert np.allclose(motion.bond("stay").multiplier, 3.0, rtol=1e-12)
        assert np.abs(motion.bond("stay").power - power * motion.time).max() < 1e-12
        assert line(motion, "work of reactions").verdict == "holds"
        assert line(motion, "energy E[L] + E[M]").verdict == "holds"
        assert motion.audit().passed, str(motion.audit())


def test_a_constraint_on_accelerations_takes_what_gravity_gives():
    """v·v̇ = 0 keeps the speed: the power is −(weight)·v, and no claim of zero work is made."""
    system = point(vc.Chetaev(), acceleration=lambda p: vc.math.dot(p.acceleration, p.velocity))
    motion = vc.simulate(system, 1.0, THROW)
    assert np.abs(motion.bond("held").power - G * motion.v[:, 2]).max() < 1e-11
    fallen = 4.0 / G * np.log(np.cosh(G * motion.time / 2.0))
    assert np.abs(motion.bond("held").work + G * fallen).max() < 1e-11
    assert line(motion, "work of reactions").verdict == "holds"
    assert "no work by" not in line(motion, "work of reactions").reason
    assert motion.audit().passed, str(motion.audit())


def test_what_servos_and_accelerations_can_do_is_foretold():
    (row,) = vc.constraints.adiabaticity(
        cart_and_pole(vc.Servo("rail"), position=lambda pin: pin.q - 0.3), start=LEAN
    ).rows
    assert not row.adiabatic and row.named > 0.0 and "named efforts" in row.work
    (row,) = vc.constraints.adiabaticity(
        point(vc.Chetaev(), acceleration=lambda p: vc.math.dot(p.acceleration, p.velocity))
    ).rows
    assert (row.kind, row.adiabatic, row.work) == ("acceleration", False, "power λ v·∂F/∂v̇")
    bent = vc.constraints.adiabaticity(
        point(
            vc.Chetaev(),
            acceleration=lambda p: p.acceleration[1] * p.velocity[0] - p.acceleration[0] * p.velocity[1] - 1.0,
        )
    )
    assert bent.rows[0].virial == 0.0 and not bent.adiabatic
    along = vc.constraints.adiabaticity(point(vc.Chetaev(), acceleration=lambda p: p.acceleration[0] - 1.0))
    assert not along.adiabatic and "acceleration" in str(along)


@pytest.mark.parametrize("by", ["chetaev", "vakonomic"])
@pytest.mark.parametrize("speed", [0.0, 2.0])
def test_a_servo_along_its_rows_works_as_their_realization_does(by, speed):
    def velocity(p):
        return p.velocity[0] - speed

    given = {"multipliers": 0.2} if by == "vakonomic" else {}
    other = vc.Vakonomic(**given) if given else vc.Chetaev()
    servo = vc.constraints.adiabaticity(point(vc.Servo(by=by, **given), velocity=velocity)).to_dict()
    assert servo == vc.constraints.adiabaticity(point(other, velocity=velocity)).to_dict()


def test_named_efforts_that_push_elsewhere_are_noticed(monkeypatch):
    right = loads.named_efforts

    def leaning(tree, held, placed, v, lam):
        by = right(tree, held, placed, v, lam)
        return replace(by, along=tuple(x if x is None else 1.001 * x for x in by.along))

    monkeypatch.setattr(loads, "named_efforts", leaning)
    motion = vc.simulate(cart_and_pole(vc.Servo("rail"), position=lambda pin: pin.q - 0.3), 1.0, LEAN)
    assert line(motion, "work of reactions").verdict == "broken"
