"""Constraints that add to the Lagrangian, on random trees of every joint: their efforts on bodies and their generalized forces agree."""

from itertools import count

import numpy as np
import pytest

import vinculum as vc
from trees import random_system

FIRM = ("revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "spherical-fedorov", "planar", "free", "weld",
        "translation")  # fmt: skip


def rows(seed: int, is_linear: bool):
    """Two rows over the places and motions of two bodies, and the time; the second is quadratic unless linear is asked for."""
    c = np.random.default_rng(100 + seed).normal(size=12)

    def velocity(a, b, t):
        d = a.position - b.position
        first = c[0] * a.velocity[0] + c[1] * b.velocity[2] + c[2] * d[1] * a.velocity[1] + 0.2 * vc.math.sin(t)
        second = c[3] * b.velocity[0] + c[4] * a.velocity[2] + c[5] * d[0] * d[2] * b.velocity[1]
        return first, second if is_linear else second + 0.3 * c[6] * a.velocity[1] * b.velocity[2] + 0.1

    return velocity


def tree(seed: int, realization, is_linear: bool, driven: bool = False) -> vc.System:
    """The first tree of many with two bodies that move and five velocities at least."""
    made = (random_system(np.random.default_rng((seed, k)), 3, FIRM, driven=driven) for k in count())
    system = next(one for one in made if one.tree().nv >= 5 and sum(link.joint.nv > 0 for link in one.tree().links) > 1)
    moving = [link.body for link in system.tree().links if link.joint.nv]
    system.add(vc.Constraint("held", [moving[0], moving[-1]], velocity=rows(seed, is_linear), realization=realization))
    return system


def start(system: vc.System, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    return {
        link.joint.name: vc.At(rate=0.4 * rng.normal(size=link.joint.nv))
        for link in system.tree().links
        if link.joint.nv
    }


@pytest.mark.parametrize("is_linear", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_vakonomic_motions_of_random_trees_pass_their_audits(seed, is_linear):
    system = tree(seed, vc.Vakonomic(multipliers=(0.1, -0.05)), is_linear, driven=seed % 2 == 1)
    motion = vc.simulate(system, 0.2, start(system, seed), repair=True, method="dop853")
    assert motion.audit().passed, str(motion.audit())
    assert motion.bond("held").multiplier.shape == (len(motion.time), 2)


@pytest.mark.parametrize("seed", range(4))
def test_motions_of_random_trees_with_added_inertia_pass_their_audits(seed):
    system = tree(seed, vc.constraints.AddedInertia((2.0, 0.5)), is_linear=seed < 2)
    motion = vc.simulate(system, 0.2, start(system, seed), method="dop853")
    assert motion.audit().passed, str(motion.audit())


def test_a_wrong_history_of_multipliers_is_noticed():
    system = vc.System("knife edge")
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    system.add(vc.Planar("plane", "ground", blade))
    system.add(vc.Constraint("edge", [blade], velocity=lambda b: vc.math.dot(b.velocity, b.rotation[:, 1]),
                             realization=vc.Vakonomic(multipliers=0.2)))  # fmt: skip
    motion = vc.simulate(system, 2.0, {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))})
    assert vc.given_motion(system, motion.time, motion.q, motion.v).audit().passed
    for change in (0.01 * motion.time, 0.01):
        wrong = motion.q.copy()
        wrong[:, 3] += change
        assert vc.given_motion(system, motion.time, wrong, motion.v).audit().verdict == "failed"


def test_vakonomic_and_ideal_constraints_and_loops_hold_together():
    system = vc.System("together", gravity=(0, 0, -9.81))
    a = system.add(vc.RigidBody("a", 1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)))
    b = system.add(vc.RigidBody("b", 1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)))
    c = system.add(vc.RigidBody("c", 1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)))
    p = system.add(vc.MassPoint("p", 0.5))
    system.add(vc.Revolute("A", "ground", a, axis=(0, 1, 0)))
    system.add(vc.Revolute("B", a, b, axis=(0, 1, 0), at=(1, 0, 0)))
    system.add(vc.Revolute("C", b, c, axis=(0, 1, 0), at=(1.5, 0, 0)))
    system.add(vc.Revolute("D", "ground", c, axis=(0, 1, 0), at=(1.2, 0, 0.2), to=(1.1, 0, 0)))
    system.add(vc.Constraint("follows", [p, c], velocity=lambda p, c: vc.math.dot(p.velocity - c.velocity, p.position - c.position),
                             realization=vc.DAlembert()))  # fmt: skip
    system.add(vc.Constraint("along", [p, a], velocity=lambda p, a: p.velocity[0] - a.velocity[2] - p.position[1] * p.velocity[2],
                             realization=vc.Vakonomic(multipliers=0.3)))  # fmt: skip
    motion = vc.simulate(
        system, 0.3, {"A": vc.At(-1.2, rate=0.5), "p": vc.At((0.3, 0.4, 1.0), rate=(0.1, 0.4, 0))}, repair=True
    )
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("realization", [vc.Vakonomic(multipliers=0.4), vc.constraints.AddedInertia(2.0)])
@pytest.mark.parametrize(
    "row",
    [
        lambda b: b.angular_velocity[0] + 0.3 * b.angular_velocity[1] - 0.1 * b.velocity[2],
        lambda b: vc.math.dot(b.rotation @ np.array([0, 0.6, 0.8]), b.point_velocity((0.2, 0.1, -0.1))),
        lambda b: vc.math.dot(b.angular_velocity, b.rotation[:, 2]) * (1 + b.position[0]),
    ],
)
def test_efforts_of_varied_constraints_are_the_rates_of_the_momenta_of_a_free_body(row, realization):
    """Momentum and angular momentum about the mass center by the body's places alone, and their rates by differences in time."""
    m, com, inertia = 1.3, np.array([0.1, -0.2, 0.3]), np.diag([0.4, 0.5, 0.7])
    system = vc.System("free")
    system.add(vc.RigidBody("b", m, com=com, inertia=inertia))
    system.add(vc.Constraint("row", ["b"], velocity=row, realization=realization))
    start = {"b": vc.At((0, 0, 0, 1, 0, 0, 0), rate=(0.3, 0.2, 0.1, 0.5, -0.4, 0.6))}
    motion = vc.simulate(system, 0.5, start, repair=True, grid=np.linspace(0, 0.5, 501))
    R, h = motion.body("b").rotation, motion.time[1]
    w = np.einsum("tij,tj->ti", R, motion.v[:, 3:6])
    arm = R @ com
    p = m * (np.einsum("tij,tj->ti", R, motion.v[:, :3]) + np.cross(w, arm))
    L = np.einsum("tij,jk,tlk,tl->ti", R, inertia, R, w)
    slope = lambda x: (8 * (x[3:-1] - x[1:-3]) - (x[4:] - x[:-4])) / (12 * h)
    force, moment = np.split(motion.bond("row").effort("b"), 2, axis=1)
    np.testing.assert_allclose(force[2:-2], slope(p), rtol=0, atol=1e-9)
    np.testing.assert_allclose((moment - np.cross(arm, force))[2:-2], slope(L), rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.joint("b").reaction, 0.0, atol=1e-11)
