"""Motions by other programs: signs of quaternions, wrapped angles, impacts on and between instants, coarse grids."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc
from audited import arm, broken, top
from impacted import LIFTED, ball, block, stopped_arm

SPINNING = {"foot": vc.At((0.9, 0.3, 0.2, 0.1), rate=(1.0, -2.0, 12.0))}
G = 9.81


def bounces_by_scipy(e: float, until: float, count: int):
    """A ball that falls from 1 m with a steady x' = 1 and bounces, by SciPy's events; instants between its impacts only."""

    def floor(t, y):
        return y[1]

    floor.terminal, floor.direction = True, -1  # type: ignore[attr-defined]
    grid = np.linspace(0.0, until, count)
    t, y, found = 0.0, np.array([0.0, 1.0, 1.0, 0.0]), []
    while t < until:
        run = solve_ivp(lambda t, y: [y[2], y[3], 0.0, -G], (t, until), y, "DOP853", dense_output=True, events=floor,
                        rtol=1e-12, atol=1e-13)  # fmt: skip
        inside = grid[(grid >= t) & (grid < run.t[-1])] if run.t[-1] < until else grid[grid >= t]
        found.append(run.sol(inside).T)
        t, y = run.t[-1], run.y[:, -1] * [1, 0, 1, -e] if run.t[-1] < until else run.y[:, -1]
    y = np.concatenate(found)
    still = np.zeros(len(grid))
    return grid, np.stack([y[:, 0], still, y[:, 1]], axis=1), np.stack([y[:, 2], still, y[:, 3]], axis=1)


@pytest.fixture(scope="module")
def bounces():
    return vc.simulate(ball(vc.Newton(0.8)), 1.5, {"ball": vc.At((0, 0, 1.0), rate=(1, 0, 0))}, progress=False)


@pytest.fixture(scope="module")
def hits():
    return vc.simulate(stopped_arm(), 1.8, LIFTED, progress=False, grid=2001)


def test_quaternions_of_a_program_that_keeps_w_positive_are_certified():
    motion = vc.simulate(top(), 1.0, SPINNING, progress=False)
    q = motion.q * np.where(motion.q[:, :1] < 0.0, -1.0, 1.0)
    assert np.abs(np.diff(q, axis=0)).max() > 0.5, "no sign has changed"
    given = vc.given_motion(top(), motion.time, q, motion.v)
    assert given.audit().passed, given.audit()
    assert "changed its sign" in given.log[0]
    assert vc.given_motion(top(), motion.time, q, 1.001 * motion.v).audit().verdict == "failed"


def test_wrapped_angles_are_certified():
    motion = vc.simulate(arm(), 3.0, {"shoulder": 3.0, "elbow": vc.At(0.3, rate=9.0)}, progress=False, grid=2001)
    q = (motion.q + np.pi) % (2 * np.pi) - np.pi
    assert np.abs(np.diff(q, axis=0)).max() > 6.0, "nothing was wrapped"
    given = vc.given_motion(arm(), motion.time, q, motion.v)
    assert given.audit().passed, given.audit()
    assert any("was wrapped" in line for line in given.log)
    assert vc.given_motion(arm(), motion.time, q, 1.001 * motion.v).audit().verdict == "failed"


def test_impacts_between_the_instants_of_another_program_are_found_with_their_impulses(bounces):
    system = ball(vc.Newton(0.8))
    given = vc.given_motion(system, *bounces_by_scipy(0.8, 1.5, 1001))
    assert given.audit().passed, given.audit()
    np.testing.assert_allclose(given.bond("floor").impulses.times, bounces.bond("floor").impulses.times, atol=1e-9)
    np.testing.assert_allclose(given.bond("floor").impulses.normal, bounces.bond("floor").impulses.normal, rtol=1e-8)
    assert "2 impacts" in given.log[-1]


@pytest.mark.parametrize("e", [0.799, 0.85])
def test_impacts_by_another_law_fail(e):
    given = vc.given_motion(ball(vc.Newton(0.8)), *bounces_by_scipy(e, 1.5, 1001))
    assert "impact law" in broken(given.audit())


def test_limits_from_the_left_and_impulses_are_taken(hits):
    time = np.unique(np.concatenate([hits.time, hits.record.atoms.times]))
    seen = hits.at(time)
    for options in ({}, {"contact_impulses": hits.record.atoms.contact_impulses}):
        given = vc.given_motion(
            stopped_arm(), time, seen.q, seen.v, left_v=seen.at(seen.time, side="left").v, **options
        )
        assert given.audit().passed, given.audit()
    wrong = vc.given_motion(
        stopped_arm(),
        time,
        seen.q,
        seen.v,
        left_v=seen.at(seen.time, side="left").v,
        contact_impulses=1.001 * hits.record.atoms.contact_impulses,
    )
    assert "impulses M [v] = Hᵀ P" in broken(wrong.audit())


def test_the_instant_of_a_jump_may_stand_twice(bounces):
    jumps = bounces.record.atoms.times
    time = np.sort(np.concatenate([bounces.time, jumps, jumps]))
    first = np.append(np.diff(time) == 0.0, False)[:, None]
    seen = bounces.at(time)
    given = vc.given_motion(
        ball(vc.Newton(0.8)), time, seen.q, np.where(first, seen.at(seen.time, side="left").v, seen.v)
    )
    assert given.audit().passed, given.audit()
    np.testing.assert_allclose(given.record.atoms.contact_impulses, bounces.record.atoms.contact_impulses, rtol=1e-9)


@pytest.mark.parametrize("instants", [31, 101, 401])
def test_a_coarse_grid_with_impacts_is_never_broken(hits, instants):
    seen = hits.at(np.linspace(0.0, 1.8, instants))
    given = vc.given_motion(stopped_arm(), seen.time, seen.q, seen.v)
    assert given.audit().verdict != "failed", given.audit()


def test_the_impacts_of_a_motion_stay_when_its_arrays_are_replaced(hits, bounces):
    for motion in (hits, bounces):
        again = motion.replace(q=motion.q.copy(), v=motion.v.copy())
        assert again.audit().passed, again.audit()
        assert len(again.record.atoms) == len(motion.record.atoms)
        assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"
        assert motion.replace(q=1.001 * motion.q).audit().verdict == "failed"


def test_impulses_of_whole_steps_stay_when_arrays_are_replaced():
    system = ball(vc.Newton(0.5))
    motion = vc.simulate(
        system, 1.0, {"ball": (0, 0, 1.0)}, method="moreau", step=2e-3, impacts="stepped", progress=False
    )
    assert motion.replace(q=motion.q.copy()).audit().verdict == motion.audit().verdict == "passed"
    assert motion.replace(v=1.001 * motion.v).audit().verdict == "failed"


@pytest.mark.slow
def test_a_slide_that_comes_to_rest_is_seen_in_its_phases():
    start = {"block": vc.At(vc.Pose((0, 0, 0.1)), rate=(0, 0.3, 0, 0, 0, 0))}
    motion = vc.simulate(block(0.7), 0.3, start, progress=False, grid=301)
    given = vc.given_motion(block(0.7), motion.time, motion.q, motion.v)
    assert [phase.closed[0][1] for phase in given.record.phases] == ["slides", "sticks"]
    assert given.audit().verdict != "failed", given.audit()
    assert vc.given_motion(block(0.7), motion.time, motion.q, 1.01 * motion.v).audit().verdict == "failed"


def test_instants_that_go_back_are_refused():
    with pytest.raises(vc.errors.StartError, match="increasing numbers; the instant of a jump may be repeated"):
        vc.given_motion(arm(), [0.0, 0.0, 0.0, 1.0], np.zeros((4, 2)), np.zeros((4, 2)))
