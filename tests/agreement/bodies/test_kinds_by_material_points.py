"""Random systems of bodies of every kind: accelerations by d'Alembert's principle on material points, with difference quotients.

No equation of the library is used: a body is points with masses, and its places near a state are exponentials of its velocities. A
point-body has no such points; Kirchhoff's equations take their place.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import vinculum as vc
from vinculum.models.model_cache import model_for

KINDS = ("point", "varying", "rigid", "affine", "flat", "rod", "planar", "point-body", "rail", "arms")
DEFORMED = {"affine": (3, 3), "flat": (3, 2), "rod": (3, 1), "planar": (2, 2)}
STEP, LONGER = 1e-4, 1e-3


@dataclass
class Part:
    """``start``: of its joints; ``v``: its velocities; ``place(d, a)``: of the material point a at the velocities' displacements d; points
    ``a`` with masses ``m``; ``energy(d)``; ``push``: thrust of lost mass; ``blocks``: A, B, C of a point-body."""

    name: str
    start: dict
    v: np.ndarray
    place: Any
    a: list
    m: np.ndarray
    energy: Any = None
    push: Any = None
    blocks: Any = None
    rotation: Any = None


def skew(w):
    return np.cross(np.eye(3), w)


def pose_after(twist):
    X = expm(np.block([[skew(twist[3:]), twist[:3, None]], [np.zeros((1, 4))]]))
    return X[:3, :3], X[:3, 3]


def spread(m, S):
    """Points with the mass m and the second moment S about their center."""
    moments, axes = np.linalg.eigh(S)
    arms = axes * np.sqrt(len(S) * np.maximum(moments, 0.0) / m)
    a = [np.pad(side * arm, (0, 3 - len(S))) for arm in arms.T for side in (1.0, -1.0)]
    return a, np.full(len(a), m / len(a))


def free_frame(rng, system, name, kind, m):
    x, turn, v = rng.normal(size=3), vc.Pose(rotation=rng.normal(size=4)), rng.normal(size=6)

    def place(d, a):
        R, p = pose_after(d)
        return x + turn.R @ (p + R @ a)

    start = {name: vc.At(vc.Pose(tuple(x), turn.R), tuple(v))}
    A = rng.normal(size=(3, 3))
    if kind == "rigid":
        S, c = 0.05 * A @ A.T + 0.05 * np.eye(3), 0.2 * rng.normal(size=3)
        system.add(vc.RigidBody(name, m, c, np.trace(S) * np.eye(3) - S))
        a, masses = spread(m, S)
        return Part(name, start, v, place, [c + x for x in a], masses)
    B, C = m * skew(0.1 * rng.normal(size=3)).T, 0.1 * A @ A.T + 0.3 * np.eye(3)
    system.add(vc.PointBody(name, m, B, C))
    return Part(name, start, v, place, [], np.zeros(0), blocks=(m * np.eye(3), B, C), rotation=turn.R)


def affine(rng, system, name, kind, m):
    rows, d = DEFORMED[kind]
    A, (mu, lam) = rng.normal(size=(d, d)), rng.uniform(1.0, 5.0, size=2)
    S, F0, x0 = 0.1 * (A @ A.T + np.eye(d)), np.eye(rows)[:, :d] + 0.2 * rng.normal(size=(rows, d)), rng.normal(size=3)
    x0[rows:] = 0.0
    law, v = vc.energies.NeoHookean(1.0, mu, lam), 0.5 * rng.normal(size=rows * (d + 1))
    moment = S if d > 1 else S.ravel()
    system.add(vc.AffineBody(name, m, moment, energy=law, dimension=d, planar=kind == "planar"))

    def place(dq, a):
        x = x0.copy()
        x[:rows] += dq[:rows] + (F0 + dq[rows:].reshape(rows, d)) @ a[:d]
        return x

    def energy(dq):
        F = F0 + dq[rows:].reshape(rows, d)
        log_size = 0.5 * np.log(np.linalg.det(F.T @ F))
        return 0.5 * mu * (np.sum(F * F) - d - 2.0 * log_size) + 0.5 * lam * log_size**2

    start = {name: vc.At((tuple(x0[:rows]), F0), (tuple(v[:rows]), v[rows:].reshape(rows, d)))}
    return Part(name, start, v, place, *spread(m, S), energy=energy)


def mass_point(rng, system, name, kind, m):
    x, v, thrust = rng.normal(size=3), rng.normal(size=3), None
    rate, relative = -rng.uniform(0.1, 0.5), rng.normal(size=3)
    if kind == "varying":
        thrust = rate * relative
    system.add(
        vc.MassPoint(name, m, sources=() if thrust is None else vc.MassSource(rate=rate, relative=tuple(relative)))
    )
    place = lambda d, a: x + d
    return Part(name, {name: vc.At(tuple(x), tuple(v))}, v, place, [np.zeros(3)], np.array([m]), push=thrust)


def jointed(rng, system, name, kind, m):
    """A body on a hinge with a point on a rail, or on an arm."""
    x, q, v = rng.normal(size=3), 0.5 * rng.normal(size=2), rng.normal(size=2)
    S, c, tip = np.diag([0.03, 0.05, 0.04]), np.array([0.1, 0.2, -0.3]), np.zeros(3)
    system.add(vc.RigidBody(name, m, c, np.trace(S) * np.eye(3) - S))
    system.add(vc.MassPoint(f"{name} tip", 0.5 * m))
    joint = vc.Prismatic if kind == "rail" else vc.Revolute
    system.add(vc.Revolute(f"{name} 1", "ground", name, axis=(1, 0, 0), at=tuple(x)))
    system.add(joint(f"{name} 2", name, f"{name} tip", axis=(0, 1, 0), at=(0, 0, -0.7), to=(0, 0, 0.4)))

    def place(d, a):
        R = expm(skew([q[0] + d[0], 0, 0]))
        if a is not tip:
            return x + R @ a
        turn, way = (np.eye(3), q[1] + d[1]) if kind == "rail" else (expm(skew([0, q[1] + d[1], 0])), 0.0)
        return x + R @ (np.array([0, way, -0.7]) + turn @ np.array([0, 0, -0.4]))

    a, masses = spread(m, S)
    start = {f"{name} {k + 1}": vc.At(q[k], v[k]) for k in range(2)}
    return Part(name, start, v, place, [*(c + one for one in a), tip], np.append(masses, 0.5 * m))


MAKES = dict.fromkeys(("point", "varying"), mass_point) | dict.fromkeys(DEFORMED, affine)
MAKES |= dict.fromkeys(("rigid", "point-body"), free_frame) | dict.fromkeys(("rail", "arms"), jointed)


def slopes(function, n):
    """∂f/∂d at zero, by central differences of order four."""
    steps = STEP * np.eye(n)
    return np.array(
        [(8 * (function(e) - function(-e)) - function(2 * e) + function(-2 * e)) / (12 * STEP) for e in steps]
    ).T


def slopes_of_origin(part):
    return slopes(lambda d: part.place(d, np.zeros(3)), len(part.v))


def inertia_and_force(part, g):
    """M and the force f of M v̇ = f of one part, without springs."""
    n, v = len(part.v), part.v
    if part.blocks is not None:
        A, B, C = part.blocks
        M, (u, w), weight = np.block([[A, B], [B.T, C]]), (v[:3], v[3:]), part.rotation.T @ g
        p, L = A @ u + B @ w, B.T @ u + C @ w
        return M, np.concatenate([A @ weight - np.cross(w, p), B.T @ weight - np.cross(w, L) - np.cross(u, p)])
    places = lambda d: np.concatenate([part.place(d, a) for a in part.a])
    J, m, s = slopes(places, n), np.repeat(part.m, 3), LONGER * v
    near, far = places(s) + places(-s), places(2 * s) + places(-2 * s)
    bias = (16 * near - far - 30 * places(0 * s)) / (12 * LONGER**2)
    f = J.T @ (m * (np.tile(g, len(part.a)) - bias))
    if part.energy is not None:
        f -= slopes(lambda d: np.array([part.energy(d)]), n)[0]
    return J.T @ (m[:, None] * J), f if part.push is None else f + part.push


def mixed(seed):
    """A random system, its start, and its accelerations by name of its parts."""
    rng = np.random.default_rng(seed)
    g = rng.normal(size=3)
    system = vc.System(f"mixed {seed}", gravity=tuple(g))
    chosen = rng.permutation(KINDS)[: rng.integers(3, 6)]
    parts = [MAKES[k](rng, system, f"b{i}", str(k), rng.uniform(0.5, 2.0)) for i, k in enumerate(chosen)]
    found = [inertia_and_force(part, g) for part in parts]
    for i, (one, other) in enumerate(pairwise(parts)):
        k, length, c = rng.uniform(1, 10), rng.uniform(0.2, 1), rng.uniform(0, 0.5)
        system.add(vc.Spring(f"spring {i}", one.name, other.name, stiffness=k, rest_length=length, damping=c))
        ends = [(part.place(np.zeros(len(part.v)), np.zeros(3)), slopes_of_origin(part)) for part in (one, other)]
        (x, J), (y, H) = ends
        away = (x - y) / np.linalg.norm(x - y)
        pull = k * (np.linalg.norm(x - y) - length) + c * away @ (J @ one.v - H @ other.v)
        found[i][1][:] -= J.T @ (pull * away)
        found[i + 1][1][:] += H.T @ (pull * away)
    start = {name: at for part in parts for name, at in part.start.items()}
    return system, start, parts, [np.linalg.solve(M, f) for M, f in found]


@pytest.mark.parametrize("seed", range(10))
def test_accelerations_are_those_of_material_points(seed):
    system, start, parts, expected = mixed(seed)
    motion = vc.simulate(system, until=1e-3, start=start, method="dop853")
    joints, model = motion.record.model.layout.joints, model_for(system)
    found = vc.forward_dynamics(model, motion.q[0], motion.v[0])
    for part, a in zip(parts, expected, strict=True):
        own = np.concatenate([found[slice(*joints[name].v)] for name in part.start])
        assert own[: len(a)] == pytest.approx(a, rel=1e-8, abs=1e-7 * np.abs(a).max())


@pytest.mark.parametrize("seed", [3, 8])
def test_two_engines_agree_with_certificates(seed):
    system, start, _, _ = mixed(seed)
    one, other = (vc.simulate(system, until=0.4, start=start, method=method) for method in ("dop853", "taylor"))
    assert one.q[-1] == pytest.approx(other.q[-1], abs=1e-12)
    assert one.audit().passed
    assert other.audit().passed
    assert one.replace(v=1.001 * one.v).audit().verdict == "failed"
