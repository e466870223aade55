"""Ready constraints refuse what they cannot hold."""

import numpy as np
import pytest

import vinculum as vc
from rolling import disc

D = vc.DAlembert()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: vc.constraints.distance("rod", "a", "b", -1.0, realization=D), "'rod': length -1 m is not positive"),
        (
            lambda: vc.constraints.distance("rod", "a", "b", 1.0, realization=None),
            "'rod': realization is None; choose",
        ),
        (
            lambda: vc.constraints.knife_edge("edge", "a", side=(0, 0, 0), realization=D),
            "'edge': side is zero and has no direction",
        ),
        (lambda: vc.constraints.gear("gear", "a", "b", 0.0, realization=D), "ratio 0 would hold"),
        (
            lambda: vc.constraints.constant_speed("speed", "a", 0.0, realization=vc.Chetaev()),
            "speed 0 m/s is not positive",
        ),
        (lambda: vc.constraints.point_on_surface("s", "a", 3.0, realization=D), "surface is 3.0; give a function"),
        (lambda: vc.constraints.point_on_curve("c", "a", None, realization=D), "curve is None; give a function"),
        (lambda: vc.constraints.Rolling("r", "a", 0.3, realization=D), "support is 0.3; give a function"),
        (lambda: vc.constraints.Rolling.disc("r", "a", 0.0, realization=D), "radius 0 m is not positive"),
        (lambda: vc.constraints.Rolling.sphere("r", "a", 1.0, normal=(0, 0, 0), realization=D), "normal is zero"),
        (
            lambda: vc.constraints.Rolling.ellipsoid("r", "a", (1, 0, 1), realization=D),
            "semi_axes .* are not all positive",
        ),
        (
            lambda: vc.constraints.Rolling.sphere("r", "a", 1.0, realization=vc.constraints.ViscousFriction(1.0)),
            "say how the contact is kept",
        ),
    ],
)
def test_bad_numbers_are_refused_with_the_constraint_and_the_remedy(make, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        make()


def test_a_realization_must_be_named():
    with pytest.raises(vc.errors.ModelError, match="realization is None; choose"):
        vc.constraints.knife_edge("edge", "a")  # pyright: ignore


def test_a_fixed_speed_by_dalembert_is_refused():
    system = vc.System("craft")
    system.add(vc.MassPoint("craft", 1.0))
    system.add(vc.constraints.constant_speed("speed", "craft", 2.0, realization=D))
    with pytest.raises(vc.errors.ModelError, match=r"constraint 'speed': d'Alembert's principle covers.*vc.Chetaev"):
        system.tree()


def test_a_gear_between_joints_of_several_coordinates_is_refused():
    system = vc.System("gear")
    system.add(vc.Planar("plane", "ground", system.add(vc.RigidBody("a", 1.0, inertia=(1, 1, 1)))))
    system.add(vc.Revolute("hinge", "ground", system.add(vc.RigidBody("b", 1.0, inertia=(1, 1, 1)))))
    with pytest.raises(
        vc.errors.ModelError, match="joint 'plane' has 3 coordinates, and a gear connects joints with one"
    ):
        system.add(vc.constraints.gear("gear", "plane", "hinge", 2.0, realization=D))


def test_a_curve_of_three_functions_is_refused():
    system = vc.System("curve")
    system.add(vc.MassPoint("bead", 1.0))
    with pytest.raises(vc.errors.ModelError, match="two functions vanish, and 3 came"):
        system.add(vc.constraints.point_on_curve("curve", "bead", lambda x: x, realization=D))


def test_a_function_of_the_wrong_number_of_joints_is_refused_by_name():
    system = vc.System("joints")
    system.add(vc.Revolute("hinge", "ground", system.add(vc.RigidBody("b", 1.0, inertia=(1, 1, 1)))))
    with pytest.raises(vc.errors.ModelError, match=r"takes 2 bodies, but 1 are listed \(hinge\)"):
        system.add(vc.Constraint("c", ["hinge"], position=lambda a, b: a.q, realization=D))


def test_a_disc_that_lies_flat_is_refused_at_its_start():
    with pytest.raises(
        vc.errors.StartError, match="'rolling contact': its row 0 has no value or no gradient at this start"
    ):
        vc.simulate(disc(), 1.0, {"disc": (0, 0, 0, np.sqrt(0.5), np.sqrt(0.5), 0, 0)})


def test_rods_of_different_lengths_between_the_same_points_are_refused():
    system = vc.System("rods")
    system.add(vc.MassPoint("bead", 1.0))
    for name, length in (("rod", 1.0), ("other", 1.3)):
        system.add(vc.constraints.distance(name, "bead", "ground", length, realization=D))
    with pytest.raises(vc.errors.StartError, match=r"'other' is violated by -0.3"):
        vc.simulate(system, 1.0, {"bead": (0.6, 0, 0.8)})
    with pytest.raises(
        vc.errors.StartError, match=r"constraint '\w+' cannot be met together with '\w+' from this start"
    ):
        vc.simulate(system, 1.0, {"bead": (0.6, 0, 0.8)}, repair=True)


def test_velocities_that_contradict_each_other_are_refused():
    system = vc.System("belts")
    system.add(vc.MassPoint("bead", 1.0))
    system.add(vc.Constraint("belt", ["bead"], velocity=lambda a: a.velocity[0] - 1.0, realization=D))
    system.add(vc.Constraint("other", ["bead"], velocity=lambda a: a.velocity[0] - 2.0, realization=D))
    with pytest.raises(vc.errors.StartError, match=r"constraint '\w+' cannot be met at t = 0 s"):
        vc.simulate(system, 1.0, repair=True)


def test_integrability_of_what_is_not_linear_or_not_there_is_refused():
    system = vc.System("craft")
    system.add(vc.MassPoint("craft", 1.0))
    with pytest.raises(vc.errors.StartError, match="no constraint on velocities"):
        vc.constraints.integrability(system)
    system.add(vc.constraints.constant_speed("speed", "craft", 2.0, realization=vc.Chetaev()))
    with pytest.raises(vc.errors.MethodError, match="'speed': row 0 is not linear in the velocities"):
        vc.constraints.integrability(system, "speed")
    with pytest.raises(vc.errors.StartError, match=r"no constraint 'sped'.*did you mean 'speed'"):
        vc.constraints.integrability(system, "sped")
