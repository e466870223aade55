"""Bodies at rest on their contacts in time stepping: an impact law gives back what an approach compresses, and never a weight."""

import numpy as np
import pytest

import vinculum as vc

G, STEP = 9.81, 1e-3
LAWS = [vc.Inelastic(), vc.Newton(0.5), vc.Newton(1.0, "sequential"), vc.Poisson(0.3), vc.Poisson(1.0)]


def block_on_feet(impact, mu, feet=3) -> vc.System:
    system = vc.System("block", gravity=(0, 0, -G))
    block = system.add(vc.RigidBody("block", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    for k in range(feet):
        angle = 2 * np.pi * k / feet
        place = (0.3 * np.cos(angle), 0.3 * np.sin(angle), 0.0)
        where = lambda b, p=place: b.point(p)
        system.add(vc.Unilateral(f"foot {k}", [block], gap=lambda b, at=where: at(b)[2], point=where, impact=impact,
                                 friction=vc.Coulomb(mu) if mu else None))  # fmt: skip
    return system


@pytest.mark.parametrize("impact", LAWS, ids=str)
@pytest.mark.parametrize("mu", [0.0, 0.4])
def test_a_block_at_rest_stays_at_rest(impact, mu):
    motion = vc.simulate(block_on_feet(impact, mu), 0.2, {}, method="moreau", step=STEP, progress=False)
    np.testing.assert_allclose(motion.v, 0.0, atol=1e-13)
    assert motion.audit().verdict == "passed", str(motion.audit())


@pytest.mark.parametrize("impact", LAWS, ids=str)
def test_a_stack_at_rest_stays_at_rest(impact):
    """A load on a block: what presses the lower contact is not thrown up by what it bears."""
    system = vc.System("stack", gravity=(0, 0, -G))
    lower, upper = (system.add(vc.MassPoint(name, mass=m)) for name, m in (("lower", 1.0), ("upper", 5.0)))
    system.add(vc.Unilateral("floor", [lower], gap=lambda b: b.position[2], impact=impact))
    system.add(
        vc.Unilateral("between", [lower, upper], gap=lambda a, b: b.position[2] - a.position[2] - 0.1, impact=impact)
    )
    start = {"upper": (0.0, 0.0, 0.1)}
    motion = vc.simulate(system, 0.2, start, method="moreau", step=STEP, progress=False)
    np.testing.assert_allclose(motion.v, 0.0, atol=1e-8 * G * STEP)  # impulses are solved to 1e-8


@pytest.mark.parametrize("e", [0.0, 0.3, 0.8, 1.0])
def test_poisson_and_newton_bounce_alike_at_one_contact(e):
    """With one contact and no friction both ratios say the same, also while steps bear the weight."""
    ends = []
    for impact in (vc.Poisson(e), vc.Newton(e)):
        system = vc.System("ball", gravity=(0, 0, -G))
        ball = system.add(vc.MassPoint("ball", mass=0.7))
        system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=impact))
        motion = vc.simulate(system, 1.2, {"ball": (0, 0, 0.3)}, method="moreau", step=STEP, progress=False)
        ends.append(np.hstack([motion.q, motion.v]))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)
