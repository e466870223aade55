"""Every example runs and gives one number that is known from elsewhere."""

import importlib.util
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ellipk
from typer.testing import CliRunner

import vinculum as vc
from marks import needs_heyoka
from vinculum.cli.app import app
from vinculum.systems.files import read_model

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TESTED = {
    "balanced_pole.toml",
    "bouncing_ball.toml",
    "bouncing_jelly.py",
    "bouncing_tree.py",
    "brachistochrone.py",
    "burning_rocket.py",
    "cold_collapse.py",
    "dido.py",
    "double_pendulum.py",
    "double_pendulum.toml",
    "draped_chain.py",
    "driven_cart.toml",
    "ellipsoid_geodesics.py",
    "falling_blocks.toml",
    "fluttering_plate.py",
    "four_bar.toml",
    "knife_edge_two_ways.py",
    "mixed_shapes.py",
    "newtons_cradle.py",
    "newtons_cradle.toml",
    "pouring_balls.py",
    "rolling_disc.py",
    "rolling_disc.toml",
    "rope_bridge.py",
    "slider_crank.toml",
    "solar_system.py",
    "spinning_top.toml",
    "textbook_equations.py",
    "torus_states.py",
    "whipple_bicycle.py",
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


@pytest.mark.parametrize("name", sorted(name for name in TESTED if name.endswith(".toml")))
def test_every_model_file_runs_and_passes_its_certificate(name, tmp_path):
    done = CliRunner().invoke(app, ["run", str(EXAMPLES / name), "--json", "--plot", str(tmp_path / "run.png")])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["certificate"]["passed"] is True


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

    Leaps lower than the round-off of the gap, 2⁻⁴² of 3 cm, are none: the last 1e-7 s are without them."""
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
    assert script("pouring_balls").main(tmp_path) < 1e-2
    assert (tmp_path / "pouring_balls.png").stat().st_size > 10_000


@pytest.mark.slow
def test_mixed_shapes_settle_in_a_valley(tmp_path):
    assert script("mixed_shapes").main(tmp_path) < 5e-3
    assert (tmp_path / "mixed_shapes.png").stat().st_size > 10_000


def test_the_textbook_equations_give_the_accelerations_of_the_paper(tmp_path, capsys):
    """Cheremensky, section 2.2.5."""
    found = script("textbook_equations").main(tmp_path)
    assert found == pytest.approx([-3.99277068, 12.10837934], abs=1e-8)
    assert r"\ddot{\theta}_{2} \cos\left(\theta_{1} - \theta_{2}\right)" in capsys.readouterr().out
    assert (tmp_path / "double_pendulum.c").exists()


def test_the_outer_planets_go_round_in_their_years(tmp_path, capsys):
    """Sidereal periods of almanacs in Julian years; neighbors pull a single round off its mean by some days."""
    years = script("solar_system").main(tmp_path)
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


def test_the_rolling_disc_obeys_its_published_equations_and_a_falsified_one_is_found_out(capsys):
    lean = script("rolling_disc").main()
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
    ends = script("ellipsoid_geodesics").main(tmp_path)
    opposite = [-a * math.sqrt((a**2 - b**2) / (a**2 - c**2)), 0.0, -c * math.sqrt((b**2 - c**2) / (a**2 - c**2))]
    np.testing.assert_allclose(ends, np.broadcast_to(opposite, ends.shape), rtol=0, atol=1e-12)
    assert (tmp_path / "ellipsoid_geodesics.png").stat().st_size > 10_000


def test_brachistochrones_are_cycloids(tmp_path):
    assert script("brachistochrone").main(tmp_path) < 1e-8
    assert (tmp_path / "brachistochrone.png").stat().st_size > 10_000


def test_ropes_of_dido_are_arcs_of_circles(tmp_path):
    assert script("dido").main(tmp_path) < 1e-7
    assert (tmp_path / "dido.png").stat().st_size > 10_000


def test_states_of_the_torus_have_the_levels_of_its_separated_equation(tmp_path):
    levels = script("torus_states").main(tmp_path)
    np.testing.assert_allclose(
        levels[[0, 1, 3, 5, 6, 7]], [0.0, 0.24936806, 0.7945678, 0.97673131, 1.12228827, 1.26371695], atol=1e-8
    )
    assert (tmp_path / "torus_states.png").stat().st_size > 10_000


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


@pytest.mark.slow
def test_the_bicycle_rides_with_its_published_eigenvalues(tmp_path, capsys):
    """Meijaard, Papadopoulos, Ruina and Schwab (2007), table 2, at 5 m/s."""
    found = script("whipple_bicycle").main(tmp_path)
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
