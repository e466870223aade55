"""Obstacles that a free body would pass within one step."""

import numpy as np
import pytest

import vinculum as vc


@pytest.mark.parametrize("away", [20.0, 300.0])
def test_a_free_point_is_reflected_by_a_disc(away):
    system = vc.System("free point")
    point = system.add(vc.MassPoint("point", 1.0))
    gap = lambda b: b.position[0] ** 2 + b.position[1] ** 2 - 1.0
    system.add(vc.Unilateral("disc", [point], gap=gap, impact=vc.Newton(1.0)))
    start = {"point": vc.At((-away, 0.3, 0), rate=(1.0, 0, 0))}
    motion = vc.simulate(system, away + 2.5, start, method="dop853", grid=3, progress=False)
    normal = np.array([-np.sqrt(1.0 - 0.3**2), 0.3, 0.0])
    assert motion.v[-1] == pytest.approx(np.array([1.0, 0.0, 0.0]) - 2.0 * normal[0] * normal, abs=1e-11)
