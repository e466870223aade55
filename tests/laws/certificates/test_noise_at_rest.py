"""Numbers that are zero but for noise give no scale: what rests or moves steadily is certified by every method and as a given motion."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from mechanisms import four_bar
from right_motions import CONTACT, STEADY, steady_cases

METHODS = ("auto", "dop853", "idas")


def noisy(motion, size: float, seed: int = 0):
    """Coordinates and velocities with noise of a size relative to the numbers of the same joint, kind and unit, or to a millimeter."""
    both = np.hstack([motion.q, motion.v])
    groups = np.asarray(motion.record.model.layout.groups)
    largest = np.array([np.abs(both[:, groups == k]).max() for k in groups])
    both = both + size * np.where(largest > 0.0, largest, 1e-3) * np.random.default_rng(seed).normal(size=both.shape)
    return both[:, : motion.q.shape[1]], both[:, motion.q.shape[1] :]


def wheel():
    system = vc.System("wheel", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("wheel", 1.0, inertia=(0.1, 0.2, 0.1)))
    system.add(vc.Revolute("axle", "ground", "wheel", axis=(0, 1, 0)))
    return system, [0.0], [0.0]


def point():
    system = vc.System("point")
    system.add(vc.MassPoint("point", 1.0))
    return system, [0.0] * 3, [0.0] * 3


def drifting_body():
    system = vc.System("drift")
    system.add(vc.RigidBody("body", 1.0, inertia=(0.1, 0.2, 0.25)))
    return system, [0, 0, 0, 1.0, 0, 0, 0], [1.0, 0, 0, 0, 0, 0]


def hanging_rod():
    system = vc.System("rod", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("rod", 1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01)))
    system.add(vc.Revolute("hinge", "ground", "rod", axis=(0, 1, 0)))
    return system, [0.0], [0.0]


SIMPLE = (wheel, point, drifting_body, hanging_rod)


def given(case, size: float, creep: float = 0.0):
    """A motion at rest, or along x with the first velocity, with noise of an absolute size; ``creep``: a drift of positions [1/s]."""
    system, q, v = case()
    time, rng = np.linspace(0.0, 2.0, 201), np.random.default_rng(0)
    places = np.tile(np.array(q, dtype=float), (len(time), 1))
    places[:, 0] += (v[0] + creep) * time
    speeds = np.tile(np.array(v, dtype=float), (len(time), 1))
    places, speeds = (x + size * rng.normal(size=x.shape) for x in (places, speeds))
    return vc.given_motion(system, time, places, speeds, tolerance=1e-9).audit()


@pytest.mark.parametrize("case", SIMPLE, ids=lambda case: case.__name__)
@pytest.mark.parametrize("size", [1e-25, 1e-16, 1e-14, 1e-13])
def test_what_rests_is_certified_though_its_numbers_have_noise(case, size):
    certificate = given(case, size)
    assert certificate.passed, certificate


@pytest.mark.parametrize("case", SIMPLE, ids=lambda case: case.__name__)
def test_noise_beyond_the_claimed_accuracy_is_neither_certified_nor_broken(case):
    certificate = given(case, 1e-4)
    assert certificate.verdict == "undecided", certificate


@pytest.mark.parametrize("case", [wheel, point, hanging_rod], ids=lambda case: case.__name__)
def test_what_creeps_beneath_its_noise_is_found(case):
    assert "rates q' = N v" in broken(given(case, 1e-14, creep=1e-9))


@pytest.mark.parametrize("family", [*STEADY, *(pytest.param(f, marks=pytest.mark.slow) for f in CONTACT)],
                         ids=lambda f: f.__name__)  # fmt: skip
def test_steady_motions_with_noise_are_certified(family):
    for k, case in enumerate(steady_cases(family, 2)):
        motion = vc.simulate(case.system, case.until, case.start, progress=False, grid=301)
        for size in (1e-25, 1e-16, 1e-12):
            q, v = noisy(motion, size, seed=k)
            certificate = vc.given_motion(case.system, motion.time, q, v, tolerance=1e-9).audit()
            assert certificate.passed, (case.name, size, certificate)
        if np.any(np.abs(motion.v) > 0.0):
            wrong = vc.given_motion(case.system, motion.time, q, 1.001 * v, tolerance=1e-9).audit()
            assert np.abs(motion.v).max() < 1e-9 or wrong.verdict == "failed", (case.name, wrong)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("family", STEADY, ids=lambda f: f.__name__)
def test_steady_motions_are_certified_by_every_method(family, method):
    for case in steady_cases(family, 2):
        certificate = vc.simulate(case.system, case.until, case.start, method=method, progress=False).audit()
        assert certificate.passed, (case.name, certificate)


def test_a_loop_at_rest_under_no_forces_has_no_power_to_be_relative_to():
    """Implicit steps leave speeds of 1e-29, and reactions of 1e-58."""
    case = steady_cases(STEADY[1], 1)[0]
    certificate = vc.simulate(case.system, case.until, case.start, method="idas", progress=False).audit()
    assert certificate.passed, certificate


def test_implicit_steps_follow_micrometers_as_they_follow_meters():
    """A knife edge that slides on a slope and turns: cycloids of any size have the same relative errors."""

    def skate(L):
        system = vc.System("skate", gravity=(2.943, 0, 0))
        body = system.add(vc.RigidBody("skate", 1.0, inertia=L**2 * np.array([0.1, 0.1, 0.2])))
        system.add(vc.Planar("ice", "ground", body))
        edge = lambda b: vc.math.dot(b.velocity, b.rotation[:, 1])
        system.add(vc.Constraint("edge", [body], velocity=edge, realization=vc.DAlembert()))
        T = np.sqrt(L / 9.81)
        motion = vc.simulate(
            system, 2 * T, {"ice": vc.At((0, 0, 1.5), rate=(0, 0, 1 / T))}, method="idas", progress=False
        )
        assert motion.audit().passed, (L, motion.audit())
        return motion.q[-1] / (L, L, 1)

    g, w, a = 0.3, 1.0, 1.5  # in lengths L and times T: x' = u cos φ, u' = g cos φ, φ = a + w t
    t = np.linspace(0.0, 2.0, 20001)
    u = g * (np.sin(a + w * t) - np.sin(a)) / w
    exact = [np.trapezoid(u * f(a + w * t), t) for f in (np.cos, np.sin)]
    for L in (1.0, 1e-3, 1e-6):
        np.testing.assert_allclose(skate(L)[:2], exact, rtol=1e-8)


@pytest.mark.parametrize("instants", [61, 151, 301])
def test_a_closed_loop_on_a_coarse_grid_is_never_broken(instants):
    motion = vc.simulate(four_bar(), 2.0, {"A": vc.At(1.0, rate=4.0)}, progress=False, grid=instants)
    certificate = vc.given_motion(four_bar(), motion.time, motion.q, motion.v, tolerance=1e-9).audit()
    assert certificate.verdict != "failed", certificate
    wrong = motion.replace(v=1.01 * motion.v).audit()
    assert wrong.verdict == "failed" or (instants < 100 and wrong.verdict == "undecided")
