"""Weight as a bond with the ground: the fall of a system in its field, but in pairs."""

import numpy as np
import pytest

import vinculum as vc
from audited import START


def arm(field, bond=None) -> vc.System:
    system = vc.System("arm", gravity=field)
    upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
    lower = system.add(vc.RigidBody("lower", 0.5, (0.1, 0, -0.4), (0.030, 0.030, 0.001)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    if bond is not None:
        system.add(vc.potentials.UniformGravity("weight", [upper, lower], bond))
    return system


def test_a_weight_bond_moves_bodies_as_the_field_of_a_system_does():
    g = (1.0, 0.0, -9.81)
    field, bond = (vc.simulate(made, 5.0, START) for made in (arm(g), arm((0, 0, 0), g)))
    assert np.abs(field.q - bond.q).max() < 1e-11
    assert np.abs(field.joint("elbow").reaction - bond.joint("elbow").reaction).max() < 1e-10
    certificate = bond.audit()
    assert certificate.passed, str(certificate)
    assert not any("gravity" in line.reason for line in certificate.lines)


def test_the_ground_takes_the_weight_and_its_moment():
    motion = vc.simulate(arm((0, 0, 0), (0.0, 0.0, -10.0)), 1.0, START)
    on_ground = motion.bond("weight").effort("ground")
    assert np.allclose(on_ground[:, :3], [0.0, 0.0, 15.0], rtol=0, atol=1e-12)
    lever = 1.5 * motion.body("upper", "lower").center
    assert np.allclose(on_ground[:, 3:], np.cross(lever, [0.0, 0.0, 10.0]), rtol=0, atol=1e-11)


def test_it_is_properly_invariant_and_the_field_of_a_system_is_not():
    report = vc.audit_invariance(arm((0, 0, -9.81), (0, 0, -1.0)))
    assert (report["weight"].verdict, report["gravity"].verdict) == ("invariant", "not invariant")


def test_the_ground_cannot_weigh():
    with pytest.raises(vc.errors.ModelError, match="ground is always one of its ends"):
        vc.potentials.UniformGravity("weight", ["ground", "a"])
