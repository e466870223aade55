"""What holds among thousands of bodies in contact: laws by pair of materials, stops of joints and unilateral constraints, warm starts, and
runs that go to disk."""

import cProfile
import pstats
from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from blocks_in_contact import over_tables
from mixtures import mixture
from records import altered
from sameness import same_certificate
from vinculum.contact.free_bodies.closings import PLAIN
from vinculum.contact.sparse.arrays import Settings
from vinculum.integrators.blocks_in_contact.located import BlocksStepper
from vinculum.integrators.blocks_in_contact.step import DONE, SWEEPS
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.model_cache import model_for
from vinculum.systems import start_state
from vinculum.tolerances.time_stepping import FREE_BODIES_SWEEPS

FLOOR, G, R = vc.shapes.HalfSpace((0, 0, 1)), 9.81, 0.05


def run(system, until, start, step=1e-3, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", step=step, progress=False, **options)


def test_laws_are_those_of_a_pair_of_materials_among_thousands_of_bodies():
    """Steel and rubber balls in pairs that approach each other: e of a pair is that of its two materials."""
    ratios, system = {"steel": 0.8, "rubber": 0.0, "mixed": 0.4}, vc.System("materials")
    balls = {
        name: [system.add(vc.RigidBody.solid(f"{name} {k}", vc.shapes.Sphere(R), density=900)) for k in range(1002)]
        for name in ("steel", "rubber")
    }
    for name, own in balls.items():
        system.add(vc.Contact(name, own, impact=vc.Newton(ratios[name])))
    system.add(vc.Contact("mixed", balls["steel"], against=balls["rubber"], impact=vc.Newton(ratios["mixed"])))
    pairs = [(f"{one} {k}", f"{one} {k + 1}", one) for one in balls for k in range(0, 668, 2)]
    pairs += [(f"steel {k}", f"rubber {k}", "mixed") for k in range(668, 1002)]
    start = {}
    for k, (one, other, _) in enumerate(pairs):
        x = np.array([k % 40, k // 40, 0.0]) * 10 * R
        start |= {
            one: vc.At(tuple(x), rate=(1.0, 0, 0, 0, 0, 0)),
            other: vc.At(tuple(x + (2 * R + 0.0025, 0, 0)), rate=(-1.0, *5 * (0,))),
        }
    motion = run(system, 0.006, start, tolerance=1e-9)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    for one, other, law in pairs:
        apart = motion.body(other).velocity[-1] - motion.body(one).velocity[-1]
        np.testing.assert_allclose(apart, (2.0 * ratios[law], 0, 0), atol=1e-7)
    assert len(motion.bond("mixed").impulses) == 334
    assert motion.audit().passed, str(motion.audit())


def rods(count: int, ratios) -> tuple[vc.System, dict]:
    """Rods on hinges above their lower stops, feet above a plane as unilateral constraints, and a few balls that meet the floor."""
    system, start = vc.System("rods", gravity=(0, 0, -G)), {}
    for k in range(count):
        rod = system.add(vc.RigidBody.solid(f"rod {k}", vc.shapes.Box((0.4, 0.04, 0.04)), density=800, at=(0.22, 0, 0)))
        limits = vc.constraints.Limits(lower=0.0, impact=ratios[k % 2])
        system.add(vc.Revolute(f"hinge {k}", "ground", rod, axis=(0, -1, 0), at=(0, 0.2 * k, 1.0), limits=limits))
        start[f"hinge {k}"] = 0.1
    balls = [system.add(vc.RigidBody.solid(f"ball {k}", vc.shapes.Sphere(R), density=900)) for k in range(4)]
    for k, ball in enumerate(balls):
        start[ball.name] = (-1.0, 0.3 * k, R + 0.01)
        if k % 2:
            system.add(vc.Unilateral.on_plane(f"foot {k}", ball, (0, 0, -R), impact=0.5, friction=0.3))
    system.add(vc.Contact("floor", balls[::2], walls=[FLOOR], impact=vc.Newton(0.5), friction=vc.Coulomb(0.3)))
    return system, start


def test_stops_and_unilateral_constraints_hold_in_systems_of_more_than_600_velocities():
    """A rod that falls on its stop from θ₀ rises to e² sin θ₀ = sin θ₁; a foot bounces as the ball next to it does by its shape."""
    ratios = 0.0, 0.5
    system, start = rods(600, ratios)
    motion = run(system, 0.28, start, tolerance=1e-8)
    assert isinstance(motion.record.model.type, BlocksInContactType) and motion.record.model.nv == 624
    for k in (0, 1, 298, 299, 598, 599):
        theta, stop = np.ravel(motion.joint(f"hinge {k}").q), motion.bond(f"hinge {k} lower stop")
        first = stop.impulses.times[0]
        assert theta.min() > -1e-3 and stop.gap.min() == theta.min()
        expected = ratios[k % 2] ** 2 * np.sin(0.1)
        assert np.sin(theta[motion.time > first + 0.01].max()) == pytest.approx(expected, rel=0.05, abs=2e-4)
    heights = [motion.body(f"ball {k}").position[:, 2] for k in range(4)]
    np.testing.assert_allclose(heights[1], heights[0], atol=1e-6)
    assert motion.audit().passed, str(motion.audit())
    solver = motion.record.contact_solver
    rows = np.array(solver.pressing.rows)
    feet = rows[:, 1] >= len(motion.record.model.layout.shapes)
    rows[feet, 10:12] += 0.5 * rows[feet, 9:10]
    slipping = altered(motion, contact_solver=replace(solver, pressing=replace(solver.pressing, rows=rows)))
    assert "impulses of unilateral constraints in their cones" in broken(slipping.audit())


def test_steps_begin_with_the_impulses_of_the_steps_before_and_need_fewer_sweeps(monkeypatch):
    """The same steps of balls that settle in a bowl, with and without what the step before leaves."""
    over_tables(monkeypatch)
    system = vc.System("heap", gravity=(0, 0, -G))
    balls = [system.add(vc.RigidBody.solid(f"ball {k}", vc.shapes.Sphere(R), density=900)) for k in range(27)]
    stop = vc.constraints.Limits(upper=0.12)
    lid = system.add(vc.RigidBody.solid("lid", vc.shapes.Box((0.4, 0.4, 0.02)), density=3000))
    system.add(vc.Prismatic("slide", "ground", lid, axis=(0, 0, -1), at=(0, 0, 0.5), limits=stop))
    walls = [FLOOR, *(vc.shapes.HalfSpace((x, y, 0.6), -0.15) for x, y in ((0.8, 0), (-0.8, 0), (0, 0.8), (0, -0.8)))]
    system.add(vc.Contact("heap", [*balls, lid], walls=walls, impact=vc.Inelastic(), friction=vc.Coulomb(0.4)))
    places = {f"ball {k}": (0.101 * (k % 3 - 1), 0.101 * (k // 3 % 3 - 1), 0.07 + 0.101 * (k // 9)) for k in range(27)}
    model, h = model_for(system), 1e-3
    state = np.concatenate(start_state(system.tree(), places | {"slide": 0.1}))

    def sweeps(forget: bool) -> float:
        work = BlocksWork(model, np.zeros(0))
        stepper, counts = BlocksStepper(work, Settings(1e-8, FREE_BODIES_SWEEPS), h), []
        stepper.at(0, state)
        for k in range(150):
            if forget:
                work.contacts.forget_impulses()
            work.begin()
            status, made = stepper.take_all(k * h, np.array([h]), h, PLAIN)
            assert status == DONE
            counts.append(made.reports[0, SWEEPS])
        assert work.tables.held.unilaterals.last.any()
        return float(np.sum(counts[75:]))

    warm, cold = sweeps(False), sweeps(True)
    assert warm < 0.7 * cold


def test_mixtures_that_go_to_disk_are_those_in_memory(monkeypatch, tmp_path):
    over_tables(monkeypatch)
    system, start = mixture(4, parts=9, bonds=6, struck=True, stops=True, bounds=6)
    options = {"step": 1e-3, "grid": 7}
    kept, streamed = run(system, 0.15, start, **options), run(system, 0.15, start, **options, out=tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    for motion in (streamed, loaded):
        np.testing.assert_array_equal(motion.q, kept.q)
        for name in (*system.contacts, *system.unilaterals):
            np.testing.assert_array_equal(motion.bond(name).impulses.times, kept.bond(name).impulses.times)
            np.testing.assert_array_equal(motion.bond(name).impulses.normal, kept.bond(name).impulses.normal)
        same_certificate(motion.audit(), kept.audit())


def test_describing_a_body_and_a_row_of_bonds_more_takes_few_calls():
    """Ten and twenty thousand bodies: what is alike is looked at once, so a body and its bond take a few calls of Python functions."""

    def calls(count: int) -> int:
        profile = cProfile.Profile()
        profile.enable()
        system = vc.System("many", gravity=(0, 0, -G))
        group = system.add_many(vc.RigidBody.solid("ball", vc.shapes.Sphere(R), density=900), count)
        rows = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
        system.add(vc.Bonds(vc.Spring("spring", group, group, stiffness=10.0, rest_length=0.2), over=rows))
        system.tree()
        profile.disable()
        return pstats.Stats(profile).total_calls  # type: ignore[attr-defined]

    calls(100)
    few, many = calls(10_000), calls(20_000)
    assert (many - few) / 10_000 < 200
