"""Contacts in trees: certificates, loops, prescribed bodies, several laws, and runs that are stored."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from records import altered
from vinculum.motion.impulses.meetings import Meetings

G = 9.81
FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def swing(e=0.3) -> vc.System:
    """A double pendulum of capsules that hits a wall."""
    system = vc.System("swing", gravity=(0, 0, -G))
    upper = system.add(vc.RigidBody.solid("upper", vc.shapes.Capsule(0.04, 0.4), density=1000, at=(0, 0, -0.25)))
    lower = system.add(vc.RigidBody.solid("lower", vc.shapes.Capsule(0.03, 0.4), density=1000, at=(0, 0, -0.25)))
    system.add(vc.Revolute("shoulder", "ground", upper, axis=(0, 1, 0)))
    system.add(vc.Revolute("elbow", upper, lower, axis=(0, 1, 0), at=(0, 0, -0.5)))
    wall = vc.shapes.FixedSolid(vc.shapes.Box((0.2, 1, 1)), at=(-0.25, 0, -0.8))
    system.add(vc.Contact("wall", [upper, lower], walls=[wall], impact=vc.Newton(e), friction=vc.Coulomb(0.2)))
    return system


@pytest.fixture(scope="module")
def swung() -> vc.Motion:
    return vc.simulate(swing(), until=0.8, start={"shoulder": -0.9, "elbow": 0.2}, method="moreau", step=2e-4)


def test_a_tree_that_hits_a_wall_is_certified(swung):
    found = swung.audit()
    assert len(swung.record.atoms) > 1
    assert all(line.verdict != "broken" for line in found.lines), str(found)
    sure = {line.law for line in found.lines if line.verdict == "holds"}
    assert {"gaps g ≥ 0 of shapes", "impulses at closed gaps of shapes", "contacts where shapes meet", "impulses P_N ≥ 0",
            "impact law", "weak form equ C = F", "impulses M [v] = Hᵀ P"} <= sure  # fmt: skip


@pytest.mark.parametrize(
    "column, change, laws",
    [
        (slice(16, 19), lambda x: 1.01 * x, {"impulses M [v] = Hᵀ P", "weak form equ C = F"}),
        (slice(16, 17), lambda x: -x, {"impulses P_N ≥ 0", "impulses M [v] = Hᵀ P"}),
        (slice(3, 4), lambda x: x + 0.05, {"contacts where shapes meet"}),
    ],
    ids=["a hundredth more", "pulled", "elsewhere"],
)
def test_contacts_that_are_wrong_break_the_certificate(swung, column, change, laws):
    rows = swung.record.atoms.meetings.rows.copy()
    rows[:, column] = change(rows[:, column])
    wrong = altered(swung, atoms=replace(swung.record.atoms, meetings=Meetings(rows)))
    broken = {line.law for line in wrong.audit().lines if line.verdict == "broken"}
    assert laws <= broken


def test_a_stored_run_has_the_same_contacts_and_certificate(swung, tmp_path):
    swung.save(tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    np.testing.assert_array_equal(loaded.record.atoms.meetings.rows, swung.record.atoms.meetings.rows)
    verdicts = [[(line.law, line.verdict) for line in motion.audit().lines] for motion in (swung, loaded)]
    assert verdicts[0] == verdicts[1]
    streamed = vc.simulate(
        swing(),
        until=0.8,
        start={"shoulder": -0.9, "elbow": 0.2},
        method="moreau",
        step=2e-4,
        out=tmp_path / "out.zarr",
    )
    np.testing.assert_array_equal(streamed.record.atoms.meetings.rows, swung.record.atoms.meetings.rows)


def test_a_box_on_a_belt_is_carried_along():
    """Slip until the belt's speed is reached at μ g, then rest on the belt: the belt is a prescribed body with a shape."""
    system = vc.System("belt", gravity=(0, 0, -G))
    belt = system.add(
        vc.PrescribedBody("belt", position=lambda t: (0.5 * t, 0, -0.05), shape=vc.shapes.Box((20, 2, 0.1)))
    )
    box = system.add(vc.RigidBody.solid("box", vc.shapes.Box((0.2, 0.2, 0.02)), density=500))
    system.add(vc.Contact("c", [box, belt], impact=vc.Inelastic(), friction=vc.Coulomb(0.4)))
    motion = vc.simulate(system, until=0.3, start={"box": vc.Pose((0, 0, 0.01))}, method="moreau", step=1e-3)
    slip = 0.5 / (0.4 * G)
    exact = np.where(motion.time < slip, 0.2 * G * motion.time**2, 0.25 * slip + 0.5 * (motion.time - slip))
    assert np.abs(motion.body("box").position[:, 0] - exact).max() < 1e-3
    assert motion.v[-1, :3] == pytest.approx([0.5, 0, 0], abs=1e-9)


def test_a_closed_loop_meets_the_floor():
    """A four-bar linkage dropped on a floor stays closed, above it, and certified."""
    system = vc.System("linkage", gravity=(0, 0, -G))
    along = vc.Pose((0.2, 0, 0), [[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    bars = [
        system.add(vc.RigidBody.solid(f"bar {k}", vc.shapes.Capsule(0.02, 0.3), density=1000, at=along))
        for k in range(4)
    ]
    for k in range(3):
        system.add(vc.Revolute(f"pin {k}", bars[k], bars[k + 1], axis=(0, 1, 0), at=(0.4, 0, 0)))
    system.add(vc.Revolute("last", bars[3], bars[0], axis=(0, 1, 0), at=(0.4, 0, 0)))
    system.add(vc.Contact("floor", bars, walls=[FLOOR], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    quarter = np.pi / 2
    start = {"bar 0": vc.Pose((0, 0, 0.5)), "pin 0": quarter - 0.3, "pin 1": quarter + 0.3, "pin 2": quarter - 0.3}
    motion = vc.simulate(system, until=0.4, start=start, method="moreau", step=5e-4)
    assert len(motion.record.atoms) > 10
    verdicts = {line.law: line.verdict for line in motion.audit().lines}
    for law in ("closed loops", "gaps g ≥ 0 of shapes", "contacts where shapes meet", "impulses M [v] = Hᵀ P", "weak form equ C = F",
                "friction |P_T| ≤ μ P_N", "impact law"):  # fmt: skip
        assert verdicts[law] == "holds", law


def test_pairs_of_groups_have_laws_of_their_own():
    """Three balls on rails over a floor: one bounces on it, one does not, and the groups meet by a third law."""
    system = vc.System("groups", gravity=(0, 0, -G))
    for name, x in (("hard", 0.0), ("soft", 1.0), ("above", 1.0)):
        ball = system.add(vc.RigidBody.solid(name, vc.shapes.Sphere(0.1), density=1000))
        system.add(vc.Prismatic(f"rail {name}", "ground", ball, axis=(0, 0, 1), at=(x, 0, 0)))
    system.add(vc.Contact("bouncing", ["hard"], walls=[FLOOR], impact=vc.Newton(0.8)))
    system.add(vc.Contact("dull", ["soft"], walls=[FLOOR], impact=vc.Inelastic()))
    system.add(vc.Contact("between", ["above"], against=["soft"], impact=vc.Elastic()))
    start = {"rail hard": 0.6, "rail soft": 0.1, "rail above": 0.8}
    motion = vc.simulate(system, until=0.5, start=start, method="moreau", step=1e-4)
    after = motion.at(motion.bond("bouncing").impulses.times[0] + 1e-3)
    assert after.v[0, 0] == pytest.approx(0.8 * np.sqrt(2 * G * 0.5), rel=2e-2)
    hit = motion.bond("between").impulses.times[0]
    assert hit == pytest.approx(np.sqrt(2 * 0.5 / G), abs=2e-4)
    assert motion.at(hit + 1e-3).v[0, 2] == pytest.approx(np.sqrt(2 * G * 0.5), rel=2e-2)
    assert {*motion.bond("between").impulses.shapes.ravel()} == {"above", "soft"}


@pytest.mark.parametrize(
    "shape, wall, height",
    [
        (vc.shapes.Cylinder(0.1, 0.2), vc.shapes.HalfSpace((0, 0, 1)), 0.1),
        (vc.shapes.Sphere(0.1), vc.shapes.FixedSolid(vc.shapes.Cylinder(0.3, 0.4)), 0.3),
        (
            vc.shapes.Polytope([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-0.2, 0.2)]),
            vc.shapes.TwoSidedPlane((0, 0, 1)),
            0.2,
        ),
    ],
    ids=["cylinder", "on a cylinder", "polytope"],
)
def test_shapes_of_other_kinds_meet_in_trees(shape, wall, height):
    system = vc.System("drop", gravity=(0, 0, -G))
    body = system.add(vc.RigidBody.solid("body", shape, density=1000))
    system.add(vc.Prismatic("rail", "ground", body, axis=(0, 0, 1)))
    system.add(vc.Contact("floor", [body], walls=[wall], impact=vc.Inelastic()))
    motion = vc.simulate(system, until=0.4, start={"rail": height + 0.2}, method="moreau", step=1e-3, grid=401)
    assert motion.q[-1, 0] == pytest.approx(height, abs=1e-9)
    assert motion.bond("floor").impulses.times[0] == pytest.approx(np.sqrt(0.4 / G), abs=2e-3)


def test_a_contact_next_to_a_unilateral_constraint_acts_on_the_same_body():
    system = vc.System("corner", gravity=(0, 0, -G))
    ball = system.add(vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), density=1000))
    system.add(vc.Contact("floor", [ball], walls=[FLOOR], impact=vc.Inelastic()))
    system.add(vc.Unilateral("side", [ball], gap=lambda b: 0.5 - b.position[0] - 0.1, impact=vc.Elastic()))
    start = {"ball": vc.At(vc.Pose((0, 0, 0.1)), rate=(1.0, 0, 0, 0, 0, 0))}
    motion = vc.simulate(system, until=0.8, start=start, method="moreau", step=1e-3)
    assert motion.body("ball").position[-1] == pytest.approx([0.4 - 0.4, 0, 0.1], abs=3e-3)
    assert motion.bond("side").impulses.times[0] == pytest.approx(0.4, abs=2e-3)
    assert all(line.verdict != "broken" for line in motion.audit().lines), str(motion.audit())


def test_joined_bodies_meet_only_if_asked():
    def folded(joined):
        system = vc.System("folded", gravity=(0, 0, -G))
        arms = [
            system.add(vc.RigidBody.solid(name, vc.shapes.Capsule(0.05, 0.3), density=1000, at=(0, 0, -0.2)))
            for name in "ab"
        ]
        system.add(vc.Revolute("shoulder", "ground", arms[0], axis=(0, 1, 0)))
        system.add(vc.Revolute("elbow", *arms, axis=(0, 1, 0), at=(0, 0, -0.5)))
        system.add(vc.Contact("c", arms, impact=vc.Inelastic(), joined=joined))
        return vc.simulate(system, until=0.5, start={"elbow": vc.At(2.0, rate=6.0)}, method="moreau", step=1e-3)

    assert len(folded(False).record.atoms) == 0
    assert len(folded(True).record.atoms.meetings) > 0


def test_invariance_knows_contacts():
    lines = {line.bond: line for line in vc.audit_invariance(swing()).lines}
    assert lines["wall"].verdict == "external"
    assert "1 wall" in lines["wall"].meaning


def test_impulses_of_a_tumbling_pair_change_its_momenta_to_round_off():
    """Rows of contacts belong to the middle of a step as its own impulses bend it."""
    system = vc.System("flail", gravity=(0, 0, -9.81))
    handle = system.add(vc.RigidBody.solid("handle", vc.shapes.Capsule(0.05, 0.3), density=1000))
    head = system.add(vc.RigidBody.solid("head", vc.shapes.Sphere(0.1), density=2000))
    system.add(vc.Spherical("joint", handle, head, at=(0, 0, 0.35)))
    floor = vc.shapes.HalfSpace((0, 0, 1))
    system.add(vc.Contact("floor", [handle, head], walls=[floor], impact=vc.Newton(0.5), friction=vc.Coulomb(0.3)))
    start = {"handle": vc.At((0, 0, 1.0, 0.8, 0.6, 0, 0), rate=(1, 0, -2, 9, 5, 7))}
    motion = vc.simulate(system, 0.5, start, method="moreau", step=2e-3, progress=False)
    (line,) = [line for line in motion.audit().lines if line.law == "impulses M [v] = Hᵀ P"]
    assert len(motion.record.atoms) > 0 and line.verdict == "holds" and line.residual < 1e-9
