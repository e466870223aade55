"""What cannot be linearized is refused, with what is wrong and what to do."""

import numpy as np
import pytest

import vinculum as vc
from machines import cart_pole, double_pendulum
from mechanisms import four_bar, windows
from rolling import RADIUS, disc, disc_start


def rolling(speed=2.0):
    return vc.linearize(disc(), disc_start((0, 0, 0), (0, 0, speed / RADIUS)))


def slider(**joint) -> vc.System:
    system = vc.System("slider", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("block", 2.0, inertia=(1, 1, 1)))
    system.add(vc.Prismatic("rail", "ground", body, axis=(1, 0, 0), **joint))
    return system


@pytest.mark.parametrize("lean", [0.3, 1.0])
def test_a_state_that_is_no_equilibrium_is_refused_with_its_accelerations(lean):
    system = double_pendulum()
    with pytest.raises(
        vc.errors.StartError, match=r"neither an equilibrium nor a steady motion.*'theta\d' by .*settle=True"
    ):
        vc.linearize(system, {"theta1": lean})


def test_a_leaning_disc_that_is_not_balanced_is_refused():
    with pytest.raises(
        vc.errors.StartError, match=r"'rolling disc': this is neither an equilibrium nor a steady motion.*'disc.w"
    ):
        vc.linearize(disc(), disc_start((0, 0.3, 0), (-1.1, 0, 4.0)))


def test_a_body_that_spins_about_an_axis_and_is_not_round_is_no_steady_motion():
    system = vc.System("egg", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("egg", 1.0, inertia=(0.2, 0.3, 0.25)))
    system.add(vc.constraints.Rolling.disc("rolling", body, 0.3, realization=vc.DAlembert()))
    start = {"egg": vc.At((0, 0, 0.3, 1, 0, 0, 0), rate=(0.6, 0, 0, 0, 2.0, 0))}
    with pytest.raises(vc.errors.StartError, match=r"neither an equilibrium nor a steady motion"):
        vc.linearize(system, start)


def test_a_wheel_on_an_axle_that_is_not_round_is_refused_by_the_change_of_its_equations():
    system = vc.System("propeller")
    hub = system.add(vc.RigidBody("hub", 5.0, inertia=(1, 1, 1)))
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(0.1, 0.5, 0.55)))
    system.add(vc.Spherical("mast", "ground", hub))
    system.add(vc.Revolute("axle", hub, blade, axis=(1, 0, 0)))
    with pytest.raises(
        vc.errors.StartError,
        match=r"the motion is not steady.*later the equation of 'mast.w. ?.*look alike at every instant",
    ):
        vc.linearize(system, {"axle": vc.At(0.0, rate=3.0)})


def test_forces_that_follow_a_clock_are_refused():
    with pytest.raises(vc.errors.StartError, match=r"the motion is not steady"):
        vc.linearize(cart_pole())


def test_a_force_that_switches_exactly_here_is_refused():
    dry = slider(drive=lambda t, q, v: -3.0 * vc.math.sign(v))
    with pytest.raises(
        vc.errors.MethodError, match=r"'rail' has no derivative here, since a force switches exactly at this state"
    ):
        vc.linearize(dry)
    bent = slider(drive=lambda t, q, v: -3.0 * abs(q))
    with pytest.raises(vc.errors.MethodError, match=r"switches exactly"):
        vc.linearize(bent)


def test_a_force_without_a_slope_is_refused():
    with pytest.raises(vc.errors.StartError, match=r"'rail' or its derivative is not finite"):
        vc.linearize(slider(drive=lambda t, q, v: -3.0 * vc.math.sqrt(q)))


def test_starts_that_break_constraints_or_do_not_exist_are_refused():
    with pytest.raises(vc.errors.StartError, match=r"'rolling'.*is violated by"):
        vc.linearize(disc(), {"disc": vc.At((0, 0, RADIUS, 1, 0, 0, 0), rate=(1, 0, 0, 0, 0, 0))})
    with pytest.raises(vc.errors.StartError, match=r"no joint or free body 'disk'"):
        vc.linearize(disc(), {"disk": 0.0})
    with pytest.raises(vc.errors.StartError, match=r"t nan must be a finite instant"):
        vc.linearize(slider(), t=np.nan)
    with pytest.raises(vc.errors.StartError, match=r"a vc.System is needed"):
        vc.linearize("disc")  # type: ignore[arg-type]


def test_singular_positions_are_refused():
    flat = {"a0": 0.0, "b1": 0.0, "a1": 0.0}
    with pytest.raises(vc.errors.StartError, match=r"singular position, where the bonds leave more degrees of freedom"):
        vc.linearize(windows(1), flat)


def test_coordinates_that_are_unknown_or_depend_on_each_other_are_refused():
    with pytest.raises(vc.errors.StartError, match=r"no velocity 'theta3'.*did you mean"):
        vc.linearize(double_pendulum(), coordinates=["theta3"])
    with pytest.raises(vc.errors.StartError, match=r"give a list of names, as coordinates=\['theta1'\]"):
        vc.linearize(double_pendulum(), coordinates="theta1")
    with pytest.raises(
        vc.errors.StartError, match=r"'B' is not independent of \['A'\] here.*its 1 independent coordinates"
    ):
        vc.linearize(four_bar(), {"A": -0.9, "B": 0.6, "D": -1.3}, coordinates=["A", "B"], settle=True)
    upright = disc_start((0, 0, 0), (0, 0, 2.0))
    with pytest.raises(vc.errors.StartError, match=r"'disc.vz' is not independent here, or cannot change at all"):
        vc.linearize(disc(), upright, coordinates=["disc.vz"])


def test_inputs_that_nobody_knows_are_refused():
    with pytest.raises(vc.errors.StartError, match=r"inputs: there is no velocity or parameter 'push'"):
        vc.linearize(double_pendulum(), inputs=["push"])


def test_parts_that_depend_on_others_are_refused_with_their_names():
    with pytest.raises(vc.errors.StartError, match=r"\['disc.wx'\].*depend on \['rate of"):
        rolling().part("disc.wx")
    with pytest.raises(vc.errors.StartError, match=r"no independent coordinate"):
        rolling().part("wheel")


def test_equations_that_are_not_of_second_order_say_why():
    with pytest.raises(vc.errors.MethodError, match=r"not of second order.*'disc.wx'.*take A"):
        rolling().second_order


def test_loaded_runs_and_pair_loops_are_refused(tmp_path):
    motion = vc.simulate(slider(), 0.1)
    motion.save(tmp_path / "run.zarr")
    with pytest.raises(vc.errors.StartError, match=r"loaded run"):
        vc.linearize(vc.load(tmp_path / "run.zarr").record.model)


def test_a_place_that_settling_does_not_find_is_refused_with_what_to_try():
    falling = vc.System("falling", gravity=(0, 0, -9.81))
    falling.add(vc.MassPoint("stone", 1.0))
    with pytest.raises(vc.errors.StartError, match=r"'stone.z' by -9.81.*none was found from this start"):
        vc.linearize(falling, settle=True)


def test_a_system_in_which_nothing_moves_is_refused():
    system = vc.System("wall")
    system.add(vc.RigidBody("brick", 1.0, inertia=(1, 1, 1)))
    system.add(vc.Weld("mortar", "ground", "brick"))
    with pytest.raises(vc.errors.MethodError, match=r"'wall' has no velocities, so nothing in it can be perturbed"):
        vc.linearize(system)


@pytest.mark.parametrize("rule", ["dalembert", vc.constraints.Reaching({"p": (1.0, None, None)}, at=1.0)])
@pytest.mark.parametrize("servo", [True, False])
def test_multipliers_that_a_run_would_have_to_find_are_refused(rule, servo):
    system = vc.System("point")
    p = system.add(vc.MassPoint("p", 1.0))
    realization = vc.Servo(by="vakonomic", multipliers=rule) if servo else vc.Vakonomic(multipliers=rule)
    system.add(vc.Constraint("held", [p], velocity=lambda p: p.velocity[0], realization=realization))
    with pytest.raises(
        vc.errors.StartError, match=r"multipliers of 'held' start by the rule .* give linear equations their values"
    ):
        vc.linearize(system)
