"""Time stepping converges to the motion with true impacts: at order one in the mean, or at order two where impacts are located."""

from itertools import pairwise

import numpy as np
import pytest

import vinculum as vc
from free_bodies import free_bodies
from impacted import LIFTED, ball, block, stopped_arm
from marks import needs_heyoka
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
        errors.append(np.abs(motion.body("ball").position[:, 2] - exact_heights(t)).mean())
    assert np.log(errors[0] / errors[2]) / np.log(16.0) == pytest.approx(METHODS["moreau"].order, abs=0.35)
    assert errors[1] <= 1.5e-3


def paired(h, z, w, P):
    """The weak form of nodes (z, w) with the impulses as atoms at the ends of steps and weight along the polygon of the nodes."""
    t = h * np.arange(len(z))
    bump = lambda s: np.where(np.abs(s) < 1, np.exp(1 - 1 / (1 - np.minimum(s * s, 1 - 1e-12))), 0.0)
    phi = lambda t, z: bump((t - 0.6) / 0.5) * bump((z - 0.2) / 1.5)
    nodes, weights = np.polynomial.legendre.leggauss(3)
    weight = sum(
        0.5 * h * a * phi(t[:-1] + 0.5 * h * (1 + x), z[:-1] + 0.5 * (1 + x) * np.diff(z))
        for x, a in zip(nodes, weights, strict=True)
    )
    carried = np.sum(0.5 * (w[1:] + w[:-1]) * np.diff(phi(t, z)))
    return abs(-carried + 9.81 * weight.sum() - np.sum(P * phi(t, z)))


def node_residual(h):
    """The weak form of a ball in whole steps."""
    count = round(1.2 / h)
    motion = stepped(
        ball(vc.Newton(0.5), 1.0), 1.2, {"ball": (0, 0, 1.0)}, h, grid=h * np.arange(count + 1), impacts="stepped"
    )
    P = np.zeros(count + 1)
    np.add.at(P, np.ceil(motion.record.atoms.times / h - 1e-9).astype(int), motion.record.atoms.contact_impulses[:, 0])
    return paired(h, motion.q[:, 2], motion.v[:, 2], P)


def plain_residual(h, e=0.5, g=9.81):
    """The same of the plain scheme, which lets a gap close where z + h w/2 ≤ 0, by hand."""
    rows = [(1.0, 0.0, 0.0)]
    for _ in range(round(1.2 / h)):
        z, w, _P = rows[-1]
        free = w - h * g
        after = max(free, -e * w) if z + 0.5 * h * w <= 0.0 else free
        rows.append((z + 0.5 * h * (w + after), after, after - free))
    return paired(h, *np.array(rows).T)


def test_the_weak_form_with_atoms_at_the_ends_of_steps_is_off_by_the_order_of_the_step():
    """As the plain scheme by hand, whose residuals are known, and with no more of it."""
    known, plain, ours = (8.5e-3, 2.1e-3, 5.0e-4), [plain_residual(h) for h in STEPS], [node_residual(h) for h in STEPS]
    np.testing.assert_allclose(plain, known, rtol=0.02)
    assert np.all(np.array(ours) <= known)
    for coarse, fine in pairwise(ours):
        assert 2.0 < coarse / fine < 8.0


@pytest.mark.parametrize("h", STEPS)
def test_impacts_of_a_free_sphere_are_at_the_known_instants_to_a_few_steps(h):
    """With e = 0.8 from 1 m, the first ten; errors are the same number of steps for every step, so they fall linearly with it."""
    system = free_bodies([vc.shapes.Sphere(0.05)], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Newton(0.8))
    hits = stepped(system, 3.7, {"b0": (0, 0, 1.05)}, h).bond("contact").impulses.times[:10]
    known = np.sqrt(2 / 9.81) * (1 + 2 * np.array([sum(0.8**j for j in range(1, k)) for k in range(1, 11)]))
    np.testing.assert_allclose(hits, known, rtol=0, atol=3 * h)


def test_an_elastic_ball_in_whole_steps_keeps_its_energy_at_the_ends_of_steps():
    motion = stepped(
        ball(vc.Elastic()), 3.0, {"ball": (0, 0, 1.0)}, 1e-3, grid=1e-3 * np.arange(3001), impacts="stepped"
    )
    assert np.abs(motion.energy / motion.energy[0] - 1).max() < 1e-12


@pytest.mark.parametrize("h", [4e-3, 1e-3])
def test_located_impacts_of_a_ball_are_at_the_known_instants(h):
    """With e = 0.8 from 1 m, far less than six steps off."""
    hits = stepped(ball(vc.Newton(0.8)), 4.0, {"ball": (0, 0, 1.0)}, h).bond("floor").impulses.times[:10]
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
        system.add(vc.Unilateral(f"floor {end.name}", [end], gap=lambda p: p.position[2], impact=vc.Newton(0.4),
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
def test_time_stepping_converges_to_the_motion_event_by_event(make, start, until, impacts, order):
    t = np.linspace(0.0, until, 501)
    truth = vc.simulate(make(), until, start, progress=False, grid=t).q
    coarse, fine = (
        np.abs(stepped(make(), until, start, h, grid=t, impacts=impacts).q - truth).mean() for h in (2e-3, 5e-4)
    )
    assert fine < 1e-3
    assert fine < 1e-9 or np.log(coarse / fine) / np.log(4.0) > order - 0.4
