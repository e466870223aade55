"""Free bodies that rest: impulses that leave no velocity are found once, and no slow motion is taken for rest."""

import numpy as np
import pytest

import vinculum as vc
from free_bodies import G, free_bodies, on_slope

FLOOR = vc.shapes.HalfSpace((0, 0, 1))
H = 1e-3


def run(system, until, start, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", step=H, progress=False, **options)


def stacks(count: int, high: int = 3) -> tuple[vc.System, dict]:
    """Stacks of boxes beside each other."""
    system = free_bodies([vc.shapes.Box((0.1, 0.1, 0.1))] * (count * high), walls=[FLOOR], mu=0.5)
    return system, {f"b{k}": (0.3 * (k // high), 0.0, 0.05 + 0.1 * (k % high)) for k in range(count * high)}


def test_stacks_at_rest_stay_where_they_are_without_sweeps_and_are_certified():
    system, start = stacks(3)
    motion = run(system, 0.2, start, grid=201)
    sweeps = motion.record.contact_solver.sweeps
    assert sweeps[0] > 0 and not np.any(sweeps[5:])
    assert not np.any(motion.v[10:]) and np.ptp(motion.q[10:], axis=0).max() < 1e-15
    assert motion.audit().passed, str(motion.audit())


def test_a_stack_that_is_hit_wakes_and_the_others_rest_on():
    start, boxes = (
        stacks(3)[1],
        [vc.RigidBody.solid(f"b{k}", vc.shapes.Box((0.1, 0.1, 0.1)), density=1000) for k in range(9)],
    )
    system = vc.System("thrown", gravity=(0, 0, -G))
    bodies = [system.add(one) for one in (*boxes, vc.RigidBody.solid("ball", vc.shapes.Sphere(0.04), density=3000))]
    system.add(vc.Contact("contact", bodies, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.5)))
    start = start | {"ball": vc.At((-0.3, 0.01, 0.27), rate=(3.0, 0, 0.3, 0, 0, 0))}
    motion = run(system, 0.3, start, grid=301, impacts="stepped")
    v = motion.v.reshape(len(motion.time), -1, 6)
    assert not np.any(v[10:60, :9])
    # a correction of penetration moves all bodies a little; the usual residual then leaves 2e-4 |g| h
    assert np.abs(v[60:, 6:9]).max() < 2e-4 * G * H
    assert np.abs(v[60:, :3, :3]).max() > 0.3
    assert motion.audit().passed, str(motion.audit())


def test_a_block_that_slides_slowly_slides_on():
    """Without friction, at 1e-6 m/s: its momentum is kept to round-off."""
    system = free_bodies([vc.shapes.Box((0.1, 0.1, 0.1))], walls=[FLOOR])
    motion = run(system, 0.5, {"b0": vc.At((0, 0, 0.05), rate=(1e-6, 0, 0, 0, 0, 0))})
    assert np.abs(motion.v[:, 0] - 1e-6).max() < 1e-15
    assert abs(motion.q[-1, 0] - 0.5e-6) < 1e-14


def test_a_block_that_tips_slowly_falls():
    """A block on its edge, a millionth of a radian beyond its balance: e-folding by the time √(I/(m g r)), as in closed form."""
    a, b = 0.1, 0.3
    angle = np.arctan(a / b) + 1e-6
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    edge = R @ np.array([0.5 * a, 0, -0.5 * b])
    system = free_bodies([vc.shapes.Box((a, 0.1, b))], walls=[FLOOR], mu=0.8)
    motion = run(system, 0.5, {"b0": vc.Pose(np.array([0, 0, 1]) * -edge[2], R)})
    r2 = 0.25 * (a * a + b * b)
    rate = np.sqrt(G * np.sqrt(r2) / (r2 + (a * a + b * b) / 12))
    turned = 2.0 * np.arctan2(motion.q[:, 5], motion.q[:, 3]) - angle + 1e-6
    late = motion.time > 0.2
    np.testing.assert_allclose(turned[late], 1e-6 * np.cosh(rate * motion.time[late]), rtol=0.02)


@pytest.mark.parametrize("part, rests", [(0.999, True), (1.001, False)])
def test_a_block_near_the_angle_of_friction_rests_below_it_and_slides_above(part, rests):
    mu = 0.4
    system, start = on_slope(np.arctan(part * mu), mu)
    motion = run(system, 0.3, start)
    speed = np.linalg.norm(motion.v[-1, :3])
    if rests:
        assert np.linalg.norm(motion.v[20:], axis=1).max() < 1e-15 and not np.any(
            motion.record.contact_solver.sweeps[20:]
        )
    else:
        angle = np.arctan(part * mu)
        wanted = 0.3 * G * (np.sin(angle) - mu * np.cos(angle))
        assert abs(speed - wanted) < 1e-3 * wanted
    assert motion.audit().passed, str(motion.audit())


def test_what_rests_is_moved_by_an_impulse():
    system, start = stacks(2)
    boxes = list(system.bodies.values())
    system.add(vc.Impulse("kick", boxes[2], vc.Wrench(force=(2.0, 0, 0)), at=0.05))
    motion = run(system, 0.1, start, grid=101)
    v = motion.v.reshape(len(motion.time), -1, 6)
    assert not np.any(v[20:50, :3]) and np.abs(v[51:, 2, :3]).max() > 0.5 and not np.any(v[20:, 3:])
    assert motion.audit().passed, str(motion.audit())
