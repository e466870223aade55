"""Periodic orbits, spectra and sections of systems with unilateral constraints, against closed forms and simulated motions."""

import numpy as np
import pytest

import vinculum as vc
from vinculum.geometry.hamiltonian.flow.flow import Flow

h, sin, cos = vc.hamiltonian, vc.math.sin, vc.math.cos
GRAVITY, RATE, RESTITUTION, HEIGHT = 9.81, 12.0, 0.8, 0.03
TURN = 2.0 * np.pi
PERIOD = TURN / RATE


def table(impact=RESTITUTION, height=HEIGHT):
    """A ball on a table that moves up and down."""
    system = vc.System("table", gravity=(0, 0, -GRAVITY))
    plate = system.add(vc.PrescribedBody("plate", position=lambda t: (0, 0, height * sin(RATE * t))))
    ball = system.add(vc.MassPoint("ball", 0.7))
    system.add(vc.Prismatic("z", "ground", ball, axis=(0, 0, 1)))
    gap = lambda ball, plate: ball.position[2] - plate.position[2]
    system.add(vc.Unilateral("plate and ball", [ball, plate], gap=gap, impact=impact))
    return system


def once_per_period() -> tuple[float, float, np.ndarray]:
    """Position and velocity at t = 0 of the orbit with one impact in a period, where the table accelerates downward, and its multipliers.

    A flight of a period is symmetric: v = ± gT/2, so that the table moves with w' = gT/2 (1 − e)/(1 + e) at impacts. The map from one
    impact to the next has the determinant e² and the trace 1 + e² + (1 + e)² w''/g. Luck and Mehta, Phys. Rev. E 48 (1993) 3988.
    """
    e, speed = RESTITUTION, GRAVITY * PERIOD / 2.0
    phase = np.arccos(speed * (1.0 - e) / (1.0 + e) / (HEIGHT * RATE))
    since = PERIOD - phase / RATE
    place = HEIGHT * np.sin(phase) + speed * since - GRAVITY * since**2 / 2.0
    trace = 1.0 + e**2 - (1.0 + e) ** 2 * HEIGHT * RATE**2 * np.sin(phase) / GRAVITY
    return place, speed - GRAVITY * since, np.roots([1.0, -trace, e**2])


def test_a_ball_on_a_shaking_table_has_the_multipliers_of_its_impact_map():
    z, v, multipliers = once_per_period()
    H = h.Hamiltonian.of(table())
    orbit = h.periodic_orbit(H, [z + 1e-3], [0.7 * (v + 0.01)], PERIOD)
    assert orbit.impacts == 1 and orbit.period == PERIOD
    assert (orbit.q[0], orbit.p[0]) == pytest.approx((z, 0.7 * v), abs=1e-10)
    assert np.sort_complex(orbit.multipliers) == pytest.approx(np.sort_complex(multipliers), abs=1e-10)


def test_multipliers_are_the_differences_of_simulated_motions():
    H, system = h.Hamiltonian.of(table()), table()
    z, v, _ = once_per_period()
    orbit, ends, step = h.periodic_orbit(H, [z], [0.7 * v], PERIOD), [], 1e-5
    for dz, dp in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)):
        start = {"z": vc.At(orbit.q[0] + dz, rate=(orbit.p[0] + dp) / 0.7)}
        motion = vc.simulate(system, until=PERIOD, start=start, method="dop853", grid=2)
        ends.append([motion["z"][-1], 0.7 * motion.joint("z").v[-1]])
    ends = np.array(ends)
    found = np.stack([ends[0] - ends[1], ends[2] - ends[3]], axis=1) / (2.0 * step)
    assert found == pytest.approx(orbit.monodromy, abs=1e-6)


def test_a_wall_that_moves_is_the_same_as_a_prescribed_body():
    z, v, _ = once_per_period()
    free = h.Hamiltonian("ball", ["z"], lambda z, p_z: p_z**2 / 1.4 + 0.7 * GRAVITY * z)
    moving = h.Wall(lambda z, t: z - HEIGHT * sin(RATE * t), RESTITUTION)
    one, other = (
        h.periodic_orbit(free, [z], [0.7 * v], PERIOD, walls=[moving]),
        h.periodic_orbit(h.Hamiltonian.of(table()), [z], [0.7 * v], PERIOD),
    )
    assert one.monodromy == pytest.approx(other.monodromy, abs=1e-12)


def test_exponents_of_a_ball_on_a_table_add_up_to_the_losses_of_its_impacts():
    """Each impact contracts areas by e²."""
    z, v, _ = once_per_period()
    H = h.Hamiltonian.of(table())
    found = h.lyapunov_spectrum(H, 40.0 * PERIOD, [z], [0.7 * v])
    assert found.exponents.sum() == pytest.approx(2.0 * np.log(RESTITUTION) / PERIOD, abs=1e-8)
    assert found.exponents == pytest.approx(np.log(RESTITUTION) / PERIOD, abs=0.2)


def pendulum(impact):
    """Two rods of which the second has stops, and a wall that the end of the first meets."""
    system = vc.System("double pendulum", gravity=(0, 0, -GRAVITY))
    upper, lower = system.add(vc.MassPoint("upper", 1.0)), system.add(vc.MassPoint("lower", 0.5))
    system.add(vc.Revolute("alpha", "ground", upper, axis=(0, 1, 0), to=(0, 0, 1.0)))
    stops = vc.constraints.Limits(-0.4, 0.3, impact)
    system.add(vc.Revolute("beta", upper, lower, axis=(0, 1, 0), to=(0, 0, 0.7), limits=stops))
    system.add(vc.Unilateral("wall", [upper], gap=lambda one: 0.3 - one.position[0], impact=impact))
    return system


def test_stops_of_joints_and_gaps_of_bodies_are_met_as_in_a_simulation():
    system = pendulum(vc.Newton(0.9))
    H, until = h.Hamiltonian.of(system), 3.0
    q, v = np.array([0.5, 0.1]), np.array([0.2, -0.3])
    p = H.momentum(q, v)
    course = h.poincare_section(H, lambda t: t - until, q, p, until + 0.1)
    motion = vc.simulate(system, until=until, method="dop853", grid=2, start={
        "alpha": vc.At(q[0], rate=v[0]), "beta": vc.At(q[1], rate=v[1])})  # fmt: skip
    end = np.array([motion["alpha"][-1], motion["beta"][-1]])
    rate = np.array([motion.joint("alpha").v[-1], motion.joint("beta").v[-1]])
    assert all(len(motion.bond(name).impulses.times) for name in ("wall", "beta lower stop", "beta upper stop"))
    assert course.q[0] == pytest.approx(end, abs=1e-9)
    assert course.p[0] == pytest.approx(H.momentum(end, rate), abs=1e-9)


def test_deviations_behind_many_impacts_are_differences_of_simulated_motions():
    """Six impacts at three walls, with e < 1 and in the metric of a double pendulum."""
    system, until, step = pendulum(vc.Newton(0.9)), 2.5, 1e-6
    H, q, v = h.Hamiltonian.of(system), np.array([0.5, 0.1]), np.array([0.2, -0.3])
    x, ends = np.concatenate([q, H.momentum(q, v)]), []
    for d in np.concatenate([np.eye(4), -np.eye(4)]):
        start = x + step * d
        rate = H.rates(start[:2], start[2:])[:2]
        motion = vc.simulate(system, until=until, method="dop853", grid=2, start={
            "alpha": vc.At(start[0], rate=rate[0]), "beta": vc.At(start[1], rate=rate[1])})  # fmt: skip
        end = np.array([motion["alpha"][-1], motion["beta"][-1]])
        speed = np.array([motion.joint("alpha").v[-1], motion.joint("beta").v[-1]])
        ends.append(np.concatenate([end, H.momentum(end, speed)]))
    differences = (np.array(ends[:4]) - np.array(ends[4:])).T / (2.0 * step)
    start = np.concatenate([x, np.eye(4).ravel()])[None]
    course = Flow(H.space, 4).run(start, {}, 0.0, np.array([until]), 1e-13)
    carried = course.states[0, 0, 4:].reshape(4, 4).T
    assert course.impacts[0] == 6
    assert differences == pytest.approx(carried, abs=1e-6 * np.abs(carried).max())
    assert np.linalg.det(carried) == pytest.approx(0.9**12, rel=1e-9)


def test_elastic_stops_keep_the_pairs_of_exponents():
    H = h.Hamiltonian.of(pendulum("elastic"))
    found = h.lyapunov_spectrum(H, 20.0, [0.5, 0.1], H.momentum([0.5, 0.1], [0.2, -0.3]))
    assert found.exponents + found.exponents[::-1] == pytest.approx(0.0, abs=1e-8)
    assert found.exponents[0] > 0.5


def test_poissons_law_without_friction_is_newtons():
    q, p = [0.5, 0.1], [0.2, 0.1]
    ends = [
        h.poincare_section(h.Hamiltonian.of(pendulum(law)), lambda t: t - 1.0, q, p, 1.1).q
        for law in (vc.Newton(0.9), vc.Poisson(0.9))
    ]
    assert (ends[0] == ends[1]).all()


def test_a_hamiltonian_of_prescribed_bodies_depends_on_time():
    """Kapitza's pendulum: the height of the pivot enters its momentum."""
    system = vc.System("Kapitza", gravity=(0, 0, -GRAVITY))
    pivot = system.add(vc.PrescribedBody("pivot", position=lambda t: (0, 0, 0.1 * cos(3.0 * t))))
    system.add(vc.Revolute("a", pivot, system.add(vc.MassPoint("bob", 0.5)), axis=(0, 1, 0), to=(0, 0, 0.3)))
    H, a, p, t = h.Hamiltonian.of(system), 0.4, 0.2, 0.7
    rate = -0.3 * np.sin(3.0 * t)
    velocity = (p / 0.5 - 0.3 * np.sin(a) * rate) / 0.09
    assert H.rates([a], [p], t)[0] == pytest.approx(velocity, abs=1e-13)


def test_walls_at_right_angles_may_be_met_together():
    """A diagonal of a square comes back from its corners."""
    H = h.Hamiltonian("box", ["x", "y"], lambda p: p @ p / 2)
    walls = [h.Wall(gap) for gap in (lambda x: x, lambda y: y, lambda x: 1 - x, lambda y: 1 - y)]
    found = h.poincare_section(H, lambda x: x - 0.5, [0.3, 0.3], [-1.0, -1.0], 5.0, direction=0, walls=walls)
    assert found.time == pytest.approx([0.8, 1.8, 2.8, 3.8, 4.8], abs=1e-12)
    assert found.q == pytest.approx(0.5, abs=1e-12)
