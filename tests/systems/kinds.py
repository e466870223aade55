"""Systems with bodies of every kind, and inertial frames to see them from."""

import numpy as np

import vinculum as vc

BOOST = vc.measures.change_of_frame((0.7, -0.4, 0.3))
TURNED = vc.measures.change_of_frame((0.7, -0.4, 0.3), vc.Pose(rotation=(0.3, 0.5, -0.2, 0.7)).R, (1.5, 0.2, -1.0, 0.4))


def hanging_tree():
    """A double pendulum with a damper, a spring to the ground, a drive that follows a clock, and drag in still air."""
    system = vc.System("tree", gravity=(0, 0, -9.81))
    upper = system.add(vc.RigidBody("upper", mass=0.5, inertia=(0.01, 0.02, 0.03), com=(0, 0, -0.3)))
    lower = system.add(vc.RigidBody("lower", mass=0.3, inertia=(0.01, 0.01, 0.02), com=(0, 0.1, -0.2)))
    system.add(vc.Revolute("hinge", "ground", upper, axis=(0, 1, 0), damping=0.01))
    system.add(
        vc.Revolute("knee", upper, lower, axis=(1, 1, 0), at=(0, 0, -0.6), drive=lambda t, q: vc.math.sin(3 * t) - q)
    )
    system.add(vc.Spring("spring", lower, "ground", stiffness=5.0, rest_length=0.2, to=(1, 0, 0), damping=0.1))
    system.add(vc.Force("drag", lower, lambda b, t: vc.Wrench(force=-0.2 * (1 + 0.1 * t) * b.velocity)))
    return vc.simulate(system, until=1.0, start={"hinge": 1.0})


def four_bar():
    """A closed loop."""
    system = vc.System("four-bar", gravity=(0, -9.81, 0))
    for name, length in (("crank", 1.0), ("coupler", 2.5), ("rocker", 2.0)):
        inertia = (1e-3, length**3 / 12, length**3 / 12)
        system.add(vc.RigidBody(name, mass=length, com=(length / 2, 0, 0), inertia=inertia))
    system.add(vc.Revolute("A", "ground", "crank"))
    system.add(vc.Revolute("B", "crank", "coupler", at=(1.0, 0, 0)))
    system.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(2.5, 0, 0), to=(2.0, 0, 0)))
    return vc.simulate(system, until=1.0, start={"A": 0.5, "D": 1.5})


def thrown_ball(**method):
    """A ball with spin that hits an inclined floor with friction, and slides on it."""
    system = vc.System("ball", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody("ball", mass=1.0, inertia=(0.004, 0.004, 0.004)))
    gap, point = (lambda b: b.position[2] - 0.1 + 0.1 * b.position[0]), (lambda b: b.position - np.array([0, 0, 0.1]))
    system.add(vc.Unilateral("floor", [ball], gap=gap, point=point, impact=0.5, friction=0.3))
    return vc.simulate(system, until=1.5, start={"ball": vc.At(vc.Pose((0, 0, 1.0)), (0.5, 0, 0, 0, 1.0, 0))}, **method)


def colliding_points():
    """Two mass points that hit each other and the floor."""
    system = vc.System("points", gravity=(0, 0, -9.81))
    a, b = (system.add(vc.MassPoint(name, mass)) for name, mass in (("a", 1.0), ("b", 2.0)))
    gap = lambda a, b: vc.math.norm(a.position - b.position) - 0.2
    system.add(vc.Unilateral("pair", [a, b], gap=gap, impact="elastic"))
    system.add(vc.Unilateral("floor", [b, "ground"], gap=lambda b, ground: b.position[2] - 0.1, impact="elastic"))
    return vc.simulate(system, until=1.2, start={"a": (0.02, 0, 1.5), "b": (0, 0, 0.8)})


def struck_soft_body():
    """An affine body pinned to the ground and a ball joint, both struck."""
    system = vc.System("struck", gravity=(0, 0, -9.81))
    rigid = system.add(vc.RigidBody("rigid", mass=1.0, inertia=(0.1, 0.2, 0.3)))
    system.add(vc.Spherical("ball", "ground", rigid, to=(0, 0, 0.5)))
    soft = system.add(vc.AffineBody("soft", 1.0, (0.1, 0.2, 0.3), energy=vc.energies.NeoHookean(50.0, 100.0)))
    system.add(vc.Spherical("pin", "ground", soft, at=(1, 0, 0), to=(0, 0, 0.2)))
    system.add(vc.Impulse("kick", rigid, vc.Wrench(force=(0.3, 0.1, 0), at=(0, 0, 0.1)), at=0.4))
    push = lambda b, t: vc.Wrench(force=0.3 * b.velocity + np.array([0, 0.2 * t, 0]))
    system.add(vc.Impulse("push", soft, push, at=[0.2, 0.6]))
    return vc.simulate(system, until=1.0, start={"soft": ((1.0, 0, -0.2), np.eye(3))})


def sheet_on_a_table():
    """A planar body that weighs on its plane, drawn out of it by a point on a spring, kicked obliquely, with a gap at a corner."""
    system = vc.System("sheet", gravity=(0.5, 0, -9.81))
    energy = vc.energies.NeoHookean(1.0, 30.0, 20.0)
    sheet = system.add(vc.AffineBody("sheet", 1.5, (0.03, 0.02), energy=energy, planar=True))
    bob = system.add(vc.MassPoint("bob", 0.4))
    system.add(vc.Spring("spring", sheet, bob, stiffness=15.0, rest_length=0.5, at=(0.3, 0.2, 0), damping=0.1))
    system.add(vc.Impulse("kick", sheet, vc.Wrench(force=(0.2, 0.3, -0.7), at=(0.2, -0.1, 0)), at=0.3))
    system.add(vc.Unilateral("stop", [sheet], gap=lambda s: 0.35 - s.point((0.3, 0.2, 0))[0], impact=0.5))
    return vc.simulate(system, until=0.8, start={"bob": vc.At((0.5, 0.4, -0.6), (0.5, 0, 0))})


def every_kind():
    """Mass points, a rigid body, an affine body, masses that vary, a prescribed body, springs, a field and impacts on a floor."""
    system, start = _every_kind()
    return vc.simulate(system, until=0.8, start=start)


def every_kind_and_a_point_body():
    """The same with a point-body on a spring."""
    system, start = _every_kind()
    turning = system.add(vc.PointBody("top", 0.8, [[0, 0.04, 0], [-0.04, 0, 0], [0, 0, 0]], (0.02, 0.03, 0.04)))
    system.add(vc.Spring("k3", turning, "soft", stiffness=8.0, rest_length=0.3, at=(0.05, 0, 0.1)))
    start["top"] = vc.At((0.4, 0.3, 1.1), (0.2, 0, 0, 1.0, -2.0, 3.0))
    return vc.simulate(system, until=0.8, start=start)


def _every_kind():
    system = vc.System("every kind", gravity=(0, 0, -9.81))
    soft = system.add(vc.AffineBody("soft", 1.0, (0.1, 0.2, 0.3), energy=vc.energies.NeoHookean(50.0, 100.0)))
    exhaust = vc.MassSource(rate=-0.4, relative=(0.1, 0, -30.0), at=(0, 0, -0.5))
    dust = vc.MassSource(
        rate=lambda b, t: 0.05 * (1 + t) * b.mass, velocity=lambda b, t: (0.3 * b.position[2], 0.1 * t, 0)
    )
    rocket = system.add(
        vc.RigidBody("rocket", 2.0, lambda m: (0, 0, 0.1 * m), (0.3, 0.3, 0.05), sources=[exhaust, dust])
    )
    hail = system.add(vc.MassPoint("hail", 1.0, sources=vc.MassSource(rate=0.3, velocity=(0, 0.2, 0))))
    bob = system.add(vc.MassPoint("bob", 0.5))
    arm = system.add(
        vc.PrescribedBody("arm", rotation=((0, 0, 1), lambda t: 2.0 * t), mass=1.0, inertia=(0.1, 0.1, 0.1))
    )
    system.add(vc.Revolute("hinge", arm, bob, axis=(0, 1, 0), at=(0.3, 0, 1.0), to=(0, 0, 0.5)))
    system.add(vc.Spring("k1", soft, rocket, stiffness=20.0, at=(0.1, 0, 0)))
    system.add(vc.Spring("k2", hail, soft, stiffness=10.0, rest_length=0.3))
    system.add(vc.Potential("field", [hail], lambda b, t: 0.3 * b.position[0] ** 2 * (1 + 0.1 * t)))
    system.add(vc.Unilateral("floor", [hail], gap=lambda b: b.position[2], impact=0.6))
    start = {"hail": (1.0, 0, 0.4), "soft": ((0, 0, 1.0), np.diag([1.1, 1.0, 0.95])), "hinge": 0.4}
    return system, start


FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def free_bodies():
    """Boxes and spheres that fall on a floor beside a wall, with friction."""
    system, start = vc.System("free", gravity=(0, 0, -9.81)), {}
    wall = vc.shapes.HalfSpace((-1, 0, 0.2), -1.0)
    for i in range(6):
        shape = vc.shapes.Sphere(0.1) if i % 2 else vc.shapes.Box((0.2, 0.15, 0.1))
        system.add(vc.RigidBody.solid(f"b{i}", shape, density=1000.0))
        pose = vc.Pose((0.05 * i, 0.3 * (i % 3), 0.2 + 0.25 * i))
        start[f"b{i}"] = vc.At(pose, (0.5, 0, 0, 0.3, 1.0, 0))
    system.add(vc.Contact("touch", list(start), walls=[FLOOR, wall], impact="inelastic", friction=0.3))
    return vc.simulate(system, until=0.5, start=start, step=2e-3)


def blocks():
    """Soft boxes, spheres, an arm on a hinge and a plate that is moved, with a spring to the ground and a kick."""
    system, start = vc.System("blocks", gravity=(0, 0, -9.81)), {}
    for i in range(8):
        place = 0.3 * (i % 4), 0.3 * (i // 4), 0.3
        if i % 2:
            system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(0.08), density=1000.0))
            start[f"b{i}"] = vc.Pose(place)
        else:
            energy, cube = vc.energies.NeoHookean(3.4e-3, 1e5, 1e5), vc.shapes.Box((0.15, 0.15, 0.15))
            system.add(vc.AffineBody(f"b{i}", 1.0, (2e-3, 2e-3, 2e-3), energy=energy, shape=cube))
            start[f"b{i}"] = place, np.eye(3)
    arm = system.add(vc.RigidBody.solid("arm", vc.shapes.Box((0.3, 0.1, 0.1)), density=1000.0))
    move = lambda t: (0.5 + 0.1 * vc.math.sin(5 * t), 0, 0.1)
    plate = system.add(vc.PrescribedBody("plate", position=move, shape=vc.shapes.Box((1, 1, 0.1))))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(0.2, 1.0, 0.25), to=(0.15, 0, 0), damping=0.01))
    system.add(vc.Spring("spring", "b1", "ground", stiffness=5.0, rest_length=0.2, to=(1, 0, 0), damping=0.1))
    system.add(vc.Impulse("kick", "b3", vc.Wrench(force=(0.3, 0.1, 0.2), at=(0, 0, 0.05)), at=0.1))
    system.add(vc.Contact("touch", [*start, arm, plate], walls=[FLOOR], impact="inelastic", friction=0.3))
    return vc.simulate(system, until=0.2, start=start, method="moreau", step=1e-3)


def written_out():
    """A box on a hinge that strikes a ball on a spring by Poisson's law."""
    system = vc.System("written out", gravity=(0, 0, -9.81))
    arm = system.add(vc.RigidBody.solid("arm", vc.shapes.Box((0.3, 0.1, 0.1)), density=1000.0))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), density=1000.0))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(0, 0, 0.5), to=(0.15, 0, 0), damping=0.01))
    system.add(vc.Spring("spring", ball, "ground", stiffness=5.0, rest_length=0.2, to=(1, 0, 0), damping=0.1))
    system.add(vc.Contact("touch", [arm, ball], walls=[FLOOR], impact=vc.Poisson(0.5), friction=0.3))
    return vc.simulate(system, until=0.4, start={"ball": vc.Pose((-0.2, 0.02, 0.15))}, method="moreau", step=1e-3)


COLLIDING = {"free bodies": free_bodies, "blocks": blocks, "written out": written_out}
