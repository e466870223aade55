"""A true motion passes its certificate; a falsified one does not."""

import numpy as np
import pytest

import vinculum as vc
from audited import START, arm, broken, top
from records import altered
from trees import random_state, random_system


@pytest.fixture(scope="module")
def motion():
    return vc.simulate(arm(), 10.0, START)


@pytest.mark.parametrize("method", [{}, {"method": "dop853"}, {"method": "rk4", "step": 1e-3}, {"method": "midpoint", "step": 2e-4},
                                    {"method": "verlet", "step": 2e-4}, {"method": "idas"}], ids=str)  # fmt: skip
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
    assert vc.given_motion(arm(), motion.time, motion.q, motion.v).audit().passed
    strict = vc.given_motion(arm(), motion.time, motion.q, motion.v, tolerance=1e-11)
    assert strict.audit().passed
    late = motion.time[500:]
    assert vc.given_motion(arm(), late, motion.q[500:], motion.v[500:]).audit().passed


@pytest.mark.parametrize("instants", [30, 60, 100, 150])
def test_a_grid_too_coarse_to_tell_is_undecided(motion, instants):
    few = motion.at(np.linspace(0, 10, instants))
    certificate = vc.given_motion(arm(), few.time, few.q, few.v).audit()
    assert certificate.verdict == "undecided"


def test_a_jump_between_steps_fails(motion):
    coefficients = np.array(motion.record.pieces.coefficients)
    coefficients[200:, 3, 0] += 1e-6
    from dataclasses import replace

    forged = altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients))
    assert not forged.audit().passed


def test_wrong_physics_in_the_kernel_is_caught_by_the_energies(motion, monkeypatch):
    """Accelerations that forget the Coriolis terms disagree with the Boltzmann–Hamel equations."""
    from vinculum.equations.observables import accelerations as room
    from vinculum.equations.recursions import articulated, composite

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
    assert motion.joint("plinth").reaction[-1] == pytest.approx([0, 0, 98.1, 0, -9.81, 0])
    assert motion.audit().passed


@pytest.mark.parametrize("method", [{"method": "rk4", "step": 1e-3}, {"method": "verlet", "step": 1e-4},
                                    {"method": "dop853", "tolerance": 1e-7}], ids=str)  # fmt: skip
def test_quaternions_off_their_sphere_do_not_spoil_the_equations(method):
    start = {"foot": vc.At((0.9, 0.3, 0.2, 0.1), rate=(1.0, -2.0, 12.0))}
    certificate = vc.simulate(top(), 1.0, start, **method).audit()
    assert certificate.passed, str(certificate)


@pytest.mark.parametrize("chart", ["quaternion", "zxz", "xyz", "fedorov"])
def test_a_force_free_spin_about_a_principal_axis_passes(chart):
    system = vc.System("spin")
    body = system.add(vc.RigidBody("body", 1.0, inertia=(1.0, 2.0, 2.5)))
    system.add(vc.Spherical("ball", "ground", body, chart=chart))
    position = (0.1, 0.2, 0.3) if chart != "quaternion" else (1, 0.1, 0.2, 0.3)
    certificate = vc.simulate(system, 0.5, {"ball": vc.At(position, rate=(0, 1, 0))}).audit()
    assert certificate.passed, str(certificate)


@pytest.mark.parametrize("method", ["auto", "dop853"])
@pytest.mark.parametrize("begin", [1e4, -3e5, 1e7])
def test_a_late_beginning_passes(begin, method):
    certificate = vc.simulate(arm(), begin + 5.0, START, begin=begin, method=method).audit()
    assert certificate.passed, str(certificate)


@pytest.mark.parametrize("method", ["auto", "dop853"])
@pytest.mark.parametrize("far", [1e4, 1e7])
def test_a_spinning_body_far_away_is_as_good_as_one_nearby(far, method):
    system = vc.System("far")
    system.add(vc.RigidBody("body", 1.0, inertia=(1.0, 2.0, 2.5)))
    rate = (0.1, 0, 0, 0.3, 1.0, 0.2)
    near, away = (vc.simulate(system, 20.0, {"body": vc.At((x, 0, 0), rate=rate)}, method=method) for x in (0.0, far))
    assert np.abs(near.body("body").rotation - away.body("body").rotation).max() < 1e-11
    assert away.audit().passed, str(away.audit())


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e3, 1e6])
def test_small_and_large_worlds_pass(scale):
    """The same pendulum with all lengths scaled, and time by the root of the scale."""
    system = vc.System("scaled", gravity=(0, 0, -9.81))
    mass = scale**3
    inertia = np.array([0.084, 0.084, 0.001]) * mass * scale**2
    for i in range(2):
        system.add(vc.RigidBody(f"rod{i}", mass, (0, 0, -0.5 * scale), inertia))
        parent, at = ("ground", (0, 0, 0)) if i == 0 else ("rod0", (0, 0, -scale))
        system.add(vc.Revolute(f"hinge{i}", parent, f"rod{i}", axis=(0, 1, 0), at=at))
    certificate = vc.simulate(system, 5.0 * np.sqrt(scale), {"hinge0": 1.2, "hinge1": 0.3}).audit()
    assert certificate.passed, str(certificate)


def test_a_moment_that_spin_and_path_make_up_together_is_measured_against_both():
    """A spring from the world's origin to a point of a body at rest: its moment about the origin stays zero, its parts do not."""
    system = vc.System("hung")
    body = system.add(vc.RigidBody("body", 1.0, inertia=(1, 1.2, 1.5)))
    system.add(vc.Spring("spring", body, "ground", 3.0, at=(0.5, 0.2, 0.1)))
    assert vc.simulate(system, 2.0, {"body": (1, 0.2, 0.1)}).audit().passed


def test_a_point_drawn_straight_to_the_origin_passes():
    system = vc.System("drawn")
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.potentials.CoulombCharges("charges", [point, "ground"], [1e-5, 1e-5]))
    assert vc.simulate(system, 0.5, {"point": (1, 0.2, 0.1)}).audit().passed


def test_a_prescribed_body_with_mass_on_a_straight_path_passes():
    """Hundreds of equal steps round in the same direction, and nothing else of such a body has errors."""
    system = vc.System("sky")
    planet = system.add(vc.PrescribedBody("planet", lambda t: (t, 0, 0), mass=5.0, inertia=(1, 1.5, 2)))
    moon = system.add(vc.MassPoint("moon", 1.0))
    system.add(vc.potentials.Gravitation("pull", [planet, moon], G=1.0))
    assert vc.simulate(system, 1.0, {"moon": (0, 2, 0)}).audit().passed


def test_a_bond_between_bodies_that_are_welded_together_passes():
    """Its energy does not change, and its moments cancel up to round-off."""
    system = vc.System("rigid", gravity=(0, 0, -9))
    arm = system.add(vc.RigidBody("arm", 1.0, (0, 0, -1), (1, 1, 1)))
    system.add(vc.Revolute("pivot", "ground", arm, axis=(0, 1, 0)))
    system.add(vc.Weld("weld", arm, system.add(vc.MassPoint("tip", 1.0))))
    system.add(vc.potentials.Gravitation("pull", ["arm", "tip"]))
    assert vc.simulate(system, 1.0, {"pivot": 0.3}).audit().passed
