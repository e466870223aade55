"""Events of mechanisms: seen at singular positions and where gaps are redundant, by every method."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import vinculum as vc
from marks import TAYLOR, needs_heyoka
from mechanisms import bricard, three_posts, windows, windows_start


@needs_heyoka
@pytest.mark.parametrize("stop", [False, True])
def test_an_event_right_at_a_singular_position_is_not_passed_over(stop):
    start = windows_start(1, np.pi / 2, -1.0)
    flat = vc.Event("flat", ["a0"], lambda post: post.q, stop=stop)
    motion = vc.simulate(windows(1), 1.0, start, events=[flat])
    (crossing,) = motion.record.crossings
    assert (crossing.name, crossing.direction) == ("flat", -1)
    assert abs(motion.at(crossing.time)["a0"][0]) < 1e-9
    assert motion.time[-1] == pytest.approx(crossing.time if stop else 1.0, abs=1e-12)
    pendulum_rate = np.sqrt(1.0 + 2 * 9.81 * 2.0 / (2 * (1 / 3 + 1e-4) + 1.0))
    assert abs(motion.at(crossing.time - 1e-6)["a0"][0] / 1e-6 / pendulum_rate - 1.0) < 1e-3


@pytest.mark.parametrize("method", [TAYLOR, "dop853", "rk4"])
@pytest.mark.parametrize("stop", [False, True])
def test_an_event_of_an_overconstrained_mechanism_happens_where_its_function_vanishes(method, stop):
    step = {"step": 1e-3} if method == "rk4" else {}
    usual = vc.simulate(bricard(), 3.0)
    level = 0.5
    level_event = vc.Event("level", ["h0"], lambda hinge: hinge.q - level, stop=stop)
    motion = vc.simulate(bricard(), 3.0, events=[level_event], method=method, **step)
    instant = brentq(lambda t: usual.at(t)["h0"][0] - level, 0.0, float(usual.time[np.argmax(usual["h0"] > level)]))
    assert motion.record.crossings[0].time == pytest.approx(instant, abs=1e-8)
    assert motion.time[-1] == pytest.approx(instant if stop else 3.0, abs=1e-8)


@pytest.mark.parametrize("method", [TAYLOR, "dop853", "rk4"])
def test_gaps_of_a_redundant_loop_are_mixed_anew_before_a_quarter_turn(method):
    """The beam moves as a pendulum; forces along the posts balance each other, so what is redundant turns with the posts."""
    step = {"step": 1e-3} if method == "rk4" else {}
    start = {f"a{i}": 0.3 for i in range(3)} | {"b0": -0.3, "a0": vc.At(0.3, rate=8.0)}
    levels = np.array([0.6, 1.2, 1.85, 1.9, 2.6])
    events = [vc.Event(f"level {x}", ["a0"], lambda post, x=x: post.q - x, stop=x == levels[-1]) for x in levels]
    motion = vc.simulate(three_posts(), 0.36, start, grid=10, method=method, events=events, **step)
    inertia, weight = 3 * (1 / 3 + 1e-4) + 2.0, 9.81 * (1.5 + 2.0)
    pendulum = solve_ivp(lambda t, y: [y[1], -weight / inertia * np.cos(y[0])], (0, 0.36), [0.3, 8.0], t_eval=motion.time,
                         rtol=1e-13, atol=1e-13, method="DOP853", dense_output=True)  # fmt: skip
    np.testing.assert_allclose(motion["a0"], pendulum.y[0], rtol=0, atol=1e-9)
    assert motion["a0"][-1] == pytest.approx(levels[-1], abs=1e-8)
    np.testing.assert_allclose(motion["b0"], -motion["a0"], rtol=0, atol=1e-10)
    assert [c.name for c in motion.record.crossings] == [e.name for e in events]
    np.testing.assert_allclose([pendulum.sol(c.time)[0] for c in motion.record.crossings], levels, rtol=0, atol=1e-8)


@needs_heyoka
def test_events_on_both_sides_of_a_singular_position_happen_once():
    levels = (0.05, 0.01, 1e-4, -1e-4, -0.01, -0.05)
    events = [vc.Event(f"level {x}", ["a0"], lambda post, x=x: post.q - x) for x in levels]
    motion = vc.simulate(windows(1), 1.0, windows_start(1, np.pi / 2, -1.0), events=events)
    assert [c.name for c in motion.record.crossings] == [e.name for e in events]
    np.testing.assert_allclose([motion.at(c.time)["a0"][0] for c in motion.record.crossings], levels, rtol=0, atol=1e-9)
