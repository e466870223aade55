"""Pendulums against closed forms."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import vinculum as vc
from vinculum.compile.engines import has_heyoka
from vinculum.motion.states import tape_rows

G = 9.81


def pendulum() -> vc.System:
    """A mass point on a massless rod of length one."""
    system = vc.System("pendulum", gravity=(0, 0, -G))
    bob = system.add(vc.MassPoint("bob", mass=0.7))
    system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 1.0)))
    return system


def test_pendulum_period_at_one_radian():
    event = vc.Event("turn", ["hinge"], lambda hinge: hinge.v, direction=-1)
    motion = vc.simulate(pendulum(), 6.5, {"hinge": 1.0}, events=[event])
    turns = [c.time for c in motion.record.crossings if c.time > 1e-6]
    assert turns[0] == pytest.approx(2.1391376006, abs=2e-10)
    assert turns[1] - turns[0] == pytest.approx(4 * np.sqrt(1 / G) * ellipk(np.sin(0.5) ** 2), abs=1e-11)


def test_pendulum_follows_the_elliptic_sine():
    motion = vc.simulate(pendulum(), 10.0, {"hinge": 1.0})
    k = np.sin(0.5)
    sn, _, _, _ = ellipj(ellipk(k**2) - np.sqrt(G) * motion.time, k**2)
    assert np.abs(motion["hinge"] - 2 * np.arcsin(k * sn)).max() < 2e-12


@pytest.mark.skipif(not has_heyoka(), reason="a claim of the Taylor engine")
def test_energy_of_a_pendulum_stays_for_ten_thousand_periods():
    motion = vc.simulate(pendulum(), 2.1391376006 * 1e4, {"hinge": 1.0}, grid=2001)
    energy = motion.energy + 0.7 * G
    assert np.abs(energy / energy[0] - 1).max() < 1e-12


def test_double_pendulum_accelerations_match_the_textbook():
    """Cheremensky, section 2.2.5: point masses 1.1 and 0.7 kg on rods 1.3 and 0.8 m, angles from the vertical."""
    system = vc.System("double pendulum", gravity=(0, -G, 0))
    for name, mass in (("first", 1.1), ("second", 0.7)):
        system.add(vc.MassPoint(name, mass))
    system.add(vc.Revolute("one", "ground", "first", axis=(0, 0, 1), to=(0, 1.3, 0)))
    system.add(vc.Revolute("two", "first", "second", axis=(0, 0, 1), to=(0, 0.8, 0)))
    motion = vc.simulate(
        system, 1e-9, {"one": vc.At(0.4, rate=0.7), "two": vc.At(-1.3, rate=0.4)}, method="rk4", step=1e-9
    )
    rows = tape_rows(motion.record, motion.time[:1], np.concatenate([motion.q, motion.v], axis=1)[:1])
    from vinculum.compile.evaluate import evaluate_groups

    one, relative = evaluate_groups(motion.record.model.tape("motion"), rows)["v_dot"][0]
    assert (one, one + relative) == pytest.approx((-3.99277068, 12.10837934), abs=1e-8)


def test_a_helical_joint_falls_as_a_screw():
    """Energy: (m p² + J) θ̈ = −m g p for pitch p."""
    system = vc.System("screw", gravity=(0, 0, -G))
    nut = system.add(vc.RigidBody("nut", 2.0, inertia=(0.2, 0.2, 0.3)))
    system.add(vc.Helical("thread", "ground", nut, pitch=0.5))
    motion = vc.simulate(system, 2.0)
    assert motion["thread"][-1] == pytest.approx(-0.5 * 2.0**2 * (2 * G * 0.5) / (2 * 0.25 + 0.3), rel=1e-14)


def test_a_damped_spring_follows_its_exponential():
    system = vc.System("oscillator")
    cart = system.add(vc.MassPoint("cart", 2.0))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(1, 0, 0), stiffness=50.0, rest=0.3, damping=1.6))
    motion = vc.simulate(system, 8.0, {"rail": vc.At(0.8, rate=-1.0)})
    decay, w = 0.4, np.sqrt(25 - 0.16)
    t = motion.time
    expected = 0.3 + np.exp(-decay * t) * (0.5 * np.cos(w * t) + (-1.0 + decay * 0.5) / w * np.sin(w * t))
    assert np.abs(motion["rail"] - expected).max() < 1e-13
    assert motion.audit().passed


def test_a_driven_oscillator_at_resonance_grows_linearly():
    system = vc.System("driven")
    cart = system.add(vc.MassPoint("cart", 1.0))
    system.add(vc.Prismatic("rail", "ground", cart, axis=(0, 1, 0), stiffness=4.0, drive=lambda t: vc.math.cos(2 * t)))
    motion = vc.simulate(system, 20.0)
    t = motion.time
    per_step = motion.record.method.tolerance * 5.0  # the amplitude reached
    assert np.abs(motion["rail"] - t / 4 * np.sin(2 * t)).max() < max(1e-12, len(motion.record.pieces) * per_step)
    assert motion.audit().passed


def test_bearing_force_of_a_pendulum():
    """Rod tension m g cos θ + m l θ̇², along the rod; no moment in the hinge of a point mass about its own joint."""
    motion = vc.simulate(pendulum(), 3.0, {"hinge": 1.0})
    angle, rate = motion["hinge"], motion.v[:, 0]
    along = np.stack([np.sin(angle), 0 * angle, np.cos(angle)], axis=1)
    tension = 0.7 * (G * np.cos(angle) + rate**2)
    wrench = motion.joint("hinge").reaction
    assert np.abs(wrench[:, :3] - tension[:, None] * along).max() < 1e-12
    assert np.abs(wrench[:, 3:]).max() < 1e-12
