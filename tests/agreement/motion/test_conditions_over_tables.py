"""Constraints and closed loops over tables are those of the equations that are written out."""

import numpy as np
import pytest

import vinculum as vc
from linkages import chain_of_links, net_of_rods, random_linkage, row_of_linkages
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.projection import project_velocities, tables_at
from vinculum.models.tabled.type import TabledType, tabled_in
from vinculum.models.written_out.type import WrittenOutType


def close(found, expected, accuracy=1e-12):
    return np.abs(found - expected).max(initial=0.0) <= accuracy * max(np.abs(expected).max(initial=0.0), 1.0)


def random_rows(rng, model, count: int = 2) -> np.ndarray:
    """States at which no condition holds, with quaternions of length one."""
    states = model.on_charts(rng.normal(size=(count, model.nq + model.nv)))
    return np.concatenate([states, rng.uniform(0.1, 1.0, (count, 1))], axis=1)


@pytest.mark.parametrize("seed", range(4))
def test_random_linkages_have_the_rates_and_multipliers_of_those_written_out(seed):
    rng = np.random.default_rng(seed)
    tree = random_linkage(rng).tree()
    tables, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    assert tables.layout.gaps == written.layout.gaps and tables.layout.constraints == written.layout.constraints
    rows = random_rows(rng, tables)
    hidden = np.tile(written.parameter_values(None), (len(rows), 1))
    for name in ("motion", "rates", "bonds", "balance", "reactions"):
        found = evaluate_groups(tables.tape(name), rows)
        expected = evaluate_groups(written.tape(name), np.concatenate([rows, hidden], axis=1))
        shared = [what for what in found if what in expected and not what.endswith(("size", "_sizes", "speeds"))]
        assert len(shared) > 1
        for what in shared:
            assert close(found[what], expected[what]), (name, what)


def test_the_momentum_of_an_isolated_linkage_does_not_change():
    rng = np.random.default_rng(5)
    model = TabledType.model_of(random_linkage(rng, isolated=True).tree())
    balance = evaluate_groups(model.tape("balance"), random_rows(rng, model))
    force = balance["wrench"].reshape(2, -1, 6)[..., :3]
    assert np.abs(force.sum(axis=1)).max() <= 1e-12 * np.abs(force).max()


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_motions_of_linkages_over_tables_and_written_out_agree(method, monkeypatch):
    step = {"tolerance": 1e-12} if method == "dop853" else {"step": 1e-3}
    system, start = row_of_linkages(2)
    single = vc.simulate(system, 0.2, start, method=method, grid=5, progress=False, **step)
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, start = row_of_linkages(2)
    many = vc.simulate(system, 0.2, start, method=method, grid=5, progress=False, **step)
    assert isinstance(many.record.model.type, TabledType) and isinstance(single.record.model.type, WrittenOutType)
    assert many.record.model.freedoms == single.record.model.freedoms == 2
    assert close(many.q, single.q, 1e-9) and close(many.v, single.v, 1e-9)
    assert many.audit().passed, str(many.audit())
    planar = [0, 2, 4]
    assert close(many.joint("last 1").reaction[:, planar], single.joint("last 1").reaction[:, planar], 1e-7)


def test_a_chain_of_free_links_moves_as_the_one_that_is_written_out(monkeypatch):
    system, start = chain_of_links(4)
    single = vc.simulate(system, 0.2, start, method="dop853", tolerance=1e-13, grid=5, progress=False)
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, start = chain_of_links(4)
    many = vc.simulate(system, 0.2, start, tolerance=1e-13, grid=5, progress=False)
    assert isinstance(many.record.model.type, TabledType)
    assert close(many.q, single.q, 1e-10)
    for name in ("ball 1", "hook"):
        assert close(many.bond(name).multiplier, single.bond(name).multiplier, 1e-8)
        assert close(many.bond(name).force, single.bond(name).force, 1e-8)


def test_projected_velocities_are_the_nearest_in_kinetic_energy():
    rng = np.random.default_rng(2)
    tree = random_linkage(rng).tree()
    tables, written = TabledType.model_of(tree), WrittenOutType.model_of(tree)
    row = random_rows(rng, tables, 1)[0]
    y, t = row[:-1].copy(), float(row[-1])
    assert project_velocities(tables_at(tables, tabled_in(tables), np.zeros(0)), y, t)
    full = np.concatenate([row, written.parameter_values(None)])[None]
    found = evaluate_groups(written.tape("closures"), full)
    J, M = found["jacobians"].reshape(-1, tables.nv), found["mass_matrix"].reshape(tables.nv, tables.nv)
    answer = np.linalg.solve(M, J.T)
    expected = row[tables.nq : -1] - answer @ np.linalg.solve(J @ answer, found["gap_rates"][0])
    assert close(y[tables.nq :], expected, 1e-11)


def test_large_nets_run_over_tables_and_small_ones_do_not():
    assert isinstance(model_for(net_of_rods(4)[0]).type, WrittenOutType)
    assert isinstance(model_for(net_of_rods(10)[0]).type, TabledType)
