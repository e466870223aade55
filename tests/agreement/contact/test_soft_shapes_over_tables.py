"""Soft shapes that meet over tables: the impulse of their points, the same motion as written out, certificates and files."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from records import altered
from vinculum.integrators.blocks_in_contact import flights
from vinculum.integrators.blocks_in_contact.damping import multiply
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact import type as blocks_type
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.model_cache import model_for, stepping_model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.written_out.type import WrittenOutType

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


@pytest.fixture
def tabled(monkeypatch):
    """Systems of any size run over tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def test_soft_balls_over_tables_exchange_the_impulse_of_their_points(tabled):
    # each material point of contact has the inverse mass 6/m
    system = vc.System("balls")
    energy = vc.energies.NeoHookean(4e-3, 100.0)
    balls = [
        system.add(vc.AffineBody.solid(name, vc.shapes.Sphere(0.1), mass=1.5, energy=energy))
        for name in ("left", "right")
    ]
    system.add(vc.Contact("hit", balls, impact=0.5, friction=0.3))
    start = {
        "left": vc.At((-0.115, 0, 0), ((1.0, 0, 0), np.zeros((3, 3)))),
        "right": vc.At((0.115, 0, 0), ((-2.0, 0, 0), np.zeros((3, 3)))),
    }
    motion = vc.simulate(system, 0.013, start, method="moreau", step=1e-4, progress=False)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    hits = motion.bond("hit").impulses
    assert hits.times[0] == pytest.approx(0.03 / 3.0, abs=1e-4)
    # it acts in the middle of the gap, which is at most as wide as the way of a step
    assert hits.normal[0] == pytest.approx(1.5 * 3.0 * 1.5 / 12.0, rel=3.0 * 1e-4 / 0.1)
    assert motion.audit().passed, str(motion.audit())


def heap():
    """Two soft cubes and a stone above a floor, the upper cube turned and sheared, and how they start."""
    system = vc.System("heap", gravity=(0, 0, -9.81))
    jelly = {
        "energy": vc.energies.NeoHookean(0.064, 1500.0, 3000.0),
        "dissipation": vc.energies.NewtonianViscosity(0.064, 8.0),
    }
    bodies = [
        system.add(vc.AffineBody.solid(name, vc.shapes.Box((0.4, 0.4, 0.4)), mass=2.0, **jelly))
        for name in ("low", "high")
    ]
    bodies.append(system.add(vc.RigidBody.solid("stone", vc.shapes.Box((0.2, 0.2, 0.2)), mass=1.0)))
    system.add(vc.Contact("touch", bodies, walls=FLOOR, impact="inelastic", friction=0.5))
    sheared = np.array([[0.95, -0.2, 0.0], [0.2, 1.0, 0.1], [0.0, 0.05, 1.02]])
    start = {
        "low": (0, 0, 0.205),
        "high": vc.At(((0.05, 0.02, 0.66), sheared), ((0, 0, -1.0), np.zeros((3, 3)))),
        "stone": vc.At((0.1, 0, 1.05), (0, 0, -1.0, 0, 1.0, 0)),
    }
    return system, start


def run(h, until=0.06):
    system, start = heap()
    return vc.simulate(system, until, start, method="moreau", step=h, grid=4, progress=False)


def corners(motion):
    """Corners (k, 24, 3) of the two cubes and the stone."""
    half = {"low": 0.2, "high": 0.2, "stone": 0.1}
    places = [(name, np.array(sign) * a) for name, a in half.items() for sign in product((-1.0, 1.0), repeat=3)]
    return np.stack([motion.body(name).point(at).position for name, at in places], axis=1)


def test_soft_cubes_over_tables_move_as_written_out(monkeypatch):
    """Smooth motions differ by terms of second order; hits are up to a step apart, at 1 m/s."""
    steps, apart = (1e-3, 2.5e-4), []
    assert isinstance(model_for(heap()[0]).type, WrittenOutType)
    known = [corners(run(h)) for h in steps]
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    for h, other in zip(steps, known, strict=True):
        motion = run(h)
        assert isinstance(motion.record.model.type, BlocksInContactType)
        apart.append(np.linalg.norm(corners(motion) - other, axis=2).max(axis=1))
        assert apart[-1].max() < 1.0 * h
        pairs = {tuple(sorted(pair)) for pair in motion.bond("touch").impulses.shapes}
        assert {("high", "low"), ("low", "wall 1")} <= pairs
    assert 12.0 < apart[0][1] / apart[1][1] < 20.0


def row_of_cubes(count, rigid=0):
    """Soft cubes and rigid ones with hinged rods above a floor, side by side."""
    system = vc.System("row", gravity=(0, 0, -9.81))
    energy = vc.energies.NeoHookean(0.064, 1500.0, 3000.0)
    box = vc.shapes.Box((0.4, 0.4, 0.4))
    bodies = [system.add(vc.AffineBody.solid(f"soft {k}", box, mass=2.0, energy=energy)) for k in range(count)]
    bodies += [system.add(vc.RigidBody.solid(f"hard {k}", box, mass=2.0)) for k in range(rigid)]
    if rigid:
        system.add(vc.RigidBody("rod", 0.1, inertia=(0.01, 0.01, 0.01)))
        system.add(vc.Revolute("hinge", "ground", "rod", axis=(0, 1, 0), at=vc.Pose((0, 5, 2)), to=(0, 0, 0.3)))
    system.add(vc.Contact("touch", bodies, walls=FLOOR, impact="inelastic", friction=0.5))
    return system, {body.name: (0.5 * k, 0, 0.2) for k, body in enumerate(bodies)}


@pytest.mark.parametrize("system, over", [(row_of_cubes(3), False), (row_of_cubes(4), True), (row_of_cubes(0, 5), False),
                                          (row_of_cubes(0, 7), True)])  # fmt: skip
def test_time_steps_run_over_tables_from_some_velocities_on_and_equations_stay_written_out(system, over):
    types = stepping_model_for(system[0]).type, model_for(system[0]).type
    assert isinstance(types[0], BlocksInContactType if over else WrittenOutType)
    assert isinstance(types[1], WrittenOutType)


def test_steps_of_four_soft_cubes_are_the_same_in_both_forms_to_second_order(monkeypatch):
    system, start = row_of_cubes(4)
    h = 5e-4
    start["soft 3"] = vc.At((start["soft 3"], np.eye(3)), ((0.2, 0.1, 0), np.zeros((3, 3))))
    options = {"method": "moreau", "step": h, "grid": 4, "progress": False}
    ours = vc.simulate(system, 0.03, start, **options)
    assert isinstance(ours.record.model.type, BlocksInContactType)
    assert ours.audit().passed, str(ours.audit())
    by_theta = vc.simulate(row_of_cubes(4)[0], 0.03, start, theta=0.5, **options)
    assert isinstance(by_theta.record.model.type, WrittenOutType)
    monkeypatch.setattr(blocks_type, "FEWEST_VELOCITIES_OVER_TABLES", 10**9)
    known = vc.simulate(row_of_cubes(4)[0], 0.03, start, **options)
    assert isinstance(known.record.model.type, WrittenOutType)
    for k in range(4):
        for other in (known, by_theta):
            apart = ours.body(f"soft {k}").affine.deformation - other.body(f"soft {k}").affine.deformation
            assert np.abs(apart).max() < 40.0 * h**2, k  # all stay on the floor, and one slides


def with_states(motion, chosen):
    """The motion with a thousandth more of some numbers of its states."""
    pieces = motion.record.pieces
    coefficients = np.asarray(pieces.coefficients).copy()
    coefficients[:, chosen] *= 1.001
    return altered(motion, pieces=replace(pieces, coefficients=coefficients))


def test_soft_cubes_over_tables_break_no_law_and_falsified_ones_do(tabled, tmp_path):
    motion = run(1e-3, until=0.04)
    assert motion.audit().passed, str(motion.audit())
    motion.save(tmp_path / "heap.zarr")
    again = vc.load(tmp_path / "heap.zarr")
    assert np.array_equal(again.body("high").affine.deformation, motion.body("high").affine.deformation)
    assert again.audit().passed
    solver = motion.record.contact_solver
    rows = np.asarray(solver.pressing.rows).copy()
    rows[:, 9:] *= 1.001
    pushed = altered(motion, contact_solver=replace(solver, pressing=replace(solver.pressing, rows=rows)))
    assert broken(pushed.audit()) == {"momenta of all blocks", "energy balance"}
    nq = motion.record.model.nq
    for chosen in (slice(3, 12), slice(15, 24), slice(nq, None), slice(nq + 3, nq + 12)):
        assert {"momenta of all blocks", "rates q' = N v"} <= broken(with_states(motion, chosen).audit()), chosen


def test_flat_bodies_without_shapes_fall_next_to_soft_ones_that_meet(tabled):
    system = vc.System("mixed", gravity=(0, 0, -9.81))
    ball = system.add(
        vc.AffineBody.solid("ball", vc.shapes.Sphere(0.1), mass=1.0, energy=vc.energies.NeoHookean(4e-3, 2000.0))
    )
    system.add(vc.AffineBody("sheet", 0.5, (0.01, 0.02), energy=vc.energies.NeoHookean(0.1, 2.0, 1.0), dimension=2))
    system.add(vc.Contact("touch", [ball], walls=FLOOR, impact="inelastic", friction=0.3))
    start = {"ball": vc.At((0, 0, 0.1), ((0.5, 0, 0), np.zeros((3, 3)))), "sheet": (0, 0, 3.0)}
    motion = vc.simulate(system, 0.02, start, method="moreau", step=1e-3, progress=False)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    assert motion.body("sheet").position[-1, 2] == pytest.approx(3.0 - 0.5 * 9.81 * 0.02**2, abs=1e-12)
    assert motion.audit().passed, str(motion.audit())


def test_a_flattened_ball_that_goes_through_another_is_seen_though_its_way_is_shorter_than_its_radius(tabled):
    system = vc.System("balls")
    balls = [
        system.add(vc.AffineBody.solid(name, vc.shapes.Sphere(0.1), mass=1.5, energy=vc.energies.NeoHookean(4e-3, 1.0)))
        for name in ("left", "right")
    ]
    system.add(vc.Contact("hit", balls, impact="inelastic"))
    flat = np.diag([0.1, 1.0, 1.0])
    start = {"left": ((-0.03, 0, 0), flat), "right": ((0, 0, 0), flat)}
    motion = vc.simulate(system, 1e-4, start, method="moreau", step=1e-5, grid=3, progress=False)
    assert broken(motion.audit()) == set()
    moved = motion.q.copy()
    moved[1:, 0] = 0.03
    lines = {line.law: line for line in motion.replace(q=moved).audit().lines}
    assert "'left' through 'right'" in lines["nothing goes through others"].detail


def test_forces_of_a_dissipation_answer_a_change_of_velocities_as_their_differences_say(tabled):
    """(1 − ½ h A) u, with A from differences of accelerations, which are linear in the velocities of viscous bodies."""
    system, _ = heap()
    model, h, rng = model_for(system), 1e-3, np.random.default_rng(1)
    tables = BlocksWork(model, np.zeros(0)).tables
    q = np.concatenate([(0, 0, 0.3), np.eye(3).ravel() + 0.05 * rng.normal(size=9)] * 2 + [(0, 0, 2.0, 1, 0, 0, 0)])
    v, u = (np.concatenate([rng.normal(size=24), np.zeros(6)]) for _ in range(2))
    flights.write_damping(tables.flight, q, v, 0.0, h)
    answer = 0.5 * h * (tables.accelerations(q, v + u, 0.0) - tables.accelerations(q, v, 0.0))
    assert np.abs(answer).max() > 1e-3
    damped, without, again = tables.flight.damped, u.copy(), u - answer
    multiply(damped, damped.factors, without)
    multiply(damped, damped.inverses, again)
    np.testing.assert_allclose(without, u - answer, atol=1e-12)
    np.testing.assert_allclose(again, u, atol=1e-12)


def test_many_soft_bodies_in_contact_need_an_energy(tabled):
    system, _ = heap()
    system.add(vc.Spring("tie", "low", "high", 3.0))
    assert isinstance(model_for(system).type, BlocksInContactType)
    large = vc.System("large", gravity=(0, 0, -9.81))
    cubes = [large.add(vc.AffineBody.solid(f"cube {i}", vc.shapes.Box((0.1,) * 3), mass=1.0)) for i in range(60)]
    large.add(vc.Contact("touch", cubes, walls=FLOOR, impact="inelastic"))
    with pytest.raises(vc.errors.ModelError, match="deform without an energy that keeps them from being crushed"):
        large.tree()
