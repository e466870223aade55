"""Rates of the action over tables and over loops of pairs are those of the same motion with its Lagrangian written out."""

import numpy as np
import pytest

import vinculum as vc
from linkages import chain_of_links, row_of_linkages
from pair_loops import gravitation, has_pair_loop, looped, places, points, start
from records import altered
from vinculum import math as m
from vinculum.models.tabled import type as tabled_type
from vinculum.models.tabled.type import TabledType
from vinculum.models.written_out.type import WrittenOutType

g = vc.geometry
SAME = {"method": "dop853", "tolerance": 1e-9, "grid": 11, "progress": False}


def pendulums():
    """Two pendulums, one of them on a shaken base, with a spring, a damper, a drive and a potential that depends on time."""
    system, stiff = vc.System("pendulums", gravity=(0, 0, -9.81)), vc.parameter("stiff", 6.0)
    base = system.add(vc.PrescribedBody("base", position=lambda t: (0.05 * m.sin(9.0 * t), 0, 0)))
    bobs = [system.add(vc.RigidBody(f"bob {i}", 1.0 + i, com=(0, 0, -0.2), inertia=(0.1, 0.1, 0.02))) for i in range(2)]
    system.add(vc.Revolute("first", "ground", bobs[0], axis=(0, 1, 0), drive=lambda t: 0.3 * m.cos(4.0 * t)))
    system.add(vc.Revolute("second", base, bobs[1], axis=(0, 1, 0), at=(0.2, 0, 0), damping=0.1))
    system.add(vc.Spring("string", *bobs, stiffness=stiff, rest_length=0.1, at=(0.1, 0, 0.2), damping=0.2))
    system.add(vc.Potential("field", [bobs[0]], lambda b, t: (1.0 + 0.5 * m.sin(3.0 * t)) * b.center[0]))
    return system, {"first": 0.3, "second": vc.At(0.5, rate=1.0)}, 0.1


def tops():
    """Free bodies with quaternions, and points with drag, on springs."""
    system, given = vc.System("tops", gravity=(0, 0, -9.81)), {}
    for i in range(2):
        top = system.add(vc.RigidBody(f"top {i}", 1.0, inertia=(0.1, 0.2, 0.25)))
        point = system.add(vc.MassPoint(f"point {i}", 0.5 + i))
        system.add(
            vc.Spring(f"string {i}", point, top, stiffness=3.0 + i, rest_length=0.1, to=(0.1, 0, 0.2), damping=0.2)
        )
        system.add(vc.Force(f"drag {i}", point, lambda p: vc.Wrench(force=-0.3 * p.velocity * m.norm(p.velocity))))
        given |= {
            f"top {i}": vc.At((i, 1, 0), rate=(0, 0.3, 0, 1, 2, 3)),
            f"point {i}": vc.At((i, 0, 1), rate=(0.2, 0.1, 0.3)),
        }
    return system, given, 0.1


def soft():
    """Bodies that deform, with dissipation."""
    system, given = vc.System("soft", gravity=(0.3, 0, -9.81)), {}
    for k in range(2):
        system.add(vc.AffineBody(f"soft {k}", 1.0 + k, (0.1, 0.2, 0.3), energy=vc.energies.NeoHookean(1.0, 20.0 + k, 10.0),
                                 dissipation=vc.energies.NewtonianViscosity(1.0, 0.1 * (k + 1))))  # fmt: skip
        given[f"soft {k}"] = vc.At(
            ((k, 0, 0), np.diag([1.1, 0.95, 1.0])), ((0, 0, 1), [[0, 0.5, 0], [-0.5, 0, 0.1], [0.3, 0, 0]])
        )
    return system, given, 0.1


def near():
    """Points that attract each other within a cutoff."""
    system, rng = vc.System("near"), np.random.default_rng(2)
    dots = system.add_many(vc.MassPoint("dot", 1.3), 7)
    pull = lambda a, b: -a.charge * b.charge / m.sqrt(0.1 + m.dot(a.position - b.position, a.position - b.position))
    numbers = {"charge": rng.uniform(0.5, 1.5, 7)}
    system.add(vc.Bonds(vc.Potential("pull", [dots, dots], pull), cutoff=1.2, fade=0.8, numbers=numbers))
    return (
        system,
        {one.name: vc.At(rng.uniform(-0.7, 0.7, 3), rate=rng.normal(size=3)) for one in system.bodies.values()},
        0.1,
    )


def struck():
    """A chain of links that is struck."""
    system, given = chain_of_links(3)
    system.add(vc.Impulse("kick", "link 2", vc.Wrench(force=(0.05, 0, 0), at=(0, 0, 0.1)), at=0.05))
    return system, given, 0.1


TABLES = {
    "pendulums": pendulums,
    "tops": tops,
    "soft": soft,
    "near": near,
    "struck": struck,
    "linkages": lambda: (*row_of_linkages(2), 0.05),
}


def carrier(motion):
    """A carrier that moves every coordinate by others, and one along time."""
    rng, nq, nv = np.random.default_rng(7), motion.q.shape[1], motion.v.shape[1]
    a, K, kappa = rng.normal(size=nv), 0.3 * rng.normal(size=(nv, nq)), 0.02 * rng.normal(size=nq)
    return lambda t, q: a * m.cos(5.0 * t) + K @ q, lambda t, q: 0.02 + kappa @ q


def assert_rates_agree(motion, written):
    """``written``: a motion of the same system with its equations written out, which is given the very same curve."""
    assert isinstance(written.record.model.type, WrittenOutType)
    other = altered(written, pieces=motion.record.pieces)
    velocity, clock = carrier(motion)
    begin, end = motion.record.pieces.begin, motion.record.pieces.end
    inside = (begin + 0.1 * (end - begin), end - 0.2 * (end - begin))
    for time, carry in ((None, "measure"), (clock, "curve")):
        found, expected = (g.action_rate(one, velocity, time, inside, carry) for one in (motion, other))
        assert found.holds and expected.holds, (found, expected)
        for way in ("by_lie_derivative", "by_transport", "by_forces", "by_impulses"):
            assert abs(getattr(found, way) - getattr(expected, way)) <= 1e-10 * expected.size, (way, found, expected)
        assert 0.5 * expected.size <= found.size <= 50.0 * expected.size


LONG = {"struck"}


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.slow) if one in LONG else one for one in TABLES])
def test_tables_have_the_action_rates_of_the_system_written_out(name, monkeypatch):
    system, given, until = TABLES[name]()
    written = vc.simulate(system, until, given, **SAME)
    monkeypatch.setattr(tabled_type, "FEWEST_TABLED", 0)
    motion = vc.simulate(TABLES[name]()[0], until, given, **SAME)
    assert isinstance(motion.record.model.type, TabledType)
    assert_rates_agree(motion, written)


def rich():
    """Two pair energies, one of them with the time, gravity, drag and a potential."""
    system = vc.System("rich", gravity=(0.1, -0.2, -0.5))
    p = points(system, 6)
    G = vc.parameter("G", 0.7)
    system.add(vc.potentials.PairPotential("attraction", p, lambda a, b: G * gravitation(a, b)))
    spring = lambda a, b, t: 0.5 * (1.0 + 0.3 * m.sin(2.0 * t)) * (m.norm(a.position - b.position) - 0.4) ** 2
    system.add(vc.potentials.PairPotential("springs", p[2:5], spring))
    system.add(vc.Force("drag", p[0], lambda a: vc.Wrench(force=-0.3 * a.velocity * m.norm(a.velocity))))
    system.add(vc.Potential("well", [p[1]], lambda a, t: 0.5 * m.cos(t) * m.dot(a.position, a.position)))
    return system


def test_loops_of_pairs_have_the_action_rates_of_the_system_written_out(monkeypatch):
    written = vc.simulate(rich(), 0.1, start(*places(6)), parameters={"G": 0.8}, **SAME)
    looped(monkeypatch)
    motion = vc.simulate(rich(), 0.1, start(*places(6)), parameters={"G": 0.8}, **SAME)
    assert has_pair_loop(motion.record.model)
    assert_rates_agree(motion, written)
