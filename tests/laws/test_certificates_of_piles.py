"""Certificates of piles: a run whose code is wrong in one number is not certified, and says in which law."""

from dataclasses import replace

import numpy as np
import pytest

import vinculum as vc
from piles import G, pile
from vinculum.kernels.pile_work import PileWork

SHAPES = [vc.Sphere(0.05), vc.Box((0.12, 0.1, 0.08)), vc.Sphere(0.05), vc.Capsule(0.04, 0.1)]
LAW, PUSH = "contact and friction as described", "momenta M [v] = Hᵀ P"
MEET, MISSING = "contacts where shapes meet", "no contact is missing"


def thrown(e: float) -> vc.Motion:
    """Bodies that fall on two planes of a valley, slide, spin and come to rest."""
    walls = [vc.HalfSpace((0, 0, 1)), vc.HalfSpace((-0.6, 0, 0.8), -0.5)]
    system = pile(SHAPES, walls=walls, mu=0.3, shock=vc.Newton(e) if e else vc.Soft())
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
    assert {LAW, PUSH, MEET, MISSING} <= {line.law for line in certificate.lines}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_number_that_is_wrong_in_the_compiled_steps_breaks_a_law(monkeypatch, mistake):
    e, changed, law = MISTAKES[mistake]
    right = PileWork.__init__
    monkeypatch.setattr(PileWork, "__init__", lambda self, made, *given: right(self, changed(made), *given))
    assert law in broken_laws(thrown(e))


def test_sliding_friction_is_mu_times_the_normal_impulse_against_the_slip():
    """Rebuilt by hand for one ball: its balance gives the impulses, its sliding point their direction."""
    system = pile([vc.Sphere(0.05)], walls=[vc.HalfSpace((0, 0, 1))], mu=0.3)
    start = {"b0": vc.At((0, 0, 0.05), rate=(1.4, 0.2, 0, 1.0, 0, 0))}
    motion = vc.simulate(system, 0.1, start, method="moreau", step=1e-3, tolerance=1e-10, progress=False)
    assert motion.audit().passed
    mass = 1000 * 4 / 3 * np.pi * 0.05**3
    state = motion.at(np.array([0.02, 0.021]))
    v = np.einsum("tij,tj->ti", state.rotation("b0"), state.v[:, :3])
    w = np.einsum("tij,tj->ti", state.rotation("b0"), state.v[:, 3:])
    P = mass * (v[1] - v[0] + 1e-3 * np.array([0, 0, G]))
    slip = (v[1] + np.cross(w[1], (0, 0, -0.05)))[:2]
    np.testing.assert_allclose(P[:2], -0.3 * P[2] * slip / np.linalg.norm(slip), rtol=1e-6)


def unexplained(motion: vc.Motion) -> float:
    """What impulses and weights leave of m (v⁺ − v⁻) of any body in any step, by its own impulses and weight."""
    edges, presses = np.asarray(motion.pieces.times)[::2], motion.solves.presses
    state, n = motion.at(edges), len(motion.model.pile.masses)
    v = np.stack(
        [np.einsum("tij,tj->ti", state.rotation(f"b{i}"), state.v[:, 6 * i : 6 * i + 3]) for i in range(n)], axis=1
    )
    masses = motion.model.pile.masses[:, None]
    pushed = np.diff(edges)[:, None, None] * masses * (0, 0, -G)
    gross = np.abs(pushed).sum(axis=2)
    for side, sign in ((0, 1.0), (1, -1.0)):
        moves = presses.bodies[:, side] < n
        at = presses.solves[moves], presses.bodies[moves, side]
        np.add.at(pushed, at, sign * presses.impulses[moves])
        np.add.at(gross, at, np.abs(presses.impulses[moves]).sum(axis=1))
    return float((np.abs(masses * np.diff(v, axis=0) - pushed).max(axis=2) / gross).max())


@pytest.mark.parametrize("ratio", [1e2, 1e4])
def test_heavy_and_light_spheres_in_a_box_are_certified_at_the_usual_tolerance(ratio):
    rng, pitch, places = (
        np.random.default_rng(0),
        0.12,
        [(i, j, k) for i in range(3) for j in range(3) for k in range(2)],
    )
    system = vc.System("uneven", gravity=(0, 0, -G))
    bodies = [
        system.add(vc.RigidBody.solid(f"b{m}", vc.Sphere(0.05), density=1000 * ratio ** (m % 2)))
        for m in range(len(places))
    ]
    sides = [((1, 0, 0), 0.0), ((-1, 0, 0), -0.36), ((0, 1, 0), 0.0), ((0, -1, 0), -0.36), ((0, 0, 1), 0.0)]
    walls = [vc.HalfSpace(n, d) for n, d in sides]
    system.add(vc.Contact("contact", bodies, walls=walls, shock=vc.Soft(), friction=vc.Coulomb(0.3)))
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
    system = pile([vc.Sphere(0.1)] * 2, gravity=(0, 0, 0), mu=0.3)
    start = {"b0": (0, 0, 0), "b1": (0, 0, 0.2)}
    certificate = vc.simulate(system, 0.05, start, method="moreau", step=1e-3, progress=False).audit()
    assert certificate.passed and all(np.isfinite(line.residual) for line in certificate.lines)
