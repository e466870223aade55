"""Quantities and formulas of model files against numbers computed another way."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vinculum.bonds.joints.joint import compliance_of
from vinculum.errors import FileError
from vinculum.scalars import parameter, value
from vinculum.systems.files import read_model
from vinculum.systems.files.formulas.formula import FUNCTIONS, parse
from vinculum.systems.files.formulas.quantity import UNITS, dimension_of, quantity

HERE = "model.toml: [table] key"


def evaluated(text, **given):
    return parse(HERE, text, {name: np.size(x) for name, x in given.items()}).value(given)


@pytest.mark.parametrize("text, expected, unit", [
    ("30 deg", math.radians(30), "rad"), ("180 deg", math.pi, "rad"), ("-90°", -math.pi / 2, "rad"),
    ("1.2 rad", 1.2, "rad"),
    ("0.25 rev", math.pi / 2, "rad"), ("60 rpm", 2 * math.pi, "rad/s"), ("30 deg/s", math.pi / 6, "rad/s"),
    ("5 cm", 0.05, "m"), ("7cm", 0.07, "m"), ("3 mm", 0.003, "m"), ("3 µm", 3e-6, "m"), ("1 inch", 0.0254, "m"),
    ("2 kg", 2.0, "kg"), ("300 g", 0.3, "kg"), ("1.5e3 mg", 0.0015, "kg"), ("9.81 m/s^2", 9.81, "m/s^2"),
    ("9.81 m/s/s", 9.81, "m/s^2"), ("36 km/h", 10.0, "m/s"), ("1 N m/rad", 1.0, "N m/rad"), ("2 N*m*s/rad", 2.0, "J s"),
    ("7800 kg/m³", 7800.0, "kg/m^3"), ("7.8 g/cm**3", 7800.0, "kg/m^3"), ("2 kg m²", 2.0, "kg m^2"),
    ("1 kN", 1000.0, "N"),
    ("3 1/s", 3.0, "rad/s"), ("2 m^-1", 2.0, "1/m"), ("90 min", 5400.0, "s"), ("2 MPa", 2e6, "N/m^2"),
])  # fmt: skip
def test_a_quantity_is_the_nearest_float_in_si_units(text, expected, unit):
    found = quantity(HERE, text)
    assert found is not None
    assert found.value == expected
    assert found.dimension == dimension_of(unit)


@given(st.integers(-10000, 10000), st.integers(0, 3))
def test_centimetres_are_rounded_once(digits, places):
    text = f"{digits / 10**places:.{places}f}"
    found = quantity(HERE, f"{text} cm")
    assert found is not None
    assert found.value == float(f"{text}e-2")


@pytest.mark.parametrize("text", ["1.5", "1e3", "1e-3", "-m/2", "2*m", "1/s", "m", "2 m + 1", "sin(2)", ""])
def test_what_is_no_number_with_a_unit_is_no_quantity(text):
    assert quantity(HERE, text) is None


def test_every_unit_agrees_with_its_si_definition():
    joule = UNITS["N"].times(UNITS["m"], 1)
    watt = joule.times(UNITS["s"], -1)
    pascal = UNITS["N"].times(UNITS["m"], -2)
    assert (UNITS["J"], UNITS["W"], UNITS["Pa"]) == (joule, watt, pascal)
    assert UNITS["rpm"] == UNITS["rev"].times(UNITS["min"], -1)


@pytest.mark.parametrize("text, expected", [
    ("1 + 2*3", 7.0), ("-2**2", -4.0), ("2**3**2", 512.0), ("2**-1", 0.5), ("(1 + 2)*3", 9.0), ("7/2", 3.5),
    ("pi", math.pi),
    ("-x/2", -0.75), ("x**2 - y", 4.25), ("sin(x) + cos(y)", math.sin(1.5) + math.cos(-2.0)), ("min(x, y, 0)", -2.0),
    ("max(x, y)", 1.5), ("where(x > 1, x, y)", 1.5), ("where(0 < x < 1, 1, 2)", 2.0), ("clip(y, -1, 1)", -1.0),
    ("hypot(3, 4)", 5.0), ("atan2(1, -1)", 3 * math.pi / 4), ("abs(y) + sign(y)", 1.0), ("erf(x)", math.erf(1.5)),
    ("fmod(-7, 3)", -1.0), ("copysign(x, y)", -1.5), ("x > 0 and not y > 0", 1.0), ("x < 0 or y < 0", 1.0),
    ("x == 1.5", 1.0),
    ("q[0] + 10*q[2]", 52.0), ("1e3", 1000.0), ("  x\n + y ", -0.5),
])  # fmt: skip
def test_a_formula_has_the_value_of_its_mathematics(text, expected):
    given = {"x": 1.5, "y": -2.0, "q": np.array([2.0, 3.0, 5.0])}
    assert evaluated(text, **given) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_gives_the_same_for_floats_and_for_parameters(name):
    numbers = {"acosh": (1.7,)}.get(name, (0.4, 0.3, 0.9)[: FUNCTIONS[name][1]])
    names = [f"x{i}" for i in range(len(numbers))]
    floats = dict(zip(names, numbers))
    symbols = {key: parameter(key, number) for key, number in floats.items()}
    text = f"{name}({', '.join(names)})"
    assert value(evaluated(text, **symbols)) == pytest.approx(evaluated(text, **floats), rel=1e-15)


@given(st.recursive(st.sampled_from(["x", "y", "2", "0.5"]), lambda part: st.one_of(
    st.tuples(part, st.sampled_from("+-*"), part).map("".join).map("({})".format),
    part.map("sin({})".format), part.map("-{}".format)), max_leaves=12))  # fmt: skip
def test_formulas_agree_with_python_arithmetic(text):
    expected = eval(text, {"sin": math.sin}, {"x": 0.7, "y": -1.3})
    assert evaluated(text, x=0.7, y=-1.3) == pytest.approx(expected, rel=1e-14, abs=1e-14)


def test_parameters_of_a_file_stay_symbols_and_follow_a_change(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text("""
        [parameters]
        m = "1500 g"
        half = "m/2"
        [bodies.rod]
        mass = "m"
        com = [0, 0, "-half"]
        inertia = ["m/3", "m/3", 0.01]
        """)
    rod, other = (read_model(path, changed).system.bodies["rod"] for changed in ({}, {"m": "3 kg"}))
    assert value(rod.com).tolist() == [0.0, 0.0, -0.75]
    assert value(rod.com, {"m": 2.0}).tolist() == [0.0, 0.0, -1.0]
    assert value(other.com).tolist() == [0.0, 0.0, -1.5]
    assert read_model(path).parameters == {"m": 1.5}


def test_a_file_describes_the_same_system_as_the_library(tmp_path):
    import vinculum as vc

    path = tmp_path / "model.toml"
    path.write_text("""
        [system]
        gravity = [0, "-981 cm/s^2", 0]
        [bodies.block]
        shape = {kind = "box", size = ["10 cm", 0.2, 0.3]}
        density = "2 g/cm^3"
        at = [0, 0, "15 cm"]
        [joints.hinge]
        kind = "universal"
        parent = "ground"
        child = "block"
        axes = [[0, 1, 0], [1, 0, 0]]
        at = {position = [0, 0, 1], euler = {sequence = "zxz", angles = ["90 deg", 0, 0]}}
        to = {rotation = [1, 1, 0, 0]}
        damping = [0.1, "200 mN m s/rad"]
        rest = ["10 deg", 0]
        stiffness = 3
        drive = ["2*t", "5 N m"]
        [start]
        hinge = {position = ["45 deg", 0.1], rate = ["30 rpm", 0]}
        """)
    file = read_model(path)
    read = file.system.joints["hinge"]
    R = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    made = vc.Universal("hinge", "ground", "block", axes=((0, 1, 0), (1, 0, 0)), at=vc.Pose((0, 0, 1), R),
                        to=vc.Pose(rotation=(1, 1, 0, 0)), damping=(0.1, 0.2), stiffness=3,
                        rest=(math.pi / 18, 0))  # fmt: skip
    for name in ("axes", "damping", "stiffness", "rest"):
        np.testing.assert_allclose(getattr(read, name), getattr(made, name), rtol=1e-15)
    for side in ("at", "to"):
        np.testing.assert_allclose(getattr(read, side).R, getattr(made, side).R, rtol=0, atol=1e-15)
        np.testing.assert_allclose(getattr(read, side).p, getattr(made, side).p)
    np.testing.assert_allclose(compliance_of(read).drive_force(3.0, np.zeros(2), np.zeros(2)), [6.0, 5.0])
    block = vc.RigidBody.solid("block", vc.shapes.Box((0.1, 0.2, 0.3)), density=2000, at=(0, 0, 0.15))
    np.testing.assert_allclose(file.system.bodies["block"].inertia, block.inertia, rtol=1e-14)
    np.testing.assert_allclose(file.system.gravity, [0, -9.81, 0])
    at = file.start["hinge"]
    np.testing.assert_allclose([*at.position, *at.rate], [math.pi / 4, 0.1, math.pi, 0])


def test_every_kind_of_joint_can_be_described(tmp_path):
    kinds = {"revolute": 1, "prismatic": 1, "helical": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar": 3,
             "translation": 3, "free": 6, "weld": 0}  # fmt: skip
    text = "".join(
        f"[bodies.b{i}]\nmass = 1\ninertia = [1, 1, 1]\n"
        f'[joints.{kind}]\nkind = "{kind}"\nparent = "ground"\nchild = "b{i}"\n'
        + 'pitch = "2 mm/rad"\n'
        * (kind == "helical")
        for i, kind in enumerate(kinds)
    )
    path = tmp_path / "model.toml"
    path.write_text(text)
    system = read_model(path).system
    assert {name: joint.nv for name, joint in system.joints.items()} == kinds


def test_a_value_that_only_the_parameters_make_infinite_is_refused(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text('[parameters]\na = 0\n[bodies.ball]\nkind = "point"\nmass = "1/a"\n')
    with pytest.raises(FileError, match=r"\[bodies.ball\].*mass is .*not finite"):
        read_model(path)
