"""Runs whose steps shrink before an instant that they do not pass say where and why they end."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from vinculum.integrators.watch.passages import with_passages
from vinculum.integrators.watch.stalls import StallWatch
from vinculum.models.model_cache import model_for
from vinculum.motion.method import METHODS, Method
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.iterations import PASSAGES_IN_A_ROW
from vinculum.tolerances.watch import LAST_STEPS


@pytest.fixture
def problem():
    system = vc.System("falling")
    system.add(vc.MassPoint("stone", 1.0))
    return Problem(model_for(system), Method(METHODS["dop853"], tolerance=1e-12), 0.0, 10.0, np.zeros(6), np.zeros(0))


@pytest.fixture
def watch(problem):
    return StallWatch(problem)


def steps(times):
    return Steps(np.asarray(times), np.zeros((len(times) - 1, 6, 2)))


def test_steps_that_halve_to_nothing_end_the_run(watch):
    assert watch.failure(steps([0.0, 0.5, 1.0]), None) is None
    found = watch.failure(steps(1.0 + np.linspace(0, 1e-10, LAST_STEPS + 2)), None)
    assert "near t = 1 s its steps have shrunk to 1.0e-13 s, at q = [0, 0, 0], v = [0, 0, 0]" in found
    assert "rows of a constraint vanish" in found


def test_short_steps_that_get_on_do_not(watch):
    assert watch.failure(steps([0.0, 0.5, 1.0]), None) is None
    assert watch.failure(steps(np.linspace(1.0, 1.1, LAST_STEPS + 2)), None) is None
    assert watch.failure(steps(np.linspace(1.1, 1.1 + 1e-5, LAST_STEPS + 2)), None) is None


def test_memory_that_is_full_of_ordinary_steps_stays_the_reason(watch):
    assert (
        watch.failure(steps(np.linspace(0.0, 9.0, LAST_STEPS + 2)), "its steps fill 1.5 GiB")
        == "its steps fill 1.5 GiB"
    )
    assert watch.failure(steps([9.0]), "its steps fill 1.5 GiB") == "its steps fill 1.5 GiB"
    assert "have shrunk" in watch.failure(steps(9.0 + np.linspace(0.0, 1e-6, LAST_STEPS + 2)), "its steps fill 1.5 GiB")


@pytest.mark.parametrize("kept", [0, 1])
def test_a_motion_that_comes_to_rest_where_a_force_jumps_ends(problem, kept):
    """Each passage takes no time, so that the next begins where it ended: with or without a short step between them."""

    class Resting:
        def check_steps(self, found):
            times = found.times[: kept + 1]
            return replace(
                found, times=times, coefficients=found.coefficients[:kept], failure=f"at t = {times[-1]:g} s it jumps"
            ), 0

        def time_to(self, *where):
            return 0.0

    def made(part):
        yield Steps(part.begin + np.array([0.0, 1e-15]), np.zeros((1, 6, 2)))

    found = list(with_passages(problem, made, Resting()))
    assert len(found) < 3 * PASSAGES_IN_A_ROW
    assert "s it jumps, and the motion comes to rest there, so that no side is determined" in found[-1].failure


def test_a_spring_that_is_drawn_to_no_length_and_no_speed_says_so():
    """A spring that is let go at twice its length has no length when it turns."""
    system = vc.System("pair")
    a, b = (system.add(vc.MassPoint(name, 0.02)) for name in "ab")
    system.add(vc.Spring("spring", a, b, stiffness=10.0, rest_length=0.1))
    with pytest.raises(vc.errors.RunError, match=r"at t = 0\.0993.* the motion comes to rest there"):
        vc.simulate(system, 0.1, {"b": (0.2, 0, 0)}, method="dop853", progress=False)
