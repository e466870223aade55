"""Blocks in contact over tables: momentum, energy, certificates that see mistakes, storage, events, laws by pairs."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from blocks_in_contact import FLOOR, heap, mixed
from records import altered
from vinculum.integrators.blocks_in_contact import steps as step_code
from vinculum.integrators.blocks_in_contact.arrays import Search
from vinculum.integrators.blocks_in_contact.fixed_points import next_iterate
from vinculum.integrators.blocks_in_contact.step import MISSED
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact.type import BlocksInContactType, block_shapes_of
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.motion.impulses.pressing import PressingContacts


@pytest.fixture(autouse=True)
def everything_is_tabled(monkeypatch):
    """Systems of any size run over tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def run(system, until, start, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", progress=False, **options)


def moving() -> vc.Motion:
    system, start = mixed()
    return run(system, 0.3, start, step=1e-3, grid=31)


def broken_laws(motion: vc.Motion) -> set[str]:
    return {line.law for line in motion.audit().lines if line.verdict == "broken"}


def test_a_mixed_system_is_certified():
    certificate = moving().audit()
    assert certificate.passed, str(certificate)
    laws = {line.law for line in certificate.lines}
    assert {
        "no penetration",
        "momenta of all blocks",
        "contacts by their own scale",
        "impulses in the cone of friction",
    } <= laws
    assert {"power of potentials", "rates q' = N v", "laws of contact and friction"} <= laws


def test_a_record_that_is_no_number_breaks_its_line():
    motion = moving()
    solver = motion.record.contact_solver
    unknown = altered(motion, contact_solver=replace(solver, moved=np.full(len(solver), np.nan)))
    assert "rates q' = N v" in broken_laws(unknown)


def scaled_velocities(motion: vc.Motion, factor: float) -> vc.Motion:
    """The same steps and impulses with other velocities."""
    pieces, nq = motion.record.pieces, motion.record.model.nq
    coefficients = np.array(pieces.coefficients)
    coefficients[:, nq:] *= factor
    return altered(motion, pieces=replace(pieces, coefficients=coefficients))


def test_the_energy_of_a_run_is_the_work_of_forces_and_contacts():
    motion = moving()
    (line,) = [one for one in motion.audit().lines if one.law == "energy balance"]
    assert line.verdict == "holds" and line.residual < 1e-9
    for factor in (1.001, 0.999):
        assert "energy balance" in broken_laws(scaled_velocities(motion, factor))
    solver = motion.record.contact_solver
    rows = np.array(solver.pressing.rows)
    rows[:, 9:12] *= 1.001
    assert "energy balance" in broken_laws(
        altered(motion, contact_solver=replace(solver, pressing=PressingContacts(rows)))
    )


def test_the_work_of_contacts_is_what_bodies_lose():
    """Two routes: heat of friction and of an inelastic impact in closed form."""
    system = vc.System("slide", gravity=(0, 0, -9.81))
    block = system.add(vc.RigidBody.solid("block", vc.shapes.Box((0.2, 0.2, 0.1)), density=500))
    system.add(vc.Spring("thread", block, "ground", stiffness=1e-12, rest_length=0.0))
    system.add(vc.Contact("floor", [block], walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    motion = run(system, 0.2, {"block": vc.At((0, 0, 0.05), rate=(1.0, 0, 0, 0, 0, 0))}, step=1e-3)
    (line,) = [one for one in motion.audit().lines if one.law == "energy balance"]
    lost = 0.5 * 2.0 * (1.0 - (1.0 - 0.3 * 9.81 * 0.2) ** 2)
    assert f"{-lost:.3g} J" in line.reason


def wrong_shapes(monkeypatch, changed) -> vc.Motion:
    """A motion whose steps were taken with other shapes and laws than those of its model."""
    right = BlocksWork.__init__

    def wrong(self, model, values):
        right(self, replace(model, type=replace(model.type, shapes=changed(model.type.shapes))), values)

    with monkeypatch.context() as patched:
        patched.setattr(BlocksWork, "__init__", wrong)
        return moving()


@pytest.mark.parametrize(
    "changed, law",
    [
        (lambda s: replace(s, laws=s.laws * (1, 0.9, 1, 1)), "contacts by their own scale"),
        (lambda s: replace(s, laws=s.laws * (1, 1.1, 1, 1)), "impulses in the cone of friction"),
        (lambda s: replace(s, laws=s.laws * (0, 1, 1, 1)), "contacts by their own scale"),
        (lambda s: replace(s, sizes=0.97 * s.sizes, reaches=0.97 * s.reaches), "no penetration"),
        (lambda s: replace(s, carried=s.carried & (np.arange(s.carried.shape[1]) != 4)), "momenta of all blocks"),
    ],
    ids=["less friction", "more friction", "no restitution", "smaller shapes", "a velocity that contacts do not see"],
)
def test_steps_with_wrong_numbers_break_a_law(monkeypatch, changed, law):
    assert law in broken_laws(wrong_shapes(monkeypatch, changed))


def test_steps_that_are_taken_in_halves_are_certified(monkeypatch):
    """The target of a gap counts on the next step as it was meant, also if that is then halved again."""
    right = BlocksWork.take

    def missing(self, steps, settings, taken):
        (h,), (cell, part) = steps.lengths, divmod(steps.t / 1e-3 + 1e-6, 1.0)
        if cell % 2 and (h > 0.9e-3 or (h > 0.4e-3 and part > 0.4)):
            return MISSED, 0
        return right(self, steps, settings, taken)

    with monkeypatch.context() as patched:
        patched.setattr(step_code, "SECONDS_PER_CHUNK", 0.0)
        patched.setattr(BlocksWork, "take", missing)
        motion = moving()
    assert {0.25e-3, 0.5e-3, 1e-3} == set(np.diff(np.asarray(motion.record.pieces.times)).round(6).tolist())
    assert motion.audit().passed, str(motion.audit())


def test_falsified_motions_are_not_certified():
    motion = moving()
    solver = motion.record.contact_solver
    rows = np.asarray(solver.pressing.rows).copy()
    rows[:, 9:] *= 1.001
    pushed = altered(motion, contact_solver=replace(solver, pressing=replace(solver.pressing, rows=rows)))
    assert "momenta of all blocks" in broken_laws(pushed)
    assert not motion.replace(v=1.01 * motion.v).audit().passed
    other, _ = mixed(springs=False)
    assert motion.audit().passed and isinstance(model_for(other).type, BlocksInContactType)


def test_momenta_are_conserved_without_walls_and_inelastic_contact_takes_energy():
    """Chains, a pair on a spring and free bodies that meet in space, with damped joints."""
    rng = np.random.default_rng(3)
    system = vc.System("space")
    bodies = []
    for k in range(3):
        root = system.add(vc.RigidBody.solid(f"root {k}", vc.shapes.Sphere(0.1), density=500))
        arm = system.add(vc.RigidBody.solid(f"arm {k}", vc.shapes.Capsule(0.04, 0.2), density=700, at=(0, 0, -0.25)))
        system.add(vc.Revolute(f"joint {k}", root, arm, axis=rng.normal(size=3), damping=1e-3))
        bodies += [root, arm]
    bodies += [
        system.add(vc.RigidBody.solid(f"box {k}", vc.shapes.Box((0.1, 0.12, 0.14)), density=600)) for k in range(3)
    ]
    system.add(vc.Spring("spring", bodies[0], bodies[-1], stiffness=15.0, rest_length=0.3, damping=0.1))
    system.add(vc.Contact("contact", bodies, impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    start = {}
    for k in range(3):
        start[f"root {k}"] = vc.At((0.5 * k, 0, 0), rate=(0.6 * (1 - k), 0.1 * rng.normal(), 0, *rng.normal(size=3)))
        start[f"box {k}"] = vc.At((0.5 * k, 0.3, 0), rate=(0, -0.6, 0, *rng.normal(size=3)))
    drifts = []
    for h in (1e-3, 5e-4):
        motion = run(system, 0.6, start, step=h, tolerance=1e-8, grid=25)
        momentum = motion.body().momentum
        drifts.append([np.ptp(x, axis=0).max() / np.abs(x).max() for x in np.split(momentum, 2, axis=1)])
    assert len(motion.bond("contact").impulses.normal) > 100
    # what removes penetration turns bodies, whose twists are in their own axes, so that momenta are conserved to first order there
    assert max(drifts[1]) < 2e-3
    assert all(fine < 0.65 * coarse for coarse, fine in zip(*drifts, strict=True))
    assert np.diff(motion.energy).max() < 1e-3 * motion.energy[0] and motion.energy[-1] < 0.98 * motion.energy[0]
    assert motion.audit().passed, str(motion.audit())


def test_laws_are_those_of_a_pair_of_materials():
    """Blocks of two materials on one slope: one sticks, the other slides with g (sin α − μ cos α)."""
    angle, slopes = 0.4, {}
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    slope = vc.shapes.HalfSpace(R[:, 2])
    system = vc.System("slope", gravity=(0, 0, -9.81))
    for name, mu in (("rubber", 0.9), ("ice", 0.05)):
        blocks = [
            system.add(vc.RigidBody.solid(f"{name} {k}", vc.shapes.Box((0.1, 0.1, 0.04)), density=900))
            for k in range(2)
        ]
        slopes[name] = system.add(
            vc.Contact(name, blocks, walls=[slope], impact=vc.Inelastic(), friction=vc.Coulomb(mu))
        )
    start = {
        f"{name} {k}": vc.Pose(R @ (0, 0.3 * k + y, 0.02), R)
        for name, y in (("rubber", 0), ("ice", 1))
        for k in range(2)
    }
    motion = run(system, 0.5, start, step=1e-3, tolerance=1e-9)
    gone = 0.5 * 9.81 * (s - 0.05 * c) * 0.5**2
    for k in range(2):
        way = motion.body(f"ice {k}").position[-1] - motion.body(f"ice {k}").position[0]
        assert way @ R[:, 0] == pytest.approx(gone, rel=1e-3)
        still = motion.body(f"rubber {k}").position[-1] - motion.body(f"rubber {k}").position[0]
        assert np.abs(still).max() < 1e-6
    hits = motion.bond("ice").impulses
    assert set(hits.shapes[:, 0]) == {"ice 0", "ice 1"}
    assert motion.audit().passed, str(motion.audit())


def test_a_block_on_a_spring_stays_where_friction_holds_it():
    """|k x| ≤ μ m g."""
    for pull, stays in ((0.9, True), (1.1, False)):
        system = vc.System("held", gravity=(0, 0, -9.81))
        block = system.add(vc.RigidBody.solid("block", vc.shapes.Box((0.1, 0.1, 0.05)), density=1000))
        mass, k, mu = 0.5, 200.0, 0.4
        system.add(vc.Spring("spring", block, "ground", stiffness=k, to=(0, 0, 0.025)))
        system.add(vc.Contact("floor", [block], walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(mu)))
        x = pull * mu * mass * 9.81 / k
        motion = run(system, 0.3, {"block": (x, 0, 0.025)}, step=1e-3, tolerance=1e-9)
        moved = np.abs(motion.body("block").position[:, 0] - x).max()
        assert (moved < 1e-7) if stays else (moved > 1e-4)


def test_mass_points_are_balls_that_do_not_turn():
    """A net of points falls on a floor: friction holds it, and points on a smooth slope slide as blocks do."""
    system = vc.System("net", gravity=(0, 0, -9.81))
    points = [system.add(vc.MassPoint(f"p{i}", 0.1, shape=vc.shapes.Sphere(0.02))) for i in range(6)]
    for i in range(5):
        system.add(vc.Spring(f"s{i}", points[i], points[i + 1], stiffness=50.0, rest_length=0.1, damping=0.2))
    slope = vc.shapes.HalfSpace((0.6, 0, 0.8))
    mu = 0.3
    system.add(vc.Contact("slope", points, walls=[slope], impact=vc.Inelastic(), friction=vc.Coulomb(mu)))
    places = {f"p{i}": (0.012, 0.1 * i, 0.016) for i in range(6)}
    motion = run(system, 0.4, places, step=1e-3, tolerance=1e-10)
    way = motion.body("p2").position[-1] - motion.body("p2").position[0]
    assert way @ (0.8, 0, -0.6) == pytest.approx(0.5 * 9.81 * (0.6 - mu * 0.8) * 0.4**2, rel=1e-3)
    assert motion.audit().passed, str(motion.audit())


def test_a_prescribed_pusher_moves_a_row_of_boxes_with_its_velocity():
    system = vc.System("row", gravity=(0, 0, -9.81))
    box, size = vc.shapes.Box((0.1, 0.1, 0.1)), 0.1
    boxes = [system.add(vc.RigidBody.solid(f"box {k}", box, density=300)) for k in range(3)]
    pusher = system.add(vc.PrescribedBody("pusher", position=lambda t: (-0.1 + 0.2 * t, 0, 0.05), shape=box))
    rough = {"impact": vc.Inelastic(), "friction": vc.Coulomb(0.3)}
    system.add(vc.Contact("floor", boxes, walls=[FLOOR], **rough))
    system.add(vc.Contact("push", [pusher], against=boxes, impact=vc.Inelastic()))
    motion = run(system, 0.5, {f"box {k}": (size * k, 0, 0.05) for k in range(3)}, step=1e-3, tolerance=1e-8)
    for k in range(3):
        assert motion.body(f"box {k}").velocity[-1, 0] == pytest.approx(0.2, abs=1e-4)
    pushes = motion.bond("push").impulses
    last = pushes.times > 0.4
    assert pushes.normal[last].sum() / 0.1 == pytest.approx(0.3 * 3 * 0.3 * 9.81, rel=2e-2)
    assert motion.audit().passed, str(motion.audit())


def test_storage_and_events(tmp_path):
    system, start = mixed()
    motion = run(system, 0.2, start, step=1e-3, out=tmp_path / "run.zarr", grid=11)
    loaded = vc.load(tmp_path / "run.zarr")
    np.testing.assert_array_equal(loaded.q, motion.q)
    assert isinstance(loaded.record.model.type, BlocksInContactType)
    assert [line.residual for line in loaded.audit().lines] == pytest.approx(
        [line.residual for line in motion.audit().lines]
    )
    one, other = (m.bond("rough").impulses for m in (motion, loaded))
    np.testing.assert_array_equal(one.normal, other.normal)
    stopped = run(
        system, 0.2, start, step=1e-3, events=[vc.Event("down", "ball", lambda b: b.position[2] - 0.08, stop=True)]
    )
    assert stopped.time[-1] < 0.2 and stopped.body("ball").position[-1, 2] == pytest.approx(0.08, abs=1e-6)


def test_parameters_reach_the_blocks():
    k = vc.parameter("k", 10.0)
    system = vc.System("s", gravity=(0, 0, -9.81))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.05), density=1000))
    system.add(vc.Spring("spring", ball, "ground", stiffness=k, to=(0, 0, 1.0)))
    system.add(vc.Contact("floor", [ball], walls=[FLOOR], impact=vc.Inelastic()))
    soft, hard = (run(system, 0.3, {"ball": (0, 0, 0.2)}, step=1e-3, parameters={"k": x}).q[-1, 2] for x in (1.0, 20.0))
    assert soft == pytest.approx(0.05, abs=1e-6) and hard > 0.1


def test_a_fixed_point_of_stiff_linear_forces_is_found_after_as_many_points_as_they_have_rates():
    """g(x) = A x + b with five different eigenvalues up to −1000: x = (1 − A)⁻¹ b."""
    rng = np.random.default_rng(0)
    turn, b = np.linalg.qr(rng.normal(size=(60, 60)))[0], rng.normal(size=60)
    A = turn @ np.diag([-1000.0, -300.0, -30.0, -5.0] + [-0.1] * 56) @ turn.T
    exact, x = np.linalg.solve(np.eye(60) - A, b), np.zeros(60)
    last, search, kept = np.zeros((2, 60)), Search(np.empty((8, 60)), np.empty((8, 60))), -1
    for _ in range(7):
        kept = next_iterate(kept, last, A @ x + b - x, search, x)
    assert np.abs(x - exact).max() < 1e-9 * np.abs(exact).max()


@pytest.mark.slow
def test_an_arm_and_springs_among_hundreds_of_balls_are_certified():
    names, places = heap(150)
    system = vc.System("heap", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.05), density=1000)) for name in names]
    arm = system.add(vc.RigidBody.solid("arm", vc.shapes.Capsule(0.05, 0.5), density=2000, at=(0, 0, -0.3)))
    system.add(vc.Revolute("hinge", "ground", arm, axis=(0, 1, 0), at=(-0.35, 0.3, 0.85)))
    for k in range(0, 140, 10):
        system.add(vc.Spring(f"spring {k}", balls[k], balls[k + 1], stiffness=200.0, rest_length=0.11, damping=0.2))
    walls = [
        FLOOR,
        *(
            vc.shapes.HalfSpace(n, d)
            for n, d in (((1, 0, 0), -0.05), ((-1, 0, 0), -0.75), ((0, 1, 0), -0.05), ((0, -1, 0), -0.75))
        ),
    ]
    system.add(vc.Contact("balls", balls, walls=walls, impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    system.add(vc.Contact("pushing", [arm], against=balls, impact=vc.Inelastic(), friction=vc.Coulomb(0.1)))
    assert system.tree().nv > 600
    motion = run(system, 0.4, places | {"hinge": vc.At(-1.0, rate=0.0)}, step=2e-3)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    assert block_shapes_of(motion.record.model).moving == 151
    assert motion.audit().passed, str(motion.audit())


def test_ensembles_of_systems_with_contact_are_single_runs(monkeypatch):
    """Blocks over tables, a tree that is written out, and free bodies: each run is that of `simulate`, in steps without located impacts."""

    def scene(kind: str):
        system = vc.System("s", gravity=(0, 0, -9.81))
        ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.05), density=1000))
        if kind != "free":
            system.add(vc.Spring("spring", ball, "ground", stiffness=3.0, to=(0, 0, 0.5)))
        system.add(vc.Contact("floor", [ball], walls=[FLOOR], impact=vc.Newton(0.5), friction=vc.Coulomb(0.3)))
        return system

    rates = np.array([(1.0, 0, 0, 0, 0, 0), (0, 0, -1.0, 0, 5.0, 0), (0.3, 0.3, 0, 0, 0, 0)])
    for kind, fewest, impacts in (("tables", 0, None), ("written", 10**9, None), ("free", 0, "stepped")):
        monkeypatch.setattr(tabled_type, "FEWEST_TABLED", fewest)
        system = scene(kind)
        start = {"ball": vc.At(np.tile((0.0, 0, 0.1), (3, 1)), rate=rates)}
        runs = vc.ensemble(system, 0.3, start, method="moreau", step=1e-3, grid=4, threads=2)
        for k in range(3):
            single = run(system, 0.3, {"ball": vc.At((0, 0, 0.1), rate=rates[k])}, step=1e-3, grid=4, impacts=impacts)
            np.testing.assert_allclose(runs.q[k], single.q, atol=1e-12, err_msg=kind)
    with pytest.raises(vc.errors.StartError, match=r"run 1: .*inside each other"):
        vc.ensemble(system, 0.1, {"ball": [(0, 0, 0.1), (0, 0, 0.01)]}, method="moreau", step=1e-3)
