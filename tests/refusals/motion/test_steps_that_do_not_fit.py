"""Runs whose steps are known not to fit into memory: refused before the first of them."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import StartError


def falling():
    system = vc.System("falling", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("ball", 1.0))
    return system


@pytest.mark.parametrize("method", ["rk4", "verlet"])
def test_a_run_of_too_many_steps_is_refused_before_it(method):
    with pytest.raises(
        StartError,
        match=r"'falling': 1e\+08 steps of 6 numbers take at least 13.4 GiB of memory, and a run keeps at most 1.5 GiB; stream",
    ):
        vc.simulate(falling(), 1.0, {"ball": (0, 0, 1)}, method=method, step=1e-8)


def test_time_steps_with_impacts_are_counted_too():
    system = falling()
    system.add(vc.Unilateral("floor", ["ball"], gap=lambda b: b.position[2], impact=0.0))
    with pytest.raises(StartError, match=r"1e\+08 steps of 6 numbers"):
        vc.simulate(system, 1.0, {"ball": (0, 0, 1)}, method="moreau", step=1e-8)


def test_an_event_that_may_end_the_run_lets_it_begin():
    system = falling()
    stop = vc.Event("low", ["ball"], lambda ball: ball.position[2] - 0.999999, stop=True)
    try:
        motion = vc.simulate(system, 1.0, {"ball": (0, 0, 1)}, method="rk4", step=1e-8, events=[stop], progress=False)
    except StartError as refused:
        pytest.fail(str(refused))
    assert motion.time[-1] == pytest.approx(np.sqrt(2e-6 / 9.81), rel=1e-6)
