"""Runs whose steps shrink before an instant that they do not pass say where and why they end."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.integrators.watch.stalls import StallWatch
from vinculum.models.model_cache import model_for
from vinculum.motion.method import METHODS, Method
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.watch import LAST_STEPS


@pytest.fixture
def watch():
    system = vc.System("falling")
    system.add(vc.MassPoint("stone", 1.0))
    problem = Problem(
        model_for(system), Method(METHODS["dop853"], tolerance=1e-12), 0.0, 10.0, np.zeros(6), np.zeros(0)
    )
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
