"""What carriers, action rates and second variations refuse, and in which words."""

import numpy as np
import pytest

import vinculum as vc
from blocks_in_contact import mixed
from free_bodies import free_bodies
from impacted import ball
from metrics import euclidean, sphere
from records import altered
from vinculum import math as m
from vinculum.models.tabled import type as tabled_type

g = vc.geometry
E = vc.errors


def pendulum(**joint):
    system = vc.System("pendulum", gravity=(0, 0, -9.81))
    bob = system.add(vc.MassPoint("bob", 0.5))
    system.add(vc.Revolute("phi", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3), **joint))
    return system


@pytest.fixture(scope="module")
def swing():
    return vc.simulate(pendulum(), 1.0, {"phi": 0.4}, method="dop853", progress=False)


@pytest.fixture(scope="module")
def bounces():
    return vc.simulate(ball(vc.Newton(0.5)), 0.8, {"ball": (0, 0, 1.0)}, method="dop853", progress=False)


@pytest.mark.parametrize(("use", "words"), [
    (lambda: g.Carrier("sphere", lambda: (1.0, 0.0)), "give a vc.geometry.Metric"),
    (lambda: g.Carrier(sphere(), lambda theta: theta), r"returned shape \(1,\); return 2 numbers"),
    (lambda: g.Carrier(sphere(), lambda theta_dot: (theta_dot, 0.0)), "is a function of velocities"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0), support=3), "support is 3; give a pair"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0), support=[(0, 1)]), "give a pair"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0), support=[(1, 0), None]), r"support along 'theta' is \(1, 0\)"),
    (lambda: g.Carrier(sphere(), lambda t: (t, 0.0)).field, "changes with t, the parameter of the flow"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0)).flow([1.0, 0.0], 4.0), "it leaves the chart: metric 'sphere'"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0)).flow([-1.0, 0.0], 1.0), "is outside its chart"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0)).flow([1.0, 0.0], "far"), "tau is 'far'"),
    (lambda: g.Carrier(euclidean(("x",)), lambda x: (x * x,)).flow([1.0], 2.0), "cannot be followed beyond tau"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0)).convect([1.0, 0.0], [1.0], 0.1), r"the tensor has shape \(1,\)"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0)).convect([1.0, 0.0], [1.0, 0.0], 0.1, "x"), "indices is 'x'"),
    (lambda: g.Carrier(sphere(), lambda: (1.0, 0.0)).convect_measure(3, 0.1), "give a vc.geometry.TensorMeasure"),
    (lambda: g.trace_rate(sphere(), g.TensorMeasure([[1.0, 0.0]], [np.eye(2)])), "needs a vc.geometry.Carrier"),
    (lambda: g.lie_derivative(sphere(), lambda theta: theta, sphere().tensor), "must return 2 numbers"),
    (lambda: g.sign_condition(sphere(), g.TensorMeasure([[-1.0, 0.0]], [np.eye(2)])), "is outside its chart"),
    (lambda: g.action_rate(pendulum(), lambda t: (t,)), "give what vc.simulate returns"),
])  # fmt: skip
def test_a_wrong_carrier_is_refused(use, words):
    with pytest.raises(E.VinculumError, match=words):
        use()


@pytest.mark.parametrize(("given", "words"), [
    ({"velocity": lambda t: (1.0,)}, "does not vanish at the beginning of the motion, t = 0; its support must be compact"),
    ({"velocity": lambda t: (t,)}, "does not vanish at the end of the motion, t = 1"),
    ({"velocity": lambda t: (m.sin(np.pi * t) ** 2,), "time": lambda t: 1.0}, "does not vanish at the beginning"),
    ({"velocity": lambda t: (1.0, 2.0), "support": (0.2, 0.8)}, r"returned shape \(2,\); return 1 number"),
    ({"velocity": lambda x: (1.0,), "support": (0.2, 0.8)}, "has the argument 'x'"),
    ({"velocity": lambda phi_dot: (phi_dot,), "support": (0.2, 0.8)}, "it is a function of velocities"),
    ({"velocity": lambda t: (1.0,), "support": (0.2, 1.8)}, "must lie in the motion"),
    ({"velocity": lambda t: (1.0,), "support": 3}, "support is 3; give two instants between 0 and 1"),
    ({"velocity": lambda t: (1.0,), "support": (0.2, 0.8), "carry": "water"}, "carry is 'water'; give 'measure' or 'curve'"),
])  # fmt: skip
def test_a_carrier_of_a_motion_needs_compact_support_and_its_coordinates(swing, given, words):
    with pytest.raises(E.VinculumError, match=words):
        g.action_rate(swing, **given)


def test_a_measure_is_not_carried_along_time_where_energies_hold_it():
    spring = vc.LagrangianSystem("spring", ["x"], lambda x_dot: x_dot**2)
    motion = vc.simulate(spring, 1.0, ([0.3], [0.5]), method="dop853", progress=False)
    with pytest.raises(E.MethodError, match="is not split into the kinetic energy"):
        g.action_rate(motion, lambda t: (1.0,), support=(0.2, 0.8), carry="measure")
    shaken = vc.System("shaken")
    base = shaken.add(vc.PrescribedBody("base", position=lambda t: (0.1 * m.sin(t), 0, 0)))
    shaken.add(vc.Prismatic("rail", base, shaken.add(vc.MassPoint("cart", 1.0)), axis=(1, 0, 0)))
    motion = vc.simulate(shaken, 1.0, {"rail": 0.1}, method="dop853", progress=False)
    with pytest.raises(E.MethodError, match="its energies depend on time"):
        g.action_rate(motion, lambda t: (1.0,), time=lambda t: 1.0, support=(0.2, 0.8), carry="measure")


def test_motions_without_one_lagrangian_are_refused(tmp_path):
    bent = vc.LagrangianSystem("beam", ["x"], lambda x, x_ddot: x_ddot**2 - x**2)
    motion = vc.simulate(bent, 0.5, ([0.1], [0.0], [0.0], [0.0]), method="dop853", progress=False)
    with pytest.raises(E.MethodError, match="is of order 2, and a carrier moves q and its rates alone"):
        g.audit_action(motion)
    stored = tmp_path / "swing"
    vc.simulate(pendulum(), 1.0, {"phi": 0.4}, method="dop853", progress=False).save(stored)
    with pytest.raises(E.MethodError, match=r"is a loaded run.*motion\.replace\(system=system\)"):
        g.audit_action(vc.load(stored))
    assert g.audit_action(vc.load(stored).replace(system=pendulum()), carriers=4).passed
    damped = g.audit_action(vc.load(stored).replace(system=pendulum(damping=0.01)), carriers=4)
    assert damped.verdict == "failed"


@pytest.mark.parametrize(("given", "words"), [
    ({"carriers": 0}, "carriers 0 must be a whole number ≥ 1"), ({"carriers": 2.5}, "whole number"),
    ({"seed": -1}, "seed -1 must be a whole number ≥ 0"), ({"carriers": 10**9}, "are more than"),
])  # fmt: skip
def test_a_wrong_number_of_carriers_is_refused(swing, given, words):
    with pytest.raises(E.MethodError, match=words):
        g.audit_action(swing, **given)


def test_second_variations_are_refused_where_there_is_none(swing, bounces):
    for given, words in (
        ({"modes": 0}, "modes is 0"),
        ({"until": 3.0}, "must lie in the motion"),
        ({"begin": "a"}, "support is"),
    ):
        with pytest.raises(E.VinculumError, match=words):
            g.second_variation(swing, **given)
    with pytest.raises(E.MethodError, match=r"an impact is at t = 0\.45"):
        g.second_variation(bounces)
    assert g.second_variation(bounces, 0.1, 0.4).is_minimum
    damped = vc.simulate(pendulum(damping=0.1), 1.0, {"phi": 0.4}, method="dop853", progress=False)
    with pytest.raises(E.MethodError, match="forces act that do not derive from its Lagrangian"):
        g.second_variation(damped)
    bead = vc.LagrangianSystem(
        "bead", ["x", "y"], lambda v: 0.5 * (v @ v), constraints={"circle": (lambda q: q @ q - 1.0, vc.DAlembert())}
    )
    motion = vc.simulate(bead, 1.0, ([1.0, 0.0], [0.0, 1.0]), method="dop853", progress=False)
    with pytest.raises(E.MethodError, match="it has constraints"):
        g.second_variation(motion)


def test_bodies_in_contact_that_are_stepped_have_no_second_variation_and_need_recorded_impulses(monkeypatch):
    falling = {"method": "moreau", "step": 1e-3, "progress": False}
    free = vc.simulate(free_bodies([vc.shapes.Sphere(0.1)]), 0.01, {"b0": vc.Pose((0, 0, 1.0))}, **falling)
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    system, start = mixed()
    blocks = vc.simulate(system, 0.01, start, **falling)
    for motion in (free, blocks):
        with pytest.raises(E.MethodError, match="second variations are not available"):
            g.second_variation(motion)
        with pytest.raises(E.ModelError, match=r"return .* number"):
            g.action_rate(motion, lambda t: (t,), support=(0.002, 0.008))
        for use in (g.audit_action, lambda one: g.action_rate(one, lambda t: (t,))):
            with pytest.raises(
                E.MethodError, match=r"no step of this motion has recorded impulses.*use a motion of vc\.simulate"
            ):
                use(altered(motion, contact_solver=None))


def test_many_bodies_are_refused_without_their_tree_and_where_a_matrix_of_all_modes_is_needed(monkeypatch, tmp_path):
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    motion = vc.simulate(pendulum(), 0.1, {"phi": 0.4}, method="dop853", grid=3, progress=False)
    with pytest.raises(E.MethodError, match="second variations are not available, as its 1 bodies"):
        g.second_variation(motion)
    with pytest.raises(E.ModelError, match="return 1 number"):
        g.action_rate(motion, lambda t: (t, t), support=(0.02, 0.08))
    motion.save(tmp_path / "many")
    with pytest.raises(E.MethodError, match="is a loaded run, which has no energies to differentiate"):
        g.audit_action(vc.load(tmp_path / "many"))
    assert g.audit_action(vc.load(tmp_path / "many").replace(system=pendulum()), carriers=2).passed
