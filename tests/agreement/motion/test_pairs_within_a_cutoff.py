"""Pairs within a cutoff: the same energies and forces written out, over lists of neighbors, and by sums over all pairs."""

from fractions import Fraction

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.evaluate import evaluate_groups
from vinculum.integrators.tabled import field
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.rates import make_tables, table_rates
from vinculum.models.tabled.type import TabledType, tabled_in
from vinculum.models.written_out.type import WrittenOutType


def attraction(a, b):
    d = a.position - b.position
    return -a.charge * b.charge / vc.math.sqrt(0.1 + vc.math.dot(d, d))


def charged(count: int, rng) -> vc.System:
    system = vc.System("charged")
    dots = system.add_many(vc.MassPoint("dot", 1.3), count)
    charges = rng.uniform(0.5, 1.5, count)
    bond = vc.Potential("pull", [dots, dots], attraction)
    system.add(vc.Bonds(bond, cutoff=1.2, fade=0.8, numbers={"charge": charges}))
    return system


def close(found, expected, tolerance=1e-12):
    return np.abs(found - expected).max(initial=0.0) <= tolerance * max(np.abs(expected).max(initial=0.0), 1.0)


@pytest.mark.parametrize("seed", range(3))
def test_neighbors_give_what_all_pairs_give_written_out(seed):
    rng = np.random.default_rng(seed)
    tree = charged(9, rng).tree()
    tables, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    rows = np.concatenate([rng.uniform(-1.2, 1.2, size=(4, 27)), rng.normal(size=(4, 28))], axis=1)
    for name in ("motion", "bonds", "balance"):
        found, expected = (evaluate_groups(model.tape(name), rows) for model in (tables, written))
        for what in (w for w in found if w in expected and not w.endswith("_size")):
            assert close(found[what], expected[what]), what
    compiled, kept = make_tables(tabled_in(tables), np.zeros(0))
    out, expected = np.empty(54), evaluate_groups(written.tape("motion"), rows)
    for row, q_dot, v_dot in zip(rows, expected["q_dot"], expected["v_dot"], strict=True):
        table_rates(compiled, row[:54], row[54], out)
        assert close(out, np.concatenate([q_dot, v_dot]))
    assert kept


def test_an_energy_fades_out_to_round_off():
    """S by rational numbers: near the start of the fade the polynomial's terms are 3500 times larger than their sum."""
    system = vc.System("two")
    dots = system.add_many(vc.MassPoint("dot", 1.0), 2)
    system.add(
        vc.Bonds(vc.Potential("pull", [dots, dots], lambda a, b: 1.0 + 0.0 * a.position[0]), cutoff=2.0, fade=1.0)
    )
    distances = np.linspace(1.0, 2.0, 200)[:-1]
    rows = np.zeros((len(distances), 13))
    rows[:, 3] = distances
    found = evaluate_groups(WrittenOutType.model_of(system.tree()).tape("balance"), rows)["potential"][:, 0]
    for r, value in zip(distances, found, strict=True):
        y = 2 - Fraction(r)
        exact = y**6 * (462 - y * (1980 - y * (3465 - y * (3080 - y * (1386 - 252 * y)))))
        assert abs(value - exact) <= 4e-16 + 1e-13 * exact**2 * (1 - exact) ** 2, r


def test_points_and_rigid_bodies_of_one_cutoff_have_a_table_for_every_two_kinds():
    system, rng = vc.System("mixed"), np.random.default_rng(5)
    dots = system.add_many(vc.MassPoint("dot", 1.3), 4)
    stones = system.add_many(vc.RigidBody("stone", 2.0, (0.1, 0, 0), inertia=(1, 1, 1)), 3)
    more = system.add_many(vc.MassPoint("more", 0.7), 2)
    every = dots + stones + more
    system.add(vc.Bonds(vc.Potential("pull", [every, every], pull_by_mass), cutoff=2.0, fade=1.0))
    tree = system.tree()
    tables, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    assert len(tabled_in(tables).bonds) == 4
    rows = rng.normal(size=(3, tables.nq + tables.nv + 1))
    found, expected = (evaluate_groups(model.tape("motion"), rows) for model in (tables, written))
    assert all(close(found[name], expected[name]) for name in expected)
    compiled, kept = make_tables(tabled_in(tables), np.zeros(0))
    out = np.empty(tables.nq + tables.nv)
    for k, row in enumerate(rows):
        table_rates(compiled, row[:-1], row[-1], out)
        assert close(out, np.concatenate([expected["q_dot"][k], expected["v_dot"][k]]))
    assert kept


def pull_by_mass(a, b):
    d = a.center - b.center
    return vc.math.exp(-vc.math.dot(d, d)) * a.mass * b.mass


def test_lists_stay_complete_while_bodies_move():
    """Rates by lists that are made anew now and then, along a long path of states, against sums over all pairs by hand."""
    rng, count = np.random.default_rng(3), 150
    system = charged(count, rng)
    model = model_for(system)
    assert isinstance(model.type, TabledType)
    charges = np.array(next(iter(system.actions.values())).numbers["charge"])
    tables, kept = make_tables(tabled_in(model), np.zeros(0))
    x, v, out = 3.0 * rng.uniform(size=(count, 3)), rng.normal(size=(count, 3)), np.empty(6 * count)
    listed = set()
    for k in range(60):
        here = x + 0.02 * k * v
        table_rates(tables, np.concatenate([here.ravel(), v.ravel()]), 0.0, out)
        assert close(out[3 * count :].reshape(count, 3), forces_of_all_pairs(here, charges) / 1.3, 1e-11)
        listed.add(tables.near.reference.tobytes())
    assert 3 < len(listed) < 60 and kept


def forces_of_all_pairs(x, charges, cutoff=1.2, fade=0.8):
    """Forces by the derivative of U S, written by hand."""
    d = x[:, None] - x[None]
    square = (d**2).sum(axis=2)
    np.fill_diagonal(square, 1e9)
    r = np.sqrt(square)
    y = np.clip((cutoff - r) / (cutoff - fade), 0.0, 1.0)
    S = y**6 * (462 - 1980 * y + 3465 * y**2 - 3080 * y**3 + 1386 * y**4 - 252 * y**5)
    slope = -2772 * y**5 * (1 - y) ** 5 / (cutoff - fade)
    both = charges[:, None] * charges[None]
    U, dU = -both / np.sqrt(0.1 + square), both * r / (0.1 + square) ** 1.5
    return -(((dU * S + U * slope) / r)[:, :, None] * d).sum(axis=1)


def test_a_gas_is_certified_stored_and_falsified(tmp_path):
    system = vc.System("gas")
    atoms = system.add_many(vc.MassPoint("atom", 1.0), 64)
    bond = vc.potentials.LennardJones("lj", [atoms, atoms], depth=1.0, size=1.0)
    system.add(vc.Bonds(bond, cutoff=2.5, fade=2.0))
    lattice = 1.15 * np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    start = {atoms: vc.At(lattice, rate=0.5 * np.random.default_rng(2).normal(size=(64, 3)))}
    motion = vc.simulate(system, 0.5, start, tolerance=1e-11, grid=41, progress=False, out=tmp_path / "run.zarr")
    assert isinstance(motion.record.model.type, TabledType)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert np.ptp(motion.energy) < 1e-9 and np.ptp(motion.body().momentum, axis=0).max() < 1e-11
    loaded = vc.load(tmp_path / "run.zarr")
    assert str(loaded.audit()) == str(certificate)
    assert np.array_equal(loaded.bond("lj").energy, motion.bond("lj").energy)
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"


def test_one_thread_and_two_give_the_same_bits(monkeypatch):
    gas = vc.System("gas")
    atoms = gas.add_many(vc.MassPoint("atom", 1.0), 512)
    pair = vc.potentials.LennardJones("pairs", [atoms, atoms], depth=1.0, size=1.0)
    gas.add(vc.Bonds(pair, cutoff=2.5, fade=2.0))
    place = 1.1 * np.stack(np.meshgrid(*[np.arange(8.0)] * 3), axis=-1).reshape(-1, 3)
    place += 0.05 * np.random.default_rng(1).normal(size=place.shape)
    found = []
    for cores in (1, 2):
        monkeypatch.setattr(field, "cores", lambda cores=cores: cores)
        found.append(vc.simulate(gas, 0.05, {atoms: place}, method="rk4", step=0.005, grid=3, progress=False).q)
    assert np.array_equal(*found)
