"""Constraints over many steps: nothing drifts off, by fixed steps and by series."""

import numpy as np
import pytest

import rolling
import vinculum as vc
from vinculum.models.conditions.gaps import gaps_at

SWING = {"bob": vc.At((0.6, 0, -0.8), rate=(0, 0.5, 0))}


def pendulum() -> vc.System:
    system = vc.System("pendulum on a rod", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", 1.0, realization=vc.DAlembert()))
    return system


CASES = [(pendulum(), SWING), (rolling.disc(), rolling.disc_start((0.3, 0.2, 0.1), (0.5, 0.1, 4.0)))]


def worst(motion) -> float:
    found = 0.0
    for edges, coefficients in motion.record.pieces.blocks():
        at = gaps_at(motion.record.model, coefficients[:, :, 0], edges[:-1], motion.record.values)
        found = max(found, np.abs(at.values).max(), np.abs(at.rates).max())
    return found


def drift(motion) -> float:
    return float(np.abs(motion.energy / motion.energy[0] - 1.0).max())


@pytest.mark.parametrize("system, start", CASES, ids=["pendulum", "disc"])
@pytest.mark.parametrize("method, steps, energy", [({"method": "rk4", "step": 1e-3}, 10_000, 1e-11),
                                                   ({"method": "midpoint", "step": 1e-3}, 3_000, 1e-5)], ids=str)  # fmt: skip
def test_states_at_the_ends_of_fixed_steps_meet_their_constraints(system, start, method, steps, energy):
    motion = vc.simulate(system, steps * method["step"], start, grid=101, progress=False, **method)
    assert len(motion.record.pieces) == steps
    assert worst(motion) < 1e-13 and drift(motion) < energy


@pytest.mark.parametrize("system, start", CASES, ids=["pendulum", "disc"])
def test_states_of_series_meet_their_constraints(system, start):
    motion = vc.simulate(system, 50.0, start, grid=101, progress=False)
    assert worst(motion) < 1e-12 and drift(motion) < 1e-13


@pytest.mark.slow
@pytest.mark.parametrize("system, start", CASES, ids=["pendulum", "disc"])
@pytest.mark.parametrize("method", [{"method": "rk4", "step": 1e-3}, {}], ids=str)
def test_a_million_steps_leave_nothing_behind(system, start, method, tmp_path):
    span = 1000.0 if method else 45_000.0 if system.name == "rolling disc" else 85_000.0
    motion = vc.simulate(system, span, start, grid=101, progress=False, out=tmp_path / "run.zarr", **method)
    assert len(motion.record.pieces) > 900_000
    assert worst(motion) < 1e-12 and drift(motion) < 1e-9
