"""Frames and systems that no motion is seen from, refused by name."""

import numpy as np
import pytest

import vinculum as vc
from kinds import BOOST, COLLIDING


def _ball(**body):
    system = vc.System("ball", gravity=(0, 0, -9.81))
    system.add(vc.MassPoint("ball", 1.0))
    return system


def test_what_is_no_frame_is_refused():
    motion = vc.simulate(_ball(), until=0.1)
    with pytest.raises(vc.errors.StartError, match=r"frame 3 is not a frame; give vc.measures.change_of_frame"):
        motion.at(frame=3)
    with pytest.raises(vc.errors.StartError, match="the frame has 2 dimensions, but bodies move in 3"):
        motion.at(frame=vc.measures.change_of_frame((1.0, 0.0)))
    with pytest.raises(vc.errors.StartError, match="is a reflection"):
        motion.at(frame=vc.measures.change_of_frame((1.0, 0.0, 0.0), np.diag([1.0, 1.0, -1.0])))


def test_what_a_base_carries_is_refused_where_another_frame_has_no_meaning(tmp_path):
    motion = COLLIDING["written out"]().at(frame=BOOST)
    with pytest.raises(vc.errors.StartError, match=r"seen from another frame.*save the motion it was made of"):
        motion.save(tmp_path / "run.zarr")
    with pytest.raises(vc.errors.StartError, match="moments about an origin that moves relative to the walls"):
        motion.body("ball").measures.balance()
    system = vc.System("fluid")
    system.add(vc.PointBody("hull", A=(1.0, 2.0, 3.0), B=np.zeros((3, 3)), C=(0.1, 0.1, 0.1), mass=1.0))
    vc.simulate(system, until=0.1, start={"hull": vc.At(vc.Pose(), (1, 1, 0, 0, 0, 0))}).save(tmp_path / "hull.zarr")
    with pytest.raises(vc.errors.StartError, match="body 'hull': its momentum is not that of its mass"):
        vc.load(tmp_path / "hull.zarr").at(frame=BOOST)


def test_a_planar_body_is_not_carried_out_of_its_plane():
    system = vc.System("flat")
    system.add(vc.AffineBody("disc", 1.0, (0.1, 0.1), planar=True))
    motion = vc.simulate(system, until=0.1)
    assert motion.at(frame=vc.measures.change_of_frame((1.0, 2.0, 0.0))).audit().passed
    with pytest.raises(vc.errors.StartError, match="body 'disc' is planar and stays in the x-y plane"):
        motion.at(frame=BOOST)


def test_a_body_in_a_fluid_at_rest_is_refused_in_a_frame_that_moves():
    system = vc.System("fluid")
    system.add(vc.PointBody("hull", A=(1.0, 2.0, 3.0), B=np.zeros((3, 3)), C=(0.1, 0.1, 0.1), mass=1.0))
    motion = vc.simulate(system, until=0.1)
    with pytest.raises(vc.errors.StartError, match="body 'hull': its momentum is not that of its mass"):
        motion.at(frame=BOOST)


def test_a_motion_judged_by_another_system_is_refused():
    motion = vc.simulate(_ball(), until=0.1)
    with pytest.raises(vc.errors.StartError, match="is judged by another system than its own"):
        motion.replace(system=_ball()).at(frame=BOOST)


def test_a_servo_by_a_wrench_is_refused_by_name():
    system = vc.System("held")
    ball = system.add(vc.MassPoint("ball", 1.0))
    thrust = vc.Force("thrust", ball, vc.Wrench(force=(0, 0, 1)))
    system.add(vc.Constraint("height", ball, position=lambda b: b.position[2], realization=vc.Servo(thrust)))
    motion = vc.simulate(system, until=0.1)
    with pytest.raises(vc.errors.StartError, match="constraint 'height': its servo acts by force 'thrust'"):
        motion.at(frame=BOOST)


def test_coordinates_of_a_lagrangian_are_in_no_frame():
    swing = vc.LagrangianSystem("swing", ["phi"], lambda q, v: 0.5 * v[0] ** 2 + 9.81 * vc.math.cos(q[0]))
    motion = vc.simulate(swing, until=0.1, start=([0.2], [0.0]), method="dop853")
    with pytest.raises(
        vc.errors.StartError, match="motion of the Lagrangian system 'swing' has coordinates of any kind"
    ):
        motion.at(frame=BOOST)
    assert (motion.at(side="left").q == motion.q).all()
