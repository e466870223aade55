"""What the rooms of screws and measures refuse, and what they say."""

import numpy as np
import pytest
import sympy

from vinculum.errors import ModelError, StartError, SymbolError
from vinculum.measures.measure import Measure
from vinculum.measures.solids.elementary import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from vinculum.scalars import parameter, symbols
from vinculum.screws import (
    Euler,
    Fedorov,
    Pose,
    Quaternion,
    Slider,
    chart,
    exp,
    frame_pose,
    log,
    rotation,
    rotation_onto,
)


def test_an_unknown_chart_is_answered_with_all_names():
    with pytest.raises(StartError, match=r"chart 'rodriguez' .* quaternion, fedorov, xyz, .*zyz"):
        chart("rodriguez")
    with pytest.raises(StartError, match="Euler sequence 'xxy'"):
        Euler("xxy")


@pytest.mark.parametrize("to", [Quaternion(), Fedorov(), Euler("zxz")])
def test_the_wrong_number_of_coordinates_is_named(to):
    with pytest.raises(StartError, match=f"chart '{to.name}' has {to.size} coordinates"):
        to.matrix((1.0, 2.0))


def test_a_half_turn_has_no_vector_parameter():
    for axis in (*np.eye(3), np.array([2.0, -3.0, 6.0]) / 7.0):
        with pytest.raises(StartError, match=r"half turn .* chart 'quaternion'"):
            Fedorov().from_matrix(rotation(axis, np.pi))
    with pytest.raises(StartError, match="half turn"):
        Fedorov().compose((1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    Fedorov().from_matrix(exp((np.pi - 1e-9) * np.array([0.6, 0.0, 0.8])))


def test_a_matrix_that_is_no_rotation_has_no_attitude():
    for matrix in (np.diag([1.0, 1.0, -1.0]), 2.0 * np.eye(3), np.full((3, 3), np.nan)):
        with pytest.raises(StartError, match="not a rotation"):
            Quaternion().from_matrix(matrix)


def test_conversions_that_look_at_values_refuse_symbols():
    x = symbols("x", 9)
    for call in (
        lambda: log(x.reshape(3, 3)),
        lambda: Euler("xyz").from_quaternion(x[:4]),
        lambda: Fedorov().condition(x[:3]),
    ):
        with pytest.raises(SymbolError, match="needs numbers, not symbols"):
            call()


def test_a_zero_quaternion_has_no_direction():
    for to in (Quaternion(), Euler("xyz")):
        for q in ((0, 0, 0, 0), (np.nan, 0, 0, 1), (1, 2, 3)):
            with pytest.raises(StartError, match="has no direction: give four numbers"):
                to.from_quaternion(q)


def test_rotation_onto_needs_directions():
    with pytest.raises(StartError, match="not a direction"):
        rotation_onto((0, 0, 0), (1, 0, 0))


def test_a_pose_refuses_what_is_no_rotation():
    with pytest.raises(ModelError, match=r"pose: rotation .* RᵀR differs from I by 1 .*quaternion"):
        Pose(rotation=np.sqrt(2.0) * np.eye(3))
    with pytest.raises(ModelError, match=r"det R is -1"):
        Pose(rotation=np.diag([1.0, 1.0, -1.0]))
    with pytest.raises(ModelError, match=r"quaternion \(0, 0, 0, 0\) .* length must be positive"):
        Pose(rotation=(0, 0, 0, 0))
    with pytest.raises(ModelError, match=r"pose: rotation has shape \(2,\): give a 3×3 matrix or four numbers"):
        Pose(rotation=(1, 2))
    with pytest.raises(ModelError, match="not finite"):
        Pose(rotation=(1, np.inf, 0, 0))


@pytest.mark.parametrize("at", [(1, 2), (1, 2, np.nan), "origin", None, 3.0, [(1, 2, 3)], (1, 2, sympy.Symbol("z"))])
def test_a_position_must_be_three_finite_numbers(at):
    with pytest.raises(ModelError, match=r"joint 'knee': position"):
        frame_pose(at, "joint 'knee'")
    with pytest.raises(ModelError, match="pose: position"):
        Pose(at)


def test_a_pose_is_frozen():
    X = Pose((1, 2, 3))
    with pytest.raises(AttributeError):
        X.p = np.zeros(3)
    with pytest.raises(ValueError, match="read-only"):
        X.p[0] = 5.0
    with pytest.raises(ValueError, match="read-only"):
        X.R[0, 0] = 5.0


def test_a_slider_refuses_mixed_shapes():
    with pytest.raises(ModelError, match="slider: point, p and q have shapes"):
        Slider((0, 0, 0), np.eye(3), (1, 2, 3))
    with pytest.raises(ModelError, match="does not act on a normal"):
        Slider((0, 0, 0), (1, 2, 3)).apply((1, 0, 0))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sphere(-1.0), r"sphere: radius -1.0 is not positive: every dimension must be a length > 0 in meters"),
        (lambda: Sphere(0.0), r"sphere: radius 0.0 is not positive"),
        (lambda: Sphere(np.nan), r"sphere: radius is nan, which is not finite"),
        (lambda: Sphere((1, 2)), r"sphere: radius has shape \(2,\): give one number"),
        (lambda: Box((1, 2)), r"box: size has shape \(2,\): give three numbers"),
        (lambda: Box((1, 2, -3)), r"box: size \[1.0, 2.0, -3.0\] is not positive"),
        (lambda: Cylinder(1.0, 0.0), r"cylinder: length 0.0 is not positive"),
        (lambda: Capsule("thin", 1.0), r"capsule: radius is 'thin', which is not numeric"),
        (lambda: Cone(1.0, np.inf), r"cone: height is inf, which is not finite"),
        (lambda: Ellipsoid((1, 0, 1)), r"ellipsoid: semiaxes .* is not positive"),
        (lambda: Sphere(parameter("r", -2.0)), r"sphere: radius -2.0 is not positive"),
        (lambda: Sphere(symbols("r", 1)[0]), r"'r0' is a symbol without a value"),
    ],
)
def test_a_solid_refuses_impossible_dimensions(make, message):
    with pytest.raises((ModelError, StartError), match=message):
        make()


def test_a_solid_checks_other_values_of_its_parameters():
    ball = Sphere(parameter("r", 1.0))
    ball.check({"r": 2.0})
    with pytest.raises(ModelError, match=r"sphere: radius -1\.0"):
        ball.check({"r": -1.0})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Measure.atoms([(0, 0, 0)], [-1.0]), r"atom 0 has mass -1 kg: every mass must be positive"),
        (lambda: Measure.atoms([(0, 0, 0), (1, 0, 0)], [1.0, 0.0]), r"atom 1 has mass 0 kg"),
        (lambda: Measure.atoms([(0, 0, 0)], [1.0, 2.0]), r"points of shape \(1, 3\) and masses of shape \(2,\)"),
        (lambda: Measure.atoms([], []), r"n ≥ 1"),
        (lambda: Measure.atoms([(0, 0, np.nan)], [1.0]), r"measure: points .* not finite"),
        (lambda: Measure.solid(Sphere(1.0)), r"give exactly one of them"),
        (lambda: Measure.solid(Sphere(1.0), density=1.0, mass=1.0), r"give exactly one of them"),
        (lambda: Measure.solid(Sphere(1.0), density=-1.0), r"density -1 kg/m³ is not positive"),
        (lambda: Measure.solid(Sphere(1.0), mass=0.0), r"mass 0 kg is not positive"),
        (lambda: Measure.solid("ball", mass=1.0), r"'ball' is not a solid"),
        (
            lambda: Measure.solid(Sphere(1.0), density=lambda x: x[2]),
            r"the density is -.* must be finite and not negative",
        ),
        (lambda: Measure.solid(Sphere(1.0), density=lambda x: x), r"gives array.* one number"),
        (lambda: Measure.solid(Sphere(1.0), density=lambda x: 0.0), r"zero at every point"),
        (lambda: Measure.solid(Sphere(1.0), density=lambda x: 1.0, order=1), r"order 1 is too low"),
        (lambda: Measure.solid(Sphere(1.0), mass=1.0, at=(1, 2)), r"measure: position has shape \(2,\)"),
    ],
)
def test_a_measure_refuses_what_is_no_mass(make, message):
    with pytest.raises(ModelError, match=message):
        make()
