"""Time stepping converges to the motion with true shocks: at order one in the mean, or at order two where impacts are located."""

from itertools import pairwise

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka
from shocked import LIFTED, ball, block, stopped_arm
from vinculum.motion import METHODS

STEPS = (4e-3, 1e-3, 2.5e-4)


def exact_heights(t, e=0.5, g=9.81):
    """The dropped ball in closed form."""
    z, begin, speed = np.full_like(t, np.nan), -np.sqrt(2 / g), np.sqrt(2 * g)
    while begin < t[-1]:
        end = begin + 2 * speed / g
        inside = (t >= begin) & (t <= end)
        z[inside] = speed * (t[inside] - begin) - 0.5 * g * (t[inside] - begin) ** 2
        begin, speed = end, e * speed
    return z


def stepped(system, until, start, h, **options):
    return vc.simulate(system, until, start, method="moreau", step=h, progress=False, **options)


def test_positions_of_a_ball_in_whole_steps_converge_at_order_one_in_the_mean():
    t, errors = np.linspace(0.0, 1.2, 2001), []
    for h in STEPS:
        motion = stepped(ball(vc.Newton(0.5)), 1.2, {"ball": (0, 0, 1.0)}, h, grid=t, impacts="stepped")
        errors.append(np.abs(motion.position("ball")[:, 2] - exact_heights(t)).mean())
    assert np.log(errors[0] / errors[2]) / np.log(16.0) == pytest.approx(METHODS["moreau"].order, abs=0.35)
    assert errors[1] <= 1.5e-3


def node_residual(h):
    """The weak form of a ball in whole steps with the impulses as atoms at the ends of steps and weight along the polygon of the nodes."""
    count = round(1.2 / h)
    motion = stepped(
        ball(vc.Newton(0.5), 1.0), 1.2, {"ball": (0, 0, 1.0)}, h, grid=h * np.arange(count + 1), impacts="stepped"
    )
    t, z, w = motion.time, motion.q[:, 2], motion.v[:, 2]
    P = np.zeros(count + 1)
    np.add.at(P, np.ceil(motion.atoms.times / h - 1e-9).astype(int), motion.atoms.percussions[:, 0])
    bump = lambda s: np.where(np.abs(s) < 1, np.exp(1 - 1 / (1 - np.minimum(s * s, 1 - 1e-12))), 0.0)
    phi = lambda t, z: bump((t - 0.6) / 0.5) * bump((z - 0.2) / 1.5)
    nodes, weights = np.polynomial.legendre.leggauss(3)
    weight = sum(
        0.5 * h * a * phi(t[:-1] + 0.5 * h * (1 + x), z[:-1] + 0.5 * (1 + x) * np.diff(z))
        for x, a in zip(nodes, weights, strict=True)
    )
    carried = np.sum(0.5 * (w[1:] + w[:-1]) * np.diff(phi(t, z)))
    return abs(-carried + 9.81 * weight.sum() - np.sum(P * phi(t, z)))


def test_the_weak_form_with_atoms_at_the_ends_of_steps_is_off_by_the_order_of_the_step():
    residuals = [node_residual(h) for h in STEPS]
    assert residuals[0] < 2e-2
    for coarse, fine in pairwise(residuals):
        assert 2.0 < coarse / fine < 8.0


def test_an_elastic_ball_in_whole_steps_keeps_its_energy_at_the_ends_of_steps():
    motion = stepped(
        ball(vc.Elastic()), 3.0, {"ball": (0, 0, 1.0)}, 1e-3, grid=1e-3 * np.arange(3001), impacts="stepped"
    )
    assert np.abs(motion.energy / motion.energy[0] - 1).max() < 1e-12


@pytest.mark.parametrize("h", [4e-3, 1e-3])
def test_located_impacts_of_a_ball_are_at_the_known_instants(h):
    """With e = 0.8 from 1 m, far less than six steps off."""
    hits = stepped(ball(vc.Newton(0.8)), 4.0, {"ball": (0, 0, 1.0)}, h).percussion("floor").times[:10]
    first = np.sqrt(2 / 9.81)
    known = first * (1 + 2 * np.array([sum(0.8**j for j in range(1, k)) for k in range(1, 11)]))
    np.testing.assert_allclose(hits, known, rtol=0, atol=1e-11)


def dumbbell():
    """Two points on a rod, which is a constraint, above a rough floor."""
    system = vc.System("dumbbell", gravity=(0, 0, -9.81))
    ends = [system.add(vc.MassPoint(name, mass)) for name, mass in (("a", 1.0), ("b", 2.0))]
    away = lambda a, b: vc.math.norm(a.position - b.position) - 1.0
    system.add(vc.Constraint("rod", ends, position=away, realization=vc.DAlembert()))
    for end in ends:
        system.add(vc.Boundary(f"floor {end.name}", [end], gap=lambda p: p.position[2], shock=vc.Newton(0.4),
                               friction=vc.Coulomb(0.3), point=lambda p: p.position))  # fmt: skip
    return system


THROWN = {"a": vc.At((0, 0, 0.5), rate=(1, 0, 0)), "b": vc.At((0.6, 0, 1.3), rate=(1, 0, 0))}


@needs_heyoka
@pytest.mark.parametrize(
    ("make", "start", "until", "impacts", "order"),
    [
        (lambda: stopped_arm(), LIFTED, 0.8, "stepped", 1.0),
        (lambda: stopped_arm(), LIFTED, 0.8, "located", 2.0),
        (lambda: dumbbell(), THROWN, 0.5, "located", 2.0),
        (lambda: block(0.3), {"block": (0, 0, 0.1)}, 0.3, "stepped", 1.0),
    ],
    ids=["arm in whole steps", "arm", "constrained and rough", "sliding"],
)
def test_time_stepping_converges_to_the_motion_shock_by_shock(make, start, until, impacts, order):
    t = np.linspace(0.0, until, 501)
    truth = vc.simulate(make(), until, start, progress=False, grid=t).q
    coarse, fine = (
        np.abs(stepped(make(), until, start, h, grid=t, impacts=impacts).q - truth).mean() for h in (2e-3, 5e-4)
    )
    assert fine < 1e-3
    assert fine < 1e-9 or np.log(coarse / fine) / np.log(4.0) > order - 0.4
