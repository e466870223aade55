"""Random systems that mix every kind of block, bond and contact: written out and over tables, in other orders, stored, many at once."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from blocks_in_contact import over_tables
from marks import mostly_slow
from mixtures import mixture
from records import altered
from sameness import same_certificate
from trees import defaults
from vinculum.compile.evaluate import evaluate_groups
from vinculum.contact.blocks.placing import scatter_velocities
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.tabled.board import all_frames, filled_board, write
from vinculum.models.tabled.type import tabled_in
from vinculum.models.tabled.unilateral_motions import changes_by_unilaterals
from vinculum.models.written_out.type import WrittenOutType
from vinculum.systems import start_state

KINDS = (
    {"parts": 4, "bonds": 5, "stops": True, "bounds": 6},
    {"parts": 5, "free": True, "bounds": 5},
    {"parts": 5, "bonds": 4, "soft": True, "stops": True},
    {"parts": 5, "resists": True, "stops": True},
    {"parts": 9, "bonds": 14, "struck": True, "stops": True, "bounds": 4},
)
OF_ANOTHER_ORDER = ("work size", "work_size", "wrench_size", "potential_size", "drive_power_size", "defects")
"""Sums of the sizes of other terms, and in another order."""


def run(system, start, until=0.15, step=1e-3, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", step=step, grid=7, progress=False, **options)


def with_rates(motion, factor: float):
    """The motion with velocities times a factor."""
    pieces, nq = motion.record.pieces, motion.record.model.nq
    coefficients = np.asarray(pieces.coefficients).copy()
    coefficients[:, nq:] *= factor
    return altered(motion, pieces=replace(pieces, coefficients=coefficients))


def places(motion) -> np.ndarray:
    return np.stack([motion.body(name).position for name in sorted(motion.record.model.layout.bodies)])


@pytest.mark.parametrize("seed", mostly_slow(20, 8))
def test_written_out_and_tabled_forms_have_the_same_accelerations_forces_and_balances(seed):
    """Without closed loops, whose redundant rows are found when a run begins."""
    system, start = mixture(seed, **(KINDS[seed % 4] | {"loops": False}))
    tree, rng = system.tree(), np.random.default_rng(seed)
    tabled, written = BlocksInContactType.model_of(tree), WrittenOutType.model_of(tree)
    q, v = start_state(tree, start)
    rows = np.stack([np.concatenate([q, v + s * rng.normal(size=len(v)), [0.3]]) for s in (0.0, 1.0, 1.0)])
    for tape in ("motion", "rates", "bodies", "bonds", "balance", "distances"):
        given = [defaults(model.tape(tape)) for model in (tabled, written)]
        found, expected = (
            evaluate_groups(model.tape(tape), np.concatenate([rows, np.tile(extra, (3, 1))], axis=1))
            for model, extra in zip((tabled, written), given, strict=True)
        )
        compared = [x for x in found if x in expected and not x.endswith(OF_ANOTHER_ORDER)]
        assert compared
        for name in compared:
            scale = max(1.0, np.abs(expected[name]).max(initial=0.0))
            assert np.abs(found[name] - expected[name]).max(initial=0.0) <= 1e-12 * scale, name


@pytest.mark.parametrize("seed", mostly_slow(20, 6))
def test_impulses_of_unilateral_constraints_and_stops_change_the_same_written_out_and_over_tables(seed):
    """Against M v̇ = Hᵀ P + Jᵀ λ, J v̇ = 0 with the rows written out; over tables once by compiled rows, and once as wrenches."""
    kind = (KINDS[0], KINDS[1], KINDS[4])[seed % 3] | {"loops": False, "struck": False}
    system, start = mixture(seed, **kind)
    tree = system.tree()
    tabled, written = BlocksInContactType.model_of(tree), WrittenOutType.model_of(tree)
    q, v = start_state(tree, start)
    row = np.concatenate([q, v, [0.3]])
    extra, values = defaults(written.tape("unilaterals")), defaults(tabled.tape("distances"))
    found = evaluate_groups(written.tape("unilaterals"), np.concatenate([row, extra])[None])
    u, nv = len(tree.unilaterals), len(v)
    assert u >= 5
    H, M, J = (found[name].reshape(-1, nv) for name in ("jacobians", "mass_matrix", "bilateral"))
    KKT = np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]])
    expected = np.linalg.solve(KKT, np.concatenate([H.T, np.zeros((len(J), len(H)))]))[:nv].T

    work = BlocksWork(tabled, values)
    contacts, sides = work.contacts, work.contacts.sides
    m = contacts.find(q, v, 0.3, 0.0)
    contacts.problem(v, 0.0)
    by_rows = np.zeros((3 * u, nv))
    for c in np.flatnonzero(contacts.near.contacts.who[:m, 0] >= len(work.shapes.kinds)):
        k = int(contacts.near.contacts.who[c, 0]) - len(work.shapes.kinds)
        np.testing.assert_allclose(sides.drift[c], found["drifts"][0].reshape(-1, 3)[k], rtol=0, atol=1e-12)
        for r in range(3):
            V = np.zeros_like(contacts.V)
            for first, n, at in zip(sides.first[c], sides.count[c], sides.at[c], strict=True):
                V.reshape(-1)[first : first + n] += sides.B[at + n * r : at + n * r + n]
            scatter_velocities(work.tables.blocks, V, by_rows[3 * k + r])
    board, Z = filled_board(tabled_in(tabled), np.tile(np.concatenate([row, values]), (3 * u, 1)))
    for call in all_frames(board):
        write(call, Z)
    as_wrenches = changes_by_unilaterals(tabled, board, Z, np.eye(3 * u).reshape(3 * u, u, 3))
    scale = max(1.0, np.abs(expected).max())
    assert np.abs(by_rows - expected).max() <= 1e-12 * scale
    assert np.abs(as_wrenches - expected).max() <= 1e-12 * scale


@pytest.mark.parametrize("seed", mostly_slow(20, 5))
def test_mixtures_are_certified_stored_and_the_same_in_any_order_and_falsified_ones_fail(monkeypatch, tmp_path, seed):
    over_tables(monkeypatch)
    kind = KINDS[seed % 5]
    system, start = mixture(seed, **kind)
    motion = run(system, start)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert {"momenta of all blocks", "energy balance"} <= {
        line.law for line in with_rates(motion, 1.001).audit().lines if line.verdict == "broken"
    }
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    np.testing.assert_array_equal(loaded.q, motion.q)
    same_certificate(loaded.audit(), certificate)
    other = run(*mixture(seed, **kind, shuffled=seed + 1))
    assert (
        np.abs(places(other) - places(motion))[:, :4].max() <= 1e-6
    )  # the solver's tolerance, which hits may multiply later


@pytest.mark.parametrize("seed", mostly_slow(10, 2))
def test_runs_come_together_with_the_step_written_out_and_over_tables(monkeypatch, seed):
    """Up to the first hits: later ones may multiply differences."""
    apart = []
    for h in (1e-3, 2.5e-4):
        found = []
        for over in (True, False):
            over_tables(monkeypatch, over)
            motion = run(*mixture(seed, **(KINDS[seed % 4] | {"bonds": 5})), until=0.12, step=h)
            assert isinstance(motion.record.model.type, BlocksInContactType if over else WrittenOutType)
            found.append(places(motion))
        apart.append(np.abs(found[0] - found[1]).max(axis=(0, 2)))
    assert 12.0 < apart[0][2] / apart[1][2] < 20.0 or apart[0][2] < 1e-9  # nothing is hit until then: second order
    assert apart[1].max() < 25.0 * 1e-3 or apart[1].max() < 0.5 * apart[0].max()


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[2]], ids=["rigid", "soft"])
def test_parameters_events_and_ensembles_of_mixtures(monkeypatch, kind):
    over_tables(monkeypatch)
    system, start = mixture(7, **kind)
    body, winds = next(iter(system.bodies)), np.array([0.0, 0.2, 0.4])
    low = vc.Event("low", [body], lambda b: b.position[2] - 0.2)
    one = run(system, start, events=[low], parameters={"wind": 0.4})
    assert one.audit().passed, str(one.audit())
    crossings = [crossing.time for crossing in one.record.crossings]
    assert len(crossings) == 1
    assert one.at(crossings).body(body).position[0, 2] == pytest.approx(0.2, abs=1e-9)
    assert [len(one.bond(name).impulses) for name in system.contacts] == [
        len(run(system, start, parameters={"wind": 0.4}).bond(name).impulses) for name in system.contacts
    ]
    runs = vc.ensemble(system, 0.15, start, method="moreau", step=1e-3, grid=7, parameters={"wind": winds})
    assert not runs.failed.any() and np.abs(runs.q[0] - runs.q[2]).max() > 1e-6
    assert np.abs(runs.q[2] - one.q).max() < 1e-12
