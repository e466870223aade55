"""Chains with friction that fall on a floor and come to rest there."""

import numpy as np
import pytest

import vinculum as vc

G, LINKS, STEP = 9.81, 6, 1e-3
LINK = vc.shapes.Capsule(0.02, 0.1)
SIDE = vc.Pose(rotation=[[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
"""Turns the axis of a link to x."""


def chain(joints: str, friction: float) -> vc.System:
    """Links along x, each hinged to the end of the one before, above a floor."""
    system = vc.System("chain", gravity=(0, 0, -G))
    links = [system.add(vc.RigidBody.solid(f"link {k}", LINK, density=1000, at=SIDE)) for k in range(LINKS)]
    for k in range(1, LINKS):
        ends = {"at": (0.06, 0, 0), "to": (-0.06, 0, 0)}
        if joints == "balls":
            system.add(vc.Spherical(f"joint {k}", links[k - 1], links[k], **ends))
        else:
            system.add(vc.Revolute(f"joint {k}", links[k - 1], links[k], axis=(0, 1, 0), **ends))
    walls = [vc.shapes.HalfSpace((0, 0, 1))]
    system.add(vc.Contact("floor", links, walls=walls, impact=0.1, friction=friction))
    return system


def fallen(joints: str, friction: float, until: float, step: float = STEP) -> vc.Motion:
    """The motion from rest, with the first link tilted and the others bent up and down."""
    q = (np.cos(0.2), 0, np.sin(0.2), 0)
    start = {"link 0": (0, 0, 0.25, *q)}
    for k in range(1, LINKS):
        bend = 0.5 * (-1) ** k
        start[f"joint {k}"] = bend if joints == "hinges" else (np.cos(bend / 2), 0.0, np.sin(bend / 2), 0.1 * bend)
    if joints == "balls":
        for k in range(1, LINKS):
            start[f"joint {k}"] = tuple(np.array(start[f"joint {k}"]) / np.linalg.norm(start[f"joint {k}"]))
    return vc.simulate(
        chain(joints, friction), until, start, method="moreau", step=step, grid=int(20 * until) + 1, progress=False
    )


@pytest.mark.parametrize("joints", ["hinges", "balls"])
def test_a_chain_falls_and_comes_to_rest_with_its_weight_on_the_floor(joints):
    until = 2.0
    motion = fallen(joints, 0.5, until)
    links = [motion.body(f"link {k}") for k in range(LINKS)]
    # rest: no speed, no place that changes any more
    assert np.abs(motion.v[-1]).max() < 1e-6
    late = motion.time > until - 0.3
    assert np.ptp(motion.q[late], axis=0).max() < 1e-6
    # it lies: every end of every link is at the floor or above, and every link touches
    lowest = [link.position[-1, 2] - 0.05 * abs(link.rotation[-1][2, 0]) - LINK.radius for link in links]
    assert np.abs(lowest).max() < 1e-4
    # what holds it: the floor carries the weight, within the cone
    hits = motion.bond("floor").impulses
    last = hits.times > until - 0.3
    weight = G * sum(motion.record.model.tree.links[k].body.mass for k in range(LINKS))
    assert hits.normal[last].sum() / 0.3 == pytest.approx(weight, rel=0.01)
    assert np.all(np.linalg.norm(hits.tangential[last], axis=1) <= 0.5 * hits.normal[last] * (1 + 1e-6))
    assert motion.energy[-1] < motion.energy[0]


@pytest.mark.slow
@pytest.mark.parametrize("joints", ["hinges", "balls"])
def test_a_chain_that_has_fallen_is_certified(joints):
    """The steps must be short for it: the ends of links hit the floor at 10 rad/s."""
    motion = fallen(joints, 0.5, 1.0, 1e-4)
    assert motion.audit().passed, str(motion.audit())


def test_the_same_chain_without_friction_does_not_come_to_rest():
    motion = fallen("hinges", 0.0, 2.0)
    assert np.abs(motion.v[-1]).max() > 1e-3
