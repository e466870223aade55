"""Soft shapes that meet over tables: the impulse of their points, the same motion as written out, certificates and files."""

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.model_cache import model_for
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
        "left": vc.At((-0.2, 0, 0), ((1.0, 0, 0), np.zeros((3, 3)))),
        "right": vc.At((0.2, 0, 0), ((-2.0, 0, 0), np.zeros((3, 3)))),
    }
    motion = vc.simulate(system, 0.08, start, method="moreau", step=1e-4, progress=False)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    hits = motion.bond("hit").impulses
    assert hits.times[0] == pytest.approx(0.2 / 3.0, abs=1e-4)
    # it acts in the middle of the gap, which is at most as wide as the way of a step
    assert hits.normal[0] == pytest.approx(1.5 * 3.0 * 1.5 / 12.0, rel=3.0 * 1e-4 / 0.1)
    assert broken(motion.audit()) == set()


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


def test_soft_cubes_over_tables_move_as_written_out_to_the_order_of_the_step(monkeypatch):
    assert isinstance(model_for(heap()[0]).type, WrittenOutType)
    known = run(1e-3)
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    motion = run(1e-3)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    assert np.abs(motion.q - known.q).max() < 5e-3
    pairs = {tuple(sorted(pair)) for pair in motion.bond("touch").impulses.shapes}
    assert {("high", "low"), ("low", "wall 1")} <= pairs


def test_soft_cubes_over_tables_break_no_law_and_falsified_ones_do(tabled, tmp_path):
    motion = run(1e-3, until=0.04)
    assert broken(motion.audit()) == set(), str(motion.audit())
    assert broken(motion.replace(v=1.001 * motion.v).audit())
    motion.save(tmp_path / "heap.zarr")
    again = vc.load(tmp_path / "heap.zarr")
    assert np.array_equal(again.body("high").deformation, motion.body("high").deformation)
    assert broken(again.audit()) == set()


def test_bonds_on_soft_bodies_in_contact_are_written_out_and_refused_where_they_are_many(tabled):
    system, _ = heap()
    system.add(vc.Spring("tie", "low", "high", 3.0))
    assert isinstance(model_for(system).type, WrittenOutType)
    large = vc.System("large", gravity=(0, 0, -9.81))
    cubes = [large.add(vc.AffineBody.solid(f"cube {i}", vc.shapes.Box((0.1,) * 3), mass=1.0)) for i in range(60)]
    large.add(vc.Contact("touch", cubes, walls=FLOOR, impact="inelastic"))
    with pytest.raises(vc.errors.ModelError, match="deform without an energy that keeps them from being crushed"):
        large.tree()
