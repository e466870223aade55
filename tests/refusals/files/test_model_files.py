"""Bad model files: one clear message each, with file, table, key, value, condition and remedy."""

import math

import pytest

import vinculum as vc
from vinculum.errors import FileError
from vinculum.systems.files import read_model

GOOD = """
[system]
name = "pendulum"
gravity = [0, 0, -9.81]
[parameters]
m = 1.0
[bodies.rod]
mass = "m"
com = [0, 0, -0.5]
inertia = [0.084, 0.084, 0.001]
[bodies.ball]
shape = {kind = "sphere", radius = 0.1}
density = 1000
[joints.hinge]
kind = "revolute"
parent = "ground"
child = "rod"
axis = [0, 1, 0]
drive = "-0.1*v"
[start]
hinge = 1.2
[events.top]
of = ["hinge"]
function = "q - 1"
[run]
until = 10.0
"""


def read(folder, text):
    path = folder / "model.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_model(path)


def refusal(folder, text):
    with pytest.raises(FileError) as caught:
        read(folder, text)
    message = str(caught.value)
    assert "model.toml" in message
    assert "Traceback" not in message and "pydantic" not in message.lower() and "function-before" not in message
    return message


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_the_good_file_is_read(tmp_path):
    file = read(tmp_path, GOOD)
    assert list(file.system.bodies) == ["rod", "ball"]
    assert file.run == {"until": 10.0, "begin": 0.0}


@pytest.mark.parametrize("old, new, words", [
    # tables and keys
    ("[system]", "[sytem]", ["'sytem'", "did you mean 'system'"]),
    ("mass = \"m\"", "mas = 1", ["[bodies.rod]", "'mas'", "did you mean 'mass'", "'mass' is missing"]),
    ("axis =", "axes =", ["[joints.hinge]", "'axes'", "did you mean 'axis'"]),
    ("axis =", "pitch = 1\naxis =", ["[joints.hinge]", "'pitch'", "there are parent, child"]),
    ("radius = 0.1", "radus = 0.1", ["[bodies.ball] shape", "'radus'", "did you mean 'radius'"]),
    ("function =", "fonction =", ["[events.top]", "'fonction'", "did you mean 'function'"]),
    ("hinge = 1.2", "hinge = {positon = 1}", ["[start.hinge]", "'positon'", "did you mean 'position'"]),
    ("until = 10.0", "untill = 10.0", ["[run]", "'untill'", "did you mean 'until'"]),
    ("density = 1000", "density = 1000\ncom = [0, 0, 0]", ["[bodies.ball]", "'com'", "shape, density, mass"]),
    ("parent = \"ground\"", "", ["[joints.hinge]", "'parent' is missing"]),
    ("kind = \"revolute\"", "", ["[joints.hinge]", "'kind' is missing", "revolute, prismatic"]),
    ("kind = \"revolute\"", "kind = \"revolut\"", ["[joints.hinge] kind = \"revolut\"", "did you mean 'revolute'"]),
    ("kind = \"revolute\"", "kind = 3", ["[joints.hinge] kind = 3"]),
    ("kind = \"sphere\"", "kind = \"spher\"", ["[bodies.ball] shape kind = \"spher\"", "did you mean 'sphere'"]),
    ("density = 1000", "density = 1000\nkind = \"gas\"", ["[bodies.ball] kind = \"gas\"", "rigid, point"]),
    # types and sizes
    ("gravity = [0, 0, -9.81]", "gravity = -9.81", ["[system] gravity = -9.81", "list of 3 numbers"]),
    ("gravity = [0, 0, -9.81]", "gravity = [0, 0]", ["[system] gravity = [0, 0]", "list of 3 numbers"]),
    ("com = [0, 0, -0.5]", "com = [0, 0, true]", ["[bodies.rod] com", "must be a number"]),
    ("com = [0, 0, -0.5]", "com = [0, 0, [1]]", ["[bodies.rod] com", "must be a number"]),
    ("com = [0, 0, -0.5]", "com = 2024-01-01", ["[bodies.rod] com", "list of 3 numbers"]),
    ("inertia = [0.084, 0.084, 0.001]", "inertia = [[1, 0], [0, 1]]", ["[bodies.rod] inertia", "3×3"]),
    ("name = \"pendulum\"", "name = 3", ["[system] name = 3", "text in quotes"]),
    ("child = \"rod\"", "child = 3", ["[joints.hinge] child = 3", "text in quotes"]),
    ("density = 1000", "density = 1000\n[bodies]\nflywheel = 3", ["[bodies.flywheel] = 3", "must be a table"]),
    ("of = [\"hinge\"]", "of = [\"hinge\", \"rod\"]", ["[events.top] of", "one joint or one body"]),
    ("function = \"q - 1\"", "function = \"q - 1\"\nstop = 1", ["[events.top] stop = 1", "true or false"]),
    ("function = \"q - 1\"", "function = \"q - 1\"\ndirection = 2", ["[events.top] direction = 2", "-1, 0 or 1"]),
    ("until = 10.0", "until = 10.0\ngrid = 1", ["[run] grid = 1", "at least 2"]),
    ("until = 10.0", "until = 10.0\ngrid = 10.5", ["[run] grid = 10.5", "whole number"]),
    ("until = 10.0", "until = true", ["[run] until = true", "number"]),
    # numbers that no mechanics has
    ("density = 1000", "density = nan", ["[bodies.ball] density = nan", "finite"]),
    ("density = 1000", "density = -inf", ["[bodies.ball] density = -inf", "finite"]),
    ("density = 1000", f"density = 1{'0' * 400}", ["[bodies.ball] density", "finite"]),
    ("density = 1000", "density = -1000", ["[bodies.ball]", "-1000", "positive"]),
    ("density = 1000", "", ["[bodies.ball]", "either density or mass"]),
    ("m = 1.0", "m = 0.0", ["[bodies.rod]", "mass 0 kg is not positive"]),
    ("[0.084, 0.084, 0.001]", "[1, 1, 3]", ["[bodies.rod]", "triangle inequality", "3 <= 1 + 1"]),
    ("[0.084, 0.084, 0.001]", "[[1, 2, 0], [0, 1, 0], [0, 0, 1]]", ["[bodies.rod]", "not symmetric"]),
    ("axis = [0, 1, 0]", "axis = [0, 0, 0]", ["[joints.hinge]", "length zero"]),
    ("axis = [0, 1, 0]", "at = {rotation = [0, 0, 0, 0]}", ["[joints.hinge]", "quaternion"]),
    ("axis = [0, 1, 0]", "at = {euler = {sequence = \"xxy\", angles = [0, 0, 0]}}", ["[joints.hinge] at.euler", "xxy"]),
    ("axis = [0, 1, 0]", "damping = -1", ["[joints.hinge]", "damping", "negative"]),
    ("axis = [0, 1, 0]", "damping = [1, 2]", ["[joints.hinge] damping", "2 numbers", "give one"]),
    # names
    ("child = \"rod\"", "child = \"rodd\"", ["[joints.hinge]", "no body 'rodd'", "did you mean 'rod'"]),
    ("parent = \"ground\"", "parent = \"rod\"", ["[joints.hinge]", "cannot be joined to itself"]),
    ("[joints.hinge]", "[joints.rod]", ["[joints.rod]", "the name 'rod' is taken"]),
    ("[bodies.rod]", "[bodies.ground]", ["[bodies.ground]", "fixed frame"]),
    ("[bodies.ball]", "[bodies.rod]", ["not TOML", "line"]),
    ("hinge = 1.2", "hing = 1.2", ["[start] hing", "did you mean 'hinge'"]),
    ("hinge = 1.2", "rod = 1.2", ["[start] rod", "joint 'hinge'"]),
    ("hinge = 1.2", "hinge = [1, 2]", ["[start]", "1 coordinate", "[1.0, 2.0]"]),
    ("hinge = 1.2", "hinge = {rate = [1, 2]}", ["[start]", "rate", "1 number"]),
    ("hinge = 1.2", "hinge = {rotation = [1, 0, 0, 0]}", ["[start] hinge", "does not turn every way", "rad"]),
    ("axis = [0, 1, 0]", "at = 3", ["[joints.hinge] at = 3", "list of 3 numbers, or a table"]),
    ("hinge = 1.2", "ball = [0, 0, 0, 0, 0, 0, 0]", ["[start]", "norm 0"]),
    ("of = [\"hinge\"]", "of = [\"hige\"]", ["[events.top]", "did you mean 'hinge'"]),
    ("[parameters]", "[parameters]\nq = 1", ["[parameters] q", "has a meaning in formulas"]),
    ("[parameters]", "[parameters]\n\"a b\" = 1", ["[parameters] a b", "one word"]),
    ("[parameters]", "[parameters]\nlambda = 1", ["[parameters] lambda", "rename"]),
    ("[parameters]", "[parameters]\na = \"b\"\nb = 1", ["[parameters] a", "'b'"]),
    # quantities
    ("hinge = 1.2", "hinge = \"30 degrees\"", ["[start] hinge", "'degrees'", "did you mean deg"]),
    ("hinge = 1.2", "hinge = \"30 cm\"", ["[start] hinge", "cm is not a unit of it", "rad"]),
    ("density = 1000", "mass = \"30 deg\"", ["[bodies.ball] mass", "deg is not a unit of it", "kg"]),
    ("density = 1000", "mass = \"3 kg/m s\"", ["[bodies.ball] mass", "two ways"]),
    ("radius = 0.1", "radius = \"1 furlong\"", ["[bodies.ball] shape.radius", "'furlong'", "known units: m, km"]),
    ("radius = 0.1", "radius = \"1e999999999 m\"", ["[bodies.ball] shape.radius", "too many digits"]),
    ("drive = \"-0.1*v\"", "drive = \"5 kg\"", ["[joints.hinge] drive", "kg is not a unit of it", "N m"]),
    # formulas
    ("-0.1*v", "-0.1*w", ["[joints.hinge] drive", "'w'", "t, q, v"]),
    ("-0.1*v", "-0.1*(v", ["[joints.hinge] drive", "cannot be parsed", "never closed"]),
    ("-0.1*v", "-0.1 v^2", ["[joints.hinge] drive", "-0.1 v^2"]),
    ("-0.1*v", "v^2", ["[joints.hinge] drive", "'v^2'", "write **"]),
    ("-0.1*v", "sine(v)", ["[joints.hinge] drive", "'sine'", "did you mean 'sin'"]),
    ("-0.1*v", "q[1]", ["[joints.hinge] drive", "'q[1]'", "1 number"]),
    ("-0.1*v", "1/0", ["[joints.hinge] drive", "'1/0'", "finite"]),
    ("\"-0.1*v\"", "[\"v\", \"q\"]", ["[joints.hinge] drive", "2 formulas", "1 velocity"]),
    ("q - 1", "m - 1", ["[events.top] function", "never changes"]),
    ("q - 1", "position[2]", ["[events.top] function", "'position'"]),
    ("mass = \"m\"", "mass = \"n\"", ["[bodies.rod] mass", "'n'", "m"]),
    ("mass = \"m\"", "mass = \"\"", ["[bodies.rod] mass", "empty"]),
    # the run
    ("until = 10.0", "until = 0", ["[run] until = 0", "not after begin"]),
    ("until = 10.0", "until = \"10 m\"", ["[run] until", "m is not a unit of it"]),
])  # fmt: skip
def test_a_bad_value_is_refused_with_its_place_and_a_remedy(tmp_path, old, new, words):
    message = refusal(tmp_path, changed(old, new))
    for word in words:
        assert word in message


MORE_THAN_FORMULAS = [
    "__import__('os')", "__import__('os').system('touch pwned')", "().__class__.__bases__[0].__subclasses__()",
    "q.real", "eval('1')", "exec('import os')", "open('/etc/passwd')", "lambda: 1", "[x for x in q]", "{}", "'text'",
    "f'{q}'", "b'x'", "(x := 1)", "q if v else 1", "q @ v", "q or __import__('os')", "sin(*q)", "sin(x=1)", "q*1j",
    "True", "None", "...", "q[0:1]", "q[-1]", "q[True]", "q[q]", "await q", "yield", "not", "globals()",
    "sin.__globals__", "sin", "q # v", "é(1)", "\\u0000", "\\ud7ff", "1;2", "q=1", "import os", "q\\\\", "9**9**9**9",
    "9.0**9.0**9.0", "(-8)**(1/3)", "1e999", "10**400", "log(0)", "sqrt(-1)", "0**-1",
]  # fmt: skip


@pytest.mark.parametrize("formula", MORE_THAN_FORMULAS)
def test_a_formula_that_is_more_than_a_formula_is_refused(tmp_path, formula, monkeypatch):
    monkeypatch.chdir(tmp_path)
    message = refusal(tmp_path, changed("-0.1*v", formula))
    assert "[joints.hinge] drive" in message and "formula" in message
    assert [path.name for path in tmp_path.iterdir()] == ["model.toml"]


ATTACKS = [
    "(" * 100_000, "-" * 1900 + "q", "not " * 400 + "q", "q**" * 600 + "q", "q+" * 900 + "q", "9" * 1900, "9" * 50_000,
    "sin(" * 180 + "q" + ")" * 180, "q[" * 190 + "0" + "]" * 190, "lambda:" * 200 + "q", "1 " * 900, "m^" * 900,
    "1" * 100_000 + " m", "q if " * 300, "{" * 1000, "\\\"" * 500,
]  # fmt: skip


@pytest.mark.parametrize("formula", ATTACKS, ids=lambda formula: f"{formula[:6]}…{len(formula)}")
def test_attack_strings_end_with_a_short_message(tmp_path, formula):
    message = refusal(tmp_path, changed("-0.1*v", formula))
    assert "[joints.hinge] drive" in message
    assert len(message) < 1000


@pytest.mark.parametrize("around", ["({})", "(0<{}<1)", "sin({})**16", "where({}<1, 2, {{}})"])
def test_a_deep_nest_that_is_a_formula_is_read_without_an_explosion(tmp_path, around):
    nested = "q"
    for _ in range(40):
        nested = around.replace("{{}}", "q").format(nested)
    assert read(tmp_path, changed("-0.1*v", nested)).system.joints["hinge"].drive is not None


def test_several_problems_are_told_at_once(tmp_path):
    text = changed('mass = "m"', "mas = 1").replace("axis =", "axes =").replace("until", "untill")
    message = refusal(tmp_path, text)
    assert "4 problems" in message
    assert len(message.splitlines()) == 5


def test_a_cycle_of_joints_is_a_closed_loop(tmp_path):
    text = (
        GOOD + '[joints.a]\nkind = "weld"\nparent = "rod"\nchild = "ball"\n[joints.b]\nkind = "weld"\nparent = "ball"\n'
    )
    assert read(tmp_path, text + 'child = "rod"\n').system.tree().closing_joints == ["b"]


@pytest.mark.parametrize("text, words", [
    ("", ["is empty"]),
    ("# nothing but a remark\n", ["is empty"]),
    ("\ufeff", ["is empty"]),
    ("[system]\nname = \"x\"\n", ["there is no body"]),
    ("[bodies]\n", ["no bodies"]),
    ("bodies = 3", ["[bodies] = 3", "must be a table"]),
    ("[bodies]\nrod = 3", ["[bodies.rod] = 3", "must be a table"]),
    ("[bodies.rod\nmass = 1", ["not TOML", "line 1, column"]),
    ("mass = \n", ["not TOML", "line 1, column"]),
    ("<robot name='arm'/>", ["not TOML", "line 1, column 1"]),
    (b"\xff\xfe\x00x", ["not a text in UTF-8"]),
    ("x = " + "[" * 5000, ["TOML"]),
    ("x = " + "1" * 6000, ["TOML"]),
], ids=range(13))  # fmt: skip
def test_what_is_no_model_is_refused(tmp_path, text, words):
    message = refusal(tmp_path, text)
    for word in words:
        assert word in message


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path):
    assert read(tmp_path, b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()).run["until"] == 10.0


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(FileError, match=r"there is no file .*absent\.toml"):
        read_model(tmp_path / "absent.toml")
    with pytest.raises(FileError, match="is a folder"):
        read_model(tmp_path)
    with pytest.raises(FileError, match="there is no file"):
        read_model("a\0b.toml")
    with pytest.raises(FileError, match="not a regular file"):
        read_model("/dev/null")


def test_an_unknown_parameter_cannot_be_changed(tmp_path):
    (tmp_path / "model.toml").write_text(GOOD)
    with pytest.raises(FileError, match="no parameter 'n'"):
        read_model(tmp_path / "model.toml", {"n": "1"})
    with pytest.raises(FileError, match=r"\[bodies.rod\].*mass -1 kg is not positive"):
        read_model(tmp_path / "model.toml", {"m": "-1"})


BALL = """
[bodies.b]
mass = 1
inertia = [1, 1, 1]
[joints.j]
kind = "spherical"
parent = "ground"
child = "b"
stiffness = 2
"""


@pytest.mark.parametrize("rest", [
    "rest = [1, 1, 0, 0]", "rest = {rotation = [2, 2, 0, 0]}", "rest = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]",
    'rest = {euler = {angles = ["90 deg", 0, 0]}}', "rest = {position = [3, 3, 0, 0]}",
])  # fmt: skip
def test_the_rest_of_a_spring_is_written_as_a_start_is(tmp_path, rest):
    made = read(tmp_path, BALL + rest).system.joints["j"].rest
    assert made == pytest.approx([0.5**0.5, 0.5**0.5, 0, 0], abs=1e-15)
    angles = read(tmp_path, BALL + 'chart = "xyz"\n' + rest.replace("[1, 1, 0, 0]", '["90 deg", 0, 0]')
                  .replace("position = [3, 3, 0, 0]", 'position = ["90 deg", 0, 0]')).system.joints["j"].rest  # fmt: skip
    assert angles == pytest.approx([math.pi / 2, 0, 0], abs=1e-15)


@pytest.mark.parametrize(("rest", "words"), [
    ("rest = {positon = [1, 0, 0, 0]}", r"\[joints.j\] rest: the key 'positon' is not known; did you mean 'position'"),
    ("rest = {rate = 1}", r"\[joints.j\] rest: the key 'rate' is not known"),
    ("rest = {rotation = [1, 0, 0, 0], euler = {angles = [0, 0, 0]}}", "both 'rotation' and 'euler'"),
    ("rest = [0, 0, 0, 0]", r"\[joints.j\].*norm 0"),
    ('rest = "up"', r"\[joints.j\] rest"),
])  # fmt: skip
def test_a_rest_that_is_no_position_is_refused(tmp_path, rest, words):
    with pytest.raises(FileError, match=words):
        read(tmp_path, BALL + rest)


def test_the_events_of_a_file_are_events(tmp_path):
    file = read(tmp_path, GOOD)
    motion = vc.simulate(file.system, start=file.start, events=file.events, **file.run)
    assert all(isinstance(event, vc.Event) for event in file.events)
    assert {crossing.name for crossing in motion.record.crossings} == {"top"}
    assert file.events[0].text == "q - 1" and file.events[0].of == ["hinge"]


@pytest.mark.parametrize(("table", "words"), [
    ('[forces.f]\nkind = "force"\nbody = "b"', r"\[forces.f\] has neither 'force' nor 'moment' and would do nothing"),
    ('[bodies.p]\nkind = "prescribed"\nrotation = {axis = [0, 0, 1]}', r"\[bodies.p\] rotation.*must have an 'angle'"),
    ('[bodies.m]\nkind = "point"\nmass = 1\n[forces.f]\nkind = "force"\nbody = "m"\nforce = "-angular_velocity"',
     r"\[forces.f\].*asks for 'angular_velocity', but a mass point has none; use its velocity"),
])  # fmt: skip
def test_forces_and_rotations_that_say_too_little_are_refused(tmp_path, table, words):
    with pytest.raises(FileError, match=words):
        read(tmp_path, f"{BALL}\n{table}\n")


@pytest.mark.parametrize("key", ["type", "class"])
def test_the_word_of_other_programs_for_a_kind_leads_to_it(tmp_path, key):
    message = refusal(tmp_path, changed('kind = "revolute"', f'{key} = "revolute"'))
    assert "'kind' is missing" in message and f"did you mean it by '{key}'?" in message
    point = changed('shape = {kind = "sphere", radius = 0.1}\ndensity = 1000', f'{key} = "point"\nmass = 1')
    assert "did you mean 'kind'?" in refusal(tmp_path, point)


def test_all_faults_of_a_file_are_told_at_once(tmp_path):
    """Wrong keys, wrong values, formulas and units, each in a table of its own; what only follows from them is left out."""
    text = (
        GOOD.replace("name =", "nam =")
        .replace("m = 1.0", 'm = 1.0\nk = "zz*2"')
        .replace("radius = 0.1", "radius = -0.1")
    )
    text = (
        text.replace('"-0.1*v"', '"-0.1*w"')
        .replace("q - 1", "q - ")
        .replace("until = 10.0", 'until = "1 kg"\ngrid = 1000000000')
    )
    text += '[joints.second]\nkind = "revolute"\nparent = "ball"\nchild = "rod"\n'
    text += '[joints.third]\nkind = "revolute"\nparent = "ball"\nchild = "nobody"\n'
    message = refusal(tmp_path, text)
    for words in ("[system]: the key 'nam'", "[parameters] k", "[bodies.ball] sphere: radius", "[joints.hinge] drive",
                  "[run] grid = 1000000000", "[run] until", "[joints.third]: there is no body 'nobody'"):  # fmt: skip
        assert words in message
    assert "7 problems" in message and "second" not in message


LAGRANGIAN = """
[parameters]
m = "1 s"
k = 2.0
[lagrangian]
coordinates = ["x", "y"]
function = "k*x_dot**2/2 + zz"
dissipation = ["-0.1*x_dot"]
[constraints.rod]
function = "x**2 + y**2 - w"
realization = "dalembert"
[start]
x = "1 kg"
[events.top]
function = "x +"
[run]
until = "1 m"
"""


def test_all_faults_of_a_lagrangian_are_told_at_once(tmp_path):
    message = refusal(tmp_path, LAGRANGIAN)
    places = (
        "[lagrangian] function",
        "[lagrangian] dissipation",
        "[constraints.rod] function",
        "[start] x",
        "[events.top]",
        "[run] until",
    )
    assert "6 problems" in message and all(place in message for place in places)


def test_an_error_keeps_all_problems_as_data(tmp_path):
    with pytest.raises(FileError) as told:
        read(tmp_path, LAGRANGIAN)
    assert len(told.value.problems) == 6 and all(one.startswith("[") for one in told.value.problems)


def test_faults_of_starts_and_events_are_told_together(tmp_path):
    text = GOOD.replace("hinge = 1.2", 'hinge = "1 kg"\nball = [0, 0]').replace("q - 1", "q - z")
    message = refusal(tmp_path, text)
    assert "3 problems" in message and all(
        words in message for words in ("[start] hinge", "joint 'ball' is free", "[events.top]")
    )


def test_a_grid_of_too_many_instants_is_refused(tmp_path):
    assert "at most 16777216" in refusal(tmp_path, changed("until = 10.0", "until = 10.0\ngrid = 1000000000"))
    with pytest.raises(vc.errors.StartError, match="at most 16777216 instants"):
        vc.simulate(read(tmp_path, GOOD).system, 1.0, grid=10**9)


SLIDER = """
[bodies.a]
kind = "point"
mass = 1
[joints.k]
kind = "prismatic"
parent = "ground"
child = "a"
[start]
k2 = 1
[run]
until = "3 s"
method = "taylr"
step = -1
"""


def test_faults_of_start_and_run_are_told_together(tmp_path):
    message = refusal(tmp_path, SLIDER)
    assert "3 problems" in message
    assert "[start] k2: there is no joint or free body 'k2'; known: k" in message
    assert "[run] method = \"taylr\" is not known; did you mean 'taylor'?" in message
    assert "[run] step = -1 s must be a positive" in message


def test_faults_of_start_and_run_are_told_with_those_of_bodies_and_joints(tmp_path):
    """The start names the joint of a body that could not be made: that is no fault of its own."""
    message = refusal(tmp_path, SLIDER.replace("mass = 1", "mass = -1").replace("k2 = 1", "k2 = 1\nk = 1"))
    assert "4 problems" in message and "[bodies.a]" in message and "[joints" not in message
    assert "'k2'; known: k" in message and "[start] k:" not in message


def test_bonds_of_unknown_bodies_are_told_all_declared_ones(tmp_path):
    """A body whose table is wrong is still one that can be meant."""
    text = SLIDER.replace("mass = 1", "mass = -1").replace('child = "a"', 'child = "c"')
    spring = '[potentials.s]\nkind = "spring"\na = "ground"\nb = "d"\nstiffness = 1\n'
    message = refusal(tmp_path, text + spring)
    assert "[joints.k]: there is no body 'c'; known: a, ground" in message
    assert "[potentials.s]: there is no body 'd'; known: a, ground" in message
    assert "6 problems" in message


@pytest.mark.parametrize(
    "bond, told",
    [
        ('[constraints.c]\nkind = "distance"\na = "ground"\nb = "d"\nlength = 1', "body 'd'; known: a, ground"),
        ('[constraints.c]\nkind = "knife_edge"\nbody = "a"\non = "d"', "body 'd'; known: a, ground"),
        ('[constraints.c]\nkind = "gear"\na = "d"\nb = "k"\nratio = 1', "joint 'd'; known: k"),
        ('[constraints.c]\nbodies = ["d"]\nposition = "d.position[2]"', "body or joint 'd'; known: a, k, ground"),
        ('[unilaterals.c]\nbodies = ["d"]\ngap = "d.q"\nimpact = 0', "body or joint 'd'; known: a, k, ground"),
        ('[contacts.c]\nbodies = ["d"]\nimpact = 0', "body 'd'; known: a, ground"),
        ('[contacts.c]\nbodies = ["a"]\nagainst = ["d"]\nimpact = 0', "body 'd'; known: a, ground"),
        ('[impulses.c]\nbody = "d"\nat = 1\nforce = [1, 0, 0]', "body 'd'; known: a, ground"),
        ('[impulses.c]\njoint = "d"\nat = 1\nalong = 1', "joint 'd'; known: k"),
        ('[events.c]\nof = "d"\nfunction = "q"', "body or joint 'd'; known: a, k, ground"),
    ],
)
def test_every_bond_of_an_unknown_name_is_told_all_declared_ones(tmp_path, bond, told):
    """A body whose table is wrong, and its joint, are still ones that can be meant."""
    realized = '\nrealization = "dalembert"\n' if bond.startswith("[constraints") else "\n"
    message = refusal(tmp_path, SLIDER.replace("mass = 1", "mass = -1").replace("k2 = 1", "k = 1") + bond + realized)
    assert f"{bond.partition(']')[0]}]" in message and f"there is no {told}" in message
    assert "4 problems" in message


def test_a_slip_in_a_name_is_told_where_the_body_that_is_meant_is_wrong_too(tmp_path):
    text = SLIDER.replace("bodies.a", "bodies.anchor").replace("mass = 1", "mass = -1").replace("k2 = 1", "k = 1")
    assert "there is no body 'ancor'; did you mean 'anchor'?" in refusal(tmp_path, text.replace('"a"', '"ancor"'))


def test_a_tree_that_cannot_be_made_hides_no_faults_of_start_and_run(tmp_path):
    twice = '[joints.l]\nkind = "weld"\nparent = "ground"\nchild = "a"\n[constraints.c]\nof = ["k"]\nfunction = "q["\n'
    message = refusal(tmp_path, SLIDER + twice)
    assert "4 problems" in message and "[constraints.c]" in message and "[start] k2" in message


def test_methods_of_a_lagrangian_are_checked_when_its_file_is_read(tmp_path):
    text = '[lagrangian]\ncoordinates = ["x"]\nfunction = "x_dot**2/2"\n[run]\nuntil = 1\nmethod = "rk4"\nstep = 0\n'
    message = refusal(tmp_path, text)
    assert '[run] method = "rk4" is not known for Lagrangian systems; use auto, taylor or dop853' in message
    assert "[run] step = 0 s" in message
