"""Conditions along steps, looked at in compiled code, against NumPy's polynomials and singular values."""

import numpy as np
import pytest

import rolling
import vinculum as vc
from mechanisms import four_bar, windows, windows_start
from vinculum.compile.evaluate import compile_for_again
from vinculum.integrators.watch.seen_conditions import seen_along
from vinculum.models.conditions.closed_loops import clearance_of
from vinculum.models.conditions.gaps import gap_places, gaps_at
from vinculum.motion.problem import Steps

LOOK = 0.05


def sleigh() -> vc.System:
    system = vc.System("sleigh")
    system.add(vc.RigidBody("body", 2.0, com=(0.3, 0, 0), inertia=(1, 1, 0.5)))
    system.add(vc.Planar("ice", "ground", "body"))
    system.add(vc.constraints.knife_edge("blade", "body", side=(0, 1, 0), realization=vc.DAlembert()))
    return system


CASES = {
    "one row": (sleigh, {"ice": vc.At((0, 0, 0.3), rate=(-np.cos(0.3), -np.sin(0.3), 0.1))}),
    "rolling": (rolling.disc, rolling.disc_start((0.3, 0.2, 0.1), (0.5, 0.1, 4.0))),
    "loop": (four_bar, {"A": vc.At(1.0, rate=2.0)}),
    "loops": (lambda: windows(2), windows_start(2, 1.2, -1.0)),
}


def violations(model, states, times, values):
    at = gaps_at(model, states, times, values)
    speeds = np.maximum(1.0, np.abs(states[:, model.nq :]).max(axis=1))[:, None]
    F = np.where(np.array(model.layout.levels) == 1, at.rates / speeds, at.values)
    steep = np.abs(at.jacobians).max(axis=2)
    return np.abs(F) / np.maximum(1.0, np.where(steep > 1e-9, steep, 1.0))


def jacobians(model, states, times, values):
    return gaps_at(model, states, times, values).jacobians[:, model.layout.kept]


def polynomials(series, dt):
    return np.array([[np.polyval(row[::-1], h) for row in step] for step, h in zip(series, dt, strict=True)])


@pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("case", CASES)
def test_violations_and_jacobians_are_those_of_numpy(case, compiled):
    make, start = CASES[case]
    motion = vc.simulate(make(), 2.0, start, tolerance=1e-6, progress=False)
    model, values = motion.record.model, motion.record.values
    times, series = np.asarray(motion.record.pieces.times), np.array(motion.record.pieces.coefficients)
    series[:, :, 1] += 1e-3 * np.random.default_rng(0).normal(size=series.shape[:2])  # steps that leave the conditions
    if compiled:
        compile_for_again(gap_places(model).tape)
    seen = seen_along(model, Steps(times, series), values, LOOK)
    h = np.diff(times)
    ends = polynomials(series, h)
    np.testing.assert_allclose(seen.ends, ends, rtol=1e-13, atol=1e-14)
    broken = violations(model, ends, times[1:], values)
    assert broken.max() > 1e-6
    np.testing.assert_allclose(seen.violations, broken, rtol=1e-8, atol=1e-13)
    ahead = polynomials(series, LOOK * h)
    states, instants = (
        np.concatenate([series[:, :, 0], ahead, ends]),
        np.concatenate([times[:-1], times[:-1] + LOOK * h, times[1:]]),
    )
    J = jacobians(model, states, instants, values)
    np.testing.assert_allclose(seen.jacobians, J, rtol=1e-9, atol=1e-12)
    rank = model.layout.rank
    expected = np.linalg.svd(J, compute_uv=False)[:, rank - 1]
    np.testing.assert_allclose(clearance_of(seen.jacobians, rank), expected, rtol=1e-6)
    assert seen.longest == h.max()


def test_gaps_at_a_remembered_state_cannot_be_written_to():
    motion = vc.simulate(sleigh(), 1.0, CASES["one row"][1], progress=False)
    state = np.concatenate([motion.q[0], motion.v[0]])[None]
    at = gaps_at(motion.record.model, state, 0.0, motion.record.values)
    with pytest.raises(ValueError, match="read-only"):
        at.jacobians[0, 0, 0] = 1.0
    assert gaps_at(motion.record.model, state, 0.0, motion.record.values) is at
    moved = state + 1e-12
    assert gaps_at(motion.record.model, moved, 0.0, motion.record.values) is not at
