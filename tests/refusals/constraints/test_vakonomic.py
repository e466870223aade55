"""Vakonomic constraints and added inertia that cannot be."""

import pytest

import vinculum as vc


def system(realization, level: str = "velocity") -> vc.System:
    made = vc.System("blade")
    blade = made.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    made.add(vc.Planar("plane", "ground", blade))
    function = (
        (lambda b: b.position[0]) if level == "position" else (lambda b: vc.math.dot(b.velocity, b.rotation[:, 1]))
    )
    made.add(vc.Constraint("edge", [blade], realization=realization, **{level: function}))
    return made


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: vc.Vakonomic(), "multipliers are not given; they are part of the state"),
        (lambda: vc.Vakonomic(multipliers="d'alembert"), "give their values at the start"),
        (lambda: vc.Vakonomic(multipliers=float("nan")), "multipliers"),
        (lambda: vc.Vakonomic(multipliers=[[0.0]]), "one number for each row"),
        (lambda: vc.constraints.AddedInertia(0.0), "not positive; it would reduce inertia"),
        (lambda: vc.constraints.AddedInertia([[1.0]]), "one number, or one for each row"),
    ],
)
def test_realizations_without_sense_are_refused(make, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        make()


@pytest.mark.parametrize(
    ("realization", "level", "message"),
    [
        (
            vc.Vakonomic(multipliers=0.0),
            "position",
            "'edge': for a constraint on positions the vakonomic motion is d'Alembert's",
        ),
        (vc.constraints.AddedInertia(2.0), "position", "'edge': added inertia resists velocities"),
        (vc.Vakonomic(multipliers=(0.0, 1.0)), "velocity", "'edge': it has 1 row and 2 multipliers"),
    ],
)
def test_constraints_that_a_realization_does_not_cover_are_refused(realization, level, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        vc.simulate(system(realization, level), 1.0)


def test_a_start_without_inertia_is_refused():
    made = vc.System("point")
    p = made.add(vc.MassPoint("p", 1.0))
    made.add(vc.Constraint("speed", [p], velocity=lambda p: vc.math.dot(p.velocity, p.velocity) - 4.0,
                           realization=vc.Vakonomic(multipliers=-0.5)))  # fmt: skip
    with pytest.raises(
        vc.errors.StartError, match="singular: the multipliers of 'speed' leave some motion without inertia"
    ):
        vc.simulate(made, 1.0, {"p": vc.At((0, 0, 0), rate=(2, 0, 0))})


@pytest.mark.parametrize("realization", [vc.Vakonomic(multipliers=0.0), vc.constraints.AddedInertia(2.0)])
def test_queries_that_would_leave_the_constraint_out_are_refused(realization):
    made = system(realization)
    with pytest.raises(vc.errors.MethodError, match="adds to the Lagrangian"):
        vc.derive(made, "hamilton")
    with pytest.raises(vc.errors.MethodError, match="edge"):
        vc.simulate(made, 1.0, method="series")
    with pytest.raises(vc.errors.MethodError, match="edge"):
        vc.inverse_dynamics(made, [0.0] * (4 if realization.claims.adds_state else 3), [0.0] * 3, [0.0] * 3)


def test_rows_that_depend_on_others_are_refused():
    made = system(vc.Vakonomic(multipliers=0.0))
    made.add(vc.Constraint("again", ["blade"], velocity=lambda b: 2.0 * vc.math.dot(b.velocity, b.rotation[:, 1]),
                           realization=vc.DAlembert()))  # fmt: skip
    with pytest.raises(vc.errors.StartError, match="row 0 of 'edge', row 0 of 'again' depend on each other"):
        vc.simulate(made, 1.0, {"plane": vc.At((0, 0, 0), rate=(1, 0, 1))})
