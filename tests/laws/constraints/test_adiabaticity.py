"""Adiabatic reactions: which constraints can do work, told from their rows, and found again on motions."""

import numpy as np
import pytest

import vinculum as vc
from trees import random_system

dot, exp, norm, sin, sqrt = vc.math.dot, vc.math.exp, vc.math.norm, vc.math.sin, vc.math.sqrt


def point(velocity, realization=None) -> vc.System:
    system = vc.System("point", gravity=(0.3, 0, -1.0))
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Constraint("held", [p], velocity=velocity, realization=realization or vc.Chetaev()))
    return system


ROWS = {
    "linear": (lambda p: p.velocity[0] - p.position[1] * p.velocity[2], "direction", 1.0),
    "cone": (lambda p: p.velocity[0] ** 2 + p.velocity[1] ** 2 - 0.49 * p.velocity[2] ** 2, "direction", 2.0),
    "norm": (lambda p: norm(p.velocity) - 2 * p.velocity[0], "direction", 1.0),
    "root": (lambda p: sqrt(dot(p.velocity, p.velocity)) ** 3 - 2 * p.velocity[0] ** 3 * exp(p.position[1]), "direction", 3.0),
    "angle": (lambda p: p.velocity[0] / norm(p.velocity) - 0.5, "direction", 0.0),
    "expanded": (lambda p: (p.velocity[0] + 1) ** 2 - 1 - 2 * p.velocity[0] - p.velocity[1] * p.velocity[2], "direction", 2.0),
    "up to a factor": (lambda p: (p.velocity[0] - p.velocity[1]) * exp(p.velocity[0]), "direction", None),
    "speed": (lambda p: dot(p.velocity, p.velocity) - 4.0, "magnitude", None),
    "speed up to a factor": (lambda p: (dot(p.velocity, p.velocity) - 4.0) * exp(0.1 * p.velocity[0]), "magnitude", None),
    "mixed": (lambda p: p.velocity[0] ** 2 - p.velocity[1], "magnitude", None),
    "drift": (lambda p: p.velocity[0] - 1.0, "drift", None),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_rows_are_told_apart_and_the_degree_is_proved_where_there_is_one(name):
    velocity, kind, degree = ROWS[name]
    (row,) = vc.constraints.adiabaticity(point(velocity)).rows
    assert (row.kind, row.degree, row.adiabatic) == (kind, degree, kind == "direction")
    assert (row.largest < 1e-11) == row.adiabatic


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("realization", [vc.Chetaev(), vc.Vakonomic(multipliers=0.2)])
def test_reactions_work_on_motions_where_their_rows_say_so(name, realization):
    velocity, _, _ = ROWS[name]
    system = point(velocity, realization)
    motion = vc.simulate(system, 0.2, {"p": vc.At((0.2, 0.1, 0.3), rate=(1.0, 0.9, 1.2))}, repair=True, method="dop853")
    works = np.abs(motion.bond("held").power).max() > 1e-6
    assert works == (not vc.constraints.adiabaticity(system).adiabatic)
    assert motion.audit().passed, str(motion.audit())


def test_a_clock_makes_vakonomic_directions_work_but_not_chetaevs():
    def velocity(p, t):
        return p.velocity[0] - sin(t) * p.velocity[1]

    ideal, vakonomic = (
        vc.constraints.adiabaticity(point(velocity, r)) for r in (vc.Chetaev(), vc.Vakonomic(multipliers=0.2))
    )
    assert ideal.adiabatic and not vakonomic.adiabatic
    assert vakonomic.rows[0].work == "power −μ ∂F/∂t"


def test_positions_do_no_work_unless_the_clock_moves_them():
    system = vc.System("rods")
    p = system.add(vc.MassPoint("p", 1.0))
    system.add(vc.constraints.distance("rod", p, "ground", 1.0, realization=vc.DAlembert()))
    system.add(vc.Constraint("lift", [p], position=lambda p, t: p.position[2] - 0.1 * t, realization=vc.DAlembert()))
    found = vc.constraints.adiabaticity(system, start={"p": (0.6, 0.8, 0)})
    assert [row.adiabatic for row in found.rows] == [True, False]
    assert found["lift"][0].work == "power −λ ∂F/∂t"
    assert vc.constraints.adiabaticity(system, "rod", start={"p": (0.6, 0.8, 0)}).adiabatic


@pytest.mark.parametrize(
    ("realization", "told"),
    [(vc.constraints.ViscousFriction(2.0), "resist"), (vc.constraints.AddedInertia(2.0), "store")],
)
def test_constraints_that_yield_are_not_adiabatic(realization, told):
    (row,) = vc.constraints.adiabaticity(point(lambda p: p.velocity[0], realization)).rows
    assert not row.adiabatic and told in row.work


@pytest.mark.parametrize("seed", range(4))
def test_rows_linear_in_the_motions_of_bodies_of_random_trees_are_directions(seed):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 3)
    bodies = [link.body for link in system.tree().links]
    c = rng.normal(size=(len(bodies), 6))

    def velocity(*views):
        return sum(dot(row[:3], one.velocity) + (dot(row[3:], one.angular_velocity) if one._state.turns else 0.0)
                   for row, one in zip(c, views, strict=True))  # fmt: skip

    system.add(vc.Constraint("held", bodies, velocity=velocity, realization=vc.DAlembert()))
    (row,) = vc.constraints.adiabaticity(system).rows
    assert row.degree == 1.0 and row.largest < 1e-10


def test_the_report_reads_as_a_table_and_as_data():
    found = vc.constraints.adiabaticity(point(ROWS["speed"][0]))
    assert "held        0    magnitude  8        measured 1  power λ v·∂F/∂v" in str(found)
    assert found.to_dict()["rows"][0]["work"] == "power λ v·∂F/∂v"


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(vc.errors.StartError, match="did you mean 'held'"):
        vc.constraints.adiabaticity(point(ROWS["cone"][0]), "hold")
    bare = vc.System("bare")
    bare.add(vc.MassPoint("p", 1.0))
    with pytest.raises(vc.errors.StartError, match="has no constraint"):
        vc.constraints.adiabaticity(bare)
