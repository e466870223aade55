"""Obstacles that a free body would pass within one step: it is reflected, and a certificate sees a motion that is not."""

import numpy as np
import pytest

import vinculum as vc
from marks import needs_heyoka

GAPS = {
    "square": lambda b: b.position[0] ** 2 + b.position[1] ** 2 - 1.0,
    "distance": lambda b: vc.math.sqrt(b.position[0] ** 2 + b.position[1] ** 2) - 1.0,
}


def free_point(gap=None) -> vc.System:
    system = vc.System("free point")
    point = system.add(vc.MassPoint("point", 1.0))
    if gap is not None:
        system.add(vc.Unilateral("disc", [point], gap=gap, impact=vc.Newton(1.0)))
    return system


def flight(system: vc.System, away: float, aside: float, speed: float, beyond: float, method: str, **more) -> vc.Motion:
    start = {"point": vc.At((-away, aside, 0), rate=(speed, 0, 0))}
    return vc.simulate(system, beyond * away / speed, start, method=method, grid=3, progress=False, **more)


@pytest.mark.parametrize("gap", GAPS.values(), ids=GAPS)
@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
def test_a_free_point_is_reflected_by_a_disc(method, gap):
    """From any distance, however far the run goes on."""
    rng = np.random.default_rng(1)
    for _ in range(8):
        away, aside, speed = 10.0 ** rng.uniform(0.5, 4.0), rng.uniform(0.0, 0.95), 10.0 ** rng.uniform(-0.5, 1.0)
        motion = flight(free_point(gap), away, aside, speed, rng.uniform(1.05, 3.0), method)
        turn = 2.0 * np.arcsin(aside)
        assert motion.v[-1] == pytest.approx(speed * np.array([-np.cos(turn), np.sin(turn), 0.0]), abs=1e-9 * speed)


@pytest.mark.parametrize("away", [27.0, 536.0, 3168.0])
def test_a_certificate_sees_an_obstacle_that_was_passed(away):
    passed = flight(free_point(), away, 0.3, 1.0, 1.7, "dop853").replace(system=free_point(GAPS["distance"]))
    assert passed.audit().verdict == "failed"


@pytest.mark.parametrize("method", [pytest.param("taylor", marks=needs_heyoka), "dop853"])
def test_an_event_within_one_step_is_seen_twice(method):
    """Where the point enters a disc and where it leaves it."""
    rng = np.random.default_rng(2)
    for _ in range(8):
        system, away, aside = free_point(), 10.0 ** rng.uniform(0.5, 4.0), rng.uniform(0.0, 0.9)
        disc = vc.Event("disc", ["point"], GAPS["distance"])
        motion = flight(system, away, aside, 1.0, 1.1 + 2.0 / away, method, events=[disc])
        half = np.sqrt(1.0 - aside**2)
        assert [one.time for one in motion.record.crossings] == pytest.approx([away - half, away + half], rel=1e-12)
