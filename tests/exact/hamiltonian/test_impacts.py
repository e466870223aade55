"""Impacts at walls, against closed forms between them."""

import numpy as np
import pytest
from scipy.optimize import brentq

import vinculum as vc
from vinculum import math as m

h = vc.hamiltonian
FORCE, RATE, PLACE, RESTITUTION = 1.0, 2.6, -0.1, 0.7


def ball():
    return h.Hamiltonian("ball", ["z"], lambda z, p_z: p_z**2 / 2 + 9.81 * z)


def forced(x: float, p: float, begin: float, t):
    """Position and momentum of ẍ + x = F cos ωt, from a state at ``begin``."""
    A = FORCE / (1.0 - RATE**2)
    c, s = x - A * np.cos(RATE * begin), p + A * RATE * np.sin(RATE * begin)
    since = t - begin
    position = A * np.cos(RATE * t) + c * np.cos(since) + s * np.sin(since)
    return position, -A * RATE * np.sin(RATE * t) - c * np.sin(since) + s * np.cos(since)


def impact_oscillator(x: float, p: float, until: float, instants: np.ndarray) -> tuple[np.ndarray, int]:
    """States at instants, and the number of impacts at x = PLACE: linear motions from one to the next."""
    t, states, impacts = 0.0, [], 0
    while True:
        grid = t + 5e-3 * np.arange(1, 4000)
        k = int(np.argmax(forced(x, p, t, grid)[0] < PLACE))
        hit = brentq(lambda at, now=(x, p, t): forced(*now, at)[0] - PLACE, grid[k] - 5e-3 + 1e-9, grid[k], xtol=1e-15)
        states += [forced(x, p, t, at) for at in instants if t <= at < min(hit, until)]
        if hit >= until:
            return np.array(states), impacts
        p = -RESTITUTION * forced(x, p, t, hit)[1]
        x, t, impacts = PLACE, hit, impacts + 1


def test_a_forced_oscillator_with_lossy_impacts_follows_its_linear_pieces():
    """Every impact contracts areas by e², so that the exponents add up to 2 N ln e / T."""
    H = h.Hamiltonian("forced", ["x"], lambda x, p_x, t: p_x**2 / 2 + x**2 / 2 - FORCE * x * m.cos(RATE * t))
    wall = h.Wall(lambda x: x - PLACE, restitution=RESTITUTION)
    period = 2.0 * np.pi / RATE
    instants, until = period * np.arange(1, 13), 12.5 * period
    exact, impacts = impact_oscillator(0.5, 0.0, until, instants)
    found = h.poincare_section(H, lambda t: m.sin(RATE * t), [0.5], [0.0], until, walls=[wall])
    assert found.time == pytest.approx(instants, abs=1e-12)
    assert np.concatenate([found.q, found.p], axis=1) == pytest.approx(exact, abs=1e-10)
    spectrum = h.lyapunov_spectrum(H, until, [0.5], [0.0], walls=[wall])
    assert impacts == 8
    assert spectrum.exponents.sum() == pytest.approx(2.0 * impacts * np.log(RESTITUTION) / until, abs=1e-10)


@pytest.mark.parametrize(("floor", "e"), [(0.0, 0.5), (0.0, 0.95), (7.0, 0.1)])
def test_impacts_accumulate_at_the_sum_of_a_geometric_series(floor, e):
    """From height one: √(2/g) (1 + 2e/(1 − e))."""
    wall = h.Wall(lambda z: z - floor, restitution=e)
    last = np.sqrt(2.0 / 9.81) * (1.0 + 2.0 * e / (1.0 - e))
    with pytest.raises(vc.errors.RunError, match=rf"infinitely many before t = {last:.6g},"):
        h.lyapunov_spectrum(ball(), 100.0, [floor + 1.0], [0.0], walls=[wall])
    before = h.poincare_section(ball(), lambda p_z: p_z, [floor + 1.0], [0.0], 0.999 * last, direction=-1, walls=[wall])
    tops = np.sqrt(2.0 / 9.81) * (1.0 + e + (1.0 + e) * np.cumsum(np.append(0.0, e ** np.arange(1, len(before.time)))))
    assert before.time == pytest.approx(tops, abs=1e-10)


def test_a_start_on_a_wall_that_moves_into_it_has_an_impact_at_once():
    """From z = 0 with p = −g/2 the tops are a second apart."""
    tops = h.poincare_section(
        ball(), lambda p_z: p_z, [0.0], [-9.81 / 2], 3.7, direction=-1, walls=[h.Wall(lambda z: z)]
    )
    assert tops.time == pytest.approx([0.5, 1.5, 2.5, 3.5], abs=1e-11)
    assert tops.q[:, 0] == pytest.approx(np.full(4, 9.81 / 8), abs=1e-11)


def test_a_jump_at_a_wall_is_no_crossing_of_a_section():
    """The momentum rises through zero at impacts alone."""
    rising = h.poincare_section(ball(), lambda p_z: p_z, [1.0], [0.3], 5.0, walls=[h.Wall(lambda z: z)])
    assert len(rising.time) == 0


@pytest.mark.parametrize("away", [3.0, 20.0, 2000.0])
def test_a_particle_does_not_pass_through_an_obstacle_within_a_step(away):
    """Free motions have steps of any length, and the gap of a disc is positive on both sides of it."""
    free = h.Hamiltonian("free", ["x", "y"], lambda p: p @ p / 2)
    offsets = np.array([0.0, 0.3, 0.8, 0.9999])
    starts, velocities = np.stack([np.full(4, -away), offsets], axis=1), np.tile([1.0, 0.0], (4, 1))
    disc, at = h.Wall(lambda x, y: x * x + y * y - 1.0), away + 2.5
    later = h.poincare_section(free, lambda t: t - at, starts, velocities, until=at + 0.5, walls=[disc])
    normals = np.stack([-np.sqrt(1.0 - offsets**2), offsets], axis=1)
    reflected = velocities - 2.0 * normals[:, :1] * normals
    assert later.p[:, 0] == pytest.approx(reflected, abs=1e-12 * away)


@pytest.mark.parametrize("x", [0.99, 0.9999, 0.999999])
def test_a_section_that_is_crossed_twice_within_a_step_has_both_crossings(x):
    oscillator = h.Hamiltonian("oscillator", ["x"], lambda x, p_x: (p_x**2 + x**2) / 2)
    found = h.poincare_section(oscillator, lambda q: q[0] - x, [0.6], [0.8], until=40 * np.pi, direction=0)
    peaks = np.arctan2(0.8, 0.6) + 2 * np.pi * np.arange(20)
    exact = np.stack([peaks - np.arccos(x), peaks + np.arccos(x)], axis=1).ravel()
    assert found.time == pytest.approx(exact, abs=1e-7)


def test_a_wavy_floor_is_met_where_a_ray_meets_it_first():
    free = h.Hamiltonian("free", ["x", "y"], lambda p: p @ p / 2)
    floor = h.Wall(lambda x, y: y - 0.1 * m.sin(9.0 * x))
    for slope in (-0.05, -0.2, -1.0):
        along = np.arange(0.0, 6.0 / abs(slope), 1e-3)
        gap = lambda x, slope=slope: 5.0 + slope * x - 0.1 * np.sin(9.0 * x)
        k = int(np.argmax(gap(along) <= 0.0))
        place = brentq(gap, along[k - 1], along[k], xtol=1e-14)
        normal = np.array([-0.9 * np.cos(9.0 * place), 1.0])
        p = np.array([1.0, slope])
        p = p - 2.0 * (p @ normal) / (normal @ normal) * normal
        after = h.poincare_section(
            free, lambda t, at=place + 1e-3: t - at, [0.0, 5.0], [1.0, slope], until=place + 1.0, walls=[floor]
        )
        assert after.p[0] == pytest.approx(p, abs=1e-9)
