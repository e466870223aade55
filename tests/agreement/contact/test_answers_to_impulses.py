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
    if kind == "written out":
        for k, ball in enumerate(balls):
            system.add(vc.Unilateral(f"floor {k}", [ball], gap=lambda b: b.position[2] - R,
                                     point=lambda b: b.position - (0, 0, R), **law, **friction))  # fmt: skip
        for k in range(count - 1):
            system.add(vc.Unilateral(f"pair {k}", [balls[k + 1], balls[k]],
                                     gap=lambda a, b: vc.math.norm(a.position - b.position) - 2 * R,
                                     point=lambda a, b: 0.5 * (a.position + b.position), **law, **friction))  # fmt: skip
    else:
        system.add(vc.Contact("contact", balls, walls=[FLOOR], **law, **friction))
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
