"""Realizations that are missing, that do not fit the number of rows, or are no numbers."""

import numpy as np
import pytest

import vinculum as vc

D = vc.DAlembert()
READY = {
    "distance": lambda **how: vc.constraints.distance("c", "a", "b", 1.0, **how),
    "surface": lambda **how: vc.constraints.point_on_surface("c", "a", lambda x: x[2], **how),
    "curve": lambda **how: vc.constraints.point_on_curve("c", "a", lambda x: (x[0], x[2]), **how),
    "gear": lambda **how: vc.constraints.gear("c", "a", "b", 2.0, **how),
    "knife edge": lambda **how: vc.constraints.knife_edge("c", "a", **how),
    "no twist": lambda **how: vc.constraints.no_twist("c", "a", **how),
    "speed": lambda **how: vc.constraints.constant_speed("c", "a", 1.0, **how),
    "disc": lambda **how: vc.constraints.Rolling.disc("c", "a", 1.0, **how),
    "sphere": lambda **how: vc.constraints.Rolling.sphere("c", "a", 1.0, **how),
    "ellipsoid": lambda **how: vc.constraints.Rolling.ellipsoid("c", "a", (1, 2, 3), **how),
    "own": lambda **how: vc.Constraint("c", ["a"], position=lambda a: a.position[2], **how),
}


@pytest.mark.parametrize("kind", READY)
@pytest.mark.parametrize("given", [None, "dalambert", vc.DAlembert])
def test_every_constraint_asks_for_its_realization_when_it_is_made(kind, given):
    how = {} if given is None else {"realization": given}
    with pytest.raises(vc.errors.ModelError, match=r"'c': realization is .*; choose a realization.*vc\.DAlembert\(\)"):
        READY[kind](**how)


def test_the_contact_of_a_rolling_body_has_a_realization():
    with pytest.raises(
        vc.errors.ModelError, match=r"rolling 'r': contact: realization is 'dalambert'.*; choose a realization"
    ):
        vc.constraints.Rolling.sphere("r", "a", 1.0, realization=D, contact="dalambert")  # type: ignore[arg-type]


@pytest.mark.parametrize("returned", [None, "far", (1.0, 2.0)])
def test_a_support_that_is_no_number_is_refused(returned):
    system = vc.System("egg")
    system.add(vc.RigidBody("egg", 1.0, inertia=(1, 1, 1)))
    with pytest.raises(vc.errors.ModelError, match=r"constraint 'r contact': support returned .*; return one number"):
        system.add(vc.constraints.Rolling("r", "egg", lambda u: returned, realization=D))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: vc.Penalty([]), r"stiffness has shape \(0,\); give one positive number"),
        (lambda: vc.Penalty(np.ones((2, 2, 2))), r"stiffness has shape \(2, 2, 2\)"),
        (lambda: vc.Penalty([[1, 2], [0, 1]]), "is not symmetric"),
        (lambda: vc.constraints.AddedInertia([]), r"coefficient has shape \(0,\); give one number"),
        (lambda: vc.Vakonomic(multipliers=[]), "multipliers must be one number"),
    ],
)
def test_numbers_of_a_realization_are_checked_when_it_is_made(make, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        make()


@pytest.mark.parametrize(
    ("level", "realization", "message"),
    [
        ("position", vc.Penalty([1, 2]), "it has 1 row and 2 rows of stiffness; give one number for each row"),
        ("position", vc.Penalty(np.eye(3)), "it has 1 row and 3 rows of stiffness"),
        ("velocity", vc.constraints.AddedInertia([1, 2]), "it has 1 row and 2 coefficients of added inertia"),
    ],
)
def test_a_realization_has_as_many_numbers_as_rows(level, realization, message):
    system = vc.System("point")
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("c", ["p"], realization=realization, **{level: lambda p: getattr(p, level)[2]}))
    with pytest.raises(vc.errors.ModelError, match=rf"constraint 'c': {message}"):
        system.tree()
    field = {"position": lambda q: q[1], "velocity": lambda v: v[1]}[level]
    with pytest.raises(vc.errors.ModelError, match=rf"constraint 'c': {message}"):
        vc.LagrangianSystem(
            "l", coordinates=["x", "y"], lagrangian=lambda v: v @ v / 2, constraints={"c": (field, realization)}
        )


def test_a_constraint_of_bodies_that_gets_a_joint_says_what_a_joint_has():
    system = vc.System("skate")
    system.add(vc.RigidBody("blade", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Planar("ice", "ground", "blade"))
    with pytest.raises(
        vc.errors.ModelError, match=r"constraint 'rod': .*joint 'ice' has no 'point' here: it has q, v and name"
    ):
        system.add(vc.constraints.distance("rod", "ice", "ground", 1.0, realization=D))


def skate(realization) -> vc.System:
    system = vc.System("skate")
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1, 1, 0.7)))
    system.add(vc.Planar("ice", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, realization=realization))
    return system


PUSH = {"ice": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}


def test_a_comparison_asks_for_a_constraint_and_settings_for_yes_or_no():
    with pytest.raises(vc.errors.StartError, match="constraint is None; give a constraint of the system, or its name"):
        vc.constraints.compare_realizations(skate(D), None, [D, D], 1.0, PUSH)  # type: ignore[arg-type]
    with pytest.raises(vc.errors.MethodError, match="repair 'yes' must be True or False"):
        vc.simulate(skate(D), 1.0, PUSH, repair="yes")  # type: ignore[arg-type]
    with pytest.raises(vc.errors.StartError, match="settle 'yes' must be True or False"):
        vc.linearize(skate(D), PUSH, settle="yes")  # type: ignore[arg-type]
    with pytest.raises(vc.errors.StartError, match=r"inputs is the text 'ice\.x'; give a list of names"):
        vc.linearize(skate(D), PUSH, inputs="ice.x")
    with pytest.raises(
        vc.errors.StartError, match=r"'edge' is violated by 0.2; .*settle=True to look for a state nearby"
    ):
        vc.linearize(skate(D), {"ice": vc.At((0, 0, 0), rate=(1.3, 0.2, 0.9))})


def test_motions_that_end_early_are_compared_at_common_instants_only():
    wall = vc.Event("wall", ["blade"], lambda blade: blade.position[0] - 0.9, stop=True)
    comparison = vc.constraints.compare_realizations(
        skate(D), "edge", [D, vc.constraints.ViscousFriction(100.0)], 4.0, PUSH, events=[wall]
    )
    assert comparison[0].time[-1] != comparison[1].time[-1]
    for motion in comparison.motions:
        np.testing.assert_array_equal(motion.time[: len(comparison.time)], comparison.time)
    ahead = (
        comparison[0].body("blade").position[: len(comparison.time)]
        - comparison[1].body("blade").position[: len(comparison.time)]
    )
    np.testing.assert_allclose(comparison.distance(1), np.abs(ahead).max(axis=1), atol=1e-12)


def test_pivots_and_bodies_of_invariant_constraints_are_bodies():
    def seen(bodies, pivot, **how):
        return vc.constraints.invariant_constraint("c", bodies, pivot, position=lambda a: a.position[0], **how)

    with pytest.raises(vc.errors.ModelError, match="constraint 'c': realization is None; choose"):
        seen(["a"], "b")
    with pytest.raises(vc.errors.ModelError, match="constraint 'c': realization is None; choose"):
        vc.constraints.invariant_rows("c", ["a"], "b", lambda a: [])
    with pytest.raises(vc.errors.ModelError, match=r"constraint 'c': bodies is \[\]; give a list"):
        seen([], "b", realization=D)
    with pytest.raises(vc.errors.ModelError, match="constraint 'c': the pivot is 3; give the reference body"):
        seen(["a"], 3, realization=D)


@pytest.mark.slow
def test_a_search_for_multipliers_that_are_not_there_ends():
    far = vc.constraints.Reaching({"ice": (1e6, None, None)}, at=0.5, guess=1e12)
    with pytest.raises(
        vc.errors.StartError, match=r"no multipliers of 'edge' were found for reaching ice\[0\] = 1e\+06 at t = 0.5 s"
    ):
        vc.simulate(skate(vc.Vakonomic(multipliers=far)), 0.5, PUSH)


def test_conditions_that_overflow_are_no_motion_to_measure():
    system = vc.System("steep")
    system.add(vc.MassPoint("p", 1.0))
    steep = {"velocity": lambda p: vc.math.exp(900 * p.velocity[2]) - 1, "realization": vc.Chetaev()}
    system.add(vc.Constraint("c", ["p"], **steep))
    with pytest.raises(vc.errors.StartError, match="no motion around the start keeps all constraints"):
        vc.constraints.adiabaticity(system)


@pytest.mark.parametrize(
    ("level", "make", "message"),
    [
        ("position", vc.Penalty, r"stiffness -5.0 is not positive"),
        ("velocity", vc.constraints.ViscousFriction, r"coefficient -5 is not positive"),
        ("velocity", vc.constraints.AddedInertia, r"coefficient -5.0 is not positive"),
    ],
)
def test_parameters_of_realizations_keep_their_signs_in_every_run(level, make, message):
    system = vc.System("point")
    system.add(vc.MassPoint("p", 1.0))
    kept = {level: lambda p: getattr(p, level)[2], "realization": make(vc.parameter("kappa", 10.0))}
    system.add(vc.Constraint("c", ["p"], **kept))
    assert vc.simulate(system, 0.1, parameters={"kappa": 20.0}).time[-1] == 0.1
    with pytest.raises(vc.errors.ModelError, match=f"constraint 'c': {message}"):
        vc.simulate(system, 0.1, parameters={"kappa": -5.0})
    with pytest.raises(vc.errors.ModelError, match=f"constraint 'c': {message}"):
        vc.ensemble(system, until=0.1, start={"p": np.zeros((2, 3))}, parameters={"kappa": np.array([1.0, -5.0])})


def test_parameters_of_realizations_of_lagrangians_keep_their_signs():
    kappa = vc.parameter("kappa", 10.0)
    slide = {"c": (lambda v: v[1], vc.constraints.ViscousFriction(kappa))}
    system = vc.LagrangianSystem("l", coordinates=["x", "y"], lagrangian=lambda v: v @ v / 2, constraints=slide)
    with pytest.raises(vc.errors.ModelError, match="system 'l': constraint 'c': coefficient -5 is not positive"):
        vc.simulate(system, 0.1, ([0, 0], [1, 0]), parameters={"kappa": -5.0})
