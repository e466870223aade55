"""Events of runs with contact: located, with the impulses, the certificate and the stored run that the same run without events has."""

import numpy as np
import pytest

import vinculum as vc
from blocks_in_contact import over_tables
from vinculum.models.blocks_in_contact.type import BlocksInContactType
from vinculum.models.free_bodies.type import FreeBodiesType
from vinculum.models.written_out.type import WrittenOutType

FLOOR = vc.shapes.HalfSpace((0, 0, 1))
STEP = 5e-4
KINDS = {"free": FreeBodiesType, "tables": BlocksInContactType, "written out": WrittenOutType}


def dropped(kind: str, monkeypatch) -> tuple[vc.System, dict]:
    """Three balls that fall on each other and on a floor."""
    over_tables(monkeypatch, kind == "tables")
    system = vc.System("dropped", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(f"b{k}", vc.shapes.Sphere(0.05), density=1000)) for k in range(3)]
    system.add(vc.Contact("touch", balls, walls=[FLOOR], impact=0.3, friction=0.3))
    if kind != "free":
        system.add(vc.Spring("nothing", balls[0], "ground", stiffness=0.0, to=(0, 0, 9)))
    return system, {f"b{k}": (0.02 * k, 0, 0.1 + 0.15 * k) for k in range(3)}


@pytest.mark.parametrize("kind", KINDS)
def test_events_are_located_and_take_nothing_from_a_run(monkeypatch, tmp_path, kind):
    def run(**options):
        return vc.simulate(
            system, 0.4, start, method="moreau", step=STEP, impacts="stepped", grid=9, progress=False, **options
        )

    system, start = dropped(kind, monkeypatch)
    low = vc.Event("low", ["b2"], lambda b: b.position[2] - 0.3)
    plain, watched, stopped = run(), run(events=[low]), run(events=[vc.Event("low", ["b2"], low.function, stop=True)])
    assert isinstance(watched.record.model.type, KINDS[kind])
    np.testing.assert_array_equal(watched.q, plain.q)
    np.testing.assert_array_equal(watched.bond("touch").impulses.times, plain.bond("touch").impulses.times)
    assert len(watched.record.contact_solver) == len(plain.record.contact_solver)
    # the highest ball falls freely until then; tables interpolate velocities within a step
    fallen = np.sqrt(2.0 * 0.1 / 9.81)
    # certificates of what is written out do not know the error of a last step of which only a part is kept
    for motion in (watched, stopped) if kind != "written out" else (watched,):
        assert [crossing.name for crossing in motion.record.crossings] == ["low"]
        assert motion.record.crossings[0].time == pytest.approx(fallen, abs=1e-12 if kind == "free" else STEP**2)
        assert motion.audit().passed, str(motion.audit())
    fallen = stopped.record.crossings[0].time
    assert stopped.time[-1] == fallen
    kept = plain.bond("touch").impulses.times <= fallen
    np.testing.assert_array_equal(stopped.bond("touch").impulses.times, plain.bond("touch").impulses.times[kept])
    stopped.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    np.testing.assert_array_equal(loaded.q, stopped.q)
    assert loaded.audit().verdict == stopped.audit().verdict
