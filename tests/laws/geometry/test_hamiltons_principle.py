"""Hamilton's principle on motions of all kinds, with impacts, forces, loops and rolling; falsified motions break it."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from impacted import LIFTED, THROWN, ball, block, die, forged, stopped_arm, tumbling
from machines import double_pendulum
from mechanisms import four_bar
from records import altered
from rolling import disc, disc_start
from trees import random_state, random_system
from vinculum import math as m

g = vc.geometry
FEW = {"carriers": 6}


def run(system, until, start, **options):
    return vc.simulate(system, until, start, **({"method": "dop853", "progress": False} | options))


def verdicts(certificate) -> dict[str, str]:
    return {line.law: line.verdict for line in certificate.lines}


def driven() -> vc.System:
    """A pendulum on a cart with spring, damper and drive, on a base that is shaken."""
    system = vc.System("driven", gravity=(0, 0, -9.81))
    base = system.add(vc.PrescribedBody("base", position=lambda t: (0.05 * m.sin(9.0 * t), 0, 0)))
    cart = system.add(vc.MassPoint("cart", 1.0))
    bob = system.add(vc.MassPoint("bob", 0.4))
    system.add(vc.Prismatic("rail", base, cart, axis=(1, 0, 0), stiffness=20.0, damping=0.5))
    system.add(vc.Revolute("hinge", cart, bob, axis=(0, 1, 0), to=(0, 0, 0.6), drive=lambda t: 0.3 * m.cos(4.0 * t)))
    return system


def tree():
    rng = np.random.default_rng(4)
    system = random_system(rng, 3)
    made = system.tree()
    q, v = random_state(made, rng)
    return system, 0.5, {k.joint.name: vc.At(q[k.q], rate=v[k.v]) for k in made.links if k.joint.nv}


SMOOTH = {
    "tree": tree,
    "double pendulum": lambda: (double_pendulum(), 1.0, {"theta1": 1.0, "theta2": 0.5}),
    "four-bar": lambda: (four_bar(), 1.0, {"A": vc.At(1.0, rate=2.0)}),
    "rolling disc": lambda: (disc(), 0.5, disc_start((0.3, 0.4, 0.0), (0.5, 0.2, 4.0))),
    "driven": lambda: (driven(), 1.0, {"rail": 0.1, "hinge": 0.6}),
}


@pytest.mark.parametrize("name", list(SMOOTH))
def test_the_action_of_smooth_motions_changes_as_their_forces_say(name):
    """(11.3) and its form in own time: trees with all joints, closed loops, rolling, dampers, drives and moving bases."""
    found = g.audit_action(run(*SMOOTH[name]()), **FEW)
    assert found.passed, found
    assert [line.law for line in found.lines] == ["action rate", "action rate, own time"]


STRUCK = {
    "ball": lambda: (ball(vc.Newton(0.7)), 1.2, {"ball": vc.At((0, 0, 1.0), rate=(0.5, 0, 0))}),
    "arm": lambda: (stopped_arm(), 0.9, LIFTED),
    "die": lambda: (die(), 0.5, THROWN),
    "block": lambda: (block(0.3), 0.3, {"block": vc.At(vc.Pose((0, 0, 0.15)), rate=(1.0, 0, 0, 0, 0, 0))}),
}


@pytest.mark.parametrize("name", list(STRUCK))
def test_the_action_of_motions_with_impacts_changes_as_their_impulses_say(name):
    """(11.3) and (11.10), with friction, quaternions, and contacts that stay closed."""
    motion = run(*STRUCK[name]())
    assert len(motion.record.atoms)
    found = g.audit_action(motion, **FEW)
    assert found.passed, found
    assert [line.law for line in found.lines][-1] == "action rate, outward carriers"


@pytest.fixture(scope="module")
def bounces():
    return run(*STRUCK["ball"]())


def test_impulses_that_are_too_large_break_it(bounces):
    """As with another coefficient of restitution: velocities do not fit to impulses."""
    for factor in (1.01, 0.9, 0.0):
        found = verdicts(g.audit_action(forged(bounces, factor, 0), **FEW))
        assert found["action rate"] == "broken" and found["action rate, own time"] == "broken"
    assert g.audit_action(forged(bounces, 1.0), **FEW).passed


def test_a_motion_that_is_shifted_in_time_breaks_it(bounces):
    """Its impulses stay at their instants."""
    pieces = bounces.record.pieces
    shifted = altered(bounces, pieces=replace(pieces, times=np.asarray(pieces.times) - 0.01))
    assert verdicts(g.audit_action(shifted, **FEW))["action rate"] == "broken"


def test_a_motion_without_its_jumps_breaks_it(bounces):
    """A ball that goes on through the floor, with the impulses that should have stopped it, and one that bounces without impulses."""
    t = np.linspace(0.0, 0.8, 801)
    zero = np.zeros_like(t)
    q = np.stack([zero, zero, 1.0 - 0.5 * 9.81 * t**2], axis=1)
    v = np.stack([zero, zero, -9.81 * t], axis=1)
    through = vc.given_motion(ball(vc.Newton(0.7)), t, q, v, tolerance=1e-9)
    first = bounces.record.atoms
    with_impulse = altered(
        through, atoms=replace(first, times=first.times[:1], contact_impulses=first.contact_impulses[:1], spans=None)
    )
    assert verdicts(g.audit_action(with_impulse, **FEW))["action rate"] == "broken"
    none = altered(bounces, atoms=replace(first, contact_impulses=0.0 * first.contact_impulses))
    assert verdicts(g.audit_action(none, **FEW))["action rate"] == "broken"


def test_a_constraint_that_pulls_breaks_the_inequality(bounces):
    """(11.10): a ball that is pulled down through a wall above it; impulses of either sign pass (11.3)."""
    atoms = bounces.record.atoms
    flipped = bounces.record.pieces
    coefficients = np.array(flipped.coefficients)
    coefficients[:, [2, 5]] *= -1.0
    system = vc.System("ball", gravity=(0, 0, 9.81))
    point = system.add(vc.MassPoint("ball", 1.3))
    system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Newton(0.7)))
    pulled = altered(bounces, pieces=replace(flipped, coefficients=coefficients),
                     atoms=replace(atoms, contact_impulses=-atoms.contact_impulses)).replace(system=system)  # fmt: skip
    found = verdicts(g.audit_action(pulled, **FEW))
    assert found["action rate"] == "holds"
    assert found["action rate, outward carriers"] == "broken"


@pytest.mark.parametrize("change", ["velocities", "positions", "parameters"])
def test_smooth_motions_that_are_wrong_by_a_thousandth_break_it(change):
    motion = run(double_pendulum(), 1.0, {"theta1": 1.0, "theta2": 0.5})
    coefficients = np.array(motion.record.pieces.coefficients)
    if change == "velocities":
        coefficients[:, 2:] *= 1.001
    elif change == "positions":
        coefficients[:, 0, 0] += 1e-3
    other = altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients))
    other = motion.replace(parameters={"m2": 0.701}) if change == "parameters" else other
    assert verdicts(g.audit_action(other, **FEW))["action rate"] == "broken"


def test_a_motion_from_elsewhere_is_tested_to_its_accuracy():
    motion = run(double_pendulum(), 1.0, {"theta1": 1.0, "theta2": 0.5}, grid=201)
    given = vc.given_motion(double_pendulum(), motion.time, motion.q, motion.v, tolerance=1e-9)
    assert g.audit_action(given, **FEW).passed
    wrong = vc.given_motion(double_pendulum(), motion.time, motion.q, 1.001 * motion.v, tolerance=1e-9)
    assert verdicts(g.audit_action(wrong, **FEW))["action rate"] == "broken"


def test_a_motion_with_a_false_drive_breaks_it():
    motion = run(driven(), 1.0, {"rail": 0.1, "hinge": 0.6})
    pieces = motion.record.pieces
    later = altered(motion, pieces=replace(pieces, times=np.asarray(pieces.times) + 0.02))
    assert verdicts(g.audit_action(later, **FEW))["action rate"] == "broken"


@pytest.mark.parametrize("kind", ["free", "damped", "ideal", "vakonomic", "timed"])
def test_lagrangian_motions_obey_it(kind):
    energy = lambda q, v: 0.5 * (1.0 + q[0] ** 2) * (v @ v) - q[1] ** 2
    given = {}
    if kind == "damped":
        given = {"dissipation": lambda v: -0.1 * v}
    elif kind == "ideal":
        given = {"constraints": {"circle": (lambda q: q @ q - 1.0, vc.DAlembert())}}
    elif kind == "vakonomic":
        given = {"constraints": {"edge": (lambda x, x_dot, y_dot: y_dot - x * x_dot, vc.Vakonomic(multipliers=[0.3]))}}
    elif kind == "timed":
        energy = lambda q, v, t: 0.5 * (1.0 + 0.2 * m.sin(t)) * (v @ v) - q[0] ** 2 * m.cos(t)
    start = {"ideal": ([0.6, 0.8], [0.8, -0.6]), "vakonomic": ([0.5, 0.2], [0.4, 0.2])}.get(
        kind, ([0.6, 0.8], [0.3, -0.2])
    )
    system = vc.LagrangianSystem("plane", ["x", "y"], energy, **given)
    motion = run(system, 2.0, start)
    found = g.audit_action(motion, **FEW)
    assert found.passed and [line.law for line in found.lines] == ["action rate"], found
    assert g.audit_action(motion.replace(v=1.02 * motion.v), **FEW).verdict == "failed"


def test_time_stepping_is_within_its_order_and_a_wrong_impulse_is_not():
    motion = run(ball(vc.Newton(0.5)), 0.6, {"ball": (0, 0, 1.0)}, method="moreau", step=2e-3)
    found = verdicts(g.audit_action(motion, carriers=4))
    assert "broken" not in found.values()
    wide = (0.1, 0.6)
    push = lambda t: (0.0, 0.0, -1.0)
    assert g.action_rate(motion, push, support=wide).holds
    assert not g.action_rate(forged(motion, 0.9), push, support=wide).holds


def test_the_same_seed_gives_the_same_certificate(bounces):
    one, same, other = (g.audit_action(bounces, carriers=4, seed=seed).lines[0].residual for seed in (1, 1, 2))
    assert one == same != other


def stone():
    """A heavy body on a ball joint with Euler angles, which turns through their singularities, with a pendulum on it."""
    system = vc.System("stone", gravity=(0, 0, -9.81))
    body = system.add(vc.RigidBody("stone", 1.0, (0.1, 0.05, -0.2), (0.1, 0.2, 0.3)))
    system.add(vc.Spherical("ball", "ground", body, chart="zyx", damping=0.02))
    bob = system.add(vc.MassPoint("bob", 0.3))
    system.add(vc.Revolute("hinge", body, bob, at=(0.3, 0, 0), axis=(0, 1, 0), to=(0, 0, 0.4)))
    return run(system, 2.0, {"ball": vc.At((0, 0, 0), rate=(0.2, 4.0, 0.1)), "hinge": 0.3})


@pytest.mark.parametrize("motion", [stone, lambda: tumbling("zyx")], ids=["ball joint", "impacts"])
def test_the_action_of_motions_that_change_their_charts(motion):
    found = motion()
    assert found.record.changes
    certificate = g.audit_action(found, carriers=12)
    assert certificate.passed and certificate.lines[0].residual < 1e-11


def test_a_base_that_is_not_that_of_the_motion_breaks_it():
    motion = stone()
    first, *others = motion.record.changes
    base = first.base + [0, 1e-4, 0, 0]
    wrong = altered(motion, changes=(replace(first, base=base / np.linalg.norm(base)), *others))
    assert "broken" in verdicts(g.audit_action(wrong, carriers=12)).values()


def test_a_carrier_across_a_change_is_a_field_in_both_charts():
    motion = stone()
    t = motion.record.changes[0].time
    support = (t - 0.2, t + 0.3)
    rate = g.action_rate(
        motion, lambda t, hinge: (1.0, hinge, m.sin(t), 0.5), time=lambda hinge: 0.2 + hinge, support=support
    )
    assert rate.holds and rate.size > 1.0 and abs(rate.by_forces) > 1e-4
    second = g.second_variation(tumbling("zyx"), 0.0, 0.15)
    assert second.by_transport == pytest.approx(second.by_hessian, rel=1e-6)
    with pytest.raises(vc.errors.MethodError, match=r"function of 'ball_phi', and before t = .* changes its chart"):
        g.action_rate(motion, lambda q: (1.0, q[0], 0.0, 0.0), support=support)
    assert g.action_rate(motion, lambda q: (1.0, q[0], 0.0, 0.0), support=(0.0, t)).holds
