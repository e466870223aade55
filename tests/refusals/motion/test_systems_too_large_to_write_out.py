"""Large systems with something that tables do not have: refused before the run, with its name."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import ModelError


def large(count=1500):
    system = vc.System("large")
    knots = system.add_many(vc.MassPoint("knot", mass=0.1), count)
    rows = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
    system.add(vc.Bonds(vc.Spring("rope", knots, knots, stiffness=10.0, rest_length=0.1), over=rows))
    return system, {knots: np.stack([0.1 * np.arange(count), np.zeros(count), np.zeros(count)], axis=1)}


def length(a, b):
    return vc.math.norm(a.position - b.position) - 0.1


def nearing(a, b):
    return vc.math.dot(a.velocity - b.velocity, (1.0, 0, 0))


@pytest.mark.parametrize(
    ("bond", "named"),
    [
        (lambda: vc.Constraint("soft", ["knot 0", "knot 1"], position=length, realization=vc.Penalty(1e4)), r"constraint 'soft' with"),
        (
            lambda: vc.Constraint("var", ["knot 0", "knot 1"], velocity=nearing, realization=vc.Vakonomic(multipliers=0.0)),
            r"constraint 'var' with",
        ),
        (lambda: vc.Unilateral("floor", ["knot 0"], gap=lambda b: b.position[2] + 1.0, impact=0.0), r"unilateral constraint 'floor'"),
    ],
    ids=["penalty", "vakonomic", "unilateral"],
)  # fmt: skip
def test_what_must_be_written_out_in_a_large_system_is_named(bond, named):
    system, start = large()
    system.add(bond())
    message = rf"'large': its 1500 blocks and \d+ bonds would be written out .* tables do not have {named}"
    with pytest.raises(ModelError, match=message):
        vc.simulate(system, 0.1, start)


def test_without_it_the_same_system_runs_over_tables():
    system, start = large()
    assert len(vc.simulate(system, 1e-3, start, method="rk4", step=5e-4).time) > 1
