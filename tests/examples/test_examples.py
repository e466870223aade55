"""Every example runs and gives one number that is known from elsewhere."""

import importlib.util
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import fsolve
from scipy.special import ellipk
from typer.testing import CliRunner

import vinculum as vc
from marks import needs_heyoka
from vinculum.cli.app import app
from vinculum.systems.files import read_model

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TESTED = {
    "arm_through_heap.py",
    "balanced_pole.toml",
    "bead_on_hoop.py",
    "bouncing_ball.toml",
    "bouncing_jelly.py",
    "bouncing_tree.py",
    "box_of_molecules.py",
    "brachistochrone.py",
    "burning_rocket.py",
    "carried_bounce.py",
    "chaplygin_sleigh.toml",
    "cold_collapse.py",
    "delta_robot.toml",
    "dido.py",
    "double_pendulum.py",
    "double_pendulum.toml",
    "draped_chain.py",
    "driven_cart.toml",
    "elastic_pendulum.toml",
    "ellipsoid_geodesics.py",
    "elliptic_billiard.toml",
    "falling_blocks.toml",
    "figure_eight.toml",
    "fluttering_plate.py",
    "fluttering_plate.toml",
    "foucault_pendulum.toml",
    "four_bar.toml",
    "furuta_pendulum.toml",
    "gyroscope.toml",
    "hailstone.toml",
    "henon_heiles.py",
    "jet_damping.toml",
    "kapitza_pendulum.py",
    "knife_edge_two_ways.py",
    "line_of_screws.toml",
    "maclaurin_spheroid.toml",
    "mixed_shapes.py",
    "newtons_cradle.py",
    "newtons_cradle.toml",
    "pouring_balls.py",
    "rattleback.toml",
    "rimless_wheel.py",
    "robot_arm.py",
    "rocking_block.toml",
    "rolling_disc.py",
    "rolling_disc.toml",
    "rope_bridge.py",
    "rotationless_plate.toml",
    "skate_on_slope.py",
    "slider_crank.toml",
    "soft_cubes.toml",
    "solar_system.py",
    "spinning_membrane.toml",
    "spinning_top.toml",
    "struck_net.py",
    "tee_handle.toml",
    "textbook_equations.py",
    "thrown_rubber_band.toml",
    "torus_states.py",
    "trammel.toml",
    "tumbling_asteroid.py",
    "watt_governor.toml",
    "whipple_bicycle.py",
    "wilberforce_pendulum.toml",
    "woodpecker_toy.py",
}


def moved(name, changed=None, **settings):
    file = read_model(EXAMPLES / name, changed)
    return vc.simulate(file.system, start=file.start, events=file.events, **(dict(file.run) | settings))


def script(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_is_tested():
    assert {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".toml")} == TESTED


UNDECIDED = {"soft_cubes.toml"}
"""Examples whose time steps are too long to decide every law, as they say."""


@pytest.mark.parametrize("name", sorted(name for name in TESTED if name.endswith(".toml")))
def test_every_model_file_runs_and_passes_its_certificate(name, tmp_path):
    done = CliRunner().invoke(app, ["run", str(EXAMPLES / name), "--json", "--plot", str(tmp_path / "run.png")])
    certificate = json.loads(done.stdout)["certificate"]
    assert (done.exit_code == 0, certificate["passed"]) == (name not in UNDECIDED,) * 2, done.output
    assert not [line["law"] for line in certificate["lines"] if line["verdict"] == "broken"]


def test_the_cart_pushes_as_its_programmed_pole_needs():
    """m l cos θ ẍ + (J + m l²) θ̈ = m g l sin θ for θ = 0.2 sin 2t, and (M + m) ẍ + m l (cos θ θ̈ − sin θ θ̇²) is the force."""
    motion = moved("balanced_pole.toml", grid=[3.0])
    angle, rate, faster = 0.2 * math.sin(6), 0.4 * math.cos(6), -0.8 * math.sin(6)
    x = (0.5 * 9.81 * 0.35 * math.sin(angle) - (0.02 + 0.5 * 0.35**2) * faster) / (0.5 * 0.35 * math.cos(angle))
    force = 2.5 * x + 0.5 * 0.35 * (math.cos(angle) * faster - math.sin(angle) * rate**2)
    assert motion.bond("lean").multiplier[0] == pytest.approx(force, rel=1e-11)


def test_the_tour_in_python_and_the_model_file_give_one_motion(tmp_path, capsys):
    motion = script("double_pendulum").main(tmp_path)
    said = capsys.readouterr().out
    assert "PASSED" in said and "found out" in said
    np.testing.assert_allclose(motion.q, moved("double_pendulum.toml").q, rtol=0, atol=1e-9)


def test_a_cold_sphere_collapses_in_the_time_of_free_fall(tmp_path, capsys):
    """t = π/2 √(R³/2GM) for a sphere without pressure; a few hundred bodies and the softening blur it by some percent."""
    example = script("cold_collapse")
    motion = example.main(tmp_path)
    distances = np.linalg.norm(motion.q.reshape(-1, example.COUNT, 3) - motion.body().center[:, None], axis=2)
    smallest = motion.time[np.argmin(np.median(distances, axis=1))]
    assert smallest == pytest.approx(math.pi / 2 / math.sqrt(2), rel=0.05)
    assert "PASSED" in capsys.readouterr().out
    assert (tmp_path / "collapse.png").stat().st_size > 10_000


@needs_heyoka
def test_the_last_ball_of_a_cradle_leaves_with_the_speed_of_the_first(tmp_path):
    """Elastic impacts in turn hand on the whole speed; all at once they leave −3/5 of it to the first of five and 2/5 to the others."""
    in_turn, at_once = script("newtons_cradle").main(tmp_path)
    hit = in_turn.record.atoms.times[0]
    speed = in_turn.at([hit - 1e-9]).v[0, 0]
    np.testing.assert_allclose(in_turn.at([hit]).v[0] / speed, [0, 0, 0, 0, 1], rtol=0, atol=1e-7)
    np.testing.assert_allclose(at_once.at([hit]).v[0] / speed, [-0.6, 0.4, 0.4, 0.4, 0.4], rtol=0, atol=1e-7)
    assert (tmp_path / "newtons_cradle.png").stat().st_size > 10_000


@needs_heyoka
def test_the_cradle_of_a_file_hands_on_the_whole_speed():
    motion = moved("newtons_cradle.toml")
    hits = motion.bond("last_pair").impulses
    assert len(hits) == 4
    speed = math.sqrt(2 * 9.81 * 0.3 * (1 - math.cos(math.pi / 6)) / (1 + 0.4 * (0.02 / 0.3) ** 2)) / 0.3
    np.testing.assert_allclose(motion.at(hits.times[:2]).v, [[0, 0, speed], [-speed, 0, 0]], rtol=0, atol=1e-9 * speed)


@pytest.mark.parametrize("method", ["auto", "dop853"])
def test_a_ball_with_spin_bounces_out_and_rolls(method):
    """Ratios e of speeds add up to the instant (1 + e)/(1 − e) √(2 h/g); a full sphere keeps 2/7 of its spin once it grips.

    Jumps lower than the round-off of the gap, 2⁻⁴² of 3 cm, are none: the last 1e-7 s are without them."""
    motion = moved("bouncing_ball.toml", method=method)
    end = math.sqrt(2 * 0.47 / 9.81) * 1.5 / 0.5
    assert motion.record.phases[-1].closed == (("floor", "sticks"),)
    assert motion.record.pieces.times[motion.record.phases[-1].step] == pytest.approx(end, abs=1e-7)
    np.testing.assert_allclose(
        motion.q[-1, :3], [200 / 7 * 0.03 * (1.5 - motion.record.atoms.times[0]), 0, 0.03], rtol=0, atol=1e-9
    )
    assert motion.v[-1, 4] == pytest.approx(200 / 7, rel=1e-10)


def test_blocks_of_a_file_come_to_rest_on_each_other():
    """A plank on a slab and a cube on the plank lie flat; the energy that is left is that of their places."""
    motion = moved("falling_blocks.toml")
    assert motion.body("plank").position[-1, 2] == pytest.approx(0.2 + 0.025, abs=2e-4)
    assert motion.body("cube").position[-1, 2] == pytest.approx(0.2 + 0.05 + 0.1, abs=2e-4)
    assert np.linalg.norm(motion.v[-1].reshape(4, 6)[:2], axis=1).max() < 1e-5


@pytest.mark.slow
def test_a_draped_chain_runs_off_with_little_friction(tmp_path):
    motion = script("draped_chain").main(tmp_path, until=0.3)
    rise = np.diff(motion.body("link 0").position[[0, -1], 2])[0]
    # g ΔL/L for 19 links more on one side is the most that friction leaves
    assert 0.0 < rise < 0.5 * 9.81 * 0.19 * 0.3**2
    assert (tmp_path / "draped_chain.png").stat().st_size > 10_000


@pytest.mark.slow
def test_a_bouncing_tree_only_loses_energy(tmp_path):
    motion = script("bouncing_tree").main(tmp_path)
    assert np.diff(motion.energy).max() < 1e-3 * motion.energy[0]
    assert motion.body("trunk").point((0, 0, -0.25)).position[:, 2].min() > -1e-2
    assert (tmp_path / "bouncing_tree.png").stat().st_size > 10_000


def test_poured_balls_do_not_sink_into_each_other(tmp_path):
    assert script("pouring_balls").main(tmp_path)[0] < 1e-2
    assert (tmp_path / "pouring_balls.png").stat().st_size > 10_000


@pytest.mark.slow
def test_an_arm_pushes_through_a_heap_and_arrives(tmp_path):
    turned, motion = script("arm_through_heap").main(tmp_path)
    assert turned == pytest.approx(1.5, abs=0.1)
    assert motion.audit().verdict != "failed"
    assert (tmp_path / "arm_through_heap.png").stat().st_size > 10_000


@pytest.mark.slow
def test_mixed_shapes_settle_in_a_valley(tmp_path):
    assert script("mixed_shapes").main(tmp_path)[0] < 5e-3
    assert (tmp_path / "mixed_shapes.png").stat().st_size > 10_000


def test_the_textbook_equations_give_the_accelerations_of_the_paper(tmp_path, capsys):
    """Cheremensky, section 2.2.5."""
    found, _ = script("textbook_equations").main(tmp_path)
    assert found == pytest.approx([-3.99277068, 12.10837934], abs=1e-8)
    assert r"\ddot{\theta}_{2} \cos\left(\theta_{1} - \theta_{2}\right)" in capsys.readouterr().out
    assert (tmp_path / "double_pendulum.c").exists()


def test_the_outer_planets_go_round_in_their_years(tmp_path, capsys):
    """Sidereal periods of almanacs in Julian years; neighbors pull a single round off its mean by some days."""
    years, _ = script("solar_system").main(tmp_path)
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "orbits.png").exists()
    known = {"jupiter": 11.862, "saturn": 29.457, "uranus": 84.02, "neptune": 164.8}
    assert years == pytest.approx(known, rel=1e-3)


def test_the_double_pendulum_starts_with_the_energy_of_its_two_rods():
    motion = moved("double_pendulum.toml", until=0.1)
    a, b, w = 1.2, 1.5, -1.0
    height = -0.5 * math.cos(a) - 0.5 * (math.cos(a) + 0.4 * math.cos(b))
    assert motion.energy[0] == pytest.approx(9.81 * height + 0.5 * (0.030 + 0.5 * 0.4**2) * w**2, rel=1e-14)


def test_the_top_nods_between_the_roots_of_its_cubic():
    """cos θ of Lagrange's top, let go at θ₀ with the spin s about its axis, reaches the lower root of the cubic."""
    motion = moved("spinning_top.toml", grid=20001)
    radius, height, tilt, spin = 0.03, 0.08, math.radians(30), 1500 * 2 * math.pi / 60
    mass = 700 * math.pi / 3 * radius**2 * height
    axial = 0.3 * mass * radius**2
    across = 0.15 * mass * radius**2 + 0.6 * mass * height**2
    # u = cos θ: across u̇² = 2 m g l (u₀ − u)(1 − u²) − (axial s)² (u₀ − u)² / across, zero where it turns.
    weight = 2 * mass * 9.81 * 0.75 * height * across / (axial * spin) ** 2
    u0 = math.cos(tilt)
    lower = (1 - math.sqrt(1 - 4 * weight * (u0 - weight))) / (2 * weight)
    nodding = motion.body("top").rotation[:, 2, 2]
    assert nodding.max() == pytest.approx(u0, abs=1e-12)
    assert nodding.min() == pytest.approx(lower, abs=1e-7)


def test_the_driven_cart_settles_into_the_beat_of_its_drive():
    """At its stops the work of the drive has gone into damping: the certificate's energy balance, done by hand."""
    motion = moved("driven_cart.toml", {"m": "400 g"}, grid=8001)
    t, v = motion.time, motion.v
    power = (
        4.0 * np.cos(3.0 * t) * v[:, 0]
        - 0.2 * v[:, 0] ** 2 * np.abs(v[:, 0])
        - 0.5 * v[:, 0] ** 2
        - 0.002 * v[:, 1] ** 2
    )
    work = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(t))
    assert motion.energy[-1] - motion.energy[0] == pytest.approx(work, abs=1e-5)
    lowest = [crossing.time for crossing in motion.record.crossings if crossing.name == "lowest"]
    assert len(lowest) > 3
    np.testing.assert_allclose(motion.at(lowest)["pivot"], 0.0, rtol=0, atol=1e-12)


def test_the_four_bar_keeps_its_closure_equation():
    """Freudenstein's equation between crank and rocker, at every instant."""
    motion = moved("four_bar.toml")
    crank, rocker = motion["A"], motion["D"]
    a, b, c, d = 1.0, 2.5, 2.0, 2.2
    left = d / a * np.cos(rocker) - d / c * np.cos(crank) + (a**2 - b**2 + c**2 + d**2) / (2 * a * c)
    np.testing.assert_allclose(left, np.cos(crank - rocker), rtol=0, atol=1e-12)


def test_the_piston_of_the_slider_crank_is_where_its_prescribed_crank_puts_it():
    motion = moved("slider_crank.toml", {"ripple": 0.1})
    speed = 20 * math.pi
    angle = speed * motion.time + 0.1 * np.sin(speed * motion.time)
    place = 0.04 * np.cos(angle) + np.sqrt(0.13**2 - (0.04 * np.sin(angle)) ** 2)
    np.testing.assert_allclose(motion["bore"], place, rtol=0, atol=1e-13)
    tops = np.array([crossing.time for crossing in motion.record.crossings])
    np.testing.assert_allclose(np.cos(speed * tops + 0.1 * np.sin(speed * tops)), 1.0, rtol=0, atol=1e-12)
    assert len(tops) in (4, 5)


def test_the_rolling_disc_of_the_model_file_is_that_of_python():
    example = script("rolling_disc")
    same = vc.simulate(example.rolling_disc(), 4.0, example.start(0.2, 0.4, 6.0))
    motion = moved("rolling_disc.toml")
    np.testing.assert_allclose(motion.body("disc").position, same.body("disc").position, rtol=0, atol=1e-11)
    (turn,) = motion.record.crossings
    assert motion.time[np.argmax(motion.body("disc").position[:, 0])] == pytest.approx(turn.time, abs=0.004)


def test_the_rolling_disc_obeys_its_published_equations_and_a_falsified_one_is_found_out(tmp_path, capsys):
    lean, _ = script("rolling_disc").main(tmp_path)
    said = capsys.readouterr().out
    assert "nonholonomic" in said and "PASSED" in said and "found out: True" in said
    assert lean < 1e-7


def test_the_knife_edge_ends_where_each_realization_takes_it(tmp_path, capsys):
    """d'Alembert's circle of radius u/ω, and the vakonomic motion by Jacobi's amplitude."""
    compared = script("knife_edge_two_ways").main(tmp_path)
    np.testing.assert_allclose(compared["d'Alembert"].q[-1], [-0.63919620, 2.73976216, 3.6], rtol=0, atol=1e-8)
    np.testing.assert_allclose(compared["vakonomic"].q[-1, :3], [2.80999675, 0.32741435, 5.39047925], rtol=0, atol=1e-8)
    assert "realized in 4 ways" in capsys.readouterr().out and (tmp_path / "edge.png").exists()


def test_geodesics_from_an_umbilic_meet_opposite_to_it_after_half_the_ellipse(tmp_path):
    """All geodesics through an umbilic of an ellipsoid pass through the opposite one, and have the same length until then."""
    a, b, c = (1.6, 1.1, 0.7)
    ends, _ = script("ellipsoid_geodesics").main(tmp_path)
    opposite = [-a * math.sqrt((a**2 - b**2) / (a**2 - c**2)), 0.0, -c * math.sqrt((b**2 - c**2) / (a**2 - c**2))]
    np.testing.assert_allclose(ends, np.broadcast_to(opposite, ends.shape), rtol=0, atol=1e-12)
    assert (tmp_path / "ellipsoid_geodesics.png").stat().st_size > 10_000


def test_the_action_of_a_bounce_changes_at_the_rate_of_its_impulse(tmp_path, capsys):
    """2 m v = 2 · 1.3 · 4.4294469, and the measures that were carried have the same slope."""
    example = script("carried_bounce")
    rate, _ = example.main(tmp_path)
    assert rate == pytest.approx(2 * 1.3 * 9.81 * math.sqrt(2 / 9.81), rel=1e-9)
    h = 0.01
    _, actions = example.carried_actions(np.array([-h, h]))
    assert (actions[1] - actions[0]) / (2 * h) == pytest.approx(rate, rel=1e-8)
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "carried_bounce.png").stat().st_size > 10_000


def test_exponents_of_henon_and_heiles_pair(tmp_path):
    """λ₁ + λ₄ = λ₂ + λ₃ = 0; orbits with an exponent near zero and others share one level of the energy."""
    spectrum, motion = script("henon_heiles").main(tmp_path, count=8, until=400.0)
    np.testing.assert_allclose(spectrum.exponents + spectrum.exponents[:, ::-1], 0.0, rtol=0, atol=1e-10)
    assert spectrum.exponents[:, 0].min() < 0.02 and spectrum.exponents[:, 0].max() > 0.03
    np.testing.assert_allclose(motion.total_energy, 1 / 8, rtol=1e-12)
    assert (tmp_path / "henon_heiles.png").stat().st_size > 10_000


def test_brachistochrones_are_cycloids(tmp_path):
    """Their times are also those of a bead on a cycloid, whose motion is that of an oscillator."""
    example = script("brachistochrone")
    largest, motion = example.main(tmp_path)
    assert largest < 1e-8
    np.testing.assert_allclose(example.draw(motion.q[-1])[-1], (example.ENDS[-1], -example.DEPTH), rtol=0, atol=1e-8)
    assert (tmp_path / "brachistochrone.png").stat().st_size > 10_000


def test_ropes_of_dido_are_arcs_of_circles(tmp_path):
    example = script("dido")
    largest, motion = example.main(tmp_path)
    assert largest < 1e-7
    rope = example.draw(motion.q[-1])
    np.testing.assert_allclose(rope[[0, -1]], [(-1, 0), (1, 0)], rtol=0, atol=1e-12)
    # chords of an arc with 40 parts are shorter by θ²/24 of each part
    assert np.linalg.norm(np.diff(rope, axis=0), axis=1).sum() == pytest.approx(example.ROPES[-1], rel=1e-3)
    assert (tmp_path / "dido.png").stat().st_size > 10_000


def test_states_of_the_torus_have_the_levels_of_its_separated_equation(tmp_path):
    example = script("torus_states")
    levels, motion = example.main(tmp_path)
    np.testing.assert_allclose(
        levels[[0, 1, 3, 5, 6, 7]], [0.0, 0.24936806, 0.7945678, 0.97673131, 1.12228827, 1.26371695], atol=1e-8
    )
    assert (tmp_path / "torus_states.png").stat().st_size > 10_000
    turning = (2 + np.cos(motion.q[:, 0])) ** 2 * motion.v[:, 1]  # Clairaut's integral of a geodesic
    np.testing.assert_allclose(turning, turning[0], rtol=1e-11)


def test_the_jelly_falls_freely_until_its_lowest_corner_meets_the_floor(tmp_path, capsys):
    motion = script("bouncing_jelly").main(tmp_path)
    np.testing.assert_allclose(
        motion.body("cube").position[2], [0.8, 0.0, 0.6 - 0.5 * 9.81 * 0.2**2], rtol=0, atol=1e-12
    )
    assert motion.bond("corner 4").gap.min() > -1e-12
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "jelly.png").exists()


def test_the_burning_rocket_gains_what_its_grain_gives(tmp_path, capsys):
    """Tsiolkovsky holds for a straight nozzle; one that is askew turns the thrust away."""
    example = script("burning_rocket")
    motion = example.main(tmp_path)
    rocket = motion.body("rocket")
    assert rocket.mass[-1] == pytest.approx(50.0 - 7.5 * 3.9, abs=1e-12)
    straight = vc.simulate(example.rocket(0.0), until=3.9)
    expected = 2000 * math.log(50.0 / rocket.mass[-1]) - 9.81 * 3.9
    assert straight.body("rocket").velocity[-1, 2] == pytest.approx(expected, rel=1e-12)
    assert 0.5 * expected < np.linalg.norm(rocket.velocity[-1]) < expected
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "burning_rocket.png").exists()


def test_the_plate_in_a_fluid_flutters_with_the_period_of_a_pendulum(tmp_path, capsys):
    """Kirchhoff: twice the angle obeys the equation of a pendulum."""
    flutter, *_ = script("fluttering_plate").main(tmp_path)
    rate = flutter.body("plate").angular_velocity[:, 2]
    k = (3.0 - 1.1) * 2.0**2 / (3.0 * 1.1 * 0.4)
    period = 4 * ellipk(np.sin(0.2) ** 2) / math.sqrt(k)
    found = flutter.at(np.array([0.0, period / 4, period / 2, period])).body("plate")
    assert found.angular_velocity[[0, 2, 3], 2] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert np.abs(rate).max() > 0.3
    assert capsys.readouterr().out.count(": certified") == 3 and (tmp_path / "plate.png").exists()


def test_the_arm_and_the_rod_of_furuta_share_their_angular_momentum():
    """Of arm and rod about the vertical: I(θ) φ̇ + m r d cos θ θ̇, with the mass center of the rod at d from the arm's end."""
    motion = moved("furuta_pendulum.toml")
    arm, rod = (
        vc.RigidBody.solid("b", vc.shapes.Capsule(radius, long), mass=mass).inertia
        for radius, long, mass in ((0.008, 0.25, 0.3), (0.006, 0.3, 0.1))
    )
    swing, (turning, swinging) = motion["swing"], motion.v.T
    across, along = rod[0][0] * np.sin(swing) ** 2, rod[2][2] * np.cos(swing) ** 2
    inertia = arm[0][0] + 0.3 * 0.125**2 + across + along + 0.1 * (0.25**2 + (0.15 * np.sin(swing)) ** 2)
    momentum = inertia * turning + 0.1 * 0.25 * 0.15 * np.cos(swing) * swinging
    np.testing.assert_allclose(momentum, momentum[0], rtol=1e-12)
    assert np.ptp(turning) > 1.0


def test_the_sleigh_of_chaplygin_ends_in_a_straight_ride():
    """u̇ = a ω² and J ω̇ = −m a u ω from rest but for the spin: ω = ω₀ / cosh kt."""
    motion = moved("chaplygin_sleigh.toml")
    inertia = 5.0 * ((0.9**2 + 0.4**2) / 12 + 0.3**2)
    speed = 4.0 * math.sqrt(inertia / 5.0)
    np.testing.assert_allclose(motion.v[:, 2], 4.0 / np.cosh(0.3 * 4.0**2 / speed * motion.time), rtol=0, atol=1e-13)


def test_the_rattleback_turns_round_without_losing_energy():
    motion = moved("rattleback.toml")
    spin = motion.body("stone").angular_velocity[:, 2]
    assert spin[0] == -3.0 and spin.max() > 0.5
    assert np.ptp(motion.energy) < 1e-13 * abs(motion.energy[0])


def test_the_plane_of_the_pendulum_turns_with_the_sine_of_the_latitude():
    """By Ω sin φ, and by 3/8 (a/l)² of it in the other direction because the swing is not infinitely small."""
    motion = moved("foucault_pendulum.toml")
    x, y = motion.body("bob").position[:, :2].T
    away = np.hypot(x, y)
    turns = 1 + np.flatnonzero((away[1:-1] >= away[:-2]) & (away[1:-1] > away[2:]))
    plane = 0.5 * np.unwrap(2 * np.arctan2(y[turns], x[turns]))
    rate = np.polyfit(motion.time[turns], plane, 1)[0]
    swing = math.radians(3.0)
    assert rate == pytest.approx(-0.021875 * math.sin(math.radians(48.85)) * (1 - 0.375 * swing**2), rel=2e-4)


def test_the_gyroscope_precesses_steadily():
    """C s Ω = m g l while the axle is level, whatever the gimbals weigh."""
    motion = moved("gyroscope.toml")
    spin = 1000 * 2 * math.pi / 60
    rate = 0.2 * 9.81 * 0.1 / (0.5 * 0.5 * 0.04**2 * spin)
    assert np.abs(motion["tilt"]).max() < 1e-11
    np.testing.assert_allclose(motion["stand"], rate * motion.time, rtol=0, atol=1e-10)


def test_the_pendulum_of_wilberforce_beats_between_its_two_modes():
    motion = moved("wilberforce_pendulum.toml", grid=[0.0, 17.0, 40.0])
    stiffness = np.array([[2.8, 9.28e-3 / 2], [9.28e-3 / 2, 7.86e-4]]) / np.array([[0.4905], [1.377e-4]])
    rates = np.block([[np.zeros((2, 2)), np.eye(2)], [-stiffness, np.zeros((2, 2))]])
    expected = [(expm(rates * t) @ [0.1, 0, 0, 0])[:2] for t in motion.time]
    np.testing.assert_allclose(motion.q, expected, rtol=0, atol=1e-11)


def test_the_elastic_pendulum_keeps_its_angular_momentum_and_turns_its_plane():
    bob = moved("elastic_pendulum.toml").body("bob")
    momentum = bob.position[:, 0] * bob.velocity[:, 1] - bob.position[:, 1] * bob.velocity[:, 0]
    np.testing.assert_allclose(momentum, 0.04 * 0.03, rtol=1e-12)
    assert np.ptp(bob.position[:, 2]) < 0.25 and np.hypot(*bob.position[:, :2].T).max() > 0.15


def test_a_rocking_block_keeps_the_part_of_its_speed_that_its_shape_gives():
    """Housner (1963): 1 − 3/2 sin²α, with tan α = width / height."""
    motion = moved("rocking_block.toml")
    for name, k in (("right", 0), ("left", 0), ("right", 1)):
        hit = motion.bond(name).impulses.times[k]
        before, after = (motion.at([hit], side).v[0, 2] for side in ("left", "right"))
        assert after / before == pytest.approx(1 - 1.5 * math.sin(math.atan(1 / 3)) ** 2, rel=1e-9)


def test_a_billiard_ball_keeps_the_product_of_its_momenta_about_the_foci():
    motion = moved("elliptic_billiard.toml")
    ball, focus = motion.body("ball"), math.sqrt(1.2**2 - 0.9**2)
    (x, y, _), (u, v, _) = ball.position.T, ball.velocity.T
    product = ((x - focus) * v - y * u) * ((x + focus) * v - y * u)
    np.testing.assert_allclose(product, product[0], rtol=1e-12)
    assert len(motion.bond("cushion").impulses) == 30


def test_the_three_bodies_change_places_after_a_third_of_a_round():
    """Chenciner and Montgomery (2000); Simó's digits of the start and of the period are eight."""
    motion = moved("figure_eight.toml")
    seen = motion.at(6.32591398 * np.array([0.0, 1 / 3, 1.0, 2.0]))
    first, second, third = (seen.body(name).position for name in ("first", "second", "third"))
    np.testing.assert_allclose([first[1], second[1], third[1]], [third[0], first[0], second[0]], rtol=0, atol=1e-7)
    np.testing.assert_allclose([first[3], second[3]], [first[0], second[0]], rtol=0, atol=1e-6)


def test_the_balls_of_the_governor_rise_until_their_weight_balances_the_turning():
    """cos θ = (1 + M/m) g / (Ω² l) for links as long as the arms."""
    motion = moved("watt_governor.toml")
    expected = math.acos(1.5 * 9.81 / (9.0**2 * 0.2))
    assert motion["left_arm"][-1] == pytest.approx(expected, abs=1e-7)
    np.testing.assert_allclose(motion["left_arm"], motion["right_arm"], rtol=0, atol=1e-12)


def test_the_trammel_draws_an_ellipse():
    x, y, _ = moved("trammel.toml").body("pen").position.T
    np.testing.assert_allclose((x / 0.15) ** 2 + (y / 0.25) ** 2, 1.0, rtol=0, atol=1e-12)
    assert np.ptp(x) > 0.29 and np.ptp(y) > 0.49


def test_the_platform_of_the_delta_robot_never_turns():
    motion = moved("delta_robot.toml")
    np.testing.assert_allclose(motion.body("platform").rotation - np.eye(3), 0.0, atol=1e-12)
    assert np.ptp(motion.body("platform").position, axis=0).min() > 0.01


def test_a_skate_on_a_slope_draws_a_cycloid(tmp_path, capsys):
    """Neimark and Fufaev: by d'Alembert's principle it does not get lower in the mean; the vakonomic one does."""
    example = script("skate_on_slope")
    ideal, vakonomic = example.main(tmp_path)
    t, size = ideal.time, 9.81 * math.sin(example.SLOPE) / (2 * example.SPIN**2)
    np.testing.assert_allclose(ideal.q[:, 0], size * np.sin(example.SPIN * t) ** 2, rtol=0, atol=1e-13)
    np.testing.assert_allclose(
        ideal.q[:, 1], size * (example.SPIN * t - 0.5 * np.sin(2 * example.SPIN * t)), rtol=0, atol=1e-13
    )
    assert vakonomic.q[-1, 0] > 2 * size and capsys.readouterr().out.count("PASSED") == 2


def test_the_bead_leaves_the_bottom_of_the_hoop_beyond_the_critical_speed(tmp_path, capsys):
    """cos θ = g / (Ω² r) where that is below one; near the critical speed it creeps."""
    example = script("bead_on_hoop")
    _, runs = example.main(tmp_path, count=24)
    ratio = 9.81 / (runs.parameters["speed"] ** 2 * example.RADIUS)
    clear = np.abs(ratio - 1.0) > 0.15
    expected = np.arccos(np.minimum(ratio, 1.0)) * np.sign(runs.q[:, 0, 0])
    np.testing.assert_allclose(runs.q[clear, -1, 0], expected[clear], rtol=0, atol=1e-6)
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "bead_on_hoop.png").exists()


def test_the_pendulum_of_kapitza_stands_where_its_pivot_is_shaken_enough(tmp_path, capsys):
    """a² ω² > 2 g l for small amplitudes."""
    motion, shaken, stood = script("kapitza_pendulum").main(tmp_path, count=12)
    assert np.abs(motion["lean"]).max() < 0.2
    assert stood[shaken > 1.2].all() and not stood[shaken < 0.8].any()
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "kapitza_pendulum.png").exists()


def test_the_servos_of_the_arm_exert_what_inverse_dynamics_finds(tmp_path, capsys):
    motion, torques = script("robot_arm").main(tmp_path)
    exerted = np.stack([motion.bond(f"{joint} servo").multiplier for joint in ("base", "shoulder", "elbow")], axis=1)
    np.testing.assert_allclose(exerted, torques, rtol=0, atol=1e-11)
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "robot_arm.png").exists()


@pytest.mark.slow
def test_every_step_of_the_rimless_wheel_costs_the_same_part_of_its_speed(tmp_path, capsys):
    """McGeer (1990): (J + m l² cos 2π/n) / (J + m l²)."""
    example = script("rimless_wheel")
    motion = example.main(tmp_path)
    mass, inertia = example.MASS + 8e-3, example.MASS * example.GYRATION**2 + 8e-3 * example.LENGTH**2
    swung = mass * example.LENGTH**2
    expected = (inertia + swung * math.cos(2 * math.pi / 8)) / (inertia + swung)
    for hit in motion.record.atoms.times[:8]:
        before, after = (motion.at([hit], side).v[0, 2] for side in ("left", "right"))
        assert after / before == pytest.approx(expected, rel=1e-9)
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "rimless_wheel.png").exists()


@pytest.mark.slow
def test_the_woodpecker_ends_in_a_limit_cycle(tmp_path, capsys):
    """With the published data; its period is near that of the published cycle, whose equations are linear in the angles."""
    motion = script("woodpecker_toy").main(tmp_path)
    periods = np.diff(motion.bond("beak").impulses.times)
    assert np.ptp(periods[-3:]) < 1e-4 * periods[-1]
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "woodpecker_toy.png").exists()


@pytest.mark.slow
def test_the_bicycle_rides_with_its_published_eigenvalues(tmp_path, capsys):
    """Meijaard, Papadopoulos, Ruina and Schwab (2007), table 2, at 5 m/s."""
    found, _ = script("whipple_bicycle").main(tmp_path)
    weave = -0.775341882195845 + 4.464867713788345j
    np.testing.assert_allclose(
        found, [-0.322866429004087, weave, weave.conjugate(), -14.0783896927982], rtol=0, atol=1e-10
    )
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "bicycle.png").exists()


@pytest.mark.slow
def test_the_middle_of_the_rope_bridge_falls_freely_until_the_anchors_are_felt(tmp_path):
    example = script("rope_bridge")
    motion = example.main(tmp_path)
    heights = [motion.at(0.4).body(f"plank {i}").position[0, 2] for i in range(35, 45)]
    assert heights == pytest.approx([-0.5 * example.GRAVITY * 0.4**2] * 10, abs=1e-3)
    assert motion.audit().passed


def test_the_energy_of_a_box_of_molecules_stays(tmp_path):
    motion, drift = script("box_of_molecules").main(tmp_path)
    assert drift < 1e-4
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.slow
def test_the_lowest_mode_of_the_struck_net_is_that_of_small_deflections(tmp_path):
    motion, found, expected = script("struck_net").main(tmp_path)
    assert found == pytest.approx(expected, rel=1e-3)
    assert motion.audit().passed


def test_the_asteroid_flips_with_the_period_of_its_mesh(tmp_path, capsys):
    """The period of the angular velocity in the body's axes is 4 K(k) √(I₁I₂I₃ / ((I₃ − I₂)(M² − 2 E I₁))) (Landau and Lifshitz, § 37)."""
    example = script("tumbling_asteroid")
    motion = example.main(tmp_path)
    moments, axes = np.linalg.eigh(example.asteroid().bodies["asteroid"].inertia_at_center)
    rates = motion.v[0, 3:] @ axes
    energy, momentum = 0.5 * moments @ rates**2, (moments**2) @ rates**2
    a, b, c = moments if momentum > 2 * energy * moments[1] else moments[::-1]
    spare = (c - b) * (momentum - 2 * energy * a)
    period = 4 * ellipk((b - a) * (2 * energy * c - momentum) / spare) * math.sqrt(a * b * c / spare)
    np.testing.assert_allclose(motion.at([period]).v[0], motion.v[0], rtol=0, atol=1e-9 * example.RATE)
    assert "PASSED" in capsys.readouterr().out and (tmp_path / "asteroid.png").stat().st_size > 10_000


def test_a_hailstone_falls_as_if_it_had_gathered_nothing_in_the_mean():
    """v = g (m₀ t + κ t²/2) / (m₀ + κ t) of a stone that gathers mass at rest."""
    stone = moved("hailstone.toml", grid=[3.5]).body("stone")
    assert -stone.velocity[0, 2] == pytest.approx(28.424877049180, rel=1e-12)
    assert stone.mass[0] == pytest.approx(0.00305, rel=1e-12)


def test_a_jet_damps_a_tumble():
    """ω = ω₀ (m/m₀)^(l²/k² − 1) with the nozzle at l and the radius of gyration k."""
    rocket = moved("jet_damping.toml", grid=[6.0]).body("rocket")
    assert rocket.angular_velocity[0, 1] == pytest.approx(2.0 * 0.4 ** (0.81 / 0.25 - 1), rel=1e-10)


def test_a_spheroid_spins_with_maclaurins_rate_and_keeps_its_figure():
    motion = moved("maclaurin_spheroid.toml")
    drop = motion.body("drop")
    density = 2.0 / (4 / 3 * math.pi * 1.5**3)
    assert drop.angular_velocity[-1, 2] ** 2 / (math.pi * 0.7 * density) == pytest.approx(0.37423, abs=1e-5)
    assert np.ptp(drop.affine.green_tensor, axis=0).max() < 1e-9


def test_stacked_jelly_is_pressed_by_what_it_carries():
    r"""V' by the stretch c along z is minus the sum of forces times heights: −½ m g L above, −3/2 m g L below; none across."""
    motion = moved("soft_cubes.toml", until=2.0, grid=[2.0])
    volume, shear, lame, m, L = 0.064, 600.0, 1200.0, 2.0, 0.4

    def slopes(x, load):
        a, c = x
        bulk = lame * math.log(a * a * c)
        return volume * (shear * (a - 1 / a) + bulk / a), volume * (shear * (c - 1 / c) + bulk / c) + load

    for name, load in (("upper", 0.5), ("lower", 1.5)):
        a, c = fsolve(slopes, (1.0, 1.0), (load * m * 9.81 * L,))
        assert np.abs(motion.body(name).affine.deformation[0] - np.diag([a, a, c])).max() < 2e-4, name
        assert c < 0.97


def test_a_plate_without_rotation_moves_as_dalembert_says():
    F = moved("rotationless_plate.toml", grid=[3.0]).body("plate").affine.deformation[0, :2, :2]
    np.testing.assert_allclose(F, [[0.60020905, -0.40455722], [-0.23145498, 0.83816092]], rtol=0, atol=1e-8)


def test_a_membrane_is_stretched_by_its_spin():
    """J ω² = 𝒱 (λ + μ)(s² − 1) for an even stretch s."""
    motion = moved("spinning_membrane.toml")
    G = motion.body("membrane").affine.green_tensor[:, :2, :2]
    assert np.abs(G - 1.44 * np.eye(2)).max() < 1e-9
    turned = math.sqrt(1e-3 * 5000.0 * 0.44 / 0.02) * 4.0
    F = motion.body("membrane").affine.deformation[-1, 0, :2]
    np.testing.assert_allclose(F, [1.2 * math.cos(turned), -1.2 * math.sin(turned)], rtol=0, atol=1e-8)


def test_a_rubber_band_beats_along_an_ellipse_as_it_flies():
    """φ̈ J = −k φ and r̈ = g."""
    motion = moved("thrown_rubber_band.toml")
    t, w = motion.time[:, None], 3.0
    known = np.array([1.5, 0, 0]) * np.cos(w * t) + np.array([0, 2.4, 1.8]) / w * np.sin(w * t)
    assert np.abs(motion.body("band").affine.deformation[:, :, 0] - known).max() < 1e-10
    assert np.abs(motion.body("band").position - t * (3, 0, 10) + 0.5 * 9.81 * t**2 * (0, 0, 1)).max() < 1e-10


def test_a_plate_in_a_fluid_flutters_with_the_period_of_a_pendulum():
    """The angle β of the normal from the momentum P obeys (2β)¨ = −κ sin 2β, κ = P² (1/A₁ − 1/A₂)/C₃; its rate vanishes twice a period."""
    motion = moved("fluttering_plate.toml")
    kappa = 4.0 * (1 / 1.1 - 1 / 3.0) / 0.4
    half = 2 * ellipk(math.sin(math.radians(60)) ** 2) / math.sqrt(kappa)
    times = [crossing.time for crossing in motion.record.crossings if crossing.time > 1e-6]
    np.testing.assert_allclose(times, half * np.arange(1, len(times) + 1), rtol=1e-10)
    assert len(times) > 2


def test_a_line_of_screws_swings_with_the_inertia_that_their_spin_leaves():
    """No torque acts, so c φ = −b u for the displacements u, and these have the inertia a − b²/c."""
    motion, a, b, c, k, n = moved("line_of_screws.toml"), 0.2, 0.04, 0.01, 10.0, 8
    seen = [motion.body(f"screw {i}") for i in range(n)]
    u = np.stack([one.position[:, 0] for one in seen], axis=1) - 0.5 * np.arange(n)
    stiffness = k * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    stiffness[[0, -1], [0, -1]] = k
    squares, modes = np.linalg.eigh(stiffness / (a - b * b / c))
    known = np.cos(np.sqrt(np.abs(squares)) * motion.time[:, None]) * (u[0] @ modes) @ modes.T
    np.testing.assert_allclose(u, known, rtol=0, atol=1e-10)
    turned = np.stack([np.arctan2(one.rotation[:, 2, 1], one.rotation[:, 1, 1]) for one in seen], axis=1)
    np.testing.assert_allclose(turned, -b / c * (u - u[0]), rtol=0, atol=1e-10)
    assert np.abs(turned).max() > 1.0


def test_a_handle_from_a_mesh_has_the_inertia_of_its_boxes_and_flips_in_eulers_period():
    rho, cm = 2700.0, 0.01
    boxes = [(np.array(size) * cm, y * cm) for size, y in (((2, 6, 2), 3), ((10, 2, 2), 7))]
    masses = [rho * size.prod() for size, _ in boxes]
    center = sum(m * y for m, (_, y) in zip(masses, boxes, strict=True)) / sum(masses)
    I = np.zeros(3)
    for m, (size, y) in zip(masses, boxes, strict=True):
        I += m / 12 * (np.sum(size**2) - size**2) + m * (y - center) ** 2 * np.array([1, 0, 1])
    body = read_model(EXAMPLES / "tee_handle.toml").system.bodies["handle"]
    assert float(body.mass) == pytest.approx(sum(masses), rel=1e-13)
    np.testing.assert_allclose(body.center, [0, center, 0], rtol=0, atol=1e-15)
    np.testing.assert_allclose(body.inertia_at_center, np.diag(I), rtol=1e-12, atol=1e-15)
    # Landau and Lifshitz, Mechanics, § 37, with the principal moments in the order x, y, z
    w = np.array([0.2, 20.0, 0.0])
    T2, M2 = np.sum(I * w**2), np.sum((I * w) ** 2)
    A, B, C = I[::-1] if T2 * I[1] > M2 else I
    k2 = (B - A) * (T2 * C - M2) / ((C - B) * (M2 - T2 * A))
    period = 4 * ellipk(k2) * math.sqrt(A * B * C / ((C - B) * (M2 - T2 * A)))
    again = moved("tee_handle.toml", grid=[period / 2, period], until=1.01 * period)
    np.testing.assert_allclose(again.v[:, 3:], [[0.2, -20.0, 0.0], [0.2, 20.0, 0.0]], rtol=0, atol=1e-7)
