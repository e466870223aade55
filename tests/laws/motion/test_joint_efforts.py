"""The certificate's line on what joints transmit along their own velocities, and what it finds that no other line does."""

import numpy as np
import pytest

import vinculum as vc
from records import altered
from trees import KINDS, random_system
from vinculum.equations.observables import loads
from vinculum.models.types import model_of

LAW = "joints transmit what they exert"


def linked_arms() -> vc.System:
    """Two arms whose ends a massless rod keeps apart."""
    system = vc.System("arms", gravity=(0, 0, -9.81))
    arms = [
        system.add(vc.RigidBody(f"arm {k}", mass=1.0 + k, com=(0.4, 0, 0), inertia=np.diag([0.01, 0.1, 0.1])))
        for k in range(2)
    ]
    for k, arm in enumerate(arms):
        system.add(vc.Revolute(f"hinge {k}", "ground", arm, axis=(0, 1, 0), at=(0.5 * k, 0, 0), damping=0.05))

    def apart(a, b):
        return vc.math.norm(a.point((0.8, 0, 0)) - b.point((0.6, 0, 0))) - 0.5

    system.add(vc.Constraint("rod", arms, position=apart, realization=vc.DAlembert()))
    return system


def run(system):
    start = {"hinge 0": 0.3, "hinge 1": 0.4}
    return vc.simulate(system, until=0.5, start=start, repair=True, progress=False)


def test_wrong_forces_that_joints_absorb_are_found(monkeypatch):
    system = vc.System("arm", gravity=(0, 0, -9.81))
    arm = system.add(vc.RigidBody("arm", mass=1.0, com=(0.4, 0, 0), inertia=np.diag([0.01, 0.1, 0.1])))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0)))
    system.add(vc.Force("drag", arm, lambda a: vc.Wrench(force=-2.0 * a.point_velocity((0.8, 0, 0)), at=(0.8, 0, 0))))
    motion = vc.simulate(system, until=0.5, progress=False)
    assert motion.audit().passed
    right = loads.action_wrenches
    monkeypatch.setattr(
        loads, "action_wrenches", lambda *given: [None if F is None else 1.01 * F for F in right(*given)]
    )
    falsified = altered(motion, model=model_of(motion.record.model.tree)).audit()
    assert {line.law for line in falsified.lines if line.verdict == "broken"} == {LAW}


def test_wrong_efforts_of_a_constraint_that_joints_absorb_are_found(monkeypatch):
    motion = run(linked_arms())
    certificate = motion.audit()
    assert certificate.passed, certificate
    right = loads.pushed_links
    monkeypatch.setattr(loads, "pushed_links", lambda *given: [(i, 1.01 * F) for i, F in right(*given)])
    falsified = altered(motion, model=model_of(motion.record.model.tree)).audit()
    assert {line.law for line in falsified.lines if line.verdict == "broken"} == {LAW}


@pytest.mark.parametrize("seed", range(4))
def test_joints_of_random_trees_transmit_what_springs_and_dampers_exert(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 5, [kind for kind in KINDS if kind != "spherical-zxz"], driven=seed % 2 == 1)
    motion = vc.simulate(system, until=0.05, progress=False)
    line = next((line for line in motion.audit().lines if line.law == LAW), None)
    assert line is None or line.verdict == "holds", line
