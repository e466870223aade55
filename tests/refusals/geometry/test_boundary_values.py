"""Boundary-value problems that cannot be solved, and what is said."""

import numpy as np
import pytest

import vinculum as vc

Problem = vc.geometry.BoundaryValueProblem
RunError, ModelError, MethodError, StartError = (
    vc.errors.RunError, vc.errors.ModelError, vc.errors.MethodError, vc.errors.StartError
)  # fmt: skip
LINE = vc.LagrangianSystem("line", ["y"], lambda y_dot: 0.5 * y_dot**2)


def length(y_dot):
    return vc.math.sqrt(1.0 + y_dot**2)


def test_a_rope_that_is_too_short_is_named():
    with pytest.raises(RunError, match=r"the integral 'rope' = 1.9 cannot be met .* by at least 0.1; change it"):
        Problem(LINE, {"y": 0.0}, {"y": 0.0}, 2.0, integrals={"rope": (length, 1.9)}).solve(lambda t: (t * (2.0 - t),))


@pytest.mark.parametrize("kind", ["least", "stationary"])
@pytest.mark.parametrize("seed", [1, 7, 12])
def test_a_rope_that_is_too_short_is_named_where_the_action_has_no_least_value(seed, kind):
    """The area under a curve has no bound, and IPOPT may diverge before it sees that the length cannot be met."""
    rope = float(np.random.default_rng(seed).uniform(0.5, 1.9))
    shore = vc.LagrangianSystem("shore", ["y"], lambda y: -y)
    given = Problem(shore, {"y": 0.0}, {"y": 0.0}, begin=-1.0, until=1.0, integrals={"rope": (length, rope)})
    with pytest.raises(RunError, match=f"integral 'rope' = {rope:.6g} cannot be met .* by at least {2.0 - rope:.3g};"):
        given.solve(lambda t: (1.0 - t * t,), kind=kind)


def test_an_action_without_a_least_value_is_no_fault_of_conditions():
    fall = vc.LagrangianSystem("fall", ["y"], lambda y: -y)
    for ends in ({}, {"y": 0.0}):
        with pytest.raises(RunError, match="no least value"):
            Problem(fall, ends, {}, 1.0).solve()


def test_a_wall_across_the_end_is_named():
    with pytest.raises(RunError, match="unilateral constraint 'wall' ≥ 0 cannot be met"):
        Problem(LINE, {"y": 0.0}, {"y": 1.0}, 1.0, unilaterals={"wall": lambda y: 0.5 - y}).solve()


def test_an_end_that_a_constraint_does_not_reach_is_named():
    bound = vc.LagrangianSystem(
        "carriage", ["x", "y"], lambda v: 0.5 * (v @ v),
        constraints={"gear": (lambda x_dot, y_dot: x_dot - 2.0 * y_dot, vc.Vakonomic(multipliers=0.0))},
    )  # fmt: skip
    with pytest.raises(RunError, match="end of 'x' at 1 cannot be met"):
        Problem(bound, {"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}, 1.0).solve()


def test_an_end_off_a_surface_is_refused():
    sphere = vc.LagrangianSystem(
        "sphere", ["x", "y"], lambda v: 0.5 * (v @ v), constraints={"rod": (lambda q: q @ q - 1.0, vc.DAlembert())}
    )
    with pytest.raises(StartError, match="its end does not satisfy constraint 'rod': the gap is 3"):
        Problem(sphere, {"x": 1.0, "y": 0.0}, {"x": 0.0, "y": 2.0}, 1.0).solve()


def test_motions_of_no_stationary_action_are_refused():
    blade = lambda x_dot, y_dot, x: x_dot * x - y_dot
    ends = {"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}
    slid = vc.LagrangianSystem("s", ["x", "y"], lambda v: v @ v, constraints={"blade": (blade, vc.DAlembert())})
    with pytest.raises(MethodError, match=r"'blade' on velocities is realized by reactions.*Vakonomic"):
        Problem(slid, *ends, 1.0)
    damped = vc.LagrangianSystem("d", ["x", "y"], lambda v: v @ v, dissipation=lambda v: -v)
    with pytest.raises(MethodError, match="dissipation or friction"):
        Problem(damped, *ends, 1.0)
    beam = vc.LagrangianSystem("beam", ["y"], lambda y_ddot: y_ddot**2)
    with pytest.raises(MethodError, match="order 2"):
        Problem(beam, {"y": 0.0}, {"y": 1.0}, 1.0)
    driven = vc.System("driven")
    driven.add(vc.MassPoint("p", 1.0))
    driven.add(vc.Prismatic("j", "ground", "p", axis=(1, 0, 0), damping=0.1))
    with pytest.raises(MethodError, match="drives, dampers"):
        Problem(driven, {"j": 0.0}, {"j": 1.0}, 1.0)
    turning = vc.System("turning")
    turning.add(vc.RigidBody("b", 1.0, (0, 0, 0), (1.0, 1.0, 1.0)))
    with pytest.raises(MethodError, match=r"4 coordinates|7 coordinates"):
        Problem(turning, {}, {}, 1.0)


@pytest.mark.parametrize(("changed", "words"), [
    ({"start": {"z": 0.0}}, "start names 'z', which is no coordinate"),
    ({"until": -1.0}, "must be after 0"),
    ({"until": (2.0, 1.0)}, "the lower limit first"),
    ({"integrals": {"rope": length}}, "give a function and the value"),
    ({"unilaterals": {"w": lambda y_ddot: y_ddot}}, "function of accelerations"),
    ({"integrals": {"w": (length, 1.0)}, "unilaterals": {"w": lambda y: y}}, "two conditions 'w'"),
])  # fmt: skip
def test_wrong_problems_are_refused(changed, words):
    given = {"system": LINE, "start": {"y": 0.0}, "end": {"y": 1.0}, "until": 1.0} | changed
    with pytest.raises(ModelError, match=words):
        Problem(**given)


def test_unilateral_constraints_have_least_actions_alone():
    with pytest.raises(MethodError, match="use kind='least'"):
        Problem(LINE, {"y": 0.0}, {"y": 1.0}, 1.0, unilaterals={"wall": lambda y: y + 1.0}).solve(kind="stationary")


def test_an_accuracy_that_is_not_reached_is_stated_and_the_curve_kept():
    """A corner where the obstacle has one: the velocity jumps at a place that no halving meets."""
    roof = {"roof": lambda y, t: y - 0.3 + vc.math.abs(t - 0.31)}
    with pytest.raises(RunError, match=r"is known to .* only, and 1.0e-13 was asked for") as error:
        Problem(LINE, {"y": 0.0}, {"y": 0.0}, 1.0, unilaterals=roof).solve(lambda t: (0.6,), tolerance=1e-13)
    curve = error.value.motion
    assert curve.error > 1e-13
    assert curve.at(0.31)[0] == pytest.approx(0.3, abs=1e-3)
    assert np.all(np.isfinite(curve.q))


@pytest.mark.parametrize(("lagrangian", "end", "until"), [
    (lambda x_dot: -(x_dot**2), 1.0, 1.0),
    (lambda x, x_dot: 0.5 * (x_dot**2 - x**2), 0.0, 4.0),
    (lambda x, x_dot, t: 0.5 * t * x_dot**2 - 40.0 * x**2, 0.0, 1.0),
])  # fmt: skip
def test_a_curve_that_is_only_stationary_is_not_returned_as_least(lagrangian, end, until):
    problem = Problem(vc.LagrangianSystem("saddle", ["x"], lagrangian), {"x": 0.0}, {"x": end}, until=until)
    with pytest.raises(RunError, match=r"no least value.*kind='stationary'") as error:
        problem.solve()
    assert error.value.motion.action == pytest.approx(problem.solve(kind="stationary").action, abs=1e-9)


def test_beside_unilateral_constraints_no_other_kind_is_proposed():
    saddle = vc.LagrangianSystem("saddle", ["x"], lambda x, x_dot: 0.5 * (x_dot**2 - x**2))
    floor = {"floor": lambda x: 1e3 + x}
    with pytest.raises(RunError, match=r"no least value$"):
        Problem(saddle, {"x": 0.0}, {"x": 0.0}, until=4.0, unilaterals=floor).solve()
