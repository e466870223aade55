"""Starts of ensembles that do not meet their constraints, and what ensembles and implicit runs cannot follow."""

import numpy as np
import pytest

import mechanisms
import rolling
import vinculum as vc


def rod() -> vc.System:
    system = vc.System("rod", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", 1.0, realization=vc.DAlembert()))
    return system


def test_a_run_that_violates_a_constraint_is_named():
    points = np.array([(0, 0, -1.0), (0, 0, -1.2), (0, 0, -0.5)])
    with pytest.raises(
        vc.errors.StartError, match=r"start of run 1 .*'rod' is violated by 0\.2, and 1 more runs.*repair=True"
    ):
        vc.ensemble(rod(), 1.0, {"bob": points})
    with pytest.raises(vc.errors.StartError, match=r"start of run 0 .*'rod' changes at the rate -2"):
        vc.ensemble(rod(), 1.0, {"bob": vc.At((0, 0, -1.0), rate=(0, 0, 2.0))})
    with pytest.raises(vc.errors.MethodError, match="repair 'yes' must be True or False"):
        vc.ensemble(rod(), 1.0, {"bob": points}, repair="yes")


def test_a_run_that_cannot_be_repaired_is_named():
    system = rod()
    system.add(vc.constraints.distance("twin", "bob", "ground", 1.2, realization=vc.DAlembert()))
    with pytest.raises(vc.errors.StartError, match=r"run 0: constraint 'rod' cannot be met together with 'twin'"):
        vc.ensemble(system, 1.0, {"bob": np.array([(0, 0, -1.0), (0, 0, -1.2)])}, repair=True)


def test_a_run_at_which_conditions_depend_on_each_other_in_another_way_is_named():
    system = vc.System("two rods")
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.RigidBody("slider", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Prismatic("rail", "ground", "slider", axis=(1, 0, 0)))
    for name, other in (("first", "ground"), ("second", "slider")):
        system.add(vc.constraints.distance(name, "bob", other, 1.0, realization=vc.DAlembert()))
    start = {"bob": np.array([(0.8, 0, -0.6), (0, 0, -1.0)]), "rail": np.array([1.6, 0.0])}
    with pytest.raises(
        vc.errors.StartError,
        match=r"at the start of run 1.*depend on each other in another way than at the start of run 0",
    ):
        vc.ensemble(system, 1.0, start)


def test_redundant_loops_need_fixed_steps_in_ensembles():
    with pytest.raises(vc.errors.MethodError, match=r"depend on each other.*use method='rk4'"):
        vc.ensemble(mechanisms.three_posts(), 0.5, {"a0": np.linspace(0.9, 1.1, 3)})


def test_idas_refuses_what_it_does_not_look_for():
    start = {"bob": (0, 0, -1.0)}
    with pytest.raises(vc.errors.MethodError, match="method 'idas' does not look for events"):
        vc.simulate(
            rod(), 1.0, start, method="idas", events=[vc.Event("low", ["bob"], lambda bob: bob.position[2] + 0.9)]
        )
    with pytest.raises(
        vc.errors.MethodError, match=r"tolerance 1e-14 must lie between 1e-13 and 0\.1 for method 'idas'"
    ):
        vc.simulate(rod(), 1.0, start, method="idas", tolerance=1e-14)
    with pytest.raises(vc.errors.MethodError, match="method 'idas' chooses its own steps"):
        vc.simulate(rod(), 1.0, start, method="idas", step=1e-3)
    with pytest.raises(vc.errors.MethodError, match=r"depend on each other, and method 'idas' cannot"):
        vc.simulate(mechanisms.three_posts(), 0.5, {"a0": 1.0}, method="idas")


def two_rods(hook) -> vc.System:
    """A bob on a rod to the ground and one to a hook: they become parallel when the hook is two metres away."""
    system = vc.System("pulled", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.PrescribedBody("hook", position=hook))
    for name, other in (("first", "ground"), ("second", "hook")):
        system.add(vc.constraints.distance(name, "bob", other, 1.0, realization=vc.DAlembert()))
    return system


@pytest.mark.parametrize("method", [{"method": "dop853"}, {"method": "rk4", "step": 1e-3}], ids=str)
def test_rods_that_are_pulled_straight_stop_the_run_with_instant_state_and_names(method):
    start = {"bob": vc.At((0.8, 0, -0.6), rate=(0.25, 0, 0.25 * 0.8 / 0.6))}
    with pytest.raises(
        vc.errors.RunError,
        match=r"(first' and 'second' .* t = 0\.8 s and|t = 0\.8 s the constraints 'first' and 'second' .*,) bob\.x = 1, .*bob\.z' =",
    ) as caught:
        vc.simulate(two_rods(lambda t: (1.6 + 0.5 * t, 0, 0)), 3.0, start, progress=False, **method)
    assert abs(caught.value.motion.record.pieces.end - 0.8) < 2e-3


@pytest.mark.parametrize("method", [{}, {"method": "dop853"}, {"method": "rk4", "step": 1e-3}], ids=str)
def test_a_disc_that_falls_flat_stops_with_where_it_is(method):
    start = rolling.disc_start((0.4, 1.2, 0.3), (0.0, 2.0, 0.0))
    with pytest.raises(
        vc.errors.RunError, match=r"'rolling contact'.* have no gradient near there, at t = 0\.11.*disc\.qw = 0\.664"
    ) as caught:
        vc.simulate(rolling.disc(), 3.0, start, progress=False, **method)
    assert abs(caught.value.motion.record.pieces.end - 0.118845) < 1e-3


@pytest.mark.parametrize("method", [{"method": "dop853"}, {"method": "rk4", "step": 1e-3}], ids=str)
def test_two_distances_that_become_parallel_are_named(method):
    system = vc.System("two rods")
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.RigidBody("slider", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Prismatic("rail", "ground", "slider", axis=(1, 0, 0)))
    for name, other in (("first", "ground"), ("second", "slider")):
        system.add(vc.constraints.distance(name, "bob", other, 1.0, realization=vc.DAlembert()))
    start = {"bob": vc.At((0.8, 0, -0.6), rate=(0.6, 0, 0.8)), "rail": vc.At(1.6, rate=1.2)}
    with pytest.raises(
        vc.errors.RunError, match=r"the constraints 'first' and 'second' reach a singular position, bob\.x = .*rail' ="
    ):
        vc.simulate(system, 3.0, start, progress=False, **method)
