"""Contacts of trees, several of them, and rolling resistance that cannot be."""

import numpy as np
import pytest

import vinculum as vc

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def balls(*names, gravity=(0, 0, -9.81)):
    system = vc.System("s", gravity=gravity)
    for name in names:
        system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.05), density=1000))
    return system


@pytest.mark.parametrize(
    "options, message",
    [
        ({"rolling": -1e-3}, "rolling = -0.001 must be a number that is zero or more"),
        ({"spinning": "no"}, "spinning = 'no' must be a number"),
    ],
)
def test_lengths_of_resistance_must_be_numbers_that_are_not_negative(options, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        vc.Coulomb(0.3, **options)


def test_two_laws_for_one_pair_are_refused_and_equal_ones_are_not():
    system = balls("a", "b", "c")
    system.add(vc.Contact("soft", ["a", "b"], impact=vc.Inelastic()))
    system.add(vc.Contact("hard", ["a", "b", "c"], impact=vc.Newton(0.5)))
    with pytest.raises(
        vc.errors.ModelError, match=r"contact 'hard': bodies 'a' and 'b' meet by contact 'soft' already.*against="
    ):
        system.tree()
    system = balls("a", "b", "c")
    system.add(vc.Contact("one", ["a", "b"], impact=vc.Inelastic()))
    system.add(vc.Contact("two", ["a", "b", "c"], impact=vc.Inelastic()))
    assert len(system.tree().contacts) == 2


def test_two_laws_for_one_wall_are_refused():
    system = balls("a")
    system.add(vc.Contact("soft", ["a"], walls=[FLOOR], impact=vc.Inelastic()))
    system.add(vc.Contact("hard", ["a"], walls=[vc.shapes.HalfSpace((0, 0, 2))], impact=vc.Newton(0.5)))
    with pytest.raises(vc.errors.ModelError, match="body 'a' meets the same wall by contact 'soft' already"):
        system.tree()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (vc.shapes.FixedSolid(vc.shapes.Box((1, 1, 1)), at=(0, 0, -1)), vc.shapes.FixedSolid(vc.shapes.Box((1, 1, 1)), at=(0, 0, -1))),
        (vc.shapes.FixedSolid(vc.shapes.Polytope(np.eye(4)[:, :3])), vc.shapes.FixedSolid(vc.shapes.Polytope(np.eye(4)[:, :3]))),
        (vc.shapes.HeightField(np.zeros((2, 2)), 1.0), vc.shapes.HeightField(np.zeros((2, 2)), (1.0, 1.0))),
    ],
    ids=["box", "polytope", "height field"],
)  # fmt: skip
def test_walls_written_twice_are_one_wall(one, other):
    system = balls("a")
    system.add(vc.Contact("soft", ["a"], walls=[one], impact=vc.Inelastic()))
    system.add(vc.Contact("hard", ["a"], walls=[other], impact=vc.Newton(0.5)))
    with pytest.raises(vc.errors.ModelError, match="body 'a' meets the same wall by contact 'soft' already"):
        system.tree()


def test_walls_that_differ_in_a_number_are_two():
    system = balls("a")
    for name, height, law in (("soft", -1.0, vc.Inelastic()), ("hard", -1.5, vc.Newton(0.5))):
        wall = vc.shapes.FixedSolid(vc.shapes.Box((1, 1, 1)), at=(0, 0, height))
        system.add(vc.Contact(name, ["a"], walls=[wall], impact=law))
    assert len(system.tree().contacts) == 2


@pytest.mark.parametrize("seed", range(6))
def test_two_laws_are_found_as_by_looking_at_every_pair(seed):
    rng, names = np.random.default_rng(seed), [f"b{k}" for k in range(7)]
    found = 0
    for _ in range(40):
        contacts = []
        for number in range(2):
            order = rng.permutation(names).tolist()
            own, others = order[: rng.integers(1, 4)], order[4 : 4 + rng.integers(0, 3)]
            contacts.append(vc.Contact(f"c{number}", own, against=others, impact=0.1 * number))
        one, other = contacts
        shared = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :] if one.lists(a, b) and other.lists(a, b)]
        system = balls(*names)
        for contact in contacts:
            system.add(contact)
        if shared:
            found += 1
            with pytest.raises(vc.errors.ModelError, match="|".join(f"'{a}' and '{b}' meet" for a, b in shared)):
                system.tree()
        else:
            system.tree()
    assert 0 < found < 40


def test_a_group_may_be_on_the_other_side():
    system = vc.System("groups")
    stones = system.add_many(vc.RigidBody.solid("stone", vc.shapes.Sphere(0.1), density=1000), 3)
    posts = system.add_many(vc.RigidBody.solid("post", vc.shapes.Box((0.1, 0.1, 0.1)), density=1000), 2)
    contact = system.add(vc.Contact("c", stones, against=posts, impact=0.0))
    assert contact.lists("stone 2", "post 1") and not contact.lists("post 0", "post 1")


def test_bad_groups_are_refused():
    with pytest.raises(vc.errors.ModelError, match="against is 3; give a list of bodies"):
        vc.Contact("c", ["a"], against=3, impact=vc.Inelastic())
    with pytest.raises(vc.errors.ModelError, match="body 'a' is listed twice"):
        vc.Contact("c", ["a"], against=["a"], impact=vc.Inelastic())
    with pytest.raises(vc.errors.ModelError, match="joined is 'yes'; give True or False"):
        vc.Contact("c", ["a"], joined="yes", impact=vc.Inelastic())


def test_a_start_in_penetration_names_the_bodies_and_the_depth():
    system = balls("a", "b")
    system.add(vc.Prismatic("rail", "ground", "a", axis=(0, 0, 1)))
    system.add(vc.Contact("c", ["a", "b"], impact=vc.Inelastic()))
    with pytest.raises(
        vc.errors.StartError, match=r"'b' and 'a' start 0\.02 m inside each other|'a' and 'b' start 0\.02 m inside"
    ):
        vc.simulate(system, until=0.1, start={"b": (0, 0, 0.08)}, method="moreau", step=1e-3)


def test_a_start_beneath_ground_names_the_depth():
    system = balls("a")
    system.add(vc.Prismatic("rail", "ground", "a", axis=(0, 0, 1)))
    ground = vc.shapes.HeightField([[0.0, 0.1], [0.2, 0.3]], 2.0, at=(-1, -1, 0))
    system.add(vc.Contact("c", ["a"], walls=[ground], impact=vc.Inelastic()))
    with pytest.raises(
        vc.errors.StartError, match=r"the center of 'a' starts 0\.6\d* m beyond 'wall 1', on the inner side"
    ):
        vc.simulate(system, until=0.1, start={"rail": -0.5}, method="moreau", step=1e-3)


def test_other_methods_are_refused_with_the_remedy():
    system = balls("a")
    system.add(vc.Prismatic("rail", "ground", "a", axis=(0, 0, 1)))
    system.add(vc.Contact("c", ["a"], walls=[FLOOR], impact=vc.Inelastic()))
    with pytest.raises(vc.errors.MethodError, match=r"'idas' does not support contact between shapes.*method='moreau'"):
        vc.simulate(system, until=1.0, start={"rail": 0.1}, method="idas")
    with pytest.raises(
        vc.errors.MethodError, match=r"tolerance 2\.0 is the residual of the impulses and must lie between"
    ):
        vc.simulate(system, until=1.0, start={"rail": 0.1}, method="moreau", step=1e-3, tolerance=2.0)


def test_rolling_resistance_is_refused_event_by_event_and_for_points():
    system = balls("a")
    rolling = vc.Coulomb(0.3, rolling=1e-3)
    gap = {"gap": lambda b: b.position[2] - 0.05, "point": lambda b: b.position - (0, 0, 0.05)}
    system.add(vc.Unilateral("floor", ["a"], **gap, impact=vc.Inelastic(), friction=rolling))
    with pytest.raises(vc.errors.MethodError, match=r"'floor' of 's' resists rolling or spinning.*method='moreau'"):
        vc.simulate(system, until=1.0, start={"a": (0, 0, 1)})
    system.add(vc.Unilateral("side", ["a"], gap=lambda b: b.position[0], impact=vc.Elastic(treatment="sequential")))
    with pytest.raises(
        vc.errors.ModelError, match="impacts in turn are not available where unilateral constraint 'floor' resists"
    ):
        system.tree()
    point = vc.System("p")
    point.add(vc.MassPoint("p", 1.0))
    point.add(
        vc.Unilateral(
            "floor",
            ["p"],
            gap=lambda b: b.position[2],
            point=lambda b: b.position,
            impact=vc.Inelastic(),
            friction=rolling,
        )
    )
    with pytest.raises(vc.errors.ModelError, match="'p' does not turn"):
        point.tree()


def test_trees_that_are_too_large_are_refused_with_the_remedy():
    system = balls(*(f"b{i}" for i in range(101)))
    system.add(vc.Contact("c", [f"b{i}" for i in range(101)], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    system.add(vc.Unilateral("floor", ["b0"], gap=lambda b: b.position[2], impact=vc.Poisson(0.5)))
    with pytest.raises(
        vc.errors.ModelError,
        match=r"has 606 velocities.*with unilateral constraints.*by Poisson's law.*'floor'.*; use fewer bodies, or give the bodies shapes",
    ):
        system.tree()
