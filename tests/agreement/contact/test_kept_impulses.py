"""The impulses that a motion of free bodies keeps, next to the weights they carry, the momenta they change and what is read from a disk."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from records import altered

STEP, UNTIL, RADIUS, MU = 1e-3, 0.4, 0.05, 0.3


def tower(count=3):
    system = vc.System("tower", gravity=(0, 0, -9.81))
    balls = [system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(RADIUS), density=1000.0)) for i in range(count)]
    floor = vc.shapes.HalfSpace((0, 0, 1), 0.0)
    system.add(vc.Contact("meeting", balls, walls=[floor], impact=vc.Inelastic(), friction=vc.Coulomb(MU)))
    return system, {f"b{i}": vc.Pose((0.0, 0.0, RADIUS + 0.11 * i)) for i in range(count)}


def thrown():
    system, start = tower(2)
    start["b1"] = vc.Pose((0.03, 0.01, 0.2))
    return system, start


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A motion in memory, the same one saved and loaded, and the same run streamed and loaded."""
    folder = tmp_path_factory.mktemp("runs")
    system, start = thrown()
    asked = {"start": start, "method": "moreau", "step": STEP, "tolerance": 1e-10}
    motion = vc.simulate(system, until=UNTIL, **asked)
    motion.save(folder / "saved.zarr")
    streamed = vc.simulate(system, until=UNTIL, out=folder / "streamed.zarr", **asked)
    return motion, vc.load(folder / "saved.zarr"), streamed, vc.load(folder / "streamed.zarr")


def test_every_contact_of_a_tower_at_rest_carries_the_weight_above_it():
    system, start = tower()
    motion = vc.simulate(system, until=UNTIL, start=start, method="moreau", step=STEP, tolerance=1e-10)
    found = motion.bond("meeting").impulses
    weight = 1000.0 * 4 / 3 * np.pi * RADIUS**3 * 9.81 * STEP
    last = found.times > UNTIL - STEP
    carried = {tuple(pair): p for pair, p in zip(found.shapes[last], found.normal[last], strict=True)}
    assert sorted(carried.values()) == pytest.approx([weight, 2 * weight, 3 * weight], rel=1e-8)
    assert carried[("b0", "wall 1")] == pytest.approx(3 * weight, rel=1e-8)
    np.testing.assert_allclose(found.tangential, 0.0, atol=1e-12)


def test_places_and_impulses_give_the_momenta_and_spins_of_a_struck_ball(stored):
    motion = stored[0]
    pressing, mass = motion.record.contact_solver.pressing, 1000.0 * 4 / 3 * np.pi * RADIUS**3
    who, P, place = pressing.bodies, pressing.impulses, pressing.places
    edges = np.array(motion.record.pieces.times)[::2]
    h = np.diff(edges)[pressing.contact_solver]
    for body in (0, 1):
        sign = (who[:, 0] == body).astype(float) - (who[:, 1] == body)
        total = (sign[:, None] * P).sum(axis=0) + mass * np.array([0, 0, -9.81]) * UNTIL
        end = motion.at([UNTIL])
        R, twist = end.body(f"b{body}").rotation[0], end.v[0, 6 * body : 6 * body + 6]
        np.testing.assert_allclose(mass * R @ twist[:3], total, atol=1e-10)
        begun = motion.at(edges[pressing.contact_solver])
        velocity = np.einsum("cij,cj->ci", begun.body(f"b{body}").rotation, begun.v[:, 6 * body : 6 * body + 3])
        middle = begun.body(f"b{body}").position + 0.5 * h[:, None] * velocity
        moment = np.cross(place - middle, sign[:, None] * P).sum(axis=0)
        np.testing.assert_allclose(0.4 * mass * RADIUS**2 * R @ twist[3:], moment, atol=1e-9)
        assert np.abs(moment).max() > 1e-5


def test_what_is_loaded_has_the_same_impulses_and_the_same_certificate(stored):
    motion, *others = stored
    own = motion.audit()
    assert own.passed, own
    for other in others:
        np.testing.assert_array_equal(other.record.contact_solver.residual, motion.record.contact_solver.residual)
        np.testing.assert_array_equal(other.record.contact_solver.surplus, motion.record.contact_solver.surplus)
        np.testing.assert_array_equal(
            np.asarray(other.record.contact_solver.pressing.rows), motion.record.contact_solver.pressing.rows
        )
        mine, theirs = motion.bond("meeting").impulses, other.bond("meeting").impulses
        np.testing.assert_array_equal(theirs.tangential, mine.tangential)
        assert (theirs.shapes == mine.shapes).all()
        found = other.audit()
        assert [line.law for line in found.lines] == [line.law for line in own.lines]
        assert found.passed, found


@pytest.mark.parametrize(("column", "factor", "line"), [(11, 1.01, "momenta change"), (9, 1.5, "cone of friction")])
def test_impulses_that_are_altered_fail(stored, column, factor, line):
    motion = stored[0]
    rows = motion.record.contact_solver.pressing.rows.copy()
    rows[:, column] *= factor
    other = altered(
        motion,
        contact_solver=replace(
            motion.record.contact_solver, pressing=replace(motion.record.contact_solver.pressing, rows=rows)
        ),
    )
    failed = [one.law for one in other.audit().lines if one.verdict != "pass"]
    assert any(line in name for name in failed), failed
