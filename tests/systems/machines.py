"""Small machines with letters for numbers, for tests of formulas."""

import vinculum as vc


def parameters(**values: float) -> list:
    return [vc.parameter(name, value) for name, value in values.items()]


def double_pendulum() -> vc.System:
    """Two point masses on massless rods, hinged in a row."""
    m1, m2, l1, l2, g = parameters(m1=1.1, m2=0.7, l1=1.3, l2=0.8, g=9.81)
    system = vc.System("double pendulum", gravity=(0, -1 * g, 0))
    first, second = system.add(vc.MassPoint("first", m1)), system.add(vc.MassPoint("second", m2))
    system.add(vc.Revolute("theta1", "ground", first, axis=(0, 0, 1), to=(0, l1, 0)))
    system.add(vc.Revolute("theta2", first, second, axis=(0, 0, 1), to=(0, l2, 0)))
    return system


def from_the_vertical(theta1, theta2):
    """Angles against the vertical instead of between the rods."""
    return {"theta1": theta1, "theta2": theta2 - theta1}


def cart_pole() -> vc.System:
    """A rod hinged on a cart with a spring, a damper and a drive."""
    M, m, l, g, k, c = parameters(M=2.0, m=0.5, l=0.7, g=9.81, k=3.0, c=0.1)
    system = vc.System("cart pole", gravity=(0, 0, -1 * g))
    cart = system.add(vc.RigidBody("cart", M, inertia=(1, 1, 1)))
    rod = system.add(vc.RigidBody("rod", m, com=(0, 0, l / 2), inertia=(m * l * l / 12, m * l * l / 12, 0.0)))
    system.add(
        vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0), stiffness=k, drive=lambda t: 2.0 * vc.math.sin(3 * t))
    )
    system.add(vc.Revolute("phi", cart, rod, axis=(0, 1, 0), damping=c))
    return system


def spherical_pendulum() -> vc.System:
    """A point mass on a cross joint: azimuth and polar angle."""
    m, l, g = parameters(m=1.0, l=0.6, g=9.81)
    system = vc.System("spherical pendulum", gravity=(0, 0, -1 * g))
    bob = system.add(vc.MassPoint("bob", m))
    system.add(vc.Universal("cross", "ground", bob, axes=((0, 0, 1), (0, 1, 0)), to=(0, 0, l)))
    return system


def top() -> vc.System:
    """Lagrange's top in Euler's angles."""
    m, l, g, A, C = parameters(m=1.0, l=0.2, g=9.81, A=0.3, C=0.1)
    system = vc.System("top", gravity=(0, 0, -1 * g))
    body = system.add(vc.RigidBody("top", m, com=(0, 0, l), inertia=(A, A, C)))
    system.add(vc.Spherical("pin", "ground", body, chart="zxz"))
    return system


def brick() -> vc.System:
    """A free body in quaternions."""
    system = vc.System("brick", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("brick", vc.parameter("m", 1.2), inertia=(0.3, 0.4, 0.5)))
    return system


MACHINES = (double_pendulum, cart_pole, spherical_pendulum, top, brick)
