"""Small systems whose motions are audited in many tests."""

import vinculum as vc

START = {"shoulder": 1.2, "elbow": vc.At(0.3, rate=-1.0)}


def arm(lower_mass=0.5, gravity=9.81, damping=0.0) -> vc.System:
    system = vc.System("double pendulum", gravity=(0, 0, -gravity))
    upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
    lower = system.add(vc.RigidBody("lower", lower_mass, (0, 0, -0.4), (0.030, 0.030, 0.001)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0), damping=damping))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
    return system


def top(chart="quaternion") -> vc.System:
    system = vc.System("top", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("body", 0.5, com=(0, 0, 0.2), inertia=(0.03, 0.025, 0.01), about="origin"))
    system.add(vc.Spherical("foot", "ground", body, chart=chart))
    return system


def broken(certificate) -> set[str]:
    return {line.law for line in certificate.lines if line.verdict == "broken"}
