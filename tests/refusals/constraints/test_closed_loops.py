"""Loops that cannot be closed, started or passed are refused by name."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import four_bar, rod, windows, windows_start


def test_a_loop_that_cannot_close_names_the_loop_and_the_gap():
    with pytest.raises(
        vc.errors.StartError, match=r"\['A', 'B', 'D', 'C'\] cannot be closed.*gap 'x' of joint 'C' stays at"
    ):
        vc.simulate(four_bar(crank=9.0), 1.0)


def test_a_start_for_the_closing_joint_is_refused():
    with pytest.raises(vc.errors.StartError, match="'C' closes a loop and has no coordinates"):
        vc.simulate(four_bar(), 1.0, {"C": 0.3})


def test_coordinates_of_the_closing_joint_are_refused():
    motion = vc.simulate(four_bar(), 0.1, {"A": 1.0})
    with pytest.raises(vc.errors.StartError, match="'C' closes a loop"):
        motion["C"]


def test_a_start_on_a_singular_position_is_refused_with_the_position():
    with pytest.raises(vc.errors.StartError, match=r"\[0.0, 0.0, 0.0\] of \['a0', 'b1', 'a1'\] is a singular position"):
        vc.simulate(windows(1), 1.0, windows_start(1, 0.0, 1.0))


@pytest.mark.parametrize("method", [{"method": "dop853"}, {"method": "rk4", "step": 1e-2}], ids=lambda m: m["method"])
def test_a_method_without_series_stops_at_a_singular_position_and_names_it(method):
    with pytest.raises(vc.errors.RunError, match=r"singular position, a0 = .*method='taylor'") as caught:
        vc.simulate(windows(1), 2.0, windows_start(1, np.pi / 2, -1.0), **method)
    kept = caught.value.motion
    np.testing.assert_allclose(kept["a0"], -kept["b1"], rtol=0, atol=1e-6)


def test_values_that_had_to_change_are_reported():
    motion = vc.simulate(four_bar(), 0.1, {"A": 1.0, "B": 0.0, "D": 1.5})
    assert any(line.startswith("assembly changed the position of 'B' by") for line in motion.log)
    quiet = vc.simulate(four_bar(), 0.1, {"A": 1.0})
    assert not any("assembly" in line for line in quiet.record.log)
    assert quiet["A"][0] == 1.0


def test_rates_that_a_loop_cannot_have_are_changed_and_reported():
    motion = vc.simulate(four_bar(), 0.1, {"A": vc.At(1.0, rate=1.0), "D": vc.At(None, rate=5.0)})
    assert any("the rate of" in line for line in motion.log)


def test_a_loop_of_points_that_turn_about_themselves_is_refused_by_name():
    system = vc.System("points", gravity=(0, -9.81, 0))
    system.add(vc.MassPoint("bead", 1.0))
    system.add(vc.Spherical("a", "ground", "bead", to=(-1, 0, 0)))
    system.add(vc.Spherical("b", "ground", "bead", at=(2, 0, 0), to=(1, 0, 0)))
    for asked in (vc.mobility, lambda s: vc.simulate(s, 0.1)):
        with pytest.raises(vc.errors.ModelError, match=r"\['a.wx'\] move no mass or inertia"):
            asked(system)


def test_an_event_of_the_closing_joint_is_refused_by_what_it_is():
    event = vc.Event("stop", ["C"], lambda joint: joint.position)
    with pytest.raises(vc.errors.StartError, match="'C' closes a loop and has no coordinates; watch its bodies"):
        vc.simulate(four_bar(), 0.1, {"A": 1.0}, events=[event])


@pytest.mark.parametrize("kind", ["Revolute", "Cylindrical"])
def test_a_hinge_that_would_close_upside_down_is_refused(kind):
    system = vc.System("flipped")
    for name in ("one", "two"):
        rod(system, name, 1.0)
    system.add(vc.Revolute("a", "ground", "one"))
    system.add(vc.Revolute("b", "one", "two", at=(1, 0, 0)))
    over = vc.Pose((1.2, 0, 0), np.diag([1.0, -1.0, -1.0]))
    system.add(getattr(vc, kind)("c", "ground", "two", at=over, to=(1, 0, 0)))
    with pytest.raises(vc.errors.StartError, match="found closed only with joint 'c' put on upside down"):
        vc.simulate(system, 0.1, {"a": 0.9, "b": -1.8})


def test_steps_so_long_that_they_tear_a_loop_end_the_run():
    with pytest.raises(vc.errors.RunError, match=r"the loops opened by .*smaller tolerance or step"):
        vc.simulate(four_bar(), 5.0, {"A": vc.At(1.0, rate=8.0)}, method="rk4", step=0.5)


def test_a_rate_at_a_dead_point_of_the_loop_is_not_held():
    """Crank of 10 cm against a connecting rod of 5 cm, where the rod stands across the bore."""
    system = vc.System("dead point")
    rod(system, "crank", 0.1)
    rod(system, "conrod", 0.05)
    system.add(vc.MassPoint("piston", 1.0))
    system.add(vc.Revolute("phi", "ground", "crank"))
    system.add(vc.Revolute("psi", "crank", "conrod", at=(0.1, 0, 0)))
    system.add(vc.Prismatic("x", "ground", "piston", axis=(1, 0, 0), stiffness=1.0))
    system.add(vc.Spherical("pin", "conrod", "piston", at=(0.05, 0, 0)))
    motion = vc.simulate(system, 0.01, {"phi": vc.At(np.pi / 6, rate=3.0)})
    assert np.abs(motion.v[0]).max() < 10.0
    assert any("the rate of 'phi'" in line for line in motion.log)
