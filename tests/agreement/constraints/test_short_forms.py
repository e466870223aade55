"""Laws and realizations by a number or a word: the same in Python and in model files as the objects they stand for."""

import pytest

import vinculum as vc

POINT = """
[bodies.ball]
kind = "point"
mass = 1.0
"""


def read(tmp_path, text):
    path = tmp_path / "model.toml"
    path.write_text(POINT + text, encoding="utf-8")
    return vc.read_model(path).system


@pytest.mark.parametrize(
    ("short", "law"),
    [
        (0.8, vc.Newton(0.8)),
        (1, vc.Newton(1.0)),
        (0, vc.Newton(0.0)),
        ("inelastic", vc.Inelastic()),
        ("elastic", vc.Elastic()),
    ],
)
def test_a_number_is_newtons_law_and_a_word_is_its_impact_law(short, law, tmp_path):
    gap = vc.Unilateral("floor", ["ball"], gap=lambda b: b.position[2], impact=short)
    free_bodies = vc.Contact("free bodies", ["ball"], impact=short)
    written = f'"{short}"' if isinstance(short, str) else short
    file = read(tmp_path, f'[unilaterals.floor]\nbodies = ["ball"]\ngap = "ball.position[2]"\nimpact = {written}\n')
    assert gap.impact == free_bodies.impact == file.tree().unilaterals[0].unilateral.impact == law


@pytest.mark.parametrize("mu", [0.3, 1, 0])
def test_a_number_is_coulombs_friction(mu, tmp_path):
    rough = {"impact": 0.5, "friction": mu}
    gap = vc.Unilateral("floor", ["ball"], gap=lambda b: b.position[2], point=lambda b: b.position, **rough)
    text = (
        '[unilaterals.floor]\nbodies = ["ball"]\ngap = "ball.position[2]"\npoint = "ball.position"\n'
        f"impact = 0.5\nfriction = {mu}\n"
    )
    file = read(tmp_path, text).tree().unilaterals[0].unilateral
    for friction in (gap.friction, vc.Contact("free bodies", ["ball"], **rough).friction, file.friction):
        assert type(friction) is vc.Coulomb and friction.mu == mu and friction.along is None


@pytest.mark.parametrize(("word", "kind"), [("dalembert", vc.DAlembert), ("chetaev", vc.Chetaev)])
def test_a_word_is_its_realization(word, kind, tmp_path):
    held = vc.Constraint("c", ["ball"], velocity=lambda b: b.velocity[0], realization=word)
    ready = vc.constraints.knife_edge("edge", "ball", realization=word)
    rolling = vc.constraints.Rolling.sphere("r", "ball", 0.1, realization=word)
    plane = vc.LagrangianSystem(
        "plane", ["x", "y"], lambda v: vc.math.dot(v, v), constraints={"c": (lambda v: v[0], word)}
    )
    file = read(
        tmp_path, f'[constraints.c]\nbodies = ["ball"]\nvelocity = "ball.velocity[0]"\nrealization = "{word}"\n'
    )
    found = [held.realization, ready.realization, rolling.realization, rolling.contact, plane.constraints["c"][1]]
    found.append(file.tree().constraints[0].constraint.realization)
    found.append(file.with_realization("c", word).tree().constraints[0].constraint.realization)
    assert {type(one) for one in found} == {kind}


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("dalambert", r"did you mean 'dalembert'\?.*'dalembert', 'chetaev', vc\.DAlembert\(\)"),
        ("penalty", r"'penalty' needs more than its name; give vc\.Penalty\(κ\)"),
        ("vakonomic", r"give vc\.Vakonomic\(multipliers=…\)"),
        ("viscous_friction", r"give vc\.constraints\.ViscousFriction\(κ\)"),
        (3.0, r"realization is 3\.0; choose a realization"),
    ],
)
def test_what_is_no_realization_names_the_choices(word, told):
    with pytest.raises(vc.errors.ModelError, match=told):
        vc.Constraint("c", ["ball"], velocity=lambda b: b.velocity[0], realization=word)


def test_realizations_are_compared_by_their_words():
    system = vc.System("slope", gravity=(0, 0, -9.81))
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Constraint("c", [ball], velocity=lambda b: b.velocity[0], realization="dalembert"))
    compared = vc.constraints.compare_realizations(system, "c", ["dalembert", "chetaev"], 0.1, progress=False)
    assert compared.labels == ("d'Alembert", "Chetaev")
