"""Blocks and bonds over tables give what the same system gives when it is written out."""

import numpy as np
import pytest

import vinculum as vc
from actions import add_random_actions
from pair_loops import gravitation, points
from trees import random_forest, random_state
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.rates import make_tables, table_rates
from vinculum.models.tabled.type import TabledType, tabled_in
from vinculum.models.written_out.type import WrittenOutType


def both_models(seed: int, **options):
    """A random forest with actions, as tables and written out, and random rows (q, v, t)."""
    rng = np.random.default_rng(seed)
    system = random_forest(rng, driven=bool(seed % 2), **options)
    add_random_actions(system, rng, 9)
    for i, body in enumerate(system.bodies.values()):
        if body.turns:
            system.add(
                vc.Spring(
                    f"spring {i}", body, "ground", stiffness=1.0 + i, rest_length=0.1, at=(0.1, 0, 0.2), damping=0.2
                )
            )
    tree = system.tree()
    rows = [np.concatenate([*random_state(tree, rng), [rng.uniform(0.1, 2.0)]]) for _ in range(3)]
    return TabledType.model_of(tree), WrittenOutType.model_of(tree), np.array(rows)


def close(found, expected, scale: float = 1.0):
    return np.abs(found - expected).max(initial=0.0) <= 1e-12 * max(scale, np.abs(expected).max(initial=0.0), 1.0)


@pytest.mark.parametrize("seed", range(6))
def test_rates_of_tables_are_those_of_the_written_out_system(seed):
    tabled, written, rows = both_models(seed)
    found, expected = (evaluate_groups(model.tape("motion"), rows) for model in (tabled, written))
    for name in expected:
        assert close(found[name], expected[name])
    tables, kept = make_tables(tabled_in(tabled), np.zeros(0))
    out, n = np.empty(rows.shape[1] - 1), rows.shape[1] - 1
    for row, q_dot, v_dot in zip(rows, found["q_dot"], found["v_dot"], strict=True):
        table_rates(tables, row[:n], row[n], out)
        assert close(out, np.concatenate([q_dot, v_dot]))
    assert kept


@pytest.mark.parametrize("tape", ["rates", "bodies", "reactions", "bonds", "balance"])
@pytest.mark.parametrize("seed", [1, 2])
def test_everything_else_that_tables_tell_is_the_same(tape, seed):
    tabled, written, rows = both_models(seed)
    found, expected = (evaluate_groups(model.tape(tape), rows) for model in (tabled, written))
    compared = [name for name in found if name in expected]
    assert len(compared) >= 4
    for name in compared:
        if name in ("defects", "wrench_size", "work_size", "potential_size", "drive_power_size"):
            continue  # another order, and sums of other terms
        scale = np.abs(expected["wrench"]).max() if tape == "balance" else 1.0
        assert found[name].shape == expected[name].shape
        assert close(found[name], expected[name], scale), name


def test_blocks_that_differ_in_numbers_alone_are_one_kind():
    system = vc.System("pendulums", gravity=(0, 0, -9.81))
    for i in range(12):
        bob = system.add(vc.RigidBody(f"bob {i}", mass=1.0 + i, com=(0, 0, -0.1 * (i + 1)), inertia=(0.1, 0.1, 0.02)))
        system.add(vc.Revolute(f"hinge {i}", "ground", bob, axis=(0, 1, 0), at=(0.2 * i, 0, 0)))
        system.add(vc.Potential(f"field {i}", [bob], lambda b, k=0.1 * i: k * b.center[2] ** 2))
    tabled = tabled_in(TabledType.model_of(system.tree()))
    assert [len(kind) for kind in tabled.kinds] == [12]
    assert sorted(len(bond) for bond in tabled.bonds) == [12]


@pytest.mark.parametrize("joint", [vc.Revolute, vc.Prismatic, vc.Cylindrical, vc.Helical, vc.Universal])
def test_blocks_of_one_kind_may_have_any_axes(joint):
    system, rng = vc.System("arms", gravity=(1, 2, -9.81)), np.random.default_rng(3)
    pitch = {"pitch": 0.1} if joint is vc.Helical else {}
    for i in range(4):
        axes = rng.normal(size=(2, 3))
        across = {"axes": axes} if joint is vc.Universal else {"axis": axes[0]}
        upper = system.add(vc.RigidBody(f"upper {i}", 1.0, (0.1, 0, 0.2), (0.1, 0.2, 0.25)))
        lower = system.add(vc.RigidBody(f"lower {i}", 1.0, (0.1, 0, 0.2), (0.1, 0.2, 0.25)))
        system.add(joint(f"shoulder {i}", "ground", upper, at=(i, 0, 0), **across, **pitch))
        system.add(vc.Revolute(f"elbow {i}", upper, lower, axis=axes[1], at=(0, 0, 0.3)))
    tree = system.tree()
    tabled, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    assert [len(kind) for kind in tabled_in(tabled).kinds] == [4]
    rows = np.concatenate([*random_state(tree, rng), [0.0]])[None]
    for tape in ("motion", "bodies", "balance"):
        found, expected = (evaluate_groups(model.tape(tape), rows) for model in (tabled, written))
        for name in set(found) & set(expected):
            assert close(found[name], expected[name]) or name.endswith("size"), name


def test_functions_with_other_code_are_other_bonds():
    system = vc.System("fields")
    points = [system.add(vc.MassPoint(f"p{i}", 1.0)) for i in range(4)]
    for i, point in enumerate(points):
        if i % 2:
            system.add(vc.Potential(f"field {i}", [point], lambda p: p.position[0] ** 2))
        else:
            system.add(vc.Potential(f"field {i}", [point], lambda p: p.position[1] ** 2))
    tabled = tabled_in(TabledType.model_of(system.tree()))
    assert sorted(len(bond) for bond in tabled.bonds) == [2, 2]


def test_a_law_that_looks_at_its_bodies_has_a_table_of_its_own():
    system = vc.System("attraction")
    boxes = [
        system.add(vc.RigidBody.solid(f"box {i}", vc.shapes.Box((0.1 + 0.1 * i, 0.2, 0.3)), density=1000.0))
        for i in range(3)
    ]
    for i in range(2):
        system.add(vc.potentials.Gravitation(f"pull {i}", [boxes[i], boxes[i + 1]], G=1e-3, accuracy=1e-6, nearest=1.5))
    tree = system.tree()
    tabled, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    rng = np.random.default_rng(1)
    rows = np.concatenate([*random_state(tree, rng), [0.0]])[None]
    rows[:, [0, 7, 14]] += np.array([0.0, 2.0, 4.0])
    found, expected = (evaluate_groups(model.tape("motion"), rows)["v_dot"] for model in (tabled, written))
    assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()


def test_a_function_that_looks_at_names_has_a_table_for_each_body():
    system = vc.System("named")
    points = [system.add(vc.MassPoint(f"p{i}", 1.0)) for i in range(3)]
    for i, point in enumerate(points):
        system.add(vc.Potential(f"field {i}", [point], _by_name))
    tree = system.tree()
    tabled, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    assert [len(bond) for bond in tabled_in(tabled).bonds] == [1, 1, 1]
    rows = np.random.default_rng(1).normal(size=(2, 19))
    found, expected = (evaluate_groups(model.tape("motion"), rows)["v_dot"] for model in (tabled, written))
    assert np.abs(found - expected).max() <= 1e-14


def _by_name(point):
    return (2.0 if point.name == "p1" else 1.0) * vc.math.dot(point.position, point.position)


def pulled(x, masses):
    """Accelerations of points by softened gravitation, written by hand."""
    d = x[:, None] - x[None]
    return -(masses[None, :, None] * d / (np.einsum("ijk,ijk->ij", d, d) + 0.01)[:, :, None] ** 1.5).sum(axis=1)


@pytest.mark.parametrize("held", [False, True])
def test_very_many_pairs_of_points_of_which_one_is_on_a_rail(held):
    system, count = vc.System("points"), 150
    every = points(system, count)
    if held:
        system.add(vc.Prismatic("rail", "ground", every[3], axis=(1, 0, 0)))
    for i in range(count):
        system.add(vc.Force(f"wind {i}", every[i], lambda p, k=0.1 * i: vc.Wrench(force=(k, 0, 0))))
    system.add(vc.potentials.PairPotential("pairs", every, gravitation))
    for i in range(1900):
        system.add(vc.Force(f"breeze {i}", every[i % count], vc.Wrench(force=(0, 0.01, 0))))
    model = model_for(system)
    assert isinstance(model.type, TabledType)
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(1, model.nq + model.nv + 1))
    x = evaluate_groups(model.tape("bodies"), rows)
    masses = np.array([float(point.mass) for point in every])
    positions = np.array([x[f"p{i}/position"][0] for i in range(count)])
    blown = np.stack(
        [0.1 * np.arange(count), 0.01 * np.array([len(range(i, 1900, count)) for i in range(count)]), 0.0 * masses],
        axis=1,
    )
    expected = pulled(positions, masses) + blown / masses[:, None]
    found = evaluate_groups(model.tape("motion"), rows)["v_dot"][0]
    for i in range(count):
        first, last = model.layout.joints["rail" if held and i == 3 else f"p{i}"].v
        assert np.allclose(found[first:last], expected[i, : last - first], rtol=1e-11, atol=1e-11)


def test_pairs_with_the_ground_are_rows_too():
    system = vc.System("points")
    every = points(system, 40)
    system.add(
        vc.potentials.PairPotential(
            "pairs", [*every, "ground"], lambda a, b: vc.math.dot(a.position - b.position, a.position - b.position)
        )
    )
    model = TabledType.model_of(system.tree())
    rows = np.random.default_rng(2).normal(size=(1, 241))
    x, masses = rows[0, :120].reshape(40, 3), np.array([float(point.mass) for point in every])
    expected = -2.0 * (40 * x - (x.sum(axis=0) - x)) / masses[:, None]
    found = evaluate_groups(model.tape("motion"), rows)["v_dot"][0].reshape(40, 3)
    assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)
    effort = evaluate_groups(model.tape("bonds"), rows)["pairs/efforts"][0].reshape(41, 6)
    assert np.allclose(effort[:, :3].sum(axis=0), 0.0, atol=1e-10)
    assert np.allclose(effort[40, :3], 2.0 * x.sum(axis=0))
