"""Loops closed by every kind of joint: they stay closed as the description says, by reactions that do no work."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import vinculum as vc
from mechanisms import bricard, four_bar, rod, windows, windows_start
from trees import random_inertia, random_pose

AXIS = np.array([0.48, -0.6, 0.64])
CROSS = np.array([[1.0, 0.2, 0.0], [0.0, 0.6, 0.8]])
CROSS = CROSS / np.linalg.norm(CROSS, axis=1)[:, None]
PITCH = 0.3
CLOSING = {
    "Revolute": {"axis": AXIS}, "Prismatic": {"axis": AXIS}, "Helical": {"axis": AXIS, "pitch": PITCH},
    "Cylindrical": {"axis": AXIS}, "Universal": {"axes": CROSS}, "Spherical": {}, "Planar": {}, "Weld": {}, "Translation": {},
}  # fmt: skip
FREE = {"Revolute": [(0, AXIS)], "Prismatic": [(AXIS, 0)], "Helical": [(PITCH * AXIS, AXIS)], "Weld": [],
        "Cylindrical": [(AXIS, 0), (0, AXIS)], "Spherical": [(0, e) for e in np.eye(3)], "Universal": [(0, CROSS[0])],
        "Planar": [(np.eye(3)[0], 0), (np.eye(3)[1], 0), (0, np.eye(3)[2])],
        "Translation": [(e, 0) for e in np.eye(3)]}  # fmt: skip
"""Relative motions that each joint allows, (translation, turn) in the parent's joint frame."""


def open_chain(rng, ring: bool = False):
    system = vc.System("loop", gravity=(1.0, -2.0, -9.0))
    before, kinds = "ground", ("Spherical", "Universal", "Revolute", "Cylindrical", "Spherical")
    for i, kind in enumerate(kinds):
        body = system.add(vc.RigidBody(f"body{i}", rng.uniform(0.5, 2), 0.2 * rng.normal(size=3), random_inertia(rng)))
        if not (ring and i == 0):
            extra = {"damping": 0.1} if kind == "Revolute" else {}
            system.add(getattr(vc, kind)(f"joint{i}", before, body, at=random_pose(rng), to=random_pose(rng), **extra))
        before = body
    return system


def closed_chain(kind: str, rng, parent="ground"):
    """A chain whose last body is held by one more joint, which its frames let close at the start given back."""
    system = open_chain(rng, ring=parent != "ground")
    still = vc.simulate(system, 1e-3, {"joint1": (0.3, -0.4), "joint2": 0.5, "joint3": (0.1, 0.2)}, grid=2)
    X_WC = vc.Pose(still.body("body4").position[0], still.body("body4").rotation[0])
    X_WP = vc.Pose() if parent == "ground" else vc.Pose(still.body(parent).position[0], still.body(parent).rotation[0])
    to = random_pose(rng)
    system.add(getattr(vc, kind)("closing", parent, "body4", at=X_WP.inverse() @ X_WC @ to, to=to, **CLOSING[kind]))
    names = [k.joint.name for k in still.record.model.tree.links if k.joint.name != "joint4"]
    return system, {name: vc.At(still[name][0], rate=0.3 * rng.normal(size=len(np.atleast_1d(still[name][0])) if name not in
                    ("joint0", "body0") else {"joint0": 3, "body0": 6}[name])) for name in names}  # fmt: skip


def frames(motion, system, parent):
    joint = system.joints["closing"]
    ends = []
    for body, X in ((parent, joint.at), ("body4", joint.to)):
        R, p = (
            (np.eye(3)[None], np.zeros((1, 3)))
            if body == "ground"
            else (motion.body(body).rotation, motion.body(body).position)
        )
        ends.append((R @ X.R, p + R @ X.p))
    (R_P, p_P), (R_C, p_C) = ends
    back = np.swapaxes(R_P, 1, 2)
    return back @ R_C, (back @ (p_C - p_P)[:, :, None])[:, :, 0], np.broadcast_to(R_P, R_C.shape)


@pytest.mark.parametrize("parent", ["ground", pytest.param("body0", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", list(CLOSING))
def test_a_loop_closed_by_any_joint_stays_closed_and_keeps_the_laws(kind, parent):
    rng = np.random.default_rng(sum(map(ord, kind)))
    system, start = closed_chain(kind, rng, parent)
    motion = vc.simulate(system, 0.5, start, grid=21, method="dop853")
    R, p, R_WP = frames(motion, system, parent)
    along = {"Prismatic": AXIS, "Helical": AXIS, "Cylindrical": AXIS}.get(kind)
    turning = {"Revolute": AXIS, "Helical": AXIS, "Cylindrical": AXIS, "Planar": np.eye(3)[2]}.get(kind)
    if kind == "Planar":
        assert np.abs(p[:, 2]).max() < 1e-12
    elif kind != "Translation":
        assert np.abs(p - (p @ along)[:, None] * along if along is not None else p).max() < 1e-12
    if turning is not None:
        assert np.abs(R @ turning - turning).max() < 1e-12
    elif kind in ("Prismatic", "Weld", "Translation"):
        assert np.abs(R - np.eye(3)).max() < 1e-12
    elif kind == "Universal":
        assert np.abs(CROSS[0] @ (R @ CROSS[1]).T - CROSS[0] @ CROSS[1]).max() < 1e-12
    if kind == "Helical":
        sine = (
            np.einsum(
                "tij,ji->t", R, np.array([[0, -AXIS[2], AXIS[1]], [AXIS[2], 0, -AXIS[0]], [-AXIS[1], AXIS[0], 0]]).T
            )
            / 2
        )
        np.testing.assert_allclose(np.sin(p @ AXIS / PITCH), sine, rtol=0, atol=1e-11)
    assert np.abs(motion.v).max() > 0.05
    wrench = motion.joint("closing").reaction
    scale = np.abs(wrench).max()
    for shift, turn in FREE[kind]:
        shift, turn = R_WP @ (shift * np.ones(3)), R_WP @ (turn * np.ones(3))
        power = np.sum(wrench[:, :3] * shift, axis=1) + np.sum(wrench[:, 3:] * turn, axis=1)
        assert np.abs(power).max() < 1e-9 * scale
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


def test_a_ring_that_floats_keeps_its_momentum():
    system = vc.System("ring")
    for i in range(4):
        rod(system, f"rod{i}", 1.0)
    for i in range(4):
        system.add(vc.Revolute(f"hinge{i}", f"rod{i}", f"rod{(i + 1) % 4}", at=(1, 0, 0)))
    assert system.tree().closing_joints == ["hinge3"]
    start = {"rod0": vc.At(vc.Pose(), rate=(0.1, 0.2, 0.3, 0.4, -0.2, 0.5))}
    start |= {f"hinge{i}": np.pi / 2 + 0.2 * (-1) ** i for i in range(3)} | {"hinge0": vc.At(np.pi / 2 + 0.2, rate=1.0)}
    motion = vc.simulate(system, 3.0, start)
    momentum = motion.body().momentum
    np.testing.assert_allclose(momentum, np.tile(momentum[0], (len(momentum), 1)), rtol=0, atol=1e-11)
    assert motion.audit().passed


@pytest.mark.parametrize("method", ["dop853", "rk4", "midpoint", "verlet"])
def test_every_method_keeps_loops_closed(method):
    step = {} if method == "dop853" else {"step": 2e-4}
    motion = vc.simulate(four_bar(), 0.5, {"A": vc.At(1.0, rate=2.0)}, method=method, **step)
    exact = vc.simulate(four_bar(), 0.5, {"A": vc.At(1.0, rate=2.0)}, method="auto")
    pin = motion.body("coupler").point((2.5, 0, 0)).position - motion.body("rocker").point((2.0, 0, 0)).position
    assert np.abs(pin).max() < 1e-12
    assert np.abs(motion.q - exact.q).max() < (1e-10 if method in ("dop853", "rk4") else 1e-5)
    assert motion.audit().passed, str(motion.audit())


def test_a_falsified_loop_fails_its_certificate():
    motion = vc.simulate(four_bar(), 2.0, {"A": vc.At(1.0, rate=2.0)})
    assert motion.replace(q=motion.q, v=motion.v).audit().passed
    opened = motion.q + np.array([0.0, 0.0, 1e-3])
    broken = [line.law for line in motion.replace(q=opened).audit().lines if line.verdict == "broken"]
    assert "closed loops" in broken
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"
    opening = motion.v + np.array([0.0, 0.0, 1e-2])
    broken = [line.law for line in motion.replace(v=opening).audit().lines if line.verdict == "broken"]
    assert "closed loops, rates" in broken and "power of closing reactions" in broken


def test_a_motion_with_loops_is_stored_and_audited_again(tmp_path):
    for system, start in ((bricard(), None), (windows(1), windows_start(1, 1.2, 0.5))):
        motion = vc.simulate(system, 0.4, start)
        motion.save(tmp_path / f"{system.name}.zarr")
        again = vc.load(tmp_path / f"{system.name}.zarr")
        np.testing.assert_array_equal(again.q, motion.q)
        assert again.audit().passed
        joint = next(iter(motion.record.model.layout.closing))
        np.testing.assert_array_equal(again.joint(joint).reaction, motion.joint(joint).reaction)


def test_parameters_change_a_mechanism_without_new_equations():
    length = vc.parameter("length", 2.0)
    system = four_bar(rocker=length)
    for value in (2.0, 1.8):
        motion = vc.simulate(system, 1.0, {"A": vc.At(1.0, rate=1.0)}, parameters={"length": value}, grid=11)
        plain = vc.simulate(four_bar(rocker=value), 1.0, {"A": vc.At(1.0, rate=1.0)}, grid=11)
        np.testing.assert_allclose(motion["A"], plain["A"], rtol=0, atol=1e-11)


@pytest.mark.parametrize("kind, turn", [("Weld", (2.84, 0.1, 0)), ("Translation", (2.84, 0.1, 0)), ("Prismatic", (2.84, 0.1, 0)),
                                        ("Helical", (0.1, 0, 2.84))])  # fmt: skip
def test_a_body_near_its_half_turn_is_turned_back_and_not_fixed_there(kind, turn):
    system = vc.System("held")
    rod(system, "body", 1.0)
    system.add(vc.Spherical("ball", "ground", "body"))
    system.add(getattr(vc, kind)("closing", "ground", "body", **({"pitch": PITCH} if kind == "Helical" else {})))
    motion = vc.simulate(system, 0.1, {"ball": Rotation.from_rotvec(turn).as_matrix()}, grid=2)
    np.testing.assert_allclose(motion.body("body").rotation, [np.eye(3)] * 2, rtol=0, atol=1e-11)


def test_a_parameter_that_only_the_closing_joint_has_moves_it():
    reach = vc.parameter("reach", 2.0)
    system = vc.System("four-bar", gravity=(0, -9.81, 0))
    for name, length in (("crank", 1.0), ("coupler", 2.5), ("rocker", 2.0)):
        rod(system, name, length)
    system.add(vc.Revolute("A", "ground", "crank"))
    system.add(vc.Revolute("B", "crank", "coupler", at=(1, 0, 0)))
    system.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(2.5, 0, 0), to=(reach, 0, 0)))
    for given in (2.0, 1.7):
        motion = vc.simulate(system, 0.3, {"A": 1.0}, parameters={"reach": given}, grid=4)
        pin = motion.body("coupler").point((2.5, 0, 0)).position - motion.body("rocker").point((given, 0, 0)).position
        assert np.abs(pin).max() < 1e-12


def test_a_joint_without_conditions_closes_nothing():
    system = vc.System("loose", gravity=(0, -9.81, 0))
    for name, place in (("one", 0.0), ("two", 1.0)):
        rod(system, name, 1.0)
        system.add(vc.Revolute(f"{name} hinge", "ground", name, at=(place, 0, 0)))
    alone = vc.simulate(system, 1.0, grid=5)
    system.add(vc.Free("nothing", "one", "two"))
    assert vc.mobility(system).freedoms == 2
    motion = vc.simulate(system, 1.0, grid=5)
    np.testing.assert_allclose(motion.q, alone.q, rtol=0, atol=1e-12)
    assert not motion.joint("nothing").reaction.any()
    assert motion.audit().passed


def test_a_mechanism_near_a_singular_position_goes_by_its_equations():
    """A parallelogram whose ground is a thousandth of a millimetre short: the coupler folds onto the rocker and turns with it."""
    motion = vc.simulate(four_bar(1.0, 1.0, 1.0, 1.0 - 1e-6), 1.0, {"A": vc.At(np.pi / 2, rate=-1.0), "B": -np.pi / 2})
    assert not any("singular" in line for line in motion.log)
    assert abs(motion["A"][-1]) < 1e-5 and motion["D"][-1] < -2.0
    assert motion.audit().passed
