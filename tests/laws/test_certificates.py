"""A true motion passes its certificate; a falsified one does not."""

import numpy as np
import pytest

import vinculum as vc
from trees import random_state, random_system

START = {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}


def arm(lower_mass=0.5, gravity=9.81, damping=0.0) -> vc.System:
    system = vc.System("double pendulum", gravity=(0, 0, -gravity))
    upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
    lower = system.add(vc.RigidBody("lower", lower_mass, (0, 0, -0.4), (0.030, 0.030, 0.001)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0), damping=damping))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    return system


@pytest.fixture(scope="module")
def motion():
    return vc.simulate(arm(), 10.0, START)


def broken(certificate) -> set[str]:
    return {line.law for line in certificate.lines if line.verdict == "broken"}


@pytest.mark.parametrize("method", [{}, {"method": "dop853"}, {"method": "rk4", "step": 1e-3}, {"method": "midpoint", "step": 2e-4},
                                    {"method": "verlet", "step": 2e-4}], ids=str)  # fmt: skip
def test_a_true_motion_passes(method):
    certificate = vc.simulate(arm(damping=0.05), 3.0, START, **method).audit()
    assert certificate.passed, str(certificate)
    assert certificate.to_dict()["passed"]


def test_scaled_velocities_fail(motion):
    certificate = motion.replace(v=1.001 * motion.v).audit()
    assert {"energy balance", "rates q' = N v", "momentum of 'lower'"} <= broken(certificate)


def test_a_shifted_coordinate_fails(motion):
    q = motion.q.copy()
    q[:, 0] += 1e-3
    assert not motion.replace(q=q).audit().passed


@pytest.mark.parametrize(
    "other", [arm(lower_mass=0.501), arm(gravity=9.82), arm(damping=1e-3)], ids=["mass", "gravity", "damping"]
)
def test_the_motion_of_another_system_fails(motion, other):
    certificate = motion.replace(system=other).audit()
    assert "momentum of 'lower'" in broken(certificate)
    assert "Boltzmann–Hamel from energies" not in broken(certificate)


def test_a_motion_computed_elsewhere_is_audited(motion):
    assert vc.Motion.given(arm(), motion.time, motion.q, motion.v).audit().passed
    strict = vc.Motion.given(arm(), motion.time, motion.q, motion.v, tolerance=1e-11)
    assert strict.audit().passed
    late = motion.time[500:]
    assert vc.Motion.given(arm(), late, motion.q[500:], motion.v[500:]).audit().passed


def test_a_grid_too_coarse_to_tell_is_undecided(motion):
    few = motion.at(np.linspace(0, 10, 30))
    certificate = vc.Motion.given(arm(), few.time, few.q, few.v).audit()
    assert not certificate.passed
    assert certificate.verdict in ("undecided", "failed")


def test_a_jump_between_steps_fails(motion):
    coefficients = motion.pieces.coefficients.copy()
    coefficients[200:, 3, 0] += 1e-6
    from dataclasses import replace

    forged = replace(motion, pieces=replace(motion.pieces, coefficients=coefficients))
    assert not forged.audit().passed


def test_wrong_physics_in_the_kernel_is_caught_by_the_energies(motion, monkeypatch):
    """Accelerations that forget the Coriolis terms disagree with the Boltzmann–Hamel equations."""
    from vinculum.equations import articulated, composite
    from vinculum.kernels import model as room

    def forgetful(route):
        return lambda tree, q, v, tau, external=None: route(tree, q, 0.999 * v, tau, external)

    monkeypatch.setattr(room.articulated, "accelerations", forgetful(articulated.accelerations))
    monkeypatch.setattr(room.composite, "accelerations", forgetful(composite.accelerations))
    certificate = vc.simulate(arm(), 2.0, START).audit()
    assert "Boltzmann–Hamel from energies" in broken(certificate)


@pytest.mark.parametrize("seed", range(6))
def test_motions_of_random_trees_pass(seed):
    rng = np.random.default_rng(100 + seed)
    kinds = (
        "revolute",
        "prismatic",
        "helical",
        "cylindrical",
        "universal",
        "spherical",
        "planar",
        "free",
        "translation",
        "weld",
    )
    system = random_system(rng, 4, kinds)
    tree = system.tree()
    q, v = random_state(tree, rng)
    start = {link.joint.name: vc.At(q[link.q], rate=v[link.v]) for link in tree.links if link.joint.nv}
    certificate = vc.simulate(system, 1.0, start).audit()
    assert certificate.passed, str(certificate)


def test_a_system_at_rest_passes():
    motion = vc.simulate(arm(), 5.0)
    assert np.abs(motion.q).max() == 0.0
    assert motion.audit().passed


def test_a_welded_system_stays_and_passes():
    system = vc.System("statue", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("statue", 10.0, inertia=(1, 1, 1), com=(0.1, 0, 0.5)))
    system.add(vc.Weld("plinth", "ground", body))
    motion = vc.simulate(system, 1.0)
    assert motion.reaction("plinth")[-1] == pytest.approx([0, 0, 98.1, 0, -9.81, 0])
    assert motion.audit().passed
