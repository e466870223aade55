"""Groups of bodies and bonds over rows: laws on random crowds that mix mass points, rigid bodies, springs, dampers and fields."""

import numpy as np
import pytest

import vinculum as vc
from crowds import pull, random_crowd
from vinculum.compile.evaluate import evaluate_groups
from vinculum.errors import StartError
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType
from vinculum.systems import start_state


@pytest.mark.parametrize("seed", range(3))
def test_crowds_over_tables_are_certified_and_falsified_ones_fail(seed, monkeypatch):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, start = random_crowd(np.random.default_rng(seed))
    motion = vc.simulate(system, 0.3, start, tolerance=1e-11, grid=61, progress=False)
    assert isinstance(motion.record.model.type, TabledType)
    assert motion.audit().passed, str(motion.audit())
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"


@pytest.mark.parametrize("seed", range(3))
def test_an_isolated_crowd_keeps_energy_and_momentum(seed, monkeypatch):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, start = random_crowd(np.random.default_rng(seed), points=8, bodies=5, rows=12, isolated=True)
    motion = vc.simulate(system, 0.5, start, tolerance=1e-13, grid=11, progress=False)
    momentum = motion.body().momentum
    assert np.ptp(motion.energy) < 1e-10 * np.abs(motion.energy).max()
    assert np.ptp(momentum, axis=0).max() < 1e-10 * np.abs(momentum).max()


@pytest.mark.parametrize("seed", range(3))
def test_every_row_between_bodies_obeys_the_third_law(seed):
    system, start = random_crowd(np.random.default_rng(seed))
    tree = system.tree()
    model = TabledType.model_of(tree)
    rows = np.concatenate([*start_state(tree, start), [0.0]])[None]
    efforts, bodies = (evaluate_groups(model.tape(name), rows) for name in ("bonds", "bodies"))
    checked = 0
    for name, entry in model.layout.actions.items():
        if len(entry.bodies) == 2:
            pair = efforts[f"{name}/efforts"].reshape(2, 6)
            x = [np.zeros(3) if b == "ground" else bodies[f"{b}/position"][0] for b in entry.bodies]
            moment = pair[:, 3:].sum(axis=0) + np.cross(x[0], pair[0, :3]) + np.cross(x[1], pair[1, :3])
            assert np.abs(pair[:, :3].sum(axis=0)).max() < 1e-12 and np.abs(moment).max() < 1e-12, name
            checked += 1
    assert checked > 20


def test_a_large_crowd_runs_over_tables_by_itself():
    rng = np.random.default_rng(4)
    system, start = random_crowd(rng, points=120, bodies=60, rows=150)
    model = model_for(system)
    assert isinstance(model.type, TabledType)
    assert len(model.type.tabled.kinds) == 2 and len(model.type.tabled.bonds) == 7
    motion = vc.simulate(system, 0.05, start, tolerance=1e-10, grid=3, progress=False)
    assert motion.audit().passed, str(motion.audit())


def test_groups_that_are_alike_are_one_kind():
    system = vc.System("two groups")
    for name, mass in (("dot", 1.0), ("bead", 2.0)):
        system.add_many(vc.MassPoint(name, mass), 150)
    system.add(vc.MassPoint("alone", 3.0))
    tabled = model_for(system).type.tabled
    assert [len(kind) for kind in tabled.kinds] == [301]
    assert np.array_equal(np.unique(tabled.kinds[0].numbers), [1.0, 2.0, 3.0])


def test_members_of_a_group_are_bodies_like_others():
    system = vc.System("chain", gravity=(0, 0, -9.81))
    links = system.add_many(vc.RigidBody("link", 1.0, (0, 0, -0.1), inertia=(0.1, 0.1, 0.01)), 3)
    assert len(links) == 3 and links[1].name == "link 1" and links[-1] is links[2]
    assert links[1:].names == ("link 1", "link 2") and links[np.array([True, False, True])].names == (
        "link 0",
        "link 2",
    )
    assert [body.name for body in links[[2, 0]]] == ["link 2", "link 0"]
    before = "ground"
    for k, link in enumerate(links):
        system.add(vc.Revolute(f"hinge {k}", before, link, axis=(0, 1, 0), at=(0, 0, -0.2 if k else 0.0)))
        before = link
    motion = vc.simulate(system, 0.2, {"hinge 0": 0.4}, progress=False)
    assert motion.audit().passed


def test_a_group_of_bodies_with_actions_of_their_own():
    rocket = vc.MassPoint("rocket", 2.0, sources=vc.MassSource(rate=-0.1, relative=(0, 0, -3.0)))
    system = vc.System("rockets")
    rockets = system.add_many(rocket, 3)
    motion = vc.simulate(system, 0.5, {rockets: np.zeros((3, 3))}, progress=False)
    speeds = [motion.body(name).velocity[-1, 2] for name in rockets.names]
    assert np.allclose(speeds, 3.0 * np.log(2.0 / 1.95), rtol=1e-9)


def test_parameters_reach_rows():
    system, k = vc.System("net"), vc.parameter("k", 5.0)
    dots = system.add_many(vc.MassPoint("dot", vc.parameter("m", 0.5)), 210)
    over = np.stack([np.arange(209), np.arange(1, 210)], axis=1)
    system.add(vc.Bonds(vc.Spring("rope", dots, dots, stiffness=k, rest_length=0.1), over=over))
    system.add(vc.Bonds(vc.Potential("pull", [dots, dots], pull), over=over[::3], numbers={"k": 0.01 * np.arange(70)}))
    x = np.stack([0.11 * np.arange(210), 0.01 * np.sin(np.arange(210)), np.zeros(210)], axis=1)
    soft, hard = (
        vc.simulate(system, 0.3, {dots: x}, parameters={"k": value}, tolerance=1e-10, grid=3, progress=False)
        for value in (1.0, 20.0)
    )
    assert np.abs(soft.q - hard.q).max() > 1e-3 and soft.audit().passed and hard.audit().passed
    with pytest.raises(vc.errors.ModelError, match=r"spring 'rope 0': stiffness"):
        vc.simulate(system, 0.1, {dots: x}, parameters={"k": -1.0})


def test_prescribed_bodies_and_events_among_rows():
    system = vc.System("shaker", gravity=(0, 0, -9.81))
    plate = system.add(vc.PrescribedBody("plate", position=lambda t: (0, 0, 0.02 * vc.math.sin(20.0 * t))))
    dots = system.add_many(vc.MassPoint("dot", 0.1), 210)
    place = np.stack([0.1 * np.arange(210), np.zeros(210), np.full(210, -0.1)], axis=1)
    mount = vc.Spring("mount", plate, dots, stiffness=50.0, rest_length=0.05, damping=0.01)
    system.add(vc.Bonds(mount, over=np.arange(210), numbers={"at": place * (1, 0, 0)}))
    low = vc.Event("low", dots[7], lambda dot: dot.position[2] + 0.12, direction=-1, stop=True)
    motion = vc.simulate(system, 2.0, {dots: place}, tolerance=1e-10, events=[low], progress=False)
    assert isinstance(motion.record.model.type, TabledType)
    assert motion.body(dots[7]).position[-1, 2] == pytest.approx(-0.12, abs=1e-9) and motion.time[-1] < 1.0
    assert motion.audit().passed, str(motion.audit())
    assert motion.body(dots).positions.shape == (len(motion.time), 210, 3)
    assert np.array_equal(motion.body(dots[5:8]).positions[:, 2], motion.body("dot 7").position)


def test_a_group_of_balls_in_contact():
    system = vc.System("balls", gravity=(0, 0, -9.81))
    balls = system.add_many(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.0), 4)
    floor = vc.shapes.HalfSpace((0, 0, 1))
    system.add(vc.Contact("contact", balls, walls=[floor], impact=vc.Inelastic()))
    start = {balls: [(0.3 * k, 0, 0.15) for k in range(4)]}
    motion = vc.simulate(system, 0.3, start, method="moreau", step=2e-3, progress=False)
    assert np.allclose(motion.body(balls).positions[-1, :, 2], 0.1, atol=1e-6)


@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_ensembles_over_tables_are_single_runs(method):
    system, k = vc.System("net"), vc.parameter("k", 5.0)
    dots = system.add_many(vc.MassPoint("dot", 0.5), 210)
    over = np.stack([np.arange(209), np.arange(1, 210)], axis=1)
    system.add(vc.Bonds(vc.Spring("rope", dots, dots, stiffness=k, rest_length=0.1), over=over))
    x = np.stack([0.11 * np.arange(210), 0.01 * np.sin(np.arange(210)), np.zeros(210)], axis=1)
    stiffness, how = [1.0, 5.0, 20.0], {"method": method} | ({} if method == "dop853" else {"step": 0.01})
    q, v = np.tile(x.ravel(), (3, 1)), np.zeros((3, 630))
    runs = vc.ensemble(system, 0.3, (q, v), parameters={"k": stiffness}, grid=4, threads=2, **how)
    assert runs.q.shape == (3, 4, 630) and not runs.failed.any()
    for one, value in zip(runs.q, stiffness, strict=True):
        alone = vc.simulate(system, 0.3, {dots: x}, parameters={"k": value}, grid=4, progress=False, **how)
        assert np.abs(one - alone.q).max() < 1e-8


def test_an_ensemble_and_a_run_start_groups_and_bodies_that_are_given_as_objects(monkeypatch):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 10**9)
    system = vc.System("rope")
    dots = system.add_many(vc.MassPoint("dot", 0.5), 3)
    end = system.add(vc.MassPoint("end", 1.0))
    system.add(vc.Bonds(vc.Spring("rope", dots, dots, stiffness=5.0, rest_length=0.1), over=[(0, 1), (1, 2)]))
    x = np.array([(0.0, 0, 0), (0.2, 0.1, 0), (0.5, 0, 0.1)])
    many, rates = np.stack([x, 1.5 * x]), np.stack([0.1 * x, -x])
    how = {"method": "rk4", "step": 0.01, "grid": 3}
    runs = vc.ensemble(system, 0.1, {dots: vc.At(many, rate=rates), end: (1.0, 2.0, 3.0)}, **how)
    same = vc.ensemble(system, 0.1, {dots: x, "end": [(1.0, 2.0, 3.0), (0.0, 0.0, 0.0)]}, **how)
    for k in range(2):
        alone = vc.simulate(
            system, 0.1, {dots: vc.At(many[k], rate=rates[k]), end: (1.0, 2.0, 3.0)}, progress=False, **how
        )
        assert np.abs(runs.q[k] - alone.q).max() < 1e-12
        assert np.abs(same.q[k, 0, :9] - x.ravel()).max() == 0.0
    with pytest.raises(StartError, match="there are 2 rows of positions for 3 bodies"):
        vc.ensemble(system, 0.1, {dots: x[:2]}, **how)
    with pytest.raises(StartError, match="body 'dot 1' has two values"):
        vc.simulate(system, 0.1, {dots: x, dots[1]: (0, 0, 0)}, progress=False, **how)
