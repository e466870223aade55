"""Reactions in closed loops: in joints that carry bodies as in those that close, against statics and the freedoms of joints."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from mechanisms import four_bar, rod
from trees import random_inertia, random_pose

WEIGHT = 9.81


def truss() -> tuple[vc.System, dict]:
    """A plate on three pinned legs of different lengths and directions, which cannot move; y is up."""
    feet, plate = np.array([[0.0, 0], [3, 0], [5, 0.5]]), np.array([[1.0, 2], [2.5, 2], [4.5, 2.5]])
    legs = plate - feet
    system = vc.System("truss", gravity=(0, -WEIGHT, 0))
    for i, leg in enumerate(legs):
        rod(system, f"leg{i}", np.linalg.norm(leg), mass=1.0 + i)
    system.add(vc.RigidBody("plate", 6.0, (1.0, 0.7, 0), np.diag([2.0, 2.0, 4.0])))
    for i in range(3):
        system.add(vc.Revolute(f"foot{i}", "ground", f"leg{i}", at=(*feet[i], 0)))
    for i in range(3):
        at = (np.linalg.norm(legs[i]), 0, 0)
        system.add(vc.Revolute(f"head{i}", f"leg{i}", "plate", at=at, to=(*(plate[i] - plate[0]), 0)))
    angles = np.arctan2(legs[:, 1], legs[:, 0])
    return system, {f"foot{i}": angles[i] for i in range(3)} | {"head0": -angles[0]}


def pin_forces() -> np.ndarray:
    """Forces (6, 2) of feet on legs and of legs on the plate, by equilibrium of four bodies in the plane."""
    feet, plate = np.array([[0.0, 0], [3, 0], [5, 0.5]]), np.array([[1.0, 2], [2.5, 2], [4.5, 2.5]])
    A, b = np.zeros((12, 12)), np.zeros(12)

    def act(body, pin, sign, point):
        A[3 * body : 3 * body + 2, 2 * pin : 2 * pin + 2] += sign * np.eye(2)
        A[3 * body + 2, 2 * pin : 2 * pin + 2] += sign * np.array([-point[1], point[0]])

    for i in range(3):
        act(i, i, 1.0, feet[i])
        act(i, 3 + i, -1.0, plate[i])
        act(3, 3 + i, 1.0, plate[i])
    centers, masses = [*(0.5 * (feet + plate)), plate[0] + [1.0, 0.7]], [1.0, 2.0, 3.0, 6.0]
    for k, (center, mass) in enumerate(zip(centers, masses, strict=True)):
        b[3 * k + 1], b[3 * k + 2] = mass * WEIGHT, center[0] * mass * WEIGHT
    return np.linalg.solve(A, b).reshape(6, 2)


def test_a_plate_held_by_two_closing_joints_stands_by_the_forces_of_statics():
    system, start = truss()
    assert system.tree().closing_joints == ["head1", "head2"]
    motion = vc.simulate(system, 0.1, start, grid=3)
    assert np.abs(motion.v).max() < 1e-12
    for pin, force in zip(("foot0", "foot1", "foot2", "head0", "head1", "head2"), pin_forces(), strict=True):
        np.testing.assert_allclose(motion.joint(pin).reaction[:, :2], [force] * 3, rtol=0, atol=1e-9)
        assert np.abs(motion.joint(pin).reaction[:, 5]).max() < 1e-9


def chain(closing: type, parent: str, rng, **given):
    """Bodies on a ball, a damped hinge and a ball, the last held by one more joint with all its freedoms in use."""
    system = vc.System("chain", gravity=(1.0, -2.0, -9.0))
    kinds = (vc.Spherical, vc.Revolute, vc.Spherical, vc.Spherical)
    before = "ground"
    for i, kind in enumerate(kinds):
        body = system.add(vc.RigidBody(f"body{i}", 1.0 + i, 0.2 * rng.normal(size=3), random_inertia(rng)))
        extra = {"damping": 0.3} if kind is vc.Revolute else {}
        system.add(kind(f"joint{i}", before, body, at=random_pose(rng), to=random_pose(rng), **extra))
        before = body
    start = {"joint1": vc.At(0.4, rate=1.5)}
    open_one = vc.simulate(system, 1e-3, start, grid=2)
    X_WC = vc.Pose(open_one.body("body3").position[0], open_one.body("body3").rotation[0])
    X_WP = (
        vc.Pose()
        if parent == "ground"
        else vc.Pose(open_one.body(parent).position[0], open_one.body(parent).rotation[0])
    )
    to = random_pose(rng)
    system.add(closing("closing", parent, "body3", at=X_WP.inverse() @ X_WC @ to, to=to, **given))
    return system, start


@pytest.mark.parametrize("parent", ["ground", pytest.param("body0", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["Revolute", "Cylindrical", "Planar"])
def test_joints_of_a_loop_bear_nothing_along_their_freedoms(kind, parent):
    """Balls bear no moment, the hinge none about its axis but its damper's; frames from the description alone."""
    rng = np.random.default_rng(3 + len(kind))
    system, start = chain(getattr(vc, kind), parent, rng)
    motion = vc.simulate(system, 0.4, start, grid=9, method="dop853")
    size = np.abs(motion.joint("closing").reaction).max()
    assert size > 1.0
    for ball in ("joint0", "joint2", "joint3"):
        assert np.abs(motion.joint(ball).reaction[:, 3:]).max() < 1e-9 * size
    axis = motion.body("body0").rotation @ system.joints["joint1"].at.R[:, 2]
    inner, outer = (
        np.einsum("tij,tj->ti", motion.body(b).rotation, motion.body(b).twist[:, 3:]) for b in ("body0", "body1")
    )
    rate = np.sum((outer - inner) * axis, axis=1)
    assert np.abs(rate).max() > 0.5
    moment = np.sum(motion.joint("joint1").reaction[:, 3:] * axis, axis=1)
    np.testing.assert_allclose(moment, -0.3 * rate, rtol=0, atol=1e-9 * size)


def test_only_joints_within_a_loop_are_undetermined():
    """A planar four-bar on a swinging base, with a pendulum on its coupler: neither bears what the loop bears within itself."""
    system = vc.System("carried", gravity=(0, -WEIGHT, 0))
    system.add(vc.RigidBody("base", 5.0, (0, -1, 0), np.eye(3)))
    for name, length in (("crank", 1.0), ("coupler", 2.5), ("rocker", 2.0), ("bob", 0.5)):
        rod(system, name, length)
    system.add(vc.Spherical("swing", "ground", "base", at=(0.3, 0.2, 0.1), to=(0.5, 1.0, 0.4)))
    system.add(vc.Revolute("A", "base", "crank", at=(0.2, 0.1, 0)))
    system.add(vc.Revolute("B", "crank", "coupler", at=(1, 0, 0)))
    system.add(vc.Revolute("D", "base", "rocker", at=(2.4, 0.1, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(2.5, 0, 0), to=(2, 0, 0)))
    system.add(vc.Universal("hook", "coupler", "bob", at=(1, 0.3, 0)))
    found = vc.mobility(system, {"A": 1.0})
    assert (found.velocities, found.gaps, found.freedoms) == (8, 5, 6)
    assert [label for _, label in found.redundant] == ["z", "tilt x", "tilt y"]
    assert set(found.undetermined) == {"A", "B", "C", "D"}


def test_the_frames_of_a_four_bar_do_not_change_its_reactions():
    """Bodies with frames turned and shifted in their own plane are the same mechanism."""
    plain = vc.simulate(four_bar(), 0.5, {"A": vc.At(1.0, rate=2.0)}, grid=6)
    system = vc.System("moved", gravity=(0, -WEIGHT, 0))
    frames = {name: vc.Pose((0.3 - 0.2 * i, 0.1 * i, 0), Rotation.from_rotvec((0, 0, 0.4 + i)).as_matrix())
              for i, name in enumerate(("crank", "coupler", "rocker"))}  # fmt: skip
    for name, length in (("crank", 1.0), ("coupler", 2.5), ("rocker", 2.0)):
        X = frames[name]
        inertia = length**3 / 12 * np.diag([0.0, 1, 1]) + 1e-4 * np.eye(3)
        system.add(vc.RigidBody(name, length, X.apply(np.array([length / 2, 0, 0])), X.R @ inertia @ X.R.T))
    crank, coupler, rocker = frames.values()
    system.add(vc.Revolute("A", "ground", "crank", to=crank))
    system.add(vc.Revolute("B", "crank", "coupler", at=crank @ vc.Pose((1.0, 0, 0)), to=coupler))
    system.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0), to=rocker))
    system.add(
        vc.Revolute("C", "coupler", "rocker", at=coupler @ vc.Pose((2.5, 0, 0)), to=rocker @ vc.Pose((2.0, 0, 0)))
    )
    moved = vc.simulate(system, 0.5, {"A": vc.At(1.0, rate=2.0)}, grid=6)
    np.testing.assert_allclose(moved["A"], plain["A"], rtol=0, atol=1e-11)
    for joint in "ABCD":
        np.testing.assert_allclose(
            moved.joint(joint).reaction[:, [0, 1, 5]], plain.joint(joint).reaction[:, [0, 1, 5]], rtol=0, atol=1e-8
        )
