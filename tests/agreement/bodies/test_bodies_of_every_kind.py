"""Recursions and forms of the equations agree for bodies of every kind in one system."""

from itertools import pairwise

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from kinds import every_kind_and_a_point_body
from vinculum.equations.applied import applied_forces
from vinculum.equations.forms import boltzmann_hamel, newton_euler_blocks, telegin
from vinculum.equations.recursions import articulated, composite
from vinculum.equations.recursions.newton_euler import inverse_dynamics
from vinculum.scalars import replay, symbol, symbols
from vinculum.scalars.math import EXTENDED


def mixed(seed):
    """A tree with a point-body in its middle, free affine bodies of every dimension and a mass point, tied by springs."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(6, 6))
    Theta = X @ X.T + np.eye(6)
    system = vc.System("mixed", gravity=(0.4, -0.3, -9.81))
    arm = system.add(vc.RigidBody("arm", 1.0, com=(0, 0.1, -0.3), inertia=(0.1, 0.1, 0.02)))
    point = system.add(
        vc.PointBody("point", Theta[:3, :3], Theta[:3, 3:], Theta[3:, 3:], mass=2.0, com=(0.1, 0.2, 0.3))
    )
    tip = system.add(vc.RigidBody("tip", 0.5, com=(0.1, 0, 0), inertia=(0.01, 0.02, 0.02)))
    system.add(vc.Spherical("first", "ground", arm))
    system.add(vc.Universal("second", arm, point, at=(0, 0, -0.6), to=(0.1, 0, 0.2), damping=0.1))
    system.add(vc.Cylindrical("third", point, tip, at=(0, 0.1, -0.3), axis=(1, 0, 1), stiffness=3.0))
    energy = vc.energies.NeoHookean(1.0, 2.0, 1.0)
    blob = system.add(vc.AffineBody("blob", 2.0, [[1.0, 0.1, 0], [0.1, 0.4, 0], [0, 0, 0.7]], energy=energy,
                                    dissipation=vc.energies.NewtonianViscosity(1.0, 0.2, 0.1)))  # fmt: skip
    flat = system.add(vc.AffineBody("flat", 1.0, (0.3, 0.2), energy=energy, dimension=2))
    rod = system.add(vc.AffineBody("rod", 0.7, [0.2], energy=energy, dimension=1))
    plate = system.add(vc.AffineBody("plate", 0.9, (0.3, 0.4), energy=energy, planar=True))
    mass = system.add(vc.MassPoint("mass", 0.4))
    chain = [tip, blob, flat, rod, plate, mass]
    for k, (a, b) in enumerate(pairwise(chain)):
        flat_point = (0.3, 0.0, 0.0)
        system.add(vc.Spring(f"spring {k}", a, b, 5.0, rest_length=0.5, at=flat_point,
                             to=(0, 0, 0) if b is mass else (-0.2, 0, 0), damping=0.3))  # fmt: skip
    return system


def numbers(seed, tree):
    rng = np.random.default_rng(seed)
    q, v, a = (rng.normal(size=n) for n in (tree.nq, tree.nv, tree.nv))
    for link in tree.links:
        q[link.q] = link.joint.kind.coordinates.sample(q[link.q][None])[0]
        if link.joint.kind.coordinates.chart_defect(q[link.q]) is not None:
            q[link.q][-4:] /= np.linalg.norm(q[link.q][-4:])
    return q, v, a


def value(graph, leaves, at):
    known = {id(x): y for x, y in zip(leaves, at, strict=True)}
    shape = np.shape(graph)
    return (
        replay(np.asarray(graph, dtype=object).ravel(), lambda leaf: known[id(leaf)], EXTENDED)
        .astype(float)
        .reshape(shape)
    )


def state(tree):
    return symbols("q", tree.nq), symbols("v", tree.nv), symbols("a", tree.nv)


@pytest.mark.parametrize("seed", range(3))
def test_recursions_agree(seed):
    tree = mixed(seed).tree()
    s, w, x = state(tree)
    q, v, _ = numbers(seed, tree)
    tau = applied_forces(tree, 0.0, s, w)
    by_joints, by_matrix, applied = (
        value(graph, [*s, *w], [*q, *v])
        for graph in (articulated.accelerations(tree, s, w, tau), composite.accelerations(tree, s, w, tau), tau)
    )
    assert np.abs(by_joints - by_matrix).max() < 1e-11 * np.abs(by_joints).max()
    leaves, at = [*s, *w, *x], [*q, *v, *by_joints]
    for graph in (inverse_dynamics(tree, s, w, x)[0], telegin.generalized_forces(tree, s, w, x)):
        assert np.abs(value(graph, leaves, at) - applied).max() < 1e-10 * np.abs(applied).max()
    for form in (newton_euler_blocks, telegin):
        M, h = (value(graph, leaves, at) for graph in form.standard_form(tree, s, w, 0.0))
        assert np.abs(M @ by_joints + h).max() < 1e-10 * np.abs(h).max()


def test_the_equations_follow_from_the_energies():
    tree = mixed(5).tree()
    (s, w, x), t = state(tree), symbol("t")
    residual, size = boltzmann_hamel.residual(tree, t, s, w, x)
    q, v, _ = numbers(5, tree)
    tau = applied_forces(tree, 0.0, s, w)
    a = value(articulated.accelerations(tree, s, w, tau), [*s, *w], [*q, *v])
    leaves, at = [*s, *w, *x, t], [*q, *v, *a, 0.0]
    assert np.all(np.abs(value(residual, leaves, at)) < 1e-11 * value(size, leaves, at).max())


def test_a_system_of_every_kind_of_body_has_a_certificate_with_contact():
    system = mixed(1)
    system.add(vc.Unilateral("floor", "blob", gap=lambda b: b.point((0, 0, -0.3))[2] + 0.4, impact=0.4, friction=0.2,
                             point=lambda b: b.point((0, 0, -0.3))))  # fmt: skip
    start = {
        "blob": (1.0, 0.0, 0.0),
        "flat": (1.5, 0.5, 0.3),
        "rod": (2.0, 0.2, 0.2),
        "plate": (1.2, 1.0),
        "mass": (0.0, 1.5, 0.4),
    }
    motion = vc.simulate(system, until=0.6, start=start)
    assert motion.audit().passed


def test_masses_that_vary_and_prescribed_bodies_share_a_certificate_with_all_others_in_contact():
    motion = every_kind_and_a_point_body()
    assert len(motion.bond("floor").impulses.times)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    laws = {line.law for line in certificate.lines}
    assert {"energy balance", *(f"momentum of '{name}'" for name in ("soft", "rocket", "hail", "top", "bob"))} <= laws


def test_external_wrenches_push_bodies_of_every_kind():
    system = mixed(2)
    tree = system.tree()
    q, v, _ = numbers(2, tree)
    wrenches = {
        "blob": vc.Wrench(force=(1, 2, 3), at=(0.1, 0.2, 0.3)),
        "flat": vc.Wrench(force=(-1, 0.5, 2), at=(0.1, 0.2, 0.0)),
        "point": vc.Wrench(force=(1, -1, 1), moment=(0.3, 0.2, 0.1)),
    }
    pushed = mixed(2)
    for name, wrench in wrenches.items():
        pushed.add(vc.Force(f"push {name}", name, wrench))
    known = vc.forward_dynamics(pushed, q, v)
    assert np.abs(vc.forward_dynamics(system, q, v, external=wrenches) - known).max() < 1e-11 * np.abs(known).max()
    for form in ("telegin", "newton-euler"):
        needed = vc.inverse_dynamics(system, q, v, known, external=wrenches, form=form).forces
        alone = vc.inverse_dynamics(pushed, q, v, known, form=form).forces
        assert np.abs(needed - alone).max() < 1e-11 * np.abs(known).max()
    with pytest.raises(vc.errors.StartError, match="'blob' deforms, so a pure moment"):
        vc.forward_dynamics(system, q, v, external={"blob": vc.Wrench(moment=(0, 0, 1))})


def test_a_point_body_in_contact_moves_as_the_rigid_body_with_its_inertia():
    def dropped(body):
        system = vc.System("dropped", gravity=(0, 0, -9.81))
        system.add(body)
        system.add(vc.Contact("contact", [body], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=0.5, friction=0.3))
        start = {"ball": vc.At((0, 0, 0.3), (0.5, 0, 0, 0, 3.0, 1.0))}
        return vc.simulate(system, until=0.5, start=start, method="moreau", step=1e-4)

    shape = vc.shapes.Sphere(0.1)
    rigid = dropped(vc.RigidBody("ball", 2.0, inertia=(0.01, 0.02, 0.025), shape=shape))
    point = dropped(vc.PointBody("ball", 2.0, 0.0, (0.01, 0.02, 0.025), shape=shape))
    assert np.abs(rigid.body("ball").position[-1] - point.body("ball").position[-1]).max() < 2e-3
    assert point.body("ball").position[:, 2].min() > 0.1 - 1e-3


FILE = """
[system]
gravity = [0, 0, -9.81]
[parameters]
k = 3.0
[bodies.blob]
kind = "affine"
mass = "2 kg"
second_moment = [0.5, 0.3, 0.8]
energy = {kind = "neo_hookean", volume = 0.5, shear = "k", lame = "2 Pa"}
dissipation = {kind = "newtonian_viscosity", volume = 0.5, shear = "0.1 Pa s"}
[bodies.plate]
kind = "affine"
mass = 1.0
second_moment = [[1.0, 0.1], [0.1, 0.4]]
planar = true
energy = "0.5*k*(F11**2 + F12**2 + F21**2 + F22**2 - 2 - 2*log(F11*F22 - F12*F21))"
[bodies.fish]
kind = "point_body"
A = [3, 1.2, 2]
C = 0.8
mass = 1.0
[constraints.straight]
kind = "rotationless"
body = "plate"
realization = "dalembert"
[start.blob]
position = [0, 0, 1]
rate = [1, 0, 0]
deformation = [[1.1, 0, 0], [0, 1, 0.1], [0, 0, 0.9]]
deformation_rate = [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]
[start.plate]
deformation = [[1.2, 0], [0, 0.9]]
[start.fish]
rate = [1, 0.2, 0, 0, 0, 0.1]
"""


def test_a_model_file_describes_the_same_bodies_as_python(tmp_path):
    path = tmp_path / "bodies.toml"
    path.write_text(FILE)
    model = vc.read_model(path)
    read = vc.simulate(model.system, until=0.5, start=model.start)
    system = vc.System("same", gravity=(0, 0, -9.81))
    system.add(vc.AffineBody("blob", 2.0, (0.5, 0.3, 0.8), energy=vc.energies.NeoHookean(0.5, 3.0, 2.0),
                             dissipation=vc.energies.NewtonianViscosity(0.5, 0.1)))  # fmt: skip
    system.add(
        vc.AffineBody("plate", 1.0, [[1.0, 0.1], [0.1, 0.4]], planar=True, energy=vc.energies.NeoHookean(1.0, 3.0))
    )
    system.add(vc.PointBody("fish", (3, 1.2, 2), 0.0, 0.8, mass=1.0))
    system.add(vc.constraints.rotationless("straight", "plate", realization="dalembert"))
    F, rate = np.array([[1.1, 0, 0], [0, 1, 0.1], [0, 0, 0.9]]), np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    start = {
        "blob": vc.At(((0, 0, 1), F), ((1, 0, 0), rate)),
        "plate": vc.At(((0, 0), np.diag([1.2, 0.9]))),
        "fish": vc.At((0, 0, 0), (1, 0.2, 0, 0, 0, 0.1)),
    }
    made = vc.simulate(system, until=0.5, start=start)
    assert np.abs(read.q[-1] - made.q[-1]).max() < 1e-12


def test_a_falsified_motion_of_a_point_body_fails():
    def free(B):
        system = vc.System("free")
        system.add(vc.PointBody("body", (3, 1.2, 2), B, (0.8, 0.7, 0.9), mass=1.0))
        return system

    B = np.array([[0.1, 0.2, 0.0], [0.0, -0.1, 0.3], [0.2, 0.0, 0.1]])
    motion = vc.simulate(free(B), until=1.0, start={"body": vc.At((0, 0, 0), (1, 0.2, -0.3, 0.5, 0.4, 0.1))})
    assert motion.audit().passed
    assert {"energy balance", "momentum of 'body'"} <= broken(motion.replace(system=free(1.01 * B)).audit())
