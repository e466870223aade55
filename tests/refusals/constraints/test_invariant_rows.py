"""Invariant constraints that cannot be."""

import pytest

import vinculum as vc

BODY, OTHER, POINT = (
    vc.RigidBody("body", 1.0, inertia=(1, 1, 1)),
    vc.RigidBody("other", 1.0, inertia=(1, 1, 1)),
    vc.MassPoint("point", 1.0),
)


def system(*bonds) -> vc.System:
    made = vc.System("bodies")
    for body in (BODY, OTHER, POINT):
        made.add(body)
    for bond in bonds:
        made.add(bond)
    return made


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: vc.constraints.invariant_rows("r", [BODY], POINT, lambda b: [], realization=vc.DAlembert()),
            "is a mass point and has no axes",
        ),
        (
            lambda: vc.constraints.invariant_rows("r", [BODY], BODY, lambda b: [], realization=vc.DAlembert()),
            "among the bodies",
        ),
        (
            lambda: vc.constraints.invariant_rows("r", [BODY], OTHER, 3, realization=vc.DAlembert()),
            "rows and drift are functions",
        ),
        (
            lambda: vc.constraints.invariant_constraint("r", [BODY], OTHER, realization=vc.DAlembert()),
            "give exactly one of position= and velocity=",
        ),
    ],
)
def test_pivots_and_functions_without_sense_are_refused(make, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        make()


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (lambda b: [[1.0]], {}, "is not a pair"),
        (lambda b: [(1.0, 2.0)], {}, "one pair .* for each of 1 bodies"),
        (lambda b: [[((1.0, 0.0), None)]], {}, "give three numbers, in the pivot's axes"),
        (lambda a, b: [], {}, "takes 2 bodies, but 1 are listed"),
        (lambda b: [[((1.0, 0, 0), None)]], {"drift": lambda t: (t, t)}, "drift returned 2 numbers for 1 rows"),
    ],
)
def test_rows_without_sense_are_refused(rows, options, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        vc.simulate(
            system(vc.constraints.invariant_rows("r", ["body"], "other", rows, realization=vc.DAlembert(), **options)),
            1.0,
        )


def test_a_pivot_named_by_its_name_must_turn_too():
    with pytest.raises(vc.errors.ModelError, match="'point' is a mass point and has no axes"):
        vc.simulate(
            system(
                vc.constraints.invariant_rows(
                    "r", ["body"], "point", lambda b: [[((1.0, 0, 0), None)]], realization=vc.DAlembert()
                )
            ),
            1.0,
        )


def test_velocities_of_a_condition_on_positions_are_refused():
    bond = vc.constraints.invariant_constraint(
        "r", ["body"], "other", position=lambda b: b.velocity[0], realization=vc.DAlembert()
    )
    with pytest.raises(vc.errors.ModelError, match="give velocity= instead of position="):
        vc.simulate(system(bond), 1.0)
