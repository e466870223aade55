"""Runs that locate hits of free bodies: what they say, what their certificates find, and what they cost."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from free_bodies import free_bodies
from records import altered
from vinculum.integrators import located_impacts

FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def dropped(count: int = 2, spin: float = 8.0, **options) -> vc.Motion:
    """Balls that bounce on a floor, from heights of their own."""
    system = free_bodies([vc.shapes.Sphere(0.05)] * count, walls=[FLOOR], impact=vc.Newton(0.6), mu=0.2)
    start = {f"b{i}": vc.At((0.3 * i, 0, 0.3 + 0.002 * i), rate=(0.5, 0, 0, 0, spin, 0)) for i in range(count)}
    return vc.simulate(system, 0.4, start, method="moreau", step=4e-3, progress=False, **options)


def broken(motion: vc.Motion) -> set[str]:
    return {line.law for line in motion.audit().lines if line.verdict == "broken"}


def test_the_log_and_the_certificate_say_what_was_located():
    motion = dropped()
    assert "2 times a step was cut at the instant of an impact; slow ones act in the middles of steps" in motion.log
    line = next(line for line in motion.audit().lines if line.law == "hits resolved by steps")
    assert "impacts at 2 instants are located" in line.reason and "are not located" not in line.reason
    plain = dropped(impacts="stepped")
    assert not any("cut" in line for line in plain.log) and plain.record.method.impacts is None


def test_hits_of_many_bodies_are_located_if_that_is_asked_for():
    many = dropped(40)
    assert any("40 bodies hit each other often; impacts='located' cuts steps" in line for line in many.log)
    assert len(many.record.contact_solver) == 100
    cut = dropped(40, impacts="located")
    solver = cut.record.contact_solver
    first = np.sqrt(2 * (0.25 + 0.002 * np.arange(40)) / 9.81)
    found = [solver.times[solver.pressing.contact_solver[solver.pressing.bodies[:, 0] == i][0]] for i in range(40)]
    several = np.abs(np.array(found) - first) > 1e-9
    assert not several.any(), np.array(found)[several] - first[several]
    assert cut.audit().passed


@pytest.mark.parametrize("late", [1e-4, -1e-4])
def test_a_hit_at_another_instant_breaks_a_law(monkeypatch, late):
    """One that is early is not even made, because its gap is open then, and is found anew."""
    assert not broken(dropped(spin=0.0))
    right = located_impacts._earliest
    monkeypatch.setattr(located_impacts, "_earliest", lambda met, swift: right(met, swift) + late)
    motion = dropped(spin=0.0)
    if late > 0.0:
        assert broken(motion) == {"hits where gaps close"}
    else:
        assert motion.audit().passed and np.diff(motion.record.pieces.times).min() < 1e-6


@pytest.mark.parametrize("which", ["normal", "tangential"])
def test_a_recorded_impulse_of_a_located_hit_that_is_wrong_breaks_a_law(which):
    motion = dropped()
    assert motion.audit().passed
    solver = motion.record.contact_solver
    rows = np.array(solver.pressing.rows)
    rows[0, {"normal": 11, "tangential": 9}[which]] *= 1.01
    wrong = replace(solver, pressing=replace(solver.pressing, rows=rows))
    assert broken(altered(motion, contact_solver=wrong))


def test_hits_are_spread_over_a_step_only_if_they_are_slow_or_too_many(monkeypatch):
    """Forty balls over one step, of which only a few hits are located."""
    monkeypatch.setattr(located_impacts, "LOCATED_CUTS", 2)
    motion = dropped(30)
    assert any("some fast ones did too" in line for line in motion.log), motion.log
    assert motion.audit().passed, str(motion.audit())


def test_a_stored_run_with_located_hits_has_the_same_certificate(tmp_path):
    motion = dropped()
    motion.save(tmp_path / "run")
    again = vc.load(tmp_path / "run")
    assert again.record.method.impacts == "located"
    assert [(x.law, x.verdict) for x in again.audit().lines] == [(x.law, x.verdict) for x in motion.audit().lines]
