"""Ready constraints against closed forms and equations written out by hand."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import vinculum as vc

G = 9.81


def knife_edge(gravity=(0.0, 0.0, 0.0), realization=None) -> vc.System:
    system = vc.System("knife edge", gravity=gravity)
    body = system.add(vc.RigidBody("blade", 1.0, inertia=(1, 1, 0.7)))
    system.add(vc.Planar("plane", "ground", body))
    system.add(vc.constraints.knife_edge("edge", body, realization=realization or vc.DAlembert()))
    return system


def test_a_knife_edge_runs_on_a_circle():
    """Gołubowska, section 3, d'Alembert's part."""
    motion = vc.simulate(knife_edge(), 4.0, {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))})
    np.testing.assert_allclose(motion.q[-1], [-0.63919620, 2.73976216, 3.6], rtol=0, atol=5e-9)
    x, y, _ = motion.q.T
    np.testing.assert_allclose(x**2 + (y - 1.3 / 0.9) ** 2, (1.3 / 0.9) ** 2, rtol=0, atol=1e-12)
    assert motion.audit().passed


def test_a_knife_edge_on_a_slope_comes_back_on_a_cycloid():
    slope, w = 3.0, 0.9
    motion = vc.simulate(knife_edge((slope, 0, 0)), 10.0, {"plane": vc.At((0, 0, 0), rate=(0, 0, w))})
    x, y, _ = motion.q.T
    np.testing.assert_allclose(x, slope / (2 * w**2) * np.sin(w * motion.time) ** 2, rtol=0, atol=1e-11)
    expected = slope / (2 * w**2) * (w * motion.time - np.sin(2 * w * motion.time) / 2)
    np.testing.assert_allclose(y, expected, rtol=0, atol=1e-11)
    assert x.max() <= 1.8519
    assert motion.audit().passed


@pytest.mark.parametrize("method, step", [("rk4", 1e-2), ("midpoint", 1e-2), ("verlet", 2e-3)])
def test_a_fixed_step_owns_up_to_the_work_of_its_drift_off_the_blade(method, step):
    start = {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}
    motion = vc.simulate(knife_edge(), 1500 * step, start, method=method, step=step)
    certificate = motion.audit()
    assert certificate.passed, str(certificate)
    assert not motion.replace(v=1.001 * motion.v).audit().passed


@pytest.mark.slow
def test_a_hundred_thousand_steps_leave_the_circle_where_it_is():
    motion = vc.simulate(knife_edge(), 1000.0, {"plane": vc.At((0, 0, 0), rate=(1.3, 0, 0.9))}, max_step=0.01)
    assert len(motion.record.pieces.times) > 100_000
    (x, y, heading), (u, v, _) = motion.q.T, motion.v.T
    assert np.abs(u * np.sin(heading) - v * np.cos(heading)).max() < 1e-12
    np.testing.assert_allclose(np.hypot(x, y - 1.3 / 0.9), 1.3 / 0.9, rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.energy, motion.energy[0], rtol=1e-10)


def test_the_snakeboard_moves_as_its_equations_say_and_keeps_energy_and_the_spin_of_its_rotor():
    m, J, m_w, J_w, J_r, l = 2.0, 0.3, 0.2, 0.05, 0.4, 0.5
    system = vc.System("snakeboard")
    board = system.add(vc.RigidBody("board", m, inertia=(1, 1, J)))
    rotor = system.add(vc.RigidBody("rotor", 0.6, inertia=(1, 1, J_r)))
    system.add(vc.Planar("floor", "ground", board))
    system.add(vc.Revolute("spin", board, rotor))
    for name, x in (("front", l), ("back", -l)):
        axle = system.add(vc.RigidBody(name, m_w, inertia=(0.1, 0.1, J_w)))
        system.add(vc.Revolute(f"{name} steering", board, axle, at=(x, 0, 0)))
        system.add(vc.constraints.knife_edge(f"{name} wheels", axle, realization=vc.DAlembert()))
    M = np.diag([m + 0.6 + 2 * m_w] * 2 + [J + J_r + 2 * J_w + 2 * m_w * l**2, J_r, J_w, J_w])
    M[2, 3:] = M[3:, 2] = J_r, J_w, J_w

    def rows(y):
        found, bias, v = [], [], y[6:]
        for k, side in ((4, 1.0), (5, -1.0)):
            a, phi = y[2] + y[k], y[k]
            s, c, turn = np.sin(a), np.cos(a), v[2] + v[k]
            row = np.zeros(6)
            row[:3] = -s, c, side * l * np.cos(phi)
            found.append(row)
            bias.append(-turn * (c * v[0] + s * v[1]) - side * l * np.sin(phi) * v[k] * v[2])
        return np.array(found), np.array(bias)

    def rate(t, y):
        A, b = rows(y)
        K = np.block([[M, -A.T], [A, np.zeros((2, 2))]])
        return np.concatenate([y[6:], np.linalg.solve(K, np.concatenate([np.zeros(6), -b]))[:6]])

    phi, speed = (0.4, -0.3), 0.8
    tan = np.tan(phi)
    v = [speed, speed * tan.sum() / 2, speed * (tan[0] - tan[1]) / (2 * l), 2.0, -0.3, 0.5]
    start = {"floor": vc.At((0, 0, 0), rate=v[:3]), "spin": vc.At(0.0, rate=2.0),
             "front steering": vc.At(phi[0], rate=-0.3), "back steering": vc.At(phi[1], rate=0.5)}  # fmt: skip
    motion = vc.simulate(system, 2.0, start)
    y = solve_ivp(rate, (0, 2), [0, 0, 0, 0, *phi, *v], "DOP853", motion.time, rtol=1e-13, atol=1e-13).y.T
    np.testing.assert_allclose(np.hstack([motion.q, motion.v]), y, rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion.v[:, 2] + motion.v[:, 3], v[2] + v[3], rtol=0, atol=1e-12)
    np.testing.assert_allclose(motion.energy, motion.energy[0], rtol=1e-13)
    assert motion.audit().passed


def test_a_geared_pendulum_carries_the_inertia_of_its_flywheel_by_the_square_of_the_ratio():
    ratio, flywheel = -2.5, 0.02
    system = vc.System("geared pendulum", gravity=(0, 0, -G))
    bob = system.add(vc.RigidBody("bob", 1.0, com=(0, 0, -0.4), inertia=(0.01, 0.01, 0.01)))
    wheel = system.add(vc.RigidBody("wheel", 1.0, inertia=(1, flywheel, 1)))
    pivot = system.add(vc.Revolute("pivot", "ground", bob, axis=(0, 1, 0)))
    shaft = system.add(vc.Revolute("shaft", "ground", wheel, axis=(0, 1, 0)))
    system.add(vc.constraints.gear("gear", shaft, pivot, ratio, phase=0.3, realization=vc.DAlembert()))
    motion = vc.simulate(system, 5.0, {"pivot": 1.1, "shaft": 1.1 * ratio + 0.3})
    inertia = 0.01 + 0.16 + ratio**2 * flywheel
    rate = lambda t, y: [y[1], -G * 0.4 / inertia * np.sin(y[0])]
    y = solve_ivp(rate, (0, 5), [1.1, 0], "DOP853", motion.time, rtol=1e-13, atol=1e-13).y
    np.testing.assert_allclose(motion["pivot"], y[0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(motion["shaft"], ratio * y[0] + 0.3, rtol=0, atol=1e-10)
    assert motion.audit().passed


def point(*constraints) -> vc.System:
    system = vc.System("point", gravity=(0, 0, -G))
    system.add(vc.MassPoint("bead", 0.7))
    for constraint in constraints:
        system.add(constraint)
    return system


def test_a_rod_and_the_surface_of_a_sphere_hold_a_point_alike():
    rod = vc.constraints.distance("rod", "bead", "ground", 0.9, to=(0.1, 0, 0.2), realization=vc.DAlembert())
    middle = np.array([0.1, 0.0, 0.2])
    sphere = lambda x: vc.math.dot(x - middle, x - middle) - 0.81
    bowl = vc.constraints.point_on_surface("bowl", "bead", sphere, realization=vc.DAlembert())
    start = {"bead": vc.At(middle + [0.9 * np.sin(2.0), 0, 0.9 * np.cos(2.0)], rate=(0, 1.2, 0))}
    one, other = (vc.simulate(point(held), 4.0, start) for held in (rod, bowl))
    np.testing.assert_allclose(one.q, other.q, rtol=0, atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(one.q - middle, axis=1), 0.9, rtol=0, atol=1e-12)
    x, y, _ = (one.q - middle).T
    spin = x * one.v[:, 1] - y * one.v[:, 0]
    np.testing.assert_allclose(spin, spin[0], rtol=0, atol=1e-12)
    assert one.audit().passed and other.audit().passed


def test_a_bead_on_a_hoop_swings_as_a_pendulum():
    hoop = lambda x: (x[1], x[0] * x[0] + x[2] * x[2] - 0.25)
    motion = vc.simulate(point(vc.constraints.point_on_curve("hoop", "bead", hoop, realization=vc.DAlembert())), 3.0,
                         {"bead": (0.5 * np.sin(2.0), 0, -0.5 * np.cos(2.0))})  # fmt: skip
    rate = lambda t, y: [y[1], -G / 0.5 * np.sin(y[0])]
    y = solve_ivp(rate, (0, 3), [2.0, 0], "DOP853", motion.time, rtol=1e-13, atol=1e-13).y[0]
    expected = 0.5 * np.stack([np.sin(y), 0 * y, -np.cos(y)], axis=1)
    np.testing.assert_allclose(motion.q, expected, rtol=0, atol=1e-10)
    assert motion.audit().passed


def test_a_bead_on_a_wire_that_is_turned_flies_outwards():
    system = vc.System("turned wire")
    arm = system.add(vc.PrescribedBody("arm", rotation=((0, 0, 1), lambda t: 2.0 * t)))
    system.add(vc.MassPoint("bead", 0.7))
    wire = lambda x: (x[1], x[2])
    system.add(vc.constraints.point_on_curve("wire", "bead", wire, of=arm, realization=vc.DAlembert()))
    motion = vc.simulate(system, 2.0, {"bead": vc.At((0.1, 0, 0), rate=(0, 0.2, 0))})
    r = 0.1 * np.cosh(2 * motion.time)
    expected = np.stack([r * np.cos(2 * motion.time), r * np.sin(2 * motion.time), 0 * r], axis=1)
    np.testing.assert_allclose(motion.q, expected, rtol=0, atol=1e-12)
    torque = 2 * 0.7 * 2.0 * r * 0.2 * np.sinh(2 * motion.time)
    np.testing.assert_allclose(motion.joint("arm").reaction[:, 5], torque, rtol=0, atol=1e-10)
    assert motion.audit().passed


def test_a_craft_of_fixed_speed_turns_down_in_gravity():
    """Chetaev's realization: Gołubowska (77)."""
    system = vc.System("craft", gravity=(0, -G, 0))
    craft = system.add(vc.MassPoint("craft", 1.0))
    system.add(vc.constraints.constant_speed("speed", craft, 2.0, realization=vc.Chetaev()))
    motion = vc.simulate(system, 1.0, {"craft": vc.At((0, 0, 0), rate=(2, 0, 0))})
    x = 4.0 / G * np.arctan(np.sinh(G * motion.time / 2.0))
    y = -4.0 / G * np.log(np.cosh(G * motion.time / 2.0))
    np.testing.assert_allclose(motion.q, np.stack([x, y, 0 * x], axis=1), rtol=0, atol=1e-12)
    np.testing.assert_allclose(motion.q[-1, :2], [0.634446, -1.717394], rtol=0, atol=1e-6)
    assert motion.audit().passed


def test_equal_rods_are_one_and_the_second_is_named():
    rods = [
        vc.constraints.distance(name, "bead", "ground", 1.0, realization=vc.DAlembert()) for name in ("rod", "twin")
    ]
    start = {"bead": (np.sin(1.2), 0, -np.cos(1.2))}
    one, both = vc.simulate(point(rods[0]), 3.0, start), vc.simulate(point(*rods), 3.0, start)
    np.testing.assert_allclose(one.q, both.q, rtol=0, atol=1e-11)
    assert any("row 0 of 'twin'" in line for line in both.record.log)
    assert both.audit().passed
    assert vc.mobility(point(*rods), start).redundant == (("twin", "0"),)
    assert vc.mobility(point(*rods), start).freedoms == 2
