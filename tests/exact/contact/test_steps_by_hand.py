"""Single steps of time stepping, worked out by hand: where rows are taken, and between which speeds the impact law holds."""

import numpy as np

import vinculum as vc

M, E, RADIUS, SHRINKS = 1.7, 0.9, 1.0, 0.3
G = np.array([0.4, -2.0, 0.0])


def in_a_shrinking_disc() -> vc.System:
    """A point in the plane, inside of a circle that shrinks; its gap has a normal that turns and a drift."""
    system = vc.System("disc", gravity=tuple(G))
    point = system.add(vc.MassPoint("point", M))

    def gap(p, t):
        x, y, _ = p.position
        return RADIUS - SHRINKS * t - vc.math.sqrt(x * x + y * y)

    system.add(vc.Unilateral("rim", [point], gap=gap, impact=vc.Newton(E)))
    return system


def inward(x) -> np.ndarray:
    return -x / np.linalg.norm(x)


def test_a_step_against_a_rim_pushes_in_its_middle_and_obeys_the_law_at_its_ends():
    r"""u⁺ = −e u⁻ with n·v − w at both ends of the step, P along the normal in its middle, which is on a parabola."""
    x, v, h = np.array([0.85, 0.36, 0.0]), np.array([2.0, -1.1, 0.0]), 0.1
    motion = vc.simulate(in_a_shrinking_disc(), 2 * h, {"point": vc.At(x, rate=v)}, method="moreau", step=h,
                         impacts="stepped", grid=(0.0, h, 2 * h), progress=False)  # fmt: skip
    middle, end, free = x + h / 2 * v + h * h / 8 * G, x + h * v + h * h / 2 * G, v + h * G
    assert np.linalg.norm(end) > RADIUS - SHRINKS * h
    first, last, n = inward(x), inward(end), inward(middle)
    arriving, unhit = first @ v - SHRINKS, last @ free - SHRINKS
    P = M * (-E * arriving - unhit) / (last @ n)
    after = free + P / M * n
    np.testing.assert_allclose(motion.bond("rim").impulses.normal, [P], rtol=1e-9)
    np.testing.assert_allclose(motion.at(motion.time, side="left").v[1], after, rtol=1e-9)
    reached = x + h / 2 * (v + after)
    np.testing.assert_allclose(motion.q[1:], [reached, reached + h * after + h * h / 2 * G], rtol=1e-9, atol=1e-15)
    assert np.linalg.norm(reached) < RADIUS - SHRINKS * h


def test_bodies_that_a_step_leaves_inside_each_other_are_moved_apart_by_their_masses():
    """A soft hit ends at the common velocity; the overlap is shared as the inverse masses are, so the mass center goes straight on."""
    masses, v, h, apart = np.array([1.0, 4.0]), np.array([2.0, -0.5]), 0.1, 0.05
    system = vc.System("pair")
    points = [system.add(vc.MassPoint(f"p{i}", m)) for i, m in enumerate(masses)]
    for i, point in enumerate(points):
        system.add(vc.Prismatic(f"x{i}", "ground", point, axis=(1, 0, 0)))
    system.add(vc.Unilateral("meet", points, gap=lambda a, b: b.position[0] - a.position[0], impact=vc.Inelastic()))
    start = {"x0": vc.At(0.0, rate=v[0]), "x1": vc.At(apart, rate=v[1])}
    motion = vc.simulate(system, 2 * h, start, method="moreau", step=h, impacts="stepped", progress=False)
    common = masses @ v / masses.sum()
    place = masses @ (0.0, apart) / masses.sum() + 2 * h * common
    overlap = h / 2 * (v - common)
    assert apart + overlap[1] - overlap[0] < -0.02
    np.testing.assert_allclose(motion.q[-1], place, rtol=0, atol=1e-12)
    np.testing.assert_allclose(motion.v[-1], common, rtol=1e-12)


def test_a_ball_on_a_rail_is_stopped_in_the_step_at_whose_end_it_would_be_in_the_floor():
    """In the middle of the step it is still above; the impulse is all of its momentum."""
    m, radius, v, h = 1.3, 0.1, 1.0, 0.1
    system = vc.System("rail")
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(radius), mass=m))
    system.add(vc.Prismatic("fall", "ground", ball, axis=(0, 0, 1)))
    system.add(vc.Contact("floor", [ball], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Inelastic()))
    motion = vc.simulate(
        system, h, {"fall": vc.At(radius + 0.7 * v * h, rate=-v)}, method="moreau", step=h, progress=False
    )
    np.testing.assert_allclose(motion.bond("floor").impulses.normal, [m * v], rtol=1e-9)
    np.testing.assert_allclose((motion.q[-1, 0], motion.v[-1, 0]), (radius + 0.2 * v * h, 0.0), atol=1e-9)


def test_a_located_impact_happens_where_the_gap_is_zero():
    """On a spring the way within a step is no parabola; the first guess of the instant is made better until the gap is closed."""
    system = vc.System("spring")
    point = system.add(vc.MassPoint("point", 1.0))
    system.add(vc.Prismatic("x", "ground", point, axis=(1, 0, 0), stiffness=30.0))
    system.add(vc.Unilateral("wall", [point], gap=lambda p: p.position[0] + 0.3, impact=vc.Newton(0.8)))
    motion = vc.simulate(system, 2.0, {"x": 1.0}, method="moreau", step=0.05, progress=False)
    times = motion.bond("wall").impulses.times
    assert len(times) > 2
    np.testing.assert_allclose(motion.at(times).q[:, 0], -0.3, rtol=0, atol=1e-9)
