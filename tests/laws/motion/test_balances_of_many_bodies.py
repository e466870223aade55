"""Balances and environments of bodies that run over tables or as loops over pairs: those of the same system written out."""

import numpy as np
import pytest

import vinculum as vc
from crowds import friction, pull, random_crowd, start_of_bodies, written_one_by_one
from linkages import chain_of_links, row_of_linkages
from pair_loops import cloud, has_pair_loop, looped, places, start, written_out
from records import altered
from trees import random_forest
from vinculum.audits.exchanges.result import largest_parts, names_of_bodies
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType
from vinculum.tolerances.sizes import PARTS_SHOWN

SAME = {"method": "dop853", "tolerance": 1e-11, "grid": 5, "progress": False}


def crowd():
    system, given = random_crowd(np.random.default_rng(3))
    return written_one_by_one(system), start_of_bodies(given), 0.3


def forest():
    """Trees of joints that pull and slow each other, one of which is driven."""
    rng = np.random.default_rng(7)
    system = random_forest(rng, driven=True)
    names = list(system.bodies)
    for k, (one, other) in enumerate(zip(names, names[3:], strict=False)):
        system.add(vc.Potential(f"pull {k}", [one, other], pull))
        system.add(vc.Interaction(f"friction {k}", one, other, friction))
    return system, {}, 0.1


def softs():
    """Affine bodies that wobble next to each other."""
    system = vc.System("softs", gravity=(0, 0, -9.81))
    for k in range(3):
        system.add(vc.AffineBody(f"soft {k}", 1.0 + k, (0.1, 0.2, 0.3), energy=vc.energies.NeoHookean(50.0 + k, 100.0)))
    return system, {f"soft {k}": ((float(k), 0, 1.0), np.diag([1.1, 1.0, 0.95])) for k in range(3)}, 0.2


def sheets():
    """Planar bodies that weigh on their plane; another one is free in space."""
    system, energy = vc.System("sheets", gravity=(1.0, 0, -9.81)), vc.energies.NeoHookean(1.0, 50.0, 100.0)
    for k in range(3):
        system.add(vc.AffineBody(f"sheet {k}", 1.0 + k, (0.2, 0.3), energy=energy, planar=k > 0, dimension=2))
    return system, {f"sheet {k}": ((float(k), 1.0), np.diag([1.1, 0.95])) for k in (1, 2)}, 0.2


def near():
    """Points and rigid bodies that attract each other within a cutoff, and come and go."""
    rng, system = np.random.default_rng(5), vc.System("near", gravity=(0, 0, -1.0))
    dots = system.add_many(vc.MassPoint("dot", 1.3), 6)
    stones = system.add_many(vc.RigidBody("stone", 2.0, (0.1, 0, 0), inertia=(1, 1, 1)), 3)
    every = dots + stones
    system.add(vc.Bonds(vc.Potential("pull", [every, every], pull_by_mass), cutoff=1.2, fade=0.8))
    places = 0.7 * rng.normal(size=(6, 3)), np.concatenate([0.7 * rng.normal(size=(3, 3)), [[1, 0, 0, 0]] * 3], axis=1)
    rates = rng.normal(size=(6, 3)), rng.normal(size=(3, 6))
    return system, {dots: vc.At(places[0], rate=rates[0]), stones: vc.At(places[1], rate=rates[1])}, 0.4


def pull_by_mass(a, b):
    d = a.center - b.center
    return -a.mass * b.mass / vc.math.sqrt(0.1 + vc.math.dot(d, d))


def struck():
    system, given = chain_of_links(4)
    system.add(vc.Impulse("kick", "link 2", vc.Wrench(force=(0.05, 0, 0), at=(0, 0, 0.1)), at=[0.0, 0.05]))
    system.add(vc.Impulse("brake", "link 3", lambda b: vc.Wrench(force=-0.02 * b.velocity), at=0.08))
    return system, given, 0.1


SLOW = ("forest",)
TABLES = {
    "crowd": crowd,
    "forest": forest,
    "softs": softs,
    "sheets": sheets,
    "near": near,
    "linkages": lambda: (*row_of_linkages(2), 0.1),
    "struck": struck,
}


@pytest.fixture(scope="module", params=[pytest.param(k, marks=[pytest.mark.slow] * (k in SLOW)) for k in TABLES])
def both(request):
    """A motion over tables, and the one that is written out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tabled_type, "FEWEST_TABLED", 0)
        system, given, until = TABLES[request.param]()
        many = vc.simulate(system, until, given, **SAME)
        assert isinstance(many.record.model.type, TabledType)
        patch.setattr(tabled_type, "FEWEST_TABLED", 10**9)
        system, given, until = TABLES[request.param]()
        single = vc.simulate(system, until, given, **SAME)
        assert single.record.model.type.has_graphs
    return many, single


def _subsets(motion):
    names = list(motion.record.model.layout.bodies)
    return [(names[-1],), tuple(names[::2]), ()]


def test_bodies_over_tables_are_in_balance_over_every_window(both):
    motion, _ = both
    begin, end = motion.record.pieces.begin, motion.record.pieces.end
    for names in _subsets(motion):
        for window in (None, (begin + 0.21 * (end - begin), begin + 0.77 * (end - begin))):
            balance = motion.body(*names).measures.balance(window)
            assert balance.passed, str(balance)
            size = 1.0 + np.abs(balance.momentum.ends).max() + max(np.abs(part.impulse).max() for part in balance.parts)
            assert balance.momentum.impulse == pytest.approx(balance.momentum.change, abs=1e-10 * size)
            assert balance.energy.work == pytest.approx(
                balance.energy.change, abs=1e-9 * (1.0 + balance.energy.ends.max())
            )


def test_parts_of_balances_over_tables_are_those_of_the_written_out_system(both):
    many, single = both
    for names in _subsets(many):
        found, expected = (
            {part.name: part for part in motion.body(*names).measures.balance().parts} for motion in (many, single)
        )
        assert set(found) == set(expected)
        size = 1.0 + max(np.abs(part.impulse).max() for part in expected.values())
        for name, part in expected.items():
            assert found[name].impulse == pytest.approx(part.impulse, abs=1e-7 * size), name
            assert found[name].work == pytest.approx(part.work, abs=1e-7 * size), name
            assert found[name].inside == part.inside, name


def test_the_environment_over_tables_is_that_of_the_written_out_system(both):
    many, single = both
    same = single.at(many.time)
    for names in _subsets(many):
        around, expected = many.body(*names).measures.environment, same.body(*names).measures.environment
        assert set(around.parts) == set(expected.parts)
        size = max((np.abs(x).max() for x in expected.parts.values()), default=1.0)
        for name, wrench in expected.parts.items():
            assert np.abs(around.parts[name] - wrench).max() < 1e-6 * size, name
            assert np.abs(around.reactions[name] - expected.reactions[name]).max() < 1e-6 * size, name
        assert around.wrench + around.reaction == pytest.approx(np.zeros((len(many.time), 6)), abs=1e-12 * size)


def _stored(motion, tmp_path):
    """The motion, stored and read again."""
    motion.save(tmp_path)
    return vc.load(tmp_path)


def test_stored_motions_have_the_same_balances(both, pairs, tmp_path):
    for k, motion in enumerate((both[0], pairs[0])):
        loaded = _stored(motion, tmp_path / f"{k}.zarr")
        assert loaded.record.model.tree is None
        for names in _subsets(motion):
            found, expected = (one.body(*names) for one in (loaded, motion))
            assert found.measures.balance().to_dict() == expected.measures.balance().to_dict()
            assert np.array_equal(found.measures.environment.wrench, expected.measures.environment.wrench)


def _too_fast(motion):
    """The same motion with velocities that are larger by a thousandth in its second half."""
    pieces, nq = motion.record.pieces, motion.record.model.nq
    coefficients = np.array(pieces.coefficients)
    coefficients[len(coefficients) // 2 :, nq:] *= 1.001
    return altered(motion, pieces=type(pieces)(**(vars(pieces) | {"coefficients": coefficients})))


def test_a_false_motion_over_tables_is_not_in_balance(both):
    motion, _ = both
    assert _too_fast(motion).body().measures.balance().verdict == "failed"


def _points(count: int = 12):
    """Points that attract each other, a damper between two of them, and a spring to the ground."""
    system = cloud(count, gravity=(0, 0, -1.0))
    names = list(system.bodies)
    system.add(vc.Damper("damper", names[0], names[1], damping=0.3))
    system.add(vc.Spring("spring", names[2], "ground", stiffness=2.0, rest_length=0.1))
    return system, start(*places(count))


@pytest.fixture(scope="module")
def pairs():
    """A motion of points as a loop over pairs, and the one that is written out."""
    with pytest.MonkeyPatch.context() as patch:
        looped(patch)
        many = vc.simulate(_points()[0], 0.5, _points()[1], **SAME)
        assert has_pair_loop(many.record.model)
        written_out(patch)
        single = vc.simulate(_points()[0], 0.5, _points()[1], **SAME)
        assert single.record.model.type.has_graphs
    return many, single


def test_points_of_a_pair_loop_are_in_balance_as_the_written_out_ones(pairs):
    many, _ = pairs
    for names in (("p0",), ("p1", "p2", "p7"), ()):
        for window in (None, (0.11, 0.37)):
            balance, expected = (motion.body(*names).measures.balance(window) for motion in pairs)
            assert balance.passed, str(balance)
            assert [part.name for part in balance.parts] == [part.name for part in expected.parts]
            for part, other in zip(balance.parts, expected.parts, strict=True):
                assert part.impulse == pytest.approx(other.impulse, abs=1e-9)
                assert part.work == pytest.approx(other.work, abs=1e-9)
                assert part.inside == other.inside
    assert _too_fast(many).body().measures.balance().verdict == "failed"
    assert _too_fast(many).body("p3").measures.balance().verdict == "failed"


def test_the_environment_of_points_is_the_attraction_of_all_others(pairs):
    motion, _ = pairs
    names = list(motion.record.model.layout.bodies)
    own = names[3:7]
    around = motion.body(*own).measures.environment
    x = np.stack([motion.body(name).position for name in names], axis=1)
    m = np.array([motion.record.model.tree.links[i].mass for i in range(len(names))])
    d = x[:, :, None] - x[:, None]
    pull = -m[:, None, None] * m[None, :, None] * d / ((d**2).sum(axis=3) + 0.01)[..., None] ** 1.5
    force = pull[:, 3:7][:, :, [0, 1, 2, 7, 8, 9, 10, 11]].sum(axis=2)
    expected = np.concatenate([force.sum(axis=1), np.cross(x[:, 3:7], force).sum(axis=1)], axis=1)
    assert around.parts["pairs"] == pytest.approx(expected, abs=1e-12)
    assert around.wrench + around.reaction == pytest.approx(np.zeros((len(motion.time), 6)), abs=1e-12)
    assert set(around.parts) == {"pairs", "gravity"}
    assert set(motion.body("p0", "p2").measures.environment.parts) == {"pairs", "damper", "spring", "gravity"}


def test_wrenches_of_the_environment_are_rates_of_the_momenta(both, pairs):
    for motion in (both[0], pairs[0]):
        end, names = motion.record.pieces.end, list(motion.record.model.layout.bodies)[1:4]
        t, h = 0.41 * end, 1e-4 * end
        steps = h * np.array([-2, -1, 1, 2])
        P = motion.at(t + steps).body(*names).momentum
        rate = (P[0] - 8 * P[1] + 8 * P[2] - P[3]) / (12 * h)
        wrench = motion.at([t]).body(*names).measures.environment.wrench[0]
        assert wrench == pytest.approx(rate, abs=1e-6 * (1.0 + np.abs(rate).max()))


def test_very_many_parts_are_shown_by_the_largest_and_sums_of_the_others(monkeypatch, tmp_path):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    rng, system = np.random.default_rng(0), vc.System("net", gravity=(0, 0, -9.81))
    knots = system.add_many(vc.MassPoint("knot", 0.1), 12)
    pairs = np.array([(i, j) for i in range(12) for j in range(i)])
    system.add(vc.Bonds(vc.Spring("thread", knots, knots, stiffness=5.0, rest_length=0.3), over=pairs))
    motion = vc.simulate(system, 0.05, {knots: vc.At(rng.normal(size=(12, 3)))}, **SAME)
    for names in ((), tuple(motion.record.model.layout.bodies)[:8]):
        balance = motion.body(*names).measures.balance()
        assert len(balance.parts) > 40 and len(largest_parts(balance)) == PARTS_SHOWN - (not names)
        assert sum(part.impulse for part in largest_parts(balance)) == pytest.approx(
            balance.momentum.impulse, abs=1e-12
        )
        assert sum(part.work for part in largest_parts(balance)) == pytest.approx(balance.energy.work, rel=1e-9)
        assert {"gravity"} <= {part.name for part in largest_parts(balance)}
        assert names_of_bodies(balance) in str(balance) and f"{largest_parts(balance)[-1].name} (inside)" in str(
            balance
        )
        balance.save(tmp_path / "balance.json")
        assert len(type(balance).read(tmp_path / "balance.json").parts) == len(balance.parts)
