"""Rows of constraints whose slope passes through zero on the way: for an instant they keep nothing."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.engines import has_heyoka


def gliding(**condition) -> vc.System:
    """A point that glides along x, pushed across, with a row whose slope is proportional to x."""
    system = vc.System("point")
    point = system.add(vc.MassPoint("p", mass=1.0))
    system.add(vc.Force("push", point, vc.Wrench(force=(0, 0.3, 0))))
    system.add(vc.Constraint("row", [point], realization=vc.DAlembert(), **condition))
    return system


START = {"p": vc.At((-0.5, 0, 0), rate=(1, 0, 0))}
ROWS = [{"velocity": lambda p: p.position[0] * p.velocity[1]}, {"position": lambda p: p.position[0] * p.position[1]}]


@pytest.mark.skipif(not has_heyoka(), reason="Taylor series pass such places")
@pytest.mark.parametrize("condition", ROWS, ids=["on velocities", "on positions"])
def test_a_series_passes_with_a_remark_that_names_row_instant_and_state(condition):
    motion = vc.simulate(gliding(**condition), until=1.0, start=START, method="taylor", progress=False)
    told = [line for line in motion.log if "has no gradient" in line]
    assert (
        len(told) == 1
        and "at t = 0.5 s 'row' has no gradient and constrains nothing, so the rank is singular there, at p.x = "
        in told[0]
    )
    np.testing.assert_allclose(motion.q[-1], [0.5, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    "options",
    [{"method": "rk4", "step": 1e-3}, {"method": "rk4", "step": 0.0097}, {"method": "idas"}, {"method": "dop853"}],
)
def test_other_methods_end_there_and_say_why(options):
    with pytest.raises(vc.errors.RunError, match=r"t = 0\.5.*'row' has no gradient.*p\.x = ") as caught:
        vc.simulate(gliding(**ROWS[0]), until=1.0, start=START, progress=False, **options)
    assert caught.value.motion.record.pieces.end <= 0.5 + 1e-6


def test_a_row_whose_slope_turns_round_is_no_loss():
    system = vc.System("bead", gravity=(0, 0, -9.81))
    bead = system.add(vc.MassPoint("bead", mass=1.0))
    system.add(
        vc.Constraint("ring", [bead], position=lambda b: vc.math.norm(b.position) - 1.0, realization=vc.DAlembert())
    )
    motion = vc.simulate(system, until=1.5, start={"bead": vc.At((1, 0, 0), rate=(0, 0, -9.0))}, progress=False)
    assert not [line for line in motion.log if "slope" in line] and motion.audit().passed


def test_redundant_constraints_are_not_called_closures():
    system = vc.System("rods", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("bob", 1.0))
    for name in ("rod", "twin"):
        system.add(vc.constraints.distance(name, "bob", "ground", 1.0, realization=vc.DAlembert()))
    motion = vc.simulate(system, until=0.1, start={"bob": (0.6, 0, -0.8)}, progress=False)
    assert "constraints: redundant constraints: row 0 of 'twin'" in motion.log
    assert motion.log[0].startswith("constraints: 2 degrees of freedom (3 velocities, 2 rows of constraints;")
