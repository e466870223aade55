"""Applied impulses on bodies in contact: contacts of free bodies and of blocks answer at the same instant, as unilateral constraints do."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.model_cache import model_for
from vinculum.models.tabled import type as tabled_type
from vinculum.models.written_out.type import WrittenOutType
from vinculum.motion.impulses.meetings import Meetings

R, G, AT, H = 0.05, 9.81, 0.004, 1e-3
FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def row_of_balls(kind: str, count: int, force, e: float, mu: float, arm=(0, 0, 0), spin=(0, 0, 0)) -> tuple:
    """Balls that touch each other in a row on the floor, of different densities; the first one is struck."""
    system, law = vc.System(kind, gravity=(0, 0, -G)), {"impact": vc.Newton(e) if e else vc.Inelastic()}
    balls = [
        system.add(vc.RigidBody.solid(f"ball {k}", vc.shapes.Sphere(R), density=800 + 300 * k)) for k in range(count)
    ]
    friction = {"friction": vc.Coulomb(mu)} if mu else {}
    if kind in ("written out", "beside"):
        for k, ball in enumerate(balls):
            system.add(vc.Unilateral(f"floor {k}", [ball], gap=lambda b: b.position[2] - R,
                                     point=lambda b: b.position - (0, 0, R), **law, **friction))  # fmt: skip
        for k in range(count - 1 if kind == "written out" else 0):
            system.add(vc.Unilateral(f"pair {k}", [balls[k + 1], balls[k]],
                                     gap=lambda a, b: vc.math.norm(a.position - b.position) - 2 * R,
                                     point=lambda a, b: 0.5 * (a.position + b.position), **law, **friction))  # fmt: skip
    if kind != "written out":
        system.add(vc.Contact("contact", balls, walls=[] if kind == "beside" else [FLOOR], **law, **friction))
    if kind == "blocks":
        system.add(vc.Spring("spring", balls[0], "ground", stiffness=1e-9, rest_length=0.0))
    system.add(vc.Impulse("blow", balls[0], vc.Wrench(force=force, at=arm), at=AT))
    start = {f"ball {k}": vc.At((2 * R * k, 0, R), rate=(0, 0, 0, *spin)) for k in range(count)}
    return system, start


def struck(monkeypatch, kind: str, *scene, **options) -> vc.Motion:
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0 if kind == "blocks" else 200)
    system, start = row_of_balls(kind, *scene)
    wanted = {"free": FreeBodiesType, "blocks": BlocksInContactType, "written out": WrittenOutType}[kind]
    assert isinstance(model_for(system).type, wanted)
    return vc.simulate(system, 0.008, start, method="moreau", step=H, tolerance=1e-9, progress=False, **options)


def after_blow(motion: vc.Motion, count: int) -> np.ndarray:
    here = motion.at([AT])
    return np.array([np.concatenate([here.body(f"ball {k}").velocity[0], here.body(f"ball {k}").angular_velocity[0]])
                     for k in range(count)])  # fmt: skip


@pytest.mark.parametrize("kind", ["free", "blocks"])
@pytest.mark.parametrize("e", [0.0, 0.6])
def test_a_ball_on_the_floor_that_is_hit_downwards_stays_and_the_floor_answers(monkeypatch, kind, e):
    motion = struck(monkeypatch, kind, 1, (0, 0, -2.0), e, 0.3)
    assert np.abs(after_blow(motion, 1)).max() < 1e-12
    hits = motion.bond("contact").impulses
    own = np.flatnonzero(hits.times == AT)
    assert len(own) == 1 and abs(hits.normal[own[0]] - 2.0) < 1e-12
    assert np.abs(motion.q[:, 2] - R).max() < 1e-9
    assert motion.audit().passed, str(motion.audit())


SCENES = {
    "pushed along": (4, (1.5, 0.2, -1.0), 0.0, 0.0),
    "rubbed": (3, (1.5, 0.7, -1.0), 0.0, 0.3),
    "off its center": (3, (0.8, -0.5, -2.0), 0.5, 0.4, (0.0, 0.02, 0.03)),
    "lifted": (2, (0.4, 0.0, 1.0), 0.5, 0.2),
    "turning": (2, (0.3, 0.1, -3.0), 0.5, 0.3, (0, 0, 0), (0, 0, 4.0)),
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("kind", ["free", "blocks"])
def test_contacts_answer_a_blow_as_unilateral_constraints_that_are_written_out(monkeypatch, kind, scene):
    one = struck(monkeypatch, kind, *scene)
    other = struck(monkeypatch, "written out", *scene)
    found, wanted = after_blow(one, scene[0]), after_blow(other, scene[0])
    assert np.abs(wanted).max() > 0.1
    np.testing.assert_allclose(found, wanted, atol=1e-10 * max(1.0, np.abs(wanted).max()))
    assert one.audit().passed, str(one.audit())


@pytest.mark.parametrize("scene", [SCENES["rubbed"], SCENES["off its center"]], ids=["rubbed", "off its center"])
def test_shapes_next_to_unilateral_constraints_answer_a_blow_at_its_instant(scene):
    """The floor is a unilateral constraint of every ball, and the balls meet by their shapes."""
    found, start = row_of_balls("beside", *scene)
    wanted, _ = row_of_balls("written out", *scene)
    one, other = (
        vc.simulate(system, 0.008, start, method="moreau", step=H, tolerance=1e-9, progress=False)
        for system in (found, wanted)
    )
    assert isinstance(one.record.model.type, BlocksInContactType)
    expected = after_blow(other, scene[0])
    np.testing.assert_allclose(after_blow(one, scene[0]), expected, atol=1e-10 * np.abs(expected).max())
    hits = one.bond("contact").impulses, one.bond("floor 0").impulses, other.bond("floor 0").impulses
    assert all(AT in own.times for own in hits)
    pressing = [own.normal[list(own.times).index(AT)] for own in hits[1:]]
    assert pressing[0] == pytest.approx(pressing[1], rel=1e-9)
    assert one.audit().passed, str(one.audit())
    falsified = one.record.atoms.contact_impulses * 1.01
    atoms = replace(one.record.atoms, contact_impulses=falsified)
    broken = {
        line.law for line in vc.Motion(replace(one.record, atoms=atoms)).audit().lines if line.verdict == "broken"
    }
    assert "velocities after impulses" in broken


@pytest.mark.parametrize("stop", [None, 0.05])
def test_a_shape_that_is_struck_through_a_joint_answers_at_the_same_instant(stop):
    """A slider is driven along its joint against a ball, or is already at its stop, which takes the whole impulse."""
    system = vc.System("struck through a joint", gravity=(0, 0, -G))
    slider, ball = (
        system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(R), density=900)) for name in ("slider", "ball")
    )
    limits = None if stop is None else vc.constraints.Limits(upper=stop)
    system.add(vc.Prismatic("rail", "ground", slider, axis=(1, 0, 0), at=(0, 0, R), limits=limits))
    system.add(vc.Contact("contact", [slider, ball], walls=[FLOOR], impact=vc.Inelastic()))
    system.add(vc.Impulse("blow", "rail", 0.6, at=AT))
    start = {"rail": 0.05, "ball": (0.05 + 2 * R, 0, R)}
    motion = vc.simulate(system, 0.008, start, method="moreau", step=H, tolerance=1e-9, progress=False)
    assert isinstance(motion.record.model.type, BlocksInContactType)
    speed = 0.0 if stop is not None else 0.6 / (2 * slider.mass)
    after = motion.at([AT])
    assert after.body("slider").velocity[0, 0] == pytest.approx(speed, abs=1e-12)
    assert after.body("ball").velocity[0, 0] == pytest.approx(speed, abs=1e-12)
    if stop is not None:
        at_stop = motion.bond("rail upper stop").impulses
        assert at_stop.normal[list(at_stop.times).index(AT)] == pytest.approx(0.6, abs=1e-12)
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("kind", ["free", "blocks"])
def test_falsified_answers_of_contacts_are_found(monkeypatch, kind):
    motion = struck(monkeypatch, kind, *SCENES["rubbed"])
    record = motion.record
    rows, change = (
        record.atoms.meetings.rows.copy(),
        {"free": "impulses M [v] = Q", "blocks": "velocities after impulses"},
    )
    law = "contacts answer impulses"

    def broken(found: np.ndarray) -> set[str]:
        atoms = replace(record.atoms, meetings=Meetings(found))
        return {line.law for line in vc.Motion(replace(record, atoms=atoms)).audit().lines if line.verdict == "broken"}

    more, fewer, turned = rows.copy(), rows[1:], rows.copy()
    more[:, 16:19] *= 1.001
    turned[:, 17:19] *= -1.0
    assert change[kind] in broken(more) & broken(fewer)  # what sticks may press more, as far as its law is concerned
    assert {change[kind], law} <= broken(turned)


def test_answers_are_stored_with_the_run(monkeypatch, tmp_path):
    motion = struck(monkeypatch, "free", *SCENES["rubbed"])
    motion.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    np.testing.assert_array_equal(loaded.record.atoms.meetings.rows, motion.record.atoms.meetings.rows)
    np.testing.assert_array_equal(loaded.bond("contact").impulses.normal, motion.bond("contact").impulses.normal)
    assert len(motion.record.atoms.meetings) == 4 and loaded.audit().passed
