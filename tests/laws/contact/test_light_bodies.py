"""A light body among heavy ones: it stays where it should, and a run in which it does not is not certified."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from free_bodies import G
from records import altered

EDGE = 0.1


def column(masses, order=None, off=0.0, shapes=None) -> tuple[vc.System, dict]:
    """Bodies on each other, ``masses`` from below, added in another order and moved aside by ``off`` but for the lowest one."""
    system = vc.System("column", gravity=(0, 0, -G))
    shapes = shapes or [vc.shapes.Box((EDGE,) * 3)] * len(masses)
    bodies = {}
    for i in order or range(len(masses)):
        unit = vc.RigidBody.solid("unit", shapes[i], density=1.0)
        bodies[i] = system.add(vc.RigidBody.solid(f"b{i}", shapes[i], density=masses[i] / float(unit.mass)))
    system.add(vc.Contact("contact", [bodies[i] for i in order or range(len(masses))], walls=[vc.shapes.HalfSpace((0, 0, 1))],
                          impact=vc.Inelastic(), friction=vc.Coulomb(0.5)))  # fmt: skip
    heights = [shape.size[2] if isinstance(shape, vc.shapes.Box) else 2 * shape.radius for shape in shapes]
    below = np.concatenate([[0.0], np.cumsum(heights)[:-1]])
    return system, {f"b{i}": (off * (i > 0), 0.0, below[i] + 0.5 * heights[i]) for i in range(len(masses))}


def run(masses, step, until=0.1, **given) -> vc.Motion:
    tolerance = given.pop("tolerance", None)
    system, start = column(masses, **given)
    return vc.simulate(system, until, start, method="moreau", step=step, tolerance=tolerance, progress=False)


def strayed(motion: vc.Motion) -> float:
    """The farthest way of any body from its start [m]."""
    names = motion.record.model.layout.bodies
    return max(float(np.linalg.norm(motion.body(b).position - motion.body(b).position[0], axis=1).max()) for b in names)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize(
    "light, step, off",
    [(100.0, 5e-3, 0.0), (1.0, 2e-3, 1e-15), (0.1, 5e-3, 0.0), (0.01, 5e-3, 1e-15), (0.01, 2e-3, 0.0)],
)
def test_a_light_cube_under_a_heavy_one_stands(light, step, off, order):
    motion = run([light, 100.0], step, order=order, off=off)
    assert strayed(motion) < 1e-6
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


@pytest.mark.parametrize("seed", range(6))
def test_random_columns_at_rest_stand_and_are_certified(seed):
    """At rest no kinetic energy gives a scale, only weights do."""
    rng = np.random.default_rng(seed)
    masses = (10.0 ** rng.uniform(-2.0, 2.0, rng.integers(2, 6))).tolist()
    motion = run(masses, float(rng.choice([1e-3, 2e-3, 5e-3])), until=0.05)
    certificate = motion.audit()
    assert strayed(motion) < 1e-6 and certificate.passed, str(certificate)


@pytest.mark.slow
@pytest.mark.parametrize("off", [0.0, 1e-15])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("step", [1e-3, 2e-3, 5e-3])
@pytest.mark.parametrize("light", [100.0, 10.0, 1.0, 0.1, 0.01])
def test_cubes_of_all_ratios_stand_for_a_second_or_are_not_certified(light, step, order, off):
    try:
        motion = run([light, 100.0], step, until=1.0, order=order, off=off)
    except vc.errors.RunError:
        return
    assert strayed(motion) < 1e-5 or not motion.audit().passed


@pytest.mark.parametrize(
    "masses, shapes",
    [
        ([0.01, 100.0], [vc.shapes.Sphere(0.05), vc.shapes.Box((0.1, 0.1, 0.02))]),
        ([1e-3, 1e-2, 0.1, 1.0, 10.0], None),
        ([10.0, 1.0, 0.1, 1e-2, 1e-3], None),
        ([0.01, 100.0, 0.01, 100.0], None),
    ],
    ids=["a plate on a ball", "heavier upwards", "lighter upwards", "in turns"],
)
def test_columns_of_uneven_bodies_stand(masses, shapes):
    motion = run(masses, 5e-3, until=0.05, shapes=shapes)
    assert strayed(motion) < 1e-6
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


def loose(masses=(0.01, 100.0), step=5e-3) -> vc.Motion:
    """A run with a loose tolerance whose residuals and tolerance claim to be the usual ones."""
    motion = run(list(masses), step, tolerance=1e-2)
    contact_solver = motion.record.contact_solver
    claimed = replace(
        contact_solver,
        residual=np.minimum(contact_solver.residual, 1e-7),
        residual_work=np.zeros_like(contact_solver.residual_work),
    )
    return altered(motion, method=replace(motion.record.method, tolerance=1e-6), contact_solver=claimed)


def test_a_run_that_claims_more_than_it_has_is_not_certified():
    certificate = loose().audit()
    assert "contact and friction as described" in {line.law for line in certificate.lines if line.verdict == "broken"}


@pytest.mark.parametrize("tolerance", [1e-5, 1e-3])
def test_looser_tolerances_leave_contacts_by_their_own_scale_undecided(tolerance):
    certificate = run([0.01, 100.0], 5e-3, tolerance=tolerance).audit()
    assert not certificate.passed
    verdicts = {line.law: line.verdict for line in certificate.lines}
    assert verdicts["contacts by their own scale"] == "undecided"


@pytest.mark.parametrize("law", ["momenta M [v] = Hᵀ P", "momenta change by impulses of contacts"])
def test_a_light_body_that_gets_too_little_is_seen_behind_a_heavy_one(law):
    """The light cube's velocity is made larger by a hundredth of g h in every step, which is a millionth of the heavy one's momentum."""
    motion = run([0.01, 100.0], 5e-3)
    coefficients, names = np.array(motion.record.pieces.coefficients), list(motion.record.model.layout.bodies)
    coefficients[1::2, motion.record.model.nq + 6 * names.index("b0"), 0] += 0.01 * G * 5e-3
    wrong = altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients))
    assert law in {line.law for line in wrong.audit().lines if line.verdict == "broken"}


def test_bodies_held_without_gravity_while_others_are_hit_have_a_scale():
    """Soft balls in a row at a wall, hit by a heavy one: all stop, and nothing is divided by a change of velocity that is none."""
    system = vc.System("row", gravity=(0, 0, 0))
    bodies = [
        system.add(vc.RigidBody.solid(f"b{i}", vc.shapes.Sphere(0.05), density=(10.0, 10.0, 1e5)[i])) for i in range(3)
    ]
    system.add(
        vc.Contact(
            "contact", bodies, walls=[vc.shapes.HalfSpace((1, 0, 0))], impact=vc.Inelastic(), friction=vc.Coulomb(0.3)
        )
    )
    start = {"b0": (0.05, 0, 0), "b1": (0.15, 0, 0), "b2": vc.At((0.26, 0, 0), rate=(-1.0, 0, 0, 0, 0, 0))}
    motion = vc.simulate(system, 0.03, start, method="moreau", step=1e-3, progress=False)
    assert np.abs(motion.v[-1]).max() < 1e-6
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


def test_penetration_is_looked_for_in_every_step():
    """The grid of a run has its begin and end alone; a body is pushed into the floor in the step between them that says so."""
    system, start = column([1.0])
    motion = vc.simulate(system, 0.1, start, method="moreau", step=1e-3, grid=2, progress=False)
    assert motion.audit().passed
    coefficients, edges = np.array(motion.record.pieces.coefficients), np.asarray(motion.record.pieces.times)
    for half, sign in ((60, -1.0), (63, 1.0)):
        way = sign * 0.2 * EDGE
        coefficients[half, 2, 1] += way / (edges[half + 1] - edges[half])
        coefficients[half + 1 :, 2, 0] += way
    penetration = motion.record.contact_solver.penetration.copy()
    penetration[31] = 0.2 * EDGE
    pieces, contact_solver = (
        replace(motion.record.pieces, coefficients=coefficients),
        replace(motion.record.contact_solver, penetration=penetration),
    )
    wrong = altered(motion, pieces=pieces, contact_solver=contact_solver)
    line = next(line for line in wrong.audit().lines if line.law == "no penetration")
    assert line.verdict == "broken" and "t = 0.03" in line.detail, line
