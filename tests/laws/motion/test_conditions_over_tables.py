"""Motions of constraints and closed loops over tables: kept to round-off, certified, stored, and refused where they have no motion."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import vinculum as vc
from linkages import chain_of_links, isolated_linkage, net_of_rods, row_of_linkages
from vinculum.errors import MethodError, ModelError, StartError
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.projection import closed_states
from vinculum.models.tabled.type import TabledType, tabled_in


@pytest.fixture(autouse=True)
def everything_is_tabled(monkeypatch):
    """Systems of any size run over tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def test_a_net_of_rods_keeps_all_lengths_and_is_certified():
    system, start = net_of_rods(6)
    motion = vc.simulate(system, 0.15, start, tolerance=1e-9, grid=41, progress=False)
    assert isinstance(motion.record.model.type, TabledType)
    place = np.stack([motion.body(f"knot {k}").position for k in range(36)], axis=1).reshape(41, 6, 6, 3)
    for axis in (1, 2):
        assert np.abs(np.linalg.norm(np.diff(place, axis=axis), axis=3) - 0.1).max() < 1e-14
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    laws = [line.law for line in certificate.lines]
    assert {"constraints", "constraints, rates", "third law of reactions", "work of reactions"} <= set(laws)
    assert motion.bond("rod 3").multiplier.shape == (41,) and motion.bond("rod 3").force.shape == (41, 3)
    for changed in ({"v": 1.001 * motion.v}, {"q": 1.0001 * motion.q}):
        assert motion.replace(**changed).audit().verdict == "failed"


@pytest.mark.parametrize("instant", [0.021, 0.088, 0.131])
def test_a_knot_that_leaves_its_rods_for_a_moment_is_seen(instant):
    system, start = net_of_rods(4)
    motion = vc.simulate(system, 0.15, start, tolerance=1e-9, grid=151, progress=False)
    q = motion.q.copy()
    q[:, 3 * 7] += 1e-3 * np.exp(-(((motion.time - instant) / 2e-3) ** 2))
    lines = {line.law: line for line in motion.replace(q=q).audit().lines}
    assert lines["constraints"].residual > 1e-4 and lines["constraints"].verdict == "broken"


def test_states_that_two_threads_bring_onto_the_conditions_are_those_of_one():
    system, start = net_of_rods(8)
    model = vc.simulate(system, 1e-3, start, grid=2, progress=False).record.model
    rng = np.random.default_rng(0)
    q = start[next(iter(start))].ravel()
    states = np.concatenate([q, np.zeros(model.nv)]) + 1e-4 * rng.normal(size=(40, model.nq + model.nv))
    alone = closed_states(model, tabled_in(model), states, 0.0, np.zeros(0))
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: closed_states(model, tabled_in(model), states, 0.0, np.zeros(0)), range(8)))
    assert all(np.array_equal(one, alone) for one in together)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings("ignore:.*repair=True changed")
def test_an_isolated_linkage_keeps_energy_and_momentum(seed):
    system, start = isolated_linkage(np.random.default_rng(seed))
    motion = vc.simulate(system, 0.4, start, tolerance=1e-12, grid=9, repair=True, progress=False)
    assert isinstance(motion.record.model.type, TabledType)
    momentum = motion.body().momentum
    assert np.ptp(motion.energy) < 1e-9 * np.abs(motion.energy).max()
    assert np.ptp(momentum, axis=0).max() < 1e-9 * np.abs(momentum).max()
    assert motion.audit().passed, str(motion.audit())


def test_closed_loops_are_certified_and_stored(tmp_path):
    system, start = row_of_linkages(5, np.random.default_rng(1))
    motion = vc.simulate(system, 0.2, start, tolerance=1e-10, grid=5, out=tmp_path / "run.zarr", progress=False)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert motion.record.model.freedoms == 5
    loaded = vc.load(tmp_path / "run.zarr")
    assert np.array_equal(loaded.q, motion.q) and str(loaded.audit()) == str(certificate)
    assert np.array_equal(loaded.joint("last 2").reaction, motion.joint("last 2").reaction)


def test_a_chain_that_hangs_still_has_the_weight_of_all_below():
    system, start = chain_of_links(7)
    (links,) = start
    still = vc.At(start[links].position, rate=np.zeros((7, 6)))
    motion = vc.simulate(system, 0.1, {links: still}, grid=3, progress=False)
    weight = 0.1 * 9.81
    for k in range(6):
        assert motion.bond(f"ball {k}").force[-1] == pytest.approx((0, 0, weight * (6 - k)), abs=1e-10)
    assert motion.bond("hook").force[-1] == pytest.approx((0, 0, 7 * weight), abs=1e-10)


def test_the_work_of_a_constraint_that_moves_is_in_the_energy_balance():
    system = vc.System("lift", gravity=(0, 0, -9.81))
    balls = system.add_many(vc.MassPoint("ball", 0.5), 2)
    rising = lambda a, t: a.position[2] - 0.3 * vc.math.sin(2.0 * t)
    system.add(vc.Constraint("lift", [balls[0]], position=rising, realization="dalembert"))
    system.add(vc.constraints.distance("rod", balls[0], balls[1], 0.4, realization="dalembert"))
    start = {balls: vc.At([(0, 0, 0), (0.4, 0, 0)], rate=[(0, 0, 0.6), (0, 0, 0.6)])}
    motion = vc.simulate(system, 1.0, start, tolerance=1e-11, grid=11, progress=False)
    assert motion.body("ball 0").position[:, 2] == pytest.approx(0.3 * np.sin(2.0 * motion.time), abs=1e-13)
    assert np.ptp(motion.energy) > 0.1
    assert motion.audit().passed, str(motion.audit())


def test_a_start_off_the_constraints_is_refused_by_row_or_repaired():
    system, start = net_of_rods(5)
    (knots,) = start
    off = start[knots].copy()
    off[7] += (0.01, 0.002, 0.0)
    with pytest.raises(StartError, match=r"does not meet its constraints: 'rod \d+' is violated by .*repair=True"):
        vc.simulate(system, 0.01, {knots: off}, progress=False)
    with pytest.warns(UserWarning, match="repair=True changed what the start gave"):
        motion = vc.simulate(system, 0.01, {knots: off}, repair=True, grid=2, progress=False)
    assert motion.audit().passed


def test_a_constraint_that_follows_from_others_is_left_out():
    system, start = chain_of_links(3)
    (links,) = start
    twice = lambda a, g: a.point((0.0, 0.0, 0.1))
    system.add(vc.Constraint("again", [links[0], "ground"], position=twice, realization="dalembert"))
    once, _ = chain_of_links(3)
    motion = vc.simulate(system, 0.1, start, grid=3, progress=False)
    assert motion.record.model.freedoms == 9
    assert motion.audit().passed, str(motion.audit())
    single = vc.simulate(once, 0.1, {f"link {k}": vc.At(start[links].position[k], rate=start[links].rate[k]) for k in range(3)},
                         grid=3, progress=False)  # fmt: skip
    assert np.abs(motion.q - single.q).max() < 1e-9


def test_a_singular_start_is_refused():
    """Two rods that are stretched between two pegs: nothing can move, but a third position nearby is free to."""
    system = vc.System("stretched")
    dots = system.add_many(vc.MassPoint("dot", 1.0), 1)
    for k, x in enumerate((0.0, 2.0)):
        system.add(vc.constraints.distance(f"rod {k}", dots[0], "ground", 1.0, to=(x, 0, 0), realization="dalembert"))
    with pytest.raises(StartError, match="singular position"):
        vc.simulate(system, 0.1, {dots: [(1.0, 0, 0)]}, progress=False)


def test_bonds_of_constraints_refuse_cutoffs_and_unknown_numbers():
    system = vc.System("net")
    dots = system.add_many(vc.MassPoint("dot", 1.0), 4)
    rod = vc.constraints.distance("rod", dots, dots, 1.0, realization="dalembert")
    with pytest.raises(ModelError, match="a constraint acts between given bodies, not within a cutoff"):
        vc.Bonds(rod, cutoff=1.0)
    with pytest.raises(ModelError, match=r"Constraint has no number 'stiffness'; known: at, to, length"):
        vc.Bonds(rod, over=[(0, 1)], numbers={"stiffness": [1.0]})
    with pytest.raises(ModelError, match="row 1 names body 4 of group 'dot'"):
        vc.Bonds(rod, over=[(0, 1), (1, 4)])


def test_ensembles_of_constrained_tables_are_refused():
    system, start = net_of_rods(3)
    with pytest.raises(MethodError, match="ensembles do not support the constraints"):
        vc.ensemble(system, 0.1, start)


def test_verlet_is_refused_where_there_are_constraints():
    system, start = net_of_rods(3)
    with pytest.raises(MethodError, match=r"'net' has constraints or closed loops; use 'dop853' or 'rk4'"):
        vc.simulate(system, 0.1, start, method="verlet", step=1e-3, progress=False)
