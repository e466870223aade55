"""Hits of shapes in time stepping, located within steps: instants and velocities in closed form."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.tabled import type as tabled_type

G, FLOOR = 9.81, vc.shapes.HalfSpace((0, 0, 1))


def stepped(system, until, start, h=5e-3, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", step=h, progress=False, **options)


def balls(count=1, impact=0.8, friction=None, gravity=(0, 0, -G), walls=(FLOOR,)) -> vc.System:
    system = vc.System("balls", gravity=gravity)
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(0.1), density=700.0)) for i in range(count)]
    system.add(vc.Contact("contact", bodies, walls=list(walls), impact=impact, friction=friction))
    return system


def hits(motion: vc.Motion) -> np.ndarray:
    """Instants of impulses [s]."""
    solver = motion.record.contact_solver
    return solver.times[np.unique(solver.pressing.contact_solver)]


def bounces(height: float, e: float, count: int) -> np.ndarray:
    """Instants at which a point that falls from a height hits the floor."""
    first = np.sqrt(2 * height / G)
    return first * np.concatenate([[1.0], 1.0 + 2.0 * np.cumsum(e ** np.arange(1, count))])


@pytest.mark.parametrize("kind", [FreeBodiesType, BlocksInContactType])
def test_ten_bounces_of_a_ball_are_hit_when_they_are(kind, monkeypatch):
    """At 5 ms; the hits of the same run without located impacts are off by a millisecond and more."""
    system = balls()
    if kind is BlocksInContactType:
        monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
        weight = system.add(vc.MassPoint("weight", mass=1.0))
        system.add(vc.Spring("spring", weight, "ground", stiffness=1.0))
    start = {"b0": (0, 0, 1.1)} | ({"weight": (9, 0, 0)} if kind is BlocksInContactType else {})
    exact = bounces(1.0, 0.8, 10)
    motion = stepped(system, exact[-1] + 0.01, start, impacts="located")
    assert isinstance(motion.record.model.type, kind)
    np.testing.assert_allclose(hits(motion), exact, atol=1e-12)
    assert motion.audit().passed, str(motion.audit())
    plain = stepped(system, exact[-1] + 0.01, start, impacts="stepped")
    assert np.abs(hits(plain)[:9] - exact[:9]).max() > 1e-3


def test_impulses_of_a_contact_are_listed_at_their_instants():
    motion = stepped(balls(), 1.0, {"b0": (0, 0, 1.1)})
    found = motion.bond("contact").impulses
    first = np.sqrt(2.0 / G)
    np.testing.assert_allclose(found.times, [first], rtol=1e-13)
    mass = 700 * 4 / 3 * np.pi * 0.1**3
    np.testing.assert_allclose(found.normal, [1.8 * mass * G * first], rtol=1e-12)


@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_spheres_that_meet_obliquely_exchange_velocities_along_their_centers(e):
    """The second starts at rest; gravity is off, or both fall together."""
    for gravity in ((0, 0, 0), (0, 0, -G)):
        system = balls(2, impact=e, gravity=gravity, walls=())
        start = {"b0": vc.At((0, 0, 0), rate=(1.0, 0, 0, 0, 0, 0)), "b1": (1.0, 0.1, 0)}
        motion = stepped(system, 1.2, start, h=7e-3, tolerance=1e-12)
        across = np.sqrt(0.2**2 - 0.1**2)
        n, hit = np.array([across, 0.1, 0]) / 0.2, 1.0 - across
        np.testing.assert_allclose(hits(motion), [hit], rtol=1e-12)
        given = 0.5 * (1 + e) * n[0] * n
        fall = 1.2 * np.array(gravity)
        np.testing.assert_allclose(motion.body("b1").velocity[-1], given + fall, atol=1e-11)
        np.testing.assert_allclose(motion.body("b0").velocity[-1], np.array([1.0, 0, 0]) - given + fall, atol=1e-11)
        there = np.array([1.0, 0.1, 0]) + (1.2 - hit) * given + 0.6 * fall
        np.testing.assert_allclose(motion.body("b1").position[-1], there, atol=1e-11)
        assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("spin, slides", [(60.0, True), (4.0, False)])
def test_a_spinning_ball_bounces_off_a_rough_floor_when_and_as_it_should(spin, slides):
    """A ball that slides through its hit gains μ (1 + e) w; one that sticks gains 2/7 of the velocity of its lowest point."""
    e, mu, r = 0.5, 0.3, 0.1
    motion = stepped(
        balls(impact=e, friction=mu),
        0.6,
        {"b0": vc.At((0, 0, 0.6), rate=(0, 0, 0, 0, spin, 0))},
        h=2e-3,
        tolerance=1e-12,
    )
    hit = np.sqrt(2 * 0.5 / G)
    w = G * hit
    gain = mu * (1 + e) * w if slides else 2 / 7 * spin * r
    assert slides == (mu * (1 + e) * w < 2 / 7 * spin * r)
    np.testing.assert_allclose(hits(motion), [hit], rtol=1e-12)
    np.testing.assert_allclose(motion.body("b0").velocity[-1, 0], gain, rtol=1e-10)
    np.testing.assert_allclose(motion.body("b0").position[-1, 0], (0.6 - hit) * gain, rtol=1e-10)
    np.testing.assert_allclose(motion.body("b0").angular_velocity[-1, 1], spin - 2.5 * gain / r, rtol=1e-10)
    assert motion.audit().passed, str(motion.audit())


def test_hits_at_both_ends_of_steps_are_located_too():
    """A ball hits exactly at the end of a step, at its beginning, and at the end of the run."""
    for h in (np.sqrt(2 / G) / 50, np.sqrt(2 / G) / 50 * (1 + 1e-9), np.sqrt(2 / G) / 50 * (1 - 1e-9)):
        motion = stepped(balls(), 0.8, {"b0": (0, 0, 1.1)}, h=h)
        np.testing.assert_allclose(hits(motion), [np.sqrt(2 / G)], atol=1e-6 * h)
        assert motion.audit().passed, str(motion.audit())
    at_once = stepped(balls(), 0.02, {"b0": vc.At((0, 0, 0.1), rate=(0, 0, -2.0, 0, 0, 0))})
    np.testing.assert_allclose(hits(at_once), [0.0], atol=5e-9)
    np.testing.assert_allclose(at_once.body("b0").velocity[-1, 2], 1.6 - 0.02 * G, atol=1e-7)


def test_a_ball_is_hit_while_it_rests_on_the_floor():
    """The floor holds it against gravity until the instant at which another ball falls on it: the path with contacts counts."""
    system = balls(2, impact=0.0)
    start = {"b0": (0, 0, 0.1), "b1": (0, 0, 0.8)}
    motion = stepped(system, 0.5, start, h=3e-3)
    solver = motion.record.contact_solver
    rows = solver.pressing
    between = solver.times[rows.contact_solver[rows.bodies.max(axis=1) < 2]]
    np.testing.assert_allclose(between[0], np.sqrt(2 * 0.5 / G), rtol=1e-12)
    assert motion.audit().passed, str(motion.audit())


def test_bodies_at_rest_and_slow_approaches_do_not_cut_steps():
    """Two balls and a box lie still; a third ball rolls against a wall more slowly than gravity changes velocities in two steps."""
    system = vc.System("lying", gravity=(0, 0, -G))
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(0.1), density=700.0)) for i in range(3)]
    bodies.append(system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.2, 0.2, 0.2)), density=700.0)))
    wall = vc.shapes.HalfSpace((-1, 0, 0), -1.0)
    system.add(vc.Contact("contact", bodies, walls=[FLOOR, wall], impact=0.5, friction=0.4))
    start = {"b0": (0, 0, 0.1), "b1": (-1, 0, 0.1), "box": (-2, 0, 0.1)}
    start["b2"] = vc.At((0.895, 1, 0.1), rate=(0.03, 0, 0, 0, 0.3, 0))
    motion = stepped(system, 0.5, start, h=2e-3)
    assert len(motion.record.contact_solver) == 250
    assert not any("cut" in line for line in motion.log)


@pytest.mark.parametrize("kind", [FreeBodiesType, BlocksInContactType])
def test_the_log_says_what_was_located_and_what_was_not(kind, monkeypatch):
    """Twenty balls that land one after the other; blocks of any kind locate impacts only if they are told to, and say so."""
    system, start = balls(20), {f"b{k}": (k, 0, 0.5 + 0.003 * k) for k in range(20)}
    if kind is BlocksInContactType:
        monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
        weight = system.add(vc.MassPoint("weight", mass=1.0))
        system.add(vc.Spring("spring", weight, "ground", stiffness=1.0))
        start["weight"] = (90, 0, 0)
    located = stepped(system, 0.4, start, impacts="located")
    assert isinstance(located.record.model.type, kind)
    assert any("20 times a step was cut at the instant of an impact" in line for line in located.log)
    np.testing.assert_allclose(hits(located), np.sqrt(2 * (0.4 + 0.003 * np.arange(20)) / G), atol=1e-12)
    unasked, plain = stepped(system, 0.4, start), stepped(system, 0.4, start, impacts="stepped")
    told = "impacts act in the middles of steps; impacts='located' cuts steps"
    assert (told in unasked.log) == (kind is BlocksInContactType)
    assert told not in plain.log
