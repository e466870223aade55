"""The weak form of the equations of motion on random trees, loops and impacts."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from impacted import LIFTED, THROWN, ball, die, forged, stopped_arm
from marks import needs_heyoka
from mechanisms import four_bar
from records import altered
from trees import random_state, random_system
from vinculum.audits.weak import paths
from vinculum.audits.weak.lines import _outward, _telling
from vinculum.audits.weak.outward import OutwardResidual
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model_cache import model_for
from vinculum.motion import METHODS


@needs_heyoka
@pytest.mark.parametrize("seed", range(6))
def test_the_weak_form_holds_on_random_trees(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 4, driven=seed % 3 == 2)
    tree = model_for(system).tree
    q, v = random_state(tree, rng)
    start = {link.joint.name: vc.At(q[link.q], rate=v[link.v]) for link in tree.links if link.joint.nv}
    motion = vc.simulate(system, 0.5, start, progress=False)
    weak = vc.measures.weak_residual(motion, 40, seed)
    assert weak.holds
    assert weak.largest < 1e-9


@needs_heyoka
def test_the_weak_form_sees_another_gravity():
    motion = vc.simulate(stopped_arm(), 0.6, LIFTED, progress=False)
    other = vc.measures.weak_residual(motion.replace(system=_with_gravity(9.82)), 100)
    assert not other.holds
    assert other.largest > 1e-5


def _with_gravity(g):
    system = vc.System("arm", gravity=(0, 0, -g))
    upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
    lower = system.add(vc.RigidBody("lower", 0.5, (0, 0, -0.4), (0.030, 0.030, 0.001)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    return system


@needs_heyoka
def test_the_weak_form_holds_on_closed_loops():
    weak = vc.measures.weak_residual(vc.simulate(four_bar(), 1.0, {"A": vc.At(0.9, rate=1.0)}, progress=False), 40)
    assert weak.holds and weak.largest < 1e-8


@needs_heyoka
def test_fields_about_impacts_see_one_wrong_impulse_and_no_right_one():
    motion = vc.simulate(stopped_arm(), 1.5, LIFTED, progress=False)
    assert vc.measures.weak_residual(motion).holds
    assert vc.measures.weak_residual(motion).largest < 1e-10
    assert vc.measures.weak_residual(forged(motion, 1.01, 0)).largest > 1e-3


@needs_heyoka
def test_the_weak_form_admits_what_the_impulses_were_solved_to_and_no_more():
    """The line of the impulses judges them by 1e-8: a weak form that asks for more would condemn what that line admits."""
    motion = vc.simulate(stopped_arm(), 1.5, LIFTED, progress=False)
    assert vc.measures.weak_residual(forged(motion, 1.0 + 3e-9, 0)).holds
    assert not vc.measures.weak_residual(forged(motion, 1.0 + 1e-6, 0)).holds


def test_time_stepping_leaves_a_residual_of_the_order_that_it_claims():
    steps = (1e-3, 2.5e-4)
    found = [
        vc.measures.weak_residual(
            vc.simulate(stopped_arm(), 0.8, LIFTED, method="moreau", step=h, impacts="stepped", progress=False), 200
        )
        for h in steps
    ]
    assert all(weak.holds for weak in found)
    assert METHODS["moreau"].order == 1
    assert np.log(found[0].largest / found[1].largest) / np.log(4.0) == pytest.approx(1.0, abs=0.2)
    known_taken_off = [np.abs(weak.explained).max() for weak in found]
    assert np.log(known_taken_off[0] / known_taken_off[1]) / np.log(4.0) == pytest.approx(2.0, abs=0.4)


def test_a_tumbling_die_is_within_what_time_stepping_admits():
    for h in (1e-3, 2.5e-4):
        weak = vc.measures.weak_residual(vc.simulate(die(), 0.55, THROWN, method="moreau", step=h, progress=False), 200)
        assert weak.holds


def tossed_arm() -> vc.System:
    """A free body with an arm on a skew axis, whose tip hits the floor."""
    system = vc.System("tossed", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("body", 2.0, (0.02, 0, 0.01), (0.02, 0.03, 0.025)))
    arm = system.add(vc.RigidBody("arm", 0.5, (0, 0, -0.15), (0.004, 0.004, 0.001)))
    system.add(vc.Revolute("hinge", body, arm, axis=(1, 0.5, -0.3), at=(0, 0.3, 0)))
    tip = lambda b: b.point((0, 0, -0.3))
    system.add(vc.Unilateral("floor", [arm], gap=lambda b: tip(b)[2], impact=vc.Newton(0.4), friction=vc.Coulomb(0.3),
                           point=tip))  # fmt: skip
    return system


def test_coordinates_that_turn_within_a_step_are_foretold_and_a_jump_of_a_micrometre_is_not():
    thrown = vc.At(vc.Pose((0, 0, 0.5), rotation=(0.9, 0.3, 0.2, 0.1)), rate=(1, 0, -2, 6, -4, 5))
    start = {"body": thrown, "hinge": vc.At(0.3, rate=3)}
    motion = vc.simulate(tossed_arm(), 0.3, start, method="moreau", step=1e-3, impacts="stepped", progress=False)
    assert len(motion.record.atoms)
    weak = vc.measures.weak_residual(motion, 60)
    assert weak.holds and 10.0 * np.abs(weak.explained).max() < weak.largest
    assert np.all(np.abs(weak.mass_input) <= weak.mass_tolerances) and weak.mass_tolerances.max() < 1e-7
    coefficients = np.array(motion.record.pieces.coefficients)
    coefficients[100:, 2, 0] += 1e-6
    moved = vc.measures.weak_residual(
        altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients)), 60
    )
    assert np.any(np.abs(moved.mass_input) > 100.0 * moved.mass_tolerances)


def test_the_same_seed_gives_the_same_fields_and_another_seed_others():
    motion = vc.simulate(ball(vc.Newton(0.5)), 0.8, {"ball": (0, 0, 1.0)}, method="moreau", step=2e-3, progress=False)
    one, same, other = (vc.measures.weak_residual(motion, 10, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.values, same.values)
    assert not np.array_equal(one.centers, other.centers)
    assert len(one) == 10


def test_a_body_moved_at_an_instant_has_mass_input_there():
    motion = vc.simulate(ball(vc.Newton(0.5)), 0.4, {"ball": (0, 0, 1.0)}, method="moreau", step=2e-3, progress=False)
    coefficients = np.array(motion.record.pieces.coefficients)
    coefficients[100:, 2, 0] += 0.01
    moved = vc.measures.weak_residual(
        altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients)), 200
    )
    assert np.abs(moved.mass_input).max() > 1e-4


@pytest.mark.parametrize("fields", [0, -1, 2.5, True, "many"])
def test_fields_must_be_a_whole_number(fields):
    motion = vc.simulate(ball(vc.Inelastic()), 0.1, {"ball": (0, 0, 1.0)}, method="moreau", step=1e-2, progress=False)
    with pytest.raises(vc.errors.MethodError, match="must be a whole number ≥ 1"):
        vc.measures.weak_residual(motion, fields)


def test_bodies_of_a_motion_have_its_momentum_and_energy_as_kinetic_measures():
    motion = vc.simulate(die(None), 0.3, THROWN, method="moreau", step=1e-3, progress=False)
    span = motion.record.pieces.times[7:9]
    shown = motion.body("die").measures.kinetic.restrict(
        vc.measures.Window.since(span[0]) & vc.measures.Window.until(span[1])
    )
    total = shown.total() / (span[1] - span[0])
    middle = motion.at(0.5 * (span[0] + span[1]))
    np.testing.assert_allclose(total[0, 0], 2.0, rtol=1e-12)
    np.testing.assert_allclose(total[0, 1:], middle.body("die").momentum[0, :3], rtol=1e-4)
    kinetic = middle.energy[0] - 2.0 * 9.81 * middle.body("die").center[0, 2]
    np.testing.assert_allclose(0.5 * np.trace(total[1:, 1:]), kinetic, rtol=1e-4)


@needs_heyoka
def test_phases_are_cut_once_and_tapes_evaluated_for_many_fields_at_once(monkeypatch):
    motion = vc.simulate(ball(vc.Newton(0.5)), 0.8, {"ball": (0, 0, 1.0)}, progress=False)
    cut, calls = motion.record.in_phases(), []
    counted = lambda *arguments, **options: (calls.append(1), evaluate_groups(*arguments, **options))[1]
    monkeypatch.setattr(paths, "evaluate_groups", counted)
    counts = []
    for fields in (2, 40):
        calls.clear()
        vc.measures.weak_residual(motion, fields)
        counts.append(len(calls))
    assert counts[0] == counts[1] > 0
    assert all(a is b for a, b in zip(cut, motion.record.in_phases(), strict=True))


@pytest.mark.parametrize(("size", "tolerance"), [(np.nan, 1.0), (0.0, np.nan), (2.0, 1e-2)])
def test_a_coarse_field_is_passed_over_only_if_it_holds(size, tolerance):
    """Nine sharp fields do not hide a tenth that is no number or is broken."""
    sizes, tolerances = np.full(10, 1e-12), np.full(10, 1e-9)
    sizes[3], tolerances[3] = size, tolerance
    assert _telling(sizes, tolerances) == 3
    sizes[3], tolerances[3] = 1e-4, 1e-2
    assert _telling(sizes, tolerances) != 3


def outward_verdict(values, tolerances) -> str:
    return _outward(OutwardResidual(np.array(values), np.array(tolerances), np.zeros(len(values)))).verdict


def test_outward_fields_that_are_below_zero_tell_however_coarse_they_are():
    """The inequality has one side: a value of −0.1 with a tolerance of 0.01 holds, one of 0 with it says nothing."""
    assert outward_verdict([-0.1] * 9 + [-1e-3], [1e-2] * 10) == "holds"
    assert outward_verdict([-0.1] * 2 + [-1e-3] * 8, [1e-2] * 10) == "holds"
    assert outward_verdict([-0.1] + [-1e-3] * 9, [1e-2] * 10) == "undecided"
    assert outward_verdict([-1e-3] * 9 + [0.0], [1e-2] * 9 + [1e-6]) == "undecided"


@pytest.mark.parametrize("value", [0.2, np.nan, np.inf])
def test_an_outward_field_that_is_broken_is_never_passed_over(value):
    assert outward_verdict([-0.1] * 9 + [value], [1e-2] * 10) == "broken"
