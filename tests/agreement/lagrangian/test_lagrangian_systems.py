"""Lagrangian systems: several routes to one motion, and derivations made elsewhere."""

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from sympy.calculus.euler import euler_equations

import vinculum as vc
from vinculum.equations.lagrangian.ostrogradsky import variational_derivative
from vinculum.scalars import replay
from vinculum.scalars.math import NUMERIC
from vinculum.systems.jets import jet_of

cos, sin, exp = vc.math.cos, vc.math.sin, vc.math.exp
m, l, g, drag = 1.2, 0.8, 9.81, 0.3


def swinging(constraints):
    return vc.LagrangianSystem(
        "pendulum",
        ["x", "y"],
        lambda q, v: m * v @ v / 2 - m * g * q[1],
        dissipation=lambda v: -drag * v,
        constraints=constraints,
    )


def numbers(graphs, jet, seed=0):
    """Graphs at random values of a jet."""
    draw = np.random.default_rng(seed)
    leaves = [*np.concatenate(jet.levels), *np.concatenate(jet.multipliers), jet.t]
    table = {id(x): draw.normal() for x in leaves}
    return replay(graphs, lambda leaf: table[id(leaf)], NUMERIC).astype(float), {
        x.args[0]: table[id(x)] for x in leaves
    }


def test_a_pendulum_with_drag_swings_alike_reduced_by_multipliers_and_vakonomically():
    start = ([l * np.sin(1.0), -l * np.cos(1.0)], [0.7 * l * np.cos(1.0), 0.7 * l * np.sin(1.0)])
    held = swinging({"length": (lambda q: q @ q - l**2, vc.DAlembert())})
    reduced = held.restrict(lambda theta: [l * sin(theta), -l * cos(theta)], ["theta"], "in its angle")
    assert not reduced.constraints
    by_angle = vc.simulate(reduced, 5.0, {"theta": vc.At(1.0, rate=0.7)}, progress=False)
    by_multiplier = vc.simulate(held, 5.0, start, progress=False)
    theta = by_angle["theta"]
    places = np.stack([l * np.sin(theta), -l * np.cos(theta)], axis=1)
    assert np.allclose(by_multiplier.q, places, atol=1e-10)
    for value in (0.0, 1.7):
        free = vc.Vakonomic(multipliers=value)
        vakonomic = vc.simulate(swinging({"length": (lambda q, v: 2 * q @ v, free)}), 5.0, start, progress=False)
        assert np.allclose(vakonomic.q, places, atol=1e-8)
        slope = np.gradient(vakonomic.bond("length").multiplier, vakonomic.time, edge_order=2)
        assert np.allclose(-slope[5:-5], by_multiplier.bond("length").multiplier[5:-5], atol=2e-3)
    # the same by the textbook equation alone
    rates = lambda t, y: [y[1], -g / l * np.sin(y[0]) - drag / m * y[1]]
    alone = solve_ivp(rates, (0, 5), [1.0, 0.7], method="DOP853", rtol=1e-12, atol=1e-13).y[0, -1]
    assert theta[-1] == pytest.approx(alone, abs=1e-10)
    assert by_multiplier.audit().passed and by_angle.audit().passed


def test_a_pendulum_of_bodies_and_its_lagrangian_are_one():
    system = vc.System("pendulum", gravity=(0, -g, 0))
    system.add(vc.RigidBody("rod", mass=m, com=(0, -l, 0), inertia=(0.1, 0.2, 0.3)))
    system.add(vc.Revolute("pivot", "ground", "rod"))
    bodies = vc.simulate(system, 3.0, {"pivot": vc.At(1.0, rate=0.4)}, progress=False)
    alone = vc.LagrangianSystem(
        "pendulum", ["theta"], lambda theta, theta_dot: (m * l**2 + 0.3) * theta_dot**2 / 2 + m * g * l * cos(theta)
    )
    motion = vc.simulate(alone, 3.0, ([1.0], [0.4]), progress=False)
    assert np.allclose(motion.q[:, 0], np.ravel(bodies["pivot"]), atol=1e-11)
    assert np.allclose(motion.v, bodies.v, atol=1e-11)


def test_an_integrable_constraint_on_velocities_moves_alike_however_it_is_realized():
    surface = lambda q, v: exp(q[0]) * (2 * q[0] * v[0] + 2 * q[1] * v[1] - v[2])

    def bowl(realization):
        return vc.LagrangianSystem(
            "bowl", ["x", "y", "z"], lambda q, v: v @ v / 2 - 9.81 * q[2], constraints={"bowl": (surface, realization)}
        )

    start = ([0.6, 0.1, 0.37], [0.3, 0.8, 2 * 0.6 * 0.3 + 2 * 0.1 * 0.8])
    one = vc.simulate(bowl(vc.DAlembert()), 2.0, start, progress=False)
    for value in (0.0, -0.4, 0.9):
        other = vc.simulate(bowl(vc.Vakonomic(multipliers=value)), 2.0, start, progress=False)
        assert np.allclose(other.q, one.q, atol=1e-8)
    x, y, z = one.q.T
    assert np.allclose(z, x**2 + y**2, atol=1e-10)
    reduced = bowl(vc.DAlembert()).restrict(lambda x, y: [x, y, x**2 + y**2], ["x", "y"])
    assert np.allclose(vc.simulate(reduced, 2.0, ([0.6, 0.1], [0.3, 0.8]), progress=False).q, one.q[:, :2], atol=1e-10)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_equations_of_any_order_are_those_of_an_independent_derivation(order):
    names, t = ["x", "y"], sympy.Symbol("t")
    x, y, mu = (sympy.Function(name)(t) for name in ("x", "y", "mu"))

    def L(x, y, top_x, top_y, cos, sin):
        return top_x**2 * (1 + y**2) / 2 + top_x * top_y * cos(x) + x * y**3

    def F(x, y, top_x, top_y, cos, sin):
        return top_x**2 * y + sin(x) * top_y + x * top_x * top_y

    system = vc.LagrangianSystem(
        "of any order",
        names,
        _with_top(lambda *given: L(*given, cos, sin), order),
        constraints={
            "one": (_with_top(lambda *given: F(*given, cos, sin), order), vc.Vakonomic(multipliers=np.ones(order)))
        },
    )
    made = system.equations()
    found, at = numbers(made.left, made.jet)
    tops = sympy.Derivative(x, (t, order)), sympy.Derivative(y, (t, order))
    whole = L(x, y, *tops, sympy.cos, sympy.sin) + mu * F(x, y, *tops, sympy.cos, sympy.sin)
    wanted = [-equation.lhs.doit() for equation in euler_equations(whole, [x, y], t)]
    values = {}
    for function, name in ((x, "x"), (y, "y"), (mu, "lambda_one")):
        for k in range(2 * order, -1, -1):
            label = name + ("", "_dot", "_ddot", "_dddot", "_d4", "_d5", "_d6")[k]
            if label in at:
                values[sympy.Derivative(function, (t, k)) if k else function] = at[label]
    numeric = [float(one.subs(list(values.items()))) for one in wanted]
    assert np.allclose(found, numeric, rtol=1e-11)


def _with_top(function, order):
    """A function of x, y and their derivatives of one order, with the names that the order has."""
    top = {1: "v", 2: "a", 3: "j"}[order]
    return eval(f"lambda q, {top}: function(q[0], q[1], {top}[0], {top}[1])", {"function": function})


def test_a_differentiated_constraint_is_the_constraint_with_the_rate_of_its_multiplier():
    jet = jet_of(["x", "y"], 4, ["mu"], 3)
    G = jet.levels[1][0] ** 2 * sin(jet.levels[0][1]) + jet.levels[0][0] * jet.levels[1][1] * jet.t
    (mu,), (mu_dot,) = jet.multipliers[0], jet.multipliers[1]
    one, _ = numbers(variational_derivative(jet, mu * jet.rate(np.array([G], dtype=object))[0], 2), jet)
    other, _ = numbers(variational_derivative(jet, -mu_dot * G, 1), jet)
    assert np.allclose(one, other, rtol=1e-12)


def test_accelerations_of_one_size_move_by_the_repulsive_central_force_of_their_multiplier():
    A, mass = 1.7, 1.3
    system = vc.LagrangianSystem(
        "one size",
        ["x", "y"],
        lambda v: mass * v @ v / 2,
        constraints={"size": (lambda a: (a @ a - A**2) / 2, vc.Vakonomic(multipliers=[0.8, 0.3]))},
    )
    a0, j0 = A * np.array([0.6, 0.8]), 0.5 * np.array([-0.8, 0.6])
    motion = vc.simulate(system, 2.0, ([0, 0], [1, 0], a0, j0), progress=False)

    def rates(t, y):
        unit = y[4:6] / np.hypot(*y[4:6])
        return [*y[2:4], *(A * unit), *y[6:8], *(mass * A * unit)]

    begin = [0, 0, 1, 0, *(0.8 * a0), *(0.3 * a0 + 0.8 * j0)]
    end = solve_ivp(rates, (0, 2), begin, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    w = motion.bond("size").multiplier[:, None] * motion.derivative(2)
    assert np.allclose(motion.q[-1], end[:2], atol=1e-9) and np.allclose(motion.v[-1], end[2:4], atol=1e-9)
    assert np.allclose(w[-1], end[4:6], atol=1e-9)
    assert np.ptp(motion.total_energy) < 1e-10
    w_dot = mass * motion.v - motion.record.momenta[:, :2]  # π₀ = m v − d/dt(λ a)
    assert np.ptp(w[:, 0] * w_dot[:, 1] - w[:, 1] * w_dot[:, 0]) < 1e-10
    assert motion.audit().passed


def test_accelerations_of_one_size_on_a_line_have_a_multiplier_of_constant_acceleration():
    system = vc.LagrangianSystem(
        "on a line", ["x"], lambda x_dot: 1.3 * x_dot**2 / 2,
        constraints={"size": (lambda x_ddot: (x_ddot**2 - 4.0) / 2, vc.Vakonomic(multipliers=[0.5, 0.2]))},
    )  # fmt: skip
    motion = vc.simulate(system, 2.0, ([0.0], [0.0], [2.0]), progress=False)
    t = motion.time
    assert np.allclose(motion.bond("size").multiplier, 0.5 + 0.2 * t + 1.3 * t**2 / 2, atol=1e-11)
    assert np.allclose(motion["x"], t**2, atol=1e-11)


def test_penalty_and_friction_tend_to_the_constraint_that_they_stand_for():
    start = ([l, 0.0], [0.0, 0.0])
    exact = vc.simulate(swinging({"length": (lambda q: q @ q - l**2, vc.DAlembert())}), 1.0, start, progress=False)
    errors = []
    for kappa in (1e3, 1e4):
        stiff = swinging({"length": (lambda q: q @ q - l**2, vc.Penalty(kappa))})
        errors.append(np.abs(vc.simulate(stiff, 1.0, start, progress=False).q - exact.q).max())
    assert errors[1] < 0.2 * errors[0] < 0.02
    slow = swinging({"level": (lambda v: v[1], vc.constraints.ViscousFriction(1e4))})
    assert np.abs(vc.simulate(slow, 1.0, start, progress=False).v[:, 1]).max() < 2e-3
