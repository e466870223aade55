"""Ready potentials refuse numbers that no spring, charge or mass can have, and starts at which bodies meet."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import ModelError, StartError


def two_points() -> tuple[vc.System, vc.MassPoint, vc.MassPoint]:
    system = vc.System("two")
    return system, system.add(vc.MassPoint("a", 1.0)), system.add(vc.MassPoint("b", 2.0))


def two_bodies() -> tuple[vc.System, vc.RigidBody, vc.RigidBody]:
    system = vc.System("two")
    return system, *(system.add(vc.RigidBody(n, 1.0, inertia=(1, 1.2, 1.5))) for n in "ab")


BAD = [
    (lambda: vc.Spring("s", "a", "b", -1.0), r"spring 's': stiffness -1 N/m is not zero or positive; check its sign"),
    (lambda: vc.Spring("s", "a", "b", 1.0, rest_length=-0.1), "rest_length -0.1 m is not zero or positive"),
    (lambda: vc.Spring("s", "a", "b", 1.0, damping=-2), "damping -2 N s/m"),
    (lambda: vc.Spring("s", "a", "b", np.nan), "spring 's': stiffness is nan, which is not finite"),
    (lambda: vc.Spring("s", "a", "a", 1.0), "body 'a' is named twice"),
    (lambda: vc.Spring("s", "a", "b", 1.0, at=(1, 2)), r"spring 's': at has shape \(2,\)"),
    (lambda: vc.Damper("d", "a", "b", -1.0), "damper 'd': damping -1 N s/m"),
    (lambda: vc.potentials.TorsionSpring("t", "a", "b", -1.0), "torsion spring 't': stiffness -1 N m/rad"),
    (lambda: vc.potentials.Bushing("m", "a", "b", np.diag([1, 1, 1, 1, 1, -1.0])), "stiffness of rotation z is -1, which is negative"),
    (lambda: vc.potentials.Bushing("m", "a", "b", np.eye(6) + np.eye(6, k=1)), r"not symmetric: entry \(0, 1\) is 1 but \(1, 0\) is 0"),
    (lambda: vc.potentials.Bushing("m", "a", "b", np.ones((6, 6)) - 0.5 * np.eye(6)), "not positive semidefinite"),
    (lambda: vc.potentials.Bushing("m", "a", "b", np.ones(5)), "stiffness has shape"),
    (lambda: vc.potentials.CoulombCharges("c", ["a", "b"], [1.0]), r"coulomb charges 'c': charges has shape \(1,\)"),
    (lambda: vc.potentials.CoulombCharges("c", ["a"], [1.0]), r"only \['a'\] is listed; name two or more"),
    (lambda: vc.potentials.CoulombCharges("c", ["a", "b"], [1.0, 1.0], constant=0.0), "constant 0 N m²/C² is not positive"),
    (lambda: vc.potentials.LennardJones("l", ["a", "b"], -1.0, 1.0), "depth -1 J"),
    (lambda: vc.potentials.LennardJones("l", ["a", "b"], 1.0, [1.0, 0.0]), "size 0 m is not positive"),
    (lambda: vc.potentials.Morse("m", ["a", "b"], 1.0, 0.0, 1.0), "width 0 m is not positive"),
    (lambda: vc.potentials.MagneticDipoles("d", "a", "b", [1, 0, 0]), r"moments has shape \(3,\)"),
    (lambda: vc.potentials.Gravitation("g", ["a", "ground"]), "gravitation 'g': the ground has no mass"),
    (lambda: vc.potentials.Gravitation("g", ["a", "b"], G=-1.0), "G -1"),
    (lambda: vc.potentials.Gravitation("g", ["a", "b"], degree=2.5), "degree 2.5 must be a whole number"),
    (lambda: vc.potentials.Gravitation("g", ["a", "b"], accuracy=1e-3), "accuracy and nearest go together"),
    (lambda: vc.potentials.Gravitation("g", ["a", "b"], accuracy=1e-3, nearest=2.0, degree=3), "give one of them"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), BAD, ids=range(len(BAD)))
def test_bad_numbers_are_refused_with_name_and_value(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_higher_moments_of_a_body_known_by_its_inertia_alone_are_refused():
    system, a, b = two_bodies()
    with pytest.raises(
        ModelError, match="degree 4 asks for higher moments of 'a' than its inertia tells; make it with"
    ):
        system.add(vc.potentials.Gravitation("g", [a, b], degree=4))
    with pytest.raises(ModelError, match="accuracy cannot be told for 'a', of which only mass and inertia are known"):
        system.add(vc.potentials.Gravitation("g", [a, b], accuracy=1e-3, nearest=5.0))


def test_an_accuracy_that_no_degree_reaches_is_refused():
    system = vc.System("boxes")
    boxes = [system.add(vc.RigidBody.solid(n, vc.shapes.Box((1, 1, 1)), mass=1.0)) for n in "ab"]
    with pytest.raises(ModelError, match=r"bodies that reach 1.73205 m together at a distance of 1.8 m need moments"):
        system.add(vc.potentials.Gravitation("g", boxes, accuracy=1e-9, nearest=1.8))


def test_so_many_pairs_of_points_that_no_one_could_wait_for_are_refused():
    system = vc.System("cones")
    cones = [system.add(vc.RigidBody.solid(n, vc.shapes.Cone(1, 1), mass=1.0)) for n in "ab"]
    with pytest.raises(ModelError, match="pairs of points"):
        system.add(vc.potentials.Gravitation("g", cones, degree=12))


def test_dipoles_on_mass_points_are_refused():
    system, a, b = two_points()
    with pytest.raises(ModelError, match="'a' is a mass point, which no torque can turn"):
        system.add(vc.potentials.MagneticDipoles("d", a, b, np.eye(3)[:2]))
    with pytest.raises(ModelError, match="'a' is a mass point and has no rotation"):
        system.add(vc.potentials.TorsionSpring("t", a, b, 1.0))
    with pytest.raises(ModelError, match="'b' is a mass point and has no rotation"):
        system.add(vc.Spring("s", a, b, 1.0, to=(1, 0, 0)))


def test_parameter_values_are_checked_when_they_are_given():
    system, a, b = two_points()
    system.add(vc.Spring("s", a, b, vc.parameter("k", 2.0)))
    with pytest.raises(ModelError, match="spring 's': stiffness -3 N/m"):
        vc.simulate(system, 1.0, {"a": (1, 0, 0)}, parameters={"k": -3.0})


MEETING = {
    "Gravitation": lambda a, b: vc.potentials.Gravitation("bond", [a, b]),
    "CoulombCharges": lambda a, b: vc.potentials.CoulombCharges("bond", [a, b], [1, 1]),
    "LennardJones": lambda a, b: vc.potentials.LennardJones("bond", [a, b], 1.0, 1.0),
    "Damper": lambda a, b: vc.Damper("bond", a, b, 1.0),
    "PairPotential": lambda a, b: vc.potentials.PairPotential(
        "bond", [a, b], lambda a, b: 1 / vc.math.norm(a.position - b.position)
    ),
}


@pytest.mark.parametrize("kind", MEETING)
def test_bodies_that_start_in_one_place_are_refused_by_name(kind):
    system, a, b = two_points()
    bond = system.add(MEETING[kind](a, b))
    with pytest.raises(
        StartError, match=f"the forces of {bond.called} are not finite at the start: 'a' and 'b' are 0 m apart"
    ):
        vc.simulate(system, 1.0, {"a": (1, 0, 0), "b": (1, 0, 0)})


def test_a_spring_that_starts_without_length_is_refused_by_name():
    system, a, b = two_points()
    system.add(vc.Spring("s", a, b, 1.0, 0.5))
    with pytest.raises(StartError, match="spring 's' have no direction at the start: 'a' and 'b' are 0 m apart"):
        vc.simulate(system, 1.0)
    system, a, b = two_points()
    system.add(vc.Spring("s", a, b, 1.0))
    assert vc.simulate(system, 1.0).audit().passed


def test_a_torsion_spring_that_starts_at_half_a_turn_is_refused_by_name():
    system, a, b = two_bodies()
    system.add(vc.potentials.TorsionSpring("t", a, b, 1.0))
    with pytest.raises(StartError, match="'t'"):
        vc.simulate(system, 1.0, {"a": (0, 0, 0, 0, 1, 0, 0)})
