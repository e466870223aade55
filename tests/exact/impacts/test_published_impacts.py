"""Impacts of textbooks: a ball on a table that shakes, a rod that falls on its tip, balls that are stacked or hang in a row."""

import numpy as np
import pytest

import vinculum as vc

G = 9.81


@pytest.mark.parametrize("options", [{}, {"method": "moreau", "step": 1e-3}])
def test_a_ball_on_a_shaking_table_keeps_its_orbit_of_one_period(options):
    """v⁺ = g T/2 = w + e (w + g T/2), so the table moves at w = g T (1 − e)/(2 (1 + e)) when it is hit, always at the end of a step."""
    e, period, amplitude = 0.5, 0.2, 0.02
    omega = 2 * np.pi / period
    phase = np.arccos(G * period * (1 - e) / (2 * (1 + e)) / (amplitude * omega))
    system = vc.System("table", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", 0.3))
    gap = lambda b, t: b.position[2] - amplitude * vc.math.sin(omega * t + phase)
    system.add(vc.Unilateral("table", [ball], gap=gap, impact=vc.Newton(e)))
    start = {"ball": vc.At((0, 0, amplitude * np.sin(phase)), rate=(0, 0, G * period / 2))}
    motion = vc.simulate(system, until=5.5 * period, start=start, **options)
    assert motion.audit().passed, str(motion.audit())
    hits = motion.bond("table").impulses
    assert hits.times == pytest.approx(period * np.arange(1, 6), abs=1e-11)
    assert hits.normal == pytest.approx(np.full(5, 0.3 * G * period), rel=1e-9)


@pytest.mark.parametrize("options", [{}, {"method": "dop853"}, {"method": "moreau", "step": 2e-4}])
def test_a_ball_on_a_rough_sloping_plate_that_heaves_is_pressed_as_it_should_and_certified(options):
    """Along the normal n of the plate a_N = n_z z̈ of the plate, so that N = m n_z (g + z̈); its work is in the balance of energy."""
    slope, amplitude, omega, mass = 0.1, 0.02, 12.0, 0.3
    system = vc.System("plate", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", mass))
    gap = lambda b, t: b.position[2] - amplitude * vc.math.sin(omega * t) - slope * b.position[0]
    laws = {"impact": vc.Inelastic(), "friction": vc.Coulomb(0.02)}
    system.add(vc.Unilateral("plate", [ball], gap=gap, point=lambda b: b.position, **laws))
    start = {"ball": vc.At((0, 0, 0), rate=(0, 0, amplitude * omega))}
    motion = vc.simulate(system, until=0.4, start=start, progress=False, **options)
    n_z = 1 / np.hypot(1, slope)
    if "step" in options:
        hits = motion.bond("plate").impulses
        late = hits.times > 0.02
        pressed = mass * n_z * (G - amplitude * omega**2 * np.sin(omega * hits.times[late]))
        assert hits.normal[late] / 2e-4 == pytest.approx(pressed, rel=2e-3)
    assert (
        np.abs(
            motion.body("ball").position[:, 2]
            - amplitude * np.sin(omega * motion.time)
            - slope * motion.body("ball").position[:, 0]
        ).max()
        < 1e-6
    )
    assert motion.audit().passed, str(motion.audit())


@pytest.mark.parametrize("beyond", [0.0, 1e-13, 1e-6, -1e-6, 1e-5])
def test_a_hit_near_the_end_of_a_step_is_located(beyond):
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    height = G * 0.4**2 / 2 + beyond
    motion = vc.simulate(system, until=0.5, start={"ball": (0, 0, height)}, method="moreau", step=0.01)
    assert motion.bond("floor").impulses.times == pytest.approx([np.sqrt(2 * height / G)], abs=1e-12)


@pytest.mark.parametrize(("mu", "sticks"), [(0.0, False), (0.1, False), (5.0, True)])
def test_a_rod_that_falls_on_its_tip_turns_as_newton_and_coulomb_say(mu, sticks):
    length, mass, e, speed, tilt = 1.0, 2.0, 0.6, 3.0, 0.5
    moment = mass * length**2 / 12
    system = vc.System("rod")
    rod = system.add(vc.RigidBody("rod", mass, inertia=(moment, moment, 1e-3)))
    tip = lambda b: b.point((0, 0, -length / 2))
    system.add(
        vc.Unilateral("floor", [rod], gap=lambda b: tip(b)[2], point=tip, impact=vc.Newton(e), friction=vc.Coulomb(mu))
    )
    R = np.array([[np.cos(tilt), 0, np.sin(tilt)], [0, 1, 0], [-np.sin(tilt), 0, np.cos(tilt)]])
    start = {"rod": vc.At(vc.Pose((0, 0, length / 2 * np.cos(tilt)), R), rate=(*R.T @ (0, 0, -speed), 0, 0, 0))}
    motion = vc.simulate(system, until=1e-7, start=start)
    arm, axes = R @ (0, 0, -length / 2), np.array([[0.0, 0, 1], [1, 0, 0]])
    answers = [F / mass + np.cross(np.cross(arm, F) / moment, arm) for F in axes]
    W = np.array([[a @ answer for answer in answers] for a in axes])
    if sticks:
        P = np.linalg.solve(W, [(1 + e) * speed, 0.0])
    else:
        P = (1 + e) * speed / (W[0, 0] + mu * W[0, 1]) * np.array([1.0, mu])
        assert W[1] @ P < 0
    assert motion.bond("floor").impulses.normal[0] == pytest.approx(P[0], rel=1e-12)
    assert motion.v[-1, 4] == pytest.approx(np.cross(arm, P @ axes)[1] / moment, rel=1e-9)


def test_a_light_ball_on_a_heavy_one_leaves_three_times_as_fast():
    heavy, light, height = 1000.0, 1e-3, 1.0
    law = vc.Elastic(treatment="sequential")
    system = vc.System("stack", gravity=(0, 0, -G))
    below, above = system.add(vc.MassPoint("below", heavy)), system.add(vc.MassPoint("above", light))
    system.add(vc.Unilateral("floor", [below], gap=lambda a: a.position[2], impact=law))
    system.add(vc.Unilateral("pair", [below, above], gap=lambda a, b: b.position[2] - a.position[2], impact=law))
    motion = vc.simulate(system, until=0.452, start={"below": (0, 0, height), "above": (0, 0, height)})
    speed = (3 * heavy - light) / (heavy + light) * np.sqrt(2 * G * height)
    assert motion.v[-1, 5] == pytest.approx(speed - G * (0.452 - np.sqrt(2 * height / G)), rel=1e-10)


@pytest.mark.parametrize("options", [{}, {"method": "moreau", "step": 1e-2}])
def test_two_of_five_balls_in_a_row_hand_their_speed_to_the_last_two(options):
    system = vc.System("cradle")
    balls = [system.add(vc.MassPoint(f"b{k}", 0.7)) for k in range(5)]
    for k in range(4):
        gap = lambda a, b: b.position[0] - a.position[0] - 0.1
        system.add(vc.Unilateral(f"p{k}", balls[k : k + 2], gap=gap, impact=vc.Elastic(treatment="sequential")))
    start = {f"b{k}": (0.1 * k, 0, 0) for k in range(2, 5)}
    start |= {"b0": vc.At((-0.3, 0, 0), rate=(1, 0, 0)), "b1": vc.At((-0.2, 0, 0), rate=(1, 0, 0))}
    motion = vc.simulate(system, until=0.5, start=start, **options)
    assert motion.v[-1, ::3] == pytest.approx([0, 0, 0, 1, 1], abs=1e-12)


@pytest.mark.parametrize("options", [{}, {"method": "moreau", "step": 2e-4}])
def test_friction_that_depends_on_direction_is_in_its_ellipse_against_the_most_power(options):
    """P_T = −P_N (μ₁² u₁, μ₂² u₂)/|(μ₁ u₁, μ₂ u₂)|: of all forces of the ellipse the one that takes most from a slip u; by SciPy."""
    from scipy.integrate import solve_ivp

    mu, rate = (0.2, 0.5), (1.5, 0.9)
    system = vc.System("plank", gravity=(0, 0, -G))
    point = system.add(vc.MassPoint("point", 0.7))
    rough = vc.Coulomb(mu[0], along=(1, 0, 0), mu_across=mu[1])
    laws = {"impact": vc.Inelastic(), "friction": rough}
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], point=lambda b: b.position, **laws))
    motion = vc.simulate(system, 0.25, {"point": vc.At((0, 0, 0), rate=(*rate, 0))}, grid=26, progress=False, **options)

    def slowed(t, y):
        u = y[2:]
        return [*u, *(-G * np.square(mu) * u / np.linalg.norm(np.multiply(mu, u)))]

    known = solve_ivp(slowed, (0, 0.25), [0, 0, *rate], rtol=1e-11, atol=1e-12, t_eval=motion.time).y.T
    np.testing.assert_allclose(motion.q[:, :2], known[:, :2], rtol=0, atol=2e-5 if options else 1e-8)
    np.testing.assert_allclose(motion.v[:, :2], known[:, 2:], rtol=0, atol=2e-4 if options else 1e-8)
    assert motion.audit().passed, str(motion.audit())


def test_shapes_of_a_tree_that_never_touch_are_certified():
    system = vc.System("apart", gravity=(0, 0, -G))
    a, b = (system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.1), density=1000)) for name in "ab")
    system.add(vc.Revolute("hinge", "ground", b, axis=(0, 1, 0), at=(3, 0, 0)))
    system.add(vc.Contact("meeting", [a], against=[b], impact=vc.Inelastic()))
    motion = vc.simulate(system, until=0.02, start={"a": (0, 0, 0.5)}, method="moreau", step=1e-3)
    assert motion.audit().passed


def test_a_run_of_one_step_can_be_audited():
    system = vc.System("ball", gravity=(0, 0, -G))
    ball = system.add(vc.MassPoint("ball", 1.0))
    system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    motion = vc.simulate(system, until=0.6, start={"ball": (0, 0, 1)}, method="moreau", step=10.0)
    assert len(motion.audit().lines) > 10
