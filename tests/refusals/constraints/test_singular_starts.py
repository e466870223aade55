"""Rows without a Jacobian at the start: squares, cones at rest, flat discs; rows that are zero or follow from others."""

import numpy as np
import pytest

import rolling
import vinculum as vc

D, SQUARE = (
    vc.DAlembert(),
    "does not change its sign where it vanishes; write what shall vanish itself, not as a square",
)


def point(**condition) -> vc.System:
    system = vc.System("point", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("c", ["p"], **condition))
    return system


def lagrangian(**constraints) -> vc.LagrangianSystem:
    return vc.LagrangianSystem(
        "point", ["x", "y", "z"], lambda q, v: 0.5 * vc.math.dot(v, v) - 9.81 * q[2], constraints=constraints
    )


def circle(q):
    return q[0] ** 2 + q[1] ** 2 - 1.0


SQUARES = {"coordinate": lambda q: q[2] ** 2, "sphere": lambda q: (vc.math.dot(q, q) - 1.0) ** 2, "negative": lambda q: -(q[2] ** 4),
           "sum": lambda q: q[2] ** 2 + (q[0] - 1.0) ** 2}  # fmt: skip


@pytest.mark.parametrize("name", SQUARES)
def test_squares_on_positions_are_told_to_be_written_themselves(name):
    system = point(position=lambda p: SQUARES[name](p.position), realization=D)
    with pytest.raises(vc.errors.StartError, match=SQUARE):
        vc.simulate(system, 0.1, {"p": (1, 0, 0)}, progress=False)
    with pytest.raises(vc.errors.StartError, match=f"constraint 'c' has no gradient there.*{SQUARE}"):
        vc.simulate(lagrangian(c=(SQUARES[name], D)), 0.1, ((1, 0, 0), (0, 0, 0)), progress=False)


def cone(v):
    return v[0] ** 2 + v[1] ** 2 - v[2] ** 2


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_cone_of_velocities_at_rest_is_refused_and_is_not_called_a_square(method):
    with pytest.raises(vc.errors.StartError, match=r"start with other velocities$"):
        vc.simulate(
            point(velocity=lambda p: cone(p.velocity), realization=vc.Chetaev()), 0.02, method=method, progress=False
        )
    with pytest.raises(
        vc.errors.StartError, match=r"how the motion leaves this state is not determined; start at another$"
    ):
        vc.simulate(lagrangian(c=(cone, vc.Chetaev())), 0.02, ((0, 0, 0), (0, 0, 0)), method=method, progress=False)


ZEROS = {"constant": lambda q: 0.0, "factor": lambda q: 0.0 * q[0], "difference": lambda q: q[0] - q[0],
         "identity": lambda q: (q[0] + 1.0) ** 2 - q[0] ** 2 - 2.0 * q[0] - 1.0}  # fmt: skip


@pytest.mark.parametrize("name", ZEROS)
def test_rows_that_are_always_zero_are_left_out_and_named(name):
    zero, start = ZEROS[name], ((1, 0, 0), (0, 1, 0))
    named = "redundant constraints: row 1 of 'c'"
    beside = vc.simulate(point(position=lambda p: [circle(p.position), zero(p.position)], realization=D), 0.1,
                         {"p": vc.At((1, 0, 0), rate=(0, 1, 0))}, progress=False)  # fmt: skip
    assert any(named in line for line in beside.record.log) and beside.audit().passed
    other = vc.simulate(lagrangian(c=(lambda q: [circle(q), zero(q)], D)), 0.1, start, progress=False)
    assert any(named in line for line in other.log) and other.audit().passed
    alone = vc.simulate(lagrangian(c=(zero, D), d=(circle, D)), 0.1, start, progress=False)
    assert any("redundant constraints: row 0 of 'c'" in line for line in alone.record.log) and alone.audit().passed
    for motion in (other, alone):
        np.testing.assert_allclose(motion.q[-1], beside.q[-1], rtol=0, atol=1e-12)


REDUNDANT = {"multiple": lambda q: 2.0 * circle(q), "function": lambda q: (circle(q) + 1.0) ** 2 - 1.0,
             "rate": lambda q, v: q[0] * v[0] + q[1] * v[1], "on the surface": lambda q: circle(q) * (2.0 + q[2])}  # fmt: skip


@pytest.mark.parametrize("name", REDUNDANT)
def test_rows_of_a_lagrangian_system_that_follow_from_others_are_left_out_and_named(name):
    start = ((1, 0, 0), (0, 1, 0))
    twice = vc.simulate(lagrangian(c=(circle, D), d=(REDUNDANT[name], D)), 0.5, start, progress=False)
    once = vc.simulate(lagrangian(c=(circle, D)), 0.5, start, progress=False)
    assert twice.record.log == ("constraints: redundant constraints: row 0 of 'd'",)
    np.testing.assert_allclose(twice.q, once.q, rtol=0, atol=1e-13)
    assert twice.audit().passed
    given = vc.given_motion(
        lagrangian(c=(circle, D), d=(REDUNDANT[name], D)), twice.time, twice.q, twice.v, tolerance=1e-9
    )
    assert given.audit().verdict != "failed"


def test_rows_with_multipliers_in_the_state_are_not_left_out():
    pair = {"c": (circle, D), "d": (REDUNDANT["rate"], vc.Vakonomic(multipliers=0.0))}
    with pytest.raises(vc.errors.StartError, match="constraints that depend on each other"):
        vc.simulate(lagrangian(**pair), 0.5, ((1, 0, 0), (0, 1, 0)), progress=False)


def test_a_row_that_contradicts_another_is_no_redundant_one():
    with pytest.raises(vc.errors.StartError, match="breaks the constraint 'd'"):
        vc.simulate(
            lagrangian(c=(circle, D), d=(lambda q: circle(q) + 0.1, D)), 0.5, ((1, 0, 0), (0, 1, 0)), progress=False
        )


WRONG = {
    "attribute": (lambda p: p.place[0], "has no 'place' here"),
    "if": (lambda p: p.position[0] if p.position[0] > 0 else 1.0, "cannot decide an `if`"),
    "text": (lambda p: "zero", "returned 'zero'; return one number or several"),
    "arguments": (lambda p, q: p.position[0], "takes 2 bodies, but 1 are listed"),
    "constant": (lambda p: 1.0, "row 0 is always 1 and never zero"),
    "velocity": (lambda p: p.velocity[0], "give velocity= instead of position="),
    "matrix": (lambda p: [[p.position[0]]], "return one number or a row of them"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_in_functions_of_constraints_come_when_they_are_added(name):
    function, message = WRONG[name]
    system = vc.System("point")
    system.add(vc.MassPoint("p", 1.0))
    constraint = vc.Constraint("c", ["p"], position=function, realization=D)
    with pytest.raises(vc.errors.VinculumError, match=message):
        system.add(constraint)
    assert "c" not in system.constraints


def test_functions_of_joints_and_accelerations_are_tried_when_they_are_added():
    system = vc.System("arm")
    body = system.add(vc.RigidBody("b", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Revolute("hinge", "ground", body))
    with pytest.raises(vc.errors.ModelError, match="has no 'angle' here"):
        system.add(vc.Constraint("c", ["hinge"], velocity=lambda j: j.angle, realization=D))
    with pytest.raises(vc.errors.ModelError, match="acceleration"):
        system.add(vc.Constraint("c", ["hinge"], velocity=lambda j: j.a, realization=D))
    system.add(vc.Constraint("c", ["hinge", body, "ground"], acceleration=lambda j, b, g: j.a + b.acceleration[0] - g.position[0],
                             realization=vc.Chetaev()))  # fmt: skip


@pytest.mark.parametrize("lean", [0.0, 1e-14, 1e-10])
def test_a_disc_that_lies_flat_is_named_as_such_at_its_start(lean):
    start = rolling.disc_start((0.4, np.pi / 2 - lean, 0.3), (0.0, 0.0, 0.0))
    with pytest.raises(vc.errors.StartError, match=r"constraint 'rolling.*: the disc lies flat there; start away"):
        vc.simulate(rolling.disc(), 1.0, start, progress=False)


@pytest.mark.parametrize("method", [{}, {"method": "dop853"}, {"method": "rk4", "step": 1e-3}], ids=str)
def test_a_disc_that_falls_flat_is_named_as_such(method):
    start = rolling.disc_start((0.4, 1.2, 0.3), (0.0, 2.0, 0.0))
    with pytest.raises(vc.errors.RunError, match=r"no gradient near there, at t = 0.11.*: the disc lies flat there"):
        vc.simulate(rolling.disc(), 3.0, start, progress=False, **method)


def test_integrability_does_not_take_parallel_velocities_for_speeds():
    system = vc.System("pair")
    for name in "ab":
        system.add(vc.MassPoint(name, 1.0))
    system.add(vc.Constraint("parallel", ["a", "b"], velocity=lambda a, b: a.velocity[0] * b.velocity[1] - a.velocity[1] * b.velocity[0],
                             realization=vc.Chetaev()))  # fmt: skip
    with pytest.raises(vc.errors.MethodError, match="row 0 is not linear in the velocities") as refused:
        vc.constraints.integrability(system, "parallel")
    assert "speed" not in str(refused.value)
