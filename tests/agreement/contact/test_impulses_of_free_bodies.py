"""Impulses of free bodies in contact against those of NumPy alone, one thread against two, and what is known about their uniqueness."""

import numpy as np
import pytest

import vinculum as vc
from free_bodies import free_bodies, on_slope, settled_box
from vinculum.collision.arrays import Contacts
from vinculum.contact.free_bodies import workspace
from vinculum.contact.sparse.arrays import Partition
from vinculum.contact.sparse.packed_spheres import room
from vinculum.contact.sparse.partition import divide

RADIUS, DENSITY, STEP = 0.05, 1000.0, 1e-6
MASS = DENSITY * 4 / 3 * np.pi * RADIUS**3
FLOOR = vc.shapes.HalfSpace((0, 0, 1))


def clusters(seed):
    """Five balls that touch each other and the floor, and velocities of all of them (5, 6)."""
    rng = np.random.default_rng(seed)
    side = 2 * RADIUS
    base = np.array(
        [(0, 0, 0), (1, 0, 0), (0.5, np.sqrt(0.75), 0), (0.5, np.sqrt(1 / 12), np.sqrt(2 / 3)), (1.5, np.sqrt(0.75), 0)]
    )
    return side * base + (0, 0, RADIUS), rng.normal(size=(5, 6)) * ([0.3] * 3 + [2.0] * 3)


def rebuilt(x, V, gravity, mu):
    """Velocities (n, 6) after one step, from Newton's law, gaps and Coulomb's cone: fixed point of the natural map with a dense W."""
    n = len(x)
    middle, free = x + 0.5 * STEP * V[:, :3], V.copy()
    free[:, 2] -= STEP * gravity
    rows, target = [], []
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)] + [(i, None) for i in range(n)]
    for i, j in pairs:
        away = middle[i] - (middle[j] if j is not None else middle[i] * (1, 1, 0))
        gap = np.linalg.norm(away) - (2 if j is not None else 1) * RADIUS
        if gap > 0.02:
            continue
        normal = away / np.linalg.norm(away)
        first = np.cross(normal, (1.0, 0.2, 0.1))
        first /= np.linalg.norm(first)
        for t in (normal, first, np.cross(normal, first)):
            H = np.zeros((n, 6))
            H[i] = (*t, *np.cross(-(RADIUS + gap / 2) * normal, t))
            if j is not None:
                H[j] = (*-t, *-np.cross((RADIUS + gap / 2) * normal, t))
            rows.append(H.ravel())
        target += [0.0 if gap <= 0 else -gap / STEP, 0.0, 0.0]
    H = np.array(rows)
    inverse_mass = np.tile([1 / MASS] * 3 + [1 / (0.4 * MASS * RADIUS**2)] * 3, n)
    W, u = H @ (inverse_mass[:, None] * H.T), H @ free.ravel() - target
    P, size = np.zeros((len(H) // 3, 3)), 1 / np.linalg.eigvalsh(W).max()
    for _ in range(40_000):
        old = P
        Z = P - size * (u + W @ P.ravel()).reshape(-1, 3)
        pressed = np.maximum(Z[:, 0], 0)
        length = np.maximum(np.linalg.norm(Z[:, 1:], axis=1), 1e-300)
        P = np.column_stack([pressed, Z[:, 1:] * np.minimum(1, mu * pressed / length)[:, None]])
        if np.abs(P - old).max() <= 1e-17:
            break
    return (free.ravel() + inverse_mass * (H.T @ P.ravel())).reshape(n, 6)


@pytest.mark.parametrize("mu", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_one_step_agrees_with_numpy(seed, mu):
    x, V = clusters(seed)
    system = free_bodies([vc.shapes.Sphere(RADIUS)] * 5, walls=[FLOOR], mu=mu)
    start = {f"b{i}": vc.At(tuple(x[i]), rate=tuple(V[i])) for i in range(5)}
    motion = vc.simulate(
        system, until=STEP, start=start, method="moreau", step=STEP, tolerance=1e-12, resolve=True, impacts="stepped"
    )
    found = motion.v[-1].reshape(5, 6).copy()
    for i in range(5):
        R = motion.body(f"b{i}").rotation[-1]
        found[i] = np.concatenate([R @ found[i, :3], R @ found[i, 3:]])
    expected = rebuilt(x, V, 9.81, mu)
    np.testing.assert_allclose(found[:, :3], expected[:, :3], atol=1e-8)
    np.testing.assert_allclose(found[:, 3:], expected[:, 3:], atol=1e-6)


def test_two_threads_come_to_the_last_digit_of_one(monkeypatch):
    system, start = settled_box(layers=14)
    ends = []
    for threads in (1, 2):
        monkeypatch.setattr(workspace.FreeBodiesWork, "_thread_count", lambda self, threads=threads: threads)
        ends.append(vc.simulate(system, until=0.3, start=start, method="moreau", step=5e-3, tolerance=1e-3))
    assert ends[0].record.contact_solver.contacts.max() > workspace.steps.CONTACTS_WORTH_SHARING
    np.testing.assert_array_equal(ends[0].q, ends[1].q)
    np.testing.assert_array_equal(ends[0].record.contact_solver.sweeps, ends[1].record.contact_solver.sweeps)


@pytest.mark.parametrize("seed", range(4))
def test_sides_share_no_moving_body(seed):
    rng = np.random.default_rng(seed)
    bodies, m = 40, 150
    x, who = rng.uniform(size=(bodies + 3, 3)) * (3, 1, 1), np.empty((m, 2), dtype=np.int64)
    who[:, 0] = rng.integers(0, bodies, m)
    who[:, 1] = (who[:, 0] + rng.integers(1, bodies, m)) % bodies
    walls = rng.uniform(size=m) < 0.2
    who[walls, 1] = rng.integers(bodies, bodies + 3, walls.sum())
    place = np.where(walls[:, None], x[who[:, 0]], 0.5 * (x[who[:, 0]] + x[who[:, 1]]))
    order, people, cut = np.empty(m, dtype=np.int64), np.empty(bodies, dtype=np.int64), np.empty(4, dtype=np.int64)
    contacts = Contacts(who, np.empty((m, 3, 3)), place, np.empty(m))
    packed = room(m) if seed % 2 == 0 else (None, None)
    divide(contacts, m, x, Partition(order, people, cut, *packed))
    assert sorted(order) == list(range(m)) and sorted(people) == list(range(bodies)) and cut[3] == m
    one, two = set(people[: cut[2]]), set(people[cut[2] :])
    for part, allowed in ((order[: cut[0]], one), (order[cut[0] : cut[1]], two)):
        assert {int(b) for c in part for b in who[c] if b < bodies} <= {int(b) for b in allowed}
    for c in order[cut[1] :]:
        assert {bool(b in one) for b in who[c]} == {True, False}


def test_impulses_that_are_not_unique_are_reported():
    block, there = on_slope(np.radians(20), 0.5)
    resting = vc.simulate(block, until=0.05, start=there, method="moreau", step=1e-3, tolerance=1e-10)
    assert np.all(resting.record.contact_solver.surplus[1:] == 4 * 3 - 6)
    (line,) = [line for line in resting.audit().lines if line.law == "laws of contact and friction"]
    assert line.verdict == "holds" and "not unique" in line.detail and "6 more" in line.detail
    ball = vc.simulate(free_bodies([vc.shapes.Sphere(RADIUS)], walls=[FLOOR], mu=0.5), until=0.05, start={"b0": (0, 0, RADIUS)},
                       method="moreau", step=1e-3, tolerance=1e-10)  # fmt: skip
    assert not ball.record.contact_solver.surplus.any()
