"""A foot on a plane from one description: gap and point of contact follow from it."""

import numpy as np
import pytest

import vinculum as vc

G, MU, SLOPE = 9.81, 0.2, np.radians(25.0)


def test_a_foot_slides_down_an_incline():
    """Oracle: the acceleration g (sin α − μ cos α) of a block without rotation."""
    system = vc.System("incline", gravity=(0, 0, -G))
    block = system.add(vc.RigidBody("block", 2.0, inertia=(1e-1,) * 3))
    system.add(vc.Translation("carried", "ground", block))
    plane = vc.shapes.HalfSpace((-np.sin(SLOPE), 0, np.cos(SLOPE)), 0.1)
    system.add(vc.Unilateral.on_plane("foot", block, (0.03, 0, -0.2), plane=plane, impact=0.0, friction=MU))
    start = 0.1 * plane.normal - (0.03, 0, -0.2)
    motion = vc.simulate(system, 1.0, {"carried": tuple(start)}, progress=False)
    down = -np.array([np.cos(SLOPE), 0, np.sin(SLOPE)])
    gone = (motion.body("block").position - start) @ down
    np.testing.assert_allclose(gone, 0.5 * G * (np.sin(SLOPE) - MU * np.cos(SLOPE)) * motion.time**2, atol=1e-9)
    np.testing.assert_allclose(motion.bond("foot").gap, 0.0, atol=1e-12)
    assert motion.audit().verdict == "passed", str(motion.audit())


MODEL = """
[system]
gravity = [0, 0, -9.81]
[bodies.a]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[unilaterals.foot]
bodies = ["a"]
foot = [0.1, 0, "-20 cm"]
plane = {normal = [0, 0, 1], offset = "1 cm"}
impact = 0.0
friction = 0.4
"""


def test_a_foot_of_a_model_file(tmp_path):
    (tmp_path / "foot.toml").write_text(MODEL)
    read = vc.read_model(tmp_path / "foot.toml").system
    system = vc.System("foot", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody("a", 1.0, inertia=(0.1,) * 3))
    plane = vc.shapes.HalfSpace((0, 0, 1), 0.01)
    system.add(vc.Unilateral.on_plane("foot", body, (0.1, 0, -0.2), plane=plane, impact=0.0, friction=0.4))
    one, other = (vc.simulate(each, 0.4, {"a": (0, 0, 0.5)}, progress=False) for each in (read, system))
    np.testing.assert_allclose(one.q, other.q, atol=1e-13)


def test_what_is_said_twice_is_refused(tmp_path):
    (tmp_path / "foot.toml").write_text(MODEL.replace("impact = 0.0", 'gap = "a.position[2]"\nimpact = 0.0'))
    with pytest.raises(vc.errors.FileError, match="leave gap and point out"):
        vc.read_model(tmp_path / "foot.toml")


def test_a_gap_or_a_foot_is_needed(tmp_path):
    text = MODEL.replace('foot = [0.1, 0, "-20 cm"]\n', "").replace(
        'plane = {normal = [0, 0, 1], offset = "1 cm"}\n', ""
    )
    (tmp_path / "foot.toml").write_text(text)
    with pytest.raises(vc.errors.FileError, match="needs a gap"):
        vc.read_model(tmp_path / "foot.toml")


def test_a_plane_is_a_half_space():
    with pytest.raises(vc.errors.ModelError, match=r"plane is 3; give vc\.shapes\.HalfSpace"):
        vc.Unilateral.on_plane("foot", "a", plane=3, impact=0.0)
