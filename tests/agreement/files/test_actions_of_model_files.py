"""Potentials and forces of a model file do what the same ones do that are written in Python."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.targets import arrays
from vinculum.models.model_cache import model_for

HEAD = """
[parameters]
k = 3.0
[bodies.a]
mass = 1.3
com = [0.1, 0, -0.2]
inertia = [0.5, 0.6, 0.7]
[bodies.b]
mass = 2.1
inertia = [0.4, 0.3, 0.5]
"""
MASSES = (("a", 1.3, (0.1, 0, -0.2), (0.5, 0.6, 0.7)), ("b", 2.1, (0, 0, 0), (0.4, 0.3, 0.5)))
K = vc.parameter("k", 3.0)
TURNED = vc.Pose((0, 0, 0.1), vc.Pose((0, 0, 0), (0.5, 0.5, 0.5, 0.5)).R)
BOTH = 'a = "a"\nb = "b"\n'
PAIR = 'bodies = ["a", "b"]\n'
CASES = {
    "spring": (BOTH + 'stiffness = "2*k"\nrest_length = "30 cm"\nat = [0, 0.1, 0]\nto = [0.2, 0, 0]\ndamping = 0.4',
               lambda a, b: vc.Spring("bond", a, b, 2 * K, 0.3, (0, 0.1, 0), (0.2, 0, 0), 0.4)),
    "torsion_spring": (BOTH + 'stiffness = "k"\nat = {position = [0, 0, 0.1], rotation = [0.5, 0.5, 0.5, 0.5]}',
                       lambda a, b: vc.potentials.TorsionSpring("bond", a, b, K, at=TURNED)),
    "bushing": (BOTH + 'stiffness = ["2 N/mm", 1, 1, "k", 2, 3]\nto = [0, 0, 0.3]\ndamping = [0, 0, 0, 0.1, 0.1, 0.1]',
                lambda a, b: vc.potentials.Bushing("bond", a, b, [2000, 1, 1, K, 2, 3], to=(0, 0, 0.3), damping=[0, 0, 0, 0.1, 0.1, 0.1])),
    "gravitation": (PAIR + 'G = "k"\nsoftening = "1 cm"\ndegree = 2',
                    lambda a, b: vc.potentials.Gravitation("bond", [a, b], K, 0.01, 2)),
    "coulomb_charges": (PAIR + 'charges = [1, "-k"]\nconstant = 2',
                        lambda a, b: vc.potentials.CoulombCharges("bond", [a, b], [1, -K], 2.0)),
    "lennard_jones": (PAIR + 'depth = "k"\nsize = [0.4, 0.6]',
                      lambda a, b: vc.potentials.LennardJones("bond", [a, b], K, [0.4, 0.6])),
    "morse": (PAIR + 'depth = "k"\nwidth = 0.3\nrest_length = 1', lambda a, b: vc.potentials.Morse("bond", [a, b], K, 0.3, 1.0)),
    "magnetic_dipoles": (BOTH + 'moments = [[1, 0, "k"], [0, 1, 0]]\nconstant = 1e-3\nto = [0, 0.1, 0]',
                         lambda a, b: vc.potentials.MagneticDipoles("bond", a, b, [(1, 0, K), (0, 1, 0)], to=(0, 0.1, 0), constant=1e-3)),
    "formula": (PAIR +
                'energy = "0.5*k*norm(a.center - b.position)**2 + dot(cross(a.position, b.position), -b.center)*a.position[0]/3 + t"',
                lambda a, b: vc.Potential("bond", [a, b], lambda a, b, t: 0.5 * K * vc.math.norm(a.center - b.position) ** 2
                    + vc.math.dot(vc.math.cross(a.position, b.position), -b.center) * a.position[0] / 3 + t)),
    "force": ('body = "a"\nforce = "-k*velocity - 0.2*norm(velocity)*velocity"\nmoment = ["sin(t)", "1 N m", "-angular_velocity[2]"]\n'
              "at = [0, 0, 0.1]",
              lambda a, b: vc.Force("bond", a, lambda a, t: vc.Wrench(
                  force=-K * a.velocity - 0.2 * vc.math.norm(a.velocity) * a.velocity,
                  moment=(vc.math.sin(t), 1.0, -a.angular_velocity[2]), at=(0, 0, 0.1)))),
    "interaction": (BOTH + 'force = "k*(b.center_velocity - a.center_velocity)"',
                    lambda a, b: vc.Interaction("bond", a, b,
                                                lambda a, b: vc.Wrench(force=K * (b.center_velocity - a.center_velocity)))),
    "damper": (BOTH + 'damping = "0.5 N s/m"\nat = [0, 0, 1]', lambda a, b: vc.Damper("bond", a, b, 0.5, at=(0, 0, 1))),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_a_table_is_the_bond_that_python_would_make(kind, tmp_path):
    text, make = CASES[kind]
    family = "forces" if kind in ("force", "interaction", "damper") else "potentials"
    path = tmp_path / "model.toml"
    path.write_text(f'{HEAD}[{family}.bond]\nkind = "{kind}"\n{text}\n')
    system = vc.System("python")
    system.add(make(*[system.add(vc.RigidBody(*body)) for body in MASSES]))
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(4, 27))
    for place in (3, 10):
        rows[:, place : place + 4] /= np.linalg.norm(rows[:, place : place + 4], axis=1, keepdims=True)
    found = []
    for model in (model_for(vc.read_model(path).system), model_for(system)):
        tape = model.tape("motion")
        values = model.parameter_values(None)
        found.append(arrays.evaluate(tape, np.concatenate([rows, np.tile(values, (4, 1))], axis=1)))
    assert np.abs(found[0] - found[1]).max() < 1e-12 * np.abs(found[1]).max()
    assert np.abs(found[1][:, 14:]).max() > 1e-6


BAD = [
    ("potentials", 'kind = "sprung"', "kind = \"sprung\" is not a potential that a file can describe; did you mean 'spring'?"),
    ("potentials", 'kind = "spring"\na = "a"\nb = "b"\nstifness = 1', "the key 'stifness' is not known; did you mean 'stiffness'?"),
    ("potentials", 'kind = "spring"\na = "a"\nb = "c"\nstiffness = 1', "there is no body 'c'"),
    ("potentials", 'kind = "spring"\na = "a"\nb = "b"\nstiffness = "1 kg"', "kg is not a unit of it; give a value in N/m"),
    ("potentials", 'kind = "formula"\nbodies = ["a", "b"]\nenergy = "a.position - b.position"', "energy is one number"),
    ("potentials", 'kind = "formula"\nbodies = ["a", "b"]\nenergy = "a.position * b.position"', "mixes vectors and numbers in"),
    ("potentials", 'kind = "formula"\nbodies = ["a", "b"]\nenergy = "sin(a.position)"', "mixes vectors and numbers in"),
    ("potentials", 'kind = "formula"\nbodies = ["a", "b"]\nenergy = "a.velocity[0]"', "asks for 'a.velocity'"),
    ("potentials", 'kind = "formula"\nbodies = ["a", "b"]\nenergy = "a.__class__"', "asks for 'a.__class__'"),
    ("potentials", 'kind = "formula"\nbodies = ["a", "b"]\nenergy = "norm(a.position, 1)"', "calls norm with 2 arguments"),
    ("forces", 'kind = "force"\nbody = "a"\nforce = "velocity[0]"', "is one number, but three are needed"),
    ("forces", 'kind = "force"\nbody = "a"\nforce = ["velocity", 0, 0]', "is a vector, but one number is needed"),
    ("forces", 'kind = "force"\nbody = "a"\nforce = [1, 2]', "must be a formula of a vector, or a list of 3"),
    ("potentials", 'kind = "bushing"\na = "a"\nb = "b"\nstiffness = [1, 2]', "must be six diagonal entries or a 6×6 matrix"),
    ("potentials", 'kind = "spring"\na = "a"\nb = "b"\nstiffness = -1', "stiffness -1 N/m is not zero or positive"),
]  # fmt: skip


@pytest.mark.parametrize(("family", "text", "message"), BAD, ids=range(len(BAD)))
def test_a_bad_table_is_refused_with_its_place(family, text, message, tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(f"{HEAD}[{family}.bond]\n{text}\n")
    with pytest.raises(vc.errors.FileError) as error:
        vc.read_model(path)
    assert message in str(error.value) and f"[{family}.bond]" in str(error.value)
