"""Rules for vakonomic multipliers that cannot be followed."""

import pytest

import vinculum as vc

EDGE = {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}


def knife_edge(multipliers) -> vc.System:
    system = vc.System("knife edge")
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    system.add(vc.Planar("plane", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, realization=vc.Vakonomic(multipliers=multipliers)))
    return system


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: vc.Vakonomic(multipliers="chetaev"), 'or a rule: "zero", "dalembert" or vc.constraints.Reaching'),
        (lambda: vc.constraints.Reaching({}, at=1.0), "must map joints or free bodies to coordinates"),
        (lambda: vc.constraints.Reaching({"plane": (None, None)}, at=1.0), "give one number at least"),
        (lambda: vc.constraints.Reaching({"plane": float("nan")}, at=1.0), "reaching: 'plane'"),
        (lambda: vc.constraints.Reaching({"plane": 1.0}, at="noon"), "reaching: at"),
        (lambda: vc.constraints.Reaching({"plane": 1.0}, at=1.0, guess=[[1.0]]), "guess must be one number"),
    ],
)
def test_rules_without_sense_are_refused(make, message):
    with pytest.raises(vc.errors.ModelError, match=message):
        make()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            vc.constraints.Reaching({"plane": (1.0, 2.0, None)}, at=4.0),
            "1 multiplier to be found and 2 coordinates to be reached",
        ),
        (vc.constraints.Reaching({"plan": (1.0, None, None)}, at=4.0), "did you mean 'plane'"),
        (vc.constraints.Reaching({"plane": 1.0}, at=4.0), r"3 coordinates \(plane.x, plane.y, plane.angle\), got 1"),
        (vc.constraints.Reaching({"plane": (1.0, None, None)}, at=0.0), "give a later instant"),
        (
            vc.constraints.Reaching({"plane": (50.0, None, None)}, at=1.0),
            "no multipliers of 'edge' were found .* nearest miss",
        ),
    ],
)
def test_starts_that_a_rule_cannot_find_are_refused(rule, message):
    with pytest.raises(vc.errors.StartError, match=message):
        vc.simulate(knife_edge(rule), 4.0, EDGE)


def test_a_guess_for_the_wrong_number_of_rows_is_refused():
    with pytest.raises(vc.errors.ModelError, match="1 row and 2 guesses of multipliers"):
        vc.simulate(
            knife_edge(vc.constraints.Reaching({"plane": (1.0, None, None)}, at=4.0, guess=(0.0, 1.0))), 4.0, EDGE
        )


def test_an_ensemble_needs_numbers():
    with pytest.raises(vc.errors.VinculumError, match="'edge'"):
        vc.ensemble(knife_edge("dalembert"), until=1.0, start=EDGE)


def test_a_lagrangian_system_needs_numbers():
    row = (lambda q, v: v[1] - q[0] * v[0], vc.Vakonomic(multipliers="dalembert"))
    system = vc.LagrangianSystem("plane", ["x", "y"], lambda v: v @ v / 2, constraints={"c": row})
    with pytest.raises(
        vc.errors.StartError, match="start by the rule dalembert, which is worked out for systems of bodies"
    ):
        vc.simulate(system, 1.0, ((0.0, 0.0), (1.0, 0.0)))


def test_a_lagrangian_system_may_start_with_zero():
    row = (lambda q, v: v[1] - q[0] * v[0], vc.Vakonomic(multipliers="zero"))
    system = vc.LagrangianSystem("plane", ["x", "y"], lambda v: v @ v / 2, constraints={"c": row})
    assert vc.simulate(system, 1.0, ((0.0, 0.0), (1.0, 0.0))).bond("c").multiplier[0] == 0.0


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (vc.constraints.Reaching({"z": 1.0}, at=1.0), "'z' with 1 number is not a coordinate of 'plane'"),
        (vc.constraints.Reaching({"x": 1.0, "y": 2.0}, at=1.0), "1 multiplier to be found and 2 coordinates"),
        (vc.constraints.Reaching({"x": 1.0}, at=-1.0), "give a later instant"),
    ],
)
def test_places_that_a_lagrangian_system_cannot_reach_are_refused(rule, message):
    row = (lambda q, v: v[1] - q[0] * v[0], vc.Vakonomic(multipliers=rule))
    system = vc.LagrangianSystem("plane", ["x", "y"], lambda v: v @ v / 2, constraints={"c": row})
    with pytest.raises(vc.errors.StartError, match=message):
        vc.simulate(system, 1.0, ((0.0, 0.0), (1.0, 0.0)))
