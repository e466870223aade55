"""Single steps of time stepping, worked out by hand: where rows are taken, and between which speeds the shock law holds."""

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

    system.add(vc.Boundary("rim", [point], gap=gap, shock=vc.Newton(E)))
    return system


def inward(x) -> np.ndarray:
    return -x / np.linalg.norm(x)


def test_a_step_against_a_rim_pushes_in_its_middle_and_obeys_the_law_at_its_ends():
    r"""u⁺ = −e u⁻ with n·v − w at both ends of the step, P along the normal in its middle, which is on a parabola."""
    x, v, h = np.array([0.85, 0.36, 0.0]), np.array([2.0, -1.1, 0.0]), 0.1
    motion = vc.simulate(in_a_shrinking_disc(), h, {"point": vc.At(x, rate=v)}, method="moreau", step=h,
                         impacts="stepped", grid=2, progress=False)  # fmt: skip
    middle, end, free = x + h / 2 * v + h * h / 8 * G, x + h * v + h * h / 2 * G, v + h * G
    assert np.linalg.norm(end) > RADIUS - SHRINKS * h
    first, last, n = inward(x), inward(end), inward(middle)
    arriving, unhit = first @ v - SHRINKS, last @ free - SHRINKS
    P = M * (-E * arriving - unhit) / (last @ n)
    after = free + P / M * n
    np.testing.assert_allclose(motion.percussion("rim").normal, [P], rtol=1e-9)
    np.testing.assert_allclose(motion.v[-1], after, rtol=1e-9)
    np.testing.assert_allclose(motion.q[-1], x + h / 2 * (v + after), rtol=1e-12)
    assert np.linalg.norm(motion.q[-1]) < RADIUS - SHRINKS * h
