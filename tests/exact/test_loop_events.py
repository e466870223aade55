"""Events of mechanisms: seen at singular positions and where gaps are redundant, by every method."""

import numpy as np
import pytest
from scipy.optimize import brentq

import vinculum as vc
from mechanisms import bricard, windows, windows_start


@pytest.mark.parametrize("stop", [False, True])
def test_an_event_right_at_a_singular_position_is_not_passed_over(stop):
    start = windows_start(1, np.pi / 2, -1.0)
    flat = vc.Event("flat", ["a0"], lambda post: post.q, stop=stop)
    motion = vc.simulate(windows(1), 1.0, start, events=[flat])
    (crossing,) = motion.crossings
    assert (crossing.name, crossing.direction) == ("flat", -1)
    assert abs(motion.at(crossing.time)["a0"][0]) < 1e-9
    assert motion.time[-1] == pytest.approx(crossing.time if stop else 1.0, abs=1e-12)
    pendulum_rate = np.sqrt(1.0 + 2 * 9.81 * 2.0 / (2 * (1 / 3 + 1e-4) + 1.0))
    assert abs(motion.at(crossing.time - 1e-6)["a0"][0] / 1e-6 / pendulum_rate - 1.0) < 1e-3


@pytest.mark.parametrize("method", ["taylor", "dop853", "rk4"])
@pytest.mark.parametrize("stop", [False, True])
def test_an_event_of_an_overconstrained_mechanism_happens_where_its_function_vanishes(method, stop):
    step = {"step": 1e-3} if method == "rk4" else {}
    usual = vc.simulate(bricard(), 3.0)
    level = 0.5
    level_event = vc.Event("level", ["h0"], lambda hinge: hinge.q - level, stop=stop)
    motion = vc.simulate(bricard(), 3.0, events=[level_event], method=method, **step)
    instant = brentq(lambda t: usual.at(t)["h0"][0] - level, 0.0, float(usual.time[np.argmax(usual["h0"] > level)]))
    assert motion.crossings[0].time == pytest.approx(instant, abs=1e-8)
    assert motion.time[-1] == pytest.approx(instant if stop else 3.0, abs=1e-8)
