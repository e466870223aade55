"""Steps that are long against the motion are never certified, and the certificate says which step would do."""

import re

import numpy as np
import pytest

import vinculum as vc
from free_bodies import free_bodies
from vinculum.audits.free_bodies.gaps import lengths_in_a_step, penetration_line

HITS = "hits resolved by steps"


def bounced(kind: str, e: float, step: float) -> vc.Motion:
    """A ball from a height of one meter, for three seconds."""
    impact = vc.Newton(e)
    if kind == "free bodies":
        system, start = (
            free_bodies([vc.shapes.Sphere(0.1)], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=impact),
            {"b0": (0, 0, 1.1)},
        )
        return vc.simulate(system, 3.0, start, method="moreau", step=step, progress=False)
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=impact))
    return vc.simulate(system, 3.0, {"ball": (0, 0, 1)}, method="moreau", step=step, impacts="stepped", progress=False)


@pytest.mark.parametrize("kind", ["unilateral", "free bodies"])
@pytest.mark.parametrize("e", [0.0, 0.8, 1.0])
def test_a_bouncing_ball_is_certified_with_short_steps_only(kind, e):
    assert bounced(kind, e, 1e-2).audit().passed
    for step in (0.1, 0.6):
        certificate = bounced(kind, e, step).audit()
        (line,) = [line for line in certificate.lines if line.law == HITS]
        assert not certificate.passed
        assert line.verdict in ("undecided", "broken") and "use a step below" in line.detail
    assert certificate.verdict == "failed"  # in steps of 0.6 s the ball never falls as far as it should


@pytest.mark.parametrize("kind", ["unilateral", "free bodies"])
def test_the_step_that_is_asked_for_resolves_the_hits(kind):
    told = str(bounced(kind, 0.8, 0.2).audit())
    step = float(re.search(r"use a step below (\S+) s", told).group(1))
    assert bounced(kind, 0.8, step).audit().passed


def test_what_lies_still_needs_no_short_steps():
    lying = free_bodies([vc.shapes.Box((0.2, 0.2, 0.2))], walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.5)
    motion = vc.simulate(lying, 1.0, {"b0": (0, 0, 0.1)}, method="moreau", step=0.05, progress=False)
    assert motion.audit().passed, str(motion.audit())


def test_a_tumbling_body_in_coarse_steps_is_undecided_and_told_which_step_decides():
    def thrown(step):
        system = vc.System("die", gravity=(0, 0, -9.81))
        die = system.add(vc.RigidBody.solid("die", vc.shapes.Box((0.2, 0.3, 0.1)), density=1000))
        system.add(vc.Unilateral("floor", [die], gap=lambda b: b.position[2] - 0.05, impact=vc.Newton(0.5)))
        start = {"die": vc.At((0, 0, 1), rate=(0, 0, 0, 5, 8, 3))}
        return vc.simulate(system, 0.5, start, method="moreau", step=step, progress=False).audit()

    coarse = thrown(4e-3)
    assert coarse.verdict == "undecided"
    step = float(re.search(r"a step of about (\S+) s would decide", str(coarse)).group(1))
    assert coarse.to_dict()["remedy"] == coarse.remedy
    assert 5e-4 < step < 4e-3
    assert thrown(step).passed


def test_depths_that_a_certificate_admits_are_what_turning_points_leave_their_tangents_by():
    r"""|R(ω h) r − r − h ω × r| ≤ h²/2 ω² ρ for the corners of a box, and nothing is admitted to one that does not turn."""
    half, step = np.array([0.1, 0.15, 0.05]), 2e-3
    system = free_bodies([vc.shapes.Box(2 * half)], walls=[vc.shapes.HalfSpace((0, 0, 1))], gravity=(0, 0, 0))
    start = {"b0": vc.At((0, 0, 1.0), rate=(0.3, 0, 0, 0, 30.0, 0))}
    motion = vc.simulate(system, 0.02, start, method="moreau", step=step, progress=False)
    spin, rng = 30.0, np.random.default_rng(0)
    bent, _ = lengths_in_a_step(motion.record, np.concatenate([motion.q[0], motion.v[0]]), (0, 1))
    for _ in range(50):
        corner = half * rng.choice([-1, 1], 3)
        turned = vc.Pose(rotation=(np.cos(spin * step / 2), 0, np.sin(spin * step / 2), 0)).R @ corner
        left = np.linalg.norm(turned - corner - step * np.cross((0, spin, 0), corner))
        assert 0.2 * bent < left <= bent
    still = np.concatenate([motion.q[0], [3.0, 0, 0, 0, 0, 0]])
    assert lengths_in_a_step(motion.record, still, (0, 1))[0] == 0.0


def test_a_cylinder_that_wobbles_on_its_rim_is_within_what_is_admitted_at_every_step():
    """Next to upright the lowest point runs round the rim much faster than the cylinder turns."""
    system, tilt = free_bodies([vc.shapes.Cylinder(0.1, 0.2)], walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.1), 0.03
    height = 0.1 * np.cos(tilt) + 0.1 * np.sin(tilt) + 0.1
    start = {"b0": vc.At((0, 0, height, np.cos(tilt / 2), np.sin(tilt / 2), 0, 0), rate=(0, 0, 0, 3.0, 0, 2.0))}
    motion = vc.simulate(system, 0.6, start, method="moreau", step=1e-3, progress=False)
    line = penetration_line(motion.record, motion.time, motion.record.pieces.state(motion.time))
    assert line.verdict == "holds", line
    assert motion.audit().passed
