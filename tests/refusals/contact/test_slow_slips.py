"""Slips that no steps follow: time steps take over, and the log says where."""

import re

import vinculum as vc
from vinculum.integrators.event_driven import slow_slips
from vinculum.integrators.event_driven.slow_slips import SlipWatch
from vinculum.tolerances.event_driven import PHASES_IN_NO_TIME, STEPS_IN_NO_TIME


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
    for one, many in (({"steps": 1000}, STEPS_IN_NO_TIME // 1000 + 2), ({"phases": 10}, PHASES_IN_NO_TIME // 10 + 2)):
        still, going = SlipWatch(0.0, 1.0), SlipWatch(0.0, 1.0)
        assert any(still.gets_nowhere(1e-9 * k, **one) for k in range(many))
        assert not any(going.gets_nowhere(1e-5 * k, **one) for k in range(many))
