"""Certificates of free bodies: a run whose code is wrong in one number is not certified, and says in which law."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from free_bodies import G, free_bodies
from records import altered
from vinculum.audits.free_bodies.energy import admitted_gain
from vinculum.contact.free_bodies.workspace import FreeBodiesWork
from vinculum.models.free_bodies.type import free_bodies_of

SHAPES = [
    vc.shapes.Sphere(0.05),
    vc.shapes.Box((0.12, 0.1, 0.08)),
    vc.shapes.Sphere(0.05),
    vc.shapes.Capsule(0.04, 0.1),
]
LAW, PUSH = "contact and friction as described", "momenta M [v] = Hᵀ P"
MEET, MISSING = "contacts where shapes meet", "no contact is missing"
TAKES = "impulses P · u⁺ ≤ 0"


def thrown(e: float) -> vc.Motion:
    """Bodies that fall on two planes of a valley, slide, spin and come to rest."""
    walls = [vc.shapes.HalfSpace((0, 0, 1)), vc.shapes.HalfSpace((-0.6, 0, 0.8), -0.5)]
    system = free_bodies(SHAPES, walls=walls, mu=0.3, impact=vc.Newton(e) if e else vc.Inelastic())
    start = {f"b{i}": vc.At((0.2 * i, 0, 0.1), rate=(1.0, 0.3, 0, 0, 2.0, 1.0)) for i in range(4)}
    return vc.simulate(system, 0.3, start, method="moreau", step=1e-3, progress=False)


def broken_laws(motion: vc.Motion) -> set[str]:
    return {line.law for line in motion.audit().lines if line.verdict == "broken"}


def one_larger(x: np.ndarray) -> np.ndarray:
    return x * np.where(np.arange(len(x)) == 1, 1.05, 1.0).reshape(-1, *[1] * (x.ndim - 1))


MISTAKES = {
    "friction": (0.0, lambda p: replace(p, mu=0.9 * p.mu), LAW),
    "friction after bounces": (0.5, lambda p: replace(p, mu=0.9 * p.mu), LAW),
    "no restitution": (0.5, lambda p: replace(p, e=0.0), LAW),
    "restitution": (0.0, lambda p: replace(p, e=0.1), TAKES),
    "gravity": (0.0, lambda p: replace(p, gravity=0.95 * p.gravity), PUSH),
    "inertia of one body": (0.0, lambda p: replace(p, inertias=one_larger(p.inertias)), PUSH),
    "mass of one body": (0.5, lambda p: replace(p, masses=one_larger(p.masses)), PUSH),
    "size of one body": (0.0, lambda p: replace(p, sizes=one_larger(p.sizes)), MEET),
    "normal of a plane": (0.0, lambda p: replace(p, sizes=np.array([*p.sizes[:-2], (0.05, 0, 0.99875), p.sizes[-1]])), MEET),
    "a plane that is not there": (0.0, lambda p: replace(p, places=p.places - np.array([[0, 0, 9.0], [0, 0, 0]])), MISSING),
}  # fmt: skip


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_right_runs_of_bodies_that_slide_and_spin_are_certified(e):
    certificate = thrown(e).audit()
    assert certificate.passed, str(certificate)
    assert {LAW, PUSH, MEET, MISSING} | ({TAKES} if e == 0.0 else set()) <= {line.law for line in certificate.lines}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_number_that_is_wrong_in_the_compiled_steps_breaks_a_law(monkeypatch, mistake):
    e, changed, law = MISTAKES[mistake]
    right = FreeBodiesWork.__init__
    monkeypatch.setattr(FreeBodiesWork, "__init__", lambda self, made, *given: right(self, changed(made), *given))
    assert law in broken_laws(thrown(e))


@pytest.mark.parametrize(
    "rate", [(1.4, 0.2, 0, 1.0, 0, 0), (0.2, 0.1, 0, 0, 60.0, 0)], ids=["thrown", "driven by its spin"]
)
def test_sliding_friction_is_mu_times_the_normal_impulse_against_the_slip(rate):
    """Rebuilt by hand for one ball: its balance gives the impulses, its sliding point their direction."""
    system = free_bodies([vc.shapes.Sphere(0.05)], walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.3)
    start = {"b0": vc.At((0, 0, 0.05), rate=rate)}
    motion = vc.simulate(system, 0.1, start, method="moreau", step=1e-3, tolerance=1e-10, progress=False)
    assert motion.audit().passed
    mass = 1000 * 4 / 3 * np.pi * 0.05**3
    state = motion.at(np.array([0.02, 0.021]))
    v = np.einsum("tij,tj->ti", state.body("b0").rotation, state.v[:, :3])
    w = np.einsum("tij,tj->ti", state.body("b0").rotation, state.v[:, 3:])
    P = mass * (v[1] - v[0] + 1e-3 * np.array([0, 0, G]))
    slip = (v[1] + np.cross(w[1], (0, 0, -0.05)))[:2]
    np.testing.assert_allclose(P[:2], -0.3 * P[2] * slip / np.linalg.norm(slip), rtol=1e-6)


def with_room(motion: vc.Motion, residual_work: float, moved: float = 0.0) -> vc.Motion:
    """The motion with so much more room [J] for the work of every step, so that no sum is negative, and with moves reported [m]."""
    contact_solver = motion.record.contact_solver
    return altered(
        motion,
        contact_solver=replace(
            contact_solver,
            residual_work=contact_solver.residual_work + residual_work,
            moved=contact_solver.moved + moved,
        ),
    )


def lifted(motion: vc.Motion, body: int, step: int, way: float) -> vc.Motion:
    """The motion of free bodies in which one is moved upwards in the second half of one step."""
    coefficients, edges = np.array(motion.record.pieces.coefficients), np.asarray(motion.record.pieces.times)
    half = 2 * step + 1
    coefficients[half, 7 * body + 2, 1] += way / (edges[half + 1] - edges[half])
    coefficients[half + 1 :, 7 * body + 2, 0] += way
    return altered(motion, pieces=replace(motion.record.pieces, coefficients=coefficients))


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_what_is_accounted_for_is_the_energy_of_steps_without_the_work_on_velocities_after_impulses(e):
    """Rebuilt by hand for spheres that slide and hit, one of them moved: E⁺ − E⁻ = F · v⁺ + C · ω⁺ + what is accounted for."""
    system = free_bodies(
        [vc.shapes.Sphere(0.05)] * 3,
        walls=[vc.shapes.HalfSpace((0, 0, 1))],
        mu=0.3,
        impact=vc.Newton(e) if e else vc.Inelastic(),
    )
    places = ((0, 0, 0.06), (0.11, 0, 0.09), (0.04, 0.02, 0.17))
    start = {f"b{i}": vc.At(p, rate=(0.5, 0.2 * i, -1.0, 3.0, -2.0, 1.0)) for i, p in enumerate(places)}
    run = vc.simulate(system, 0.2, start, method="moreau", step=2e-3, progress=False)
    assert not run.record.contact_solver.moved.any()
    moved, way = 20, 1e-4
    motion = lifted(run, 1, moved, way)
    mass, edges = 1000 * 4 / 3 * np.pi * 0.05**3, np.asarray(motion.record.pieces.times)[::2]
    state, inertia, d = motion.at(edges), 0.4 * mass * 0.05**2, np.diff(edges)[:, None]
    rest = half = 0.0
    for i in range(3):
        R, z = state.body(f"b{i}").rotation, state.body(f"b{i}").center[:, 2]
        v, w = (np.einsum("tij,tj->ti", R, state.v[:, 6 * i + k : 6 * i + k + 3]) for k in (0, 3))
        F, C = mass * (np.diff(v, axis=0) + d * (0, 0, G)), inertia * np.diff(w, axis=0)
        energy = 0.5 * (mass * v**2 + inertia * w**2).sum(axis=1) + mass * G * z
        rest = rest + np.diff(energy) - (F * v[1:] + C * w[1:]).sum(axis=1)
        half = half + 0.5 * (F * np.diff(v, axis=0) + C * np.diff(w, axis=0)).sum(axis=1)
    lift = mass * G * way * (np.arange(len(d)) == moved)
    np.testing.assert_allclose(rest, lift - half, atol=1e-13)
    # where bodies bounce, the work on velocities after impulses is not known to be negative, and the half is no loss that is sure
    sure, residual_work, room = rest if e == 0.0 else lift, motion.record.contact_solver.residual_work, 1.0
    assert residual_work.max() > 1e-8 or e > 0.0
    for a, b in [(0, len(d)), (moved, moved + 1), (int(np.argmax(half)), int(np.argmax(half)) + 1), (10, 30)]:
        for told, known in ((way, sure), (0.9 * way, sure - lift)):
            found = admitted_gain(with_room(motion, room, told).record, edges[a], edges[b])
            assert found == pytest.approx((room + residual_work + known)[a:b].sum(), rel=1e-13, abs=1e-12)
    assert admitted_gain(with_room(motion, -room).record, edges[0], edges[-1]) == 0.0


def test_what_is_accounted_for_in_flight_is_what_steps_miss_of_free_rotation():
    start = {f"b{i}": vc.At((0.3 * i, 0, 3.0), rate=(0, 0, 0, 20.0, 3.0 * i, 9.0)) for i in range(4)}
    motion = vc.simulate(
        free_bodies(SHAPES, walls=[vc.shapes.HalfSpace((0, 0, 1))], mu=0.3), 0.05, start, step=1e-3, progress=False
    )
    edges = np.asarray(motion.record.pieces.times)[::2]
    gained = np.diff(motion.at(edges).energy)
    assert np.abs(gained).max() > 1e-9
    for k in (3, 20, 41):
        found = admitted_gain(with_room(motion, 1.0).record, edges[k], edges[k + 1]) - 1.0
        assert found == pytest.approx(gained[k], rel=1e-4, abs=1e-13)


def unexplained(motion: vc.Motion) -> float:
    """What impulses and weights leave of m (v⁺ − v⁻) of any body in any step, by its own impulses and its weight in a whole step: within
    one that a hit cuts to a fraction of a microsecond, changes of velocities are near their round-off."""
    edges, pressing = np.asarray(motion.record.pieces.times)[::2], motion.record.contact_solver.pressing
    state, n = motion.at(edges), len(free_bodies_of(motion.record.model).masses)
    v = np.stack(
        [np.einsum("tij,tj->ti", state.body(f"b{i}").rotation, state.v[:, 6 * i : 6 * i + 3]) for i in range(n)], axis=1
    )
    masses = free_bodies_of(motion.record.model).masses[:, None]
    pushed = np.diff(edges)[:, None, None] * masses * (0, 0, -G)
    gross = np.diff(edges).max() * G * masses[None, :, 0] + np.zeros(pushed.shape[:2])
    for side, sign in ((0, 1.0), (1, -1.0)):
        moves = pressing.bodies[:, side] < n
        at = pressing.contact_solver[moves], pressing.bodies[moves, side]
        np.add.at(pushed, at, sign * pressing.impulses[moves])
        np.add.at(gross, at, np.abs(pressing.impulses[moves]).sum(axis=1))
    return float((np.abs(masses * np.diff(v, axis=0) - pushed).max(axis=2) / gross).max())


@pytest.mark.parametrize("ratio", [1e2, 1e4])
@pytest.mark.slow
def test_heavy_and_light_spheres_in_a_box_are_certified_at_the_usual_tolerance(ratio):
    rng, pitch, places = (
        np.random.default_rng(0),
        0.12,
        [(i, j, k) for i in range(3) for j in range(3) for k in range(2)],
    )
    system = vc.System("uneven", gravity=(0, 0, -G))
    bodies = [
        system.add(vc.RigidBody.solid(f"b{m}", vc.shapes.Sphere(0.05), density=1000 * ratio ** (m % 2)))
        for m in range(len(places))
    ]
    sides = [((1, 0, 0), 0.0), ((-1, 0, 0), -0.36), ((0, 1, 0), 0.0), ((0, -1, 0), -0.36), ((0, 0, 1), 0.0)]
    walls = [vc.shapes.HalfSpace(n, d) for n, d in sides]
    system.add(vc.Contact("contact", bodies, walls=walls, impact=vc.Inelastic(), friction=vc.Coulomb(0.3)))
    start = {
        f"b{m}": tuple(pitch * (np.array(p) + (0.5, 0.5, 0.9)) + rng.uniform(-5e-3, 5e-3, 3))
        for m, p in enumerate(places)
    }
    motion = vc.simulate(system, 0.6, start, method="moreau", step=2e-3, progress=False)
    assert unexplained(motion) < 1e-11
    certificate = motion.audit()
    assert certificate.passed, str(certificate)


@pytest.mark.filterwarnings("error")
def test_bodies_that_touch_and_never_move_have_a_certificate_of_numbers():
    system = free_bodies([vc.shapes.Sphere(0.1)] * 2, gravity=(0, 0, 0), mu=0.3)
    start = {"b0": (0, 0, 0), "b1": (0, 0, 0.2)}
    certificate = vc.simulate(system, 0.05, start, method="moreau", step=1e-3, progress=False).audit()
    assert certificate.passed and all(np.isfinite(line.residual) for line in certificate.lines)
