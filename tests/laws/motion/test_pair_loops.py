"""Motions of very many mass points: the laws hold on them, and they are motions like any other."""

import numpy as np
import pytest

import vinculum as vc
from pair_loops import cloud, gravitation, has_pair_loop, looped, pair_loop_of, places, points, start
from vinculum.audits.tabled import pair_forces
from vinculum.compile.targets.llvm.pair_threads import SLOTS
from vinculum.compile.threads.pace import Pace
from vinculum.integrators.tabled.field import TableRates
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.pair_loop.forces import write_sums
from vinculum.models.tabled.pair_loop.workspace import PairThreads, make_pair_work
from vinculum.models.tabled.rates import table_rates


@pytest.fixture(scope="module")
def motion() -> vc.Motion:
    x, v = places(60)
    return vc.simulate(cloud(60), 0.5, start(x, v), grid=6, progress=False)


def plummer(count: int, seed: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities of Plummer's model in units of Hénon: Aarseth, Hénon and Wielen, Astron. Astrophys. 37 (1974) 183."""
    rng = np.random.default_rng(seed)
    radius = 1.0 / np.sqrt(rng.uniform(0.05, 0.95, count) ** (-2 / 3) - 1.0)

    def directions() -> np.ndarray:
        z, angle = rng.uniform(-1, 1, count), rng.uniform(0, 2 * np.pi, count)
        return np.stack([np.sqrt(1 - z**2) * np.cos(angle), np.sqrt(1 - z**2) * np.sin(angle), z], axis=1)

    speed = np.sqrt(2.0) * (1.0 + radius**2) ** -0.25 * rng.beta(2.5, 4.5, count) ** 0.5
    return radius[:, None] * directions(), speed[:, None] * directions()


def test_a_cluster_of_three_hundred_keeps_energy_and_momentum():
    x, v = plummer(300)
    motion = vc.simulate(cloud(300), 0.2, start(x, v), grid=5, progress=False, tolerance=1e-12)
    assert motion.record.method.claims.name == "dop853"
    scale = np.abs(motion.energy[0])
    assert np.ptp(motion.energy) <= 1e-11 * scale
    np.testing.assert_allclose(motion.body().momentum, np.tile(motion.body().momentum[0], (5, 1)), rtol=0, atol=1e-12)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert {line.law for line in certificate.lines} >= {
        "energy balance",
        "momenta of 300 bodies",
        "Newton's third law",
    }


def test_a_certificate_passes_for_every_method(motion):
    x, v = places(60)
    assert motion.audit().passed
    for method, step in (("rk4", 0.005), ("verlet", 0.001)):
        run = vc.simulate(cloud(60), 0.1, start(x, v), grid=3, progress=False, method=method, step=step)
        certificate = run.audit()
        assert certificate.passed, str(certificate)


def test_a_certificate_sees_a_wrong_motion(motion):
    time = np.linspace(0.0, 0.5, 41)
    seen = motion.at(time)
    wrong = seen.v.copy()
    wrong[:, 7] *= 1.001
    certificate = seen.replace(v=wrong).audit()
    assert certificate.verdict == "failed"
    assert any("'p2'" in line.detail for line in certificate.lines if line.verdict == "broken")


def test_a_certificate_sees_other_forces(motion):
    """Another energy with the same names: the balances break."""
    other = cloud(60, lambda a, b: 1.01 * gravitation(a, b))
    certificate = motion.replace(system=other).audit()
    assert certificate.verdict == "failed"


@pytest.mark.parametrize(
    ("change", "noticed"),
    [
        (lambda f: f * (1 + 1e-7), {"forces of the pairs"}),
        (lambda f: f + 1e-9 * np.abs(f).max(), {"Newton's third law", "forces of the pairs"}),
    ],
)
def test_forces_that_are_wrong_by_very_little_are_noticed(motion, monkeypatch, change, noticed):
    right = pair_forces.tape_groups

    def wrong(*given):
        found = right(*given)
        return found | {"pair_force": change(found["pair_force"])}

    monkeypatch.setattr("vinculum.audits.tabled.pair_forces.tape_groups", wrong)
    lines = pair_forces.pair_lines(motion.record)
    assert {line.law for line in lines if line.verdict == "broken"} == noticed


@pytest.mark.parametrize("count", [120, 333])
def test_results_do_not_depend_on_the_number_of_cores(count):
    model = model_for(cloud(count))
    in_order = np.arange(3 * count).reshape(count, 3)
    pairs, kept = make_pair_work(pair_loop_of(model), np.zeros(0), in_order, in_order[:, 0], balance=True)
    states = np.stack([np.concatenate(places(count, k)).ravel() for k in range(6)])
    times, results = np.zeros(6), []
    for cores in (1, 2, 3):
        field, full = TableRates(model, np.zeros(0)), PairThreads(pairs, kept)
        assert field.tables.pairs.board[SLOTS] >= 3
        out, f, s, w = np.empty_like(states), np.zeros((6, count, 3)), np.zeros((6, count)), np.zeros((6, 1, 3))
        with field.thread_pool(6, cores):
            for state, rates in zip(states, out, strict=True):
                table_rates(field.tables, state, 0.0, rates)
        with full.thread_pool(6, cores):
            write_sums(pairs, states, times, f, s, w)
        results.append(np.concatenate([out, f.reshape(6, -1), s, w[:, 0]], axis=1))
    assert np.array_equal(results[0], results[1]) and np.array_equal(results[0], results[2])


def test_work_is_shared_where_that_is_quicker():
    quiet, busy = Pace(), Pace()
    taken: dict[str, list[bool]] = {"quiet": [], "busy": []}
    for name, pace, alone, shared in (("quiet", quiet, 2.0, 1.0), ("busy", busy, 1.0, 2.0)):
        for _ in range(40):
            choice = pace.shares()
            taken[name].append(choice)
            pace.took(choice, 5.0 * (shared if choice else alone), 5)
    assert sum(taken["quiet"]) >= 36 and sum(taken["busy"]) <= 4


def test_a_pair_loop_makes_a_motion_like_any_other(motion):
    assert motion.q.shape == motion.v.shape == (6, 180)
    np.testing.assert_array_equal(motion["p3"], motion.body("p3").position)
    np.testing.assert_array_equal(motion.body("p3").rotation[2], np.eye(3))
    np.testing.assert_array_equal(motion.joint("p3").reaction, np.zeros((6, 6)))
    np.testing.assert_allclose(motion.body("p3").twist[:, :3], motion.v[:, 9:12])
    np.testing.assert_allclose(motion.at(0.25).body("p5").position[0], motion.record.pieces.state([0.25])[0, 15:18])
    data = motion.to_xarray()
    assert data["position"].shape == (6, 60, 3)
    np.testing.assert_allclose(data["energy"], motion.energy)
    figure = motion.plot("p3")
    assert len(figure.axes) == 3
    assert "dop853" in repr(motion)


def test_a_stored_pair_loop_comes_back_bit_for_bit(motion, tmp_path):
    motion.save(tmp_path / "run.zarr")
    back = vc.load(tmp_path / "run.zarr")
    for what in ("q", "v", "energy"):
        np.testing.assert_array_equal(getattr(back, what), getattr(motion, what))
    np.testing.assert_array_equal(back.body("p1", "p2").momentum, motion.body("p1", "p2").momentum)
    assert str(back.audit()) == str(motion.audit())


def test_a_streamed_pair_loop_is_the_same(motion, tmp_path):
    x, v = places(60)
    streamed = vc.simulate(cloud(60), 0.5, start(x, v), grid=6, progress=False, out=tmp_path / "run.zarr")
    np.testing.assert_array_equal(streamed.q, motion.q)


def test_parameters_and_numbers_of_a_pair_loop_may_be_changed():
    def system() -> vc.System:
        G, m = vc.parameter("G", 1.0), vc.parameter("m", 0.02)
        made = vc.System("cloud")
        p = [made.add(vc.MassPoint(f"p{i}", m if i == 5 else 0.01)) for i in range(45)]
        made.add(vc.potentials.PairPotential("pairs", p, lambda a, b: G * a.weight * b.weight * gravitation(a, b),
                                  numbers={"weight": [vc.parameter("w", 1.0), *[1.0] * 44]}))  # fmt: skip
        return made

    x, v = places(45)
    made = system()
    usual = vc.simulate(made, 0.1, start(x, v), grid=2, progress=False)
    other = vc.simulate(made, 0.1, start(x, v), grid=2, progress=False, parameters={"G": 4.0, "w": 2.0, "m": 0.05})
    assert usual.record.model is other.record.model
    assert other.body("p5", "p6").center[0] == pytest.approx((0.05 * x[5] + 0.01 * x[6]) / 0.06)
    assert np.abs(usual.q[-1] - other.q[-1]).max() > 1e-4
    assert other.audit().passed


def test_events_stop_a_pair_loop():
    x, v = places(45)
    x[0], v[0] = (5.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    high = vc.Event("high", "p0", lambda body: body.position[2] - 0.25, stop=True)
    motion = vc.simulate(cloud(45), 1.0, start(x, v), events=[high], grid=11, progress=False)
    assert motion.record.crossings[0].name == "high"
    assert motion.at(motion.record.pieces.end).body("p0").position[0, 2] == pytest.approx(0.25, abs=1e-12)


def test_two_points_of_a_pair_loop_that_touch_nothing_else_follow_kepler(monkeypatch):
    """A loop with one pair: a circular orbit after one period."""
    looped(monkeypatch)
    system = vc.System("pair")
    p = points(system, 2)
    system.add(
        vc.potentials.PairPotential("pull", p, lambda a, b: -a.mass * b.mass / vc.math.norm(a.position - b.position))
    )
    total = 2.5
    speed = np.sqrt(total)
    at = {"p0": vc.At((1.5 / total, 0, 0), rate=(0, 1.5 / total * speed, 0)),
          "p1": vc.At((-1.0 / total, 0, 0), rate=(0, -1.0 / total * speed, 0))}  # fmt: skip
    motion = vc.simulate(system, 2 * np.pi / speed, at, grid=2, progress=False)
    assert has_pair_loop(motion.record.model)
    np.testing.assert_allclose(motion.q[-1], motion.q[0], rtol=0, atol=1e-11)
