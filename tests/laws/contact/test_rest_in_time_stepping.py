"""What is at rest shows no velocity on the grid that time stepping chooses, and hits say how well their instants are known."""

import re

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from free_bodies import G, free_bodies


def on_a_floor() -> tuple[vc.System, dict]:
    system = vc.System("floor", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("b0", 1.0))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Inelastic()))
    return system, {}


def beside_an_arm() -> tuple[vc.System, dict]:
    """A ball on a floor, and an arm that hangs, so that both are one tree."""
    system = vc.System("arm", gravity=(0, 0, -G))
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(0.05), density=1000.0)) for i in range(2)]
    system.add(vc.Revolute("hinge", "ground", bodies[1], axis=(0, 1, 0), at=(0, 0, 3.0)))
    system.add(
        vc.Contact(
            "contact", bodies, walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)
        )
    )
    return system, {"b0": (0, 0, 0.05)}


def among_free_bodies() -> tuple[vc.System, dict]:
    return free_bodies([vc.shapes.Sphere(0.05)] * 2, walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.3), {
        "b0": (0, 0, 0.05),
        "b1": (0, 0, 0.15),
    }


@pytest.mark.parametrize("until, step", [(0.1, 5e-3), (0.1007, 1e-3), (1.3, 1e-3), (0.05, 0.03)])
@pytest.mark.parametrize("scene", [on_a_floor, beside_an_arm, among_free_bodies])
def test_a_body_at_rest_has_no_velocity_on_the_default_grid(scene, until, step):
    system, start = scene()
    motion = vc.simulate(system, until, start, method="moreau", step=step, progress=False)
    assert np.abs(motion.v).max() < 1e-3 * G * step  # contacts may miss their law by 2e-4 of g h
    assert len(motion.time) <= 1002 and motion.time[0] == 0.0 and motion.time[-1] == until
    steps = motion.time[:-1] / step
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)


@pytest.mark.parametrize("step", [2e-3, 5e-3])
@pytest.mark.parametrize("e", [0.3, 0.5, 0.95])
def test_the_certificate_says_by_how_much_instants_of_hits_are_off(e, step):
    """The exact instants of the bounces of a ball, as long as its flights last four steps."""
    drop, count = 0.83, 5
    first = np.sqrt(2 * drop / G)
    exact = first * (1 + 2 * np.concatenate([[0.0], np.cumsum(e ** np.arange(1, count))]))
    exact = exact[2 * first * e ** np.maximum(np.arange(count), 1) > 4 * step]
    system = free_bodies([vc.shapes.Sphere(0.05)], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Newton(e))
    until = float(exact[-1] + 0.5 * first * e ** len(exact))
    motion = vc.simulate(
        system, until, {"b0": (0, 0, 0.05 + drop)}, method="moreau", step=step, impacts="stepped", progress=False
    )
    edges = np.asarray(motion.record.pieces.times)[::2]
    hits = np.flatnonzero(np.diff(motion.at(edges).v[:, 2]) > 5 * G * step)
    found = 0.5 * (edges[hits] + edges[hits + 1])
    off = np.abs(found[: len(exact)] - exact[: len(found)])
    line = next(line for line in motion.audit().lines if line.law == "hits resolved by steps")
    told = re.search(r"off by up to a step of (\S+) s, the last .* by up to (\S+) s", line.reason)
    assert told is not None, line.reason
    each, last = (float(x) for x in told.groups())
    assert each == step and off[0] <= each and off.max() <= last


def test_a_motion_without_hits_says_nothing_of_their_instants():
    system, start = among_free_bodies()
    motion = vc.simulate(system, 0.05, start, method="moreau", step=1e-3, progress=False)
    assert not any("instants are not located" in line.reason for line in motion.audit().lines)


@pytest.mark.parametrize("shaped", [False, True])
def test_trees_whose_hits_are_not_located_say_so_too(shaped):
    """A ball on a vertical slide: a unilateral constraint without location, and a contact of shapes."""
    e, step, drop = 0.5, 1e-3, 0.4
    system = vc.System("slide", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.05), mass=1.0))
    system.add(vc.Prismatic("slide", "ground", ball, axis=(0, 0, 1)))
    if shaped:
        system.add(vc.Contact("floor", [ball], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Newton(e)))
    else:
        system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2] - 0.05, impact=vc.Newton(e)))
    first = np.sqrt(2 * drop / G)
    options = {} if shaped else {"impacts": "stepped"}
    motion = vc.simulate(
        system, 2.5 * first, {"slide": 0.05 + drop}, method="moreau", step=step, progress=False, **options
    )
    line = next(line for line in motion.audit().lines if line.law == "hits resolved by steps")
    told = re.search(r"each of (\d+) hits is off by up to a step of (\S+) s", line.reason)
    assert told is not None, line.reason
    assert int(told[1]) == 2 and float(told[2]) == step
    edges = np.asarray(motion.record.pieces.times)
    hit = edges[:-1][np.diff(motion.at(edges).v[:, 0]) > 5 * G * step][0]
    assert abs(hit - first) <= step


def pulled_block(gravity: float):
    """A block on three feet that a growing pull does not move."""
    system = vc.System("pulled", gravity=(0, 0, -gravity))
    block = system.add(vc.RigidBody("block", 1.0, inertia=(0.11, 0.13, 0.12)))
    for k, place in enumerate(((0.3, 0.0, -0.1), (-0.15, 0.25, -0.1), (-0.15, -0.25, -0.1))):
        foot = lambda b, p=place: b.point(p)
        system.add(vc.Unilateral(f"foot {k}", [block], gap=lambda b, at=foot: at(b)[2], point=foot, impact=vc.Inelastic(),
                                 friction=vc.Coulomb(0.7)))  # fmt: skip
    pull = lambda b, t: vc.Wrench(force=(16 * t, -20 * t, 8 * t), moment=(0.8 * t, 2 * t, 2.4 * t))
    system.add(vc.Force("pull", block, pull))
    return system


@pytest.mark.slow
def test_momenta_of_a_body_at_rest_are_judged_beside_the_forces_that_balance():
    """Within its steps a body at rest falls and is thrown back: errors of all steps add up beside the momentum of a single one."""
    motion = vc.simulate(pulled_block(9.81), 0.05, {"block": (0, 0, 0.1)}, method="moreau", step=1e-4, progress=False)
    assert motion.audit().passed, str(motion.audit())
    assert "momentum of 'block'" in broken(motion.replace(system=pulled_block(9.81 * 1.001)).audit())
