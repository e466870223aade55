"""Implicit integration by IDAS next to Taylor series and closed forms."""

import numpy as np
import pytest

import rolling
import vinculum as vc


def pendulum(realization) -> vc.System:
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.constraints.distance("rod", "bob", "ground", 1.0, realization=realization))
    return system


def skate(realization) -> vc.System:
    system = vc.System("skate")
    blade = system.add(vc.RigidBody("blade", mass=1.0, inertia=(1, 1, 0.7)))
    system.add(vc.Planar("ice", "ground", blade))
    system.add(vc.constraints.knife_edge("edge", blade, side=(0, 1, 0), realization=realization))
    return system


SWING = {"bob": vc.At((0.6, 0, -0.8), rate=(0, 0.5, 0))}


@pytest.mark.parametrize("tolerance, error", [(1e-8, 1e-6), (1e-10, 3e-8), (1e-12, 2e-9)])
def test_a_pendulum_on_a_rod_swings_as_by_series(tolerance, error):
    exact = vc.simulate(pendulum(vc.DAlembert()), 2.0, SWING, grid=101)
    motion = vc.simulate(pendulum(vc.DAlembert()), 2.0, SWING, grid=101, method="idas", tolerance=tolerance)
    assert np.abs(motion.q - exact.q).max() < error and np.abs(motion.v - exact.v).max() < 10 * error
    assert np.abs(np.linalg.norm(motion.q, axis=1) - 1.0).max() < 1e-12
    assert np.abs(np.sum(motion.q * motion.v, axis=1)).max() < 1e-12
    assert motion.audit().passed or tolerance > 1e-9


def test_a_rolling_disc_rolls_as_by_series():
    start = rolling.disc_start((0.3, 0.2, 0.1), (0.5, 0.1, 4.0))
    exact = vc.simulate(rolling.disc(), 1.0, start, grid=101)
    motion = vc.simulate(rolling.disc(), 1.0, start, grid=101, method="idas")
    assert np.abs(motion.q - exact.q).max() < 1e-7
    assert motion.audit().passed


def test_a_stiff_penalty_oscillates_as_by_series():
    """κ = 1e8: ten thousand radians a second."""
    exact = vc.simulate(pendulum(vc.Penalty(1e8)), 0.02, SWING, grid=51)
    motion = vc.simulate(pendulum(vc.Penalty(1e8)), 0.02, SWING, grid=51, method="idas", tolerance=1e-11)
    assert np.abs(motion.q - exact.q).max() < 1e-9
    assert np.abs(np.linalg.norm(exact.q, axis=1) - 1.0).max() > 1e-7
    assert not any(line.verdict == "broken" for line in motion.audit().lines)


def test_stiff_friction_takes_few_steps():
    """κ = 1e8: explicit steps would have to be shorter than 1e-8 s. The skate runs on its circle, to 1/κ and the tolerance."""
    motion = vc.simulate(
        skate(vc.constraints.ViscousFriction(1e8)), 2.0, {"ice": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}, method="idas"
    )
    assert len(motion.record.pieces) < 1000
    x, y, _ = motion.q.T
    assert np.abs(np.hypot(x, y - 1.3 / 0.9) - 1.3 / 0.9).max() < 1e-6
    assert not any(line.verdict == "broken" for line in motion.audit().lines)


def test_brief_transients_are_shown_as_they_are():
    """A skate set down askew: its speed across the blade decays as exp(−κt/m), within a ten-thousandth of the run."""
    kappa = 1e5
    system = skate(vc.constraints.ViscousFriction(kappa))
    motion = vc.simulate(system, 1.0, {"ice": vc.At((0, 0, 0), rate=(1.0, 0.5, 0.0))}, method="idas")
    t = np.array([0.0, 5e-6, 1e-5, 2e-5, 1e-4, 0.5])
    across = motion.record.pieces.state(t)[:, 4]
    assert np.abs(across - 0.5 * np.exp(-kappa * t)).max() < 1e-7


def test_a_falsified_implicit_run_is_found_out():
    motion = vc.simulate(pendulum(vc.DAlembert()), 2.0, SWING, method="idas")
    assert not motion.replace(v=1.001 * motion.v).audit().passed


def test_a_run_that_breaks_off_keeps_what_it_has():
    system = vc.System("pulled", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    system.add(vc.PrescribedBody("hook", position=lambda t: (1.6 + 0.5 * t, 0, 0)))
    for name, other in (("first", "ground"), ("second", "hook")):
        system.add(vc.constraints.distance(name, "bob", other, 1.0, realization=vc.DAlembert()))
    start = {"bob": vc.At((0.8, 0, -0.6), rate=(0.25, 0, 0.25 * 0.8 / 0.6))}
    with pytest.raises(vc.errors.RunError, match=r"idas cannot continue after t = 0\.79") as caught:
        vc.simulate(system, 3.0, start, method="idas", progress=False)
    assert 0.7 < caught.value.motion.record.pieces.end < 0.81
