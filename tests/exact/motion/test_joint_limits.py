"""Joints with limits: their stops, with closed forms of a slider between two walls."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

LOW, HIGH, SPEED = -0.4, 0.6, 1.25


def slider(**options) -> vc.System:
    system = vc.System("slider")
    system.add(vc.Prismatic("rail", "ground", system.add(vc.MassPoint("block", 1.3)), axis=(1, 0, 0), **options))
    return system


def free_path(t, e):
    """Position and velocity of a point that bounces between two walls, leg by leg."""
    x, v, left = 0.0, SPEED, t
    while True:
        wait = ((HIGH if v > 0 else LOW) - x) / v
        if left < wait:
            return x + v * left, v
        x, v, left = (HIGH if v > 0 else LOW), -e * v, left - wait


@pytest.mark.parametrize(
    "method, step", [pytest.param("taylor", None, marks=needs_heyoka), ("dop853", None), ("moreau", 1e-2)]
)
@pytest.mark.parametrize("e", [1.0, 0.7])
def test_a_slider_bounces_between_its_limits(method, step, e):
    system = slider(limits=vc.constraints.Limits(LOW, HIGH, impact=e))
    motion = vc.simulate(system, 4.0, {"rail": vc.At(0.0, rate=SPEED)}, method=method, step=step, progress=False)
    paths = np.array([free_path(t, e) for t in motion.time])
    np.testing.assert_allclose(motion.q[:, 0], paths[:, 0], atol=1e-12)
    assert motion.bond("rail upper stop").gap.min() >= -1e-15
    assert motion.audit().verdict == "passed", str(motion.audit())


def test_a_pair_is_inelastic_and_one_side_may_be_free():
    motion = vc.simulate(slider(limits=(None, HIGH)), 2.0, {"rail": vc.At(0.0, rate=SPEED)}, progress=False)
    np.testing.assert_allclose(motion.q[:, 0], np.minimum(SPEED * motion.time, HIGH), atol=1e-13)
    assert set(motion.record.model.layout.unilaterals) == {"rail upper stop"}


def test_every_coordinate_of_a_joint_has_its_own_limits():
    system = vc.System("table")
    block = system.add(vc.RigidBody("block", 1.0, inertia=(0.1,) * 3))
    system.add(
        vc.Planar("plane", "ground", block, limits=[(LOW, HIGH), None, vc.constraints.Limits(upper=0.5, impact=1.0)])
    )
    motion = vc.simulate(system, 1.0, {"plane": vc.At((0, 0, 0), rate=(SPEED, SPEED, SPEED))}, progress=False)
    np.testing.assert_allclose(motion.q[-1], [HIGH, SPEED, 0.5 - (SPEED - 0.5)], atol=1e-12)


def test_a_limit_may_be_a_parameter():
    system = slider(limits=vc.constraints.Limits(upper=vc.parameter("end", HIGH), impact=1.0))
    motion = vc.simulate(system, 1.0, {"rail": vc.At(0.0, rate=SPEED)}, parameters={"end": 0.5}, progress=False)
    assert motion.q[-1, 0] == pytest.approx(0.5 - (SPEED - 0.5), abs=1e-12)


@pytest.mark.parametrize(
    "limits, told",
    [((HIGH, LOW), "lower 0.6 is not below upper -0.4"), ((1.0,), "no pair"), ("x", "limits is 'x'"),
     ([(0, 1), (0, 1)], "each of its 1 coordinates"), ((float("nan"), 1.0), "limits is (nan, 1.0)")],
)  # fmt: skip
def test_wrong_limits_are_refused(limits, told):
    with pytest.raises(vc.errors.ModelError) as refused:
        slider(limits=limits)
    assert told in str(refused.value) and "'rail'" in str(refused.value)


def test_rotations_have_no_limits():
    with pytest.raises(vc.errors.ModelError, match=r"joint 'ball': limits: its 4 coordinates.*vc\.Unilateral"):
        vc.Spherical("ball", "ground", "body", limits=(0, 1))


def test_limits_of_a_model_file(tmp_path):
    (tmp_path / "slider.toml").write_text("""
[bodies.block]
mass = 1.3
inertia = [1, 1, 1]
[joints.rail]
kind = "prismatic"
parent = "ground"
child = "block"
axis = [1, 0, 0]
limits = {lower = "-40 cm", upper = 0.6, impact = 0.7}
""")
    (tmp_path / "pair.toml").write_text(
        (tmp_path / "slider.toml").read_text().replace('{lower = "-40 cm", upper = 0.6, impact = 0.7}', "[-0.4, 0.6]")
    )
    limits = vc.read_model(tmp_path / "slider.toml").system.joints["rail"].limits[0]
    assert (limits.lower, limits.upper, limits.impact.restitution) == (pytest.approx(LOW), HIGH, 0.7)
    assert set(vc.read_model(tmp_path / "pair.toml").system.unilaterals) == {"rail lower stop", "rail upper stop"}
