"""What is wrong with a Lagrangian of a model file is told with table, key, value and remedy."""

import re

import pytest

import vinculum as vc

GOOD = {
    "parameters": "g = 9.81",
    "lagrangian": 'coordinates = ["x", "y"]\nfunction = "(x_dot**2 + y_dot**2)/2 - g*y"',
    "constraints.c": 'function = "y"\nrealization = "dalembert"',
    "start": "x = [0, 2]",
    "run": "until = 1",
}
REFUSED = [
    ("lagrangian", 'function = "x"', "[lagrangian]: the key 'coordinates' is missing"),
    ("lagrangian", 'coordinates = "x"\nfunction = "x"', '[lagrangian] coordinates = "x" must be a list of names'),
    ("lagrangian", 'coordinates = ["x", "y"]\nfunction = 3', "[lagrangian] function = 3 must be a text in quotes"),
    ("lagrangian", 'coordinates = ["x", "y"]\nfunction = "z"', "the formula \"z\" asks for 'z'"),
    ("lagrangian", 'coordinates = ["x", "x"]\nfunction = "x_dot**2"', "the name 'x' of a coordinate is taken"),
    (
        "lagrangian",
        'coordinates = ["g", "y"]\nfunction = "y_dot**2"',
        "'g' also has a meaning in a parameter or a table",
    ),
    ("lagrangian", 'coordinates = ["sin", "y"]\nfunction = "y_dot**2"', "'sin' also has a meaning in formulas"),
    ("lagrangian", 'coordinates = ["x", "y z"]\nfunction = "x_dot**2"', "coordinate 'y z' is not a name"),
    (
        "lagrangian",
        'coordinates = ["x", "y"]\nfunction = "x_dot**2"\ndissipation = [1]',
        "dissipation has 1 entries for 2 coordinates",
    ),
    ("lagrangian", 'coordinates = ["x", "y"]\nfunction = "x_dot**2"\ndisipation = [1]', "did you mean 'dissipation'?"),
    ("constraints.c", 'function = "y"', "[constraints.c]: the key 'realization' is missing; choose a realization"),
    (
        "constraints.c",
        'function = "x_dot**2 - 4"\nrealization = "dalembert"',
        "[constraints.c] function: d'Alembert's principle covers",
    ),
    (
        "constraints.c",
        'function = 3\nrealization = "chetaev"',
        "[constraints.c] function = 3 must be a formula in quotes",
    ),
    ("constraints.c", 'function = "3"\nrealization = "chetaev"', "it does not depend on the coordinates"),
    (
        "constraints.c",
        'velocity = "y"\nrealization = "chetaev"',
        "[constraints.c]: the key 'velocity' is not known; there are function",
    ),
    ("constraints.c", 'function = "y"\nrealization = {kind = "penalty", stifness = 1}', "did you mean 'stiffness'?"),
    ("start", "z = 1", "[start] start: there is no coordinate 'z'"),
    ("start", "x = [1, 2, 3]", "give its value and at most 1 derivatives"),
    ("start", 'x = "3 m"', '[start] x[0] = "3 m": m is not a unit of it; give a plain number'),
    ("start", "x = {positon = 1}", "[start.x]: the key 'positon' is not known; did you mean 'position'?"),
    ("events.e", 'function = "x_ddot"', "[events.e] function: the formula \"x_ddot\" asks for 'x_ddot'"),
    ("events.e", 'function = "g"', '[events.e] function = "g" never changes'),
    ("events.e", 'of = "x"\nfunction = "x"', "[events.e]: the key 'of' is not known"),
    ("events.e", 'function = "x"\ndirection = 2', "[events.e] direction = 2 is not known"),
    ("bodies.b", "mass = 1", "has both [bodies] and [lagrangian]"),
    ("joints.b", 'kind = "weld"', "the table 'joints' is not known; there are system, parameters, tables, lagrangian"),
    ("system", "gravity = [0, 0, 1]", "[system]: the key 'gravity' is not known; there are name"),
]


@pytest.mark.parametrize(("table", "text", "message"), REFUSED)
def test_a_lagrangian_that_cannot_be_read_is_refused_with_its_table(table, text, message, tmp_path):
    path = tmp_path / "model.toml"
    path.write_text("\n".join(f"[{name}]\n{rows}" for name, rows in {**GOOD, table: text}.items()), encoding="utf-8")
    with pytest.raises(vc.errors.FileError, match=re.escape(message)) as caught:
        vc.read_model(path)
    assert str(caught.value).count("model.toml") == 1


def test_the_good_file_is_read(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text("\n".join(f"[{name}]\n{rows}" for name, rows in GOOD.items()), encoding="utf-8")
    assert vc.read_model(path).system.coordinates == ("x", "y")
