"""Mechanisms with closed loops, for tests."""

import numpy as np

import vinculum as vc

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1.0)])
AXES = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]


def rod(system, name, length, along=(1.0, 0, 0), mass=None):
    """A thin rod from its origin along a direction."""
    along = np.asarray(along, dtype=float)
    mass = length if mass is None else mass
    inertia = mass * length**2 / 12 * (np.eye(3) - np.outer(along, along)) + 1e-4 * np.eye(3)
    return system.add(vc.RigidBody(name, mass, length / 2 * along, inertia))


def four_bar(crank=1.0, coupler=2.5, rocker=2.0, ground=2.2, order=("A", "B", "D", "C"), **joint) -> vc.System:
    """Crank from the origin, coupler, rocker on the ground at (ground, 0, 0); turning about z. The last of ``order`` closes."""
    system = vc.System("four-bar", gravity=(0, -9.81, 0))
    for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker)):
        rod(system, name, length)
    joints = {
        "A": vc.Revolute("A", "ground", "crank", **joint),
        "B": vc.Revolute("B", "crank", "coupler", at=(crank, 0, 0), **joint),
        "C": vc.Revolute("C", "coupler", "rocker", at=(coupler, 0, 0), to=(rocker, 0, 0), **joint),
        "D": vc.Revolute("D", "ground", "rocker", at=(ground, 0, 0), **joint),
    }
    for name in order:
        system.add(joints[name])
    return system


def windows(loops: int) -> vc.System:
    """Parallelograms in a row, all bars one metre and one kilogram (IFToMM benchmark A02)."""
    system = vc.System("windows", gravity=(0, -9.81, 0))
    before = rod(system, "post0", 1.0)
    system.add(vc.Revolute("a0", "ground", before))
    for i in range(1, loops + 1):
        beam, post = rod(system, f"beam{i}", 1.0), rod(system, f"post{i}", 1.0)
        system.add(vc.Revolute(f"b{i}", before, beam, at=(1, 0, 0)))
        system.add(vc.Revolute(f"a{i}", "ground", post, at=(i, 0, 0)))
        system.add(vc.Revolute(f"d{i}", beam, post, at=(1, 0, 0), to=(1, 0, 0)))
        before = post
    return system


def windows_start(loops: int, angle: float, rate: float) -> dict:
    """All posts at an angle, all beams level."""
    start = {"a0": vc.At(angle, rate=rate)}
    for i in range(1, loops + 1):
        start |= {f"b{i}": -angle, f"a{i}": angle}
    return start


def bricard() -> vc.System:
    """Six hinges and five rods along the edges of a cube (IFToMM benchmark A04)."""
    system = vc.System("Bricard", gravity=(0, -9.81, 0))
    before = "ground"
    for i in range(5):
        along = CORNERS[i + 1] - CORNERS[i]
        body = rod(system, f"rod{i + 1}", 1.0, along)
        at = CORNERS[0] if i == 0 else CORNERS[i] - CORNERS[i - 1]
        system.add(vc.Revolute(f"h{i}", before, body, axis=AXES[i], at=at))
        before = body
    system.add(vc.Revolute("h5", "ground", before, axis=AXES[5], at=CORNERS[5], to=CORNERS[5] - CORNERS[4]))
    return system


def three_posts(gravity=(0, -9.81, 0), damping=0.0) -> vc.System:
    """A beam of two metres on three parallel posts of one metre, one of which is redundant and one damped."""
    system = vc.System("three posts", gravity=gravity)
    for i in range(3):
        rod(system, f"post{i}", 1.0)
        system.add(vc.Revolute(f"a{i}", "ground", f"post{i}", at=(i, 0, 0), damping=0.0 if i else damping))
    rod(system, "beam", 2.0)
    system.add(vc.Revolute("b0", "post0", "beam", at=(1, 0, 0)))
    for i in (1, 2):
        system.add(vc.Revolute(f"b{i}", "beam", f"post{i}", at=(i, 0, 0), to=(1, 0, 0)))
    return system
