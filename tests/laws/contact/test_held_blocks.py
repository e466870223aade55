"""Blocks in contact with closed loops and constraints: conditions, momenta, energy, certificates that see mistakes, storage."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from held_blocks import FLOOR, HELD, add_ring, many_rings, mixed_and_held, random_and_held, struck_and_held
from linkages import pinned
from records import altered
from vinculum.integrators.blocks_in_contact import steps as step_code
from vinculum.integrators.blocks_in_contact.stepping import CLOSING
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import tabled_in


@pytest.fixture(autouse=True)
def everything_is_tabled(monkeypatch):
    """Systems of any size run over tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def run(system, until, start, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", progress=False, **options)


def moving(until: float = 0.2) -> vc.Motion:
    system, start = mixed_and_held()
    return run(system, until, start, step=1e-3, grid=21)


def broken_laws(motion: vc.Motion) -> set[str]:
    return {line.law for line in motion.audit().lines if line.verdict == "broken"}


def gaps_of(motion: vc.Motion) -> tuple[float, float]:
    """The largest value and rate of a condition at the ends of all steps, as they are recorded."""
    model, times = motion.record.model, np.asarray(motion.record.pieces.times)
    states = motion.record.pieces.state(times)
    rows = np.concatenate([states, times[:, None], np.tile(motion.record.values, (len(times), 1))], axis=1)
    found = model.tape("rates").groups(rows)
    return float(np.abs(found["gaps"]).max()), float(np.abs(found["gap_rates"]).max())


def test_loops_and_constraints_in_contact_are_certified_and_hold_to_round_off():
    motion = moving(0.3)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    laws = {line.law for line in certificate.lines}
    assert {"closed loops", "closed loops, rates", "constraints", "constraints, rates"} <= laws
    assert {"third law of reactions", "work of reactions", "momenta of all blocks"} <= laws
    assert max(gaps_of(motion)) < 1e-12
    # rows across the plane of the ring and of the linkage follow from others
    assert len(tabled_in(motion.record.model).left_out) == 6
    for name, rows in (("rod", (21,)), ("peg", (21, 3)), ("runners", (21,)), ("lifting", (21,))):
        assert motion.bond(name).multiplier.shape == rows
    assert np.isfinite(motion.joint("ring closing").reaction).all()


@pytest.mark.parametrize("seed", range(4))
def test_random_mixtures_on_a_floor_are_certified(seed):
    system, start = random_and_held(np.random.default_rng(seed))
    motion = run(system, 0.35, start, step=1e-3, grid=15)
    assert len(motion.bond("contact").impulses.normal) > 50
    assert motion.audit().passed, str(motion.audit())
    assert max(gaps_of(motion)) < 1e-12
    assert np.diff(motion.energy).max() < 1e-4 * np.ptp(motion.energy)


@pytest.mark.parametrize("seed", [0, 9])
def test_momenta_are_conserved_in_space_and_inelastic_contact_takes_energy(seed):
    """What removes penetration turns bodies, so that momenta are conserved to the order of the step."""
    system, start = random_and_held(np.random.default_rng(seed), free=True)
    drifts = []
    for h in (1e-3, 2.5e-4):
        motion = run(system, 0.4, start, step=h, tolerance=1e-8, grid=9)
        momentum = motion.body().momentum
        drifts.append(max(np.ptp(x, axis=0).max() / np.abs(x).max() for x in np.split(momentum, 2, axis=1)))
    assert len(motion.bond("contact").impulses.normal) > 0
    assert drifts[1] < 3e-3 and drifts[1] < 0.5 * drifts[0]
    assert np.diff(motion.energy).max() < 1e-4 * motion.energy[0] and motion.energy[-1] < motion.energy[0]


def without_answers(monkeypatch) -> None:
    """Conditions do not answer impulses within a step."""
    right = BlocksWork.__init__

    def wrong(self, model, values):
        right(self, model, values)
        self.tables.held.conditions.begins[:] = 0

    monkeypatch.setattr(BlocksWork, "__init__", wrong)


def changed_ends(monkeypatch, change) -> None:
    """What ``change(work, steps, taken)`` does to the end of every step."""
    right = BlocksWork.take

    def wrong(self, steps, settings, taken):
        status, done = right(self, steps, settings, taken)
        if done:
            change(self, steps, taken)
        return status, done

    monkeypatch.setattr(step_code, "SECONDS_PER_CHUNK", 0.0)
    monkeypatch.setattr(BlocksWork, "take", wrong)


def with_heavy_answers(monkeypatch) -> None:
    """Projections at the ends of steps take a tenth too much."""

    def change(work, steps, taken):
        taken.states[-1, work.tables.tabled.nq :] += 0.1 * work.tables.flight.room.changes[CLOSING]

    changed_ends(monkeypatch, change)


def without_closing(monkeypatch) -> None:
    """Coordinates are not brought back to their conditions."""

    def change(work, steps, taken):
        tables, nq = work.tables, work.tables.tabled.nq
        (q, v), h, middle = np.split(taken.states[-1].copy(), [nq]), steps.lengths[-1], taken.middles[-1]
        for _ in range(20):
            q = tables.on_charts(middle + 0.5 * h * tables.coordinate_rates(q, v, steps.t + h))
        taken.states[-1, :nq] = q

    changed_ends(monkeypatch, change)


@pytest.mark.parametrize(
    "wrong, laws",
    [
        (without_answers, {"contacts by their own scale", "momenta of all blocks", "constraints, rates"}),
        (with_heavy_answers, {"constraints, rates", "closed loops, rates"}),
        (without_closing, {"constraints", "closed loops"}),
    ],
    ids=["no answers", "too much", "left open"],
)
def test_steps_that_miss_conditions_break_a_law(monkeypatch, wrong, laws):
    with monkeypatch.context() as patched:
        wrong(patched)
        motion = moving()
    assert laws & broken_laws(motion), str(motion.audit())


def test_falsified_motions_are_not_certified():
    motion = moving()
    solver = motion.record.contact_solver
    rows = np.asarray(solver.pressing.rows).copy()
    rows[:, 9:] *= 1.001
    pushed = altered(motion, contact_solver=replace(solver, pressing=replace(solver.pressing, rows=rows)))
    assert "momenta of all blocks" in broken_laws(pushed)
    c = np.asarray(motion.record.pieces.coefficients).copy()
    name = motion.record.model.layout.q_names.index("ball 0.x")
    c[:, name, 0] += 1e-9
    opened = altered(motion, pieces=replace(motion.record.pieces, coefficients=c))
    assert "constraints" in broken_laws(opened)


def test_storage_keeps_conditions_and_what_was_left_out(tmp_path):
    system, start = mixed_and_held()
    motion = run(system, 0.1, start, step=1e-3, out=tmp_path / "run.zarr", grid=11)
    loaded = vc.load(tmp_path / "run.zarr")
    np.testing.assert_array_equal(loaded.q, motion.q)
    tabled = tabled_in(loaded.record.model)
    assert isinstance(loaded.record.model.type, BlocksInContactType)
    assert tabled.left_out == tabled_in(motion.record.model).left_out and len(tabled.conditions) > 4
    assert [line.residual for line in loaded.audit().lines] == pytest.approx(
        [line.residual for line in motion.audit().lines]
    )


def test_impulses_of_contacts_carry_the_weight_of_what_rods_join():
    """A pyramid of four balls on rods falls on one corner: ΣP − M g t is the change of momentum, though rods pass impulses on.

    Velocities are in the axes of balls that roll, so that it holds to the order of the step."""
    system = vc.System("pyramid", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(f"b{k}", vc.shapes.Sphere(0.05), density=1000)) for k in range(4)]
    places = np.array([(0, 0, 0.1), (0.3, 0, 0.2), (0, 0.3, 0.25), (0.1, 0.1, 0.5)])
    for k, j in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        length = float(np.linalg.norm(places[k] - places[j]))
        system.add(vc.constraints.distance(f"rod {k} {j}", balls[k], balls[j], length, **HELD))
    law = {"impact": vc.Inelastic(), "friction": vc.Coulomb(0.5)}
    system.add(vc.Contact("contact", balls, walls=[FLOOR], **law))
    motion = run(system, 0.6, {f"b{k}": tuple(x) for k, x in enumerate(places)}, step=1e-3, tolerance=1e-9)
    hits = motion.bond("contact").impulses
    mass, momentum = sum(float(ball.mass) for ball in balls), motion.body().momentum
    assert {"b0", "b1", "b2"} <= set(hits.shapes[:, 0])
    assert hits.normal.sum() - mass * 9.81 * 0.6 == pytest.approx(momentum[-1, 2] - momentum[0, 2], abs=1e-4)
    assert motion.audit().passed, str(motion.audit())


def test_a_contact_that_nothing_can_move_is_let_be():
    """Constraints hold one block on the floor and drive another along it; a ball still lands on the first."""
    system, start = sunk_block()
    motion = run(system, 0.25, start, step=1e-3, tolerance=1e-8)
    assert motion.body("ball").position[-1, 2] == pytest.approx(0.15, abs=1e-4)
    assert motion.body("slider").velocity[-1, 0] == pytest.approx(0.3, abs=1e-12)
    assert motion.audit().passed, str(motion.audit())


def sunk_block() -> tuple[vc.System, dict]:
    """A block that pins hold on the floor, one that is driven along it on a rail, and a ball above the first."""
    system = vc.System("pinned", gravity=(0, 0, -9.81))
    box = vc.shapes.Box((0.2, 0.2, 0.1))
    block = system.add(vc.RigidBody.solid("block", box, density=500))
    for k, p in enumerate(((0.1, 0, 0), (-0.1, 0, 0), (0, 0.1, 0))):
        where = tuple(np.add(p, (0, 0, 0.05)))
        held = vc.Constraint(
            f"pin {k}", [block, "ground"], position=lambda a, g, p=p, r=where: pinned(a, g, p=p, r=r), **HELD
        )
        system.add(held)
    slider = system.add(vc.RigidBody.solid("slider", box, density=500))
    system.add(vc.Prismatic("rail", "ground", slider, axis=(1, 0, 0), at=(1, 0, 0.05)))
    system.add(vc.Constraint("drive", [slider], position=lambda a, t: a.position[0] - 1.0 - 0.3 * t, **HELD))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.05), density=900))
    law = {"impact": vc.Inelastic(), "friction": vc.Coulomb(0.3)}
    system.add(vc.Contact("contact", [block, slider, ball], walls=[FLOOR], **law))
    return system, {"block": (0, 0, 0.05), "rail": vc.At(0.0, rate=0.3), "ball": (0.02, 0.01, 0.2)}


def test_rods_of_one_body_that_closing_joints_connect_do_not_meet():
    """The first and the last rod of a ring overlap at the hinge that closes it, as its other neighbors do."""
    system = vc.System("ring", gravity=(0, 0, -9.81))
    rods, _ = add_ring(system, "ring", 4, 0.2)
    system.add(vc.Contact("floor", rods, walls=[FLOOR], impact=vc.Inelastic()))
    shapes = model_for(system).type.shapes  # type: ignore[attr-defined]
    pairs = {(i, j): int(shapes.law_of(np.array([i]), np.array([j]))[0]) for i in range(4) for j in range(i)}
    assert {pair for pair, law in pairs.items() if law >= 0} == {(2, 0), (3, 1)}


def test_rows_without_any_mobility_are_left_out():
    """The hinges of a ring let nothing move across its plane, so that three rows of the last one have only round-off."""
    system, start = many_rings(24)
    motion = run(system, 0.004, start, step=2e-3, grid=2)
    model = motion.record.model
    names = [tuple(model.layout.gaps[k]) for k in tabled_in(model).left_out]
    assert sorted(names) == sorted((f"ring {k} closing", row) for k in range(24) for row in ("z", "tilt x", "tilt y"))


def test_a_start_inside_the_floor_is_moved_out_on_its_conditions():
    system = vc.System("dumbbell", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(f"b{k}", vc.shapes.Sphere(0.05), density=1000)) for k in range(2)]
    system.add(vc.constraints.distance("rod", *balls, 0.3, **HELD))
    system.add(vc.Contact("contact", balls, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    start = {"b0": (0, 0, 0.03), "b1": (float(np.sqrt(0.3**2 - 0.03**2)), 0, 0.06)}
    motion = run(system, 0.05, start, step=1e-3, resolve=True)
    assert motion.body("b0").position[0, 2] >= 0.05 - 1e-6
    assert max(gaps_of(motion)) < 1e-12


def test_a_position_that_becomes_singular_stops_a_run_and_is_told():
    """A point on a rod that is lifted until the rod is upright, where both conditions ask for the same."""
    system = vc.System("upright", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("p", 1.0, shape=vc.shapes.Sphere(0.02)))
    system.add(vc.constraints.distance("rod", point, "ground", 1.0, **HELD))
    system.add(vc.Constraint("lift", [point], position=lambda a, t: a.position[2] - 0.9 - 0.5 * t, **HELD))
    system.add(vc.Contact("contact", [point], walls=[FLOOR], impact=vc.Inelastic()))
    x = float(np.sqrt(1 - 0.9**2))
    with pytest.raises(vc.errors.RunError, match="did not converge") as stopped:
        run(system, 0.3, {"p": vc.At((x, 0, 0.9), rate=(-0.9 * 0.5 / x, 0, 0.5))}, step=1e-3)
    assert stopped.value.motion is not None
    assert stopped.value.motion.time[-1] == pytest.approx(0.2, abs=5e-3)


def test_impulses_between_steps_are_certified_stored_and_missed(tmp_path):
    """A step ends at every impulse; one that is missing, too strong, or answered by half of the masses is found."""
    system, start = struck_and_held()
    motion = run(system, 0.13, start, step=1e-3, grid=14, out=tmp_path / "run.zarr")
    assert {0.0, 0.0503, 0.06, 0.1, 0.12} <= set(np.asarray(motion.record.pieces.times).tolist())
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert {"impulses as given", "velocities after impulses"} <= {line.law for line in certificate.lines}
    assert max(gaps_of(motion)) < 1e-12
    assert str(vc.load(tmp_path / "run.zarr").audit()) == str(certificate)
    atoms = motion.record.atoms
    stronger = altered(motion, atoms=replace(atoms, given=1.01 * atoms.given))
    assert {"impulses as given", "velocities after impulses"} <= broken_laws(stronger)
    assert "impulses as given" in broken_laws(altered(motion, atoms=atoms.until(0.1)))


@pytest.mark.slow
def test_many_rings_that_fall_on_a_floor_are_certified():
    system, start = many_rings(72)
    assert system.tree().nv > 600
    motion = run(system, 0.5, start, step=2e-3)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    assert len(motion.bond("contact").impulses.normal) > 1000
    assert motion.audit().passed, str(motion.audit())
    assert max(gaps_of(motion)) < 1e-12
