"""Taylor runs in a process where heyoka does not find its own code once."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka
from vinculum.integrators.taylor import taylor


def pendulum():
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("bob", 1.0, com=(0, 0, -1.0), inertia=(0.1, 0.1, 0.1)))
    system.add(vc.Revolute("hinge", "ground", "bob", axis=(0, 1, 0)))
    return system


def fail_at(calls, inner):
    """The function ``inner``, which loses its result in some of its calls, as heyoka does after the steps are taken."""
    count = 0

    def advance(*given):
        nonlocal count
        count += 1
        made = inner(*given)
        if count in calls:
            raise ValueError("Could not find the symbol 'c_out' in the compiled module")
        return made

    return advance


@needs_heyoka
def test_a_call_that_is_lost_is_made_again_and_changes_nothing(monkeypatch):
    lowest = vc.Event("lowest", ["hinge"], lambda hinge: hinge.q)
    run = lambda: vc.simulate(pendulum(), 3.0, {"hinge": 1.0}, method="taylor", events=lowest, progress=False)
    plain = run()
    monkeypatch.setattr(taylor, "_advance", fail_at((1, 3), taylor._advance))
    again = run()
    np.testing.assert_array_equal(again.q, plain.q)
    assert [c.time for c in again.record.crossings] == [c.time for c in plain.record.crossings]
    assert len(plain.record.crossings) == 3
    assert again.audit().passed


@needs_heyoka
def test_a_call_that_is_lost_twice_ends_the_run(monkeypatch):
    monkeypatch.setattr(taylor, "_advance", fail_at((1, 2), taylor._advance))
    with pytest.raises(vc.errors.MethodError, match=r"heyoka could not compile.*method='dop853'"):
        vc.simulate(pendulum(), 3.0, {"hinge": 1.0}, method="taylor", progress=False)
