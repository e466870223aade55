"""Blocks in contact over tables against the same systems by other types of models."""

import numpy as np
import pytest

import vinculum as vc
from blocks_in_contact import FLOOR, mixed, over_tables
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.model_cache import model_for
from vinculum.models.written_out.type import WrittenOutType


def run(system, until, start, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", progress=False, **options)


def test_a_mixed_system_moves_as_the_one_that_is_written_out(monkeypatch):
    """Both methods are of first order where something is hit, by rules of their own, so they approach each other with the step."""
    over_tables(monkeypatch)
    system, start = mixed()
    assert isinstance(model_for(system).type, BlocksInContactType)
    tabled = [run(system, 0.35, start, step=h, grid=8) for h in (1e-3, 2.5e-4)]
    over_tables(monkeypatch, False)
    other, start = mixed()
    assert isinstance(model_for(other).type, WrittenOutType)
    written = [run(other, 0.35, start, step=h, grid=8) for h in (1e-3, 2.5e-4)]
    assert tabled[0].record.model.layout.to_dict() == written[0].record.model.layout.to_dict()
    coarse, fine = (np.abs(one.q - two.q).max() for one, two in zip(tabled, written, strict=True))
    assert fine < 2e-3 and fine < 0.6 * coarse
    assert np.abs(written[1].q - written[1].q[0]).max() > 0.1


def test_smooth_motion_between_contacts_is_of_second_order(monkeypatch):
    """A hinged rod and a spinning box that touch nothing, against Dormand and Prince."""

    def scene():
        system = vc.System("apart", gravity=(0, 0, -9.81))
        rod = system.add(vc.RigidBody.solid("rod", vc.shapes.Capsule(0.05, 0.4), density=900, at=(0, 0, -0.3)))
        system.add(vc.Revolute("hinge", "ground", rod, axis=(0, 1, 0), at=(0, 0, 5.0), damping=0.05))
        box = system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.1, 0.2, 0.3)), density=500))
        system.add(vc.Spring("spring", box, rod, stiffness=30.0, rest_length=0.5, at=(0.05, 0, 0)))
        return system, [rod, box], {"hinge": 1.0, "box": vc.At((1, 0, 5.0), rate=(0, 0.5, 2.0, 3.0, 1.0, -2.0))}

    over_tables(monkeypatch)
    system, bodies, start = scene()
    system.add(vc.Contact("contact", bodies, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    free, _, _ = scene()
    exact = vc.simulate(free, 0.4, start, method="dop853", tolerance=1e-11, grid=2, progress=False).q[-1]
    errors = [np.abs(run(system, 0.4, start, step=h, grid=2).q[-1] - exact).max() for h in (4e-3, 2e-3, 1e-3)]
    assert errors[2] < 1e-4
    assert 3.4 < errors[0] / errors[1] < 4.6 and 3.4 < errors[1] / errors[2] < 4.6


def test_free_bodies_over_tables_move_as_in_their_own_loop(monkeypatch):
    """Boxes that slide and topple, balls that roll; a spring without stiffness makes them blocks."""

    def scene(spring: bool):
        system = vc.System("free", gravity=(0, 0, -9.81))
        shapes = [
            vc.shapes.Box((0.1, 0.1, 0.2)),
            vc.shapes.Sphere(0.05),
            vc.shapes.Box((0.1, 0.1, 0.1)),
            vc.shapes.Sphere(0.04),
        ]
        bodies = [system.add(vc.RigidBody.solid(f"b{i}", shape, density=800)) for i, shape in enumerate(shapes)]
        system.add(vc.Contact("contact", bodies, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.4)))
        if spring:
            system.add(vc.Spring("nothing", bodies[0], "ground", stiffness=0.0, to=(0, 0, 9)))
        start = {
            "b0": vc.At((0, 0, 0.1), rate=(0.8, 0, 0, 0, 0, 0)),
            "b1": vc.At((0.4, 0, 0.05), rate=(-1.0, 0, 0, 0, 0, 0)),
            "b2": vc.At((0.42, 0.5, 0.3), rate=(0, 0, 0, 0, 1.0, 0)),
            "b3": (0.8, 0.02, 0.2),
        }
        return system, start

    over_tables(monkeypatch)
    (one, start), (other, _) = scene(True), scene(False)
    assert isinstance(model_for(one).type, BlocksInContactType) and isinstance(model_for(other).type, FreeBodiesType)
    blocks, free = (run(system, 0.3, start, step=5e-4, tolerance=1e-9, grid=7) for system in (one, other))
    assert np.abs(blocks.q - free.q).max() < 2e-3
    total = [motion.bond("contact").impulses.normal.sum() for motion in (blocks, free)]
    assert total[0] == pytest.approx(total[1], rel=2e-2)


@pytest.mark.parametrize("impacts", ["stepped", "located"])
@pytest.mark.parametrize("e", [0.0, 0.6])
def test_balls_that_do_not_turn_hit_as_in_their_own_loop(monkeypatch, e, impacts):
    """Without rotation both schemes are the same, step by step."""

    def scene(spring: bool):
        system = vc.System("line")
        balls = [system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(0.05), density=100 * 2**i)) for i in range(4)]
        system.add(vc.Contact("contact", balls, impact=vc.Newton(e) if e else vc.Inelastic()))
        if spring:
            system.add(vc.Spring("nothing", balls[0], "ground", stiffness=0.0, to=(0, 0, 9)))
        places = {f"b{i}": (0.12 * i, 0, 0) for i in range(4)}
        return system, places | {"b0": vc.At((0, 0, 0), rate=(1.3, 0, 0, 0, 0, 0))}

    over_tables(monkeypatch)
    (one, start), (other, _) = scene(True), scene(False)
    blocks, free = (
        run(system, 0.4, start, step=1e-3, tolerance=1e-12, grid=9, impacts=impacts) for system in (one, other)
    )
    np.testing.assert_allclose(blocks.q, free.q, atol=1e-10)
    np.testing.assert_allclose(blocks.v, free.v, atol=1e-9)
