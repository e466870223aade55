"""Slips that no steps follow: time steps take over, and the log says where."""

import re

import numpy as np
import pytest

import vinculum as vc
from scenes import scene
from vinculum.integrators.event_driven import slow_slips
from vinculum.integrators.event_driven.slow_slips import SlipWatch, time_to_rest
from vinculum.integrators.event_driven.touching import Touching
from vinculum.tolerances.event_driven import HITS_IN_NO_TIME, PHASES_IN_NO_TIME, STEPS_IN_NO_TIME


def test_a_slip_that_is_too_slow_to_be_followed_is_handed_over_with_unilateral_constraint_and_instant(monkeypatch):
    monkeypatch.setattr(slow_slips, "STEPS_IN_NO_TIME", 40)
    system = vc.System("swung", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("point", 1.3))
    system.add(vc.Unilateral("floor", [point], gap=lambda p: p.position[2], point=lambda p: p.position, impact=vc.Inelastic(),
                           friction=vc.Coulomb(0.3)))  # fmt: skip
    swung = lambda _, t: vc.Wrench(force=(4.0 * vc.math.sin(3.0 * t), vc.math.sin(3.0 * t + 1.5), 0.0))
    system.add(vc.Force("swing", point, swung))
    motion = vc.simulate(system, 2.0, {"point": (0, 0, 0)}, method="dop853", progress=False)
    told = [line for line in motion.log if "handed over to time stepping" in line]
    assert re.search(r"unilateral constraint 'floor' slips at .* m/s at t = 0\.7276", told[0])


def test_many_steps_or_phases_in_no_time_get_nowhere_and_as_many_on_the_way_do_not():
    many = 22
    for one in ({"steps": STEPS_IN_NO_TIME // 20}, {"phases": PHASES_IN_NO_TIME // 20}):
        still, going = SlipWatch(0.0, 1.0), SlipWatch(0.0, 1.0)
        assert any(still.gets_nowhere(1e-9 * k, **one) for k in range(many))
        assert not any(going.gets_nowhere(1e-5 * k, **one) for k in range(many))


def test_hits_are_counted_over_a_longer_time_and_not_as_phases():
    """A row of hits that dies away has few in any hundredth of a run; thousands in it do not end."""
    many = HITS_IN_NO_TIME + 2
    rattling, dying, spread = SlipWatch(0.0, 1.0), SlipWatch(0.0, 1.0), SlipWatch(0.0, 1.0)
    found = [rattling.gets_nowhere(4e-6 * k, phases=1, hits=1) for k in range(many)]
    assert found.index(True) == HITS_IN_NO_TIME
    assert not any(dying.gets_nowhere(1.0 - 0.9**k, phases=1, hits=1) for k in range(1000))
    assert not any(spread.gets_nowhere(1e-5 * k, phases=1, hits=1) for k in range(10 * many))


def test_steps_are_short_against_the_time_in_which_a_slow_slip_turns_to_its_force():
    """m u' = F − μN u/|u| turns to F at the rate F/(m |u|) and stops at (μN − F)/(m |u|)."""
    system = vc.System("pulled", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("point", 2.0))
    system.add(vc.Unilateral("floor", [point], gap=lambda p: p.position[2], point=lambda p: p.position, impact=vc.Inelastic(),
                           friction=vc.Coulomb(0.5)))  # fmt: skip
    drive = 0.9 * 0.5 * 9.81
    system.add(vc.Force("pull", point, lambda _: vc.Wrench(force=(2.0 * drive, 0.0, 0.0))))
    motion = vc.simulate(system, 1e-3, {"point": vc.At((0, 0, 0), rate=(1.0, 0, 0))}, method="dop853", progress=False)
    touching = Touching(motion.record.model, motion.record.values)
    touching.at(0.0, np.array([0, 0, 0, 1.0, 0, 0]))
    slip = 1e-6
    stop, turn = time_to_rest(touching, 0.0, np.array([0, 0, 0, slip, 0, 0]), ["floor"])
    assert stop == pytest.approx(slip / (0.5 * 9.81 - drive))
    assert turn == pytest.approx(slip / drive)


@pytest.mark.slow
def test_a_slip_that_forces_hold_nearly_up_comes_to_rest_without_turning_away():
    """Runge–Kutta steps that were short against the stop alone turned it away again and again."""
    one = scene(6012)
    motion = vc.simulate(one.system, 0.77, one.start, method="dop853", progress=False)
    assert motion.audit().passed, str(motion.audit())
