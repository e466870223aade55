"""Piecewise forces become events that flip a mode; events are found where they are."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.engines import has_heyoka

METHODS = [pytest.param("taylor", marks=pytest.mark.skipif(not has_heyoka(), reason="heyoka is hidden")), "dop853"]
PERIOD = np.pi / 2 + np.pi


def slider(drive, **more) -> vc.System:
    system = vc.System("slider")
    body = system.add(vc.MassPoint("body", 1.0))
    system.add(vc.Prismatic("x", "ground", body, axis=(1, 0, 0), drive=drive, **more))
    return system


def two_springs(q):
    return vc.math.where(q > 0, -4 * q, -q)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "drive",
    [
        two_springs,
        lambda q: -4 * vc.math.maximum(q, 0) - vc.math.minimum(q, 0),
        lambda q: -2.5 * q - 1.5 * vc.math.abs(q),
    ],
    ids=["where", "max and min", "abs"],
)
def test_a_spring_of_two_stiffnesses_keeps_its_energy(method, drive):
    motion = vc.simulate(slider(drive), 100 * PERIOD, {"x": 1.0}, method=method)
    energy = 0.5 * motion.v[:, 0] ** 2 + np.where(motion.q[:, 0] > 0, 2.0, 0.5) * motion.q[:, 0] ** 2
    assert np.abs(energy / 2 - 1).max() < 1e-12
    assert motion.q[-1, 0] == pytest.approx(1.0, abs=1e-11)
    assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
def test_a_spring_that_starts_on_its_switch_leaves_it_the_right_way(method):
    for rate, quarter in ((1.0, np.pi / 4), (-1.0, np.pi / 2)):
        turn = vc.Event("turn", ["x"], lambda x: x.v)
        motion = vc.simulate(slider(two_springs), 2.0, {"x": vc.At(0.0, rate=rate)}, method=method, events=[turn])
        assert motion.record.crossings[0].time == pytest.approx(quarter, abs=1e-13)


@pytest.mark.parametrize("method", METHODS)
def test_a_force_that_switches_in_time_switches_there(method):
    motion = vc.simulate(slider(lambda t: vc.math.where(t < 1.25, 2.0, 0.0)), 3.0, method=method)
    assert motion.v[-1, 0] == pytest.approx(2.5, abs=1e-14)
    assert motion.q[-1, 0] == pytest.approx(1.25**2 + 2.5 * 1.75, abs=1e-13)


@pytest.mark.parametrize("method", METHODS)
def test_dry_friction_that_sticks_is_refused_and_keeps_what_was_computed(method):
    with pytest.raises(vc.errors.RunError, match=r"slides along the switch.*tanh") as caught:
        vc.simulate(slider(lambda v: -vc.math.sign(v)), 5.0, {"x": vc.At(0.0, rate=1.0)}, method=method)
    kept = caught.value.motion
    assert kept.record.pieces.end == pytest.approx(1.0, abs=1e-12)
    assert kept.q[-1, 0] == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_branch_may_be_undefined_where_it_is_not_taken(method):
    """√(q + 0.1) is not a number for q < −0.1; the branch that is not taken must not spoil the other."""
    drive = lambda q: vc.math.where(q > 0, -q * vc.math.sqrt(q + 0.1), -q)
    motion = vc.simulate(slider(drive), 12.0, {"x": -1.0}, method=method)
    q, v = motion.q[:, 0], motion.v[:, 0]
    u = np.maximum(q, 0) + 0.1
    stored = u**2.5 / 2.5 - 0.1 * u**1.5 / 1.5 - (0.1**2.5 / 2.5 - 0.1**2.5 / 1.5)
    assert np.abs(v**2 + np.where(q > 0, 2 * stored, q**2) - 1).max() < 1e-11
    assert q.max() > 1


ALL = [*METHODS, "rk4"]


@pytest.mark.parametrize("method", ALL)
def test_a_stopping_event_ends_the_run_where_it_happens(method):
    system = vc.System("fall", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("ball", 1.0))
    ground = vc.Event("ground", ["ball"], lambda ball: ball.position[2], direction=-1, stop=True)
    top = vc.Event("top", ["ball"], lambda ball: ball.velocity[2])
    step = {"step": 1e-3} if method == "rk4" else {}
    motion = vc.simulate(
        system, 10.0, {"ball": vc.At((0, 0, 1.0), rate=(0, 0, 2.0))}, method=method, events=[top, ground], **step
    )
    fall = (2 + np.sqrt(4 + 2 * 9.81)) / 9.81
    assert [c.name for c in motion.record.crossings] == ["top", "ground"]
    assert motion.record.crossings[0].time == pytest.approx(2 / 9.81, abs=1e-12)
    assert motion.time[-1] == pytest.approx(fall, abs=1e-12)
    assert motion.body("ball").position[-1, 2] == pytest.approx(0.0, abs=1e-11)


@pytest.mark.parametrize("method", METHODS)
def test_an_event_may_look_at_time_and_parameters(method):
    limit = vc.parameter("limit", 2.0)
    system = vc.System("drift")
    system.add(vc.MassPoint("ball", 1.0))
    event = vc.Event("far", ["ball"], lambda ball, t: ball.position[0] + t - limit)
    motion = vc.simulate(system, 3.0, {"ball": vc.At((0, 0, 0), rate=(1.0, 0, 0))}, events=[event], method=method)
    assert motion.record.crossings[0].time == pytest.approx(1.0, abs=1e-13)


@pytest.mark.parametrize("method", ALL)
def test_an_event_on_the_edge_of_a_step_is_found_and_one_at_the_start_is_not(method):
    system = vc.System("drift")
    system.add(vc.MassPoint("ball", 1.0))
    events = [vc.Event("two", [], lambda t: t - 2.0), vc.Event("zero", ["ball"], lambda ball: ball.position[0])]
    step = {"step": 0.01} if method == "rk4" else {}
    motion = vc.simulate(
        system, 3.0, {"ball": vc.At((0, 0, 0), rate=(1.0, 0, 0))}, events=events, method=method, **step
    )
    assert [c.name for c in motion.record.crossings] == ["two"]
    assert motion.record.crossings[0].time == pytest.approx(2.0, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_staircase_in_time_jumps_where_it_should(method):
    """Force floor(3 t): the velocity is the area under the stairs. Ceil and fmod likewise."""
    end = 2.5
    whole = np.arange(0, 3 * end)
    area = sum(k * (min((k + 1) / 3, end) - k / 3) for k in whole)
    for drive, expected in (
        (lambda t: vc.math.floor(3 * t), area),
        (lambda t: vc.math.ceil(3 * t), area + end),
        (lambda t: vc.math.fmod(t, 0.7), 3 * 0.7**2 / 2 + 0.4**2 / 2),
    ):
        motion = vc.simulate(slider(drive), end, method=method)
        assert motion.v[-1, 0] == pytest.approx(expected, abs=1e-12)
        assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
def test_a_steep_layer_is_not_jumped_over(method):
    """Smoothed dry friction, −tanh(v/ε): the exact time to come from v₀ to v is ε ln(sinh(v₀/ε)/sinh(v/ε))."""
    width = 0.01
    motion = vc.simulate(slider(lambda v: -vc.math.tanh(v / width)), 2.0, {"x": vc.At(0.0, rate=1.0)}, method=method)
    log_sinh = 1.0 / width - np.log(2.0)
    t = np.array([0.5, 0.99, 1.0, 1.02])
    exact = width * np.arcsinh(np.exp(log_sinh - t / width))
    assert np.abs(motion.at(t).v[:, 0] - exact).max() < 1e-11
    assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
def test_a_brief_pulse_is_felt_with_a_longest_step(method):
    width, at = 1e-3, 1.234567
    pulse = lambda t: vc.math.exp(-(((t - at) / width) ** 2)) / (width * np.sqrt(np.pi))
    motion = vc.simulate(slider(pulse), 2.0, method=method, max_step=2e-3)
    assert motion.v[-1, 0] == pytest.approx(1.0, abs=1e-11)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("amplitude", [1e-12, 1e-6, 1e6])
def test_small_and_large_oscillations_are_equally_good(method, amplitude):
    system = slider(None, stiffness=1.0)
    motion = vc.simulate(system, 100.0, {"x": amplitude}, method=method)
    assert np.abs(motion.q[:, 0] / amplitude - np.cos(motion.time)).max() < 1e-11
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("method", METHODS)
def test_equality_of_things_that_only_switch_is_decided(method):
    by_floor = vc.simulate(slider(lambda t: vc.math.where(vc.math.floor(t) == 3, 1.0, 0.0)), 10.0, method=method)
    assert by_floor.v[-1, 0] == pytest.approx(1.0, abs=1e-12)
    brake = slider(lambda q: vc.math.where(vc.math.sign(q) == 1, -1.0, 0.0))
    assert vc.simulate(brake, 3.0, {"x": vc.At(-1.0, rate=1.0)}, method=method).q[-1, 0] == pytest.approx(
        0.0, abs=1e-12
    )
    never = slider(lambda t: vc.math.where(t == 1.0, 5.0, 1.0))
    assert vc.simulate(never, 2.0, method=method).v[-1, 0] == pytest.approx(2.0, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_body_that_rests_on_its_switch_bounces_on_the_spring(method):
    """A weight on a one-sided spring from rest: it swings between 0 and −2 m g/k, touching the switch with no speed."""
    system = vc.System("landing", gravity=(-9.81, 0, 0))
    body = system.add(vc.MassPoint("body", 1.0))
    spring = lambda q: vc.math.where(q < 0, -1e3 * q, 0.0)
    system.add(vc.Prismatic("x", "ground", body, axis=(1, 0, 0), drive=spring))
    until = 0.9 * 2 * np.pi / np.sqrt(1e3)
    motion = vc.simulate(system, until, method=method)
    assert motion.record.method.claims.name == "dop853"
    assert method == "dop853" or "rests on a switch" in motion.log[0]
    expected = -9.81 / 1e3 * (1 - np.cos(np.sqrt(1e3) * motion.time))
    assert np.abs(motion.q[:, 0] - expected).max() < 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_an_event_where_the_model_switches_is_not_lost(method):
    system = slider(lambda q: vc.math.where(q < 0, 0.0, -1.0))
    start = {"x": vc.At(-1.0, rate=1.0)}
    zero = vc.Event("zero", ["x"], lambda x: 3.7 * x.q)
    motion = vc.simulate(system, 2.5, start, method=method, events=[zero])
    assert [c.time for c in motion.record.crossings] == pytest.approx([1.0], abs=1e-12)
    assert motion.q[-1, 0] == pytest.approx(1.5 - 1.5**2 / 2, abs=1e-12)
    halt = vc.Event("zero", ["x"], lambda x: 3.7 * x.q, stop=True)
    assert vc.simulate(system, 2.5, start, method=method, events=[halt]).time[-1] == pytest.approx(1.0, abs=1e-12)


def test_many_switches_over_a_long_time_are_no_chatter():
    motion = vc.simulate(slider(lambda q: -4e5 * q * vc.math.where(q < 0, 1.0, 2.0)), 1e6, {"x": 1e-3}, events=[
        vc.Event("enough", [], lambda t: t - 0.5, stop=True)])  # fmt: skip
    assert motion.time[-1] == pytest.approx(0.5)


def test_a_pulse_by_the_clock_is_felt():
    pulse = slider(lambda t: vc.math.exp(-((t - 42) ** 2) / 0.09))
    for method in ("auto", "dop853"):
        motion = vc.simulate(pulse, 100.0, {"x": vc.At(0.0, rate=1.0)}, method=method)
        assert motion.v[-1, 0] == pytest.approx(1.0 + 0.3 * np.sqrt(np.pi), abs=1e-11)


def test_what_cannot_be_honoured_is_refused():
    with pytest.raises(vc.errors.MethodError, match="piecewise forces"):
        vc.ensemble(slider(two_springs), 1.0)
    with pytest.raises(vc.errors.RunError, match="smaller step"):
        vc.simulate(slider(None, stiffness=1e4), 1.0, {"x": 1.0}, method="midpoint", step=0.025)
    with pytest.raises(vc.errors.MethodError, match="resolution of the clock"):
        vc.simulate(slider(None, stiffness=1.0), 1e15 + 1, {"x": 1.0}, begin=1e15, method="rk4", step=0.01)


def drifting() -> tuple[vc.System, dict]:
    system = vc.System("drift")
    system.add(vc.MassPoint("ball", 1.0))
    return system, {"ball": vc.At((0, 0, 0), rate=(1.0, 0, 0))}


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("at", [1.0, 700.1])
@pytest.mark.parametrize("stops", [(False, False), (True, False), (False, True), (True, True)])
def test_events_at_one_instant_are_all_recorded(method, at, stops):
    system, start = drifting()
    events = [
        vc.Event("place", ["ball"], lambda ball: ball.position[0] - at, stop=stops[0]),
        vc.Event("square", ["ball"], lambda ball: 3 * (ball.position[0] ** 2 - at**2), stop=stops[1]),
        vc.Event("falling", ["ball"], lambda ball: 1e3 * (at - ball.position[0]), direction=-1),
        vc.Event("clock", [], lambda t: t - at),
        vc.Event("other way", ["ball"], lambda ball: ball.position[0] - at, direction=-1),
    ]
    step = {"step": at / 256} if method == "rk4" else {}
    motion = vc.simulate(system, 2 * at, start, events=events, method=method, **step)
    assert sorted(c.name for c in motion.record.crossings) == ["clock", "falling", "place", "square"]
    assert [c.time for c in motion.record.crossings] == pytest.approx([at] * 4, rel=1e-12)
    assert {c.name: c.direction for c in motion.record.crossings} == {
        "place": 1,
        "square": 1,
        "falling": -1,
        "clock": 1,
    }
    assert motion.time[-1] == pytest.approx(at if any(stops) else 2 * at, rel=1e-12)


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("stop", [False, True])
def test_an_event_that_vanishes_at_the_start_is_found_when_it_comes_back(method, stop):
    system, start = drifting()
    event = vc.Event("again", ["ball"], lambda ball, t: 3 * (ball.position[0] ** 2 - t), stop=stop)
    step = {"step": 1e-2} if method == "rk4" else {}
    motion = vc.simulate(system, 3.0, start, events=[event], method=method, **step)
    assert [c.time for c in motion.record.crossings] == pytest.approx([1.0], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_an_event_at_a_switch_is_found_again_soon_after(method):
    """x = t − 1 until the switch at 0, then t − 1 − (t − 1)²/2: back at zero after two more seconds."""
    system = slider(lambda q: vc.math.where(q < 0, 0.0, -1.0))
    zero = vc.Event("zero", ["x"], lambda x: x.q)
    motion = vc.simulate(system, 3.5, {"x": vc.At(-1.0, rate=1.0)}, method=method, events=[zero])
    assert [(c.time, c.direction) for c in motion.record.crossings] == [
        (pytest.approx(1.0, abs=1e-12), 1),
        (pytest.approx(3.0, abs=1e-11), -1),
    ]


@pytest.mark.parametrize("method", [*METHODS, "rk4"])
def test_a_clock_stops_a_system_that_cannot_move(method):
    system = vc.System("monument")
    system.add(vc.RigidBody("stone", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Weld("mortar", "ground", "stone"))
    events = [
        vc.Event("noon", [], lambda t: t - 2.25, stop=True),
        vc.Event("chime", ["stone"], lambda stone, t: vc.math.sin(np.pi * t) + stone.position[0], direction=-1),
        vc.Event("never", ["stone"], lambda stone, t: t + stone.position[2] + 1.0),
    ]
    step = {"step": 0.1} if method == "rk4" else {}
    motion = vc.simulate(system, 10.0, method=method, events=events, **step)
    assert [c.name for c in motion.record.crossings] == ["chime", "noon"]
    assert [c.time for c in motion.record.crossings] == pytest.approx([1.0, 2.25], abs=1e-12)
    assert motion.time[-1] == pytest.approx(2.25, abs=1e-12)
    assert np.array_equal(motion.body("stone").position, np.zeros((len(motion.time), 3)))


@pytest.mark.parametrize("method", METHODS)
def test_a_start_in_balance_on_a_switch_stays_there(method):
    motion = vc.simulate(slider(lambda q: vc.math.where(q < 0, -1e3 * q, 0.0)), 1.0, method=method)
    assert np.abs(motion.q).max() == 0.0


@pytest.mark.parametrize("method", METHODS)
def test_switches_that_turn_together_are_no_sliding(method, capfd):
    """max(|v|, 0) is |v|: where v changes sign, the switch of the maximum is met and taken back."""
    drag = lambda q, v: -4 * q - 0.2 * v * vc.math.maximum(vc.math.abs(v), 0) ** 0.5
    plain = lambda q, v: -4 * q - 0.2 * v * vc.math.abs(v) ** 0.5
    start = {"x": vc.At(1.0, rate=0.3)}
    nested, single = (vc.simulate(slider(one), 5.0, start, method=method, progress=False) for one in (drag, plain))
    np.testing.assert_allclose(nested.q, single.q, rtol=0, atol=1e-11)
    assert nested.audit().passed
    assert "heyoka" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("power", [1.0, 2.0, 3.0, 4.5])
def test_a_switch_that_begins_flat_begins_on_its_right_side(power, method):
    """The level t^p v of the switch is zero at the start with many of its derivatives, and negative from then on."""
    drive = lambda q, v, t: vc.math.where(t**power * v > 0, 5.0, -1.0)
    motion = vc.simulate(slider(drive), 0.5, {"x": vc.At(0.0, rate=-1.0)}, method=method, progress=False)
    np.testing.assert_allclose(motion.q[:, 0], -motion.time - 0.5 * motion.time**2, rtol=0, atol=1e-12)
    assert motion.audit().passed


def test_switches_within_switches_give_one_motion_by_both_methods():
    """Four switches, of which two come at once at t = 1.3: where Taylor series cannot go on, the other method does."""
    m = vc.math

    def drive(q, v, t):
        level = m.maximum(m.where(t > 1.3, t, -0.841), m.where(v < t, t, v))
        return -3 * q - 0.3 * v + 2 * m.sin(m.where(level > 0, level**2.5, q + 0.766 + m.exp(-(v**2))))

    start = {"x": vc.At(0.4, rate=-0.5)}
    first, second = (
        vc.simulate(slider(drive), 4.0, start, method=method, progress=False) for method in ("auto", "dop853")
    )
    np.testing.assert_allclose(first.q, second.q, rtol=0, atol=1e-9)
    assert first.audit().passed and second.audit().passed


def test_an_event_that_is_zero_but_for_round_off_does_not_happen():
    """Two bodies move alike: the distance between them changes by the last bit only, and its sign means nothing."""
    system = vc.System("two")
    bodies = [system.add(vc.MassPoint(name, 1.0)) for name in ("left", "right")]
    for k, body in enumerate(bodies):
        system.add(vc.Prismatic(f"x{k}", "ground", body, axis=(1, 0, 0)))
    for distance, x, v in np.random.default_rng(2).uniform(0.3, 1.0, (12, 3)):
        meet = vc.Event(
            "meet", bodies, lambda left, right, distance=distance: right.position[0] - left.position[0] - distance
        )
        start = {"x0": vc.At(x, rate=v), "x1": vc.At(x + distance, rate=v)}
        motion = vc.simulate(system, 5.0, start, method="dop853", events=[meet])
        assert not motion.record.crossings and len(motion.record.pieces) < 30


def test_balls_that_touch_and_move_alike_are_followed():
    """A row of balls on a line without gravity: after an impact two of them touch and have the same velocity, for good."""
    system = vc.System("row")
    balls = [system.add(vc.MassPoint(f"ball {k}", 1.0)) for k in range(3)]
    for k, ball in enumerate(balls):
        system.add(vc.Prismatic(f"x{k}", "ground", ball, axis=(1, 0, 0)))
    for k in (1, 2):
        gap = lambda left, right: right.position[0] - left.position[0] - 0.1
        system.add(vc.Unilateral(f"gap {k}", balls[k - 1 : k + 1], gap=gap, impact=0.0))
    start = {"x0": vc.At(0.013, rate=0.7), "x1": vc.At(0.217), "x2": vc.At(0.4170000000000001)}
    motion = vc.simulate(system, 20.0, start, method="dop853")
    assert np.allclose(motion.v[-1], 0.7 / 3, rtol=1e-14)
    assert len(motion.record.pieces) < 100 and motion.audit().passed
