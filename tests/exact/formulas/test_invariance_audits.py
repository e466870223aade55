"""Energies, joints and efforts under superposed rigid motions: what breaks invariance is known in every case."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import vinculum as vc
from vinculum.audits.invariance.report import InvarianceLine
from vinculum.cli.app import app

m = vc.math
ANY, ABOUT = "translation in any direction", "rotation about any axis"
CENTER = np.array([1.0, -2.0, 0.5])


def scene(gravity=(0, 0, 0)) -> tuple[vc.System, dict]:
    """Two rigid bodies and four mass points, nothing between them."""
    system = vc.System("scene", gravity=gravity)
    bodies = {name: system.add(vc.RigidBody(name, 1.5, (0.1, -0.2, 0.3), (0.2, 0.3, 0.4))) for name in "ab"}
    bodies |= {name: system.add(vc.MassPoint(name, 0.7)) for name in "pqrs"}
    return system, bodies


def potential_line(ends: str, energy) -> InvarianceLine:
    """The line of one potential between the bodies with these letters; g is the ground."""
    system, bodies = scene()
    system.add(vc.Potential("U", [bodies.get(name, "ground") for name in ends], energy))
    return vc.audit_invariance(system)["U"]


def relative(p, q):
    return p.position - q.position


def chiral(p, q, r, s):
    """The triple product of three relative positions: odd under reflection, but invariant."""
    return 2.0 * m.dot(m.cross(relative(p, s), relative(q, s)), relative(r, s))


k = vc.parameter("k", 3.0)
BROKEN = {
    "weight": ("p", lambda p: 9.81 * p.position[2], ("translation along z", "rotation about x and y"), ("z through (0, 0, 0)",)),
    "slope": ("p", lambda p: p.position[0] + p.position[1], ("translation along (0.7071, 0.7071, 0)", None), None),
    "wall": ("p", lambda p: k * p.position[0] ** 2, ("translation along x", "rotation about y and z"), ("x through (0, 0, 0)",)),
    "channel": ("p", lambda p: (p.position[0] - 1) ** 2 + (p.position[1] - 2) ** 2,
                ("translation along x and y", "rotation about x and y"), ("z through (1, 2, 0)",)),
    "central": ("p", lambda p: m.norm(p.position - CENTER) ** 3, (ANY,), None),
    "saddle": ("p", lambda p: p.position[0] ** 2 + 2 * p.position[1] ** 2 - p.position[2] ** 2, (ANY, ABOUT), ()),
    "two weights": ("pq", lambda p, q: p.position[2] + 3 * q.position[2], ("translation along z", "rotation about x and y"), None),
    "distance and weight": ("pq", lambda p, q: m.norm(relative(p, q)) + p.position[1], ("translation along y", None), None),
    "compass": ("a", lambda a: -a.rotation[0, 0], ("rotation about y and z",), ("x",)),
    "attitude": ("a", lambda a: np.trace(a.rotation), (ABOUT,), ()),
    "upright": ("a", lambda a: k * a.rotation[2, 2] ** 2, ("rotation about x and y",), ("z",)),
    "anisotropic spring": ("pq", lambda p, q: relative(p, q)[0] ** 2, ("rotation about y and z",), ("x",)),
    "squashed spring": ("pq", lambda p, q: relative(p, q) @ np.diag([1.0, 2.0, 3.0]) @ relative(p, q), (ABOUT,), ()),
    "gap along x": ("ab", lambda a, b: m.exp(relative(a, b)[0]), ("rotation about y and z",), ("x",)),
    "ground half used": ("pg", lambda p, g: 9.81 * relative(p, g)[2], ("rotation about x and y",), ("z",)),
    "ground's place unused": ("pg", lambda p, g: m.dot(g.rotation[:, 2], p.position), (ANY,), None),
    "helix": ("p", lambda p: m.sin(3 * p.position[2] - m.atan2(p.position[1], p.position[0])), (ANY, "rotation about x and y"),
              ("z through (0, 0, 0) with pitch 0.3333 m",)),
    "shaken spring": ("pq", lambda p, q, t: m.norm(relative(p, q) * (1 + 0.2 * m.sin(3 * t))) ** 2, ("time",), ()),
    "stiffening": ("ab", lambda a, b, t: t * np.trace(a.rotation.T @ b.rotation), ("time",), ()),
    "clock alone": ("p", lambda p, t: m.cos(t), ("time",), ()),
    "moving wall": ("p", lambda p, t: (p.position[0] - m.sin(t)) ** 2, ("translation along x", "rotation about y and z", "time"), None),
    "swinging compass": ("a", lambda a, t: m.cos(t) * a.rotation[2, 2], ("rotation about x and y", "time"), ("z",)),
    "moving center": ("p", lambda p, t: m.norm(p.position - t * CENTER),
                      (ANY, None, "time"), ("(0.4364, -0.8729, 0.2182) through (0, 0, 0)",)),
    "stepped ramp": ("p", lambda p: m.where(p.position[1] > 0.0, p.position[1], 0.0),
                     ("translation along y", "rotation about x and z"), None),
}  # fmt: skip
INVARIANT = {
    "spring": ("ab", lambda a, b: 0.5 * k * (m.norm(a.point((1, 0.3, 0)) - b.point((0, 0.7, 1))) - 0.4) ** 2),
    "torsion": ("ab", lambda a, b: m.acos(0.5 * (np.trace(a.rotation.T @ b.rotation) - 1.0)) ** 2),
    "attraction": ("pq", lambda p, q: -k / m.norm(relative(p, q))),
    "second moments": ("ap", lambda a, p: m.dot(a.rotation.T @ relative(p, a), np.diag([1.0, 2.0, 3.0]) @ a.rotation.T @ relative(p, a))
                       / m.norm(relative(p, a)) ** 5),
    "chiral": ("pqrs", chiral),
    "bond angle": ("pqr", lambda p, q, r: m.acos(m.dot(relative(p, q), relative(r, q)) / m.norm(relative(p, q)) / m.norm(relative(r, q)))),
    "cut off": ("pq", lambda p, q: m.where(m.norm(relative(p, q)) < 1.0, m.exp(-m.norm(relative(p, q))), 0.0)),
    "nearest wins": ("pqr", lambda p, q, r: m.minimum(m.norm(relative(p, q)), m.norm(relative(p, r)))),
    "weight with the earth": ("pg", lambda p, g: 9.81 * m.dot(g.rotation[:, 2], relative(p, g))),
    "known only for rotations": ("a", lambda a:
                                 a.rotation[0] @ a.rotation[0] + m.sin(m.dot(m.cross(a.rotation[0], a.rotation[1]), a.rotation[2]))),
    "constant": ("p", lambda p: 4.0),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_an_energy_that_is_not_invariant_is_caught_with_what_breaks_it(name):
    ends, energy, broken, kept = BROKEN[name]
    line = potential_line(ends, energy)
    assert line.verdict == "not invariant"
    assert line.exact == "no"
    assert line.change > 1e-3
    for i, expected in enumerate(broken):
        assert expected is None or line.broken[i] == expected
    assert len(line.broken) == len(broken)
    assert kept is None or line.kept == kept
    assert ("PrescribedBody" in line.meaning) == ("time" in broken)
    if any(one is not None and not one.startswith("time") for one in broken):
        assert "ground" in line.meaning


@pytest.mark.parametrize("name", INVARIANT)
def test_an_invariant_energy_is_shown_to_be_so_and_obeys_the_third_law(name):
    line = potential_line(*INVARIANT[name])
    assert (line.verdict, line.exact, line.broken) == ("invariant", "yes", ())
    assert line.change < 1e-12
    assert line.residual < 1e-12


def test_translation_is_what_a_fixed_center_breaks_and_rotation_about_it_is_kept():
    line = potential_line("p", BROKEN["central"][1])
    assert line.broken == (ANY,)
    assert len(line.kept) == 3
    assert all("with pitch" not in axis for axis in line.kept)


def test_uniform_gravity_leaves_a_residual_equal_to_the_weight():
    system = vc.System("stone", gravity=(0, 0, -9.81))
    system.add(vc.RigidBody("stone", 2.5, (0.1, 0, 0), (1, 1, 1)))
    line = vc.audit_invariance(system)["gravity"]
    assert line.verdict == "not invariant"
    assert line.force == pytest.approx(2.5 * 9.81, rel=1e-12)
    assert line.broken == ("translation along z", "rotation about x and y")
    assert "24.525 N" in line.meaning


def test_an_energy_with_steps_is_a_contradiction_and_said_loudly():
    line = potential_line("p", lambda p: m.floor(p.position[0]) + 0.3)
    assert line.verdict == "contradiction"
    assert "CONTRADICTION" in line.meaning
    assert "steps" in line.meaning


def test_a_part_that_no_sample_reaches_is_left_undecided():
    for energy in (lambda p: m.where(p.position[2] < -1e6, p.position[2] ** 2, 0.0),
                   lambda p, t: m.exp(-(((t - 50.0) / 0.01) ** 2))):  # fmt: skip
        line = potential_line("p", energy)
        assert (line.verdict, line.exact) == ("undecided", "open")
        assert "could not show" in line.meaning


def interaction_line(wrench, ends="ab") -> InvarianceLine:
    system, bodies = scene()
    system.add(vc.Interaction("F", *(bodies.get(name, "ground") for name in ends), wrench))
    return vc.audit_invariance(system)["F"]


def seen_velocity(a, b):
    return a.velocity - b.velocity - m.cross(b.angular_velocity, a.position - b.position)


@pytest.mark.parametrize(
    ("wrench", "broken"),
    [
        (lambda a, b: vc.Wrench(force=-0.1 * seen_velocity(a, b)), ()),
        (lambda a, b: vc.Wrench(moment=a.angular_velocity - b.angular_velocity), ()),
        (lambda a, b: vc.Wrench(force=b.rotation @ (1.0, 2.0, 0.0), at=(0.1, 0.0, 0.3)), ()),
        (lambda a, b: vc.Wrench(force=-0.1 * (a.velocity - b.velocity)), ("a superposed velocity of the whole system",)),
        (lambda a, b: vc.Wrench(force=(1.0, 0.0, 0.0)), ("rotation",)),
        (lambda a, b: vc.Wrench(force=a.position), ("translation",)),
        (lambda a, b, t: vc.Wrench(force=m.sin(t) * (a.position - b.position)), ("time",)),
    ],
)  # fmt: skip
def test_an_interaction_must_turn_with_its_bodies_and_see_relative_velocities(wrench, broken):
    line = interaction_line(wrench)
    assert line.broken == broken
    assert line.verdict == ("not invariant" if broken else "invariant")
    assert line.residual < 1e-12


def test_the_ground_moves_along_where_an_interaction_names_it():
    assert interaction_line(lambda a, b: vc.Wrench(force=-a.velocity), "ag").verdict == "not invariant"
    assert interaction_line(lambda a, b: vc.Wrench(force=-seen_velocity(a, b)), "ag").verdict == "invariant"


def test_a_force_from_outside_is_external_and_its_residual_is_the_force():
    system, bodies = scene()
    system.add(vc.Force("thrust", bodies["a"], vc.Wrench(force=(3.0, 4.0, 0.0))))
    report = vc.audit_invariance(system)
    assert report["thrust"].verdict == "external"
    assert report["thrust"].force == pytest.approx(5.0)
    assert report.passed


def test_every_joint_is_invariant_and_the_third_law_holds_for_its_reactions():
    system, bodies = scene()
    a, b = bodies["a"], bodies["b"]
    system.add(vc.Spherical("ball", "ground", a, at=(0.1, 0.2, 0.3), damping=0.1))
    system.add(vc.Helical("screw", a, b, axis=(1, 2, 0.3), pitch=0.2, drive=lambda t: m.sin(t)))
    system.add(vc.Revolute("closing", "ground", b, axis=(0.2, 1, 0), at=(1, 0, 0)))
    system.add(vc.Prismatic("slide", b, bodies["p"], axis=(1, 1, 1)))
    report = vc.audit_invariance(system)
    assert [line.verdict for line in report] == ["invariant"] * 4
    assert [line.exact for line in report] == ["yes"] * 4
    assert max(line.residual for line in report) < 1e-12
    assert "between 'a' and 'b'" in report["screw"].meaning


def test_pairs_of_many_bodies_are_decided_by_one_pair_with_open_numbers():
    system = vc.System("cloud")
    points = [system.add(vc.MassPoint(f"p{i}", 1.0 + i)) for i in range(40)]
    charge = np.linspace(-1.0, 2.0, 40)
    system.add(
        vc.potentials.PairPotential(
            "charges", points, lambda a, b: a.charge * b.charge / m.norm(relative(a, b)), {"charge": charge}
        )
    )
    system.add(
        vc.potentials.PairPotential("weights", points, lambda a, b: a.mass * b.mass * (a.position[2] + b.position[2]))
    )
    report = vc.audit_invariance(system)
    assert (report["charges"].verdict, report["charges"].exact) == ("invariant", "yes")
    assert report["weights"].broken == ("translation along z", "rotation about x and y")


def test_parameters_take_the_values_that_are_given():
    system, bodies = scene(gravity=(0, 0, -vc.parameter("g", 9.81)))
    eps = vc.parameter("eps", 0.0)
    system.add(vc.Potential("U", [bodies["p"], bodies["q"]], lambda p, q: m.norm(relative(p, q)) + eps * p.position[0]))
    assert vc.audit_invariance(system)["U"].verdict == "undecided"
    assert vc.audit_invariance(system, {"eps": 0.5})["U"].broken[0] == "translation along x"
    assert vc.audit_invariance(system, {"g": 2.0})["gravity"].force == pytest.approx(2.0 * (2 * 1.5 + 4 * 0.7))
    with pytest.raises(vc.errors.StartError, match=r"no parameter 'epz'.*eps"):
        vc.audit_invariance(system, {"epz": 1.0})


def test_the_report_reads_as_a_table_and_as_data():
    system, bodies = scene(gravity=(0, 0, -9.81))
    system.add(vc.Potential("spring", [bodies["p"], bodies["q"]], lambda p, q: m.norm(relative(p, q)) ** 2))
    system.add(vc.Potential("steps", [bodies["p"]], lambda p: m.floor(p.position[0])))
    report = vc.audit_invariance(system)
    text = str(report)
    assert text.splitlines()[0] == "Invariance of 'scene': 1 of 3 bonds are properly invariant"
    assert "CONTRADICTION" in text
    assert not report.passed
    assert json.loads(json.dumps(report.to_dict()))["lines"][0]["verdict"] == "invariant"
    assert len(report) == 3
    with pytest.raises(vc.errors.ModelError, match="no line for 'sprin'"):
        report["sprin"]
    assert "there are none" in str(vc.audit_invariance(scene()[0]))


MODEL = """
[system]
name = "pendulum"
gravity = [0, 0, {g}]
[bodies.bob]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[joints.hinge]
kind = "revolute"
parent = "ground"
child = "bob"
axis = [0, 1, 0]
"""


def test_the_command_line_audits_the_invariance_of_a_model(tmp_path):
    for g, code in ((0.0, 0), (-9.81, 1)):
        path = tmp_path / f"model{code}.toml"
        path.write_text(MODEL.format(g=g))
        done = CliRunner().invoke(app, ["audit", "--invariance", str(path)])
        assert done.exit_code == code, done.output
        assert "hinge" in done.output
        told = json.loads(CliRunner().invoke(app, ["audit", "--invariance", str(path), "--json"]).stdout)
        assert told["invariance"]["passed"] == (code == 0)
    done = CliRunner().invoke(app, ["audit", "--invariance", str(tmp_path)])
    assert done.exit_code == 2
    assert "model file" in done.output


SMOOTH = {
    "sin": m.sin, "tanh": m.tanh, "exp": lambda x: m.exp(-x), "log1p": lambda x: m.log1p(x * x), "erf": m.erf, "atan": m.atan,
    "abs": lambda x: abs(x - 0.4), "pow": lambda x: m.pow(1.0 + x * x, 1.7), "hypot": lambda x: m.hypot(x, 0.5),
    "clip": lambda x: m.clip(x, -0.3, 2.0), "where": lambda x: m.where(x < 0.7, x * x, 1.4 * x - 0.49),
    "copysign": lambda x: m.copysign(x * x, x), "atan2": lambda x: m.atan2(x, 1.0 + x * x), "fmod": lambda x: m.fmod(x, 50.0),
    "table": vc.Table("stiff", [-2.0, 0.0, 0.5, 1.0, 3.0], [4.0, 0.0, 0.3, 1.0, 7.0], outside="extend"),
}  # fmt: skip
STEPPED = {"floor": m.floor, "ceil": m.ceil, "sign": m.sign, "jump": lambda x: m.where(x > 0.5, 1.0, 0.0)}


@pytest.mark.parametrize("name", SMOOTH | STEPPED)
def test_every_function_of_a_distance_is_invariant_and_can_be_reduced(name):
    function = (SMOOTH | STEPPED)[name]
    line = potential_line("pq", lambda p, q: function(m.norm(relative(p, q))) + 2.0)
    assert (line.verdict, line.exact) == ("invariant", "yes")
    points = [vc.MassPoint(letter, 1.0) for letter in "pq"]
    reduced = vc.potentials.reduce_invariant(vc.Potential("U", points, lambda p, q: function(m.norm(relative(p, q)))))
    expected = [float(function(np.float64(r))) for r in (0.3, 1.7)]
    assert reduced.energy([[[0.09]], [[2.89]]]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", SMOOTH)
def test_every_function_of_a_height_is_caught(name):
    line = potential_line("p", lambda p: SMOOTH[name](p.position[2]))
    assert line.broken == ("translation along z", "rotation about x and y")


@pytest.mark.parametrize("name", STEPPED)
def test_every_step_at_a_height_is_a_contradiction(name):
    assert potential_line("p", lambda p: STEPPED[name](p.position[2]) + 0.1).verdict == "contradiction"
