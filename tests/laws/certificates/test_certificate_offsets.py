"""A certificate does not look at where the origin, the zero of energy or the zero of time lies."""

import numpy as np
import pytest

import vinculum as vc
from records import altered

SPIN = (0.4, -0.3, 0.2, 0.3, 1.0, 0.2)


def moved_arm(away, gravity=9.81) -> vc.System:
    system = vc.System("arm", gravity=(0, 0, -gravity))
    system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
    system.add(vc.RigidBody("lower", 0.5, (0, 0, -0.4), (0.030, 0.030, 0.001)))
    system.add(vc.Revolute("shoulder", "ground", "upper", axis=(0, 1, 0), at=away))
    system.add(vc.Revolute("elbow", "upper", "lower", axis=(0, 1, 0), at=(0, 0, -1.0)))
    return system


def arm_run(away, **options) -> vc.Motion:
    return vc.simulate(moved_arm(away), 5.0, {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}, **options)


def flight_run(away, **options) -> vc.Motion:
    """A free body under gravity with a slider and spring on it, thrown from far away."""
    system = vc.System("flight", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("body", 3.0, inertia=(1.0, 2.0, 2.5)))
    system.add(vc.MassPoint("bead", 0.7))
    system.add(vc.Prismatic("rail", "body", "bead", axis=(1, 0, 0), at=(0, 0.2, 0), stiffness=20.0))
    start = {"body": vc.At(away, rate=SPIN), "rail": vc.At(0.2, rate=0.1)}
    return vc.simulate(system, 3.0, start, **options)


RUNS = {"arm": arm_run, "flight": flight_run}
PLACES = {"here": (0, 0, 0), "km": (1e3, -2e3, 5e2), "1000 km": (1e6, 5e5, -3e5), "high up": (0, 0, 1e6)}


def drifted(motion: vc.Motion, coordinate: int) -> np.ndarray:
    q = motion.q.copy()
    q[:, coordinate] += 1e-3 * np.ptp(q[:, coordinate]) * (motion.time - motion.time[0]) / np.ptp(motion.time)
    return q


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("run", RUNS)
def test_a_false_motion_fails_wherever_it_happens(run, place):
    motion = RUNS[run](PLACES[place])
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"
    for coordinate in (0, 1):
        assert motion.replace(q=drifted(motion, coordinate)).audit().verdict == "failed"


@pytest.mark.parametrize("method", ["auto", "dop853"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("run", RUNS)
def test_a_true_motion_passes_wherever_it_happens(run, place, method):
    motion = RUNS[run](PLACES[place], method=method)
    assert motion.audit().passed, str(motion.audit())
    given = vc.given_motion(motion.record.model, motion.time, motion.q, motion.v)
    assert given.audit().passed, str(given.audit())


def test_an_offset_that_swallows_the_motion_leaves_it_undecided():
    """At 1e14 m positions are counted in steps of a centimetre."""
    certificate = arm_run((1e14, 0, 0)).audit()
    assert certificate.verdict == "undecided"
    assert any("round-off" in line.detail for line in certificate.lines)


@pytest.mark.parametrize("preload", [0.0, 1e6])
def test_a_potential_with_a_large_constant_hides_nothing(preload):
    """A slider hangs on a spring stretched from far away: its energy is large and hardly changes."""
    system = vc.System("preloaded", gravity=(-10.0, 0, 0))
    system.add(vc.MassPoint("bead", 1.0))
    spring = {"stiffness": 10.0 / preload if preload else 1.0, "rest": -preload}
    system.add(vc.Prismatic("rail", "ground", "bead", axis=(-1, 0, 0), **spring))
    motion = vc.simulate(system, 5.0, {"rail": vc.At(0.5, rate=1e-3)})
    assert motion.audit().verdict != "failed"
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"


def test_the_spin_of_a_body_that_travels_far_is_seen():
    """Moments are reduced at the mass center: the arm of a fast momentum does not drown the spin."""
    system = vc.System("arrow", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("arrow", 1.0, inertia=(1e-4, 2e-4, 2.5e-4)))
    motion = vc.simulate(system, 10.0, {"arrow": vc.At((0, 0, 0), rate=(3e4, 2e3, 0, 0.3, 1.0, 0.2))})
    assert motion.audit().passed, str(motion.audit())
    v = motion.v.copy()
    v[:, 3:] *= 1.0 + 1e-4 * motion.time[:, None]
    certificate = motion.replace(v=v).audit()
    assert any(line.law == "momentum of 'arrow'" and line.verdict == "broken" for line in certificate.lines)


@pytest.mark.parametrize("begin", [0.0, 1.7e9])
def test_a_run_late_on_the_clock_is_as_good_as_one_at_zero(begin):
    """Steps end on instants that the clock can show, so no time is lost between them."""
    duration = 2.0**-20 * round(5.0 * 2.0**20)
    start = {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}
    runs = [
        vc.simulate(moved_arm((0, 0, 0)), t + duration, start, begin=t, method="dop853").at([t + duration])
        for t in (0.0, begin)
    ]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-10
    assert runs[1].audit().passed


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_time_lost_between_steps_fails(method):
    """A motion that is a millisecond late in its second half is discontinuous, also on a late clock."""
    from dataclasses import replace

    start = {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}
    motion = vc.simulate(moved_arm((0, 0, 0)), 1.7e9 + 5.0, start, begin=1.7e9, method=method)
    k = len(motion.record.pieces) // 2
    times = np.array(motion.record.pieces.times)
    times[k:] += 1e-3
    assert altered(motion, pieces=replace(motion.record.pieces, times=times)).audit().verdict == "failed"
