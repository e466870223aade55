"""Where event-driven stepping cannot go on, time steps take a span: told in the log, kept, audited by their own tolerance, and right."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from marks import TAYLOR
from records import altered
from vinculum.audits.stretches import stretches
from vinculum.integrators.event_driven import event_driven
from vinculum.integrators.event_driven.slow_slips import SlipWatch
from vinculum.integrators.event_driven.touching import Touching

UNTIL = 1.0
UPRIGHT = vc.Pose(rotation=np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]]))
"""The plane of x and z."""


def turning_on_four_feet():
    """A block that slides and turns for a hundredth of a second: pressures of four feet are not unique, and each choice of them is another
    motion."""
    system = vc.System("block", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("block", mass=1.0, inertia=(0.1, 0.12, 0.15)))
    for k, (x, y) in enumerate(((0.3, 0.2), (-0.3, 0.2), (-0.3, -0.2), (0.3, -0.2))):
        foot = lambda b, p=(x, y, -0.2): b.point(p)
        system.add(vc.Unilateral(f"foot {k}", [body], gap=lambda b, at=foot: at(b)[2], point=foot, impact=vc.Inelastic(),
                               friction=vc.Coulomb(0.3)))  # fmt: skip
    return system, {"block": vc.At((0, 0, 0.2), rate=(0.02, 0.005, 0, 0, 0, 0.06))}


@pytest.fixture(scope="module")
def handed():
    system, start = turning_on_four_feet()
    return vc.simulate(system, UNTIL, start, method="dop853", progress=False, grid=101)


def test_a_span_is_handed_over_and_the_log_says_from_when_to_when_with_which_step_and_why(handed):
    told = [line for line in handed.record.log if "handed over to time stepping" in line]
    spans = [phase for phase in handed.record.phases if phase.stepped]
    assert len(told) == len(spans) >= 1
    assert all("normal forces are not unique" in line and "steps of" in line for line in told)
    assert handed.record.pieces.end == UNTIL and np.all(np.diff(np.asarray(handed.record.pieces.times)) > 0.0)


def test_spans_that_follow_each_other_double_so_that_every_run_ends(handed):
    spans = [(phase.begin, phase.stepped) for phase in handed.record.phases if phase.stepped]
    lengths = np.diff([begin for begin, _ in spans])
    assert len(lengths) >= 2
    np.testing.assert_allclose(lengths[1:], 2.0 * lengths[:-1], rtol=1e-6)


def test_no_step_of_a_span_is_shorter_than_the_others(handed):
    """A last one that is shorter would take what rests, up to steps, for what flies."""
    edges, phases = np.asarray(handed.record.pieces.times), handed.record.phases
    ends = [*(phase.begin for phase in phases[1:]), UNTIL]
    for phase, end in zip(phases, ends, strict=True):
        if phase.stepped:
            inside = edges[(edges >= phase.begin) & (edges <= end)]
            whole = inside[np.isclose((inside - phase.begin) / phase.stepped % 1.0, 0.5, atol=1e-6)]
            assert len(inside) > 1 and inside[-1] == end
            assert (end - phase.begin) / phase.stepped == pytest.approx(round((end - phase.begin) / phase.stepped))
            assert np.diff(np.setdiff1d(inside, whole)) == pytest.approx(phase.stepped, rel=1e-6)


@pytest.mark.parametrize("steps, kept", [(0.0, 0.5), (1e-4, 0.0)])
def test_hops_that_the_steps_of_a_span_do_not_resolve_are_rest(steps, kept):
    """At 1 mm/s a point hops for 2e-4 s."""
    system = vc.System("point", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Unilateral("floor", [point], gap=lambda p: p.position[2], impact=vc.Newton(0.5)))
    model = vc.simulate(system, 0.01, {"point": (0, 0, 0)}, method="dop853", progress=False).record.model
    touching, state = Touching(model, np.zeros(0)), np.array([0, 0, 0, 0.3, 0, -1e-3])
    touching.steps = steps
    here = touching.at(0.0, state)
    v, _ = touching.after_impact(here, state[3:], touching.unseen_speed(0.0, here, state))
    assert v == pytest.approx([0.3, 0, kept * 1e-3], abs=1e-15)


def test_a_motion_with_hand_overs_agrees_with_time_stepping_and_is_certified(handed):
    system, start = turning_on_four_feet()
    stepped = vc.simulate(system, UNTIL, start, method="moreau", step=1e-4, progress=False)
    np.testing.assert_allclose(handed.q[-1], stepped.q[-1], atol=2e-2 * np.abs(handed.q[-1] - handed.q[0]).max())
    certificate = handed.audit()
    assert certificate.passed, str(certificate)
    assert any(line.law == "hand-overs" for line in certificate.lines)


def test_spans_are_judged_as_time_steps_and_the_rest_as_phases(handed):
    names = [part.method.claims.name for part in stretches(handed.record)]
    assert "moreau" in names and set(names) <= {"dop853", "moreau"}
    assert sum(len(part.pieces) for part in stretches(handed.record)) == len(handed.record.pieces)
    assert sum(len(part.atoms) for part in stretches(handed.record) if part.atoms is not None) == len(
        handed.record.atoms
    )


@pytest.mark.parametrize("part", ["q", pytest.param("v", marks=pytest.mark.slow)])
def test_a_jump_where_a_span_begins_or_ends_breaks_the_certificate(handed, part):
    places = slice(handed.record.model.nq) if part == "q" else slice(handed.record.model.nq, None)
    span = next(phase for phase in handed.record.phases[1:] if phase.stepped)
    coefficients = np.array(handed.record.pieces.coefficients)
    coefficients[span.step :, places, 0] *= 1.0 + 1e-4
    forged = altered(handed, pieces=replace(handed.record.pieces, coefficients=coefficients))
    assert "hand-overs" in broken(forged.audit())


def test_wrong_impulses_in_a_span_break_the_certificate(handed):
    atoms = replace(handed.record.atoms, contact_impulses=1.01 * handed.record.atoms.contact_impulses)
    assert "impulses M [v] = Hᵀ P" in broken(altered(handed, atoms=atoms).audit())


def test_hand_overs_are_stored_and_read_back(handed, tmp_path):
    handed.save(tmp_path / "run.zarr")
    again = vc.load(tmp_path / "run.zarr")
    assert [phase.stepped for phase in again.record.phases] == [phase.stepped for phase in handed.record.phases]
    np.testing.assert_array_equal(again.q, handed.q)
    assert [part.method for part in stretches(again.record)] == [part.method for part in stretches(handed.record)]


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
def test_streamed_runs_with_hand_overs_are_those_in_memory(method, tmp_path):
    system, start = turning_on_four_feet()
    kept = vc.simulate(system, UNTIL, start, method=method, progress=False)
    streamed = vc.simulate(system, UNTIL, start, method=method, progress=False, out=tmp_path / "run.zarr")
    np.testing.assert_array_equal(streamed.q, kept.q)


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
@pytest.mark.parametrize(
    "impact", [vc.Newton(0.15), vc.Poisson(0.15), vc.Inelastic()], ids=["newton", "poisson", "soft"]
)
def test_hops_lower_than_what_is_called_closed_are_followed_until_both_ends_of_a_rod_lie(impact, method):
    """Such hops were missed, and the gap was said to leap; no span need be handed over for them."""
    system = vc.System("rod", gravity=(0, -9.81, 0))
    body = system.add(vc.RigidBody("rod", mass=1.0, inertia=(1e-3, 1 / 12, 1 / 12)))
    system.add(vc.Planar("plane", "ground", body))
    for name, x in (("left", -0.5), ("right", 0.5)):
        end = lambda b, x=x: b.point((x, 0, 0))
        system.add(vc.Unilateral(name, [body], gap=lambda b, end=end: end(b)[1], impact=impact))
    motion = vc.simulate(system, 0.6, {"plane": (0, 0.15, 0.2)}, method=method, progress=False)
    assert motion.log == ()
    assert dict(motion.record.phases[-1].closed) == {"left": "slides", "right": "slides"}
    assert motion.audit().verdict != "failed", str(motion.audit())


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
def test_mass_points_slide_on_each_other(method):
    """μ = 0.4 between two blocks of 1 kg, μ = 0.3 below: pulled by 20 N, the lower slides under the upper."""
    system, below, start = vc.System("stack", gravity=(0, 0, -9.81)), None, {}
    bottom = lambda b, *_: b.position - (0, 0, 0.05)
    gap = lambda b, *others: bottom(b)[2] - (others[0].position[2] + 0.05 if others else 0.0)
    for k, mu in enumerate((0.3, 0.4)):
        block = system.add(vc.MassPoint(f"block {k}", 1.0))
        start[block.name] = (0, 0, 0.05 + 0.1 * k)
        bodies = [block] if below is None else [block, below]
        friction = vc.Coulomb(mu)
        system.add(vc.Unilateral(f"under {k}", bodies, gap=gap, point=bottom, impact=vc.Inelastic(), friction=friction))
        below = below or block
    system.add(vc.Force("pull", below, lambda b: vc.Wrench(force=(20.0, 0, 0))))
    motion = vc.simulate(system, 0.5, start, method=method, progress=False)
    a = np.array([20.0 - 0.3 * 2 * 9.81 - 0.4 * 9.81, 0.4 * 9.81])
    np.testing.assert_allclose(motion.q[-1, [0, 3]], 0.5 * a * 0.5**2, rtol=1e-9)
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
@pytest.mark.parametrize("stop", [True, False])
def test_an_event_that_is_a_constant_in_disguise_never_happens(method, stop):
    system = vc.System("point", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("point", 1.0))
    never = lambda b: (b.position[0] + 1.0) * (b.position[0] + 1.0) - (b.position[0] + 1.0) ** 2 + 1.0
    event = vc.Event("never", [point], never, stop=stop)
    motion = vc.simulate(system, 1.0, {"point": (0, 0, 1)}, method=method, events=[event], progress=False)
    assert motion.record.crossings == () and motion.record.pieces.end == 1.0


def test_a_run_that_has_derived_enough_equations_goes_on_in_spans_that_double_up_to_its_end(monkeypatch):
    """Every set of closed contacts needs equations of its own. Here those of the flight are all that may be derived."""
    monkeypatch.setattr(event_driven, "OPERATIONS_OF_SETS", 0)
    system = vc.System("rod", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("rod", mass=1.0, inertia=(0.01, 0.1, 0.1)))
    for name, x in (("left", -0.5), ("right", 0.5)):
        end = lambda b, x=x: b.point((x, 0, 0))
        system.add(vc.Unilateral(name, [body], gap=lambda b, at=end: at(b)[2], point=end, impact=vc.Inelastic(),
                                 friction=vc.Coulomb(0.3)))  # fmt: skip
    system.add(vc.Planar("plane", "ground", body, at=UPRIGHT, to=UPRIGHT))
    motion = vc.simulate(system, 0.4, {"plane": vc.At((0, 0.3, 0.5))}, method="dop853", progress=False, grid=11)
    spans = [phase for phase in motion.record.phases if phase.stepped]
    told = [line for line in motion.record.log if "handed over to time stepping" in line]
    assert len(told) == len(spans) >= 3 and all("equations of their own" in line for line in told)
    assert all(not phase.closed for phase in motion.record.phases)
    assert motion.record.pieces.end == 0.4
    assert all(b.stepped > 1.2 * a.stepped for a, b in pairwise(spans[:-1]))
    assert not broken(motion.audit())


def test_impacts_that_go_on_after_a_span_are_handed_over_sooner_and_for_longer():
    watch, t, counts, chatters = SlipWatch(0.0, 1.0), 0.0, [], []
    for _ in range(4):
        hits = 0
        while not watch.gets_nowhere(t, phases=1, hits=1):
            t, hits = t + 1e-6, hits + 1
        counts.append(hits)
        chatters.append(watch.chatters_on)
        watch = watch.after_time_stepping(t, 0)
    assert counts == [2000, 500, 125, 31] and chatters == [False, True, True, True]
    t += 0.02
    assert not watch.gets_nowhere(t, phases=1, hits=1)
    while not watch.gets_nowhere(t, phases=1, hits=1):
        t += 1e-6
    assert not watch.chatters_on  # another sequence, later
