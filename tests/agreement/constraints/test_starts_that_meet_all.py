"""A start that meets all conditions beyond doubt is taken as it is; assembly would have left it there."""

import numpy as np
import pytest

import rolling
import vinculum as vc
from mechanisms import four_bar, rod, windows, windows_start
from vinculum.derivations.starts.assembly import assemble
from vinculum.derivations.starts.constraint_starts import meets_all
from vinculum.models.model_cache import model_for

D = vc.DAlembert()


def blade(**more) -> vc.System:
    system = vc.System("sleigh")
    body = system.add(vc.RigidBody("body", 2.0, com=(0.3, 0, 0), inertia=(1, 1, 0.5)))
    system.add(vc.Planar("ice", "ground", body))
    system.add(vc.constraints.knife_edge("blade", body, side=(0, 1, 0), realization=D))
    for name, constraint in more.items():
        system.add(constraint(name, body))
    return system


def two_bars() -> vc.System:
    system = vc.System("two bars", gravity=(0, -9.81, 0))
    rod(system, "bar", 1.0)
    system.add(vc.Revolute("A", "ground", "bar"))
    rod(system, "arm", 1.0)
    system.add(vc.Revolute("B", "bar", "arm", at=(1, 0, 0)))
    system.add(vc.Constraint("low", ["arm"], velocity=lambda arm: arm.velocity[0], realization=D))
    return system


def state_of(motion, k=-1):
    return motion.q[k], motion.v[k]


BLADE = {"ice": vc.At((0, 0, 0.3), rate=(-np.cos(0.3), -np.sin(0.3), 0.1))}
CASES = {
    "knife edge": (blade, BLADE),
    "rolling disc": (rolling.disc, rolling.disc_start((0.3, 0.2, 0.1), (0.5, 0.1, 4.0))),
    "two bars": (two_bars, {"A": vc.At(0.4, rate=0.0), "B": vc.At(0.3, rate=0.5)}),
}


@pytest.mark.parametrize("case", CASES)
def test_assembly_leaves_such_a_start_where_it_is(case):
    make, start = CASES[case]
    model = model_for(make())
    names = list(model.tree.joints)
    motion = vc.simulate(make(), 1.0, start, grid=11, progress=False)
    values = model.parameter_values(None)
    found = 0
    for k in range(11):
        q, v = state_of(motion, k)
        if not meets_all(model, np.concatenate([q, v]), motion.time[k], values):
            continue
        found += 1
        plain = assemble(model, q, v, values, names, names, t=motion.time[k])
        quick = assemble(model, q, v, values, names, names, t=motion.time[k], met=True)
        np.testing.assert_array_equal(quick.q, plain.q)
        np.testing.assert_array_equal(quick.v, plain.v)
        np.testing.assert_array_equal(quick.values, plain.values)
        assert quick.model is plain.model and not plain.singular and not plain.changes
    assert found


def doubted(system, start) -> bool:
    from vinculum.systems import start_state

    model = model_for(system)
    q, v = start_state(model.tree, start)
    return not meets_all(model, np.concatenate([q, v]), 0.0, model.parameter_values(None))


def test_a_start_that_slips_by_a_little_is_looked_at_closer():
    across = 1e-11 * np.array([-np.sin(0.3), np.cos(0.3)])
    slipping = {"ice": vc.At((0, 0, 0.3), rate=(*(-np.array([np.cos(0.3), np.sin(0.3)]) + across), 0.1))}
    assert not doubted(blade(), BLADE) and doubted(blade(), slipping)


def test_rows_that_depend_on_each_other_are_looked_at_closer():
    again = blade(again=lambda name, body: vc.constraints.knife_edge(name, body, side=(0, 1, 0), realization=D))
    assert doubted(again, BLADE)
    assert doubted(windows(2), windows_start(2, 1.2, 0.0))


def test_loops_that_are_open_are_looked_at_closer():
    assert doubted(four_bar(), {"A": 1.0})


def test_conditions_that_are_not_linear_are_looked_at_closer():
    square = blade(speed=lambda name, body: vc.Constraint(name, [body], velocity=lambda b: b.velocity @ b.velocity - 1.0,
                                                          realization=vc.Chetaev()))  # fmt: skip
    assert doubted(square, BLADE)


@pytest.mark.parametrize("rate, wrong", [(0.1, False), (0.1 + 1e-10, True)])
def test_velocities_that_do_not_follow_a_clock_are_looked_at_closer(rate, wrong):
    turned = blade(turn=lambda name, body: vc.Constraint(
        name, [body], velocity=lambda b, t: b.angular_velocity[2] - rate * vc.math.cos(t), realization=D))  # fmt: skip
    assert doubted(turned, BLADE) == wrong


def test_velocities_that_are_not_named_may_still_be_found():
    model = model_for(blade())
    q, v = np.array([0.0, 0.0, 0.3]), np.array([-np.cos(0.3), -np.sin(0.3), 0.1])
    values = model.parameter_values(None)
    assert assemble(model, q, v, values, ["ice"], [], met=True).v == pytest.approx(v, abs=1e-15)
