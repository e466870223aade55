"""Groups of bodies and bonds over rows are the same system as bodies and bonds that are added one by one."""

import numpy as np
import pytest

import vinculum as vc
from crowds import pull, random_crowd, start_of_bodies, written_one_by_one
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType, tabled_in
from vinculum.models.written_out.type import WrittenOutType
from vinculum.systems import start_state


def close(found, expected):
    return np.abs(found - expected).max(initial=0.0) <= 1e-12 * max(np.abs(expected).max(initial=0.0), 1.0)


@pytest.mark.parametrize("seed", range(3))
def test_a_small_crowd_moves_as_the_same_bodies_added_one_by_one(seed):
    system, start = random_crowd(np.random.default_rng(seed), points=4, bodies=3, rows=4)
    other = written_one_by_one(system)
    assert isinstance(model_for(system).type, WrittenOutType) and isinstance(model_for(other).type, WrittenOutType)
    many = vc.simulate(system, 0.3, start, method="dop853", grid=7, progress=False)
    single = vc.simulate(other, 0.3, start_of_bodies(start), method="dop853", grid=7, progress=False)
    assert close(many.q, single.q) and close(many.v, single.v) and close(many.energy, single.energy)
    assert many.record.model.layout.to_dict() == single.record.model.layout.to_dict()


@pytest.mark.parametrize("seed", range(4))
def test_a_crowd_over_tables_has_the_rates_of_the_one_that_is_written_out(seed):
    system, start = random_crowd(np.random.default_rng(seed))
    other = written_one_by_one(system)
    tables, one_by_one, written = (
        TabledType.model_of(system.tree()),
        TabledType.model_of(other.tree()),
        WrittenOutType.model_of(other.tree()),
    )
    q, v = start_state(system.tree(), start)
    again = start_state(other.tree(), start_of_bodies(start))
    assert np.array_equal(q, again[0]) and np.array_equal(v, again[1])
    rows = np.concatenate([q, v, [0.3]])[None]
    for name in ("motion", "bonds", "balance", "bodies"):
        found, same, expected = (evaluate_groups(model.tape(name), rows) for model in (tables, one_by_one, written))
        for what in (w for w in found if w in expected and not w.endswith("_size")):
            assert close(found[what], expected[what]), what
            assert close(found[what], same[what]), what


def test_motions_over_tables_and_written_out_agree(monkeypatch):
    system, start = random_crowd(np.random.default_rng(8), points=5, bodies=3, rows=4)
    other = written_one_by_one(system)
    single = vc.simulate(other, 0.3, start_of_bodies(start), method="dop853", tolerance=1e-14, grid=7, progress=False)
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    many = vc.simulate(system, 0.3, start, method="dop853", tolerance=1e-14, grid=7, progress=False)
    assert isinstance(many.record.model.type, TabledType) and isinstance(single.record.model.type, WrittenOutType)
    assert close(many.q, single.q) and close(many.v, single.v)
    for bond in ("rope 2", "strut 1", "pull 3", "dashpot 0", "friction 2", "drag 4", "hook 1"):
        assert close(many.bond(bond).force, single.bond(bond).force), bond


def test_rows_whose_bodies_are_of_two_kinds_make_two_tables():
    system = vc.System("mixed")
    dots = system.add_many(vc.MassPoint("dot", 1.0), 3)
    stones = system.add_many(vc.RigidBody("stone", 2.0, inertia=(1, 1, 1)), 2)
    every = dots + stones
    over = np.array([(0, 1), (1, 3), (3, 4), (4, 0), (1, 2)])
    system.add(vc.Bonds(vc.Potential("pull", [every, every], pull), over=over, numbers={"k": 1.0 + np.arange(5)}))
    tree, rng = system.tree(), np.random.default_rng(3)
    tables, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    assert sorted(len(table) for table in tabled_in(tables).bonds) == [1, 1, 1, 2]
    rows = rng.normal(size=(2, tables.nq + tables.nv + 1))
    found, expected = (evaluate_groups(model.tape("motion"), rows) for model in (tables, written))
    assert all(close(found[name], expected[name]) for name in expected)


def test_numbers_that_a_bond_changes_are_those_of_its_rows():
    """Columns of a bond whose description holds other numbers than it was given: every row is described."""
    system = vc.System("dipoles")
    stones = system.add_many(vc.RigidBody("stone", 2.0, inertia=(1, 1, 1)), 4)
    over = np.array([(0, 1), (1, 2), (2, 3)])
    bond = vc.potentials.MagneticDipoles("dipole", stones, stones, moments=((1, 0, 0), (0, 1, 0)), constant=1.0)
    moments = np.random.default_rng(1).normal(size=(3, 2, 3))
    system.add(vc.Bonds(bond, over=over, numbers={"moments": moments, "at": 0.1 * moments[:, 0]}))
    tree = system.tree()
    tables, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    rows = np.random.default_rng(2).normal(size=(2, tables.nq + tables.nv + 1))
    found, expected = (evaluate_groups(model.tape("motion"), rows) for model in (tables, written))
    assert all(close(found[name], expected[name]) for name in expected)


def test_a_law_that_looks_at_its_bodies_has_a_table_for_each_row():
    system = vc.System("named")
    dots = system.add_many(vc.MassPoint("dot", 1.0), 4)
    energy = lambda a, b: (2.0 if a.name == "dot 1" else 1.0) * vc.math.dot(a.position - b.position, a.position)
    system.add(vc.Bonds(vc.Potential("pull", [dots, dots], energy), over=[(0, 1), (1, 2), (2, 3)]))
    tree = system.tree()
    tables, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    assert [len(table) for table in tabled_in(tables).bonds] == [1, 1, 1]
    rows = np.random.default_rng(2).normal(size=(2, 25))
    found, expected = (evaluate_groups(model.tape("motion"), rows)["v_dot"] for model in (tables, written))
    assert close(found, expected)
