"""Time stepping where contact has no solution, and what it refuses."""

import re

import pytest

import vinculum as vc
from vinculum.integrators.moreau.loop import UNSOLVED
from vinculum.integrators.moreau.moreau import _failure

STEPPED = {"method": "moreau", "step": 1e-3, "progress": False}


def wedge(closing):
    """A point between two walls that move together, and leave no room at last."""
    system = vc.System("wedge")
    ball = system.add(vc.MassPoint("ball", mass=1.0))
    system.add(vc.Prismatic("line", "ground", ball, axis=(1, 0, 0)))
    system.add(vc.Unilateral("left", [ball], gap=lambda b, t: b.position[0] + 0.1 - closing * t, impact=vc.Inelastic()))
    system.add(
        vc.Unilateral("right", [ball], gap=lambda b, t: 0.1 - closing * t - b.position[0], impact=vc.Inelastic())
    )
    return system


def test_a_step_without_impulses_that_keep_the_laws_is_told_with_what_may_be_the_cause():
    told = _failure(UNSOLVED, 0.25, 1e-3, 20_000, 1e-7)
    assert re.match(
        r"no impulses of the step after t = 0\.25 s .* residual is 1\.0e-03 .* more than 1e-07\. There may be none",
        told,
    )
    assert "Painlevé" in told and "tolerance=" in told


@pytest.mark.parametrize("tolerance", [0.0, -1e-6, 0.2, 1e-15, float("nan"), "1e-6", True])
def test_a_tolerance_that_is_no_residual_is_refused(tolerance):
    with pytest.raises(
        vc.errors.MethodError, match=r"is the residual of the impulses and must lie between 1e-14 and 0\.1"
    ):
        vc.simulate(wedge(0.05), 0.1, {}, tolerance=tolerance, **STEPPED)


def test_a_tolerance_is_refused_where_nothing_meets():
    system = vc.System("free")
    system.add(vc.MassPoint("ball", mass=1.0))
    with pytest.raises(vc.errors.MethodError, match="there is no contact in 'free'; leave it out"):
        vc.simulate(system, 0.1, {}, tolerance=1e-6, **STEPPED)
