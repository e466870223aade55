"""Accelerations of random mixed systems over tables next to Newton's and Euler's equations in NumPy.

Mass points and free rigid bodies with springs by rows, a potential within a cutoff, forces, and rods between points.
"""

import numpy as np
import pytest

import vinculum as vc
from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.tabled.type import TabledType

CUTOFF, FADE, STRENGTH, DRAG = 1.6, 1.1, 0.7, 0.35
G = np.array([0.3, -0.2, -9.81])


def drag(b):
    return vc.Wrench(force=-DRAG * b.velocity, moment=-0.1 * b.angular_velocity)


def rod(a, b, length=1.0):
    return vc.math.norm(a.position - b.position) - length


class Mixed:
    """A random system, one of its states, and what NumPy says about it."""

    def __init__(self, seed: int):
        rng = self.rng = np.random.default_rng(seed)
        self.points, self.solids = int(rng.integers(6, 12)), int(rng.integers(3, 6))
        self.mass, self.solid_mass = rng.uniform(0.5, 2.0), rng.uniform(1.0, 3.0)
        self.com = rng.normal(size=3) * 0.2
        half = rng.normal(size=(3, 3))
        spread = half @ half.T + 0.2 * np.eye(3)
        self.inertia = 0.3 * (np.trace(spread) * np.eye(3) - spread)  # about the mass center
        n, m = self.points, self.solids
        pairs = np.array([(i, j) for i in range(n) for j in range(m)])
        self.springs = pairs[rng.permutation(len(pairs))[: 2 * m + 2]]
        self.stiffness, self.rest = rng.uniform(1, 30, len(self.springs)), rng.uniform(0.1, 0.5, len(self.springs))
        self.damping, self.to = float(rng.uniform(0, 1)), rng.normal(size=3) * 0.3
        self.rods = np.array([(0, 1), (1, 2), (2, 0), (3, 4)] if rng.random() < 0.5 else [(0, 1), (3, 5)])
        self.x, self.u = rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
        self.length = np.linalg.norm(self.x[self.rods[:, 0]] - self.x[self.rods[:, 1]], axis=1)
        J = self._rods()[0]
        self.u -= (np.linalg.pinv(J) @ (J @ self.u.ravel())).reshape(-1, 3)
        Q = rng.normal(size=(m, 4))
        self.Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
        self.p, self.twist = rng.normal(size=(m, 3)), rng.normal(size=(m, 6))
        self.R = np.array([vc.Pose(rotation=q).R for q in self.Q])

    def system(self) -> vc.System:
        system = vc.System("mixed", gravity=tuple(G))
        points = system.add_many(vc.MassPoint("point", self.mass), self.points)
        solids = system.add_many(
            vc.RigidBody("solid", self.solid_mass, com=self.com, inertia=self.inertia), self.solids
        )
        spring = vc.Spring(
            "spring", points, solids, stiffness=1.0, rest_length=0.1, to=tuple(self.to), damping=self.damping
        )
        system.add(vc.Bonds(spring, over=self.springs, numbers={"stiffness": self.stiffness, "rest_length": self.rest}))
        near = vc.Potential("near", [points, points], lambda a, b: STRENGTH / vc.math.norm(a.position - b.position))
        system.add(vc.Bonds(near, cutoff=CUTOFF, fade=FADE))
        system.add(vc.Bonds(vc.Force("drag", solids, drag), over=np.arange(self.solids)))
        held = vc.Constraint("rod", [points, points], position=rod, realization="dalembert")
        system.add(vc.Bonds(held, over=self.rods, numbers={"length": self.length}))
        return system

    @property
    def row(self) -> np.ndarray:
        q = np.concatenate([self.x.ravel(), np.concatenate([self.p, self.Q], axis=1).ravel()])
        return np.concatenate([q, self.u.ravel(), self.twist.ravel(), [0.0]])

    def _rods(self):
        """J (r, 3 n) of the lengths of the rods, and −J̇ u."""
        J, bias = np.zeros((len(self.rods), self.points, 3)), np.zeros(len(self.rods))
        for k, (i, j) in enumerate(self.rods):
            d, w = self.x[i] - self.x[j], self.u[i] - self.u[j]
            r = np.linalg.norm(d)
            J[k, i], J[k, j] = d / r, -d / r
            bias[k] = -(w @ w - (d @ w / r) ** 2) / r
        return J.reshape(len(self.rods), -1), bias

    def accelerations(self) -> tuple[np.ndarray, np.ndarray]:
        """v̇ of the points, then of the twists in body axes; and the multipliers of the rods."""
        F = np.tile(self.mass * G, (self.points, 1))
        for i in range(self.points):
            for j in range(i):
                d = self.x[i] - self.x[j]
                push = -_slope(np.linalg.norm(d)) * d / np.linalg.norm(d)
                F[i] += push
                F[j] -= push
        force, moment = np.tile(self.solid_mass * G, (self.solids, 1)), np.zeros((self.solids, 3))
        v = np.einsum("nij,nj->ni", self.R, self.twist[:, :3])
        w = np.einsum("nij,nj->ni", self.R, self.twist[:, 3:])
        center = self.R @ self.com
        for (i, j), k, rest in zip(self.springs, self.stiffness, self.rest, strict=True):
            arm = self.R[j] @ self.to
            d = self.x[i] - self.p[j] - arm
            r = np.linalg.norm(d)
            rate = d @ (self.u[i] - v[j] - np.cross(w[j], arm)) / r
            pull = -(k * (r - rest) + self.damping * rate) * d / r
            F[i] += pull
            force[j] -= pull
            moment[j] -= np.cross(arm - center[j], pull)
        force -= DRAG * v
        moment += -0.1 * w + np.cross(-center, -DRAG * v)
        J, bias = self._rods()
        free = F.ravel() / self.mass
        mu = np.linalg.solve(J @ J.T / self.mass, bias - J @ free)
        found = [free + J.T @ mu / self.mass]
        for R, twist, f, m, c in zip(self.R, self.twist, force, moment, center, strict=True):
            u, s = twist[:3], twist[3:]
            turn = np.linalg.solve(self.inertia, R.T @ m - np.cross(s, self.inertia @ s))
            of_origin = R.T @ f / self.solid_mass - np.cross(turn, R.T @ c) - np.cross(s, np.cross(s, R.T @ c))
            found += [of_origin - np.cross(s, u), turn]
        return np.concatenate(found), mu


def _slope(r: float) -> float:
    """dU/dr within the cutoff, by a complex step."""
    if r >= CUTOFF:
        return 0.0
    z = r + 1e-30j
    y = (CUTOFF - z) / (CUTOFF - FADE)
    S = y**6 * (462 - 1980 * y + 3465 * y**2 - 3080 * y**3 + 1386 * y**4 - 252 * y**5) if r > FADE else 1.0
    return (STRENGTH / z * S).imag / 1e-30


@pytest.mark.parametrize("seed", range(5))
def test_accelerations_and_multipliers_are_those_of_newton_and_euler(seed):
    mixed = Mixed(seed)
    model = TabledType.model_of(mixed.system().tree())
    found = evaluate_groups(model.tape("motion"), mixed.row[None])
    expected, mu = mixed.accelerations()
    assert np.abs(found["v_dot"][0] - expected).max() <= 1e-12 * max(1.0, np.abs(expected).max(), np.abs(mu).max())
    told = evaluate_groups(model.tape("bonds"), mixed.row[None])
    multipliers = [told[f"rod {k}/multipliers"].item() for k in range(len(mixed.rods))]
    assert np.abs(multipliers - mu).max() <= 1e-11 * max(1.0, np.abs(mu).max())
