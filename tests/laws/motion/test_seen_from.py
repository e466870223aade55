"""A motion seen from another inertial frame: the same verdict, and the energy and momentum of the new frame."""

import numpy as np
import pytest

import vinculum as vc
from kinds import (
    BOOST,
    TURNED,
    colliding_points,
    every_kind,
    four_bar,
    hanging_tree,
    struck_soft_body,
    thrown_ball,
)

MOTIONS = {
    "tree": hanging_tree,
    "loop": four_bar,
    "contact": thrown_ball,
    "time stepping": lambda: thrown_ball(method="moreau", step=2e-3),
    "impacts": colliding_points,
    "struck": struck_soft_body,
    "every kind": every_kind,
}


@pytest.fixture(scope="module", params=MOTIONS)
def motion(request):
    return MOTIONS[request.param]()


@pytest.mark.parametrize("frame", [BOOST, TURNED], ids=["boost", "turned"])
def test_a_certificate_is_the_same_in_every_inertial_frame(motion, frame):
    verdict, moved = motion.audit().verdict, motion.at(frame=frame).audit()
    assert moved.verdict == verdict


@pytest.mark.parametrize("frame", [BOOST, TURNED], ids=["boost", "turned"])
def test_kinetic_energy_gains_p_u_and_half_m_u_squared(motion, frame):
    moved, u = motion.at(frame=frame), frame.velocity
    kinetic, mass = (motion.record._balance[name] for name in ("kinetic", "mass"))
    p = motion.body().momentum[:, :3] @ frame.rotation.T
    driven = motion.record.model.layout.prescribed
    expected = kinetic[:, 0] + p @ u + 0.5 * mass.sum(axis=1) * (u @ u)
    assert moved.record._balance["kinetic"][:, 0] == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert set(moved.record.model.layout.prescribed) <= {*driven, "base"}


def test_positions_and_momenta_are_those_of_the_frame(motion):
    moved, R, u, a = motion.at(frame=TURNED), TURNED.rotation, TURNED.velocity, TURNED.place
    assert moved.time == pytest.approx(motion.time + TURNED.later)
    for name in motion.record.model.layout.bodies:
        x = motion.body(name).position @ R.T + motion.time[:, None] * u + a
        assert moved.body(name).position == pytest.approx(x, abs=1e-12)
        p = motion.body(name).momentum[:, :3] @ R.T + motion.body(name).mass[:, None] * u
        assert moved.body(name).momentum[:, :3] == pytest.approx(p, abs=1e-11)


def test_a_false_motion_is_false_in_every_frame(motion):
    false = motion.replace(v=1.001 * motion.v)
    assert false.audit().verdict != "passed"
    for frame in (BOOST, TURNED):
        assert false.at(frame=frame).audit().verdict == false.audit().verdict


def test_the_way_back_leads_to_the_same_motion():
    motion = hanging_tree()
    R, u, shift = TURNED.rotation, TURNED.velocity, TURNED.shift
    # t = t' − t₀, x = Rᵀ(x' − u (t' − t₀) − a)
    back = vc.measures.change_of_frame(-R.T @ u, R.T, np.append(-shift[0], R.T @ (u * shift[0] - shift[1:])))
    again = motion.at(frame=TURNED).at(frame=back)
    for name in ("upper", "lower"):
        assert again.body(name).position == pytest.approx(motion.body(name).position, abs=1e-12)
        assert again.body(name).velocity == pytest.approx(motion.body(name).velocity, abs=1e-12)
    assert again.audit().passed


def test_the_drive_of_the_base_has_the_power_of_what_it_carries():
    moved = hanging_tree().at(frame=BOOST)
    hinge, spring = moved.joint("hinge").force, moved.bond("spring").effort("base")[:, :3]
    assert moved.body("base").drive.power == pytest.approx((hinge - spring) @ BOOST.velocity, abs=1e-12)


def test_free_points_need_no_base():
    system = vc.System("three")
    points = [system.add(vc.MassPoint(f"p{i}", 1.0 + i)) for i in range(3)]
    system.add(vc.potentials.Gravitation("gravity", points, G=1.0))
    start = {
        "p0": vc.At((0, 0, 0), (0.1, 0, 0)),
        "p1": vc.At((1, 0, 0), (0, 1.0, 0)),
        "p2": vc.At((0, 2, 0.3), (-0.5, 0, 0)),
    }
    motion = vc.simulate(system, until=1.0, start=start)
    moved = motion.at(frame=TURNED)
    assert list(moved.record.model.layout.bodies) == ["p0", "p1", "p2"]
    assert moved["p1"] == pytest.approx(moved.body("p1").position)
    assert moved.audit().passed
    # fact 6 of the digest: the solution commutes with the change of frame
    there = {name: vc.At(moved[name][0], moved.body(name).velocity[0]) for name in start}
    direct = vc.simulate(system, until=1.0, start=there)
    assert direct.q[-1] == pytest.approx(moved.q[-1], abs=1e-7)
