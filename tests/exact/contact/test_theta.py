"""Where time stepping takes forces: oscillations that it damps by a known factor, or not at all."""

import numpy as np
import pytest

import vinculum as vc
from impacted import LIFTED, stopped_arm

OMEGA = 10.0


def oscillator(bounded: bool = False) -> vc.System:
    system = vc.System("oscillator")
    point = system.add(vc.MassPoint("point", 2.0))
    system.add(vc.Spring("spring", point, "ground", stiffness=2.0 * OMEGA**2))
    if bounded:
        system.add(vc.Unilateral("wall", [point], gap=lambda p: p.position[0] + 50.0, impact=vc.Inelastic()))
    return system


@pytest.mark.parametrize("theta", [None, 0.75, 1.0])
@pytest.mark.parametrize("h", [1e-2, 5e-2])
def test_an_oscillation_is_multiplied_by_the_known_matrix(theta, h):
    steps, part = 200, 0.5 if theta is None else theta
    start = {"point": vc.At((0.1, 0, 0), rate=(0.3, 0, 0))}
    motion = vc.simulate(oscillator(), steps * h, start, method="moreau", step=h, theta=theta, grid=2, progress=False)
    ahead, behind = (
        np.array([[1, -h / 2], [OMEGA**2 * h * part, 1]]),
        np.array([[1, h / 2], [-(OMEGA**2) * h * (1 - part), 1]]),
    )
    one = np.linalg.solve(ahead, behind)
    np.testing.assert_allclose(
        (motion.q[-1, 0], motion.v[-1, 0]), np.linalg.matrix_power(one, steps) @ (0.1, 0.3), atol=1e-12
    )
    factor = (2 + (1 - part) * (h * OMEGA) ** 2) / (2 + part * (h * OMEGA) ** 2)
    np.testing.assert_allclose(np.abs(np.linalg.eigvals(one)) ** 2, factor, rtol=1e-12)


def test_forces_in_the_middle_keep_the_energy_and_forces_at_the_end_take_it():
    start, h, steps = {"point": vc.At((0.1, 0, 0))}, 1e-2, 500
    energies = [
        vc.simulate(oscillator(True), steps * h, start, method="moreau", step=h, theta=theta, grid=steps + 1, progress=False).energy
        for theta in (0.5, 1.0)
    ]  # fmt: skip
    np.testing.assert_allclose(energies[0], energies[0][0], rtol=1e-12)
    slow = np.log(energies[1][-1] / energies[1][0]) / steps
    assert slow == pytest.approx(-np.log1p(0.5 * (h * OMEGA) ** 2), rel=0.02)


def test_a_run_with_theta_is_stored_with_it(tmp_path):
    out = tmp_path / "run.zarr"
    made = vc.simulate(
        oscillator(True),
        0.1,
        {"point": vc.At((0.1, 0, 0))},
        method="moreau",
        step=1e-2,
        theta=0.8,
        out=out,
        progress=False,
    )
    assert vc.load(out).record.method.theta == made.record.method.theta == 0.8


@pytest.mark.parametrize("theta", [0.49, 1.01, -1.0, np.nan, "end", True])
def test_theta_outside_of_its_interval_is_refused(theta):
    with pytest.raises(vc.errors.MethodError, match=r"theta .* must be a number from 1/2 .* to 1"):
        vc.simulate(oscillator(), 0.1, method="moreau", step=1e-2, theta=theta, progress=False)


def test_theta_of_another_method_is_refused():
    with pytest.raises(vc.errors.MethodError, match=r"theta 0.5 is for method='moreau'; leave it out for method 'rk4'"):
        vc.simulate(oscillator(), 0.1, method="rk4", step=1e-2, theta=0.5, progress=False)


def test_a_spring_too_stiff_for_the_step_stops_the_run_with_the_remedy():
    with pytest.raises(vc.errors.RunError, match=r"forces change too much within the step .* try a smaller step"):
        vc.simulate(oscillator(), 2.0, {"point": vc.At((0.1, 0, 0))}, method="moreau", step=0.5, progress=False)


@pytest.mark.parametrize("impacts", ["located", "stepped"])
def test_energy_that_steps_of_the_first_order_take_is_left_undecided(impacts):
    motion = vc.simulate(
        stopped_arm(0.0), 0.8, LIFTED, method="moreau", step=2e-3, theta=0.6, impacts=impacts, progress=False
    )
    certificate = motion.audit()
    assert certificate.verdict == "undecided" and "step" in certificate.remedy
    forged = motion.replace(v=motion.v * (1.0 + 0.01 * motion.time[:, None]))
    assert forged.audit().verdict == "failed"


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_a_push_that_grows_with_the_clock_is_taken_where_theta_says(theta):
    """m v̇ = k t: the sum of k h (t_j + θ h)/m, which is the integral for θ = 1/2; on a wall the impulses hold the same push."""
    m, k, h, steps = 2.0, 3.0, 0.125, 16
    system = vc.System("pushed")
    point = system.add(vc.MassPoint("point", m))
    system.add(vc.Prismatic("way", "ground", point, axis=(1, 0, 0), drive=lambda q, v, t: k * t))
    system.add(vc.Unilateral("wall", [point], gap=lambda p: 40.0 - p.position[0], impact=vc.Inelastic()))
    start = {"way": vc.At(0.0, rate=0.5)}, {"way": vc.At(40.0)}
    free, held = (
        vc.simulate(system, steps * h, one, method="moreau", step=h, theta=theta, progress=False) for one in start
    )
    pushes = k * h * h * (np.arange(steps) + theta)
    assert free.v[-1, 0] == pytest.approx(0.5 + pushes.sum() / m, rel=1e-13)
    np.testing.assert_allclose(held.bond("wall").impulses.normal, pushes, rtol=1e-9)
