"""The step of a run with contact between shapes, if none is given."""

import numpy as np
import pytest

import vinculum as vc

G = 9.81


def balls(radius=0.05, gravity=G) -> vc.System:
    system = vc.System("balls", gravity=(0, 0, -gravity))
    bodies = [system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(radius), density=1000.0)) for i in range(2)]
    system.add(vc.Contact("contact", bodies, walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=0.3, friction=0.3))
    return system


def arm() -> vc.System:
    system = vc.System("arm", gravity=(0, 0, -G))
    link = system.add(vc.RigidBody.solid("link", vc.shapes.Capsule(0.03, 0.4), mass=1.0, at=(0, 0, -0.2)))
    system.add(vc.Revolute("hinge", "ground", link, axis=(0, 1, 0), at=(0, 0, 0.4)))
    system.add(vc.Contact("contact", [link], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=0.0, friction=0.3))
    return system


def run(system, start, until=4.0, **options) -> vc.Motion:
    return vc.simulate(system, until, start, progress=False, **options)


def at(radius=0.05, speed=0.0):
    rates = (0, speed, 0, 0, 0, 0)
    return {f"b{i}": vc.At((3 * radius * i, 0, radius), rate=rates) for i in range(2)}


def test_a_run_without_settings_is_certified_and_says_its_step():
    motion = run(balls(), at(), 1.0)
    h = motion.record.method.step
    assert motion.audit().verdict == "passed" and f"time steps of {h:g} s were chosen" in " ".join(motion.log)
    named = run(balls(), at(), 1.0, method="moreau", step=h)
    np.testing.assert_array_equal(named.q, motion.q)
    assert "were chosen" not in " ".join(named.log)


def test_small_and_fast_bodies_have_short_steps():
    usual = run(balls(), at()).record.method.step
    assert run(balls(0.0005), at(0.0005), 0.2).record.method.step == pytest.approx(0.1 * usual)
    assert run(balls(), at(speed=5.0), 0.5).record.method.step < usual
    assert run(balls(gravity=0.0), at()).record.method.step <= 4.0 / 256


@pytest.mark.parametrize("rate", [0.0, 40.0])
def test_trees_choose_by_the_speed_of_their_shapes(rate):
    motion = run(arm(), {"hinge": vc.At(1.2, rate=rate)}, 0.2)
    h = motion.record.method.step
    assert h is not None and h * rate * 0.4 < 0.05 * 0.3
    assert "were chosen" in " ".join(motion.log)
