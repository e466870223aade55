"""Bonds between blocks in contact whose laws have angles and limits: closed forms, the same motion as written out, files, certificates."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from records import altered
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def over_tables(monkeypatch, over: bool = True) -> None:
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0 if over else 10**9)


def run(system, until, start, step, **options) -> vc.Motion:
    return vc.simulate(system, until, start, method="moreau", step=step, progress=False, **options)


def with_rates(motion, factor: float):
    """The motion with velocities times a factor."""
    pieces, nq = motion.record.pieces, motion.record.model.nq
    coefficients = np.asarray(pieces.coefficients).copy()
    coefficients[:, nq:] *= factor
    return altered(motion, pieces=replace(pieces, coefficients=coefficients))


def mount():
    """A box that a torsion spring holds to a ball, which a bushing holds to the ground; and their start."""
    system = vc.System("mount", gravity=(0, 0, -9.81))
    box = system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.1, 0.2, 0.3)), density=500))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), density=500))
    system.add(vc.potentials.TorsionSpring("twist", box, ball, stiffness=2.0, damping=0.01))
    stiffness = (80.0, 90.0, 100.0, 1.0, 2.0, 3.0)
    system.add(vc.potentials.Bushing("rubber", ball, "ground", stiffness=stiffness, damping=(0.1,) * 6, to=(0, 0, 1)))
    system.add(vc.Contact("touch", [box, ball], walls=[FLOOR], impact="inelastic", friction=0.3))
    return system, {
        "box": vc.At((1, 0, 0.6), rate=(0, 0, 0, 1, 2, 3)),
        "ball": vc.At((0, 0, 1), rate=(0, 0, 0, 2, -1, 1)),
    }


def test_torsion_springs_and_bushings_of_blocks_act_as_written_out(monkeypatch, tmp_path):
    motions: dict[bool, list[vc.Motion]] = {}
    for over, of_type in ((True, BlocksInContactType), (False, WrittenOutType)):
        over_tables(monkeypatch, over)
        system, start = mount()
        assert isinstance(model_for(system).type, of_type)
        motions[over] = [run(system, 0.2, start, h, grid=5) for h in (2e-3, 1e-3)]
    for what in (lambda m: m.q, lambda m: m.bond("twist").moment, lambda m: m.bond("rubber").force):
        coarse, fine = (np.abs(what(a) - what(b)).max() for a, b in zip(*motions.values(), strict=True))
        assert 3.4 < coarse / fine < 4.6  # both are of second order while nothing touches
    motion = motions[True][1]
    assert np.abs(motion.bond("twist").moment).max() > 0.1
    assert broken(motion.audit()) == set()
    assert {"momenta of all blocks", "energy balance"} <= broken(with_rates(motion, 1.001).audit())
    motion.save(tmp_path / "mount.zarr")
    again = vc.load(tmp_path / "mount.zarr")
    np.testing.assert_array_equal(again.bond("rubber").force, motion.bond("rubber").force)
    assert again.audit().passed


def twisted(count: int, stiffness: float, contact: bool = True):
    """Balls side by side, each with a torsion spring to the ground, as rows of bonds."""
    system = vc.System("twisted")
    balls = system.add_many(vc.RigidBody("ball", 1.0, inertia=(0.1, 0.1, 0.1), shape=vc.shapes.Sphere(0.1)), count)
    spring = vc.potentials.TorsionSpring("twist", balls, "ground", stiffness=stiffness)
    system.add(vc.Bonds(spring, over=np.arange(count)))
    if contact:
        system.add(vc.Contact("touch", list(balls), impact="inelastic"))
    places = np.concatenate([np.arange(count)[:, None], np.zeros((count, 2))], axis=1)
    return system, balls, places


def test_a_ball_on_a_torsion_spring_swings_as_a_cosine(monkeypatch):
    """ϑ = (ϑ̇₀/ω) sin ωt with ω² = k/I, to second order in the step."""
    over_tables(monkeypatch)
    system, balls, places = twisted(2, 0.4)
    spin, errors = np.array([[0, 0, 0, 0.3, 0.4, 0.0]] * 2), []
    for h in (2e-2, 1e-2):
        motion = run(system, 2.0, {balls: vc.At(places, rate=spin)}, h, grid=9)
        angle = 2.0 * np.arccos(np.clip(motion.q[:, 3], -1, 1)) * np.sign(motion.q[:, 4])
        errors.append(np.abs(angle - 0.25 * np.sin(2.0 * motion.time)).max())
    assert 3.6 < errors[0] / errors[1] < 4.4
    assert errors[1] < 0.25 * 2.0 * 2.0 * (2.0 * 1e-2) ** 2 / 24.0 * 1.1  # ω t (ωh)²/24 in phase


@pytest.mark.parametrize("contact", [True, False])
def test_a_run_over_tables_stops_where_a_row_has_turned_half_a_turn(monkeypatch, contact):
    over_tables(monkeypatch)
    system, balls, places = twisted(3, 1e-9, contact)
    assert isinstance(model_for(system).type, BlocksInContactType if contact else TabledType)
    rates = np.zeros((3, 6))
    rates[1, 3:] = (0.6, 0.0, 0.8)
    told = "'twist 1': 'ball 1' has turned half a turn|'twist 1': 'ground' has turned half a turn"
    with pytest.raises(vc.errors.RunError, match=told) as caught:
        options = {"method": "moreau", "step": 2e-2} if contact else {"tolerance": 1e-9}
        vc.simulate(system, 4.0, {balls: vc.At(places, rate=rates)}, progress=False, **options)
    # cos²(ϑ/2) = 1e-6, which is 0.002 rad before half a turn
    assert caught.value.motion.time[-1] == pytest.approx(np.pi - 0.002, abs=1e-5)
    turned = np.tile(np.concatenate([np.zeros(3), [1.0, 0, 0, 0]]), (3, 1))
    turned[:, :3] = places
    turned[2, 3:] = np.sin(5e-4), 0, np.cos(5e-4), 0
    with pytest.raises(vc.errors.StartError, match=r"'twist 2'.* half a turn relative to .*; start elsewhere"):
        options = {"method": "moreau", "step": 2e-2} if contact else {"tolerance": 1e-9}
        vc.simulate(system, 0.1, {balls: turned}, progress=False, **options)
