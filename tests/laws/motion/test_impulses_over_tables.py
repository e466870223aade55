"""Applied impulses on bodies of tables: the same motion as written out, certified, stored, and falsified ones fail."""

import numpy as np
import pytest

import vinculum as vc
from linkages import chain_of_links
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType


def struck_chain() -> tuple[vc.System, dict]:
    """A chain of links that is struck twice, and once by an impulse that depends on its velocity."""
    system, start = chain_of_links(4)
    system.add(vc.Impulse("kick", "link 2", vc.Wrench(force=(0.05, 0, 0), at=(0, 0, 0.1)), at=[0.0, 0.05]))
    system.add(vc.Impulse("brake", "link 3", lambda b: vc.Wrench(force=-0.02 * b.velocity), at=0.08))
    return system, start


def test_a_struck_chain_moves_as_the_one_that_is_written_out(monkeypatch, tmp_path):
    system, start = struck_chain()
    same = {"method": "dop853", "tolerance": 1e-12, "grid": 6, "progress": False}
    single = vc.simulate(system, 0.1, start, **same)
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, start = struck_chain()
    many = vc.simulate(system, 0.1, start, out=tmp_path / "run.zarr", **same)
    assert isinstance(many.record.model.type, TabledType)
    assert np.abs(many.q - single.q).max() < 1e-9 and np.abs(many.v - single.v).max() < 1e-8
    for name in ("kick", "brake"):
        found, expected = many.bond(name).impulses, single.bond(name).impulses
        assert found.times == pytest.approx(expected.times)
        assert found.work == pytest.approx(expected.work, abs=1e-9)
    for name in ("ball 1", "hook"):
        found, expected = many.bond(name).impulses, single.bond(name).impulses
        assert found.times == pytest.approx(expected.times)
        assert np.abs(found.wrench - expected.wrench).max() < 1e-8 < np.abs(expected.wrench).max()
    certificate = many.audit()
    assert certificate.passed, str(certificate)
    assert {"impulses as given", "velocities after impulses"} <= {line.law for line in certificate.lines}
    assert str(vc.load(tmp_path / "run.zarr").audit()) == str(certificate)


def test_an_impulse_that_is_missing_fails(monkeypatch):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, start = chain_of_links(3)
    motion = vc.simulate(system, 0.1, start, grid=21, progress=False)
    other, _ = chain_of_links(3)
    other.add(vc.Impulse("kick", "link 2", vc.Wrench(force=(0.05, 0, 0)), at=0.05))
    assert vc.given_motion(other, motion.time, motion.q, motion.v).audit().verdict == "failed"
