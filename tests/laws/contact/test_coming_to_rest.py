"""Damped systems come to rest, and the run goes on as quickly as before."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import rod


def pendulum() -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("bob", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.01)))
    system.add(vc.Revolute("pivot", "ground", body, axis=(0, 1, 0), damping=0.5, stiffness=3.0, rest=0.7))
    return system


def four_bar() -> vc.System:
    system = vc.System("four-bar", gravity=(0, -9.81, 0))
    for name, length in (("crank", 1.0), ("coupler", 2.5), ("rocker", 2.0)):
        rod(system, name, length)
    system.add(vc.Revolute("pivot", "ground", "crank", damping=2.0))
    system.add(vc.Revolute("B", "crank", "coupler", at=(1, 0, 0)))
    system.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(2.5, 0, 0), to=(2.0, 0, 0)))
    return system


@pytest.mark.parametrize("method", ["auto", "dop853"])
@pytest.mark.parametrize("made", [pendulum, four_bar])
def test_a_damped_system_comes_to_rest_in_few_steps(made, method):
    motion = vc.simulate(made(), 60.0, {"pivot": 1.0}, method=method)
    assert len(motion.record.pieces) < 4000
    assert np.abs(motion.v[-1]).max() < 1e-9
    assert motion.audit().verdict != "failed", str(motion.audit())


def test_an_ensemble_of_damped_systems_comes_to_rest():
    runs = vc.ensemble(pendulum(), 60.0, {"pivot": np.linspace(-1.0, 1.0, 16)}, grid=3)
    assert not np.any(runs.failed)
    np.testing.assert_allclose(runs.q[:, -1], np.tile(runs.q[0, -1], (16, 1)), rtol=0, atol=1e-9)


def test_a_long_planar_chain_with_most_links_at_zero_does_not_stall():
    system, before = vc.System("chain", gravity=(0, 0, -9.81)), "ground"
    for i in range(20):
        body = system.add(vc.RigidBody(f"link{i}", 1.0, (0, 0, -0.5), (0.1, 0.1, 0.01)))
        system.add(vc.Revolute(f"hinge{i}", before, body, axis=(0, 1, 0), at=(0, 0, -1.0 if i else 0.0)))
        before = body
    motion = vc.simulate(system, 0.2, {"hinge0": 1.0}, method="dop853")
    assert len(motion.record.pieces) < 500
    assert np.ptp(motion.energy) < 1e-10 * np.abs(motion.energy).max()
