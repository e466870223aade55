"""Constraints under superposed rigid motions: those between bodies pass, those against a hidden environment do not."""

import vinculum as vc


def audited(*constraints):
    system = vc.System("two")
    for name in "ab":
        system.add(vc.RigidBody(name, 1.0, (0.1, 0.2, 0.0), (0.3, 0.4, 0.5)))
    system.add(vc.Planar("plane", "ground", "b"))
    for constraint in constraints:
        system.add(constraint)
    return vc.audit_invariance(system)


def held(name, bodies, **function):
    return vc.Constraint(name, bodies, realization=vc.DAlembert(), **function)


def test_constraints_between_bodies_are_invariant_and_their_efforts_come_in_pairs():
    report = audited(
        vc.constraints.distance("rod", "a", "b", 1.0, at=(0, 0, 1), realization=vc.DAlembert()),
        vc.constraints.knife_edge("edge", "a", side=(0, 1, 0), realization=vc.DAlembert()),
        held("gear", ["plane"], velocity=lambda p: p.v[2] - 1.0),
    )
    for name in ("rod", "edge", "gear"):
        assert report[name].verdict == "invariant" and report[name].residual < 1e-12
    assert report["rod"].exact == "yes"


def test_constraints_that_leave_a_body_out_are_caught():
    report = audited(
        held("height", ["a"], position=lambda a: a.position[2] - 0.5),
        held("speed", ["a"], velocity=lambda a: a.velocity[0]),
        held("clock", ["a", "b"], position=lambda a, b, t: vc.math.norm(a.position - b.position) - t),
    )
    assert report["height"].broken == ("translation along z", "rotation about x and y")
    assert report["speed"].verdict == "not invariant" and report["speed"].residual > 0.1
    assert report["clock"].broken == ("time",)
