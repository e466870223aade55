"""Published digits and closed forms of Telegin's equations, for systems that a user describes."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from vinculum.equations.forms import telegin
from vinculum.equations.subsystems import pole_moments
from vinculum.models.model_cache import model_for
from vinculum.scalars import ldl_solve

Q = (0.3, 0.2, -0.5, 0.7)
V = (1.0, -0.4, 0.8, -0.6)
A = (0.5, 0.3, -0.2, 0.9)
BODIES = [
    (3.0, (0.5, 0, 0.1), (0.13, 0.10, 0.05)),
    (1.5, (0.2, 0.1, 0), (0.01, 0.025, 0.025)),
    (0.6, (0.1, 0, -0.4), (0.034, 0.034, 0.004)),
    (0.9, (0, 0.3, 0.1), (0.03, 0.006, 0.03)),
]


def four_bodies() -> vc.System:
    """Bases (ground, 1, 2, 1), joints R, P, R, R."""
    system = vc.System("four bodies", gravity=(0, 0, -9.81))
    for i, (mass, com, J) in enumerate(BODIES):
        system.add(vc.RigidBody(f"body{i + 1}", mass, com, np.diag(J)))
    system.add(vc.Revolute("joint1", "ground", "body1", axis=(0, 0, 1)))
    system.add(vc.Prismatic("joint2", "body1", "body2", axis=(0.8, 0, 0.6), at=(1, 0.1, 0)))
    system.add(vc.Revolute("joint3", "body2", "body3", axis=(0, 0.8, 0.6), at=(0.3, 0, 0.2)))
    system.add(vc.Revolute("joint4", "body1", "body4", axis=(0.6, 0, 0.8), at=(0, 0.5, 0.2)))
    return system


def same(found, digits):
    assert np.abs(np.asarray(found, dtype=float) - digits).max() < 1.01e-9


@pytest.mark.parametrize("form", ["telegin", "newton-euler"])
def test_inverse_dynamics_of_four_bodies(form):
    found = vc.inverse_dynamics(four_bodies(), Q, V, A, form=form)
    same(found.forces, [0.6537252802, 10.3045326889, -0.9425739613, 1.3216876301])
    same(
        found.wrench("joint1"),
        [-4.5693241880, -1.8989154178, 59.3789313771, 22.4576084718, -39.8784274233, 0.6537252802],
    )


def test_subsystem_vectors_of_four_bodies():
    tree = four_bodies().tree()
    of = pole_moments.Subsystems.moving(tree, np.array(Q), np.array(V), np.array(A))
    same(of.masses[0], 6.0)
    same(of.moments[0], [3.9529266753, 2.2175720904, 0.8405598965])
    same(pole_moments.pole_moment(of, 0), [-0.6502371267, 0.4117496626, 6.0219254479])
    same(telegin.central_moment(of, 0), [0.1444378229, 0.3907185327, 2.3402678137])
    same(pole_moments.influence(of, 1, 0), [[0.1767851706, -0.2421876742, -0.0273003364],
                                            [-0.3775962167, 0.5999525242, -0.0272865125],
                                            [-0.1933306478, -0.0657995922, 0.7692113971]])  # fmt: skip


def test_standard_form_and_free_motion_of_four_bodies():
    system = four_bodies()
    M, h = telegin.standard_form(system.tree(), np.array(Q), np.array(V), 0.0)
    same(M, [[5.8800659484, -0.2629105534, 0.1581803391, 0.1497483220], [-0.2629105534, 2.1, -0.1812424911, 0],
             [0.1581803391, -0.1812424911, 0.09064, 0], [0.1497483220, 0, 0, 0.11424]])  # fmt: skip
    same(ldl_solve(M, -h), [0.4431240539, -4.5439150915, 0.6125262582, -10.5948402716])
    start = {f"joint{i + 1}": vc.At(Q[i], rate=V[i]) for i in range(4)}
    motion = vc.simulate(system, 0.1, start, tolerance=1e-13)
    same(motion.at([0.1]).q[0], [0.4030708889, 0.1373015932, -0.4197253585, 0.5841189473])


def test_torques_of_a_planar_arm():
    arm = vc.System("planar arm", gravity=(0, -9.81, 0))
    for name, mass, length in (("upper", 1.3, 1.1), ("lower", 0.9, 0.7)):
        arm.add(vc.RigidBody(name, mass, (length, 0, 0), np.zeros((3, 3))))
    arm.add(vc.Revolute("shoulder", "ground", "upper", axis=(0, 0, 1)))
    arm.add(vc.Revolute("elbow", "upper", "lower", axis=(0, 0, 1), at=(1.1, 0, 0)))
    found = vc.inverse_dynamics(arm, {"shoulder": 0.3, "elbow": 0.8}, {"shoulder": 0.5, "elbow": -0.4}, (0.7, 1.2))
    assert np.abs(found.forces - [29.559176242326, 4.103514476699]).max() < 1e-12


def test_one_body_obeys_eulers_equation_about_its_pole():
    rng = np.random.default_rng(5)
    J, c, mass, g = np.diag([0.3, 0.4, 0.5]), np.array([0.2, -0.3, 0.1]), 1.7, np.array([1.0, -2.0, -9.0])
    system = vc.System("top", gravity=g)
    system.add(vc.RigidBody("top", mass, c, J))
    system.add(vc.Free("joint", "ground", "top"))
    q = np.concatenate([rng.normal(size=3), [0.5, -0.5, 0.5, 0.5]])
    v, a = rng.normal(size=(2, 6))
    R = Rotation.from_quat([-0.5, 0.5, 0.5, 0.5]).as_matrix()
    J_O = J + mass * (c @ c * np.eye(3) - np.outer(c, c))
    w, alpha = v[3:], a[3:]
    fall = a[:3] + np.cross(w, v[:3]) - R.T @ g
    moment = J_O @ alpha + np.cross(w, J_O @ w) + mass * np.cross(c, fall)
    force = mass * (fall + np.cross(alpha, c) + np.cross(w, np.cross(w, c)))
    found = vc.inverse_dynamics(system, q, v, a)
    assert np.abs(found.forces - np.concatenate([force, moment])).max() < 1e-11
    assert np.abs(found.wrench("joint") - np.concatenate([R @ force, R @ moment])).max() < 1e-11


def test_sliders_lift_all_they_carry():
    rng = np.random.default_rng(6)
    axes, masses, g = rng.normal(size=(3, 3)), (1.0, 2.0, 0.5), np.array([0.5, 1.0, -9.81])
    axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    system = vc.System("sliders", gravity=g)
    for i, mass in enumerate(masses):
        system.add(vc.RigidBody(f"b{i}", mass, rng.normal(size=3), np.eye(3)))
        system.add(vc.Prismatic(f"j{i}", f"b{i - 1}" if i else "ground", f"b{i}", axis=axes[i], at=rng.normal(size=3)))
    q, v, a = rng.normal(size=(3, 3))
    pulls = [masses[i] * (a[: i + 1] @ axes[: i + 1] - g) for i in range(3)]
    expected = [axes[i] @ sum(pulls[i:]) for i in range(3)]
    assert np.abs(vc.inverse_dynamics(system, q, v, a).forces - expected).max() < 1e-11


def balanced_tree(g) -> vc.System:
    """Hinges only; every mass center is placed so that the augmented bodies have no static moment."""
    rng = np.random.default_rng(7)
    carriers, places = (-1, 0, 1, 1, 0), rng.normal(size=(5, 3))
    own = rng.uniform(0.5, 2.0, 5)
    carried = own.copy()
    for i in reversed(range(1, 5)):
        carried[carriers[i]] += carried[i]
    system = vc.System("balanced", gravity=g)
    for i, carrier in enumerate(carriers):
        com = -sum((carried[j] * places[j] for j in range(5) if carriers[j] == i), np.zeros(3)) / own[i]
        system.add(vc.RigidBody(f"b{i}", own[i], com, np.diag([0.1, 0.2, 0.25])))
        base = "ground" if carrier < 0 else f"b{carrier}"
        system.add(vc.Revolute(f"j{i}", base, f"b{i}", axis=rng.normal(size=3), at=places[i]))
    return system


@pytest.mark.parametrize("g", [(0, 0, -9.81), (3, -5, 7)])
def test_a_balanced_tree_does_not_feel_gravity(g):
    system = balanced_tree(g)
    rng = np.random.default_rng(8)
    q, v, a = rng.normal(size=(3, 4, 5))
    held = vc.inverse_dynamics(system, q, np.zeros(5), np.zeros(5))
    assert np.abs(held.forces).max() < 1e-10
    weightless = vc.inverse_dynamics(balanced_tree((0, 0, 0)), q, v, a)
    assert np.abs(vc.inverse_dynamics(system, q, v, a).forces - weightless.forces).max() < 1e-10
    for row in q:
        of = pole_moments.Subsystems.moving(system.tree(), row, np.zeros(5))
        assert np.abs(of.moments).max() < 1e-12


def test_the_tape_of_the_forces_holds_nothing_that_only_wrenches_need():
    from vinculum.derivations.inverse_dynamics.tapes import forces_tape, wrenches_tape

    model = model_for(four_bodies())
    assert len(forces_tape(model, "telegin", ()).code) < 0.7 * len(wrenches_tape(model, "telegin", ()).code)
