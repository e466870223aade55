"""Bodies of variable mass against closed forms: rockets, hailstones, chains and jet damping."""

import numpy as np
import pytest

import vinculum as vc

G = 9.81
DIGITS = 1e-10


def falling(source, mass, **start):
    """A mass point that falls along −z."""
    system = vc.System("falling", gravity=(0, 0, -G))
    system.add(vc.MassPoint("body", mass, sources=source))
    return system, {"body": vc.At(start.get("at", (0, 0, 0)), start.get("rate", (0, 0, 0)))}


def relative_error(found, expected):
    return np.abs(found / expected - 1.0).max()


@pytest.mark.parametrize("method", ["taylor", "dop853"])
def test_a_rocket_follows_tsiolkovsky(method):
    c, rate = 3.0, 0.4
    for g in (0.0, G):
        system = vc.System("rocket", gravity=(0, 0, -g))
        system.add(vc.MassPoint("rocket", 2.0, sources=vc.MassSource(-rate, relative=(0, 0, -c))))
        motion = vc.simulate(system, until=3.5, method=method)
        t, rocket = motion.time[1:], motion.body("rocket")
        assert relative_error(rocket.velocity[1:, 2], c * np.log(2.0 / (2.0 - rate * t)) - g * t) < DIGITS
        assert relative_error(rocket.mass, 2.0 - rate * motion.time) < DIGITS
        assert motion.audit().passed
        if g == 0.0:
            assert abs(rocket.velocity[-1, 2] - 3.611918412978) < 1e-12


@pytest.mark.parametrize("method", ["taylor", "dop853"])
def test_a_hailstone_gathers_mass_at_rest(method):
    system, start = falling(vc.MassSource(0.3, velocity=(0, 0, 0)), 2.0)
    motion = vc.simulate(system, until=3.5, start=start, method=method)
    t = motion.time
    assert (
        relative_error(-motion.body("body").velocity[1:, 2], (G * (2 * t + 0.15 * t * t) / (2 + 0.3 * t))[1:]) < DIGITS
    )
    assert abs(motion.body("body").velocity[-1, 2] + 28.424877049180) < 1e-11
    assert motion.audit().passed


def test_a_raindrop_that_sweeps_up_mist_falls_with_a_seventh_of_gravity():
    """With m ∝ x³ it obeys v² = (2 g/7) (x − x₀⁷/x⁶)."""
    first = 0.5
    source = vc.MassSource(lambda drop: 3.0 * drop.mass * drop.velocity[2] / drop.position[2], velocity=(0, 0, 0))
    system, start = falling(source, 1.0, at=(0, 0, -first))
    motion = vc.simulate(system, until=6.0, start=start)
    x, v = -motion.body("body").position[1:, 2], motion.body("body").velocity[1:, 2]
    assert relative_error(v * v, 2 * G / 7 * (x - first**7 / x**6)) < DIGITS
    assert relative_error(motion.body("body").mass[1:], (x / first) ** 3) < DIGITS
    assert x[-1] > 10 * first
    assert motion.audit().passed


CHAINS = {
    "inelastic": lambda x, first: 2 * G / 3 * (x - first**3 / x**2),
    "energy-conserving": lambda x, first: G * (x - first**2 / x),
}


@pytest.mark.parametrize("law", CHAINS)
def test_a_chain_falls_from_a_heap(law):
    """The part that hangs over the edge, of length x, takes links at rest from the heap."""
    density, first = 0.7, 0.2
    source = vc.MassSource(lambda chain: -density * chain.velocity[2], velocity=(0, 0, 0), law=law)
    system, start = falling(source, density * first, at=(0, 0, -first))
    motion = vc.simulate(system, until=2.0, start=start)
    chain = motion.body("body")
    x, v = -chain.position[1:, 2], chain.velocity[1:, 2]
    assert relative_error(v * v, CHAINS[law](x, first)) < DIGITS
    energy = 0.5 * chain.mass * chain.velocity[:, 2] ** 2 - 0.5 * density * G * chain.position[:, 2] ** 2
    lost = (energy[0] - energy[-1]) / np.abs(energy).max()
    assert lost > 0.1 if law == "inelastic" else abs(lost) < DIGITS
    assert motion.audit().passed


FOLDED = {
    "inelastic": (lambda v: v, lambda y, length: 2 * G * y),
    "energy-conserving": (lambda v: 0.0 * v, lambda y, length: 2 * G * y * (length - y / 2) / (length - y)),
}


@pytest.mark.parametrize("law", FOLDED)
def test_a_folded_chain_falls(law):
    """The falling arm, of length (L − y)/2, loses links to the arm at rest: freely if they are torn to rest, faster than g if not."""
    density, length = 0.7, 2.0
    outside, speed = FOLDED[law]
    source = vc.MassSource(
        lambda arm: 0.5 * density * arm.velocity[2], velocity=lambda arm: outside(arm.velocity), law=law
    )
    system, start = falling(source, 0.5 * density * length)
    motion = vc.simulate(system, until=0.5, start=start)
    arm = motion.body("body")
    y, v = -arm.position[1:, 2], arm.velocity[1:, 2]
    assert y[-1] > 0.6 * length
    assert relative_error(v * v, speed(y, length)) < DIGITS
    assert relative_error(arm.mass[1:], 0.5 * density * (length - y)) < DIGITS
    assert motion.audit().passed


@pytest.mark.parametrize("l", [0.3, 0.5**0.5, 1.3])
def test_a_jet_damps_a_turning_rocket(l):
    """ω = ω₀ (m/m₀)^(l²/k² − 1)."""
    m0, k2, w0 = 10.0, 0.5, 0.3
    source = vc.MassSource(-1.0, relative=(0, 0, -50.0), at=(0, 0, -l))
    system = vc.System("jet")
    system.add(vc.RigidBody("rocket", m0, inertia=(m0 * k2, m0 * k2, 0.1 * m0), sources=source))
    motion = vc.simulate(system, until=6.0, start={"rocket": vc.At(rate=(0, 0, 0, w0, 0, 0))})
    rocket = motion.body("rocket")
    assert relative_error(rocket.angular_velocity[:, 0], w0 * (rocket.mass / m0) ** (l * l / k2 - 1)) < DIGITS
    assert motion.audit().passed


def test_mass_that_only_falls_off_changes_no_velocity():
    """Without a relative velocity and without a way through the body nothing is exerted, whatever the body does."""
    source = vc.MassSource(lambda body, t: -0.5 * (1 + vc.math.sin(t)))
    system = vc.System("shedding")
    inertia = np.array([1.0, 1.0, 1.4])
    system.add(vc.RigidBody("body", 4.0, com=lambda m: (0, 0, 0.1 * m), inertia=lambda m: m * inertia, sources=source))
    rate = (0.3, -0.2, 0.1, 0.0, 0.0, 2.0)
    motion = vc.simulate(system, until=3.0, start={"body": vc.At(rate=rate)})
    assert np.abs(motion.body("body").angular_velocity - (0, 0, 2.0)).max() < 1e-13
    assert np.abs(motion.body("body").velocity - rate[:3]).max() < 1e-12
    assert motion.audit().passed


def test_a_ball_that_gathers_dust_at_rest_keeps_its_angular_momentum():
    source = vc.MassSource(0.5, velocity=(0, 0, 0))
    system = vc.System("dust")
    system.add(vc.RigidBody("ball", 2.0, inertia=lambda m: 0.4 * m ** (5 / 3) * np.ones(3), sources=source))
    motion = vc.simulate(system, until=4.0, start={"ball": vc.At(rate=(1.0, 0, 0, 0, 0, 3.0))})
    ball = motion.body("ball")
    assert relative_error(ball.angular_velocity[:, 2], 3.0 * (2.0 / ball.mass) ** (5 / 3)) < DIGITS
    assert relative_error(ball.velocity[:, 0], 2.0 / ball.mass) < DIGITS
    assert motion.audit().passed


@pytest.mark.parametrize("method", ["taylor", "dop853"])
def test_an_engine_that_stops_leaves_a_body_that_falls_freely(method):
    burning = vc.MassSource(lambda body: vc.math.where(body.mass > 1.0, -0.4, 0.0), relative=(0, 0, -3.0))
    system, start = falling(burning, 2.0)
    motion = vc.simulate(system, until=4.0, start=start, method=method)
    assert abs(motion.body("body").mass[-1] - 1.0) < 1e-12
    assert abs(motion.body("body").velocity[-1, 2] - 3 * np.log(2.0) + G * 4.0) < 1e-11
    assert motion.audit().passed


def test_a_run_ends_where_an_event_of_the_mass_says_so():
    system, start = falling(vc.MassSource(-0.4, relative=(0, 0, -3.0)), 2.0)
    burnt = vc.Event("burnt", ["body"], lambda body: body.mass - 1.0, stop=True)
    motion = vc.simulate(system, until=4.0, start=start, events=[burnt])
    assert abs(motion.time[-1] - 2.5) < 1e-13


@pytest.mark.parametrize(("method", "order"), [("verlet", 2), ("midpoint", 2), ("rk4", 4)])
def test_fixed_steps_keep_their_order(method, order):
    source = vc.MassSource(lambda body: -0.4 - 0.1 * vc.math.norm(body.velocity), relative=(0, 0, -3.0))
    system, start = falling(source, 3.0, rate=(1, 0, 0))
    best = vc.simulate(system, until=1.0, start=start)
    errors = []
    for step in (0.02, 0.01):
        motion = vc.simulate(system, until=1.0, start=start, method=method, step=step)
        errors.append(
            np.abs(motion.v[-1] - best.v[-1]).max() + abs(motion.body("body").mass[-1] - best.body("body").mass[-1])
        )
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.2
