"""Bonds between blocks in contact whose laws have angles and limits, and bonds on affine bodies: closed forms, the same motion as written
out, files, certificates."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from audited import broken
from blocks_in_contact import over_tables
from records import altered
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.model_cache import model_for
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


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
    options = {"method": "moreau", "step": 2e-2} if contact else {"tolerance": 1e-9}
    with pytest.raises(vc.errors.RunError, match=told) as caught:
        vc.simulate(system, 4.0, {balls: vc.At(places, rate=rates)}, progress=False, **options)
    # cos²(ϑ/2) = 1e-6, which is 0.002 rad before half a turn
    assert caught.value.motion.time[-1] == pytest.approx(np.pi - 0.002, abs=1e-5)
    turned = np.tile(np.concatenate([np.zeros(3), [1.0, 0, 0, 0]]), (3, 1))
    turned[:, :3] = places
    turned[2, 3:] = np.sin(5e-4), 0, np.cos(5e-4), 0
    with pytest.raises(vc.errors.StartError, match=r"'twist 2'.* half a turn relative to .*; start elsewhere"):
        vc.simulate(system, 0.1, {balls: turned}, progress=False, **options)


def jellies():
    """Two soft cubes, one of Saint Venant and Kirchhoff's material, and a ball, joined by springs and struck; and their start."""
    system = vc.System("jellies", gravity=(0, 0, -9.81))
    box = vc.shapes.Box((0.4, 0.4, 0.4))
    kirchhoff = vc.energies.SaintVenantKirchhoff(0.064, 1500.0, 3000.0)
    a = system.add(vc.AffineBody.solid("a", box, mass=2.0, energy=kirchhoff))
    b = system.add(vc.AffineBody.solid("b", box, mass=2.0, energy=vc.energies.NeoHookean(0.064, 1500.0, 3000.0)))
    c = system.add(vc.RigidBody.solid("c", vc.shapes.Sphere(0.1), mass=1.0))
    between = {"at": (0.2, 0.2, 0.2), "to": (-0.2, 0.2, 0.2)}
    system.add(vc.Spring("ab", a, b, stiffness=100.0, rest_length=0.3, damping=0.5, **between))
    system.add(vc.Spring("bc", b, c, stiffness=50.0, rest_length=0.3, at=(0.2, -0.2, 0.2)))
    system.add(vc.Force("drag", a, lambda body: vc.Wrench(force=-0.2 * body.velocity)))
    system.add(vc.Impulse("kick", c, vc.Wrench(force=(0.5, 0, 0.2)), at=0.05))
    hit = lambda b: vc.Wrench(force=(0.5, 0, 0.2), at=b.point((0.1, 0.2, 0)) - b.position)
    system.add(vc.Impulse("hit", b, hit, at=0.1))
    system.add(vc.Contact("touch", [a, b, c], walls=[FLOOR], impact="inelastic", friction=0.3))
    start = {
        "a": vc.At(((0, 0, 0.8), np.eye(3)), ((0, 0, 0), 0.3 * np.eye(3))),
        "b": (0.9, 0.1, 0.8),
        "c": (1.6, 0, 0.7),
    }
    return system, start


def test_springs_forces_and_impulses_on_soft_blocks_act_as_written_out(monkeypatch, tmp_path):
    motions: dict[bool, list[vc.Motion]] = {}
    for over in (True, False):
        over_tables(monkeypatch, over)
        system, start = jellies()
        motions[over] = [run(system, 0.15, start, h, grid=5) for h in (2e-3, 1e-3)]
        assert isinstance(motions[over][0].record.model.type, BlocksInContactType if over else WrittenOutType)
    for what in (lambda m: m.q, lambda m: m.bond("ab").force, lambda m: m.bond("bc").moment):
        coarse, fine = (np.abs(what(a) - what(b)).max() for a, b in zip(*motions.values(), strict=True))
        assert 3.4 < coarse / fine < 4.6
    motion = motions[True][1]
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert {"power of potentials", "Newton's third law", "velocities after impulses"} <= {
        x.law for x in certificate.lines
    }
    assert {"momenta of all blocks", "energy balance"} <= broken(with_rates(motion, 1.001).audit())
    motion.save(tmp_path / "jellies.zarr")
    again = vc.load(tmp_path / "jellies.zarr")
    np.testing.assert_array_equal(again.bond("ab").force, motion.bond("ab").force)
    assert again.audit().passed
    with pytest.raises(vc.errors.MethodError, match=r"bond 'ab'.* body that deforms: actions .* not available"):
        vc.geometry.audit_action(motion)


def test_an_impulse_at_a_corner_of_a_soft_cube_in_contact_changes_what_its_moments_say(monkeypatch):
    """Δẋ = P/m and Δφ̇ = (P ⊗ a) M⁻¹ with M = m L²/12 in every direction of a cube."""
    over_tables(monkeypatch)
    system = vc.System("struck")
    energy = vc.energies.SaintVenantKirchhoff(0.064, 1.0, 1.0)
    cube = system.add(vc.AffineBody.solid("cube", vc.shapes.Box((0.4, 0.4, 0.4)), mass=3.0, energy=energy))
    beside = vc.energies.NeoHookean(0.064, 1.0, 1.0)
    system.add(vc.AffineBody.solid("beside", vc.shapes.Box((0.4, 0.4, 0.4)), mass=3.0, energy=beside))
    system.add(vc.RigidBody.solid("stone", vc.shapes.Sphere(0.1), mass=1.0))
    P, corner = np.array([0.5, -0.3, 0.2]), np.array([0.2, -0.2, 0.2])
    system.add(vc.Impulse("hit", cube, lambda b: vc.Wrench(force=P, at=b.point(corner) - b.position), at=0.01))
    system.add(vc.Impulse("tap", "stone", vc.Wrench(force=(0, 0.4, 0), moment=(0.1, 0, 0)), at=0.01))
    system.add(vc.Contact("touch", [cube, "beside", "stone"], walls=[FLOOR], impact="inelastic"))
    motion = run(system, 0.02, {"cube": (0, 0, 1), "beside": (2, 0, 1), "stone": (4, 0, 1)}, 1e-3)
    before, after = (motion.record.pieces.state(np.array([0.01]), side=side)[0] for side in ("left", "right"))
    change = (after - before)[motion.record.model.nq :]
    np.testing.assert_allclose(change[:3], P / 3.0, atol=1e-12)
    np.testing.assert_allclose(change[12:], [*np.zeros(12), 0, 0.4, 0, 0.1 / 0.004, 0, 0], atol=1e-11)
    np.testing.assert_allclose(change[3:12].reshape(3, 3), np.outer(P, corner) / (3.0 * 0.16 / 12.0), atol=1e-11)
    assert motion.audit().passed, str(motion.audit())


def test_a_run_over_tables_stops_where_a_body_is_crushed_flat(monkeypatch):
    """An energy of Saint Venant and Kirchhoff is finite at det φ = 0. Without stress det φ falls there as 1 − ε̇ t."""
    over_tables(monkeypatch)
    system = vc.System("press")
    energy = vc.energies.SaintVenantKirchhoff(0.064, 1e-9, 1e-9)
    box = vc.shapes.Box((0.4, 0.4, 0.4))
    cubes = system.add_many(vc.AffineBody.solid("cube", box, mass=3.0, energy=energy), 3)
    system.add(vc.Contact("touch", list(cubes), walls=[FLOOR], impact="inelastic"))
    start: dict = {f"cube {k}": (1.0 * k, 0, 1.0) for k in range(3)}
    start["cube 1"] = vc.At(((1, 0, 1), np.eye(3)), (np.zeros(3), np.diag([0, 0, -40.0])))
    with pytest.raises(vc.errors.RunError, match="body 'cube 1' is crushed flat") as caught:
        run(system, 0.05, start, 1e-3)
    assert caught.value.motion.time[-1] == pytest.approx(1.0 / 40.0, abs=1e-9)
