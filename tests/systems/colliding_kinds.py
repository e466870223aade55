"""Runs of time steps with contact between shapes, of each type of model: free bodies, blocks over tables, and written out."""

import numpy as np

import vinculum as vc

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


KINDS = {"free bodies": free_bodies, "blocks": blocks, "written out": written_out}
