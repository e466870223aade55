"""Moments against rolling and spinning over tables: closed forms, momenta, certificates that see mistakes, storage."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from held_blocks import FLOOR, random_and_held
from records import altered
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.tabled import type as tabled_type

DELTA, SIGMA, RADIUS = 5e-3, 8e-3, 0.1


@pytest.fixture(autouse=True)
def everything_is_tabled(monkeypatch):
    """Systems of any size run over tables."""
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)


def run(system, until, start, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", progress=False, **options)


def broken_laws(motion: vc.Motion) -> set[str]:
    return {line.law for line in motion.audit().lines if line.verdict == "broken"}


def balls() -> tuple[vc.System, dict]:
    """A ball that rolls, one that spins, one that is pulled too weakly to roll, and one that is pulled enough."""
    system = vc.System("balls", gravity=(0, 0, -9.81))
    law = {"impact": vc.Inelastic(), "friction": vc.Coulomb(0.4, rolling=DELTA, spinning=SIGMA)}
    names = ("rolls", "spins", "stays", "starts")
    bodies = {name: system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(RADIUS), mass=2.0)) for name in names}
    system.add(vc.Contact("floor", list(bodies.values()), walls=[FLOOR], **law))
    # a force F at the center rolls a ball if F r > δ m g
    for name, part in (("stays", 0.9), ("starts", 1.1)):
        force = part * DELTA * 2.0 * 9.81 / RADIUS
        system.add(vc.Force(f"on {name}", bodies[name], lambda b, f=force: vc.Wrench(force=(f, 0, 0))))
    start = {name: (0, k, RADIUS) for k, name in enumerate(names)}
    start["rolls"] = vc.At((0, 0, RADIUS), rate=(0.3, 0, 0, 0, 3.0, 0))
    start["spins"] = vc.At((0, 1, RADIUS), rate=(0, 0, 0, 0, 0, 10.0))
    return system, start


def test_balls_slow_down_and_start_as_their_moments_let_them():
    system, start = balls()
    motion = run(system, 1.0, start, step=1e-3, tolerance=1e-9, grid=[0.0, 0.25, 0.5, 1.0])
    assert isinstance(motion.record.model.type, BlocksInContactType)
    slowed = 5 / 7 * 9.81 * DELTA / RADIUS  # (I + m r²) ω' = −δ m g
    expected = np.maximum(0.3 - slowed * motion.time, 0.0)
    np.testing.assert_allclose(motion.body("rolls").velocity[:, 0], expected, atol=1e-3)
    spun = SIGMA * 9.81 / (0.4 * RADIUS**2)  # I ω' = −σ m g
    expected = np.maximum(10.0 - spun * motion.time, 0.0)
    np.testing.assert_allclose(motion.body("spins").angular_velocity[:, 2], expected, atol=2e-2)
    assert expected[-1] == 0.0
    assert np.abs(motion.body("stays").position[-1, 0]) < 1e-9
    assert motion.body("starts").velocity[-1, 0] == pytest.approx(0.1 * slowed, rel=1e-2)
    assert motion.audit().passed, str(motion.audit())
    moments = motion.bond("floor").impulses.moments
    assert np.abs(moments[:, 0]).max() == pytest.approx(SIGMA * 2.0 * 9.81e-3, rel=1e-3)
    assert np.linalg.norm(moments[:, 1:], axis=1).max() == pytest.approx(DELTA * 2.0 * 9.81e-3, rel=1e-3)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_mixtures_that_resist_rolling_are_certified(seed):
    system, start = random_and_held(np.random.default_rng(seed), rolling=3e-3, spinning=5e-3)
    motion = run(system, 0.35, start, step=1e-3, grid=15)
    assert np.abs(motion.bond("contact").impulses.moments).max() > 0.0
    assert motion.audit().passed, str(motion.audit())
    assert np.diff(motion.energy).max() < 1e-4 * np.ptp(motion.energy)


def test_moments_are_opposite_so_that_momenta_are_conserved():
    system, start = random_and_held(np.random.default_rng(17), free=True, rolling=3e-3, spinning=5e-3)
    drifts = []
    for h in (1e-3, 2.5e-4):
        motion = run(system, 0.4, start, step=h, tolerance=1e-8, grid=9)
        momentum = motion.body().momentum
        drifts.append(max(np.ptp(x, axis=0).max() / np.abs(x).max() for x in np.split(momentum, 2, axis=1)))
    assert np.abs(motion.bond("contact").impulses.moments).max() > 1e-6
    assert drifts[1] < 1e-3 and drifts[1] < 0.5 * drifts[0]


@pytest.mark.parametrize(
    "factor, law", [(0.9, "contacts by their own scale"), (1.1, "moments against rolling and spinning")]
)
def test_steps_with_wrong_lengths_break_a_law(monkeypatch, factor, law):
    right = BlocksWork.__init__

    def wrong(self, model, values):
        shapes = replace(model.type.shapes, laws=model.type.shapes.laws * (1, 1, factor, factor))
        right(self, replace(model, type=replace(model.type, shapes=shapes)), values)

    system, start = balls()
    with monkeypatch.context() as patched:
        patched.setattr(BlocksWork, "__init__", wrong)
        motion = run(system, 0.1, start, step=1e-3)
    assert law in broken_laws(motion)


def test_moments_are_stored_and_falsified_ones_are_found(tmp_path):
    system, start = balls()
    motion = run(system, 0.1, start, step=1e-3, out=tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    one, other = (m.bond("floor").impulses.moments for m in (motion, loaded))
    np.testing.assert_array_equal(one, other)
    assert np.abs(one).max() > 0.0 and str(loaded.audit()) == str(motion.audit())
    solver = motion.record.contact_solver
    rows = np.asarray(solver.pressing.rows).copy()
    rows[:, 12:] *= 0.99
    weaker = altered(motion, contact_solver=replace(solver, pressing=replace(solver.pressing, rows=rows)))
    assert "momenta of all blocks" in broken_laws(weaker)


def test_a_crowd_of_balls_with_one_law_comes_to_rest(monkeypatch):
    """More than six hundred velocities: free bodies with resistance are blocks."""
    monkeypatch.undo()
    system = vc.System("crowd", gravity=(0, 0, -9.81))
    crowd = system.add_many(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.05), density=1000), 110)
    law = {"impact": vc.Inelastic(), "friction": vc.Coulomb(0.3, rolling=2e-3)}
    system.add(vc.Contact("contact", list(crowd), walls=[FLOOR], **law))
    places = 0.2 * np.stack([*np.divmod(np.arange(110), 10), np.full(110, 0.25)], axis=1)
    rates = np.zeros((110, 6))
    rates[:, 0], rates[:, 4] = 0.1, 2.0
    motion = run(system, 1.0, {crowd: vc.At(places, rate=rates)}, step=4e-3)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    assert np.abs(motion.v[-1]).max() < 1e-6
    assert motion.audit().passed, str(motion.audit())
