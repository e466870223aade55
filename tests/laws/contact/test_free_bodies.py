"""Laws of motion of bodies that meet, for every pair of shapes."""

import numpy as np
import pytest

import vinculum as vc
from cards import house
from free_bodies import free_bodies, settled_box
from vinculum.integrators.free_bodies import steps as free_bodies_run

SHAPES = {
    "sphere": vc.shapes.Sphere(0.1),
    "box": vc.shapes.Box((0.2, 0.15, 0.25)),
    "capsule": vc.shapes.Capsule(0.08, 0.2),
}
PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in list(SHAPES)[i:]]


def attitude(rng):
    Q = rng.normal(size=4)
    return Q / np.linalg.norm(Q)


def twist(Q, velocity, spin):
    """Rates of a free body: its velocity in world axes seen from its own, and its spin."""
    return (*(vc.Pose(rotation=Q).R.T @ velocity), *spin)


def collided(a, b, seed, impact, mu):
    rng = np.random.default_rng(seed)
    system = free_bodies([SHAPES[a], SHAPES[b]], gravity=(0, 0, 0), impact=impact, mu=mu)
    start = {}
    for name, x, speed in (("b0", 0.0, 1.0), ("b1", 0.45, -0.5)):
        Q = attitude(rng)
        place = np.array([x, 0, 0]) + rng.uniform(-0.03, 0.03, 3)
        start[name] = vc.At((*place, *Q), rate=twist(Q, (speed, 0, 0), rng.uniform(-2, 2, 3)))
    return vc.simulate(system, until=0.6, start=start, method="moreau", step=1e-3, tolerance=1e-10)


@pytest.mark.parametrize("a, b", PAIRS)
@pytest.mark.parametrize("seed", range(2))
def test_momentum_and_moment_of_momentum_are_kept(a, b, seed):
    motion = collided(a, b, seed, vc.Newton(0.5), 0.3)
    momentum = motion.body().momentum
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * np.abs(momentum).max()


@pytest.mark.parametrize("a, b", PAIRS)
def test_soft_hits_without_friction_take_energy(a, b):
    motion = collided(a, b, 0, vc.Inelastic(), 0.0)
    spinning = 1e-4 * motion.energy[0]  # torque-free rotation is of second order in the step
    assert np.diff(motion.energy).max() < spinning


def test_a_run_is_stored_while_it_goes_on_and_loaded_again(tmp_path):
    system, start = settled_box(layers=1)
    options = {"until": 0.2, "start": start, "method": "moreau", "step": 2e-3, "tolerance": 1e-6}
    here, streamed = vc.simulate(system, **options), vc.simulate(system, **options, out=tmp_path / "run.zarr")
    loaded = vc.load(tmp_path / "run.zarr")
    np.testing.assert_allclose(loaded.q, here.q, atol=1e-15)
    np.testing.assert_allclose(streamed.energy, here.energy, rtol=1e-12)
    here.save(tmp_path / "saved.zarr")
    np.testing.assert_allclose(vc.load(tmp_path / "saved.zarr").v, here.v, atol=1e-15)


def test_velocities_jump_at_hits_and_places_do_not():
    system = free_bodies([vc.shapes.Sphere(0.05)], walls=[vc.shapes.HalfSpace((0, 0, 1))], impact=vc.Newton(0.7))
    motion = vc.simulate(system, until=1.0, start={"b0": (0, 0, 0.3)}, method="moreau", step=1e-3)
    hits = motion.at(motion.record.contact_solver.times)
    jumps = np.abs(hits.v - hits.at(hits.time, side="left").v)[:, 2]
    first = int(np.argmax(jumps > 0.5))
    np.testing.assert_allclose(hits.v[first, 2], -0.7 * hits.at(hits.time, side="left").v[first, 2], rtol=1e-9)
    fine = motion.at(np.linspace(0, 1, 20001)).body("b0").position[:, 2]
    assert np.abs(np.diff(fine)).max() < 5e-5 * 2.5


def test_a_right_motion_is_certified_and_a_falsified_one_is_not():
    system, start = settled_box(layers=1)
    motion = vc.simulate(system, until=0.4, start=start, method="moreau", step=2e-3, tolerance=1e-6)
    assert motion.audit().passed, str(motion.audit())
    assert not motion.replace(v=1.01 * motion.v).audit().passed
    sunk = motion.q.copy()
    sunk[:, 2::7] -= 1e-3
    assert not motion.replace(q=sunk).audit().passed


def test_impulses_that_are_one_percent_too_large_are_not_certified(monkeypatch):
    system, start = house(0.4)
    exact = free_bodies_run.Flights

    def altered(free_bodies, durations, records):
        records = records.copy()
        pushed = np.diff(records[..., 7:10], axis=0) - durations[:, None, None] * free_bodies.gravity
        records[1::2, :, 7:10] += 0.01 * pushed[::2]
        return exact(free_bodies, durations, records)

    monkeypatch.setattr(free_bodies_run, "Flights", altered)
    certificate = vc.simulate(system, until=0.1, start=start, method="moreau", step=1e-3, progress=False).audit()
    (line,) = [line for line in certificate.lines if line.law == "impulses P · u⁺ ≤ 0"]
    assert line.verdict == "broken"
    assert 1e-4 < line.residual < 2e-2
