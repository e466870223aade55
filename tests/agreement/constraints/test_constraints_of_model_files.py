"""Constraints in model files are those of Python."""

import numpy as np
import pytest

import vinculum as vc

FILE = """
[parameters]
k = 100.0
[bodies.blade]
mass = 1
inertia = [1, 1, 0.7]
[joints.plane]
kind = "planar"
parent = "ground"
child = "blade"
[constraints.edge]
bodies = {bodies}
{level} = {formula}
realization = {realization}
[start.plane]
position = [0, 0, 0]
rate = [1.3, 0, 0.9]
"""


def read(
    tmp_path,
    bodies='["blade"]',
    level="velocity",
    formula='"dot(blade.velocity, blade.y_axis)"',
    realization='"dalembert"',
):
    path = tmp_path / "edge.toml"
    path.write_text(FILE.format(bodies=bodies, level=level, formula=formula, realization=realization), encoding="utf-8")
    return vc.read_model(path)


def python(realization) -> vc.System:
    system = vc.System("edge")
    blade = system.add(vc.RigidBody("blade", 1.0, inertia=(1.0, 1.0, 0.7)))
    system.add(vc.Planar("plane", "ground", blade))
    system.add(
        vc.Constraint(
            "edge", [blade], velocity=lambda b: vc.math.dot(b.velocity, b.rotation[:, 1]), realization=realization
        )
    )
    return system


@pytest.mark.parametrize(
    ("given", "realization"),
    [
        ({}, vc.DAlembert()),
        (
            {"bodies": '["plane"]', "formula": '["sin(plane.q[2])*plane.v[0] - cos(plane.q[2])*plane.v[1]"]'},
            vc.DAlembert(),
        ),
        ({"realization": '{kind = "chetaev"}'}, vc.Chetaev()),
        ({"realization": '{kind = "viscous_friction", coefficient = "2*k"}'}, vc.constraints.ViscousFriction(200.0)),
        ({"realization": '{kind = "vakonomic", multipliers = 0.25}'}, vc.Vakonomic(multipliers=0.25)),
        ({"realization": '{kind = "vakonomic", multipliers = "zero"}'}, vc.Vakonomic(multipliers="zero")),
        (
            {"realization": '{kind = "vakonomic", reaching = {plane = [1.6, "free", "free"]}, at = "1500 ms"}'},
            vc.Vakonomic(multipliers=vc.constraints.Reaching({"plane": (1.6, None, None)}, at=1.5)),
        ),
        ({"realization": '{kind = "added_inertia", coefficient = "k"}'}, vc.constraints.AddedInertia(100.0)),
    ],
)
def test_a_file_and_python_describe_one_motion(given, realization, tmp_path):
    file = read(tmp_path, **given)
    motion = vc.simulate(file.system, 2.0, file.start)
    again = vc.simulate(python(realization), 2.0, {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))})
    assert np.abs(motion.q - again.q).max() < 1e-12
    assert motion.audit().passed


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"realization": '"glue"'}, r"\[constraints.edge\] realization kind = \"glue\" is not a realization"),
        ({"realization": '{kind = "penalty"}'}, "stiffness"),
        ({"realization": '{kind = "penalty", stiffness = 1e4}'}, "not on positions"),
        ({"realization": '{kind = "vakonomic"}'}, "needs exactly one of multipliers"),
        (
            {"realization": '{kind = "vakonomic", reaching = {plane = [1, "free", "free"]}}'},
            "says what is reached and not when",
        ),
        ({"realization": '{kind = "vakonomic", reaching = 3, at = 1}'}, "must be a table of joints and coordinates"),
        ({"level": "acceleration"}, "depends on no acceleration"),
        ({"formula": "3"}, "must be a formula in quotes"),
        ({"bodies": '["knife"]', "formula": '"knife.velocity[0]"'}, "no body or joint 'knife'"),
        ({"formula": '"blade.speed"'}, "blade"),
        ({"bodies": '"blade"'}, "must be a list of names"),
    ],
)
def test_mistakes_are_named_with_table_and_key(given, message, tmp_path):
    with pytest.raises(vc.errors.VinculumError, match=message):
        read(tmp_path, **given)


CART = """
[system]
gravity = [0, 0, -9.81]
[parameters]
most = 7.0
[bodies.cart]
mass = 2
inertia = [1, 1, 1]
[bodies.pole]
mass = 0.5
com = [0, 0, 0.35]
inertia = [0.02, 0.02, 0]
[joints.rail]
kind = "prismatic"
parent = "ground"
child = "cart"
axis = [1, 0, 0]
[joints.pin]
kind = "revolute"
parent = "cart"
child = "pole"
axis = [0, 1, 0]
[constraints.lean]
bodies = ["{body}"]
{level} = "{formula}"
realization = {realization}
[start]
pin = 0.3
"""


def read_cart(tmp_path, realization, body="pin", level="position", formula="pin.q - 0.3"):
    path = tmp_path / "cart.toml"
    path.write_text(CART.format(realization=realization, body=body, level=level, formula=formula), encoding="utf-8")
    return vc.read_model(path)


@pytest.mark.parametrize(
    "along",
    [
        '"rail"',
        '["rail"]',
        '[{kind = "force", body = "cart", force = [1, 0, 0]}]',
        '[{kind = "interaction", a = "cart", b = "ground", force = "cart.x_axis"}]',
    ],
)
def test_a_file_names_the_effort_of_a_servo(along, tmp_path):
    file = read_cart(tmp_path, f'{{kind = "servo", along = {along}, bounds = "most"}}')
    motion = vc.simulate(file.system, 0.5, file.start)
    assert np.allclose(motion.bond("lean").multiplier, 2.5 * 9.81 * np.tan(0.3), rtol=1e-12)
    assert motion.bond().excess[0].bounds == (-7.0, 7.0)
    assert np.abs(motion.bond().work - (motion.energy - motion.energy[0])).max() < 1e-12


def test_a_file_programs_accelerations(tmp_path):
    for body, formula in (("pin", "pin.a - 2"), ("pole", "pole.angular_acceleration[1] - 2")):
        file = read_cart(
            tmp_path, '{kind = "servo", along = "rail", bounds = [[-20, 20]]}', body, "acceleration", formula
        )
        motion = vc.simulate(file.system, 0.5, file.start)
        assert np.abs(motion["pin"] - 0.3 - motion.time**2).max() < 1e-13 and motion.audit().passed
    file = read_cart(
        tmp_path, '{kind = "servo", by = "vakonomic", multipliers = 0.1}', "pin", "velocity", "pin.v + pin.q - 0.3"
    )
    assert vc.simulate(file.system, 0.5, file.start).bond("lean").multiplier[0] == 0.1


def test_a_file_starts_a_vakonomic_servo_by_a_rule(tmp_path):
    rules = {
        'multipliers = "zero"': "by the rule 'zero'",
        "reaching = {rail = 0.2}, at = 0.5": "reaching rail = 0.2 at t = 0.5 s",
    }
    for rule, told in rules.items():
        file = read_cart(
            tmp_path,
            f'{{kind = "servo", by = "vakonomic", {rule}}}',
            'pin", "rail',
            "velocity",
            "pin.v + pin.q - rail.q - 0.3",
        )
        motion = vc.simulate(file.system, 0.5, file.start)
        assert told in motion.log[0]
    assert motion["rail"][-1] == pytest.approx(0.2, abs=1e-9)


@pytest.mark.parametrize(
    ("realization", "message"),
    [
        ('"servo"', "no direction is named"),
        ('{kind = "servo", along = ["rial"]}', "names joint 'rial'.*did you mean 'rail'"),
        ('{kind = "servo", along = [{kind = "push"}]}', 'must name joints, or unit wrenches as {kind = "force"'),
        ('{kind = "servo", along = [{kind = "force"}]}', "wrench of kind 'force' whose key 'body' is wrong"),
        ('{kind = "servo", along = 3}', "must name joints"),
        ('{kind = "servo", along = "rail", bounds = -1}', "bounds -1.0 must be positive"),
        ('{kind = "servo", along = "rail", bounds = true}', "must be a number, as bounds = 5.0"),
        ('{kind = "servo", along = "rail", bound = 1}', "the key 'bound' is not known; did you mean 'bounds'"),
        ('{kind = "servo", by = "magic"}', "use 'chetaev' or 'vakonomic'"),
    ],
)
def test_mistakes_in_servos_of_files_are_named(realization, message, tmp_path):
    with pytest.raises(vc.errors.FileError, match=message):
        read_cart(tmp_path, realization)
