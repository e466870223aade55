"""Ctrl-C where a run is made again and again: what the last whole one gave is kept, or the search ends."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.integrators.idas import idas
from vinculum.simulation.multipliers.shooting import whole


def pendulum() -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", 1.0, realization=vc.DAlembert()))
    return system


START = {"bob": (0.6, 0, -0.8)}


def interrupted_in_round(monkeypatch, number: int) -> None:
    made, states = [], idas._Integrator.states

    def interrupted(self, times):
        made.append(times)
        if len(made) == number:
            raise KeyboardInterrupt
        return states(self, times)

    monkeypatch.setattr(idas._Integrator, "states", interrupted)


def test_an_implicit_run_keeps_its_last_whole_round(monkeypatch):
    exact = vc.simulate(pendulum(), 20.0, START)
    interrupted_in_round(monkeypatch, 2)
    motion = vc.simulate(pendulum(), 20.0, START, method="idas")
    assert motion.record.interrupted
    assert "interrupted by the user" in motion.log[-1]
    np.testing.assert_allclose(motion.q, exact.q, atol=1e-3)


def test_an_implicit_run_without_a_whole_round_is_not_there(monkeypatch):
    interrupted_in_round(monkeypatch, 1)
    with pytest.raises(KeyboardInterrupt):
        vc.simulate(pendulum(), 20.0, START, method="idas")


def test_a_search_ends_with_the_run_that_is_interrupted(monkeypatch):
    interrupted_in_round(monkeypatch, 2)
    motion = vc.simulate(pendulum(), 20.0, START, method="idas")
    with pytest.raises(KeyboardInterrupt):
        whole(motion)
