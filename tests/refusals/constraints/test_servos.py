"""Servos and constraints on accelerations that cannot be."""

import numpy as np
import pytest

import vinculum as vc

ALONG_X = vc.Wrench(force=(1, 0, 0))


def point(realization, **level) -> vc.System:
    system = vc.System("point", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.RigidBody("b", 1.0, inertia=(0.1, 0.1, 0.1)))
    system.add(vc.Revolute("hinge", "ground", "b", axis=(0, 1, 0), to=(0, 0, 1)))
    system.add(vc.Constraint("c", ["p"], realization=realization, **(level or {"velocity": lambda p: p.velocity[0]})))
    return system


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: vc.Servo(), 'no direction is named; say what exerts the effort.*by="chetaev"'),
        (lambda: vc.Servo((1, 0, 0)), "is not a direction of effort; give vc.Servo"),
        (lambda: vc.Servo("hinge", by="chetaev"), "directions are named and by="),
        (lambda: vc.Servo(by="magic"), 'use "chetaev" or "vakonomic"'),
        (lambda: vc.Servo(by="vakonomic"), "multipliers are not given"),
        (lambda: vc.Servo("hinge", multipliers=0.0), 'only by="vakonomic"'),
        (lambda: vc.Servo("hinge", bounds=-1.0), "bounds -1.0 must be positive"),
        (lambda: vc.Servo("hinge", bounds=0.0), "must be positive"),
        (lambda: vc.Servo("hinge", bounds=np.nan), "finite"),
        (lambda: vc.Servo("hinge", bounds=[(2.0, 1.0)]), r"\[2.0, 1.0\] leave no effort between them"),
        (lambda: vc.Servo("hinge", bounds=[[1.0, 2.0, 3.0]]), "shape"),
        (lambda: vc.Servo("hinge", bounds="5 N"), "give a positive number"),
        (lambda: vc.Servo("hinge", bounds=vc.parameter("b", 2.0)), "plain numbers"),
        (lambda: vc.Servo(by="vakonomic", multipliers=0.0, bounds=1.0), "its multipliers are not efforts"),
        (lambda: vc.Force("f", "p", vc.Wrench(force=(np.nan, 0, 0))), "finite|NaN"),
    ],
)
def test_a_servo_says_what_exerts_how_much(make, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        make()


@pytest.mark.parametrize(
    ("realization", "message"),
    [
        (vc.Servo("shaft"), "constraint 'c': its servo names joint 'shaft', which is not in system.*vc.Force"),
        (vc.Servo("p"), "names joint 'p', which is not in system"),
        (vc.Servo(vc.Force("f", "q", ALONG_X)), "constraint 'c': force 'f': there is no body 'q'"),
        (vc.Servo(vc.Force("f", "p", vc.Wrench())), "force 'f' of its servo is zero and has no direction"),
        (vc.Servo(vc.Force("f", "p", lambda p: vc.Wrench(force=(np.nan * p.position[0], 0, 0)))), "NaN"),
        (vc.Servo(vc.Force("f", "p", vc.Wrench(moment=(1, 0, 0)))), "mass point and takes no moment"),
    ],
)
def test_what_exerts_an_effort_must_be_there(realization, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        point(realization)
    with pytest.raises(vc.errors.ModelError, match=message):
        point(vc.DAlembert()).with_realization("c", realization)


@pytest.mark.parametrize(
    ("realization", "level", "message"),
    [
        (
            vc.Servo(vc.Force("f", "p", ALONG_X), vc.Force("g", "p", ALONG_X)),
            {},
            "it has 1 row and its servo names 2 efforts",
        ),
        (vc.Servo("hinge"), {"velocity": lambda p: p.velocity}, "it has 3 rows and its servo names 1 effort;"),
        (vc.Servo("hinge", bounds=[1.0, 2.0]), {}, "it has 1 row and 2 bounds"),
        (vc.Servo(by="vakonomic", multipliers=[0.0, 1.0]), {}, "it has 1 row and 2 multipliers"),
        (vc.Servo(by="vakonomic", multipliers=0.0), {"position": lambda p: p.position[0]}, "vc.DAlembert"),
        (
            vc.Servo(by="vakonomic", multipliers=0.0),
            {"acceleration": lambda p: p.acceleration[0]},
            "vc.LagrangianSystem",
        ),
        (
            vc.Vakonomic(multipliers=0.0),
            {"acceleration": lambda p: p.acceleration[0]},
            "vc.LagrangianSystem.*or vc.Chetaev",
        ),
        (
            vc.DAlembert(),
            {"acceleration": lambda p: p.acceleration[0]},
            "d'Alembert's principle says nothing.*vc.Chetaev",
        ),
        (vc.Penalty(1e3), {"acceleration": lambda p: p.acceleration[0]}, "not on positions"),
        (vc.constraints.ViscousFriction(1e3), {"acceleration": lambda p: p.acceleration[0]}, "not on velocities"),
        (vc.constraints.AddedInertia(1e3), {"acceleration": lambda p: p.acceleration[0]}, "not on velocities"),
        (
            vc.Chetaev(),
            {"acceleration": lambda p: vc.math.dot(p.acceleration, p.acceleration) - 1.0},
            "other ways than.*Lagrangian",
        ),
        (
            vc.Servo(vc.Force("f", "p", ALONG_X)),
            {"acceleration": lambda p: p.acceleration[0] ** 2 - 1.0},
            "other ways than linearly",
        ),
        (
            vc.Chetaev(),
            {"acceleration": lambda p: p.angular_acceleration[0]},
            "mass point and has no angular acceleration",
        ),
        (vc.Chetaev(), {"acceleration": lambda p: p.velocity[0]}, "depends on no acceleration; give it as velocity="),
    ],
)
def test_rows_efforts_and_orders_must_fit(realization, level, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        point(realization, **level).tree()


def test_efforts_that_do_not_move_what_they_keep_are_refused_at_the_start():
    with pytest.raises(
        vc.errors.StartError, match=r"do not move its row 0 at the start: J M⁻¹ Bᵀ is singular.*name another direction"
    ):
        vc.simulate(point(vc.Servo("hinge")), 1.0)
    with pytest.raises(vc.errors.StartError, match="do not move its row 0"):
        vc.simulate(point(vc.Servo(vc.Force("f", "p", vc.Wrench(force=(0, 1, 0))))), 1.0)
    with pytest.raises(
        vc.errors.StartError, match="moves nothing at the start that joints and other constraints leave free"
    ):
        vc.simulate(point(vc.Servo(vc.Force("f", "b", vc.Wrench(force=(0, 1, 0))))), 1.0)
    with pytest.raises(vc.errors.ModelError, match="nowhere move what they are to keep"):
        vc.given_motion(point(vc.Servo("hinge")), [0, 1], np.zeros((2, 4)), np.zeros((2, 4))).audit()


def test_efforts_that_move_the_same_are_refused_for_two_rows():
    both = vc.Servo(vc.Force("f", "p", ALONG_X), vc.Force("g", "p", vc.Wrench(force=(2, 0, 0))))
    with pytest.raises(vc.errors.StartError, match="J M⁻¹ Bᵀ is singular"):
        vc.simulate(point(both, velocity=lambda p: [p.velocity[0], p.velocity[1]]), 1.0)
    crossed = vc.Servo(vc.Force("f", "p", vc.Wrench(force=(0, 1, 0))), vc.Force("g", "p", ALONG_X))
    assert vc.simulate(point(crossed, velocity=lambda p: [p.velocity[0], p.velocity[1]]), 0.5).audit().passed


def test_a_direction_that_is_unknown_at_the_start_is_refused():
    along = vc.Force("thrust", "p", lambda p: vc.Wrench(force=p.velocity / vc.math.norm(p.velocity)))
    with pytest.raises(vc.errors.StartError, match="'c': effort 0 that its servo names is not a number at the start"):
        vc.simulate(point(vc.Servo(along), velocity=lambda p, t: p.velocity[0] - t), 1.0)


def test_two_programs_for_one_motion_are_refused():
    system = point(vc.Servo(vc.Force("f", "p", ALONG_X)))
    system.add(vc.Constraint("again", ["p"], velocity=lambda p: 2 * p.velocity[0], realization=vc.DAlembert()))
    with pytest.raises(
        vc.errors.StartError,
        match="'c': its row 0 holds nothing at the start, or nothing that other conditions leave free",
    ):
        vc.simulate(system, 1.0)


def test_an_acceleration_whose_factor_is_zero_at_the_start_is_refused():
    across = {"acceleration": lambda p: vc.math.dot(p.acceleration, p.velocity)}
    with pytest.raises(
        vc.errors.StartError, match=r"holds nothing at the start.*a factor such as a velocity may be zero"
    ):
        vc.simulate(point(vc.Chetaev(), **across), 1.0)


def test_named_efforts_beside_vakonomic_inertia_are_refused():
    system = point(vc.Servo("hinge"), velocity=lambda p: p.velocity[0])
    system.add(vc.constraints.constant_speed("speed", "b", 2.0, realization=vc.Vakonomic(multipliers=0.0)))
    with pytest.raises(vc.errors.ModelError, match="'c': its effort is named, beside 'speed'"):
        system.tree()


def test_joints_that_close_loops_and_welds_exert_no_effort_of_their_own():
    system = vc.System("loop")
    for name in "ab":
        system.add(vc.RigidBody(name, 1.0, inertia=(1, 1, 1)))
    system.add(vc.Revolute("first", "ground", "a", axis=(0, 1, 0)))
    system.add(vc.Weld("fixed", "a", "b", at=(1, 0, 0)))
    system.add(vc.Revolute("last", "ground", "b", axis=(0, 1, 0)))
    for joint, message in (("fixed", "no velocity along which"), ("last", "closes a loop")):
        made = vc.System("loop")
        for thing in (*system.bodies.values(), *system.joints.values()):
            made.add(thing)
        made.add(vc.Constraint("c", ["first"], velocity=lambda h: h.v - 1.0, realization=vc.Servo(joint)))
        with pytest.raises(vc.errors.ModelError, match=message):
            made.tree()


def test_results_of_servos_are_asked_of_servos():
    motion = vc.simulate(point(vc.DAlembert()), 0.1)
    with pytest.raises(vc.errors.StartError, match="'c' is kept by DAlembert and no servo"):
        motion.bond("c").excess
    with pytest.raises(vc.errors.StartError, match="there is no bond 'd'"):
        motion.bond("d").work
    assert not motion.bond().power.any() and not motion.bond().work.any() and motion.bond().excess == ()
    system = point(vc.DAlembert())
    system.add(vc.Constraint("turn", ["hinge"], velocity=lambda h: h.v, realization=vc.Servo("hinge")))
    with pytest.raises(vc.errors.StartError, match=r"acts on no body by itself; see motion.bond\(.turn.\).multiplier"):
        vc.simulate(system, 0.1).bond("turn").effort("b")
