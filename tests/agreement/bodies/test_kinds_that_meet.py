"""Bodies of every kind meet others and the ground in one system, and its certificate decides."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken

FLOOR = vc.shapes.HalfSpace((0, 0, 1))
KINDS = {"rigid", "point", "fish", "soft", "hail", "cart", "fist"}


def all_kinds():
    """Shapes of a rigid body, a mass point, a point-body, an affine body, a body whose mass varies, a prescribed body and the end of a
    hinged tree in one contact; flat, rod-like and planar affine bodies, which have no shapes, hang on them by springs and joints."""
    system = vc.System("all kinds", gravity=(0, 0, -9.81))
    jelly, thin = (vc.energies.NeoHookean(volume, shear, shear) for volume, shear in ((0.008, 2000.0), (1.0, 20.0)))
    viscous = vc.energies.NewtonianViscosity(0.008, shear=20.0)
    box, ball = vc.shapes.Box((0.2, 0.2, 0.2)), vc.shapes.Sphere(0.08)
    dew = vc.MassSource(rate=0.3, velocity=(0, 0.2, 0))
    meeting = [
        system.add(vc.RigidBody.solid("rigid", box, mass=1.0)),
        system.add(vc.MassPoint("point", 0.5, shape=vc.shapes.Sphere(0.06))),
        system.add(vc.PointBody("fish", 2.0, 0.0, (0.01, 0.02, 0.025), shape=ball)),
        system.add(vc.AffineBody.solid("soft", box, mass=1.5, energy=jelly, dissipation=viscous)),
        system.add(vc.RigidBody("hail", 0.8, inertia=(0.003, 0.003, 0.003), shape=ball, sources=dew)),
        system.add(vc.PrescribedBody("cart", position=lambda t: (0.3 * t, 0, 0.11), mass=1.0, inertia=(0.1, 0.1, 0.1), shape=box)),
        system.add(vc.RigidBody("fist", 0.7, inertia=(0.01, 0.01, 0.01), shape=vc.shapes.Sphere(0.07))),
    ]  # fmt: skip
    arm = system.add(vc.RigidBody("arm", 0.3, inertia=(0.01, 0.01, 0.001), com=(0, 0, -0.15)))
    system.add(vc.Revolute("shoulder", "ground", arm, axis=(0, 1, 0), at=(-0.28, 0, 0.567), stiffness=1.0))
    system.add(
        vc.Revolute("elbow", arm, "fist", axis=(0, 1, 0), at=(0, 0, -0.3), to=(0, 0, 0.2), stiffness=1.0, damping=0.02)
    )
    for name, options in (("flat", {"dimension": 2}), ("sheet", {"planar": True})):
        system.add(vc.AffineBody(name, 0.3, (0.01, 0.01), energy=thin, **options))
    rod = system.add(vc.AffineBody("rod", 0.2, (0.01,), energy=thin, dimension=1))
    system.add(vc.Spring("tie", "flat", "soft", 20.0, rest_length=0.2, at=(0.1, 0, 0), to=(0.1, 0.1, 0.1)))
    system.add(vc.Spring("leash", "sheet", "point", 20.0, rest_length=0.2, at=(0.1, 0, 0)))
    system.add(vc.Spherical("pin", rod, "rigid", at=(0.1, 0, 0), to=(0, 0, 0.1)))
    system.add(vc.Contact("touch", meeting, walls=FLOOR, impact="inelastic", friction=0.4))
    still = np.zeros((3, 1))
    start = {
        "shoulder": vc.At(0.5, rate=-4.0),
        "hail": vc.At((-0.22, 0, 0.083), rate=(0.8, 0, 0, 0, 0, 0)),
        "soft": ((0.21, 0.01, 0.104), np.eye(3)),
        "fish": vc.At((0.41, 0, 0.083), rate=(-0.8, 0, 0, 0, 0, 3.0)),
        "rigid": vc.At((0.62, 0, 0.103), rate=(-1.0, 0, 0, 0, 0, 0)),
        "rod": vc.At(((0.52, 0, 0.203), np.eye(3)[:, :1]), ((-1.0, 0, 0), still)),
        "point": vc.At((0.42, 0.04, 0.24), rate=(0, 0.8, -2.0)),
        "flat": ((0.4, 0.3, 0.4), np.eye(3)[:, :2]),
        "sheet": ((0.5, 0.3), np.eye(2)),
    }
    return system, start


@pytest.mark.slow
def test_momentum_and_energy_are_certified_where_bodies_of_every_kind_meet():
    system, start = all_kinds()
    motion = vc.simulate(system, 0.2, start, method="moreau", step=2e-4)
    met = {frozenset(map(str, pair)) for pair in motion.bond("touch").impulses.shapes}
    for kind in KINDS:
        assert sum(kind in pair for pair in met) >= 2, kind
        assert kind == "cart" or frozenset((kind, "wall 1")) in met, kind
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    false = broken(motion.replace(v=1.001 * motion.v).audit())
    assert {"impact law", *(f"momentum of '{name}'" for name in KINDS - {"cart"})} <= false
