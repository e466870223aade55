"""Motions too small, too coarse or too few to judge are undecided with a reason, never broken."""

import numpy as np
import pytest

import vinculum as vc
from audited import START, arm, top
from marks import needs_heyoka


@pytest.mark.parametrize("method", ["auto", "dop853"])
@pytest.mark.parametrize("amplitude", [1e-3, 1e-6])
def test_a_small_oscillation_passes_and_a_false_one_fails(amplitude, method):
    motion = vc.simulate(arm(), 5.0, {"shoulder": amplitude, "elbow": -amplitude}, method=method)
    assert motion.audit().passed, str(motion.audit())
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"


@pytest.mark.parametrize("method", ["auto", "dop853"])
@pytest.mark.parametrize("amplitude", [1e-9, 1e-12, 1e-16, 1e-30])
def test_a_tiny_oscillation_is_never_broken(amplitude, method):
    motion = vc.simulate(arm(), 5.0, {"shoulder": amplitude, "elbow": -amplitude}, method=method)
    certificate = motion.audit()
    assert certificate.verdict != "failed", str(certificate)
    for line in certificate.lines:
        assert line.verdict == "holds" or "round-off" in line.detail
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"


@needs_heyoka
@pytest.mark.parametrize("until", [1.0, 3.0, 5.0, 8.0])
def test_a_fall_from_the_unstable_top_is_never_broken(until):
    certificate = vc.simulate(arm(), until, {"shoulder": np.pi, "elbow": 0.0}, method="taylor").audit()
    assert certificate.verdict != "failed", str(certificate)


@pytest.mark.parametrize("instants", [2, 3, 4, 5, 8, 13])
def test_a_motion_given_at_a_few_instants_is_undecided(instants):
    few = vc.simulate(arm(), 2.0, START).at(np.linspace(0, 2, instants))
    for v in (few.v, 1.5 * few.v):
        certificate = vc.given_motion(arm(), few.time, few.q, v).audit()
        assert certificate.verdict == "undecided"
        assert any(f"{instants} instants" in line.reason for line in certificate.lines)


@pytest.mark.parametrize("rate", [1.0, 12.0])
@pytest.mark.parametrize("method", ["midpoint", "verlet", "rk4"])
@pytest.mark.parametrize("step", [0.05, 0.03, 0.01, 1e-3])
def test_long_fixed_steps_are_undecided_and_never_broken(method, step, rate):
    start = {"foot": vc.At((0.9, 0.3, 0.2, 0.1), rate=(1.0, -2.0, rate))}
    certificate = vc.simulate(top(), 1.0, start, method=method, step=step).audit()
    assert certificate.verdict != "failed", str(certificate)
    assert step > 1e-3 or method != "rk4" or certificate.passed
