"""Moreau, An expression of classical dynamics: kinetic measures, windows and efforts of motions in closed form."""

import numpy as np
import pytest

import vinculum as vc
from bouncing import FAST, FIRST, MASS, bouncing, bumps, falling


@pytest.mark.parametrize("e", [1.0, 0.7, 0.0])
def test_the_divergence_of_a_bouncing_balls_measure_is_weight_and_impulses(e):
    rng = np.random.default_rng(1)
    measure, efforts, instants = bouncing(e)
    ends = measure.boundary_atoms()
    for test in bumps(rng, instants):
        left = measure.divergence(test) - efforts.pair(test) - ends.pair(test)
        assert np.abs(left).max() < 1e-10
        assert abs(measure.mass_input(test) - ends.pair(test)[0]) < 1e-11


def test_a_wrong_velocity_after_a_hit_is_far_from_the_divergence():
    rng = np.random.default_rng(2)
    measure, efforts, _ = bouncing(0.7, wrong=0.9)
    worst = max(np.abs(measure.divergence(b) - efforts.pair(b)).max() for b in bumps(rng, [FIRST], width=0.2))
    assert worst > 1e-2


@pytest.mark.parametrize("closed", [True, False])
def test_the_future_of_a_hit_begins_with_the_velocity_before_it_if_closed_and_after_it_if_open(closed):
    rng = np.random.default_rng(3)
    measure, efforts, _ = bouncing(0.6)
    window = vc.measures.Window.since(FIRST, closed=closed)
    shown, acting = measure.restrict(window), efforts.restrict(window)
    speed = -FAST if closed else 0.6 * FAST
    atoms = shown.boundary_atoms()
    np.testing.assert_allclose(atoms.vectors[0], [MASS, 0.7 * MASS, speed * MASS], atol=1e-12)
    np.testing.assert_allclose(atoms.points[0], [FIRST, 0.7 * FIRST, 0.0], atol=1e-12)
    for test in bumps(rng, [FIRST], width=0.25):
        left = shown.divergence(test) - acting.pair(test)
        begin = test(atoms.points[:1])[0] * MASS * np.array([1.0, 0.7, speed])
        np.testing.assert_allclose(left, begin, atol=1e-9)
        other = test(atoms.points[:1])[0] * MASS * np.array([1.0, 0.7, 0.6 * FAST if closed else -FAST])
        contact_impulse = test(atoms.points[:1])[0] * MASS * 1.6 * FAST * (1 if closed else -1)
        np.testing.assert_allclose((other - left)[2], contact_impulse, atol=1e-9)
        assert shown.mass_input(test) == pytest.approx(MASS * test(atoms.points[:1])[0], abs=1e-9)


@pytest.mark.parametrize("closed", [True, False])
def test_the_past_of_a_hit_ends_with_the_velocity_after_it_if_closed_and_before_it_if_open(closed):
    measure, efforts, _ = bouncing(0.6)
    window = vc.measures.Window.until(FIRST, closed=closed)
    shown, acting = measure.restrict(window), efforts.restrict(window)
    atoms = shown.boundary_atoms()
    np.testing.assert_allclose(
        atoms.vectors[-1], -MASS * np.array([1.0, 0.7, 0.6 * FAST if closed else -FAST]), atol=1e-12
    )
    rng = np.random.default_rng(4)
    for test in bumps(rng, [FIRST], width=0.25):
        np.testing.assert_allclose(shown.divergence(test), acting.pair(test) + atoms.pair(test), atol=1e-9)


def test_a_free_particle_that_leaves_a_slab_takes_its_momentum_along():
    path = lambda t: (0.2 + 0.5 * t[:, None], np.full((len(t), 1), 0.5))
    measure = vc.measures.KineticMeasure.trajectory(path, (-3.0, 3.0), MASS).restrict(
        vc.measures.Window.where(lambda xi: xi[:, 1] - 0.3)
    )
    rng = np.random.default_rng(5)
    atoms = measure.boundary_atoms()
    np.testing.assert_allclose(atoms.points[-1], [0.2, 0.3], atol=1e-14)
    for _ in range(10):
        test = vc.measures.Bump.random(rng, (0.2, 0.3), (0.5, 0.6))
        np.testing.assert_allclose(
            measure.divergence(test), -MASS * np.array([1.0, 0.5]) * test(np.array([[0.2, 0.3]])), atol=1e-9
        )


def test_a_bounce_on_an_open_face_leaves_and_enters_and_on_a_closed_one_does_neither():
    measure, _, instants = bouncing(0.5, hits=2)
    above = measure.restrict(vc.measures.Window.where(lambda xi: -xi[:, 2], closed=True)).boundary_atoms()
    assert len(above.points) == 2
    opened = measure.restrict(vc.measures.Window.where(lambda xi: -xi[:, 2], closed=False)).boundary_atoms()
    at_hit = np.abs(opened.points[:, 0] - instants[0]) < 1e-12
    np.testing.assert_allclose(sorted(opened.vectors[at_hit][:, 0]), [-MASS, MASS])
    np.testing.assert_allclose(opened.vectors[at_hit][:, 2].sum(), MASS * 1.5 * FAST, rtol=1e-12)


def test_another_inertial_frame_sees_lambda_c_lambda_transposed():
    rng = np.random.default_rng(6)
    measure, efforts, _ = bouncing(0.7)
    c, s = np.cos(0.4), np.sin(0.4)
    change = vc.measures.change_of_frame((0.3, -0.8), [[c, -s], [s, c]], (0.2, 1.0, -0.5))
    Lambda = np.block([[np.ones((1, 1)), np.zeros((1, 2))], [np.array([[0.3], [-0.8]]), np.array([[c, -s], [s, c]])]])
    moved, acting = measure.push_forward(change), efforts.push_forward(change)
    np.testing.assert_allclose(moved.total(), Lambda @ measure.total() @ Lambda.T, rtol=1e-11, atol=1e-11)

    for there in bumps(rng, [FIRST], 5):

        class Seen:
            support = None

            def __call__(self, xi, there=there):
                return there((xi - (0.2, 1.0, -0.5)) @ np.linalg.inv(Lambda).T)

            def gradient(self, xi, there=there):
                return there.gradient((xi - (0.2, 1.0, -0.5)) @ np.linalg.inv(Lambda).T) @ np.linalg.inv(Lambda)

        here = measure.divergence(there) - 0.9 * efforts.pair(there)
        np.testing.assert_allclose(moved.divergence(Seen()) - 0.9 * acting.pair(Seen()), Lambda @ here, atol=1e-12)


def polar(xi):
    """Kinetic metric of a unit mass in polar coordinates (r, angle), and its derivatives."""
    r = xi[:, 1]
    g, slopes = np.zeros((len(xi), 3, 3)), np.zeros((len(xi), 3, 3, 3))
    g[:, 0, 0], g[:, 1, 1], g[:, 2, 2] = 1.0, 1.0, r**2
    slopes[:, 2, 2, 1] = 2 * r
    return g, slopes


def billiard(soft: bool):
    """A unit mass inside a disc of radius 1, in polar coordinates: straight to the wall, then reflected or along it."""
    start, velocity = np.array([0.2, 0.1]), np.array([0.9, 0.5])
    a, b, c = velocity @ velocity, 2 * start @ velocity, start @ start - 1
    hit = (-b + np.sqrt(b * b - 4 * a * c)) / (2 * a)
    place = start + hit * velocity
    radial, along = place @ velocity, place[0] * velocity[1] - place[1] * velocity[0]
    angle = np.arctan2(place[1], place[0])

    def straight(at, v, t0):
        def path(t):
            x = at + (t - t0)[:, None] * v
            r = np.linalg.norm(x, axis=1)
            turn = (x[:, 0] * v[1] - x[:, 1] * v[0]) / r**2
            q = np.stack([r, angle + np.unwrap(np.arctan2(x[:, 1], x[:, 0]) - angle)], axis=1)
            return q, np.stack([x @ v / r, turn], axis=1)

        return path

    def sliding(t):
        return np.stack([np.ones_like(t), angle + along * (t - hit)], axis=1), np.stack(
            [0 * t, np.full_like(t, along)], axis=1
        )

    after = sliding if soft else straight(place, velocity - 2 * radial * place, hit)
    measure = vc.measures.KineticMeasure.trajectory([straight(start, velocity, 0.0), after], (0.0, hit, hit + 0.5))

    def pressed(t, xi, u):
        force = np.zeros((len(t), 2))
        if soft:
            force[t > hit, 0] = -(along**2)
        return force

    contact_impulse = (-radial if soft else -2 * radial, 0.0)
    return measure, vc.measures.EffortMeasure.along(measure, pressed, [hit], [contact_impulse]), hit, angle


@pytest.mark.parametrize("soft", [False, True], ids=["elastic", "soft"])
def test_a_disc_billiard_obeys_lagranges_equations_as_measures(soft):
    rng = np.random.default_rng(7)
    measure, reaction, hit, angle = billiard(soft)
    for _ in range(10):
        field = vc.measures.VectorBump.random(rng, (hit, 1.0, angle), (0.3, 0.8, 1.0), isochronous=False)
        assert abs(measure.equilibrium(field, polar) - reaction.power(field)) < 1e-8


@pytest.mark.parametrize("soft", [False, True], ids=["elastic", "soft"])
def test_outward_fields_find_that_a_billiards_wall_only_pushes(soft):
    rng = np.random.default_rng(8)
    measure, _, hit, angle = billiard(soft)
    for _ in range(10):
        bump = vc.measures.Bump.random(rng, (hit, 1.0, angle), (0.3, 0.8, 1.0))
        along = rng.normal()
        outward = vc.measures.VectorBump(bump, np.array([0.0, rng.uniform(0.1, 1.0), along]), np.zeros((3, 3)))
        inward = vc.measures.VectorBump(bump, np.array([0.0, -outward.components[1], along]), np.zeros((3, 3)))
        if bump(np.array([[hit, 1.0, angle]]))[0] > 0.01:
            assert measure.equilibrium(outward, polar) < 0.0 < measure.equilibrium(inward, polar)


def test_a_shock_wave_in_a_gas_balances_mass_and_momentum():
    rho, a2 = (1.0, 2.5), 1.44
    s = np.sqrt(a2 * rho[1] / rho[0])
    u = s * (1 - rho[0] / rho[1])
    assert s == pytest.approx(1.8973666, abs=1e-7)
    assert u == pytest.approx(1.1384200, abs=1e-7)
    rng = np.random.default_rng(9)
    X, W = np.polynomial.legendre.leggauss(24)
    for _ in range(3):
        test = vc.measures.Bump.random(rng, (0.1, s * 0.1), (0.4, 0.6))
        t, wt = _panels(*test.support, 40, X, W)
        points, weights, speeds, pressures = [], [], [], []
        for time, w in zip(t, wt, strict=True):
            low, high = test.center[1] - test.widths[1], test.center[1] + test.widths[1]
            for a, b, density, speed in (
                (low, min(max(s * time, low), high), rho[1], u),
                (min(max(s * time, low), high), high, rho[0], 0.0),
            ):
                if b > a:
                    x, wx = _panels(a, b, 8, X, W)
                    points.append(np.stack([np.full_like(x, time), x], axis=1))
                    weights.append(density * w * wx)
                    speeds.append(np.full((len(x), 1), speed))
                    pressures.append(a2 * density * w * wx)
        points, weights, speeds = (np.concatenate(x) for x in (points, weights, speeds))
        gas = vc.measures.KineticMeasure.streams(points, speeds, weights)
        pressure = np.concatenate(pressures) @ test.gradient(points)[:, 1]
        np.testing.assert_allclose(gas.divergence(test) - [0.0, pressure], 0.0, atol=1e-8)


def _panels(a, b, count, X, W):
    cuts = np.linspace(a, b, count + 1)
    half = 0.5 * np.diff(cuts)[:, None]
    return (cuts[:-1, None] + half * (1 + X)).ravel(), (half * W).ravel()


def test_a_mixture_of_streams_is_positive_and_of_higher_rank_and_a_negative_share_is_refused():
    rng = np.random.default_rng(10)
    points, speeds, weights = rng.normal(size=(7, 4)), rng.normal(size=(5, 7, 3)), rng.uniform(0.1, 1, (5, 7))
    mixture = vc.measures.KineticMeasure.streams(points, speeds, weights)
    assert mixture.is_positive and np.all(mixture.ranks() == 4)
    assert np.all(vc.measures.KineticMeasure.streams(points, speeds[0], weights[0]).ranks() == 1)
    apart = sum((vc.measures.KineticMeasure.streams(points, v, w) for v, w in zip(speeds[1:], weights[1:], strict=True)),
                vc.measures.KineticMeasure.streams(points, speeds[0], weights[0]))  # fmt: skip
    np.testing.assert_allclose(apart.total(), mixture.total(), rtol=1e-13)
    weights[2] *= -1
    with pytest.raises(vc.errors.ModelError, match="check the signs of the weights"):
        vc.measures.KineticMeasure.streams(points, speeds, weights)


def test_a_path_that_leaves_and_comes_back_has_mass_input_where_it_does():
    throw = falling(0.0, 0.0, 3.0)
    measure = vc.measures.KineticMeasure.trajectory(throw, (-0.5, 1.0), MASS)
    low = measure.restrict(vc.measures.Window.where(lambda xi: xi[:, 2] - 0.3))
    times = np.sort(np.roots([-0.5 * 9.81, 3.0, -0.3]).real)
    rng = np.random.default_rng(11)
    for _ in range(10):
        test = vc.measures.Bump.random(rng, (times.mean(), 0.7 * times.mean(), 0.3), (0.4, 2.0, 2.0))
        points = np.column_stack([times, 0.7 * times, [0.3, 0.3]])
        assert low.mass_input(test) == pytest.approx(MASS * (test(points)[1] - test(points)[0]), abs=1e-9)
        inside = measure.restrict(vc.measures.Window.where(lambda xi: xi[:, 2] - 0.6))
        assert abs(inside.mass_input(test)) < 1e-10
