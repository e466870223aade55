"""What is wrong with a constraint of a model file is told with table, key, value and remedy."""

import re

import pytest

import vinculum as vc

WORLD = """
[parameters]
r = "30 cm"
[bodies.bob]
kind = "point"
mass = 1.2
[bodies.ball]
mass = 1.2
inertia = [0.05, 0.06, 0.07]
[bodies.wheel]
mass = 1.2
inertia = [0.05, 0.06, 0.07]
[joints.axle]
kind = "revolute"
parent = "ground"
child = "wheel"
[joints.rail]
kind = "prismatic"
parent = "wheel"
child = "ball"
"""
ROD = 'kind = "distance"\na = "bob"\nb = "ground"\nlength = 1\n'
IDEAL = 'realization = "dalembert"'
KINDS = "formula, distance, point_on_surface, point_on_curve, gear, knife_edge, no_twist"

REFUSED = [
    (
        'kind = "distnace"',
        "[constraints.bond] kind = \"distnace\" is not a constraint that a file can describe; did you mean 'distance'?",
    ),
    ("kind = 3", f"[constraints.bond] kind = 3 is not a constraint that a file can describe; known: {KINDS}"),
    ('kind = "rolling disc"', "did you mean 'rolling_disc'?"),
    ('a = "bob"', f"[constraints.bond]: the key 'kind' is missing; a constraint is one of {KINDS}"),
    ('kind = "distance"\na = "bob"\nb = "ground"\n' + IDEAL, "[constraints.bond]: the key 'length' is missing"),
    (
        ROD,
        "[constraints.bond]: the key 'realization' is missing; choose a realization, because it determines the motion: dalembert",
    ),
    (ROD + "realization = 3", '[constraints.bond] realization = 3 must be a name such as "dalembert"'),
    (
        ROD + 'realization = "glue"',
        '[constraints.bond] realization kind = "glue" is not a realization that a file can describe',
    ),
    (
        ROD + 'realization = {kind = "penalty", stifness = 1}',
        "[constraints.bond] realization: the key 'stifness' is not known; did you mean 'stiffness'?",
    ),
    (
        ROD + 'realization = {kind = "penalty", stiffness = [1]}',
        "[constraints.bond] realization.stiffness = [1] must be a number",
    ),
    (ROD + 'realization = {kind = "penalty", stiffness = -1}', "stiffness -1.0 is not positive"),
    (ROD + 'realization = {kind = "vakonomic", multipliers = 0}', 'use realization = "dalembert"'),
    (ROD + "lenght = 2\n" + IDEAL, "[constraints.bond]: the key 'lenght' is not known; did you mean 'length'?"),
    (ROD + "at = [1, 2]\n" + IDEAL, "[constraints.bond] at = [1, 2] must be a list of 3 numbers"),
    (
        ROD.replace("length = 1", 'length = "3 kg"') + IDEAL,
        '[constraints.bond] length = "3 kg": kg is not a unit of it; give a value in m',
    ),
    (ROD.replace("length = 1", "length = -1") + IDEAL, "length -1 m is not positive"),
    (
        ROD.replace('"ground"', '"grund"') + IDEAL,
        "there is no body or joint 'grund' in system 'model'; did you mean 'ground'?",
    ),
    (
        ROD + "at = [1, 0, 0]\n" + IDEAL,
        "[constraints.bond] constraint 'bond': body 'bob' is a mass point and has no rotation",
    ),
    (
        'kind = "point_on_surface"\nbody = "bob"\nsurface = "x"\n' + IDEAL,
        '[constraints.bond] surface = "x" is a vector',
    ),
    (
        'kind = "point_on_surface"\nbody = "bob"\nsurface = "r"\n' + IDEAL,
        '[constraints.bond] surface = "r" is the same everywhere',
    ),
    ('kind = "point_on_surface"\nbody = "bob"\nsurface = 3\n' + IDEAL, "surface = 3 must be a formula of x in quotes"),
    ('kind = "point_on_surface"\nbody = "bob"\nsurface = "x[3]"\n' + IDEAL, "the last is x[2]"),
    ('kind = "point_on_curve"\nbody = "bob"\ncurve = "x[0]"\n' + IDEAL, "must be a list of two formulas of x"),
    (
        'kind = "point_on_curve"\nbody = "bob"\ncurve = ["x[0]", "foo(x[1])"]\n' + IDEAL,
        "[constraints.bond] curve[1]: the formula \"foo(x[1])\" calls 'foo'",
    ),
    (
        'kind = "gear"\na = "axle"\nb = "rail"\nratio = "2 m"\n' + IDEAL,
        '[constraints.bond] ratio = "2 m": m is not a unit of it; give a value in rad/m',
    ),
    ('kind = "gear"\na = "axle"\nb = "rail"\nratio = 0\n' + IDEAL, "ratio 0 would hold joint 'a' alone"),
    ('kind = "gear"\na = "wheel"\nb = "rail"\nratio = 2\n' + IDEAL, "'wheel' is a body, and a gear connects joints"),
    (
        'kind = "gear"\na = "axle"\nb = "rial"\nratio = 2\n' + IDEAL,
        "there is no joint 'rial'; did you mean 'rail'?",
    ),
    ('kind = "knife_edge"\nbody = ["ball"]\n' + IDEAL, "[constraints.bond] body = ['ball'] must be a text in quotes"),
    ('kind = "knife_edge"\nbody = "ball"\nside = [0, 0, 0]\n' + IDEAL, "side is zero and has no direction"),
    ('kind = "constant_speed"\nbody = "bob"\nspeed = 2\n' + IDEAL, 'use realization = "chetaev"'),
    (
        'kind = "rolling_sphere"\nbody = "ball"\nradius = "r"\nrealization = {kind = "viscous_friction", coefficient = 3}',
        'as contact = "dalembert"',
    ),
    (
        'kind = "rolling_sphere"\nbody = "ball"\nradius = "r"\ncontact = "glue"\n' + IDEAL,
        '[constraints.bond] contact kind = "glue" is not a realization',
    ),
    (
        'kind = "rolling_sphere"\nbody = "ball"\nradius = "r"\non = "table"\n' + IDEAL,
        "there is no body 'table'",
    ),
    ('kind = "rolling_ellipsoid"\nbody = "ball"\nsemi_axes = [1, -1, 2]\n' + IDEAL, "are not all positive"),
    (
        'bodies = ["ball"]\nvelocity = "ball.velocity[0]"\nposition = "ball.position[0]"\n' + IDEAL,
        "needs exactly one of position, velocity and acceleration",
    ),
    ('kind = "rolling"\nbody = "ball"\nradius = "r"\n' + IDEAL, "the key 'support' is missing"),
    ('kind = "rolling"\nbody = "ball"\nsupport = 3\n' + IDEAL, "support = 3 must be a formula of the unit vector u"),
]


@pytest.mark.parametrize(("table", "message"), REFUSED)
def test_a_constraint_that_cannot_be_read_is_refused_with_its_table(table, message, tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(f"{WORLD}[constraints.bond]\n{table}\n", encoding="utf-8")
    with pytest.raises(vc.errors.FileError, match=re.escape(message)) as caught:
        vc.read_model(path)
    assert "model.toml" in str(caught.value)
