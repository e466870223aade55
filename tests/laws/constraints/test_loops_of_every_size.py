"""Mechanisms at rest, locked, very small, very large or held more than once keep the laws, and their reactions scale."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka
from mechanisms import rod, windows, windows_start

SMALL, LARGE = np.deg2rad(35), np.deg2rad(70)


def about_x(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def bennett(size: float) -> vc.System:
    """Four hinges whose skew axes let them move: opposite links are equal, and lengths go as the sines of their twists."""
    system = vc.System("Bennett", gravity=(0, 0, -9.81))
    ends = [vc.Pose((size * np.sin(a), 0, 0), about_x(a)) for a in (SMALL, LARGE, SMALL, LARGE)]
    before, at, mass = "ground", vc.Pose(), 1e3 * size**3
    for i, end in enumerate(ends[:3]):
        inertia = np.diag([0.01, 1, 1]) * mass * end.p[0] ** 2 / 12
        body = system.add(vc.RigidBody(f"link{i}", mass, (end.p[0] / 2, 0, 0), inertia))
        system.add(vc.Revolute(f"h{i}", before, body, at=at))
        before, at = body, end
    system.add(vc.Revolute("h3", "ground", before, at=ends[3].inverse(), to=at))
    return system


@pytest.mark.parametrize("size", [1e-5, 1e-3, 1.0, 1e3])
def test_a_bennett_linkage_of_any_size_moves_as_its_closure_says(size):
    system = bennett(size)
    assert vc.mobility(system, {"h0": 1.0}).freedoms == 1
    motion = vc.simulate(system, 2.0 * np.sqrt(size), {"h0": 1.0}, grid=41)
    ratio = np.sin((SMALL + LARGE) / 2) / np.sin((LARGE - SMALL) / 2)
    np.testing.assert_allclose(np.tan(motion["h0"] / 2) * np.tan(motion["h1"] / 2), ratio, rtol=1e-9)
    np.testing.assert_allclose(motion["h2"], -motion["h0"], rtol=0, atol=1e-11)
    model = vc.simulate(bennett(1.0), 2.0, {"h0": 1.0}, grid=41)
    np.testing.assert_allclose(motion["h0"], model["h0"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(
        motion.joint("h3").reaction[:, :3] / size**3, model.joint("h3").reaction[:, :3], rtol=1e-6, atol=1e-3
    )
    a = vc.derive(system).accelerations(motion.q[0], motion.v[0])
    np.testing.assert_allclose(a * size, vc.derive(bennett(1.0)).accelerations(model.q[0], model.v[0]), rtol=1e-9)
    assert motion.audit().passed, str(motion.audit())


def test_a_door_on_two_hinges_of_one_skew_axis_turns_as_on_one():
    doors = []
    for hinges in (1, 2):
        system = vc.System("door", gravity=(0, 0, -9.81))
        rod(system, "door", 1.0)
        for i in range(hinges):
            system.add(vc.Revolute(f"h{i}", "ground", "door", axis=(0, 1, 1), at=(0, i, i), to=(0, i, i)))
        doors.append(system)
    assert vc.mobility(doors[1]).freedoms == 1
    one, two = (vc.simulate(door, 1.0, {"h0": vc.At(0.4, rate=0.1)}, grid=11) for door in doors)
    np.testing.assert_allclose(two["h0"], one["h0"], rtol=0, atol=1e-12)
    assert np.abs(two.joint("h1").reaction).max() < 100.0
    np.testing.assert_allclose(
        vc.derive(doors[1]).accelerations(one.q, one.v), vc.derive(doors[0]).accelerations(one.q, one.v), rtol=1e-9
    )
    assert two.audit().passed


def triangle() -> vc.System:
    system = vc.System("triangle", gravity=(0, -9.81, 0))
    for name in ("one", "two"):
        system.add(vc.RigidBody(name, 1.0, (0.5, 0, 0), np.diag([1e-3, 0.1, 0.1])))
    system.add(vc.Revolute("a", "ground", "one"))
    system.add(vc.Revolute("b", "one", "two", at=(1, 0, 0)))
    system.add(vc.Revolute("c", "ground", "two", at=(1, 0, 0), to=(1, 0, 0)))
    return system


@pytest.mark.parametrize("method", ["auto", "dop853", "rk4", "midpoint"])
def test_a_locked_triangle_carries_its_weight_and_keeps_the_laws(method):
    step = {} if method in ("auto", "dop853") else {"step": 1e-2}
    motion = vc.simulate(triangle(), 0.2, {"a": 1.0, "b": -2.0}, method=method, **step)
    assert np.abs(motion.v).max() < 1e-12
    np.testing.assert_allclose(motion.joint("c").reaction[:, 1], 9.81, rtol=0, atol=1e-9)
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("loops", [1, 2])
def test_parallelograms_that_hang_at_rest_keep_the_laws(loops):
    motion = vc.simulate(windows(loops), 1.0, windows_start(loops, -np.pi / 2, 0.0))
    assert np.abs(motion.v).max() < 1e-13
    assert motion.audit().passed, str(motion.audit())


@needs_heyoka
@pytest.mark.parametrize("rate", [-1.0, -1.3])
def test_three_parallelograms_pass_their_flat_positions_and_keep_the_laws(rate):
    motion = vc.simulate(windows(3), 3.0, windows_start(3, np.pi / 2, rate))
    assert any("passed a singular position" in line for line in motion.log)
    assert motion.audit().passed, str(motion.audit())
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"


def test_a_frame_of_welds_on_the_ground_stands_still():
    system = vc.System("frame", gravity=(0, 0, -9.81))
    rod(system, "beam", 1.0)
    system.add(vc.Weld("left", "ground", "beam"))
    system.add(vc.Weld("right", "ground", "beam", at=(1, 0, 0), to=(1, 0, 0)))
    motion = vc.simulate(system, 0.5)
    assert motion.audit().passed
    np.testing.assert_allclose((motion.joint("left").reaction + motion.joint("right").reaction)[:, 2], 9.81)


def test_a_plate_on_three_ball_joints_is_locked_and_carried():
    system = vc.System("plate", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("plate", 1.0, (0.4, 0.3, 0), np.diag([0.1, 0.1, 0.2])))
    for i, corner in enumerate([(0, 0, 0), (1, 0, 0), (0, 1, 0)]):
        system.add(vc.Spherical(f"ball{i}", "ground", "plate", at=corner, to=corner))
    assert vc.mobility(system).freedoms == 0
    motion = vc.simulate(system, 0.3)
    forces = [motion.joint(f"ball{i}").reaction[0, 2] for i in range(3)]
    np.testing.assert_allclose(forces, 9.81 * np.array([0.3, 0.4, 0.3]), rtol=0, atol=1e-9)
    assert motion.audit().passed, str(motion.audit())
