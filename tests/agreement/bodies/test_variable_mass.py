"""Bodies of variable mass by two routes: the plain equations in SciPy, sums over particles, other engines, frames and model files."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import vinculum as vc

G = np.array([0.0, 0.0, -9.81])
EXIT = np.array([0.05, 0.0, -1.3])
JET = np.array([2.0, 0.5, -50.0])
LENGTH, DISK = 0.02, np.array([0.3, 0.35, 0.1])
"""A grain whose mass center rises with its mass, and whose radii of gyration grow with it."""


@pytest.mark.parametrize("seed", range(4))
def test_random_sources_against_the_plain_equations(seed):
    """m dv/dt = F + Σ ν (u − v), for points with a spring and sources that depend on time, place, speed and mass."""
    rng = np.random.default_rng(seed)
    a, b, c, k = rng.uniform(0.1, 0.5, 4)
    u, w = rng.normal(size=(2, 3))
    place, speed = rng.normal(size=(2, 3))

    def gain(t, x, v, m, sin):
        return a * (1 + 0.5 * sin(3 * t)) + b * (v @ v) / m

    def loss(t, x, v, m, sin):
        return -c * m * (1 + 0.3 * sin(x[0]))

    def right_side(t, y):
        x, v, m = y[:3], y[3:6], y[6]
        one, other = gain(t, x, v, m, np.sin), loss(t, x, v, m, np.sin)
        force = m * G - 20 * k * x + one * (u - v) + other * (w + np.array([0, v[0], 0]))
        return np.concatenate([v, force / m, [one + other]])

    system = vc.System("random", gravity=G)
    sources = [
        vc.MassSource(lambda p, t: gain(t, p.position, p.velocity, p.mass, vc.math.sin), velocity=u),
        vc.MassSource(lambda p, t: loss(t, p.position, p.velocity, p.mass, vc.math.sin),
                      relative=lambda p: w + np.array([0.0, 1.0, 0.0]) * p.velocity[0]),
    ]  # fmt: skip
    point = system.add(vc.MassPoint("point", 1.5, sources=sources))
    system.add(vc.Spring("spring", "ground", point, stiffness=20 * k))
    motion = vc.simulate(system, until=1.5, start={"point": vc.At(place, speed)})
    known = solve_ivp(right_side, (0, 1.5), [*place, *speed, 1.5], "DOP853", rtol=1e-13, atol=1e-13, t_eval=motion.time)
    found = np.column_stack([motion.body("point").position, motion.body("point").velocity, motion.body("point").mass])
    assert np.abs(found - known.y.T).max() < 1e-9 * np.abs(known.y).max()
    assert motion.audit().passed


def cross_matrix(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def theta(m):
    """Θ (6, 6) of the grain at its origin, in its axes."""
    c = cross_matrix([0, 0, LENGTH * m])
    return np.block([[m * np.eye(3), -m * c], [m * c, m * np.diag(DISK) - m * (c @ c)]])


def theta_slope(m):
    """dΘ/dm, exact for polynomials of this degree."""
    h = 1e-2
    one, two = (theta(m + k * h) - theta(m - k * h) for k in (1, 2))
    return (8 * one - two) / (12 * h)


def grain_rates(t, y, transit):
    """Cheremensky's (22) with matrices, and the momentum in transit carried by the body."""
    R, V, m = Rotation.from_quat(y[3:7]).as_matrix(), y[7:13], y[13]
    v, w = V[:3], V[3:]
    rate = -1.0 - 0.3 * np.sin(t)
    Phi = np.block([[cross_matrix(w), np.zeros((3, 3))], [cross_matrix(v), cross_matrix(w)]])
    Q = rate * theta_slope(m)
    u = v + np.cross(w, EXIT) + JET
    wrench = theta(m) @ np.concatenate([R.T @ G, np.zeros(3)]) + rate * np.concatenate([u, np.cross(EXIT, u)])
    if transit:
        # P = d(m c)/dt − ν a along the line through the exit, as a slider (P, a × P)
        P = rate * (np.array([0, 0, 2 * LENGTH * m]) - EXIT)
        wrench = wrench - Phi @ np.concatenate([P, np.cross(EXIT, P)])
    V_dot = np.linalg.solve(theta(m), wrench - (Q + Phi @ theta(m)) @ V)
    w_quaternion = Rotation.from_quat(y[3:7]).as_quat()
    xyz, s = w_quaternion[:3], w_quaternion[3]
    turned = 0.5 * np.concatenate([s * w + np.cross(xyz, w), [-xyz @ w]])
    return np.concatenate([R @ v, turned, V_dot, [rate]])


def grain(transit=True, shift=(0.0, 0.0, 0.0)):
    """A rocket with a burning grain and thrust off its axis; ``shift``: of the origin of its frame within it."""
    shift = np.array(shift)
    source = vc.MassSource(lambda body, t: -1.0 - 0.3 * vc.math.sin(t), relative=JET, at=EXIT - shift, transit=transit)
    system = vc.System("grain", gravity=G)
    com = lambda m: np.array([0.0, 0.0, LENGTH * m], dtype=object) - shift
    system.add(vc.RigidBody("rocket", 10.0, com=com, inertia=lambda m: m * DISK, sources=source))
    return system


START = (1.0, 2.0, 3.0, 0.3, 0.1, -0.2)


@pytest.mark.parametrize("transit", [True, False])
def test_a_burning_grain_against_the_matrices_of_newton_and_euler(transit):
    motion = vc.simulate(grain(transit), until=4.0, start={"rocket": vc.At(rate=START)})
    first = [0, 0, 0, 0, 0, 0, 1, *START, 10.0]
    known = solve_ivp(
        grain_rates, (0, 4.0), first, "DOP853", rtol=1e-12, atol=1e-12, t_eval=motion.time, args=(transit,)
    )
    body, y = motion.body("rocket"), known.y.T
    assert np.abs(body.position - y[:, :3]).max() < 1e-8
    assert np.abs(body.twist - y[:, 7:13]).max() < 1e-8
    assert np.abs(body.mass - y[:, 13]).max() < 1e-10
    assert motion.audit().passed


def test_neither_the_origin_of_the_frame_nor_a_steady_speed_matters():
    """True with the momentum in transit; (22) alone, without it, depends on the speed of the observer."""
    shift, boost = np.array([0.3, -0.2, 0.7]), np.array([100.0, 0.0, 30.0])
    plain, fast = {}, {}
    for transit in (True, False):
        here = vc.simulate(grain(transit), until=3.0, start={"rocket": vc.At(rate=START)}).body("rocket")
        velocity = START[:3] + np.cross(START[3:], shift)
        there = vc.simulate(grain(transit, shift), until=3.0,
                            start={"rocket": vc.At(shift, (*velocity, *START[3:]))}).body("rocket")  # fmt: skip
        assert np.abs(there.center - here.center).max() < 1e-11
        assert np.abs(there.angular_velocity - here.angular_velocity).max() < 1e-12
        moving = vc.simulate(grain(transit), until=3.0,
                             start={"rocket": vc.At(rate=(*(START[:3] + boost), *START[3:]))}).body("rocket")  # fmt: skip
        plain[transit], fast[transit] = here.angular_velocity, moving.angular_velocity
    assert np.abs(fast[True] - plain[True]).max() < 1e-11
    assert np.abs(fast[False] - plain[False]).max() > 0.1


def particles(seed):
    """Places r (n, 3) and masses a + b m of particles with Σ a = 0 and Σ b = 1, all positive near m = 3."""
    rng = np.random.default_rng(seed)
    r, b, a = rng.normal(size=(6, 3)), rng.uniform(0.5, 1.5, 6), rng.uniform(-0.1, 0.1, 6)
    return r, a - a.mean(), b / b.sum()


def cloud(seed, source):
    """A rigid body of these particles, each with its share of the source."""
    r, a, b = particles(seed)
    spread = [np.eye(3) * (x @ x) - np.outer(x, x) for x in r]

    def com(m):
        return sum((p + s * m) * x for x, p, s in zip(r, a, b, strict=True)) / m

    def inertia(m):
        return sum((p + s * m) * J for J, p, s in zip(spread, a, b, strict=True))

    system = vc.System("cloud", gravity=G)
    system.add(vc.RigidBody("cloud", 3.0, com=com, inertia=inertia, about="origin", sources=source))
    return system


@pytest.mark.parametrize("seed", range(3))
def test_the_equations_of_a_rigid_body_are_sums_over_its_particles(seed):
    """Σ {ρ a + ν v, r × (ρ a + ν v)} = 𝓕 + 𝓕_i, with Q = Θ̇: Cheremensky's (18) and (22)."""
    rng = np.random.default_rng(seed + 10)
    nu, u, c, at = rng.normal(), rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)
    V, m = rng.normal(size=6), rng.uniform(2.0, 4.0)
    turn = rng.normal(size=4)
    q = np.concatenate([rng.normal(size=3), turn / np.linalg.norm(turn), [m]])
    r, a, b = particles(seed)
    R = Rotation.from_quat(q[3:7], scalar_first=True).as_matrix()
    weights, nus = a + b * m, nu * b
    v, w = V[:3], V[3:]
    speeds = v + np.cross(w, r)
    sources = {
        "in the world": (vc.MassSource(nu, velocity=u), nus[:, None] * (R.T @ u), r),
        "where it is": (vc.MassSource(nu, relative=c), nus[:, None] * (speeds + c), r),
        "through a hole": (vc.MassSource(nu, relative=c, at=at, transit=False), nu * (v + np.cross(w, at) + c)[None], at[None]),
        "half": (vc.MassSource(nu, velocity=u, law="energy-conserving"), nus[:, None] * 0.5 * (speeds + R.T @ u), r),
    }  # fmt: skip
    for source, increments, places in sources.values():
        V_dot = vc.derive(cloud(seed, source), "newton-euler").accelerations(q, V)
        accelerations = V_dot[:3] + np.cross(V_dot[3:], r) + np.cross(w, speeds)
        left = weights[:, None] * (accelerations - R.T @ G) + nus[:, None] * speeds
        assert np.abs(left.sum(axis=0) - increments.sum(axis=0)).max() < 1e-10
        assert np.abs(np.cross(r, left).sum(axis=0) - np.cross(places, increments).sum(axis=0)).max() < 1e-10


@pytest.mark.parametrize("seed", range(3))
def test_the_rate_of_the_inertia_is_that_of_the_sources(seed):
    r, _, b = particles(seed)
    body = cloud(seed, vc.MassSource(1.0)).bodies["cloud"]
    place, inertia = body.mechanics.varying.derivatives(3.1)
    assert np.abs(np.asarray(place, dtype=float) - b @ r).max() < 1e-12
    spread = sum(s * (np.eye(3) * (x @ x) - np.outer(x, x)) for x, s in zip(r, b, strict=True))
    assert np.abs(np.asarray(inertia, dtype=float) - spread).max() < 1e-12


def bucket(**options):
    """A leaking bucket on an arm with a spring: a tree with masses in its middle and at its end."""
    system = vc.System("bucket", gravity=G)
    upper = system.add(
        vc.RigidBody("upper", 2.0, inertia=(0.1, 0.1, 0.02), sources=vc.MassSource(0.2, velocity=(0, 0, -1)))
    )
    sources = [
        vc.MassSource(lambda body, t: -0.3 * (1 + 0.5 * vc.math.sin(t)), at=(0, 0, -0.3), relative=(1.0, 0, 0)),
        vc.MassSource(lambda body: 0.1 * body.mass, velocity=(0, 0, -2.0)),
    ]
    lower = system.add(
        vc.RigidBody("bucket", 3.0, com=lambda m: (0, 0, -0.03 * m), inertia=lambda m: (0.05 * m,) * 3, sources=sources)
    )
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0), damping=0.05))
    system.add(vc.Revolute("wrist", upper, lower, at=(0, 0, -1.0), axis=(0, 1, 0)))
    system.add(vc.Spring("spring", "ground", lower, stiffness=20.0, rest_length=0.5, at=(1, 0, 0)))
    return system


def test_engines_agree_on_a_tree_of_variable_masses():
    system, start = bucket(), {"shoulder": 1.0, "wrist": -0.4}
    best = vc.simulate(system, until=2.0, start=start, method="taylor")
    for method, options, near in (
        ("dop853", {}, 1e-11), ("series", {}, 1e-11), ("idas", {}, 1e-5), ("rk4", {"step": 1e-3}, 1e-8), ("midpoint", {"step": 1e-3}, 1e-4)
    ):  # fmt: skip
        other = vc.simulate(system, until=2.0, start=start, method=method, **options)
        assert np.abs(other.body("bucket").position[-1] - best.body("bucket").position[-1]).max() < near, method
        assert abs(other.body("bucket").mass[-1] - best.body("bucket").mass[-1]) < near, method
        assert other.audit().passed, method
    assert best.audit().passed


def test_derived_forms_agree_and_hold_along_the_motion():
    system = bucket()
    motion = vc.simulate(system, until=1.0, start={"shoulder": 1.0, "wrist": -0.4})
    q, v, t = motion.q[7], motion.v[7], motion.time[7]
    found = [vc.derive(system, form).accelerations(q, v, t=t) for form in ("newton-euler", "lagrange", "telegin")]
    assert np.abs(np.diff(found, axis=0)).max() < 1e-11
    h = 1e-4
    slope = (motion.at([t + h]).v[0] - motion.at([t - h]).v[0]) / (2 * h)
    assert np.abs(found[0] - slope).max() < 1e-5
    with pytest.raises(vc.errors.MethodError, match="the mass of 'upper' varies, and such a system has no Hamiltonian"):
        vc.derive(system, "hamilton")


def test_a_leaking_ball_bounces_the_same_in_time_steps_and_between_events():
    def leaking():
        system = vc.System("leaking", gravity=G)
        ball = system.add(vc.MassPoint("ball", 2.0, sources=vc.MassSource(-0.2, relative=(0.5, 0, 1.0))))
        system.add(vc.Unilateral("floor", [ball], gap=lambda b: b.position[2], impact=vc.Newton(0.7),
                                 friction=vc.Coulomb(0.3), point=lambda b: b.position))  # fmt: skip
        return system

    start = {"ball": vc.At((0, 0, 1.0), (1.0, 0, 0))}
    one = vc.simulate(leaking(), until=2.0, start=start)
    other = vc.simulate(leaking(), until=2.0, start=start, method="moreau", step=1e-3)
    assert np.abs(one.body("ball").position[-1] - other.body("ball").position[-1]).max() < 1e-4
    assert abs(one.body("ball").mass[-1] - 1.6) < 1e-12
    assert abs(other.body("ball").mass[-1] - 1.6) < 1e-12
    assert one.audit().passed
    assert other.audit().passed


def test_constraints_hold_masses_that_vary():
    """A pendulum as a constraint and as a joint."""
    source = vc.MassSource(lambda b, t: -0.2 * b.mass * (1 + 0.5 * vc.math.cos(2 * t)), velocity=(0, 0, 1.0))
    held = vc.System("held", gravity=G)
    ball = held.add(vc.MassPoint("ball", 2.0, sources=source))
    held.add(vc.constraints.distance("rod", "ground", ball, 1.0, realization="dalembert"))
    hinged = vc.System("hinged", gravity=G)
    bob = hinged.add(vc.RigidBody("ball", 2.0, inertia=(0, 0, 0), sources=source))
    hinged.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 1.0)))
    one = vc.simulate(held, until=2.0, start={"ball": (-np.sin(1.0), 0, -np.cos(1.0))})
    other = vc.simulate(hinged, until=2.0, start={"hinge": 1.0})
    assert np.abs(one.body("ball").position - other.body("ball").position).max() < 1e-9
    assert one.audit().passed
    assert other.audit().passed


def test_shapes_of_variable_mass_meet():
    system = vc.System("boxes", gravity=G)
    box = vc.shapes.Box((0.2, 0.2, 0.2))
    below = system.add(vc.RigidBody.solid("below", box, mass=2.0))
    above = system.add(
        vc.RigidBody.solid("above", box, mass=2.0, sources=vc.MassSource(-0.3, relative=(0, 0, -2), at=(0, 0, -0.1)))
    )
    system.add(vc.Contact("meeting", [below, above], walls=[vc.shapes.HalfSpace((0, 0, 1), 0.0)],
                          impact="inelastic", friction=vc.Coulomb(0.5)))  # fmt: skip
    motion = vc.simulate(system, until=1.0, start={"below": (0, 0, 0.1), "above": (0, 0, 0.32)}, step=1e-3)
    assert abs(motion.body("above").position[-1, 2] - 0.3) < 1e-3
    assert abs(motion.body("above").mass[-1] - 1.7) < 1e-10
    assert motion.audit().passed


def test_gravitation_sees_the_masses_as_they_are():
    """A star that loses mass isotropically: the orbit keeps its angular momentum per mass, and widens."""
    system = vc.System("star")
    star = system.add(vc.RigidBody("star", 5.0, inertia=(1.0, 1.0, 1.0), sources=vc.MassSource(-0.4)))
    planet = system.add(vc.MassPoint("planet", 1e-3))
    system.add(vc.potentials.Gravitation("gravitation", [star, planet], G=1.0))
    system.add(vc.Weld("fixed", "ground", star))
    motion = vc.simulate(system, until=5.0, start={"planet": vc.At((2, 0, 0), (0, 2.5**0.5, 0))})

    def right_side(t, y):
        return [*y[2:], *(-(5.0 - 0.4 * t) * y[:2] / np.hypot(*y[:2]) ** 3)]

    known = solve_ivp(right_side, (0, 5), [2, 0, 0, 2.5**0.5], "DOP853", rtol=1e-12, atol=1e-12, t_eval=motion.time)
    assert np.abs(motion.body("planet").position[:, :2] - known.y[:2].T).max() < 1e-9
    assert motion.audit().passed


MODEL = """
[system]
name = "grain"
gravity = [0, 0, -9.81]
[parameters]
burning = 1.0
[bodies.rocket]
mass = 10.0
com = [0, 0, "0.02*mass"]
inertia = ["0.3*mass", "0.35*mass", "0.1*mass"]
[[bodies.rocket.sources]]
rate = "-burning - 0.3*sin(t)"
relative = [2.0, 0.5, "-50 m/s"]
at = [0.05, 0, -1.3]
[bodies.stone]
kind = "point"
mass = 1.0
[[bodies.stone.sources]]
rate = "0.1*mass*norm(velocity)"
velocity = [0, 0, 0]
law = "energy-conserving"
"""


def test_a_model_file_describes_the_same_bodies(tmp_path):
    (tmp_path / "model.toml").write_text(MODEL)
    read = vc.read_model(tmp_path / "model.toml").system
    written = grain()
    written.add(vc.MassPoint("stone", 1.0, sources=vc.MassSource(
        lambda stone: 0.1 * stone.mass * vc.math.norm(stone.velocity), velocity=(0, 0, 0), law="energy-conserving")))  # fmt: skip
    start = {"rocket": vc.At(rate=START), "stone": vc.At(rate=(1, 0, 0))}
    one, other = (vc.simulate(system, until=1.0, start=start) for system in (read, written))
    assert np.abs(one.q - other.q).max() < 1e-11
    assert one.audit().passed


def test_a_stored_run_keeps_the_masses_and_its_certificate(tmp_path):
    motion = vc.simulate(bucket(), until=1.0, start={"shoulder": 1.0})
    motion.save(tmp_path / "run")
    loaded = vc.load(tmp_path / "run")
    assert np.array_equal(loaded.body("bucket").mass, motion.body("bucket").mass)
    assert np.array_equal(
        loaded.bond("bucket mass exchange").effort("bucket"), motion.bond("bucket mass exchange").effort("bucket")
    )
    assert loaded.audit().passed


def test_starting_masses_and_rates_may_be_parameters():
    system = vc.System("rocket")
    system.add(
        vc.MassPoint(
            "rocket", vc.parameter("m0", 2.0), sources=vc.MassSource(vc.parameter("nu", -0.4), relative=(0, 0, -3))
        )
    )
    motion = vc.simulate(system, until=1.0, parameters={"m0": 4.0, "nu": -1.0})
    assert abs(motion.body("rocket").velocity[-1, 2] - 3 * np.log(4 / 3)) < 1e-13
    masses = np.array([2.0, 3.0, 4.0])
    runs = vc.ensemble(system, until=1.0, parameters={"m0": masses})
    assert np.abs(runs.v[:, -1, 2] - 3 * np.log(masses / (masses - 0.4))).max() < 1e-10
    assert np.abs(runs.q[:, -1, 3] - (masses - 0.4)).max() < 1e-12
