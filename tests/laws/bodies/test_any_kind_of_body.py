"""A body of any kind is run, watched, judged, stored, varied, derived and drawn."""

import numpy as np
import pytest

import vinculum as vc

ENERGY = vc.energies.NeoHookean(0.1, 2.0, 1.0)
JET = vc.MassSource(-0.1, relative=(0.1, 0, -3.0), at=(0, 0, -0.2))
KINDS = {
    "rigid body of variable mass": lambda: vc.RigidBody("it", 0.5, inertia=(0.01, 0.02, 0.025), sources=JET),
    "point-body": lambda: vc.PointBody("it", (0.5, 0.6, 0.7), 0.01, (0.02, 0.03, 0.04), mass=0.5),
    "flat body": lambda: vc.AffineBody("it", 0.5, (0.01, 0.02), energy=ENERGY, dimension=2),
    "rod-like body": lambda: vc.AffineBody("it", 0.5, [0.01], energy=ENERGY, dimension=1),
    "planar body": lambda: vc.AffineBody("it", 0.5, (0.01, 0.02), energy=ENERGY, planar=True),
}


def tied(kind):
    """A body that falls along −y, tied to the ground by a spring whose stiffness is a parameter."""
    system = vc.System("tied", gravity=(0, -9.81, 0))
    body = system.add(KINDS[kind]())
    system.add(vc.Spring("tie", body, "ground", stiffness=vc.parameter("k", 4.0), at=(0.1, 0, 0), to=(1, 0, 0)))
    return system


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_of_any_kind_is_watched_judged_and_stored(kind, tmp_path):
    low = vc.Event("low", "it", lambda b: b.position[1] + 0.05)
    motion = vc.simulate(tied(kind), until=0.15, events=[low], grid=4)
    (crossing,) = motion.record.crossings
    assert motion.at([crossing.time]).body("it").position[0, 1] == pytest.approx(-0.05, abs=1e-10)
    assert motion.audit().passed, str(motion.audit())
    assert motion.body("it").measures.balance((0.05, 0.1)).passed
    motion.save(tmp_path / "run")
    again = vc.load(tmp_path / "run")
    assert np.array_equal(again.body("it").momentum, motion.body("it").momentum) and again.audit().passed


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_of_any_kind_is_varied_derived_and_drawn(kind, tmp_path):
    system = tied(kind)
    runs = vc.ensemble(system, until=0.15, parameters={"k": [2.0, 5.0]})
    one = vc.simulate(system, until=0.15, parameters={"k": 5.0}, grid=4)
    assert np.abs(runs.q[1, -1] - one.q[-1]).max() < 1e-9
    assert any("k" in line for line in vc.derive(system, form="newton-euler").lines())
    one.plot.picture(0.1, tmp_path / "it.svg")
    assert (tmp_path / "it.svg").stat().st_size > 1000
