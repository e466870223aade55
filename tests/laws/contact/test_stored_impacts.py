"""Motions with impacts are stored with their impulses and phases, and are certified alike when they are read back."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka


def ball(e=0.5) -> vc.System:
    system = vc.System("ball", gravity=(0, 0, -9.81))
    point = system.add(vc.MassPoint("ball", 1.3))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Newton(e)))
    return system


@pytest.mark.parametrize("streamed", [False, True], ids=["saved", "streamed"])
def test_impulses_of_time_stepping_come_back(tmp_path, streamed):
    place = tmp_path / "run.zarr"
    motion = vc.simulate(
        ball(), 1.0, {"ball": (0, 0, 1.0)}, method="moreau", step=2e-3, progress=False, out=place if streamed else None
    )
    if not streamed:
        motion.save(place)
    read = vc.load(place)
    np.testing.assert_array_equal(read.record.atoms.times, motion.record.atoms.times)
    np.testing.assert_array_equal(read.record.atoms.contact_impulses, motion.record.atoms.contact_impulses)
    assert str(read.audit()) == str(motion.audit())
    assert read.audit().passed


@needs_heyoka
@pytest.mark.parametrize("streamed", [False, True], ids=["saved", "streamed"])
def test_phases_of_an_event_driven_motion_come_back(tmp_path, streamed):
    place = tmp_path / "run.zarr"
    motion = vc.simulate(ball(0.0), 0.8, {"ball": (0, 0, 1.0)}, progress=False, out=place if streamed else None)
    if not streamed:
        motion.save(place)
    read = vc.load(place)
    assert [str(phase) for phase in read.record.phases] == [str(phase) for phase in motion.record.phases]
    assert (
        str(motion.record.phases[-1])
        == f"Phase from t = {np.sqrt(2 / 9.81):.9g} s, step {motion.record.phases[-1].step}: 'floor' slides"
    )
    assert read.record.phases[-1].closed == (("floor", "slides"),)
    assert read.audit().passed
    hits = read.bond("floor").impulses
    np.testing.assert_allclose(hits.times, [np.sqrt(2 / 9.81)], rtol=1e-13)
    np.testing.assert_allclose(hits.normal, [1.3 * np.sqrt(2 * 9.81)], rtol=1e-13)
