"""Singular places of rotation charts: refused as a start, and reported where a run cannot leave its chart."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.errors import RunError, StartError


def ball(chart: str, **given) -> vc.System:
    system = vc.System("ball", gravity=(0, 0, -9.81))
    bob = system.add(vc.RigidBody("bob", 0.5, com=(0, 0, -0.5), inertia=(0.03, 0.02, 0.01)))
    system.add(vc.Spherical("ball", "ground", bob, chart=chart, **given))
    return system


HALF_TURN = np.diag([1.0, -1.0, -1.0])
QUARTER = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("chart", "start"),
    [
        ("xyz", (0.3, np.pi / 2, 0.0)),
        ("xyz", QUARTER),
        ("xyz", vc.Pose(rotation=QUARTER)),
        ("zxz", (0.3, 0.0, 0.1)),
        ("zxz", np.eye(3)),
        ("fedorov", HALF_TURN),
        ("fedorov", vc.Pose(rotation=HALF_TURN)),
    ],
)
def test_a_start_at_a_singular_place_is_refused_with_the_chart_to_use(chart, start):
    with pytest.raises(StartError, match=r"use (the )?chart[ =]'quaternion'"):
        vc.simulate(ball(chart), 1.0, {"ball": start}, progress=False)


def test_a_drive_that_looks_at_a_chart_keeps_it_and_the_run_says_where_it_ends():
    system = ball("fedorov", drive=lambda q: -0.01 * q)
    start = {"ball": vc.At((0.1, 0.1, 0.0), rate=(0.2, 12.0, 0.1))}
    with pytest.raises(RunError, match=r"joint 'ball'.*a drive uses its coordinates.*chart='quaternion'") as caught:
        vc.simulate(system, 5.0, start, progress=False)
    assert caught.value.motion.audit().passed


def test_an_event_that_looks_at_a_chart_keeps_it_and_the_run_says_where_it_ends():
    watch = vc.Event("turned", ["ball"], lambda ball: ball.q[0] - 100.0)
    start = {"ball": vc.At((0.1, 0.1, 0.0), rate=(0.0, 12.0, 0.0))}
    with pytest.raises(RunError, match=r"joint 'ball'.*an event uses its coordinates.*use its body"):
        vc.simulate(ball("fedorov"), 5.0, start, events=[watch], progress=False)


def test_an_event_that_looks_at_velocities_only_lets_the_chart_change():
    watch = vc.Event("slow", ["ball"], lambda ball: ball.v[1])
    start = {"ball": vc.At((0.1, 0.1, 0.0), rate=(0.0, 12.0, 0.0))}
    assert vc.simulate(ball("fedorov"), 1.0, start, events=[watch], progress=False).record.changes


@pytest.mark.parametrize("given", [{"method": "dop853"}, {"method": "rk4", "step": 1e-3}])
def test_a_run_of_an_ensemble_that_comes_near_a_singular_place_has_failed(given):
    rates = np.array([[0.0, 12.0, 0.0], [0.1, 0.2, 0.1]])
    runs = vc.ensemble(ball("fedorov"), 1.0, {"ball": vc.At((0.1, 0.1, 0.0), rate=rates)}, grid=11, **given)
    assert runs.failed.tolist() == [True, False]
    assert np.isnan(runs.q[0, -1]).all() and np.isfinite(runs.q[1]).all()
