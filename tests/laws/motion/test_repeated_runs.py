"""What is kept from one run to the next leaves no trace in the next: a run is that of a system made anew."""

import numpy as np
import pytest

import vinculum as vc
from mechanisms import four_bar

MASS = vc.parameter("m", 2.0)


def sleigh(mass=2.0) -> vc.System:
    system = vc.System("sleigh")
    body = system.add(vc.RigidBody("body", mass, com=(0.3, 0, 0), inertia=(1, 1, 0.5)))
    system.add(vc.Planar("ice", "ground", body))
    system.add(vc.constraints.knife_edge("blade", body, side=(0, 1, 0), realization=vc.DAlembert()))
    return system


def pushed(heading, speed, turn) -> dict:
    return {"ice": vc.At((0, 0, heading), rate=(speed * np.cos(heading), speed * np.sin(heading), turn))}


STARTS = [pushed(0.3, -1.0, 0.1), pushed(-1.0, 2.0, 0.3), pushed(0.3, -1.0, 0.1), pushed(2.0, 0.0, 1.0)]


def same(a, b) -> None:
    np.testing.assert_array_equal(a.time, b.time)
    np.testing.assert_allclose(a.q, b.q, rtol=0, atol=1e-11)
    np.testing.assert_allclose(a.v, b.v, rtol=0, atol=1e-11)
    assert a.record.log == b.record.log and a.record.method == b.record.method


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_run_does_not_remember_where_the_last_one_started(method):
    system = sleigh()
    for start in STARTS:
        again = vc.simulate(system, 5.0, start, method=method, grid=11, progress=False)
        same(again, vc.simulate(sleigh(), 5.0, start, method=method, grid=11, progress=False))


def test_a_run_does_not_remember_other_parameters():
    system = sleigh(MASS)
    for mass in (2.0, 5.0, 2.0):
        again = vc.simulate(system, 5.0, STARTS[0], parameters={"m": mass}, grid=11, progress=False)
        same(again, vc.simulate(sleigh(mass), 5.0, STARTS[0], grid=11, progress=False))


def test_what_is_added_between_two_runs_is_in_the_second():
    system, fresh = sleigh(), sleigh()
    before = vc.simulate(system, 5.0, STARTS[0], grid=11, progress=False)
    for one in (system, fresh):
        one.add(vc.Spring("spring", "body", "ground", stiffness=3.0, rest_length=0.0, to=(1, 0, 0)))
    after = vc.simulate(system, 5.0, STARTS[0], grid=11, progress=False)
    assert np.abs(after.q - before.q).max() > 0.1
    same(after, vc.simulate(fresh, 5.0, STARTS[0], grid=11, progress=False))


def test_refusals_come_again():
    system = sleigh()
    vc.simulate(system, 1.0, STARTS[0], grid=11, progress=False)
    slipping = {"ice": vc.At((0, 0, 0.3), rate=(0.0, 1.0, 0.0))}
    for _ in range(2):
        with pytest.raises(vc.errors.StartError, match=r"'blade' is violated by 0\.955"):
            vc.simulate(system, 1.0, slipping, progress=False)
    moved = vc.simulate(system, 1.0, slipping, repair=True, grid=11, progress=False)
    same(moved, vc.simulate(sleigh(), 1.0, slipping, repair=True, grid=11, progress=False))


def test_loops_start_where_they_are_told():
    system = four_bar()
    for angle in (1.0, 2.0, 1.0):
        start = {"A": vc.At(angle, rate=1.0)}
        again = vc.simulate(system, 1.0, start, grid=11, progress=False)
        same(again, vc.simulate(four_bar(), 1.0, start, grid=11, progress=False))
