"""Prescribed bodies against closed forms, geometry, textbook equations and Newton's laws written out in NumPy."""

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

import vinculum as vc
from audited import broken
from mechanisms import four_bar, rod
from trees import random_inertia
from vinculum.equations.observables import drives
from vinculum.scalars.math import cos, sin
from vinculum.screws import axial, rotation

G = 9.81


def pendulum(position, turned=None, length=0.7, mass=1.3) -> vc.System:
    """A mass point on a massless rod below a prescribed pivot; it swings about y."""
    system = vc.System("driven pendulum", gravity=(0, 0, -G))
    pivot = system.add(vc.PrescribedBody("pivot", position, turned))
    bob = system.add(vc.MassPoint("bob", mass))
    system.add(vc.Revolute("hinge", pivot, bob, axis=(0, 1, 0), to=(0, 0, length)))
    return system


def solved(field, start, time):
    """A first-order system of equations by SciPy."""
    return solve_ivp(field, (time[0], time[-1]), start, "DOP853", time, rtol=1e-13, atol=1e-14).y


def test_a_bead_on_a_turning_rod_flies_outwards_as_a_hyperbolic_cosine():
    m, w, r0 = 0.7, 2.0, 0.1
    system = vc.System("bead")
    spoke = system.add(vc.PrescribedBody("spoke", rotation=((0, 0, 1), lambda t: w * t)))
    system.add(vc.Prismatic("slide", spoke, system.add(vc.MassPoint("bead", m)), axis=(1, 0, 0)))
    motion = vc.simulate(system, 2.0, {"slide": r0}, progress=False)
    r, r_dot = r0 * np.cosh(w * motion.time), r0 * w * np.sinh(w * motion.time)
    assert np.abs(motion["slide"] / r - 1).max() < 1e-14
    torque = 2 * m * w * r * r_dot
    assert np.abs(motion.joint("spoke").reaction[:, 5] - torque).max() < 1e-12 * torque.max()
    assert np.abs(motion.body("spoke").drive.power - torque * w).max() < 1e-12 * torque.max()
    assert motion.audit().passed


def test_equations_of_the_bead_are_those_of_the_book():
    system = vc.System("bead")
    spoke = system.add(vc.PrescribedBody("spoke", rotation=((0, 0, 1), lambda t: 2.0 * t)))
    system.add(vc.Prismatic("r", spoke, system.add(vc.MassPoint("bead", 1.0)), axis=(1, 0, 0)))
    for form in ("newton-euler", "lagrange", "telegin"):
        assert vc.derive(system, form).lines() == [r"\ddot{r} - 4 r = 0"]
    hamilton = vc.derive(system, "hamilton")
    assert np.isclose(hamilton.canonical.hamiltonian([0.3], [0.7]), 0.5 * (0.7**2 - 4 * 0.3**2), rtol=1e-15)
    written = hamilton.lines()
    assert written == [r"H = \frac{1}{2} \left(p_{r}^{2} - 4 r^{2}\right)", r"\dot{r} = p_{r}", r"\dot{p}_{r} = 4 r"]


def test_kapitzas_pendulum_stands_on_its_head():
    a, w, length = 0.06, 110.0, 0.7
    system = pendulum(lambda t: (0, 0, a * cos(w * t)), length=length)
    motion = vc.simulate(system, 2.0, {"hinge": 2.9}, grid=101, progress=False)
    theta = solved(lambda t, y: [y[1], -(G - a * w**2 * np.cos(w * t)) / length * np.sin(y[0])], [2.9, 0], motion.time)
    assert np.abs(motion["hinge"] - theta[0]).max() < 1e-9
    assert np.abs(motion["hinge"] - np.pi).max() < 0.6
    assert motion.audit().passed


def test_a_pendulum_on_a_turntable_leans_outwards():
    R, w, length = 0.4, 3.0, 0.7
    system = pendulum(lambda t: (R * cos(w * t), R * sin(w * t), 0), ((0, 0, 1), lambda t: w * t), length)
    motion = vc.simulate(system, 5.0, {"hinge": 0.2}, grid=101, progress=False)

    def field(t, y):  # the hinge turns the bob from below towards -x for positive angles
        return [y[1], -(w**2 * (R - length * np.sin(y[0])) * np.cos(y[0]) + G * np.sin(y[0])) / length]

    assert np.abs(motion["hinge"] - solved(field, [0.2, 0], motion.time)[0]).max() < 1e-10
    out = motion.body("bob").position
    radial = R - length * np.sin(motion["hinge"])
    expected = radial[:, None] * np.stack([np.cos(w * motion.time), np.sin(w * motion.time)], axis=1)
    assert np.abs(out[:, :2] - expected).max() < 1e-13
    assert motion.audit().passed


def test_the_energy_of_a_driven_rod_pendulum_changes_by_the_multiplier_and_the_drift_of_its_row():
    """Δ(T + V) = −∫ λ c dt with the row a = x − p and c = −(x − p)·ṗ: O'Reilly and Srinivasa, (27) and (34)."""
    p = lambda f: lambda t: (0.3 * f[0](2 * t), 0.2 * f[0](t), 0.1 * f[1](3 * t))
    system = vc.System("rod pendulum", gravity=(0, 0, -G))
    pivot = system.add(vc.PrescribedBody("pivot", p((sin, cos))))
    bob = system.add(vc.MassPoint("bob", 1.3))
    system.add(vc.Universal("rod", pivot, bob, to=(0, 0, 0.7)))
    motion = vc.simulate(system, 3.0, {"rod": (0.5, 0.3)}, grid=3001, progress=False)
    t = motion.time
    p_dot = np.stack([0.6 * np.cos(2 * t), 0.2 * np.cos(t), -0.3 * np.sin(3 * t)], axis=1)
    row = motion.body("bob").position - np.stack(p((np.sin, np.cos))(t), axis=1)
    force = motion.joint("rod").reaction[:, :3]
    lam = (force * row).sum(axis=1) / 0.7**2
    assert np.abs(force - lam[:, None] * row).max() < 1e-11 * np.abs(force).max()
    c = -(row * p_dot).sum(axis=1)
    gained = cumulative_simpson(-lam * c, x=t, initial=0.0)
    assert np.abs(motion.energy - motion.energy[0] - gained).max() < 1e-9 * np.ptp(motion.energy)
    assert np.abs(motion.body("pivot").drive.power + lam * c).max() < 1e-11 * np.abs(lam * c).max()
    assert motion.audit().passed


def test_a_four_bar_driven_by_its_crank_is_where_geometry_puts_it():
    crank, coupler, rocker, ground = 1.0, 2.5, 2.0, 2.2
    system = vc.System("driven four-bar", gravity=(0, -G, 0))
    angle = lambda t, s=sin: 0.5 + 2.0 * t + 0.3 * s(3.0 * t)
    system.add(
        vc.PrescribedBody("crank", rotation=((0, 0, 1), angle), mass=1.0, com=(0.5, 0, 0), inertia=(0, 1 / 12, 1 / 12))
    )
    rod(system, "coupler", coupler)
    rod(system, "rocker", rocker)
    system.add(vc.Revolute("B", "crank", "coupler", at=(crank, 0, 0)))
    system.add(vc.Revolute("D", "ground", "rocker", at=(ground, 0, 0)))
    system.add(vc.Revolute("C", "coupler", "rocker", at=(coupler, 0, 0), to=(rocker, 0, 0)))
    for method in ("auto", "dop853"):
        motion = vc.simulate(system, 4.0, {"D": 1.5}, begin=0.3, method=method, grid=301, progress=False)
        th = angle(motion.time, np.sin)
        A = crank * np.stack([np.cos(th), np.sin(th)], axis=1)
        d = np.array([ground, 0.0]) - A
        L = np.linalg.norm(d, axis=1)
        along = (coupler**2 - rocker**2 + L**2) / (2 * L)
        across = np.sqrt(coupler**2 - along**2)
        C = A + (along / L)[:, None] * d + (across / L)[:, None] * np.stack([-d[:, 1], d[:, 0]], axis=1)
        assert np.abs(motion.body("rocker").point((rocker, 0, 0)).position[:, :2] - C).max() < 1e-13
        work = cumulative_simpson(motion.body("crank").drive.power, x=motion.time, initial=0.0)
        assert np.abs(motion.energy - motion.energy[0] - work).max() < 1e-5 * np.ptp(motion.energy)
        assert motion.audit().passed, motion.audit()


def test_a_crank_that_a_motor_turns_needs_the_torque_that_its_prescribed_twin_shows():
    """The same four-bar with a free crank and the drive torque found moves as prescribed."""
    driven = vc.System("driven", gravity=(0, -G, 0))
    driven.add(vc.PrescribedBody("crank", rotation=((0, 0, 1), lambda t: 2.0 * t)))
    rod(driven, "coupler", 2.5)
    rod(driven, "rocker", 2.0)
    driven.add(vc.Revolute("B", "crank", "coupler", at=(1, 0, 0)))
    driven.add(vc.Revolute("D", "ground", "rocker", at=(2.2, 0, 0)))
    driven.add(vc.Revolute("C", "coupler", "rocker", at=(2.5, 0, 0), to=(2, 0, 0)))
    known = vc.simulate(driven, 1.5, {"B": 1.0, "D": 1.8}, grid=31, progress=False)
    free = four_bar()
    here = {"A": vc.At(0.0, rate=2.0), "B": float(known["B"][0]), "D": float(known["D"][0])}
    moving = vc.simulate(free, 1e-6, here, grid=2, progress=False)
    equations = vc.derive(free, "newton-euler")
    inertia = 1 / 12 + 1 / 4 + 1e-4  # the rod of tests' four-bar about its end
    q, v = moving.q[0], moving.v[0]
    torque = known.joint("crank").reaction[0, 5] + G * 0.5 * 1.0 * np.cos(0.0)
    tau = np.array([torque, 0.0, 0.0])
    assert abs(equations.accelerations(q, v, tau)[0]) < 1e-9 * (1 + abs(torque) / inertia)


def second_differences(what, h=2e-3):
    """Second derivative at the middle of nine instants, by central differences of eighth order."""
    w = {1: 8 / 5, 2: -1 / 5, 3: 8 / 315, 4: -1 / 560}
    return (-205 / 72 * what[4] + sum(w[k] * (what[4 - k] + what[4 + k]) for k in w)) / h**2


def first_differences(what, h=2e-3):
    w = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    return sum(w[k] * (what[4 + k] - what[4 - k]) for k in w) / h


@pytest.mark.parametrize("child", [None, "revolute", "spherical"])
def test_the_wrench_of_a_drive_about_a_moving_axis_is_that_of_newton_and_euler(child):
    """m c̈ − m g summed over all bodies, and the rates of their moments of momentum about the driven body's origin."""
    rng = np.random.default_rng(3)
    J = [random_inertia(rng), random_inertia(rng)]
    gravity = np.array([1.0, -2.0, -9.0])

    def turned(t):
        return rotation((0, 0, 1), 1.3 * t) @ rotation((1, 0, 0), 0.8 * sin(2 * t)) @ rotation((0, 1, 0), t * t)

    system = vc.System("moving axis", gravity=gravity)
    arm = system.add(
        vc.PrescribedBody("arm", lambda t: (0.5 * sin(t), t * t, 0.2 * cos(3 * t)), turned, 1.7, (0.1, 0.2, -0.3), J[0])
    )
    bodies = {"arm": (1.7, np.array([0.1, 0.2, -0.3]), J[0])}
    if child is not None:
        load = system.add(vc.RigidBody("load", 0.9, (0.2, -0.1, 0.4), J[1]))
        bodies["load"] = (0.9, np.array([0.2, -0.1, 0.4]), J[1])
        own = {"axis": (1, 2, 0.5)} if child == "revolute" else {}
        system.add(getattr(vc, child.capitalize())("pin", arm, load, at=(0.3, 0.4, 0), to=(0, 0, -0.1), **own))
    motion = vc.simulate(system, 1.0, progress=False)
    h = 2e-3
    for middle in (0.2, 0.5, 0.8):
        seen = motion.at(middle + h * np.arange(-4, 5))
        origin = seen.body("arm").position[4]
        force, moment = np.zeros(3), np.zeros(3)
        for name, (mass, com, inertia) in bodies.items():
            R, c = seen.body(name).rotation, seen.body(name).point(com).position
            pull = mass * (second_differences(c) - gravity)
            S = first_differences(R) @ R[4].T
            w, alpha = axial(S), axial(second_differences(R) @ R[4].T - S @ S)
            world = R[4] @ inertia @ R[4].T
            force += pull
            moment += np.cross(c[4] - origin, pull) + world @ alpha + np.cross(w, world @ w)
        found = motion.at([middle]).joint("arm").reaction[0]
        assert np.abs(found - [*force, *moment]).max() < 2e-8 * np.abs(found).max()
    assert motion.audit().passed


def test_a_prescribed_body_at_rest_is_the_ground():
    place = vc.Pose((0.3, -0.2, 0.5), (0.8, 0.1, 0.5, -0.3))

    def double(base, at):
        system = vc.System("double pendulum", gravity=(0, 0, -G))
        if base != "ground":
            system.add(base)
        upper = system.add(vc.RigidBody("upper", 1.0, (0, 0, -0.5), (0.084, 0.084, 0.001)))
        lower = system.add(vc.RigidBody("lower", 0.5, (0, 0, -0.4), (0.030, 0.030, 0.001)))
        system.add(vc.Revolute("shoulder", base, upper, axis=(0, 1, 0), at=at))
        system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -1.0)))
        return vc.simulate(system, 3.0, {"shoulder": 1.2, "elbow": 0.3}, grid=31, progress=False)

    held = double(vc.PrescribedBody("base", place.p, place.R), (0, 0, 0))
    fixed = double("ground", place)
    assert np.abs(held.q - fixed.q).max() < 1e-10
    assert np.abs(held.joint("shoulder").reaction - fixed.joint("shoulder").reaction).max() < 1e-9
    assert np.abs(held.body("base").drive.power).max() == 0.0
    assert held.audit().passed


def test_a_base_that_accelerates_is_a_base_in_another_gravity():
    a = np.array([3.0, -1.0, 2.0])
    start = {"hinge": vc.At(0.4, rate=0.5)}
    moving = vc.simulate(
        pendulum(lambda t: tuple(0.5 * k * t * t + k * t for k in a)), 3.0, start, grid=31, progress=False
    )
    system = vc.System("pendulum", gravity=np.array([0, 0, -G]) - a)
    system.add(vc.Revolute("hinge", "ground", system.add(vc.MassPoint("bob", 1.3)), axis=(0, 1, 0), to=(0, 0, 0.7)))
    still = vc.simulate(system, 3.0, start, grid=31, progress=False)
    assert np.abs(moving["hinge"] - still["hinge"]).max() < 1e-11
    assert np.abs(moving.joint("pivot").reaction[:, :3] - still.joint("hinge").reaction[:, :3]).max() < 1e-9
    assert moving.audit().passed


@pytest.mark.parametrize("method", ["verlet", "midpoint", "rk4"])
def test_fixed_steps_converge_on_a_pendulum_with_a_driven_pivot(method):
    """Momenta p = M q̇ + b(q, t), since the pivot moves sideways and turns."""
    system = pendulum(lambda t: (0.4 * sin(2 * t), 0, 0.1 * t * t), ((0, 1, 0), lambda t: 0.5 * t))
    exact = vc.simulate(system, 2.0, {"hinge": 0.3}, grid=2, progress=False)
    errors = []
    for step in (0.02, 0.01):
        motion = vc.simulate(system, 2.0, {"hinge": 0.3}, method=method, step=step, grid=2, progress=False)
        errors.append(np.abs(motion.q[-1] - exact.q[-1]).max() + np.abs(motion.v[-1] - exact.v[-1]).max())
    order = {"verlet": 2, "midpoint": 2, "rk4": 4}[method]
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.2
    assert "broken" not in {line.verdict for line in motion.audit().lines}


def test_hamiltons_equations_of_a_driven_pivot_hold_along_the_motion():
    system = pendulum(lambda t: (0.4 * sin(2 * t), 0, 0.1 * t * t), ((0, 1, 0), lambda t: 0.5 * t))
    motion = vc.simulate(system, 2.0, {"hinge": 0.3}, progress=False)
    equations = vc.derive(system, "hamilton")
    q, v, t = motion.q, motion.v, motion.time
    p = equations.canonical.momenta(q, v, t=t)
    assert np.abs(equations.canonical.velocities(q, p, t=t) - v).max() < 1e-13
    h = t[1] - t[0]
    change = (p[:-8] / 280 - 4 * p[1:-7] / 105 + p[2:-6] / 5 - 4 * p[3:-5] / 5 + 4 * p[5:-3] / 5 - p[6:-2] / 5
              + 4 * p[7:-1] / 105 - p[8:] / 280) / h  # fmt: skip
    assert np.abs(equations.canonical.momenta_rates(q, p, t=t)[4:-4] - change).max() < 1e-9 * np.abs(change).max()
    eps = 1e-5
    slope = (equations.canonical.hamiltonian(q, p + eps, t=t) - equations.canonical.hamiltonian(q, p - eps, t=t)) / (
        2 * eps
    )
    assert np.abs(slope - v[:, 0]).max() < 1e-8
    accelerations = [vc.derive(system, form).accelerations(q, v, t=t) for form in ("lagrange", "hamilton", "telegin")]
    assert max(np.abs(a - accelerations[0]).max() for a in accelerations) < 1e-12 * np.abs(accelerations[0]).max()


def test_a_joint_that_names_a_prescribed_body_as_its_child_closes_there():
    """A slider-crank with its crank pin written from the rod to the crank."""
    system = vc.System("slider-crank", gravity=(0, -G, 0))
    slider = system.add(vc.RigidBody("slider", 0.5, inertia=(1e-3, 1e-3, 1e-3)))
    system.add(vc.PrescribedBody("crank", rotation=((0, 0, 1), lambda t: 3.0 * t)))
    link = rod(system, "link", 1.0)
    system.add(vc.Prismatic("guide", "ground", slider, axis=(1, 0, 0)))
    system.add(vc.Revolute("wrist", slider, link))
    system.add(vc.Revolute("pin", link, "crank", at=(1.0, 0, 0), to=(0.3, 0, 0)))
    motion = vc.simulate(system, 2.5, {"guide": -0.7, "wrist": 0.0}, grid=101, progress=False)
    th = 3.0 * motion.time
    assert np.abs(motion["guide"] - (0.3 * np.cos(th) - np.sqrt(1 - (0.3 * np.sin(th)) ** 2))).max() < 1e-13
    assert motion.audit().passed, motion.audit()


@pytest.mark.parametrize("turned_round", [False, True])
def test_legs_of_a_platform_that_moves_as_prescribed_are_as_long_as_geometry_says(turned_round):
    """Hexapod legs: universal joints on the ground, sliders with springs, ball joints on a platform that turns and shifts."""
    feet = 0.5 * np.stack([np.array([np.cos(a), np.sin(a), 0]) for a in (0.0, 2.0, 4.0)])
    tops = 0.3 * np.stack([np.array([np.cos(a), np.sin(a), 0]) for a in (0.5, 2.5, 4.5)])

    def turned(t, s=sin):
        return rotation((0, 0, 1), 0.3 * s(2 * t)) @ rotation((1, 0, 0), 0.2 * s(3 * t))

    def place(t, s=sin):
        return np.array([0.1 * s(t), 0.1 * s(2 * t), 0.8 + 0.05 * s(5 * t)])

    system = vc.System("platform", gravity=(0, 0, -G))
    platform = system.add(vc.PrescribedBody("platform", place, turned, 2.0, inertia=(0.1, 0.1, 0.2)))
    for k in range(3):
        lower = system.add(vc.RigidBody(f"lower{k}", 0.4, (0, 0, 0.2), (1e-2, 1e-2, 1e-3)))
        upper = system.add(vc.RigidBody(f"upper{k}", 0.3, (0, 0, -0.2), (1e-2, 1e-2, 1e-3)))
        system.add(vc.Universal(f"foot{k}", "ground", lower, at=feet[k]))
        system.add(vc.Prismatic(f"leg{k}", lower, upper, stiffness=200.0, rest=0.8, damping=1.0))
        ends = (platform, upper) if turned_round else (upper, platform)
        own = {"at": tops[k]} if turned_round else {"to": tops[k]}
        system.add(vc.Spherical(f"ball{k}", *ends, **own))
    start = {f"leg{k}": 0.8 for k in range(3)}
    motion = vc.simulate(system, 2.4, start, begin=0.4, grid=41, progress=False)
    for k in range(3):
        top = np.stack([place(t, np.sin) + turned(t, np.sin) @ tops[k] for t in motion.time])
        assert np.abs(motion[f"leg{k}"] - np.linalg.norm(top - feet[k], axis=1)).max() < 1e-12
    certificate = motion.audit()
    assert certificate.passed, certificate


def test_a_drive_that_is_wrong_by_a_billionth_breaks_the_certificate(monkeypatch):
    right = drives.drive_powers
    wrong = lambda *given: [(power * (1 + 1e-9), size) for power, size in right(*given)]
    monkeypatch.setattr("vinculum.equations.observables.drives.drive_powers", wrong)
    motion = vc.simulate(pendulum(lambda t: (0.3 * sin(2 * t), 0, 0)), 1.0, {"hinge": 0.5}, progress=False)
    assert broken(motion.audit()) == {"prescribed bodies"}


def test_a_wrong_acceleration_of_the_base_breaks_the_certificate():
    right = pendulum(lambda t: (0.3 * sin(2 * t), 0, 0))
    wrong = pendulum(lambda t: (0.3001 * sin(2 * t), 0, 0))
    motion = vc.simulate(right, 3.0, {"hinge": 0.5}, progress=False)
    assert motion.audit().passed
    assert {"energy balance", "momentum of 'bob'"} <= broken(motion.replace(system=wrong).audit())


def test_a_flywheel_that_turns_steadily_beside_a_driven_table_needs_no_power_and_passes():
    shaft = vc.System("shaft", gravity=(0, 0, -9.81))
    wheel = {"mass": 0.5, "inertia": (1e-4, 2e-4, 1e-4)}
    shaft.add(vc.PrescribedBody("wheel", rotation=((0, 1, 0), lambda t: 30.0 * t), **wheel))
    table = shaft.add(vc.PrescribedBody("table", position=lambda t: (0, 0, 0.01 * sin(30 * t)), mass=0.05))
    shaft.add(vc.Prismatic("guide", "ground", shaft.add(vc.MassPoint("load", 0.1)), axis=(0, 0, 1)))
    shaft.add(vc.Spring("spring", "load", table, stiffness=5e3, rest_length=0.1, damping=5.0))
    motion = vc.simulate(shaft, until=1.0, start={"guide": 0.1})
    np.testing.assert_allclose(motion.body("wheel").drive.power, 0.0, atol=1e-15)
    assert motion.audit().passed, broken(motion.audit())
