"""Impacts, sliding and sticking against closed forms (Moreau, An expression of classical dynamics; Coulomb)."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

G = 9.81
BOTH = [
    pytest.param({}, marks=needs_heyoka, id="event-driven"),
    pytest.param({"method": "moreau", "step": 1e-3}, id="moreau"),
]


def ball(impact, **floor):
    system = vc.System("ball", gravity=(0, 0, -G))
    body = system.add(vc.MassPoint("ball", 1.3))
    system.add(vc.Unilateral("floor", [body], gap=lambda b: b.position[2], impact=impact, **floor))
    return system


def impacts(e, count):
    first = np.sqrt(2.0 / G)
    return first * (1.0 + 2.0 * np.array([sum(e**j for j in range(1, k)) for k in range(1, count + 1)]))


@needs_heyoka
@pytest.mark.parametrize("e", [0.3, 0.5, 0.8, 1.0])
def test_a_dropped_ball_hits_at_the_known_instants(e):
    motion = vc.simulate(ball(vc.Newton(e)), 4.5, {"ball": (0, 0, 1)}, progress=False)
    count = min(10, len(motion.record.atoms))
    if e == 0.5:
        np.testing.assert_allclose(
            motion.record.atoms.times[:4], [0.4515236, 0.9030473, 1.1288091, 1.2416900], rtol=0, atol=5e-8
        )
    np.testing.assert_allclose(motion.record.atoms.times[:count], impacts(e, count), rtol=0, atol=1e-13)


@needs_heyoka
@pytest.mark.parametrize(("e", "end"), [(0.5, 1.3545709), (0.7, 2.5586340), (0.8, 4.0637128), (0.9, 8.5789492)])
def test_infinitely_many_impacts_in_finite_time_are_passed_and_the_ball_lies_still(e, end):
    motion = vc.simulate(ball(vc.Newton(e)), end + 1.0, {"ball": (0, 0, 1)}, progress=False)
    assert motion.record.atoms.times[-1] == pytest.approx(end, abs=5e-8)
    assert motion.record.phases[-1].closed == (("floor", "slides"),)
    np.testing.assert_allclose(motion.at([end + 0.9]).q[0], 0.0, rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.at([end + 0.9]).v[0], 0.0, rtol=0, atol=1e-9)


@needs_heyoka
def test_the_impulses_of_a_dropped_ball_sum_to_what_gravity_gave():
    motion = vc.simulate(ball(vc.Newton(0.5)), 1.4, {"ball": (0, 0, 1)}, progress=False)
    rest = motion.record.atoms.times[-1]
    assert motion.record.atoms.contact_impulses[:, 0].sum() == pytest.approx(1.3 * G * rest, rel=1e-8)


@pytest.mark.parametrize("options", BOTH)
@pytest.mark.parametrize(
    ("law", "speeds"),
    [
        (vc.Inelastic(), (1 / 3, 1 / 3, 1 / 3)),
        (vc.Elastic(), (-1 / 3, 2 / 3, 2 / 3)),
        (vc.Poisson(1.0), (-1 / 3, 2 / 3, 2 / 3)),
        (vc.Elastic(treatment="sequential"), (0, 0, 1)),
    ],
)
def test_three_equal_balls_in_a_row(law, speeds, options):
    system = vc.System("cradle")
    balls = [system.add(vc.MassPoint(f"ball {k}", 0.7)) for k in range(3)]
    for k in range(2):
        system.add(
            vc.Unilateral(
                f"pair {k}", balls[k : k + 2], gap=lambda a, b: b.position[0] - a.position[0] - 0.1, impact=law
            )
        )
    start = {"ball 0": vc.At((-0.25, 0, 0), rate=(1, 0, 0)), "ball 1": (0, 0, 0), "ball 2": (0.1, 0, 0)}
    motion = vc.simulate(system, 0.16, start, progress=False, **options)
    np.testing.assert_allclose(motion.at([0.16]).v[0].reshape(3, 3)[:, 0], speeds, rtol=0, atol=1e-9)


@needs_heyoka
@pytest.mark.parametrize("e", [0.0, 0.35, 1.0])
def test_an_impact_takes_the_energy_of_its_approach_on_a_random_inertia(e):
    """(1 − e²) v_N² / (2 ∇g · M⁻¹ ∇g), and v_N⁺ = −e v_N⁻, by NumPy from the mass matrix alone."""
    rng = np.random.default_rng(3)
    A = rng.normal(size=(3, 3))
    inertia = np.trace(A @ A.T) * np.eye(3) - A @ A.T
    system = vc.System("body")
    body = system.add(vc.RigidBody("body", 1.7, com=(0.2, -0.1, 0.3), inertia=inertia))
    p = np.array([0.3, 0.4, -0.2])
    system.add(vc.Unilateral("wall", [body], gap=lambda b: b.point(tuple(p))[2] + 0.2, impact=vc.Newton(e)))
    v, w = rng.normal(size=3), rng.normal(size=3)
    v[2] = -3.0
    motion = vc.simulate(system, 1e-3, {"body": vc.At((0, 0, 0), rate=(*v, *w))}, progress=False)
    c = np.array([0.2, -0.1, 0.3])
    cross = lambda a: np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    M = np.block([[1.7 * np.eye(3), -1.7 * cross(c)], [1.7 * cross(c), inertia - 1.7 * cross(c) @ cross(c)]])
    H, u = np.concatenate([[0, 0, 1], np.cross(p, (0, 0, 1))]), np.concatenate([v, w])
    after, compliance = motion.at([0.0]).body("body").twist[0], H @ np.linalg.solve(M, H)
    assert H @ after == pytest.approx(-e * (H @ u), abs=1e-12)
    lost = 0.5 * u @ M @ u - 0.5 * after @ M @ after
    assert lost == pytest.approx((1 - e**2) * (H @ u) ** 2 / (2 * compliance), abs=1e-11)


@needs_heyoka
def test_an_oblique_hit_with_friction():
    floor = ball(vc.Newton(0.6), friction=vc.Coulomb(0.2), point=lambda b: b.position)
    motion = vc.simulate(floor, 1e-3, {"ball": vc.At((0, 0, 0), rate=(3, 0, -4))}, progress=False)
    np.testing.assert_allclose(motion.at([0.0]).v[0], [1.72, 0.0, 2.4], rtol=0, atol=1e-12)


def slope(mu):
    system = vc.System("slope", gravity=(G * np.sin(0.5), 0, -G * np.cos(0.5)))
    body = system.add(vc.RigidBody.solid("block", vc.shapes.Box((0.4, 0.4, 0.2)), mass=2.0))
    stand_on(system, body, [(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.2, 0.2)], mu)
    return system


def stand_on(system, body, corners, mu):
    for i, p in enumerate(corners):
        system.add(vc.Unilateral(f"corner {i}", [body], gap=lambda b, p=p: b.point(p)[2], point=lambda b, p=p: b.point(p),
                               impact=vc.Inelastic(), friction=vc.Coulomb(mu)))  # fmt: skip


@pytest.mark.parametrize("options", BOTH)
def test_a_block_slides_down_a_slope_as_coulomb_says(options):
    motion = vc.simulate(slope(0.3), 1.0, {"block": (0, 0, 0.1)}, progress=False, **options)
    speed = G * (np.sin(0.5) - 0.3 * np.cos(0.5))
    np.testing.assert_allclose(motion.at([1.0]).v[0], [speed, 0, 0, 0, 0, 0], rtol=0, atol=1e-8)
    assert speed == pytest.approx(2.120439, abs=1e-6)


@pytest.mark.parametrize("options", BOTH)
def test_a_block_on_a_rough_slope_does_not_move_at_all(options):
    motion = vc.simulate(slope(0.7), 1.0, {"block": (0, 0, 0.1)}, progress=False, **options)
    assert np.abs(motion.v).max() < 1e-10
    assert np.abs(motion.q[-1] - motion.q[0]).max() < 1e-11


@needs_heyoka
@pytest.mark.parametrize("e", [0.0, 1.0])
def test_inside_a_disc_a_point_bounces_or_slides_along_the_wall(e):
    system = vc.System("billiard")
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Unilateral("wall", [point], gap=lambda b: 1.0 - vc.math.norm(b.position), impact=vc.Newton(e)))
    motion = vc.simulate(system, 5.0, {"point": vc.At((0.2, 0, 0), rate=(0.3, 0.9, 0))}, progress=False)
    x, v = motion.at([5.0]).q[0], motion.at([5.0]).v[0]
    assert x[0] * v[1] - x[1] * v[0] == pytest.approx(0.18, abs=1e-12)
    assert np.linalg.norm(v) == pytest.approx(np.hypot(0.3, 0.9) if e else 0.18, abs=1e-12)
    assert np.linalg.norm(motion.q, axis=1).max() <= 1.0 + 1e-12
    if not e:
        assert vc.Motion(motion.record.in_phases()[-1]).bond("wall").multiplier == pytest.approx(
            0.18**2, rel=1e-9
        )  # θ̇² R of a unit mass at R = 1
    assert motion.audit().passed, str(motion.audit())


@needs_heyoka
@pytest.mark.parametrize(("law", "after"), [(vc.Inelastic(), 0.7), (vc.Elastic(), 2 * 0.7 + 1.5)])
def test_a_piston_hits_a_point(law, after):
    system = vc.System("piston")
    point = system.add(vc.MassPoint("point", 0.4))
    system.add(vc.Unilateral("piston", [point], gap=lambda b, t: b.position[0] - 0.7 * t, impact=law))
    motion = vc.simulate(system, 0.6, {"point": vc.At((1, 0, 0), rate=(-1.5, 0, 0))}, progress=False)
    assert motion.record.atoms.times[0] == pytest.approx(1 / 2.2, abs=1e-13)
    assert motion.at([0.6]).v[0, 0] == pytest.approx(after, abs=1e-12)


@needs_heyoka
@pytest.mark.slow
def test_a_rocking_block_keeps_the_known_part_of_its_energy():
    width, height, tilt = 0.2, 1.0, 0.1
    corners = [(x, y, -height / 2) for x in (-width / 2, width / 2) for y in (-0.15, 0.15)]
    system = vc.System("rocking block", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody.solid("block", vc.shapes.Box((width, 0.3, height)), mass=1.0))
    stand_on(system, body, corners, 5.0)
    lift = max(np.sin(tilt) * x + np.cos(tilt) * height / 2 for x, _, _ in corners)
    start = {"block": (0, 0, lift, np.cos(tilt / 2), 0, np.sin(tilt / 2), 0)}
    motion = vc.simulate(system, 1.7, start, progress=False)
    kept = (1 - 1.5 * np.sin(np.arctan(width / height)) ** 2) ** 2
    lowest = G * height / 2
    for t in motion.record.atoms.times[:3]:
        before, after = (motion.at([t + dt]).energy[0] - lowest for dt in (-1e-9, 1e-9))
        assert after / before == pytest.approx(kept, abs=1e-9)
    assert motion.audit().passed, str(motion.audit())


def pulled(force):
    system = ball(vc.Inelastic(), friction=vc.Coulomb(0.3), point=lambda b: b.position)
    system.add(vc.Force("pull", "ball", lambda b, t: vc.Wrench(force=(force(t), 0, 0))))
    return system


@needs_heyoka
def test_a_force_that_grows_slowly_tears_a_point_loose_when_it_outgrows_friction():
    motion = vc.simulate(pulled(lambda t: 4 * t), 2.0, {"ball": (0, 0, 0)}, progress=False)
    loose = 0.3 * 1.3 * G / 4
    assert [phase.closed for phase in motion.record.phases] == [(("floor", "sticks"),), (("floor", "slides"),)]
    assert motion.record.pieces.times[motion.record.phases[1].step] == pytest.approx(loose, abs=1e-12)
    assert motion.at([2.0]).v[0, 0] == pytest.approx(2 / 1.3 * (2 - loose) ** 2, abs=1e-11)
    assert motion.at([2.0]).q[0, 0] == pytest.approx(2 / 3 / 1.3 * (2 - loose) ** 3, abs=1e-11)


@needs_heyoka
@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 1.0)])
def test_an_ellipse_of_friction_lets_go_where_the_pull_reaches_it_whatever_the_scale_of_the_gap(way):
    """(F c/a)² + (F s/b)² = N², with N the force of the floor and not the multiplier of a gap that is 2.5 z."""
    a, b, m, rate = 0.3, 0.5, 1.3, 4.0
    system = vc.System("pulled", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("point", m))
    system.add(vc.Unilateral("floor", [point], gap=lambda p: 2.5 * p.position[2], point=lambda p: p.position, impact=vc.Inelastic(),
                           friction=vc.Coulomb(a, along=(1, 0, 0), mu_across=b)))  # fmt: skip
    system.add(vc.Force("pull", point, lambda p, t: vc.Wrench(force=(rate * way[0] * t, rate * way[1] * t, 0))))
    motion = vc.simulate(system, 2.0, {"point": (0, 0, 0)}, progress=False)
    loose = m * G / np.hypot(way[0] / a, way[1] / b) / rate
    assert motion.record.pieces.times[motion.record.phases[1].step] == pytest.approx(loose, abs=1e-11)


@needs_heyoka
def test_slip_to_and_fro_and_rest_between_are_certified():
    motion = vc.simulate(pulled(lambda t: 5 * vc.math.sin(2 * t)), 5.0, {"ball": (0, 0, 0)}, progress=False)
    assert {dict(phase.closed)["floor"] for phase in motion.record.phases} == {"sticks", "slides"}
    assert motion.audit().passed


@pytest.mark.parametrize("options", BOTH)
def test_events_are_found_between_impacts_and_may_end_the_run(options):
    rising = vc.Event("rising", ["ball"], lambda b: b.position[2] - 0.2, direction=1, stop=True)
    motion = vc.simulate(ball(vc.Newton(0.5)), 1.0, {"ball": (0, 0, 1)}, progress=False, events=[rising], **options)
    speed = 0.5 * np.sqrt(2 * G)
    after = np.sqrt(2 / G) + (speed - np.sqrt(speed**2 - 2 * G * 0.2)) / G
    assert motion.record.pieces.end == pytest.approx(after, abs=1e-3 if options else 1e-12)
    assert [crossing.name for crossing in motion.record.crossings] == ["rising"]
    assert len(motion.record.atoms) == 1


@pytest.mark.parametrize("rate", [(1.0, 0.0, 0.0), (0.7, 0.2, 0.0)])
def test_friction_stops_a_sliding_point_by_every_adaptive_method(rate):
    system = ball(vc.Inelastic(), friction=vc.Coulomb(0.5), point=lambda b: b.position)
    motion = vc.simulate(system, 1.0, {"ball": vc.At((0, 0, 0), rate=rate)}, method="dop853", progress=False)
    speed = np.linalg.norm(rate)
    assert [dict(phase.closed)["floor"] for phase in motion.record.phases] == ["slides", "sticks"]
    assert motion.record.pieces.times[motion.record.phases[1].step] == pytest.approx(speed / (0.5 * G), abs=1e-7)
    np.testing.assert_allclose(motion.q[-1], np.array(rate) * speed / G, atol=1e-9)
    assert np.abs(motion.v[-1]).max() < 1e-12
