"""What is called a first integral is one: on random trees, with and without forces, along motions by another engine."""

import numpy as np
import pytest

import vinculum as vc
from actions import KINDS as KINDS_OF_ACTIONS
from actions import add_random_actions
from trees import random_state, random_system
from vinculum.motion.motion import Motion

KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar", "free", "translation")


def moved(system, rng) -> Motion:
    tree = system.tree()
    q, v = random_state(tree, rng)
    start = {
        link.joint.name: vc.At(q[link.q] if link.joint.nq > 1 else q[link.q][0], rate=v[link.v])
        for link in tree.links
        if link.joint.nq
    }
    return vc.simulate(system, 0.3, start, method="dop853", grid=20)


@pytest.mark.parametrize("seed", range(12))
def test_first_integrals_stay_constant(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, int(rng.integers(1, 6)), kinds=KINDS, forces=bool(seed % 2))
    found = vc.first_integrals(system)
    motion = moved(system, rng)
    largest = max(np.abs(motion.energy).max(), np.abs(motion.body().momentum).max(), 1.0)
    for one in found:
        assert np.ptp(one.along(motion)) < 1e-10 * largest, one.name


@pytest.mark.parametrize("seed", range(10))
def test_first_integrals_stay_constant_where_bodies_act_on_each_other(seed):
    rng = np.random.default_rng(700 + seed)
    kinds = ("free", "translation", "planar", "revolute", "spherical") if seed % 2 else ("free",)
    system = random_system(rng, int(rng.integers(2, 5)), kinds=kinds, forces=False)
    system.add(vc.RigidBody("one", 1.0, (0.1, 0.0, 0.2), (0.3, 0.4, 0.5)))
    system.add(vc.RigidBody("two", 2.0, (0.0, 0.2, 0.1), (0.5, 0.4, 0.3)))
    chosen = ("springs", "attitudes", "pairs") if seed < 5 else KINDS_OF_ACTIONS
    add_random_actions(system, rng, 3, chosen)
    found = vc.first_integrals(system)
    motion = moved(system, rng)
    largest = max(np.abs(motion.energy).max(), np.abs(motion.body().momentum).max(), 1.0)
    for one in found:
        assert np.ptp(one.along(motion)) < 1e-10 * largest, one.name


@pytest.mark.parametrize("seed", range(6))
def test_energy_is_claimed_where_it_is_constant_and_only_there(seed):
    rng = np.random.default_rng(100 + seed)
    system = random_system(rng, 3, kinds=("revolute", "prismatic", "spherical"), forces=bool(seed % 2))
    motion = moved(system, rng)
    conserved = np.ptp(motion.energy) < 1e-9 * np.abs(motion.energy).max()
    claimed = [name for name in vc.first_integrals(system).names if name.startswith("energy")]
    roots = len(system.tree().children(-1))
    assert len(claimed) == (roots if conserved else 0)


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "spherical", "universal", "planar"])
def test_a_floating_root_has_six_integrals_whatever_it_carries(kind):
    rng = np.random.default_rng(3)
    system = vc.System("floating", gravity=(0.3, -0.2, 4.0))
    system.add(vc.RigidBody("root", 1.0, (0.1, 0.2, 0.3), (0.5, 0.6, 0.7)))
    carried = random_system(rng, 1, kinds=(kind,))
    body, joint = next(iter(carried.bodies.values())), next(iter(carried.joints.values()))
    system.add(body)
    system.add(type(joint)("bond", "root", body, at=joint.at, to=joint.to, damping=0.2, stiffness=1.0))
    found = vc.first_integrals(system).names
    assert sum(name.startswith("momentum along") for name in found) == 3
    assert sum(name.startswith("angular momentum about the mass center") for name in found) == 3
