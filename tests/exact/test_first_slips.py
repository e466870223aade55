"""Slips that begin from rest, against closed forms; the collocation by which they do."""

import numpy as np
import pytest

import vinculum as vc
from marks import TAYLOR
from vinculum.motion.collocation import radau

G, MASS, MU = 9.81, 1.3, 0.3


def pulled(force, friction):
    system = vc.System("pulled", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("point", MASS))
    system.add(vc.Boundary("floor", [point], gap=lambda p: p.position[2], point=lambda p: p.position, shock=vc.Soft(),
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


def test_radau_has_the_nodes_and_weights_of_the_book():
    """Hairer and Wanner, Solving ODEs II, table 5.5 and 5.6."""
    two, three = radau(2), radau(3)
    np.testing.assert_allclose(two.nodes, [1 / 3, 1], atol=1e-15)
    np.testing.assert_allclose(two.weights, [[5 / 12, -1 / 12], [3 / 4, 1 / 4]], atol=1e-15)
    r = np.sqrt(6)
    np.testing.assert_allclose(three.nodes, [(4 - r) / 10, (4 + r) / 10, 1], atol=1e-15)
    np.testing.assert_allclose(three.weights[-1], [(16 - r) / 36, (16 + r) / 36, 1 / 9], atol=1e-15)
