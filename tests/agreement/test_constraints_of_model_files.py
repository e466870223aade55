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
        ({"realization": '{kind = "friction", coefficient = "2*k"}'}, vc.Friction(200.0)),
        ({"realization": '{kind = "vakonomic", multipliers = 0.25}'}, vc.Vakonomic(multipliers=0.25)),
        ({"realization": '{kind = "vakonomic", multipliers = "zero"}'}, vc.Vakonomic(multipliers="zero")),
        (
            {"realization": '{kind = "vakonomic", reaching = {plane = [1.6, "free", "free"]}, at = "1500 ms"}'},
            vc.Vakonomic(multipliers=vc.Reaching({"plane": (1.6, None, None)}, at=1.5)),
        ),
        ({"realization": '{kind = "added_inertia", coefficient = "k"}'}, vc.AddedInertia(100.0)),
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
        ({"level": "acceleration"}, "the key 'acceleration' is not known"),
        ({"formula": "3"}, "must be a formula in quotes"),
        ({"bodies": '["knife"]', "formula": '"knife.velocity[0]"'}, "no body 'knife'"),
        ({"formula": '"blade.speed"'}, "blade"),
        ({"bodies": '"blade"'}, "must be a list of names"),
    ],
)
def test_mistakes_are_named_with_table_and_key(given, message, tmp_path):
    with pytest.raises(vc.VinculumError, match=message):
        read(tmp_path, **given)
