"""Motions under tables: closed forms, SciPy from the user's numbers alone, and knots met exactly."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import vinculum as vc
from vinculum.compile.engines import has_heyoka

METHODS = [pytest.param("taylor", marks=pytest.mark.skipif(not has_heyoka(), reason="heyoka is hidden")), "dop853"]
PERIOD = np.pi / 2 + np.pi
X = np.linspace(-1.0, 1.0, 41)
Y = -4.0 * X - 3.0 * X**3 + 0.1 * np.sin(9.0 * X)


def slider(drive, **more) -> vc.System:
    system = vc.System("slider")
    body = system.add(vc.MassPoint("body", 1.0))
    system.add(vc.Prismatic("x", "ground", body, axis=(1, 0, 0), drive=drive, **more))
    return system


@pytest.mark.parametrize("method", METHODS)
def test_straight_pieces_make_harmonic_ones(method):
    """Stiffness 1 on the left and 4 on the right, from rest at x = 1: half a period of each, again and again."""
    table = vc.Table("spring", [-3, 0, 3], [3, 0, -12], kind="linear")
    motion = vc.simulate(slider(lambda q: table(q)), 50 * PERIOD, {"x": 1.0}, method=method)
    q, v = motion.q[:, 0], motion.v[:, 0]
    assert np.abs((0.5 * v**2 + np.where(q > 0, 2.0, 0.5) * q**2) / 2 - 1).max() < 1e-12
    phase = motion.time % PERIOD
    half = np.pi / 4
    right = (phase < half) | (phase > PERIOD - half)
    slow = -2.0 * np.sin(phase - half)
    assert q == pytest.approx(np.where(right, np.cos(2.0 * np.minimum(phase, PERIOD - phase)), slow), abs=2e-11)
    assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["linear", "cubic", "quintic", "akima"])
def test_energy_is_kept_over_hundreds_of_knots(method, kind):
    force = vc.Table("spring", X, Y, kind=kind)
    motion = vc.simulate(slider(lambda q: force(q)), 40.0, {"x": 0.713}, method=method)
    energy = 0.5 * motion.v[:, 0] ** 2 - force.integral()(motion.q[:, 0])
    assert np.abs(energy / energy[0] - 1).max() < 1e-12
    edges = motion.record.pieces.state(np.asarray(motion.record.pieces.times))[:, 0]
    met = np.abs(edges[:, None] - X).min(axis=1) < 1e-13
    assert met.sum() > 400
    assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
def test_a_motion_is_that_of_the_users_numbers(method):
    table = vc.Table("spring", X, Y)
    motion = vc.simulate(slider(lambda q: table(q)), 6.0, {"x": vc.At(0.313, rate=0.4)}, method=method, grid=61)
    spline = CubicSpline(X, Y)
    peer = solve_ivp(lambda t, s: [s[1], spline(s[0])], (0, 6), [0.313, 0.4], "DOP853", motion.time, rtol=1e-12,
                     atol=1e-12, max_step=0.005)  # fmt: skip
    assert motion.q[:, 0] == pytest.approx(peer.y[0], abs=2e-10)


@pytest.mark.parametrize("method", METHODS)
def test_a_drive_in_time_is_followed_to_the_last_knot(method):
    """Force t between knots at 0, 1, 2, … with alternating derivatives; the run ends where the table does."""
    knots = np.arange(0.0, 11.0)
    table = vc.Table("push", knots, knots % 2.0, kind="linear")
    motion = vc.simulate(slider(lambda t: table(t)), 10.0, method=method)
    assert motion.v[-1, 0] == pytest.approx(5.0, abs=1e-13)
    assert motion.v[:, 0] == pytest.approx(table.integral()(motion.time), abs=1e-13)
    assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("outside", ["extend", "flat"])
def test_a_motion_may_go_beyond_a_table_that_says_how(method, outside):
    force = vc.Table("spring", X, Y, outside=outside)
    motion = vc.simulate(slider(lambda q: force(q)), 20.0, {"x": vc.At(0.0125, rate=4.0)}, method=method)
    energy = 0.5 * motion.v[:, 0] ** 2 - force.integral()(motion.q[:, 0])
    assert np.abs(motion.q).max() > 1.2
    assert np.abs(energy / energy[0] - 1).max() < 1e-12
    assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rate", [3.0, -3.0, 0.0])
def test_a_cam_turns_on_and_on(method, rate):
    angles = np.linspace(0.0, 2 * np.pi, 13)
    moment = np.cos(angles) + 0.3 * np.sin(2 * angles)
    cam = vc.Table("cam", angles, moment, outside="repeat")
    system = vc.System("camshaft")
    shaft = system.add(vc.RigidBody("shaft", 1.0, inertia=(1.0, 1.0, 2.0)))
    system.add(vc.Revolute("turn", "ground", shaft, drive=lambda q: cam(q)))
    motion = vc.simulate(system, 30.0, {"turn": vc.At(0.3, rate=rate)}, method=method)
    q, v = motion.q[:, 0], motion.v[:, 0]
    spline = CubicSpline(angles, [*moment[:-1], moment[0]], bc_type="periodic").antiderivative()
    turns = np.floor(q / (2 * np.pi))
    energy = v**2 - spline(q - 2 * np.pi * turns) - turns * spline(2 * np.pi)
    assert np.ptp(energy) < 1e-11
    assert np.ptp(q) > (80.0 if rate else 2.0)
    assert motion.audit().passed


@pytest.mark.parametrize("method", METHODS)
def test_a_start_on_a_knot_goes_either_way(method):
    table = vc.Table("spring", [-3, 0, 3], [3, 0, -12], kind="linear")
    turn = vc.Event("turn", ["x"], lambda x: x.v)
    for rate, quarter in ((1.0, np.pi / 4), (-1.0, np.pi / 2)):
        motion = vc.simulate(
            slider(lambda q: table(q)), 2.0, {"x": vc.At(0.0, rate=rate)}, method=method, events=[turn]
        )
        assert motion.record.crossings[0].time == pytest.approx(quarter, abs=1e-13)


@pytest.mark.parametrize("method", METHODS)
def test_a_start_at_rest_on_a_knot_or_an_end_of_the_table_moves(method):
    force = vc.Table("spring", X, Y)
    for start in (0.5, 1.0, -1.0):
        motion = vc.simulate(slider(lambda q: force(q)), 5.0, {"x": start}, method=method)
        energy = 0.5 * motion.v[:, 0] ** 2 - force.integral()(np.clip(motion.q[:, 0], -1, 1))
        assert np.ptp(motion.q) > abs(start)
        assert np.ptp(energy) < 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_a_table_of_a_parameter_is_a_number_that_follows_it(method):
    rate = vc.parameter("rate", 1.0)
    table = vc.Table("gain", [0.0, 1.0, 2.0], [1.0, 4.0, 9.0], kind="linear")
    system = slider(lambda q: -table(rate) * q)
    for given, stiffness in ((1.0, 4.0), (2.0, 9.0), (0.5, 2.5)):
        motion = vc.simulate(system, 3.0, {"x": 1.0}, method=method, parameters={"rate": given})
        assert motion.q[:, 0] == pytest.approx(np.cos(np.sqrt(stiffness) * motion.time), abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_tables_of_tables_and_of_what_switches_work(method):
    """|x| through a table that doubles it and one that undoes it: a spring of stiffness 1 with a mirrored force."""
    double = vc.Table("double", np.linspace(0, 3, 13), 2 * np.linspace(0, 3, 13), kind="linear")
    half = vc.Table("half", np.linspace(0, 6, 8), 0.5 * np.linspace(0, 6, 8), kind="linear")
    drive = lambda q: -vc.math.sign(q) * half(double(vc.math.abs(q)))
    motion = vc.simulate(slider(drive), 20.0, {"x": 1.1}, method=method)
    assert motion.q[:, 0] == pytest.approx(1.1 * np.cos(motion.time), abs=1e-12)


def test_an_event_may_look_through_a_table():
    table = vc.Table("height", X, np.sin(X))
    event = vc.Event("half", ["x"], lambda x: table(x.q) - 0.25)
    motion = vc.simulate(slider(lambda q: -q), 10.0, {"x": 0.9}, events=[event])
    expected = np.arcsin(0.25) / 0.9
    assert motion.record.crossings[0].time == pytest.approx(np.arccos(expected), abs=1e-5)
    assert len(motion.record.crossings) == 3


def test_fixed_steps_use_the_table_as_it_is():
    force = vc.Table("spring", X, Y)
    for method in ("rk4", "verlet", "midpoint"):
        motion = vc.simulate(slider(lambda q: force(q)), 2.0, {"x": 0.713}, method=method, step=1e-3)
        peer = vc.simulate(slider(lambda q: force(q)), 2.0, {"x": 0.713}, method="dop853")
        assert np.abs(motion.q - peer.q).max() < (1e-9 if method == "rk4" else 1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_stored_run_keeps_its_tables(method, tmp_path):
    force = vc.Table("spring", X, Y)
    motion = vc.simulate(slider(lambda q: force(q)), 5.0, {"x": 0.713}, method=method)
    motion.save(tmp_path / "run.zarr")
    again = vc.load(tmp_path / "run.zarr")
    assert np.array_equal(again.q, motion.q)
    assert again.audit().passed
    assert again.record.model.tape("motion").digest == motion.record.model.tape("motion").digest


def test_the_equations_name_the_table():
    force = vc.Table("cam_force", X, Y)
    equations = vc.derive(slider(lambda q: force(q)))
    assert r"\mathrm{cam\_force}" in equations.latex()
    assert equations.accelerations([0.313], [0.0]) == pytest.approx([float(CubicSpline(X, Y)(0.313))], rel=1e-13)


def test_what_does_not_feel_a_table_stays_conserved_however_short_the_table():
    force = vc.Table("spring", 1e-3 * X, Y)
    system = slider(lambda q: force(q))
    system.add(vc.RigidBody("moon", 1.0, inertia=(1.0, 2.0, 2.5)))
    names = [one.name for one in vc.first_integrals(system).integrals]
    assert any("moon" in name for name in names)
