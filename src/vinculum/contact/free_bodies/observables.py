"""`FreeBodiesTape`: replaces the tapes of a model for free bodies in contact; array code over all bodies at once."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.contact.free_bodies.bodies import FreeBodies

NAMES = ("rates", "bodies", "balance", "reactions", "bonds")


@final
@dataclass(frozen=True, eq=False)
class FreeBodiesTape:
    """Outputs by name over rows (q, v, t) of free bodies; ``bodies``: their names in order."""

    name: str
    free_bodies: FreeBodies
    bodies: tuple[str, ...]

    @property
    def inputs(self) -> tuple[tuple[str, int], ...]:
        """The groups of a row."""
        return (("q", 7 * self.free_bodies.count), ("v", 6 * self.free_bodies.count), ("t", 1))

    @property
    def outputs(self) -> tuple[tuple[str, int], ...]:
        """Names and sizes of the outputs of `groups`."""
        return tuple(
            (name, x.shape[1]) for name, x in self.groups(np.ones((1, 13 * self.free_bodies.count + 1))).items()
        )

    @property
    def tables(self) -> tuple[()]:
        """Free bodies in contact have no tables."""
        return ()

    def groups(self, X: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs by name for rows X (B, n_in), each (B, …)."""
        B, n = len(X), self.free_bodies.count
        q, v = X[:, : 7 * n].reshape(B, n, 7), X[:, 7 * n : 13 * n].reshape(B, n, 6)
        return {"rates": self._rates, "bodies": self._bodies, "balance": self._balance, "reactions": self._reactions,
                "bonds": self._none}[self.name](q, v)  # fmt: skip

    def _none(self, q, v) -> dict[str, np.ndarray]:
        return {}

    def _reactions(self, q, v) -> dict[str, np.ndarray]:
        return {name: np.zeros((len(q), 6)) for name in self.bodies}

    def _rates(self, q, v) -> dict[str, np.ndarray]:
        B, none = len(q), np.zeros((len(q), 0))
        R, Q, w = matrices(q[..., 3:]), q[..., 3:], v[..., 3:]
        turn = 0.5 * np.concatenate(
            [-(Q[..., 1:] * w).sum(-1, keepdims=True), Q[..., :1] * w + np.cross(Q[..., 1:], w)], axis=-1
        )
        rates = np.concatenate([np.einsum("bnij,bnj->bni", R, v[..., :3]), turn], axis=-1)
        defects = (Q * Q).sum(-1) - 1.0
        return {"q_dot": rates.reshape(B, -1), "defects": defects, "gaps": none, "gap_rates": none}

    def _bodies(self, q, v) -> dict[str, np.ndarray]:
        x, R, vc, w, vo = self._kinematics(q, v)
        groups, B = {}, len(q)
        for i, name in enumerate(self.bodies):
            own = {"position": q[:, i, :3], "rotation": R[:, i].reshape(B, 9), "velocity": vo[:, i], "angular_velocity": w[:, i],
                   "center": x[:, i], "center_velocity": vc[:, i], "mass": np.full((B, 1), self.free_bodies.masses[i])}  # fmt: skip
            groups |= {f"{name}/{what}": array for what, array in own.items()}
        return groups

    def _balance(self, q, v) -> dict[str, np.ndarray]:
        free_bodies, B = self.free_bodies, len(q)
        x, R, vc, _w, _ = self._kinematics(q, v)
        p = free_bodies.masses[:, None] * vc
        own = np.einsum("nij,bnj->bni", free_bodies.inertias, v[..., 3:])
        spin = np.einsum("bnij,bnj->bni", R, own)
        none = np.zeros((B, 0))
        return {
            "kinetic": 0.5 * ((p * vc).sum((1, 2)) + (own * v[..., 3:]).sum((1, 2)))[:, None],
            "potential": -np.einsum("n,bnk,k->b", free_bodies.masses, x, free_bodies.gravity)[:, None],
            "drive_power": none,
            "mass": np.broadcast_to(free_bodies.masses, (B, free_bodies.count)),
            "center": x.reshape(B, -1),
            "momentum": np.concatenate([p, spin], axis=-1).reshape(B, -1),
        }

    def _kinematics(self, q, v) -> tuple[np.ndarray, ...]:
        """Mass centers, rotations, velocities of mass centers, angular velocities and velocities of the origins, in world axes."""
        R = matrices(q[..., 3:])
        w = np.einsum("bnij,bnj->bni", R, v[..., 3:])
        vo = np.einsum("bnij,bnj->bni", R, v[..., :3])
        arm = np.einsum("bnij,nj->bni", R, self.free_bodies.centers)
        return q[..., :3] + arm, R, vo + np.cross(w, arm), w, vo


def matrices(Q: np.ndarray) -> np.ndarray:
    """Rotation matrices (…, 3, 3) of quaternions (…, 4) of any length."""
    w, x, y, z = np.moveaxis(Q / np.linalg.norm(Q, axis=-1, keepdims=True), -1, 0)
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
            2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]  # fmt: skip
    return np.stack(rows, axis=-1).reshape(*Q.shape[:-1], 3, 3)
