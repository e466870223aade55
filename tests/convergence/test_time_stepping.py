"""Time stepping converges to the motion with true shocks at the order it claims, in the mean."""

import numpy as np
import pytest

import vinculum as vc
from shocked import ball
from vinculum.motion import METHODS


def exact_heights(t, e=0.5, g=9.81):
    """The dropped ball in closed form."""
    z, begin, speed = np.full_like(t, np.nan), -np.sqrt(2 / g), np.sqrt(2 * g)
    while begin < t[-1]:
        end = begin + 2 * speed / g
        inside = (t >= begin) & (t <= end)
        z[inside] = speed * (t[inside] - begin) - 0.5 * g * (t[inside] - begin) ** 2
        begin, speed = end, e * speed
    return z


def test_positions_of_a_stepped_ball_converge_at_order_one_in_the_mean():
    t, errors = np.linspace(0.0, 1.2, 2001), []
    for h in (4e-3, 1e-3, 2.5e-4):
        motion = vc.simulate(
            ball(vc.Newton(0.5)), 1.2, {"ball": (0, 0, 1.0)}, method="moreau", step=h, progress=False, grid=t
        )
        errors.append(np.abs(motion.position("ball")[:, 2] - exact_heights(t)).mean())
    assert np.log(errors[0] / errors[2]) / np.log(16.0) == pytest.approx(METHODS["moreau"].order, abs=0.35)
    assert errors[1] < 3e-3
