"""Contact problems of the textbooks: shaken plates, corners, ladders, billiards, tops and coins, against their closed forms."""

import numpy as np
import pytest

import vinculum as vc

G = 9.81
ADAPTIVE = {"method": "dop853", "progress": False}


def stepped(h):
    return {"method": "moreau", "step": h, "progress": False}


def floor(body, r, mu, impact=None):
    """A floor z = 0 beneath a ball of radius r."""
    return vc.Unilateral(f"floor of {body.name}", [body], gap=lambda b: b.position[2] - r, impact=impact or vc.Inelastic(),
                       point=lambda b: b.position - np.array([0, 0, r]), friction=vc.Coulomb(mu))  # fmt: skip


AMPLITUDE, RATE = 0.02, 20.0


def carried(mu, until):
    """Instants and places of a block on a plate at A sin Ωt, from rest: slips at ± μg and rests in turn, each in closed form."""
    from scipy.optimize import brentq

    plate = lambda t: AMPLITUDE * RATE * np.cos(RATE * t)
    pull = lambda t: -AMPLITUDE * RATE**2 * np.sin(RATE * t)
    t, x, v, places = 0.0, 0.0, 0.0, [(0.0, 0.0)]

    def first(f, begin):
        grid = begin + np.linspace(1e-6, 1.0, 100_001)
        k = int(np.argmax(f(grid) < 0.0))
        return brentq(f, grid[k - 1], grid[k], xtol=1e-16) if k else begin

    while t < until:
        if abs(plate(t) - v) < 1e-12 and abs(pull(t)) <= mu * G:
            end = first(lambda s: mu * G - np.abs(pull(s)), t)
            x, v, t = x + AMPLITUDE * (np.sin(RATE * end) - np.sin(RATE * t)), plate(end), end
            places.append((t, x))
        side = np.sign(plate(t) - v) if abs(plate(t) - v) > 1e-12 else np.sign(pull(t))
        end = first(lambda s, t=t, v=v, side=side: side * (plate(s) - v) - mu * G * (s - t), t)
        x, v, t = x + v * (end - t) + 0.5 * side * mu * G * (end - t) ** 2, plate(end), end
        places.append((t, x))
    return np.array([place for place in places if place[0] < until]).T


@pytest.mark.parametrize("mu", [0.1, 0.75])
def test_a_block_on_a_shaken_plate_slips_to_and_fro_and_rests_between(mu):
    system = vc.System("plate", gravity=(0, 0, -G))
    plate = system.add(vc.PrescribedBody("plate", position=lambda t: (AMPLITUDE * vc.math.sin(RATE * t), 0, 0)))
    block = system.add(vc.MassPoint("block", 0.7))
    system.add(vc.Unilateral("on plate", [block, plate], gap=lambda b, p: b.position[2] - p.position[2], impact=vc.Inelastic(),
                           point=lambda b, p: b.position, friction=vc.Coulomb(mu)))  # fmt: skip
    motion = vc.simulate(system, 1.0, **ADAPTIVE)
    times, places = carried(mu, 1.0)
    np.testing.assert_allclose(motion.at(times).q[:, 0], places, atol=1e-12)
    assert len(motion.record.phases) == len(times) and motion.audit().passed


@pytest.mark.parametrize("options", [ADAPTIVE, stepped(1e-3)], ids=["events", "steps"])
def test_a_rod_in_a_corner_leaves_the_wall_at_two_thirds_of_the_cosine_it_began_with(options):
    from scipy.integrate import quad

    half, mass, begun = 0.5, 1.3, 0.15
    system = vc.System("rod", gravity=(0, -G, 0))
    rod = system.add(vc.RigidBody("rod", mass, inertia=(mass * half**2 / 3,) * 3))
    system.add(vc.Planar("plane", "ground", rod))
    system.add(vc.Unilateral("wall", [rod], gap=lambda r: r.point((0, half, 0))[0], impact=vc.Inelastic()))
    system.add(vc.Unilateral("floor", [rod], gap=lambda r: r.point((0, -half, 0))[1], impact=vc.Inelastic()))
    leaving = np.arccos(2 / 3 * np.cos(begun))
    turn = lambda angle: np.sqrt(1.5 * G / half * (np.cos(begun) - np.cos(angle)))
    time = quad(lambda s: 2 * s / turn(begun + s * s), 0.0, np.sqrt(leaving - begun), epsabs=1e-13)[0]
    start = {"plane": (half * np.sin(begun), half * np.cos(begun), begun)}
    motion = vc.simulate(system, time + 0.1, start, **options)
    exact = "step" not in options
    np.testing.assert_allclose(motion.at([time]).q[0, 2], leaving, atol=1e-12 if exact else 1e-5)
    np.testing.assert_allclose(motion.v[-1, 0], half * np.cos(leaving) * turn(leaving), atol=1e-12 if exact else 2e-4)
    if exact:
        assert [dict(phase.closed) for phase in motion.record.phases][1] == {"floor": "slides"}
        np.testing.assert_allclose(motion.record.phases[1].begin, time, atol=1e-9)
    assert motion.audit().passed


@pytest.mark.parametrize("options", [ADAPTIVE, stepped(1e-3)], ids=["events", "steps"])
@pytest.mark.parametrize(("floor_mu", "wall_mu"), [(0.3, 0.2), (0.5, 0.0)])
def test_a_ladder_stands_and_slips_about_the_angle_of_the_textbook(floor_mu, wall_mu, options):
    """tan θ = (1 − μ μ')/(2μ); beyond it both ends slide, with forces and acceleration of a linear system of three equations. Neither is
    the motion of a ladder with a hundredth less, or more, friction."""
    half, mass = 1.0, 5.0
    system = ladder_of(half, mass, floor_mu, wall_mu)
    limit = np.pi / 2 - np.arctan((1 - floor_mu * wall_mu) / (2 * floor_mu))
    for angle, slips in ((limit - 1e-4, False), (limit + 0.01, True)):
        s, c = half * np.sin(angle), half * np.cos(angle)
        motion = vc.simulate(system, 0.3 if not slips else 0.02, {"plane": (s, c, angle)}, **options)
        forces = [
            [-floor_mu, 1, -mass * c],
            [1, wall_mu, mass * s],
            [s - floor_mu * c, -c - wall_mu * s, -mass * half**2 / 3],
        ]
        expected = np.linalg.solve(forces, [0, mass * G, 0])[2] if slips else 0.0
        got = 2 * (motion.q[-1, 2] - angle) / motion.time[-1] ** 2
        np.testing.assert_allclose(got, expected, rtol=1e-3, atol=1e-10)
        assert motion.audit().passed
        other = ladder_of(half, mass, floor_mu * (1.01 if slips else 0.99), wall_mu)
        assert motion.replace(system=other).audit().verdict == "failed"


def ladder_of(half, mass, floor_mu, wall_mu):
    """A ladder in the plane (x, y), upright at zero, between a wall x = 0 and a floor y = 0."""
    system = vc.System("ladder", gravity=(0, -G, 0))
    ladder = system.add(vc.RigidBody("ladder", mass, inertia=(mass * half**2 / 3,) * 3))
    system.add(vc.Planar("plane", "ground", ladder))
    for name, end, axis, mu in (("wall", half, 0, wall_mu), ("floor", -half, 1, floor_mu)):
        tip = lambda b, end=end: b.point((0, end, 0))
        system.add(vc.Unilateral(name, [ladder], gap=lambda b, tip=tip, axis=axis: tip(b)[axis], point=tip,
                               impact=vc.Inelastic(), friction=vc.Coulomb(mu)))  # fmt: skip
    return system


@pytest.mark.parametrize("options", [ADAPTIVE, stepped(1e-4)], ids=["events", "steps"])
def test_a_spinning_billiard_ball_runs_along_a_parabola_until_it_rolls(options):
    """Coriolis (1835): friction μg against the first slip u₀, rolling after 2 u₀/(7 μg) with (5/7) v + (2/7) ω × r n."""
    r, mu = 0.03, 0.2
    v, spin = np.array([1.0, 0.3, 0.0]), np.array([20.0, -60.0, 35.0])
    system = vc.System("billiard", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(r), mass=0.2))
    system.add(floor(ball, r, mu))
    slip = v + np.cross(spin, [0, 0, -r])
    end = 2 * np.linalg.norm(slip) / (7 * mu * G)
    motion = vc.simulate(system, end + 0.1, {"ball": vc.At((0, 0, r), rate=(*v, *spin))}, **options)
    tolerance = 1e-12 if "step" not in options else 2e-5
    halfway, rolling, last = motion.at([0.5 * end, end, end + 0.1]).body("ball").position
    drag = mu * G * slip / np.linalg.norm(slip)
    np.testing.assert_allclose(halfway, [0, 0, r] + v * end / 2 - drag * end**2 / 8, atol=tolerance)
    np.testing.assert_allclose(
        (last - rolling) / 0.1, 5 / 7 * v + 2 / 7 * np.cross(spin, [0, 0, r]), atol=10 * tolerance
    )
    assert motion.audit().passed


def test_a_cue_ball_that_rolls_is_deflected_by_the_thirty_degree_rule():
    """Half-ball hit, elastic and without friction between the balls: tan θ = sin φ cos φ/(sin² φ + 2/5) once it rolls again."""
    r, phi, speed = 0.0286, np.radians(30.0), 1.5
    system = vc.System("shot", gravity=(0, 0, -G))
    balls = [system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(r), mass=0.17)) for name in ("cue", "object")]
    for ball in balls:
        system.add(floor(ball, r, 0.2))
    gap = lambda a, b: vc.math.norm(a.position - b.position) - 2 * r
    system.add(vc.Unilateral("balls", balls, gap=gap, impact=vc.Elastic()))
    start = {"cue": vc.At((-2 * r * np.cos(phi) - 0.1, 0, r), rate=(speed, 0, 0, 0, speed / r, 0)),
             "object": (0, 2 * r * np.sin(phi), r)}  # fmt: skip
    motion = vc.simulate(system, 0.8, start, **ADAPTIVE)
    way = np.diff(motion.at([0.75, 0.8]).body("cue").position, axis=0)[0]
    expected = np.sin(phi) * np.cos(phi) / (np.sin(phi) ** 2 + 0.4)
    np.testing.assert_allclose(-way[1] / way[0], expected, rtol=1e-11)
    assert motion.audit().passed


def test_jelletts_integral_of_a_tippe_top_stays_while_it_slides():
    """L · (r_contact − r_center) is constant for any friction (Jellett 1872)."""
    r, below, mass = 0.02, 0.004, 0.012
    inertia = 0.4 * mass * r**2 * np.array([1.05, 1.05, 1.0])
    system = vc.System("tippe top", gravity=(0, 0, -G))
    top = system.add(vc.RigidBody("top", mass, com=(0, 0, -below), inertia=tuple(inertia)))
    system.add(floor(top, r, 0.3))
    tilted = (0, 0, r, np.cos(0.05), np.sin(0.05), 0, 0)
    motion = vc.simulate(system, 0.3, {"top": vc.At(tilted, rate=(0, 0, 0, 0, 0, 150.0))}, **ADAPTIVE)
    turned = motion.body("top").rotation
    momentum = np.einsum("tij,tj->ti", turned, motion.v[:, 3:] * inertia)
    jellett = np.einsum("ti,ti->t", momentum, np.array([0, 0, -r]) + below * turned[:, :, 2])
    np.testing.assert_allclose(jellett, jellett[0], rtol=1e-12)
    assert np.arccos(turned[:, 2, 2]).max() - np.arccos(turned[:, 2, 2]).min() > 0.03 and motion.audit().passed


@pytest.mark.parametrize("options", [ADAPTIVE, stepped(1e-4)], ids=["events", "steps"])
def test_a_coin_spins_down_on_the_spot_with_the_rate_of_eulers_disk(options):
    """Rolling with its center at rest a disc precesses with Ω² = 4g/(R sin α); steps that are too long for its certificate do not fail."""
    R, tilt, mass = 0.04, 0.25, 0.1
    rate = np.sqrt(4 * G / (R * np.sin(tilt)))
    system = vc.System("coin", gravity=(0, 0, -G))
    coin = system.add(vc.RigidBody("coin", mass, inertia=(mass * R**2 / 4, mass * R**2 / 4, mass * R**2 / 2)))

    def lowest(b):
        down = b.rotation[2, 2] * b.rotation[:, 2] - np.array([0, 0, 1.0])
        return b.position + R * down / vc.math.norm(down)

    system.add(
        vc.Unilateral(
            "table", [coin], gap=lambda b: lowest(b)[2], point=lowest, impact=vc.Inelastic(), friction=vc.Coulomb(0.9)
        )
    )
    leaning = np.array([[np.cos(tilt), 0, np.sin(tilt)], [0, 1, 0], [-np.sin(tilt), 0, np.cos(tilt)]])
    spin = leaning.T @ (rate * (np.array([0, 0, 1]) - np.cos(tilt) * leaning[:, 2]))
    start = {"coin": vc.At(vc.Pose((0, 0, R * np.sin(tilt)), leaning), rate=(0, 0, 0, *spin))}
    motion = vc.simulate(system, 2 * np.pi / rate, start, **options)
    exact = "step" not in options
    np.testing.assert_allclose(motion.body("coin").rotation[-1, :, 2], leaning[:, 2], atol=1e-11 if exact else 1e-5)
    np.testing.assert_allclose(
        motion.body("coin").position[-1], (0, 0, R * np.sin(tilt)), atol=1e-12 if exact else 1e-7
    )
    assert motion.audit().verdict == ("passed" if exact else "undecided")


@pytest.mark.parametrize("options", [ADAPTIVE, stepped(1e-3)], ids=["events", "steps"])
def test_a_pressure_acts_as_the_gap_says_and_friction_at_the_place_of_contact(options):
    """A gap that does not see the attitude presses without a moment, wherever the place of contact is said to be: only friction turns."""
    mass, inertia, mu, ahead, below, speed = 2.0, 0.3, 0.2, 0.4, 0.1, 3.0
    system = vc.System("slider", gravity=(0, -G, 0))
    body = system.add(vc.RigidBody("slider", mass, inertia=(inertia,) * 3))
    system.add(vc.Planar("plane", "ground", body))
    system.add(vc.Unilateral("floor", [body], gap=lambda b: b.position[1], impact=vc.Inelastic(), friction=vc.Coulomb(mu),
                             point=lambda b: b.position + (ahead, -below, 0)))  # fmt: skip
    motion = vc.simulate(system, 0.3, {"plane": vc.At((0, 0, 0), rate=(speed, 0, 0))}, **options)
    t, pull = motion.time, -mu * mass * G
    np.testing.assert_allclose(motion.q[:, 2], 0.5 * below * pull / inertia * t**2, atol=1e-9)
    np.testing.assert_allclose(motion.q[:, 0], speed * t + 0.5 * pull / mass * t**2, atol=1e-9)
    assert motion.audit().passed
