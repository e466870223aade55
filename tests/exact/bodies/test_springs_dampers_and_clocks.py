"""Springs, dampers and drives of joints with several velocities, and methods that look at the clock."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import vinculum as vc
from marks import TAYLOR
from vinculum.compile.targets import arrays
from vinculum.models.types import model_of

STEPS = [{"method": "rk4", "step": 1e-3}, {"method": "verlet", "step": 1e-3}, {"method": "midpoint", "step": 1e-3}]


def driven() -> vc.System:
    system = vc.System("driven")
    cart = system.add(vc.MassPoint("cart", 1.0))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(0, 1, 0), drive=lambda t: vc.math.cos(2 * t)))
    return system


@pytest.mark.parametrize("settings", STEPS, ids=lambda s: s["method"])
def test_a_force_by_the_clock_is_taken_at_the_right_instants(settings):
    """ẍ = cos 2t from t = 1: an error of half a step in the clock would be 5e-4."""
    motion = vc.simulate(driven(), 4.0, begin=1.0, **settings)
    t = motion.time
    v = (np.sin(2 * t) - np.sin(2.0)) / 2
    q = -(np.cos(2 * t) - np.cos(2.0)) / 4 - np.sin(2.0) / 2 * (t - 1.0)
    assert np.abs(motion.v[:, 0] - v).max() < 2e-6
    assert np.abs(motion.q[:, 0] - q).max() < 2e-6


@pytest.mark.parametrize("settings", [*STEPS, {"method": "dop853"}], ids=lambda s: s["method"])
def test_ensembles_look_at_the_same_clock(settings):
    runs = vc.ensemble(driven(), 4.0, {"rail": np.zeros(3)}, begin=1.0, grid=4, **settings)
    assert np.abs(runs.v[:, :, 0] - (np.sin(2 * runs.time) - np.sin(2.0)) / 2).max() < 2e-6


def test_every_velocity_has_a_damping_of_its_own():
    system = vc.System("sleeve")
    body = system.add(vc.RigidBody("body", 2.0, inertia=(1.0, 1.0, 0.5)))
    system.add(vc.Cylindrical("sleeve", "ground", body, damping=(0.6, 0.4)))
    motion = vc.simulate(system, 3.0, {"sleeve": vc.At((0, 0), rate=(1.0, 2.0))})
    t = motion.time
    assert np.abs(motion.v - np.stack([np.exp(-0.3 * t), 2 * np.exp(-0.8 * t)], axis=1)).max() < 1e-13


def test_a_ball_spring_swings_as_a_pendulum():
    """Torque −k sin θ about a fixed axis: J θ̈ = −k sin θ."""
    system = vc.System("ball")
    body = system.add(vc.RigidBody("body", 1.0, inertia=(0.5, 0.6, 0.7)))
    system.add(vc.Spherical("joint", "ground", body, stiffness=3.0))
    angle = 1.0
    motion = vc.simulate(system, 5.0, {"joint": (np.cos(angle / 2), 0, np.sin(angle / 2), 0)})
    k2, w = np.sin(angle / 2) ** 2, np.sqrt(3.0 / 0.6)
    theta = 2 * np.arcsin(np.sqrt(k2) * ellipj(ellipk(k2) - w * motion.time, k2)[0])
    assert np.abs(motion.body("body").rotation[:, 0, 2] - np.sin(theta)).max() < 1e-11


def test_a_spring_of_a_free_joint_swings_about_its_rest():
    system = vc.System("mount")
    body = system.add(vc.RigidBody("body", 2.0, inertia=(0.5, 0.6, 0.7)))
    rest = (0.3, -0.2, 0.1, 1.0, 0.0, 0.0, 0.0)
    stiffness = (8.0, 18.0, 32.0, 1.0, 1.0, 1.0)
    system.add(vc.Free("mount", "ground", body, stiffness=stiffness, rest=rest))
    motion = vc.simulate(system, 3.0)
    t = motion.time[:, None]
    expected = np.array(rest[:3]) * (1 - np.cos(np.sqrt(np.array(stiffness[:3]) / 2.0) * t))
    assert np.abs(motion.body("body").position - expected).max() < 1e-12


def test_a_quaternion_off_its_sphere_is_pulled_back():
    system = vc.System("body")
    system.add(vc.RigidBody("body", 1.0, inertia=(1, 1, 1)))
    tape = model_of(system.tree()).tape("motion")
    for size in (0.9, 1.1):
        row = np.concatenate([[0, 0, 0], size * np.array([0.5, 0.5, 0.5, 0.5]), np.zeros(6), [0.0]])
        rate = arrays.evaluate(tape, row[None])[0, 3:7]
        assert np.sign(rate @ row[3:7]) == np.sign(1.0 - size)


def test_a_quaternion_of_another_length_breaks_its_line():
    system = vc.System("body")
    system.add(vc.RigidBody("body", 1.0, inertia=(1, 2, 2.5)))
    motion = vc.simulate(system, 2.0, {"body": vc.At((0, 0, 0), rate=(0, 0, 0, 0.3, 1.0, 0.2))})
    q = motion.q.copy()
    q[:, 3:] *= 1.0001
    lines = {line.law: line.verdict for line in motion.replace(q=q).audit().lines}
    assert lines["chart norms"] == "broken"


@pytest.mark.parametrize("rate", [0.0, 5.0])
@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
def test_a_ball_thrown_up_against_drag_by_the_norm_of_its_velocity_falls_as_the_closed_form(rate, method):
    last = np.sqrt(0.2 * 9.81 / 0.01)
    throw = vc.System("throw", gravity=(0, 0, -9.81))
    ball = throw.add(vc.MassPoint("ball", 0.2))
    throw.add(vc.Force("drag", ball, lambda b: vc.Wrench(force=-0.01 * vc.math.norm(b.velocity) * b.velocity)))
    motion = vc.simulate(throw, 2.0, {"ball": vc.At(rate=(0, 0, rate))}, method=method)
    rising = last / 9.81 * np.arctan(rate / last)
    top = last**2 / (2 * 9.81) * np.log1p((rate / last) ** 2)
    falls = top - last**2 / 9.81 * np.log(np.cosh(9.81 * (2.0 - rising) / last))
    np.testing.assert_allclose(motion.q[-1], [0, 0, falls], rtol=1e-12, atol=1e-13)
    assert motion.audit().passed
    assert ("dop853 ran instead" in "".join(motion.log)) == (method == "taylor" and rate == 0.0)
