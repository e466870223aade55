"""A joint's motion is the same in every rotation chart: near a singularity the run changes chart and says so."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import vinculum as vc
from vinculum.compile.engines import has_heyoka
from vinculum.screws import chart as chart_of
from vinculum.screws import skew

CHARTS = ("xyz", "zxz", "fedorov")
METHODS = ("taylor", "dop853", "series") if has_heyoka() else ("dop853", "series")
TILTED = chart_of("zxz").matrix((0.1, 0.8, 0.2))


def pendulum(chart: str, **given) -> vc.System:
    system = vc.System("spherical pendulum", gravity=(0, 0, -9.81))
    bob = system.add(vc.RigidBody("bob", 0.5, com=(0, 0, -0.5), inertia=(0.03, 0.02, 0.01)))
    system.add(vc.Spherical("ball", "ground", bob, chart=chart, **given))
    return system


def free_body(chart: str) -> vc.System:
    system = vc.System("free body")
    body = system.add(vc.RigidBody("body", 1.0, inertia=(1.0, 2.0, 3.0)))
    system.add(vc.Free("way", "ground", body, chart=chart))
    return system


def swing(chart: str, until: float = 2.0, rate=(0.5, 12.0, 1.0), **given) -> vc.Motion:
    start = {"ball": vc.At(vc.Pose(rotation=TILTED), rate=rate)}
    return vc.simulate(pendulum(chart), until, start, progress=False, **given)


def tumble(chart: str, until: float, **given) -> vc.Motion:
    start = {"way": vc.At(vc.Pose(rotation=TILTED), rate=(0.3, 0.0, 0.1, 0.02, 1.5, 0.04))}
    return vc.simulate(free_body(chart), until, start, progress=False, **given)


def shown(motion: vc.Motion, joint: str, chart: str) -> np.ndarray:
    """Rotation matrices of the coordinates that the user sees."""
    c = chart_of(chart)
    return np.array([c.matrix(x) for x in motion[joint][:, -c.size :]])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("chart", CHARTS)
def test_a_spherical_pendulum_swings_alike_in_every_chart(chart, method):
    expected, motion = swing("quaternion", method=method), swing(chart, method=method)
    np.testing.assert_allclose(motion.body("bob").rotation, expected.body("bob").rotation, rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.energy, expected.energy, rtol=1e-11)
    np.testing.assert_allclose(motion.joint("ball").reaction, expected.joint("ball").reaction, rtol=0, atol=1e-9)
    np.testing.assert_allclose(shown(motion, "ball", chart), motion.body("bob").rotation, rtol=0, atol=1e-12)
    np.testing.assert_allclose(motion.v, expected.v, rtol=0, atol=1e-9)
    assert motion.audit().passed
    assert chart == "zxz" or "joint 'ball': changed chart near a singularity" in motion.log[0]


@pytest.mark.parametrize("chart", CHARTS)
def test_a_tumbling_body_turns_alike_in_every_chart_for_many_turns(chart):
    expected, motion = tumble("quaternion", 100.0), tumble(chart, 100.0)
    np.testing.assert_allclose(motion.body("body").rotation, expected.body("body").rotation, rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.body("body").position, expected.body("body").position, rtol=0, atol=1e-9)
    np.testing.assert_allclose(shown(motion, "way", chart), motion.body("body").rotation, rtol=0, atol=1e-12)
    assert np.all(np.isfinite(motion.q))
    assert len(motion.record.changes) >= 3
    assert 2 <= sum("changed chart" in line for line in motion.log) <= 20
    assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
def test_a_swing_exactly_through_gimbal_lock_keeps_its_angles_continuous(method):
    """A plane swing over the top about y: φ and ψ never change, ϑ goes on through π/2 and beyond a turn."""
    given = {"progress": False, "method": method}
    start = {"ball": vc.At((0.0, 0.1, 0.0), rate=(0.0, 12.0, 0.0))}
    motion = vc.simulate(pendulum("xyz"), 2.0, start, **given)
    turn = chart_of("xyz").quaternion((0.0, 0.1, 0.0))
    expected = vc.simulate(pendulum("quaternion"), 2.0, {"ball": vc.At(turn, rate=(0.0, 12.0, 0.0))}, **given)
    np.testing.assert_allclose(motion.body("bob").rotation, expected.body("bob").rotation, rtol=0, atol=1e-10)
    assert np.abs(motion["ball"][:, [0, 2]]).max() < 1e-12
    assert np.abs(np.diff(motion["ball"][:, 1])).max() < 0.05
    assert motion["ball"][-1, 1] > 2 * np.pi
    assert any("changed chart" in line for line in motion.log)
    assert motion.audit().passed


@pytest.mark.parametrize("off", [1e-3, 1e-7, 1e-12])
def test_a_swing_that_nearly_meets_gimbal_lock_is_as_accurate_as_any(off):
    start = {"ball": vc.At((0.0, 0.1, 0.0), rate=(off, 12.0, -off))}
    motion = vc.simulate(pendulum("xyz"), 1.0, start, progress=False)
    turn = chart_of("xyz").quaternion((0.0, 0.1, 0.0))
    expected = vc.simulate(pendulum("quaternion"), 1.0, {"ball": vc.At(turn, rate=(off, 12.0, -off))}, progress=False)
    np.testing.assert_allclose(motion.body("bob").rotation, expected.body("bob").rotation, rtol=0, atol=1e-11)
    np.testing.assert_allclose(shown(motion, "ball", "xyz"), motion.body("bob").rotation, rtol=0, atol=1e-12)


def test_a_start_near_a_singular_place_changes_chart_at_once_and_shows_what_was_given():
    near = (0.3, np.pi / 2 - 1e-5, -0.2)
    motion = vc.simulate(pendulum("xyz"), 0.5, {"ball": vc.At(near, rate=(1, 2, 3))}, progress=False)
    assert motion.record.changes[0].step == 0 and "t = 0 s" in motion.log[0]
    np.testing.assert_allclose(motion["ball"][0], near, rtol=0, atol=1e-10)
    assert motion.audit().passed


def test_angles_do_not_depend_on_the_grid():
    motion = tumble("xyz", 40.0)
    instants = np.array([11.0, 17.3, 33.3, 39.9])
    fine = motion.at(np.sort(np.concatenate([np.linspace(0, 40, 4001), instants])))
    rows = [int(np.argmin(np.abs(fine.time - t))) for t in instants]
    np.testing.assert_allclose(motion.at(instants)["way"], fine["way"][rows], rtol=0, atol=1e-9)


def test_fixed_steps_change_chart_too():
    expected, motion = (swing(chart, 1.0, method="rk4", step=1e-4) for chart in ("quaternion", "fedorov"))
    np.testing.assert_allclose(motion.body("bob").rotation, expected.body("bob").rotation, rtol=0, atol=1e-9)
    assert motion.record.changes
    assert motion.audit().passed


def test_springs_know_the_attitude_from_which_a_chart_counts():
    def sprung(chart):
        start = {"ball": vc.At(vc.Pose(rotation=TILTED), rate=(0.5, 12.0, 1.0))}
        system = pendulum(chart, stiffness=0.2, damping=0.01)
        return vc.simulate(system, 2.0, start, progress=False)

    expected, motion = sprung("quaternion"), sprung("fedorov")
    assert motion.record.changes
    np.testing.assert_allclose(motion.body("bob").rotation, expected.body("bob").rotation, rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.energy, expected.energy, rtol=1e-10)
    assert motion.audit().passed


def test_closed_loops_stay_closed_through_changes_of_chart():
    """Two links between two points of the ground, all on ball joints, whirled about the line between these points."""

    def whirled(chart):
        system = vc.System("whirled chain", gravity=(0, 0, -9.81))
        one = system.add(vc.RigidBody("one", 1.0, com=(0.25, 0, -0.25), inertia=(0.02, 0.03, 0.025)))
        two = system.add(vc.RigidBody("two", 0.8, com=(0.25, 0, 0.25), inertia=(0.02, 0.025, 0.03)))
        system.add(vc.Spherical("left", "ground", one, chart=chart))
        system.add(vc.Spherical("right", "ground", two, at=(1, 0, 0), to=(0.5, 0, 0.5), chart=chart))
        system.add(vc.Spherical("middle", one, two, at=(0.5, 0, -0.5)))
        return vc.simulate(system, 1.0, {"left": vc.At(None, rate=(9.0, 0.3, 0.1))}, progress=False)

    expected, motion = whirled("quaternion"), whirled("fedorov")
    assert motion.record.changes
    for body in ("one", "two"):
        np.testing.assert_allclose(motion.body(body).rotation, expected.body(body).rotation, rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.joint("middle").reaction, expected.joint("middle").reaction, rtol=0, atol=1e-7)
    lines = [line for line in motion.audit().lines if line.law != "power of closing reactions"]
    assert all(line.residual <= line.tolerance for line in lines)


def test_a_stored_motion_keeps_its_changes_of_chart(tmp_path):
    motion = swing("fedorov", out=tmp_path / "streamed")
    motion.save(tmp_path / "saved")
    for place in ("streamed", "saved"):
        stored = vc.load(tmp_path / place)
        assert len(stored.record.changes) == len(motion.record.changes) > 5
        np.testing.assert_array_equal(stored.q, motion.q)
        np.testing.assert_array_equal(stored.body("bob").rotation, motion.body("bob").rotation)
        assert stored.record.log == motion.log
        assert stored.audit().passed
    assert motion.to_xarray()["q"].shape == motion.q.shape


def test_events_that_look_at_bodies_happen_at_the_same_instants():
    falls = vc.Event("falls", ["bob"], lambda bob: bob.center[2], direction=-1)
    times = [[c.time for c in swing(chart, events=[falls]).record.crossings] for chart in ("quaternion", *CHARTS)]
    assert len(times[0]) > 2
    for found in times[1:]:
        np.testing.assert_allclose(found, times[0], rtol=0, atol=1e-10)


def test_the_charts_of_a_run_agree_with_a_rotation_integrated_by_scipy():
    """Poisson's equation Ċ = C ω× for the angular velocity that the run gives, and Euler's equations, by SciPy alone."""
    J, w0 = np.array([1.0, 2.0, 3.0]), np.array([0.02, 1.5, 0.04])

    def rates(t, y):
        C, w = y[:9].reshape(3, 3), y[9:]
        return np.r_[(C @ skew(w)).ravel(), np.cross(J * w, w) / J]

    times = np.linspace(0.0, 20.0, 201)
    found = solve_ivp(rates, (0, 20), np.r_[TILTED.ravel(), w0], "DOP853", times, rtol=1e-13, atol=1e-14)
    for chart in CHARTS:
        motion = tumble(chart, 20.0, grid=times)
        C = found.y[:9].T.reshape(-1, 3, 3)
        np.testing.assert_allclose(motion.body("body").rotation, C, rtol=0, atol=1e-9)
        if chart != "fedorov":
            angles = motion["way"][:, 3:]
            np.testing.assert_allclose(Rotation.from_euler(chart.upper(), angles).as_matrix(), C, rtol=0, atol=1e-9)
