"""A program that runs many systems one after another does not grow with their number."""

import gc
import weakref

import pytest

import vinculum as vc
from marks import TAYLOR
from mechanisms import four_bar
from vinculum.models.model_cache import model_for


def hinge() -> tuple[vc.System, dict]:
    system = vc.System("hinge", gravity=(0, -9.81, 0))
    system.add(vc.RigidBody("rod", 1.0, (0.5, 0, 0), (0.1, 0.1, 0.1)))
    system.add(vc.Revolute("A", "ground", "rod"))
    return system, {"A": 0.3}


def loop() -> tuple[vc.System, dict]:
    return four_bar(), {"A": 1.0}


def ball() -> tuple[vc.System, dict]:
    system = vc.System("ball", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("floor", [point], gap=lambda ball: ball.position[2], impact=vc.Newton(0.5)))
    return system, {"ball": (0, 0, 0.1)}


@pytest.mark.parametrize("made", [hinge, loop, ball])
@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
def test_a_system_that_nobody_holds_any_more_is_forgotten(made, method, monkeypatch):
    if method == "taylor":
        monkeypatch.setattr("vinculum.integrators.taylor.integrator_cache.MOST_IDLE", 0)
    system, start = made()
    motion = vc.simulate(system, until=0.2, start=start, method=method)
    motion.audit()
    held = weakref.ref(model_for(system)), weakref.ref(motion)
    del system, motion
    gc.collect()
    assert [reference() for reference in held] == [None, None]
