"""The weak form of the equations of motion on bodies that meet: right runs obey it, one wrong impulse, place or speed does not."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from free_bodies import G, free_bodies, settled_box
from records import altered

EQUALITY, MASS, OUTWARD = "weak form equ C = F", "weak form, mass input", "weak form, outward fields"
SHAPES = [
    vc.shapes.Sphere(0.05),
    vc.shapes.Box((0.12, 0.1, 0.08)),
    vc.shapes.Sphere(0.05),
    vc.shapes.Capsule(0.04, 0.1),
]


@pytest.fixture(scope="module")
def thrown() -> vc.Motion:
    """Bodies that fall on two planes of a valley, bounce, slide and spin."""
    walls = [vc.shapes.HalfSpace((0, 0, 1)), vc.shapes.HalfSpace((-0.6, 0, 0.8), -0.5)]
    start = {f"b{i}": vc.At((0.2 * i, 0, 0.1), rate=(1.0, 0.3, 0, 0, 2.0, 1.0)) for i in range(4)}
    system = free_bodies(SHAPES, walls=walls, mu=0.3, impact=vc.Newton(0.5))
    return vc.simulate(system, 0.3, start, method="moreau", step=1e-3, progress=False)


@pytest.fixture(scope="module")
def settled() -> vc.Motion:
    system, start = settled_box(layers=2)
    return vc.simulate(system, 0.4, start, method="moreau", step=2e-3, progress=False)


def verdicts(motion: vc.Motion) -> dict[str, str]:
    return {line.law: line.verdict for line in motion.audit().lines}


def pressed(motion: vc.Motion, change) -> vc.Motion:
    """The motion with other impulses."""
    rows = motion.record.contact_solver.pressing.rows.copy()
    change(rows)
    return altered(
        motion,
        contact_solver=replace(
            motion.record.contact_solver, pressing=replace(motion.record.contact_solver.pressing, rows=rows)
        ),
    )


@pytest.mark.parametrize("made", ["thrown", "settled"])
def test_right_runs_obey_the_weak_form(made, request):
    motion = request.getfixturevalue(made)
    weak = vc.measures.weak_residual(motion, fields=200)
    assert len(weak) == 200 and weak.holds
    assert np.abs(weak.explained).max() < 1e-8 and np.abs(weak.mass_input).max() < 1e-8
    assert {verdicts(motion)[law] for law in (EQUALITY, MASS, OUTWARD)} == {"holds"}


def test_impulses_of_one_step_altered_by_a_hundredth_fail(settled):
    owners = settled.record.contact_solver.pressing.contact_solver
    busiest = int(np.bincount(owners).argmax())

    def larger(rows):
        rows[owners == busiest, 9:] *= 1.01

    assert not vc.measures.weak_residual(pressed(settled, larger), 400).holds


def test_all_impulses_altered_by_a_hundredth_are_far_from_the_weak_form(thrown):
    def larger(rows):
        rows[:, 9:] *= 1.01

    wrong = pressed(thrown, larger)
    assert vc.measures.weak_residual(wrong).largest > 1e-3
    assert verdicts(wrong)[EQUALITY] == "broken"


def test_moments_of_impulses_elsewhere_fail(thrown):
    def aside(rows):
        rows[:, 3] += 0.005

    assert verdicts(pressed(thrown, aside))[EQUALITY] == "broken"


def test_a_body_moved_at_an_instant_has_mass_input_there(settled):
    """Random windows see the body more or less, according to where it is; so it is moved at several instants."""
    found = []
    for step in (150, 250, 350):
        coefficients = np.array(settled.record.pieces.coefficients)
        coefficients[step:, 2, 0] += 0.01
        moved = altered(settled, pieces=replace(settled.record.pieces, coefficients=coefficients))
        result = vc.measures.weak_residual(moved, 400)
        assert not result.holds
        found.append(np.abs(result.mass_input).max())
    assert max(found) > 1e-3


def test_a_floor_that_pulls_fails_against_outward_fields_whatever_the_impulses_say():
    """A ball that is stopped on its way up: the mirror image of one that falls, with gravity as it was."""
    system = free_bodies([vc.shapes.Sphere(0.05)], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Newton(0.5))
    motion = vc.simulate(system, 0.4, {"b0": (0, 0, 0.3)}, method="moreau", step=1e-3, progress=False)
    mirrored = np.array(motion.record.pieces.coefficients)
    mirrored[:, [2, 9]] *= -1.0
    found = verdicts(altered(motion, pieces=replace(motion.record.pieces, coefficients=mirrored)))
    assert found[OUTWARD] == found[EQUALITY] == "broken"


def test_the_weak_form_of_a_ball_by_hand_is_what_its_impulses_say():
    """−∫ (p · ζ̇ + L · ϑ̇ + m g · ζ) dt of the path is Σ P · (ζ + ϑ × r), by NumPy from places, speeds and impulses as they are given out."""
    R, h, mu = 0.05, 1e-3, 0.3
    system = free_bodies([vc.shapes.Sphere(R)], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Newton(0.5), mu=mu)
    start = {"b0": vc.At((0, 0, 0.15), rate=(1.0, 0.2, 0, 0, -4.0, 0))}
    motion = vc.simulate(
        system, 0.2, start, method="moreau", step=h, tolerance=1e-10, impacts="stepped", progress=False
    )
    hit = motion.bond("contact").impulses
    mass = 1000 * 4 / 3 * np.pi * R**3
    center, width = hit.times[0] + 7.5 * h, 40.5 * h  # begins and ends with halves of steps
    rng = np.random.default_rng(2)
    a, K, b = rng.normal(size=3), rng.normal(size=(3, 3)), 20 * rng.normal(size=3)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    edges = center + width * np.linspace(-1, 1, 163)
    t = (edges[:-1, None] + 0.25 * h * (1 + nodes)).ravel()
    w = np.tile(0.25 * h * weights, 162)

    def bump(t):
        s = (t - center) / width
        return (1 - s**2) ** 4, -8 * s * (1 - s**2) ** 3 / width

    state = motion.at(t)
    turn = state.body("b0").rotation
    x, v, omega = (
        state.body("b0").position,
        *(np.einsum("tij,tj->ti", turn, part) for part in (state.v[:, :3], state.v[:, 3:])),
    )
    B, B_dot = bump(t)
    zeta = B[:, None] * (a + x @ K.T)
    rate = B_dot[:, None] * (a + x @ K.T) + B[:, None] * (v @ K.T)
    kept = mass * (v * rate).sum(1) + 0.4 * mass * R**2 * (omega @ b) * B_dot
    left = -w @ (kept - mass * G * zeta[:, 2])
    inside = np.abs(hit.times - center) < width
    assert inside.sum() == 1
    B, _ = bump(hit.times[inside])
    P = motion.record.contact_solver.pressing.impulses[inside]
    there = B[:, None] * (a + motion.at(hit.times[inside]).body("b0").position @ K.T)
    begun = motion.at(hit.times[inside] - 0.5 * h)
    middle = begun.body("b0").position + 0.5 * h * np.einsum("tij,tj->ti", begun.body("b0").rotation, begun.v[:, :3])
    right = np.sum(
        P * (there + B[:, None] * np.cross(b, motion.record.contact_solver.pressing.places[inside] - middle))
    )
    assert abs(right) > 1e-2
    assert left == pytest.approx(right, rel=1e-7)


@pytest.mark.parametrize("kind", ["free bodies", "unilateral"])
def test_matter_of_a_run_has_no_mass_input_in_the_region_permitted_to_it_and_some_in_a_smaller_one(kind):
    """Prop. 6.3, with `Window` and `KineticMeasure` on paths that were computed: entries less exits, each with its mass."""
    if kind == "free bodies":
        system, name, least = (
            free_bodies([vc.shapes.Sphere(0.05)], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Newton(0.5)),
            "b0",
            0.05,
        )
        least -= 0.05 * np.sqrt(0.6)  # of its points on principal axes, at √(3 I/2 m) from the center
    else:
        system, name, least = vc.System("ball", gravity=(0, 0, -G)), "ball", 0.0
        point = system.add(vc.MassPoint(name, 1.3))
        system.add(vc.Unilateral("floor", [point], gap=lambda b: b.position[2], impact=vc.Newton(0.5)))
    motion = vc.simulate(system, 0.29, {name: (0, 0, 0.25)}, method="moreau", step=5e-3, progress=False)
    matter = motion.body(name).measures.kinetic
    test = vc.measures.Bump.at((0.21, 0, 0, 0), (0.07, 9, 9, 9), (3.0, 0, 0, 0))
    permitted = matter.restrict(vc.measures.Window.where(lambda xi: least - 1e-9 - xi[:, 3]))
    assert abs(permitted.mass_input(test)) < 1e-10
    inside = matter.restrict(vc.measures.Window.where(lambda xi: least + 0.02 - xi[:, 3]))
    ends = inside.boundary_atoms()
    assert inside.mass_input(test) == pytest.approx(float(test(ends.points) @ ends.vectors[:, 0]), abs=1e-9)
    assert abs(inside.mass_input(test)) > 1e-4


def test_a_motion_without_impulses_says_so(thrown):
    with pytest.raises(vc.errors.MethodError, match="impulses of 'free bodies' are not known"):
        vc.measures.weak_residual(vc.given_motion(free_bodies(SHAPES), thrown.time, thrown.q, thrown.v))
