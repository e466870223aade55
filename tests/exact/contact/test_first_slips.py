"""Slips that begin from rest, against closed forms; the collocation by which they do."""

import numpy as np
import pytest

import vinculum as vc
from marks import TAYLOR
from vinculum.integrators.event_driven.collocation import radau

G, MASS, MU = 9.81, 1.3, 0.3


def pulled(force, friction):
    system = vc.System("pulled", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("point", MASS))
    system.add(vc.Unilateral("floor", [point], gap=lambda p: p.position[2], point=lambda p: p.position, impact=vc.Inelastic(),
                           friction=friction))  # fmt: skip
    system.add(vc.Force("pull", point, lambda p, t: vc.Wrench(force=(*force(t), 0))))
    return system


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
def test_a_pull_along_no_axis_tears_a_point_loose_and_draws_it_on_straight(method):
    """m u' = (F' s) d after the pull F = F' t outgrows μ m g, and friction stays along the same d."""
    motion = vc.simulate(pulled(lambda t: (2.4 * t, 3.2 * t), vc.Coulomb(MU)), 2.0, {"point": (0, 0, 0)}, method=method,
                         progress=False)  # fmt: skip
    s, d = 2.0 - MU * MASS * G / 4.0, np.array([0.6, 0.8, 0.0])
    np.testing.assert_allclose(motion.v[-1], 2.0 / MASS * s**2 * d, rtol=0, atol=1e-11)
    np.testing.assert_allclose(motion.q[-1], 2.0 / 3.0 / MASS * s**3 * d, rtol=0, atol=1e-11)
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_block_that_is_held_on_an_incline_at_the_origin_is_torn_loose_up_and_down(method, way):
    """m u' = F' s after F = F' t outgrows m g (μ cos α ± sin α); until then all numbers of the state are round-off."""
    slope = 0.3
    along, normal = (np.cos(slope), 0.0, np.sin(slope)), (-np.sin(slope), 0.0, np.cos(slope))
    system = vc.System("incline", gravity=(0, 0, -G))
    block = system.add(vc.MassPoint("block", MASS))
    gap = lambda b: normal[0] * b.position[0] + normal[2] * b.position[2]
    system.add(vc.Unilateral("incline", [block], gap=gap, point=lambda b: b.position, impact=vc.Inelastic(),
                           friction=vc.Coulomb(0.4)))  # fmt: skip
    system.add(vc.Force("pull", block, lambda b, t: vc.Wrench(force=[4.0 * way * t * x for x in along])))
    loose = MASS * G * (0.4 * np.cos(slope) + way * np.sin(slope)) / 4.0
    motion = vc.simulate(system, loose + 1.5, {"block": (0, 0, 0)}, method=method, progress=False)
    assert [phase.begin for phase in motion.record.phases] == pytest.approx([0.0, loose], abs=1e-13)
    np.testing.assert_allclose(motion.v[-1], way * 2.0 / MASS * 1.5**2 * np.array(along), rtol=0, atol=1e-11)
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("method", [TAYLOR, "dop853"])
@pytest.mark.parametrize("slope", [0.1, 0.2, 0.3])
def test_a_block_that_stays_on_an_incline_at_the_origin_is_certified(method, slope):
    gap = lambda b: np.cos(slope) * b.position[2] - np.sin(slope) * b.position[0]
    system = vc.System("incline", gravity=(0, 0, -G))
    block = system.add(vc.MassPoint("block", MASS))
    system.add(vc.Unilateral("incline", [block], gap=gap, point=lambda b: b.position, impact=vc.Inelastic(),
                           friction=vc.Coulomb(0.4)))  # fmt: skip
    system.add(vc.Force("pull", block, lambda b, t: vc.Wrench(force=(0, 4.0 * t, 0))))
    motion = vc.simulate(system, 0.25, {"block": (0, 0, 0)}, method=method, progress=False)
    assert np.abs(motion.q).max() < 1e-17
    assert motion.audit().passed, str(motion.audit())


def test_radau_has_the_nodes_and_weights_of_the_book():
    """Hairer and Wanner, Solving ODEs II, table 5.5 and 5.6."""
    two, three = radau(2), radau(3)
    np.testing.assert_allclose(two.nodes, [1 / 3, 1], atol=1e-15)
    np.testing.assert_allclose(two.weights, [[5 / 12, -1 / 12], [3 / 4, 1 / 4]], atol=1e-15)
    r = np.sqrt(6)
    np.testing.assert_allclose(three.nodes, [(4 - r) / 10, (4 + r) / 10, 1], atol=1e-15)
    np.testing.assert_allclose(three.weights[-1], [(16 - r) / 36, (16 + r) / 36, 1 / 9], atol=1e-15)


def test_what_is_held_while_something_else_is_torn_loose_does_not_move_at_all():
    system = vc.System("two", gravity=(0, 0, -G))
    points = [system.add(vc.MassPoint(f"point {k}", 1.0 + k)) for k in range(2)]
    for k, one in enumerate(points):
        system.add(vc.Unilateral(f"floor {k}", [one], gap=lambda p: p.position[2], point=lambda p: p.position, impact=vc.Inelastic(),
                               friction=vc.Coulomb(MU, along=(1, 0, 0), mu_across=0.4)))  # fmt: skip
    system.add(vc.Spring("spring", *points, stiffness=20.0, rest_length=0.5))
    system.add(vc.Force("pull", points[0], lambda p, t: vc.Wrench(force=(-3.0 * t, 2.0 * t * t, 0))))
    motion = vc.simulate(system, 1.5, {"point 1": (0.5, 0, 0)}, method="dop853", progress=False)
    assert [dict(phase.closed)["floor 1"] for phase in motion.record.phases] == ["sticks", "sticks"]
    assert np.linalg.norm(motion.v[-1, :2]) > 0.1
    assert not np.any(motion.v[:, 3:])
    assert motion.audit().passed, str(motion.audit())
