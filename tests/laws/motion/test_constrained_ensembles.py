"""Ensembles under constraints: the runs are those of single simulations, and conditions hold at every instant given out."""

import numpy as np
import pytest

import mechanisms
import rolling
import vinculum as vc
from vinculum.models.conditions.gaps import gaps_at

LEANS = np.array([(0.3, 0.2, 0.1), (-0.4, 0.1, 0.0), (1.0, -0.25, 2.0), (0.0, 0.05, 0.3), (0.1, 0.3, -1.0)])
RATES = np.array([(0.5, 0.1, 4.0), (0.3, -0.2, 5.0), (-0.6, 0.1, 6.0), (0.2, 0.0, 3.5), (0.4, 0.2, -5.0)])


def disc_starts() -> list[vc.At]:
    return [rolling.disc_start(angles, rates)["disc"] for angles, rates in zip(LEANS, RATES, strict=True)]


def batched(starts) -> vc.At:
    return vc.At(np.array([x.position for x in starts]), rate=np.array([x.rate for x in starts]))


def violations(runs) -> float:
    values = np.tile(runs.model.parameter_values(None), (len(runs.q), 1))
    worst = 0.0
    for k, t in enumerate(runs.time):
        at = gaps_at(runs.model, np.concatenate([runs.q[:, k], runs.v[:, k]], axis=1), t, values)
        worst = max(worst, np.abs(at.values).max(initial=0.0), np.abs(at.rates).max(initial=0.0))
    return worst


def skate(realization) -> vc.System:
    system = vc.System("skate")
    blade = system.add(vc.RigidBody("blade", mass=1.0, inertia=(1, 1, 0.7)))
    system.add(vc.Planar("ice", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, side=(0, 1, 0), realization=realization))
    return system


@pytest.mark.parametrize("method", [{}, {"tolerance": 1e-4}, {"method": "rk4", "step": 1e-3}, {"method": "rk4", "step": 0.025},
                                    {"method": "midpoint", "step": 1e-3}, {"method": "verlet", "step": 1e-3}], ids=str)  # fmt: skip
def test_rolling_discs_stay_on_their_constraints_by_every_method(method):
    runs = vc.ensemble(rolling.disc(), 0.5, {"disc": batched(disc_starts())}, grid=5, **method)
    assert not runs.failed.any()
    assert violations(runs) < 1e-13
    assert np.abs(np.linalg.norm(runs.q[:, :, 3:7], axis=2) - 1.0).max() < 1e-14


def test_rolling_discs_of_an_ensemble_move_as_newton_and_euler_say():
    """Independently: the body's own equations about its contact, by SciPy."""
    times = np.linspace(0.0, 0.5, 5)
    runs = vc.ensemble(rolling.disc(), 0.5, {"disc": batched(disc_starts())}, grid=times)
    for i, (angles, rates) in enumerate(zip(LEANS, RATES, strict=True)):
        R, w = rolling.turned(*angles), rolling.disc_spin(angles, rates)
        center = rolling.RADIUS * rolling.turned(angles[0], angles[1], 0.0)[:, 2]
        found = rolling.rolled(rolling.MASS, rolling.THIN, rolling.disc_arm(rolling.RADIUS), R, w, center, times)
        assert np.abs(runs.q[i, :, :3] - found[2]).max() < 1e-10
        own = np.einsum("tji,tj->ti", found[0], found[1])
        assert np.abs(runs.v[i, :, 3:] - own).max() < 1e-10


@pytest.mark.parametrize("realization", [vc.DAlembert(), vc.Chetaev(), vc.Vakonomic(multipliers=0.3), vc.constraints.ViscousFriction(100.0),
                                         vc.constraints.AddedInertia(20.0)], ids=lambda x: type(x).__name__)  # fmt: skip
def test_every_realization_runs_in_an_ensemble_as_it_does_alone(realization):
    speeds = np.linspace(1.0, 2.0, 9)
    rates = np.stack([speeds, np.zeros(9), 0.5 * speeds], axis=1)
    runs = vc.ensemble(skate(realization), 1.0, {"ice": vc.At((0, 0, 0), rate=rates)}, grid=5)
    assert not runs.failed.any() and violations(runs) < 1e-13
    for i in (0, 8):
        alone = vc.simulate(skate(realization), 1.0, {"ice": vc.At((0, 0, 0), rate=rates[i])}, grid=5)
        assert np.abs(runs.q[i] - alone.q).max() < 1e-11 and np.abs(runs.v[i] - alone.v).max() < 1e-10


def test_skates_of_an_ensemble_run_on_circles():
    speeds, turning = np.linspace(1.0, 2.0, 9), np.linspace(0.5, 1.5, 9)
    rates = np.stack([speeds, np.zeros(9), turning], axis=1)
    runs = vc.ensemble(skate(vc.DAlembert()), 2.0, {"ice": vc.At((0, 0, 0), rate=rates)}, grid=5)
    angle = turning[:, None] * runs.time
    radius = (speeds / turning)[:, None]
    exact = np.stack([radius * np.sin(angle), radius * (1.0 - np.cos(angle)), angle], axis=2)
    assert np.abs(runs.q - exact).max() < 1e-11


@pytest.mark.parametrize("method", [{}, {"method": "rk4", "step": 1e-3}], ids=str)
def test_closed_loops_run_in_an_ensemble(method):
    angles, rates = np.linspace(0.4, 0.6, 11), np.linspace(0.5, 1.5, 11)
    runs = vc.ensemble(mechanisms.four_bar(), 0.5, {"A": vc.At(angles, rate=rates)}, grid=3, **method)
    alone = vc.simulate(mechanisms.four_bar(), 0.5, {"A": vc.At(0.6, rate=1.5)}, grid=3)
    assert violations(runs) < 1e-12
    assert np.abs(runs.q[10] - alone.q).max() < 1e-9
    assert np.abs(runs.q[:, 0, 0] - angles).max() == 0.0


def test_redundant_loops_run_in_an_ensemble_with_fixed_steps():
    angles = np.linspace(0.9, 1.1, 9)
    runs = vc.ensemble(
        mechanisms.three_posts(), 0.5, {"a0": vc.At(angles, rate=0.5)}, grid=3, method="rk4", step=2.5e-3
    )
    assert runs.model.layout.rank < len(runs.model.layout.kept)
    alone = vc.simulate(mechanisms.three_posts(), 0.5, {"a0": vc.At(1.1, rate=0.5)}, grid=3)
    assert np.abs(runs.q[8] - alone.q).max() < 1e-9 and violations(runs) < 1e-11


def test_the_bits_of_a_constrained_run_do_not_depend_on_its_neighbours():
    starts = disc_starts()
    for method in ({"tolerance": 1e-6}, {"method": "rk4", "step": 0.025}):
        together = vc.ensemble(rolling.disc(), 0.5, {"disc": batched(starts)}, threads=1, **method)
        for i, start in enumerate(starts):
            alone = vc.ensemble(rolling.disc(), 0.5, {"disc": batched([start])}, threads=1, **method)
            assert np.array_equal(alone.q[0], together.q[i]) and np.array_equal(alone.v[0], together.v[i])


def test_starts_of_many_runs_are_repaired_together():
    points = np.random.default_rng(3).normal(size=(40, 3)) + (0, 0, -2.0)
    system = vc.System("rod", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", 1.0, realization=vc.DAlembert()))
    runs = vc.ensemble(system, 0.1, {"bob": vc.At(points, rate=(0.3, 0.1, 0.2))}, repair=True)
    assert np.abs(np.linalg.norm(runs.q, axis=2) - 1.0).max() < 1e-13
    assert np.abs(np.einsum("btk,btk->bt", runs.q, runs.v)).max() < 1e-13
    assert np.abs(runs.q[:, 0] - points / np.linalg.norm(points, axis=1)[:, None]).max() < 1e-12


def test_starts_of_an_ensemble_are_repaired_as_that_of_one_run():
    """Coordinates that nobody gave move as little as they can, velocities with the least kinetic energy: 9 to 1 for 1 kg and 9 kg."""
    system = vc.System("two points")
    for name, mass in (("a", 1.0), ("b", 9.0), ("c", 1.0)):
        system.add(vc.MassPoint(name, mass))
    total = lambda a, b, t: a.position[0] + b.position[0] - 1.0 - t
    system.add(vc.Constraint("sum", ["a", "b"], position=total, realization=vc.DAlembert()))
    start = {"c": vc.At((0, 0, 0), rate=(0.1, 0, 0))}
    alone, runs = vc.simulate(system, 0.1, start, repair=True), vc.ensemble(system, 0.1, start, repair=True)
    np.testing.assert_allclose(alone.q[0], [0.5, 0, 0, 0.5, 0, 0, 0, 0, 0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(alone.v[0], [0.9, 0, 0, 0.1, 0, 0, 0.1, 0, 0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(runs.q[0, 0], alone.q[0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(runs.v[0, 0], alone.v[0], rtol=0, atol=1e-13)


@pytest.mark.parametrize("method", ["rk4", "midpoint"])
def test_a_string_that_is_drawn_in_has_its_length_at_every_instant_of_an_ensemble(method):
    system = vc.System("string", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.Constraint("string", ["bob"], position=lambda bob, t: vc.math.norm(bob.position) - (1.0 - 0.2 * vc.math.sin(3 * t)),
                             realization=vc.DAlembert()))  # fmt: skip
    begin = 0.3
    place, drawn = (1 - 0.2 * np.sin(0.9)) * np.array([0.6, 0, -0.8]), -0.6 * np.cos(0.9) * np.array([0.6, 0, -0.8])
    start, grid = {"bob": vc.At(place, rate=drawn)}, begin + np.linspace(0, 1, 5)
    runs = vc.ensemble(system, begin + 1, start, begin=begin, method=method, step=1e-3, grid=grid)
    alone = vc.simulate(system, begin + 1, start, begin=begin, grid=grid)
    np.testing.assert_allclose(np.linalg.norm(runs.q[0], axis=1), 1 - 0.2 * np.sin(3 * grid), rtol=0, atol=1e-13)
    np.testing.assert_allclose(runs.q[0], alone.q, rtol=0, atol=1e-5)


def test_parameters_of_redundant_loops_may_differ_from_run_to_run():
    """Two parameters, of which the second alone differs: run by run as alone."""
    system = mechanisms.three_posts()
    push, pull = vc.parameter("push", 2.0), vc.parameter("pull", 1.0)
    names = list(system.bodies)
    system.add(vc.Force("pushed", names[0], lambda b: vc.Wrench(moment=(0, 0, push - 3 * pull), at=b.position)))
    pulls = np.array([0.5, 1.0, 2.0])
    start, how = {"a0": vc.At(1.0, rate=0.5)}, {"method": "rk4", "step": 2.5e-3}
    runs = vc.ensemble(system, 0.25, start, parameters={"pull": pulls, "push": 2.5}, **how)
    for k, x in enumerate(pulls):
        alone = vc.simulate(system, 0.25, start, parameters={"pull": x, "push": 2.5})
        np.testing.assert_allclose(runs.q[k, -1], alone.q[-1], rtol=0, atol=1e-8)


def test_parameters_of_constraints_may_differ_from_run_to_run():
    length = vc.parameter("l", 1.0)
    system = vc.System("rod", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", length, realization=vc.DAlembert()))
    lengths = np.linspace(0.5, 1.5, 9)
    runs = vc.ensemble(system, 0.3, {"bob": np.outer(lengths, (0.6, 0, -0.8))}, parameters={"l": lengths})
    assert np.abs(np.linalg.norm(runs.q, axis=2) - lengths[:, None]).max() < 1e-13


@pytest.mark.parametrize("method", [{}, {"method": "rk4", "step": 1e-3}], ids=str)
def test_a_disc_that_falls_flat_fails_and_the_others_go_on(method):
    flat = rolling.disc_start((0.4, 1.2, 0.3), (0.0, 2.0, 0.0))["disc"]
    runs = vc.ensemble(rolling.disc(), 0.5, {"disc": batched([disc_starts()[0], flat])}, grid=6, **method)
    assert runs.failed.tolist() == [False, True]
    assert np.isnan(runs.q[1, -1]).all() and np.isfinite(runs.q[1, 1]).all()
